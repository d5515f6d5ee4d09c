# The capsule that nardy_import() of nardy_fast.h reads.
API: object

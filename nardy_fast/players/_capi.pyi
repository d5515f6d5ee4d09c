# The capsule that nardy_players_import() of nardy_players.h reads.
API: object

class TablesNative: ...

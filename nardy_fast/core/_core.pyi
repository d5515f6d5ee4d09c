# Only for cimport: see the .pxd of the same name.

#: The number that programs compiled against the .pxd or the header must have been compiled with.
ABI: int

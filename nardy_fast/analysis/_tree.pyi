# Only for cimport: see the .pxd of the same name.

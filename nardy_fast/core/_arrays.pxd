"""Arrays of callers, by the buffer protocol."""


cdef class Array:
    cdef Py_buffer buffer
    cdef bint held          # whether the buffer is to be given back
    cdef char *data         # the items, C-contiguous
    cdef Py_ssize_t rows    # along the first axis

cdef Array array(object given, str name, str dtype, tuple shape, Py_ssize_t rows, bint writable)
cdef void refuse_overlap(Array out, str name, Array read, str read_name, bint same_is_fine) except *

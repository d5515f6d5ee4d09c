"""Arrays of callers, by the buffer protocol: checked once at the edge, then plain pointers. Needs no NumPy to build."""

from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_IsContiguous, PyBuffer_Release, PyObject_GetBuffer

from numpy import ndarray

from nardy_fast.arguments import check_array


cdef class Array:
    """A caller's array, its kind and shape checked."""

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.buffer)


cdef Array array(object given, str name, str dtype, tuple shape, Py_ssize_t rows, bint writable):
    """`given` as an Array of that dtype and of shape (rows, *shape), any number of rows where `rows` is negative."""
    cdef Array result = Array.__new__(Array)
    cdef Py_buffer *buffer = &result.buffer
    cdef int i
    cdef bint fits
    if type(given) is not ndarray:      # the usual case need not ask
        check_array(name, given)
    try:
        PyObject_GetBuffer(given, buffer, PyBUF_FORMAT | PyBUF_STRIDES)
    except (TypeError, BufferError, ValueError):
        raise TypeError(f"{name} is a {type(given).__name__}: expected an array of {dtype}") from None
    result.held = True
    if not is_kind(buffer, dtype):
        raise TypeError(f"{name} has {kind_found(buffer)}: expected {dtype}")
    fits = buffer.ndim == 1 + len(shape) and (rows < 0 or buffer.shape[0] == rows)
    for i in range(len(shape)):
        fits = fits and buffer.shape[1 + i] == <Py_ssize_t>shape[i]
    if not fits:
        found = tuple([buffer.shape[i] for i in range(buffer.ndim)])
        wanted = ", ".join(["n" if rows < 0 else str(rows), *map(str, shape)])
        raise ValueError(f"{name} has shape {found}: expected ({wanted}{'' if shape else ','})")
    if not PyBuffer_IsContiguous(buffer, b"C"):
        found = tuple([buffer.strides[i] for i in range(buffer.ndim)])
        raise ValueError(f"{name} has strides {found}: expected a C-contiguous array")
    if writable and buffer.readonly:
        raise ValueError(f"{name} is read-only: expected an array to write to")
    result.data = <char *>buffer.buf
    result.rows = buffer.shape[0]
    return result


cdef bint is_kind(const Py_buffer *buffer, str dtype):
    """Whether the items are of that dtype: C names its integers otherwise on each system, but for their size."""
    cdef char kind = buffer.format[0] if buffer.format != NULL and buffer.format[1] == 0 else 0
    if dtype == "int8":
        return kind == b"b"
    if dtype == "bool":
        return kind == b"?"
    if dtype == "int16":
        return kind == b"h"
    if dtype == "float32":
        return kind == b"f"
    if dtype == "float64":
        return kind == b"d"
    return kind in (b"i", b"l", b"q") and buffer.itemsize == (4 if dtype == "int32" else 8)


cdef str kind_found(const Py_buffer *buffer):
    """The dtype of the items, as NumPy calls it; where that is not known, their format."""
    cdef str code = "B" if buffer.format == NULL else buffer.format.decode("ascii", "replace")
    if code == "?":
        return "dtype bool"
    for kind, codes in (("int", "bhilq"), ("uint", "BHILQ"), ("float", "efdg"), ("complex", ("Zf", "Zd", "Zg"))):
        if code in codes:
            return f"dtype {kind}{8 * buffer.itemsize}"
    return f"items of format {code!r}"


cdef void refuse_overlap(Array out, str name, Array read, str read_name, bint same_is_fine) except *:
    """Raise `ValueError` where writing to one array would change the other while it is read."""
    if out.data == read.data and same_is_fine:
        return
    if out.data < read.data + read.buffer.len and read.data < out.data + out.buffer.len:
        raise ValueError(f"{name} overlaps {read_name}")

"""Doubles: up to four steps of one die."""

from nardy_fast._track cimport Play, Turn


cdef int search_double(const Turn *turn, int die, Play *plays) noexcept nogil

"""A ruleset, compiled to the struct that native code reads."""

from nardy_fast._track cimport Rules


cdef class CompiledRules:
    cdef Rules rules
    cdef readonly object ruleset    # the Ruleset it was compiled from
    cdef readonly Py_hash_t hash    # of the ruleset: equal rules, equal hash

cdef CompiledRules compiled(object rules)

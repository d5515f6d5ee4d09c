"""A ruleset, compiled to the struct that native code reads.

    cdef Rules rules = compiled("short").rules      # a copy: yours, no Python object needed any more
"""

from nardy_fast.core._track cimport Rules


cdef class CompiledRules:
    cdef Rules rules                # lives as long as this object
    cdef readonly object ruleset    # the Ruleset it was compiled from
    cdef readonly Py_hash_t hash    # of the ruleset: equal rules, equal hash

# The compiled form of a Ruleset, or of a preset by its name; compiled once, then looked up. Needs the GIL. Raises TypeError or
# ValueError as nardy_fast.ruleset does.
cdef CompiledRules compiled(object rules)

"""From a Ruleset, or the name of one, to the C struct that native code reads: compiled once, then looked up."""

from nardy_fast.core._track cimport NO_LIMIT, SLOTS

from nardy_fast.rules import CHOICES as _CHOICES
from nardy_fast.rules import ruleset as _ruleset

#: The newest fields, which the reference plays and this core does not yet: only their defaults are taken here.
_NOT_YET = (
    "backgammon_points", "throw", "cascade_steps", "parity", "send", "send_optional", "off_dice", "home_steps", "unplayed",
    "throw_again", "void_double", "dead_draw",
)


def _check_played(rules):
    """Refuse what this core would play wrongly."""
    for name in _NOT_YET:
        if getattr(rules, name) != _CHOICES[name][0]:
            raise ValueError(f"{name} = {getattr(rules, name)!r}: not yet played by the native core, only by the reference")
    if rules.block_rule == "fevga_open":
        raise ValueError("block_rule = 'fevga_open': not yet played by the native core, only by the reference")


cdef class CompiledRules:
    """The native form of a `Ruleset`."""

    def __init__(self, object rules):
        cdef Rules *native = &self.rules
        _check_played(rules)
        self.ruleset = rules
        self.hash = hash(rules)
        for slot in range(SLOTS):
            native.start[slot] = 0
        for slot, checkers in rules.setup:
            native.start[slot] = checkers
        native.checkers = rules.checkers
        native.contrary = rules.road == "contrary"
        native.head_limit = NO_LIMIT if rules.head_limit is None else rules.head_limit
        native.head_exception = _CHOICES["head_exception"].index(rules.head_exception)
        native.runner = rules.runner
        native.block_rule = _CHOICES["block_rule"].index(rules.block_rule)
        native.block_at_end = rules.block_check == "turn"
        native.exact = rules.bear_off == "exact"
        native.next_turn = rules.bear_off_start == "next_turn"
        native.stack_limit = NO_LIMIT if rules.stack_limit is None else rules.stack_limit
        native.bar_first = rules.bar_first
        native.keep = rules.goal == "keep"
        native.home_mars = rules.home_mars or 0
        native.koks = _CHOICES["koks"].index(rules.koks)
        native.koks_points = rules.koks_points
        native.remaining = rules.remaining
        native.last_roll = _CHOICES["last_roll"].index(rules.last_roll)
        native.rolloff = rules.first_dice == "rolloff"


cdef enum:
    REMEMBERED = 1000       # rulesets; a program that makes more than this of its own has them compiled again

cdef dict _by_name = {}
cdef dict _by_identity = {}     # id(ruleset) -> its compiled form, which keeps the ruleset and so its id


cdef CompiledRules compiled(object rules):
    """The compiled form of a ruleset or of a preset's name; raises as `rules.ruleset` does."""
    cdef object known = _by_name.get(rules) if type(rules) is str else _by_identity.get(id(rules))
    if known is not None:
        return known
    if isinstance(rules, str):
        known = _by_name[rules] = compiled(_ruleset(rules))
        return known
    if len(_by_identity) >= REMEMBERED:
        _by_identity.clear()
    known = _by_identity[id(rules)] = CompiledRules(_ruleset(rules))
    return known

"""From a Ruleset, or the name of one, to the C struct that native code reads: compiled once, then looked up."""

from nardy_fast.core._track cimport NO_LIMIT, SLOTS

from nardy_fast.rules import CHOICES as _CHOICES
from nardy_fast.rules import ruleset as _ruleset

cdef class CompiledRules:
    """The native form of a `Ruleset`."""

    def __init__(self, object rules):
        cdef Rules *native = &self.rules
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
        native.backgammon_points = rules.backgammon_points
        native.thrown = _CHOICES["throw"].index(rules.throw)
        native.cascade_steps = rules.cascade_steps
        native.parity = rules.parity
        native.send = _CHOICES["send"].index(rules.send)
        native.send_optional = rules.send_optional
        native.off_one_six = rules.off_dice == "one_six"
        native.frozen_home = not rules.home_steps
        native.unplayed = _CHOICES["unplayed"].index(rules.unplayed)
        native.throw_again = rules.throw_again
        native.void_double = rules.void_double
        native.dead_draw = rules.dead_draw
        native.staged = (
            rules.throw != "pair" or rules.send is not None or native.off_one_six or native.frozen_home or rules.has_queue
            or rules.throw_again or rules.block_rule == "fevga_open"
        )


cdef enum:
    REMEMBERED = 1000       # rulesets; a program that makes more than this of its own has them compiled again

cdef dict _by_name = {}
cdef dict _by_identity = {}     # id(ruleset) -> its compiled form, which keeps the ruleset and so its id


cdef CompiledRules compiled(object rules):
    """The compiled form of a ruleset or of a preset's name; raises as `rules.ruleset` does."""
    cdef CompiledRules known
    # By subscript: without the GIL get() may give what another thread has just thrown away.
    try:
        return _by_name[rules] if type(rules) is str else _by_identity[id(rules)]
    except KeyError:
        pass
    if isinstance(rules, str):
        known = _by_name[rules] = compiled(_ruleset(rules))
        return known
    if len(_by_identity) >= REMEMBERED:
        _by_identity.clear()
    known = _by_identity[id(rules)] = CompiledRules(_ruleset(rules))
    return known

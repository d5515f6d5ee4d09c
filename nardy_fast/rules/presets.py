"""The presets: games by name, each a `Ruleset` (rulebook, sections 1 to 3).

Each is a function so that its docstring can say whose rules they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from nardy_fast.rules.fields import BAR, HEAD, HOME, Ruleset


def long() -> Ruleset:
    """Long nardy by the federation's rules, without the last roll (rulebook, section 1, the default of every option)."""
    return Ruleset(name="long")


def federation() -> Ruleset:
    """Long nardy by the federation's rules in full: if White clears first, Black has one last roll."""
    return replace(long(), name="federation", last_roll="full")


def tournament() -> Ruleset:
    """Long nardy as tournaments play it: a block is allowed in passing, and the winner starts the next game."""
    return replace(long(), name="tournament", block_check="turn", next_starter="winner")


def arena() -> Ruleset:
    """Long nardy of the game sites: two off the head on 3-3, 4-4, 6-6 whatever stands in the way; koks 3, home mars 4."""
    return replace(long(), name="arena", head_exception="values", koks="on_head", home_mars=4)


def karzar() -> Ruleset:
    """Карзар: a block is allowed once the opponent has a checker in his home (rulebook, section 3)."""
    return replace(long(), name="karzar", block_rule="home")


def nardgammon() -> Ruleset:
    """Нардгаммон: no block even in passing, which is what long nardy says by default (rulebook, section 3)."""
    return replace(long(), name="nardgammon")


def giveaway() -> Ruleset:
    """Поддавки: the first to clear loses (rulebook, section 3)."""
    return replace(long(), name="giveaway", goal="keep")


def khachapuri() -> Ruleset:
    """Хачапури: 4 on the head and 11 at the door of the home, no head rule, points for checkers left (rulebook, section 3)."""
    return replace(
        long(), name="khachapuri", setup=((HEAD, 4), (HOME, 11)), head_limit=None, head_exception="none", remaining=True
    )


def fevga() -> Ruleset:
    """Февга, as in Greece: the runner; blocks are free, but not all of one's own starting six (rulebook, section 3)."""
    return replace(long(), name="fevga", head_limit=None, head_exception="none", runner=True, block_rule="fevga")


def greek_fevga() -> Ruleset:
    """Февга by other texts: no six points right before an opponent with all checkers on one point (rulebook, section 3)."""
    return replace(fevga(), name="greek_fevga", block_rule="fevga_open")


# The stage variants of long nardy


def kaftar() -> Ruleset:
    """Кафтар: a 1 or a 6 sends a checker from the head straight home (rulebook, section 3)."""
    return replace(long(), name="kaftar", send="one_six")


def one_six() -> Ruleset:
    """Один-шесть: a 1 or a 6 may send, and only a 1 or a 6 bears off (rulebook, section 3)."""
    return replace(long(), name="one_six", send="one_six", send_optional=True, off_dice="one_six")


def kabutar() -> Ruleset:
    """Кабутар: a double sends four checkers from the head straight home (rulebook, section 3)."""
    return replace(long(), name="kabutar", send="doubles")


def astrogon() -> Ruleset:
    """Астрогон: the smaller die says how often the larger is played (rulebook, section 3)."""
    return replace(long(), name="astrogon", throw="product")


def even_odd() -> Ruleset:
    """Чет-нечёт: as Астрогон, but White plays only an even number of steps and Black only an odd one (rulebook, section 3)."""
    return replace(long(), name="even_odd", throw="product", parity=True)


def gulbar() -> Ruleset:
    """Гюльбар: the opponent plays what is left over; who plays a double in full throws again (rulebook, section 3)."""
    return replace(long(), name="gulbar", unplayed="stage", throw_again=True)


def mad_gulbar() -> Ruleset:
    """Бешеный гюльбар: a double goes up to the sixes, and what is left over ends the turn and passes (rulebook, section 3)."""
    return replace(long(), name="mad_gulbar", throw="cascade", unplayed="rest")


def mad_nardy() -> Ruleset:
    """Бешеные нарды: doubles go up to the sixes, the home is frozen, and left-over dice pass (rulebook, section 3)."""
    return replace(
        long(),
        name="mad_nardy",
        throw="cascade",
        unplayed="stage",
        void_double=True,
        home_steps=False,
        bear_off="exact",
        dead_draw=True,
    )


def mad_fevga() -> Ruleset:
    """Бешеная февга, гиюль: Бешеные нарды with Fevga's runner (rulebook, section 3)."""
    return replace(mad_nardy(), name="mad_fevga", head_limit=None, head_exception="none", runner=True, block_rule="fevga")


# Short nardy and its kin


def short() -> Ruleset:
    """Short nardy, which is backgammon (rulebook, section 2)."""
    return Ruleset(
        name="short",
        road="contrary",
        setup=((1, 2), (12, 5), (17, 3), (19, 5)),
        head_limit=None,
        head_exception="none",
        block_rule="free",
        first_dice="rolloff",
        next_starter="roll",
    )


def portes() -> Ruleset:
    """Portes, backgammon as in Greece and Turkey: no triple game, and the starter throws afresh (rulebook, section 2)."""
    return replace(short(), name="portes", backgammon_points=2, first_dice="fresh")


def nackgammon() -> Ruleset:
    """Nackgammon: backgammon with two more checkers far back (rulebook, section 2)."""
    return replace(short(), name="nackgammon", setup=((1, 2), (2, 2), (12, 4), (17, 3), (19, 4)))


def hypergammon() -> Ruleset:
    """HyperGammon: backgammon with three checkers a side (rulebook, section 2)."""
    return replace(short(), name="hypergammon", setup=((1, 1), (2, 1), (3, 1)))


def longgammon() -> Ruleset:
    """LongGammon: backgammon with all checkers on the 24 point, not to be confused with long nardy (rulebook, section 2)."""
    return replace(short(), name="longgammon", setup=((HEAD, 15),))


def old_english() -> Ruleset:
    """Old English backgammon: at most five own checkers on a point (rulebook, section 2)."""
    return replace(short(), name="old_english", stack_limit=5)


def acey_deucey() -> Ruleset:
    """American Acey-Deucey: all checkers wait off the board and may enter at any time (rulebook, section 2)."""
    return replace(short(), name="acey_deucey", setup=((BAR, 15),), bar_first=False)


_PRESETS: tuple[Callable[[], Ruleset], ...] = (
    long,
    federation,
    tournament,
    arena,
    karzar,
    nardgammon,
    giveaway,
    khachapuri,
    fevga,
    greek_fevga,
    kaftar,
    one_six,
    kabutar,
    astrogon,
    even_odd,
    gulbar,
    mad_gulbar,
    mad_nardy,
    mad_fevga,
    short,
    portes,
    nackgammon,
    hypergammon,
    longgammon,
    old_english,
    acey_deucey,
)

#: The presets by name; ``backgammon`` is another name for ``short``.
RULESETS: Mapping[str, Ruleset] = MappingProxyType({preset.__name__: preset() for preset in _PRESETS} | {"backgammon": short()})


def ruleset(rules: str | Ruleset) -> Ruleset:
    """The preset of that name; a `Ruleset` is handed back as it is.

    Raises `ValueError` with the list of names on a miss, `TypeError` for the wrong kind of thing.
    """
    if isinstance(rules, Ruleset):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules = {rules!r:.100}: expected a Ruleset or the name of one")
    if rules not in RULESETS:
        raise ValueError(f"rules = {rules!r:.100}: expected one of {', '.join(RULESETS)}")
    return RULESETS[rules]

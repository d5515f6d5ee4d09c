"""Which game is played, as data: `Ruleset`, and what its fields may be.

This is the only place where a game is described; `presets` has those with names. The reference reads a `Ruleset` directly; the
native core compiles it to one small C struct. The fields and their values are those of the rulebook, section 5.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

#: Slots of a player's own track (rulebook, section 0).
BAR = 0
HEAD = 1
HOME = 19
LAST = 24
OFF = 25
SLOTS = 26

WHITE = 0
BLACK = 1

#: The 21 rolls, larger die first, each with its weight out of 36 (rulebook, section 0).
ROLLS: tuple[tuple[tuple[int, int], int], ...] = tuple(
    ((high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)
)

#: What each named option may be, its default first (rulebook, sections 1, 2 and 5).
CHOICES: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "road": ("parallel", "contrary"),
        "head_limit": (1, None),
        "head_exception": ("head_block", "values", "cap_double", "capability", "any_double", "any_first", "none"),
        "runner": (False, True),
        "block_rule": ("ahead", "home", "never", "free", "fevga", "fevga_open"),
        "block_check": ("step", "turn"),
        "bear_off": ("standard", "exact"),
        "bear_off_start": ("same_turn", "next_turn"),
        "stack_limit": (None, 5),
        "bar_first": (True, False),
        "goal": ("clear", "keep"),
        "home_mars": (None, 3, 4),
        "koks": (None, "none_home", "on_head", "start_quarter"),
        "koks_points": (3, 4),
        "remaining": (False, True),
        "last_roll": ("none", "draw_only", "full"),
        "first_dice": ("fresh", "rolloff"),
        "next_starter": ("alternate", "winner", "roll"),
        "backgammon_points": (3, 2),
        "throw": ("pair", "product", "cascade"),
        "cascade_steps": (4, 2),
        "parity": (False, True),
        "send": (None, "one_six", "doubles"),
        "send_optional": (False, True),
        "off_dice": ("all", "one_six"),
        "home_steps": (True, False),
        "unplayed": ("lost", "stage", "rest"),
        "throw_again": (False, True),
        "void_double": (False, True),
        "dead_draw": (False, True),
    }
)

#: What an option of one road must be on the other, where it has no meaning.
WITHOUT_MEANING: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {
        "parallel": MappingProxyType({"bar_first": True, "backgammon_points": 3}),
        "contrary": MappingProxyType(
            {
                "head_limit": None,
                "head_exception": "none",
                "runner": False,
                "block_rule": "free",
                "block_check": "step",
                "goal": "clear",
                "home_mars": None,
                "koks": None,
                "koks_points": 3,
                "remaining": False,
                "last_roll": "none",
                "throw": "pair",
                "cascade_steps": 4,
                "parity": False,
                "send": None,
                "send_optional": False,
                "off_dice": "all",
                "home_steps": True,
                "unplayed": "lost",
                "throw_again": False,
                "void_double": False,
                "dead_draw": False,
            }
        ),
    }
)


#: By the road: the number of each slot 0..25 on the other player's track. Of these only 1..24 mean something.
OPPOSITES = {
    "parallel": tuple((slot + 11) % 24 + 1 for slot in range(OFF + 1)),
    "contrary": tuple(OFF - slot for slot in range(OFF + 1)),
}


def opposite(road: str, slot: int) -> int:
    """The number, on the other player's track, of the point that is `slot` (1..24) on one player's (rulebook, section 0)."""
    return OPPOSITES[road][slot]


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game, as data (rulebook, section 5). The defaults are long nardy's.

    Make your own from the nearest preset: ``dataclasses.replace(nf.ruleset("long"), name="club", head_exception="values")``.
    Two rulesets are equal when all but their names are. Raises `ValueError` for an unknown value and for a combination that
    makes no sense, with the reason.

    The fields, and what each of their values means, the default first:

    - `name`: what the rules are called.
    - `road`: ``parallel``: both move the same way round, nobody is hit; ``contrary``: toward each other, a lone checker is hit.
    - `setup`: ((slot, count), ...), the checkers of each side at the start, in slots of its own track; 1 to 15 in all.
    - `bear_off`: a die larger than any checker needs takes one off from the highest point (``standard``) or none (``exact``).
    - `bear_off_start`: bearing off begins with the step that brings the last checker home (``same_turn``) or in the player's next
      turn (``next_turn``).
    - `stack_limit`: the most own checkers on a point of the board: None (any number) or 5.
    - `first_dice`: the starter throws both dice (``fresh``) or plays the two dice of the throw for the start (``rolloff``).
    - `next_starter`: who starts the next game of a match: the other player than before (``alternate``), the winner of the last
      game (``winner``), or it is thrown for (``roll``).

    With `road` ``contrary`` only; else True:

    - `bar_first`: True: checkers in slot 0 must enter before any other moves; False: they need not (Acey-Deucey).
    - `backgammon_points`: what a backgammon is worth: 3, or 2 where there is no triple game.

    With `road` ``parallel`` only; else `head_limit` None, `head_exception` ``none``, `block_rule` ``free``, the rest the default:

    - `head_limit`: how many steps of a turn may leave the head: 1 or None (any number).
    - `head_exception`: the rolls with which two may leave it on a player's first turn. ``head_block``: a double, if one imagined
      checker, walked from the head by it (up to four landings), finds the opponent on his head before it finds him elsewhere;
      ``values``: 3-3, 4-4 and 6-6; ``cap_double``: a double that one head checker cannot play in full; ``capability``: any roll
      that one head checker cannot play in full, in any order; ``any_double``; ``any_first``: any roll; ``none``. Of a stage, the
      roll is its dice, and it is a double if they are two or more and all equal; the walk has as many landings as there are dice.
    - `runner`: False, or True: one checker must pass the opponent's head before another leaves its own (Fevga).
    - `block_rule`: when six or more consecutive points of the opponent's track may be held. ``ahead``: if an opponent's checker
      stands beyond them on his track or is off; ``home``: if one is in his home or off; ``never``; ``free``: always; ``fevga``:
      always, but not all six slots 1..6 of the mover's own track; ``fevga_open``: as ``fevga``, and, where it can be helped, no
      play leaves six that begin right after the one point on which the opponent has all his checkers. If the opponent has none on
      the board, nothing is a block.
    - `block_check`: a block is judged after every step (``step``) or in the afterstate only (``turn``).
    - `goal`: who first bears off all wins (``clear``) or loses (``keep``: 2 points if the winner has none off, else 1).
    - `home_mars`: the points if the loser has none off and all at home: None (2, as for any mars), 3 or 4.
    - `koks`: None (there is none), or what the loser, who has none off, must have for it: ``none_home``: none in his home either;
      ``on_head``: one still on the head; ``start_quarter``: one in slots 1..6. Worth `koks_points`; goes before home mars.
    - `koks_points`: 3 or 4.
    - `remaining`: False, or True: the points are the number of checkers that the loser has left, whatever else holds.
    - `last_roll`: what Black has where White, who began, clears first. ``none``: no roll any more; ``draw_only``: one roll, which
      counts only if he clears too, for a draw; ``full``: the same, and what he bears off by it counts (mars can become oin).
    - `throw`: what a throw M, N (M >= N) gives to play. ``pair``: M and N, or four times the die of a double; ``product``: N
      times M; ``cascade``: as ``pair``, but a double d gives one stage for each of d, d + 1 ... 6, `cascade_steps` times it.
    - `cascade_steps`: 4 or 2.
    - `parity`: False, or True: White plays only where N is even, Black only where it is odd.
    - `send`: which dice send a head checker straight to slot 25 - die: None; ``one_six``: each 1 and 6; ``doubles``: all dice of
      a double. While a die can send, the next step is a send; where a sending die is thrown, the head has no limit.
    - `send_optional`: False, or True: a sending die may as well be played in the ordinary way, and need not come first.
    - `off_dice`: which dice bear off: ``all``, or ``one_six``: only 1 and 6.
    - `home_steps`: True, or False: from the home, checkers are only borne off.
    - `unplayed`: what becomes of dice of a thrown stage that cannot be played: they are ``lost``; the opponent plays them at
      once, before the thrower's next stage (``stage``); he plays them and all further stages of the throw (``rest``).
    - `throw_again`: False, or True: who has played all four steps of a double throws again.
    - `void_double`: False, or True: a double of whose first stage no step can be played is over, with all its stages.
    - `dead_draw`: False, or True: with `home_steps` False, the game is drawn as soon as each side holds its slot 6, its six home
      points and nothing else, since no checker can ever move again.
    """

    name: str = field(default="custom", compare=False)
    road: str = "parallel"
    setup: tuple[tuple[int, int], ...] = ((HEAD, 15),)
    head_limit: int | None = 1
    head_exception: str = "head_block"
    runner: bool = False
    block_rule: str = "ahead"
    block_check: str = "step"
    bear_off: str = "standard"
    bear_off_start: str = "same_turn"
    stack_limit: int | None = None
    bar_first: bool = True
    goal: str = "clear"
    home_mars: int | None = None
    koks: str | None = None
    koks_points: int = 3
    remaining: bool = False
    last_roll: str = "none"
    first_dice: str = "fresh"
    next_starter: str = "alternate"
    backgammon_points: int = 3
    throw: str = "pair"
    cascade_steps: int = 4
    parity: bool = False
    send: str | None = None
    send_optional: bool = False
    off_dice: str = "all"
    home_steps: bool = True
    unplayed: str = "lost"
    throw_again: bool = False
    void_double: bool = False
    dead_draw: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"name = {self.name!r:.100}: a string is expected")
        for option, choices in CHOICES.items():
            value = getattr(self, option)
            if not any(value is choice or (type(value) is type(choice) and value == choice) for choice in choices):
                raise ValueError(f"{option} = {value!r:.100}: expected one of {', '.join(map(repr, choices))}")
        object.__setattr__(self, "setup", _checked_setup(self.setup, self.road))
        for option, neutral in WITHOUT_MEANING[self.road].items():
            if getattr(self, option) != neutral:
                value = getattr(self, option)
                raise ValueError(f"{option} = {value!r:.100}: has no meaning with road = {self.road!r}, and must be {neutral!r}")
        for wrong, reason in self._contradictions():
            if wrong:
                raise ValueError(reason)

    def _contradictions(self) -> tuple[tuple[bool, str], ...]:
        """Each combination that makes no sense, with the reason why."""
        all_on_head = self.setup == ((HEAD, self.checkers),)
        extras = self.home_mars is not None or self.koks is not None
        return (
            (
                self.head_exception != "none" and self.head_limit is None,
                f"head_exception = {self.head_exception!r}: an exception needs a head_limit to be an exception to",
            ),
            (
                self.head_exception != "none" and not all_on_head,
                f"head_exception = {self.head_exception!r}: all on the head tells a first turn, so setup must put them there",
            ),
            (
                self.runner and (self.head_limit is not None or not all_on_head),
                "runner = True: needs head_limit = None and a setup with all checkers on the head",
            ),
            (
                self.block_check == "turn" and self.block_rule == "free",
                "block_check = 'turn': block_rule = 'free' checks no block",
            ),
            (self.koks is None and self.koks_points != 3, f"koks_points = {self.koks_points!r}: koks is None"),
            (self.remaining and extras, "remaining = True: replaces all other points, so home_mars and koks must be None"),
            (
                self.goal == "keep" and (extras or self.remaining),
                "goal = 'keep': the loser has no checkers left, so home_mars, koks and remaining must be unset",
            ),
            (
                self.goal == "keep" and self.last_roll != "none",
                f"last_roll = {self.last_roll!r}: with goal = 'keep' nobody wants a last roll",
            ),
            (
                self.stack_limit is not None and any(count > self.stack_limit for slot, count in self.setup if slot != BAR),
                f"stack_limit = {self.stack_limit!r}: the setup already puts more on a point",
            ),
            *self._contradictions_of_stages(),
        )

    def _contradictions_of_stages(self) -> tuple[tuple[bool, str], ...]:
        """The same for the fields of the stage variants."""
        has_cascade = self.throw == "cascade"
        passes_on = self.unplayed != "lost"
        return (
            (
                self.cascade_steps != 4 and not has_cascade,
                f"cascade_steps = {self.cascade_steps!r}: throw = {self.throw!r} has no cascade",
            ),
            (self.void_double and not has_cascade, f"void_double = True: throw = {self.throw!r} has no cascade to be void"),
            (
                self.unplayed == "rest" and not has_cascade,
                f"unplayed = 'rest': throw = {self.throw!r} has no further stages that could pass on",
            ),
            (self.parity and self.throw != "product", f"parity = True: throw = {self.throw!r} does not count steps by a die"),
            (self.send_optional and self.send is None, "send_optional = True: send is None"),
            (
                self.send is not None and self.throw != "pair",
                f"send = {self.send!r}: only the dice of throw = 'pair' send, not of {self.throw!r}",
            ),
            (
                self.send is not None and self.head_limit is None,
                f"send = {self.send!r}: lifts the head_limit, so there must be one",
            ),
            (
                self.throw_again and self.throw != "pair",
                f"throw_again = True: goes by a double of four steps, which throw = {self.throw!r} has not",
            ),
            (
                not self.home_steps and not self.dead_draw,
                "home_steps = False: can lock both sides for ever, so it needs dead_draw = True",
            ),
            (
                self.last_roll != "none" and (passes_on or has_cascade or self.throw_again),
                f"last_roll = {self.last_roll!r}: not with unplayed other than 'lost', throw = 'cascade' or throw_again = True",
            ),
        )

    @property
    def has_queue(self) -> bool:
        """Whether stages can wait to be played, so that a position may have some pending."""
        return self.unplayed != "lost" or self.throw == "cascade"

    @property
    def checkers(self) -> int:
        """How many checkers a side has."""
        return sum(count for _, count in self.setup)

    def to_json(self) -> str:
        """All fields as a JSON object."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Ruleset:
        """The ruleset that `to_json` wrote; `ValueError` for any other text, `TypeError` for what is no string."""
        if not isinstance(text, str):
            raise TypeError(f"ruleset = {text!r:.100}: expected a string")
        try:
            fields: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(f"ruleset = {text!r:.100}: not JSON") from None
        if not isinstance(fields, dict):
            raise ValueError(f"ruleset = {text!r:.100}: expected a JSON object")
        unknown = fields.keys() - {f.name for f in dataclasses.fields(cls)}
        if unknown:
            raise ValueError(f"{min(unknown)!r:.100}: a ruleset has no such field")
        try:
            return cls(**fields)
        except TypeError as error:
            raise ValueError(str(error)) from None


def _checked_setup(setup: Any, road: str) -> tuple[tuple[int, int], ...]:
    """`setup` as a sorted tuple of (slot, count), or `ValueError`."""
    try:
        pairs = tuple(sorted((int(slot), int(count)) for slot, count in setup))
        if any(type(number) is bool or int(number) != number for pair in setup for number in pair):
            raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"setup = {setup!r:.100}: expected ((slot, count), ...)") from None
    slots = [slot for slot, _ in pairs]
    first = HEAD if road == "parallel" else BAR
    if len(set(slots)) < len(slots) or not all(first <= slot <= LAST for slot in slots):
        raise ValueError(f"setup = {setup!r:.100}: each slot once, from {first} to {LAST}")
    if any(count < 1 for _, count in pairs) or not 1 <= sum(count for _, count in pairs) <= 15:
        raise ValueError(f"setup = {setup!r:.100}: 1 to 15 checkers in all, at least one in each slot named")
    if any(opposite(road, slot) in slots for slot in slots if slot != BAR):
        raise ValueError(f"setup = {setup!r:.100}: the two sides would share a point")
    return pairs

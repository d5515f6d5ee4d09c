"""A game as it is played, from the throw for the start to the result: what there is to see, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple, Self

from nardy_fast.arguments import as_dice, as_int, as_turn, short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.games.cube import Cube, CubeRules, Stakes, acting_side, checked_cube, row_for
from nardy_fast.games.dice import Dice, Throw
from nardy_fast.games.history import Event, History
from nardy_fast.games.illegal import IllegalPlay
from nardy_fast.games.states import SENTENCES, State, require
from nardy_fast.games.statistics import PlayerStatistics, statistics_of
from nardy_fast.games.turn import Turn
from nardy_fast.results import Result, is_last_roll, result_of
from nardy_fast.rules import WHITE, Ruleset, ruleset
from nardy_fast.text.notation import COLOURS

#: Acey-Deucey: this roll, fully played, gives a double of the player's choice (rulebook, section 2).
BONUS_ROLL = (2, 1)


class Resignation(NamedTuple):
    """A resignation that waits for its answer: who resigns (0 White, 1 Black), and how many times the stake he gives."""

    side: int
    times: int


#: So many ties in the throw for the start, and the dice cannot be fair.
MAX_TIES = 1000


class LiveGame:
    """A game as it is played; `Game` can also be kept. See there."""

    position_type: ClassVar[Any] = Position
    turn_type: ClassVar[type[Turn]] = Turn

    def __init__(
        self,
        rules: str | Ruleset = "long",
        *,
        seed: int | None = None,
        dice: Iterable[Throw] | Callable[[], Throw] | None = None,
        starter: int | None = None,
        cube: CubeRules | Stakes | None = None,
    ) -> None:
        rules = ruleset(rules)
        if starter is not None and (type(starter) is not int or starter not in (0, 1)):
            raise ValueError(f"starter = {short_repr(starter)}: expected player 0 or 1")
        source = Dice.of(seed, dice)
        throws: list[Throw] = []
        while starter is None:
            first, second = source()
            throws.append((first, second))
            if first != second:
                starter = 0 if first > second else 1
            elif len(throws) == MAX_TIES:
                raise ValueError(f"dice: {MAX_TIES} ties in the throw for the start, expected a throw that decides")
        parallel = rules.road == "parallel"
        self._is_from_start = True
        position = self.position_type.start(rules, WHITE if parallel else starter)
        self._begin(position, starter if parallel else 0, source, throws, cube)

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        seed: int | None = None,
        dice: Iterable[Throw] | Callable[[], Throw] | None = None,
        cube: CubeRules | Stakes | None = None,
        thrown: Throw | None = None,
        cube_state: Cube | None = None,
        white: int = 0,
    ) -> Self:
        """A game that begins from `position`, without a throw for the start.

        `thrown`: the dice that have been thrown and wait for a play. `cube_state`: the cube as it lies, where `cube` says that
        there is one, its owner a side (0 White, 1 Black) or None; else it lies in the middle and shows 1. `white`: the player, 0
        or 1, who has White.
        """
        if not isinstance(position, cls.position_type):
            raise TypeError(f"position = {short_repr(position)}: expected a Position")
        if position.is_over:
            raise ValueError(f"position = {short_repr(str(position))}: the game is over")
        game = cls.__new__(cls)
        game._is_from_start = False
        game._begin(position, as_int("white", white, 0, 1), Dice.of(seed, dice), [], cube)
        if cube_state is not None:
            game._cube = game._first_cube = checked_cube(cube_state, game._stakes)
        if thrown is not None:
            game.roll(thrown)
        return game

    def _begin(self, position: Position, white: int, source: Dice, throws: list[Throw], cube: CubeRules | Stakes | None) -> None:
        if cube is not None and not isinstance(cube, (CubeRules, Stakes)):
            raise TypeError(f"cube = {short_repr(cube)}: expected CubeRules, Stakes or None")
        stakes = Stakes(cube) if isinstance(cube, CubeRules) else cube
        if stakes is not None:
            stakes.rules.check(None if stakes.away is None else 1, position.rules)
        self._stakes = stakes
        self._cube = self._first_cube = None if stakes is None else stakes.first_cube(max(len(throws) - 1, 0))
        self._first = self._position = position
        self._white = white
        self._source = source
        self._start = tuple(throws)
        self._history = History()
        self._state = State.ROLL
        self._dice: tuple[int, ...] | None = None
        self._chosen = False  # whether the dice are a double that the player chose
        self._offer: Resignation | None = None
        self._result: Result | None = None
        self._turn: Turn | None = None
        if throws and position.rules.first_dice == "rolloff":
            self._await_play(as_dice(throws[-1]))
        elif (pending := position.pending) is not None:
            self._await_play(pending.stages[0].dice)

    # What there is to see

    @property
    def rules(self) -> Ruleset:
        return self._first.rules

    @property
    def position(self) -> Position:
        """The board as it stands, before the play that is due."""
        return self._position

    @property
    def first_position(self) -> Position:
        """The board at the beginning."""
        return self._first

    @property
    def is_from_start(self) -> bool:
        """Whether the game began from the setup of its rules, not from a position given."""
        return self._is_from_start

    @property
    def state(self) -> State:
        """What the game waits for."""
        if self._result is not None:
            return State.OVER
        return State.ANSWER if self._offer is not None else self._state

    @property
    def white(self) -> int:
        """The player, 0 or 1, who has White."""
        return self._white

    def player(self, side: int) -> int:
        """The player, 0 or 1, who has this side (0 White, 1 Black)."""
        return self._white ^ as_turn(side)

    @property
    def starter(self) -> int:
        """The player, 0 or 1, who has the first turn."""
        return self.player(self._first.turn)

    @property
    def start_throws(self) -> tuple[Throw, ...]:
        """The throws for the start, player 0's die first: ties, then the one that decided; empty if there was no throw."""
        return self._start

    @property
    def dice(self) -> tuple[int, ...] | None:
        """The dice that wait for a play, larger first: those thrown, or of a pending stage its own. None if there are none."""
        return self._dice

    @property
    def turn(self) -> Turn:
        """The turn in the making: the same object until the turn is played. `ValueError` if no dice wait for a play."""
        if self._dice is None:
            raise ValueError(f"turn: {SENTENCES[self.state]}")
        if self._turn is None:
            self._turn = self.turn_type(self._position, self._dice)
        return self._turn

    @property
    def turns(self) -> tuple[Play | IllegalPlay, ...]:
        """The plays so far, passes too: each knows its position, dice, steps and afterstate."""
        return tuple(self._history.plays)

    @property
    def passes(self) -> int:
        """How many of the turns were passes."""
        return sum(not play.steps and not isinstance(play, IllegalPlay) for play in self._history.plays)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened after the throw for the start, but for what was undone."""
        return tuple(self._history.events)

    @property
    def offer(self) -> Resignation | None:
        """The resignation that waits for its answer."""
        return self._offer

    @property
    def stakes(self) -> Stakes | None:
        """What holds for the cube in this game; None if it is played without one."""
        return self._stakes

    @property
    def cube(self) -> Cube | None:
        """The cube as it lies; None if the game is played without one."""
        return self._cube

    @property
    def first_cube(self) -> Cube | None:
        """The cube as it lay at the beginning; None if the game is played without one."""
        return self._first_cube

    @property
    def to_act(self) -> int | None:
        """The side (0 White, 1 Black) that the game waits for; None when it is over."""
        match self.state:
            case State.OVER:
                return None
            case State.DOUBLED:
                return 1 - self._position.turn
            case State.ANSWER:
                assert self._offer is not None
                return 1 - self._offer.side
        return self._position.turn

    @property
    def is_last_roll(self) -> bool:
        """Whether White has cleared and Black's last roll is due."""
        return is_last_roll(self._position)

    @property
    def is_over(self) -> bool:
        return self._result is not None

    @property
    def result(self) -> Result | None:
        """The result; None while the game goes on."""
        return self._result

    # What can be done

    def roll(self, dice: Throw | None = None) -> tuple[int, int]:
        """Throws the dice for the side to move, and gives them, larger first; or takes `dice`, which a host has thrown."""
        require("roll", self.state)
        if dice is not None:
            dice = as_dice(dice)
        thrown = self._history.add_throw(dice, self._source)
        self._chosen = False
        self._await_play(thrown)
        return thrown

    def play(self, play: Play | str | None = None) -> Play:
        """Plays the turn: a `Play` of this position and these dice, text such as ``24/18 13/8``, or what stands in `turn`."""
        require("play", self.state)
        assert self._dice is not None
        if play is None:
            play = self.turn.commit()
        elif isinstance(play, str):
            play = self._position.parse_play(play, self._dice)
        elif not isinstance(play, self.turn_type.play_type):
            raise TypeError(f"play = {short_repr(play)}: expected a Play or its text")
        elif play.dice != self._dice or play.position != self._position:
            raise ValueError(f"play = {short_repr(str(play))}: of another position or other dice")
        self._mark_turn()
        # Where checkers can be sent, (from, die) does not name a step.
        with_landing = self.rules.send is not None
        self._history.add("play", tuple(step if with_landing else (step[0], step[2]) for step in play.steps))
        self._history.plays.append(play)
        self._end_stage(play)
        return play

    def let_stand(self, after: Position | str, text: str = "") -> IllegalPlay:
        """Plays the turn against the rules, as games played elsewhere may have it: the board becomes `after`, whatever the dice.

        `after` is a `Position` of these rules or its text, the opponent to move, and the game not over in it; where stages can be
        pending, it says which are, and who is to move. `text` is what was written for the play.
        """
        require("let_stand", self.state)
        assert self._dice is not None
        if isinstance(after, str):
            after = self.position_type.parse(after, self.rules)
        if not isinstance(after, self.position_type):
            raise TypeError(f"after = {short_repr(after)}: expected a Position or its text")
        if after.rules != self.rules or (after.turn == self._position.turn and not self.rules.has_queue) or after.is_over:
            expected = "the same rules, the opponent to move, and the game not over"
            raise ValueError(f"after = {short_repr(str(after))}: expected {expected}")
        play = IllegalPlay(self._position, self._dice, after, text)
        self._mark_turn()
        self._history.add("let_stand", str(after), text)
        self._history.plays.append(play)
        self._go_on(after)
        return play

    def _mark_turn(self) -> None:
        """Remembers where the turn began, so that it can be undone."""
        assert self._dice is not None
        if self.begins_turn or not self._history.plays:
            self._history.mark(self._position, self._dice, self._cube)

    def choose(self, die: int) -> tuple[int, int]:
        """Chooses the double that a 1-2, fully played, gives in Acey-Deucey."""
        require("choose", self.state)
        dice = as_dice((die, die))
        self._history.add("choose", dice[0])
        self._chosen = True
        self._await_play(dice)
        return dice

    def may(self, action: str) -> bool:
        """Whether ``double``, ``take``, ``drop`` or ``beaver`` may be done now."""
        try:
            require(action, self.state)
            row_for(self, action)
        except ValueError:
            return False
        return True

    def double(self, side: int | None = None) -> None:
        """Offers to double the stake. `side`, here and below, is who does it: who is not to act is refused."""
        self._act_on_cube("double", side)

    def take(self, side: int | None = None) -> None:
        """Accepts the double, or the doubler accepts the beaver."""
        self._act_on_cube("take", side)

    def drop(self, side: int | None = None) -> Result:
        """Declines the double, or the beaver, and loses the stake before it: the game is over."""
        self._act_on_cube("drop", side)
        assert self._result is not None
        return self._result

    def beaver(self, side: int | None = None) -> None:
        """Accepts the double and doubles at once, keeping the cube."""
        self._act_on_cube("beaver", side)

    def _act_on_cube(self, action: str, side: int | None) -> None:
        require(action, self.state)
        row = row_for(self, action)
        doubler = self._position.turn
        acting = acting_side(row, doubler)
        if side is not None and as_turn(side) != acting:
            raise ValueError(f"{action}: it is for {COLOURS[acting]} to act")
        assert self._cube is not None
        self._history.add(action)
        if row.turns_cube:
            self._cube = Cube(self._cube.value * 2, 1 - doubler)
        if row.then is State.OVER:
            self._end(Result(1 - acting, self._cube.value, "dropped"))
        else:
            self._state = row.then

    def resign(self, times: int = 1, side: int | None = None) -> None:
        """Offers to lose 1, 2 or 3 times the stake; `side` (0 White, 1 Black) is the side to move unless given."""
        require("resign", self.state)
        if type(times) is not int or times not in (1, 2, 3):
            raise ValueError(f"times = {short_repr(times)}: expected 1, 2 or 3")
        if self._counted(times) != self._counted(1) * times:
            raise ValueError(f"times = {short_repr(times)}: a win counts single while nobody owns the cube")
        offer = Resignation(self._position.turn if side is None else as_turn(side), times)
        self._history.add("resign", *offer)
        self._offer = offer

    def accept(self) -> Result:
        """Takes the resignation offered: the game is over."""
        require("accept", self.state)
        assert self._offer is not None
        self._history.add("accept")
        return self._end(Result(1 - self._offer.side, self._counted(self._offer.times), "resigned"))

    def refuse(self) -> None:
        """Refuses the resignation offered: the game goes on."""
        require("refuse", self.state)
        self._history.add("refuse")
        self._offer = None

    def abandon(self) -> Result:
        """Breaks the game off: nobody wins."""
        require("abandon", self.state)
        self._history.add("abandon")
        return self._end(Result(None, 0, "abandoned"))

    def undo(self) -> None:
        """Takes back the last turn and all that came after it: its player has the same dice before him again.

        A throw once made stands: what is thrown again after `undo` are the same dice.
        """
        require("undo", self.state)
        mark = self._history.undo()
        self._position, self._cube = mark.position, mark.cube
        self._offer = self._result = None
        self._chosen = False
        self._await_play(mark.dice)

    def redo(self) -> None:
        """Takes back the last `undo`."""
        require("redo", self.state)
        self._history.redo(self.replay_event)

    def replay_event(self, event: Event) -> None:
        """Does what happened, here or in another game, once more: an entry of `events`."""
        match event:
            case ("play", steps):
                require("play", self.state)
                self.play(self.turn_type.play_type(self._position, self._dice, steps))
            case ("resign", side, times):
                self.resign(times, side)
            case ("roll" | "choose" as action, dice):
                getattr(self, action)(dice)
            case ("let_stand", str(after), str(text)):
                self.let_stand(after, text)
            case ("accept" | "refuse" | "abandon" | "double" | "take" | "drop" | "beaver" as action,):
                getattr(self, action)()
            case _:
                raise ValueError(f"event = {short_repr(event)}: no such thing happens in a game")

    def statistics(self) -> tuple[PlayerStatistics, PlayerStatistics]:
        """What player 0 and player 1 have thrown, and how often they had no choice."""
        start_is_played = self.rules.first_dice == "rolloff" and bool(self._start)
        return statistics_of(self._history.events, self._history.plays, self._position, self._white, start_is_played)

    def close(self) -> None:
        """Lets all turns stand: they can be undone no more."""
        self._history.close()

    def use_dice(self, source: Dice) -> None:
        """Throws the dice of `source` from now on."""
        self._source = source

    def _await_play(self, dice: tuple[int, ...]) -> None:
        self._state, self._dice, self._turn = State.PLAY, dice, None

    def _go_on(self, position: Position) -> None:
        """From this position, with what is pending there or with a throw."""
        self._position, self._dice, self._turn, self._state = position, None, None, State.ROLL
        if (pending := position.pending) is not None:
            self._await_play(pending.stages[0].dice)

    @property
    def begins_turn(self) -> bool:
        """Whether the stage to be played is the first of its turn.

        Where stages can be pending, a turn is a throw with all of them; else what a player plays until the opponent does.
        """
        if self.rules.has_queue:
            return self._position.pending is None
        return not self._history.plays or self._history.plays[-1].position.turn != self._position.turn

    def _end_stage(self, play: Play) -> None:
        """A turn is a queue of stages; this says what comes after one of them."""
        self._go_on(play.afterstate)
        if self._position.is_over:
            result = result_of(self._position, play)
            self._end(result._replace(points=self._counted(result.points)) if result.winner is not None else result)
            return
        if self.rules.bar_first or not (self._chosen or play.dice == BONUS_ROLL):
            return
        if len(play.steps) == (4 if self._chosen else 2):  # fully played
            after = self._position
            self._position = self.position_type(after.board[::-1], 1 - after.turn, after.rules)
            self._state = State.ROLL if self._chosen else State.CHOOSE

    def _counted(self, points: int) -> int:
        """What a win of so many points scores, the cube considered."""
        if self._stakes is None or self._cube is None:
            return points
        return self._stakes.counted(points, self._cube)

    def _end(self, result: Result) -> Result:
        self._result, self._offer, self._dice, self._turn = result, None, None, None
        return result

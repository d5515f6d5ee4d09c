"""What to do now in a game: the plays in order, the steps to go on with, the cube."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nardy_fast.analysis.cube_decisions import CubeDecision, decide, match_table
from nardy_fast.analysis.judges import Judge, by_setting, judge_for
from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.analysis.moments import Scoring, table_length
from nardy_fast.analysis.search import Ranked
from nardy_fast.analysis.setting import Setting
from nardy_fast.arguments import short_repr
from nardy_fast.core._position import Play, Position
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match
from nardy_fast.games.states import State
from nardy_fast.games.turn import FullStep, steps_after
from nardy_fast.players.network import Network
from nardy_fast.rules import BAR, LAST, opposite
from nardy_fast.text.notation import COLOURS, point_name


@dataclass(frozen=True)
class StepHint:
    """A step that the turn in the making can go on with, and what the best play with it is worth."""

    #: (from, to, die) in the mover's slots.
    step: FullStep
    play: Play
    equity: float
    loss: float


@dataclass(frozen=True)
class Hint:
    """What the side that has to act should do; `str` tells it."""

    #: The method of the game to call: ``roll``, ``double``, ``take``, ``drop``, ``beaver``, ``play``, ``choose``, ``accept``,
    #: ``refuse``.
    action: str
    #: The side (0 White, 1 Black) that has to act, and the board.
    side: int
    position: Position
    #: For `choose`, the die of the double.
    die: int | None = None
    #: The plays, best first, with the points that they can expect by the score and the cube; none unless dice wait for a play.
    plays: tuple[Ranked, ...] = ()
    #: The steps that can come next, best first: in a turn that is half played those that some play goes on with.
    steps: tuple[StepHint, ...] = ()
    #: The steps that have been played of this turn.
    played: tuple[FullStep, ...] = ()
    #: All about the cube, where it is to be decided on: the doubler's view.
    cube: CubeDecision | None = None

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, most: int = 5, numbering: str = "federation") -> list[str]:
        """The text, with no more than so many plays."""
        told = [f"{COLOURS[self.side]}: {self._advice(numbering)}"]
        if self.cube is not None:
            told += cube_lines(self.cube)
        if self.played:
            steps = ((self._step(each.step, numbering), each) for each in self.steps[:most])
            told += [f"  {text:12} {each.equity:+.3f}  {_lost(each.loss)}" for text, each in steps]
        for number, candidate in enumerate(self.plays[:most], 1):
            wins = f"wins {candidate.chances.win:.1%}, {candidate.chances.at_least(2):.1%} with more than one point"
            text = candidate.play.notation(numbering)
            told.append(f"{number:3}. {text:24} {candidate.equity:+.3f}  {_lost(candidate.loss):6}  {wins}")
        return told

    def _advice(self, numbering: str) -> str:
        if self.action == "play" and self.played:
            return f"go on with {self._step(self.steps[0].step, numbering)}" if self.steps else "the turn is complete"
        if self.action == "play":
            return f"play {self.plays[0].play.notation(numbering)}"
        if self.action == "choose":
            return f"choose {self.die}-{self.die}"
        return "pass" if self.action == "drop" else self.action

    def _step(self, step: FullStep, numbering: str) -> str:
        road, side = self.position.rules.road, self.position.turn
        return "/".join(point_name(slot, side, road, numbering) for slot in step[:2])


def _lost(loss: float) -> str:
    return f"{-loss:+.3f}" if loss >= 0.0005 else ""


def cube_lines(cube: CubeDecision) -> list[str]:
    """The equities of a decision about the cube, and what it comes to."""
    rows = [("no double", cube.no_double), ("double, take", cube.double_take), ("double, pass", cube.double_pass)]
    if cube.double_beaver is not None:
        rows.insert(2, (f"double, beaver, {cube.beaver_answer}", cube.double_beaver))
    told = [f"  {text:24} {equity:+.3f}" for text, equity in rows]
    if cube.match_chances is not None:
        none, take, drop = cube.match_chances
        told.append(f"  chance to win the match  {none:.1%} no double, {take:.1%} take, {drop:.1%} pass")
    return [*told, f"  {cube}"]


def hint(
    game: Game | Match,
    *,
    plies: int = 0,
    network: Network | None = None,
    judge: Judge | None = None,
    table: MatchEquity | None = None,
) -> Hint:
    """What the side that has to act in a game, or in the last game of a match, should do now.

    `plies`, `network` and `table` as for `review`. In a match plays and doubles are judged by the score. Nothing is changed.
    `TypeError` for what is no game, `ValueError` where the game is over or none has begun.
    """
    if not isinstance(game, Game | Match):
        raise TypeError(f"game = {short_repr(game)}: expected a Game or a Match")
    live = game.game if isinstance(game, Match) else game
    if live is None or live.is_over:
        raise ValueError(f"game = {short_repr(game)}: {'no game has begun' if live is None else 'the game is over'}")
    table = match_table(table_length(game), live.rules, table, network)
    if isinstance(game, Match):
        before = game.score  # an unfinished game counts for nothing yet
        scoring = Scoring.of_match(game, live, before, table)
    else:
        scoring = Scoring.of_game(live, table)
    found = judge_for(live.rules, network, plies) if judge is None else judge
    return _hint(live, scoring.setting(live), found)


def _hint(game: Game, setting: Setting, judge: Judge) -> Hint:
    position, side = game.position, game.to_act
    assert side is not None
    match game.state:
        case State.PLAY:
            return _play_hint(game, setting, judge)
        case State.CHOOSE:
            best = {die: by_setting(judge.ranked(position, (die, die)), setting) for die in range(1, 7)}
            die = max(best, key=lambda die: best[die][0].equity)
            return Hint("choose", side, position, die=die, plays=best[die])
        case State.ANSWER:
            assert game.offer is not None
            chances = judge.chances(position)
            keeps = setting.value(chances, position)
            by_mover = game.offer.side == position.turn
            lost = setting.stake.worth((-1 if by_mover else 1) * game.offer.times * setting.cube)
            # Who is offered takes what is better for him than to go on.
            accepts = keeps >= lost if by_mover else keeps <= lost
            return Hint("accept" if accepts else "refuse", side, position)
        case State.BEAVERED:
            chances = judge.chances(position)
            stays, goes = setting.value(chances, position, cube=setting.cube * 2, owner=1), setting.stake.worth(-setting.cube)
            return Hint("take" if stays >= goes else "drop", side, position)
    beavers = game.stakes is not None and game.stakes.rules.beavers
    if game.state is State.DOUBLED:
        cube = decide(setting, position, judge.chances(position), beavers=beavers)
        return Hint({"pass": "drop"}.get(cube.answer, cube.answer), side, position, cube=cube)
    if not game.may("double"):
        return Hint("roll", side, position)
    cube = decide(setting, position, judge.chances(position), beavers=beavers)
    return Hint("double" if cube.action == "double" else "roll", side, position, cube=cube)


def _play_hint(game: Game, setting: Setting, judge: Judge) -> Hint:
    position, turn = game.position, game.turn
    plays = by_setting(judge.ranked(position, None if position.pending is not None else game.dice), setting)
    played = turn.played
    if not played:
        return Hint("play", position.turn, position, plays=plays, steps=_first_steps(plays))
    ways = reachable(position, turn.dice, played)
    going_on = tuple(each for each in plays if _key(each.play) in ways)
    going_on = tuple(each._replace(loss=going_on[0].equity - each.equity) for each in going_on)
    steps: dict[FullStep, StepHint] = {}
    for each in going_on:
        for step in ways[_key(each.play)]:
            steps.setdefault(step, StepHint(step, each.play, each.equity, each.loss))
    return Hint("play", position.turn, position, plays=going_on, steps=tuple(steps.values()), played=played)


def _first_steps(plays: Iterable[Ranked]) -> tuple[StepHint, ...]:
    """The first step of each play, with the best of those that begin so."""
    steps: dict[FullStep, StepHint] = {}
    for each in plays:
        for step in each.play.steps[:1]:
            steps.setdefault(step, StepHint(step, each.play, each.equity, each.loss))
    return tuple(steps.values())


#: The mover's checkers and the other's, by slots.
Rows = tuple[tuple[int, ...], tuple[int, ...]]


def _key(play: Play) -> Rows:
    """How the checkers stand after a play, the mover's first."""
    after = play.afterstate
    rows = [tuple(row) for row in after.board.tolist()]
    return (rows[0], rows[1]) if after.turn == play.position.turn else (rows[1], rows[0])


def reachable(position: Position, dice: tuple[int, ...], played: tuple[FullStep, ...]) -> dict[Rows, tuple[FullStep, ...]]:
    """What a turn in the making can come to, and the steps that can come next on the way there; none where it is complete."""
    first, second = position.board.tolist()
    rows: Rows = tuple(first), tuple(second)
    for step in played:
        rows = _moved(rows, step, position.rules.road)
    ends: dict[tuple[Rows, tuple[int, ...]], frozenset[Rows]] = {}

    def ends_of(steps: tuple[FullStep, ...], rows: Rows) -> frozenset[Rows]:
        """How the turn can end after these steps; in another order they come to the same."""
        key = rows, tuple(sorted(die for _, _, die in steps))
        if key not in ends:
            following = steps_after(position, dice, steps)
            found: set[Rows] = set() if following else {rows}
            for step in following:
                found |= ends_of((*steps, step), _moved(rows, step, position.rules.road))
            ends[key] = frozenset(found)
        return ends[key]

    following = steps_after(position, dice, played)
    ways: dict[Rows, tuple[FullStep, ...]] = {} if following else {rows: ()}
    for step in following:
        for end in ends_of((*played, step), _moved(rows, step, position.rules.road)):
            ways[end] = (*ways.get(end, ()), step)
    return ways


def _moved(rows: Rows, step: FullStep, road: str) -> Rows:
    """The rows after a step, with what it hits on contrary roads."""
    mine, others = list(rows[0]), list(rows[1])
    source, landing, _ = step
    mine[source] -= 1
    mine[landing] += 1
    if road == "contrary" and landing <= LAST:
        there = opposite(road, landing)
        others[BAR] += others[there]
        others[there] = 0
    return tuple(mine), tuple(others)

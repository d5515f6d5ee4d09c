"""The review of a game or a match: what each decision cost, how lucky each throw was, and what is left without the luck."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from nardy_fast.analysis import moments as walk
from nardy_fast.analysis.cube_decisions import CubeDecision, decide, match_table
from nardy_fast.analysis.judges import Judge, Thrown, by_setting, judge_for, turned
from nardy_fast.analysis.match_equity import MatchEquity
from nardy_fast.analysis.moments import Moment
from nardy_fast.analysis.phases import phase_of
from nardy_fast.analysis.review_page import to_html
from nardy_fast.analysis.review_text import to_text
from nardy_fast.analysis.reviewed import Decision, GameReview, Option, Reviewed, Throw
from nardy_fast.analysis.search import Ranked
from nardy_fast.arguments import checked_workers, short_repr
from nardy_fast.bulk.simulation import available
from nardy_fast.core._position import Position
from nardy_fast.games.game import Game
from nardy_fast.games.match import Match
from nardy_fast.players.chances import Chances
from nardy_fast.players.network import Network
from nardy_fast.workers import AnyExecutor, run

#: Moments that are judged together: enough that sending them is little beside it, few enough to tell of progress.
_SHARD = 16
#: A double that is not made counts as a decision where it would have lost less than this.
CLOSE = 0.16


class Review(Reviewed):
    """The review of a game or a match: its data, and as JSON, text or a page."""

    def to_text(self, *, full: bool = False) -> str:
        """The totals, and the decisions that cost something; with `full` every decision and the luck of every throw."""
        return to_text(self, full=full)

    def to_html(self, *, numbering: str = "federation") -> str:
        """One page of HTML that needs nothing else: boards to step through, the curve, the worst decisions, the totals."""
        return to_html(self, numbering=numbering)

    def __str__(self) -> str:
        return self.to_text()


class Asked(NamedTuple):
    """What a judge is asked at one moment: plays for dice, throws, or the chances before the throw."""

    kind: str
    position: Position
    dice: tuple[int, ...] | None
    #: The board after the play that was made.
    after: Position | None = None


#: What it answers: plays with the chances of who makes them, throws, or chances.
Answer = Sequence[Ranked] | Sequence[Thrown] | Chances


def review(
    record: Game | Match,
    *,
    plies: int = 0,
    network: Network | None = None,
    judge: Judge | None = None,
    table: MatchEquity | None = None,
    threads: int | None = None,
    executor: AnyExecutor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Review:
    """Judges every decision and every throw of a game or a match.

    `plies`: how far plays and doubles are looked ahead, as in `rank`; luck is judged at once. `network`: whose judgement it is;
    by default the shipped one of the record's rules, or of others on the same road with the same aim; where there is none, pips
    are counted. `table`: the match equities, by default those that the package computes with that network.

    `threads`: how many judge at once, by default as many as there are processors; or an `executor`, as for `simulate`, is sent
    the work. `progress` is called from time to time with the number of moments judged, and of all. An exception out of it, like a
    keyboard interrupt, ends the review soon.

    Raises `TypeError` for what is no record, and `ValueError` for a record without a throw.
    """
    if not isinstance(record, Game | Match):
        raise TypeError(f"record = {short_repr(record)}: expected a Game or a Match")
    workers = checked_workers(available() if threads is None else threads, executor)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress = {short_repr(progress)}: expected a function or None")
    found = judge_for(record.rules, network, plies) if judge is None else judge
    table = match_table(walk.table_length(record), record.rules, table, network)
    moments = list(walk.of_record(record, table))
    if not moments:
        raise ValueError(f"record = {short_repr(record)}: nothing has been thrown")
    answers = _answers(found, moments, workers, executor, progress)
    return _assembled(record, table, moments, answers, getattr(found, "plies", 0))


# Asking the judge


def _asked(moment: Moment) -> Asked:
    kind = moment.kind if moment.kind in (walk.PLAY, walk.THROW) else "chances"
    return Asked(kind, moment.position, moment.dice, None if moment.play is None else moment.play.afterstate)


def _answers(
    judge: Judge,
    moments: list[Moment],
    threads: int,
    executor: AnyExecutor | None,
    progress: Callable[[int, int], object] | None,
) -> list[Answer]:
    """The answer at each moment."""
    found: list[Any] = [None] * len(moments)
    shards = ((judge, tuple(map(_asked, moments[at : at + _SHARD]))) for at in range(0, len(moments), _SHARD))
    done = 0
    with closing(run(judge_all, shards, threads, executor)) as finished:
        for number, answers in finished:
            begin = number * _SHARD
            expected = len(moments[begin : begin + _SHARD])
            if not isinstance(answers, list) or len(answers) != expected:
                raise TypeError(f"executor: a shard of {expected} moments came back as {short_repr(answers)}")
            found[begin : begin + expected] = answers
            done += expected
            if progress is not None:
                progress(done, len(moments))
    return found


def judge_all(judge: Judge, asked: Iterable[Asked]) -> list[Answer]:
    """What the judge says of each; this is what an executor is sent."""
    return [_judged(judge, *each) for each in asked]


def _judged(judge: Judge, kind: str, position: Position, dice: tuple[int, ...] | None, after: Position | None) -> Answer:
    if kind == walk.PLAY:
        ranked = judge.ranked(position, None if position.pending is not None else dice)
        # The play that was made is looked at as far as the best, though it may have been left out as worse.
        return [_looked_at(judge, each, ranked[0].plies) if each.play.afterstate == after else each for each in ranked]
    if kind == walk.THROW:
        return judge.thrown(position)
    return judge.chances(position)


def _looked_at(judge: Judge, ranked: Ranked, plies: int) -> Ranked:
    """A play that is judged so far ahead."""
    if ranked.plies == plies:
        return ranked
    after = ranked.play.afterstate
    chances = judge.chances(after)
    chances = chances if after.turn == ranked.play.position.turn else turned(chances)
    return ranked._replace(chances=chances, equity=chances.equity, plies=plies)


# Putting it together


def _assembled(
    record: Game | Match, table: MatchEquity | None, moments: list[Moment], answers: list[Answer], plies: int
) -> Review:
    games = record.games if isinstance(record, Match) else (record,)
    found: list[GameReview] = []
    by_game: list[list[tuple[Moment, Answer]]] = [[] for _ in games]
    for moment, answer in zip(moments, answers, strict=True):
        by_game[moment.game].append((moment, answer))
    score = record.first_score if isinstance(record, Match) else (0, 0)
    for number, (game, pairs) in enumerate(zip(games, by_game, strict=True)):
        decisions, throws = [], []
        for moment, answer in pairs:
            if moment.kind == walk.THROW:
                throws.append(_throw(moment, answer))  # type: ignore[arg-type]
            else:
                decisions.append(_decision(moment, answer))
        scored = record.scored(game) if isinstance(record, Match) else _scored(game)
        found.append(GameReview(number, score, scored, game.starter, game.result, tuple(decisions), tuple(throws)))
        score = (score[0] + scored[0], score[1] + scored[1])
    names = record.players if isinstance(record, Match) else ("player 0", "player 1")
    points = record.points if isinstance(record, Match) else None
    in_match = isinstance(record, Match) and points is not None and table is not None
    result = _result(record, table) if isinstance(record, Match) and in_match else _points(found)
    money = isinstance(record, Match) and points is None
    return Review(record.rules, names, points, money, (score[0], score[1]), in_match, plies, tuple(found), result)


def _points(games: list[GameReview]) -> float:
    """What player 0 has won more than player 1."""
    return float(sum(game.scored[0] - game.scored[1] for game in games))


def _scored(game: Game) -> tuple[float, float]:
    """What player 0 and player 1 get for a game for itself."""
    result = game.result
    if result is None or result.winner is None:
        return 0, 0
    return (result.points, 0) if game.player(result.winner) == 0 else (0, result.points)


def _result(match: Match, table: MatchEquity | None) -> float:
    """The chance of player 0 to win the match as it stands now: 1 or 0 where it is over."""
    if match.winner is not None:
        return 1.0 - match.winner
    assert match.points is not None
    assert table is not None
    away = match.points - match.score[0], match.points - match.score[1]
    stakes = match.next_stakes
    post = stakes is not None and not stakes.is_crawford and min(away) == 1
    starter = match.next_starter
    return table.chance(*away, post_crawford=post, begins=None if starter is None else starter == 0)


def _throw(moment: Moment, thrown: Sequence[Thrown]) -> Throw:
    """How lucky a throw was: what it is worth, less the mean of all that could have been thrown."""
    setting, position = moment.setting, moment.position
    values = [setting.value(each.chances, position) for each in thrown]
    if moment.is_start:
        # The other could have had the first throw as well; where it is played that for the start is no double.
        ties = position.rules.first_dice == "rolloff"
        weights = [0 if ties and each.dice[0] == each.dice[1] else each.weight for each in thrown]
        others = [setting.value(turned(each.chances), position) for each in thrown]
        mean = (_mean(values, weights) + _mean(others, weights)) / 2
    else:
        mean = _mean(values, [each.weight for each in thrown])
    dice = tuple(sorted(moment.dice or (), reverse=True))
    value = next(value for value, each in zip(values, thrown, strict=True) if each.dice == dice)
    luck = setting.equity(value) - setting.equity(mean)
    return Throw(moment.game, moment.turn, moment.player, moment.side, (dice[0], dice[1]), luck, mean, value, setting.is_match)


def _mean(values: list[float], weights: list[int]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)


def _decision(moment: Moment, answer: Answer) -> Decision:
    if moment.kind == walk.PLAY:
        return _played(moment, answer)  # type: ignore[arg-type]
    return _cubed(moment, answer)  # type: ignore[arg-type]


def _played(moment: Moment, ranked: Sequence[Ranked]) -> Decision:
    assert moment.play is not None
    setting = moment.setting
    ordered = by_setting(ranked, setting)
    options = [Option(str(each.play), each.equity, each.loss, each.chances, each.play) for each in ordered]
    after = moment.play.afterstate
    chosen = next(at for at, each in enumerate(ordered) if each.play.afterstate == after)
    options[chosen] = options[chosen]._replace(text=str(moment.play), play=moment.play)
    forced = len(options) == 1
    return _told(moment, options, chosen, counted=not forced, forced=forced)


def _cubed(moment: Moment, chances: Chances) -> Decision:
    setting, position = moment.setting, moment.position
    if moment.kind == walk.BEAVERED:
        stays, goes = setting.value(chances, position, cube=setting.cube * 2, owner=1), setting.stake.worth(-setting.cube)
        options = [Option("take", setting.equity(stays), 0.0, chances), Option("pass", setting.equity(goes), 0.0, chances)]
        return _chosen(moment, options, counted=True)
    found = decide(setting, position, chances, beavers=moment.beavers)
    if moment.kind == walk.ANSWER:
        answers = {"take": found.double_take, "pass": found.double_pass, "beaver": found.double_beaver}
        options = [Option(text, -equity, 0.0, chances) for text, equity in answers.items() if equity is not None]
        return _chosen(moment, options, counted=True)
    options = [Option("no double", found.no_double, 0.0, chances), Option("double", found.doubled, 0.0, chances)]
    close = abs(found.loss_of_double()) < CLOSE or found.action == "double" or moment.action == "double"
    return _chosen(moment, options, counted=close and setting.stake.can_turn(0, setting.cube), cube=found)


def _chosen(moment: Moment, options: list[Option], *, counted: bool, cube: CubeDecision | None = None) -> Decision:
    """A decision with the options in order."""
    best = max(option.equity for option in options)
    ordered = sorted((option._replace(loss=best - option.equity) for option in options), key=lambda option: option.loss)
    chosen = next(at for at, option in enumerate(ordered) if option.text == moment.text)
    return _told(moment, ordered, chosen, counted=counted, cube=cube)


def _told(
    moment: Moment,
    options: list[Option],
    chosen: int,
    *,
    counted: bool,
    forced: bool = False,
    cube: CubeDecision | None = None,
) -> Decision:
    return Decision(
        moment.game,
        moment.turn,
        moment.player,
        moment.side,
        moment.kind,
        moment.position,
        moment.dice,
        moment.text,
        tuple(options),
        chosen,
        forced,
        counted,
        phase_of(moment.position, moment.turn),
        cube,
    )

"""A review as text: the totals of both players, and game by game the decisions that cost something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nardy_fast.analysis.phases import PHASES
from nardy_fast.analysis.reviewed import MARKS, Decision, GameReview, Reviewed
from nardy_fast.text.notation import COLOURS


def to_text(review: Reviewed, *, full: bool = False) -> str:
    """The text; with `full` every decision and the luck of every throw, not only those that cost something."""
    lines = [heading(review), "", *_table(totals(review)), ""]
    for game in review.games:
        lines += [*_game(review, game, full), ""]
    return "\n".join(lines).rstrip() + "\n"


def heading(review: Reviewed) -> str:
    """What was played, by whom, and how it stands."""
    aim = f"{review.points} point match" if review.points is not None else "Games for money" if review.is_money else "A game"
    score = " to ".join(map(points_text, review.score))
    return f"{aim} of {review.rules.name}: {review.players[0]} against {review.players[1]}, {score}"


def points_text(points: float) -> str:
    """Points, of which there may be halves."""
    return f"{points:g}"


def totals(review: Reviewed) -> list[tuple[str, str, str]]:
    """The rows of the table of totals: what it is, and the figures of both."""
    both = review.player(0), review.player(1)

    def row(name: str, figures: Iterable[str]) -> tuple[str, str, str]:
        first, second = figures
        return name, first, second

    rows = [
        ("", *review.players),
        row("decisions", (str(each.total.decisions) for each in both)),
        row("millipoints lost a decision", (f"{each.total.millipoints:.1f}" for each in both)),
        row("points lost in plays", (f"{each.plays.loss:.3f}" for each in both)),
    ]
    for phase in PHASES:
        if any(each.phases[phase].decisions for each in both):
            rows.append(row(f"millipoints a play, {phase}", (f"{each.phases[phase].millipoints:.1f}" for each in both)))
    if any(each.cube.decisions for each in both):
        rows.append(row("decisions on the cube", (str(each.cube.decisions) for each in both)))
        rows.append(row("points lost with the cube", (f"{each.cube.loss:.3f}" for each in both)))
    rows += [row(word, (str(each.marks[word]) for each in both)) for _, word in MARKS]
    rows.append(row("luck in points", (f"{each.luck:+.3f}" for each in both)))
    if review.is_match:
        rows.append(row("luck in the match", (f"{each.luck_value:+.1%}" for each in both)))
        rows.append(("chance to win the match", f"{review.result:.1%}", f"{1 - review.result:.1%}"))
        rows.append(("without the luck", f"{review.luck_adjusted:.1%}", f"{1 - review.luck_adjusted:.1%}"))
    else:
        rows.append(("points won", f"{review.result:+.2f}", f"{-review.result:+.2f}"))
        rows.append(("without the luck", f"{review.luck_adjusted:+.2f}", f"{-review.luck_adjusted:+.2f}"))
    return rows


def _table(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, first, second in rows:
        yield f"{name:{widths[0]}}  {first:>{widths[1]}}  {second:>{widths[2]}}"


def result_text(review: Reviewed, game: GameReview) -> str:
    """How a game ended."""
    result = game.result
    if result is None:
        return "unfinished"
    if result.winner is None:
        return result.kind
    player = 0 if game.scored[0] > game.scored[1] else 1
    return f"{review.players[player]} wins {result.points} point{'s' if result.points != 1 else ''} ({result.kind})"


def _game(review: Reviewed, game: GameReview, full: bool) -> Iterator[str]:
    score = "-".join(map(points_text, game.score))
    yield f"Game {game.number + 1}, at {score}: {result_text(review, game)}"
    luck = {(throw.turn, throw.player): throw for throw in game.throws}
    for decision in game.decisions:
        if not (full or (decision.counted and decision.mark)):
            continue
        said = what(decision)
        thrown = luck.get((decision.turn, decision.player)) if decision.kind == "play" else None
        tail = f"  luck {thrown.luck:+.3f}" if full and thrown is not None else ""
        yield f"  {decision.turn + 1:3}. {review.players[decision.player]} ({COLOURS[decision.side]}) {said}{tail}"


def what(decision: Decision) -> str:
    """What was done, and what it cost."""
    dice = "" if decision.dice is None else "-".join(map(str, decision.dice)) + ": "
    said = f"{dice}{decision.text}"
    if decision.forced:
        return f"{said}, forced"
    if decision.loss < 0.0005:
        return said
    mark = f"{decision.mark}, " if decision.mark else ""
    return f"{said}, {mark}{-decision.loss:+.3f}; best {decision.best.text}"

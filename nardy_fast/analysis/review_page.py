"""A review as one page of HTML that needs nothing else: no network, no other files.

The boards are drawn by `Position.svg`. What those of a match have in common is most of them, so the page holds each piece once
and every board as the numbers of its pieces.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from nardy_fast.analysis.review_text import heading, points_text, result_text, totals
from nardy_fast.analysis.reviewed import Decision, Reviewed, Throw
from nardy_fast.text.notation import COLOURS

_PAGE = Path(__file__).with_name("page.html")
_PIECES = re.compile(r"<[^>]+>[^<]*")
_TITLE = re.compile(r"<title>[^<]*</title>")
#: Options that are listed for a decision, besides the one chosen.
_OPTIONS = 5
#: The size of the curve in its own units, and the points that it is cut at where values are points.
_WIDTH, _HEIGHT, _MOST_POINTS = 1000, 220, 3.0


class _Boards:
    """Drawings as numbers of their pieces."""

    def __init__(self) -> None:
        self.pieces: dict[str, int] = {}

    def add(self, svg: str) -> list[int]:
        pieces = _PIECES.findall(_TITLE.sub("", svg))
        return [self.pieces.setdefault(piece, len(self.pieces)) for piece in pieces]


def to_html(review: Reviewed, *, numbering: str = "federation") -> str:
    """The page."""
    boards = _Boards()
    steps: list[dict[str, Any]] = []
    numbers: dict[int, int] = {}
    games = []
    for game in review.games:
        throws = {(throw.turn, throw.player): throw for throw in game.throws}
        first = len(steps)
        value = game.throws[0].of_first(game.throws[0].before) if game.throws else 0.0
        for decision in game.decisions:
            throw = throws.get((decision.turn, decision.player))
            if throw is not None and decision.kind == "play":
                value = throw.of_first(throw.before)
            if decision.kind == "double" and not decision.counted and decision.text == "no double":
                continue
            numbers[id(decision)] = len(steps)
            steps.append(_step(review, decision, throw, value, boards, numbering))
        score = "-".join(map(points_text, game.score))
        games.append({"name": f"Game {game.number + 1}, at {score}", "result": result_text(review, game), "first": first})
    worst = [(decision, numbers[id(decision)]) for decision in review.worst()]
    data = {"pieces": list(boards.pieces), "steps": steps, "games": games, "players": review.players}
    parts = {
        "title": html.escape(heading(review)),
        "totals": _totals(review),
        "worst": "\n".join(_worst(review, decision, number) for decision, number in worst) or "<li>none</li>",
        "curve": _curve(review, steps, [number for _, number in worst]),
        "values": "chance of {} to win the match" if review.is_match else "points that {} can expect",
        "first": html.escape(review.players[0]),
        # Nothing in the data may end the element that it stands in.
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    parts["values"] = parts["values"].format(parts["first"])
    page = _PAGE.read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], page)


def _step(
    review: Reviewed, decision: Decision, throw: Throw | None, value: float, boards: _Boards, numbering: str
) -> dict[str, Any]:
    """One decision as the page shows it."""
    position = decision.position
    dice = decision.dice if position.pending is None else None
    chosen, best = decision.options[decision.chosen], decision.best
    step: dict[str, Any] = {
        "game": decision.game,
        "turn": decision.turn + 1,
        "player": decision.player,
        "side": COLOURS[decision.side],
        "kind": decision.kind,
        "dice": "" if decision.dice is None else "-".join(map(str, decision.dice)),
        "text": decision.text,
        "mark": decision.mark if decision.counted else "",
        "forced": decision.forced,
        "loss": round(decision.loss, 3),
        "value": round(value, 4),
        "position": position.notation(numbering),
        "board": boards.add(position.svg(chosen.play, dice, numbering=numbering)),
        "options": [
            [each.text, round(each.equity, 3), round(each.loss, 3), round(100 * each.chances.win, 1), at == decision.chosen]
            for at, each in enumerate(decision.options)
            if at < _OPTIONS or at == decision.chosen
        ],
    }
    if best.play is not None and decision.chosen:
        step["best"] = boards.add(position.svg(best.play, dice, numbering=numbering))
    if throw is not None and decision.kind == "play":
        step["luck"] = round(throw.luck, 3)
    return step


def _totals(review: Reviewed) -> str:
    rows = totals(review)
    head, *body = [[html.escape(cell) for cell in row] for row in rows]
    lines = ["<tr>" + "".join(f'<th scope="col">{cell}</th>' for cell in head) + "</tr>"]
    lines += [f'<tr><th scope="row">{name}</th><td>{first}</td><td>{second}</td></tr>' for name, first, second in body]
    return "\n".join(lines)


def _worst(review: Reviewed, decision: Decision, number: int) -> str:
    """One of the worst decisions, which leads to its board."""
    who = f"{review.players[decision.player]}, game {decision.game + 1}"
    dice = "" if decision.dice is None else "-".join(map(str, decision.dice)) + " "
    said = html.escape(f"{dice}{decision.text}, better {decision.best.text}")
    loss = f"<b>−{decision.loss:.3f}</b>"
    return f'<li><button data-step="{number}">{loss} {said} <small>{html.escape(who)}</small></button></li>'


def _curve(review: Reviewed, steps: list[dict[str, Any]], worst: list[int]) -> str:
    """The values of player 0 as a line, with a mark at each of the worst decisions."""
    high, low = (1.0, 0.0) if review.is_match else (_MOST_POINTS, -_MOST_POINTS)

    def place(number: int) -> tuple[str, str]:
        value = min(max(steps[number]["value"], low), high)
        x = (number + 0.5) * _WIDTH / len(steps)
        return f"{x:.1f}", f"{_HEIGHT * (high - value) / (high - low):.1f}"

    parts = [f'<line class="even" x1="0" x2="{_WIDTH}" y1="{_HEIGHT / 2:g}" y2="{_HEIGHT / 2:g}"/>']
    begins = [at for at, step in enumerate(steps) if at == 0 or step["game"] != steps[at - 1]["game"]]
    for begin, end in zip(begins, [*begins[1:], len(steps)], strict=True):
        parts.append('<polyline points="' + " ".join(",".join(place(at)) for at in range(begin, end)) + '"/>')
        if begin:
            x = f"{begin * _WIDTH / len(steps):.1f}"
            parts.append(f'<line class="game" x1="{x}" x2="{x}" y1="0" y2="{_HEIGHT}"/>')
    # A line of no length is a dot that stays round however the curve is stretched.
    parts += ['<path d="M{} {}h0"/>'.format(*place(at)) for at in worst]
    return "".join(parts)

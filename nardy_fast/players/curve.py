"""The curve of a training: what it scored at its checkpoints, drawn as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from nardy_fast.players.training import Checkpoint

_WIDTH, _HEIGHT, _MARGIN = 640, 360, 48
_COLOURS = {"random": "#888888", "greedy": "#b03030"}


def curve(checkpoints: Sequence[Checkpoint]) -> str:
    """Points a game against `Random` and `Greedy`, over the games trained. Raises `ValueError` for no checkpoints."""
    if not checkpoints:
        raise ValueError("checkpoints: expected one or more")
    lines = {name: [getattr(checkpoint, name).points for checkpoint in checkpoints] for name in _COLOURS}
    low = min(0.0, *(min(points) for points in lines.values()))
    high = max(1.0, *(max(points) for points in lines.values()))
    most = max(checkpoint.games for checkpoint in checkpoints) or 1

    def across(games: int) -> float:
        return _MARGIN + (_WIDTH - 2 * _MARGIN) * games / most

    def down(points: float) -> float:
        return float(_HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (points - low) / (high - low))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for tick in sorted({low, 0.0, high}):
        parts.append(f'<path d="M{_MARGIN} {down(tick):.1f}H{_WIDTH - _MARGIN}" stroke="#dddddd"/>')
        parts.append(f'<text x="{_MARGIN - 6}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:+.2f}</text>')
    for number, (name, colour) in enumerate(_COLOURS.items()):
        points = " ".join(f"{across(c.games):.1f},{down(p):.1f}" for c, p in zip(checkpoints, lines[name], strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{_MARGIN + 130 * number}" y="20" fill="{colour}">against {name}: {lines[name][-1]:+.2f}</text>')
    parts.append(f'<text x="{_WIDTH - _MARGIN}" y="{_HEIGHT - 16}" text-anchor="end">{most:,} games</text>')
    return "\n".join([*parts, "</svg>", ""])

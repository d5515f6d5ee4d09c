"""Boards as text and as drawings: what stands where, in both, seen from White whoever is to move."""

from __future__ import annotations

import random
import re
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from strategies import random_games, random_roll
from usual_rulesets import USUAL_RULESETS

from nardy_fast.text import pictures

SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("white", "black")
RADIUS = 20  # half of a checker's room

# Text

LONG_START = """\
 Black ●  pips 360  off  0
  13  14  15  16  17  18   19  20  21  22  23  24
┌────────────────────────┬────────────────────────┐
│                        │                      ○ │
│                        │                      ○ │
│                        │                      ○ │
│                        │                      ○ │
│                        │                     15 │
│                        │                        │
│ 15                     │                        │
│  ●                     │                        │
│  ●                     │                        │
│  ●                     │                        │
│  ●                     │                        │
└────────────────────────┴────────────────────────┘
  12  11  10   9   8   7    6   5   4   3   2   1
 White ○  pips 360  off  0  to move 6-5"""

LONG_ENDING = """\
 Black ●  pips  19  off  9  to move
  13  14  15  16  17  18   19  20  21  22  23  24
┌────────────────────────┬────────────────────────┐
│  ●           ●       ● │                        │
│  ●                   ● │                        │
│  ●                     │                        │
│                        │                        │
│                        │                        │
│                        │                        │
│                        │  6                     │
│                        │  ○                     │
│                        │  ○                   ○ │
│                        │  ○                   ○ │
│                        │  ○   ○       ○       ○ │
└────────────────────────┴────────────────────────┘
  12  11  10   9   8   7    6   5   4   3   2   1
 White ○  pips  47  off  4"""

SHORT_START = """\
 Black ●  pips 167  off  0
  13  14  15  16  17  18       19  20  21  22  23  24   White's
┌────────────────────────┬───┬────────────────────────┐
│  ○               ●     │   │  ●                   ○ │
│  ○               ●     │   │  ●                   ○ │
│  ○               ●     │   │  ●                     │
│  ○                     │   │  ●                     │
│  ○                     │   │  ●                     │
│                        │BAR│                        │
│  ●                     │   │  ○                     │
│  ●                     │   │  ○                     │
│  ●               ○     │   │  ○                     │
│  ●               ○     │   │  ○                   ● │
│  ●               ○     │   │  ○                   ● │
└────────────────────────┴───┴────────────────────────┘
  12  11  10   9   8   7        6   5   4   3   2   1   White's
 White ○  pips 167  off  0  to move"""

SHORT_BARS = """\
 Black ●  pips 258  off  0  to move 4-4
  12  11  10   9   8   7        6   5   4   3   2   1   Black's
  13  14  15  16  17  18       19  20  21  22  23  24   White's
┌────────────────────────┬───┬────────────────────────┐
│  ○                     │   │  ●                     │
│  ○                     │   │  ●                     │
│  ○                     │   │  ●                     │
│  ○                     │ ○ │                        │
│                        │ ○ │                        │
│                        │BAR│                        │
│  ●                     │ ● │                        │
│  ●                     │ ● │                        │
│  ●               ○     │ ● │                        │
│  ●               ○     │ ● │                        │
│  ●               ○     │ 7 │      ○                 │
└────────────────────────┴───┴────────────────────────┘
  12  11  10   9   8   7        6   5   4   3   2   1   White's
  13  14  15  16  17  18       19  20  21  22  23  24   Black's
 White ○  pips 131  off  5"""

HYPER_WON = """\
 Black ●  pips   5  off  1
  12  11  10   9   8   7        6   5   4   3   2   1   Black's
  13  14  15  16  17  18       19  20  21  22  23  24   White's
┌────────────────────────┬───┬────────────────────────┐
│                        │   │              ●   ●     │
│                        │   │                        │
│                        │   │                        │
│                        │   │                        │
│                        │   │                        │
│                        │BAR│                        │
│                        │   │                        │
│                        │   │                        │
│                        │   │                        │
│                        │   │                        │
│                        │   │                        │
└────────────────────────┴───┴────────────────────────┘
  12  11  10   9   8   7        6   5   4   3   2   1   White's
  13  14  15  16  17  18       19  20  21  22  23  24   Black's
 White ○  pips   0  off  3  has won"""

BOARDS = [
    ("24:15 12:15 w", "long", (5, 6), LONG_START),
    ("6:6,5:1,3:1,1:3 18:2,16:1,13:3 b", "long", None, LONG_ENDING),
    ("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short", None, SHORT_START),
    ("bar:2,13:4,8:3,5:1 bar:7,13:5,6:3 b", "short", (4, 4), SHORT_BARS),
    ("- 3:1,2:1 b", "hypergammon", None, HYPER_WON),
]


@pytest.mark.parametrize(("position", "rules", "dice", "expected"), BOARDS)
def test_a_board_is_drawn_as_text(impl: ModuleType, position: str, rules: str, dice: Any, expected: str) -> None:
    pos = impl.Position.parse(position, rules)
    assert pictures.text(pos, dice) == expected
    assert pos.text(dice) == expected


@pytest.mark.parametrize("rules", sorted(USUAL_RULESETS))
def test_text_fits_a_terminal_and_shows_every_checker(impl: ModuleType, rules: str) -> None:
    for position, roll, _ in random_games(impl.Position, USUAL_RULESETS[rules], 100, seed=80):
        lines = position.text(roll).split("\n")
        assert max(map(len, lines)) <= 64
        board = "\n".join(line for line in lines if line.startswith("│"))
        shown = [board.count(mark) for mark in "○●"]
        # Who stands on a counted place is told by the checkers under it.
        for row, line in enumerate(lines):
            for match in re.finditer(r"\d+", line if line.startswith("│") else ""):
                column = match.end() - 1
                neighbour = lines[row - 1][column] if lines[row - 1][column] in "○●" else lines[row + 1][column]
                shown["○●".index(neighbour)] += int(match[0]) - 4
        white, black = position.board[[position.turn, 1 - position.turn], :25].sum(axis=1)
        assert shown == [white, black]


def test_a_last_roll_that_clears_too_is_a_draw(impl: ModuleType) -> None:
    drawn = impl.Position([[0] * 25 + [15]] * 2, 0, "federation").text().split("\n")
    assert drawn[0] == " Black ●  pips   0  off 15  draw"
    assert drawn[-1] == " White ○  pips   0  off 15  draw"


def test_bad_dice_are_refused(impl: ModuleType) -> None:
    position = impl.Position.start()
    for draw in (position.text, lambda dice: position.svg(dice=dice)):
        with pytest.raises(ValueError, match=r"a die shows 1\.\.6"):
            draw((7, 1))
        with pytest.raises(TypeError, match="expected two integers"):
            draw("6-5")


# Drawings


class Drawing:
    """What can be read back from an SVG drawing."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)
        assert self.root.tag == SVG + "svg"
        self.width, self.height = float(self.root.attrib["width"]), float(self.root.attrib["height"])

    def group(self, name: str) -> ElementTree.Element | None:
        return next((group for group in self.root.iter(SVG + "g") if group.get("class") == name), None)

    def places(self, side: str) -> list[tuple[float, float]]:
        """The middles of a side's checkers, those borne off left out."""
        group = self.group(side)
        assert group is not None
        return [(float(checker.attrib["cx"]), float(checker.attrib["cy"])) for checker in group.iter(SVG + "circle")]

    def slabs(self, side: str) -> list[tuple[float, float]]:
        """The middles of a side's borne-off checkers."""
        group = self.group(side)
        assert group is not None
        number = [{key: float(slab.attrib[key]) for key in ("x", "y", "width", "height")} for slab in group.iter(SVG + "rect")]
        return [(slab["x"] + slab["width"] / 2, slab["y"] + slab["height"] / 2) for slab in number]

    def words(self, name: str) -> list[str]:
        group = self.group(name)
        return [] if group is None else [str(text.text) for text in group.iter(SVG + "text")]

    def points(self, side: str) -> dict[str, tuple[float, bool]]:
        """Where a side's printed points are by their labels: how far right, and whether on the upper edge."""
        found = {}
        for group in self.root.iter(SVG + "g"):
            if group.get("class") == f"points {side}":
                for label in group.iter(SVG + "text"):
                    if str(label.text).isdigit():
                        found[str(label.text)] = float(label.attrib["x"]), float(label.attrib["y"]) < self.height / 2
        return found

    def arrows(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """Where each arrow starts and ends. Each is drawn twice, the first time as a halo."""
        group = self.group("arrows")
        paths = [] if group is None else list(group.iter(SVG + "path"))
        halos, shafts = paths[::2], paths[1::2]
        assert [path.attrib["d"] for path in halos] == [path.attrib["d"] for path in shafts]
        ends = []
        for path in shafts:
            number = [float(text) for text in re.findall(r"-?[\d.]+", path.attrib["d"])]
            ends.append(((number[0], number[1]), (number[4], number[5])))
        return ends


def near(here: tuple[float, float], there: tuple[float, float], distance: float = RADIUS) -> bool:
    return (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2 < distance**2


@pytest.mark.parametrize("rules", sorted(USUAL_RULESETS))
def test_every_checker_is_drawn_on_its_point(impl: ModuleType, rules: str) -> None:
    for position, _, _ in random_games(impl.Position, USUAL_RULESETS[rules], 60, seed=7):
        drawing = Drawing(position.svg())
        rows = position.board[[position.turn, 1 - position.turn]].tolist()
        for side, row in zip(SIDES, rows, strict=True):
            # Five at most of a stack, and the count on it where there are more.
            assert len(drawing.places(side)) == sum(min(count, 5) for count in row[:25])
            assert len(drawing.slabs(side)) == row[25]
            assert sorted(drawing.words(side)) == sorted(str(count) for count in row[:25] if count > 5)
            white_points = drawing.points("white")
            assert len(white_points) == 24
            for printed, (x, upper) in white_points.items():
                slot = 25 - int(printed)
                if side == "black":
                    slot = int(printed) if position.rules.road == "contrary" else (slot + 11) % 24 + 1
                here = [y for at, y in drawing.places(side) if at == x and (y < drawing.height / 2) == upper]
                assert len(here) == min(row[slot], 5), (str(position), printed)


def test_all_that_is_drawn_lies_inside(impl: ModuleType) -> None:
    for rules in ("long", "short", "acey_deucey"):
        for position, roll, plays in random_games(impl.Position, USUAL_RULESETS[rules], 100, seed=9):
            drawing = Drawing(position.svg(play=plays[-1], dice=roll))
            for side in SIDES:
                for x, y in drawing.places(side) + drawing.slabs(side):
                    assert RADIUS < x < drawing.width - RADIUS
                    assert RADIUS < y < drawing.height - RADIUS
            for ends in drawing.arrows():
                for x, y in ends:
                    assert 0 < x < drawing.width
                    assert 0 < y < drawing.height


def test_points_are_numbered_as_printed(impl: ModuleType) -> None:
    for pos in (impl.Position.start("long"), impl.Position.start("long", 1), impl.Position.start("short")):
        drawing = Drawing(pos.svg())
        points = drawing.points("white")
        across = sorted(points, key=lambda printed: points[printed][0])
        assert [printed for printed in across if points[printed][1]] == [str(n) for n in range(13, 25)]
        assert [printed for printed in across if not points[printed][1]] == [str(n) for n in range(12, 0, -1)]
        assert drawing.points("black") == {}


def test_blacks_own_numbers_stand_beside_whites_where_he_moves_on_contrary_roads(impl: ModuleType) -> None:
    drawing = Drawing(impl.Position.start("short", 1).svg())
    white, black = drawing.points("white"), drawing.points("black")
    assert {printed: white[str(25 - int(printed))] for printed in black} == black
    assert len(black) == 24


def test_a_head_of_fifteen_is_five_checkers_and_the_count(impl: ModuleType) -> None:
    drawing = Drawing(impl.Position.start("long").svg())
    for side in SIDES:
        assert len(drawing.places(side)) == 5
        assert drawing.words(side) == ["15"]
        assert drawing.slabs(side) == []


def test_both_sides_may_wait_on_the_bar_with_all_their_checkers(impl: ModuleType) -> None:
    drawing = Drawing(impl.Position.start("acey_deucey").svg())
    white, black = drawing.places("white"), drawing.places("black")
    assert len({x for x, _ in white + black}) == 1
    assert max(y for _, y in white) < drawing.height / 2 < min(y for _, y in black)
    assert drawing.words("white") == drawing.words("black") == ["15"]


def test_checkers_borne_off_lie_beside_their_home(impl: ModuleType) -> None:
    long = Drawing(impl.Position.parse("6:5,1:3 18:4 b").svg())
    white, black = long.slabs("white"), long.slabs("black")
    assert (len(white), len(black)) == (7, 11)
    assert all(x > long.points("white")["1"][0] and y > long.height / 2 for x, y in white)
    assert all(x < long.points("white")["13"][0] and y < long.height / 2 for x, y in black)
    short = Drawing(impl.Position.parse("6:5,1:3 6:4 w", "short").svg())
    assert all(x > short.points("white")["24"][0] and y < short.height / 2 for x, y in short.slabs("black"))


def test_the_players_are_told_of(impl: ModuleType) -> None:
    drawing = Drawing(impl.Position.parse("bar:1,6:5,1:3 6:4 b", "short").svg())
    assert drawing.words("player white") == ["White: pips 58, off 6"]
    assert drawing.words("player black") == ["Black: pips 24, off 11", "to move"]
    won = Drawing(impl.Position.parse("- 18:4 b").svg())
    assert won.words("player white") == ["White: pips 0, off 15", "has won"]
    assert won.words("player black") == ["Black: pips 24, off 11"]


def test_dice_are_the_movers_and_show_their_spots(impl: ModuleType) -> None:
    for turn in (0, 1):
        position = impl.Position.start("long", turn)
        assert Drawing(position.svg()).group("dice") is None
        drawing = Drawing(position.svg(dice=(2, 5)))
        dice, spots, checkers = drawing.group("dice"), drawing.group("spots"), drawing.group(SIDES[turn])
        assert dice is not None
        assert spots is not None
        assert checkers is not None
        assert len(list(dice.iter(SVG + "rect"))) == 2
        assert len(list(spots.iter(SVG + "circle"))) == 7
        assert dice.attrib["fill"] == checkers.attrib["fill"]
        assert position.svg(dice=(2, 5)) == position.svg(dice=(5, 2))


# Arrows


@pytest.mark.parametrize("rules", ["long", "short", "hypergammon", "fevga"])
def test_arrows_lead_from_point_to_point(impl: ModuleType, rules: str) -> None:
    rng = random.Random(21)
    for position, _, _ in random_games(impl.Position, USUAL_RULESETS[rules], 120, seed=21):
        roll = random_roll(rng)
        play = rng.choice(position.plays(roll))
        drawing = Drawing(position.svg(play=play))
        labels = drawing.points(SIDES[position.turn] if position.rules.road == "contrary" else "white")
        moves = list(dict.fromkeys(step[:2] for step in play.steps))
        assert len(drawing.arrows()) == len(moves)
        counts = [sum(step[:2] == move for step in play.steps) for move in moves]
        assert drawing.words("arrows") == [f"×{count}" for count in counts if count > 1]
        for move, (tail, tip) in zip(moves, drawing.arrows(), strict=True):
            for slot, (x, y), room in zip(move, (tail, tip), (RADIUS, 0.1), strict=True):
                if slot in (0, 25):
                    assert not any(abs(x - label) < RADIUS for label, _ in labels.values())
                    continue
                printed = 25 - slot if position.rules.road == "contrary" or position.turn == 0 else (13 - slot) % 24 or 24
                label, upper = labels[str(printed)]
                assert abs(x - label) < room
                assert (y < drawing.height / 2) == upper


def test_an_arrow_starts_at_the_top_checker_and_ends_where_it_will_stand(impl: ModuleType) -> None:
    position = impl.Position.parse("24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", "short")
    drawing = Drawing(position.svg(play=impl.Play(position, (3, 1), [(17, 20, 3), (19, 20, 1)])))
    points, bottom = drawing.points("white"), max(y for _, y in drawing.places("white"))
    (tail, tip), (second_tail, second_tip) = drawing.arrows()
    assert near(tail, (points["8"][0], bottom - 2 * 2 * RADIUS))  # the third of three
    assert near(second_tail, (points["6"][0], bottom - 4 * 2 * RADIUS))  # the fifth of five
    # The point is empty: the first comes to its edge, and the second stands on the first.
    assert tip == (points["5"][0], bottom)
    assert second_tip == (points["5"][0], bottom - 2 * RADIUS)


def test_four_equal_moves_share_an_arrow_and_a_run_has_one_for_each_step(impl: ModuleType) -> None:
    position = impl.Position.parse("13:6,6:9 24:2,23:4,21:9 w", "short")
    together = Drawing(position.svg(play=impl.Play(position, (5, 5), [(12, 17, 5)] * 4)))
    assert len(together.arrows()) == 1
    assert together.words("arrows") == ["×4"]
    start = impl.Position.start("long")
    run = Drawing(start.svg(play=impl.Play(start, (1, 1), [(1, 2, 1), (2, 3, 1), (3, 4, 1), (4, 5, 1)])))
    assert len(run.arrows()) == 4
    assert run.words("arrows") == []
    for (_, tip), (tail, _) in zip(run.arrows(), run.arrows()[1:], strict=False):
        assert tip == tail  # each step goes on from where the last one ended


def test_bearing_off_leads_to_the_tray_and_entering_from_the_bar(impl: ModuleType) -> None:
    off = impl.Position.parse("6:2,5:2 18:1 w")
    drawing = Drawing(off.svg(play=impl.Play(off, (6, 5), [(19, 25, 6), (20, 25, 5)])))
    for _, tip in drawing.arrows():
        assert tip[0] == drawing.slabs("white")[0][0]
        assert drawing.height / 2 < tip[1] < min(y for _, y in drawing.slabs("white"))
    entering = impl.Position.parse("24:2,13:5 bar:1,13:5 b", "short")
    play = next(play for play in entering.plays((6, 2)) if play.steps[0][0] == 0)
    drawing = Drawing(entering.svg(play=play))
    (bar,) = [place for place in drawing.places("black") if near(place, drawing.arrows()[0][0])]
    assert drawing.points("white")["7"][0] < bar[0] < drawing.points("white")["6"][0]


def test_an_arrow_that_hits_ends_on_the_blot(impl: ModuleType) -> None:
    position = impl.Position.parse("8:3,6:5 20:1,13:5 w", "short")
    drawing = Drawing(position.svg(play=impl.Play(position, (3, 1), [(17, 20, 3), (19, 20, 1)])))
    assert drawing.arrows()[0][1] in drawing.places("black")


def test_a_pass_has_no_arrows_but_its_dice(impl: ModuleType) -> None:
    position = impl.Position.parse("bar:1,6:9 6:3,5:3,4:3,3:2,2:2,1:2 w", "short")
    (passed,) = position.plays((6, 5))
    drawing = Drawing(position.svg(play=passed))
    assert drawing.arrows() == []
    assert drawing.group("dice") is not None


def test_a_play_must_be_of_this_position_and_of_these_dice(impl: ModuleType) -> None:
    start = impl.Position.start("long")
    play = start.plays((6, 5))[0]
    with pytest.raises(ValueError, match=r"play = .*: a play of another position"):
        play.afterstate.svg(play=play)
    with pytest.raises(ValueError, match=r"dice = \(6, 4\): the play is of 6-5"):
        start.svg(play=play, dice=(6, 4))
    assert start.svg(play=play, dice=(5, 6)) == start.svg(play=play)


# The file


def test_both_implementations_draw_the_same_and_small(native: ModuleType, reference: ModuleType) -> None:
    for rules in ("long", "short"):
        games = [random_games(twin.Position, USUAL_RULESETS[rules], 60, seed=3) for twin in (native, reference)]
        for (one, roll, plays), (other, _, others) in zip(*games, strict=True):
            assert one.text(roll) == other.text(roll)
            drawn = one.svg(play=plays[0])
            assert drawn == other.svg(play=others[0]) == one.svg(play=plays[0])
            assert len(drawn) < 10_000


def test_a_notebook_shows_the_drawing(impl: ModuleType) -> None:
    position = impl.Position.start("short", 1)
    assert position._repr_svg_() == position.svg() == pictures.svg(position)


def test_the_title_says_the_position_the_dice_and_the_play(impl: ModuleType) -> None:
    start = impl.Position.start("long")
    play = impl.Play(start, (6, 5), [(1, 7, 6), (7, 12, 5)])
    for drawn, said in (
        (start.svg(), "24:15 12:15 w"),
        (start.svg(dice=(5, 6)), "24:15 12:15 w 6-5"),
        (start.svg(play=play), f"24:15 12:15 w 6-5 {play}"),
    ):
        assert ElementTree.fromstring(drawn).findtext(SVG + "title") == said

"""Backgammon against programs from outside: both implementations must reach the very boards that the referees reach.

OpenSpiel, bgsage and GNU Backgammon's generator judge positions of random games; OpenSpiel cannot be set to a position, so the
hand-made and the made boards are for the other two. One fault of a referee is known; it is shown and then set aside by name.
"""

from __future__ import annotations

import random
from types import ModuleType

import pytest
import referees
from referees import Board, Roll
from strategies import random_roll

from nardy_fast.rules import ROLLS

pytestmark = pytest.mark.referee

ALL_ROLLS: list[Roll] = [roll for roll, _ in ROLLS]
CLEARED = (*[0] * 25, 15)

#: name: (position, a roll, how many steps it is played with). The referees are asked of this roll and of all the others.
CORNERS = {
    "one on the bar, both dice can be played": ("bar:1,13:5,8:3,6:5,3:1 24:2,13:5,8:3,6:5 w", (4, 2), 2),
    "one on the bar, no way in": ("bar:1,13:5,8:3,6:5,3:1 24:2,13:5,8:3,6:5 w", (6, 6), 0),
    "one on the bar enters with the smaller die only": ("bar:1,13:6,8:3,6:5 24:1,6:6,5:3,4:3,1:2 w", (6, 2), 2),
    "one on the bar enters and hits, both ways": ("bar:1,13:6,8:3,6:5 24:2,13:5,6:4,4:1,3:1,2:2 w", (4, 3), 2),
    "two on the bar, both enter": ("bar:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", (4, 3), 2),
    "two on the bar, one enters and the other die is lost": ("bar:2,13:5,8:3,6:5 24:2,13:4,8:3,6:3,4:3 w", (4, 3), 1),
    "two on the bar and a double": ("bar:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w", (3, 3), 4),
    "three on the bar and a double leave one step": ("bar:3,13:4,8:3,6:5 24:2,13:5,8:3,6:5 w", (2, 2), 4),
    "three on the bar, a mixed roll": ("bar:3,13:4,8:3,6:5 24:2,13:5,8:3,6:5 w", (5, 1), 2),
    "five on the bar and a double": ("bar:5,13:3,6:7 24:2,13:5,8:3,6:5 w", (4, 4), 4),
    "all on the bar": ("bar:15 24:2,13:5,8:3,6:5 w", (5, 4), 2),
    "both sides on the bar": ("bar:2,13:5,8:3,6:5 bar:3,13:4,8:3,6:5 w", (6, 5), 1),
    "a blot hit twice over from the bar": ("bar:1,20:2,13:5,6:7 24:2,13:5,8:3,6:3,3:1,2:1 w", (3, 2), 2),
    "a closed board": ("bar:1,13:5,6:9 6:3,5:3,4:3,3:2,2:2,1:2 w", (6, 5), 0),
    "a closed board against two on the bar": ("bar:2,13:4,6:9 6:3,5:3,4:3,3:2,2:2,1:2 w", (3, 3), 0),
    "one door in a board that is nearly closed": ("bar:1,13:5,6:9 6:3,5:3,4:3,3:3,2:3 w", (6, 1), 2),
    "a prime of six that nothing crosses": ("24:2,6:7,5:6 7:3,6:3,5:3,4:2,3:2,2:2 w", (6, 1), 1),
    "both homes closed": ("bar:3,6:2,5:2,4:2,3:2,2:2,1:2 bar:3,6:2,5:2,4:2,3:2,2:2,1:2 w", (6, 6), 0),
    "a double of which one step can be played": ("13:1,2:3,1:2 18:2,13:4 w", (3, 3), 1),
    "a double of which two steps can be played": ("13:1,8:1 23:2,18:2 w", (3, 3), 2),
    "a double of which three steps can be played": ("24:1,8:1 16:2 w", (5, 5), 3),
    "a double, each of two checkers stopped somewhere": ("24:1,23:1 16:2,12:2 w", (5, 5), 3),
    "either die but not both, so the larger": ("10:1 24:2 w", (6, 3), 1),
    "either die from the bar but not both, so the larger": ("bar:1,6:7,5:7 24:2,11:2 w", (6, 5), 1),
    "the smaller die only": ("10:1 24:2,21:2 w", (6, 3), 1),
    "both dice only with the right first checker": ("13:1,8:1 24:2,21:2,16:2 w", (4, 3), 2),
    "both dice only in one order": ("11:1 19:2 w", (5, 3), 2),
    "a hit on the way, or not": ("13:1 15:1 w", (3, 1), 2),
    "four blots hit in a turn": ("24:2,6:5 3:1,5:1,7:1,9:1,13:4 w", (2, 2), 4),
    "bearing off waits for a checker on the bar": ("bar:1,3:5,2:5,1:4 20:1,6:2,5:2 w", (4, 3), 2),
    "bearing off is shut out by a closed board": ("bar:1,3:2,2:2 6:2,5:2,4:2,3:2,2:2,1:2 w", (6, 5), 0),
    "the checker from the bar comes home within a double": ("bar:1,4:2 13:5,2:2 w", (6, 6), 4),
    "the last one comes home and bearing off begins": ("8:1,2:1 1:1 w", (6, 2), 2),
    "not all home, so nothing is borne off": ("13:1,6:5,5:5 24:1,8:2 w", (6, 5), 2),
    "larger dice take from the farthest point": ("5:1,4:1 1:1 w", (6, 4), 2),
    "an inside step instead of bearing off": ("5:1,2:1 1:1 w", (4, 2), 2),
    "a farther checker that is stopped keeps the others on": ("6:1,3:2 24:2,21:2 w", (5, 2), 0),
    "an opponent in the home stands in the way": ("6:2,5:2,4:2 22:2,24:2,13:3 w", (3, 1), 2),
    "a hit while bearing off": ("6:2,2:2 24:1,13:1 w", (5, 1), 2),
    "the last checker, and a die is left over": ("3:1 13:2 w", (6, 5), 1),
    "the last checkers by a double": ("3:2,2:2 13:2 w", (3, 3), 4),
}


@pytest.fixture(scope="module")
def bgsage() -> referees.Bgsage:
    return referees.Bgsage()


@pytest.fixture(scope="module")
def gnubg_nn() -> referees.GnubgNN:
    return referees.GnubgNN()


def played(impl: ModuleType, board: Board, roll: Roll) -> set[Board]:
    """The boards after each play, the player who moved first."""
    plays = impl.Position(board, 0, "short").plays(roll)
    found = {tuple(map(tuple, play.afterstate.board[::-1].tolist())) for play in plays}
    assert len(found) == len(plays) >= 1
    return found


def without_known_fault(afterstates: set[Board], ours: set[Board], board: Board, roll: Roll) -> set[Board]:
    """bgsage's afterstates, less the one that wastes a die: see the test that shows it."""
    mover, opponent = board
    if sum(mover[:25]) == 1 and roll[0] != roll[1] and len(ours) == 1:
        (only,) = ours
        if only[0] == CLEARED and only[1] != opponent:
            return afterstates - {(CLEARED, opponent)}
    return afterstates


# Random games


@pytest.fixture(scope="module")
def judged_games(bgsage: referees.Bgsage, gnubg_nn: referees.GnubgNN) -> list[tuple[Board, Roll, frozenset[Board]]]:
    """20,000 boards and rolls of random games that OpenSpiel plays, with the afterstates on which the three referees agree."""
    openspiel = referees.OpenSpiel()
    rng = random.Random(2024)
    judged: list[tuple[Board, Roll, frozenset[Board]]] = []
    while len(judged) < 20_000:
        state = openspiel.new_game()
        while not state.is_terminal() and len(judged) < 20_000:
            if state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))  # each roll alike, so more doubles than dice give
                continue
            board, roll = openspiel.board(state, state.current_player()), openspiel.roll(state)
            outcomes = openspiel.outcomes(state)
            found = frozenset(outcomes)
            assert gnubg_nn.afterstates(board, roll) == found, (board, roll)
            assert without_known_fault(bgsage.afterstates(board, roll), set(found), board, roll) == found, (board, roll)
            judged.append((board, roll, found))
            state = outcomes[rng.choice(sorted(found))]
    return judged


@pytest.mark.slow
def test_three_referees_agree_with_us_on_20000_positions_of_random_games(
    impl: ModuleType, judged_games: list[tuple[Board, Roll, frozenset[Board]]]
) -> None:
    for board, roll, found in judged_games:
        assert played(impl, board, roll) == found, (str(impl.Position(board, 0, "short")), roll)


@pytest.mark.slow
def test_the_judged_games_are_whole_games(judged_games: list[tuple[Board, Roll, frozenset[Board]]]) -> None:
    boards = [board for board, _, _ in judged_games]
    assert len(boards) >= 20_000
    assert sum(board[0][0] > 0 for board in boards) > 2_000  # on the bar
    assert sum(board[0][0] > 1 for board in boards) > 200
    assert sum(sum(board[0][:19]) == 0 for board in boards) > 200  # all home
    assert sum(found == {board} for board, _, found in judged_games) > 500  # passes
    assert sum(roll[0] == roll[1] for _, roll, _ in judged_games) > 2_000


# Corners


@pytest.mark.parametrize("corner", CORNERS)
def test_a_corner_is_what_it_is_called(impl: ModuleType, corner: str) -> None:
    text, roll, steps = CORNERS[corner]
    assert {len(play.steps) for play in impl.Position.parse(text, "short").plays(roll)} == {steps}


@pytest.mark.parametrize("corner", CORNERS)
def test_referees_agree_with_us_in_corners(
    impl: ModuleType, bgsage: referees.Bgsage, gnubg_nn: referees.GnubgNN, corner: str
) -> None:
    for text in (CORNERS[corner][0], CORNERS[corner][0][:-1] + "b"):
        mover, opponent = impl.Position.parse(text, "short").board.tolist()
        board = tuple(mover), tuple(opponent)
        for roll in ALL_ROLLS:
            ours = played(impl, board, roll)
            assert gnubg_nn.afterstates(board, roll) == ours, (text, roll)
            assert without_known_fault(bgsage.afterstates(board, roll), ours, board, roll) == ours, (text, roll)


def test_referees_agree_with_us_on_made_boards(impl: ModuleType, bgsage: referees.Bgsage, gnubg_nn: referees.GnubgNN) -> None:
    rng = random.Random(15)
    for _ in range(4_000):
        board, roll = referees.random_board(rng), random_roll(rng)
        ours = played(impl, board, roll)
        assert gnubg_nn.afterstates(board, roll) == ours, (str(impl.Position(board, 0, "short")), roll)
        assert without_known_fault(bgsage.afterstates(board, roll), ours, board, roll) == ours, (board, roll)


# What the referees do otherwise


def test_bgsage_lets_the_last_checker_waste_a_die(impl: ModuleType, bgsage: referees.Bgsage, gnubg_nn: referees.GnubgNN) -> None:
    # The rulebook: legal plays are those of the greatest total of dice used. 4/2* and off uses 2 and 5; off with the 5 alone ends
    # the game with the 2 unplayed, and leaves the blot alone.
    position = impl.Position.parse("4:1 23:1,14:1 w", "short")
    (play,) = position.plays((5, 2))
    assert play.steps == ((21, 23, 2), (23, 25, 5))
    mover, opponent = position.board.tolist()
    board = tuple(mover), tuple(opponent)
    ours = played(impl, board, (5, 2))
    assert gnubg_nn.afterstates(board, (5, 2)) == ours
    assert bgsage.afterstates(board, (5, 2)) == {*ours, (CLEARED, board[1])}


def test_a_pass_leaves_the_board_as_it_was(bgsage: referees.Bgsage, gnubg_nn: referees.GnubgNN, impl: ModuleType) -> None:
    mover, opponent = impl.Position.parse(CORNERS["a closed board"][0], "short").board.tolist()
    board = tuple(mover), tuple(opponent)
    assert bgsage.afterstates(board, (6, 5)) == gnubg_nn.afterstates(board, (6, 5)) == played(impl, board, (6, 5)) == {board}


# perft


@pytest.mark.parametrize(("depth", "leaves"), [(1, 447), (2, 202_782)])
def test_perft_of_the_start_is_gnu_backgammons(gnubg_nn: referees.GnubgNN, native: ModuleType, depth: int, leaves: int) -> None:
    def count(board: Board, left: int) -> int:
        if left == 0:
            return 1
        return sum(count((after[1], after[0]), left - 1) for roll in ALL_ROLLS for after in gnubg_nn.afterstates(board, roll))

    start = native.Position.start("short")
    mover, opponent = start.board.tolist()
    assert native.perft(start, depth) == count((tuple(mover), tuple(opponent)), depth) == leaves

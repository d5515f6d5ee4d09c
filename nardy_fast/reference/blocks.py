"""The six-block rule of long nardy (rulebook, section 1)."""

from __future__ import annotations

from nardy_fast.rules import HEAD, HOME, OFF, OPPOSITES, Ruleset, opposite

#: So many consecutive points are a block.
SIX = 6


def illegal_block(mover: tuple[int, ...], opponent: tuple[int, ...], rules: Ruleset) -> int | None:
    """The lowest slot, on the opponent's track, of the mover's farthest six if they are an illegal block; else None.

    Any longer block holds several sixes. The farthest is enough to look at: what is ahead of it is ahead of all.
    """
    if rules.block_rule == "free":
        return None

    # If the opponent has nothing on the board, nothing is a block.
    if not any(opponent[HEAD:OFF]):
        return None

    if rules.block_rule in ("fevga", "fevga_open"):
        own_first_six = mover[HEAD : HEAD + SIX]
        return opposite(rules.road, HEAD) if all(own_first_six) else None

    first = farthest_six(mover, rules)
    if first is None:
        return None
    if rules.block_rule == "ahead":
        # A checker borne off is ahead of everything.
        allowed = any(opponent[first + SIX :])
    elif rules.block_rule == "home":
        allowed = any(opponent[HOME:])
    else:
        allowed = False  # never
    return None if allowed else first


def is_open_prime(mover: tuple[int, ...], opponent: tuple[int, ...], rules: Ruleset) -> bool:
    """Whether the mover holds six points in a row right before an opponent who has all his checkers on the one point behind them.

    By ``fevga_open`` no play may leave them so, where it can be helped.
    """
    if rules.checkers not in opponent[HEAD:OFF]:
        return False
    behind = opponent.index(rules.checkers)
    return behind + SIX < OFF and all(mover[opposite(rules.road, behind + step)] for step in range(1, SIX + 1))


def farthest_six(mover: tuple[int, ...], rules: Ruleset) -> int | None:
    """The lowest slot of the farthest six consecutive points that the mover holds, in slots of the opponent's track; or None.

    The run goes across the mover's own seam, from his 24 to his 1. It does not go across the opponent's: nobody crosses it.
    """
    farthest = None
    run = 0
    for slot, own_slot in enumerate(OPPOSITES[rules.road][HEAD:OFF], HEAD):
        run = run + 1 if mover[own_slot] else 0
        if run >= SIX:
            farthest = slot - SIX + 1
    return farthest

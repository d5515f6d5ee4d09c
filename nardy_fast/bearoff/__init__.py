"""Exact endgames: tables for bearing off, for long and short nardy.

    one = nf.bearoff.OneSided.load("long")        # built on first use, about a second, then in the cache folder
    one.mean([0, 0, 0, 0, 0, 2])                  # own turns until two checkers on point 6 are off
    one.distribution(position)                    # the chance of each number of turns
    one.best_play(position, (6, 5))
    nf.bearoff.race(position)                     # win, mars and draw chances of two sides with no contact left

    two = nf.bearoff.TwoSided.load("short")       # up to six checkers of each side
    two.equity(position), two.cube(position)

A table belongs to the rules that matter at the end of a game: exact bearing off, stack limit, giveaway, last roll, payments.
Rules that no table can serve are refused with `ValueError`. The folder is the user's cache folder, or what the environment
variable NARDY_FAST_CACHE or the argument `folder` says; where nothing can be written there, tables live in memory.
"""

from nardy_fast.bearoff.one_sided import OneSided
from nardy_fast.bearoff.outcome import Race
from nardy_fast.bearoff.races import race
from nardy_fast.bearoff.store import cache_folder
from nardy_fast.bearoff.two_sided import Equities, TwoSided

__all__ = ["Equities", "OneSided", "Race", "TwoSided", "cache_folder", "race"]

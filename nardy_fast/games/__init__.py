"""Games and matches: turns, dice, the cube, results."""

"""How fast the package is, alone and beside others, and whether perft still counts what it counted."""

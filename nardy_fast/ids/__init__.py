"""Positions and states of matches as the short ids that other programs read; each id has a module of its name."""

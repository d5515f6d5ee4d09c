"""Many positions at once: batches, random games, perft."""

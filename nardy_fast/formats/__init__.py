"""Records of games and matches in files: our own text and JSON Lines, ``.mat``, and files of other programs."""

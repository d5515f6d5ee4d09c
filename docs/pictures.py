"""The boards of the site, drawn by the package itself."""

from pathlib import Path

import nardy_fast as nf

FOLDER = Path(__file__).parent / "pictures"

#: The file, the position with its dice, the rules, and the play whose arrows are drawn.
BOARDS = (
    ("start-long", "24:15 12:15 w 6-3", "long", None),
    ("start-short", "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 w 3-1", "short", "8/5 6/5"),
    ("middle-long", "24:7,18:2,16:1,14:2,11:1,9:1,8:1 12:6,6:2,4:2,3:1,1:1,23:1,22:2 w 5-4", "long", "24/15"),
)


def draw() -> None:
    """Write all pictures that are not there, or are other than they were."""
    FOLDER.mkdir(exist_ok=True)
    for name, text, rules, move in BOARDS:
        position, dice = nf.parse_position(text, rules)
        play = None if move is None else position.parse_play(move, dice)
        drawn, file = position.svg(play, dice=dice), FOLDER / f"{name}.svg"
        if not file.exists() or file.read_text(encoding="utf-8") != drawn:
            file.write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    draw()

"""20,000 mutated texts, files, records and ids: what is no good is refused by `ValueError` or `TypeError`, and nothing hangs."""

from __future__ import annotations

import random
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from readers import READERS, mutated

import nardy_fast as nf

#: What one call may take, in seconds of processor time. Most take a thousandth.
LONGEST = 5
EACH = 20_000 // len(READERS) + 1


@pytest.mark.parametrize("what", READERS)
def test_what_is_mutated_is_read_or_refused(what: str, tmp_path: Path) -> None:
    if "sgf" in what:
        pytest.importorskip("sgfmill")
    read, texts = READERS[what]
    rng = random.Random(what)
    outcomes: Counter[str] = Counter()
    for number in range(EACH):
        text = mutated(texts[number % len(texts)], rng)
        begun = time.process_time()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(text, tmp_path / "file")
        except (ValueError, TypeError) as error:
            outcomes["refused"] += 1
            words = str(error)
        else:
            outcomes["read"] += 1
            words = "read"
        assert time.process_time() - begun < LONGEST, f"{text!r:.300} takes too long"
        assert 0 < len(words) < 1000, f"{text!r:.300} gives {words!r:.300}"
    # In pasted text what is no id is passed over.
    assert outcomes["refused"] > (EACH / 20 if what != "pasted text" else -1)
    assert outcomes["read"] > 0


@pytest.mark.parametrize("wrong", [None, 5, 1.5, [], {}, object(), nf.Position])
@pytest.mark.parametrize("what", [what for what in READERS if "file" not in what and what != "JSON Lines"])
def test_what_is_no_text_is_a_type_error(what: str, wrong: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r".{10}"):
        READERS[what][0](wrong, tmp_path / "file")

"""The stored corpus of tools/fuzz.py: inputs of former findings, and such as reach code that others do not."""

from __future__ import annotations

import base64
import json
import warnings
from pathlib import Path

import pytest
from readers import targets

STORED: dict[str, list[str]] = json.loads((Path(__file__).parent / "data" / "fuzz.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", STORED)
def test_each_stored_input_is_read_or_refused(what: str, tmp_path: Path) -> None:
    if what not in targets():
        pytest.skip("a package for this format is missing")
    read, outcomes = targets()[what][0], set()
    for stored in STORED[what]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                read(base64.b85decode(stored), tmp_path / "file")
        except (ValueError, TypeError) as error:
            outcomes.add(str(error))
        else:
            outcomes.add("read")
    assert outcomes
    assert "" not in outcomes


#: Of these there are broken files only, or none.
UNREADABLE = ("a .xg file", "a .bgf file", "a file of the corpus", "a file of the corpus, leniently")


@pytest.mark.parametrize("what", [what for what in targets() if what not in UNREADABLE])
def test_what_is_mutated_can_be_read_before(what: str, tmp_path: Path) -> None:
    """Or nothing of a reader but its first check would be tried."""
    read, inputs = targets()[what]
    for data in inputs:
        read(data, tmp_path / "file")

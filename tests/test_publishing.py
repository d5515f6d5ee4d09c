"""What is told of the package to the outside is the same in all places."""

import re
import tomllib
from pathlib import Path

import pytest

import nardy_fast as nf

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def needs_the_tree():
    if not (ROOT / "CITATION.cff").exists():
        pytest.skip("the tests are away from the source tree")


def test_the_citation_names_the_version():
    version = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    assert version[1] == nf.__version__


def test_the_pythons_of_the_wheels_are_those_that_the_package_is_classified_for():
    built = {f"3.{name[3:].removeprefix('3').rstrip('-*')}" for name in PROJECT["tool"]["cibuildwheel"]["build"]}
    told = {line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if "Python :: 3." in line}
    assert built == told
    assert min(built, key=lambda name: int(name[2:])) == PROJECT["project"]["requires-python"].removeprefix(">=")

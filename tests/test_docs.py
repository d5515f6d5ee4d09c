"""What the documentation says of itself: the same in both languages, nothing named that is not there, nothing left out."""

import re
from pathlib import Path

import pytest

import nardy_fast as nf
from nardy_fast.commands.main import COMMANDS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="the tests are away from the source tree")

PAGES = sorted([*ROOT.glob("README*.md"), *DOCS.rglob("*.md")])
#: A page and its translation.
TRANSLATED = [("README.md", "README.ru.md"), ("docs/index.md", "docs/ru/index.md")]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def read(name: str | Path) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def without_comments(code: str) -> list[str]:
    return [line.partition("  #")[0].rstrip() for line in code.splitlines()]


@pytest.mark.parametrize(("english", "russian"), TRANSLATED)
def test_a_translation_has_the_headings_and_the_code_of_its_page(english, russian):
    ours, theirs = read(english), read(russian)
    assert [len(mark) for mark in re.findall(r"^(#+) ", theirs, re.MULTILINE)] == [
        len(mark) for mark in re.findall(r"^(#+) ", ours, re.MULTILINE)
    ]
    code, translated = FENCE.findall(ours), FENCE.findall(theirs)
    assert [(language, without_comments(text)) for language, text in translated] == [
        (language, without_comments(text)) for language, text in code if language in ("console", "python")
    ]
    assert code, "a page without code needs no such test"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_name_of_the_package_on_a_page_exists(page):
    for dotted in set(re.findall(r"\bnf\.([A-Za-z_][\w.]*\w)", read(page))):
        found = nf
        for part in dotted.split("."):
            assert hasattr(found, part), f"{page.name}: nf.{dotted}"
            found = getattr(found, part)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_within_the_project_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        path = target.partition("#")[0]
        if path and not re.match(r"[a-z]+:", path):
            assert (page.parent / path).exists(), f"{page.name}: {target}"


def test_the_page_of_commands_has_them_all_in_their_order():
    told = re.findall(r"^\| `([\w-]+)` \| (.+) \|$", read("docs/command.md"), re.MULTILINE)
    assert told == [(name, purpose) for name, _, purpose in COMMANDS]


def test_the_page_of_dialects_has_every_preset():
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", read("docs/dialects.md"), re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(nf.RULESETS)


def test_the_boards_on_the_pages_are_those_that_the_package_draws(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    pictures = __import__("pictures")
    for name, text, rules, move in pictures.BOARDS:
        position, dice = nf.parse_position(text, rules)
        play = None if move is None else position.parse_play(move, dice)
        assert (DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8") == position.svg(play, dice=dice), name

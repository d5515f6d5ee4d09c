"""The page of a review: whole by itself, small, safe, and stepped through in a browser."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nardy_fast import CubeRules, Game, Match, Position
from nardy_fast.analysis import Review, hint, review
from nardy_fast.players import level


def a_match() -> Match:
    """Seven points, a weaker player against what hints say, with names that are none."""
    weak = level("easy", "short", 3)
    match = Match(7, "short", cube=CubeRules(), players=("<b>Ann</b> & Co", "</script><script>alert(1)</script>"), seed=3)
    while not match.is_over:
        game = match.start_game()
        while not game.is_over:
            if game.dice is not None and game.player(game.position.turn) == 1:
                game.play(weak.choose(game.position, game.dice))
                continue
            found = hint(match)
            getattr(game, found.action)(*([found.plays[0].play] if found.action == "play" else []))
    return match


@pytest.fixture(scope="module")
def found() -> Review:
    return review(a_match(), threads=1)


@pytest.fixture(scope="module")
def page(found: Review) -> str:
    return found.to_html()


def data(page: str) -> Any:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match is not None
    return json.loads(match[1])


def test_a_page_needs_nothing_else(page: str) -> None:
    assert re.findall(r"(?:https?:)?//[^\s\"'<]+", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert not re.search(r"<(link|img|iframe)|\bsrc=|@import|url\(", page)
    assert "{{" not in page


def test_a_page_of_seven_points_is_below_a_megabyte(page: str) -> None:
    assert len(page.encode()) < 1_000_000


def test_names_are_text_whatever_is_in_them(page: str) -> None:
    assert "&lt;b&gt;Ann&lt;/b&gt; &amp; Co" in page
    assert "<b>Ann" not in page
    assert page.count("</script>") == 2
    assert data(page)["players"] == ["<b>Ann</b> & Co", "</script><script>alert(1)</script>"]


def test_the_boards_are_those_that_svg_draws(found: Review, page: str) -> None:
    told = data(page)
    plays = [each for each in found.decisions if each.kind == "play"]
    steps = [step for step in told["steps"] if step["kind"] == "play"]
    assert len(steps) == len(plays)
    for decision, step in zip(plays, steps, strict=True):
        drawn = decision.position.svg(decision.options[decision.chosen].play, decision.dice)
        assert "".join(told["pieces"][number] for number in step["board"]) == re.sub("<title>.*?</title>", "", drawn)
        assert ("best" in step) == (decision.loss > 0 or decision.chosen > 0)


def test_the_ten_worst_lead_to_their_boards(found: Review, page: str) -> None:
    steps = data(page)["steps"]
    numbers = [int(number) for number in re.findall(r'data-step="(\d+)"', page)]
    assert [steps[number]["loss"] for number in numbers] == [round(each.loss, 3) for each in found.worst()]
    assert len(numbers) == 10


def test_a_game_in_stages_and_one_without_errors_have_pages() -> None:
    position = Position.start("mad_nardy").plays((6, 6))[0].afterstate
    game = Game.from_position(position, dice=())
    game.play(position.plays()[0])
    page = review(game, threads=1).to_html()
    assert "<li>none</li>" in page


# In a browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, or another that is in the path; skipped without it, unless NARDY_FAST_BROWSER says it is required."""
    program = shutil.which("chromium")
    try:
        playwright = importlib.import_module("playwright.sync_api")
    except ImportError:
        playwright = None
    if program is None or playwright is None:
        missing = "Chromium" if program is None else "playwright"
        if os.environ.get("NARDY_FAST_BROWSER") == "required":
            pytest.fail(f"{missing} is not installed, and NARDY_FAST_BROWSER says that it must be")
        pytest.skip(f"{missing} is not installed")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


def open_page(browser: Any, file: Path, width: int) -> tuple[Any, list[str]]:
    """The page at this width, offline, and what goes wrong on it."""
    context = browser.new_context(viewport={"width": width, "height": 800}, offline=True)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("dialog", lambda dialog: wrong.append(dialog.message))
    tab.goto(file.as_uri())
    return tab, wrong


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_is_stepped_through_by_keys_and_clicks(
    browser: Any, found: Review, page: str, tmp_path: Path, width: int
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    steps = data(page)["steps"]
    tab, wrong = open_page(browser, file, width)

    def shown() -> int:
        said = tab.inner_text("#said p >> nth=0")
        match = re.search(r"(\d+) of (\d+)$", said)
        assert match is not None
        assert int(match[2]) == len(steps)
        return int(match[1]) - 1

    assert shown() == 0
    assert tab.inner_text("h1").startswith("7 point match of short: <b>Ann</b> & Co against </script>")
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    tab.click("#next")
    assert shown() == 4
    tab.click("#back")
    tab.keyboard.press("ArrowLeft")
    assert shown() == 2
    assert steps[2]["text"] in tab.inner_text("#said .what")
    assert tab.locator("#board circle").count() >= 20
    tab.keyboard.press("End")
    assert shown() == len(steps) - 1
    assert tab.is_disabled("#next")
    tab.keyboard.press("Home")
    tab.keyboard.press("e")
    assert steps[shown()]["mark"]
    # The worst of all, and what was better.
    tab.click("#worst button >> nth=0")
    worst = shown()
    assert steps[worst]["loss"] == round(found.worst()[0].loss, 3)
    played = tab.inner_html("#board")
    tab.keyboard.press("b")
    assert tab.inner_html("#board") != played
    tab.click("#best")
    assert tab.inner_html("#board") == played
    # The curve and the list of games.
    box = tab.locator("#curve").bounding_box()
    tab.locator("#curve").click(position={"x": box["width"] * 0.75, "y": 20})
    assert abs(shown() - 0.75 * len(steps)) <= 1
    tab.select_option("#game", "0")
    assert shown() == 0
    # Nothing stands out of the page, and buttons are large enough for fingers.
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert min(each.bounding_box()["height"] for each in tab.locator(".keys button").all()) >= 40
    assert wrong == []
    tab.context.close()

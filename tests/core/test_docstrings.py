"""The native names show the reference's docstrings word for word, and take the same arguments."""

from __future__ import annotations

import inspect
import pydoc
from types import ModuleType
from typing import Any

import pytest

from nardy_fast import reference

FUNCTIONS = ["parse_position", "perft", "simulate"]
MEMBERS = [
    (cls.__name__, name)
    for cls in (reference.Position, reference.Play)
    for name in vars(cls)
    if (not name.startswith("_") or name == "_repr_svg_")
]


def parameters(function: Any) -> list[tuple[str, Any, Any]]:
    """Names, kinds and defaults; what the types are is left to the stubs."""
    return [(one.name, one.kind, one.default) for one in inspect.signature(function).parameters.values()]


def test_the_members_are_all_there() -> None:
    assert {name for cls, name in MEMBERS if cls == "Position"} >= {
        *("start", "parse", "board", "turn", "rules", "pips", "is_over", "winner", "is_contact", "is_forced", "plays"),
        *("count_plays", "apply", "next_steps", "why_not", "parse_play", "text", "svg"),
    }
    assert {name for cls, name in MEMBERS if cls == "Play"} >= {"position", "dice", "steps", "afterstate"}


def test_every_name_of_the_reference_is_native_too(native: ModuleType) -> None:
    assert [name for name in reference.__all__ if not hasattr(native, name)] == []
    assert [name for name in reference.__all__ if name not in native.__all__] == []


@pytest.mark.parametrize("name", [*FUNCTIONS, "Position", "Play"])
def test_the_docstring_is_the_references(native: ModuleType, name: str) -> None:
    assert getattr(native, name) is not getattr(reference, name)
    assert getattr(native, name).__doc__ == getattr(reference, name).__doc__
    assert len(getattr(native, name).__doc__ or "") > 40


@pytest.mark.parametrize(("cls", "name"), MEMBERS)
def test_the_docstring_of_the_member_is_the_references(native: ModuleType, cls: str, name: str) -> None:
    mine, theirs = getattr(getattr(native, cls), name), getattr(getattr(reference, cls), name)
    assert mine.__doc__ == theirs.__doc__
    assert len(mine.__doc__ or "") > 10


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_function_takes_the_references_arguments(native: ModuleType, name: str) -> None:
    assert parameters(getattr(native, name)) == parameters(getattr(reference, name))


@pytest.mark.parametrize("cls", ["Position", "Play"])
def test_the_constructor_shows_the_references_arguments(native: ModuleType, cls: str) -> None:
    mine, theirs = getattr(native, cls), getattr(reference, cls)
    assert parameters(mine) == parameters(theirs)
    assert f"class {cls}(" in pydoc.plain(pydoc.render_doc(mine))
    assert str(inspect.signature(mine)) in pydoc.plain(pydoc.render_doc(mine))


@pytest.mark.parametrize(
    ("cls", "name"), [(cls, name) for cls, name in MEMBERS if callable(getattr(getattr(reference, cls), name))]
)
def test_the_method_takes_the_references_arguments(native: ModuleType, cls: str, name: str) -> None:
    assert parameters(getattr(getattr(native, cls), name)) == parameters(getattr(getattr(reference, cls), name))


@pytest.mark.parametrize("cls", ["Position", "Play"])
def test_the_classes_have_the_same_public_members(native: ModuleType, cls: str) -> None:
    mine, theirs = ({name for name in dir(getattr(module, cls)) if not name.startswith("_")} for module in (native, reference))
    assert mine == theirs


def test_the_constructors_take_the_same_arguments(impl: ModuleType) -> None:
    board = [[0, 15, *[0] * 24]] * 2
    start = impl.Position.start()
    assert impl.Position(board=board, turn=0, rules="long") == impl.Position(board, 0, "long") == impl.Position(board) == start
    steps = ((1, 6), (7, 5))
    assert impl.Play(position=start, dice=(6, 5), steps=steps) == impl.Play(start, (6, 5), steps)
    for arguments, named in (((), {}), ((board, 0, "long", 1), {}), ((board,), {"colour": 0})):
        with pytest.raises(TypeError):
            impl.Position(*arguments, **named)
    for arguments in ((), (start,), (start, (6, 5)), (start, (6, 5), steps, 1)):
        with pytest.raises(TypeError):
            impl.Play(*arguments)

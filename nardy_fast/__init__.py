"""The rules of nardy, long and short, in a fast native core with a pure-Python twin, `nardy_fast.reference`.

Docstrings cite the rulebook by its sections: docs/rulebook.md of the sources. What the package offers is imported when it is
first asked for: who wants plays waits for no records, players or analysis.
"""

from importlib import import_module as _import_module
from importlib.machinery import PathFinder as _PathFinder

from nardy_fast.version import __version__

if _PathFinder.find_spec("_core", [f"{__path__[0]}/core"]) is None:  # looked for only: core itself asks compiled code
    raise ImportError(
        f"nardy_fast is not compiled here: {__path__[0]} has the sources only, or was compiled for another Python; "
        "run Python in another folder, or compile it here by pip install -e ."
    )

#: The modules that are offered, and where the other names are: __init__.pyi says the same to those who check types.
_MODULES = {
    "analysis": "analysis",
    "bearoff": "bearoff",
    "players": "players",
    "reference": "reference",
    "batch": "bulk.batch",
    "foreign": "formats.foreign",
    "mat": "formats.mat",
    "records": "formats.records",
}
_NAMES = {
    "bulk.perft": "perft",
    "bulk.simulation": "Simulation simulate",
    "core": "get_include",
    "core._position": "Play Position parse_position",
    "games.cube": "Cube CubeRules Stakes",
    "games.game": "Game",
    "games.illegal": "IllegalPlay",
    "games.match": "Match",
    "games.states": "State",
    "games.turn": "Turn",
    "ids.find": "find_ids",
    "ids.match_id": "from_match_id match_id",
    "ids.match_state": "MatchState",
    "ids.position_id": "from_position_id from_signed26 position_id to_signed26",
    "ids.xgid": "from_xgid xgid",
    "positions": "Pending Stage",
    "reasons": "Reason",
    "results": "Result",
    "rules": "ROLLS RULESETS Ruleset ruleset",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = ["__version__", *_MODULES, *_HOMES]


def __getattr__(name: str) -> object:
    """A name that is asked for the first time (PEP 562)."""
    if name in _MODULES:
        found: object = _import_module(f"{__name__}.{_MODULES[name]}")
    elif name in _HOMES:
        found = getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

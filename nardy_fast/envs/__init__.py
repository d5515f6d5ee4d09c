"""Environments for the ecosystems of others: Gymnasium, PettingZoo, OpenSpiel. Importing this registers what is installed."""

from importlib.util import find_spec

if find_spec("gymnasium"):
    import nardy_fast.envs.gymnasium
if find_spec("pyspiel"):
    import nardy_fast.envs.openspiel  # noqa: F401

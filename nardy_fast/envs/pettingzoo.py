"""PettingZoo: ``from nardy_fast.envs.pettingzoo import nardy_v0``, then ``nardy_v0.env(rules="short")``."""

from nardy_fast.envs import nardy_v0

__all__ = ["nardy_v0"]

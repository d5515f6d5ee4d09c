"""Boards, dice and plays as people read them: notation and pictures."""

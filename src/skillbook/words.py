"""Numbers with their nouns, for messages.

Imports nothing of ours.
"""

from __future__ import annotations


def count(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun: ``1 skill``, ``1,234 skills``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"

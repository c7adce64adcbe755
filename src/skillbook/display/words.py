"""Numbers and lengths in words, the same in every display.

This module imports ``words`` of the core alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from skillbook.words import count as count  # noqa: PLC0414 - given on, for ``words.count``


def size(number: int) -> str:
    """Returns a size in bytes, in words: ``214 bytes``, ``12.3 kB``, ``3.4 MB``."""
    if number < 1000:
        return count(number, "byte")
    if number < 999_950:
        return f"{number / 1000:.1f} kB"
    return f"{number / 1_000_000:.1f} MB"


def of(shown: int, total: int, what: str = "") -> str:
    """Returns how much is shown: ``200 of 20,000 skills shown``."""
    return f"{shown:,} of {total:,}{' ' + what if what else ''} shown"


def percent(part: int, whole: int) -> str:
    """Returns a share in words: ``1.5 %``; of nothing, ``none``."""
    return f"{100 * part / whole:,.1f} %" if whole else "none"


def some(names: Sequence[str]) -> str:
    """Returns up to fifty names, each cut, and how many more there are."""
    shown = ", ".join(cut(name, 120) for name in names[:50])
    return shown + (f" … and {len(names) - 50:,} more" if len(names) > 50 else "")


def cut(text: str, most: int) -> str:
    """Returns ``text``, or its first ``most`` characters with a word on how long it is."""
    if len(text) <= most:
        return text
    # Between two words where one ends near.
    space = text.rfind(" ", max(0, most - 30), most)
    return f"{text[: space if space > 0 else most].rstrip()}… ({len(text):,} characters)"

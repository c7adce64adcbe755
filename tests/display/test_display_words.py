"""Numbers in words."""

from __future__ import annotations

from skillbook.display import words
from skillbook.words import count


def test_count() -> None:
    """Displays count with the function of the messages."""
    assert words.count is count


def test_size() -> None:
    """Sizes are bytes, then kB, then MB, without a step between them."""
    assert words.size(1) == "1 byte"
    assert words.size(999) == "999 bytes"
    assert words.size(12_345) == "12.3 kB"
    assert words.size(999_949) == "999.9 kB"
    assert words.size(999_950) == "1.0 MB"


def test_of() -> None:
    """What is cut says how much there is."""
    assert words.of(200, 20_000, "skills") == "200 of 20,000 skills shown"
    assert words.of(1, 2) == "1 of 2 shown"


def test_cut() -> None:
    """A long text ends between two words where it can, and says its length."""
    assert words.cut("short", 5) == "short"
    assert words.cut("two words here", 8) == "two… (14 characters)"
    assert words.cut("x" * 100, 10) == f"{'x' * 10}… (100 characters)"

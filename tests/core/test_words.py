"""Numbers with their nouns."""

from __future__ import annotations

from skillbook import words


def test_count() -> None:
    """One thing is singular, many have separators."""
    assert words.count(1, "skill") == "1 skill"
    assert words.count(20_000, "skill") == "20,000 skills"
    assert words.count(0, "entry", "entries") == "0 entries"

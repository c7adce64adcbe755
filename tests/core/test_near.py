"""Names that are near to one that is not there."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest

from skillbook.near import near


def test_the_nearest_come_first() -> None:
    """As many names as are asked for, the nearest first, and none that is far."""
    names = ["kelp", "tide-table", "tide", "tides", "zebra"]
    assert near("tides", names, most=2) == ["tides", "tide"]
    assert near("tidess", names, least=0.9) == ["tides"]
    assert near("quux", names) == []
    assert near("tides", []) == []


def test_long_names_are_measured_in_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among many long names that are alike, the slow measure is taken of a few alone."""
    measured = []
    ratio = SequenceMatcher.ratio

    def watched(matcher: SequenceMatcher[str]) -> float:
        measured.append(matcher.a)
        return ratio(matcher)

    monkeypatch.setattr(SequenceMatcher, "ratio", watched)
    names = [f"{number:04d}{'a' * 170}.md" for number in range(2000)]
    assert near(f"0007{'a' * 170}b.md", names, most=1, least=0.8) == [names[7]]
    assert len(measured) <= 20
    assert max(map(len, measured)) <= 101

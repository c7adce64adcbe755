"""Two texts side by side, line by line, with what differs.

Pure, and bounded: what begins and ends alike is set aside first, and a long rest is not searched
for lines that moved. Imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

MOST_SEARCHED = 1_000
"""Lines of the part that differs beyond which it is taken as one block."""

CONTEXT = 3
"""Equal lines that stand around those that differ."""

Kind = Literal["same", "changed", "left", "right", "gap"]


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of two texts side by side.

    Attributes:
        kind: ``same``, ``changed``, only ``left``, only ``right``, or a ``gap`` of equal lines.
        left: the line at the left, or None.
        right: the line at the right, or None.
        skipped: for a gap, how many equal lines it stands for.
    """

    kind: Kind
    left: str | None = None
    right: str | None = None
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts side by side.

    Attributes:
        pairs: every row, in order; equal lines far from a difference stand as gaps.
        same: lines that both have.
        changed: lines that both have, but not alike.
        only_left: lines that only the left one has.
        only_right: lines that only the right one has.
    """

    pairs: tuple[Pair, ...]
    same: int
    changed: int
    only_left: int
    only_right: int

    def __bool__(self) -> bool:
        return bool(self.changed or self.only_left or self.only_right)

    def __str__(self) -> str:
        if not self:
            return f"No line differs (lines: {self.same:,})."
        told = (
            (self.changed, "changed"),
            (self.only_left, "only at the left"),
            (self.only_right, "only at the right"),
            (self.same, "the same"),
        )
        return f"Lines: {', '.join(f'{number:,} {what}' for number, what in told if number)}."


def compare(left: str, right: str) -> Difference:
    """Sets two texts side by side.

    Args:
        left: one text.
        right: the other.
    """
    pairs = list(_pairs(left.split("\n"), right.split("\n")))
    counted = {
        kind: sum(pair.kind == kind for pair in pairs)
        for kind in ("same", "changed", "left", "right")
    }
    return Difference(
        tuple(_with_gaps(pairs)),
        counted["same"],
        counted["changed"],
        counted["left"],
        counted["right"],
    )


def _pairs(left: list[str], right: list[str]) -> Iterator[Pair]:
    shorter = min(len(left), len(right))
    start = next((n for n in range(shorter) if left[n] != right[n]), shorter)
    rest = shorter - start
    end = next((n for n in range(rest) if left[-1 - n] != right[-1 - n]), rest)
    yield from (Pair("same", line, line) for line in left[:start])
    yield from _middle(left[start : len(left) - end], right[start : len(right) - end])
    yield from (Pair("same", line, line) for line in left[len(left) - end :])


def _middle(left: list[str], right: list[str]) -> Iterator[Pair]:
    steps: list[tuple[str, int, int, int, int]] = [("replace", 0, len(left), 0, len(right))]
    if max(len(left), len(right)) <= MOST_SEARCHED:
        steps = list(SequenceMatcher(None, left, right).get_opcodes())
    for what, i, i_end, j, j_end in steps:
        if what == "equal":
            yield from (Pair("same", line, line) for line in left[i:i_end])
            continue
        both = min(i_end - i, j_end - j)
        for n in range(both):
            one, other = left[i + n], right[j + n]
            yield Pair("same" if one == other else "changed", one, other)
        yield from (Pair("left", line) for line in left[i + both : i_end])
        yield from (Pair("right", None, line) for line in right[j + both : j_end])


def _with_gaps(pairs: list[Pair]) -> Iterator[Pair]:
    """Yields the rows with each long run of equal lines as a gap between a few of them."""
    places = [place for place, pair in enumerate(pairs) if pair.kind != "same"]
    near = {n for place in places for n in range(place - CONTEXT, place + CONTEXT + 1)}
    skipped = 0
    for place, pair in enumerate(pairs):
        if place not in near:
            skipped += 1
            continue
        if skipped:
            yield Pair("gap", skipped=skipped)
            skipped = 0
        yield pair
    if skipped:
        yield Pair("gap", skipped=skipped)

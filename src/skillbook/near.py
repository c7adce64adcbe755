"""Names that are near to one that is not there, in bounded time.

Imports ``model``; ``difflib`` when it is asked, since it is needed for messages alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from skillbook.model import cut

_MEASURED = 20
"""Names of which the real measure is taken: it takes milliseconds for long names that are alike."""


def near(name: str, names: Iterable[str], most: int = 5, least: float = 0.5) -> list[str]:
    """Returns the names that are near to one, the nearest first.

    The real measure is taken of the names that have the most letters in common alone. Of a name,
    the first 100 characters are looked at.

    Args:
        name: the name that was asked for.
        names: those that are there.
        most: how many are given.
        least: how near they are, from 0 to 1, by the ratio of ``difflib``.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - for messages alone
    from heapq import nlargest  # noqa: PLC0415

    matcher = SequenceMatcher(b=cut(name))

    def shared(other: str) -> float:
        matcher.set_seq1(cut(other))
        return matcher.quick_ratio() if matcher.real_quick_ratio() >= least else 0.0

    def measured(other: str) -> float:
        matcher.set_seq1(cut(other))
        return matcher.ratio() if matcher.quick_ratio() >= least else 0.0

    found = {other: measured(other) for other in nlargest(_MEASURED, names, key=shared)}
    return [
        other for other in nlargest(most, found, key=found.__getitem__) if found[other] >= least
    ]

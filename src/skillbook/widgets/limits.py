"""The dial of ``sample_limit``: its stops, and how each stands on its button."""

from __future__ import annotations

from skillbook.model import ALL
from skillbook.tool import DEFAULT_SAMPLE, LEAVE_OUT

LIMITS = (LEAVE_OUT, 1, 3, 10, ALL)


def limit_words(limit: int) -> str:
    """Returns a ``sample_limit`` as it stands on its button."""
    if limit == LEAVE_OUT:
        return "leave out"
    return "all" if limit == ALL else f"{limit or DEFAULT_SAMPLE:,}"

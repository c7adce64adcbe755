"""Words for kits: names on one line, what was skipped, and values as JSON takes them.

Imports only the records of the core.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from skillbook.model import Notice, SkillSkip, on_line, printable, visible

_LONGEST = 300
"""Characters of a path or a detail in a repr or a warning."""

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """Returns a name on one line: runs of white space become one space."""
    return " ".join(text.split())


def said_skip(skip: SkillSkip) -> str:
    """Returns a skip in a few words: its path as shown, the reason and the line."""
    line = on_line(skip.line, skip.detail)
    return f"{_cut(skip.shown_location)} ({skip.reason}{line}: {_cut(skip.detail)})"


def said_notice(notice: Notice) -> str:
    """Returns a notice in a few words: its path as shown, and what it says."""
    return f"{_cut(notice.shown_location)} ({_cut(notice.detail)})"


def clean(text: str) -> str:
    """Returns a stranger's text with control characters as spaces, and what else acts as text."""
    return visible(_BREAKS.sub(" ", text))


def _cut(text: str) -> str:
    text = clean(text)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def json_only(value: Any) -> Any:
    """Returns a value with what JSON has no form for as text: any program may set metadata."""
    if isinstance(value, str):
        return printable(value)
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {printable(str(key)): json_only(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_only(each) for each in value]
    return printable(str(value))

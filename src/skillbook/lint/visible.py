"""Making visible what no eye can see: control, direction, zero-width and tag characters.

A finding quotes a stranger's text, and its message reaches terminals, logs and pages. This module
imports ``model`` alone.
"""

from __future__ import annotations

import re
import unicodedata

from skillbook.model import UNSEEN, codes

_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff]|{UNSEEN}")


def name_of(character: str) -> str:
    """Returns a character's code and name: ``U+200B (zero width space)``."""
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")


def visible(text: str) -> str:
    """Returns text with each unseen character as ``[U+200B]``; a line end becomes a space.

    A byte that is not UTF-8, which Python decodes as a surrogate, becomes ``[byte E9]``.
    """
    return _UNSEEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    character = match[0]
    if character in "\t\n\r":
        return " "
    if "\udc80" <= character <= "\udcff":
        return f"[byte {ord(character) - 0xDC00:02X}]"
    return codes(match)


def quoted(text: str, most: int = 60) -> str:
    """Returns text in quotes for a message, visible, on one line, cut at ``most`` characters."""
    shown = visible(" ".join(text.split()) if "\n" in text else text)
    return f"“{shown if len(shown) <= most else shown[: most - 1] + '…'}”"

"""Making visible what no eye can see: control, direction, zero-width and tag characters.

A finding quotes a stranger's text, and its message reaches terminals, logs and pages. This module
imports nothing of ours.
"""

from __future__ import annotations

import re
import unicodedata

ZERO_WIDTH = "\u00ad\u180e\u200b\u200c\u200d\u2060-\u2064\ufeff"
"""Characters without width, as the inside of a character class."""

DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of text, as the inside of a character class."""

TAGS = "\U000e0000-\U000e007f"
"""Tag characters, which spell text that is not shown, as the inside of a character class."""

_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{ZERO_WIDTH}{DIRECTION}{TAGS}]")


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
    return f"[U+{ord(character):04X}]"


def quoted(text: str, most: int = 60) -> str:
    """Returns text in quotes for a message, visible, on one line, cut at ``most`` characters."""
    shown = visible(" ".join(text.split()) if "\n" in text else text)
    return f"“{shown if len(shown) <= most else shown[: most - 1] + '…'}”"

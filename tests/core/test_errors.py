"""Exceptions of strangers, told."""

from __future__ import annotations

import pytest

from skillbook.errors import SkillNotFound, told, told_whole
from skillbook.kits.errors import AgentNotFound, KitNotFound


class Mute(Exception):  # noqa: N818 - no name for this is better
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise SystemExit


@pytest.mark.parametrize(
    ("error", "whole", "line"),
    [
        (ValueError("a\n b"), "ValueError: a\n b", "ValueError: a b"),
        (ValueError(), "ValueError", "ValueError"),
        (ValueError("x\ud800"), "ValueError: x\ufffd", "ValueError: x\ufffd"),
        (Mute(), "Mute (its message cannot be read)", "Mute (its message cannot be read)"),
        (ValueError("a" * 600), f"ValueError: {'a' * 600}", f"ValueError: {'a' * 488}…"),
    ],
)
def test_told(error: Exception, whole: str, line: str) -> None:
    """An exception is told with its type, in full or on one line, whatever its text does."""
    assert told_whole(error) == whole
    assert told(error) == line


@pytest.mark.parametrize("kind", [SkillNotFound, KitNotFound, AgentNotFound])
def test_what_is_not_found_is_told_visibly(kind: type[Exception]) -> None:
    """A message that names what strangers wrote steers no terminal; its line ends stay."""
    error = kind("no \x1b[31mred\u202e\u200b\nthere is: a")
    assert str(error) == "no [U+001B][31mred[U+202E][U+200B]\nthere is: a"
    assert str(kind()) == ""

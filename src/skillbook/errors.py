"""The exceptions and warnings of skillbook.

What a caller catches::

    SkillbookError
    ├── NotFound             nothing of that name
    │   └── SkillNotFound    no skill of that name, or no SKILL.md in that folder
    ├── SkillReadError       a SKILL.md or sibling file cannot be read any more
    ├── FrontMatterError     front matter that gives no skill
    ├── ScriptError          a script that cannot be run
    ├── ChangedOnDisk        a file was written by somebody else since (``skillbook.saving``)
    ├── …                    of kits and imports: see ``skillbook.kits.errors``
    └── MissingDependency    a part needs a library that is not installed

    SkillWarning             (a UserWarning) what a person should know, said once a call

Wrong types from Python code raise the built-in ``TypeError`` and ``ValueError``.
This module imports nothing of ours, but for ``model`` when a message is asked for.
"""

from __future__ import annotations

_LONGEST = 500
"""Characters of an exception that are told."""


class SkillbookError(Exception):
    """The base of every exception that skillbook raises itself."""


class NotFound(SkillbookError, KeyError):  # noqa: N818 - as the lookup errors of Python
    """There is nothing of that name."""

    def __str__(self) -> str:
        """The message (``KeyError`` would put it in quotes), with what no eye can see written out.

        It names what strangers wrote, and reaches a terminal.
        """
        from skillbook.model import visible  # noqa: PLC0415 - for a message alone

        return "\n".join(map(visible, str(self.args[0]).split("\n"))) if self.args else ""


class SkillNotFound(NotFound):
    """There is no skill of that name, or no ``SKILL.md`` in that folder."""


class SkillReadError(SkillbookError):
    """A ``SKILL.md`` or a sibling file cannot be read (any more)."""


class FrontMatterError(SkillbookError):
    """Front matter that gives no skill.

    Attributes:
        reason: ``missing-name``, ``malformed-frontmatter`` or ``unreadable``.
        detail: what is wrong, in plain words.
        line: the line in the file, from 1, or None where no line is meant.
    """

    def __init__(self, reason: str, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.line = line


class ScriptError(SkillbookError):
    """A script that cannot be run; the message says why, and what is known."""


class MissingDependency(SkillbookError, ImportError):  # noqa: N818 - reads as what it is
    """A part needs a library that is not installed; the message says which to install."""


class SkillWarning(UserWarning):
    """Something a person should know about a set of skills, said once a call."""


def told_whole(error: BaseException) -> str:
    """Returns a stranger's exception in full: its type, and what it says where that is told."""
    kind = type(error).__name__
    try:
        text = str(error)
    except (Exception, SystemExit):  # noqa: BLE001 - a stranger's code
        return f"{kind} (its message cannot be read)"
    # A lone surrogate, which no encoder of UTF-8 takes, becomes U+FFFD.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return f"{kind}: {text}" if text else kind


def told(error: BaseException) -> str:
    """Returns what :func:`told_whole` does, on one line and cut."""
    text = " ".join(told_whole(error).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"

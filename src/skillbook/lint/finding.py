"""What the checker says: a finding, the lines around what it means, and the repair that is safe.

Imports the records and ``visible``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from skillbook.lint.visible import visible
from skillbook.model import Shown, printable

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
"""From the worst: against the specification; likely to go wrong; good to know."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that is safe to make.

    Attributes:
        title: what it does, in a few words.
        splices: ``(start, end, new)`` in characters of the document's text; nothing else changes.
    """

    title: str
    splices: tuple[tuple[int, int, str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Frame:
    """The lines around what a finding means, as they are shown: visible, long ones cut.

    Attributes:
        lines: number and text of each.
        line: the number of the line that is meant.
        start: where in its text the meant part starts, from 0.
        length: how many characters of it are meant.
    """

    lines: tuple[tuple[int, str], ...]
    line: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Finding(Shown):
    """One thing that the checker says.

    Attributes:
        rule: the id of its rule, which never changes meaning.
        severity: ``error``, ``warning`` or ``note``.
        path: the file, as the user named it.
        line: from 1, or None where the file as a whole is meant.
        column: in characters from 1, or None.
        text: what is meant, on one line.
        message: what is there and what to do, in plain words.
        fix: the repair that is safe, or None.
        length: how many characters of the line are meant.
        frame: the lines around it, or None.
    """

    rule: str
    severity: Severity
    path: str
    line: int | None
    column: int | None
    text: str
    message: str
    fix: Repair | None = None
    length: int = 0
    frame: Frame | None = field(default=None, repr=False, compare=False)

    @property
    def place(self) -> str:
        """The place as editors and terminals take it: ``path:line:column``, visible."""
        parts = [visible(self.path), *(str(n) for n in (self.line, self.column) if n is not None)]
        return ":".join(parts)

    def __str__(self) -> str:
        return f"{self.place}: {self.severity} {self.rule}: {visible(self.message)}"

    def framed(self) -> str:
        """Returns the finding with its lines and a mark under what is meant, as plain text."""
        rows = [str(self)]
        if self.frame is not None:
            width = len(str(self.frame.lines[-1][0]))
            for number, text in self.frame.lines:
                meant = number == self.frame.line
                rows.append(f"  {'>' if meant else ' '} {number:>{width}} | {text}".rstrip())
                if meant and self.frame.length:
                    mark = " " * self.frame.start + "^" * self.frame.length
                    rows.append(f"    {'':>{width}} | {mark}")
        if self.fix is not None:
            rows.append(f"  fix: {self.fix.title}")
        return "\n".join(rows)

    def to_dict(self) -> dict[str, Any]:
        """Returns the finding as a JSON-safe mapping."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "path": printable(self.path),
            "line": self.line,
            "column": self.column,
            "length": self.length,
            "text": self.text,
            "message": self.message,
            "fix": self.fix.title if self.fix else None,
        }

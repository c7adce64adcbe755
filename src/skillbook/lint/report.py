"""The report: every finding of one check, in the forms that people and programs read.

Imports ``finding``, ``outputs``, ``frames``, ``words`` and the records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from skillbook.frames import frame
from skillbook.lint import outputs
from skillbook.lint.finding import SEVERITIES, Finding, Severity
from skillbook.lint.visible import visible
from skillbook.model import Notice, Root, Shown, printable
from skillbook.words import count

_MOST_IN_REPR = 20
_COLUMNS = ("rule", "severity", "path", "line", "column", "text", "message", "fix")


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown):
    """What the checker found.

    Attributes:
        findings: in order of path, line and column.
        checked: the paths that were checked, as the user named them.
        suppressed: how many findings the skills' own front matter left out.
        notices: what could not be looked at (a folder that cannot be read), as discovery says it.
        roots: the folders that were walked.
    """

    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    suppressed: int = 0
    notices: tuple[Notice, ...] = ()
    roots: tuple[Root, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __bool__(self) -> bool:
        """A report is a report, also without findings; ask for ``ok``."""
        return True

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings against the specification."""
        return self._of("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are likely to go wrong."""
        return self._of("warning")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """The findings that are good to know."""
        return self._of("note")

    def _of(self, severity: Severity) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == severity)

    @property
    def summary(self) -> str:
        """The counts in words: ``2 errors, 1 warning, 0 notes in 3 files``."""
        counts = [
            count(sum(f.severity == severity for f in self.findings), severity)
            for severity in SEVERITIES
        ]
        more = [f"{count(self.suppressed, 'finding')} left out by front matter"] * bool(
            self.suppressed
        )
        more += [f"{count(len(self.notices), 'notice')}"] * bool(self.notices)
        return "; ".join((f"{', '.join(counts)} in {count(len(self.checked), 'file')}", *more))

    def __repr__(self) -> str:
        rows = [f"<Report: {self.summary}>"]
        rows += [f"  {finding}" for finding in self.findings[:_MOST_IN_REPR]]
        if len(self.findings) > _MOST_IN_REPR:
            rows.append(f"  … and {len(self.findings) - _MOST_IN_REPR:,} more")
        return "\n".join(rows)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """Returns every finding with its lines, and the counts, as plain text."""
        blocks = [finding.framed() for finding in self.findings]
        blocks += [_notice(notice) for notice in self.notices]
        return "\n\n".join((*blocks, f"{self.summary}."))

    def to_dict(self) -> dict[str, Any]:
        """Returns the report as a JSON-safe mapping."""
        return {
            "ok": self.ok,
            "checked": [printable(path) for path in self.checked],
            "suppressed": self.suppressed,
            "findings": [finding.to_dict() for finding in self.findings],
            "notices": [notice.to_dict() for notice in self.notices],
            "roots": [printable(root.typed) for root in self.roots],
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a finding.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        rows = [finding.to_dict() for finding in self.findings]
        table = frame(([row[name] for name in _COLUMNS] for row in rows), _COLUMNS)
        return table.astype({"line": "Int64", "column": "Int64"})

    def to_sarif(self) -> dict[str, Any]:
        """Returns the report in SARIF 2.1.0, which code hosts and editors read."""
        return outputs.sarif(self.findings, list(map(_notice, self.notices)))

    def to_github(self) -> str:
        """Returns the report as commands by which GitHub Actions marks lines of a change."""
        return outputs.github(self.findings, list(map(_notice, self.notices)))


def _notice(notice: Notice) -> str:
    return visible(f"{notice.shown_location}: {notice.detail}")

"""Reports for other programs: SARIF 2.1.0 and the commands of GitHub Actions.

Imports ``report`` and ``rule``.
"""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from skillbook.lint.finding import Finding
from skillbook.lint.rule import registered
from skillbook.model import printable

if TYPE_CHECKING:
    from skillbook.lint.report import Report

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def sarif(report: Report) -> dict[str, Any]:
    """Returns a report as a SARIF log with one run, by section 3 of OASIS SARIF 2.1.0."""
    rules = registered()
    numbers = {each.id: number for number, each in enumerate(rules)}
    driver: dict[str, Any] = {
        "name": "skillbook",
        "rules": [
            {
                "id": each.id,
                "shortDescription": {"text": each.doc},
                "defaultConfiguration": {"level": each.severity},
            }
            for each in rules
        ],
    }
    with suppress(PackageNotFoundError):  # it may run from a folder of sources
        driver["version"] = version("skillbook")
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, numbers) for finding in report.findings],
            }
        ],
    }


def _result(finding: Finding, numbers: dict[str, int]) -> dict[str, Any]:
    place: dict[str, Any] = {
        "artifactLocation": {"uri": quote(_relative(finding.path).replace(os.sep, "/"))}
    }
    if finding.line is not None:
        region: dict[str, int] = {"startLine": finding.line}
        if finding.column is not None:
            region["startColumn"] = finding.column
            region["endColumn"] = finding.column + finding.length
        place["region"] = region
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
    if finding.rule in numbers:
        result["ruleIndex"] = numbers[finding.rule]
    return result


def _relative(path: str) -> str:
    """Returns a path below the working folder as it is seen from there, others as they are."""
    path = printable(path)
    if not os.path.isabs(path):
        return os.path.normpath(path) if path else path
    below = os.path.relpath(path)
    return path if below.startswith("..") else below


def github(report: Report) -> str:
    """Returns one command a finding, as GitHub's documentation of workflow commands has it."""
    return "\n".join(_command(finding) for finding in report.findings)


def _command(finding: Finding) -> str:
    values: dict[str, object] = {"file": _relative(finding.path)}
    if finding.line is not None:
        values["line"] = finding.line
    if finding.column is not None:
        values["col"] = finding.column
        if finding.length:
            values["endColumn"] = finding.column + finding.length
    values["title"] = finding.rule
    told = ",".join(f"{name}={_escaped(str(value), ':,')}" for name, value in values.items())
    return f"::{_COMMANDS[finding.severity]} {told}::{_escaped(finding.message)}"


def _escaped(text: str, more: str = "") -> str:
    for char in "%\r\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text

"""Findings for other programs: SARIF 2.1.0 and the commands of GitHub Actions.

Imports ``finding`` and ``rule``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from skillbook.lint.finding import Finding
from skillbook.lint.rule import registered
from skillbook.lint.visible import visible
from skillbook.model import printable

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def sarif(findings: Iterable[Finding], notices: Sequence[str] = ()) -> dict[str, Any]:
    """Returns findings as a SARIF log with one run, by section 3 of OASIS SARIF 2.1.0.

    Args:
        findings: what was found.
        notices: what could not be looked at, in words; they become notifications of the tool.
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to import

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
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, numbers) for finding in findings],
    }
    if notices:
        told = [{"level": "note", "message": {"text": notice}} for notice in notices]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": told}]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


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


def github(findings: Iterable[Finding], notices: Sequence[str] = ()) -> str:
    """Returns one command a finding, as GitHub's documentation of workflow commands has it.

    Args:
        findings: what was found.
        notices: what could not be looked at, in words; each gets a command without a place.
    """
    told = (f"::notice title=skillbook::{_escaped(notice)}" for notice in notices)
    return "\n".join((*map(_command, findings), *told))


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
    """Returns text as a command holds it: its line ends as codes, what no eye can see written out."""
    text = "\n".join(map(visible, text.split("\n")))
    for char in "%\n" + more:
        text = text.replace(char, f"%{ord(char):02X}")
    return text

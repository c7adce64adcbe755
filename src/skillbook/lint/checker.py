"""``check``: runs the rules over documents and makes findings of what they say.

Imports ``gather``, ``report`` and every family of rules.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from skillbook import progress
from skillbook.lint import (  # noqa: F401 - each registers its rules
    body,
    catalogue,
    fields,
    files,
    format,  # noqa: A004 - the family's name
    portability,
    safety,
    scripts,
)
from skillbook.lint.document import Document, Remark
from skillbook.lint.fields import ignored
from skillbook.lint.finding import Finding, Frame
from skillbook.lint.gather import gather
from skillbook.lint.report import Report
from skillbook.lint.rule import Rule, registered
from skillbook.lint.visible import visible

WIDEST = 100
"""Characters of a line that a frame shows."""

MOST_OF_A_RULE = 100
"""Findings of one rule in one document that a report holds; the last one says how many more."""


def rules() -> tuple[Rule, ...]:
    """Returns every rule of the checker, by id: skillbook's own and those registered."""
    return registered()


def check(
    what: Any,
    *,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Report:
    """Checks skills, and says of every fault where it stands and what to do.

    Args:
        what: a path (a skill's folder, a ``SKILL.md``, a root with many), a text (a ``str`` with
            a line end in it; any other ``str`` is a path), a skill, a source or an inventory.
        select: ids of the rules to run, or how they begin (``SB3``); None means all.
        ignore: ids of rules to leave out, or how they begin. A skill's front matter leaves rules
            out for itself: ``metadata: {skillbook-ignore: "SB301 SB402"}``.
        folder: for a text, the folder that it is, or will be, saved in; without one, rules about
            files are left out.

    Returns:
        The report. What a file can hold is a finding, never an exception.

    Raises:
        SkillNotFound: when a path does not exist.
        TypeError: when ``what`` is nothing that can be checked.
        ValueError: when no rule has such an id, or a path is no Markdown file.
    """
    chosen = choose(select, ignore)
    gathered = gather(what, folder)
    findings: list[Finding] = []
    seen: list[Document] = []
    suppressed = 0
    for document in _shown_progress(gathered):
        found, left_out = _run(document, chosen)
        findings += found
        suppressed += left_out
        document.forget()
        seen.append(document)
    with_fields = tuple(document for document in seen if document.fields)
    for each in chosen:
        if each.needs == "set" and with_fields:
            for remark in _remarks(each, with_fields):
                if each.id in ignored(remark.document):
                    suppressed += 1
                else:
                    findings.append(_finding(each, remark))
    findings.sort(key=_order)
    return Report(
        tuple(findings),
        tuple(document.shown for document in seen),
        suppressed,
        tuple(gathered.notices),
        tuple(gathered.roots),
    )


def repairable(document: Document, chosen: Iterable[Rule]) -> list[Finding]:
    """Returns the findings of one document that carry a fix, in order of place, without frames."""
    switched_off = ignored(document)
    findings = [
        _finding(each, remark, framed=False)
        for each in chosen
        if each.id not in switched_off and _can_run(each, document)
        for remark in _remarks(each, document)
        if remark.fix is not None
    ]
    return sorted(findings, key=_order)


def _order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.line or 0, finding.column or 0, finding.rule


def choose(
    select: str | Iterable[str] | None = None, ignore: str | Iterable[str] | None = None
) -> tuple[Rule, ...]:
    """Returns the rules that ids, or how they begin, select and do not ignore.

    Raises:
        TypeError: when one of them is no text.
        ValueError: when no rule has such an id.
    """
    every = registered()
    wanted, unwanted = _prefixes(select, every), _prefixes(ignore, every)
    return tuple(
        each
        for each in every
        if (select is None or each.id.startswith(wanted))
        and not (unwanted and each.id.startswith(unwanted))
    )


def _prefixes(given: str | Iterable[str] | None, every: tuple[Rule, ...]) -> tuple[str, ...]:
    if given is None:
        return ()
    names = given.replace(",", " ").split() if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"a rule's id is {name!r}; pass text such as 'SB301'")
        if not name or not any(each.id.startswith(name) for each in every):
            near = difflib.get_close_matches(name, [each.id for each in every], n=1, cutoff=0.6)
            hint = f"; is {near[0]} meant?" if near else ""
            raise ValueError(
                f"no rule is called {name!r}{hint} (skillbook check --rules lists them)"
            )
    return tuple(names)


def _shown_progress(gathered: Any) -> Iterable[Document]:
    """Returns the documents, with a progress bar where going through them takes over two seconds."""
    if len(gathered) < 2:
        return gathered  # type: ignore[no-any-return]
    shown: Iterable[Document] = progress.bar(gathered, desc="Checking", unit="skill")
    return shown


def _run(document: Document, chosen: Iterable[Rule]) -> tuple[list[Finding], int]:
    """Returns what rules say of a document, and how much its front matter left out."""
    switched_off = ignored(document)
    findings: list[Finding] = []
    left_out = 0
    for each in chosen:
        if not _can_run(each, document):
            continue
        remarks = _remarks(each, document)
        if each.id in switched_off:
            left_out += len(remarks)
            continue
        findings += (_finding(each, remark) for remark in remarks[:MOST_OF_A_RULE])
        if len(remarks) > MOST_OF_A_RULE:
            more = f"{findings[-1].message} (and {len(remarks) - MOST_OF_A_RULE:,} more of {each.id} in this file)"
            findings[-1] = replace(findings[-1], message=more)
    return findings, left_out


def _remarks(each: Rule, what: Document | tuple[Document, ...]) -> list[Remark]:
    """Returns what one rule says; what a user's rule raises names the rule and the file."""
    try:
        said = each.run(what)
        return _said(list(said) if isinstance(said, Iterable) else [said])
    except Exception as error:
        where = f"on {what.shown}" if isinstance(what, Document) else f"on {len(what):,} files"
        error.add_note(f"raised by the rule {each.id} {where}")
        raise


def _said(remarks: list[Any]) -> list[Remark]:
    for remark in remarks:
        if not isinstance(remark, Remark):
            raise TypeError(
                f"a rule gave {remark!r}; yield what say, say_field or say_file of the skill give, or"
                " return a list of them"
            )
    return remarks


def _can_run(each: Rule, document: Document) -> bool:
    if each.needs == "nothing":
        return True
    if each.needs == "block":
        return document.block is not None
    if each.needs == "fields":
        return document.block is not None and document.is_map
    if each.needs == "body":
        return document.body_start is not None
    return (
        each.needs == "folder" and document.beside is not None and document.body_start is not None
    )


def _finding(each: Rule, remark: Remark, *, framed: bool = True) -> Finding:
    document = remark.document
    path, line, column, text, length, frame = (
        document.shown,
        remark.line,
        None,
        remark.text,
        0,
        None,
    )
    if remark.file is not None:
        path = document.shown_beside(remark.file)
        text = visible(text.strip())[:120]
        if line is not None and remark.text:
            frame = Frame(((line, _cut(visible(remark.text[: WIDEST + 1]))[0]),), line, 0, 0)
    elif remark.start is not None:
        start = remark.start
        end = max(remark.end if remark.end is not None else start + 1, start)
        line, column = document.place(start)
        text = document.quoted_text(start, end)
        length = max(min(end, document.line_end(line)) - start, 0)
        frame = _frame(document, line, column, length) if framed else None
    return Finding(
        each.id, each.severity, path, line, column, text, remark.message, remark.fix, length, frame
    )


def _frame(document: Document, line: int, column: int, length: int) -> Frame:
    """Returns the line that is meant, with the one before and the one after."""
    raw = document.line_text(line)
    at = column - 1
    first = max(0, min(at - WIDEST // 3, len(raw) - WIDEST))  # a line can have a million characters
    before = ("…" if first else "") + visible(raw[first:at])
    meant = visible(raw[at : min(at + length, first + WIDEST)])
    shown, more = _cut(before + meant + visible(raw[at + length : first + WIDEST]))
    if first + WIDEST < len(raw) and not more:
        shown += "…"
    lines = []
    for number in (line - 1, line, line + 1):
        if number == line:
            lines.append((number, shown))
        elif 1 <= number <= document.line_count:
            lines.append((number, _cut(visible(document.line_text(number)[: WIDEST + 1]))[0]))
    return Frame(tuple(lines), line, len(before), max(0, min(len(meant), len(shown) - len(before))))


def _cut(text: str) -> tuple[str, bool]:
    """Returns a line cut at its end, and whether it was; what is written out takes more room."""
    most = 2 * WIDEST
    return (text[:most] + "…", True) if len(text) > most else (text, False)

"""What the checker says, as HTML: reports, findings with their lines, fixes as diffs, previews.

Pure but for a preview's body, whose pictures ``markdown`` reads. This module imports the other parts
of the display and the records of ``lint``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from skillbook.display import code, envelope, markdown, words
from skillbook.display.markup import Markup, element, escape, join, note, problem
from skillbook.display.tables import chips, folded, listed, notices, title, within
from skillbook.lint.draft import Preview
from skillbook.lint.finding import SEVERITIES, Finding, Frame
from skillbook.lint.fixer import Fix
from skillbook.lint.report import Report

ROOM = 100_000
"""Bytes of HTML that the findings of a report may take."""

MOST_DIFF = 20_000
"""Characters of a diff that are shown."""

_FEW = 5
_MOST_FILES = 200


def report(given: Report) -> Markup:
    """Returns a report: its counts, then the findings file by file."""
    kind = "report: no errors" if given.ok else "report: errors"
    return join((title(kind), chips(_counts(given)), findings(given)))


def _counts(given: Report) -> list[str]:
    told = [
        words.count(sum(each.severity == severity for each in given.findings), severity)
        for severity in SEVERITIES
    ]
    told.append(f"{words.count(len(given.checked), 'file')} checked")
    if given.suppressed:
        told.append(f"{given.suppressed:,} left out by front matter")
    return told


def findings(given: Report) -> Markup:
    """Returns the findings of a report, file by file, cut with their count."""
    if not given.findings:
        parts = [note("Nothing was found." if given.checked else "Nothing was checked.")]
    else:
        files = [(path, list(found)) for path, found in groupby(given.findings, _path)]
        opened = len(files) <= _FEW
        drawn = within((_file(path, found, opened=opened) for path, found in files), ROOM)
        drawn = drawn[:_MOST_FILES]
        parts = [join(drawn)]
        if len(drawn) < len(files):
            parts.append(note(f"Cut: the findings of {words.of(len(drawn), len(files), 'files')}."))
    if given.notices:
        parts.append(folded(words.count(len(given.notices), "notice"), notices(given.notices)))
    return join(parts)


def _path(finding: Finding) -> str:
    return finding.path


def _file(path: str, found: Sequence[Finding], *, opened: bool) -> Markup:
    told = ", ".join(
        words.count(number, severity)
        for severity in SEVERITIES
        if (number := sum(each.severity == severity for each in found))
    )
    summary = join((element("code", words.cut(path, 200)), f": {told}"))
    return folded(
        summary, listed(map(_entry, found), len(found), "findings", ROOM // 2), opened=opened
    )


def _entry(found: Finding) -> Markup:
    return join((_said(found), *_below(found)))


def _said(found: Finding) -> Markup:
    where = ""
    if found.line is not None:
        where = f", line {found.line}" + (f", column {found.column}" if found.column else "")
    return join(
        (
            element("strong", f"{found.severity} {found.rule}"),
            f"{where}: {words.cut(found.message, 1_000)}",
        )
    )


def _below(found: Finding) -> Iterable[Markup]:
    if found.frame is not None:
        yield frame(found.frame)
    if found.fix is not None:
        yield note(f"Can be fixed: {found.fix.title}.")


def frame(given: Frame) -> Markup:
    """Returns the lines around what is meant, with that part marked."""
    width = len(str(given.lines[-1][0]))
    return element(
        "pre",
        element("code", join((_line(n, width, text, given) for n, text in given.lines), "\n")),
        cls="code",
    )


def _line(number: int, width: int, text: str, given: Frame) -> Markup:
    counted = element("span", f"{number:>{width}} ", cls="number")
    if number != given.line:
        return element("span", counted, escape(text), cls="line")
    start, end = given.start, given.start + given.length
    meant = element("strong", escape(text[start:end]), cls="fault") if end > start else None
    parts = [counted, escape(text[:start]), meant, escape(text[end:])]
    return element("span", *parts, cls="line")


def finding(given: Finding) -> Markup:
    """Returns one finding with its lines."""
    return join(
        (
            title(given.severity, given.rule),
            element(
                "p",
                element("code", words.cut(given.place, 300)),
                f": {words.cut(given.message, 1_000)}",
            ),
            *_below(given),
        )
    )


def fix(given: Fix) -> Markup:
    """Returns what repairs made of a document: what was fixed, and the change as a diff."""
    parts = [title("fix", given.path)]
    if not given.fixed:
        return join((*parts, note("Nothing to fix.")))
    parts.append(
        chips(
            [
                f"{words.count(len(given.fixed), 'finding')} {'to fix' if given.problem else 'fixed'}",
                "saved" if given.saved else "not saved",
            ]
        )
    )
    if given.problem:
        parts.append(problem(f"It could not be saved: {given.problem}."))
    told = (
        join((element("strong", each.rule), f": {each.fix.title if each.fix else each.message}"))
        for each in given.fixed
    )
    parts.append(listed(told, len(given.fixed), "findings"))
    diff = given.diff
    parts.append(code.highlight(diff[:MOST_DIFF], language="diff"))
    if len(diff) > MOST_DIFF:
        parts.append(note(f"Cut: {words.of(MOST_DIFF, len(diff), 'characters')}."))
    return join(parts)


def preview(given: Preview) -> Markup:
    """Returns what an unsaved ``SKILL.md`` would be: faults, catalogue line, sizes, body."""
    parts = [title("preview", given.skill.name if given.skill else "")]
    if given.said:
        parts.append(element("p", given.said))
    parts.append(chips(_counts(given.report)))
    parts.append(findings(given.report))
    parts.append(element("p", element("strong", "What it costs")))
    parts.append(
        element("ul", *(element("li", row) for row in given.summary[: 2 if given.skill else 1]))
    )
    if given.entry:
        parts.append(element("pre", words.cut(given.entry, 3_000), cls="code"))
    if given.skill is not None and given.result is not None:
        body = given.skill.content.strip()  # as the envelope holds it
        parts.append(
            folded(
                f"Body, {words.count(len(body), 'character')}",
                markdown.render(body, given.skill) if body else note("The body is empty."),
                opened=True,
            )
        )
        parts.append(folded("What the model gets", envelope.render(given.result)))
    return join(parts)


DRAWN = {Report: report, Finding: finding, Fix: fix, Preview: preview}
"""Which function draws which record."""

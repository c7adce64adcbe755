"""Displays of the checker: facts in words, hostile text as text, the same bytes, a bounded size."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from contract import HOSTILE, fragment_keeps, keeps
from hypothesis import given
from hypothesis import strategies as st

from skillbook import display
from skillbook.display import lint
from skillbook.lint.checker import check
from skillbook.lint.draft import preview
from skillbook.lint.finding import Finding, Frame, Repair
from skillbook.lint.fixer import fix
from skillbook.lint.report import Report
from skillbook.model import Notice
from trees import build, skill

TEXT = "---\nname: tide\ndescription: Reads: tides\n---\n# Notes\n\nDo <b>it</b>.\n"


def test_report() -> None:
    """A report says its counts and each finding with place, message, lines and fix."""
    shown = keeps(lint.report(check(TEXT)))
    for fact in (
        "report: errors",
        "1 error",
        "2 warnings",
        "1 note",
        "1 file checked",
        "SKILL.md: 1 error, 2 warnings, 1 note",
        "error SB107, line 3, column 14: this is not valid YAML: a value holds a colon",
        "Can be fixed: put the value in double quotes.",
    ):
        assert fact in shown.text
    assert "Reads: tides" in shown.within("strong")
    assert shown.values("open") == [""]


def test_report_without_findings(tmp_path: Path) -> None:
    """A report without findings says so, and what could not be looked at."""
    shown = keeps(lint.report(check(skill("tide", "Use when asked."))))
    assert "report: no errors" in shown.text
    assert "Nothing was found." in shown.text
    assert "Nothing was checked." in keeps(lint.report(Report())).text
    told = Report(
        checked=("a",), notices=(Notice("/x", "unreadable-folder", "it is closed"),), suppressed=3
    )
    assert "it is closed" in keeps(lint.report(told)).text
    assert "3 left out by front matter" in keeps(lint.report(told)).text


def test_finding() -> None:
    """A finding alone says severity, rule, place and message, and shows its lines."""
    (found,) = check(TEXT, select="SB107")
    shown = keeps(lint.finding(found))
    assert "SB107 (error)" in shown.text
    assert "SKILL.md:3:14: this is not valid YAML" in shown.text
    assert shown.within("strong")[-1] == "Reads: tides"


def test_fix() -> None:
    """A fix says what was fixed and whether it was saved, and shows the change as a diff."""
    shown = keeps(lint.fix(fix(TEXT)))
    assert "1 finding fixed, not saved" in shown.text
    assert "SB107: put the value in double quotes" in shown.text
    assert '+description: "Reads: tides"' in shown.text
    assert "Nothing to fix." in keeps(lint.fix(fix(skill("tide")))).text


def test_preview(tmp_path: Path) -> None:
    """A preview shows findings, catalogue line, sizes, the rendered body and the envelope."""
    text = skill("tide", "Reads tides. Use when asked.", "# Notes\n\nSee *here*.\n")
    shown = keeps(lint.preview(preview(text, folder=tmp_path / "tide", said="not saved")))
    for fact in (
        "tide (preview)",
        "not saved",
        "Nothing was found.",
        "level 1, the catalogue line: 40 characters, 13 tokens (cl100k_base)",
        "level 2, what the skill tool gives:",
        "- **tide**: Reads tides. Use when asked.",
        "Base directory for this skill: file://{root}/tide",
    ):
        assert fact in shown.text
    assert shown.within("h1") == ["Notes"]
    assert str(tmp_path) not in shown.text.replace(f"absolute path of {tmp_path} here", "")


def test_preview_of_no_skill() -> None:
    """What gives no skill has no body and no sizes, and says to look at the errors."""
    shown = keeps(lint.preview(preview("no front matter")))
    assert "no skill: see the errors" in shown.text
    assert "SB104" in shown.text
    undescribed = keeps(lint.preview(preview("---\nname: tide\n---\n\n")))
    assert "level 1: not in the catalogue, since it has no description" in undescribed.text
    assert "The body is empty." in undescribed.text


@pytest.mark.parametrize("record", [check(TEXT), check(TEXT).findings[0], fix(TEXT), preview(TEXT)])
def test_notebook(record: object) -> None:
    """A notebook shows each record by this display, the same bytes each time."""
    html = record._repr_html_()
    fragment_keeps(html)
    assert html == display.fragment(lint.DRAWN[type(record)](record))
    assert html == record._repr_html_()


TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=40)
FINDINGS = st.builds(
    Finding,
    rule=TEXTS,
    severity=st.sampled_from(["error", "warning", "note"]),
    path=TEXTS,
    line=st.none() | st.integers(1, 3),
    column=st.none() | st.integers(1, 9),
    text=TEXTS,
    message=TEXTS,
    fix=st.none() | st.builds(Repair, title=TEXTS),
    frame=st.none()
    | st.builds(
        Frame,
        lines=st.lists(st.tuples(st.integers(1, 3), TEXTS), min_size=1, max_size=3).map(tuple),
        line=st.integers(1, 3),
        start=st.integers(0, 9),
        length=st.integers(0, 9),
    ),
)


@given(st.lists(FINDINGS, max_size=4), TEXTS)
def test_hostile_findings(findings: list[Finding], text: str) -> None:
    """Whatever text stands in a finding stays text."""
    keeps(lint.report(Report(tuple(findings), (text,), 1, (Notice(text, text, text),))))
    for each in findings:
        keeps(lint.finding(each))


@given(TEXTS, TEXTS, TEXTS)
def test_hostile_skills(name: str, description: str, body: str) -> None:
    """Whatever text stands in a skill stays text, in its report, its fix and its preview."""
    text = f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"
    keeps(lint.report(check(text)))
    keeps(lint.fix(fix(text)))
    keeps(lint.preview(preview(text, said=name)))


def test_very_many(tmp_path: Path) -> None:
    """A report on very many faults stays small, is quick to show, and says that it is cut."""
    (found,) = check(TEXT, select="SB107")
    many = [
        Finding(
            "SB107",
            "error",
            f"skills/s{n:05}/SKILL.md",
            3,
            14,
            "",
            found.message,
            None,
            0,
            found.frame,
        )
        for n in range(20_000)
    ]
    report = Report(tuple(many), tuple(each.path for each in many))
    start = time.process_time()
    html = display.fragment(lint.report(report))
    assert time.process_time() - start < 5
    assert len(html.encode()) < 200_000
    assert "of 20,000 files shown" in html
    assert len(repr(report)) < 10_000


def test_pictures_come_from_the_folder(tmp_path: Path) -> None:
    """A preview shows the folder's own pictures, and no remote one."""
    build(tmp_path, {"tide/a.png": b"\x89PNG\r\n\x1a\n" + bytes(20)})
    text = skill("tide", "Use when asked.", "![a](a.png) ![b](https://example.org/b.png)\n")
    shown = keeps(lint.preview(preview(text, folder=tmp_path / "tide")))
    assert [value[:22] for value in shown.values("src")] == ["data:image/png;base64,"]
    assert "from example.org, not loaded" in shown.text

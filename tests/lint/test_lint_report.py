"""Reports: counts, text with code frames, JSON, pandas, SARIF, GitHub's commands."""

from __future__ import annotations

import builtins
import json
from pathlib import Path

import pytest

from skillbook.errors import MissingDependency
from skillbook.lint.checker import check
from skillbook.lint.finding import Finding
from skillbook.lint.report import Report
from trees import build, skill

TEXT = "---\nname: tide\ndescription: Reads: tides\n---\n# Notes\n\n### Deep\n"


def test_counts() -> None:
    """A report tells errors, warnings and notes apart, and is ok without errors."""
    report = check(TEXT)
    assert [each.rule for each in report.errors] == ["SB107"]
    assert [each.rule for each in report.warnings] == ["SB601", "SB401"]
    assert [each.rule for each in report.notes] == ["SB204"]
    assert (report.ok, len(report), list(report) == list(report.findings)) == (False, 4, True)
    assert report.summary == "1 error, 2 warnings, 1 note in 1 file"
    good = check(skill("tide", "Reads tides. Use when asked."))
    assert (good.ok, bool(good), len(good)) == (True, True, 0)


def test_text() -> None:
    """The text shows each finding with its lines, a mark under what is meant, and its fix."""
    text = check(TEXT, select=["SB107", "SB204"]).to_text()
    assert text == (
        "SKILL.md:3:14: error SB107: this is not valid YAML: a value holds a colon and a space, which"
        " YAML reads as a new field (put the value in double quotes)\n"
        "    2 | name: tide\n"
        "  > 3 | description: Reads: tides\n"
        "      |              ^^^^^^^^^^^^\n"
        "    4 | ---\n"
        "  fix: put the value in double quotes\n"
        "\n"
        "SKILL.md:7:1: note SB204: a heading of level 3 follows one of level 1; use level 2\n"
        "    6 |\n"
        "  > 7 | ### Deep\n"
        "      | ^^^^^^^^\n"
        "\n"
        "1 error, 0 warnings, 1 note in 1 file."
    )
    assert str(check(TEXT, select=["SB107", "SB204"])) == text


def test_repr() -> None:
    """The repr says the counts and one line a finding, cut with its count."""
    report = check(skill("tide", "Reads tides. Use when asked.", "a\u202eb\n" * 30))
    rows = repr(report).splitlines()
    assert rows[0] == "<Report: 0 errors, 30 warnings, 0 notes in 1 file>"
    assert rows[1].startswith("  SKILL.md:5:2: warning SB502: there is a mark")
    assert rows[-1] == "  … and 10 more"
    assert len(rows) == 22


def test_long_lines_are_cut_around_what_is_meant() -> None:
    """A frame shows a long line where it matters, and the mark stays under it."""
    report = check(
        skill("tide", "Use when asked.", "word " * 100 + "</skill_content>" + " word" * 100),
        select="SB504",
    )
    rows = report.findings[0].framed().splitlines()
    meant = next(row for row in rows if row.startswith("  >"))
    mark = next(row for row in rows if "^" in row)
    assert len(meant) < 120
    assert meant[mark.index("^") : mark.rindex("^") + 1] == "</skill_content>"
    assert meant.count("…") == 2


def test_what_steers_a_terminal_is_written_out() -> None:
    """Control and direction characters of a skill reach no terminal."""
    text = check(skill("tide", "Use when asked.", "\x1b[31m\u202e[x](/y\x07)\x9b\n")).to_text()
    assert not [char for char in text if (ord(char) < 32 and char != "\n") or char in "\x9b\u202e"]
    assert "[U+001B][31m[U+202E]" in text


def test_paths_and_messages_steer_no_terminal() -> None:
    """A path, and the message of a user's own rule, are written out as a skill's text is."""
    finding = Finding("TEAM001", "note", "a\x1b[1m\nb", 1, None, "", "it says \x1b[31m\u202e")
    report = Report((finding,))
    said = "a[U+001B][1m b:1: note TEAM001: it says [U+001B][31m[U+202E]"
    assert str(finding) == said
    assert report.to_text().splitlines()[0] == said
    assert repr(report).splitlines()[1] == f"  {said}"
    assert report.to_github() == (
        "::notice file=a[U+001B][1m%0Ab,line=1,title=TEAM001::it says [U+001B][31m[U+202E]"
    )


def test_dict_is_json() -> None:
    """A report and its findings are JSON, also with names that are not UTF-8."""
    report = Report((Finding("SB101", "error", "a\udcff", None, None, "", "m"),), ("a\udcff",))
    value = json.loads(json.dumps(report.to_dict()).encode())
    assert (value["ok"], value["checked"], value["suppressed"]) == (
        False,
        ["a\ufffd"],
        0,
    )
    assert value["findings"][0]["rule"] == "SB101"


def test_pandas() -> None:
    """A report is a table with one row a finding; lines are whole numbers, also where some lack."""
    frame = check([TEXT, "no front matter\n"]).to_pandas()
    assert list(frame.columns) == [
        "rule",
        "severity",
        "path",
        "line",
        "column",
        "text",
        "message",
        "fix",
    ]
    assert list(frame["rule"]) == ["SB104", "SB601", "SB107", "SB401", "SB204"]
    assert str(frame["line"].dtype) == "Int64"
    assert len(check(skill("tide", "Use when asked.")).to_pandas().columns) == 8


def test_pandas_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pandas a message says what to install."""
    real = builtins.__import__

    def refuse(name: str, *args: object, **given: object) -> object:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *args, **given)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingDependency, match="pip install pandas"):
        check(TEXT).to_pandas()


def test_sarif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SARIF log names each rule, and each finding with file, line and columns."""
    build(tmp_path, {"my skills/tide/SKILL.md": TEXT, "my skills/ebb/notes.txt": "x"})
    monkeypatch.chdir(tmp_path)
    log = json.loads(json.dumps(check("my skills").to_sarif()))
    (run,) = log["runs"]
    assert (log["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "skillbook")
    assert run["columnKind"] == "unicodeCodePoints"
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert ids == sorted(ids)
    assert {"SB107", "SB607"} <= set(ids)
    result = next(each for each in run["results"] if each["ruleId"] == "SB107")
    assert ids[result["ruleIndex"]] == "SB107"
    assert result["level"] == "error"
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my%20skills/tide/SKILL.md"},
                "region": {"startLine": 3, "startColumn": 14, "endColumn": 26},
            }
        }
    ]


def test_paths_below_the_working_folder_are_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs get paths as seen from the working folder, whatever was typed."""
    build(tmp_path, {"a/SKILL.md": skill("b", "Use when asked.")})
    monkeypatch.chdir(tmp_path)
    for typed in ("a", "./a", tmp_path / "a"):
        (line,) = check(typed).to_github().splitlines()
        assert line.startswith("::error file=a/SKILL.md,line=2,col=7,endColumn=8,title=SB116::")


def test_notices_in_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be looked at is told to programs too: a link that leads nowhere."""
    build(tmp_path, {"root/tide/SKILL.md": skill("tide", "Reads tides. Use when asked.")})
    (tmp_path / "root" / "gone").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    report = check("root")
    assert report.findings == ()
    said = "root/gone: this link leads nowhere: it does not exist"
    assert said in report.to_text()
    assert report.to_github() == f"::notice title=skillbook::{said}"
    (run,) = report.to_sarif()["runs"]
    assert run["results"] == []
    assert run["invocations"] == [
        {
            "executionSuccessful": True,
            "toolExecutionNotifications": [{"level": "note", "message": {"text": said}}],
        }
    ]
    assert "invocations" not in check("root/tide").to_sarif()["runs"][0]


def test_github() -> None:
    """A command for GitHub escapes what has a meaning there."""
    report = Report(
        (
            Finding("SB301", "note", "a,b:c.md", 1, None, "", "100%\nsure: yes, so"),
            Finding("SB101", "warning", "a", None, None, "", "m"),
        )
    )
    assert report.to_github().splitlines() == [
        "::notice file=a%2Cb%3Ac.md,line=1,title=SB301::100%25%0Asure: yes, so",
        "::warning file=a,title=SB101::m",
    ]
    assert Report().to_github() == ""

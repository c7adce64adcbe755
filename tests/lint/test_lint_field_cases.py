"""What the checker says of inputs made after bug reports; a test is named after its case."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import pytest

from skillbook import list_skills
from skillbook.lint.checker import check
from skillbook.lint.fixer import fix
from skillbook.lint.report import Report
from trees import build

DATA = Path(__file__).parent / "field_cases.jsonl"
CASES = {case["id"]: case for case in map(json.loads, DATA.read_text().splitlines())}


class Case:
    """One case's tree, and what is said of it."""

    def __init__(self, key: str, folder: Path) -> None:
        case = CASES[key]
        build(folder, case["files"], case.get("files_b64"), case.get("setup", ()))
        self.folder = folder
        self.roots = [folder / root for root in case.get("roots", ["skills"])]

    def check(self, **given: Any) -> Report:
        """Returns the report on the case's roots."""
        return check(self.roots, **given)

    def names(self) -> list[str]:
        """Returns the names that are listed."""
        return sorted(skill.name for skill in list_skills(self.roots).skills)

    def lines(self, *rules: str) -> list[tuple[str, str, int | None]]:
        """Returns rule, folder and line of the findings of some rules."""
        return sorted(
            (each.rule, Path(each.path).parent.name, each.line) for each in self.check(select=rules)
        )


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """The case that the test is named after: ``test_fm_01`` is ``fm-01``."""
    key = request.function.__name__.removeprefix("test_").replace("_", "-")
    return Case(key, tmp_path / "case")


def test_fm_01(case: Case) -> None:
    """A colon in a plain value is an error on its line that says to put it in quotes."""
    (error,) = case.check().errors
    assert (error.rule, Path(error.path).parent.name, error.line) == ("SB107", "tide-report", 3)
    assert "put the value in double quotes" in error.message
    assert case.names() == ["kiln-log", "tide-report"]


def test_fm_02(case: Case) -> None:
    """Text that a hash cuts off is one warning on its line, which names what is dropped."""
    (warning,) = case.check(select="SB152")
    assert (warning.severity, warning.line) == ("warning", 3)
    assert "“#harbour-news channel every Friday.” on is a comment in YAML" in warning.message
    (skill,) = list_skills(case.roots).skills
    assert skill.description == "Drafts posts for the"


def test_fm_04(case: Case) -> None:
    """A byte order mark is noted, with who drops the skill; it is no error."""
    report = case.check()
    assert report.ok
    assert case.lines("SB602") == [("SB602", "rain-gauge", 1)]


def test_fm_13(case: Case) -> None:
    """A blank line and a comment above the fence are the same error, on the fence's line."""
    assert case.lines("SB1") == [("SB105", "banner-top", 2), ("SB105", "blank-top", 2)]
    assert all("on line 1" in each.message for each in case.check(select="SB1"))


def test_fm_15(case: Case) -> None:
    """A name of digits is no error: it is text, and the folder's."""
    assert case.check().errors == ()
    assert case.names() == ["12306", "kiln-log"]


def test_fm_17(case: Case) -> None:
    """A date at the top is an unknown field, and one under metadata should stand in quotes."""
    assert case.lines("SB1") == [("SB143", "dated-skill", 6), ("SB151", "dated-skill", 4)]
    assert case.check().ok


def test_fm_18(case: Case) -> None:
    """A list, a map and a number under metadata are one error each; text is none."""
    errors = case.check().errors
    assert [(each.rule, each.line) for each in errors] == [("SB142", 6), ("SB142", 7), ("SB142", 8)]
    assert [each.message.partition(";")[0] for each in errors] == [
        "“metadata.version” is a number",
        "“metadata.tags” is a list",
        "“metadata.limits” is a map",
    ]
    assert case.names() == ["odd-metadata"]


def test_fm_20(case: Case) -> None:
    """A description of two paragraphs is measured over both."""
    (error,) = case.check().errors
    assert error.rule == "SB122"
    assert "1,117 characters" in error.message


def test_fm_21(case: Case) -> None:
    """What looks like a field inside a block of text is none."""
    assert case.lines("SB1") == []
    assert "DO NOT USE FOR: boats" in (list_skills(case.roots).skills[0].description or "")


def test_fm_23(case: Case) -> None:
    """Commas between tools are a warning; one tool, spaces and a list are fine by the format."""
    assert case.lines("SB1") == [("SB146", "tool-comma", 4)]
    assert case.check(select="SB1").ok
    assert case.lines("SB603") == [("SB603", "tool-list", 4)]


def test_fm_26(case: Case) -> None:
    """A description that is missing, null, empty or blank is an error each."""
    assert case.lines("SB121") == [
        ("SB121", "empty-desc", 3),
        ("SB121", "no-desc", 1),
        ("SB121", "null-desc", 3),
        ("SB121", "space-desc", 3),
    ]
    assert len(case.check().errors) == 4


def test_fm_28(case: Case) -> None:
    """Names that the specification forbids are errors, each by its rule; all five are listed."""
    assert case.lines("SB1") == [
        ("SB113", "kite-builder", 2),
        ("SB114", "kite-builder", 2),
        ("SB114", "kite_maker", 2),
        ("SB115", "-kite", 2),
        ("SB115", "kite--flyer", 2),
        ("SB116", "kite-builder", 2),
        ("SB116", "kite-shop", 2),
    ]
    assert len(case.names()) == 5


def test_fm_29(case: Case) -> None:
    """Letters beyond a to z are a note on portability; a capital among them is an error."""
    assert case.lines("SB1") == [("SB113", "Café", 2)]
    assert {each.severity for each in case.check(select="SB6")} == {"note"}
    assert len(case.names()) == 3


def test_fm_36(case: Case) -> None:
    """Two unknown fields are one warning, which names both and points to metadata."""
    (warning,) = (each for each in case.check().warnings if not each.rule.startswith("SB4"))
    assert (warning.rule, warning.line) == ("SB151", 4)
    assert "“version”, “tags”" in warning.message
    assert "metadata" in warning.message


def test_fm_37(case: Case) -> None:
    """Three dots close no front matter, here as in the list."""
    assert case.lines("SB1") == [("SB106", "dot-end", 1)]
    (skip,) = list_skills(case.roots).skipped
    assert skip.reason == "malformed-frontmatter"


def test_ds_10(case: Case) -> None:
    """A skill inside another is a warning that names the outer one; it shadows none."""
    nested = case.check(select="SB312")
    assert [Path(each.path).parent.name for each in nested] == ["bold", "kiln-log"]
    assert all("nested inside skill poster-maker" in each.message for each in nested)
    assert {each.severity for each in nested} == {"warning"}


def test_ds_11(case: Case) -> None:
    """A file in the wrong letters is an error that says how it must be called."""
    assert case.lines("SB102") == [("SB102", "lower-one", None), ("SB102", "shout-one", None)]
    assert all("rename it to SKILL.md" in each.message for each in case.check(select="SB102"))


def test_ds_21(case: Case) -> None:
    """A colon and a slash in a name are errors."""
    assert case.lines("SB114") == [("SB114", "crew-log", 2), ("SB114", "deck-log", 2)]


def test_ds_22(case: Case) -> None:
    """A SKILL.md that holds a path alone hints at a link that was checked out as text."""
    (error,) = case.check().errors
    assert (error.rule, Path(error.path).parent.name) == ("SB104", "map-room")
    assert "symbolic link" in error.message


def test_ds_26(case: Case) -> None:
    """A report says which folders were walked, so that an absence can be explained."""
    report = case.check()
    assert [root.path for root in report.roots] == [str(case.roots[0])]
    assert report.to_dict()["roots"] == [str(case.roots[0])]


def test_pc_03(case: Case) -> None:
    """Angle brackets in a description are at most a note."""
    assert case.check().ok
    assert {each.severity for each in case.check() if "<service>" in each.message} == {"note"}


def test_te_01(case: Case) -> None:
    """The envelope's tags in a body are a warning each (the issue says a warning, not an error)."""
    found = case.check(select="SB504")
    assert [(each.severity, each.line) for each in found] == [
        ("warning", 6),
        ("warning", 10),
        ("warning", 11),
        ("warning", 13),
    ]


def test_te_09(case: Case) -> None:
    """A body of 200 KB is a warning for its lines and one for its tokens."""
    assert [each.rule for each in case.check(select=["SB202", "SB203"])] == ["SB203", "SB202"]


def test_ln_01(case: Case) -> None:
    """Only the link outside code that leads nowhere is found, on its line."""
    (finding,) = case.check(select="SB3")
    assert (finding.rule, finding.line, finding.text) == ("SB301", 5, "references/gone.md")


def test_ln_03(case: Case) -> None:
    """YAML's error has line, column and text in the file, and a fix that keeps the words."""
    (error,) = case.check().errors
    assert (error.rule, error.line, error.column) == ("SB107", 4, 14)
    assert error.text == 'Two views: "near" and "far".'
    path = case.roots[0] / "bad-line" / "SKILL.md"
    fix(path, dry_run=False)
    assert path.read_text().splitlines()[3] == r'description: "Two views: \"near\" and \"far\"."'
    (skill,) = list_skills(case.roots).skills
    assert skill.description == 'Two views: "near" and "far".'
    assert skill.warnings == ()


def test_rd_15(case: Case) -> None:
    """A header that was rescued here is said to be refused by GitHub and strict loaders."""
    (finding,) = case.check(select="SB601")
    assert "a strict YAML parser refuses the header: GitHub shows an error" in finding.message
    assert "skills-ref" in finding.message


def test_sc_03(case: Case) -> None:
    """Both scripts with Windows line ends are reported."""
    found = case.check(select="SB307")
    assert [Path(each.path).name for each in found] == ["go.py", "go.sh"]


def test_nb_04(tmp_path: Path) -> None:
    """Without IPython and ipywidgets the checker and its displays work, and nothing is printed."""
    case = Case("nb-04", tmp_path / "case")
    code = """
        import sys
        sys.modules["IPython"] = sys.modules["ipywidgets"] = sys.modules["anywidget"] = None
        from skillbook.lint.checker import check
        from skillbook.display import fragment, lint
        report = check(sys.argv[1])
        assert report.ok, repr(report)
        assert "SB401" in fragment(lint.report(report)) and "SB401" in repr(report)
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code), str(case.roots[0])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nb_08(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Checking writes nothing to either stream and warns of nothing: the report says it all."""
    case = Case("nb-08", tmp_path / "case")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = case.check()
    assert len(report.errors) == 1
    assert capfd.readouterr() == ("", "")


def test_every_case_has_a_test() -> None:
    """Each case in the file has its test here."""
    tested = {
        name.removeprefix("test_").replace("_", "-")
        for name in globals()
        if name.startswith("test_")
    }
    assert set(CASES) - tested == set()

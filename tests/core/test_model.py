"""The records: frozen, comparable, safe to write as JSON, and without addresses in their repr."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook.errors import (
    FrontMatterError,
    MissingDependency,
    SkillbookError,
    SkillNotFound,
    SkillReadError,
    SkillWarning,
)
from skillbook.model import (
    ALL,
    Body,
    Files,
    Notice,
    Root,
    SkillDef,
    SkillInfo,
    SkillSkip,
    printable,
    split_tools,
    visible,
)


class Shelf:
    """A reader from memory."""

    def body(self, skill: SkillInfo) -> Body:
        return Body(f"Body of {skill.name}.\n")

    def files(self, skill: SkillInfo) -> Files:
        return Files(("a.txt", "b.txt"))


def info(**changes: Any) -> SkillInfo:
    """Returns a skill with some fields changed."""
    root = Root("skills", "/home/x/skills")
    skill = SkillInfo(
        name="pdf",
        description="Reads PDF files.",
        location="/home/x/skills/pdf/SKILL.md",
        origin="fs",
        reader=Shelf(),
        meta={"name": "pdf", "description": "Reads PDF files."},
        root=root,
    )
    return dataclasses.replace(skill, **changes)


# --- roots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "path", "location", "shown"),
    [
        ("skills", "/w/skills", "/w/skills/a/SKILL.md", "skills/a/SKILL.md"),
        ("skills/", "/w/skills", "/w/skills/a/SKILL.md", "skills/a/SKILL.md"),
        ("~/s", "/home/x/s", "/home/x/s", "~/s"),
        ("skills", "/w/skills", "/w/skills-old/a", "/w/skills-old/a"),
        ("skills", "/w/skills", "/elsewhere/a", "/elsewhere/a"),
        ("/", "/", "/a/SKILL.md", "/a/SKILL.md"),
        (".", "/w", "/w/a/SKILL.md", "./a/SKILL.md"),
        ("s", "/w/s", "/w/s/a\udcff/SKILL.md", None),
    ],
)
def test_root_shows_what_was_typed(typed: str, path: str, location: str, shown: str | None) -> None:
    """A location is shown as the root was typed, then the path below it; never with a surrogate."""
    given_back = Root(typed, path).shown(location)
    given_back.encode()
    if shown is not None:
        assert given_back == shown


def test_root_is_a_path() -> None:
    """A root can be used as a path, and reads as it was typed."""
    root = Root("skills", "/w/skills")
    assert (root.__fspath__(), str(root)) == ("/w/skills", "skills")


@given(st.text(alphabet=st.characters(), max_size=20))
def test_printable(text: str) -> None:
    """What is printable can be encoded; what could be encoded stays the same."""
    shown = printable(text)
    encoded = shown.encode()
    try:
        text.encode()
    except UnicodeEncodeError:
        assert "\ufffd" in shown
    else:
        assert encoded == text.encode()


# --- records ------------------------------------------------------------------------------------


RECORDS: list[Any] = [
    Notice("/a\udcff", "missing-root", "Gone\udcff.", 3),
    SkillSkip("/a\udcff/SKILL.md", "missing-name", "No name\udcff.", 1),
    SkillDef("a", "body", "d", ("x",), None, print),
    info(location="/home/x/skills/\udcff/SKILL.md", warnings=(Notice("/a", "k", "d"),)),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_to_dict_is_json(record: Any) -> None:
    """A record's mapping goes through JSON and UTF-8 and comes back the same."""
    data = record.to_dict()
    text = json.dumps(data, allow_nan=False, ensure_ascii=False)
    assert json.loads(text.encode()) == data


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_records_are_frozen(record: Any) -> None:
    """A record cannot be changed."""
    field = dataclasses.fields(record)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, field, "other")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_repr_has_no_address(record: Any) -> None:
    """A record's repr is the same on every run: it holds no memory address."""
    assert "0x" not in repr(record)
    assert " at " not in repr(record)


def test_skill_to_dict() -> None:
    """A skill's mapping holds what the catalogue needs, and what is wrong with it."""
    warning = Notice("/home/x/skills/pdf/SKILL.md", "kind", "Detail.", 2)
    skill = info(warnings=(warning,), meta={"name": "pdf", "allowed-tools": "Read Grep"})
    data = skill.to_dict()
    expected = {
        "name": "pdf",
        "description": "Reads PDF files.",
        "location": "/home/x/skills/pdf/SKILL.md",
        "origin": "fs",
        "root": "skills",
        "allowed_tools": ["Read", "Grep"],
        "warnings": [warning.to_dict()],
    }
    assert {key: data[key] for key in expected} == expected


def test_skip_to_dict() -> None:
    """A skip's mapping names its root as the user typed it, as a skill's does."""
    root = Root("skills", "/w/skills")
    skip = SkillSkip("/w/skills/a/SKILL.md", "missing-name", "No name.", 1, root)
    assert skip.to_dict() == {
        "location": "/w/skills/a/SKILL.md",
        "reason": "missing-name",
        "detail": "No name.",
        "line": 1,
        "root": "skills",
    }


def test_skill_reads_through_its_reader() -> None:
    """A skill's body and files come from its reader, when they are asked for."""
    skill = info()
    assert skill.content == "Body of pdf.\n"
    assert skill.files() == ("a.txt", "b.txt")


def test_skill_folder() -> None:
    """A skill on disk has a folder, and a data skill has none."""
    assert info().folder == "/home/x/skills/pdf"
    assert info(origin="logical", location="skill://pdf/", root=None).folder is None


def test_skill_base() -> None:
    """A skill's base is its folder's URI, its own declared one, or made from its name."""
    odd = info(location="/home/x/my skills/50% ü/SKILL.md")
    assert odd.base == "file:///home/x/my%20skills/50%25%20%C3%BC"
    data = info(origin="logical", location="skill://pdf/", root=None)
    assert data.base == "skill://pdf/"
    assert dataclasses.replace(data, declared_base="db://kb/7/").base == "db://kb/7/"


def test_shown_location() -> None:
    """A skill's location is shown from its root as typed; without a root as it is."""
    assert info().shown_location == "skills/pdf/SKILL.md"
    assert info(root=None, location="skill://pdf/").shown_location == "skill://pdf/"


def test_equal_skills() -> None:
    """Two skills with the same fields are equal and hash alike, whoever reads them."""
    assert info() == info(reader=Shelf())
    assert hash(info()) == hash(info())
    assert info() != info(name="other")
    assert len({info(), info()}) == 1


def test_skill_def_takes_a_list_of_resources() -> None:
    """Resources may be given as a list, and are kept as a tuple."""
    assert SkillDef("a", "b", resources=["x", "y"]).resources == ("x", "y")


def test_skill_def_refuses_text_as_resources() -> None:
    """Resources given as one text are refused, with the text in the error."""
    with pytest.raises(TypeError, match=r"x\.md"):
        SkillDef("a", "b", resources="x.md")


def test_all_cuts_nothing() -> None:
    """ALL is larger than any number of files."""
    assert ALL > 10**9


# --- allowed tools ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("Read", ("Read",)),
        ("Read Grep", ("Read", "Grep")),
        ("Read, Grep", ("Read", "Grep")),
        ("Read,Grep", ("Read", "Grep")),
        (" Read \n Grep\t", ("Read", "Grep")),
        ("Bash(git add *) Read", ("Bash(git add *)", "Read")),
        ("Bash(git add *, git rm *), Read", ("Bash(git add *, git rm *)", "Read")),
        ("a(b(c d) e) f", ("a(b(c d) e)", "f")),
        ("a) b", ("a)", "b")),
        ("a(b c", ("a(b c",)),
        (["Read", "Bash(git add *)"], ("Read", "Bash(git add *)")),
        (["Read Grep", " "], ("Read Grep",)),
        ([1, None], ("1", "None")),
        ("", ()),
        (None, ()),
        (5, ()),
        ({"a": 1}, ()),
    ],
)
def test_allowed_tools(value: object, tools: tuple[str, ...]) -> None:
    """Tools are read from text (spaces or commas, brackets kept whole) and from lists alike."""
    assert split_tools(value) == tools
    assert info(meta={"allowed-tools": value}).allowed_tools == tools


# --- errors ---------------------------------------------------------------------------------


def test_error_tree() -> None:
    """Every exception of ours is a SkillbookError, and the warning is a UserWarning."""
    for error in (SkillNotFound, SkillReadError, FrontMatterError, MissingDependency):
        assert issubclass(error, SkillbookError)
    assert issubclass(SkillNotFound, KeyError)
    assert issubclass(MissingDependency, ImportError)
    assert issubclass(SkillWarning, UserWarning)


def test_not_found_reads_plainly() -> None:
    """The message of SkillNotFound stands without the quotes that KeyError puts round it."""
    assert str(SkillNotFound('Skill "x" not found.')) == 'Skill "x" not found.'
    assert str(SkillNotFound()) == ""


def test_front_matter_error_keeps_its_parts() -> None:
    """A FrontMatterError carries reason, detail and line, and reads as its detail."""
    error = FrontMatterError("malformed-frontmatter", "Never closed.", 1)
    assert (error.reason, error.detail, error.line, str(error)) == (
        "malformed-frontmatter",
        "Never closed.",
        1,
        "Never closed.",
    )


def test_characters_without_width_are_visible() -> None:
    """What the checker's SB501 names is written out, and nothing that emoji or scripts need."""
    assert visible("a\u200bb\u2060\ufeff\u00ad") == "a[U+200B]b[U+2060][U+FEFF][U+00AD]"
    assert visible("a\u200db") == "a[U+200D]b"
    assert visible("x\ufe00\ufe01") == "x[U+FE00][U+FE01]"
    for whole in ("\U0001f469\u200d\U0001f467", "\u2764\ufe0f", "\u0645\u06cc\u200c\u062e"):
        assert visible(whole) == whole

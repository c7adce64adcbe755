r"""Fields as edits of the text: what was meant changes, and nothing around it."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbook.lint.format import FIELDS
from skillbook.widgets.editor.field_edits import (
    FieldError,
    document_of,
    edited,
    read_fields,
    read_pairs,
    why_fixed,
    written_pairs,
)

FULL = """\
---
# on top
name: my-skill   # the name
description: >-
  Does this.
  Use when that.

# about the licence
license: MIT # ask
metadata:
  # who
  author: "Ann"  # hers
  version: '1'
  deep:
    - a
allowed-tools:
  - Read  # r
  # w
  - Write
---

# Body
"""

FLOW = """\
---
name: a
description: b
metadata: {a: b, c: 'd'}
allowed-tools: [A, 'B']
---
"""


def change(text: str, name: str, value: str) -> list[str]:
    """Returns the lines that an edit takes away and adds."""
    after = edited(text, name, value)
    assert read_fields(after)[name] == value
    lines = difflib.unified_diff(text.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def test_read() -> None:
    """The form shows each field as text; what lies deeper under metadata is left to the text."""
    assert read_fields(FULL) == {
        "name": "my-skill",
        "description": "Does this. Use when that.",
        "license": "MIT",
        "compatibility": "",
        "metadata": "author: Ann\nversion: 1",
        "allowed-tools": "Read Write",
    }


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("name", "other", ["-name: my-skill   # the name", "+name: other   # the name"]),
        ("name", "007", ["-name: my-skill   # the name", '+name: "007"   # the name']),
        ("name", "", ["-name: my-skill   # the name", "+name:    # the name"]),
        (
            "description",
            "One: two #3",
            ["-  Does this.", "-  Use when that.", "+  One: two #3"],
        ),
        ("license", "Apache #2", ["-license: MIT # ask", '+license: "Apache #2" # ask']),
        ("license", "", ["-license: MIT # ask", "+# ask"]),
        ("compatibility", "Needs git", ["+compatibility: Needs git"]),
        (
            "metadata",
            "author: Bob\nversion: 1\nnew: x: y",
            ['-  author: "Ann"  # hers', '+  author: "Bob"  # hers', '+  new: "x: y"'],
        ),
        (
            "metadata",
            "writer: Ann\nversion: 1",
            ['-  author: "Ann"  # hers', '+  writer: "Ann"  # hers'],
        ),
        (
            "metadata",
            "version: 2",
            ['-  author: "Ann"  # hers', "-  version: '1'", "+  # hers", "+  version: '2'"],
        ),
        ("allowed-tools", "Read Grep Write", ["+  - Grep"]),
        ("allowed-tools", "Write", ["-  - Read  # r", "+  # r"]),
        (
            "allowed-tools",
            "Bash(git *) Write",
            ["-  - Read  # r", "+  - Bash(git *)  # r"],
        ),
    ],
)
def test_only_what_is_meant_changes(name: str, value: str, expected: list[str]) -> None:
    """Comments, order, quotes and every other line stay."""
    assert change(FULL, name, value) == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("metadata", "a: x\nc: d", "metadata: {a: \"x\", c: 'd'}"),
        ("metadata", "a: b\nc: d\nz: y", "metadata: {a: b, c: 'd', z: \"y\"}"),
        ("metadata", "c: d", "metadata: {c: 'd'}"),
        ("allowed-tools", "A B C", "allowed-tools: [A, 'B', \"C\"]"),
        ("allowed-tools", "B", "allowed-tools: ['B']"),
    ],
)
def test_brackets(name: str, value: str, expected: str) -> None:
    """A list or map in brackets stays in brackets."""
    assert [line for line in edited(FLOW, name, value).splitlines() if line.startswith(name)] == [
        expected
    ]


def test_a_new_field_stands_in_the_order_of_the_specification() -> None:
    """A field that was not there comes behind those that the specification names before it."""
    text = "---\nname: a\ndescription: b\nallowed-tools: Read\n---\n"
    for name, value in (("metadata", "k: v"), ("license", "MIT"), ("compatibility", "git")):
        text = edited(text, name, value)
    assert text == (
        "---\nname: a\ndescription: b\nlicense: MIT\ncompatibility: git\nmetadata:\n"
        '  k: "v"\nallowed-tools: Read\n---\n'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "---\nname: x\n---\n"),
        ("# Hi\n", "---\nname: x\n---\n\n# Hi\n"),
        ("\ufeff# Hi\r\n", "\ufeff---\r\nname: x\r\n---\r\n\r\n# Hi\r\n"),
        ("---\n---\n", "---\nname: x\n---\n"),
        ("---\n# only\n---\nB", "---\nname: x\n# only\n---\nB"),
    ],
)
def test_from_nothing(text: str, expected: str) -> None:
    """A text without front matter, or with an empty one, gets one; the rest is the body."""
    assert edited(text, "name", "x") == expected


def test_line_ends_and_byte_order_mark_stay() -> None:
    """In a file with Windows line ends, what is added has them, too."""
    text = "\ufeff---\r\nname: a\r\ndescription: b\r\n---\r\nBody\r\n"
    assert edited(text, "license", "MIT") == text.replace("b\r\n", "b\r\nlicense: MIT\r\n")
    assert edited(text, "description", "c\nd") == text.replace("b\r\n", "|-\r\n  c\r\n  d\r\n")


def test_rescued_values_are_written_so_that_yaml_takes_them() -> None:
    """A value that YAML refuses can be edited where it stands; the others wait for that."""
    text = "---\nname: a\ndescription: Use: it\nlicense: MIT\n---\n"
    assert set(why_fixed(text)) == {"license", "compatibility", "metadata", "allowed-tools"}
    with pytest.raises(FieldError, match="license cannot be edited here: YAML refuses"):
        edited(text, "license", "BSD")
    assert edited(text, "name", "b") == text.replace("name: a", "name: b")
    assert edited(text, "description", "Use: that") == text.replace("Use: it", '"Use: that"')


def test_an_alias_is_replaced_where_it_stands() -> None:
    """A field that repeats another by an alias is edited alone; the other stays."""
    text = "---\nname: &n a\ndescription: *n\n---\n"
    assert edited(text, "description", "b") == "---\nname: &n a\ndescription: b\n---\n"


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("---\nname: &n a\ndescription: *n\n---\n", "name", "b"),
        ("---\nname: [a]\n---\n", "name", "b"),
        ("---\nname: a\nmetadata: text\n---\n", "metadata", "k: v"),
        ("---\nname: a\n", "name", "b"),
        ("\n\n---\nname: a\n---\n", "name", "b"),
        ("---\nname: a\nmetadata:\n  k: v\n---\n", "metadata", "no colon"),
        ("---\nname: a\n---\n".replace("a", "\udcff"), "name", "b"),
    ],
)
def test_what_the_form_cannot_do_it_says(text: str, name: str, value: str) -> None:
    """An edit that would touch something else is refused, with what to do instead."""
    with pytest.raises(FieldError, match=r"(Edit the text\.|write one key: value a line)$"):
        edited(text, name, value)


def test_no_such_field() -> None:
    """A field that the specification does not name is refused."""
    with pytest.raises(ValueError, match="there is no field 'title'; fields are name, desc"):
        edited(FULL, "title", "x")


def test_the_same_value_changes_nothing() -> None:
    """Setting what is there already gives the same text."""
    for name, value in read_fields(FULL).items():
        assert edited(FULL, name, value) == FULL


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=4))
def test_pairs_there_and_back(pairs: list[tuple[str, str]]) -> None:
    """Any text can be a key or a value of metadata in the form."""
    unique = dict(pairs)
    assert dict(read_pairs(written_pairs(list(unique.items())))) == unique


texts = st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from(
    ["---", "a: b", "x #y", "'", '"', "- a", "|", "*a", "{", "yes", "1.0", " a ", "a\n\n  b\n c"]
)


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(FIELDS), value=texts, text=st.sampled_from([FULL, FLOW, "", "# Hi\n"]))
def test_any_text_in_any_field(name: str, value: str, text: str) -> None:
    """Whatever is typed into a field, it reads back and the rest of the document stays."""
    before = document_of(text)
    try:
        after = edited(text, name, value)
    except FieldError:
        assert name in ("metadata", "allowed-tools")
        return
    found = document_of(after)
    assert found.refusal is None
    assert {k: v for k, v in found.meta.items() if k != name} == {
        k: v for k, v in before.meta.items() if k != name
    }
    if before.block is not None:
        assert found.body == before.body
        comments = [line.split("#")[-1] for line in text.splitlines() if " # " in line]
        assert [each for each in comments if f"#{each}" not in after] == []

"""The result of a tool call: its parts told apart, paths as {root}, errors in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from contract import HOSTILE, keeps
from hypothesis import given
from hypothesis import strategies as st

from skillbook.display import envelope
from skillbook.model import Root
from skillbook.source import load_skills
from skillbook.tool import ToolResult
from trees import build, skill

ROOT = Root("my skills", "/tmp/a b/skills")


def test_parts_are_told_apart(tmp_path: Path) -> None:
    """Each part has its name; a body that forges tags stays one part."""
    build(tmp_path, {"one/SKILL.md": skill("one", body="Hi </skill_content>\n"), "one/a.sh": ""})
    result = load_skills(tmp_path).tool(name="one")
    shown = keeps(envelope.render(result))
    names = [text.strip() for text in shown.within("th")]
    assert names == [
        "tag",
        "title",
        "body",
        "19 characters",
        "base directory",
        "note",
        "files",
        "tag",
        "name",
        "dir",
    ]
    assert shown.within("pre")[2] == "Hi </skill_content>"
    assert "Warning: the body holds the envelope's own tags" in shown.text


def test_root_is_written_as_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root's path stands as {root}, as a path and in a URI; nothing absolute is left."""
    build(tmp_path / "a b", {"one/SKILL.md": skill("one"), "one/a.sh": ""})
    monkeypatch.chdir(tmp_path)
    shown = keeps(envelope.render(load_skills("a b").tool(name="one")))
    assert str(tmp_path) not in shown.text
    assert "Base directory for this skill: file://{root}/one\n" in shown.text
    assert "<file>{root}/one/a.sh</file>" in shown.text
    assert shown.text.startswith(
        "{root} stands for the absolute path of a b here, also in the counts, so that this reads"
        " the same on every machine.tag"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/tmp/a b/skills/x", "{root}/x"),
        ("file:///tmp/a%20b/skills/x", "file://{root}/x"),
        ("/tmp/a b/skills", "{root}"),
        ("/tmp/a b/skills-other/x", "/tmp/a b/skills-other/x"),
        ("<file>/tmp/a b/skills</file>", "<file>{root}</file>"),
    ],
)
def test_rooted(text: str, said: str) -> None:
    """Only the root itself and what lies below it is written so."""
    assert envelope.rooted(text, ROOT) == said


def test_rooted_without_a_root() -> None:
    """Without a root, or with the whole disk as one, text stays as it is."""
    assert envelope.rooted("/x", None) == "/x"
    assert envelope.rooted("/x", Root("/", "/")) == "/x"


def test_body_stays_as_it_is() -> None:
    """A body is the author's: a path in it is not rewritten."""
    result = ToolResult("/tmp/a b/skills", parts=(("body", "/tmp/a b/skills"),), root=ROOT)
    assert keeps(envelope.render(result)).within("pre") == ["/tmp/a b/skills"]


def test_error_is_an_error() -> None:
    """An error says that it is one, in words."""
    assert (
        keeps(envelope.render(ToolResult("no such skill", is_error=True))).text
        == "Error: no such skill"
    )


def test_result_without_parts() -> None:
    """A result of another tool is shown whole, and a long one is cut with its length."""
    assert envelope.render(ToolResult("a < b")) == '<pre class="skillbook-code">a &lt; b</pre>'
    assert keeps(envelope.render(ToolResult("x" * 60_000))).text.endswith(
        "Cut: 50,000 of 60,000 characters shown."
    )


def test_metadata() -> None:
    """What the host gets besides is shown apart, with its structure."""
    result = ToolResult("a", metadata={"dir": "/tmp/a b/skills/x", "n": [1, None]}, root=ROOT)
    assert keeps(envelope.render(result)).text == (
        "{root} stands for the absolute path of my skills here, also in the counts, so that this"
        " reads the same on every machine.aMetadata, for the host alone:dir{root}/xn1empty"
    )


def test_nothing_is_said_of_a_root_that_is_not_named() -> None:
    """Where no text names the root's path, {root} is not explained."""
    assert envelope.root_note(ToolResult("a", metadata={"name": "x"}, root=ROOT)) == ""
    assert envelope.root_note(ToolResult("{root}")) == ""
    assert "my skills" in envelope.root_note(ToolResult("/tmp/a b/skills/x is gone", root=ROOT))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["tag", "title", "body", "base", "note", "files"]),
            st.text() | st.sampled_from(HOSTILE),
        )
    ),
    st.booleans(),
    st.none()
    | st.dictionaries(
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from(HOSTILE),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        ),
    ),
)
def test_hostile_results_keep_the_contract(
    parts: list[tuple[str, str]], error: bool, metadata: object
) -> None:
    """Whatever a result holds is text."""
    result = ToolResult("".join(text for _, text in parts), error, metadata, tuple(parts), ROOT)  # type: ignore[arg-type]
    keeps(envelope.render(result))

"""``AGENT.md``: what an agent's file gives, and why it gives none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillbook.errors import FrontMatterError
from skillbook.kits import agents
from skillbook.kits.records import Agent
from skillbook.model import Root, SkillSkip


def text(fields: str, body: str = "You read.\n") -> bytes:
    """Returns an agent's file."""
    return f"---\nname: reader\ndescription: Reads.\n{fields}---\n{body}".encode()


def test_all_fields() -> None:
    """Name, description, model, capabilities and metadata are read; the body is the prompt."""
    fields = "model: small\ncapabilities: [read, 7]\nmetadata:\n  team: a\n  since: 2026-01-02\n"
    assert agents.parse(text(fields, "\n# You\r\n\r\nRead ---.\n\n"), "/x/AGENT.md") == Agent(
        "reader",
        "Reads.",
        "# You\n\nRead ---.",
        ("read", "7"),
        "small",
        "/x/AGENT.md",
        {"team": "a", "since": "2026-01-02"},
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("read", ("read",)),
        ("read write", ("read", "write")),
        ("read, write,  run", ("read", "write", "run")),
        ("[read, write]", ("read", "write")),
        ("\n  - read\n  - write", ("read", "write")),
        ("", ()),
        ("[]", ()),
        ("null", ()),
    ],
)
def test_capabilities(value: str, expected: tuple[str, ...]) -> None:
    """Capabilities are a list, or text with commas or spaces."""
    assert agents.parse(text(f"capabilities: {value}\n")).capabilities == expected


def test_optional_fields() -> None:
    """Only name and description are required; a model that is a number is its text."""
    agent = agents.parse(text(""))
    assert (agent.model, agent.capabilities, agent.metadata) == (None, (), {})
    assert agents.parse(text("model: 4\n")).model == "4"
    assert agents.parse(text("", "")).system_prompt == ""


@pytest.mark.parametrize(
    ("data", "reason", "said"),
    [
        (b"", "missing-name", "empty"),
        (b"# Agent\n", "missing-name", "no front matter"),
        (b"---\ndescription: D\n---\n", "missing-name", "no name"),
        (b"---\nname: a\n---\n", "missing-description", "'a' has no description"),
        (b"---\nname: a\ndescription: ' '\n---\n", "missing-description", "no description"),
        (b"---\nname: a\n", "malformed-frontmatter", "never closed"),
        (text("capabilities: {a: b}\n"), "malformed-frontmatter", "capabilities is a map"),
        (text("capabilities: [[a]]\n"), "malformed-frontmatter", "capabilities is a list"),
        (text("capabilities: 7\n"), "malformed-frontmatter", "capabilities is 7"),
        (text("model: [a]\n"), "malformed-frontmatter", "model is a list; write text"),
        (text("metadata: x\n"), "malformed-frontmatter", "metadata is 'x'; write a map"),
        (text("") + b"\xff", "unreadable", "not UTF-8"),
        (b"---\nname: \xff\n---\n", "unreadable", "not UTF-8"),
    ],
)
def test_what_makes_no_agent(tmp_path: Path, data: bytes, reason: str, said: str) -> None:
    """A file that makes no agent says why, as an error and as a skip with its reason."""
    with pytest.raises(FrontMatterError) as caught:
        agents.parse(data)
    assert (caught.value.reason, said in caught.value.detail) == (reason, True)
    path = tmp_path / "AGENT.md"
    path.write_bytes(data)
    skip = agents.read(str(path))
    assert isinstance(skip, SkillSkip)
    assert (skip.reason, skip.detail, skip.line) == (
        reason,
        caught.value.detail,
        caught.value.line,
    )


def test_only_regular_files(tmp_path: Path) -> None:
    """A named pipe or a folder called AGENT.md is a skip and never blocks."""
    os.mkfifo(tmp_path / "AGENT.md")
    (tmp_path / "folder.md").mkdir()
    for name in ("AGENT.md", "folder.md", "none.md"):
        skip = agents.read(str(tmp_path / name))
        assert (type(skip), skip.reason) == (SkillSkip, "unreadable")


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file over the cap is a skip."""
    monkeypatch.setattr(agents, "MAX_PROMPT", 100)
    (tmp_path / "AGENT.md").write_bytes(text("", "x" * 200))
    assert "over 10 MB" in agents.read(str(tmp_path / "AGENT.md")).detail


def test_links_out_of_imports(tmp_path: Path) -> None:
    """A link that leads out is followed where the user named the folder, not in an import."""
    (tmp_path / "kit").mkdir()
    (tmp_path / "AGENT.md").write_bytes(text(""))
    (tmp_path / "kit" / "AGENT.md").symlink_to(tmp_path / "AGENT.md")
    path = str(tmp_path / "kit" / "AGENT.md")
    assert agents.read(path).name == "reader"
    skip = agents.read(path, inside=str(tmp_path / "kit"))
    assert skip.detail == "it is a link that leads out of an imported folder"


def test_files(tmp_path: Path) -> None:
    """Agents' files are ``agents/*.md`` and ``agents/*/AGENT.md``, sorted, and no others."""
    names = ["b.md", "a/AGENT.md", "a/other.md", "c/d/AGENT.md", ".hidden.md", "x.txt", "e/"]
    for name in names:
        path = tmp_path / "agents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_text("x")
    found = [os.path.relpath(path, tmp_path) for path in agents.files(str(tmp_path))]
    assert found == ["agents/a/AGENT.md", "agents/b.md"]
    assert agents.files(str(tmp_path / "none")) == []


def test_shown_location() -> None:
    """An agent's place is shown by the folder as typed."""
    agent = agents.parse(text(""), "/a/b/kit/AGENT.md", Root("kit", "/a/b/kit"))
    assert agent.shown_location == "kit/AGENT.md"


def test_refused_by_yaml(tmp_path: Path) -> None:
    """A file whose front matter YAML refuses is a skip with its line, not an agent with less."""
    path = tmp_path / "AGENT.md"
    path.write_bytes(text("model: small: or large\n"))
    skip = agents.read(str(path))
    assert (skip.reason, skip.line) == ("malformed-frontmatter", 4)
    assert skip.detail.startswith("line 4 is not valid YAML: a value holds a colon")
    assert "skill" not in skip.detail

"""Kits in memory, and kits from a skill source."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from skillbook.data_skill import data_info
from skillbook.errors import SkillNotFound, SkillWarning
from skillbook.kits.catalog import Catalog
from skillbook.kits.errors import KitNotFound
from skillbook.kits.memory import MemoryProvider, SourceProvider
from skillbook.kits.records import Agent, Kit
from skillbook.model import SkillDef
from skillbook.source import list_skills, load_skills
from trees import build, skill


def names(provider) -> dict[str, list[str]]:
    """The names of skills by kit."""
    return {kit.name: [each.name for each in kit.skills] for kit in provider.list_kits()}


def test_put() -> None:
    """``ns:name`` goes into kit ``ns``; a bare name stays bare, in a kit of that name."""
    memory = MemoryProvider()
    assert memory.put(SkillDef("files:read", "B", "D")).name == "files:read"
    memory.put({"name": "files:write", "content": "B", "description": "D"})
    memory.put(data_info(SkillDef("note", "B", "D")))
    memory.put(SkillDef("a:b:c", "B", "D"))
    assert names(memory) == {
        "files": ["files:read", "files:write"],
        "note": ["note"],
        "a": ["a:b:c"],
    }


def test_put_replaces() -> None:
    """A skill takes the place of one that has its name."""
    memory = MemoryProvider()
    for body in ("one", "two"):
        memory.put(SkillDef("files:read", body, "D"))
    assert [skill.content for skill in memory.get_kit("files").skills] == ["two"]


def test_visible_at_once() -> None:
    """What is put or deleted shows on the very next query."""
    memory = MemoryProvider()
    catalog = Catalog([memory])
    assert catalog.skills() == []
    memory.put(SkillDef("note", "B", "D"))
    assert [skill.name for skill in catalog.skills()] == ["note"]
    assert catalog.skill("note").place.provider == "MemoryProvider"
    memory.delete("note")
    assert (catalog.skills(), catalog.kits()) == ([], [])


def test_put_kit() -> None:
    """A kit is put whole, in the place of one of its name, and keeps its agents."""
    memory = MemoryProvider()
    memory.put_kit(Kit("files", [SkillDef("read", "B", "D")], [Agent("a", "D")]))
    memory.put(SkillDef("files:write", "B", "D"))
    kit = memory.get_kit("files")
    assert ([each.name for each in kit.skills], [agent.name for agent in kit.agents]) == (
        ["files:read", "files:write"],
        ["a"],
    )
    memory.put_kit(Kit("files", [SkillDef("seek", "B", "D")]))
    assert names(memory) == {"files": ["files:seek"]}


def test_delete() -> None:
    """A skill is deleted by its full name, a kit by its own; an emptied kit goes."""
    memory = MemoryProvider()
    memory.put_kit(Kit("files", [SkillDef("read", "B", "D"), SkillDef("write", "B", "D")]))
    memory.put_kit(Kit("loom", [SkillDef("warp", "B", "D")], [Agent("a", "D")]))
    memory.delete("files:read")
    assert names(memory) == {"files": ["files:write"], "loom": ["loom:warp"]}
    memory.delete("files:write")
    memory.delete("loom:warp")
    assert names(memory) == {"loom": []}  # its agent is still there
    memory.delete("loom")
    assert names(memory) == {}
    memory.put(SkillDef("note", "B", "D"))
    with pytest.raises(SkillNotFound, match=r'"x" not found. Available skills: note'):
        memory.delete("x")
    with pytest.raises(TypeError, match="name is 5; pass the name"):
        memory.delete(5)
    memory.put(SkillDef(" my  files:a\nb ", "B", "D"))
    memory.delete(" my  files:a\nb ")  # the name is put on one line by both
    assert names(memory) == {"note": ["note"]}


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (SkillDef("", "B", "D"), ValueError, "has no name"),
        (SkillDef("  ", "B", "D"), ValueError, "has no name"),
        (SkillDef("note", "B"), ValueError, "'note' of the kit 'note' has no description"),
        ("note", TypeError, "pass a SkillDef"),
        (None, TypeError, "pass a SkillDef"),
    ],
)
def test_what_cannot_be_put(given: object, error: type[Exception], said: str) -> None:
    """What is no skill, or lacks a name or description, is refused and changes nothing."""
    memory = MemoryProvider()
    with pytest.raises(error, match=said):
        memory.put(given)
    with pytest.raises(TypeError, match="pass a Kit"):
        memory.put_kit(given)
    assert memory.list_kits() == []


def test_threads() -> None:
    """Puts, deletes and queries from several threads lose nothing."""
    memory = MemoryProvider()
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(100):
                memory.put(SkillDef(f"kit:{number}-{turn}", "B", "D"))
                memory.list_kits()
                if turn % 2:
                    memory.delete(f"kit:{number}-{turn}")
        except BaseException as error:  # noqa: BLE001 - told by the assert below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(memory.get_kit("kit").skills) == 8 * 50


def test_reprs() -> None:
    """A repr says the kits with the numbers of their skills."""
    memory = MemoryProvider()
    assert repr(memory) == "<MemoryProvider: empty>"
    memory.put(SkillDef("files:read", "B", "D"))
    memory.put(SkillDef("note", "B", "D"))
    assert repr(memory) == "<MemoryProvider: 2 kits: files (1 skill), note (1 skill)>"


# --- from a source -----------------------------------------------------------------------------


def test_source(tmp_path: Path) -> None:
    """A skill source becomes one kit, under a name that can be chosen."""
    build(tmp_path, {"pdf/SKILL.md": skill("pdf"), "csv/SKILL.md": skill("csv"), "csv/a.md": "x"})
    source = load_skills(tmp_path)
    (kit,) = SourceProvider(source).list_kits()
    assert (kit.name, [each.name for each in kit.skills]) == ("mine", ["mine:csv", "mine:pdf"])
    catalog = Catalog([SourceProvider(source, name="office")])
    found = catalog.skill("office:csv")
    assert (found.files(), found.place.provider) == (("a.md",), "SourceProvider")
    assert found.location == source["csv"].location
    assert SourceProvider(list_skills(tmp_path)).list_kits()[0].skills == kit.skills
    with pytest.raises(KitNotFound):
        SourceProvider(source).get_kit("office")


def test_source_with_a_filter(tmp_path: Path) -> None:
    """What a filter leaves out is not in the kit."""
    build(tmp_path, {"pdf/SKILL.md": skill("pdf"), "csv/SKILL.md": skill("csv")})
    source = load_skills(tmp_path, filter={"pdf": True})
    assert names(SourceProvider(source)) == {"mine": ["mine:pdf"]}


def test_source_with_skips(tmp_path: Path) -> None:
    """What was skipped, and a skill without a description, is told and stands among the skips."""
    build(tmp_path, {"a/SKILL.md": "no\n", "b/SKILL.md": "---\nname: b\n---\n"})
    provider = SourceProvider(load_skills(tmp_path))
    with pytest.warns(SkillWarning, match="2 files gave no skill"):
        (kit,) = provider.list_kits()
    assert [skip.reason for skip in kit.skipped] == ["missing-name", "missing-description"]


@pytest.mark.parametrize("given", [None, "skills", [], Kit("a")])
def test_no_source(given: object) -> None:
    """What is no source is refused with what to pass."""
    with pytest.raises(TypeError, match="pass what load_skills gives"):
        SourceProvider(given)
    with pytest.raises(ValueError, match="name of a kit is blank"):
        SourceProvider(load_skills(), name=" ")


def test_repr_of_a_source(tmp_path: Path) -> None:
    """A repr says the kit and the number of its skills."""
    build(tmp_path, {"pdf/SKILL.md": skill("pdf")})
    provider = SourceProvider(load_skills(tmp_path))
    assert repr(provider) == "<SourceProvider: 1 kit: mine (1 skill)>"

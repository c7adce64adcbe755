"""The catalogue: fresh, in order, shadowing, failures, one source over everything."""

from __future__ import annotations

import gc
import json
import threading
import warnings
from pathlib import Path

import pytest

from skillbook.display import html
from skillbook.display.page import to_html
from skillbook.errors import SkillNotFound, SkillWarning
from skillbook.kits.catalog import Catalog
from skillbook.kits.errors import AgentNotFound, KitNotFound
from skillbook.kits.local import LocalProvider
from skillbook.kits.memory import MemoryProvider
from skillbook.kits.records import Agent, Failure, Kit, Shadowed
from skillbook.model import Notice, SkillDef
from skillbook.sizes import token_sizes
from skillbook.wrapper import skill_wrapper
from trees import build, skill


def kit(name: str, *skills: str, agents: tuple[str, ...] = (), root: str | None = None) -> Kit:
    """Returns a kit; each skill's body says where it is from."""
    return Kit(
        name,
        [SkillDef(each, f"{each} of {name}", f"Does {each}.") for each in skills],
        [Agent(each, "D") for each in agents],
        Agent(root, "D") if root else None,
    )


class Shelf:
    """A provider of fixed kits."""

    def __init__(self, *kits: object) -> None:
        self.kits = kits
        self.asked = 0

    def list_kits(self):
        """Gives the kits."""
        self.asked += 1
        return list(self.kits)


class Broken:
    """A provider that raises."""

    def list_kits(self):
        """Raises."""
        raise OSError("the disk is gone")


def test_everything_in_order() -> None:
    """Kits, skills and agents come in the order of providers and kits, root agents first."""
    catalog = Catalog(
        [
            Shelf(
                kit("b", "y", "x", agents=("two",)), kit("a", "z", agents=("three",), root="one")
            ),
            Shelf(kit("c", "c", root="four")),
        ]
    )
    assert [each.name for each in catalog.kits()] == ["b", "a", "c"]
    assert [each.name for each in catalog.skills()] == ["b:y", "b:x", "a:z", "c"]
    assert [each.name for each in catalog.agents()] == ["two", "one", "three", "four"]
    assert catalog.root_agent().name == "one"
    assert catalog.kit("a").name == "a"
    assert catalog.skill("b:x").content == "x of b"
    assert catalog.agent("four").name == "four"
    assert (catalog.failures(), catalog.shadowed(), catalog.skipped(), catalog.notices()) == (
        [],
        [],
        [],
        [],
    )


def test_nothing() -> None:
    """A catalogue without providers or kits is empty, and says so."""
    for catalog in (Catalog([]), Catalog([Shelf()])):
        assert (catalog.kits(), catalog.skills(), catalog.agents()) == ([], [], [])
        assert catalog.root_agent() is None
        assert catalog.source().prompt() == "No skills are currently available."
    with pytest.raises(SkillNotFound, match=r'"x" not found. Available skills: none'):
        catalog.skill("x")
    with pytest.raises(KitNotFound, match=r'Kit "x" not found. Available kits: none'):
        catalog.kit("x")
    with pytest.raises(AgentNotFound, match=r'Agent "x" not found. Available agents: none'):
        catalog.agent("x")


def test_names_in_errors() -> None:
    """An unknown name lists what is there."""
    catalog = Catalog([Shelf(kit("a", "z", agents=("one",)))])
    with pytest.raises(SkillNotFound) as caught:
        catalog.skill("z")
    assert str(caught.value) == 'Skill "z" not found. Available skills: a:z'
    with pytest.raises(KitNotFound, match="Available kits: a"):
        catalog.kit("z")
    with pytest.raises(AgentNotFound, match="Available agents: one"):
        catalog.agent("z")


def test_asked_anew_at_every_query() -> None:
    """Each query asks each provider once, and nothing is kept."""
    shelf = Shelf(kit("a", "z"))
    catalog = Catalog([shelf])
    assert shelf.asked == 0
    for number, query in enumerate(
        (
            catalog.kits,
            catalog.skills,
            catalog.agents,
            catalog.root_agent,
            catalog.failures,
            catalog.shadowed,
            catalog.skipped,
            catalog.notices,
            catalog.source,
            catalog.view,
            lambda: catalog.kit("a"),
            lambda: catalog.skill("a:z"),
            lambda: catalog.activate("a:z"),
        ),
        1,
    ):
        query()
        assert shelf.asked == number
    shelf.kits = (kit("b", "y"),)
    assert [each.name for each in catalog.skills()] == ["b:y"]


def test_placed() -> None:
    """A catalogue's skills say kit and provider; the provider's own kit stays as it was."""
    given = kit("a", "z")
    catalog = Catalog([Shelf(given)])
    assert catalog.skill("a:z").place.to_dict() == {
        "kit": "a",
        "provider": "Shelf",
        "repository": None,
        "commit": None,
    }
    assert catalog.kit("a").skills[0].place.provider == "Shelf"
    assert catalog.kits()[0].skills[0] is catalog.kits()[0].skills[0]
    assert given.skills[0].place.provider == ""


def test_one_kit_of_two_providers() -> None:
    """A kit that two providers give says, at every query, which one gave it."""
    given = kit("a", "z")
    catalog = Catalog([Shelf(given), Shelf(given)])
    for _ in range(3):
        view = catalog.view()
        assert view.kits["a"].skills[0].place.provider == view.provider_of["a"] == "Shelf"
        assert [item.provider for item in view.shadowed] == ["Shelf 2", "Shelf 2"]


# --- shadowing ---------------------------------------------------------------------------------


def test_kits_of_one_name() -> None:
    """Of two kits of one name the first provider's wins whole, the other is seen as shadowed."""
    catalog = Catalog(
        [Shelf(kit("a", "x")), Shelf(kit("a", "x", "y", agents=("one",)), kit("b", "z"))]
    )
    assert [each.name for each in catalog.skills()] == ["a:x", "b:z"]
    assert catalog.agents() == []
    assert catalog.kit("a").skills[0].place.provider == "Shelf"
    assert catalog.shadowed() == [
        Shadowed("kit", "a", "a", "Shelf 2", "Shelf"),
        Shadowed("skill", "a:x", "a", "Shelf 2", "Shelf", "skill://a:x/"),
        Shadowed("skill", "a:y", "a", "Shelf 2", "Shelf", "skill://a:y/"),
        Shadowed("agent", "one", "a", "Shelf 2", "Shelf"),
    ]


def test_skills_of_one_name() -> None:
    """Of two skills of one name in different kits the first counts, the other is shadowed."""
    catalog = Catalog([Shelf(kit("a", "x")), Shelf(kit("b", "a:x", "y"))])
    assert catalog.skill("a:x").content == "x of a"
    assert [each.name for each in catalog.kit("b").skills] == ["a:x", "b:y"]
    assert [(s.kind, s.name, s.kit, s.by) for s in catalog.shadowed()] == [
        ("skill", "a:x", "b", "the kit a of Shelf")
    ]


def test_one_skill_twice_in_a_kit() -> None:
    """A kit that gives one name twice keeps the first; the other is shadowed."""
    catalog = Catalog([Shelf(Kit("a", [SkillDef("x", "one", "D"), SkillDef("x", "two", "D")]))])
    assert [each.content for each in catalog.skills()] == ["one"]
    assert [each.name for each in catalog.shadowed()] == ["a:x"]


def test_agents_of_one_name() -> None:
    """Of two agents of one name the first counts, the other is shadowed."""
    catalog = Catalog([Shelf(kit("a", root="lead"), kit("b", agents=("lead",)))])
    assert [(s.kind, s.name, s.kit, s.by) for s in catalog.shadowed()] == [
        ("agent", "lead", "b", "the kit a of Shelf")
    ]
    assert len(catalog.agents()) == 1


# --- failures ----------------------------------------------------------------------------------


def test_provider_that_raises() -> None:
    """A provider that raises is named in a warning and in the failures; the others serve."""
    catalog = Catalog([Shelf(kit("a", "x")), Broken(), Shelf(kit("b", "y"))])
    queries = (
        lambda: [each.name for each in catalog.skills()],
        lambda: [catalog.skill("a:x").name, catalog.skill("b:y").name],
        lambda: list(catalog.source()),
    )
    for query in queries:
        with pytest.warns(
            SkillWarning, match="the provider Broken failed: OSError: the disk is gone"
        ):
            assert query() == ["a:x", "b:y"]
    with pytest.warns(SkillWarning):
        assert catalog.failures() == [Failure("Broken", "OSError: the disk is gone")]
    with pytest.warns(SkillWarning):
        assert [notice.kind for notice in catalog.source().notices] == ["failing-provider"]
    with pytest.warns(SkillWarning, match="Broken failed"):
        assert catalog.kit("b").name == "b"


@pytest.mark.parametrize("rubbish", [None, 7, "x", {}, kit("a", "x")])
def test_provider_that_gives_rubbish(rubbish: object) -> None:
    """A provider that gives no list of kits is named; the others serve."""

    class Odd:
        def list_kits(self):
            return rubbish

    catalog = Catalog([Odd(), Shelf(kit("b", "y"))])
    with pytest.warns(SkillWarning, match="the provider Odd failed: it gave"):
        assert [each.name for each in catalog.skills()] == ["b:y"]


def test_rubbish_among_kits() -> None:
    """Among rubbish the kits that are right still serve."""
    catalog = Catalog([Shelf(kit("a", "x"), "rubbish", None)])
    with pytest.warns(SkillWarning, match="which is no Kit, and 1 more thing that are none"):
        assert [each.name for each in catalog.skills()] == ["a:x"]


def test_kit_that_cannot_be_made() -> None:
    """A provider whose kit is refused when it is made is a failure that says why."""

    class Careless:
        def list_kits(self):
            return [Kit("a", [SkillDef("x", "B")])]

    with pytest.warns(SkillWarning, match="ValueError: the skill 'a:x' of the kit 'a' has no desc"):
        assert Catalog([Careless()]).kits() == []


def test_long_errors_are_cut() -> None:
    """An error of a megabyte, or one that no encoder takes, does not fill a failure."""

    class Loud:
        def list_kits(self):
            raise ValueError("\udcff" + "x" * 1_000_000)

    (failure,) = Catalog([Loud()]).view().failures
    assert len(failure.detail.encode()) < 1_100


def test_stopping_is_no_failure() -> None:
    """The kernel's stop button goes through."""

    class Slow:
        def list_kits(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Catalog([Slow()]).kits()


def test_failures_of_this_query() -> None:
    """A provider that is well again is no failure any more."""
    shelf = Shelf(None)
    catalog = Catalog([shelf])
    with pytest.warns(SkillWarning):
        assert len(catalog.failures()) == 1
    shelf.kits = ()
    assert catalog.failures() == []


def test_displays_and_tools_do_not_warn(tmp_path: Path) -> None:
    """A view, a repr and a tool call say what failed without a warning."""
    build(tmp_path / "k", {"skills/a/SKILL.md": "no\n"})
    catalog = Catalog([Broken(), LocalProvider(tmp_path / "k")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "failed: Broken (OSError: the disk is gone)" in repr(catalog)
        assert len(catalog.view().failures) == 1
        assert catalog.tools()[0].call({"name": "x"}).is_error
        assert catalog.activate("x").is_error


def test_warned_once_by_the_filter() -> None:
    """Under Python's own filter one text is shown once for each catalogue, not at every query."""
    first, second = Catalog([Broken()]), Catalog([Broken()])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for catalog in (first, first, second):
            catalog.kits()
            catalog.skills()
    assert len(caught) == 2
    assert {(str(w.message), w.filename, w.lineno) for w in caught} == {
        ("the provider Broken failed: OSError: the disk is gone", "skillbook", 1)
    }


# --- one source --------------------------------------------------------------------------------


def test_source() -> None:
    """A source over everything has one tool and one prompt, with full names."""
    source = Catalog([Shelf(kit("b", "y"), kit("a", "x"))]).source()
    assert source.prompt().splitlines()[3:] == [
        "## Available Skills",
        "- **a:x**: Does x.",
        "- **b:y**: Does y.",
    ]
    assert list(source) == ["b:y", "a:x"]
    result = source.tool.call({"name": "a:x"})
    assert result.output.startswith('<skill_content name="a:x">\n# Skill: a:x\n\nx of a\n')
    assert source.tool.name == "skill"


def test_source_with_filter_and_limit(tmp_path: Path) -> None:
    """A filter takes full names, warns of unknown ones, and the limit cuts the files."""
    build(
        tmp_path / "k",
        {
            "skills/a/SKILL.md": skill("a"),
            "skills/a/1.md": "x",
            "skills/a/2.md": "x",
            "skills/b/SKILL.md": skill("b"),
        },
    )
    catalog = Catalog([LocalProvider(tmp_path / "k")])
    source = catalog.source(filter={"k:a": True}, sample_limit=1)
    assert list(source) == ["k:a"]
    assert source.tool.call({"name": "k:a"}).output.count("<file>") == 1
    assert [root.typed for root in source.roots] == [f"{tmp_path}/k/skills"]
    with pytest.warns(SkillWarning, match="filter names skills that are not there: a "):
        catalog.source(filter={"a": False})
    with pytest.raises(TypeError, match="filter is 'a'"):
        catalog.source(filter="a")
    with pytest.raises(ValueError, match="sample_limit is -2"):
        catalog.source(sample_limit=-2)
    with pytest.raises(ValueError, match="sample_limit is -2"):
        catalog.tools(sample_limit=-2)
    assert catalog.tools(sample_limit=-1)[0].call({"name": "k:a"}).output.count("<file>") == 0


def test_source_shows_what_is_not_there(tmp_path: Path) -> None:
    """What was skipped or shadowed stands among the source's skips."""
    build(tmp_path / "k", {"skills/a/SKILL.md": "no\n", "skills/b/SKILL.md": skill("b")})
    memory = MemoryProvider()
    memory.put(SkillDef("j:x", "B", "D"))
    catalog = Catalog([LocalProvider(tmp_path / "k"), Shelf(kit("k", "c")), memory])
    with pytest.warns(SkillWarning):
        source = catalog.source()
    assert [(skip.reason, skip.detail) for skip in source.skipped][1:] == [
        ("duplicate-name", f"the name 'k:c' is taken by LocalProvider(dir='{tmp_path}/k')")
    ]
    assert source.skipped[0].reason == "missing-name"


def test_source_has_the_notices_of_kits() -> None:
    """What a kit has to say stands among the source's notices, after what concerns no kit."""
    notice = Notice("/x", "left-out", "it is a link")
    catalog = Catalog([Shelf(Kit("a", notices=[notice])), Broken()])
    with pytest.warns(SkillWarning, match="the disk is gone"):
        source = catalog.source()
    assert [each.kind for each in source.notices] == ["left-out", "failing-provider"]
    assert source.notices[0] is notice


def test_source_stays() -> None:
    """A source is of its moment; the tools of the catalogue are of every moment."""
    memory = MemoryProvider()
    catalog = Catalog([memory])
    source, tools = catalog.source(), catalog.tools()
    memory.put(SkillDef("note", "Body", "D"))
    assert source.tool.call({"name": "note"}).is_error
    assert not tools[0].call({"name": "note"}).is_error
    assert tools[1].call({"name": "note"}).output == "Body"
    assert tools[0].call({"name": 7}).is_error
    assert tools[0].call(None).is_error


# --- records -----------------------------------------------------------------------------------


def test_repr() -> None:
    """A repr says kits, agents, what is shadowed, failed and skipped, on few lines."""
    catalog = Catalog([Shelf(kit("a", "x", agents=("one",))), Shelf(kit("b", "a:x")), Broken()])
    assert repr(catalog).splitlines() == [
        "<Catalog: 2 kits, 1 skill, 1 agent from 3 providers>",
        "  kits: a (1 skill), b (1 skill)",
        "  agents: one",
        "  shadowed: skill a:x",
        "  failed: Broken (OSError: the disk is gone)",
    ]


def test_repr_of_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repr says what was skipped, and which folders gave no kit."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "k", {"skills/a/SKILL.md": "no\n"})
    told = repr(Catalog([LocalProvider("k"), LocalProvider("none")])).splitlines()
    assert told[2].startswith("  skipped: k/skills/a/SKILL.md (missing-name, line 1")
    assert told[3] == "  notices: none (this folder does not exist)"


def test_to_dict() -> None:
    """A catalogue gives a mapping that JSON takes."""
    catalog = Catalog([Shelf(kit("a", "x")), Shelf(kit("a", "x")), Broken()])
    told = json.loads(json.dumps(catalog.to_dict()))
    assert told["providers"] == ["Shelf", "Shelf 2", "Broken"]
    assert [(each["name"], each["provider"]) for each in told["kits"]] == [("a", "Shelf")]
    assert [each["kind"] for each in told["shadowed"]] == ["kit", "skill"]
    assert told["failures"] == [{"provider": "Broken", "detail": "OSError: the disk is gone"}]


def test_broken_file_asked_for(tmp_path: Path) -> None:
    """A skill whose file is broken is said to be there, by its folder's name."""
    build(tmp_path / "k", {"skills/a/SKILL.md": "no\n"})
    catalog = Catalog([LocalProvider(tmp_path / "k")])
    with pytest.warns(SkillWarning), pytest.raises(SkillNotFound) as caught:
        catalog.skill("k:a")
    first, second = str(caught.value).splitlines()
    assert first == 'Skill "k:a" not found. Available skills: none'
    assert second.startswith("It is there but broken: ")
    assert "missing-name" in second
    assert catalog.activate("k:a").output == str(caught.value)


def test_queries_from_threads() -> None:
    """Queries and changes from several threads at once do no harm."""
    memory = MemoryProvider()
    catalog = Catalog([memory])
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(100):
                memory.put(SkillDef(f"k:{number}-{turn}", "B", "D"))
                assert (
                    catalog.view().skills[f"k:{number}-{turn}"].place.provider == "MemoryProvider"
                )
        except BaseException as error:  # noqa: BLE001 - told by the assert below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(catalog.skills()) == 400


class Astray(Shelf):
    """A provider whose ``get_kit`` is no help."""

    def __init__(self, answer: object, *kits: object) -> None:
        super().__init__(*kits)
        self.answer = answer

    def get_kit(self, name: str):
        """Gives or raises the answer."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_one_kit_is_one_of_all() -> None:
    """Where ``get_kit`` fails or gives another kit, the list counts, as for all kits."""
    mine = kit("a", "z")
    for answer in (kit("b"), KitNotFound("no")):
        catalog = Catalog([Astray(answer, mine)])
        assert [catalog.kit("a")] == catalog.kits()
    for answer in (ValueError("odd"), None):
        catalog = Catalog([Astray(answer, mine)])
        with pytest.warns(SkillWarning, match="the provider Astray failed"):
            assert catalog.kit("a").name == "a"


@pytest.mark.parametrize("what", ["kit", "skill", "agent"])
def test_names_are_text(what: str) -> None:
    """A name that is no text is refused, and the message says what to pass."""
    with pytest.raises(TypeError, match=f"name is \\['a'\\]; pass the {what}'s name as text"):
        getattr(Catalog([]), what)(["a"])


@pytest.mark.parametrize("use", [to_html, token_sizes, skill_wrapper])
def test_a_catalogue_is_no_source(use) -> None:
    """What takes a source names a catalogue by its type, and says how it gives a source."""
    catalog = Catalog([Shelf(kit("b", "x"))])
    with pytest.raises(
        TypeError, match=r"^[^\n]* not Catalog; [^\n]*the method source of a catalogue[^\n]*$"
    ):
        use(catalog)


class Waiting:
    """A provider whose methods are async."""

    async def list_kits(self):
        """Gives no kits."""
        return []

    async def get_kit(self, name):
        """Gives no kit."""


@pytest.mark.filterwarnings("error")
def test_async_provider_is_not_waited_for() -> None:
    """A provider with async methods is a failure that says so, and leaves no coroutine behind."""
    catalog = Catalog([Waiting()])
    told = "its list_kits is async, and is not waited for; write it as a plain method"
    assert catalog.view().failures == (Failure("Waiting", told),)
    with (
        pytest.warns(SkillWarning, match=r"its (get_kit|list_kits) is async"),
        pytest.raises(KitNotFound),
    ):
        catalog.kit("x")
    gc.collect()


def test_a_line_is_said_once(tmp_path: Path) -> None:
    """Of a skip whose detail starts with its line, the line is said once wherever it is told."""
    build(
        tmp_path,
        {
            "kit/skills/a/SKILL.md": "---\njust text\n---\n",
            "kit/skills/b/SKILL.md": skill("b", "Does b."),
        },
    )
    catalog = Catalog([LocalProvider(tmp_path / "kit")])
    with pytest.warns(SkillWarning) as warned:
        (one,) = catalog.kits()
    told = [repr(one), repr(catalog), repr(one.skipped[0]), str(warned[0].message)]
    told += map(html, (one, one.skipped[0], catalog.view()))
    assert [text.count("line 2") for text in told] == [1] * len(told)

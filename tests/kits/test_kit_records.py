"""Kits and agents as records: names, what is required, frozen, JSON-safe."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from skillbook.data_skill import data_info
from skillbook.errors import SkillNotFound
from skillbook.kits.catalog import Catalog
from skillbook.kits.errors import AgentNotFound
from skillbook.kits.memory import SourceProvider
from skillbook.kits.records import Agent, Kit, Survey, ToolExecution
from skillbook.model import Notice, Root, SkillDef, SkillSkip
from skillbook.source import SkillInventory

READ = SkillDef("read", "Read it.", "Reads files.")


@pytest.mark.parametrize(
    ("kit", "given", "full"),
    [
        ("files", "read", "files:read"),
        ("files", "files", "files"),
        ("files", "other:read", "other:read"),
        ("files", "files:read", "files:read"),
        ("files", " read  all ", "files:read all"),
        (" my  files ", "read", "my files:read"),
    ],
)
def test_full_names(kit: str, given: str, full: str) -> None:
    """A skill is named ``kit:skill``; a name with a colon, or the kit's own, stays."""
    made = Kit(kit, [SkillDef(given, "B", "D")])
    assert [skill.name for skill in made.skills] == [full]
    assert made.skills[0].place.kit == " ".join(kit.split())


def test_skills_of_every_kind() -> None:
    """A kit takes data skills, mappings and records of skills alike."""
    info = data_info(SkillDef("seek", "B", "D"))
    kit = Kit("files", [READ, {"name": "write", "content": "B", "description": "D"}, info])
    assert [skill.name for skill in kit.skills] == ["files:read", "files:write", "files:seek"]
    assert [skill.content for skill in kit.skills] == ["Read it.", "B", "B"]
    assert [skill.base for skill in kit.skills] == [
        "skill://files:read/",
        "skill://files:write/",
        "skill://seek/",
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"name": 3}, TypeError, "name of a kit is 3"),
        ({"name": "  "}, ValueError, "name of a kit is blank"),
        ({"name": "a", "skills": READ}, TypeError, "pass a list"),
        ({"name": "a", "skills": "read"}, TypeError, "pass a list"),
        ({"name": "a", "skills": [3]}, TypeError, "a data skill is 3"),
        ({"name": "a", "skills": [SkillDef("", "B", "D")]}, ValueError, "has no name"),
        (
            {"name": "a", "skills": [SkillDef("r", "B")]},
            ValueError,
            "'a:r' of the kit 'a' has no desc",
        ),
        ({"name": "a", "skills": [SkillDef("r", "B", " \n")]}, ValueError, "has no description"),
        ({"name": "a", "agents": ["x"]}, TypeError, "pass an Agent"),
        ({"name": "a", "root_agent": "x"}, TypeError, "pass an Agent"),
    ],
)
def test_wrong_kits(arguments: dict, error: type[Exception], said: str) -> None:
    """A kit needs a name, skills with names and descriptions, and agents that are agents."""
    with pytest.raises(error, match=said):
        Kit(**arguments)


def test_frozen() -> None:
    """A kit and an agent do not change; a copy and a pickled one are equal."""
    kit = Kit("files", [READ], [Agent("a", "D")], Agent("lead", "D"), {"x": 1})
    for record, name in (
        (kit, "name"),
        (kit.agents[0], "name"),
        (ToolExecution(kit.skills[0]), "skill"),
    ):
        with pytest.raises(AttributeError):
            setattr(record, name, "other")
        with pytest.raises(AttributeError):
            delattr(record, name)
    assert copy.deepcopy(kit) == pickle.loads(pickle.dumps(kit)) == kit
    assert hash(copy.copy(kit)) == hash(kit)
    assert kit != Kit("files", [READ])
    assert kit != "files"


def test_lookup_in_a_kit() -> None:
    """A kit gives its skills by full and by short name, and its agents, the root agent too."""
    kit = Kit("files", [READ], [Agent("a", "D")], Agent("lead", "D"))
    assert kit.skill("files:read") is kit.skill("read") is kit.skills[0]
    assert (kit.agent("lead"), kit.agent("a")) == (kit.root_agent, kit.agents[0])
    with pytest.raises(SkillNotFound, match=r'"x" not found. Available skills: files:read'):
        kit.skill("x")
    with pytest.raises(AgentNotFound, match=r'Agent "x" not found. Available agents: a, lead'):
        kit.agent("x")


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"name": "", "description": "D"}, ValueError, "name of the agent '' is blank"),
        ({"name": "a", "description": " "}, ValueError, "description of the agent 'a' is blank"),
        ({"name": None, "description": "D"}, TypeError, "name of an agent is None"),
        ({"name": "a", "description": "D", "capabilities": "read"}, TypeError, "pass a list"),
        ({"name": "a", "description": "D", "capabilities": [5]}, TypeError, "is .5,.; pass a list"),
        ({"name": "a", "description": "D", "capabilities": 5}, TypeError, "is 5; pass a list"),
        ({"name": "a", "description": "D", "model": 5}, TypeError, "model .* is 5; pass text"),
        ({"name": "a", "description": "D", "system_prompt": None}, TypeError, "None; pass text"),
        ({"name": "a", "description": "D", "location": 5}, TypeError, "location .* pass text"),
        ({"name": "a", "description": "D", "metadata": [1]}, TypeError, "pass a mapping"),
    ],
)
def test_wrong_agents(arguments: dict, error: type[Exception], said: str) -> None:
    """An agent needs a name and a description, and nothing in it is of a wrong type."""
    with pytest.raises(error, match=said):
        Agent(**arguments)


def test_repr_of_an_agent() -> None:
    """A repr shows the path as the user typed it, and no surrogate."""
    agent = Agent(
        "a", "D\udcff", "P", ["x"], "m", "/abs/kit/AGENT.md", root=Root("kit", "/abs/kit")
    )
    assert repr(agent) == (
        "Agent(name='a', description='D\\udcff', capabilities=('x',), model='m',"
        " location='kit/AGENT.md')"
    )
    assert "location='')" in repr(Agent("a", "D"))


def test_reprs_are_cut_and_can_be_printed() -> None:
    """Names and texts without measure are cut, and a lone surrogate is none in what is printed."""
    long = "n" * 100_000
    agent = Agent(long, long, capabilities=[long] * 99, model=long)
    kit = Kit(long, [SkillDef(f"\udcff{long}", "B", "D")] * 20, [agent] * 20, agent)
    assert len(repr(agent)) < 1_500
    assert len(repr(kit)) < 50_000
    for shown in (kit, agent, Catalog([SourceProvider(SkillInventory([], [], [], []), long)])):
        assert repr(shown).encode()


def test_metadata_is_json_safe() -> None:
    """What JSON has no form for stands as text, at any depth; the record keeps the value itself."""
    odd = {1: (READ.name, {2.5}), "nan": float("nan"), "s": "\udcff", "in": [{"x": pytest}]}
    kit = Kit("k", metadata=odd, agents=[Agent("a", "D", metadata=odd)])
    told = {"1": ["read", "{2.5}"], "nan": "nan", "s": "\ufffd", "in": [{"x": str(pytest)}]}
    assert kit.to_dict()["metadata"] == told
    assert kit.to_dict()["agents"][0]["metadata"] == told
    assert json.loads(json.dumps(kit.to_dict(), allow_nan=False).encode())["metadata"] == told
    assert kit.metadata["in"] is odd["in"]


class Runner:
    """A handler that knows its kit, as the methods of a kit's class do."""

    kit: Kit | None = None

    def __call__(self, execution: ToolExecution) -> str:
        """Answers."""
        return "ran"


def test_copies_of_a_kit_that_its_handler_knows() -> None:
    """A kit and its skills can be copied and pickled where a handler leads back to the kit."""
    runner = Runner()
    runner.kit = Kit("k", [SkillDef("a", "B", "D", handler=runner)], [Agent("x", "D")])
    for copied in (copy.deepcopy(runner.kit), pickle.loads(pickle.dumps(runner.kit))):
        assert copied == runner.kit
        assert copied is not runner.kit
        assert copied.skills[0].handler.kit is copied
    skill = pickle.loads(pickle.dumps(runner.kit.skills[0]))
    assert (skill.name, skill.handler.kit.skills[0].name) == ("k:a", "k:a")


def test_to_dict() -> None:
    """Kits and agents give mappings that JSON takes, surrogates and all."""
    skip = SkillSkip("/x/\udcff/SKILL.md", "unreadable", "why")
    notice = Notice("/x", "kind", "why")
    agent = Agent("a", "D", "P", ["read"], "small", "/x/\udcff", {"k": [1]})
    kit = Kit("files", [READ], [agent], None, {"x": 1}, skipped=[skip], notices=[notice])
    told = json.loads(json.dumps(kit.to_dict()).encode().decode())
    assert told["skills"][0]["place"] == {
        "kit": "files",
        "provider": "",
        "repository": None,
        "commit": None,
    }
    assert told["agents"][0] == {
        "name": "a",
        "description": "D",
        "system_prompt": "P",
        "capabilities": ["read"],
        "model": "small",
        "location": "/x/\ufffd",
        "metadata": {"k": [1]},
    }
    assert (len(told["skipped"]), len(told["notices"])) == (1, 1)


def test_repr_of_a_kit() -> None:
    """A repr says what a kit holds, and what was skipped, on few lines."""
    kit = Kit(
        "files",
        [READ, SkillDef("write", "B", "D")],
        [Agent("a", "D")],
        Agent("lead", "D"),
        skipped=[SkillSkip("/x/SKILL.md", "missing-name", "no name", 1)],
        notices=[Notice("/x", "kind", "why")],
    )
    assert repr(kit).splitlines() == [
        "<Kit 'files': 2 skills, 2 agents, 1 skipped, 1 notice>",
        "  skills: files:read, files:write",
        "  root agent: lead",
        "  agents: a",
        "  skipped: /x/SKILL.md (missing-name, line 1: no name)",
        "  notices: /x (why)",
    ]
    assert repr(Kit("empty")) == "<Kit 'empty': 0 skills, 0 agents>"
    assert len(repr(Kit("many", [SkillDef(str(n), "B", "D") for n in range(2000)]))) < 300


def test_line_ends_in_paths() -> None:
    """A path with line ends stays on its line."""
    skip = SkillSkip("/x\n  skills: forged\u2028y", "unreadable", "why\nnot")
    assert repr(Kit("a", skipped=[skip])).splitlines()[1:] == [
        "  skipped: /x   skills: forged y (unreadable: why not)"
    ]


def test_survey() -> None:
    """A survey is kits and notices."""
    assert Survey([], []) == ([], [])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"skipped": ["x"]}, "skipped of the kit 'k' holds 'x'; pass SkillSkips"),
        ({"notices": [3]}, "notices of the kit 'k' holds 3; pass Notices"),
        ({"skipped": None}, "skipped of the kit 'k' is None; pass a list of SkillSkips"),
        ({"notices": "x"}, "notices of the kit 'k' is 'x'; pass a list of Notices"),
        ({"skills": 3}, "skills of the kit 'k' is 3; pass a list of skills"),
        ({"agents": None}, "agents of the kit 'k' is None; pass a list of Agents"),
        ({"metadata": [1]}, "metadata of the kit 'k' is [1]; pass a mapping"),
    ],
)
def test_wrong_types(given: dict, said: str) -> None:
    """A kit takes nothing of a wrong type, and says what to pass."""
    with pytest.raises(TypeError) as caught:
        Kit("k", **given)
    assert str(caught.value) == said

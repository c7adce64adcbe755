"""Sources: what may be passed, what wins, what is warned about, and what a source can do."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import skillbook as sb
from skillbook import SkillDef, SkillNotFound, SkillWarning, list_skills, load_skills
from trees import build, skill

PREAMBLE = (
    "Skills provide specialized instructions and workflows for specific tasks.\n"
    "Use the skill tool to load a skill when a task matches its description.\n"
    "\n"
    "## Available Skills\n"
)
REFUND = SkillDef(
    name="refund-policy",
    description="How to refund an order.",
    content="# Refunds\n\nCheck the order's age.\n",
    resources=["templates/email.md", "checklist.md"],
)


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A root with two skills, a and b."""
    return build(
        tmp_path / "pair", {"a/SKILL.md": skill("a", "A."), "b/SKILL.md": skill("b", "B.")}
    )


# --- the issue's own examples, from the repository's root ------------------------------------------------


def test_example_as_written(repository: Path) -> None:
    """The example of the first release runs as it is written there."""

    async def main() -> None:
        source = load_skills("examples/skills")
        assert list(source.skills.keys()) == ["hello-world"]
        info = source.skills["hello-world"]
        assert info.description.startswith("A tiny example skill.")
        assert info.location.endswith("hello-world/SKILL.md")
        assert info.content.lstrip().startswith("# Hello World Skill")
        assert source.tool.name == source.tool.source == "skill"
        assert source.tool.input_schema["required"] == ["name"]
        assert "## Available Skills" in source.prompt()
        assert "- **hello-world**:" in source.prompt()
        res = await source.tool.execute({"name": "hello-world"})
        lines = res.output.splitlines()
        assert lines[0] == '<skill_content name="hello-world">'
        assert lines[1] == "# Skill: hello-world"
        assert lines[-1] == "</skill_content>"
        assert "Base directory for this skill: file://" in res.output
        assert res.output.count("<file>") == 1
        assert res.metadata["name"] == "hello-world"
        assert res.metadata["dir"].endswith("hello-world")
        miss = await source.tool.execute({"name": "nope"})
        assert miss.is_error
        assert miss.output == 'Skill "nope" not found. Available skills: hello-world'

    asyncio.run(main())


def test_example_skill_reads_as_promised(repository: Path) -> None:
    """The example skill has its numbered step and its one sibling."""
    info = load_skills("examples/skills")["hello-world"]
    step = "1. Read `scripts/greet.sh` in this skill's base directory."
    assert step in [line.strip() for line in info.content.splitlines()]
    assert info.files() == ("scripts/greet.sh",)


def test_example_with_data_allowlist_and_limit(repository: Path) -> None:
    """A data skill beside the folder, an allowlist and a limit of one file agree in all texts."""
    source = load_skills(
        "examples/skills", skills=[REFUND], filter={"refund-policy": True}, sample_limit=1
    )
    assert list(source.skills) == ["refund-policy"]
    assert source.prompt() == PREAMBLE + "- **refund-policy**: How to refund an order."
    assert source.tool(name="refund-policy").output == (
        '<skill_content name="refund-policy">\n'
        "# Skill: refund-policy\n"
        "\n"
        "# Refunds\n"
        "\n"
        "Check the order's age.\n"
        "\n"
        "Base directory for this skill: skill://refund-policy/\n"
        "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base"
        " directory.\n"
        "Note: file list is sampled.\n"
        "\n"
        "<skill_files>\n"
        "<file>templates/email.md</file>\n"
        "</skill_files>\n"
        "</skill_content>"
    )
    missing = source.tool(name="hello-world")
    assert missing.output == 'Skill "hello-world" not found. Available skills: refund-policy'
    whole = source.with_sample_limit(0).tool(name="refund-policy").output
    assert whole.count("<file>") == 2


def test_example_with_a_missing_root(repository: Path) -> None:
    """Of two roots of which one is missing the other loads, and one warning names the first."""
    with pytest.warns(SkillWarning, match="no-such-folder") as caught:
        source = load_skills(["examples/no-such-folder", "examples/skills"])
    assert len(caught) == 1
    assert list(source) == ["hello-world"]
    assert [notice.kind for notice in source.notices] == ["missing-root"]


def test_example_without_files(repository: Path) -> None:
    """With ``sample_limit=-1`` the envelope has no file block."""
    res = load_skills("examples/skills", sample_limit=-1).tool(name="hello-world")
    assert "<skill_files>" not in res.output
    assert "Note: file list is sampled." not in res.output
    assert res.output.endswith("relative to this base directory.\n</skill_content>")


def test_example_without_skills() -> None:
    """Without any skills the prompt says so, and the tool exists."""
    source = load_skills()
    assert source.prompt() == "No skills are currently available."
    assert source.tool.name == "skill"
    assert (list(source), source.skipped, source.notices, source.roots) == ([], [], [], [])


# --- what may be passed ---------------------------------------------------------------------------------------


def test_dirs(pair: Path) -> None:
    """Roots are None, one path, or several in any iterable."""
    for dirs in (pair, str(pair), [pair], (str(pair),), iter([pair]), {pair: 1}.keys()):
        assert list(load_skills(dirs)) == ["a", "b"]
    assert list(load_skills(None)) == list(load_skills([])) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dirs": 5}, "5"),
        ({"dirs": b"skills"}, "skills"),
        ({"dirs": [b"skills"]}, "skills"),
        ({"dirs": [None]}, "None"),
        ({"dirs": {"a": 1}}, "a"),
        ({"dirs": SkillDef("a", "b")}, "SkillDef"),
        ({"skills": "pdf"}, "pdf"),
        ({"skills": SkillDef("a", "b")}, "SkillDef"),
        ({"skills": {"name": "a", "content": "b"}}, "name"),
        ({"skills": 5}, "5"),
        ({"skills": [5]}, "5"),
        ({"skills": ["pdf"]}, "pdf"),
        ({"skills": [{"name": 5, "content": "c"}]}, "5"),
        ({"skills": [{"name": "a", "content": None}]}, "None"),
        ({"skills": [{"name": "a", "content": b"c"}]}, "c"),
        ({"skills": [{"name": "a", "content": "c", "description": 5}]}, "5"),
        ({"skills": [{"name": "a", "content": "c", "resources": "x.md"}]}, r"x\.md"),
        ({"skills": [{"name": "a", "content": "c", "resources": [5]}]}, "5"),
        ({"skills": [{"name": "a", "content": "c", "resources": 5}]}, "5"),
        ({"skills": [{"name": "a", "content": "c", "colour": "red"}]}, "colour"),
        ({"provider": [SkillDef("a", "b")]}, "SkillDef"),
        ({"provider": "pdf"}, "pdf"),
    ],
    ids=str,
)
def test_wrong_types(given: dict[str, Any], said: str) -> None:
    """A wrong type from Python code is an error that shows the value found."""
    for function in (load_skills, list_skills):
        with pytest.raises((TypeError, ValueError), match=said):
            function(**given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"filter": ["a"]}, "a"),
        ({"filter": "a"}, "a"),
        ({"filter": {"a": "yes"}}, "yes"),
        ({"filter": {"a": None}}, "None"),
        ({"filter": {5: True}}, "5"),
        ({"sample_limit": "3"}, "3"),
        ({"sample_limit": None}, "None"),
        ({"sample_limit": 1.0}, "1.0"),
    ],
    ids=str,
)
def test_wrong_types_for_loading(given: dict[str, Any], said: str) -> None:
    """A filter or a limit of the wrong type is an error that shows the value found."""
    with pytest.raises((TypeError, ValueError), match=said):
        load_skills(**given)


@pytest.mark.parametrize("limit", [-2, -10, -(2**40)])
def test_wrong_limit(limit: int) -> None:
    """A limit below -1 is a ValueError that says what may be passed."""
    with pytest.raises(ValueError, match=f"{limit}.*-1"):
        load_skills(sample_limit=limit)
    with pytest.raises(ValueError, match=str(limit)):
        load_skills().with_sample_limit(limit)


def test_list_skills_takes_no_filter() -> None:
    """An inventory is what a filter is written from, so it takes none."""
    with pytest.raises(TypeError):
        list_skills(filter={"a": True})  # type: ignore[call-arg]


def test_data_skills_as_mappings() -> None:
    """A data skill may be a mapping with the keys of SkillDef, and its fields are kept."""

    def handler() -> None:
        """Runs the skill."""

    fields = {
        "name": "d",
        "content": "c\r\n",
        "description": "D.",
        "resources": ["x.md"],
        "base": "db://7/",
        "handler": handler,
    }
    by_mapping = load_skills(skills=[fields])["d"]
    by_def = load_skills(skills=[SkillDef(**fields)])["d"]
    assert by_mapping == by_def
    for info in (by_mapping, by_def):
        assert (info.name, info.description, info.content) == ("d", "D.", "c\n")
        assert (info.origin, info.base, info.location) == ("logical", "db://7/", "db://7/")
        assert (info.resources, info.files()) == (("x.md",), ("x.md",))
        assert info.handler is handler
        assert info.root is None


def test_data_skill_from_its_own_mapping() -> None:
    """What a data skill writes of itself makes the same skill again."""
    given = SkillDef("a", "Body.", "D.", ["x.md"], "db://1/")
    assert load_skills(skills=[given.to_dict()])["a"] == load_skills(skills=[given])["a"]
    with pytest.raises(TypeError, match="handler of data skill 'a' is True"):
        load_skills(skills=[SkillDef("a", "Body.", handler=print).to_dict()])


def test_data_skill_without_a_name() -> None:
    """A data skill without a name is a skip, and the others load."""
    inventory = list_skills(
        skills=[SkillDef("", "c"), SkillDef(" ", "c", base="db://1/"), SkillDef("ok", "c", "D.")]
    )
    assert [found.name for found in inventory.skills] == ["ok"]
    assert [(skip.location, skip.reason) for skip in inventory.skipped] == [
        ("skill://", "missing-name"),
        ("db://1/", "missing-name"),
    ]


def test_data_skill_without_a_description() -> None:
    """A data skill without a description loads, carries a warning, and is not in the prompt."""
    source = load_skills(skills=[SkillDef("a", "c"), SkillDef("b", "c", " \n ")])
    assert [info.description for info in source.values()] == [None, None]
    assert [len(info.warnings) for info in source.values()] == [1, 1]
    assert source.prompt() == "No skills are currently available."
    assert not source.tool(name="a").is_error


def test_precedence(pair: Path) -> None:
    """Folders come before data skills, and those before the provider's."""
    skills = [SkillDef("a", "data", "data"), SkillDef("c", "data", "data")]
    later = [SkillDef(name, "late", "late") for name in "abcd"]
    with pytest.warns(SkillWarning) as caught:
        source = load_skills(pair, skills=skills, provider=lambda: later)
    assert len(caught) == 1
    given_back = {name: info.description for name, info in source.items()}
    assert given_back == {"a": "A.", "b": "B.", "c": "data", "d": "late"}
    assert [skip.reason for skip in source.skipped] == ["duplicate-name"] * 4


def test_provider_is_called_once(pair: Path) -> None:
    """The provider is called once a call, and its skills load."""
    calls: list[int] = []

    def provider() -> list[SkillDef]:
        calls.append(1)
        return [SkillDef("p", "c", "P.")]

    assert list(load_skills(pair, provider=provider)) == ["a", "b", "p"]
    assert calls == [1]
    assert [s.name for s in list_skills(provider=provider).skills] == ["p"]
    assert calls == [1, 1]


def raising() -> list[SkillDef]:
    """Raises."""
    msg = "the database is down"
    raise RuntimeError(msg)


def stopping():
    """Gives one skill, then raises."""
    yield SkillDef("p", "c", "P.")
    msg = "the database is down"
    raise RuntimeError(msg)


class MuteError(Exception):
    """An exception that does not even say what it is."""

    def __str__(self) -> str:
        """Raises."""
        raise RuntimeError


def mute() -> list[SkillDef]:
    """Raises an exception whose message raises."""
    raise MuteError


@pytest.mark.parametrize(
    "provider",
    [
        raising,
        stopping,
        mute,
        lambda: None,
        lambda: 5,
        lambda: "pdf",
        lambda: SkillDef("p", "c"),
        lambda: {"name": "p", "content": "c"},
        lambda: [5],
        lambda: ["pdf"],
        lambda: [{"name": 5, "content": "c"}],
        lambda unwanted: [],
    ],
    ids=[
        "raises",
        "stops",
        "mute",
        "none",
        "number",
        "text",
        "one",
        "mapping",
        "[5]",
        "[text]",
        "[5 as name]",
        "args",
    ],
)
def test_failing_provider(pair: Path, provider: Any) -> None:
    """A provider that raises or gives something else is named in one warning; the others load."""
    name = provider.__qualname__
    with pytest.warns(SkillWarning) as caught:
        source = load_skills(pair, skills=[SkillDef("d", "c", "D.")], provider=provider)
    assert len(caught) == 1
    assert name in str(caught[0].message)
    assert {"a", "b", "d"} <= set(source)
    assert [name in notice.detail for notice in source.notices] == [True]


# --- filter -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        (None, "abc"),
        ({}, "abc"),
        ({"a": True}, "a"),
        ({"a": True, "c": True}, "ac"),
        ({"a": True, "b": False}, "a"),
        ({"b": False}, "ac"),
        ({"a": False, "b": False, "c": False}, ""),
    ],
)
def test_filter(tmp_path: Path, chosen, kept: str) -> None:
    """Any True makes an allowlist, only False a drop list; prompt, tool and mapping agree."""
    build(tmp_path, {f"{name}/SKILL.md": skill(name, name.upper()) for name in "abc"})
    source = load_skills(tmp_path, filter=chosen)
    assert "".join(source) == "".join(source.skills) == kept
    lines = [f"- **{name}**: {name.upper()}" for name in kept]
    assert source.prompt() == (
        PREAMBLE + "\n".join(lines) if kept else "No skills are currently available."
    )
    for name in "abc":
        assert source.tool(name=name).is_error == (name not in kept)
        assert (name in source) == (name in kept)
    assert source.tool(name="x").output.endswith(f"Available skills: {', '.join(kept) or 'none'}")


@pytest.mark.parametrize("chosen", [{"ghost": True}, {"ghost": False, "spectre": False}])
def test_unknown_filter_names(pair: Path, chosen: dict[str, bool]) -> None:
    """Unknown names in a filter give one warning that names them."""
    with pytest.warns(SkillWarning) as caught:
        source = load_skills(pair, filter=chosen)
    assert len(caught) == 1
    assert all(name in str(caught[0].message) for name in chosen)
    assert list(source) == ([] if True in chosen.values() else ["a", "b"])


def test_filter_leaves_skips_and_notices(tmp_path: Path) -> None:
    """What was skipped is told whatever the filter keeps."""
    build(tmp_path, {"a/SKILL.md": skill("a"), "b/SKILL.md": "", "c/skill.md": ""})
    source = load_skills(tmp_path, filter={"a": False})
    assert (len(source), len(source.skipped), len(source.notices)) == (0, 1, 1)


# --- warnings --------------------------------------------------------------------------------------------------------


def test_warnings_have_a_fixed_place(tmp_path: Path) -> None:
    """A warning's text is the same wherever the call stands, and it is given on every call."""
    texts = []
    for _ in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default", SkillWarning)
            list_skills(tmp_path / "gone")
            load_skills(tmp_path / "gone")
        assert len(caught) == 2
        texts += [
            warnings.formatwarning(item.message, item.category, item.filename, item.lineno)
            for item in caught
        ]
    assert len(set(texts)) == 1
    assert str(Path(sb.__file__).parent) not in texts[0]
    assert str(Path(__file__)) not in texts[0]


def test_each_kind_is_warned_about_once(tmp_path: Path) -> None:
    """Several missing roots, duplicates and unknown names give one warning of each kind."""
    build(tmp_path, {f"{place}/SKILL.md": skill("twin") for place in "abcd"})
    with pytest.warns(SkillWarning) as caught:
        load_skills(
            [tmp_path / "gone", tmp_path, tmp_path / "gone-too"],
            provider=raising,
            filter={"twin": True, "x": True, "y": True},
        )
    assert len(caught) == 4


def test_many_duplicates_give_a_short_warning(tmp_path: Path) -> None:
    """A warning about many duplicates is cut, with their count."""
    build(tmp_path, {f"s{number}/SKILL.md": skill("twin") for number in range(200)})
    with pytest.warns(SkillWarning) as caught:
        inventory = list_skills(tmp_path)
    assert len(inventory.skipped) == 199
    assert "199" in str(caught[0].message)
    assert len(str(caught[0].message)) < 5000


# --- the prompt ------------------------------------------------------------------------------------------------------


def test_prompt_is_sorted_by_name() -> None:
    """The prompt is sorted by name in code point order, whatever the order of discovery."""
    names = ["b", "a", "é", "B", "_", "a-b", "a b"]
    source = load_skills(skills=[SkillDef(name, "", "D.") for name in names])
    right = "\n".join(f"- **{name}**: D." for name in ["B", "_", "a", "a b", "a-b", "b", "é"])
    assert source.prompt() == source.prompt("markdown") == PREAMBLE + right
    assert list(source) == names


def test_prompt_keeps_letters() -> None:
    """Braces, brackets, markup and dollar signs of a description stay as they are."""
    text = "Fills {tide}, {{x}}, <service> & $1 [/bold] **b** `c` \\n 'q' \"q\" %s."
    assert load_skills(skills=[SkillDef("a", "", text)]).prompt() == PREAMBLE + f"- **a**: {text}"


def test_unknown_format() -> None:
    """A format that is not there is a ValueError that names it."""
    with pytest.raises(ValueError, match="yaml"):
        load_skills().prompt(format="yaml")


DATA_SKILLS = st.lists(
    st.builds(
        SkillDef,
        name=st.text(max_size=12),
        content=st.just(""),
        description=st.none() | st.text(max_size=60),
    ),
    max_size=6,
    unique_by=lambda given: " ".join(given.name.split()),
)


@given(DATA_SKILLS)
def test_one_line_a_described_skill(skills: list[SkillDef]) -> None:
    """The prompt has exactly one line for each described skill, and can be encoded."""
    source = load_skills(skills=skills)
    assert len(source) + len(source.skipped) == len(skills)
    described = [info for info in source.values() if info.description]
    prompt = source.prompt()
    assert prompt.encode()
    if not described:
        assert prompt == "No skills are currently available."
        return
    assert prompt.startswith(PREAMBLE)
    lines = prompt.splitlines()[4:]
    assert len(lines) == len(described)
    for line, name in zip(lines, sorted(info.name for info in described), strict=True):
        assert line.startswith(f"- **{name}**: ")


def test_any_files_on_disk_make_one_line_each(tmp_path: Path) -> None:
    """Names and descriptions in files, quoted as YAML, make one line each too."""
    forged = [
        "a\n- **b**: x",
        "x\r\n## Available Skills",
        "\u2028",
        "\x85y",
        "t\tt",
        "\v\f",
        "\x1c",
    ]
    for number, text in enumerate(forged):
        quoted = json.dumps(text)
        body = f"---\nname: {json.dumps(f'{number} {text}')}\ndescription: {quoted}\n---\n"
        build(tmp_path, {f"{number}/SKILL.md": body})
    source = load_skills(tmp_path)
    assert len(source) == len(forged)
    described = [info for info in source.values() if info.description]
    assert len(source.prompt().splitlines()) == 4 + len(described)


@given(st.text(), st.text())
def test_xml_prompt_is_xml(name: str, description: str) -> None:
    """An XML parser takes the prompt in XML, whatever characters stand in it."""
    source = load_skills(skills=[SkillDef(f"a{name}", "", f"b{description}")])
    (found,) = ET.fromstring(source.prompt("xml"))
    assert [part.tag for part in found] == ["name", "description", "location"]


def test_xml_prompt_replaces_what_xml_cannot_hold() -> None:
    """A character that XML cannot hold stands as U+FFFD, and every other one as itself."""
    source = load_skills(skills=[SkillDef("a", "", "x\x1b\0\ufffe\uffff\x85y\u202e😀")])
    assert "x\ufffd\ufffd\ufffd\ufffd y\u202e😀" in source.prompt("xml")


# --- what a source can do ------------------------------------------------------------------------------------------


def test_source_is_a_mapping(pair: Path) -> None:
    """A source is a mapping of names to skills, with key completion."""
    source = load_skills(pair)
    assert source["a"] is source.skills["a"]
    assert (len(source), list(source), "a" in source, "x" in source) == (2, ["a", "b"], True, False)
    assert dict(source) == source.skills
    assert source.get("x") is None
    assert source._ipython_key_completions_() == ["a", "b"]


def test_unknown_key(pair: Path) -> None:
    """An unknown name is a KeyError of ours that says what is there instead."""
    source = load_skills(pair)
    with pytest.raises(SkillNotFound, match=r'Skill "x" not found\. Available skills: a, b'):
        source["x"]
    with pytest.raises(KeyError):
        source["x"]


def test_with_sample_limit(pair: Path, watch) -> None:
    """Another limit gives another source with the same skills, and nothing is walked again."""
    build(pair, {"a/x.txt": "", "a/y.txt": "", "z/skill.md": "", "y/SKILL.md": ""})
    source = load_skills(pair, filter={"a": True})
    watch.opened.clear()
    watch.walked.clear()
    other = source.with_sample_limit(1)
    assert [path for path in watch.opened + watch.walked if path.startswith(str(pair))] == []
    assert (source.sample_limit, other.sample_limit) == (0, 1)
    assert other.skills == source.skills
    assert (other.skipped, other.notices) == (source.skipped, source.notices)
    assert (other.roots, other.filter) == (source.roots, source.filter)
    assert source.tool(name="a").output.count("<file>") == 2
    assert other.tool(name="a").output.count("<file>") == 1
    assert other.tool(name="b").is_error


def test_edit_shows_at_once(pair: Path) -> None:
    """The body is read when it is asked for, and no body is kept."""
    source = load_skills(pair)
    assert source["a"].content == "Body.\n"
    build(pair, {"a/SKILL.md": skill("a", body="New.\n")})
    assert source["a"].content == "New.\n"
    assert "\nNew.\n" in source.tool(name="a").output


def test_listing_reads_no_body(pair: Path, bytes_read: list[int]) -> None:
    """A listing reads the head of a file and not what follows."""
    build(pair, {"a/SKILL.md": skill("a", body="x" * 3_000_000)})
    load_skills(pair)
    assert 0 < sum(bytes_read) < 50_000


def test_to_dict(pair: Path) -> None:
    """Source and inventory as mappings go through JSON and hold skills, skips, notices, roots."""
    build(pair, {"c/SKILL.md": "---\nname: [x\n---\n", "d/skill.md": ""})
    source, inventory = load_skills(pair), list_skills(pair)
    for thing in (source, inventory):
        data = thing.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert [item["name"] for item in data["skills"]] == ["a", "b"]
        assert [item["description"] for item in data["skills"]] == ["A.", "B."]
        assert [item["location"] for item in data["skills"]] == [
            str(pair / name / "SKILL.md") for name in "ab"
        ]
        assert [item["origin"] for item in data["skills"]] == ["fs", "fs"]
        assert [item["root"] for item in data["skills"]] == [str(pair)] * 2
        assert [item["warnings"] for item in data["skills"]] == [[], []]
        assert [item["reason"] for item in data["skipped"]] == ["malformed-frontmatter"]
        assert [item["kind"] for item in data["notices"]] == ["wrong-case"]
        assert data["roots"] == [str(pair)]


def test_to_pandas(pair: Path) -> None:
    """Source and inventory as tables have a row for each skill and each skip."""
    pandas = pytest.importorskip("pandas")
    build(pair, {"c/SKILL.md": "---\nname: [x\n---\n", "d/SKILL.md": "---\nname: d\n---\n"})
    for thing in (load_skills(pair), list_skills(pair)):
        table = thing.to_pandas()
        assert isinstance(table, pandas.DataFrame)
        assert {"name", "description", "location", "origin", "root", "warnings"} <= set(table)
        assert [name for name in table["name"] if isinstance(name, str)] == ["a", "b", "d"]
        assert len(table) == 4
        assert "malformed-frontmatter" in set(table["skip_reason"])
    empty = load_skills().to_pandas()
    assert (len(empty), "name" in empty) == (0, True)


def test_to_pandas_without_pandas(pair: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pandas the error says which library to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    for thing in (load_skills(pair), list_skills(pair)):
        with pytest.raises(sb.MissingDependency, match="pandas"):
            thing.to_pandas()


def test_reprs_say_the_facts(pair: Path) -> None:
    """The repr of source and inventory names skills, skips and notices, without an address."""
    build(pair, {"c/SKILL.md": "", "d/skill.md": ""})
    for thing in (load_skills(pair), list_skills(pair)):
        text = repr(thing)
        assert "2 skills" in text
        assert "1 skipped" in text
        assert "missing-name" in text
        assert "1 notice" in text
        assert "0x" not in text


@pytest.mark.parametrize("acting", ["\x1b[2J", "\x9b2J", "\u202e", "\U000e0041", "\x08"])
def test_reprs_do_not_act_on_a_terminal(tmp_path: Path, acting: str) -> None:
    """What a stranger wrote, or called a file, acts on no terminal when a record is written there."""
    text = json.dumps(f"a{acting}b")
    build(
        tmp_path,
        {
            f"s{acting}/SKILL.md": f"---\nname: {text}\ndescription: {text}\n---\n",
            f"t{acting}/SKILL.md": f"---\nname: {text}\n---\n",
            f"u{acting}/skill.md": "",
        },
    )
    with pytest.warns(SkillWarning) as caught:
        source = load_skills(tmp_path)
    (name,) = source
    shown = [repr(source), repr(source[name]), repr(source.skipped[0]), repr(source.notices[0])]
    shown += [repr(source.tool(name="x")), repr(SkillDef(name, "", name))]
    shown += [str(caught[0].message)]
    assert [acting in text for text in shown] == [False] * 7
    assert acting in source.prompt()
    code = f"[U+{ord(acting[0]):04X}]"
    assert [code in text for text in shown[2:5]] == [True] * 3


def test_same_input_gives_the_same(pair: Path) -> None:
    """Two loads of one tree give equal skills, prompts and results."""
    one, two = load_skills(pair), load_skills(pair)
    assert one.skills == two.skills
    assert one.prompt() == two.prompt()
    assert repr(one) == repr(two)
    assert one.tool(name="a") == two.tool(name="a")


# --- default roots ------------------------------------------------------------------------------------------------


def test_default_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders where agents keep skills are those that exist, the project's before the home's."""
    build(
        tmp_path,
        {
            "project/.claude/skills/a/SKILL.md": skill("a"),
            "home/.agents/skills/b/SKILL.md": skill("b"),
            "home/.claude/skills/a/SKILL.md": skill("a"),
        },
    )
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    roots = sb.default_roots()
    assert roots == [
        tmp_path / "project/.claude/skills",
        tmp_path / "home/.agents/skills",
        tmp_path / "home/.claude/skills",
    ]
    assert all(isinstance(root, Path) for root in roots)


def test_no_default_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no agent keeps skills there are no default roots, and a file of that name is none."""
    build(tmp_path, {".claude/skills": "a file"})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert sb.default_roots() == []


def test_default_roots_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the home folder itself each folder stands once."""
    build(tmp_path, {".agents/skills/a/SKILL.md": skill("a")})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert sb.default_roots() == [tmp_path / ".agents/skills"]


async def _waited() -> list[SkillDef]:
    return [REFUND]


async def _one_by_one():
    yield REFUND


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("provider", "said"),
    [
        (_waited, "it is async, and is not waited for"),
        (_one_by_one, "it is async, and is not waited for"),
        (object, "what it gave is of type object; pass a list"),
    ],
)
def test_provider_that_gives_no_list(provider: Any, said: str) -> None:
    """An async provider is not waited for, and no address stands in what is told of one."""
    with pytest.warns(SkillWarning, match=said):
        (notice,) = load_skills(provider=provider).notices
    assert said in notice.detail
    assert " at 0x" not in notice.detail
    gc.collect()

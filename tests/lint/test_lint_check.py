"""``check``: what it takes, which rules run, what a report holds, users' own rules."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook import Catalog, Kit, LocalProvider, SkillDef, SkillWarning, list_skills, load_skills
from skillbook.errors import SkillNotFound
from skillbook.lint import rule as hook
from skillbook.lint.catalogue import near_pairs
from skillbook.lint.checker import MOST_OF_A_RULE, check
from skillbook.lint.finding import Finding
from skillbook.lint.gather import gather
from skillbook.lint.rule import forget, rule
from trees import build, skill

GOOD = "Reads tide tables. Use when the user asks for the tide."
TEXT = skill("tide", GOOD)


def rules(report: object) -> list[str]:
    """Returns the ids of what was found, in order."""
    return [each.rule for each in report]


# --- what it takes -------------------------------------------------------------------------------


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, a file and a root with many give paths as the user typed them."""
    build(
        tmp_path,
        {
            "skills/a/SKILL.md": skill("b", GOOD),
            "skills/c/SKILL.md": skill("d", "Does it. Use if asked."),
        },
    )
    monkeypatch.chdir(tmp_path)
    assert [each.path for each in check("skills")] == ["skills/a/SKILL.md", "skills/c/SKILL.md"]
    assert [each.path for each in check("skills/a")] == ["skills/a/SKILL.md"]
    assert [each.path for each in check(Path("skills/a/SKILL.md"))] == ["skills/a/SKILL.md"]
    assert check("skills").checked == ("skills/a/SKILL.md", "skills/c/SKILL.md")
    assert check(["skills/a", "skills/a/SKILL.md"]).checked == ("skills/a/SKILL.md",)


def test_text(tmp_path: Path) -> None:
    """A str with a line end is a text; with a folder, the rules about files run too."""
    assert rules(check(TEXT)) == []
    assert rules(check(TEXT, folder=tmp_path / "tide")) == []
    assert rules(check(TEXT, folder=tmp_path / "ebb")) == ["SB116"]
    assert check(TEXT, folder="some/ebb").findings[0].path == "some/ebb/SKILL.md"
    assert not (tmp_path / "ebb").exists()


def test_text_with_carriage_returns_alone() -> None:
    """Old line ends make a text too, with the right lines."""
    report = check(skill("Tide", GOOD).replace("\n", "\r"))
    assert [(each.rule, each.line, each.column) for each in report] == [("SB113", 2, 7)]


def test_records(tmp_path: Path) -> None:
    """A skill, a source and an inventory are checked by their files, with what was skipped."""
    build(tmp_path, {"a/SKILL.md": skill("a", "Does it."), "b/SKILL.md": "no front matter\n"})
    inventory = list_skills(tmp_path)
    assert rules(check(inventory.skills[0])) == ["SB401"]
    assert rules(check(inventory)) == ["SB401", "SB104"]
    assert rules(check(load_skills(tmp_path))) == ["SB401", "SB104"]


def test_skipped_agents_are_no_skills(tmp_path: Path) -> None:
    """Of what a kit skips, only files called SKILL.md are checked: an agent's file is none."""
    root = build(
        tmp_path,
        {
            "kit/skills/tide/SKILL.md": skill("tide", GOOD),
            "kit/skills/kelp/SKILL.md": "---\ndescription: No name.\n---\nBody.\n",
            "kit/agents/x.md": "---\nname: x\n---\n",
        },
    )
    with pytest.warns(SkillWarning):
        source = Catalog([LocalProvider(root / "kit")]).source()
    assert [os.path.basename(skip.location) for skip in source.skipped] == ["SKILL.md", "x.md"]
    report = check(source)
    assert [path.removeprefix(str(tmp_path)) for path in report.checked] == [
        "/kit/skills/kelp/SKILL.md",
        "/kit/skills/tide/SKILL.md",
    ]


def test_data_skill_with_characters_that_yaml_refuses() -> None:
    """A data skill's text may hold what stands in YAML by an escape alone."""
    told = f"{GOOD} A\x7fB\x85C\ufeff"
    source = load_skills(skills=[SkillDef("tide", "# Tides\n", description=told)])
    assert "SB107" not in rules(check(source))
    assert gather(source).documents[0].fields["description"].text == told


def test_data_skill() -> None:
    """A data skill is checked as the SKILL.md that it would be."""
    given = SkillDef("Refund Policy", "# Refunds\n", description="Tells: how. Use when asked.")
    report = check(list_skills(skills=[given]))
    assert rules(report) == ["SB113", "SB114"]
    assert report.checked == ("skill://Refund Policy/",)


def test_edit_shows_at_once(tmp_path: Path) -> None:
    """A record is checked as its file is now."""
    build(tmp_path, {"a/SKILL.md": skill("a", GOOD)})
    (info,) = list_skills(tmp_path).skills
    (tmp_path / "a" / "SKILL.md").write_text(skill("b", GOOD))
    assert rules(check(info)) == ["SB116"]
    (tmp_path / "a" / "SKILL.md").unlink()
    assert [each.message for each in check(info)] == ["the file cannot be read: it does not exist"]


def test_missing_path(tmp_path: Path) -> None:
    """A path that is not there is an error that says what a text would be."""
    with pytest.raises(SkillNotFound, match="gone does not exist; pass a folder or a SKILL"):
        check(tmp_path / "gone")
    with pytest.raises(SkillNotFound, match="a text to check holds a line end"):
        check("name: x")


def test_wrong_arguments(tmp_path: Path) -> None:
    """What can be no skill is refused, with what to pass."""
    (tmp_path / "a.py").write_text("1\n")
    with pytest.raises(ValueError, match="no Markdown file; pass a SKILL"):
        check(tmp_path / "a.py")
    with pytest.raises(ValueError, match="is no path; pass"):
        check("")
    with pytest.raises(TypeError, match=r"check takes a path, a text .*, not int"):
        check(3)
    with pytest.raises(TypeError, match="folder goes with a text only"):
        check(tmp_path, folder=tmp_path)


def test_unreadable(open_folder: Path, ordinary_user: object) -> None:
    """A file and a folder that may not be read are said, and the others are checked."""
    build(
        open_folder,
        {
            "a/SKILL.md": skill("a", GOOD),
            "b/SKILL.md": skill("b", GOOD),
            "c/SKILL.md": skill("d", "X. Use if."),
        },
    )
    (open_folder / "a" / "SKILL.md").chmod(0)
    (open_folder / "b").chmod(0)
    with ordinary_user():
        report = check(open_folder)
    (open_folder / "b").chmod(0o755)
    assert [each.rule for each in report.errors] == ["SB109", "SB116"]
    assert report.errors[0].message == "the file cannot be read: reading it is not permitted"
    assert [notice.kind for notice in report.notices] == ["unreadable-folder"]
    assert "this folder cannot be read" in report.to_text()


def test_pipe_is_never_opened(tmp_path: Path) -> None:
    """A named pipe called SKILL.md is an error, not a hang."""
    build(tmp_path, {}, setup=[{"op": "mkdir", "path": "a"}, {"op": "fifo", "path": "a/SKILL.md"}])
    (error,) = check(tmp_path).errors
    assert (error.rule, error.message) == (
        "SB109",
        "the file cannot be read: it is a named pipe, not a file",
    )


def test_utf_16(tmp_path: Path) -> None:
    """A file in UTF-16 is named as such."""
    build(tmp_path, {"a/SKILL.md": TEXT.encode("utf-16")})
    assert ["UTF-16" in each.message for each in check(tmp_path).errors] == [True]


def test_nothing_outside_is_opened(tmp_path: Path, watch: object) -> None:
    """A link in a skill's folder that leads out of it is not opened."""
    build(
        tmp_path,
        {
            "secret/key.sh": "echo $1\n",
            "skills/a/SKILL.md": skill("a", GOOD, "Run scripts/x.sh and read notes/y.md.\n"),
            "skills/a/scripts/x.sh": {"link": "../../../secret/key.sh"},
            "skills/a/notes": {"link": "../../secret"},
        },
    )
    watch.opened.clear()  # building it opened files too
    check(tmp_path / "skills")
    assert [path for path in watch.opened + watch.walked if "secret" in path] == []


def test_a_megabyte_of_body_is_looked_at_in_part() -> None:
    """A very long body is parsed in part, and the finding says so."""
    report = check(skill("tide", GOOD, "word\n" * 100_000))
    (tokens,) = (each for each in report if each.rule == "SB203")
    assert tokens.message.endswith("(other rules looked at its first 100,000 characters)")


# --- which rules run -----------------------------------------------------------------------------

BAD = skill("Tide", "Reads tides.", "See [x](/y).\n")


def test_select_and_ignore() -> None:
    """Rules are chosen by their ids, or by how they begin."""
    assert rules(check(BAD)) == ["SB113", "SB401", "SB304"]
    assert rules(check(BAD, select="SB4")) == ["SB401"]
    assert rules(check(BAD, select=["SB113", "SB3"])) == ["SB113", "SB304"]
    assert rules(check(BAD, select="SB1, SB4", ignore="SB401")) == ["SB113"]
    assert rules(check(BAD, ignore=["SB113", "SB4", "SB3"])) == []


def test_unknown_id() -> None:
    """An id that no rule has is refused, with one that is near."""
    with pytest.raises(ValueError, match="no rule is called 'SB931'; is SB313 meant"):
        check(BAD, ignore=["SB931"])
    with pytest.raises(TypeError, match="a rule's id is 3"):
        check(BAD, select=[3])


def test_front_matter_leaves_rules_out() -> None:
    """A skill leaves rules out for itself, and the report counts what it left out."""
    head = "---\nname: tide\ndescription: Reads tides.\nmetadata:\n  skillbook-ignore: %s\n---\n[x](/y)\n"
    report = check(head % '"SB401 SB304"')
    assert (rules(report), report.suppressed) == ([], 2)
    assert "2 findings left out by front matter" in report.summary
    assert rules(check(head % "SB401, SB303")) == ["SB304"]


def test_front_matter_leaves_out_rules_about_a_set(tmp_path: Path) -> None:
    """Rules about several skills are left out by the skill that they would be said of."""
    second = skill("ebb", GOOD).replace(
        "---\nBody", "metadata:\n  skillbook-ignore: SB404\n---\nBody"
    )
    build(tmp_path, {"a/tide/SKILL.md": TEXT, "b/ebb/SKILL.md": second})
    report = check(tmp_path)
    assert (rules(report), report.suppressed) == ([], 1)


def test_order(tmp_path: Path) -> None:
    """Findings are in order of path, line and column, the same in every run."""
    build(tmp_path, {"b/SKILL.md": BAD, "a/SKILL.md": BAD})
    found = [(each.path, each.line or 0, each.column or 0) for each in check(tmp_path)]
    assert found == sorted(found)
    assert check(tmp_path) == check(tmp_path)


def test_many_of_one_rule() -> None:
    """Of very many findings of one rule in a file, the last that is held counts the others."""
    report = check(skill("tide", GOOD, "a\u202eb\n" * 250), select="SB502")
    assert len(report) == MOST_OF_A_RULE
    assert report.findings[-1].message.endswith("(and 150 more of SB502 in this file)")


# --- users' own rules ----------------------------------------------------------------------------


@pytest.fixture
def own() -> object:
    """Registers rules and takes them out again."""
    made = []

    def register(name: str, **given: object) -> object:
        made.append(name)
        return rule(name, "warning", "The skill names its owner.", **given)

    yield register
    for name in dict.fromkeys(made):
        forget(name)


def test_own_rule(own: object) -> None:
    """A rule of the user's runs with the others, and can be selected, ignored and left out."""

    @own("TEAM001")
    def names_owner(document):
        if "owner" not in (document.meta.get("metadata") or {}):
            yield document.say_field("name", "no owner is named; add it to metadata")

    (finding,) = check(TEXT)
    assert (finding.rule, finding.severity, finding.line, finding.text) == (
        "TEAM001",
        "warning",
        2,
        "tide",
    )
    assert rules(check(TEXT, select="TEAM")) == ["TEAM001"]
    assert rules(check(TEXT, ignore=["TEAM001"])) == []
    owned = TEXT.replace("---\nBody", "metadata:\n  owner: crew\n---\nBody")
    assert rules(check(owned)) == []


def test_own_rule_again(own: object) -> None:
    """A cell that registers a rule runs twice without doubling it."""
    for message in ("one", "two"):
        own("TEAM001")(lambda document, message=message: [document.say(message)])
    assert [each.message for each in check(TEXT)] == ["two"]


def test_own_rule_about_a_set_and_files(own: object, tmp_path: Path) -> None:
    """A rule can look at all skills at once, and speak of other files and of the whole text."""
    build(tmp_path, {"tide/SKILL.md": TEXT, "tide/LICENSE": "MIT\n"})
    own("TEAM001", needs="set")(lambda documents: [documents[0].say(f"{len(documents)} here")])
    own("TEAM002", needs="folder")(
        lambda document: [document.say_file("LICENSE", "old", line=1, text="MIT")]
    )
    found = [(each.message, Path(each.path).name, each.line, each.text) for each in check(tmp_path)]
    assert found == [("old", "LICENSE", 1, "MIT"), ("1 here", "SKILL.md", None, "")]


def test_own_rule_that_fails(own: object) -> None:
    """What a user's rule raises names the rule and the file."""
    own("TEAM001")(lambda document: document.nothing_like_it)
    with pytest.raises(AttributeError) as caught:
        check(TEXT)
    assert caught.value.__notes__ == ["raised by the rule TEAM001 on SKILL.md"]


@pytest.mark.parametrize("given", [None, 3, ["text"], "text"])
def test_own_rule_that_gives_something_else(own: object, given: object) -> None:
    """A rule that gives what is no remark is told what to yield, and named."""
    own("TEAM001")(lambda document: given)
    with pytest.raises(TypeError, match=r"a rule gave .*; yield what say, say_field or say_file"):
        check(TEXT)


def test_rule_that_is_no_function() -> None:
    """An id that is no text and a rule that is no function are refused."""
    with pytest.raises(ValueError, match="3 is no rule id"):
        rule(3, "warning", "It holds.")
    with pytest.raises(TypeError, match="put @rule"):
        rule("TEAM001", "warning", "It holds.")(3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("team1", "warning", "It holds."), "no rule id"),
        (("TEAM001", "bad", "It holds."), "severity is 'bad'"),
        (("TEAM001", "warning", " "), "the documentation of rule TEAM001"),
        (("TEAM001", "warning", "It\nholds."), "the documentation of rule TEAM001"),
    ],
)
def test_wrong_rule(given: tuple[str, str, str], said: str) -> None:
    """A rule without a proper id, severity or documentation is refused."""
    with pytest.raises(ValueError, match=said):
        rule(*given)
    with pytest.raises(ValueError, match="needs is 'air'"):
        rule("TEAM001", "warning", "It holds.", needs="air")


def test_reserved_ids() -> None:
    """Skillbook's own ids can neither be taken nor forgotten."""
    with pytest.raises(ValueError, match="SB301 is one of skillbook's own ids"):
        rule("SB301", "warning", "It holds.")(lambda document: [])
    with pytest.raises(KeyError, match="switch it off with ignore"):
        forget("SB301")
    with pytest.raises(KeyError):
        forget("TEAM009")


def test_rule_as_a_mapping() -> None:
    """A rule is a record that can be written out."""
    assert hook.registered()[0].to_dict() == {
        "id": "SB101",
        "severity": "error",
        "doc": "The folder holds a SKILL.md.",
    }


# --- near descriptions ---------------------------------------------------------------------------


def test_near_pairs_are_those_of_every_comparison() -> None:
    """Comparing by rare words finds the first near set of each, as comparing all would."""
    sets = [frozenset(f"{word}{n // 4}" for word in "abcdefghij"[: 9 + n % 2]) for n in range(40)]
    assert [(two, round(share, 2)) for _, two, share in near_pairs(sets)] == [
        (n, 0.9 if n % 2 else 1.0) for n in range(40) if n % 4
    ]


def test_many_alike_are_quick() -> None:
    """Two thousand descriptions of one form are compared in a moment."""
    words = [f"w{n}" for n in range(20)]
    sets = [frozenset((*words, f"x{n}")) for n in range(2000)]
    start = time.process_time()
    assert len(near_pairs(sets)) == 1999
    assert time.process_time() - start < 2


# --- what the specification allows ---------------------------------------------------------------

LETTERS = "abcdefghijklmnopqrstuvwxyzéßñ潮汐0123456789"
NAMES = st.lists(st.text(LETTERS, min_size=1, max_size=8), min_size=1, max_size=6).map("-".join)
PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1)
VALUES = PLAIN.filter(str.strip)
KEYS = PLAIN.map(lambda text: text[:100])  # YAML takes a key of 1,024, counted as it is written


@given(
    name=NAMES,
    description=VALUES.map(lambda text: text[:1024]),
    fields=st.fixed_dictionaries(
        {},
        optional={
            "license": VALUES,
            "compatibility": VALUES.map(lambda text: text[:500]),
            "metadata": st.dictionaries(KEYS, PLAIN | st.just("")),
            "allowed-tools": VALUES | st.lists(VALUES, max_size=3),
        },
    ),
    body=st.text(max_size=200),
)
def test_what_the_specification_allows(
    name: str, description: str, fields: dict[str, object], body: str
) -> None:
    """No finding is an error on a skill that the specification allows."""
    if not description.strip() or not str(fields.get("compatibility", "x")).strip():
        return  # cutting left white space alone
    block = "".join(
        f"{json.dumps(key)}: {json.dumps(value)}\n"
        for key, value in {"name": name, "description": description, **fields}.items()
    )
    report = check(f"---\n{block}---\n{body}", folder=f"nowhere/{name}")
    assert report.errors == ()


@pytest.mark.corpus
def test_real_skills(corpus: Path) -> None:
    """Of 374 real skills, those against the specification are five; the check takes five seconds."""
    start = time.process_time()
    report = check(corpus)
    taken = time.process_time() - start
    assert len(report.checked) == 374
    errors = {Path(each.path).parent.name: each.rule for each in report.errors}
    assert errors == {
        "database-lookup": "SB122",
        "firebase-data-connect-basics": "SB116",
        "markdown-mermaid-writing": "SB142",
        "postgresql": "SB116",
        "rowan": "SB142",
    }
    assert taken < 5


def test_finding_is_what_it_says(tmp_path: Path) -> None:
    """A finding holds rule, severity, path, line, column, text, message and fix."""
    (finding,) = check("---\nname: tide\ndescription: a: b\n---\nBody.\n", select="SB107")
    assert isinstance(finding, Finding)
    assert finding.to_dict() == {
        "rule": "SB107",
        "severity": "error",
        "path": "SKILL.md",
        "line": 3,
        "column": 14,
        "length": 4,
        "text": "a: b",
        "message": "this is not valid YAML: a value holds a colon and a space, which YAML reads as a new"
        " field (put the value in double quotes)",
        "fix": "put the value in double quotes",
    }


def test_rule_without_a_module() -> None:
    """A callable whose module is not known is a user's rule as any other."""

    def says(document):
        return [document.say("seen")]

    says.__module__ = None
    try:
        rule("TEAM009", "note", "It is seen.")(says)
        assert rules(check(TEXT, select="TEAM009")) == ["TEAM009"]
    finally:
        forget("TEAM009")


def test_data_skill_of_a_kit() -> None:
    """A data skill in a kit is judged by the name that its author gave it."""

    class Shelf:
        def list_kits(self) -> list[Kit]:
            return [Kit("team", [SkillDef("tide", "# Tide\n\nRead.\n", GOOD)])]

    source = Catalog([Shelf()]).source()
    assert list(source) == ["team:tide"]
    assert rules(check(source)) == []


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('"""Usage: a.py <x>"""\nimport sys\nprint(sys.argv[1])\n', ["SB309"]),
        ("# Usage: a.py <x>\nimport sys\nprint(sys.argv[1])\n", []),
        ("# Usage: a.py\nimport sys\nprint(sys.argv)\n", []),
        ('"""Usage: a.py <x>"""\nimport sys\nsys.argv[1:] or sys.exit(__doc__)\n', []),
        ("import argparse, sys\nargparse.ArgumentParser().parse_args(sys.argv[1:])\n", []),
        ("import sys\n# its usage is plain\nprint(sys.argv[1])\n", ["SB309"]),
    ],
)
def test_usage_that_the_wrapper_reads(tmp_path: Path, head: str, found: list[str]) -> None:
    """A script says how it is called in the comment that the wrapper reads, or when it is run."""
    build(tmp_path, {"tide/SKILL.md": TEXT, "tide/scripts/a.py": head})
    assert rules(check(tmp_path / "tide", select="SB309")) == found

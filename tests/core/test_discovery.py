"""The walk over roots: what is found, in which order, what yields, what is said instead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from skillbook import SkillWarning, list_skills
from trees import build, skill


def names(inventory) -> list[str]:
    """Returns the names of the skills found, in order."""
    return [found.name for found in inventory.skills]


def skips(inventory, root: Path) -> list[tuple[str, str]]:
    """Returns path (relative to ``root``) and reason of each skip, in order."""
    return [(os.path.relpath(skip.location, root), skip.reason) for skip in inventory.skipped]


def noticed(inventory, path: Path) -> list[str]:
    """Returns the details of the notices about ``path``."""
    return [notice.detail for notice in inventory.notices if notice.location == str(path)]


# --- order ----------------------------------------------------------------------------------------


def test_order_is_by_depth_then_path(tmp_path: Path) -> None:
    """Within a root skills come by depth, then by path in code point order."""
    places = ["z", "b/x", "B", "a/b/c", "a", "b-x/y", "b/a", "é", "_"]
    build(tmp_path, {f"{place}/SKILL.md": skill(place) for place in places})
    expected = ["B", "_", "a", "z", "é", "b-x/y", "b/a", "b/x", "a/b/c"]
    assert names(list_skills(tmp_path)) == expected


def test_order_does_not_depend_on_the_disk(tmp_path: Path) -> None:
    """Two trees with the same files, made in another order, give the same order."""
    places = [f"s{number:02d}" for number in range(30)]
    build(tmp_path / "one", {f"{place}/SKILL.md": skill(place) for place in places})
    build(tmp_path / "two", {f"{place}/SKILL.md": skill(place) for place in reversed(places)})
    assert names(list_skills(tmp_path / "one")) == names(list_skills(tmp_path / "two")) == places


def test_roots_keep_their_order(tmp_path: Path) -> None:
    """Roots are walked in the order given, whatever their names and depths."""
    build(tmp_path, {"b/deep/x/SKILL.md": skill("first"), "a/SKILL.md": skill("second")})
    assert names(list_skills([tmp_path / "b", tmp_path / "a"])) == ["first", "second"]


def test_skips_keep_the_order(tmp_path: Path) -> None:
    """Skips stand in the order in which their files were met."""
    build(
        tmp_path,
        {"c/SKILL.md": "x", "a/SKILL.md": "---\n", "b/SKILL.md": skill("b"), "a/a/SKILL.md": ""},
    )
    assert skips(list_skills(tmp_path), tmp_path) == [
        ("a/SKILL.md", "malformed-frontmatter"),
        ("c/SKILL.md", "missing-name"),
        ("a/a/SKILL.md", "missing-name"),
    ]


# --- roots ------------------------------------------------------------------------------------------


def test_kinds_of_roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root may be text or a path, absolute, relative or from the home folder."""
    build(tmp_path, {"home/skills/a/SKILL.md": skill("a")})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "home")
    location = str(tmp_path / "home/skills/a/SKILL.md")
    for root in (
        tmp_path / "home/skills",
        str(tmp_path / "home/skills"),
        str(tmp_path / "home/skills") + "/",
        "skills",
        "./skills",
        "skills/",
        Path("skills"),
        "~/skills",
        Path("~/skills"),
        "../home/skills",
    ):
        (found,) = list_skills(root).skills
        assert found.location == location
    monkeypatch.chdir(tmp_path / "home/skills")
    assert list_skills(".").skills[0].location == location


def test_relative_root_survives_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A skill from a relative root can be read after the working folder has changed."""
    build(tmp_path, {"skills/a/SKILL.md": skill("a", body="The body.\n"), "elsewhere/x": ""})
    monkeypatch.chdir(tmp_path)
    (found,) = list_skills("skills").skills
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert found.content == "The body.\n"
    assert found.files() == ()


def test_roots_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The inventory tells the roots that were walked, as typed and as absolute paths."""
    build(tmp_path, {"skills/a/SKILL.md": skill("a")})
    monkeypatch.chdir(tmp_path)
    inventory = list_skills("skills")
    assert [(root.typed, root.path) for root in inventory.roots] == [
        ("skills", str(tmp_path / "skills"))
    ]
    assert inventory.skills[0].shown_location == "skills/a/SKILL.md"


def test_missing_root(tmp_path: Path) -> None:
    """A root that does not exist is a notice and a warning, and the others are walked."""
    build(tmp_path, {"here/a/SKILL.md": skill("a")})
    with pytest.warns(SkillWarning, match="gone") as caught:
        inventory = list_skills([tmp_path / "gone", tmp_path / "here"])
    assert len(caught) == 1
    assert names(inventory) == ["a"]
    (notice,) = inventory.notices
    assert (notice.location, notice.kind) == (str(tmp_path / "gone"), "missing-root")


def test_root_that_is_a_file(tmp_path: Path) -> None:
    """A root that is a file is a notice that says so, and the others are walked."""
    build(tmp_path, {"file": "x", "here/a/SKILL.md": skill("a")})
    with pytest.warns(SkillWarning, match="file"):
        inventory = list_skills([tmp_path / "file", tmp_path / "here"])
    assert names(inventory) == ["a"]
    (detail,) = noticed(inventory, tmp_path / "file")
    assert "file" in detail


def test_root_that_is_a_skill_file(tmp_path: Path) -> None:
    """A root that is a SKILL.md is told to pass the folder that holds it."""
    build(tmp_path, {"a/SKILL.md": skill("a")})
    with pytest.warns(SkillWarning):
        inventory = list_skills(tmp_path / "a/SKILL.md")
    (detail,) = noticed(inventory, tmp_path / "a/SKILL.md")
    assert "folder" in detail


def test_root_that_is_a_skill(tmp_path: Path) -> None:
    """A root that is itself a skill's folder gives that skill."""
    build(tmp_path, {"SKILL.md": skill("me"), "notes.md": "n"})
    inventory = list_skills(tmp_path)
    assert names(inventory) == ["me"]
    assert inventory.skills[0].files() == ("notes.md",)


def test_hidden_root(tmp_path: Path) -> None:
    """A root that is hidden is walked like any other, and its skills do not yield."""
    build(
        tmp_path,
        {".claude/skills/a/SKILL.md": skill("a"), ".claude/skills/.b/SKILL.md": skill("b")},
    )
    assert names(list_skills(tmp_path / ".claude/skills")) == ["b", "a"]


def test_same_root_twice(tmp_path: Path) -> None:
    """The same root given twice gives its skills once, and no skill of it is called a duplicate."""
    build(tmp_path, {"skills/a/SKILL.md": skill("a"), "link": {"link": "skills"}})
    for roots in (
        [tmp_path / "skills", tmp_path / "skills"],
        [tmp_path / "skills", tmp_path / "link"],
        [tmp_path / "skills", tmp_path / "skills/a"],
    ):
        inventory = list_skills(roots)
        assert names(inventory) == ["a"]
        assert inventory.skipped == []


# --- who wins a name ----------------------------------------------------------------------------------


def test_first_name_wins(tmp_path: Path) -> None:
    """Of two skills of one name the first is kept, and the later one says whose name it has."""
    build(tmp_path, {"a/SKILL.md": skill("twin", "A."), "b/SKILL.md": skill("twin", "B.")})
    with pytest.warns(SkillWarning, match="twin") as caught:
        inventory = list_skills(tmp_path)
    assert len(caught) == 1
    assert [found.description for found in inventory.skills] == ["A."]
    (skip,) = inventory.skipped
    assert (skip.location, skip.reason) == (str(tmp_path / "b/SKILL.md"), "duplicate-name")
    assert "twin" in skip.detail
    assert "a/SKILL.md" in skip.detail


def test_earlier_root_wins_even_from_a_hidden_folder(tmp_path: Path) -> None:
    """A skill yields within its root only: an earlier root wins from a hidden folder too."""
    build(tmp_path, {"one/.h/SKILL.md": skill("twin", "1"), "two/a/SKILL.md": skill("twin", "2")})
    with pytest.warns(SkillWarning):
        inventory = list_skills([tmp_path / "one", tmp_path / "two"])
    assert [found.description for found in inventory.skills] == ["1"]


@pytest.mark.parametrize(
    ("yielding", "winning"),
    [
        (".trash/SKILL.md", "a/b/c/d/SKILL.md"),
        ("a/.old/SKILL.md", "a/b/c/SKILL.md"),
        ("outer/in/SKILL.md", "z/y/x/SKILL.md"),
        ("outer/a/b/SKILL.md", "z/y/x/w/SKILL.md"),
    ],
)
def test_hidden_and_nested_yield(tmp_path: Path, yielding: str, winning: str) -> None:
    """On a clash a skill in a hidden folder or inside another skill yields to one that is not."""
    build(
        tmp_path,
        {
            "outer/SKILL.md": skill("outer"),
            yielding: skill("twin", "yields"),
            winning: skill("twin", "wins"),
        },
    )
    with pytest.warns(SkillWarning):
        inventory = list_skills(tmp_path)
    assert [s.description for s in inventory.skills if s.name == "twin"] == ["wins"]
    assert skips(inventory, tmp_path) == [(yielding, "duplicate-name")]


def test_hidden_folder_is_walked(tmp_path: Path) -> None:
    """Hidden folders are walked, as skills live in them."""
    build(tmp_path, {".claude/skills/a/SKILL.md": skill("a"), ".b/SKILL.md": skill("b")})
    assert names(list_skills(tmp_path)) == ["b", "a"]


def test_nested_skill_loads_with_a_warning(tmp_path: Path) -> None:
    """A skill inside another skill's folder loads, and its warning names the outer one."""
    build(tmp_path, {"out/SKILL.md": skill("out"), "out/r/in/SKILL.md": skill("in")})
    inventory = list_skills(tmp_path)
    assert names(inventory) == ["out", "in"]
    assert inventory.skills[0].warnings == ()
    (warning,) = inventory.skills[1].warnings
    assert "nested inside skill out" in warning.detail


# --- folders that are not walked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "folder", ["node_modules", ".git", "__pycache__", "site-packages", ".venv", "x/node_modules/y"]
)
def test_folders_not_walked(tmp_path: Path, folder: str) -> None:
    """What tools put beside skills is not walked."""
    build(tmp_path, {f"{folder}/a/SKILL.md": skill("dep"), "a/SKILL.md": skill("a")})
    inventory = list_skills(tmp_path)
    assert (names(inventory), inventory.skipped, inventory.notices) == (["a"], [], [])


def test_virtual_environment_is_not_walked(tmp_path: Path) -> None:
    """A folder with a pyvenv.cfg is a virtual environment, whatever its name."""
    build(
        tmp_path,
        {
            "env/pyvenv.cfg": "home = /usr\n",
            "env/SKILL.md": skill("top"),
            "env/share/x/SKILL.md": skill("deep"),
            "a/SKILL.md": skill("a"),
        },
    )
    assert names(list_skills(tmp_path)) == ["a"]


@pytest.mark.parametrize(
    "folder", ["Node_modules", "git", "venv", "env", "build", "dist", "vendor"]
)
def test_other_folders_are_walked(tmp_path: Path, folder: str) -> None:
    """Only the folders of the list are left out, by their exact names."""
    build(tmp_path, {f"{folder}/a/SKILL.md": skill("a")})
    assert names(list_skills(tmp_path)) == ["a"]


# --- names of files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD", "sKiLl.mD"])
def test_wrong_case_is_a_notice(tmp_path: Path, name: str) -> None:
    """A file whose name differs from SKILL.md in letter case only is a notice with its path."""
    build(tmp_path, {f"a/{name}": skill("a")})
    inventory = list_skills(tmp_path)
    assert (inventory.skills, inventory.skipped) == ([], [])
    (detail,) = noticed(inventory, tmp_path / "a" / name)
    assert "SKILL.md" in detail


def test_right_case_beside_wrong_case(tmp_path: Path) -> None:
    """Beside a SKILL.md a file in the wrong case explains no absence."""
    build(tmp_path, {"a/SKILL.md": skill("right"), "a/skill.md": skill("wrong")})
    inventory = list_skills(tmp_path)
    assert (names(inventory), inventory.notices) == (["right"], [])


@pytest.mark.parametrize(
    "name", ["SKILL.md.bak", "SKILL.txt", "MY-SKILL.md", "SKILL.mdx", "SKILLS.md"]
)
def test_other_names_are_no_skills(tmp_path: Path, name: str) -> None:
    """Only a file called SKILL.md is a skill."""
    build(tmp_path, {f"a/{name}": skill("a")})
    assert list_skills(tmp_path).skills == []


# --- links -----------------------------------------------------------------------------------------------------


def test_linked_folder(tmp_path: Path) -> None:
    """A linked folder is walked, and its skill's location is the path through the link."""
    build(
        tmp_path,
        {
            "store/far/SKILL.md": skill("far", body="B"),
            "store/far/x.txt": "x",
            "root/l": {"link": "../store/far"},
        },
    )
    (found,) = list_skills(tmp_path / "root").skills
    assert found.location == str(tmp_path / "root/l/SKILL.md")
    assert (found.content, found.files()) == ("B", ("x.txt",))


def test_linked_root(tmp_path: Path) -> None:
    """A root that is a link is walked, and locations lie under the path that the user gave."""
    build(tmp_path, {"real/a/SKILL.md": skill("a"), "root": {"link": "real"}})
    (found,) = list_skills(tmp_path / "root").skills
    assert found.location == str(tmp_path / "root/a/SKILL.md")


def test_linked_file(tmp_path: Path) -> None:
    """A SKILL.md that is a link to a regular file is a skill where the user named the root."""
    build(
        tmp_path,
        {"store/one.md": skill("a", body="B"), "root/a/SKILL.md": {"link": "../../store/one.md"}},
    )
    (found,) = list_skills(tmp_path / "root").skills
    assert (found.name, found.content) == ("a", "B")


def test_two_links_to_one_folder(tmp_path: Path) -> None:
    """Of two links to one folder the first in order is walked, and only that one."""
    files = {"store/s/SKILL.md": skill("s"), "root/zz": {"link": "../store/s"}}
    build(
        tmp_path, files | {"root/b": {"link": "../store/s"}, "root/a/a": {"link": "../../store/s"}}
    )
    inventory = list_skills(tmp_path / "root")
    assert [s.location for s in inventory.skills] == [str(tmp_path / "root/b/SKILL.md")]
    assert inventory.skipped == []


def test_folder_and_a_link_to_it(tmp_path: Path) -> None:
    """A folder that is also reached by a link is walked once, and is no duplicate of itself."""
    build(tmp_path, {"b/SKILL.md": skill("s"), "a": {"link": "b"}, "c": {"link": "b"}})
    inventory = list_skills(tmp_path)
    assert (names(inventory), inventory.skipped) == (["s"], [])


@pytest.mark.parametrize("target", [".", "..", "../..", "../../a"])
def test_links_that_loop(tmp_path: Path, target: str) -> None:
    """A link back to a folder on the way from the root is not walked again."""
    build(tmp_path, {"root/a/b/SKILL.md": skill("b"), "root/a/b/loop": {"link": target}})
    inventory = list_skills(tmp_path / "root")
    assert (names(inventory), inventory.skipped) == (["b"], [])


def test_link_above_the_root(tmp_path: Path) -> None:
    """A link to a folder above the root is not followed, and is a notice."""
    build(tmp_path, {"out/x/SKILL.md": skill("x"), "out/root/a/SKILL.md": skill("a")})
    build(tmp_path, {"out/root/up": {"link": ".."}})
    inventory = list_skills(tmp_path / "out/root")
    assert names(inventory) == ["a"]
    assert len(noticed(inventory, tmp_path / "out/root/up")) == 1


def test_links_into_each_other(tmp_path: Path) -> None:
    """Two folders that link to each other are walked once each."""
    build(
        tmp_path,
        {
            "root/a/SKILL.md": skill("a"),
            "root/a/to-b": {"link": "../../away/b"},
            "away/b/SKILL.md": skill("b"),
            "away/b/to-a": {"link": "../../root/a"},
        },
    )
    inventory = list_skills(tmp_path / "root")
    assert (names(inventory), inventory.skipped) == (["a", "b"], [])


def test_linked_folder_in_a_folder_that_is_not_walked(tmp_path: Path) -> None:
    """A link called node_modules is not walked either."""
    build(tmp_path, {"store/s/SKILL.md": skill("s"), "root/node_modules": {"link": "../store"}})
    assert names(list_skills(tmp_path / "root")) == []


# --- siblings --------------------------------------------------------------------------------------------------


def files_of(root: Path, name: str = "a") -> tuple[str, ...]:
    """Returns the sibling files of one skill."""
    return next(found for found in list_skills(root).skills if found.name == name).files()


def test_files_are_sorted_by_relative_path(tmp_path: Path) -> None:
    """The sibling files come sorted by their whole relative path, in code point order."""
    places = ["z", "b/x", "b.txt", "B", "b/a/c", "b-", "é", "sub/SKILL.md"]
    build(tmp_path, {"a/SKILL.md": skill("a")} | {f"a/{place}": "" for place in places})
    assert files_of(tmp_path) == ("B", "b-", "b.txt", "b/a/c", "b/x", "z", "é")


def test_files_left_out(tmp_path: Path) -> None:
    """Hidden files and folders, caches, and odd names are not listed."""
    left_out = [
        ".env",
        ".git/config",
        ".github/x.yml",
        "__pycache__/a.pyc",
        "s/__pycache__/b.pyc",
        "s/.DS_Store",
        "node_modules/x.js",
        "new\nline.txt",
        "tab\t.txt",
        "bell\a.txt",
        "del\x7f.txt",
        "<file>.txt",
        "a>b.txt",
        "o<i>/plain.txt",
        "next\x85line.txt",
        "sep\u2028.txt",
    ]
    kept = ["a b.txt", "ampersand&.txt", "quote'\".txt", "s/kept.txt", "ü.txt"]
    build(tmp_path, {"a/SKILL.md": skill("a")} | {f"a/{place}": "" for place in left_out + kept})
    os.close(os.open(os.fsencode(tmp_path) + b"/a/bad\xff.txt", os.O_CREAT))
    assert files_of(tmp_path) == tuple(kept)


def test_links_to_files(tmp_path: Path) -> None:
    """A sibling is listed when its real path lies in the skill's real folder or in the root's."""
    build(
        tmp_path,
        {
            "secret.txt": "s",
            "root/shared/common.md": "c",
            "root/a/SKILL.md": skill("a"),
            "root/a/own.txt": "o",
            "root/a/to-own": {"link": "own.txt"},
            "root/a/to-common": {"link": "../shared/common.md"},
            "root/a/to-shared": {"link": "../shared"},
            "root/a/to-secret": {"link": "../../secret.txt"},
            "root/a/to-outside": {"link": "../.."},
            "root/a/dangling": {"link": "nowhere"},
            "root/a/loop": {"link": "loop"},
            "root/a/self": {"link": "."},
            "root/a/to-root": {"link": ".."},
        },
    )
    assert files_of(tmp_path / "root") == ("own.txt", "to-common", "to-own", "to-shared/common.md")


def test_files_of_a_linked_skill(tmp_path: Path) -> None:
    """The files of a skill behind a link lie in its real folder, so they are listed."""
    build(
        tmp_path,
        {
            "store/a/SKILL.md": skill("a"),
            "store/a/x.txt": "",
            "store/other.txt": "",
            "store/a/to-other": {"link": "../other.txt"},
            "root/a": {"link": "../store/a"},
        },
    )
    assert files_of(tmp_path / "root") == ("x.txt",)


def test_only_regular_files_are_siblings(tmp_path: Path) -> None:
    """A named pipe beside SKILL.md is not listed."""
    build(
        tmp_path,
        {"a/SKILL.md": skill("a"), "a/x.txt": ""},
        setup=[{"op": "fifo", "path": "a/pipe"}],
    )
    assert files_of(tmp_path) == ("x.txt",)


def test_files_are_read_anew(tmp_path: Path) -> None:
    """A file that comes after the listing shows at once."""
    build(tmp_path, {"a/SKILL.md": skill("a")})
    (found,) = list_skills(tmp_path).skills
    assert found.files() == ()
    build(tmp_path, {"a/new.txt": ""})
    assert found.files() == ("new.txt",)


# --- reading ---------------------------------------------------------------------------------------------------


def test_each_file_is_opened_once(tmp_path: Path, watch) -> None:
    """A listing opens each SKILL.md once, and no other file."""
    files = {f"s{number}/SKILL.md": skill(f"s{number}") for number in range(20)}
    build(tmp_path, files | {f"s{number}/x.txt": "x" for number in range(20)})
    watch.opened.clear()
    list_skills(tmp_path)
    below = [path for path in watch.opened if path.startswith(str(tmp_path))]
    assert sorted(below) == sorted(str(tmp_path / path) for path in files)


@pytest.mark.parametrize("shift", range(-8, 5))
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_fence_at_the_edge_of_the_first_read(tmp_path: Path, shift: int, ends: str) -> None:
    """A closing fence that straddles the first 8 KB is found, wherever it is cut."""
    head = f"---{ends}name: edge{ends}description: "
    pad = "p" * (8192 + shift - len(head) - len(ends))
    place = tmp_path / "a/SKILL.md"
    build(tmp_path, {"a/SKILL.md": f"{head}{pad}{ends}---{ends}Body.{ends}"})
    assert place.read_bytes().index(f"{ends}---".encode()) + len(ends) == 8192 + shift
    (found,) = list_skills(tmp_path).skills
    assert (found.description, found.content) == (pad, "Body.\n")


@pytest.mark.parametrize("shift", range(-4, 3))
def test_letter_at_the_edge_of_the_first_read(tmp_path: Path, shift: int) -> None:
    """A letter of several bytes that straddles the first 8 KB is read whole, in block and body."""
    head = "---\nname: edge\ndescription: "
    pad = "p" * (8192 + shift - len(head))
    build(tmp_path, {"a/SKILL.md": f"{head}{pad}😀é\n---\nBody.\n"})
    build(tmp_path, {"b/SKILL.md": skill("b", body="q" * (8192 + shift - 38) + "😀é")})
    first, second = list_skills(tmp_path).skills
    assert first.description == pad + "😀é"
    assert second.content.endswith("q😀é")


def test_fence_just_within_a_megabyte(tmp_path: Path) -> None:
    """Front matter of nearly 1 MB is read; one that closes far beyond is malformed."""
    within = "---\nname: within\ndescription: D.\nx: " + "x" * 990_000 + "\n---\n"
    beyond = "---\nname: beyond\ndescription: D.\nx: " + "x" * 1_100_000 + "\n---\n"
    build(tmp_path, {"a/SKILL.md": within, "b/SKILL.md": beyond})
    inventory = list_skills(tmp_path)
    assert names(inventory) == ["within"]
    assert skips(inventory, tmp_path) == [("b/SKILL.md", "malformed-frontmatter")]
    assert "1 MB" in inventory.skipped[0].detail


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n---\nname: a\ndescription: b\n---\n", 2),
        ("<!-- made by a tool -->\n---\nname: a\n---\n", 2),
        ("# Title\n\ntext\n\n---\nname: a\n---\n", 5),
        ("\r\n\r\n---\r\nname: a\r\n---\r\n", 3),
    ],
)
def test_fence_further_down(tmp_path: Path, text: str, line: int) -> None:
    """A fence found further down is told with its line, and that it must stand on line 1."""
    build(tmp_path, {"a/SKILL.md": text})
    (skip,) = list_skills(tmp_path).skipped
    assert (skip.reason, skip.line) == ("missing-name", line)
    assert f"line {line}" in skip.detail
    assert "line 1" in skip.detail


@pytest.mark.parametrize(
    ("text", "reason", "word"),
    [
        ("", "missing-name", "empty"),
        ("  \n\t\n", "missing-name", "empty"),
        ("\ufeff", "missing-name", "empty"),
        ("# Title\n", "missing-name", "no front matter"),
        ("---\n---\n", "missing-name", "front matter"),
        ("---\ndescription: D.\n---\n", "missing-name", "name"),
        ("---\nname: ''\n---\n", "missing-name", "name"),
        ("---\nname:\n---\n", "missing-name", "name"),
        ("---\nname: a\n", "malformed-frontmatter", "closed"),
        ("---\nname: [a\n---\n", "malformed-frontmatter", "not valid YAML"),
        ("---\nlicense: MIT\nname: [a\n---\n", "malformed-frontmatter", "not valid YAML"),
        ("---\n- a\n---\n", "malformed-frontmatter", "list"),
        ("../../store/a/SKILL.md\n", "missing-name", "link"),
        ("../../store/a/SKILL.md", "missing-name", "link"),
        ("../SKILL.md", "missing-name", "link"),
    ],
)
def test_skips_say_why(tmp_path: Path, text: str, reason: str, word: str) -> None:
    """Each skip has its reason and a plain detail."""
    build(tmp_path, {"a/SKILL.md": text, "b/SKILL.md": skill("b")})
    inventory = list_skills(tmp_path)
    assert names(inventory) == ["b"]
    (skip,) = inventory.skipped
    assert (skip.location, skip.reason) == (str(tmp_path / "a/SKILL.md"), reason)
    assert word in skip.detail


def test_warnings_of_a_skill(tmp_path: Path) -> None:
    """A rescued header and a missing description are warnings of the skill, with their lines."""
    build(
        tmp_path,
        {
            "a/SKILL.md": "---\nname: a\ndescription: Use when: x\n---\n",
            "b/SKILL.md": "---\nname: b\ndescription: ' '\n---\n",
            "c/SKILL.md": skill("c"),
        },
    )
    rescued, blank, plain = list_skills(tmp_path).skills
    assert [warning.line for warning in rescued.warnings] == [3]
    assert "quote" in rescued.warnings[0].detail
    assert ["description" in warning.detail for warning in blank.warnings] == [True]
    assert plain.warnings == ()


def test_read_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is empty or unclosed at first is read once more before it is judged."""
    for number, early in enumerate((b"", b"---\nname: late\n")):
        place = tmp_path / str(number) / "SKILL.md"
        build(tmp_path, {f"{number}/SKILL.md": early})
        read = os.read
        left = [place]

        def late(fd: int, size: int, /, left=left, read=read) -> bytes:
            data = read(fd, size)
            if left:
                left.pop().write_text(skill("late"))
            return data

        monkeypatch.setattr(os, "read", late)
        inventory = list_skills(place.parent)
        monkeypatch.setattr(os, "read", read)
        assert left == []
        assert (names(inventory), inventory.skipped) == (["late"], [])


@pytest.mark.parametrize(
    ("block", "detail", "line"),
    [
        ("description: D.\nname: ''\n", "the name is empty", 3),
        ("name: null\n", "the name is empty", 2),
        ("description: D.\n", "the front matter has no name", 1),
        ("null\n", "the front matter is empty", 1),
    ],
)
def test_line_of_a_missing_name(tmp_path: Path, block: str, detail: str, line: int) -> None:
    """A skip for a name that is there and empty says the line on which it stands."""
    build(tmp_path, {"a/SKILL.md": f"---\n{block}---\nBody.\n"})
    (skip,) = list_skills(tmp_path).skipped
    assert (skip.reason, skip.detail, skip.line) == ("missing-name", detail, line)

"""A kit in a Python class: from a folder, a wheel and a zip; wrong files; running."""

from __future__ import annotations

import copy
import importlib
import json
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skillbook.kits.catalog import Catalog
from skillbook.kits.errors import KitFileError, KitNotFound
from skillbook.kits.package import PackageKit, snake_case
from skillbook.kits.records import Agent, ToolExecution
from skillbook.tool import ToolResult
from trees import build, skill

LEAD = "---\nname: lead\ndescription: Leads the files.\n---\nYou lead.\n"

MODULE = """
from skillbook.kits.package import PackageKit

class PdfFilesKit(PackageKit):
    def execute(self, execution):
        return f"{execution.skill.name} ran with {execution.arguments!r}"
"""

FILES = {
    "__init__.py": "",
    "kit.py": MODULE,
    "AGENT.md": LEAD,
    "agents/reader.md": LEAD.replace("lead", "reader", 1),
    "skills/read/SKILL.md": skill("read", "Reads files.", "Read $0.\n"),
    "skills/read/references/a.md": "a",
    "skills/read/.hidden": "x",
    "skills/deep/down/write/SKILL.md": skill("write", "Writes files."),
}

Load = Callable[[str], object]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Imports a module from a folder or zip, and forgets it afterwards."""
    before = set(sys.modules)

    def importing(name: str, *places: Path) -> object:
        for place in places:
            monkeypatch.syspath_prepend(str(place))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield importing
    for name in set(sys.modules) - before:
        if name.split(".")[0].startswith("my_"):
            del sys.modules[name]


def define(path: object, **arguments: object) -> type[PackageKit]:
    """Defines a class over a folder."""

    class FilesKit(PackageKit, path=path, **arguments):
        def execute(self, execution: ToolExecution) -> str:
            return f"ran {execution.arguments}"

    return FilesKit


def test_from_a_folder(tmp_path: Path, load: Load) -> None:
    """The kit's folder is that of the defining module; the name is the class's, in snake case."""
    build(tmp_path / "my_pkg", FILES)
    made = load("my_pkg.kit", tmp_path).PdfFilesKit()
    (kit,) = made.list_kits()
    assert kit.name == made.name == "pdf_files"
    assert [each.name for each in kit.skills] == ["pdf_files:read", "pdf_files:write"]
    assert (kit.root_agent.name, [agent.name for agent in kit.agents]) == ("lead", ["reader"])
    assert made.agent_definition() is kit.root_agent
    assert made.agent_definition().system_prompt == "You lead."
    read = kit.skills[0]
    assert (read.location, read.files()) == (
        f"{tmp_path}/my_pkg/skills/read/SKILL.md",
        ("references/a.md",),
    )
    assert read.shown_location == "my_pkg/skills/read/SKILL.md"
    assert made.get_kit("pdf_files") is kit
    with pytest.raises(KitNotFound, match="Available kits: pdf_files"):
        made.get_kit("x")


def test_from_a_zip(tmp_path: Path, load: Load) -> None:
    """The same class works from a zip: skills, siblings, agents, and running."""
    build(tmp_path / "src" / "my_zipped", FILES)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for path in sorted((tmp_path / "src").rglob("*")):
            packed.write(path, path.relative_to(tmp_path / "src"))
    made = load("my_zipped.kit", tmp_path / "all.zip").PdfFilesKit()
    (kit,) = made.list_kits()
    assert [each.name for each in kit.skills] == ["pdf_files:read", "pdf_files:write"]
    assert (kit.root_agent.name, [agent.name for agent in kit.agents]) == ("lead", ["reader"])
    read = kit.skills[0]
    assert (read.origin, read.base, read.content, read.files()) == (
        "logical",
        "package://pdf_files/skills/read/",
        "Read $0.\n",
        ("references/a.md",),
    )
    envelope = Catalog([made]).source().tool.call({"name": "pdf_files:read"})
    assert "<file>references/a.md</file>" in envelope.output
    assert Catalog([made]).activate("pdf_files:read", "x").output == "pdf_files:read ran with 'x'"


def test_module_at_the_top_of_a_zip(tmp_path: Path, load: Load) -> None:
    """A module that lies in no package works from a zip too."""
    files = {name.replace("kit.py", "my_top.py"): text for name, text in FILES.items()}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    made = load("my_top", tmp_path / "all.zip").PdfFilesKit()
    assert [each.name for each in made.list_kits()[0].skills] == [
        "pdf_files:read",
        "pdf_files:write",
    ]


def test_from_a_package_resource(tmp_path: Path, load: Load) -> None:
    """``path=`` takes a package's resources, from a folder and from a zip."""
    from importlib.resources import files

    build(tmp_path / "my_resources", FILES)
    load("my_resources", tmp_path)
    assert len(define(files("my_resources"))().list_kits()[0].skills) == 2
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("my_other/__init__.py", "")
        packed.writestr("my_other/kits/one/skills/a/SKILL.md", skill("a"))
    load("my_other", tmp_path / "all.zip")
    kit = define(files("my_other") / "kits" / "one", name="one")().list_kits()[0]
    assert [each.name for each in kit.skills] == ["one:a"]
    assert kit.metadata == {"folder": "one"}


def test_read_once(tmp_path: Path, watch) -> None:
    """Every file is read once, when the class is made, and served from memory."""
    build(tmp_path / "kit", FILES)
    watch.opened.clear()
    made = define(tmp_path / "kit")()
    documents = [path for path in watch.opened if path.endswith(".md")]
    assert sorted(Path(path).name for path in documents) == [
        "AGENT.md",
        "SKILL.md",
        "SKILL.md",
        "reader.md",
    ]
    watch.opened.clear()
    catalog = Catalog([made])
    for _ in range(2):
        assert catalog.skill("files:read").content == "Read $0.\n"
        assert catalog.source().tool.call({"name": "files:read"}).is_error is False
    assert [path for path in watch.opened if path.endswith(".md")] == []


def test_unchanged_until_reload(tmp_path: Path) -> None:
    """An edit shows after ``reload``, and not before; a wrong one leaves what was there."""
    build(tmp_path / "kit", FILES)
    made = define(tmp_path / "kit")()
    catalog = Catalog([made])
    path = tmp_path / "kit" / "skills" / "read" / "SKILL.md"
    path.write_text(skill("read", "Reads all."))
    assert catalog.skill("files:read").description == "Reads files."
    made.reload()
    assert catalog.skill("files:read").description == "Reads all."
    path.write_text("no\n")
    with pytest.raises(KitFileError):
        made.reload()
    assert catalog.skill("files:read").description == "Reads all."
    shutil.rmtree(tmp_path / "kit")
    with pytest.raises(KitFileError, match="kit: this folder does not exist"):
        made.reload()
    assert catalog.skill("files:read").description == "Reads all."


def test_skill_in_the_wrong_case(tmp_path: Path) -> None:
    """A ``skill.md`` gives a notice, on the disk and in a zip; beside a ``SKILL.md`` it is a file."""
    texts = {"kit/skills/a/skill.md": "x", "kit/skills/b/SKILL.md": skill("b")}
    build(tmp_path, {**texts, "kit/skills/b/Skill.md": "x"})
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        for path, text in texts.items():
            packed.writestr(path, text)
    for place, kind in (
        (tmp_path / "kit", "wrong-case"),
        (zipfile.Path(tmp_path / "all.zip", "kit/"), "wrong-case-packed"),
    ):
        kit = define(place)().list_kits()[0]
        assert [each.name for each in kit.skills] == ["files:b"]
        assert [(notice.kind, notice.location) for notice in kit.notices] == [
            (kind, str(place / "skills/a/skill.md"))
        ]


def test_copies(tmp_path: Path) -> None:
    """What a kit's class serves can be copied, with the object that runs it."""
    build(tmp_path / "kit", FILES)
    kit = define(tmp_path / "kit")().list_kits()[0]
    copied = copy.deepcopy(kit)
    assert copied == kit
    call = ToolExecution(copy.deepcopy(kit.skills[0]), "x")
    assert call.skill.handler(call) == "ran x"


@pytest.mark.parametrize(
    ("path", "text", "line", "said"),
    [
        ("skills/a/SKILL.md", "no\n", 1, "no front matter"),
        ("skills/a/SKILL.md", "", None, "the file is empty"),
        ("skills/a/SKILL.md", "---\nname: a\n", 1, "never closed"),
        ("skills/a/SKILL.md", "---\ndescription: D\n---\n", 1, "has no name"),
        ("skills/a/SKILL.md", "---\nname: a\n---\n", 1, "'a' has no description"),
        ("skills/a/SKILL.md", "---\nname: [a\ndescription: D\n---\n", 2, "not valid YAML"),
        ("skills/a/SKILL.md", b"---\nname: a\ndescription: D\n---\n\xff", None, "not UTF-8"),
        ("skills/a/SKILL.md", skill("read"), None, "the name 'files:read' is taken by"),
        ("AGENT.md", "---\nname: a\n---\n", 1, "has no description"),
        ("agents/a.md", "no\n", 1, "no front matter"),
        ("agents/a.md", LEAD.replace("lead", "reader", 1), None, "the name 'reader' is taken by"),
        ("agents/a.md", LEAD, None, "the name 'lead' is taken by"),
        ("skills/b/SKILL.md/x", "x", None, "it is a folder"),
    ],
)
def test_wrong_files(tmp_path: Path, path: str, text, line: int | None, said: str) -> None:
    """A wrong file fails when the class is made, with its path and line."""
    build(tmp_path / "kit", {**FILES, path: text})
    with pytest.raises(KitFileError) as caught:
        define(tmp_path / "kit")
    named = (caught.value.path, caught.value.line)
    wrong = f"{tmp_path}/kit/{path.removesuffix('/x')}"
    assert named[0] in (
        wrong,
        f"{tmp_path}/kit/skills/read/SKILL.md",
        f"{tmp_path}/kit/agents/reader.md",
    )
    assert named[1] == line
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{named[0]}, line {line}: " if line else f"{named[0]}: ")


def test_wrong_file_in_a_zip(tmp_path: Path) -> None:
    """A wrong file in a zip is named by its place in the zip."""
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("kit/skills/a/SKILL.md", "no\n")
    with pytest.raises(
        KitFileError, match=r"all.zip/kit/skills/a/SKILL.md, line 1: there is no front"
    ):
        define(zipfile.Path(tmp_path / "all.zip", "kit/"))


def test_in_a_notebook() -> None:
    """A class made where there is no file must give ``path=``, which the error says."""
    code = textwrap.dedent("""
        from skillbook.kits.errors import KitFileError
        from skillbook.kits.package import PackageKit
        try:
            class FilesKit(PackageKit):
                def execute(self, execution):
                    return ""
        except KitFileError as error:
            print(error)
        class OtherKit(PackageKit, path="."):
            def execute(self, execution):
                return ""
        print(OtherKit())
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == (
        "FilesKit: the class is made where there is no file (a notebook's cell, or a prompt), so its"
        ' folder is unknown; say where its skills lie: class FilesKit(PackageKit, path="my-kit")\n'
        "<OtherKit: 1 kit: other (0 skills)>\n"
    )


@pytest.mark.parametrize(
    ("path", "error", "said"),
    [
        ("none", KitFileError, "none: this folder does not exist"),
        (__file__, KitFileError, "test_package.py: this is a file; pass a folder"),
        (3, TypeError, "path is 3; pass a path"),
        (b"x", TypeError, "path is b'x'"),
        ("", ValueError, r"path is ''; pass the folder that holds skills/, or path=\"\.\""),
    ],
)
def test_wrong_paths(path: object, error: type[Exception], said: str) -> None:
    """A path that is no folder is refused when the class is made."""
    with pytest.raises(error, match=said):
        define(path)


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("FilesKit", "files"),
        ("PdfFilesKit", "pdf_files"),
        ("PDFKit", "pdf"),
        ("PDFFilesKit", "pdf_files"),
        ("Files", "files"),
        ("Kit", "kit"),
        ("KitKit", "kit"),
        ("Files2Kit", "files2"),
        ("_FilesKit", "files"),
        ("KitchenTools", "kitchen_tools"),
    ],
)
def test_snake_case(name: str, snake: str) -> None:
    """A class's name becomes a kit's: snake case, without ``Kit``."""
    assert snake_case(name) == snake


def test_name_and_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``name=`` names the kit, and a relative path is shown as typed."""
    build(tmp_path / "kit", FILES)
    monkeypatch.chdir(tmp_path)
    made = define("kit", name="office")()
    kit = made.list_kits()[0]
    assert [each.name for each in kit.skills] == ["office:read", "office:write"]
    assert kit.skills[0].shown_location == "kit/skills/read/SKILL.md"
    assert kit.metadata == {"folder": "kit"}
    assert repr(made) == "<FilesKit: 1 kit: office (2 skills)>"


def test_execute(tmp_path: Path) -> None:
    """A skill of a kit in a class is executed by it, with what the caller gave."""
    build(tmp_path / "kit", FILES)
    seen: list[ToolExecution] = []

    class FilesKit(PackageKit, path=tmp_path / "kit"):
        def execute(self, execution: ToolExecution) -> ToolResult:
            seen.append(execution)
            return ToolResult(f"{self.name} ran", metadata={"x": 1})

    catalog = Catalog([FilesKit()])
    assert catalog.activate("files:read", '{"n": 1}') == ToolResult("files ran", metadata={"x": 1})
    assert (seen[0].skill.name, seen[0].arguments, seen[0].input) == (
        "files:read",
        '{"n": 1}',
        {"n": 1},
    )
    assert catalog.tools()[1](name="files:write", arguments="a").output == "files ran"
    # The skill tool still gives what a model can read.
    assert "Read $0." in catalog.tools()[0](name="files:read").output


def test_async_execute(tmp_path: Path) -> None:
    """A coroutine is awaited."""
    build(tmp_path / "kit", FILES)

    class FilesKit(PackageKit, path=tmp_path / "kit"):
        async def execute(self, execution: ToolExecution) -> str:
            return execution.arguments * 2

    assert Catalog([FilesKit()]).activate("files:read", "ab").output == "abab"


def test_execute_must_be_written(tmp_path: Path) -> None:
    """A class without ``execute`` can be defined, as a base, but not made."""

    class BaseKit(PackageKit, path=tmp_path):
        pass

    with pytest.raises(TypeError, match="execute"):
        BaseKit()


def test_two_objects_of_one_class(tmp_path: Path) -> None:
    """Each object runs its own skills."""
    build(tmp_path / "kit", FILES)

    class FilesKit(PackageKit, path=tmp_path / "kit"):
        def __init__(self, word: str) -> None:
            self.word = word

        def execute(self, execution: ToolExecution) -> str:
            return self.word

    one, two = FilesKit("one"), FilesKit("two")
    assert Catalog([one]).activate("files:read").output == "one"
    assert Catalog([two]).activate("files:read").output == "two"


def test_definition(tmp_path: Path) -> None:
    """``definition`` gives the tool's name, description and schema, with and without an agent."""
    build(tmp_path / "kit", FILES)
    made = define(tmp_path / "kit")()
    definition = made.definition()
    assert json.loads(json.dumps(definition)) == definition
    assert (definition["name"], definition["description"]) == (
        "files",
        "Leads the files. Skills: files:read: Reads files. files:write: Writes files.",
    )
    assert definition["input_schema"]["properties"]["skill"]["enum"] == [
        "files:read",
        "files:write",
    ]
    assert definition["input_schema"]["required"] == ["skill"]
    (tmp_path / "kit" / "AGENT.md").unlink()
    made.reload()
    assert made.agent_definition() is None
    assert made.definition()["description"].startswith("Runs the skills of the kit files. Skills:")


def test_resume(tmp_path: Path) -> None:
    """By default a call cannot be resumed, and the answer says so."""
    build(tmp_path / "kit", FILES)
    made = define(tmp_path / "kit")()
    result = made.resume(ToolExecution(made.list_kits()[0].skills[0]), {"step": 1}, "yes")
    assert result.is_error
    assert "files:read cannot be resumed" in result.output


def test_everything_can_be_overridden(tmp_path: Path) -> None:
    """A subclass can change name, kits, definition, resuming."""
    build(tmp_path / "kit", FILES)

    class FilesKit(PackageKit, path=tmp_path / "kit"):
        def execute(self, execution: ToolExecution) -> str:
            return "ran"

        def list_kits(self):
            return [kit for kit in super().list_kits() if kit.name == "files"]

        def agent_definition(self):
            return None

        def definition(self):
            return {**super().definition(), "name": "other"}

        def resume(self, execution, state, decision):
            return f"resumed with {decision}"

    made = FilesKit()
    assert made.definition()["name"] == "other"
    assert made.definition()["description"].startswith("Runs the skills")
    assert (
        made.resume(ToolExecution(made.list_kits()[0].skills[0]), None, "yes") == "resumed with yes"
    )


def test_empty_folder(tmp_path: Path) -> None:
    """A folder with nothing in it is an empty kit, and a notice says so."""
    (kit,) = define(tmp_path)().list_kits()
    assert (kit.skills, [notice.kind for notice in kit.notices]) == ((), ["no-kit"])


def test_links_in_a_circle(tmp_path: Path) -> None:
    """Links that lead back up, many of them, are walked once."""
    build(tmp_path / "kit", {"skills/a/SKILL.md": skill("a")})
    for name in "wxyz":
        (tmp_path / "kit" / "skills" / name).symlink_to(tmp_path / "kit" / "skills")
    kit = define(tmp_path / "kit")().list_kits()[0]
    assert [each.name for each in kit.skills] == ["files:a"]


def test_served_after_the_folder_is_gone(tmp_path: Path) -> None:
    """Body and sibling files are in memory: the same answer comes once the folder is removed."""
    build(tmp_path / "kit", FILES)
    catalog = Catalog([define(tmp_path / "kit")()])
    given = {"name": "files:read"}
    before = catalog.tools()[0].call(given)
    assert f"<file>{tmp_path}/kit/skills/read/references/a.md</file>" in before.output
    assert f"file://{tmp_path}/kit/skills/read\n" in before.output
    shutil.rmtree(tmp_path / "kit")
    assert catalog.tools()[0].call(given) == before
    assert catalog.source().tool.call(given) == before
    assert catalog.skill("files:read").files() == ("references/a.md",)


def test_siblings_unchanged_until_reload(tmp_path: Path) -> None:
    """A file that is added beside a skill shows after ``reload``, and not before."""
    build(tmp_path / "kit", FILES)
    made = define(tmp_path / "kit")()
    (tmp_path / "kit" / "skills" / "read" / "b.txt").write_text("b")
    assert made.list_kits()[0].skills[0].files() == ("references/a.md",)
    made.reload()
    assert made.list_kits()[0].skills[0].files() == ("b.txt", "references/a.md")


class Running(PackageKit, path=Path(__file__).parent):
    """A base without files that runs its skills."""

    def execute(self, execution: ToolExecution) -> str:
        return execution.arguments


def test_name_as_an_attribute(tmp_path: Path) -> None:
    """The attribute ``name`` of the class is the kit's name, and a class argument wins over it."""
    build(tmp_path / "kit", FILES)

    class FilesKit(Running, path=tmp_path / "kit"):
        name = "mine"

    class OtherKit(Running, path=tmp_path / "kit", name="argued"):
        name = "mine"

    class NextKit(FilesKit):
        pass

    told = [(made.name, made.list_kits()[0].name) for made in (FilesKit(), OtherKit(), NextKit())]
    assert told == [("mine", "mine"), ("argued", "argued"), ("next", "next")]
    assert FilesKit().list_kits()[0].skills[0].name == "mine:read"


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [("", ValueError, "is blank"), (3, TypeError, "the name of a kit is 3; pass text")],
)
def test_wrong_names(tmp_path: Path, given: object, error: type[Exception], said: str) -> None:
    """A blank name, or one that is no text, is refused as argument and as attribute."""
    with pytest.raises(error, match=said):
        define(tmp_path, name=given)
    with pytest.raises(error, match=said):
        type("FilesKit", (Running,), {"name": given})


def test_overridden_agent_leads(tmp_path: Path) -> None:
    """What ``agent_definition`` gives is the kit's root agent, in the catalogue too."""
    build(tmp_path / "kit", FILES)
    boss = Agent("boss", "Leads all.", "You are the boss.")

    class FilesKit(Running, path=tmp_path / "kit"):
        def agent_definition(self) -> Agent | None:
            return boss

    made = FilesKit()
    assert made.list_kits()[0].root_agent == boss
    assert made.list_kits()[0] is made.list_kits()[0]
    assert Catalog([made]).root_agent() == boss
    assert made.definition()["description"].startswith("Leads all.")


def test_overridden_agent_may_look_at_the_kit(tmp_path: Path) -> None:
    """An ``agent_definition`` that picks from ``list_kits`` does not go round in a circle."""
    build(tmp_path / "kit", FILES)

    class FilesKit(Running, path=tmp_path / "kit"):
        def agent_definition(self) -> Agent | None:
            return self.list_kits()[0].agents[0]

    assert FilesKit().list_kits()[0].root_agent.name == "reader"


def test_overridden_agent_is_none(tmp_path: Path) -> None:
    """An ``agent_definition`` that gives None leaves the kit without a root agent."""
    build(tmp_path / "kit", FILES)

    class FilesKit(Running, path=tmp_path / "kit"):
        def agent_definition(self) -> Agent | None:
            return None

    assert Catalog([FilesKit()]).root_agent() is None


SUBCLASS = "from my_pkg.kit import PdfFilesKit\nclass OwnKit(PdfFilesKit):\n    pass\n"


@pytest.mark.parametrize(
    ("own", "skills", "leader"),
    [
        ({}, ["own:read", "own:write"], "lead"),
        ({"skills/notes.txt": "x"}, ["own:read", "own:write"], "lead"),
        ({"skills/a/SKILL.md": skill("a")}, ["own:a"], None),
        ({"AGENT.md": LEAD.replace("lead", "boss", 1)}, [], "boss"),
        ({"agents/a.md": LEAD}, [], None),
    ],
)
def test_subclass_in_another_module(
    tmp_path: Path, load: Load, own: dict[str, str], skills: list[str], leader: str | None
) -> None:
    """A subclass has its module's files, and where there are none those of the kit it extends."""
    build(tmp_path / "my_pkg", FILES)
    build(tmp_path / "my_sub", {"__init__.py": "", "kit.py": SUBCLASS, **own})
    (kit,) = load("my_sub.kit", tmp_path).OwnKit().list_kits()
    assert [each.name for each in kit.skills] == skills
    assert (kit.root_agent.name if kit.root_agent else None) == leader
    assert kit.notices == ()


def test_subclass_without_a_file(tmp_path: Path) -> None:
    """A subclass made in a notebook's cell has the files of the kit it extends."""
    build(tmp_path / "kit", FILES)
    made = type("OwnKit", (define(tmp_path / "kit"),), {"__module__": "no_such_module"})()
    assert [each.name for each in made.list_kits()[0].skills] == ["own:read", "own:write"]


@pytest.mark.parametrize("file", ["skills/a/SKILL.md", "AGENT.md", "agents/b.md"])
def test_refused_front_matter_makes_no_class(tmp_path: Path, file: str) -> None:
    """A file whose front matter YAML refuses is a wrong file, told with path and line."""
    build(tmp_path / "kit", {file: "---\nname: a\ndescription: Use when: x\n---\nB\n"})
    with pytest.raises(KitFileError) as caught:
        define(tmp_path / "kit")
    assert (caught.value.path, caught.value.line) == (str(tmp_path / "kit" / file), 3)
    assert "not valid YAML" in caught.value.detail

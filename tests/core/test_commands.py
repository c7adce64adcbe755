"""The commands ``check``, ``new``, ``list``, ``show``, ``prompt`` and ``html``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from skillbook import commands, load_skills, saving
from skillbook.cli import main
from skillbook.errors import SkillbookError
from skillbook.lint.checker import rules
from trees import build, skill

GOOD = "Reads tide tables. Use when the user asks for the tide."
BAD = "---\nname: ebb\ndescription: Knows: ebbs. Use when asked.\n---\n# Ebb\n\nDo it.\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a good skill, one that is rescued, and one that is skipped."""
    build(
        tmp_path,
        {
            "skills/tide/SKILL.md": skill("tide", GOOD, "# Tide\n\nSee notes.md.\n"),
            "skills/tide/notes.md": "ok\n",
            "skills/ebb/SKILL.md": BAD,
            "skills/lost/SKILL.md": "no front matter\n",
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, code: int = 0) -> Any:
    """Runs a command in this process and holds it to its exit code."""

    @click.group(cls=type(main))
    def group() -> None:
        """Stands for the command line."""

    for command in commands.COMMANDS:
        group.add_command(command)
    done = CliRunner().invoke(group, args)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == code, done.output
    return done


def test_every_command_is_there() -> None:
    """The command line offers each of the commands, and each says what it does."""
    for command in commands.COMMANDS:
        assert main.commands[command.name] is command
        assert command.help
        assert command.help.splitlines()[0].endswith(".")


# --- check ---------------------------------------------------------------------------------------


def test_check_text(tree: Path) -> None:
    """Findings are written with code frames, and an error gives the exit code 1."""
    done = run("check", "skills", code=1)
    assert "skills/ebb/SKILL.md:3:14: error SB107: this is not valid YAML" in done.output
    assert (
        "  > 3 | description: Knows: ebbs. Use when asked.\n      |              ^^^^"
        in done.output
    )
    assert done.output.endswith("2 errors, 1 warning, 0 notes in 3 files.\n")


def test_check_is_0_without_errors(tree: Path) -> None:
    """Warnings and notes do not count as errors."""
    assert run("check", "skills/tide").output == "0 errors, 0 warnings, 0 notes in 1 file.\n"
    build(tree, {"short/SKILL.md": skill("short", "Reads.")})
    assert "1 warning" in run("check", "short").output


def test_check_used_wrongly(tree: Path) -> None:
    """A missing path, no path, an unknown rule and an unknown format give the exit code 2."""
    assert "'gone' does not exist" in run("check", "gone", code=2).output
    assert "Missing argument 'PATH...'" in run("check", code=2).output
    assert "no rule is called 'SB999'" in run("check", "skills", "--select", "SB999", code=2).output
    assert "'xml' is not one of" in run("check", "skills", "--format", "xml", code=2).output
    assert "is no Markdown file" in run("check", "skills/tide/notes.md", __file__, code=2).output


def test_check_select_and_ignore(tree: Path) -> None:
    """Rules are chosen by id or family, the options standing once or several times."""
    assert "1 error, 0 warnings" in run("check", "skills", "--select", "SB104", code=1).output
    done = run("check", "skills", "--ignore", "SB1,SB6", "--ignore", "SB4")
    assert "0 errors, 0 warnings, 0 notes" in done.output


def test_check_formats(tree: Path) -> None:
    """JSON, SARIF and GitHub's commands are written as the report gives them."""
    value = json.loads(run("check", "skills", "--format", "json", code=1).output)
    assert [each["rule"] for each in value["findings"]] == ["SB601", "SB107", "SB104"]
    log = json.loads(run("check", "skills", "--format", "sarif", code=1).output)
    assert len(log["runs"][0]["results"]) == 3
    lines = run("check", "skills", "--format", "github", code=1).output.splitlines()
    assert lines[1].startswith("::error file=skills/ebb/SKILL.md,line=3,col=14,endColumn=")
    assert run("check", "skills/tide", "--format", "github").output == ""


def test_check_fix(tree: Path) -> None:
    """Safe fixes are saved first, said on the error stream, and what is left is reported."""
    done = run("check", "skills/ebb", "--fix")
    assert done.stderr == "skills/ebb/SKILL.md: 1 finding fixed, saved.\n"
    assert done.stdout == "0 errors, 0 warnings, 0 notes in 1 file.\n"
    assert (tree / "skills/ebb/SKILL.md").read_text() == BAD.replace(
        "Knows: ebbs. Use when asked.", '"Knows: ebbs. Use when asked."'
    )
    assert run("check", "skills/ebb", "--fix").stderr == ""


def test_check_fix_selects(tree: Path) -> None:
    """What is not selected is not fixed."""
    run("check", "skills/ebb", "--fix", "--ignore", "SB107")
    assert (tree / "skills/ebb/SKILL.md").read_text() == BAD


def test_check_several_paths(tree: Path) -> None:
    """Files that a hook hands over are checked together, each once."""
    done = run("check", "skills/tide/SKILL.md", "skills/ebb/SKILL.md", "skills/tide", code=1)
    assert done.output.endswith("in 2 files.\n")


def test_check_path_with_a_line_end(tree: Path) -> None:
    """A path that holds a line end is a path, not a text."""
    build(tree, {"odd\nname/tide/SKILL.md": "\ufeff" + skill("tide", GOOD)})
    done = run("check", "odd\nname", "--fix", "--format", "json")
    assert json.loads(done.stdout)["checked"] == ["odd\nname/tide/SKILL.md"]
    assert done.stderr == "odd name/tide/SKILL.md: 1 finding fixed, saved.\n"


def test_check_rules() -> None:
    """The table of rules names each one, and nothing is checked."""
    lines = run("check", "--rules").output.splitlines()
    assert len(lines) == len(rules()) + 2
    assert "| SB107 | error | The front matter is YAML. |" in lines


# --- new -----------------------------------------------------------------------------------------


def test_new(tree: Path) -> None:
    """A new skill is made, its files are named, and it passes the checker."""
    done = run("new", "neap-tide", "--root", "skills", "--scripts", "--references")
    assert done.output.splitlines() == [
        "skills/neap-tide/SKILL.md",
        "skills/neap-tide/references/details.md",
        "skills/neap-tide/scripts/greet.py",
    ]
    assert "0 errors, 0 warnings, 0 notes" in run("check", "skills/neap-tide").output


def test_new_description(tree: Path) -> None:
    """The description that is given is the skill's."""
    run("new", "neap", "--description", GOOD)
    assert load_skills("neap")["neap"].description == GOOD


def test_new_refuses(tree: Path) -> None:
    """A name that cannot be is wrong use; a folder that is there is left as it is."""
    assert "has capitals" in run("new", "Neap", code=2).output
    assert "exists already" in run("new", "tide", "--root", "skills", code=1).output


# --- list, show, prompt, html --------------------------------------------------------------------


def test_list(tree: Path) -> None:
    """Skills are listed with their descriptions, then what was skipped and why."""
    assert run("list", "skills").output.splitlines() == [
        "ebb   Knows: ebbs. Use when asked.  [warnings: 1]",
        f"tide  {GOOD}",
        "skipped  skills/lost/SKILL.md:1  missing-name: there is no front matter: start the file with"
        " a line of three dashes (---), then name and description, then three dashes again",
        "2 skills, 1 skipped, in skills",
    ]
    value = json.loads(run("list", "skills", "--json").output)
    assert [each["name"] for each in value["skills"]] == ["ebb", "tide"]
    assert [key for each in value["skills"] for key in each if key == "resources"] == []


def test_list_without_folders(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder, those where agents keep skills are listed; where there are none, it says so."""
    monkeypatch.setenv("HOME", str(tree / "home"))
    for command in (["list"], ["show", "tide"], ["prompt"], ["html", "-o", "page.html"]):
        said = " ".join(run(*command, code=2).output.split())
        assert "looked for .agents/skills, .claude/skills, .github/skills and the like" in said
        assert "Pass a folder as DIR; '.' is the working folder." in said
    for name in (".agents", ".claude", ".github"):
        build(tree, {f"{name}/skills/neap/SKILL.md": skill("neap", GOOD)})
        assert "1 skill, 0 skipped" in run("list").output
        shutil.rmtree(tree / name)


def test_without_folders_in_a_checkout(tree: Path) -> None:
    """In a checkout of skillbook, the examples are meant, as ``skillbook lab`` means them."""
    hello = skill("hello-world", GOOD)
    build(tree, {"examples/skills/hello-world/SKILL.md": hello, ".claude/skills/x/SKILL.md": "x"})
    assert run("list").output.splitlines()[-1] == "1 skill, 0 skipped, in examples"
    assert (
        "location: examples/skills/hello-world/SKILL.md"
        in run("show", "hello-world").output.splitlines()
    )
    assert run("prompt").output == run("prompt", "examples").output
    run("html", "-o", "page.html")
    assert "<title>1 skill from examples</title>" in (tree / "page.html").read_text("utf-8")


def test_errors_steer_no_terminal(tree: Path) -> None:
    """What strangers wrote is written out in an error too."""
    hostile = '---\nname: "a\\e[31mb"\ndescription: Use when asked.\n---\nBody.\n'
    build(tree, {"odd/x/SKILL.md": hostile})
    said = run("show", "gone", "odd", code=1).stderr
    assert said == 'Error: Skill "gone" not found. Available skills: a[U+001B][31mb\n'


def test_warnings_are_said_by_their_message(tree: Path) -> None:
    """A warning of ours names no line of code, and steers no terminal."""
    for name in ("a", "b\x1b[31m"):
        build(tree, {f"twice/{name}/SKILL.md": skill("tide", GOOD)})
    code = "from skillbook.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "show", "tide", "twice"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == (
        "Warning: 1 skill skipped for a name that is taken: twice/b[U+001B][31m/SKILL.md"
        " (the name 'tide' is taken by twice/a/SKILL.md)\n"
    )


def test_list_writes_out_what_steers_a_terminal(tree: Path) -> None:
    """A description cannot steer a terminal."""
    build(tree, {"bad/x/SKILL.md": '---\nname: x\ndescription: "a\\e[31mb"\n---\nBody.\n'})
    assert "a[U+001B][31mb" in run("list", "bad").output


def test_show(tree: Path) -> None:
    """A skill is shown by name, or by the path of its folder: fields, files, text."""
    wanted = [
        "name: tide",
        f"description: {GOOD}",
        "location: skills/tide/SKILL.md",
        "file: notes.md",
        "",
        "# Tide",
        "",
        "See notes.md.",
    ]
    assert run("show", "tide", "skills").output.splitlines() == wanted
    assert run("show", "skills/tide").output.splitlines() == wanted
    assert "warning: line 3 is not valid YAML" in run("show", "ebb", "skills").output


def test_show_says_all_fields(tree: Path) -> None:
    """Every field of the front matter is shown, those under a map one by one."""
    front = (
        f"---\nname: neap\ndescription: {GOOD}\nlicense: MIT\ncompatibility: >\n  Needs a\n  sea.\n"
        'allowed-tools: [Read, "Bash(ls *)"]\nmetadata:\n  author: "\\e[31m"\n  tags: {a: [é]}\n'
        "empty: {}\nnothing:\n---\nBody.\n"
    )
    build(tree, {"more/neap/SKILL.md": front})
    assert run("show", "neap", "more").output.splitlines() == [
        "name: neap",
        f"description: {GOOD}",
        "license: MIT",
        "compatibility: Needs a sea.",
        'allowed-tools: ["Read", "Bash(ls *)"]',
        "metadata.author: [U+001B][31m",
        'metadata.tags: {"a": ["é"]}',
        "empty: {}",
        "nothing: null",
        "location: more/neap/SKILL.md",
        "",
        "Body.",
    ]


def test_show_envelope(tree: Path) -> None:
    """With --envelope it is exactly what a model gets."""
    done = run("show", "tide", "skills", "--envelope")
    assert done.output == load_skills("skills").tool(name="tide").output


def test_escapes_reach_a_pipe(tree: Path) -> None:
    """Where no terminal is, envelope, prompt and body hold a stranger's escapes as they are."""
    text = skill("red", "Turns red. Use when asked.", "\x1b[1mBold\x1b[0m é\u200b\n")
    build(tree, {"skills/red/SKILL.md": text})
    source = load_skills(tree / "skills")

    def piped(*args: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", "from skillbook.cli import main; main()", *args],
            cwd=tree,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()

    assert piped("show", "red", str(tree / "skills"), "--envelope") == (
        source.tool(name="red").output
    )
    assert piped("show", "red", "skills").endswith("\n\x1b[1mBold\x1b[0m é\u200b\n")


def test_show_what_is_not_there(tree: Path) -> None:
    """An unknown name says what is there; a folder that gives no skill says why."""
    done = run("show", "tides", "skills", code=1)
    assert 'Skill "tides" not found. Available skills: ebb, tide' in done.output
    assert "there is no front matter" in run("show", "skills/lost", code=1).output


def test_prompt(tree: Path) -> None:
    """The prompt is written exactly, in the format that is asked for."""
    source = load_skills("skills")
    assert run("prompt", "skills").output == source.prompt()
    assert run("prompt", "skills", "--format", "xml").output == source.prompt("xml")
    assert "format is 'csv'" in run("prompt", "skills", "--format", "csv", code=2).output


def test_html(tree: Path) -> None:
    """The page is written and named; a file that cannot be written is said."""
    assert run("html", "skills", "-o", "page.html").output == "page.html\n"
    text = (tree / "page.html").read_text(encoding="utf-8")
    assert text.lower().startswith("<!doctype html>")
    assert "Reads tide tables." in text
    assert (
        "gone/page.html cannot be written"
        in run("html", "skills", "-o", "gone/page.html", code=1).output
    )
    assert (
        "there is no folder 'gone'; make it first"
        in run("html", "skills", "-o", "gone/page.html", code=1).output
    )
    assert "path is ''; pass the file to write" in run("html", "skills", "-o", "", code=2).output
    assert "Missing option" in run("html", "skills", code=2).output


def test_commands_wait_for_what_they_need() -> None:
    """Loading the commands loads neither the core nor a display nor the checker."""
    code = (
        "import sys, skillbook.commands;"
        "print([name for name in sys.modules if name.startswith('skillbook.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['skillbook.commands']\n"


def test_check_fix_goes_on(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be saved is said so; the others are fixed, and the report is printed."""
    build(tree, {"skills/neap/SKILL.md": BAD.replace("ebb", "neap")})
    save = saving.save

    def refuse(path: str, *given: Any, **more: Any) -> None:
        if "ebb" in path:
            raise SkillbookError("the disk is full")
        save(path, *given, **more)

    monkeypatch.setattr(saving, "save", refuse)
    done = run("check", "skills/ebb", "skills/neap", "--fix", "--format", "json", code=1)
    assert done.stderr == (
        "skills/ebb/SKILL.md: not fixed, since it could not be saved: the disk is full.\n"
        "skills/neap/SKILL.md: 1 finding fixed, saved.\n"
    )
    assert {each["path"] for each in json.loads(done.stdout)["findings"]} >= {"skills/ebb/SKILL.md"}
    run("check", "skills/ebb", "--fix", "--format", "sarif", code=1)

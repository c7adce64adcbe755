"""Scripts: which files are, what they take, and what running one gives."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from skillbook.errors import ScriptError
from skillbook.script_files import Script, scripts_of
from skillbook.script_input import environment, parse_args, parse_envs
from skillbook.scripts import ScriptCommand, ScriptResult, run_script
from trees import build, skill


def run(folder: Path, name: str, text: str | bytes, *args: str, **options: Any) -> ScriptResult:
    """Writes a script and runs it."""
    build(folder, {"SKILL.md": skill("s"), f"scripts/{name}": text})
    return run_script(folder, f"scripts/{name}", args, **options)


def alive(pid: int) -> bool:
    """Returns whether a process runs (one that has ended and waits to be reaped does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def gone(pid: int, within: float = 1.0) -> bool:
    """Waits for a process to be gone."""
    deadline = time.monotonic() + within
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


# --- which files are scripts -------------------------------------------------------------------


def names(folder: Path, *paths: str) -> list[str]:
    """Returns the names of the scripts among some files."""
    return [script.name for script in scripts_of(str(folder), paths)]


def test_scripts_are_the_files_of_scripts(tmp_path: Path) -> None:
    """Files of scripts/ are scripts, but for those that start with an underscore or a dot."""
    paths = [
        "a.py",
        "scripts/_b.py",
        "scripts/.c.py",
        "scripts/d.py",
        "scripts/notes.txt",
        "x/e.py",
    ]
    build(tmp_path, dict.fromkeys(paths, ""))
    assert names(tmp_path, *paths) == ["d.py", "notes.txt"]


def test_folders_below_scripts(tmp_path: Path) -> None:
    """In folders below scripts/, only what can be run is a script."""
    paths = ["scripts/a/b.py", "scripts/a/c.xsd", "scripts/_a/d.py", "scripts/a/run"]
    build(tmp_path, dict.fromkeys(paths, "") | {"scripts/a/run": "#!/bin/sh\n"})
    assert names(tmp_path, *paths) == ["a/b.py", "a/run"]


def test_link_out_is_no_script(tmp_path: Path) -> None:
    """A link that leads out of the skill is not among its scripts."""
    build(tmp_path, {"out.py": "", "s/scripts/in.py": {"link": "../../out.py"}})
    assert names(tmp_path / "s", "scripts/in.py") == []


USAGES = [
    ("greet.R", "# Usage: greet.R [name]\n", "[name]"),
    ("greet.R", "# Usage: Rscript greet.R [name]\n", "[name]"),
    (
        "greet.R",
        "#!/usr/bin/env Rscript\n#\n# Says hello.\n# usage: scripts/greet.R <a> [b]\ncat(1)",
        "<a> [b]",
    ),
    ("greet.js", "// Usage: node greet.js <name>\n", "<name>"),
    ("greet.js", "/*\n * Usage: greet.js <name>\n */\n", "<name>"),
    ("greet.py", "# Usage: [name]\n", "[name]"),
    ("greet.py", "# Usage: python -m greet <name> [--loud]\n", "-m greet <name> [--loud]"),
    ("greet.py", "# Usage:\n#   greet.py <name>\n", "<name>"),
    ("greet.py", "# Usage: greet.py\n", ""),
    ("greet.py", "# Usage: greet.py NAME\n", "NAME"),
    ("greet.py", "import sys\n# Usage: greet.py <late>\n", ""),
    ("greet.py", '"""Usage: greet.py <doc>"""\n', ""),
    ("greet.py", "\ufeff# Usage: greet.py <bom>\n", "<bom>"),
    ("greet.py", "# Usage: greet.py <a>\u202e\x07 <b>\r\n", "<a> <b>"),
    ("greet.py", "", ""),
    ("greet.py", "# Usage: greet.py <a> \\\n#     <b>\n# More.\n", "<a> <b>"),
    ("greet.py", "# Usage: greet.py <a> \\\nimport sys\n", "<a>"),
]


@pytest.mark.parametrize(("name", "text", "usage"), USAGES)
def test_usage(tmp_path: Path, name: str, text: str, usage: str) -> None:
    """A usage comment at a script's head gives its arguments, on one line."""
    build(tmp_path, {f"scripts/{name}": text})
    assert scripts_of(str(tmp_path), [f"scripts/{name}"])[0].usage == usage


def test_usage_is_cut(tmp_path: Path) -> None:
    """A usage comment that is long is cut."""
    build(tmp_path, {"scripts/a.py": f"# Usage: a.py {'<x> ' * 1000}\n"})
    assert len(scripts_of(str(tmp_path), ["scripts/a.py"])[0].usage) == 301


REQUIRED = [
    ("", ()),
    ("[name]", ()),
    ("<name>", ("<name>",)),
    ("<in file> <out> [mode]", ("<in file>", "<out>")),
    ("[--dir <path>] <name>", ("<name>",)),
    ("[<a> [<b>]] <c>", ("<c>",)),
    ("NAME", ()),
    ("--out <file> <in>", ("<in>",)),
    ("[-o FILE | --out FILE] <in>", ("<in>",)),
    ("(<file> | <url>)", ()),
    ("(<file> <url>) <x>...", ("<file>", "<url>", "<x>...")),
    ("<in> > <out>", ("<in>",)),
    ("<in> | <other>", ()),
    ("<in> or <other>", ()),
    ("<name> - greets <name>", ("<name>",)),
    ("{a|b} <c>", ("<c>",)),
    ("<host>:<port> <x", ("<host>:<port>",)),
    ("[<a> <b>", ()),
    # What stands in quotes is one argument.
    ('"<a> <b>" <c>', ('"<a> <b>"', "<c>")),
    ("'<json>'", ("'<json>'",)),
    # These marks say that none at all is right too.
    ("<a> <b>?", ("<a>",)),
    ("<a>* <b>", ("<b>",)),
    # A word after an argument begins prose.
    ("<a> (default: <b>)", ("<a>",)),
    ("<a>. Needs <b> installed", ("<a>.",)),
    ("<a> e.g. a.py <file>", ("<a>",)),
    ("<a> --out FILE <b>", ("<a>", "<b>")),
    ("add <a> <b>", ("<a>", "<b>")),
    ("<a>; a.py --all", ()),
    # Redirections are no arguments.
    ("< input.txt > output.txt", ()),
    ("a < b and c > d", ()),
    ("<a> < <b>", ("<a>",)),
]


@pytest.mark.parametrize(("usage", "required"), REQUIRED)
def test_required(usage: str, required: tuple[str, ...]) -> None:
    """Arguments in angle brackets are required, those in square brackets are not."""
    assert Script("a.py", "scripts/a.py", usage).required == required


MISSING = [
    ("[--out FILE] <in>", ["--out", "f"], ("<in>",)),
    ("[--out FILE] <in>", ["--out=f"], ("<in>",)),
    ("[-v] <in>", ["-v"], ("<in>",)),
    ("[-v] <in>", ["-5"], ()),
    ("[-v] <in>", ["--", "-v"], ()),
    ("add <a> <b>\nlist", ["list"], ()),
    ("<a> <b>\n<c>", [], ("<c>",)),
]


@pytest.mark.parametrize(("usage", "args", "missing"), MISSING)
def test_missing(usage: str, args: list[str], missing: tuple[str, ...]) -> None:
    """Named options and their values are no positional arguments; one form that is met is enough."""
    assert Script("a.py", "scripts/a.py", usage).missing(args) == missing


# --- what runs it ------------------------------------------------------------------------------


def test_python(tmp_path: Path) -> None:
    """A .py file is run by the Python that runs this."""
    result = run(tmp_path, "a.py", "import sys; print(sys.executable)")
    assert result.stdout == f"{sys.executable}\n"


def test_shell(tmp_path: Path) -> None:
    """A .sh file is run by a shell."""
    assert (
        run(tmp_path, "a.sh", 'for x in "$@"; do echo "<$x>"; done', "a b", "*").stdout
        == "<a b>\n<*>\n"
    )


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_javascript(tmp_path: Path) -> None:
    """A .js file is run by node."""
    assert run(tmp_path, "a.js", "console.log(process.argv.slice(2))", "x").stdout == "[ 'x' ]\n"


@pytest.mark.skipif(not shutil.which("Rscript"), reason="R is not installed")
def test_r(tmp_path: Path) -> None:
    """A .R file is run by Rscript."""
    assert run(tmp_path, "a.R", 'cat(commandArgs(TRUE), "\\n")', "x").stdout == "x \n"


@pytest.mark.skipif(not shutil.which("perl"), reason="perl is not installed")
def test_perl(tmp_path: Path) -> None:
    """A .pl file is run by perl."""
    assert run(tmp_path, "a.pl", 'print "@ARGV\\n"', "x").stdout == "x\n"


@pytest.mark.parametrize(
    "line",
    [
        "#!/bin/sh",
        "#!/usr/bin/env sh",
        "#!/usr/bin/env -S sh -e",
        "#!/no/such/folder/sh",
        "#! /bin/sh -e",
    ],
)
def test_shebang(tmp_path: Path, line: str) -> None:
    """A file without a known suffix is run by what its first line names, run bit or not."""
    result = run(tmp_path, "a", f"{line}\necho $0 | grep -o 's/a$'\n")
    assert (result.stdout, result.exit_code) == ("s/a\n", 0)
    assert not os.access(tmp_path / "scripts" / "a", os.X_OK)


def test_shebang_of_python(tmp_path: Path) -> None:
    """A first line that names any Python means the one that runs this."""
    result = run(tmp_path, "a", "#!/usr/bin/env python2.7\nimport sys; print(sys.executable)")
    assert result.stdout == f"{sys.executable}\n"


def test_shell_of_the_first_line(tmp_path: Path) -> None:
    """A .sh file whose first line names a shell is run by that one, with its options."""
    commands: list[ScriptCommand] = []
    with pytest.raises(ScriptError, match="not confirmed"):
        run(tmp_path, "a.sh", "#!/bin/sh -eu\n", confirm=commands.append)
    assert commands[0].argv == ("/bin/sh", "-eu", str(tmp_path / "scripts" / "a.sh"))


def test_unknown_suffix(tmp_path: Path) -> None:
    """A file with an unknown suffix and no first line is refused, with the suffixes that are known."""
    with pytest.raises(ScriptError, match=r"suffix is not known.* \.js .*\.py .*\.sh"):
        run(tmp_path, "a.xyz", "text")


@pytest.mark.parametrize("search", [".", "bin", ""])
def test_interpreter_in_a_relative_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    """An interpreter is looked for in absolute folders, so a skill's file never stands in for it."""
    fake = "#!/bin/sh\necho fake\n"
    build(tmp_path, {"bash": fake, "bin/bash": fake})
    for name in ("bash", "bin/bash"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{search}{os.pathsep}{os.environ['PATH']}")
    assert run(tmp_path, "a.sh", "echo real").stdout == "real\n"


def test_folder_as_interpreter(tmp_path: Path) -> None:
    """A #! line that names a folder names no interpreter."""
    with pytest.raises(ScriptError, match=f"'a' needs {tmp_path.name}, which is not installed"):
        run(tmp_path, "a", f"#!{tmp_path}\n")


def test_missing_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing interpreter is named."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ScriptError, match=r"'a\.js' needs node, which is not installed"):
        run(tmp_path, "a.js", "")
    with pytest.raises(ScriptError, match="needs pwsh or powershell"):
        run(tmp_path, "a.ps1", "")
    with pytest.raises(ScriptError, match="needs no-such-thing"):
        run(tmp_path, "a", "#!/usr/bin/env no-such-thing\n")


@pytest.mark.parametrize("name", ["a.sh", "a.bash", "a"])
def test_windows_line_ends_in_a_shell_script(tmp_path: Path, name: str) -> None:
    """A shell script with Windows line ends is refused, and the message says why."""
    with pytest.raises(
        ScriptError, match=r"Windows line ends \(CRLF\), which (ba)?sh does not take"
    ):
        run(tmp_path, name, "#!/bin/sh\r\nif true; then\r\n  echo ok\r\nfi\r\n")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "#!/usr/bin/env python3\r\nprint('ok')\r\n"),
        pytest.param(
            "a.js",
            "#!/usr/bin/env node\r\nconsole.log('ok')\r\n",
            marks=pytest.mark.skipif(not shutil.which("node"), reason="node is not installed"),
        ),
        pytest.param(
            "a.R",
            "#!/usr/bin/env Rscript\r\ncat('ok\\n')\r\n",
            marks=pytest.mark.skipif(not shutil.which("Rscript"), reason="R is not installed"),
        ),
        ("a", "#!/usr/bin/env python3\r\nprint('ok')\r\n"),
    ],
)
def test_windows_line_ends_elsewhere(tmp_path: Path, name: str, text: str) -> None:
    """A script with Windows line ends runs where its interpreter takes them."""
    assert run(tmp_path, name, text).stdout == "ok\n"


# --- where it lies -----------------------------------------------------------------------------

OUTSIDE = [
    "../out.py",
    "scripts/../../out.py",
    "scripts/link.py",
    "scripts/folder/out.py",
    "..\\out.py",
    "scripts\\in.py",
    "{absolute}",
    "",
    "scripts/in.py\0",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_runs(tmp_path: Path, path: str) -> None:
    """No name leads out of the skill: not by dots, a link, a backslash or an absolute path."""
    marker = tmp_path / "ran"
    out = f"open({str(marker)!r}, 'w')"
    files = {
        "out.py": out,
        "s/SKILL.md": skill("s"),
        "s/scripts/in.py": "",
        "s/scripts/link.py": {"link": "../../out.py"},
        "s/scripts/folder": {"link": "../.."},
    }
    build(tmp_path, files)
    with pytest.raises(ScriptError, match=r"outside the skill|no path inside the skill"):
        run_script(tmp_path / "s", path.format(absolute=tmp_path / "out.py"))
    assert not marker.exists()


def test_absolute_name_inside(tmp_path: Path) -> None:
    """An absolute name is refused even where it leads into the skill."""
    build(tmp_path, {"scripts/in.py": ""})
    with pytest.raises(ScriptError, match="no path inside"):
        run_script(tmp_path, str(tmp_path / "scripts" / "in.py"))


def test_linked_skill(tmp_path: Path) -> None:
    """A skill whose folder is a link, and a link inside the skill, run."""
    build(tmp_path, {"real/lib/a.py": "print('ok')", "real/scripts/b.py": {"link": "../lib/a.py"}})
    build(tmp_path, {"linked": {"link": "real"}})
    assert run_script(tmp_path / "linked", "scripts/b.py").stdout == "ok\n"


def test_only_regular_files_run(tmp_path: Path) -> None:
    """A folder, a pipe and a file that is not there are refused, at once."""
    build(tmp_path, {}, setup=[{"op": "mkdir", "path": "scripts/a.py"}])
    os.mkfifo(tmp_path / "scripts" / "b.py")
    for name, why in (("a", "a folder"), ("b", "a named pipe"), ("c", "does not exist")):
        with pytest.raises(ScriptError, match=why):
            run_script(tmp_path, f"scripts/{name}.py")


# --- what it gets ------------------------------------------------------------------------------


def test_folder_and_variables(tmp_path: Path) -> None:
    """The working folder is the skill's, SKILL_DIR names it, and envs are added."""
    text = (
        "import os; print(os.getcwd(), os.environ['SKILL_DIR'], os.environ['A'], os.environ['B'])"
    )
    result = run(tmp_path, "a.py", text, envs=["A=1=2", "B="])
    assert result.stdout == f"{tmp_path} {tmp_path} 1=2 \n"


def test_over_mcp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SKILLBOOK_USING_MCP is TRUE over MCP, and not set otherwise."""
    text = "import os; print(os.environ.get('SKILLBOOK_USING_MCP'))"
    monkeypatch.setenv("SKILLBOOK_USING_MCP", "TRUE")
    assert run(tmp_path, "a.py", text).stdout == "None\n"
    assert run(tmp_path, "a.py", text, over_mcp=True).stdout == "TRUE\n"


def test_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script has the caller's environment; a clean one has only what a process needs."""
    for name in ("SECRET_API_KEY", "HOME", "LANG", "LC_TIME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    text = "import os; print(*sorted(os.environ), sep='\\n')"
    whole = run(tmp_path, "a.py", text, envs=["MINE=1"]).stdout.split()
    assert {"SECRET_API_KEY", "MINE"} <= set(whole)
    clean = set(run(tmp_path, "a.py", text, envs=["MINE=1"], env="clean").stdout.split())
    assert "SECRET_API_KEY" not in clean
    assert {"HOME", "LANG", "LC_TIME", "MINE", "PATH", "SKILL_DIR", "TMPDIR"} <= clean


def test_clean_environment_is_a_short_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clean environment holds nothing but names that are on the list or are ours."""
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name in ("PATH", "PATHS", "XPATH", "HOME", "JPY_PARENT_PID", "LC_ALL", "TOKEN"):
        monkeypatch.setenv(name, "x")
    found = environment("/s", {}, "clean", over_mcp=False)
    ours = {"PYTHONIOENCODING", "PYTHONUNBUFFERED", "SKILL_DIR"}
    assert set(found) == {"PATH", "HOME", "LC_ALL"} | ours


def test_no_standard_input(tmp_path: Path) -> None:
    """A script that waits for input gets the end of it at once."""
    start = time.monotonic()
    result = run(tmp_path, "a.py", "input('name? ')")
    assert result.exit_code == 1
    assert "EOFError" in result.stderr
    assert time.monotonic() - start < 2


WRONG_ENVS: list[tuple[Any, str]] = [
    ("A=1", "envs is of type str"),
    ([1], "item 1 of envs"),
    (["A=1", "secret"], "item 2 of envs"),
    (["=secret"], "item 1 of envs"),
    (["A B=secret"], "item 1 of envs"),
    (["BASH_FUNC_x%%=secret"], "item 1 of envs"),
    ({"A": 1}, "item 1 of envs"),
    (["A=secret\0"], "the value of A in envs holds a NUL"),
    (["A=secret\ud800"], "the value of A in envs holds half a surrogate pair"),
]


@pytest.mark.parametrize(("envs", "message"), WRONG_ENVS)
def test_wrong_envs(envs: Any, message: str) -> None:
    """What is no KEY=VALUE is refused, without its value in the message."""
    with pytest.raises(ScriptError, match=message) as caught:
        parse_envs(envs)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "BASH_ENV",
        "ENV",
        "LD_PRELOAD",
        "DYLD_INSERT_LIBRARIES",
        "PYTHONPATH",
        "NODE_OPTIONS",
        "PERL5OPT",
        "RUBYOPT",
        "PS4",
        "R_PROFILE_USER",
        "SHELLOPTS",
        "ld_preload",
        "OPENSSL_CONF",
        "GCONV_PATH",
        "DOTNET_STARTUP_HOOKS",
    ],
)
def test_envs_cannot_load_other_code(name: str) -> None:
    """Variables that make an interpreter load or run other code are refused."""
    with pytest.raises(ScriptError, match=f"envs may not set {name}, which decides what code"):
        parse_envs([f"{name}=$(touch pwned)"])


@pytest.mark.parametrize("name", ["SKILL_DIR", "SKILLBOOK_USING_MCP"])
def test_envs_cannot_set_ours(name: str) -> None:
    """The variables that are set for a script are not for a call to change."""
    with pytest.raises(ScriptError, match=f"envs may not set {name}, which skillbook itself sets"):
        parse_envs([f"{name}=x"])


def test_env_as_a_plain_word() -> None:
    """A variable called ENV may hold a plain word; a path or code is refused as for a shell."""
    assert parse_envs(["ENV=production"]) == {"ENV": "production"}
    with pytest.raises(ScriptError, match="envs may not set ENV"):
        parse_envs(["ENV=./x.sh"])


def test_envs_as_a_mapping() -> None:
    """Variables may be a mapping, and none at all."""
    assert parse_envs({"A": "1"}) == {"A": "1"}
    assert parse_envs(None) == {}


WRONG_ARGS: list[tuple[Any, str]] = [
    ("World", "args is of type str; pass a list"),
    ({"a": 1}, "args is of type dict"),
    (["a", 5], "item 2 of args is of type int"),
    ([None], "item 1 of args is of type NoneType"),
    (["a\0"], "item 1 of args holds a NUL"),
    (["\ud800"], "item 1 of args holds half a surrogate pair"),
]


@pytest.mark.parametrize(("args", "message"), WRONG_ARGS)
def test_wrong_args(args: Any, message: str) -> None:
    """Arguments that are no list of text are refused, and the message says what to pass."""
    with pytest.raises(ScriptError, match=message):
        parse_args(args)


def test_too_many_args(tmp_path: Path) -> None:
    """Arguments that the system does not take are an error of ours."""
    with pytest.raises(ScriptError, match="cannot be started: argument list too long"):
        run(tmp_path, "a.py", "", *["x" * 100_000] * 100)


# --- confirming --------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [False, None, "no", 1])
def test_not_confirmed(tmp_path: Path, answer: Any) -> None:
    """Anything but True refuses a run, and nothing has run."""
    with pytest.raises(ScriptError, match="was not run: it was not confirmed"):
        run(tmp_path, "a.py", "open('ran', 'w')", confirm=lambda _: answer)
    assert not (tmp_path / "ran").exists()


def link_script(folder: Path, outside: Path) -> None:
    """Lays a link to a file outside where a script was."""
    (folder / "scripts/a.py").unlink()
    (folder / "scripts/a.py").symlink_to(outside / "scripts/a.py")


def link_scripts(folder: Path, outside: Path) -> None:
    """Lays a link to a folder outside where the scripts were."""
    (folder / "scripts").rename(folder / "old")
    (folder / "scripts").symlink_to(outside / "scripts")


def link_skill(folder: Path, outside: Path) -> None:
    """Lays a link to a folder outside where the skill was."""
    folder.rename(folder.with_name("old"))
    folder.symlink_to(outside)


def pipe_script(folder: Path, _outside: Path) -> None:
    """Puts a named pipe, which nobody writes to, where a script was."""
    (folder / "scripts/a.py").unlink()
    os.mkfifo(folder / "scripts/a.py")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (link_script, "lies outside the skill"),
        (link_scripts, "lies outside the skill"),
        (link_skill, "was not run: its file or what runs it was replaced"),
        (pipe_script, "it is a named pipe, not a file"),
    ],
)
def test_replaced_while_it_is_confirmed(
    tmp_path: Path, change: Callable[[Path, Path], None], why: str
) -> None:
    """What was confirmed is checked again, since an answer can take minutes."""
    folder = tmp_path / "s"
    outside = build(tmp_path / "outside", {"scripts/a.py": "open('ran', 'w')"})

    def confirm(_: ScriptCommand) -> bool:
        change(folder, outside)
        return True

    with pytest.raises(ScriptError, match=why):
        run(folder, "a.py", "print(1)", confirm=confirm, timeout=5)
    assert list(tmp_path.rglob("ran")) == []


def test_confirmed(tmp_path: Path) -> None:
    """Who confirms sees the command first, with the names of variables but not their values."""
    seen: list[ScriptCommand] = []

    def confirm(command: ScriptCommand) -> bool:
        seen.append(command)
        return True

    result = run(tmp_path, "a.py", "print(1)", "a b", envs=["KEY=secret"], confirm=confirm)
    real = str(tmp_path / "scripts" / "a.py")
    assert result.stdout == "1\n"
    assert seen[0].argv == (sys.executable, real, "a b")
    assert str(seen[0]) == f"{sys.executable} {real} 'a b'"
    assert (seen[0].script, seen[0].variables) == ("scripts/a.py", ("KEY",))
    assert "secret" not in repr(seen[0])


# --- what it gives -----------------------------------------------------------------------------


def test_result(tmp_path: Path) -> None:
    """A result has streams, exit code and time, and a text form."""
    text = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    result = run(tmp_path, "a.py", text)
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 3)
    assert (result.timed_out, result.is_error) == (False, True)
    assert 0 < result.duration_s < 30
    assert str(result) == "## stdout\nout\n\n## stderr\nerr\n\nExit code: 3"
    assert "".join(part for _, part in result.parts) == result.output


def test_result_of_success(tmp_path: Path) -> None:
    """A script that ends with 0 is no error, and says nothing it did not print."""
    result = run(tmp_path, "a.py", "")
    assert not result.is_error
    assert str(result) == "## stdout\n\n## stderr\n\nExit code: 0"
    assert repr(result) == (
        "<ScriptResult scripts/a.py: exit code 0, it went well;"
        " 0 characters of stdout, 0 of stderr>"
    )


def test_result_to_dict(tmp_path: Path) -> None:
    """A result can be had as JSON."""
    result = run(tmp_path, "a.py", "print(1)")
    assert result.to_dict() == {
        "output": "## stdout\n1\n\n## stderr\n\nExit code: 0",
        "is_error": False,
        "metadata": {"script": "scripts/a.py", "exit_code": 0, "timed_out": False},
        "script": "scripts/a.py",
        "stdout": "1\n",
        "stderr": "",
        "exit_code": 0,
        "timed_out": False,
        "duration_s": result.duration_s,
        "stdout_cut": 0,
        "stderr_cut": 0,
    }


def test_ended_by_a_signal(tmp_path: Path) -> None:
    """A script that a signal ended says which."""
    result = run(tmp_path, "a.py", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert result.exit_code == -signal.SIGSEGV
    assert str(result).endswith("Exit code: -11 (ended by SIGSEGV)")
    assert result.ended == "ended by SIGSEGV"


def test_decoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Output is read as UTF-8 with replacement, whatever the locale says."""
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    text = (
        "import sys\nsys.stdout.buffer.write(b'good\\xff\\n')\nprint('\\u23f3', file=sys.stderr)\n"
    )
    result = run(tmp_path, "a.py", text)
    assert (result.stdout, result.stderr, result.exit_code) == ("good\ufffd\n", "\u23f3\n", 0)


def test_capped_output(tmp_path: Path) -> None:
    """Output above the cap is read to its end and counted, and the text says so."""
    text = "import sys; sys.stdout.write('é' * 3_000_000); sys.stderr.write('e' * 10)"
    result = run(tmp_path, "a.py", text, max_output=1001)
    assert (result.stdout, result.stdout_cut) == ("é" * 500, 6_000_000 - 1001)
    assert (result.stderr, result.stderr_cut, result.exit_code) == ("e" * 10, 0, 0)
    assert repr(result).endswith(
        "500 characters of stdout, 10 of stderr, 5,998,999 bytes not kept>"
    )
    assert "\n[cut here: 5,998,999 more bytes were not kept]\n" in str(result)


def test_default_cap(tmp_path: Path) -> None:
    """One million bytes of a stream are kept where nothing else is said."""
    result = run(tmp_path, "a.py", "print('x' * 1_500_000)")
    assert (len(result.stdout), result.stdout_cut) == (1_000_000, 500_001)


def test_both_streams_at_once(tmp_path: Path) -> None:
    """A script that fills one stream and then the other does not hang."""
    text = "import sys\nfor i in range(50):\n sys.stderr.write('e' * 40_000); sys.stdout.write('o' * 40_000)\n"
    result = run(tmp_path, "a.py", text, max_output=5_000_000, timeout=20)
    assert (len(result.stdout), len(result.stderr)) == (2_000_000, 2_000_000)


# --- time ----------------------------------------------------------------------------------------


def test_timeout(tmp_path: Path) -> None:
    """When the time is up the script is ended, and what it printed so far is kept."""
    text = "import time\nprint('started')\ntime.sleep(60)\n"
    start = time.monotonic()
    result = run(tmp_path, "a.py", text, timeout=1)
    assert time.monotonic() - start < 3
    assert (result.stdout, result.timed_out, result.is_error) == ("started\n", True, True)
    assert result.exit_code < 0
    assert "(timed out after 1 s; it was ended with all it had started that was found)" in str(
        result
    )


def test_timeout_of_what_will_not_end(tmp_path: Path) -> None:
    """A script that ignores being asked to end is ended too, with its grandchildren."""
    text = (
        "trap '' TERM\n(trap '' TERM; echo $BASHPID > pid; while :; do sleep 0.1; done) &\nwait\n"
    )
    result = run(tmp_path, "a.bash", text, timeout=1)
    assert (result.timed_out, result.exit_code) == (True, -9)
    assert gone(int((tmp_path / "pid").read_text()))


def test_background_processes_end_with_it(tmp_path: Path) -> None:
    """What a script leaves running does not hold up the result, and is ended."""
    start = time.monotonic()
    result = run(tmp_path, "a.sh", "sleep 60 &\necho $! > pid\necho done\n", timeout=30)
    assert time.monotonic() - start < 5
    assert (result.stdout, result.exit_code, result.timed_out) == ("done\n", 0, False)
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc on this system")
def test_what_left_the_group_ends_too(tmp_path: Path) -> None:
    """A grandchild with a session of its own is ended with the script whose time is up."""
    text = (
        "import subprocess, sys, time\n"
        "p = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
        "open('pid', 'w').write(str(p.pid))\ntime.sleep(60)\n"
    )
    result = run(tmp_path, "a.py", text, timeout=1)
    assert result.timed_out
    assert gone(int((tmp_path / "pid").read_text()))


def test_no_thread_is_left(tmp_path: Path) -> None:
    """A process that cannot be found, and holds the streams, keeps no thread of ours."""
    before = threading.active_count()
    text = (
        "import subprocess\n"
        "p = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
        "open('pid', 'w').write(str(p.pid))\nprint('done')\n"
    )
    result = run(tmp_path, "a.py", text, timeout=20)
    try:
        assert (result.stdout, threading.active_count()) == ("done\n", before)
    finally:
        pid = int((tmp_path / "pid").read_text())
        if alive(pid):
            os.kill(pid, signal.SIGKILL)


def test_suffix_of_a_link(tmp_path: Path) -> None:
    """A link is run by its own suffix, whatever that of the file behind it is."""
    build(tmp_path, {"SKILL.md": skill("s"), "lib/hello.txt": "print('hi')\n", "scripts/x.md": ""})
    (tmp_path / "scripts/hello.py").symlink_to("../lib/hello.txt")
    assert run_script(tmp_path, "scripts/hello.py").stdout == "hi\n"


def test_late_output_of_background_processes(tmp_path: Path) -> None:
    """What a background process prints right after the script has ended is still read."""
    result = run(tmp_path, "a.sh", "(sleep 0.2; echo late) &\necho done\n")
    assert result.stdout == "done\nlate\n"


def test_no_zombie(tmp_path: Path) -> None:
    """Every process that was started has been reaped."""
    run(tmp_path, "a.sh", "sleep 60\n", timeout=0.5)
    run(tmp_path, "b.py", "print(1)")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_stopped(tmp_path: Path) -> None:
    """A host that gives up ends the script at once."""
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    start = time.monotonic()
    result = run(tmp_path, "a.sh", "echo $$ > pid\nsleep 60\n", stop=stop)
    assert time.monotonic() - start < 3
    assert result.exit_code < 0
    assert gone(int((tmp_path / "pid").read_text()))


def test_interrupted(tmp_path: Path) -> None:
    """The kernel's stop button ends the script, not only the wait for it."""
    main = threading.get_ident()
    threading.Timer(0.7, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, "a.sh", "echo $$ > pid\nsleep 60\n")
    assert gone(int((tmp_path / "pid").read_text()))


def test_no_more_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no thread can be had to read its output, the script is ended, and an error says why."""
    processes = []

    def started(self: Any, *args: Any, **options: Any) -> None:
        start(self, *args, **options)
        processes.append(self)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    start = subprocess.Popen.__init__
    monkeypatch.setattr(subprocess.Popen, "__init__", started)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(ScriptError, match=r"'scripts/a.sh' cannot be run: can't start new thread"):
        run(tmp_path, "a.sh", "sleep 60\n")
    monkeypatch.undo()
    assert [gone(process.pid) for process in processes] == [True]


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="there is no waitid on this system")
def test_lost_exit_code(tmp_path: Path) -> None:
    """Where the system drops exit codes, a script is not said to have gone well."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with pytest.raises(ScriptError, match=r"'scripts/a.py' ran, but how it ended is not known"):
            run(tmp_path, "a.py", "raise SystemExit(3)")
        result = run(tmp_path, "b.sh", "echo started; sleep 60\n", timeout=0.5)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert (result.stdout, result.timed_out, result.exit_code) == ("started\n", True, -9)


WRONG_OPTIONS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"env": "empty"}, ValueError, "env is 'empty'"),
    ({"timeout": 0}, ValueError, "timeout is 0; pass a number of seconds above 0"),
    ({"timeout": "5"}, TypeError, "timeout is '5'"),
    ({"timeout": True}, TypeError, "timeout is True"),
    ({"max_output": -1}, ValueError, "max_output is -1; pass a number of bytes"),
    ({"timeout": 1e12}, ValueError, "pass a number of seconds above 0 and below 1,000,000,000"),
]


@pytest.mark.parametrize(("options", "kind", "message"), WRONG_OPTIONS)
def test_wrong_options(
    tmp_path: Path, options: dict[str, Any], kind: type[Exception], message: str
) -> None:
    """Options of the wrong type or value raise, with the value found."""
    with pytest.raises(kind, match=message):
        run(tmp_path, "a.py", "", **options)


def test_only_one_module_starts_processes() -> None:
    """Of what runs scripts, only one module imports what starts processes."""
    sources = Path(run_script.__code__.co_filename).parent
    ours = ("functions", "mcp", "mcp_client", "pair", "references", "script_files", "script_input")
    for name in (*ours, "toolkit", "wrapper"):
        text = (sources / f"{name}.py").read_text()
        assert "subprocess" not in text
        assert "os.system" not in text
    text = (sources / "scripts.py").read_text()
    assert "shell=True" not in text

"""The field cases about running scripts, made after public bug reports of such software.

Where a case leaves a choice, ours is: the environment is the caller's unless ``env="clean"`` is
asked for, the working folder is the skill's, and a shell script with Windows line ends is refused.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from skillbook.pair import RunOptions
from skillbook.wrapper import SkillTools, skill_wrapper
from trees import build

CASES = {
    case["id"]: case
    for case in map(
        json.loads,
        (Path(__file__).parent.parent / "data" / "field_cases_scripts.jsonl")
        .read_text()
        .splitlines(),
    )
}


def tools(case_id: str, root: Path, **options: Any) -> tuple[SkillTools, Path]:
    """Builds a case; returns the tools of its one skill, and the skill's folder."""
    case = CASES[case_id]
    build(root, case["files"])
    (document,) = root.rglob("SKILL.md")
    return skill_wrapper(document.parent, **options)(), document.parent


def run(case_id: str, root: Path, *args: str, **options: Any) -> Any:
    """Builds a case and runs its script."""
    pair, _ = tools(case_id, root, **options)
    return pair.run.call({"file_name": CASES[case_id]["call"]["script"], "args": list(args)})


def test_no_case_is_left_out() -> None:
    """Each case has a test of its own in this file."""
    numbers = {f"test_{case_id.replace('-', '_')}" for case_id in CASES}
    assert len(CASES) == 8
    assert numbers == {name[:10] for name in globals() if name.startswith("test_sc_")}


def test_sc_01_timeout_ends_the_whole_group(tmp_path: Path) -> None:
    """A timeout ends children too, keeps what was printed, and leaves no zombie."""
    start = time.monotonic()
    result = run("sc-01", tmp_path, timeout=CASES["sc-01"]["call"]["timeout"])
    assert time.monotonic() - start < 4
    assert (result.timed_out, result.is_error, result.stdout) == (True, True, "started\n")
    (pid_file,) = tmp_path.rglob("child.pid")
    time.sleep(1)
    stat = Path(f"/proc/{pid_file.read_text().strip()}/stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_sc_03_windows_line_ends(tmp_path: Path) -> None:
    """A Python script with Windows line ends runs; a shell script says what is wrong with it."""
    pair, _ = tools("sc-03", tmp_path)
    python, shell = CASES["sc-03"]["call"]["scripts"]
    assert pair.run.call({"file_name": python}).stdout == "ok\n"
    pair.load()
    refused = pair.run.call({"file_name": shell})
    assert refused.is_error
    assert refused.output == (
        "'go.sh' has Windows line ends (CRLF), which sh does not take; save it with Unix line ends (LF)"
    )


def test_sc_04_the_kernels_own_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python scripts run with the caller's own Python, also when PATH holds none."""
    monkeypatch.setenv("PATH", CASES["sc-04"]["call"]["env_path"])
    assert run("sc-04", tmp_path).stdout == f"{sys.executable}\n{sys.prefix}\n"


@pytest.mark.parametrize("locale", ["C", "POSIX", None])
def test_sc_06_odd_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str | None
) -> None:
    """Bytes that are not UTF-8 become replacement characters, whatever the locale."""
    if locale:
        monkeypatch.setenv("LC_ALL", locale)
    result = run("sc-06", tmp_path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "good\ufffd\n", "warn \u23f3\n")


def test_sc_07_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is the caller's; a switch passes only what a process needs, and no key."""
    for name in ("SECRET_API_KEY", "JPY_PARENT_PID", "HOME", "LANG", "TMPDIR"):
        monkeypatch.setenv(name, "abc123")
    assert "SECRET_API_KEY" in json.loads(run("sc-07", tmp_path / "1").stdout)
    pair, _ = tools("sc-07", tmp_path / "2", env="clean")
    call = {"file_name": CASES["sc-07"]["call"]["script"], "envs": ["MINE=abc123"]}
    result = pair.run.call(call)
    found = set(json.loads(result.stdout))
    assert {"SECRET_API_KEY", "JPY_PARENT_PID"} & found == set()
    assert {"HOME", "LANG", "MINE", "PATH", "TMPDIR"} <= found
    assert "abc123" not in repr(result) + repr(pair) + result.output


def test_sc_08_no_shell_reads_arguments(tmp_path: Path) -> None:
    """Arguments arrive exactly as they are given, and nothing in them is run."""
    args = CASES["sc-08"]["call"]["args"]
    assert json.loads(run("sc-08", tmp_path, *args).stdout) == args
    assert list(tmp_path.rglob("pwned")) == []


def test_sc_10_no_standard_input(tmp_path: Path) -> None:
    """A script that asks for input ends at once, and a timeout exists all the same."""
    start = time.monotonic()
    result = run("sc-10", tmp_path)
    assert time.monotonic() - start < 2
    assert result.exit_code != 0
    assert "EOFError" in result.stderr
    assert RunOptions().timeout == 60


def test_sc_12_working_folder(tmp_path: Path) -> None:
    """The working folder is the skill's, and a script finds its data by its own place."""
    pair, folder = tools("sc-12", tmp_path)
    result = pair.run.call({"file_name": CASES["sc-12"]["call"]["script"]})
    assert result.stdout == f"{folder}\ntide\n\n"
    assert "The working folder is the skill's" in pair.run.description

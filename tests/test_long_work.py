"""Long work: a bar after two seconds and not before, and the kernel's stop button, which does no harm.

The bars are tried on a clock of the test's own, the stop button in a real kernel.
"""

from __future__ import annotations

import itertools
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tqdm.auto
import tqdm.std

import skillbook as sb
from kits.archives import repository
from kits.github_server import FakeGitHub, serving
from trees import build, skill

if TYPE_CHECKING:
    from jupyter_client.blocking import BlockingKernelClient
    from jupyter_client.manager import KernelManager

SKILLS = {f"skill-{n}/SKILL.md": skill(f"skill-{n}", body=f"# Body {n}\n") for n in range(8)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight skills."""
    return build(tmp_path / "skills", SKILLS)


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A server that has one repository, ``acme/pots``, with one skill."""
    with serving() as server:
        server.has("acme/pots", repository({"kiln/SKILL.md": skill("kiln")}))
        yield server


# --- the bar --------------------------------------------------------------------------------------


def count(folder: Path, github: FakeGitHub) -> None:
    """Counts the tokens of several skills."""
    sb.token_sizes(sb.load_skills(folder), len)


def check(folder: Path, github: FakeGitHub) -> None:
    """Checks several skills."""
    sb.check(folder)


def page(folder: Path, github: FakeGitHub) -> None:
    """Makes a page of several skills."""
    sb.to_html(sb.load_skills(folder))


def download(folder: Path, github: FakeGitHub) -> None:
    """Imports from GitHub."""
    sb.GitHubProvider(cache_dir=folder.parent, base_url=github.url).import_source("acme/pots")


WORK = {"Counting tokens": count, "Checking": check, "Rendering": page, "Importing": download}


@pytest.mark.parametrize(("seconds", "is_shown"), [(0.2, False), (2.1, True)])
@pytest.mark.parametrize("name", WORK)
def test_a_bar_after_two_seconds(
    name: str,
    seconds: float,
    is_shown: bool,
    folder: Path,
    github: FakeGitHub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Work of less than two seconds prints nothing; longer work shows a bar that is wiped at its end."""
    ticks = itertools.count(1_000.0, seconds)  # how far the clock is each time that it is looked at
    monkeypatch.setattr(tqdm.std, "time", lambda: next(ticks))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    WORK[name](folder, github)
    out, err = capsys.readouterr()
    assert out == ""
    assert (name in err) is is_shown
    assert bool(err) is is_shown
    assert err.rpartition("\r")[2].strip() == ""


def test_no_bar_in_a_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where stderr is no terminal and this no notebook, long work prints nothing (nb-08)."""
    ticks = itertools.count(1_000.0, 2.1)
    monkeypatch.setattr(tqdm.std, "time", lambda: next(ticks))
    monkeypatch.delitem(sys.modules, "ipykernel.zmqshell", raising=False)
    sb.token_sizes(sb.load_skills(folder), len)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("name", WORK)
def test_work_without_tqdm(
    name: str, folder: Path, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where tqdm is not installed, the work is done without a bar."""
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    WORK[name](folder, github)


# --- the stop button ------------------------------------------------------------------------------


@dataclass
class Kernel:
    """A running kernel, and what is asked of it."""

    manager: KernelManager
    client: BlockingKernelClient

    def run(self, code: str, *, stop_at: str = "") -> tuple[str, str]:
        """Runs code; returns what it printed, and the name of the error that ended it.

        Args:
            code: what to run.
            stop_at: when this was printed, the kernel's stop button is pressed.
        """
        asked = self.client.execute(textwrap.dedent(code))
        printed, error = "", ""
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                printed += content["text"]
                if stop_at and stop_at in printed:
                    self.manager.interrupt_kernel()
                    stop_at = ""
            elif kind == "error":
                error = content["ename"]
            elif kind == "status" and content["execution_state"] == "idle":
                return printed, error

    def says(self, code: str) -> str:
        """Runs one line that must not fail; returns what it printed, without its end."""
        printed, error = self.run(code)
        assert error == "", printed
        return printed.strip()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """One kernel for all, in a folder with eight skills."""
    from jupyter_client.manager import start_new_kernel

    place = tmp_path_factory.mktemp("kernel")
    build(place / "skills", SKILLS)
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(place))
    try:
        made = Kernel(manager, client)
        made.says("import time; import skillbook as sb; source = sb.load_skills('skills')")
        yield made
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


SLOW = """
    def slow(value, begun=[]):
        if not begun:
            begun.append(True)
            print("begun", flush=True)
        time.sleep(0.2)
        return value
"""


def test_stopping_a_count(kernel: Kernel) -> None:
    """Counting stops at once with a KeyboardInterrupt; counting again gives every size."""
    kernel.says(SLOW)
    begun = time.monotonic()
    said = kernel.run("sb.token_sizes(source, lambda text: slow(len(text)))", stop_at="begun")
    assert said == ("begun\n", "KeyboardInterrupt")
    assert time.monotonic() - begun < 3  # all of it would take 16 times 0.2 seconds, and more
    kernel.says("sizes = sb.token_sizes(source, len)")
    assert kernel.says("print(len(sizes), sizes.body.tokens == sizes.body.chars > 0)") == "8 True"


def test_stopping_a_check(kernel: Kernel) -> None:
    """Checking stops with a KeyboardInterrupt; checking again gives the whole report."""
    kernel.says(SLOW)
    kernel.says("""
        from skillbook.lint import checker
        run = checker._run
        checker._run = lambda *given: slow(run(*given))
    """)
    assert kernel.run("sb.check('skills')", stop_at="begun") == ("begun\n", "KeyboardInterrupt")
    kernel.says("checker._run = run")
    assert kernel.says("print(sb.check('skills').summary)").endswith("in 8 files")


def test_stopping_a_search_of_bodies(kernel: Kernel) -> None:
    """The search in bodies stops without an error, says so, and can be started again."""
    kernel.says(SLOW)
    kernel.says("""
        from skillbook.widgets import choosing
        read = choosing.body_of
        choosing.body_of = lambda skill: slow(read(skill))
        browser = sb.explore("skills")
        browser.search = "body 7"
    """)
    assert kernel.run("browser.search_bodies()", stop_at="begun") == ("begun\n", "")
    assert kernel.says("print(browser.status.message, browser.status.progress)") == "Stopped. -1.0"
    assert kernel.says("print(browser.found)") == "[]"
    kernel.says("choosing.body_of = read; browser.search_bodies()")
    assert kernel.says("print(browser.found)") == "['skill-7']"
    kernel.says("browser.close()")


def test_stopping_while_the_button_searches(kernel: Kernel) -> None:
    """The button's search goes on between cells; the stop button then harms neither it nor the kernel."""
    kernel.says(SLOW)
    kernel.says("""
        choosing.body_of = lambda skill: slow(read(skill))
        browser = sb.explore("skills")
        browser.search = "body 7"
        browser.bodies.click()
    """)
    kernel.manager.interrupt_kernel()
    assert kernel.says("print(1 + 1)").endswith("2")
    kernel.says("browser.stop(); choosing.body_of = read; browser.search_bodies()")
    assert kernel.says("print(browser.found)") == "['skill-7']"
    kernel.says("browser.close()")


def test_stopping_a_download(kernel: Kernel, github: FakeGitHub, tmp_path: Path) -> None:
    """A download stops with a KeyboardInterrupt and leaves no file; the next one gives the skill."""
    github.body = "stalled"
    kernel.says(f"""
        github = sb.GitHubProvider(cache_dir={str(tmp_path)!r}, base_url={github.url!r}, timeout=30)
        from skillbook.kits.github.http import Api
        save = Api._save
        Api._save = lambda *given, **more: print("begun", flush=True) or save(*given, **more)
    """)
    begun = time.monotonic()
    said = kernel.run("github.import_source('acme/pots')", stop_at="begun")
    assert said == ("begun\n", "KeyboardInterrupt")
    assert time.monotonic() - begun < 10  # the server would wait for 20 seconds
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    github.body = "whole"
    kernel.says("Api._save = save; done = github.import_source('acme/pots')")
    assert kernel.says("print(done.skills)") == "('acme/pots:kiln',)"


def test_short_work_in_a_notebook_prints_nothing(kernel: Kernel) -> None:
    """In a kernel, too, short work over several skills writes nothing but its result."""
    printed = [
        kernel.says(f"_ = {work}")
        for work in (
            "sb.token_sizes(source)",
            "sb.check('skills')",
            "sb.to_html(source)",
        )
    ]
    assert printed == ["", "", ""]

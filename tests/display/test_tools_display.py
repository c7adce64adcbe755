"""Displays of wrappers, pairs, script results and toolkits: all facts, as words, safe and stable."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook import ToolResult, display
from skillbook.display.markup import FOREIGN_CLASSES, PREFIX, TAGS
from skillbook.display.tools import DRAWN
from skillbook.scripts import ScriptResult
from skillbook.toolkit import Toolkit, create_toolkit
from skillbook.wrapper import SkillTools, skill_wrapper
from trees import build, skill

FILES = {
    "skills/greet/SKILL.md": skill("greet", "Greets people."),
    "skills/greet/references/guide.md": "A guide.\n",
    "skills/greet/scripts/greet.py": "# Usage: greet.py <name>\nimport sys\nprint('Hello,', *sys.argv[1:])\n",
    "skills/greet/scripts/fail.py": "import sys; print('out'); sys.exit('went wrong')",
    "skills/greet/scripts/slow.sh": "echo started\nsleep 60\n",
    "skills/plain/SKILL.md": "---\nname: plain\n---\nBody.\n",
}


@pytest.fixture
def skills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A relative root with a skill that has scripts, and one that has nothing."""
    build(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return "skills"


def draw(record: Any) -> str:
    """The display of a record."""
    return DRAWN[type(record)](record)


def text_of(html: str) -> str:
    """What a reader without any style sees, on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).replace("&#x27;", "'").split())


class Held(HTMLParser):
    """Holds a fragment to the tags, attributes and classes that a display may use."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        for name, value in attrs:
            if name == "class":
                names = value.split()
                assert all(each.startswith(PREFIX) or each in FOREIGN_CLASSES for each in names)
            else:
                assert name in TAGS[tag]


def pair(skills: str, **options: Any) -> SkillTools:
    """Returns a pair of the greeting skill."""
    return skill_wrapper(f"{skills}/greet", **options)()


def toolkit(skills: str) -> Toolkit:
    """Returns a toolkit of which one part failed."""

    def provider():
        raise RuntimeError("no <network>")

    return asyncio.run(
        create_toolkit(skills_dir=skills, skill_provider=provider, tools=[pair(skills)])
    )


def records(skills: str) -> list[Any]:
    """Returns one of each record that this module draws, and some more."""
    run = pair(skills, timeout=0.5).run
    assert run is not None
    return [
        skill_wrapper(f"{skills}/greet"),
        skill_wrapper(f"{skills}/plain"),
        pair(skills),
        skill_wrapper(f"{skills}/plain")(),
        run(file_name="greet.py", args=["World"]),
        run(file_name="fail.py"),
        run(file_name="slow.sh"),
        toolkit(skills),
        Toolkit([]),
    ]


def test_html_knows_each_record(skills: str) -> None:
    """display.html, and so a notebook, shows each record by its own display."""
    found = records(skills)
    assert {type(record) for record in found} == DRAWN.keys()
    for record in found:
        assert display.html(record) == display.fragment(draw(record))
        assert record._repr_html_() == display.html(record)


def test_a_first_result_is_drawn_as_any_other(skills: str) -> None:
    """A script result that is the first thing a session shows looks as it does later."""
    code = (
        "from skillbook import display; from skillbook.scripts import ScriptResult;"
        "print(display.html(ScriptResult('', script='a.py', stdout='x')), end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == display.fragment(draw(ScriptResult("", script="a.py", stdout="x")))


def test_only_what_a_display_may_hold(skills: str) -> None:
    """Every display holds to the short list of tags, attributes and classes."""
    for record in records(skills):
        Held(draw(record))


def test_the_same_on_every_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same skills give the same bytes wherever they lie, and no absolute path is shown."""
    drawn = []
    for place in ("here", "some/where else"):
        build(tmp_path / place, FILES)
        monkeypatch.chdir(tmp_path / place)
        drawn.append([draw(record) for record in records("skills")])
    assert drawn[0] == drawn[1]
    assert not any(str(tmp_path) in text or sys.executable in text for text in drawn[0])


def test_wrapper(skills: str) -> None:
    """A wrapper shows its skill, the names of its tools, its scripts with usage, its references."""
    shown = text_of(draw(skill_wrapper(f"{skills}/greet", env="clean", timeout=5)))
    for fact in (
        "greet (skill wrapper) Greets people. 3 scripts , 1 reference file",
        "location skills/greet/SKILL.md load tool skill_load__greet run tool skill_run__greet",
        "environment of scripts only what any process needs time for a script 5 s",
        "kept of each stream 1.0 MB asks before each run no",
        "Scripts fail.py greet.py &lt;name&gt; slow.sh Reference files guide.md",
    ):
        assert fact in shown
    plain = text_of(draw(skill_wrapper(f"{skills}/plain", confirm=lambda _: True)))
    assert "no description 0 scripts , 0 reference files" in plain
    assert "run tool none, since there are no scripts" in plain
    assert "1 warning there is no description" in plain


def test_wrapper_of_what_is_gone(skills: str, tmp_path: Path) -> None:
    """A wrapper whose folder has gone says so."""
    wrapper = skill_wrapper(f"{skills}/greet")
    (tmp_path / "skills").rename(tmp_path / "moved")
    assert "cannot be read: it does not exist" in text_of(draw(wrapper))


def test_pair(skills: str) -> None:
    """A pair shows each tool with its arguments, and says where nothing can be run."""
    shown = text_of(draw(pair(skills)))
    assert "load and run Tool From Description skill_load__greet skill Loads the skill" in shown
    assert "skill_run__greet script Runs a script of the skill 'greet'" in shown
    assert "file_name string required The script to run" in shown
    alone = text_of(draw(skill_wrapper(f"{skills}/plain")()))
    assert "load alone: nothing can be run" in alone


def test_script_result(skills: str) -> None:
    """A result shows its streams apart, and its exit code in words."""
    run = pair(skills).run
    assert run is not None
    shown = text_of(draw(run(file_name="greet.py", args=["World"])))
    assert shown == (
        "scripts/greet.py (script result) success , stdout 13 characters , stderr 0 characters"
        " exit code 0: it went well stdout Hello, World stderr: nothing was printed."
    )


def test_script_that_failed(skills: str) -> None:
    """A failure says so in words, with what the gate told the model besides."""
    tools = pair(skills)
    assert tools.run is not None
    early = text_of(draw(tools.run(file_name="fail.py")))
    assert "error , stdout 4 characters" in early
    assert "exit code 1: it failed stdout out stderr went wrong" in early
    assert "Told to the model besides: The skill's readme was not read yet. In short:" in early
    tools.load()
    assert "besides" not in draw(tools.run(file_name="fail.py"))


def test_script_that_timed_out(skills: str) -> None:
    """A result of a script whose time was up says so."""
    run = pair(skills, timeout=0.5).run
    assert run is not None
    shown = text_of(draw(run(file_name="slow.sh")))
    ended = "its time was up, so it was ended with all it had started that was found"
    assert f"{ended} stdout started" in shown


def test_cut_output() -> None:
    """Output that was not kept, and output that is not shown, are said."""
    result = ScriptResult("", script="a.py", stdout="x" * 60_000, stderr="e", stdout_cut=1234)
    shown = text_of(draw(result))
    assert "Cut: 50,000 of 60,000 characters shown." in shown
    assert "1,234 more bytes of stdout were printed and not kept." in shown
    assert "of stderr were printed" not in shown


def test_how_long_it_took_is_not_shown() -> None:
    """Two runs that took different times show the same bytes."""
    one, two = (ScriptResult("", script="a.py", duration_s=took) for took in (0.1, 0.2))
    assert draw(one) == draw(two)
    assert repr(one) == repr(two)
    assert one == two


def test_toolkit(skills: str) -> None:
    """A toolkit shows its tools, what failed and why, and the prompt."""
    shown = text_of(draw(toolkit(skills)))
    assert shown.startswith(
        "Toolkit 3 tools , 1 failed Problem: skill_provider failed: RuntimeError: no &lt;"
    )
    assert "skill skill Loads one skill" in shown
    assert "skill_run__greet script Runs a script" in shown
    assert "## Available Skills - **greet**: Greets people." in shown
    assert text_of(draw(Toolkit([]))) == "Toolkit 0 tools No tools."
    alone = asyncio.run(create_toolkit(skills_dir=skills, disable_tools=["skill"]))
    assert text_of(draw(alone)) == "Toolkit 0 tools No tools."


@given(st.text(max_size=200), st.text(max_size=200))
def test_hostile_text_stays_text(one: str, two: str) -> None:
    """Whatever a script prints and whatever it is called, only listed tags come out."""
    result = ScriptResult(
        one,
        is_error=True,
        script=two,
        stdout=one + "<script>$x$</script>",
        stderr=two,
        parts=(("note", "a"), ("note", two)),
    )
    Held(draw(result))
    Held(draw(Toolkit([], failures={one: two})))
    assert "<script" not in draw(result)


def test_results_of_a_pair_are_tool_results(skills: str) -> None:
    """The readme and a reference are shown with their parts told apart."""
    tools = pair(skills)
    readme = display.html(tools.load())
    assert type(tools.load()) is ToolResult
    shown = text_of(readme)
    assert "body 5 characters Body. files ## Available reference files" in shown
    page = text_of(display.html(tools.load(action="reference", file_name="guide.md")))
    assert "title references/guide.md: lines 1-1 of 1 body 8 characters A guide." in page

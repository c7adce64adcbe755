"""The exercises of the course: wrong answers are told why, right ones are accepted."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import skillbook as sb

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
CELLS = json.loads((FOLDER / "07_exercises.ipynb").read_text(encoding="utf-8"))["cells"]
SOURCES = {cell["id"]: "".join(cell["source"]) for cell in CELLS}
TASKS = [name.removesuffix("-answer") for name in SOURCES if name.endswith("-answer")]


@pytest.fixture(scope="module")
def exercises() -> ModuleType:
    """The checker that lies beside the notebook."""
    spec = importlib.util.spec_from_file_location("exercises", FOLDER / "exercises.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up while they are made.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "exercises", module)
        spec.loader.exec_module(module)
    return module


def answered(
    exercises: ModuleType, monkeypatch: pytest.MonkeyPatch, code: str, verdict: str
) -> Any:
    """Runs an answer in the notebook's folder, and returns what the checker says of it."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setitem(sys.modules, "exercises", exercises)
    names: dict[str, Any] = {}
    exec(SOURCES["setup"], names)
    exec(code, names)
    return eval(verdict, names)


def test_eight() -> None:
    """There are eight tasks, each with a text, an answer to change and a solution."""
    assert len(TASKS) == 8
    assert [f"{task}-text" in SOURCES and f"{task}-solution" in SOURCES for task in TASKS] == (
        [True] * 8
    )


@pytest.mark.parametrize("task", TASKS)
def test_first_answer(
    task: str, exercises: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """The answer that a task starts with is wrong, and the checker says why."""
    code, _, verdict = SOURCES[f"{task}-answer"].rpartition("\n")
    found = answered(exercises, monkeypatch, code, verdict)
    assert not found.right
    assert repr(found).startswith("Not yet:\n- ")


@pytest.mark.parametrize("task", TASKS)
def test_solution(task: str, exercises: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The solution that is folded below a task is accepted."""
    (code,) = re.findall(
        r"```python\n(.*?)^```$", SOURCES[f"{task}-solution"], re.DOTALL | re.MULTILINE
    )
    verdict = SOURCES[f"{task}-answer"].rpartition("\n")[2]
    found = answered(exercises, monkeypatch, code, verdict)
    assert found.faults == ()
    assert repr(found).startswith("Right. ")


@pytest.mark.parametrize("answer", [None, 3.5, b"text", object(), True, ["SKILL.md"], {1: 2}])
def test_answers_of_another_kind(answer: Any, exercises: ModuleType) -> None:
    """An answer of the wrong kind is told what it should be; nothing is raised."""
    names = ("front_matter", "description", "listed", "conversation", "dial", "shorten", "split")
    for name in names:
        assert "it should be" in repr(getattr(exercises, name)(answer))
    assert not exercises.call(answer).right


MENDED = """---
name: tide-clock
description: "Reads a tide clock: says how long it is until high water. Use when somebody stands at a harbour."
---

# Tide clock

The hand goes round in 12 hours and 25 minutes. At the top it is high water, at the bottom low.
"""


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "SB"),
        ("tide-clock", "SB"),
        (MENDED.replace("tide-clock", "Tide Clock"), "SB1"),
        (MENDED.replace("name: tide-clock", "name: tide-watch"), "the name should be tide-clock"),
        (MENDED.replace("says how long", "and how long"), "the description should keep its words"),
        (MENDED.replace("12 hours", "6 hours"), "the body was fine"),
    ],
)
def test_front_matter_wrongly(answer: str, said: str, exercises: ModuleType) -> None:
    """Front matter that is still broken, or says something else, is not accepted."""
    assert said in repr(exercises.front_matter(answer))
    assert not exercises.front_matter(answer).right


def test_front_matter_otherwise(exercises: ModuleType) -> None:
    """Another way to mend it is as right: a folded description, and no version."""
    folded = MENDED.replace(' "Reads', " >-\n  Reads").replace('harbour."', "harbour.")
    assert exercises.front_matter(MENDED).right
    assert exercises.front_matter(folded).right


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "SB"),
        ("Brews tea, green, bitter or with breakfast.", "when to use"),
        ("I brew green tea for breakfast. Use when it is bitter.", "SB402"),
        ("Use when somebody wants a hot drink.", "does not lead to it"),
        (
            "Brews green tea, bitter or not, at breakfast. Use when a kettle is broken, or to write a"
            " letter.",
            "though it is for complaint-letter",
        ),
        ("Brews green tea that is not bitter. Use when it is time for breakfast. " * 4, "keep to"),
    ],
)
def test_description_wrongly(answer: str, said: str, exercises: ModuleType) -> None:
    """A description that is vague, in the first person, greedy or long is not accepted."""
    assert said in repr(exercises.description(answer))
    assert not exercises.description(answer).right


def test_description_otherwise(exercises: ModuleType) -> None:
    """Another good description is as right."""
    answer = "Makes a good cup of tea. Use when somebody brews tea or asks how long tea takes."
    assert exercises.description(answer).faults == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "file_name is missing"),
        ({"file_name": "greet.py"}, "is not given <name>"),
        ({"file_name": "greeting.py", "args": ["Åsa"]}, "not found"),
        ({"file_name": "greet.py", "args": ["Åsa", "se"]}, "se is no language"),
        ({"file_name": "greet.py", "args": ["Åsa", "sv"]}, "God dag, Åsa!"),
    ],
)
def test_call_wrongly(answer: dict[str, Any], said: str, exercises: ModuleType) -> None:
    """A call that fails, or greets otherwise, is told what the tool said."""
    assert said in repr(exercises.call(answer))
    assert not exercises.call(answer).right


def test_listed(exercises: ModuleType) -> None:
    """Only the number is right; beside it one is told in which direction to look."""
    course = sb.load_skills(exercises.COURSE)
    right = len(sb.budget(course, chars=exercises.CHARS).whole)
    assert 0 < right < len(course) - 1
    assert exercises.listed(right).right
    assert "the whole list takes" in repr(exercises.listed(len(course)))
    assert "fewer" in repr(exercises.listed(right + 1))
    assert "more" in repr(exercises.listed(right - 1))


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "nobody has read the instructions"),
        ([("load", "museum-guide")], "it was not run"),
        ([("load", "museum")], "gave an error"),
        (
            [("load", "museum-guide"), ("run", "museum-guide", "scripts/route.py", ["60"])],
            "read step 2 and step 3",
        ),
        (
            [
                ("run", "museum-guide", "scripts/route.py", ["50", "ships"]),
                ("load", "museum-guide"),
            ],
            "before anyone had read how",
        ),
        (
            [
                ("load", "museum-guide"),
                ("run", "museum-guide", "scripts/route.py", ["50", "ships"]),
                ("load", "quiz-writer"),
            ],
            "not needed, at",
        ),
        (
            [
                ("load", "museum-guide"),
                ("load", "museum-guide"),
                ("run", "museum-guide", "scripts/route.py", ["50", "ships"]),
            ],
            "not needed, at",
        ),
    ],
)
def test_conversation_wrongly(
    steps: list[tuple[Any, ...]], said: str, exercises: ModuleType
) -> None:
    """A conversation that leaves out, mixes up or adds a step is not accepted."""
    session = sb.Session(sb.load_skills(exercises.COURSE))
    session.user(exercises.QUESTION)
    for step, *args in steps:
        getattr(session, step)(*args)
    assert said in repr(exercises.conversation(session))
    assert not exercises.conversation(session).right


def test_conversation_among_all(exercises: ModuleType) -> None:
    """The model must see all skills of the course, not the right one alone."""
    one = sb.load_skills(exercises.COURSE, filter={"museum-guide": True})
    session = sb.Session(one)
    session.load("museum-guide")
    session.run("museum-guide", "scripts/route.py", ["50", "ships"])
    (fault,) = exercises.conversation(session).faults
    assert fault.startswith("the model should see all skills of the course; 19 are not there")


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (-1, "no record"),
        (1, "no record"),
        (0, "keep to"),
        (10, "keep to"),
        (sb.ALL, "keep to"),
        (-2, "-2"),
    ],
)
def test_dial_wrongly(limit: int, said: str, exercises: ModuleType) -> None:
    """A dial that shows no record, or costs too much, is not accepted."""
    assert said in repr(exercises.dial(limit))
    assert not exercises.dial(limit).right


@pytest.mark.parametrize("limit", [2, 3, 4, 5])
def test_dial(limit: int, exercises: ModuleType) -> None:
    """Every dial between the two is right."""
    assert exercises.dial(limit).right


GOOD = {
    "colour-contrast": "Checks whether colours can be read on each other. Use when some are chosen.",
    "interview-guide": "Prepares interviews and sums them up. Use when somebody will talk to people.",
    "paint-estimate": "Works out how much paint a room needs. Use when somebody paints.",
}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "characters too many"),
        ({**GOOD, "moon-phase": "Tells the moon. Use when it is dark."}, "4 descriptions"),
        ({**GOOD, "paint-estimate": "Reckons paint."}, "SB401"),
        ({"tea": "Brews tea. Use when thirsty."}, "there is no skill 'tea'"),
        (dict.fromkeys(GOOD, ""), "SB"),
    ],
)
def test_shorten_wrongly(answer: dict[str, str], said: str, exercises: ModuleType) -> None:
    """Too little, too many, or descriptions that say too little are not accepted."""
    assert said in repr(exercises.shorten(answer))
    assert not exercises.shorten(answer).right


def test_shorten(exercises: ModuleType) -> None:
    """Three short descriptions that say what and when are right."""
    assert exercises.shorten(GOOD).faults == ()


def parts(exercises: ModuleType) -> tuple[str, str]:
    """Returns the body that names a file, and what goes into that file."""
    head, title, knots = exercises.HUGE.partition("# Knots in words")
    return head.replace("stands below", "stands in `references/knots.md`"), title + knots


def test_split_otherwise(exercises: ModuleType) -> None:
    """One file a knot, all in one folder that the body names, is as right."""
    body, knots = parts(exercises)
    start, *each = knots.split("\n## ")
    files = {f"knots/{n}.md": f"## {text}" for n, text in enumerate(each)}
    named = body.replace("`references/knots.md`", "the files of `knots/`")
    answer = {"SKILL.md": named, "knots/words.md": start, **files}
    assert exercises.split(answer).faults == ()


def test_split_wrongly(exercises: ModuleType) -> None:
    """Files that nothing names, lost lines, odd paths and a missing body are told."""
    body, knots = parts(exercises)
    unnamed = body.replace("stands in `references/knots.md`", "stands elsewhere")
    wrong = [
        ({}, "there is no SKILL.md"),
        ({"SKILL.md": ""}, "SB"),
        ({"SKILL.md": exercises.HUGE}, "loading it costs"),
        ({"SKILL.md": body}, "SB302"),
        ({"SKILL.md": body, "references/knots.md": knots[:500]}, "lines are lost"),
        (
            {"SKILL.md": unnamed, "references/knots.md": knots},
            "does not name 'references/knots.md'",
        ),
        ({"SKILL.md": body, "../knots.md": knots}, "'../knots.md' is no path"),
        ({"SKILL.md": body, "/knots.md": knots}, "'/knots.md' is no path"),
        ({"SKILL.md": body, "SKILL.md/knots.md": knots}, "cannot stand beside each other"),
    ]
    for answer, said in wrong:
        assert said in repr(exercises.split(answer))
        assert not exercises.split(answer).right

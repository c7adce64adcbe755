"""The exercises of the course: wrong answers are told why, right ones are accepted."""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    "answer", [None, 3.5, b"text", object(), True, ["SKILL.md"], ("a", "b"), {"SKILL.md": ["a"]}]
)
def test_answers_of_another_kind(answer: Any, exercises: ModuleType) -> None:
    """An answer of the wrong kind is told what it should be; nothing is raised."""
    for name in (
        "front_matter",
        "description",
        "listed",
        "conversation",
        "dial",
        "shorten",
        "split",
    ):
        assert "it should be" in repr(getattr(exercises, name)(answer))
    assert not exercises.call(answer).right


class Thorny(dict):  # type: ignore[type-arg]
    """A dict whose methods fail."""

    def items(self) -> Any:
        raise RuntimeError("no items")

    __contains__ = __iter__ = get = __getitem__ = items  # type: ignore[assignment]


class Pretender:
    """An object that fails when its class is asked for."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError("no class")


JUDGES = (
    "front_matter",
    "description",
    "call",
    "listed",
    "conversation",
    "dial",
    "shorten",
    "split",
)


@pytest.mark.parametrize("judge", JUDGES)
def test_answers_that_raise(judge: str, exercises: ModuleType) -> None:
    """An answer whose own methods raise is told so, and what it should be."""
    for answer in (Thorny(), Pretender()):
        verdict = getattr(exercises, judge)(answer)
        assert not verdict.right
        assert "it should be" in repr(verdict)


NESTED: Any = functools.reduce(lambda inner, _: [inner], range(5_000), [])

# A lone surrogate, a NUL, much text, a path, YAML that is deep: as texts, keys and values.
ODD_TEXTS = (
    "\ud800",
    "---\nname: tide-clock\ndescription: Tells. Use when asked.\n---\n\n\ud800\n",
    "\0",
    "x" * 300_000,
    "\n" * 100_000,
    "/",
    "a/" * 3_000,
    f"---\nname: a\nx: {'[' * 3_000}\n---\n",
)
ODD_NUMBERS = (0, -1, 10**5_000, -(10**5_000))


@pytest.mark.parametrize("judge", JUDGES)
def test_odd_answers(judge: str, exercises: ModuleType) -> None:
    """Odd texts, numbers and dicts are wrong answers, whose verdict can be printed."""
    as_keys: list[Any] = [{text: "", "SKILL.md": exercises.HUGE} for text in ODD_TEXTS]
    as_values = [{"SKILL.md": text, "moon-phase": text, "file_name": text} for text in ODD_TEXTS]
    as_args = [{"file_name": "greet.py", "args": [text]} for text in ODD_TEXTS]
    others: list[Any] = [{}, {1: 2, None: NESTED}, {"file_name": "greet.py", "args": NESTED}]
    for answer in (*ODD_TEXTS, *ODD_NUMBERS, *as_keys, *as_values, *as_args, *others):
        verdict = getattr(exercises, judge)(answer)
        assert not verdict.right
        assert 0 < len(repr(verdict).encode()) < 10_000


TEXTS = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    ["SKILL.md", "moon-phase", "file_name", "args", "greet.py", "a/b.md", "a", "museum-guide"]
)
ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=5) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=8,
)


@given(answer=ANSWERS | st.dictionaries(TEXTS, TEXTS, max_size=4))
def test_nothing_is_raised(answer: Any, exercises: ModuleType) -> None:
    """Whatever an answer is, each judge gives a verdict that can be printed."""
    for judge in JUDGES:
        assert repr(getattr(exercises, judge)(answer)).encode()


STEPS = st.sampled_from(["user", "load", "read", "run", "unload"])
WORDS = st.sampled_from(["museum-guide", "quiz-writer", "scripts/route.py", "references/rooms.md"])


def test_a_title_that_no_file_can_hold(exercises: ModuleType) -> None:
    """Half a character in a step's title does not keep the verdict from being printed."""
    session = played(exercises, [ASK, ("load", "\ud800")])
    assert "load ?: the model gets an error" in repr(exercises.conversation(session))


@settings(max_examples=40)  # each runs the script
@given(steps=st.lists(st.tuples(STEPS, WORDS | TEXTS, WORDS | TEXTS), max_size=4))
def test_no_session_raises(steps: list[tuple[str, str, str]], exercises: ModuleType) -> None:
    """Whatever steps a session has, the checker says what is wrong with it."""
    session = sb.Session(sb.load_skills(exercises.COURSE), runner=lambda *_: "no idea")
    for step, name, path in steps:
        if step != "unload" or name in session.loaded:
            getattr(session, step)(*((name, path) if step in ("read", "run") else (name,)))
    verdict = exercises.conversation(session)
    assert not verdict.right
    assert repr(verdict).encode()


def test_many_faults(exercises: ModuleType) -> None:
    """A long list of faults is cut when it is printed, and says how many more there are."""
    verdict = exercises.shorten({f"skill-{number}": "" for number in range(20)})
    assert len(repr(verdict).splitlines()) == 10
    assert repr(verdict).endswith("- and 13 more")


MENDED = """---
name: tide-clock
description: "Reads a tide clock: says how long it is until high water. Use when somebody stands at a harbour."
---

# Tide clock

The hand goes round in 12 hours and 25 minutes. At the top it is high water, at the bottom low.
"""


def test_front_matter_is_the_broken_one(exercises: ModuleType) -> None:
    """The text to mend that the cell shows is the one that the checker compares with."""
    assert exercises.BROKEN in SOURCES["front-matter-answer"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "SB104"),
        ("tide-clock", "SB104"),
        (MENDED.removeprefix("---\n"), "SB104"),
        (MENDED.replace("tide-clock", "Tide Clock"), "SB113"),
        (MENDED.replace("tide-clock", "tide_clock"), "SB114"),
        (MENDED.replace("name: tide-clock", "name: tideclock"), "the name is 'tideclock'"),
        (MENDED.replace('"', ""), "SB107"),
        (MENDED.replace("\n---\n", "\nversion: 1.0\n---\n"), "belongs under metadata"),
        (MENDED.replace("\n---\n", "\nmetadata:\n  version: 1.0\n---\n"), "SB142"),
        (
            MENDED.replace('"', "").replace("clock: says", "clock, says"),
            "keep the description's words",
        ),
        (MENDED.replace("12 hours", "6 hours"), "the body was fine"),
        (MENDED.partition("# Tide")[0], "SB201"),
    ],
)
def test_front_matter_wrongly(answer: str, said: str, exercises: ModuleType) -> None:
    """Front matter that is still broken, or says something else, is not accepted."""
    assert said in repr(exercises.front_matter(answer))
    assert not exercises.front_matter(answer).right


@pytest.mark.parametrize(
    "answer",
    [
        MENDED,
        MENDED.replace(' "Reads', " >-\n  Reads").replace('harbour."', "harbour."),
        MENDED.replace('"', "'"),
        MENDED.replace("\n---\n", '\nmetadata: {version: "1.0"}\n---\n'),
        MENDED.replace("\n---\n", "\n# version 1.0\n---\n"),
        MENDED.replace("\n", "\r\n"),
    ],
)
def test_front_matter_otherwise(answer: str, exercises: ModuleType) -> None:
    """Another way to mend it is as right: other quotes, a folded text, the version kept or not."""
    assert exercises.front_matter(answer).faults == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "SB"),
        ("Brews tea, green, bitter or with breakfast.", "when to use"),
        ("I brew green tea for breakfast. Use when it is bitter.", "SB402"),
        ("Prepares hot drinks. Use when somebody is thirsty.", "leads to no skill"),
        (
            "Makes tea. Use when somebody wants tea.",
            "leads to museum-guide and as much to leaf-and-cup",
        ),
        ("Use when somebody brews green tea or finds it bitter.", "say first what the skill does"),
        (
            "Brews green tea, bitter or not, at breakfast. Use when a kettle is broken, or to write a"
            " letter.",
            "though it is for complaint-letter",
        ),
        (
            "Brews green tea that is not bitter. Use when it is time for breakfast. " * 4,
            "keep to 250",
        ),
    ],
)
def test_description_wrongly(answer: str, said: str, exercises: ModuleType) -> None:
    """A description that is vague, in the first person, greedy or long is not accepted."""
    assert said in repr(exercises.description(answer))
    assert not exercises.description(answer).right


@pytest.mark.parametrize(
    "answer",
    [
        "Makes a good cup of tea. Use when somebody brews tea or asks how long tea takes.",
        "Explains tea: leaves, water, time.\n\nUse for green, black, white or herb tea.",
        "Helps to steep any tea, and to choose one for a meal. Use if a pot is made or was spoilt.",
    ],
)
def test_description_otherwise(answer: str, exercises: ModuleType) -> None:
    """Another good description is as right."""
    assert exercises.description(answer).faults == ()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "file_name is missing"),
        ({"file_name": "greet.py"}, "is not given <name>"),
        ({"file_name": "greeting.py", "args": ["Åsa"]}, "not found"),
        (
            {"file_name": "greet.py", "args": "Åsa sv morning"},
            "pass a list with one item an argument",
        ),
        (
            {"file_name": "greet.py", "args": {"name": "Åsa"}},
            "pass a list with one item an argument",
        ),
        ({"file_name": "greet.py", "args": ["Åsa", "se"]}, "se is no language"),
        ({"file_name": "greet.py", "args": ["Åsa", "morning", "sv"]}, "morning is no language"),
        ({"file_name": "greet.py", "args": ["Åsa", "sv", "9:00"]}, "9:00 is no time of day"),
        ({"file_name": "greet.py", "args": ["Åsa", "sv"]}, "God dag, Åsa!"),
        (
            {"file_name": "greet.py", "args": ["Åsa", "en", "morning"]},
            "it should greet Åsa in Swedish",
        ),
    ],
)
def test_call_wrongly(answer: dict[str, Any], said: str, exercises: ModuleType) -> None:
    """A call that fails, or greets otherwise, is told what the tool said."""
    assert said in repr(exercises.call(answer))
    assert not exercises.call(answer).right


@pytest.mark.parametrize(
    "answer",
    [
        {"file_name": "scripts/greet.py", "args": ["Åsa", "sv", "morning"]},
        {"args": ("Åsa", "SV", "Morning"), "file_name": "greet.py"},
        {"file_name": "greet.py", "args": ["Åsa", "sv", "morning"], "envs": {}},
    ],
)
def test_call_otherwise(answer: dict[str, Any], exercises: ModuleType) -> None:
    """Another way to write the call is as right."""
    assert exercises.call(answer).faults == ()


def test_listed(exercises: ModuleType) -> None:
    """Only the number is right; beside it one is told in which direction to look."""
    course = sb.load_skills(exercises.COURSE)
    budget = sb.budget(course, chars=exercises.CHARS)
    right = len(budget.whole)
    assert 0 < right < len(course) - 1
    assert exercises.listed(right).right
    for answer in (len(course), len(course) + 1, 10**5_000):
        assert f"takes {budget.needed:,} characters" in repr(exercises.listed(answer))
    assert "fewer" in repr(exercises.listed(right + 1))
    for answer in (right - 1, 0, -1):
        assert "more" in repr(exercises.listed(answer))


def test_the_whole_list(exercises: ModuleType) -> None:
    """What the whole list takes, in the fault of exercise 4, is what the prompt's letters count to."""
    course = sb.load_skills(exercises.COURSE)
    (fault,) = exercises.listed(len(course)).faults
    assert f"{len(course.prompt()):,} characters" in fault


ASK = ("user", "QUESTION")
LOAD = ("load", "museum-guide")


def route(*args: str, output: str | None = None) -> tuple[Any, ...]:
    """Returns the step that runs the script."""
    return ("run", "museum-guide", "scripts/route.py", args, output)


def played(exercises: ModuleType, steps: Any, source: Any = None, **options: Any) -> sb.Session:
    """Returns a session that took the steps."""
    session = sb.Session(source or sb.load_skills(exercises.COURSE), **options)
    for step, *args in steps:
        if step == "run":
            session.run(*args[:-1], output=args[-1])
        else:
            said = [exercises.QUESTION if each == "QUESTION" else each for each in args]
            getattr(session, step)(*said)
    return session


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "nobody asks the question"),
        ([ASK], "nobody has read the instructions"),
        ([ASK, LOAD], "it was not run"),
        ([LOAD, route("50", "ships")], "nobody asks the question"),
        ([("user", "Ships?"), LOAD, route("50", "ships")], "step 2, user: the visitors ask"),
        (
            [ASK, LOAD, route("50", "ships"), ("user", "Thank you")],
            "step 5, user: the visitors ask",
        ),
        ([ASK, ASK, LOAD, route("50", "ships")], "step 3, user: not needed"),
        ([ASK, ("load", "museum"), LOAD, route("50", "ships")], "the model gets an error"),
        ([ASK, LOAD, route("60", "ships")], "read step 2 and step 3"),
        ([ASK, LOAD, route("50")], "read step 2 and step 3"),
        ([ASK, LOAD, route("50 ships")], "the model gets an error"),
        ([ASK, LOAD, route("50", "boats")], "boats is no interest that is known here"),
        ([ASK, LOAD, route("60", "ships", output="no idea")], "read step 2 and step 3"),
        ([ASK, LOAD, route("50", "ships", output="no idea")], "the script itself prints something"),
        (
            [ASK, LOAD, route("50", "ships"), route("60", "ships")],
            "step 5, run scripts/route.py 60",
        ),
        ([ASK, LOAD, route("50"), route("50", "ships")], "step 4, run scripts/route.py 50 of"),
        (
            [ASK, LOAD, route("50", "ships"), route("50", "ships")],
            "step 5, run scripts/route.py 50",
        ),
        ([LOAD, ASK, route("50", "ships")], "the order is wrong"),
        ([LOAD, route("50", "ships"), ASK], "the order is wrong"),
        ([ASK, route("50", "ships"), LOAD], "the order is wrong"),
        (
            [ASK, LOAD, route("50", "ships"), ("load", "quiz-writer")],
            "load quiz-writer: not needed",
        ),
        ([ASK, LOAD, LOAD, route("50", "ships")], "step 4, load museum-guide: not needed"),
        (
            [ASK, LOAD, ("read", "museum-guide", "references/rooms.md"), route("50", "ships")],
            "read references/rooms.md of museum-guide: not needed, and it costs",
        ),
        ([ASK, LOAD, route("50", "ships"), ("unload", "museum-guide")], "a model cannot do that"),
    ],
)
def test_conversation_wrongly(steps: list[Any], said: str, exercises: ModuleType) -> None:
    """A conversation that leaves out, mixes up, fakes or adds a step is not accepted."""
    session = played(exercises, steps)
    assert said in repr(exercises.conversation(session))
    assert not exercises.conversation(session).right


@pytest.mark.parametrize("root", [None, "/skills"])
@pytest.mark.parametrize(
    "steps",
    [
        [ASK, LOAD, route("50", "ships")],
        [("start",), ASK, LOAD, route("50", "ships")],
        [ASK, LOAD, route("50", "Ships")],
    ],
)
def test_conversation(steps: list[Any], root: str | None, exercises: ModuleType) -> None:
    """The question, the instructions and the script are right, whatever stands for the root."""
    assert exercises.conversation(played(exercises, steps, root=root)).faults == ()


def test_conversation_with_more_skills(exercises: ModuleType) -> None:
    """More skills in sight, and fewer files listed, change nothing."""
    folders = [exercises.COURSE, exercises.COURSE.parent / "skills"]
    more = sb.load_skills(folders).with_sample_limit(1)
    session = played(exercises, [ASK, LOAD, route("50", "ships")], more)
    assert exercises.conversation(session).faults == ()


def test_conversation_among_all(exercises: ModuleType) -> None:
    """The model must see all skills of the course, not the right one alone."""
    one = sb.load_skills(exercises.COURSE, filter={"museum-guide": True})
    session = played(exercises, [ASK, LOAD, route("50", "ships")], one)
    (fault,) = exercises.conversation(session).faults
    assert fault.startswith("the model should see all skills of the course; 19 are not there")


def test_conversation_with_other_instructions(exercises: ModuleType) -> None:
    """A skill that only bears the name is told apart from the course's own."""
    course = sb.load_skills(exercises.COURSE)
    files = ["scripts/route.py"]
    bare = [sb.SkillDef(name, "Go.", skill.description, files) for name, skill in course.items()]
    steps = [ASK, LOAD, route("50", "ships", output="Ships are in room 3.")]
    session = played(exercises, steps, sb.load_skills(skills=bare))
    instructions, output = exercises.conversation(session).faults
    assert instructions.endswith("these are not the instructions that lie in the course")
    assert output.endswith("the script itself prints something else; let it run")


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (-1, "records among the files listed: 0"),
        (1, "records among the files listed: 0"),
        (2, "records among the files listed: 1"),
        (0, "keep to"),
        (10, "keep to"),
        (300, "keep to"),
        (sb.ALL, "keep to"),
        (-2, "-2"),
    ],
)
def test_dial_wrongly(limit: int, said: str, exercises: ModuleType) -> None:
    """A dial that shows fewer than two records, or costs too much, is not accepted."""
    assert said in repr(exercises.dial(limit))
    assert not exercises.dial(limit).right


@pytest.mark.parametrize("limit", [3, 4, 5, 6])
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
        ({}, "characters too many; not listed whole: plain-english, quiz-writer"),
        (dict(list(GOOD.items())[:2]), "characters too many; not listed whole: quiz-writer"),
        ({**GOOD, "moon-phase": "Tells the moon. Use when it is dark."}, "4 descriptions"),
        ({**GOOD, "paint-estimate": "Reckons paint."}, "SB401"),
        ({**GOOD, "paint-estimate": "I reckon paint for rooms. Use when you paint."}, "SB402"),
        (
            {**GOOD, "paint-estimate": "Use when somebody paints a room."},
            "say first what the skill",
        ),
        ({"tea": "Brews tea. Use when thirsty."}, "there is no skill 'tea'"),
        ({name.upper(): text for name, text in GOOD.items()}, "there is no skill 'PAINT-ESTIMATE'"),
        (dict.fromkeys(GOOD, ""), "SB121"),
        (dict.fromkeys(GOOD, "Does it. Use when needed."), "too little of what this very skill"),
        (
            dict(zip(GOOD, reversed(GOOD.values()), strict=True)),
            "paint-estimate: it says too little of what this very skill does",
        ),
    ],
)
def test_shorten_wrongly(answer: dict[str, str], said: str, exercises: ModuleType) -> None:
    """Too little, too many, or descriptions that say too little are not accepted."""
    assert said in repr(exercises.shorten(answer))
    assert not exercises.shorten(answer).right


def test_shorten(exercises: ModuleType) -> None:
    """Three short descriptions that say what and when are right, beside the old ones or alone."""
    old = {name: skill.description for name, skill in sb.load_skills(exercises.COURSE).items()}
    assert exercises.shorten(GOOD).faults == ()
    assert exercises.shorten({**old, **GOOD}).faults == ()


BELOW = "How each is tied stands below."
KNOTS = "references/knots.md"


def parts(exercises: ModuleType, pointer: str) -> tuple[str, str]:
    """Returns the body with a pointer to the knots in it, and the knots."""
    head, title, knots = exercises.HUGE.partition("## Bowline")
    return head.replace(BELOW, pointer), title + knots


def files_by_knot(knots: str) -> dict[str, str]:
    """Returns a file for each knot."""
    return {
        f"knots/{re.sub('[^a-z]+', '-', text.splitlines()[0].lower())}.md": f"# {text}"
        for text in knots.split("## ")[1:]
    }


@pytest.mark.parametrize(
    "pointer",
    [
        f"Once the knot is chosen, read how it is tied in `{KNOTS}`.",
        f"The knots stand in `{KNOTS}`. Read it when one is chosen.",
        f"If you know the knot, see [how it is tied]({KNOTS}).",
        f"To tie the chosen knot, look it up in {KNOTS}.",
    ],
)
def test_split(pointer: str, exercises: ModuleType) -> None:
    """One file that the body names, and says when to read, is right, with a title or without."""
    body, knots = parts(exercises, pointer)
    assert exercises.split({"SKILL.md": body, KNOTS: knots}).faults == ()
    assert exercises.split({KNOTS: f"# Knots in words\n\n{knots}", "SKILL.md": body}).faults == ()


@pytest.mark.parametrize("pointer", ["its file in `knots/`", "`knots/<name>.md`"])
def test_split_by_knot(pointer: str, exercises: ModuleType) -> None:
    """One file a knot, all in one folder that the body names, is as right."""
    body, knots = parts(exercises, f"Once a knot is chosen, read {pointer}.")
    assert exercises.split({"SKILL.md": body, **files_by_knot(knots)}).faults == ()


def test_split_by_table(exercises: ModuleType) -> None:
    """One file a knot, each named in the table's row, is as right: rows may get a cell."""
    body, knots = parts(exercises, "When a knot is chosen, read the file in its row.")
    files = files_by_knot(knots)
    for path, text in files.items():
        name = text.splitlines()[0][2:].lower()
        body = re.sub(rf"(?m)^(\|[^|]*\| {name} \|.*)$", rf"\1 `{path}` |", body)
    body = body.replace("| not |", "| not | file |").replace(
        "| --- | --- |\n", "| --- |" * 3 + "\n"
    )
    assert all(path in body for path in files)
    assert exercises.split({"SKILL.md": body, **files}).faults == ()


def test_split_partly(exercises: ModuleType) -> None:
    """A knot that most people need may stay in the body."""
    body, knots = parts(exercises, f"The bowline is last; if another is chosen, read `{KNOTS}`.")
    bowline, second, others = knots.partition("## Round turn")
    assert exercises.split({"SKILL.md": body + bowline, KNOTS: second + others}).faults == ()


@pytest.mark.parametrize(
    "pointer",
    [
        f"How each is tied stands in `{KNOTS}`.",
        f"See `{KNOTS}` for more.",
        f"\n\n## Files\n\n- `{KNOTS}`\n\n## On\n\n",
    ],
)
def test_split_without_when(pointer: str, exercises: ModuleType) -> None:
    """A body that names the file, and not when to read it, is told so."""
    body, knots = parts(exercises, pointer)
    (fault,) = exercises.split({"SKILL.md": body, KNOTS: knots}).faults
    assert fault.startswith("the body names 'references/knots.md', and not when to read it")


@pytest.mark.parametrize("order", [sorted, lambda lines: lines[::-1], lambda lines: lines[1:]])
def test_split_out_of_order(order: Any, exercises: ModuleType) -> None:
    """Lines that were sorted, turned round or left out are told by the part they belong to."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    moved = "\n".join(order(knots.splitlines()))
    (fault,) = exercises.split({"SKILL.md": body, KNOTS: moved}).faults
    assert fault.startswith("not whole, with the heading and in the old order: Bowline")


def test_split_shuffled_below_headings(exercises: ModuleType) -> None:
    """Steps in another order below the right heading are told, though no line is lost."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    bowline, _, others = knots.partition("\n## ")
    title, *lines = bowline.splitlines()
    turned = "\n".join([title, *reversed(lines)])
    (fault,) = exercises.split({"SKILL.md": body, KNOTS: f"{turned}\n\n## {others}"}).faults
    assert fault == "not whole, with the heading and in the old order: Bowline"


def test_split_with_nothing_left(exercises: ModuleType) -> None:
    """What every question needs must stay in the body."""
    matter, title, rest = exercises.HUGE.partition("# Which knot?")
    moved = {"SKILL.md": f"{matter}# Knots\n\nWhen asked, read `all.md`.\n", "all.md": title + rest}
    (fault,) = exercises.split(moved).faults
    assert fault.startswith("needed whatever the knot, so keep it in the body: Which knot?, First")


def test_split_wrongly(exercises: ModuleType) -> None:
    """Files that nothing names, lost lines, odd paths and a missing body are told."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    unnamed = body.replace(f"`{KNOTS}`", "on")
    head = exercises.HUGE.partition("## Bowline")[0]
    wrong = [
        ({}, "there is no SKILL.md"),
        ({"skill.md": body, KNOTS: knots}, "there is no SKILL.md"),
        ({"SKILL.md": ""}, "SB104"),
        ({"SKILL.md": exercises.HUGE}, "loading it costs"),
        ({"SKILL.md": body}, "SB302"),
        ({"SKILL.md": body, "references/knot.md": knots}, "is “references/knot.md” meant?"),
        (
            {"SKILL.md": body, KNOTS: knots[:500]},
            "old order: Round turn and two half hitches, Clove",
        ),
        ({"SKILL.md": body.replace(" Not for climbing", ""), KNOTS: knots}, "front matter"),
        ({"SKILL.md": unnamed, KNOTS: knots}, "does not name 'references/knots.md'"),
        (
            {"SKILL.md": f"{head}\nOnce it is chosen, read `{KNOTS}`.\n", KNOTS: knots},
            "stands below",
        ),
        ({"SKILL.md": body, "../knots.md": knots}, "'../knots.md' is no plain path"),
        ({"SKILL.md": body, "/knots.md": knots}, "'/knots.md' is no plain path"),
        ({"SKILL.md": body, f"./{KNOTS}": knots}, "is no plain path"),
        ({"SKILL.md": body, "SKILL.md/knots.md": knots}, "cannot be written beside each other"),
        ({"SKILL.md": f"{body}\ud800", KNOTS: knots}, "cannot be written"),
        ({"SKILL.md": body, KNOTS: knots.splitlines()}, "a dict of paths to texts"),
    ]
    for answer, said in wrong:
        assert said in repr(exercises.split(answer))
        assert not exercises.split(answer).right

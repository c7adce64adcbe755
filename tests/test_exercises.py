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
from hypothesis import given, settings
from hypothesis import strategies as st

import skillbook as sb

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
CELLS = json.loads((FOLDER / "07_exercises.ipynb").read_text(encoding="utf-8"))["cells"]
SOURCES = {cell["id"]: "".join(cell["source"]) for cell in CELLS}
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


def test_solutions_at_the_end() -> None:
    """The solutions stand together after the last task, each folded, before the questions."""
    assert list(SOURCES)[-10:] == [
        "solutions",
        *(f"{task}-solution" for task in TASKS),
        "questions",
    ]
    assert [SOURCES[f"{task}-solution"].startswith("<details>\n") for task in TASKS] == [True] * 8


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
    """The solution that is folded at the end is accepted."""
    (code,) = re.findall(
        r"```python\n(.*?)^```$", SOURCES[f"{task}-solution"], re.DOTALL | re.MULTILINE
    )
    verdict = SOURCES[f"{task}-answer"].rpartition("\n")[2]
    found = answered(exercises, monkeypatch, code, verdict)
    assert found.faults == []
    assert repr(found).startswith("Right. ")


@pytest.mark.parametrize(
    "answer", [None, 3.5, b"text", object(), ["SKILL.md"], ("a", "b"), {"SKILL.md": ["a"]}]
)
def test_answers_of_another_kind(answer: Any, exercises: ModuleType) -> None:
    """An answer of the wrong kind is wrong; nothing is raised."""
    for name in JUDGES:
        assert not getattr(exercises, name)(answer).right


@pytest.mark.parametrize(
    ("judge", "answer", "said"),
    [
        ("description", None, "NoneType, and gives TypeError; it should be str"),
        ("listed", "12", "str, and gives TypeError; it should be int"),
        ("conversation", {}, "dict, and gives AttributeError; it should be sb.Session"),
        ("dial", None, "it should be int"),
        ("shorten", ["paint-estimate"], "it should be dict[str, str]"),
        ("split", ["SKILL.md"], "it should be dict[str, str]"),
        (
            "split",
            {"SKILL.md": "", "a.md": {"b": "c"}},
            "'a.md' (str) has a value of type dict; both should be str",
        ),
        (
            "shorten",
            {"paint-estimate": None},
            "'paint-estimate' (str) has a value of type NoneType;",
        ),
        ("split", {1: ""}, "1 (int) has a value of type str; both should be str"),
    ],
)
def test_the_kind_is_told(judge: str, answer: Any, said: str, exercises: ModuleType) -> None:
    """What cannot be judged is told what it should be."""
    assert said in repr(getattr(exercises, judge)(answer))


class Thorny(dict):  # type: ignore[type-arg]
    """A dict whose methods fail."""

    def items(self) -> Any:
        raise RuntimeError("no items")

    __contains__ = __iter__ = get = __getitem__ = items  # type: ignore[assignment]


class Pretender:
    """An object that fails when its class is asked for."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("no class")


@pytest.mark.parametrize("judge", JUDGES)
def test_answers_that_raise(judge: str, exercises: ModuleType) -> None:
    """An answer whose own methods raise is wrong, and its verdict can be printed."""
    for answer in (Thorny(), Pretender()):
        verdict = getattr(exercises, judge)(answer)
        assert not verdict.right
        assert repr(verdict).startswith("Not yet:\n- ")


NESTED: Any = []
for _ in range(5_000):
    NESTED = [NESTED]

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
    as_keys: list[Any] = [{text: "", "SKILL.md": exercises.LONG} for text in ODD_TEXTS]
    as_values = [
        {"SKILL.md": text, "paint-estimate": text, "file_name": text} for text in ODD_TEXTS
    ]
    as_args = [{"file_name": "greet.py", "args": [text]} for text in ODD_TEXTS]
    others: list[Any] = [{}, {1: 2, None: NESTED}, {"file_name": "greet.py", "args": NESTED}]
    for answer in (*ODD_TEXTS, *ODD_NUMBERS, *as_keys, *as_values, *as_args, *others):
        verdict = getattr(exercises, judge)(answer)
        assert not verdict.right
        assert 0 < len(repr(verdict).encode()) < 10_000


TEXTS = st.text(st.characters(exclude_categories=()), max_size=30) | st.sampled_from(
    ["SKILL.md", "paint-estimate", "file_name", "args", "greet.py", "a/b.md", "a", "moon-phase"]
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
WORDS = st.sampled_from(
    ["bread-formula", "quiz-writer", "scripts/scale.py", "references/weights.md"]
)


def test_a_title_that_no_file_can_hold(exercises: ModuleType) -> None:
    """Half a character in a step's title does not keep the verdict from being printed."""
    session = played(exercises, [ASK, ("load", "\ud800")])
    verdict = repr(exercises.conversation(session))
    assert ": the model gets an error: Skill" in verdict
    assert verdict.encode()


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
    assert exercises.front_matter(answer).faults == []


def test_what_can_be_mended_first(exercises: ModuleType) -> None:
    """What the file says comes without the list of loaders that refuse it."""
    verdict = repr(exercises.front_matter(exercises.BROKEN))
    assert "SB107, line 3" in verdict
    assert "SB6" not in verdict


def test_requests_find_their_skill(exercises: ModuleType) -> None:
    """By the course's own descriptions, each request leads to the skill that it is for."""
    course = sb.load_skills(exercises.COURSE)
    lines = {name: skill.description for name, skill in course.items()}
    others = [name for name in exercises.REQUESTS if name != exercises.NAME]
    assert [list(exercises._missed(name, lines)) for name in others] == [[] for _ in others]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "SB"),
        ("Brews coffee, ground fine, bitter or not.", "when to use"),
        ("I brew espresso coffee. Use when it is bitter.", "SB402: the description says"),
        (
            "Prepares hot drinks. Use when somebody is thirsty.",
            "does not lead to bean-and-cup: of its words (bitter, coffee, tastes) bean-and-cup has none",
        ),
        ("Makes coffee. Use when somebody wants coffee.", "its words (espresso, fine, grind)"),
        ("Use when somebody brews espresso or coffee.", "say first what the skill does"),
        ("Makes coffee and espresso. Use for coffee.", "it names no occasion"),
        ("Makes coffee and espresso. Use when needed. Do not use for tea.", "it names no occasion"),
        (
            "Brews espresso coffee. Use when a kettle came broken, or to write a letter about that.",
            "does not lead to complaint-letter",
        ),
        (
            "Brews espresso coffee that is broken. Use when somebody asks about what came.",
            "bean-and-cup has about, broken, came, that; a tie loses",
        ),
        (
            "Brews espresso coffee, not bitter. Use when it is time for breakfast. " * 4,
            "keep to 250",
        ),
    ],
)
def test_description_wrongly(answer: str, said: str, exercises: ModuleType) -> None:
    """A description that is vague, in the first person, greedy or long is not accepted."""
    assert said in repr(exercises.description(answer))
    assert ", line" not in repr(exercises.description(answer))
    assert not exercises.description(answer).right


@pytest.mark.parametrize(
    "answer",
    [
        "Brews coffee: how much, how fine to grind it. Use when somebody makes coffee or it is sour.",
        "Explains coffee: beans, water, time.\n\nUse for filter, press, pot or espresso.",
        "Guides coffee brewing in an espresso machine or a press. Use if someone asks for a recipe.",
        "Tells how to grind beans and brew coffee. Use when making coffee, or when it tastes bad.",
        "A guide to brewing coffee by filter, press, pot or espresso. Use when a user wants to brew it.",
        "Coffee brewing advice (grind, dose, time). Use when a cup is too bitter or too sour.",
        "Explains brewing good filter coffee using any number of beans. Use when espresso is bitter.",
        "Brews coffee and espresso. Use when a cup is too bitter or too sour. Do not use for tea.",
        "Brews coffee, e.g. espresso. Do not use for tea. Helps when brewing goes wrong.",
    ],
)
def test_description_otherwise(answer: str, exercises: ModuleType) -> None:
    """Another good description is as right."""
    assert exercises.description(answer).faults == []


def test_requests_come_last(exercises: ModuleType) -> None:
    """No request is told before the description itself is in order, so not by the first answer."""
    code, _, _ = SOURCES["description-answer"].rpartition("\n")
    (first,) = re.findall(r'answer = "(.*)"', code)
    assert "lead to" not in repr(exercises.description(first))
    assert "lead to" in repr(exercises.description("Brews tea. Use when somebody is thirsty."))


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
    assert exercises.call(answer).faults == []


def test_listed(exercises: ModuleType) -> None:
    """Only the number is right; beside it one is told the way, and what one's number takes."""
    course = sb.load_skills(exercises.COURSE)
    budget = sb.budget(course, chars=exercises.CHARS)
    right = len(budget.whole)
    assert 0 < right < len(course) - 1
    assert exercises.listed(right).right
    for answer in (right + 1, len(course), len(course) + 1, 10**5_000):
        assert "fewer: the first lines, all names and" in repr(exercises.listed(answer))
    for answer in (right - 1, 0, -1):
        assert "more: the first lines, all names and" in repr(exercises.listed(answer))


def test_the_characters_told(exercises: ModuleType) -> None:
    """The characters in the fault of exercise 4 are those of the list with so many descriptions."""
    course = sb.load_skills(exercises.COURSE)
    (fault,) = exercises.listed(len(course)).faults
    assert f"take {len(course.prompt()):,} characters" in fault
    (fault,) = exercises.listed(5).faults
    lines = course.prompt().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("- **"))
    bare = [line.partition(": ")[0] for line in lines[first + 5 :]]
    assert f"take {len(chr(10).join([*lines[: first + 5], *bare])):,} characters" in fault


ASK = ("user", "QUESTION")
LOAD = ("load", "bread-formula")
RIGHT = ("1200", "water=68", "salt=2", "yeast=1")


def scale(*args: str, output: str | None = None) -> tuple[Any, ...]:
    """Returns the step that runs the script."""
    return ("run", "bread-formula", "scripts/scale.py", args or RIGHT, output)


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
        ([], "still to come: the baker's question"),
        ([ASK], "still to come: the instructions of the skill"),
        ([ASK, LOAD], "still to come: the script"),
        ([LOAD, scale()], "- load bread-formula: too early: the baker's question must come"),
        ([("user", "Rolls?"), LOAD, scale()], "- user: the baker asks"),
        ([ASK, LOAD, scale(), ("user", "Thank you")], "- user: the baker asks"),
        ([ASK, ASK, LOAD, scale()], "- user: once is enough, and this costs"),
        ([ASK, ("load", "bread"), LOAD, scale()], "the model gets an error"),
        ([ASK, LOAD, scale("1200 water=68 salt=2 yeast=1")], "the model gets an error"),
        (
            [ASK, LOAD, scale("855", *RIGHT[1:])],
            "not the right weight of dough for 20 rolls; read 'How much dough'",
        ),
        (
            [ASK, LOAD, scale("20", *RIGHT[1:])],
            "not the right weight of dough for 20 rolls; read 'How much dough'",
        ),
        (
            [ASK, LOAD, scale(output="no idea")],
            "not the right weight of dough for 20 rolls; read 'How much dough'",
        ),
        ([ASK, LOAD, scale("1200", "water=340", "salt=10", "yeast=5")], "steps 2 and 4 of the"),
        ([ASK, LOAD, scale("1200", "flour=100", *RIGHT[1:])], "not the right weight of yeast"),
        ([ASK, LOAD, scale(*RIGHT[:3])], "not the right weight of yeast"),
        (
            [ASK, LOAD, scale("1200", "salt=68", "water=2", "yeast=1")],
            "not the right weight of salt",
        ),
        ([ASK, LOAD, scale(), scale()], "yeast=1 of bread-formula: once is enough"),
        ([LOAD, ASK, scale()], "too early: the baker's question must come first"),
        ([ASK, scale(), LOAD], "too early: the instructions of the skill"),
        ([ASK, LOAD, scale(), ("load", "quiz-writer")], "load quiz-writer: not needed, and costs"),
        ([ASK, ("load", "museum-guide"), LOAD, scale()], "load museum-guide: not needed"),
        ([ASK, LOAD, LOAD, scale()], "- load bread-formula: once is enough"),
        (
            [ASK, LOAD, ("read", "bread-formula", "references/weights.md"), scale()],
            "tokens; step 1 of the instructions says what it is for",
        ),
        (
            [ASK, LOAD, ("read", "bread-formula", "scripts/scale.py"), scale()],
            "- read scripts/scale.py of bread-formula: not needed, and costs",
        ),
        ([ASK, LOAD, scale(), ("unload", "bread-formula")], "a model cannot do that"),
    ],
)
def test_conversation_wrongly(steps: list[Any], said: str, exercises: ModuleType) -> None:
    """A conversation that leaves out, mixes up or adds a step is not accepted."""
    session = played(exercises, steps)
    assert said in repr(exercises.conversation(session))
    assert not exercises.conversation(session).right


@pytest.mark.parametrize("root", [None, "/skills"])
@pytest.mark.parametrize(
    "steps",
    [
        [ASK, LOAD, scale()],
        [("start",), ASK, LOAD, scale()],
        [ASK, LOAD, scale("1200.0", "salt=2.0", "water=68", "fresh-yeast=1")],
        [ASK, LOAD, scale("1200", "Water=68", "Salt=2", "Fresh yeast=1", "butter=0")],
    ],
)
def test_conversation(steps: list[Any], root: str | None, exercises: ModuleType) -> None:
    """The question, the instructions and the script are right, whatever stands for the root."""
    assert exercises.conversation(played(exercises, steps, root=root)).faults == []


def test_the_instructions_settle_it(exercises: ModuleType) -> None:
    """What the checker holds of exercise 5 stands in the skill's own text."""
    body = sb.load_skills(exercises.COURSE)["bread-formula"].content
    assert "1. Turn the recipe into grams. For cups and spoons use `references/weights.md`" in body
    assert "2. Divide each weight by the flour's." in body
    assert "roll is 60 g of dough" in body.replace("\n", " ")


def test_conversation_with_more_skills(exercises: ModuleType) -> None:
    """More skills in sight, and fewer files listed, change nothing."""
    folders = [exercises.COURSE, exercises.COURSE.parent / "skills"]
    more = sb.load_skills(folders).with_sample_limit(1)
    assert exercises.conversation(played(exercises, [ASK, LOAD, scale()], more)).faults == []


def test_conversation_among_all(exercises: ModuleType) -> None:
    """The model must see all skills of the course, not the right one alone."""
    one = sb.load_skills(exercises.COURSE, filter={"bread-formula": True})
    (fault,) = exercises.conversation(played(exercises, [ASK, LOAD, scale()], one)).faults
    assert fault == "play it with all skills of the course; 19 are not there"


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (-1, "files with words in the list: 0"),
        (1, "files with words in the list: 0"),
        (6, "files with words in the list: 0"),
        (7, "files with words in the list: 1"),
        (0, "keep to"),
        (10, "keep to"),
        (200, "keep to"),
        (sb.ALL, "keep to"),
        (-2, "-2"),
    ],
)
def test_dial_wrongly(limit: int, said: str, exercises: ModuleType) -> None:
    """A dial that shows fewer than two files of the second kind, or costs too much, is not accepted."""
    assert said in repr(exercises.dial(limit))
    assert not exercises.dial(limit).right


@pytest.mark.parametrize("limit", [8, 9])
def test_dial(limit: int, exercises: ModuleType) -> None:
    """Every dial between the two is right."""
    assert exercises.dial(limit).right


GOOD = {
    "colour-contrast": "Checks whether colours can be read on each other. Use when a slide is made.",
    "interview-guide": "Prepares interviews and sums them up. Use when somebody will talk to users.",
    "paint-estimate": "Works out how much paint a room needs. Use when somebody paints a ceiling.",
    "plain-english": "Rewrites texts that are hard to read. Use for a letter or a legal manual.",
}


def test_the_four(exercises: ModuleType) -> None:
    """The four of exercise 7 are the longest, and each has two requests."""
    course = sb.load_skills(exercises.COURSE)
    longest = sorted(course, key=lambda name: len(course[name].description or ""))[-4:]
    assert sorted(longest) == sorted(exercises.FOUR) == sorted(GOOD)
    assert [len(exercises.REQUESTS[name].split(" | ")) for name in exercises.FOUR] == [2] * 4


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({}, "characters too many; not listed whole: plain-english, quiz-writer"),
        (dict(list(GOOD.items())[:2]), "characters too many; not listed whole: quiz-writer"),
        ({**GOOD, "moon-phase": "Tells the moon. Use when it is dark."}, "is none of the four"),
        ({**GOOD, "paint-estimate": "Reckons paint."}, "SB401: the description"),
        ({**GOOD, "paint-estimate": "I reckon paint for rooms. Use when you paint."}, "SB402"),
        (
            {**GOOD, "paint-estimate": "Use when somebody paints a room."},
            "say first what the skill",
        ),
        ({"tea": "Brews tea. Use when thirsty."}, "'tea' is none of the four"),
        ({name.upper(): text for name, text in GOOD.items()}, "'PAINT-ESTIMATE' is none of"),
        (dict.fromkeys(GOOD, ""), "SB121"),
        ({**GOOD, "colour-contrast": "Text in colour. Use when needed."}, "it names no occasion"),
        (
            {**GOOD, "colour-contrast": "Text in colour. Use when that is needed."},
            "of its words (apart, colours, enough, these) colour-contrast has none",
        ),
        (
            {**GOOD, "interview-guide": "Interview people. Use when that is needed."},
            "of its words (help, talk, users) interview-guide has none",
        ),
        (
            dict(zip(GOOD, reversed(GOOD.values()), strict=True)),
            "'Two coats on a ceiling: how many tins?' does not lead to paint-estimate",
        ),
    ],
)
def test_shorten_wrongly(answer: dict[str, str], said: str, exercises: ModuleType) -> None:
    """Too little, another skill, or descriptions that requests do not find are not accepted."""
    assert said in repr(exercises.shorten(answer))
    assert not exercises.shorten(answer).right


def test_shorten(exercises: ModuleType) -> None:
    """Short descriptions that say what and when are right, and not all four need to be changed."""
    assert exercises.shorten(GOOD).faults == []
    assert exercises.shorten(dict(list(GOOD.items())[:3])).faults == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("plain-english", "Makes hard English plain without losing facts."),
        ("plain-english", "Rewrites difficult official English so everyone understands it."),
        ("colour-contrast", "Checks whether two colours contrast well enough to read."),
    ],
)
def test_sentences(name: str, sentence: str, exercises: ModuleType) -> None:
    """An ordinary sentence of many long words is no fault."""
    when = "Use when somebody hands in a page or a legal manual."
    assert exercises._vague(name, f"{sentence} {when}", "# Body\n\nDo it.\n") == []


BELOW = "How each is tied stands below."
KNOTS = "references/knots.md"


def parts(exercises: ModuleType, pointer: str) -> tuple[str, str]:
    """Returns the body with a pointer to the knots in it, and the knots."""
    head, title, knots = exercises.LONG.partition("## Bowline")
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
        f"For tying the knot you chose, read [the knots]({KNOTS}).",
        f"Read `{KNOTS}` to learn how each is tied.",
        f"How each is tied stands in `{KNOTS}`.",
        f"First choose the knot, then read `{KNOTS}`.",
        f"Once a knot is chosen, read its part:\n\n- `{KNOTS}`\n\n",
    ],
)
def test_split(pointer: str, exercises: ModuleType) -> None:
    """One file that the body names, and says when to read, is right, with a title or without."""
    body, knots = parts(exercises, pointer)
    assert exercises.split({"SKILL.md": body, KNOTS: knots}).faults == []
    assert exercises.split({KNOTS: f"# Knots in words\n\n{knots}", "SKILL.md": body}).faults == []


@pytest.mark.parametrize("pointer", ["its file in `knots/`", "`knots/<name>.md`"])
def test_split_by_knot(pointer: str, exercises: ModuleType) -> None:
    """One file a knot, all in one folder that the body names, is as right."""
    body, knots = parts(exercises, f"Once a knot is chosen, read {pointer}.")
    assert exercises.split({"SKILL.md": body, **files_by_knot(knots)}).faults == []


def test_split_partly(exercises: ModuleType) -> None:
    """A knot that most people need may stay in the body."""
    body, knots = parts(exercises, f"The bowline is last; if another is chosen, read `{KNOTS}`.")
    bowline, second, others = knots.partition("## Round turn")
    assert exercises.split({"SKILL.md": body + bowline, KNOTS: second + others}).faults == []


@pytest.mark.parametrize(
    "pointer",
    [
        f"When a knot is chosen, always read its section in `{KNOTS}`.",
        f"Never read `{KNOTS}` before a knot is chosen.",
        f"Do not read `{KNOTS}`, whatever the knot.",
    ],
)
def test_the_sentence_is_shown(pointer: str, exercises: ModuleType) -> None:
    """The sentence is not judged by its words: it is shown, for the reader to judge."""
    body, knots = parts(exercises, pointer)
    verdict = repr(exercises.split({"SKILL.md": body, KNOTS: knots}))
    assert verdict.startswith("Right. ")
    assert f"Your sentence: {pointer} Whether it is good only a reader can tell" in verdict


@pytest.mark.parametrize(
    ("pointer", "said"),
    [
        (f"`{KNOTS}`", "is no sentence; say when to read it, or what for"),
        (f"Bananas: `{KNOTS}`.", "is no sentence; say when to read it, or what for"),
        ("Once the knot is chosen, look it up.", f"does not name '{KNOTS}'"),
        (f"{BELOW} See `{KNOTS}` for more.", "still says that something stands below"),
        (f"See `{KNOTS}` for more.\n\n## On\n\n", "new in SKILL.md: On"),
    ],
)
def test_split_without_sentence(pointer: str, said: str, exercises: ModuleType) -> None:
    """A path alone, a sentence without it, one that is no longer true or a new part is told."""
    body, knots = parts(exercises, pointer)
    assert said in repr(exercises.split({"SKILL.md": body, KNOTS: knots}))


def test_split_kept_twice(exercises: ModuleType) -> None:
    """A file that holds the body once more is told by the parts that stand twice."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    faults = exercises.split({"SKILL.md": body, KNOTS: exercises.LONG}).faults
    assert faults[0].startswith(
        "there more than once: front matter, Which knot?, First, the refusal"
    )
    step = "To undo: pull one end across the knot."
    (fault,) = exercises.split({"SKILL.md": body, KNOTS: f"# Knots\n\n{step}\n\n{knots}"}).faults
    assert fault == "there more than once: Reef knot"


CHANGED = f"changed, though only '{BELOW}' may be: "


@pytest.mark.parametrize("order", [sorted, lambda lines: lines[::-1], lambda lines: lines[1:]])
def test_split_out_of_order(order: Any, exercises: ModuleType) -> None:
    """Lines that were sorted, turned round or left out are told by the part they belong to."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    moved = "\n".join(order(knots.splitlines()))
    faults = exercises.split({"SKILL.md": body, KNOTS: moved}).faults
    assert faults[0].startswith((f"{CHANGED}Bowline", "not there, with the old heading: Bowline"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1. Make a small loop", "Make a small loop"),
        ("on top.\n2. The", "on top. 2. The"),
        ("To undo: push the bend over the line forward, and it opens.\n", ""),
        ("behind the line", "behind the lines"),
    ],
)
def test_split_changed(old: str, new: str, exercises: ModuleType) -> None:
    """A step's number, a line's end, a line or a letter that goes is told."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    assert old in knots
    moved = knots.replace(old, new, 1)
    assert exercises.split({"SKILL.md": body, KNOTS: moved}).faults == [f"{CHANGED}Bowline"]


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        (" Read out only the one that was chosen.", "", "Choose"),
        ("| a parcel, a sail, a shoelace | reef knot |", "| a parcel | reef knot |", "Choose"),
        ("license: MIT\n", "", "front matter"),
        ("4. Then: wet it", "Then: wet it", "Telling hands what to do"),
    ],
)
def test_split_changed_body(old: str, new: str, part: str, exercises: ModuleType) -> None:
    """In the body only the one sentence may change."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    assert old in body
    answer = {"SKILL.md": body.replace(old, new), KNOTS: knots}
    assert exercises.split(answer).faults == [f"{CHANGED}{part}"]


def test_split_parts_in_another_order(exercises: ModuleType) -> None:
    """The body's parts, and the knots in a file, stay in their order."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    top, *rest = body.split("\n## ")
    turned = "\n## ".join([top, *reversed(rest)])
    (fault,) = exercises.split({"SKILL.md": turned, KNOTS: knots}).faults
    assert fault.startswith("in another order in SKILL.md: front matter, Which knot?, Answer with")
    moved = "## " + "\n## ".join(reversed(knots.removeprefix("## ").split("\n## ")))
    (fault,) = exercises.split({"SKILL.md": body, KNOTS: moved}).faults
    assert fault.startswith(f"in another order in {KNOTS}: Figure of eight, Taut-line hitch")


def test_split_in_wrapped_lines(exercises: ModuleType) -> None:
    """A line that is broken between two words, and other white space, change nothing."""
    pointer = f"Once the knot is chosen,\nread `{KNOTS}`."
    body, knots = parts(exercises, pointer)
    body = body.replace("Read out only the one", "Read out\nonly the one")
    answer = {"SKILL.md": body, KNOTS: knots.replace("\n", "\r\n")}
    assert exercises.split(answer).faults == []


def test_split_with_nothing_left(exercises: ModuleType) -> None:
    """What every question needs must stay in the body."""
    matter, title, rest = exercises.LONG.partition("# Which knot?")
    moved = {"SKILL.md": f"{matter}# Knots\n\nWhen asked, read `all.md`.\n", "all.md": title + rest}
    faults = exercises.split(moved).faults
    assert faults[0].startswith(
        "needed whatever the knot, so keep it in the body: Which knot?, First"
    )


def test_split_wrongly(exercises: ModuleType) -> None:
    """Files that nothing names, lost lines, odd paths and a missing body are told."""
    body, knots = parts(exercises, f"Once the knot is chosen, read `{KNOTS}`.")
    unnamed = body.replace(f"`{KNOTS}`", "on")
    head = exercises.LONG.partition("## Bowline")[0]
    wrong = [
        ({}, "there is no SKILL.md"),
        ({"skill.md": body, KNOTS: knots}, "there is no SKILL.md"),
        ({"SKILL.md": ""}, "SB104"),
        ({"SKILL.md": exercises.LONG}, "loading it costs"),
        ({"SKILL.md": body}, "SB302"),
        ({"SKILL.md": body, "references/knot.md": knots}, "is “references/knot.md” meant?"),
        (
            {"SKILL.md": body, KNOTS: knots[:500]},
            "old heading: Clove hitch, Double",
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
        ({"SKILL.md": body, "SKILL.md/knots.md": knots}, "it should be dict[str, str]"),
        ({"SKILL.md": f"{body}\ud800", KNOTS: knots}, "it should be dict[str, str]"),
        ({"SKILL.md": body, KNOTS: knots.splitlines()}, "has a value of type list"),
    ]
    for answer, said in wrong:
        assert said in repr(exercises.split(answer))
        assert not exercises.split(answer).right


@pytest.mark.parametrize(
    "other",
    [
        *("all-knots.md", "my-knots.md", "bowknots.md", "other/knots.md", "/knots.md"),
        *("all knots.md", "https://example.org/knots.md", "knots.mdx"),
    ],
)
def test_split_names_the_file_itself(exercises: ModuleType, other: str) -> None:
    """A sentence that leads to another file does not name the one that is there."""
    head, title, knots = exercises.LONG.partition("## Bowline")
    for form in (f"`{other}`", f"[it]({other})"):
        said = f"Once the knot is chosen, read how it is tied in {form}."
        body = head.replace("How each is tied stands below.", said)
        verdict = exercises.split({"SKILL.md": body, "knots.md": title + knots})
        assert any("does not name 'knots.md'" in fault for fault in verdict.faults)


def test_front_matter_that_hides_a_fault(exercises: ModuleType) -> None:
    """A fault that is only ignored is not mended."""
    hidden = exercises.BROKEN.replace("Tide Clock", "tide-clock").replace(
        "version: 1.0", 'version: 1.0\nmetadata: {skillbook-ignore: "SB151"}'
    )
    described = hidden.replace("Reads a tide clock:", '"Reads a tide clock:').replace(
        "harbour.\n", 'harbour."\n'
    )
    assert any("only hides them" in fault for fault in exercises.front_matter(described).faults)

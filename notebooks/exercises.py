"""The checker of the exercises in ``07_exercises.ipynb``: each function says what is wrong with an answer.

It counts words and compares texts; a model would judge better. Nothing is written outside temporary
folders, and nothing that an answer can be raises an exception.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import skillbook as sb

COURSE = Path(__file__).resolve().parent.parent / "examples" / "course"


@dataclass(frozen=True)
class Verdict:
    """What the checker says of an answer.

    Attributes:
        faults: what is wrong, in plain sentences; none where the answer is right.
        why: what there is to learn from a right one.
    """

    faults: Sequence[str]
    why: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __repr__(self) -> str:
        if self.right:
            return f"Right. {self.why}"
        texts = [fault.encode("utf-8", "replace").decode() for fault in self.faults[:8]]
        lines = [f"- {textwrap.shorten(text, 600, placeholder=' …')}" for text in texts]
        if len(self.faults) > 8:
            lines.append(f"- and {len(self.faults) - 8:,} more")
        return "\n".join(["Not yet:", *lines])


Judge = Callable[[Any], Verdict]


def _careful(judge: Judge) -> Judge:
    """Makes a judge say of which type an answer should be, where it cannot be judged as that."""

    @functools.wraps(judge)
    def judged(answer: Any) -> Verdict:
        try:
            return judge(answer)
        except Exception as error:  # noqa: BLE001 - an answer's own methods may fail
            problem = f"{type(answer).__name__}, and gives {type(error).__name__}"
            return Verdict(
                [f"the answer is {problem}; it should be {judge.__annotations__['answer']}"]
            )

    return judged


def _course() -> sb.SkillSource:
    return sb.load_skills(COURSE)


def _found(what: Any, *, lines: bool = True) -> list[str]:
    """Returns errors and warnings of ``sb.check`` as sentences, with the line where it helps."""
    found = [each for each in sb.check(what).findings if each.severity != "note"]
    # SB6xx say which loaders refuse a file; the other rules say what to change in it.
    found = [each for each in found if not each.rule.startswith("SB6")] or found
    line = ", line {0.line}" if lines else ""
    return [f"{{0.rule}}{line}: {{0.message}}".format(each) for each in found]


# 1: front matter
BROKEN = """\
---
name: Tide Clock
description: Reads a tide clock: says how long it is until high water. Use when somebody stands at a harbour.
version: 1.0
---

# Tide clock

The hand goes round in 12 hours and 25 minutes. At the top it is high water, at the bottom low.
"""


@_careful
def front_matter(answer: str) -> Verdict:
    """Judges a ``SKILL.md`` whose front matter was mended."""
    # A text is one only with a line end in it; another would be taken for a path.
    faults = _found(answer if "\n" in answer else f"{answer}\n")
    if not faults:
        with tempfile.TemporaryDirectory() as folder:
            _write({"SKILL.md": answer}, Path(folder, "tide-clock"))
            (skill,) = sb.load_skills(folder).values()
            body = skill.content
        if skill.name != "tide-clock":
            faults.append(f"the folder is called tide-clock, and the name is {skill.name!r}")
        described = BROKEN.splitlines()[2].removeprefix("description: ")
        if (skill.description or "").split() != described.split():
            faults.append("keep the description's words; only how it is written may change")
        if body.split() != BROKEN.split("---\n")[2].split():
            faults.append("the body was fine; leave it as it is")
    return Verdict(faults, "A colon needs quotes, and your own fields go under metadata.")


def _write(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


# 2: a description
COFFEE = """\
# Coffee

1. Ask how it is brewed: filter, press, pot or espresso. Each wants its own grind.
2. Weigh 60 g of beans for a litre of water. Grind them coarse for a press, fine for espresso.
3. Take water that has just boiled. Let it draw: 3 minutes in a filter, 4 in a press.
4. If it tastes bitter, grind coarser or stop sooner. If it tastes sour, grind finer or wait longer.
"""
NAME = "bean-and-cup"
LONGEST = 250

# What people ask for, by the skill that it is for; exercise 7 is about the last four.
REQUESTS = {
    NAME: "My coffee tastes bitter. | Coffee for six guests: how many beans? | How fine do I grind for espresso?",
    "bill-splitting": "Who owes whom after our shared trip?",
    "complaint-letter": "Write a letter about the kettle that came broken.",
    "moon-phase": "Will the moon be up on our night walk?",
    "colour-contrast": "Are these colours far enough apart? | Is there contrast enough on my page?",
    "interview-guide": "Can you help me talk to users? | Findings of our interviews, please.",
    "paint-estimate": "How much paint for this room? | Two coats on a ceiling: how many tins?",
    "plain-english": "Please make this plain, it is hard. | Nobody understands a legal manual.",
}

_JOINS = (
    "a an and are as at be by can do does for from has have how if in into is it its not of on or"
    " somebody someone that the their them they this to too use what when where which who with you"
).replace(" ", "|")
_LOOKS = "all|any|anything|before|else|everything|files?|first|look|more|open|please|read|see"


def words(text: str) -> set[str]:
    """Returns the words that count, as in notebook 06: those of four letters or more."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))


@_careful
def description(answer: str) -> Verdict:
    """Judges a description for the skill whose body is ``COFFEE``."""
    faults = _vague(NAME, answer, COFFEE)
    if len(answer) > LONGEST:
        faults.append(f"{len(answer):,} characters; keep to {LONGEST}, they are always paid for")
    lines = {name: skill.description or "" for name, skill in _course().items()}
    lines[NAME] = answer
    for name in REQUESTS:
        faults += [fault for fault in _missed(name, lines) if NAME in fault]
    return Verdict(faults, "It says what the skill does, and when, in words that people use.")


def _vague(name: str, description: str, body: str) -> list[str]:
    """Returns what is wrong with a description whatever it describes."""
    line = json.dumps(description, ensure_ascii=False)
    faults = _found(f"---\nname: {name}\ndescription: {line}\n---\n\n{body}", lines=False)
    if re.match(r"\W*use\b", description, re.IGNORECASE):
        faults.append("it begins with when to use the skill; say first what the skill does")
    for clause in re.findall(r"\b(?:use|when|if)\b[^.!?]*", description, re.IGNORECASE)[-1:]:
        if len(clause.split()) < 4:
            faults.append(f"{clause!r} names no occasion; say in a few words when that is")
    for run in re.split(rf"[^\w\s'’-]+|\b(?:{_JOINS})\b", description, flags=re.IGNORECASE):
        if len(run.split()) > 5:
            faults.append(f"{run.strip()!r} is a heap of words; make it part of a sentence")
    return faults


def _missed(name: str, lines: Mapping[str, str]) -> Iterator[str]:
    """Yields why a request does not lead to its skill.

    It leads to the skill that shares most words with it; those of the name count twice, as in
    notebook 06. Where two share as many, the first is chosen there, and neither is here.
    """
    for request in REQUESTS[name].split(" | "):
        asked = words(request)
        shared = {
            each: sorted(asked & words(line)) + 2 * sorted(asked & words(each))
            for each, line in lines.items()
        }
        most = max(map(len, shared.values()))
        best = [each for each in lines if most and len(shared[each]) == most]
        if best != [name]:
            told = [f"{each} has {', '.join(shared[each]) or 'none'}" for each in [name, *best][:3]]
            yield (
                f"{request!r} does not lead to {name}: of its words ({', '.join(sorted(asked))})"
                f" {'; '.join(dict.fromkeys(told))}{'; a tie loses' if name in best else ''}"
            )


# 3: a call
@_careful
def call(answer: dict[Any, Any]) -> Verdict:
    """Judges arguments for ``skill_run__forms-of-address`` that greet Åsa in Swedish, in the morning."""
    tools = sb.skill_wrapper(COURSE / "forms-of-address")()
    tools.load(action="readme")
    result = next(tool for tool in tools if tool.name.startswith("skill_run")).call(answer)
    faults = []
    if not isinstance(result, sb.ScriptResult) or result.is_error:
        faults.append(f"the tool says: {result.output}")
    elif (printed := result.stdout.strip()) != "God morgon, Åsa!":
        faults.append(f"it prints {printed!r}; it should greet Åsa in Swedish, in the morning")
    return Verdict(faults, "One item an argument, in the order of the usage.")


# 4: what fits
CHARS = 3_000


@_careful
def listed(answer: int) -> Verdict:
    """Judges how many skills of the course are listed whole within ``CHARS`` characters."""
    budget = sb.budget(_course(), chars=CHARS)
    right, faults = len(budget.whole), []
    if answer != right:
        kept = min(max(answer, 0), len(budget))
        taken = budget.needed - sum(each.description_cost for each in budget.entries[kept:])
        faults.append(
            f"{'fewer' if answer > right else 'more'}: the first lines, all names and {kept}"
            f" descriptions take {taken:,} characters, and there are {CHARS:,}"
        )
    return Verdict(faults, f"{right} of {len(budget)} keep their description.")


# 5: a conversation
QUESTION = (
    "I want to bake 20 rolls. My recipe for one loaf: 500 g of flour, 340 g of water, 10 g of salt and"
    " 5 g of fresh yeast. How much of each do I weigh?"
)
SKILL = "bread-formula"
_ARGUMENTS = ("1200", "water=68", "salt=2", "yeast=1")
_STEPS = {
    "user": "the baker's question",
    "load": "the instructions of the skill that it is for (level 2)",
    "run": "the script that the instructions name",
}
_WEIGHTS = "step 1 says that it is for cups and spoons, and this recipe is in grams"


@_careful
def conversation(answer: sb.Session) -> Verdict:
    """Judges a session that answers ``QUESTION`` with the skills of the course."""
    faults = []
    if missing := [name for name in _course() if name not in answer.source]:
        faults.append(f"play it with all skills of the course; {len(missing)} are not there")
    to_come = list(_STEPS)
    for entry in answer:
        if entry.level == 1:
            continue
        if fault := _fault(entry, to_come):
            faults.append(f"step {entry.step}, {entry.title}: {fault}")
        else:
            to_come.remove(entry.kind)
    if to_come and not faults:
        faults.append(f"still to come: {_STEPS[to_come[0]]}")
    return Verdict(faults, f"{answer.total:,} tokens; the table of weights stayed where it was.")


def _fault(entry: Any, to_come: list[str]) -> str:
    """Returns what is wrong with a step where these are still to come, or nothing."""
    if entry.is_error:
        return f"the model gets an error: {entry.text}"
    if entry.kind == "user" and entry.text.split() != QUESTION.split():
        return "the baker asks exercises.QUESTION, and nothing else"
    if entry.kind == "unload":
        return "a model cannot do that, and nobody asked for it"
    if entry.kind not in to_come or entry.skill not in (None, SKILL):
        why = f": {_WEIGHTS}" if "weights.md" in entry.title else ""
        return f"not needed{why}; it costs {entry.tokens:,} tokens"
    if entry.kind != to_come[0]:
        return f"too early: {_STEPS[to_come[0]]} must come first"
    return _misweighed(entry.text) if entry.kind == "run" else ""


def _misweighed(output: str) -> str:
    """Returns what is wrong with the weights printed, in any order and as yeast or fresh-yeast."""
    right = sb.Session(_course()).run(SKILL, "scripts/scale.py", _ARGUMENTS).text
    grams, wanted = (re.findall(r"([a-z]+) +([\d.]+) g\b", text) for text in (output, right))
    if sorted(grams) == sorted(wanted):
        return ""
    if grams[-1:] != wanted[-1:]:
        return "not the dough for 20 rolls; read 'How much dough' in the instructions"
    return "read steps 2 and 4: each part is in percent of the flour, and the flour is not named"


# 6: the dial
SONGS = sb.SkillDef(
    name="song-sheets",
    description="Finds songs to sing together. Use when somebody asks for the words or the tune of one.",
    content="# Song sheets\n\nGive the words of one song at a time. Play its tune only if asked to.",
    resources=(
        *(f"tunes/{number:03}.mid" for number in (4, 17, 58, 90, 121, 166)),
        *(f"words/{number:03}.md" for number in range(1, 201)),
    ),
)
MOST = 180


@_careful
def dial(answer: int) -> Verdict:
    """Judges a ``sample_limit`` for ``SONGS``: two files with words are listed, within ``MOST`` tokens."""
    try:
        source = sb.load_skills(skills=[SONGS], sample_limit=answer)
    except ValueError as error:
        return Verdict([str(error)])
    loaded = sb.Session(source).load(SONGS.name)
    faults = []
    if (sheets := loaded.text.count("<file>words/")) < 2:
        faults.append(f"files with words in the list: {sheets}; that shows no pattern of names")
    if loaded.tokens > MOST:
        faults.append(f"the load costs {loaded.tokens:,} tokens; keep to {MOST}")
    return Verdict(faults, f"{loaded.tokens:,} tokens, and both patterns of names can be seen.")


# 7: a tight budget
CONTEXT = 100_000
FOUR = ("colour-contrast", "interview-guide", "paint-estimate", "plain-english")


@_careful
def shorten(answer: dict[str, str]) -> Verdict:
    """Judges new descriptions that get the whole course into Claude Code's list at ``CONTEXT``."""
    course = _course()
    faults = [f"{name!r} is none of the four" for name in answer if name not in FOUR]
    lines = {name: answer.get(name, skill.description or "") for name, skill in course.items()}
    for name in FOUR:
        found = [*_vague(name, lines[name], course[name].content), *_missed(name, lines)]
        faults += [f"{name}: {fault}" for fault in found]
    defs = [sb.SkillDef(name, skill.content, lines[name]) for name, skill in course.items()]
    budget = sb.budget(sb.load_skills(skills=defs), "claude-code", context=CONTEXT)
    if less := [entry.name for entry in budget if entry.state != "whole"]:
        over = f"{budget.needed - budget.limit:,} {budget.unit} too many"
        faults.append(f"{over}; not listed whole: {', '.join(less)}")
    return Verdict(faults, f"All {len(budget)} are whole, at {budget.used:,} of {budget.limit:,}.")


# 8: a long body
_BELOW = "How each is tied stands below."
_ONE = " Read out only the one that was chosen."  # an answer may say this in its own words


_FOLDER = COURSE / "knot-choice"
_KNOTS = (_FOLDER / "references" / "knots.md").read_text(encoding="utf-8")
LONG = (_FOLDER / "SKILL.md").read_text(encoding="utf-8") + _KNOTS[_KNOTS.index("\n## ") :]
LONG = LONG.replace("How each is tied stands in `references/knots.md`.", _BELOW)
BODY = 750


@_careful
def split(answer: dict[str, str]) -> Verdict:
    """Judges files that ``LONG`` was split into: paths, relative to the skill's folder, to texts."""
    if "SKILL.md" not in answer:
        return Verdict(["there is no SKILL.md among the files"])
    for path in answer:
        if len(path) > 99 or not re.fullmatch(r"(\w[\w.-]*/)*\w[\w.-]*", path):
            return Verdict([f"{path!r} is no plain path below the skill's folder, such as a/b.md"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "knot-choice")
        _write(answer, folder)
        faults = _found(folder)
        source = sb.load_skills(folder)
        tokens = sum(sb.Session(source, root="/skills").load(name).tokens for name in source)
        body = "".join(skill.content for skill in source.values())
    if tokens > BODY:
        faults.append(f"loading it costs {tokens:,} tokens; keep to {BODY}")
    faults += filter(None, (_unsaid(path, body) for path in answer if path != "SKILL.md"))
    if len(answer) > 1 and "stands below" in body:
        faults.append("the body still says that something stands below")
    faults += _torn(answer)
    return Verdict(faults, f"A load costs {tokens:,} tokens, and nothing is lost.")


def _unsaid(path: str, body: str) -> str:
    """Returns what a body does not say of a file, or nothing: its name, and when or what for."""
    folder = re.escape(str(PurePosixPath(path).parent))
    named = re.compile(rf"(?i){re.escape(path)}(?![\w/-])|(?<![\w/.-]){folder}/(?![\w-]*\.\w)")
    # A list belongs to the sentence before it, which ends in a colon; a heading belongs to none.
    sentences = re.split(r"(?<=[.!?])\s|(?<!:)\n\s*\n|\n#.*", body.lower())
    near = " ".join(text for text in sentences if named.search(text))
    if not near:
        return f"the body does not name {path!r}, so a model will not read it"
    if re.search(r"\b(always|never)\b", near):
        return f"{path!r}: always and never are no occasion; what each use needs stays in the body"
    if not re.search(r"\w", re.sub(rf"\S*[/.]\w\S*|\b(?:{_JOINS}|{_LOOKS})\b", "", near)):
        return f"the body names {path!r}; say in that sentence when to read it, or what for"
    return ""


def _plain(text: str) -> str:
    """Returns the words of a text, without figures and marks."""
    return " ".join(re.findall(r"[^\W\d]+", text.replace(_BELOW, "").replace(_ONE, "").lower()))


def _torn(files: Mapping[str, str]) -> list[str]:
    """Returns which parts of ``LONG`` are not whole, or not where every use finds them, once."""
    told: dict[str, list[str]] = {}
    for part in re.split(r"\n(?=#+ )", LONG):
        said, rest = _plain(part), iter(_plain(files["SKILL.md"]).split())
        there = {path for path, text in files.items() if said in _plain(text)}
        # In the body words may be added, such as a cell in a row; the old ones are there in order.
        if all(word in rest for word in said.split()):
            there.add("SKILL.md")
        if not there:
            fault = "not whole, with the heading and in the old order"
        elif "SKILL.md" not in there and LONG.index(part) < LONG.index("## Bowline"):
            fault = "needed whatever the knot, so keep it in the body"
        else:
            fault = "there more than once" if len(there) > 1 else ""
        told.setdefault(fault, []).append(part.splitlines()[0].strip("#- ") or "front matter")
    return [f"{fault}: {', '.join(titles)}" for fault, titles in told.items() if fault]

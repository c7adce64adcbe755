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
from collections import defaultdict
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


def _careful(judge: Callable[[Any], Verdict]) -> Callable[[Any], Verdict]:
    """Makes a judge say of which type an answer should be, where it cannot be judged as that."""
    wanted = judge.__annotations__["answer"]

    @functools.wraps(judge)
    def judged(answer: Any) -> Verdict:
        try:
            faults = [
                f"{key!r} ({type(key).__name__}) has a value of type {type(value).__name__}; both should be str"
                for key, value in (answer.items() if wanted == "dict[str, str]" else ())
                if not isinstance(key, str) or not isinstance(value, str)
            ]
            return Verdict(faults) if faults else judge(answer)
        except Exception as error:  # noqa: BLE001 - an answer's own methods may fail
            problem = f"{type(answer).__name__}, and gives {type(error).__name__}"
            return Verdict([f"the answer is {problem}; it should be {wanted}"])

    return judged


def _course() -> sb.SkillSource:
    return sb.load_skills(COURSE)


def _found(what: Any, *, lines: bool = True) -> list[str]:
    """Returns errors and warnings of ``sb.check`` as sentences, with the line where it helps."""
    found = [each for each in sb.check(what).findings if each.severity != "note"]
    # SB6xx say which loaders refuse a file; the other rules say what to change in it.
    found = [each for each in found if not each.rule.startswith("SB6")] or found
    return [
        f"{each.rule}{f', line {each.line}' if lines else ''}: {each.message}" for each in found
    ]


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
    if "skillbook-ignore" in answer:
        faults.append("mend the faults; skillbook-ignore only hides them")
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


def words(text: str) -> set[str]:
    """Returns the words that count, as in notebook 06: those of four letters or more."""
    return set(re.findall(r"[a-z]{4,}", text.lower()))


@_careful
def description(answer: str) -> Verdict:
    """Judges a description for the skill whose body is ``COFFEE``."""
    faults = _vague(NAME, answer, COFFEE)
    if len(answer) > LONGEST:
        faults.append(f"{len(answer):,} characters; keep to {LONGEST}, they are always paid for")
    lines = {name: skill.description or "" for name, skill in _course().items()} | {NAME: answer}
    for name in REQUESTS if not faults else ():
        faults += [fault for fault in _missed(name, lines) if NAME in fault]
    return Verdict(faults, "It says what the skill does, and when, in words that people use.")


def _vague(name: str, description: str, body: str) -> list[str]:
    """Returns what is wrong with a description whatever it describes."""
    line = json.dumps(description, ensure_ascii=False)
    faults = _found(f"---\nname: {name}\ndescription: {line}\n---\n\n{body}", lines=False)
    if re.match(r"(?i)\W*use (this skill )?(when|if|for|to)\b", description):
        faults.append("it begins with when to use the skill; say first what the skill does")
    lines = re.sub(r"(?<=[.!?]) (?=[A-Z])", "\n", " ".join(description.split()))
    occasions = re.findall(r"(?i)\b(?:use|when|if)\b(?: for| when| if)*(.*)", lines)
    if occasions and all(len(occasion.split()) < 2 for occasion in occasions):
        faults.append("it names no occasion; say in a few words when to use the skill")
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


@_careful
def conversation(answer: sb.Session) -> Verdict:
    """Judges a session that answers ``QUESTION`` with the skills of the course."""
    faults = []
    if missing := [name for name in _course() if name not in answer.source]:
        faults.append(f"play it with all skills of the course; {len(missing)} are not there")
    to_come = list(_STEPS)
    for entry in [each for each in answer if each.level != 1]:
        if fault := _fault(entry, to_come):
            faults.append(f"{entry.title}: {fault}")
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
    if entry.kind == "read" or entry.skill not in (None, SKILL):
        why = "; step 1 of the instructions says what it is for" if "weights" in entry.title else ""
        return f"not needed, and costs {entry.tokens:,} tokens{why}"
    if entry.kind not in to_come:
        return f"once is enough, and this costs {entry.tokens:,} tokens more"
    if entry.kind != to_come[0]:
        return f"too early: {_STEPS[to_come[0]]} must come first"
    return _misweighed(entry.text) if entry.kind == "run" else ""


def _misweighed(output: str) -> str:
    """Returns what is wrong with the weights printed, in any order and as yeast or fresh-yeast."""
    right = sb.Session(_course()).run(SKILL, "scripts/scale.py", _ARGUMENTS).text
    for part, grams in reversed(re.findall(r"(\w+) +([\d.]+) g\b", right)):
        if not re.search(rf"(?im)^.*{part}.* {re.escape(grams)} g\b", output[:9_999]):
            how = "read 'How much dough', and steps 2 and 4 of the instructions"
            return f"not the right weight of {part} for 20 rolls; {how}"
    return ""


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
_KNOTS = (COURSE / "knot-choice/references/knots.md").read_text(encoding="utf-8")
LONG = (COURSE / "knot-choice/SKILL.md").read_text(encoding="utf-8")
LONG += _KNOTS[_KNOTS.index("\n## ") :]
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
    if tokens > BODY:
        faults.append(f"loading it costs {tokens:,} tokens; keep to {BODY}")
    torn, sentence = _torn(answer)
    faults += [*torn, *_unsaid(sentence, [path for path in answer if path != "SKILL.md"])]
    why = f"{tokens:,} tokens a load, and nothing is lost. Your sentence: {' '.join(sentence.split())}"
    why += " Whether it is good only a reader can tell; compare it with the solution's."
    return Verdict(faults, why)


def _unsaid(sentence: str, paths: Sequence[str]) -> Iterator[str]:
    """Yields what the sentence that stands for ``_BELOW`` does not say of the other files."""
    if paths and "stands below" in sentence:
        yield "the body still says that something stands below"
    # What stands in code quotes, is linked, or stands between spaces is what a model would open.
    marked = r"`([^`]*)`|\]\(([^)]*)\)"
    spans = ["".join(found) for found in re.findall(marked, sentence)]
    spans += re.sub(marked, " ", sentence).split()
    named = {span.strip("\"'.,:;()[]").removeprefix("./") for span in spans}
    for path in paths if sentence else ():
        folder = f"{PurePosixPath(path).parent}/"  # named alone, or as in knots/<name>.md
        if path not in named and not any(each.split("<")[0] == folder for each in named):
            yield f"your sentence for {_BELOW!r} does not name {path!r}, so a model will not read it"
    if sentence and len(re.findall(r"\w+", re.sub(r"\S*[/.]\w\S*", "", sentence))) < 2:
        yield f"{sentence!r} is no sentence; say when to read it, or what for"


def _parts(text: str) -> list[tuple[str, str]]:
    """Returns the parts of a text from heading to heading, by heading, in even white space."""
    even = re.sub(r"\s+", lambda run: "\n" if "\n" in run[0] else " ", text.strip())
    parts = filter(None, re.split(r"\n(?=#+ )", even))
    return [(each.partition("\n")[0].strip("#- ") or "front matter", each) for each in parts]


def _torn(files: Mapping[str, str]) -> tuple[list[str], str]:
    """Returns how files differ from the parts of ``LONG``, and what stands for ``_BELOW``."""
    parts, stay = dict(_parts(LONG)), dict(_parts(LONG.partition("## Bowline")[0]))
    found = [(path, *part) for path, text in files.items() for part in _parts(text)]
    whole = "\n".join(text for _, _, text in found)
    told, sentence = defaultdict[str, list[str]](list), ""
    for title, part in parts.items():
        there = [(path, text) for path, heading, text in found if heading == title]
        if not there:
            told["not there, with the old heading"].append(title)
            continue
        # In another file a heading may be of any level. A line may be broken between words.
        marks = "" if title in stay else "#"
        same = re.escape(part.lstrip(marks)).replace(re.escape(_BELOW), "((?s:.*))")
        match = re.fullmatch(same.replace(r"\ ", r"\s"), there[0][1].lstrip(marks))
        sentence += "".join(match.groups() if match else ())
        if len(there) > 1 or any(whole.count(each) > 1 for each in part.split("\n") if each[20:]):
            told["there more than once"].append(title)
        elif title in stay and there[0][0] != "SKILL.md":
            told["needed whatever the knot, so keep it in the body"].append(title)
        elif not match:
            told[f"changed, though only {_BELOW!r} may be"].append(title)
    for path in files:
        heads = [title for place, title, _ in found if place == path]
        old = [title for title in heads if title in parts]
        if old != sorted(old, key=list(parts).index):
            told[f"in another order in {path}"] = old
        # A new file may begin with a title, and words below it.
        told[f"new in {path}"] = [new for new in heads[path != "SKILL.md" :] if new not in parts]
    return [f"{fault}: {', '.join(titles)}" for fault, titles in told.items() if titles], sentence

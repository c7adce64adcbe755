"""The checker of the exercises in ``07_exercises.ipynb``: each function says what is wrong with an answer.

An answer is judged by what it does, not by how it is written. Nothing is written outside temporary
folders, and nothing that an answer can be raises an exception.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
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

    faults: tuple[str, ...]
    why: str = ""

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __repr__(self) -> str:
        if self.right:
            return f"Right. {self.why}"
        lines = [f"- {fault}" for fault in self.faults[:8]]
        if len(self.faults) > 8:
            lines.append(f"- and {len(self.faults) - 8:,} more")
        return "\n".join(["Not yet:", *lines])


def _verdict(faults: Iterable[str], why: str = "") -> Verdict:
    """Returns a verdict that can be printed, whatever of an answer stands in its sentences."""
    texts = (" ".join(fault.encode("utf-8", "replace").decode().split()) for fault in faults)
    return Verdict(tuple(text if len(text) <= 600 else f"{text[:600]} …" for text in texts), why)


Judge = Callable[[Any], Verdict]


def _takes(what: str, kind: type, parts: type = object) -> Callable[[Judge], Judge]:
    """Makes a judge say what an answer should be, where it is of another kind or cannot be read.

    Args:
        what: what it should be, in words.
        kind: its type.
        parts: the type of a dict's keys and values.
    """

    def fits(answer: Any) -> bool:
        if kind is dict and isinstance(answer, dict):
            return all(isinstance(part, parts) for pair in answer.items() for part in pair)
        return isinstance(answer, kind) and not isinstance(answer, bool)

    def wrap(judge: Judge) -> Judge:
        @functools.wraps(judge)
        def careful(answer: Any) -> Verdict:
            try:
                if fits(answer):
                    return judge(answer)
                found = type(answer).__name__
            except Exception as error:  # noqa: BLE001 - an answer's own methods may fail
                found = f"an object that raises {type(error).__name__}"
            return _verdict([f"the answer is {found}; it should be {what}"])

        return careful

    return wrap


def _course() -> sb.SkillSource:
    return sb.load_skills(COURSE)


def _said(findings: Iterable[sb.Finding]) -> list[str]:
    """Returns errors and warnings of ``sb.check`` as sentences."""
    return [
        f"{finding.rule}{f', line {finding.line}' if finding.line else ''}: {finding.message}"
        for finding in findings
        if finding.severity != "note"
    ]


# --- 1: front matter -----------------------------------------------------------------------------

BROKEN = """\
---
name: Tide Clock
description: Reads a tide clock: says how long it is until high water. Use when somebody stands at a harbour.
version: 1.0
---

# Tide clock

The hand goes round in 12 hours and 25 minutes. At the top it is high water, at the bottom low.
"""


@_takes("the text of the whole SKILL.md", str)
def front_matter(answer: str) -> Verdict:
    """Judges a ``SKILL.md`` whose front matter was mended."""
    # A text is one only with a line end in it; another would be taken for a path.
    report = sb.check(answer if "\n" in answer else f"{answer}\n")
    faults = _said(report.findings)
    if not faults:
        with tempfile.TemporaryDirectory() as folder:
            _write({"SKILL.md": answer}, Path(folder, "tide-clock"))
            (skill,) = sb.load_skills(folder).values()
            body = skill.content
        if skill.name != "tide-clock":
            faults.append(f"the folder is called tide-clock, and the name is {skill.name!r}")
        if (skill.description or "").split() != _described(BROKEN).split():
            faults.append("keep the description's words; only how it is written may change")
        if body.split() != BROKEN.split("---\n")[2].split():
            faults.append("the body was fine; leave it as it is")
    return _verdict(faults, "A colon needs quotes, and your own fields go under metadata.")


def _described(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("description: "))[13:]


def _write(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


# --- 2: a description ----------------------------------------------------------------------------

TEA = """\
# Leaf and cup

1. Ask which tea it is: black, green, white, herbs. Each wants its own water and its own time.
2. Weigh 2 g of leaves for a cup. Water for black tea boils; for green tea it has 75 °C.
3. Let it steep: green for 2 minutes, black for 3 to 5, herbs for 8. Longer makes it bitter.
4. If somebody asks what goes with a meal: black with breakfast, green with fish, mint after it all.
"""

NAME = "leaf-and-cup"
LONGEST = 250

ITS_REQUESTS = (
    "How long should green tea steep?",
    "My tea is bitter, what did I do?",
    "Which tea goes with breakfast?",
)

OTHER_REQUESTS = {
    "How much paint do I need for the walls of my room?": "paint-estimate",
    "Will the moon be up on our night walk?": "moon-phase",
    "Who owes whom after our shared trip?": "bill-splitting",
    "Write a letter about the kettle that came broken.": "complaint-letter",
}

_EMPTY = frozenset(
    "a about after all and are can did does for from goes has have how into many much not should somebody"
    " someone that the their them there they this use what when which who whose will with you".split()
)


def words(text: str) -> set[str]:
    """Returns the words of a text that say something, without the ending of a plural."""
    found = re.findall(r"[a-z]{3,}", text.lower())
    return {word.removesuffix("s") for word in found if word not in _EMPTY}


@_takes("a text", str)
def description(answer: str) -> Verdict:
    """Judges a description for the skill whose body is ``TEA``."""
    faults = _vague(NAME, answer, TEA)
    if len(answer) > LONGEST:
        faults.append(f"{len(answer):,} characters; keep to {LONGEST}, they are always paid for")
    lines = {name: skill.description or "" for name, skill in _course().items()}
    lines[NAME] = answer
    for request in ITS_REQUESTS:
        if (found := _leads_to(request, lines)) != [NAME]:
            faults.append(f"{request!r} leads to {' and as much to '.join(found) or 'no skill'}")
    for request, whose in OTHER_REQUESTS.items():
        if NAME in _leads_to(request, lines):
            faults.append(f"{request!r} leads to {NAME}, though it is for {whose}")
    return _verdict(faults, "It says what the skill does, and when, in words that people use.")


def _vague(name: str, description: str, body: str) -> list[str]:
    """Returns what is wrong with a description whatever it describes."""
    line = json.dumps(description, ensure_ascii=False)
    faults = _said(sb.check(f"---\nname: {name}\ndescription: {line}\n---\n\n{body}").findings)
    if re.match(r"\W*use\b", description, re.IGNORECASE):
        faults.append("it begins with when to use the skill; say first what the skill does")
    return faults


def _leads_to(request: str, lines: Mapping[str, str]) -> list[str]:
    """Returns the skills whose name and description share the most words with a request."""
    shared = {name: len(words(request) & words(f"{name} {line}")) for name, line in lines.items()}
    return [name for name, count in shared.items() if 0 < count == max(shared.values())]


# --- 3: a call -----------------------------------------------------------------------------------


@_takes("a dict of arguments", dict)
def call(answer: dict[Any, Any]) -> Verdict:
    """Judges arguments for ``skill_run__forms-of-address`` that greet Åsa in Swedish, in the morning."""
    tools = sb.skill_wrapper(COURSE / "forms-of-address")()
    tools.load(action="readme")
    result = next(tool for tool in tools if tool.name.startswith("skill_run")).call(answer)
    faults = []
    if result.is_error:
        faults.append(f"the tool says: {result.output}")
    elif isinstance(result, sb.ScriptResult) and result.stdout != "God morgon, Åsa!\n":
        faults.append(
            f"it prints {result.stdout.strip()!r}; it should greet Åsa in Swedish, in the morning"
        )
    return _verdict(faults, "One item an argument, in the order of the usage.")


# --- 4: what fits --------------------------------------------------------------------------------

CHARS = 3_000


@_takes("a whole number", int)
def listed(answer: int) -> Verdict:
    """Judges how many skills of the course are listed whole within ``CHARS`` characters."""
    budget = sb.budget(_course(), chars=CHARS)
    right = len(budget.whole)
    faults = []
    if answer >= len(budget):
        faults.append(f"the whole list takes {budget.needed:,} characters, and there are {CHARS:,}")
    elif answer > right:
        faults.append("fewer: those that lose their description still take a line with their name")
    elif answer < right:
        faults.append("more: take the line of one skill, and see how often it fits")
    return _verdict(faults, f"{right} of {len(budget)} keep their description.")


# --- 5: a conversation ---------------------------------------------------------------------------

QUESTION = (
    "We have an hour in the Harbour Museum, and we like ships. Which rooms? Just the list, please."
)
_LOAD = "load museum-guide"
_RUN = "run scripts/route.py"
_ROUTE = f"{_RUN} 50 ships of museum-guide"


@_takes("an sb.Session", sb.Session)
def conversation(answer: sb.Session) -> Verdict:
    """Judges a session that answers ``QUESTION`` with the skills of the course."""
    course = _course()
    printed = sb.Session(course).run("museum-guide", "scripts/route.py", ["50", "ships"]).text
    prompt = answer.source.prompt()
    hidden = [name for name in course if f"**{name}**" not in prompt]
    faults = []
    if hidden:
        faults.append(f"the model should see all skills of the course; {len(hidden)} are not there")
    titles = [entry.title.lower() for entry in answer.entries]
    met: list[str] = []
    for entry, title in zip(answer.entries, titles, strict=True):
        step = f"step {entry.step}, {entry.title}"
        if entry.kind in ("system prompt", "tool schema"):
            continue
        if entry.is_error:
            faults.append(f"{step}: the model gets an error: {entry.text}")
        elif entry.kind == "user" and entry.text.split() != QUESTION.split():
            faults.append(f"{step}: the visitors ask exercises.QUESTION, and nothing else")
        elif entry.kind == "unload":
            faults.append(f"{step}: a model cannot do that, and nobody asked for it")
        elif title.startswith(_RUN) and _ROUTE not in titles:
            faults.append(f"{step}: read step 2 and step 3 of the instructions once more")
        elif title not in ("user", _LOAD, _ROUTE) or title in met:
            faults.append(f"{step}: not needed, and it costs {entry.tokens:,} tokens")
        elif title == _LOAD and course["museum-guide"].content.strip() not in entry.text:
            faults.append(f"{step}: these are not the instructions that lie in the course")
        elif title == _ROUTE and entry.text != printed:
            faults.append(f"{step}: the script itself prints something else; let it run")
        else:
            met.append(title)
    if "user" not in titles:
        faults.append("nobody asks the question")
    if _LOAD not in titles:
        faults.append("nobody has read the instructions of museum-guide (level 2)")
    if not any(title.startswith(_RUN) for title in titles):
        faults.append("the instructions say to run a script; it was not run")
    if met != sorted(met, key=("user", _LOAD, _ROUTE).index):
        faults.append("the order is wrong: each step should follow from what came before it")
    return _verdict(faults, f"{answer.total:,} tokens, and the script has read the table.")


# --- 6: the dial ---------------------------------------------------------------------------------

ARCHIVE = sb.SkillDef(
    name="letter-archive",
    description="Finds letters in the archive of the lighthouse keepers. Use when somebody asks about a"
    " keeper, a year or a wreck.",
    content="# Letter archive\n\nLook in the records of the year. Quote with the record's number.",
    resources=("index.md", *(f"records/{number:03}.md" for number in range(1, 301))),
)
MOST = 150


@_takes("a whole number", int)
def dial(answer: int) -> Verdict:
    """Judges a ``sample_limit`` for ``ARCHIVE``: two records are listed, within ``MOST`` tokens."""
    try:
        source = sb.load_skills(skills=[ARCHIVE], sample_limit=answer)
    except ValueError as error:
        return _verdict([str(error)])
    loaded = sb.Session(source).load(ARCHIVE.name)
    records = loaded.text.count("<file>records/")
    faults = []
    if records < 2:
        faults.append(f"records among the files listed: {records}; that shows no pattern of names")
    if loaded.tokens > MOST:
        faults.append(f"the load costs {loaded.tokens:,} tokens; keep to {MOST}")
    return _verdict(faults, f"{loaded.tokens:,} tokens, and the pattern of the names can be seen.")


# --- 7: a tight budget ---------------------------------------------------------------------------

CONTEXT = 100_000
CHANGES = 3


@_takes("a dict of names to descriptions, all of them texts", dict, str)
def shorten(answer: dict[str, str]) -> Verdict:
    """Judges new descriptions that get the whole course into Claude Code's list at ``CONTEXT``."""
    course = _course()
    faults = [f"there is no skill {name!r} in the course" for name in answer if name not in course]
    changed = {
        name: answer[name]
        for name, skill in course.items()
        if answer.get(name, skill.description) != skill.description
    }
    if len(changed) > CHANGES:
        faults.append(f"{len(changed)} descriptions are changed; {CHANGES} must do")
    for name, new in changed.items():
        skill = course[name]
        found = _vague(name, new, skill.content)
        if not found and len(words(new) & words(f"{name} {skill.description}")) < 2:
            found = ["it says too little of what this very skill does"]
        faults += [f"{name}: {fault}" for fault in found]
    defs = [
        sb.SkillDef(name, skill.content, changed.get(name, skill.description))
        for name, skill in course.items()
    ]
    budget = sb.budget(sb.load_skills(skills=defs), "claude-code", context=CONTEXT)
    less = [entry.name for entry in budget if entry.state != "whole"]
    if less:
        over = f"{budget.needed - budget.limit:,} {budget.unit} too many"
        faults.append(f"{over}; not listed whole: {', '.join(less)}")
    used = f"{budget.used:,} of {budget.limit:,} {budget.unit}"
    return _verdict(faults, f"All {len(budget)} are whole, at {used}.")


# --- 8: a huge body ------------------------------------------------------------------------------

_FIRST_KNOT = "## Bowline"
_BELOW = "How each is tied stands below."


def _huge() -> str:
    folder = COURSE / "knot-choice"
    body = (folder / "SKILL.md").read_text(encoding="utf-8")
    knots = (folder / "references" / "knots.md").read_text(encoding="utf-8")
    body = body.replace("How each is tied stands in `references/knots.md`.", _BELOW)
    return f"{body}\n{knots[knots.index(_FIRST_KNOT) :]}"


HUGE = _huge()
BODY = 750

_WHEN = re.compile(
    r"\b(when(ever)?|if|once|after|before|until|unless|as soon as|then|having|chosen (knot|one))\b",
    re.IGNORECASE,
)


@_takes("a dict of paths to texts, with nothing else in it", dict, str)
def split(answer: dict[str, str]) -> Verdict:
    """Judges files that ``HUGE`` was split into: paths, relative to the skill's folder, to texts."""
    if "SKILL.md" not in answer:
        return _verdict(["there is no SKILL.md among the files"])
    for path in answer:
        pure = PurePosixPath(path)
        if ".." in pure.parts or str(pure) != path or not re.fullmatch(r"\w[\w./-]{,99}", path):
            return _verdict([f"{path!r} is no plain path below the skill's folder, such as a/b.md"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "knot-choice")
        try:
            _write(answer, folder)
        except (OSError, UnicodeError) as error:
            problem = getattr(error, "strerror", None) or error
            return _verdict([f"these files cannot be written beside each other: {problem}"])
        faults = _said(sb.check(folder).findings)
        source = sb.load_skills(folder)
        tokens = sum(sb.Session(source, root="/skills").load(name).tokens for name in source)
        body = "".join(skill.content for skill in source.values())
    if tokens > BODY:
        faults.append(f"loading it costs {tokens:,} tokens; keep to {BODY}")
    for path in [path for path in answer if path != "SKILL.md"]:
        near = _near(path, body)
        if not near:
            faults.append(f"the body does not name {path!r}, so a model will not read it")
        elif not _WHEN.search(near):
            say = "say it beside the path, with a word such as when, once, if or before"
            faults.append(f"the body names {path!r}, and not when to read it; {say}")
    if len(answer) > 1 and "stands below" in body:
        faults.append("the body still says that something stands below")
    faults += _torn(answer)
    return _verdict(faults, f"A load costs {tokens:,} tokens, and nothing is lost.")


def _near(path: str, body: str) -> str:
    """Returns the paragraphs of a body that name a file or its folder, and those beside them."""
    folder = re.escape(str(PurePosixPath(path).parent))
    named = re.compile(rf"{re.escape(path)}(?![\w/-])|(?<![\w/.-]){folder}/(?![\w-]*\.\w)")
    blocks = re.split(r"\n\s*\n", body)
    return "\n".join(
        "\n".join(blocks[max(place - 1, 0) : place + 2])
        for place, block in enumerate(blocks)
        if named.search(block)
    )


def _parts(text: str, headings: Iterable[str] | None = None) -> list[tuple[str, list[str]]]:
    """Returns the words of a text below each heading: below all, or those that are given."""
    parts: list[tuple[str, list[str]]] = [("front matter", [])]
    for line in text.splitlines():
        heading = line.strip("# ")
        if line.startswith("#") and (headings is None or heading in headings):
            parts.append((heading, []))
        elif _BELOW not in line:
            parts[-1][1].extend(re.findall(r"[^\W\d]+", line))
    return parts


def _in_order(few: Iterable[str], many: Iterable[str]) -> bool:
    """Returns whether all of the few are among the many, in that order."""
    rest = iter(many)
    return all(word in rest for word in few)


def _torn(files: Mapping[str, str]) -> list[str]:
    """Returns which parts of ``HUGE`` are not whole, or not where every use finds them."""
    whole = _parts(HUGE)
    headings = [heading for heading, _ in whole]
    there = [(path, part) for path, text in files.items() for part in _parts(text, headings)]
    # Words may be added, such as a further cell in a row; the old ones are there in order.
    places = {
        heading: [path for path, (other, now) in there if other == heading and _in_order(said, now)]
        for heading, said in whole
    }
    torn = [heading for heading in headings if not places[heading]]
    needed = headings[: headings.index(_FIRST_KNOT.strip("# "))]
    moved = [heading for heading in needed if places[heading] and "SKILL.md" not in places[heading]]
    faults = []
    if torn:
        faults.append(f"not whole, with the heading and in the old order: {', '.join(torn)}")
    if moved:
        faults.append(f"needed whatever the knot, so keep it in the body: {', '.join(moved)}")
    return faults

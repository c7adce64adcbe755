"""The checker of the exercises in ``07_exercises.ipynb``: each function says what is wrong with an answer.

An answer is judged by what it does, not by how it is written. Nothing is written outside temporary
folders, and nothing that an answer can be raises an exception.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Mapping
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
    why: str

    @property
    def right(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __repr__(self) -> str:
        if self.right:
            return f"Right. {self.why}"
        return "Not yet:\n" + "\n".join(f"- {fault}" for fault in self.faults)


def _verdict(faults: Iterable[str], why: str) -> Verdict:
    return Verdict(tuple(faults), why)


def _not(what: str, answer: Any) -> Verdict:
    return Verdict((f"the answer is {type(answer).__name__}; it should be {what}",), "")


def _course() -> sb.SkillSource:
    return sb.load_skills(COURSE)


def _said(findings: Iterable[sb.Finding]) -> list[str]:
    """Returns errors and warnings of the checker as sentences."""
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


def front_matter(answer: Any) -> Verdict:
    """Judges a ``SKILL.md`` whose front matter was mended."""
    if not isinstance(answer, str):
        return _not("the text of the whole SKILL.md", answer)
    # A text is one only with a line end in it; another would be taken for a path.
    report = sb.check(answer if "\n" in answer else f"{answer}\n")
    faults = _said(report.findings)
    if not faults:
        source = _loaded({"SKILL.md": answer}, "tide-clock")
        skill = source.get("tide-clock")
        if skill is None:
            faults.append(f"the name should be tide-clock, it is {', '.join(source) or 'missing'}")
        elif " ".join((skill.description or "").split()) != _described(BROKEN):
            faults.append(
                "the description should keep its words; only how it is written may change"
            )
        elif skill.content.strip() != BROKEN.split("---\n")[2].strip():
            faults.append("the body was fine; leave it as it is")
    return _verdict(
        faults,
        "The name is its folder's, a colon needs quotes, and what is your own goes under metadata.",
    )


def _described(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("description: "))[13:]


def _loaded(files: Mapping[str, str], name: str) -> Mapping[str, Any]:
    """Returns names, descriptions and bodies of the skills that files give, read at once."""
    with tempfile.TemporaryDirectory() as folder:
        _write(files, Path(folder, name))
        found = sb.load_skills(folder)
        return {
            key: sb.SkillDef(key, skill.content, skill.description) for key, skill in found.items()
        }


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
    "Which tea goes with a late breakfast?",
)

OTHER_REQUESTS = {
    "How much paint do I need for the walls of my room?": "paint-estimate",
    "Will the moon be up on our night walk?": "moon-phase",
    "Who owes whom after our shared trip?": "bill-splitting",
    "Write a letter about the kettle that came broken.": "complaint-letter",
}

_EMPTY = frozenset(
    "a about after all and are can did does for from has have how into many much not should somebody"
    " someone that the their them there they this use what when which who whose will with you".split()
)


def words(text: str) -> set[str]:
    """Returns the words of a text that say something, without the ending of a plural."""
    found = re.findall(r"[a-z]{3,}", text.lower())
    return {word.removesuffix("s") for word in found if word not in _EMPTY}


def description(answer: Any) -> Verdict:
    """Judges a description for the skill whose body is ``TEA``."""
    if not isinstance(answer, str):
        return _not("text", answer)
    text = f"---\nname: {NAME}\ndescription: {json.dumps(answer, ensure_ascii=False)}\n---\n\n{TEA}"
    faults = _said(sb.check(text).findings)
    if len(answer) > LONGEST:
        faults.append(
            f"it has {len(answer)} characters; keep to {LONGEST}, every conversation pays for it"
        )
    lines = {name: f"{name} {skill.description}" for name, skill in _course().items()}
    for request in ITS_REQUESTS:
        mine, best = _scores(request, answer, lines)
        if not mine or mine < best[0]:
            faults.append(
                f"{request!r} does not lead to it{f', but to {best[1]}' if best[0] else ''}"
            )
    for request, whose in OTHER_REQUESTS.items():
        mine, best = _scores(request, answer, lines)
        if mine > best[0]:
            faults.append(f"{request!r} leads to it, though it is for {whose}")
    return _verdict(
        faults, "It says what the skill does and when to use it, in words that people use."
    )


def _scores(
    request: str, description: str, lines: Mapping[str, str]
) -> tuple[int, tuple[int, str]]:
    """Returns how many words a description shares with a request, and the best of the others."""
    asked = words(request)
    mine = len(asked & words(f"{NAME} {description}"))
    return mine, max((len(asked & words(line)), name) for name, line in lines.items())


# --- 3: a call -----------------------------------------------------------------------------------


def call(answer: Any) -> Verdict:
    """Judges arguments for ``skill_run__forms-of-address`` that greet Åsa in Swedish, in the morning."""
    if not isinstance(answer, Mapping):
        return _not("a dict of arguments", answer)
    tools = sb.skill_wrapper(COURSE / "forms-of-address")()
    tools.load(action="readme")
    result = next(tool for tool in tools if tool.name.startswith("skill_run")).call(dict(answer))
    faults = []
    if result.is_error:
        faults.append(f"the tool says: {' '.join(result.output.split())}")
    elif isinstance(result, sb.ScriptResult) and result.stdout != "God morgon, Åsa!\n":
        faults.append(f"it says {result.stdout.strip()!r}")
    return _verdict(faults, "One item an argument, in the order of the usage.")


# --- 4: what fits --------------------------------------------------------------------------------

CHARS = 3_000


def listed(answer: Any) -> Verdict:
    """Judges how many skills of the course are listed whole within ``CHARS`` characters."""
    if isinstance(answer, bool) or not isinstance(answer, int):
        return _not("a whole number", answer)
    budget = sb.budget(_course(), chars=CHARS)
    right = len(budget.whole)
    faults = []
    if answer == len(budget):
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
_ROUTE = "run scripts/route.py 50 ships of museum-guide"


def conversation(answer: Any) -> Verdict:
    """Judges a session that answers ``QUESTION`` with the skills of the course."""
    if not isinstance(answer, sb.Session):
        return _not("an sb.Session", answer)
    faults = []
    missing = set(_course()) - set(answer.source)
    if missing:
        faults.append(
            f"the model should see all skills of the course; {len(missing)} are not there"
        )
    faults += [
        f"step {entry.step} gave an error: {' '.join(entry.text.split())[:200]}"
        for entry in answer.entries
        if entry.is_error
    ]
    done = [entry for entry in answer.entries if entry.skill and not entry.is_error]
    titles = [entry.title for entry in done]
    if "load museum-guide" not in titles:
        faults.append("nobody has read the instructions of museum-guide (level 2)")
    runs = [title for title in titles if title.startswith("run scripts/route.py")]
    if not runs:
        faults.append("the instructions say to run a script; it was not run")
    elif _ROUTE not in titles:
        faults.append(f"{runs[-1]!r}: read step 2 and step 3 of the instructions once more")
    elif titles.index(_ROUTE) < (
        titles.index("load museum-guide") if "load museum-guide" in titles else 0
    ):
        faults.append("the script was run before anyone had read how")
    for place, entry in enumerate(done):
        if entry.title not in ("load museum-guide", *runs) or entry.title in titles[:place]:
            faults.append(f"not needed, at {entry.tokens:,} tokens: {entry.title}")
    return _verdict(
        faults, f"{answer.total:,} tokens, and no table was read: the script has read it."
    )


# --- 6: the dial ---------------------------------------------------------------------------------

ARCHIVE = sb.SkillDef(
    name="letter-archive",
    description="Finds letters in the archive of the lighthouse keepers. Use when somebody asks about a"
    " keeper, a year or a wreck.",
    content="# Letter archive\n\nLook in the records of the year. Quote with the record's number.",
    resources=["index.md", *(f"records/{number:03}.md" for number in range(1, 301))],
)
MOST = 150


def dial(answer: Any) -> Verdict:
    """Judges a ``sample_limit`` for ``ARCHIVE``: a record's name is seen, within ``MOST`` tokens."""
    if isinstance(answer, bool) or not isinstance(answer, int):
        return _not("a whole number", answer)
    try:
        source = sb.load_skills(skills=[ARCHIVE], sample_limit=answer)
    except ValueError as error:
        return Verdict((str(error),), "")
    loaded = sb.Session(source).load(ARCHIVE.name)
    faults = []
    if "records/" not in loaded.text.partition("<skill_files>")[2]:
        faults.append(
            "no record is among the files listed, so a model cannot know what they are called"
        )
    if loaded.tokens > MOST:
        faults.append(f"the load costs {loaded.tokens:,} tokens; keep to {MOST}")
    return _verdict(faults, f"{loaded.tokens:,} tokens, and the pattern of the names can be seen.")


# --- 7: a tight budget ---------------------------------------------------------------------------

CONTEXT = 100_000
CHANGES = 3


def shorten(answer: Any) -> Verdict:
    """Judges new descriptions that get the whole course into Claude Code's list at ``CONTEXT``."""
    if not isinstance(answer, Mapping) or not all(
        isinstance(part, str) for pair in answer.items() for part in pair
    ):
        return _not("a dict of names to descriptions", answer)
    course = _course()
    faults = [f"there is no skill {name!r} in the course" for name in answer if name not in course]
    if len(answer) > CHANGES:
        faults.append(f"{len(answer)} descriptions are changed; {CHANGES} must do")
    defs = [
        sb.SkillDef(name, skill.content, answer.get(name, skill.description))
        for name, skill in course.items()
    ]
    for each in defs:
        if each.name in answer:
            line = json.dumps(each.description, ensure_ascii=False)
            text = f"---\nname: {each.name}\ndescription: {line}\n---\n\nBody.\n"
            faults += [f"{each.name}: {said}" for said in _said(sb.check(text).findings)]
    budget = sb.budget(sb.load_skills(skills=defs), "claude-code", context=CONTEXT)
    over = budget.needed - budget.limit
    if over > 0:
        faults.append(
            f"{over:,} characters too many: {', '.join(budget.name_only)} would be listed by name only"
        )
    return _verdict(
        faults, f"All {len(budget)} are whole, at {budget.used:,} of {budget.limit:,} characters."
    )


# --- 8: a huge body ------------------------------------------------------------------------------


def _huge() -> str:
    folder = COURSE / "knot-choice"
    body = (folder / "SKILL.md").read_text(encoding="utf-8")
    knots = (folder / "references" / "knots.md").read_text(encoding="utf-8")
    body = body.replace(
        "How each is tied stands in `references/knots.md`.", "How each is tied stands below."
    )
    return f"{body}\n{knots}"


def _named(path: str, body: str) -> bool:
    """Returns whether a body names a file, or the folder that it lies in."""
    folder = str(PurePosixPath(path).parent)
    return path in body or (folder != "." and f"{folder}/`" in body)


HUGE = _huge()
BODY = 650


def split(answer: Any) -> Verdict:
    """Judges files that ``HUGE`` was split into: paths, relative to the skill's folder, to texts."""
    if not isinstance(answer, Mapping) or not all(
        isinstance(part, str) for pair in answer.items() for part in pair
    ):
        return _not("a dict of paths to texts", answer)
    if "SKILL.md" not in answer:
        return Verdict(("there is no SKILL.md among the files",), "")
    for path in answer:
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or not re.fullmatch(r"[\w./-]+", path):
            return Verdict((f"{path!r} is no path below the skill's folder",), "")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "knot-choice")
        try:
            _write(answer, folder)
        except OSError:
            return Verdict(("two of the paths cannot stand beside each other",), "")
        report = sb.check(folder)
        faults = _said(report.findings)
        faults += [
            f"the body does not name {path!r}, so a model will not read it"
            for path in answer
            if path != "SKILL.md" and not _named(path, answer["SKILL.md"])
        ]
        source = sb.load_skills(folder)
        tokens = [sb.Session(source, root="/skills").load(name).tokens for name in source]
    if tokens and tokens[0] > BODY:
        faults.append(f"loading it costs {tokens[0]:,} tokens; keep to {BODY}")
    there = {line.strip() for text in answer.values() for line in text.splitlines()}
    lost = [
        line.strip()
        for line in HUGE.splitlines()
        if line.strip() and line.strip() not in there and "stands below" not in line
    ]
    if lost:
        faults.append(f"{len(lost)} lines are lost, the first is {lost[0]!r}")
    return _verdict(
        faults, f"A load costs {tokens[0] if tokens else 0:,} tokens, and nothing is lost."
    )

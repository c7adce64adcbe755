"""What a session is set beside: the same skills and steps, given to a model in other ways.

Imports ``sizes``, ``tokens``, ``source`` and the records.
Must not import displays or widgets.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from skillbook.frames import frame
from skillbook.model import Shown, SkillInfo, printable
from skillbook.sizes import token_sizes
from skillbook.source import SkillSource
from skillbook.tokens import Counter
from skillbook.words import count

PROGRESSIVE = "progressive disclosure"
UP_FRONT = "everything up front"
TOOLS = "one tool a skill"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One way to give a model the same skills, and what it costs.

    Attributes:
        name: what to call it.
        detail: what stands in the context from the start, in plain words.
        levels: tokens before the first word of the user, by level: 1 for the catalogue or what
            stands in its place, 2 for bodies, 3 for files.
        steps: tokens that the session's steps add.
    """

    name: str
    detail: str
    levels: Mapping[int, int]
    steps: int

    @property
    def start(self) -> int:
        """Tokens before the first word of the user."""
        return sum(self.levels.values())

    @property
    def total(self) -> int:
        """Tokens in all."""
        return self.start + self.steps

    def to_dict(self) -> dict[str, Any]:
        """Returns the arrangement as a JSON-safe mapping."""
        return {
            "name": self.name,
            "detail": self.detail,
            "start": self.start,
            "steps": self.steps,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
    """A session beside two other ways to give a model the same skills, after the same steps.

    Attributes:
        counter: the name of what counted the tokens.
        context: the size of the context window, in tokens.
        arrangements: the session as it is, everything up front, and one tool a skill.
        problems: what could not be counted up front and why, in plain words.
    """

    counter: str
    context: int
    arrangements: tuple[Arrangement, ...]
    problems: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Arrangement]:
        return iter(self.arrangements)

    def __len__(self) -> int:
        return len(self.arrangements)

    def __getitem__(self, name: str) -> Arrangement:
        """Returns the arrangement of that name.

        Raises:
            KeyError: when there is none.
        """
        for each in self.arrangements:
            if each.name == name:
                return each
        raise KeyError(f"{name}; there are: {', '.join(each.name for each in self)}")

    def __repr__(self) -> str:
        lines = [f"<Comparison in tokens by {self.counter}, context {self.context:,}"]
        lines += [
            f"  {each.name}: {each.start:,} + {each.steps:,} = {each.total:,}" for each in self
        ]
        lines += [f"  not counted up front: {each}" for each in self.problems[:10]]
        if len(self.problems) > 10:
            lines.append(f"  … and {len(self.problems) - 10:,} more not counted")
        return "\n".join(lines) + ">"

    def to_dict(self) -> dict[str, Any]:
        """Returns the comparison as a JSON-safe mapping."""
        return {
            "counter": self.counter,
            "context": self.context,
            "arrangements": [each.to_dict() for each in self],
            "problems": list(self.problems),
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row an arrangement.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        return frame({**each.to_dict(), "counter": self.counter} for each in self)


def compare(
    source: SkillSource,
    counter: Counter,
    *,
    context: int,
    root: str | None,
    start: int,
    steps: int,
    said: int,
    given: Mapping[tuple[str, str], str],
) -> Comparison:
    """Sets what a session costs beside everything up front and one tool a skill.

    Args:
        source: the skills.
        counter: what counts the tokens.
        context: the size of the context window, in tokens.
        root: what stands for the absolute path of a root, see ``token_sizes``.
        start: what the session's start costs, in tokens.
        steps: what its steps add.
        said: what of that the user said and scripts printed: no arrangement saves it.
        given: the texts of files that hold none on the disk, by skill and path.
    """
    sizes = token_sizes(source, counter, root=root)
    files = sizes.files.tokens + sum(map(counter, given.values()))
    # What was given has no problem any more.
    texts = {(printable(name), path) for name, path in given}
    known = {
        f"{skill.name}: " + printable(f"{file.path}: {file.problem}")
        for skill in sizes
        for file in skill.each_file
        if (skill.name, file.path) in texts
    }
    schemas = [as_tool(skill) for skill in source.values() if skill.description]
    schema_tokens = sum(map(counter, schemas))
    return Comparison(
        counter.name,
        context,
        (
            Arrangement(
                PROGRESSIVE,
                f"the prompt with a line for each of {count(len(schemas), 'skill')}, and one tool",
                {1: start},
                steps,
            ),
            Arrangement(
                UP_FRONT,
                f"{count(len(sizes), 'skill')}: bodies {sizes.body.tokens:,}, files {files:,}",
                {2: sizes.body.tokens, 3: files},
                said,
            ),
            Arrangement(TOOLS, count(len(schemas), "tool schema"), {1: schema_tokens}, steps),
        ),
        tuple(each for each in sizes.problems if each not in known),
    )


def as_tool(skill: SkillInfo) -> str:
    """Returns the schema of a tool that loads one skill, in the form of the ``skill`` tool's."""
    return json.dumps(
        {
            "name": re.sub(r"[^A-Za-z0-9_-]", "_", skill.name)[:64],
            "description": " ".join((skill.description or "").split()),
            "input_schema": {"type": "object", "properties": {}},
        },
        ensure_ascii=False,
    )

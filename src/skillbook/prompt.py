"""The prompt: the text for the system prompt, in each format, told apart by skill.

A skill is somebody else's text, so an entry is held to its place: one line in Markdown, escaped
in XML, quoted in JSON. Imports the records only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from skillbook.model import SkillInfo, printable

PREAMBLE = (
    "Skills provide specialized instructions and workflows for specific tasks.\n"
    "Use the skill tool to load a skill when a task matches its description."
)
NO_SKILLS = "No skills are currently available."


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in its parts; joined by ``glue`` they are the exact text.

    Attributes:
        head: what stands before the entries.
        entries: each described skill with its text, sorted by name in code point order.
        tail: what stands after them.
        glue: what stands between two parts.
    """

    head: str
    entries: tuple[tuple[SkillInfo, str], ...]
    tail: str = ""
    glue: str = "\n"

    @property
    def text(self) -> str:
        """The exact text that a model gets."""
        body = self.glue.join(text for _, text in self.entries)
        return self.head + body + self.tail


def _one_line(text: str) -> str:
    """Returns text with every run of white space as one space: it cannot forge a line."""
    return printable(" ".join(text.split()))


def _markdown(skills: list[SkillInfo]) -> Prompt:
    if not skills:
        return Prompt(NO_SKILLS, ())
    return Prompt(
        f"{PREAMBLE}\n\n## Available Skills\n",
        tuple(
            (skill, f"- **{skill.name}**: {_one_line(skill.description or '')}") for skill in skills
        ),
    )


def _xml(skills: list[SkillInfo]) -> Prompt:
    """The form of the format's reference tool: each tag and each value on a line of its own."""
    if not skills:
        return Prompt("<available_skills>\n</available_skills>", ())
    entries = []
    for skill in skills:
        lines = ["<skill>"]
        for tag, value in (
            ("name", skill.name),
            ("description", skill.description or ""),
            ("location", skill.location),
        ):
            lines += [f"<{tag}>", _escaped(_one_line(value)), f"</{tag}>"]
        entries.append((skill, "\n".join((*lines, "</skill>"))))
    return Prompt("<available_skills>\n", tuple(entries), "\n</available_skills>")


# What XML cannot hold, not even escaped (XML 1.0, section 2.2).
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _escaped(text: str) -> str:
    """Returns text as XML character data; quotes stay as they are (XML 1.0, section 2.4).

    A character that XML cannot hold stands as U+FFFD, else no parser takes the whole prompt.
    """
    text = _NOT_XML.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _json(skills: list[SkillInfo]) -> Prompt:
    if not skills:
        return Prompt("[]", ())
    entries = [
        (
            skill,
            "  "
            + json.dumps(
                {
                    "name": skill.name,
                    "description": _one_line(skill.description or ""),
                    "location": printable(skill.location),
                },
                ensure_ascii=False,
            ),
        )
        for skill in skills
    ]
    return Prompt("[\n", tuple(entries), "\n]", ",\n")


_FORMATS: dict[str, Callable[[list[SkillInfo]], Prompt]] = {
    "markdown": _markdown,
    "xml": _xml,
    "json": _json,
}

FORMATS = tuple(_FORMATS)
"""The names of the formats."""


def build(skills: Iterable[SkillInfo], format: str = "markdown") -> Prompt:  # noqa: A002 - public
    """Returns the prompt for skills; those without a description are left out.

    Args:
        skills: the skills, in any order.
        format: ``markdown``, a preamble and one line a skill; ``xml``, the form of the format's
            reference tool; ``json``, a plain list.

    Raises:
        ValueError: when there is no such format.
    """
    make = _FORMATS.get(format) if isinstance(format, str) else None
    if make is None:
        msg = f"format is {format!r}; known are {', '.join(FORMATS)}"
        raise ValueError(msg)
    described = (skill for skill in skills if skill.description)
    return make(sorted(described, key=lambda skill: skill.name))

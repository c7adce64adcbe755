"""Data skills: those that a program gives, without a folder.

Imports ``discovery`` for the warning it shares, ``folder`` for what can be listed, the records.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from skillbook import folder
from skillbook.discovery import no_description
from skillbook.model import Body, Files, SkillDef, SkillInfo, SkillSkip, printable


@dataclass(frozen=True, slots=True)
class DataReader:
    """The reader of a data skill: its body and its resources are in memory."""

    content: str

    def body(self, skill: SkillInfo) -> Body:
        r"""Returns the content, line ends as ``\n``.

        Raises:
            SkillReadError: when it is over 10 MB.
        """
        if len(self.content.encode()) > folder.MAX_BODY:
            raise folder.too_large(skill)
        text = self.content.replace("\r\n", "\n").replace("\r", "\n")
        return Body(text, (), text)

    def files(self, skill: SkillInfo) -> Files:
        """Returns the resources as declared, without paths that cannot stand on one line."""
        listed = tuple(path for path in skill.resources if folder.listable(path))
        return Files(listed, unlisted=len(skill.resources) - len(listed))


_KEYS = ("name", "content", "description", "resources", "base", "handler")


def data_skill(given: SkillDef | Mapping[str, Any]) -> SkillDef:
    """Returns a ``SkillDef`` from one, or from a mapping with the same keys.

    Raises:
        TypeError: when it is neither, or a value is of the wrong type.
        ValueError: when a mapping has other keys.
    """
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in _KEYS]
        if unknown:
            msg = f"a data skill has the unknown key {unknown[0]!r}; known are {', '.join(_KEYS)}"
            raise ValueError(msg)
        given = {"name": "", "content": "", **given}
        if given.get("handler") is False:  # as ``SkillDef.to_dict`` says that there is none
            given["handler"] = None
        given = SkillDef(**given)
    if not isinstance(given, SkillDef):
        msg = f"a data skill is {given!r}; pass a SkillDef, or a mapping with {', '.join(_KEYS)}"
        raise TypeError(msg)
    return given


def data_info(given: SkillDef) -> SkillInfo | SkillSkip:
    """Returns the skill that a data skill makes, or a skip where it has no name."""
    name = printable(" ".join(given.name.split()))
    if not name:
        return SkillSkip(
            printable(given.base or "skill://"), "missing-name", "this data skill has no name"
        )
    base = folder.uri_text(given.base or f"skill://{name}/")
    description = printable((given.description or "").strip()) or None
    meta = {"name": name}
    if description is not None:
        meta["description"] = description
    return SkillInfo(
        name,
        description,
        base,
        "logical",
        DataReader(printable(given.content)),
        declared_base=base,
        resources=given.resources or (),
        meta=meta,
        warnings=() if description else (no_description(base),),
        handler=given.handler,
    )


def refuse_async(given: Any) -> Any:
    """Returns what a provider gave; nothing here waits for an async one.

    Raises:
        TypeError: when it is to be waited for; a coroutine is closed.
    """
    if isinstance(given, (Awaitable, AsyncIterable)):
        if isinstance(given, Coroutine):
            given.close()
        msg = "it is async, and is not waited for; pass one that gives what it has"
        raise TypeError(msg)
    return given

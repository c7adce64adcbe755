"""The records of skillbook: frozen data, without behaviour that reads a disk.

A record that can be read anew (a skill's body, its files) carries the *reader* that
discovery gave it, so this module imports nothing of ours. The one exception is
:class:`Shown`, whose method imports ``display`` when a notebook asks for HTML.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol
from urllib.parse import quote

Reason = Literal[
    "missing-name",
    "malformed-frontmatter",
    "duplicate-name",
    "unreadable",
    "missing-description",  # in a kit alone, where a description is required
]

_SURROGATES = re.compile("[\ud800-\udfff]")

ALL = 2**31 - 1
"""A ``sample_limit`` that cuts nothing."""


class Shown:
    """A mixin for what a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Returns the HTML of :func:`skillbook.display.html` for this object."""
        from skillbook import display  # noqa: PLC0415 - the one import upward, see the design

        return display.html(self)


def printable(text: str) -> str:
    """Returns ``text`` with what no UTF-8 encoder takes (a lone surrogate) as U+FFFD.

    File names that are not UTF-8 reach Python as surrogates; they must not crash a display.
    """
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


ZERO_WIDTH = "\u00ad\u180e\u200b\u200c\u200d\u2060-\u2064\ufeff"
"""Characters without width, as the inside of a character class."""

DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of text, as the inside of a character class."""

TAG_CHARACTERS = "\U000e0000-\U000e007f"
"""Tag characters, which spell text that is not shown, as the inside of a character class."""

# One variation selector picks a form of the character before it; several in a row spell something.
WITHOUT_WIDTH = f"[{ZERO_WIDTH}]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{2,}}"
"""A run of characters without width, as a pattern; :func:`joins` says which are as they should be."""

UNSEEN = f"[\u2028\u2029{DIRECTION}{TAG_CHARACTERS}]|{WITHOUT_WIDTH}"
"""What no eye can see, as a pattern; without control characters, which sinks treat differently."""

_JOINERS = frozenset("\u200c\u200d")
_MODIFIERS = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]")

# Scripts that are written with joiners between their letters.
_JOINED_SCRIPTS = re.compile(
    "ARABIC|SYRIAC|MONGOLIAN|DEVANAGARI|BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA"
    "|MALAYALAM|SINHALA|KHMER|MYANMAR|TIBETAN"
)


def joins(text: str, start: int, end: int) -> bool:
    """Returns whether a run holds only joiners inside emoji or scripts that are written with them."""
    return all(_joins(text, at) for at in range(start, end))


def _joins(text: str, at: int) -> bool:
    if text[at] not in _JOINERS or at == 0:
        return False
    before, after = text[at - 1], text[at + 1 : at + 2]
    if text[at] == "\u200d" and after and _pictograph(before):
        # Arrows and shapes that are mathematical symbols become emoji by a variation selector.
        shape = "\u2190" <= after <= "\u2bff" and text[at + 2 : at + 3] == "\ufe0f"
        return (
            _pictograph(after) or after in "♀♂" or (shape and unicodedata.category(after) == "Sm")
        )
    return bool(_JOINED_SCRIPTS.match(unicodedata.name(before, "")))


def _pictograph(char: str) -> bool:
    return unicodedata.category(char) == "So" or bool(_MODIFIERS.match(char))


def codes(found: re.Match[str]) -> str:
    """Returns what was found as ``[U+200B]``, and a joiner as it is where it belongs."""
    if joins(found.string, *found.span()):
        return found[0]
    return "".join(f"[U+{ord(char):04X}]" for char in found[0])


_ACTS_OR_HIDES = re.compile(f"[\x00-\x1f\x7f-\x9f]|{UNSEEN}")


def visible(text: str) -> str:
    """Returns a stranger's text for a ``repr`` or a message, which a terminal writes.

    What would act there, turn the direction of text or hide (escapes, line ends, characters
    without width, tag characters) stands as ``[U+001B]``.
    """
    return _ACTS_OR_HIDES.sub(codes, printable(text))


def cut(text: str, most: int = 100) -> str:
    """Returns text of at most ``most`` characters, and ``…`` where there was more."""
    return text if len(text) <= most else text[:most] + "…"


@dataclass(frozen=True, slots=True)
class Root(os.PathLike[str]):
    """A folder that the user named, walked for ``**/SKILL.md``.

    Attributes:
        typed: the path as the user typed it; displays show this.
        path: the same as an absolute path.
    """

    typed: str
    path: str

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.typed

    def __repr__(self) -> str:
        return f"Root({self.typed!r})"

    def shown(self, location: str) -> str:
        """Returns ``location`` as it is shown: the typed root, then the path below it."""
        below = location.removeprefix(self.path.rstrip("/"))
        if below == location or (below and not below.startswith(("/", os.sep))):
            return printable(location)
        return printable(self.typed.rstrip("/") + below) or "/"


class Placed(Shown):
    """A mixin for what was met at a place: it knows how displays show that place."""

    __slots__ = ()
    location: str
    root: Root | None

    @property
    def shown_location(self) -> str:
        """The location as displays show it: the root as typed, then the path below it."""
        return self.root.shown(self.location) if self.root else printable(self.location)


def on_line(line: int | None, detail: str) -> str:
    """Returns ``, line 3`` to stand behind a place; nothing where the detail starts with it."""
    said = line is None or re.match(rf"line {line}\b", detail)
    return "" if said else f", line {line}"


@dataclass(frozen=True, slots=True, repr=False)
class Notice(Placed):
    """Something a person should know that is neither a skill nor a skip.

    Attributes:
        location: the absolute path (or base) that it is about.
        kind: what kind of thing it is, a fixed word such as ``missing-root``.
        detail: one plain sentence.
        line: the line in the file, from 1, or None.
        root: the root in which it was met, or None.
    """

    location: str
    kind: str
    detail: str
    line: int | None = None
    root: Root | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        said = cut(self.detail, 300)
        return visible(
            f"<Notice {self.shown_location}{on_line(self.line, said)}: {self.kind}: {said}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the notice as a JSON-safe mapping."""
        return {
            "location": printable(self.location),
            "kind": self.kind,
            "detail": printable(self.detail),
            "line": self.line,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SkillSkip(Placed):
    """A ``SKILL.md`` (or data skill) that gave no skill, and why.

    Attributes:
        location: the absolute path of the file, or the base of a data skill.
        reason: ``missing-name``, ``malformed-frontmatter``, ``duplicate-name`` or ``unreadable``.
        detail: one plain sentence.
        line: the line in the file, from 1, or None.
        root: the root in which it was met, or None.
    """

    location: str
    reason: Reason
    detail: str
    line: int | None = None
    root: Root | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        said = cut(self.detail, 300)
        return visible(
            f"<SkillSkip {self.shown_location}{on_line(self.line, said)}: {self.reason}: {said}>"
        )

    def to_dict(self) -> dict[str, Any]:
        """Returns the skip as a JSON-safe mapping."""
        return {
            "location": printable(self.location),
            "reason": self.reason,
            "detail": printable(self.detail),
            "line": self.line,
            "root": printable(self.root.typed) if self.root else None,
        }


@dataclass(frozen=True, slots=True)
class Body:
    r"""A skill's body as its reader gives it.

    Attributes:
        text: the Markdown after the front matter, line ends as ``\n``, not trimmed.
        notes: what a host should know, in plain sentences (bytes that were not UTF-8).
        source: the whole ``SKILL.md``, line ends as ``\n``; for a data skill the body.
    """

    text: str
    notes: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """The sibling files of a skill, as the envelope may list them.

    Attributes:
        paths: relative paths with ``/``, in order.
        outside: how many were left out because they lie outside the skill and its root.
        unlisted: how many were left out because their path cannot be written on one line
            (control characters, angle brackets, bytes that are not UTF-8).
        unread: how many folders could not be read.
    """

    paths: tuple[str, ...] = ()
    outside: int = 0
    unlisted: int = 0
    unread: int = 0


class Reader(Protocol):
    """What gives a record its body and its files, anew at each call."""

    def body(self, skill: SkillInfo) -> Body:
        """Returns the body. Raises SkillReadError where it cannot be read any more."""
        ...

    def files(self, skill: SkillInfo) -> Files:
        """Returns the sibling files, in order. Raises SkillReadError where the folder is gone."""
        ...


@dataclass(frozen=True, slots=True, repr=False)
class SkillDef(Shown):
    """A data skill: one that a program gives, without a folder.

    Attributes:
        name: the skill's name.
        content: its body, Markdown.
        description: what it is for and when to use it; None leaves it out of the catalogue.
        resources: relative paths that the envelope lists, in this order.
        base: a URI that the paths are relative to; None means ``skill://<name>/``.
        handler: a callable that runs the skill, or None.
    """

    name: str
    content: str
    description: str | None = None
    resources: tuple[str, ...] | None = None
    base: str | None = None
    handler: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        """Checks what Python code gave.

        Raises:
            TypeError: when a value is of the wrong type.
        """
        for field_name, optional in (
            ("name", False),
            ("content", False),
            ("description", True),
            ("base", True),
        ):
            value = getattr(self, field_name)
            if not (isinstance(value, str) or (optional and value is None)):
                raise TypeError(f"{field_name} of data skill {self.name!r} is {value!r}; pass text")
        if self.handler is not None and not callable(self.handler):
            raise TypeError(
                f"handler of data skill {self.name!r} is {self.handler!r}; pass a callable or None"
            )
        if self.resources is not None:
            object.__setattr__(self, "resources", self._paths(self.resources))

    def _paths(self, given: Any) -> tuple[str, ...]:
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
            raise TypeError(
                f"resources of data skill {self.name!r} is {given!r}; pass a list of paths"
            )
        paths = []
        for path in given:
            text = os.fspath(path) if isinstance(path, os.PathLike) else path
            if not isinstance(text, str):
                raise TypeError(
                    f"a path in resources of data skill {self.name!r} is {path!r}; pass text"
                )
            paths.append(text)
        return tuple(paths)

    def __repr__(self) -> str:
        said = cut(" ".join((self.description or "no description").split()), 300)
        more = f", {len(self.resources)} resources" if self.resources else ""
        size = f"{len(self.content):,} characters"
        return visible(f"<SkillDef {cut(self.name)!r}: {said}; {size}{more}>")

    def to_dict(self) -> dict[str, Any]:
        """Returns the data skill as a JSON-safe mapping (a handler as True or False)."""
        return {
            "name": self.name,
            "content": self.content,
            "description": self.description,
            "resources": list(self.resources or ()),
            "base": self.base,
            "handler": self.handler is not None,
        }


@dataclass(frozen=True, slots=True)
class KitPlace:
    """Where a kit's skill comes from.

    Attributes:
        kit: the kit's name.
        provider: the name of the provider that gave it.
        repository: ``owner/repo`` for a kit imported from GitHub, or None.
        commit: the commit it was imported at, or None.
    """

    kit: str
    provider: str
    repository: str | None = None
    commit: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Returns the place as a JSON-safe mapping."""
        return {
            "kit": self.kit,
            "provider": self.provider,
            "repository": self.repository,
            "commit": self.commit,
        }


@dataclass(frozen=True, slots=True, repr=False)
class SkillInfo(Placed):
    """One skill: what the catalogue needs at once, the rest when it is asked for.

    Attributes:
        name: the name as the author typed it, on one line.
        description: the description as typed, or None.
        location: the absolute path of its ``SKILL.md``, or its base.
        origin: ``fs`` for a folder, ``logical`` for a data skill.
        reader: what reads its body and files anew.
        declared_base: the URI that a data skill declares, or None (see ``base``).
        resources: the paths that a data skill declares; empty for a folder.
        meta: the whole front matter, holding only what JSON has.
        root: the root it was found in, or None.
        warnings: what a person should know about it, as notices.
        handler: a callable that runs it, or None.
        place: the kit and provider it comes from, or None.
    """

    name: str
    description: str | None
    location: str
    origin: Literal["fs", "logical"]
    reader: Reader = field(compare=False)
    declared_base: str | None = None
    resources: tuple[str, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict)
    root: Root | None = field(default=None, compare=False)
    warnings: tuple[Notice, ...] = ()
    handler: Callable[..., Any] | None = field(default=None, compare=False)
    place: KitPlace | None = None

    def __hash__(self) -> int:
        return hash((self.name, self.location))

    def __repr__(self) -> str:
        said = cut(" ".join((self.description or "no description").split()), 300)
        lines = [f"<SkillInfo {cut(self.name)!r} in {self.shown_location}: {said}"]
        lines += [f"  warning: {cut(each.detail, 300)}" for each in self.warnings[:10]]
        return "\n".join(map(visible, lines)) + ">"

    @property
    def content(self) -> str:
        r"""The body, read now: line ends as ``\n``, otherwise verbatim.

        Raises:
            SkillReadError: when the file is gone, unreadable, or lost its front matter.
        """
        return self.reader.body(self).text

    @property
    def folder(self) -> str | None:
        """The absolute path of the skill's folder; None for a data skill."""
        return os.path.dirname(self.location) if self.origin == "fs" else None

    @property
    def base(self) -> str:
        """The URI that relative paths in the skill are relative to (``file://…`` for a folder)."""
        folder = self.folder
        if folder is not None:
            return "file://" + quote(os.fsencode(folder))
        return self.declared_base or f"skill://{self.name}/"

    @property
    def allowed_tools(self) -> tuple[str, ...]:
        """The tools that the front matter's ``allowed-tools`` names, from text or a list.

        Text is split at spaces and commas, but not inside brackets: ``Bash(git add *)`` is one.
        (Specification, front matter field ``allowed-tools``.)
        """
        return split_tools(self.meta.get("allowed-tools"))

    def files(self) -> tuple[str, ...]:
        """Returns the sibling files' relative paths, all of them, in order, read now.

        Raises:
            SkillReadError: when the folder is gone or unreadable.
        """
        return self.reader.files(self).paths

    def to_dict(self) -> dict[str, Any]:
        """Returns the skill as a JSON-safe mapping, without body and files."""
        return {
            "name": self.name,
            "description": self.description,
            "location": printable(self.location),
            "origin": self.origin,
            "base": self.base,
            "resources": [printable(path) for path in self.resources],
            "meta": self.meta,
            "allowed_tools": list(self.allowed_tools),
            "root": printable(self.root.typed) if self.root else None,
            "place": self.place.to_dict() if self.place else None,
            "warnings": [notice.to_dict() for notice in self.warnings],
        }


def split_tools(value: Any) -> tuple[str, ...]:
    """Returns the tool names in an ``allowed-tools`` value, from text or a list."""
    if isinstance(value, (list, tuple)):
        return tuple(item.strip() for item in map(str, value) if item.strip())
    if not isinstance(value, str):
        return ()
    names: list[str] = []
    depth = 0
    word = ""
    for char in value:
        depth += (char in "([{") - (char in ")]}" and depth > 0)
        if depth == 0 and (char.isspace() or char == ","):
            if word:
                names.append(word)
            word = ""
        else:
            word += char
    return (*names, word) if word else tuple(names)

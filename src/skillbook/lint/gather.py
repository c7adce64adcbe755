"""What may be checked, and the documents that it holds: paths, text, skills, sources, inventories.

Imports ``discovery``, ``disk``, ``source`` and ``document``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from skillbook import disk
from skillbook.discovery import discover, root_of
from skillbook.errors import SkillNotFound
from skillbook.folder import MAX_BODY
from skillbook.frontmatter import MAX_BLOCK
from skillbook.lint.document import Document, Kind
from skillbook.lint.yaml_words import in_json
from skillbook.model import Notice, Root, SkillInfo, SkillSkip, printable
from skillbook.source import SkillInventory, SkillSource

MOST_BYTES = MAX_BODY + MAX_BLOCK
"""Bytes of a file that are looked at."""

TEXT = "SKILL.md"
"""The path that is shown for a text that has none."""


@dataclass(frozen=True, slots=True)
class Place:
    """A document that is still to be read.

    Attributes:
        shown: its path, as the user named it.
        location: its absolute path.
        kind: see :class:`~skillbook.lint.document.Document`.
        unreadable: why it may not be read, or ``""``.
        named: whether the author named its folder; a cache has names of its own.
    """

    shown: str
    location: str
    kind: Kind = "skill"
    unreadable: str = ""
    named: bool = True

    def read(self) -> Document:
        """Returns the document, read now; one that cannot be read says why."""
        data, why = b"", self.unreadable
        if self.kind != "missing" and not why:
            try:
                data = disk.read(self.location, MOST_BYTES)
            except OSError as error:
                why = f"the file cannot be read: {disk.words(error)}"
        folder = self.location if self.kind == "missing" else os.path.dirname(self.location)
        document = Document(
            data,
            self.shown,
            folder=None if self.kind == "lone" else folder,
            location=self.location,
            kind=self.kind,
            unreadable=why,
        )
        if not self.named:
            document.folder_name = None
        return document


@dataclass(slots=True)
class Gathered:
    """What a call checks.

    Attributes:
        places: the documents on the disk, sorted by path.
        documents: those that are given as they are.
        notices: what else explains an absence.
        roots: the folders that were walked.
    """

    places: list[Place] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    roots: list[Root] = field(default_factory=list)

    def __iter__(self) -> Iterator[Document]:
        yield from self.documents
        for place in self.places:
            yield place.read()

    def __len__(self) -> int:
        return len(self.documents) + len(self.places)


def is_text(what: Any) -> bool:
    """Returns whether an argument is a text: a ``str`` that holds a line end."""
    return isinstance(what, str) and ("\n" in what or "\r" in what)


def gather(what: Any, folder: str | os.PathLike[str] | None = None) -> Gathered:
    """Returns the documents that an argument of :func:`skillbook.check` holds.

    Raises:
        SkillNotFound: when a path does not exist.
        TypeError: when it is nothing that can be checked.
        ValueError: when it is a file that is no Markdown.
    """
    if is_text(what):
        return Gathered(documents=[_given(what, folder)])
    if folder is not None:
        raise TypeError("folder goes with a text only; a path says its folder itself")
    if isinstance(what, (str, os.PathLike)) and not isinstance(os.fspath(what), bytes):
        return at(os.fspath(what))
    if isinstance(what, (list, tuple)):
        return _together([gather(each) for each in what])
    if isinstance(what, SkillInfo):
        return _several([what], [], [], [])
    if isinstance(what, SkillSource):
        return _several(what.skills.values(), what.skipped, what.notices, what.roots)
    if isinstance(what, SkillInventory):
        return _several(what.skills, what.skipped, what.notices, what.roots)
    raise TypeError(
        "check takes a path, a text with a line end in it, a skill, a source, an inventory, or a list"
        f" of these, not {type(what).__name__}"
    )


def _together(all_of_them: list[Gathered]) -> Gathered:
    """Returns what several hold, each file once."""
    places = {place.location: place for gathered in all_of_them for place in gathered.places}
    return Gathered(
        sorted(places.values(), key=lambda place: place.shown),
        [document for gathered in all_of_them for document in gathered.documents],
        [notice for gathered in all_of_them for notice in gathered.notices],
        [root for gathered in all_of_them for root in gathered.roots],
    )


def _given(text: str, folder: str | os.PathLike[str] | None) -> Document:
    data = text.encode("utf-8", "surrogateescape" if _escaped(text) else "surrogatepass")
    if folder is None:
        return Document(data, TEXT)
    root = root_of(folder)
    shown = f"{root.typed.rstrip('/')}/SKILL.md"
    return Document(data, shown, folder=root.path, location=os.path.join(root.path, "SKILL.md"))


def as_given(text: str, given: str) -> str:
    """Returns the text of a document with the lone surrogates that a given text has."""
    if _escaped(given):
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogatepass")


def _escaped(text: str) -> bool:
    """Returns whether every surrogate in a text stands for a byte that is not UTF-8."""
    return not any(
        "\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text
    )


def at(typed: str) -> Gathered:
    """Returns the documents at a path, which may hold a line end; see :func:`gather`."""
    if not typed:
        raise ValueError("'' is no path; pass '.' for the working folder")
    if "\0" in typed:
        raise ValueError(f"{typed!r} is no path: it holds a NUL, which no path can")
    root = root_of(typed)
    if not os.path.lexists(root.path):
        raise SkillNotFound(
            f"{printable(typed)} does not exist; pass a folder or a SKILL.md that does (a text to"
            " check holds a line end)"
        )
    if os.path.isdir(root.path):
        return _root(root)
    name = os.path.basename(root.path)
    if name == "SKILL.md":
        kind: Kind = "skill"
    elif name.lower() == "skill.md":
        kind = "wrong-case"
    elif name.lower().endswith(".md"):
        kind = "lone"
    else:
        raise ValueError(f"{printable(typed)} is no Markdown file; pass a SKILL.md, or its folder")
    return Gathered([Place(printable(typed), root.path, kind)])


def _root(root: Root) -> Gathered:
    found = discover([root])
    gathered = _several(found.skills, found.skipped, found.notices, [root])
    for folder in sorted(_folders_of_skills(root, gathered)):
        gathered.places += _lone(folder, root)
    if not gathered.places:
        gathered.places.append(Place(root.shown(root.path), root.path, "missing"))
    gathered.places.sort(key=lambda place: place.shown)
    return gathered


def _folders_of_skills(root: Root, gathered: Gathered) -> set[str]:
    """Returns the folders that hold skills side by side: by their name, or as the root itself."""
    holding = {os.path.dirname(os.path.dirname(place.location)) for place in gathered.places}
    found = {
        folder for folder in holding if folder == root.path or os.path.basename(folder) == "skills"
    }
    if os.path.basename(root.path) == "skills":
        found.add(root.path)
    for below in ("", *_names(root.path)):
        folder = os.path.join(root.path, below, "skills")
        if below not in disk.SKIPPED_FOLDERS and os.path.isdir(folder):
            found.add(folder)
    return found


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:  # discovery says so
        return []


def _lone(folder: str, root: Root) -> list[Place]:
    """Returns the Markdown files right in a folder of skills that look like skills of their own."""
    places = []
    for name in _names(folder):
        path = os.path.join(folder, name)
        if not name.endswith(".md") or name.lower() == "skill.md" or not os.path.isfile(path):
            continue
        place = Place(root.shown(path), path, "lone")
        if {"name", "description"} <= place.read().fields.keys():
            places.append(place)
    return places


def _several(
    skills: Iterable[SkillInfo],
    skipped: Iterable[SkillSkip],
    notices: Iterable[Notice],
    roots: Iterable[Root],
) -> Gathered:
    gathered = Gathered(notices=[], roots=list(roots))
    for skill in skills:
        if skill.origin == "fs":
            gathered.places.append(_place(skill))
        else:
            gathered.documents.append(_data(skill))
    for skip in skipped:
        if os.path.isabs(skip.location) and _is_skill_file(skip.location):
            gathered.places.append(_place(skip))
    for notice in notices:
        if notice.kind == "wrong-case":
            gathered.places.append(Place(notice.shown_location, notice.location, "wrong-case"))
        else:
            gathered.notices.append(notice)
    gathered.places.sort(key=lambda place: place.shown)
    return gathered


def _place(met: SkillInfo | SkillSkip) -> Place:
    """Returns where the ``SKILL.md`` of a skill or a skip is read."""
    folder, root = os.path.dirname(met.location), met.root
    named = root is None or folder != root.path or not root.typed.startswith("github:")
    why = ""
    if isinstance(met, SkillSkip) and met.reason == "unreadable" and _is_link(met.location):
        why = met.detail
    return Place(met.shown_location, met.location, unreadable=why, named=named)


def _is_link(location: str) -> bool:
    """Returns whether a link is or was there, which may lead out of what was imported."""
    return os.path.islink(location) or not os.path.lexists(location)


def _is_skill_file(location: str) -> bool:
    """Returns whether a skip is of a ``SKILL.md``: a kit skips the files of agents, too."""
    return os.path.basename(location).lower() == "skill.md"


def _data(skill: SkillInfo) -> Document:
    """Returns a data skill as the ``SKILL.md`` that it would be; a kit's name is not its author's."""
    name = skill.name.removeprefix(f"{skill.place.kit}:") if skill.place else skill.name
    fields: dict[str, Any] = {**skill.meta, "name": name}
    if skill.description is not None:
        fields["description"] = skill.description
    block = "".join(f"{in_json(name)}: {in_json(value)}\n" for name, value in fields.items())
    text = f"---\n{block}---\n{skill.content}"
    return Document(text.encode("utf-8", "replace"), printable(skill.base))

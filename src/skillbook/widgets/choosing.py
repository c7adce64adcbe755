"""Which entries a list shows, in which order, and what in them matched.

Works on 20,000 entries within a few milliseconds: the text to search is folded once. What only the
disk knows (bodies, files) is read on demand, in steps that can be stopped. Imports ``subject`` and
the records; no widget.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from skillbook.errors import SkillReadError
from skillbook.model import SkillInfo
from skillbook.widgets.subject import Entry

SORTS = ("folder order", "name", "largest body", "most files", "most warnings")
"""The orders of the list."""

SHOWS = ("all", "skills", "warnings", "scripts", "skipped", "agents", "shadowed", "failed")
"""What the list may be held to."""

BESIDE: Mapping[str, tuple[str, ...]] = {
    "agents": ("agent", "root agent"),
    "shadowed": ("shadowed",),
    "failed": ("failed",),
}
"""Kinds of entries that only a catalogue has, by what the list may be held to."""

EVERYWHERE = "everywhere"

_SCRIPT = re.compile(
    r"(?:^|/)scripts/|\.(?:bash|bat|cjs|js|lua|mjs|php|pl|ps1|py|r|rb|sh|ts|zsh)$", re.IGNORECASE
)
_AT_A_GLANCE = 60
"""Characters of a text that a narrow list shows for sure."""

_MOST_WORDS = 8
_MOST_PLACES = 20
"""Places of a word, and words, among which the best cut of a text is looked for."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the disk says of one skill.

    Attributes:
        body: characters of its body, trimmed; -1 where it cannot be read.
        files: how many files lie beside it.
        scripts: whether one of them is a script.
    """

    body: int = -1
    files: int = 0
    scripts: bool = False


def look(skill: SkillInfo) -> Known:
    """Reads what a list may be sorted by, now."""
    try:
        body = len(skill.reader.body(skill).text.strip())  # as a model gets it
    except SkillReadError:
        body = -1
    try:
        files = skill.reader.files(skill).paths
    except SkillReadError:
        files = ()
    return Known(body, len(files), any(_SCRIPT.search(path) for path in files))


def fold(text: str) -> str:
    """Returns a text as it is compared: one form for each letter, without upper case."""
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).casefold()


def split_words(search: str) -> list[str]:
    """Returns the words of a search, each once."""
    return list(dict.fromkeys(fold(search).split()))


def marked(text: str, words: Sequence[str]) -> list[str]:
    """Returns a text in parts of which every second one matched a word."""
    if not words:
        return [text]
    longest = sorted(words, key=len, reverse=True)
    return re.split(f"({'|'.join(map(re.escape, longest))})", text, flags=re.IGNORECASE)


def around(text: str, words: Sequence[str]) -> str:
    """Returns a text on one line, cut so that a short row shows as many of the words as can be.

    It begins a little before the place where most of them stand together; words that stand only
    elsewhere follow, each with a few words around it.
    """
    line = " ".join(text[:100_000].split())
    ends: list[int] = []
    places: list[tuple[int, str]] = []
    for word in words[:_MOST_WORDS]:
        met = re.finditer(re.escape(word), line, re.IGNORECASE)
        starts = [found.start() for found in islice(met, _MOST_PLACES)]
        places += [(start, word) for start in starts]
        ends += [starts[0] + len(word)] if starts else []
    if not ends or max(ends) < _AT_A_GLANCE:
        return line[:300]
    places.sort()

    def near(place: int) -> set[str]:
        """The words that a row shows when it is cut at a place."""
        return {word for start, word in places if place <= start < place + _AT_A_GLANCE - len(word)}

    best = max((start for start, _ in places), key=lambda start: (len(near(start)), -start))
    seen = near(best)
    first = {word: start for start, word in reversed(places)}
    apart = sorted(start for word, start in first.items() if word not in seen)
    if not apart:
        return _from(line, best, 20, 300)
    room = _AT_A_GLANCE // (len(apart) + 1)
    return " ".join(_from(line, start, room // 4, room + 20) for start in sorted((best, *apart)))


def _from(line: str, place: int, before: int, most: int) -> str:
    """Returns a piece of a text from the word a little before a place on."""
    start = line.rfind(" ", 0, max(place - before, 1)) + 1
    piece = line[start : start + most + 1]
    end = piece.rfind(" ", place - start) if len(piece) > most else -1
    return f"{'… ' if start else ''}{piece[:end] if end > 0 else piece[:most]}"


@dataclass(slots=True)
class Choosing:
    """The entries, and what the list is held to.

    Attributes:
        entries: all of them, by key, in the order they were found.
        known: what the disk says of a skill, by name; empty until somebody asked.
        hits: the keys in whose bodies the words were found, or None before that was asked for.
    """

    entries: Mapping[str, Entry]
    known: dict[str, Known] = field(default_factory=dict)
    hits: set[str] | None = None
    _texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._texts = {
            key: fold(f"{entry.title}\n{entry.text}") for key, entry in self.entries.items()
        }

    def find(
        self, search: str = "", show: str = "all", origin: str = "", sort: str = ""
    ) -> list[str]:
        """Returns the keys of the entries to show, in order.

        Args:
            search: words that a name or description must hold, in any order.
            show: one of ``SHOWS``.
            origin: one of ``origins()``, or ``""`` for everywhere.
            sort: one of ``SORTS``.
        """
        words = split_words(search)
        texts, hits = self._texts, self.hits or ()
        keys: Iterable[str] = texts
        if words:
            keys = [
                key
                for key, text in texts.items()
                if key in hits or all(word in text for word in words)
            ]
        if show != "all":
            keys = [key for key in keys if self.is_shown(self.entries[key], show)]
        if origin and origin != EVERYWHERE:
            keys = [key for key in keys if origin in origins_of(self.entries[key])]
        return self._sorted(list(keys), sort)

    def is_shown(self, entry: Entry, show: str) -> bool:
        """Returns whether an entry is one of what ``show`` names."""
        if show in BESIDE:
            return entry.kind in BESIDE[show]
        if show == "skipped":
            return entry.kind in ("skipped", "broken")
        if show == "warnings":
            return entry.kind == "broken" or bool(entry.skill and entry.skill.warnings)
        if show == "scripts":
            return self.known.get(entry.key, Known()).scripts
        return show == "all" or entry.kind == "skill"

    def _sorted(self, keys: list[str], sort: str) -> list[str]:
        entries, known = self.entries, self.known
        if sort == "name":
            return sorted(keys, key=lambda key: (fold(entries[key].title), key))
        if sort == "largest body":
            return sorted(keys, key=lambda key: -known.get(key, Known()).body)
        if sort == "most files":
            return sorted(keys, key=lambda key: -known.get(key, Known()).files)
        if sort == "most warnings":
            return sorted(keys, key=lambda key: -_problems(entries[key]))
        return keys

    def count(self, show: str) -> int:
        """Returns how many entries ``show`` names."""
        return sum(self.is_shown(entry, show) for entry in self.entries.values())

    def origins(self) -> dict[str, int]:
        """Returns where the entries come from, with how many; empty where all come from one place."""
        found: dict[str, int] = {}
        for entry in self.entries.values():
            for origin in origins_of(entry):
                found[origin] = found.get(origin, 0) + 1
        if sum(1 for origin in found if origin not in ("all folders", "given in code")) == 1:
            found.pop("all folders", None)  # it says no more than its one root does
        return {name: number for name, number in found.items() if number < len(self.entries)}

    @property
    def is_known(self) -> bool:
        """Whether the disk was asked."""
        return bool(self.known) or not self.entries

    def get_to_know(self) -> Iterator[float]:
        """Asks the disk for each skill; yields how far it is. What was found counts at the end."""
        known: dict[str, Known] = {}
        for number, (key, entry) in enumerate(self.entries.items(), 1):
            if entry.skill is not None and entry.kind == "skill":
                known[key] = look(entry.skill)
            yield number / len(self.entries)
        self.known = known

    def read_bodies(self, search: str) -> Iterator[float]:
        """Looks for the words in each body, too; yields how far it is. Keeps no body."""
        words = split_words(search)
        hits: set[str] = set()
        for number, (key, entry) in enumerate(self.entries.items(), 1):
            if entry.skill is not None and entry.kind == "skill":
                text = f"{self._texts[key]}\n{fold(body_of(entry.skill))}"
                if all(word in text for word in words):
                    hits.add(key)
            yield number / len(self.entries)
        self.hits = hits

    def not_above(self, key: str, words: Sequence[str]) -> list[str]:
        """Returns the words that the entry's name and description do not hold."""
        return [word for word in words if word not in self._texts[key]]


def body_of(skill: SkillInfo) -> str:
    """Returns a skill's body, read now; ``""`` where it cannot be read."""
    try:
        return skill.reader.body(skill).text
    except SkillReadError:
        return ""


def origins_of(entry: Entry) -> tuple[str, ...]:
    """Returns where an entry comes from: its kit and provider, its root as typed, or code."""
    if entry.origins:
        return entry.origins
    skill, root = entry.skill, entry.root
    if skill is not None and skill.place is not None:
        return f"kit {skill.place.kit}", f"provider {skill.place.provider}"
    if root is None:
        return ("given in code",)
    return root.typed, "all folders"


def _problems(entry: Entry) -> int:
    if entry.kind in ("agent", "root agent"):
        return 0
    if entry.kind != "skill":
        return 1_000_000
    return len(entry.skill.warnings) if entry.skill else 0

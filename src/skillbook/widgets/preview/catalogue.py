"""What the catalogue preview knows: the prompt in parts, what is ticked, and the filter for it.

Quick at 20,000 skills: each format is built once, and a filtered prompt is a part of it. Imports
``prompt``, ``source`` and ``choosing``; no widget.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from skillbook.model import Notice, SkillInfo, printable
from skillbook.prompt import Prompt, build
from skillbook.source import SkillInventory, SkillSource
from skillbook.widgets.choosing import fold, split_words

SORTS = ("name", "longest first", "as found")
"""The orders of the list; by name is the order of the prompt."""

WAYS = ("shorter", "leave out", "keep only")
"""How a filter is written: what is left out, what is kept, or the shorter of the two."""

FILTERED = "left out by the filter"
FILTERED_BEFORE = "left out by the filter that the source was loaded with"
NO_DESCRIPTION = "no description"

_LINE = 88


def lines_of(text: str) -> int:
    """Returns how many lines a text has; an empty one has none."""
    return text.count("\n") + 1 if text else 0


class Catalogue:
    """The skills of a source, those that are kept, and what follows from that.

    Attributes:
        skills: the skills by name, in the order they were found.
        given: the filter that the source was loaded with, or None.
        before: the names that it left out.
    """

    def __init__(self, source: SkillSource) -> None:
        self.skills: Mapping[str, SkillInfo] = source.skills
        self.given = source.filter
        self.before = source.filtered
        self._source = source
        self._whole: dict[str, Prompt] = {}
        self._entries: dict[str, dict[str, str]] = {}
        self._sizes: dict[str, int] = {}
        self._folded: dict[str, str] = {}

    # --- the prompt -----------------------------------------------------------------------------

    def whole(self, form: str) -> Prompt:
        """Returns the prompt of all skills in a format, with places as displays show them."""
        if form not in self._whole:
            shown = (_placed(skill) for skill in self.skills.values() if skill.description)
            self._whole[form] = build(shown, form)
        return self._whole[form]

    def prompt(self, form: str, names: Collection[str]) -> Prompt:
        """Returns the prompt of the skills with these names."""
        whole = self.whole(form)
        entries = tuple(entry for entry in whole.entries if entry[0].name in names)
        return replace(whole, entries=entries) if entries else build((), form)

    def whole_size(self, form: str) -> int:
        """Returns how many characters the prompt of all skills has."""
        if form not in self._sizes:
            self._sizes[form] = len(self.whole(form).text)
        return self._sizes[form]

    def entries(self, form: str) -> dict[str, str]:
        """Returns each skill's part of the prompt by name; ``""`` where it has no description."""
        if form not in self._entries:
            found = dict.fromkeys(self.skills, "")
            found |= {skill.name: text for skill, text in self.whole(form).entries}
            self._entries[form] = found
        return self._entries[form]

    @property
    def moved(self) -> bool:
        """Whether a place is shown otherwise than it stands in the text that a model gets."""
        return any(s.shown_location != s.location for s in self.skills.values() if s.description)

    # --- the list -------------------------------------------------------------------------------

    def find(self, search: str, sort: str, form: str) -> list[str]:
        """Returns the names of the skills to list, in order.

        Args:
            search: words that a name or description must hold, in any order.
            sort: one of ``SORTS``.
            form: the format whose sizes count.
        """
        words = split_words(search)
        names = list(self.skills)
        if words:
            if not self._folded:
                self._folded = {
                    name: fold(f"{name}\n{skill.description or ''}")
                    for name, skill in self.skills.items()
                }
            names = [n for n in names if all(word in self._folded[n] for word in words)]
        if sort == "name":
            return sorted(names)
        if sort == "longest first":
            entries = self.entries(form)
            return sorted(names, key=lambda name: (-len(entries[name]), name))
        return names

    def absent(self, names: Collection[str]) -> list[tuple[str, str]]:
        """Returns the skills that are not in the catalogue, each with why.

        Args:
            names: those that are kept.
        """
        found = []
        for name, skill in self.skills.items():
            reasons = [] if name in names else [FILTERED]
            if not skill.description:
                reasons.append(_why_no_description(skill.warnings))
            if reasons:
                found.append((name, "; ".join(reasons)))
        return found + [(name, FILTERED_BEFORE) for name in self.before]

    # --- the filter -----------------------------------------------------------------------------

    def kept(self, rule: Mapping[str, bool] | None) -> set[str]:
        """Returns the names that a filter keeps, as :func:`skillbook.source.kept` says."""
        if not rule:
            return set(self.skills)
        if any(rule.values()):
            return {name for name, keep in rule.items() if keep and name in self.skills}
        return self.skills.keys() - rule.keys()

    def filter_for(self, names: Collection[str], way: str) -> dict[str, bool] | None:
        """Returns the filter that keeps just these names; None where nothing is left out.

        It holds for the source as it was loaded first: a filter that was given then is part of it.

        Args:
            names: those to keep.
            way: one of ``WAYS``. Nothing can be kept only by naming what is left out.
        """
        given = self.given or {}
        if len(names) == len(self.skills):
            return dict(given) or None
        keep = {name: True for name in self.skills if name in names}
        drop = {name: False for name, value in given.items() if not value}
        drop |= {name: False for name in self.skills if name not in names}
        if not keep:  # a filter that only leaves out has to name every skill there is
            return drop | dict.fromkeys(self.before, False)
        if way == "keep only" or any(given.values()):
            return keep
        return keep if way == "shorter" and len(keep) < len(drop) else drop

    def source(self, rule: Mapping[str, bool] | None) -> SkillSource:
        """Returns the source with a filter; nothing is walked again."""
        source, names = self._source, self.kept(rule)
        found = SkillInventory(
            [skill for name, skill in self.skills.items() if name in names],
            source.skipped,
            source.notices,
            source.roots,
        )
        made = SkillSource(found, sample_limit=source.sample_limit)
        made.filter = dict(rule) if rule else None
        return made

    def python(self, rule: Mapping[str, bool] | None) -> str:
        """Returns a filter as Python, with the call that takes it where that can be written.

        A filter that the source was loaded with is in it, since the call loads all skills anew.
        """
        if self.before:
            way = "keep only" if any((rule or {}).values()) else "leave out"
            rule = self.filter_for(self.kept(rule), way)
        if not rule:
            text = "skill_filter = None"
        else:
            items = [f"{name!r}: {keep}" for name, keep in rule.items()]
            line = ", ".join(items)
            text = f"skill_filter = {{{line}}}"
            if len(text) > _LINE:
                text = "skill_filter = {\n" + "".join(f"    {item},\n" for item in items) + "}"
        roots = [root.typed for root in self._source.roots]
        if not roots or any(s.origin != "fs" or s.place for s in self.skills.values()):
            return text
        where = repr(roots[0] if len(roots) == 1 else roots)
        return f"{text}\nsource = sb.load_skills({where}, filter=skill_filter)"


def _placed(skill: SkillInfo) -> SkillInfo:
    shown = printable(skill.shown_location)
    return skill if shown == skill.location else replace(skill, location=shown)


def _why_no_description(notices: Iterable[Notice]) -> str:
    """Returns why a skill has none; its warning may say more, such as a fault in the YAML."""
    told = next((each.detail for each in notices if each.kind == "no-description"), "")
    return f"{NO_DESCRIPTION} ({told})" if told and "catalogue" not in told else NO_DESCRIPTION

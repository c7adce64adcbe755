"""The right side of the explorer: one skill in five tabs, or one skipped file and why.

Only the tab that is seen is filled, so choosing a skill costs one reading and one view. Imports
``views``, ``base``, ``parts`` and ``work``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

import ipywidgets

from skillbook import sizes
from skillbook.display import files, records, siblings, words
from skillbook.display.facts import MOST_FILES, FileList, SkillFacts, skill_facts
from skillbook.display.markup import Markup, join, note
from skillbook.errors import SkillbookError
from skillbook.model import printable
from skillbook.source import SkillInventory, SkillSource
from skillbook.tool import DEFAULT_SAMPLE, ToolResult, envelope
from skillbook.widgets.elements.base import Pane, choice, row_of, scrolling
from skillbook.widgets.elements.parts import Buttons, Row, Rows, row
from skillbook.widgets.elements.work import later
from skillbook.widgets.explorer import views
from skillbook.widgets.limits import LIMITS, limit_words
from skillbook.widgets.subject import Entry

TABS = ("Rendered", "SKILL.md", "Fields", "Files", "What the model gets")
RENDERED, TEXT, FIELDS, FILES, MODEL = range(5)

MOST_COUNTED = 1_000
"""Files of one skill whose tokens are counted without being asked for."""


class SkillPane:
    """What is shown of the chosen entry.

    Attributes:
        view: the widget.
        facts: what was read of the chosen skill, or None.
        path: the chosen file of that skill, or ``""``.
        limit: the ``sample_limit`` of the envelope that is shown.
    """

    def __init__(
        self, limit: int, set_limit: Callable[[int], None], say: Callable[[str], None]
    ) -> None:
        """Makes an empty pane.

        Args:
            limit: the first ``sample_limit``.
            set_limit: called with the one that is chosen here.
            say: called with what happened, in words.
        """
        self.facts: SkillFacts | None = None
        self.path = ""
        self.limit = limit or DEFAULT_SAMPLE
        self._limit_before: int | None = None
        self._set_limit = set_limit
        self._say = say
        self._asked: list[str] = []
        self._filled: set[int] = set()
        self._counting: asyncio.Task[None] | None = None
        self.head = Pane()
        self.about = Pane()
        self.about.layout.display = "none"
        self.named = Buttons("Files named in the body", self.open_named, label="Files named here")
        self._named: list[str] = []
        self._texts: list[tuple[str, str]] = []
        self._copied = ""
        self.copies = Buttons("Copy", self.copy, self.was_copied)
        self.panes = {number: Pane() for number in (RENDERED, TEXT, FIELDS, MODEL)}
        self.tree = Rows(
            "Files of the skill", self.choose_file, empty="There are no files beside it."
        )
        self.preview = Pane()
        self.limits = choice("sample_limit", self._limit_options(), value=self.limit)
        self.limits.observe(lambda change: self.limit_pressed(change["new"]), "value")
        self.change = Pane()
        self.change.add_class("skillbook-change")
        both = ipywidgets.VBox((self.tree, self.preview))
        both.add_class("skillbook-files")
        model = ipywidgets.VBox((row_of(self.limits, self.copies), self.change, self.panes[MODEL]))
        rendered = ipywidgets.VBox((self.named, self.panes[RENDERED]))
        self.tabs = ipywidgets.Tab(
            children=(rendered, self.panes[TEXT], self.panes[FIELDS], both, model),
            titles=TABS,
            selected_index=RENDERED,
        )
        self.tabs.observe(lambda _change: self.fill(), "selected_index")
        self.view = scrolling(self.head, self.about, self.tabs)

    def show(self, entry: Entry | None, otherwise: Markup) -> None:
        """Shows one entry, read now; ``otherwise`` where there is none."""
        self._forget()
        tabbed = entry is not None and entry.kind == "skill" and entry.skill is not None
        self.tabs.layout.display = "" if tabbed else "none"
        if entry is None:
            self.head.show(otherwise)
        elif entry.kind == "skill" and entry.skill is not None:
            self.facts = skill_facts(entry.skill)
            self.head.show(views.head(self.facts))
            self.fill()
        elif entry.skip is not None:
            self.head.show(views.entry(entry))

    def tell(self, asked: list[str], *, listed: bool) -> None:
        """Says how the entry stands to the list beside it.

        Args:
            asked: the words that were looked for in the bodies; where they stand is marked.
            listed: whether the entry is in the list.
        """
        if asked != self._asked:
            self._asked = asked
            self._filled.discard(TEXT)
            self.fill()
        about = Markup() if listed else note("Not in the list as it is held now.")
        if self.facts is not None:
            about = join((about, views.found(self.facts, asked)))
        self.about.show(about)
        self.about.layout.display = "" if about else "none"

    def _forget(self) -> None:
        self.facts = None
        self.path = ""
        self._limit_before = None
        self._filled.clear()
        if self._counting is not None:
            self._counting.cancel()

    def fill(self) -> None:
        """Fills the tab that is seen, once for each skill."""
        number = self.tabs.selected_index
        facts = self.facts
        if facts is None or number is None or number in self._filled:
            return
        self._filled.add(number)
        if number == RENDERED:
            named = views.named_files(facts)
            self._named = self.named.texts = named
            self.named.layout.display = "" if named else "none"
            self.panes[RENDERED].show(records.rendered_body(facts))
        elif number == TEXT:
            self.panes[TEXT].show(views.source(facts, self._asked))
        elif number == FIELDS:
            self.panes[FIELDS].show(views.fields(facts.skill))
        elif number == FILES:
            self._fill_files(facts)
        else:
            self._fill_model(facts)

    # --- files --------------------------------------------------------------------------------

    def _fill_files(self, facts: SkillFacts) -> None:
        rows = _file_rows(facts)
        self.tree.chosen = ""  # another skill may have a file of the same path
        self.tree.rows = rows
        first = next((key for key, *_ in rows if key), "")
        self.tree.chosen = first
        if not first:
            self.preview.show(Markup())

    def open_named(self, number: int) -> None:
        """Opens the files with one that the body names, by the number of its button."""
        path = printable(self._named[number])
        self.tabs.selected_index = FILES
        self.tree.chosen = f"link:{path}"
        self.tree.take_focus()

    def choose_file(self, key: str) -> None:
        """Shows the preview of a file; ``key`` is ``link:`` or ``file:`` and its path."""
        facts = self.facts
        kind, _, path = key.partition(":")
        if facts is None or kind not in ("link", "file"):
            return
        if kind == "file" and path not in facts.files.files:
            return
        link = next((each for each in views.links(facts) if each.path == path), None)
        if kind == "link" and link is None:
            return
        self.path = path
        if kind == "link" and link is not None and link.found != "file":
            self.preview.show(views.no_file(link))
        else:
            self.preview.show(files.preview(siblings.read_file(facts.skill, path), facts.skill))

    # --- what the model gets ------------------------------------------------------------------

    def _limit_options(self) -> list[tuple[str, int]]:
        limits = list(LIMITS)
        if self.limit not in limits:
            limits = sorted((*limits, self.limit))
        return [(limit_words(limit), limit) for limit in limits]

    def limit_pressed(self, limit: int | None) -> None:
        """Hands the ``sample_limit`` that was chosen on."""
        if limit is not None and limit != self.limit:
            self._set_limit(limit)

    def show_limit(self, limit: int) -> None:
        """Shows the envelope with another ``sample_limit``, and what it changed."""
        limit = limit or DEFAULT_SAMPLE
        if limit == self.limit:
            return
        self._limit_before, self.limit = self.limit, limit
        if limit not in (value for _, value in self.limits.options):
            self.limits.options = self._limit_options()
        self.limits.value = limit
        self._filled.discard(MODEL)
        self.fill()

    def _fill_model(self, facts: SkillFacts) -> None:
        result = envelope(facts.skill, self.limit)
        line = sizes.entry(facts.skill).strip("\n")
        self._texts = [("the line", line)] if line else []
        self._texts.append(("the envelope", result.output))
        self.copies.texts = [f"Copy {what}" for what, _ in self._texts]
        before = None if self._limit_before is None else envelope(facts.skill, self._limit_before)
        self._show_model(facts, result, before, None)
        if len(facts.files.files) <= MOST_COUNTED:
            if self._counting is not None:
                self._counting.cancel()
            self._counting = later(
                lambda: self.count(facts),
                lambda counted: self._show_model(facts, result, before, counted),
            )

    def copy(self, number: int) -> None:
        """Copies the line in the prompt or the envelope, exactly as a model gets it."""
        what, text = self._texts[number]
        self._copied = f"{what}, {words.count(len(text), 'character')} as the model gets it"
        self.copies.copy(text)

    def was_copied(self, copied: bool) -> None:
        """Says what became of a copy."""
        if copied:
            self._say(f"Copied {self._copied}.")
        else:
            self._say(f"The browser lets no page copy here. Selected {self._copied}: press Ctrl+C.")

    def count(self, facts: SkillFacts) -> sizes.SkillSizes | str:
        """Returns the sizes of a skill at each level, counted now; or why they cannot be."""
        source = SkillSource(SkillInventory([facts.skill]), sample_limit=self.limit)
        try:
            return sizes.token_sizes(source)[facts.skill.name]
        except SkillbookError as error:
            return str(error)

    def _show_model(
        self,
        facts: SkillFacts,
        result: ToolResult,
        before: ToolResult | None,
        counted: sizes.SkillSizes | str | None,
    ) -> None:
        told = counted if isinstance(counted, str) else ""
        found = None if isinstance(counted, str) else counted
        self.change.show(
            Markup()
            if before is None or self._limit_before is None
            else views.change(before, self._limit_before, result, self.limit)
        )
        self.panes[MODEL].show(
            join(
                (
                    views.levels(facts.skill, result, len(facts.files.files), found),
                    note(f"Tokens are not counted: {told}.") if told else Markup(),
                    views.first_level(facts.skill),
                    views.second_level(result),
                )
            )
        )

    def close(self) -> None:
        """Stops what still runs."""
        if self._counting is not None:
            self._counting.cancel()


def _file_rows(facts: SkillFacts) -> list[Row]:
    """The rows of the files tab: what the body names, then the tree."""
    found = facts.files
    shown = found.files[:MOST_FILES]
    rows: list[Row] = []
    named = views.links(facts)
    if named:
        rows.append(row("", "Named in the body, in its order"))
    said = {"missing": "not there", "outside": "outside the skill", "folder": "a folder"}
    for link in named:
        word = said.get(link.found, _size(found, link.path))
        rows.append(row(f"link:{link.path}", link.path, words=[word] if word else ()))
    if found.files:
        rows.append(row("", "In the folder", words=[_how_many(shown, found.files)]))
    rows += _tree_rows(shown, found)
    rows += [row("", text) for text in (*found.left_out, found.problem) if text]
    return rows


def _how_many(shown: Sequence[str], files: Sequence[str]) -> str:
    if len(shown) < len(files):
        return words.of(len(shown), len(files), "files")
    return words.count(len(files), "file")


def _tree_rows(shown: Sequence[str], found: FileList) -> Iterator[Row]:
    above: list[str] = []
    for path in sorted(shown, key=_tree_order):
        *folders, name = path.split("/")
        pairs = zip(above, folders, strict=False)
        same = next(
            (place for place, (a, b) in enumerate(pairs) if a != b), min(len(above), len(folders))
        )
        for depth, folder in enumerate(folders[same:], same):
            yield row("", f"{folder}/", depth=depth + 1)
        above = folders
        size = _size(found, path)
        yield row(f"file:{path}", name, words=[size] if size else (), depth=len(folders) + 1)


def _tree_order(path: str) -> list[tuple[bool, str]]:
    """Files stand before the folders beside them, so that none seems to lie in one."""
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _size(found: FileList, path: str) -> str:
    return words.size(found.sizes[path]) if path in found.sizes else ""

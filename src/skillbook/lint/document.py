"""One ``SKILL.md`` as the rules see it: its text, its fields with their places, its body.

Everything is read once and lazily; rules read no file themselves. Places are in characters of the
text, which keeps line ends and, as surrogates, bytes that are not UTF-8, so that a change can be
spliced in and written back byte for byte. Imports ``frontmatter``, ``rescue`` and the records.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from skillbook import frontmatter, rescue
from skillbook.errors import FrontMatterError
from skillbook.lint import prose, yaml_words
from skillbook.lint.beside import Beside
from skillbook.lint.finding import Repair
from skillbook.lint.lines import LINE_END, line_spans, line_starts
from skillbook.lint.visible import visible
from skillbook.model import printable
from skillbook.yaml_values import NULLS, compose

Kind = Literal["skill", "wrong-case", "lone", "missing"]
FieldKind = Literal["text", "list", "map", "null"]

BAD_BYTE = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as the text of a document holds it."""

_ALIAS = re.compile(r"[ \t]*:[ \t]+(\*[^\s,\[\]{}]+)[ \t]*(?:#.*)?(?:[\r\n,}]|\Z)")
_NO_TEXT = re.compile(r"line \d+: (name|description) is a (?:list|map), not text")
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$")


class Refusal(NamedTuple):
    """Why the front matter gives no fields by itself: in plain words, and where."""

    words: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the front matter.

    Attributes:
        name: its key.
        key: where the key starts and ends.
        value: where its value starts and ends; both the same for none.
        kind: what the value is; a number or date is text.
        text: the text as typed, or None where it is none.
        style: how it is written: ``"``, ``'``, ``|``, ``>``, or ``""`` for plain.
        node: the value as YAML gives it; None where it was rescued.
        bare: whether the value stands here, without anchor, alias or tag; no other is repaired.
    """

    name: str
    key: tuple[int, int]
    value: tuple[int, int]
    kind: FieldKind
    text: str | None
    style: str = ""
    node: Node | None = field(default=None, repr=False)
    bare: bool = True

    @property
    def unread(self) -> bool:
        """Whether a value stands here that cannot be read, since YAML refuses it."""
        return self.kind == "null" and self.node is None and self.value[0] < self.value[1]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a rule says; the checker makes a finding of it.

    Attributes:
        document: the document that it is about.
        message: what is there and what to do.
        start: where what is meant starts, or None for the file as a whole.
        end: where it ends.
        fix: the repair that is safe, or None.
        file: another file of the skill that is meant, relative; None for the ``SKILL.md``.
        line: the line of that file, or None.
        text: what is meant, where it is not in the document.
    """

    document: Document
    message: str
    start: int | None = None
    end: int | None = None
    fix: Repair | None = None
    file: str | None = None
    line: int | None = None
    text: str = ""


class Document:
    """One ``SKILL.md``, or a text that is to become one.

    Attributes:
        shown: its path, as the user named it.
        text: the whole text, as it is.
        folder_name: the name of its folder, or None where it has none.
        beside: the files of its folder, or None where it has none.
        kind: ``skill``, ``wrong-case``, ``lone`` (a ``.md`` that is no folder's), or ``missing``.
        location: its absolute path, or None.
        unreadable: why it could not be read, or ``""``.
        shared: what the rules of a family found out together.
    """

    def __init__(
        self,
        data: bytes,
        shown: str,
        *,
        folder: str | None = None,
        location: str | None = None,
        kind: Kind = "skill",
        unreadable: str = "",
    ) -> None:
        """Makes a document.

        Args:
            data: its bytes.
            shown: its path, as the user named it.
            folder: the absolute path of the folder that it lies in, or will.
            location: its own absolute path.
            kind: see the class.
            unreadable: why it could not be read.
        """
        self.shown = shown
        self.text = data.decode("utf-8", "surrogateescape")
        self.location = location
        self.kind: Kind = kind
        self.unreadable = unreadable
        self.folder_name = os.path.basename(folder.rstrip(os.sep)) if folder else None
        self.beside = Beside(folder) if folder is not None and os.path.isdir(folder) else None
        self.shared: dict[str, Any] = {}
        self._data = data

    def __repr__(self) -> str:
        return f"<Document {self.shown!r}: {len(self.text):,} characters>"

    # --- parts ---------------------------------------------------------------------------------

    @cached_property
    def _split(self) -> tuple[tuple[int, int, int] | None, FrontMatterError | None]:
        """The places of block and body in characters, or why there are none."""
        try:
            place = frontmatter.split(self._data)
            if place is None:
                return None, frontmatter.why_none(self._data)
        except FrontMatterError as error:
            return None, error
        start, end, body = (
            len(self._data[:offset].decode("utf-8", "surrogateescape")) for offset in place
        )
        try:
            frontmatter.block_text(self._data, place)
        except FrontMatterError as error:
            return (start, end, body), error
        return (start, end, body), None

    @property
    def failure(self) -> FrontMatterError | None:
        """Why there is no block that can be read, or None."""
        return self._split[1]

    @property
    def block_start(self) -> int:
        """Where the text between the fences starts; 0 where there is none."""
        if self._split[0] is None:
            return 0
        start, end, _ = self._split[0]
        # YAML's readers drop a byte order mark there, and do not count it in their places.
        return end - len(self.text[start:end].lstrip("\ufeff"))

    @property
    def block(self) -> str | None:
        """The text between the fences, or None where it cannot be read."""
        places, failure = self._split
        return None if places is None or failure else self.text[self.block_start : places[1]]

    @property
    def body_start(self) -> int | None:
        """Where the body starts, or None where no front matter comes before it."""
        return self._split[0][2] if self._split[0] else None

    @property
    def body(self) -> str:
        """The text after the front matter; ``""`` where there is none."""
        return "" if self.body_start is None else self.text[self.body_start :]

    @cached_property
    def prose(self) -> prose.Prose:
        """What the body's Markdown holds."""
        return prose.read(self.text, self.body_start or 0)

    # --- fields --------------------------------------------------------------------------------

    @cached_property
    def _composed(self) -> tuple[Node | None, Refusal | None]:
        block = self.block or ""
        try:
            root = compose(yaml_words.without_surrogates(block))
        except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
            words, start, end = yaml_words.explain(error, block)
            return None, Refusal(words, self.block_start + start, self.block_start + end)
        # A lone null is no field at all, as nothing is.
        null = isinstance(root, ScalarNode) and not root.style and root.value in NULLS
        return None if null else root, None

    @property
    def root(self) -> Node | None:
        """The front matter as YAML gives it, or None where it is empty or refused."""
        return self._composed[0]

    @cached_property
    def _parsed(self) -> frontmatter.FrontMatter | FrontMatterError | None:
        places, failure = self._split
        if places is None or failure:
            return None
        try:
            return frontmatter.parse(self.text[places[0] : places[1]])
        except FrontMatterError as error:
            return error

    @cached_property
    def refusal(self) -> Refusal | None:
        """Why YAML refuses the front matter, or None.

        That it is no map, or that name or description is no text, is no refusal of YAML's.
        """
        root, refusal = self._composed
        if refusal or not isinstance(root, MappingNode):
            return refusal
        parsed = self._parsed
        if isinstance(parsed, FrontMatterError):
            said, line = parsed.detail, parsed.line
        else:
            problem = (
                next((p for p in parsed.problems if p.kind == "rescued-frontmatter"), None)
                if parsed
                else None
            )
            if problem is None:
                return None
            said, line = problem.detail.partition("; only name")[0], problem.line
        no_text = _NO_TEXT.match(said)
        if no_text and self.fields[no_text[1]].kind in ("list", "map"):
            return None  # a rule of its own says so
        start, end = self.line_span(line or 2)
        words = said.partition("not valid YAML: ")[2] or re.sub(r"^line \d+: ", "", said)
        return Refusal(words, start, end)

    @property
    def name(self) -> str | None:
        """The name that the skill is loaded by, or None."""
        return self._parsed.name if isinstance(self._parsed, frontmatter.FrontMatter) else None

    @property
    def description(self) -> str | None:
        """The description as a model sees it, or None."""
        return (
            self._parsed.description if isinstance(self._parsed, frontmatter.FrontMatter) else None
        )

    @property
    def meta(self) -> dict[str, Any]:
        """The front matter as values; name and description alone where it was rescued."""
        return self._parsed.meta if isinstance(self._parsed, frontmatter.FrontMatter) else {}

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields by name; of two with one name the last, as YAML's readers take it."""
        root, refusal = self._composed
        if refusal:
            return self._rescued({})
        if not isinstance(root, MappingNode):
            return {}
        fields = {
            key.value: self.field(key, value)
            for key, value in root.value
            if isinstance(key, ScalarNode)
        }
        parsed = self._parsed
        read = isinstance(parsed, frontmatter.FrontMatter) and not any(
            problem.kind == "rescued-frontmatter" for problem in parsed.problems
        )
        return fields if read else {**fields, **self._rescued(fields)}

    def field(self, key: ScalarNode, value: Node, base: int | None = None) -> Field:
        """Returns a pair of YAML's nodes as a field with its places in the document.

        Args:
            key: the key.
            value: its value; for an alias, the node that it means, and the place is the alias's.
            base: where what was parsed starts; None means the block.
        """
        base = self.block_start if base is None else base
        kind: FieldKind = "map" if isinstance(value, MappingNode) else "list"
        text = style = None
        if isinstance(value, ScalarNode):
            style = value.style
            kind = "null" if not style and value.value in NULLS else "text"
            text = None if kind == "null" else value.value
        keyed = base + key.start_mark.index, base + key.end_mark.index
        alias = _ALIAS.match(self.text, keyed[1])
        places = base + value.start_mark.index, base + value.end_mark.index
        return Field(
            key.value,
            keyed,
            alias.span(1) if alias else places,
            kind,
            text,
            style or "",
            value,
            not alias and self.text[places[0] : places[0] + 1] not in ("&", "!"),
        )

    def _rescued(self, by_yaml: dict[str, Field]) -> dict[str, Field]:
        """Returns name and description as the loader rescues them, line by line.

        Args:
            by_yaml: the fields as YAML gives them, where it does. They stand where the loader
                reads the same words, or cannot read any.
        """
        block = self.block or ""
        by_yaml = by_yaml or self._apart(block)
        fields: dict[str, Field] = {}
        for start, end in line_spans(block):
            found = _KEY.match(block[start:end])
            if not found or found[1] not in frontmatter.RESCUED or found[1] in fields:
                continue
            text = rescue.field(block, found[1])
            known = by_yaml.get(found[1])
            if known and (text is None or (known.text or "").split() == text.split()):
                fields[found[1]] = known
                continue
            base = self.block_start + start
            value = found.span(2) if found[2] is not None else (found.end(), found.end())
            fields[found[1]] = Field(
                found[1],
                (base, base + found.end(1)),
                (base + value[0], base + value[0] + len((found[2] or "").rstrip())),
                "null" if text is None or not text.strip() else "text",
                text,
            )
        return fields

    def _apart(self, block: str) -> dict[str, Field]:
        """Returns what YAML makes of name and description, each by itself."""
        fields: dict[str, Field] = {}
        for start, entry in yaml_words.entries(block):
            if entry.startswith(frontmatter.RESCUED):
                root = yaml_words.taken(entry)
                for key, value in root.value if isinstance(root, MappingNode) else ():
                    if key.value in frontmatter.RESCUED and key.value not in fields:
                        fields[key.value] = self.field(key, value, self.block_start + start)
        return fields

    @property
    def is_map(self) -> bool:
        """Whether the front matter is a map, an empty one, or was refused and rescued."""
        root, refusal = self._composed
        return refusal is not None or root is None or isinstance(root, MappingNode)

    def with_text(self, text: str) -> Document:
        """Returns the document with another text, at the same place."""
        other = Document(
            text.encode("utf-8", "surrogateescape"),
            self.shown,
            location=self.location,
            kind=self.kind,
        )
        other.folder_name, other.beside = self.folder_name, self.beside
        return other

    def forget(self) -> None:
        """Lets go of what only rules about this one document need."""
        self.__dict__.pop("prose", None)
        self.shared = {}
        if self.beside is not None:
            self.beside = Beside(self.beside.folder)

    # --- places --------------------------------------------------------------------------------

    @cached_property
    def _starts(self) -> list[int]:
        return line_starts(self.text)

    def place(self, at: int) -> tuple[int, int]:
        """Returns the line and column of a place, both from 1."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def line_span(self, line: int) -> tuple[int, int]:
        """Returns where a line (from 1) starts and ends, without its line end and indent."""
        starts = self._starts
        line = min(max(line, 1), len(starts))
        start = starts[line - 1]
        text = self.text[start : starts[line] if line < len(starts) else len(self.text)]
        indent = len(text) - len(text.lstrip(" \t"))
        return start + indent, start + max(indent, len(text.rstrip("\r\n")))

    @property
    def line_count(self) -> int:
        """How many lines the text has."""
        return len(self._starts) - (self._starts[-1] == len(self.text) and len(self._starts) > 1)

    def line_end(self, line: int) -> int:
        """Returns where a line (from 1) ends, without its line end; a line may be very long."""
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        while end > self._starts[line - 1] and self.text[end - 1] in "\r\n":
            end -= 1
        return end

    def line_text(self, line: int) -> str:
        """Returns the text of a line (from 1), visible, without its line end."""
        return self.text[self._starts[line - 1] : self.line_end(line)]

    # --- what rules say ------------------------------------------------------------------------

    def say(
        self,
        message: str,
        start: int | None = None,
        end: int | None = None,
        *,
        fix: Repair | None = None,
    ) -> Remark:
        """Says something about a part of the text, or about the file as a whole.

        Args:
            message: what is there and what to do.
            start: where what is meant starts, in characters of the text.
            end: where it ends; None means one character.
            fix: the repair that is safe.
        """
        return Remark(self, message, start, end, fix)

    def say_field(
        self,
        name: str,
        message: str,
        *,
        key: bool = False,
        part: str = "",
        fix: Repair | None = None,
    ) -> Remark:
        """Says something about a field: its value, or its key where ``key`` is true or it has none.

        For a field that is not there, the line of the opening fence is meant. Of a value with several
        lines ``part`` alone is meant, where it stands there once.
        """
        found = self.fields.get(name)
        if found is None:
            return Remark(self, message, *self.line_span(1), fix)
        start, end = found.value
        if key or found.kind != "text" or start == end:
            start, end = found.key
        elif part and LINE_END.search(self.text, start, end):
            edges = (r"\b" if char.isalnum() else "" for char in (part[0], part[-1]))
            meant = re.compile(re.escape(part).join(edges))
            places = [found.span() for found in meant.finditer(self.text, start, end)]
            start, end = places[0] if len(places) == 1 else (start, end)
        return Remark(self, message, start, end, fix)

    def say_file(
        self, path: str, message: str, *, line: int | None = None, text: str = ""
    ) -> Remark:
        """Says something about another file of the skill.

        Args:
            path: the file, relative to the skill's folder, with ``/``.
            message: what is there and what to do.
            line: the line that is meant, from 1.
            text: what is meant.
        """
        return Remark(self, message, file=path, line=line, text=text)

    def shown_beside(self, path: str) -> str:
        """Returns the path of another file of the skill, as the user would name it."""
        head = self.shown if self.kind == "missing" else os.path.dirname(self.shown)
        return printable(f"{head.rstrip('/')}/{path}" if head else path)

    def quoted_text(self, start: int, end: int) -> str:
        """Returns a part of the text on one line, visible and cut."""
        first = visible(self.text[start : min(end, start + 400)]).strip()
        return first if len(first) <= 120 else first[:119] + "…"

"""The Markdown of a body as rules need it: headings, links, code, comments, each with its place.

markdown-it-py says what a piece is; its place inside a block is found again in the source, since
the parser keeps lines only. Places are in characters of the document. Imports
``lines``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from skillbook.lint.lines import LINE_END

MOST = 100_000
"""Characters of a body that are parsed; real ones have up to 60,000."""

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_COMMENT_BY_LINK = re.compile(
    r"^ {0,3}\[//\]: *\S{1,200} *[\"'(](.{0,2000})[\"')][ \t]*$", re.MULTILINE
)


_BRACKETS = (
    re.compile(r"\[(?:\\.|[^\]\\]){0,1000}\](?:\[[^\]]{0,1000}\])?"),
    re.compile(r"!\[(?:\\.|[^\]\\]){0,1000}\](?:\[[^\]]{0,1000}\])?"),
)
_SHELLS = re.compile(r"\s*(?:bash|sh|shell|zsh|console|shell-session)\b", re.IGNORECASE)


class Piece(NamedTuple):
    """A piece of the body: its text, and where it stands in the document."""

    text: str
    start: int
    end: int


class Heading(NamedTuple):
    """A heading."""

    level: int
    text: str
    start: int
    end: int


class Link(NamedTuple):
    """A link or an image.

    Attributes:
        target: as written, without its title.
        start: where the target (or, where ``exact`` is false, the link) starts.
        end: where it ends.
        image: whether it is an image.
        exact: whether ``start`` and ``end`` enclose just the target.
    """

    target: str
    start: int
    end: int
    image: bool
    exact: bool


@dataclass(slots=True)
class Prose:
    """What a body holds.

    Attributes:
        headings: in order.
        links: links and images, without those in code.
        codes: what stands in back quotes.
        shells: code blocks in a language of shells.
        words: text outside code, link targets and HTML.
        html: raw HTML, comments left out.
        comments: what HTML comments and ``[//]: # (…)`` hold.
        parsed: how many characters were looked at.
    """

    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    codes: list[Piece] = field(default_factory=list)
    shells: list[Piece] = field(default_factory=list)
    words: list[Piece] = field(default_factory=list)
    html: list[Piece] = field(default_factory=list)
    comments: list[Piece] = field(default_factory=list)
    parsed: int = 0


@cache
def _parser() -> MarkdownIt:
    # Emphasis is no concern of any rule and costs a quarter of the time.
    parser = MarkdownIt("commonmark", {"html": True}).enable("table").disable("emphasis")
    # Rules judge what a link is, as it is written.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


def read(text: str, base: int) -> Prose:
    """Reads the body of a document.

    Args:
        text: the whole document.
        base: where its body starts.
    """
    body = text[base : base + MOST]
    reading = _Reading(text, base, base + len(body))
    environment: dict[str, dict[str, object]] = {}
    reading.blocks(_parser().parse(body, environment))
    if "//" in environment.get("references", {}):
        for found in _COMMENT_BY_LINK.finditer(body):
            reading.prose.comments.append(Piece(found[1], base + found.start(), base + found.end()))
    reading.prose.parsed = len(body)
    return reading.prose


class _Reading:
    """One reading of a body: a place that moves on through the source."""

    def __init__(self, text: str, base: int, end: int) -> None:
        self.text = text
        self.end = end
        self.starts = [base, *(found.end() for found in LINE_END.finditer(text, base, end))]
        self.prose = Prose()
        self.at = base
        self.block = (base, end)

    def line(self, number: int) -> int:
        """Returns where a line of the body starts; the end for one that is not there."""
        return self.starts[number] if number < len(self.starts) else self.end

    def blocks(self, tokens: Sequence[Token]) -> None:
        heading = 0
        for token in tokens:
            if token.map:
                start, end = self.line(token.map[0]), self.line(token.map[1])
                self.block = (start, max(start, end))
                if start >= self.at or token.type == "html_block":
                    self.at = start  # the cells of one row of a table share their line
            if token.type == "heading_open":
                heading = int(token.tag[1:])
            elif token.type == "inline":
                if heading:
                    start = self.block[0]
                    end = start + len(self.text[start : self.block[1]].rstrip())
                    self.prose.headings.append(Heading(heading, token.content, start, end))
                    heading = 0
                self.inline(token.children or [])
            elif token.type == "html_block":
                self.html(token.content)
            elif token.type == "fence" and _SHELLS.match(token.info):
                start, end = self.block
                self.prose.shells.append(Piece(self.text[start:end], start, end))

    def inline(self, children: Sequence[Token]) -> None:
        ends: list[int] = []  # of the links that are open
        for child in children:
            if child.type == "text":
                if child.content.strip():
                    self.prose.words.append(self.find(child.content))
            elif child.type == "code_inline":
                self.prose.codes.append(self.find(child.content))
            elif child.type == "html_inline":
                self.html(child.content)
            elif child.type == "link_open":
                ends.append(self.link(str(child.attrs.get("href", "")), image=False))
            elif child.type == "link_close":
                self.at = max(self.at, ends.pop())
            elif child.type == "image":
                self.at = max(self.at, self.link(str(child.attrs.get("src", "")), image=True))

    def link(self, target: str, *, image: bool) -> int:
        """Adds a link and returns where it ends. Its text is still to come, so the place stays."""
        start = self.text.find(target, self.at, self.block[1]) if target else -1
        while start > 0 and self.text[start - 1] not in "(<: \t\n":
            start = self.text.find(target, start + 1, self.block[1])
        exact = start >= 0
        if exact:
            end = start + len(target)
        else:  # its target stands in a definition, or is written otherwise than it reads
            found = _BRACKETS[image].search(self.text, self.at, self.block[1])
            start, end = found.span() if found else (self.at, self.line_end(self.at))
        self.prose.links.append(Link(target, start, end, image, exact))
        return end

    def html(self, content: str) -> None:
        piece = self.find(content)
        rest = content
        for found in _COMMENT.finditer(content):
            start = piece.start + found.start()
            self.prose.comments.append(Piece(found[1].strip(), start, start + len(found[0])))
            rest = rest.replace(found[0], "", 1)
        if rest.strip():
            self.prose.html.append(Piece(rest.strip(), piece.start, piece.end))

    def find(self, content: str) -> Piece:
        """Returns a piece with its place, and moves on behind it."""
        for form in _forms(content):
            start = self.text.find(form, self.at, self.block[1])
            if start >= 0:
                self.at = start + len(form)
                return Piece(content, start, self.at)
        # Written otherwise than it reads (an escape, an entity): the place is its line.
        return Piece(content, self.at, self.line_end(self.at))

    def line_end(self, at: int) -> int:
        """Returns the end of the line at a place."""
        line = bisect_right(self.starts, at) - 1
        return max(
            at, self.line(line) + len(self.text[self.line(line) : self.line(line + 1)].rstrip())
        )


def _forms(content: str) -> Iterator[str]:
    yield content
    if "\n" in content:
        yield content.replace("\n", "\r\n")
        yield content.rstrip("\n")
        yield content.split("\n", 1)[0]

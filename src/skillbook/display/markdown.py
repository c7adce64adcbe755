"""Markdown as HTML: a stranger's text, so without raw HTML and without anything that acts.

markdown-it-py only parses here (GFM tables and strikethrough, ``html`` off). Its tokens are turned
into HTML by a short list of tags of our own: what is not on it cannot be shown. Links act only
where they lead to http, https or mailto; others stand as text with their path, since in a notebook
they would lead to the notebook's server. Pictures are read first (:func:`read`), rendering reads
nothing (:func:`to_markup`).

This module imports ``markup``, ``code``, ``siblings`` and the records.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from skillbook.display import code, siblings, words
from skillbook.display.markup import NOT_IN_CONTENTS, Markup, classes, element, note, prose
from skillbook.errors import SkillReadError
from skillbook.model import SkillInfo

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MOST = 100_000
"""Characters of Markdown that are rendered; real bodies have up to 60,000."""

MOST_ROWS = 500
"""Rows of one table that are rendered."""

MOST_CELLS = 10_000
"""Cells of one table that are rendered; a short row is filled up with empty ones."""

MOST_COLOURED = 40_000
"""Characters of code of one text that are coloured."""

MOST_NESTING = 20
"""Levels of lists and quotations that are rendered, and of emphasis."""

MOST_PICTURES = 1_000_000
"""Bytes of all pictures of one body."""

_ACTS = re.compile(r"(?:https?://[^/?#]|mailto:[^/])", re.IGNORECASE)
_CONTAINERS = frozenset(("blockquote_open", "list_item_open"))
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)

# Token kinds that are always the same HTML.
_OPENING = {
    "paragraph_open": "<p>",
    "blockquote_open": "<blockquote>\n",
    "bullet_list_open": "<ul>\n",
    "list_item_open": "<li>",
    "table_open": f'<div class="{classes("wide")}"><table class="{classes("table")}">\n',
    "thead_open": "<thead>",
    "tbody_open": "<tbody>\n",
    "tr_open": "<tr>",
    "hr": "<hr>\n",
}
_CLOSING = {
    "paragraph_close": "</p>\n",
    "blockquote_close": "</blockquote>\n",
    "bullet_list_close": "</ul>\n",
    "ordered_list_close": "</ol>\n",
    "list_item_close": "</li>\n",
    "table_close": "</table></div>\n",
    "thead_close": "</thead>\n",
    "tbody_close": "</tbody>",
    "tr_close": "</tr>\n",
    "th_close": "</th>",
    "td_close": "</td>",
}
_INLINE = {
    "em_open": "<em>",
    "em_close": "</em>",
    "strong_open": "<strong>",
    "strong_close": "</strong>",
    "s_open": "<s>",
    "s_close": "</s>",
    "softbreak": "\n",
    "hardbreak": "<br>\n",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text with the pictures it shows: all that rendering needs.

    Attributes:
        tokens: markdown-it's.
        pictures: by source as written, the data URI, or why there is none (a plain clause).
        shown: how many characters were parsed.
        total: how many there are.
        deep: whether something is nested too deeply to be shown.
    """

    tokens: Sequence[Token] = field(repr=False)
    pictures: Mapping[str, tuple[str, str]] = field(repr=False)
    shown: int = 0
    total: int = 0
    deep: bool = False


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - a table of skills needs none

    options = {"html": False, "maxNesting": MOST_NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    # What a link may be is decided when it is rendered, where a refused one can be named.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


def render(
    text: str,
    skill: SkillInfo | None = None,
    *,
    folder: str = "",
    most: int = MOST,
    coloured: int = MOST_COLOURED,
) -> Markup:
    """Returns Markdown as HTML.

    Args:
        text: Markdown without front matter.
        skill: the skill that it belongs to; pictures are read from its folder only.
        folder: the folder of the text inside the skill, which its paths are relative to.
        most: characters to render; what lies beyond is cut, and said.
        coloured: characters of code to colour.
    """
    return to_markup(read(text, skill, folder=folder, most=most), coloured=coloured)


def read(
    text: str, skill: SkillInfo | None = None, *, folder: str = "", most: int = MOST
) -> Document:
    """Parses Markdown and reads the pictures that it shows; see :func:`render`."""
    shown = text
    if len(text) > most:
        shown = text[: text.rfind("\n", 0, most) + 1] or text[:most]
    tokens = _parser().parse(shown)
    # Inside these the parser stops without a word.
    deep = any(token.type in _CONTAINERS and token.level >= MOST_NESTING - 1 for token in tokens)
    pictures: dict[str, tuple[str, str]] = {}
    left = MOST_PICTURES
    for child in _inline(tokens):
        source = str(child.attrs.get("src", ""))
        if child.type == "image" and source not in pictures:
            pictures[source] = _picture(source, skill, folder, left)
            left -= len(pictures[source][0])
    return Document(tokens, pictures, len(shown), len(text), deep)


def linked_files(text: str) -> tuple[str, ...]:
    """Returns the relative paths that a text links to or shows, each once, in its order."""
    found: dict[str, None] = {}
    for child in _inline(_parser().parse(text[:MOST])):
        target = str(child.attrs.get("href") or child.attrs.get("src") or "")
        if target and not _SCHEME.match(target) and not target.startswith(("#", "/", "\\")):
            found.setdefault(_path(target))
    return tuple(path for path in found if path)


def _inline(tokens: Sequence[Token]) -> list[Token]:
    return [child for token in tokens for child in token.children or ()]


def _path(target: str) -> str:
    """The path in a link's target: without query and fragment, decoded."""
    return unquote(re.split(r"[?#]", target, maxsplit=1)[0])


def _picture(source: str, skill: SkillInfo | None, folder: str, left: int) -> tuple[str, str]:
    """Returns a picture's data URI, or ``""`` and why there is none."""
    if source.startswith(("//", "\\\\")) or _SCHEME.match(source):
        host = _host(source)
        return "", f"from {host}, not loaded" if host else "not shown"
    path = _path(source)
    if skill is None:
        return "", path
    try:
        uri = siblings.read_picture(skill, posixpath.join(folder, path))
    except SkillReadError as error:
        return "", f"{path}: {error}"
    return (
        (uri, "") if len(uri) <= left else ("", f"{path}: the text's other pictures fill the room")
    )


def _host(url: str) -> str:
    try:
        return urlsplit(url.replace("\\", "/")).hostname or ""
    except ValueError:
        return ""


def to_markup(document: Document, *, coloured: int = MOST_COLOURED) -> Markup:
    """Returns a parsed text as HTML. Reads nothing."""
    parts = [_blocks(document.tokens, document.pictures, coloured)]
    if document.deep:
        parts.append(
            note(f"Cut: what is nested more than {MOST_NESTING} levels deep is not shown.")
        )
    if document.shown < document.total:
        parts.append(
            note(f"Cut: the first {document.shown:,} of {document.total:,} characters are shown.")
        )
    return element("div", *parts, cls="body")


def _blocks(
    tokens: Sequence[Token], pictures: Mapping[str, tuple[str, str]], coloured: int
) -> Markup:
    out: list[str] = []
    columns, row, most = 0, -1, MOST_ROWS
    for token in tokens:
        kind = token.type
        if kind == "fence":
            coloured -= len(token.content)
            language = token.info.split(maxsplit=1)[:1] if coloured >= 0 else []
            out.append(code.highlight(token.content, language="".join(language)) + "\n")
            continue
        if kind == "table_open":
            columns, row, most = 0, -1, MOST_ROWS
        elif kind == "th_open":
            columns += 1
            most = max(1, min(MOST_ROWS, MOST_CELLS // columns))
        elif kind == "tr_open":
            row += 1  # the first is the heading, row 0
        if row <= most or kind in ("tbody_close", "table_close"):
            out.append(_block(token, pictures))
        if kind == "table_close":
            if row > most:
                out.append(note(f"Cut: {words.of(most, row, 'rows')}."))
            row = -1
    return Markup("".join(out))


def _block(token: Token, pictures: Mapping[str, tuple[str, str]]) -> str:
    kind = token.type
    if token.hidden:  # the paragraphs of a tight list
        return ""
    if kind in _OPENING:
        return _OPENING[kind]
    if kind in _CLOSING:
        return _CLOSING[kind]
    if kind == "inline":
        return _line(token.children or [], pictures)
    if kind == "code_block":
        return code.highlight(token.content) + "\n"
    if kind == "heading_open":
        return _start("h" + token.tag[1:], cls=NOT_IN_CONTENTS)
    if kind == "heading_close":
        return f"</h{token.tag[1:]}>\n"
    if kind == "ordered_list_open":
        start = token.attrs.get("start")
        return _start("ol", start=None if start is None else int(start))
    if kind in ("th_open", "td_open"):
        style = str(token.attrs.get("style", "text-align:left"))
        scope = {"scope": "col"} if kind == "th_open" else {}
        return _start(kind[:2], style=style, **scope)
    return element("p", token.content)


def _start(tag: str, *, cls: str = "", **attributes: str | int | None) -> str:
    """Returns an opening tag alone, held to the same rules as a whole element."""
    return element(tag, cls=cls, **attributes).removesuffix(f"</{tag}>")


def _line(children: Sequence[Token], pictures: Mapping[str, tuple[str, str]]) -> Markup:
    out: list[str] = []
    link: tuple[str, int] | None = None
    for place, child in enumerate(children):
        kind = child.type
        if kind == "link_open":
            link = (str(child.attrs.get("href", "")), place)
            if _ACTS.match(link[0]):
                out.append(
                    _start("a", href=link[0], rel="noopener noreferrer nofollow", target="_blank")
                )
        elif kind == "link_close" and link:
            target, opened = link
            text = "".join(inner.content for inner in children[opened:place])
            out.append("</a>" if _ACTS.match(target) else _beside(text, target))
            link = None
        elif kind == "code_inline":
            out.append(element("code", child.content))
        elif kind == "image":
            out.append(_image(child, pictures))
        elif kind in _INLINE:
            out.append(_INLINE[kind])
        else:
            out.append(prose(child.content))
    return Markup("".join(out))


def _beside(text: str, target: str) -> str:
    """What follows the text of a link that does not act: its target, unless the text says it."""
    path = target if _SCHEME.match(target) else unquote(target)
    if not path or path.startswith("#") or text.strip() in (path, target):
        return ""
    return f" ({element('code', words.cut(path, 200))})"


def _image(child: Token, pictures: Mapping[str, tuple[str, str]]) -> Markup:
    uri, why = pictures[str(child.attrs.get("src", ""))]
    alt = _plain(child.children or []) or child.content
    if uri:
        return element("img", src=uri, alt=alt)
    return element(
        "span", f"[Picture: {alt + ', ' if alt else ''}{words.cut(why, 200)}]", cls="note"
    )


def _plain(children: Sequence[Token]) -> str:
    return "".join(
        _plain(child.children) if child.children else child.content for child in children
    )

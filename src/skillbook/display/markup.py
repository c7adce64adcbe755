"""HTML that is safe by its type: text is escaped, only :class:`Markup` passes.

Every element is built by :func:`element`, which knows the short list of tags and attributes that a
display may use; whatever else is asked for is a programming error and raises. So no text of a
stranger can become a tag, an attribute, a class of the page around it, or a formula.

This module imports nothing of ours but ``model``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache

from skillbook.model import TAG_CHARACTERS, WITHOUT_WIDTH, codes, printable

PREFIX = "skillbook"
"""What every class name of ours begins with, and every selector of the style."""

NO_MATHS = "mathjax_ignore tex2jax_ignore"
"""Class names that keep MathJax 3 and 2 away from what they stand on."""

NOT_IN_CONTENTS = "jp-toc-ignore"
"""The class name that keeps a heading out of JupyterLab's table of contents."""

FOREIGN_CLASSES = frozenset((*NO_MATHS.split(), NOT_IN_CONTENTS))

ALIGNMENTS = frozenset(("text-align:left", "text-align:center", "text-align:right"))

TAGS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            "blockquote",
            "br",
            "code",
            "div",
            "em",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "li",
            "p",
            "pre",
            "s",
            "span",
            "strong",
            "summary",
            "table",
            "tbody",
            "thead",
            "tr",
            "ul",
        ),
        frozenset[str](),
    ),
    "a": frozenset(("href", "rel", "target")),
    "details": frozenset(("open",)),
    "img": frozenset(("src", "alt")),
    "meter": frozenset(("value", "min", "max")),
    "ol": frozenset(("start",)),
    "td": frozenset(("style",)),
    "th": frozenset(("style", "scope")),
}
"""The tags that a display may hold, each with its attributes besides ``class``."""

VOID = frozenset(("br", "hr", "img"))

_VERBATIM = frozenset(("code", "pre"))

# Line ends and tabs are text; other control characters would be dropped by a browser, and those
# for direction would reorder the words around them. Characters without width and "tags" (U+E0000)
# are wholly invisible, and have been used to hide instructions in text.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    f"{TAG_CHARACTERS}]|{WITHOUT_WIDTH}"
)
_MATHS = re.compile(r"\$|\\(?=[()\[\]]|begin\b|(?:eq)?ref\b)")
_LINK = re.compile(r"(?:https?://[^/?#]|mailto:[^/])", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*")
_CLASS = re.compile(r"[a-z0-9-]+")


class Markup(str):
    """HTML that is not escaped again.

    Joining or cutting it gives a plain ``str``, which is escaped when it is used: a slip shows as
    visible tags, never as live ones.
    """

    __slots__ = ()


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else codes(match)


def shown(text: str) -> str:
    """Returns ``text`` as every display and widget shows it.

    What no eye can see (control characters, marks that turn the direction, characters without
    width) becomes visible, so that a reader sees what a model would read.
    """
    return _UNSEEN.sub(_visible, printable(text))


def escape(text: str) -> Markup:
    """Returns ``text``, as it is :func:`shown`, as HTML to stand between tags.

    :class:`Markup` passes as it is.
    """
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(shown(text), quote=False))


def _quoted(text: str) -> str:
    """Returns text as an attribute's value, which stands in double quotes."""
    return escape(str(text)).replace('"', "&quot;")


def prose(text: str) -> Markup:
    r"""Returns ``text`` as HTML in which nothing starts mathematics.

    Notebook front ends look for ``$…$``, ``\(…\)`` and ``\begin{…}`` in what they show, but not
    across elements: each opening character stands in an element of its own.
    """
    if isinstance(text, Markup):
        return text
    return Markup(_MATHS.sub(r"<span>\g<0></span>", escape(text)))


def join(parts: Iterable[str], between: str = "") -> Markup:
    """Returns the parts one after another; plain text among them is escaped."""
    return Markup(prose(between).join(prose(part) for part in parts))


@cache
def classes(names: str) -> str:
    """Returns the class attribute's value: each name with our prefix.

    Raises:
        ValueError: when a name is no class name.
    """
    full = []
    for name in names.split():
        if name not in FOREIGN_CLASSES and not _CLASS.fullmatch(name):
            raise ValueError(
                f"{name!r} is no class name; use lower-case letters, digits and dashes"
            )
        full.append(name if name in FOREIGN_CLASSES or name == PREFIX else f"{PREFIX}-{name}")
    return " ".join(full)


def element(
    tag: str, *children: str | None, cls: str = "", **attributes: str | int | None
) -> Markup:
    """Builds one element.

    Args:
        tag: its name, one of :data:`TAGS`.
        children: text (escaped) or markup, in order; None is left out.
        cls: its classes, without our prefix.
        attributes: those that the tag may have; None leaves one out, ``""`` gives a bare one.

    Raises:
        ValueError: when the tag, an attribute or its value is not on the list.
    """
    allowed = TAGS.get(tag)
    if allowed is None:
        raise ValueError(f"<{tag}> is not shown; the tags are {', '.join(sorted(TAGS))}")
    opening = f'<{tag} class="{classes(cls)}"' if cls else f"<{tag}"
    for name, value in attributes.items():
        if value is None:
            continue
        if name not in allowed:
            raise ValueError(f"<{tag}> has no attribute {name!r} in a display")
        _check(name, str(value))
        opening += f" {name}" if value == "" else f' {name}="{_quoted(str(value))}"'
    if tag in VOID:
        return Markup(f"{opening}>")
    guard = escape if tag in _VERBATIM else prose
    inner = "".join(guard(child) for child in children if child is not None)
    # A line end right after <pre> is dropped by a browser; one more keeps it.
    start = "\n" if tag == "pre" and inner.startswith("\n") else ""
    return Markup(f"{opening}>{start}{inner}</{tag}>")


def _check(name: str, value: str) -> None:
    if name == "href" and not _LINK.match(value):
        raise ValueError(f"a link leads to http, https or mailto, not to {value[:40]!r}")
    if name == "src" and not _PICTURE.fullmatch(value):
        raise ValueError(f"a picture is a data URI of PNG, JPEG, GIF or WebP, not {value[:40]!r}")
    if name == "style" and value not in ALIGNMENTS:
        raise ValueError(f"a style is one of {', '.join(sorted(ALIGNMENTS))}, not {value[:40]!r}")


def note(text: str, *more: str) -> Markup:
    """Returns a muted line."""
    return element("p", text, *more, cls="note")


def problem(text: str) -> Markup:
    """Returns a line about something that went wrong; it says so in words."""
    return element("p", element("strong", "Problem:"), " ", text, cls="problem")

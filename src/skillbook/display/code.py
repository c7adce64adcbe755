"""Code as HTML: Pygments' tokens in a few classes of our own.

The classes differ by weight, slant and strength, so they need no colour and read in any theme.
Languages come from a list, since a stranger's text names them and Pygments would search every
installed package for an unknown one. This module imports ``markup`` and ``words``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from skillbook.display.markup import Markup, element, escape, join

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST = 20_000
"""Characters of one block that are coloured: some of Pygments' patterns take the square of it."""

MOST_SLOW = 1_500
"""The same for the languages whose patterns were seen to take seconds on made-up text."""

MOST_LINES = 1_000
"""Lines of one block that are coloured."""

LONGEST_LINE = 1_000
"""Characters of a line beyond which a block is not coloured (packed or generated text)."""

_SLOW = frozenset(("csharp", "java", "terraform"))

# Pygments' name: the other names and the file endings that mean it.
_NAMES = {
    "bash": "sh shell zsh .sh .bash .zsh",
    "c": ".c .h",
    "console": "shell-session shellsession",
    "cpp": "c++ .cpp .cc .hpp",
    "csharp": "c# cs .cs",
    "css": ".css",
    "diff": "patch .diff .patch",
    "docker": "dockerfile .dockerfile",
    "go": "golang .go",
    "html": ".html .htm",
    "ini": "cfg .ini .cfg .conf",
    "java": ".java",
    "javascript": "js jsx .js .mjs .cjs .jsx",
    "json": "jsonc json5 jsonl .json .jsonl .ipynb",
    "julia": "jl .jl",
    "kotlin": "kt .kt",
    "lua": ".lua",
    "make": "makefile .mk",
    "markdown": "md .md .markdown",
    "matlab": "",
    "php": ".php",
    "powershell": "ps1 pwsh .ps1",
    "python": "py python3 py3 .py .pyi",
    "pycon": "",
    "r": "rscript .r",
    "ruby": "rb .rb",
    "rust": "rs .rs",
    "scss": ".scss",
    "sql": ".sql",
    "swift": ".swift",
    "terraform": "hcl tf .tf .hcl",
    "tex": "latex .tex .bib",
    "toml": ".toml",
    "typescript": "ts tsx .ts .tsx",
    "xml": "svg .xml .svg .xsl",
    "yaml": "yml .yaml .yml",
}
LANGUAGES = {alias: name for name, others in _NAMES.items() for alias in (name, *others.split())}
"""Each name or file ending that is coloured, and what Pygments calls it."""

_FILES = {"dockerfile": "docker", "makefile": "make"}

# What a kind of token (or one above it) looks like: comment, deleted, inserted, keyword, literal,
# name, string.
_CLASSES = {
    "Comment": "c",
    "Comment.Preproc": "k",
    "Generic.Deleted": "d",
    "Generic.Heading": "k",
    "Generic.Inserted": "i",
    "Generic.Output": "c",
    "Generic.Prompt": "c",
    "Generic.Strong": "k",
    "Generic.Subheading": "k",
    "Keyword": "k",
    "Keyword.Constant": "l",
    "Literal.Number": "l",
    "Literal.String": "s",
    "Literal.String.Doc": "c",
    "Name.Class": "n",
    "Name.Decorator": "n",
    "Name.Function": "n",
    "Name.Tag": "k",
    "Operator.Word": "k",
}


def language_of(filename: str) -> str:
    """Returns the language that a file's name stands for, or ``""``."""
    name = os.path.basename(filename).lower()
    return _FILES.get(name) or LANGUAGES.get(os.path.splitext(name)[1], "")


def spans(text: str, language: str) -> Markup:
    """Returns code as HTML to stand inside ``<code>``, coloured where the language is known.

    Args:
        text: the code.
        language: a name from a fence, or a file ending with its dot; an unknown one gives plain text.
    """
    lexer = _lexer(language, text)
    if lexer is None:
        return escape(text)
    return Markup("".join(_span(name, run) for name, run in _classed(lexer, text)))


def highlight(text: str, *, filename: str = "", language: str = "") -> Markup:
    """Returns code as a ``<pre>`` block.

    Args:
        text: the code.
        filename: a name whose ending says the language.
        language: the language's name; goes before the file's.
    """
    return element(
        "pre", element("code", spans(text, language or language_of(filename))), cls="code"
    )


def lines(text: str, language: str) -> list[Markup]:
    """Returns each line of code as HTML of its own, for line numbers beside it."""
    lexer = _lexer(language, text)
    if lexer is None:
        return [escape(line) for line in text.split("\n")]
    found: list[list[Markup]] = [[]]
    for name, run in _classed(lexer, text):
        for number, part in enumerate(run.split("\n")):
            if number:
                found.append([])
            if part:
                found[-1].append(_span(name, part))
    return [join(parts) for parts in found]


def _lexer(language: str, text: str) -> Lexer | None:
    """Returns what colours the text, or None where nothing does so in a reasonable time."""
    name = LANGUAGES.get(language.strip().lower())
    if name is None or len(text) > (MOST_SLOW if name in _SLOW else MOST):
        return None
    if "\r" in text or text.startswith("\ufeff"):  # Pygments would change these
        return None
    found = text.split("\n")
    if len(found) > MOST_LINES or max(map(len, found)) > LONGEST_LINE:
        return None
    from pygments.lexers import get_lexer_by_name  # noqa: PLC0415 - a table of skills needs none

    # Neither strips nor adds a line end: the text is shown as it is.
    return get_lexer_by_name(name, stripnl=False, ensurenl=False)


def _classed(lexer: Lexer, text: str) -> Iterator[tuple[str, str]]:
    """Yields runs of text, each with its class (or none)."""
    pieces = ((_class(kind), value) for kind, value in lexer.get_tokens(text))
    for name, run in groupby(pieces, key=itemgetter(0)):
        yield name, "".join(value for _, value in run)


@cache
def _class(kind: tuple[str, ...]) -> str:
    while kind:
        if ".".join(kind) in _CLASSES:
            return _CLASSES[".".join(kind)]
        kind = kind[:-1]
    return ""


def _span(name: str, text: str) -> Markup:
    return element("span", escape(text), cls=name) if name else escape(text)

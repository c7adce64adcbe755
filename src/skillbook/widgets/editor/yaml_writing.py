"""How a value is written in YAML: as it stood before where that holds it, in quotes otherwise.

Each way is a candidate; whoever splices one in parses the result and takes the first that reads
back as it was meant (``field_edits``). Imports ``lint.fields``; no widget.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import yaml

from skillbook.lint.fields import plain_kind
from skillbook.lint.yaml_words import in_json

WIDTH = 92
"""Characters of a line of folded text."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HEADER = re.compile(r"[|>][+-]?[ \t]*(?:#.*)?$")


def ways(
    text: str, style: str = "", *, before: str = "", indent: str = "  ", flow: bool = False
) -> Iterator[str]:
    r"""Yields ways to write a text, the most fitting first.

    Args:
        text: the text, line ends as ``\n``.
        style: how the value is written now: ``"``, ``'``, ``|``, ``>``, or ``""`` for plain.
        before: the value as it is written now, for the head of a block of text.
        indent: what the lines of a block of text start with.
        flow: whether it stands inside brackets, where plain text ends early.
    """
    if style in ("|", ">") and text:
        head, _, below = before.partition("\n")
        if _HEADER.fullmatch(head.rstrip()):
            found = re.search(r"^( +)\S", below, re.MULTILINE)
            yield _block(head.rstrip(), text, found[1] if found else indent)
    if style == "'" and "\n" not in text:
        yield "'" + text.replace("'", "''") + "'"
    if style == "" and not flow:
        if is_plain(text):
            yield text
        if "\n" in text:
            yield _block("|-", text, indent)
    yield in_json(text)


def is_plain(text: str) -> bool:
    """Returns whether a text may stand without quotes, and is text to every reader of YAML."""
    if not text or "\n" in text or plain_kind(text):
        return False
    try:
        return bool(yaml.load(f"k: {text}\n", _LOADER) == {"k": text})  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError):
        return False


def _block(head: str, text: str, indent: str) -> str:
    lines = text.split("\n")
    if head.startswith(">"):
        lines = re.sub(r"\n+", lambda found: found[0] + "\n", text).split("\n")
        lines = [part for line in lines for part in (_folded(line) or [""])]
    return "\n".join((head, *(indent + line if line else "" for line in lines)))


def _folded(line: str) -> list[str]:
    return textwrap.wrap(
        line,
        WIDTH,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )

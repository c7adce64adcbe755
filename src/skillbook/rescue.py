"""What YAML refuses: the reason in plain words, and two fields read line by line.

A key stands at column 0; its value is the rest of that line and the indented lines under it,
folded (list items keep their line); matching outer quotes are removed and nothing else is decoded;
the first one wins. A value that opens a block scalar, an anchor or alias, a flow list or map, or a
tag gives nothing rather than a guess.

Imports nothing of ours.
"""

from __future__ import annotations

import re

import yaml

_PLAIN_WORDS = (
    ("while parsing a flow sequence", "a list in brackets is never closed, or lacks a comma"),
    ("while parsing a flow mapping", "a map in braces is never closed, or lacks a comma"),
    ("did not find expected '-' indicator", "a line stands where a list's item should be"),
    ("did not find expected <document start>", "a line stands outside the fields"),
    ("did not find expected comment or line break", "text follows the sign that opens a block"),
    (
        "mapping values are not allowed",
        "a value holds a colon and a space, which YAML reads as a new field (put the value in double quotes)",
    ),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found a tab character", "a tab is used to indent; YAML takes spaces only"),
    (
        "found undefined alias",
        "a value starts with a star, which YAML reads as an alias (put the value in double quotes)",
    ),
    (
        "while scanning an alias",
        "a value starts with a star, which YAML reads as an alias (put the value in double quotes)",
    ),
    (
        "while scanning an anchor",
        "a value starts with an ampersand, which YAML reads as an anchor (put the value in double quotes)",
    ),
    (
        "found character that cannot start any token",
        "a value starts with a character that YAML keeps for itself (put the value in double quotes)",
    ),
    ("found unknown escape character", "a backslash in double quotes starts no known escape"),
    ("could not find expected ':'", "a line is no field: it has no colon, or a quote is left open"),
    (
        "did not find expected key",
        "a line stands where a field should be (often a stray quote or indent)",
    ),
    ("control characters are not allowed", "there is a control character"),
    ("special characters are not allowed", "there is a control character"),
    ("exceeded maximum nesting depth", "lists or maps are nested too deeply"),
    ("expected a single document", "there is a second YAML document"),
)


def explain(error: BaseException, block: str = "") -> tuple[str, int]:
    """Returns what YAML refuses in plain words, and the line in the file, from 1.

    Args:
        error: what the parser raised on a block.
        block: the block, to find the line of a character that YAML does not take.
    """
    if isinstance(error, yaml.reader.ReaderError):
        return "there is a control character (take it out)", _control_line(block)
    if not isinstance(error, yaml.MarkedYAMLError):
        if isinstance(error, RecursionError):
            return "lists or maps are nested too deeply", 2
        return str(error).splitlines()[0] if str(error) else "YAML refuses it", 2
    said = f"{error.context or ''} {error.problem or ''}"
    mark = error.problem_mark or error.context_mark
    if ("quoted scalar" in said or "parsing a flow" in said) and error.context_mark:
        mark = error.context_mark
    words = next((plain for found, plain in _PLAIN_WORDS if found in said), None)
    return words or (error.problem or "YAML refuses it"), (mark.line + 2 if mark else 2)


_KEY = re.compile(r"(name|description)[ \t]*:(?:[ \t]+(.*)|)$")
_OPENS_YAML = re.compile(r"[|>\[{!]|&\S|\*[^\s*]")


# What YAML 1.1 takes, section 5.1 "Character Set"; a stream may also start with U+FEFF.
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _control_line(block: str) -> int:
    """The line in the file of the first character that YAML does not take."""
    found = _NOT_YAML.search(block)
    return (len(block[: found.start()].splitlines()) or 1) + 1 if found else 2


def field(block: str, name: str) -> str | None:
    """Returns the text of ``name`` or ``description`` in a block that YAML refuses.

    Args:
        block: the text between the fences.
        name: ``name`` or ``description``.

    Returns:
        The text, or None where the key is not there or its value would need YAML to be read.
    """
    lines = block.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, text in enumerate(lines):
        found = _KEY.match(text)
        if found and found[1] == name:
            return _value((found[2] or "").strip(), lines[number + 1 :])
    return None


def _value(first: str, below: list[str]) -> str | None:
    value = first
    for text in below:
        if text and text[0] not in " \t":
            break
        part = text.strip()
        if not part:
            continue
        item = part == "-" or part.startswith("- ")
        if item and not value:
            return None  # a list
        value += ("\n" if item else " ") * bool(value) + part
    if _OPENS_YAML.match(value):
        return None
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return value

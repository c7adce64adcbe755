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

_ESCAPE = "a backslash in double quotes starts no known escape (write it twice)"
_TAB = "a tab is used to indent; YAML takes spaces only"
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
    (
        "sequence entries are not allowed",
        "a value starts with a dash and a space, which YAML reads as a list (put the value in double quotes)",
    ),
    (
        "mapping keys are not allowed",
        "a value starts with a question mark and a space, which YAML reads as a key (put the value in double quotes)",
    ),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found a tab character", _TAB),
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
        "that cannot start any token",
        "a value starts with a character that YAML keeps for itself (put the value in double quotes)",
    ),
    ("found unknown escape character", _ESCAPE),
    ("hexdecimal number", _ESCAPE),
    ("escape sequence of", _ESCAPE),
    ("found duplicate anchor", "an anchor (&) stands twice"),
    ("expected node content", "a value is missing, or another sign stands in its place"),
    ("expected the node content", "a value is missing, or another sign stands in its place"),
    (
        "could not find expected ':'",
        "a line is no field: it has no colon with a space after it, or a quote is left open",
    ),
    (
        "did not find expected key",
        "a line stands where a field should be (often a stray quote or indent)",
    ),
    ("control characters are not allowed", "there is a control character"),
    ("special characters are not allowed", "there is a control character"),
    ("exceeded maximum nesting depth", "lists or maps are nested too deeply"),
    ("expected a single document", "there is a second YAML document"),
)


_NO_FIELD = "a line is no field: it has no colon with a space after it"
_GOES_ON = (
    "a value goes on in an indented line with a colon and a space, which YAML reads as a new field"
    " (put the whole value in double quotes, or start the line further left if it is a field)"
)


def explain(error: BaseException, block: str = "") -> tuple[str, int]:
    """Returns what YAML refuses in plain words, and the line in the file, from 1.

    The parser says where it gave up; where that is below the fault, the line of the fault is given.

    Args:
        error: what the parser raised on a block.
        block: the block; without it the line is not to be relied on.
    """
    if isinstance(error, yaml.reader.ReaderError):
        return "there is a control character (take it out)", _control_line(block)
    if not isinstance(error, yaml.MarkedYAMLError):
        if isinstance(error, RecursionError):
            return "lists or maps are nested too deeply", 2
        return str(error).splitlines()[0] if str(error) else "YAML refuses it", 2
    said = f"{error.context or ''} {error.problem or ''}"
    mark = error.problem_mark or error.context_mark
    if error.context_mark and any(
        opened in said for opened in ("quoted scalar", "parsing a flow", "a simple key")
    ):
        mark = error.context_mark  # where it starts; the other is where YAML gave up
    if mark is None:
        return error.problem or "YAML refuses it", 2
    words = next((plain for found, plain in _PLAIN_WORDS if found in said), None)
    at = min(mark.index, len(block))
    if "cannot start any token" in said and block[at : at + 1] == "\t":
        words = _TAB
    elif "mapping values are not allowed" in said:
        above = _above(block, at)
        if above is not None:
            words, at = above
    return words or (error.problem or "YAML refuses it"), _line(block, at)


_FIELD = re.compile(r"\s*[^\s:#][^:#]*:(?:[ \t]+(\S)?.*)?$")
_GLUED = re.compile(r"\s*['\"]?[\w-]+['\"]?[ \t]*[:\uff1a]")


def _above(block: str, at: int) -> tuple[str, int] | None:
    """Returns the fault and its place where a colon is refused for the lines above its own.

    Args:
        block: the block.
        at: the place of the colon.
    """
    start = max(block.rfind("\n", 0, at), block.rfind("\r", 0, at)) + 1
    key = block[start:at]
    indent = _indent(key)
    if ":" in key or key.lstrip().startswith(("- ", "? ")):
        return None  # what is refused is on this line
    near, near_at, around = "", 0, ""
    end = start
    for line in reversed(re.split(r"(?<=\n)|(?<=\r)(?!\n)", block[:start])):
        end -= len(line)
        text = line.rstrip()
        if not text or text.lstrip().startswith("#"):
            continue
        if not near:
            near, near_at = text, end
        if _indent(text) < indent:
            around = text
            break
    field = _FIELD.match(around)
    if around and (field is None or (field[1] and field[1] not in "|>")):
        return (_GOES_ON, start) if field else None
    if (
        near
        and near is not around
        and _indent(near) == indent
        and (not around or _GLUED.match(near))
    ):
        return _NO_FIELD, near_at
    return (_GOES_ON, start) if around and near is not around else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line(block: str, at: int) -> int:
    """The line of a place in the file, from 1: the fence stands above the block.

    The parser's own count takes U+0085, U+2028 and U+2029 for line ends, which no editor does.
    """
    above = block[:at].replace("\r\n", "\n")
    return above.count("\n") + above.count("\r") + 2


_KEY = re.compile(r"(name|description)[ \t]*:(?:[ \t]+(.*)|)$")
_OPENS_YAML = re.compile(r"[|>\[{!]|&\S|\*[^\s*]")


# What YAML 1.1 takes, section 5.1 "Character Set"; a stream may also start with U+FEFF.
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _control_line(block: str) -> int:
    """The line in the file of the first character that YAML does not take."""
    found = _NOT_YAML.search(block)
    return _line(block, found.start()) if found else 2


def field(block: str, name: str) -> str | None:
    """Returns the text of ``name`` or ``description`` in a block that YAML refuses.

    Args:
        block: the text between the fences.
        name: ``name`` or ``description``.

    Returns:
        The text, or None where the key is not there or its value would need YAML to be read.
    """
    number, first, below = _place(block, name)
    return _value(first, below) if number else None


def line_of(block: str, name: str) -> int | None:
    """Returns the line in the file, from 1, of the key that :func:`field` reads, or None."""
    return _place(block, name)[0] or None


def _place(block: str, name: str) -> tuple[int, str, list[str]]:
    """Returns a key's line in the file, or 0; its value on that line; and the lines below."""
    lines = block.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, text in enumerate(lines, 1):
        found = _KEY.match(text)
        if found and found[1] == name:
            return number + 1, (found[2] or "").strip(), lines[number:]
    return 0, "", []


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

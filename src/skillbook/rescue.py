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

_QUOTED = " (put the value in double quotes)"
_ESCAPE = "a backslash in double quotes starts no known escape (write it twice)"
_TAB = "a tab is used to indent; YAML takes spaces only"
_ALIAS = f"a value starts with a star, which YAML reads as an alias{_QUOTED}"
_DASH = f"a value starts with a dash and a space, which opens a list in YAML{_QUOTED}"
_QUESTION = f"a value starts with a question mark and a space, which YAML reads as a key{_QUOTED}"
_KEPT = f"a value starts with a character that YAML keeps for itself{_QUOTED}"
_STRAY = (
    "text follows the closing quote of a value (put the whole value in double quotes, with"
    ' \\" for each quote inside)'
)
_OPEN = "a value starts with {}, which opens a {} in YAML, and {}"
_AFTER = "text follows the {} (put the whole value in double quotes, if it is text)"
_MISSING = "a value is missing, or another sign stands in its place"
_BY_FIRST = {
    "'": _STRAY,
    '"': _STRAY,
    "[": _OPEN.format("[", "list", _AFTER.format("]")),
    "{": _OPEN.format("{", "map", _AFTER.format("}")),
    "-": _DASH,
    "?": _QUESTION,
    ",": _KEPT,
    "]": _KEPT,
    "}": _KEPT,
}
"""What is wrong with a value that starts so, where YAML finds something else than a field."""
_ELSE_THAN_A_FIELD = re.compile(
    "expected key|expected '-'|(?:entries|keys) are not allowed"
    "|^(?!while parsing a flow).*expected (?:the )?node content"
)
_PLAIN_WORDS = (
    ("expected ',' or ']'", _OPEN.format("[", "list", "no ] closes it, or a comma is missing")),
    ("expected ',' or '}'", _OPEN.format("{", "map", "no } closes it, or a comma is missing")),
    (
        "expected '-' indicator",
        "a line stands between the items of a list and is none (check its indent)",
    ),
    ("expected <document start>", "a line stands outside the fields"),
    (
        "expected comment or line break",
        "text follows the sign that opens a block of text (| or >); start it on the next line",
    ),
    (
        "mapping values are not allowed",
        f"a value holds a colon and a space, which YAML reads as a new field{_QUOTED}",
    ),
    ("sequence entries are not allowed", _DASH),
    ("mapping keys are not allowed", _QUESTION),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found a tab character", _TAB),
    ("found undefined alias", _ALIAS),
    ("while scanning an alias", _ALIAS),
    (
        "while scanning an anchor",
        f"a value starts with an ampersand, which YAML reads as an anchor{_QUOTED}",
    ),
    ("that cannot start any token", _KEPT),
    ("found unknown escape character", _ESCAPE),
    ("hexdecimal number", _ESCAPE),
    ("escape sequence of", _ESCAPE),
    ("found duplicate anchor", "an anchor (&) stands twice"),
    (
        "while parsing a flow",
        "in a list or map in brackets, nothing stands where a value should be",
    ),
    ("expected node content", _MISSING),
    ("expected the node content", _MISSING),
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


def explain(error: BaseException, block: str) -> tuple[str, int]:
    """Returns what YAML refuses in plain words, and the line in the file, from 1."""
    words, at = fault(error, block)
    return words, _line(block, at)


def fault(error: BaseException, block: str) -> tuple[str, int]:
    """Returns what YAML refuses in plain words, and the place in the block.

    The parser says where it gave up; where that is below the fault, the place of the fault is given.

    Args:
        error: what the parser raised on the block.
        block: the text between the fences.
    """
    if isinstance(error, yaml.reader.ReaderError):
        found = _NOT_YAML.search(block)
        return "there is a control character (take it out)", found.start() if found else 0
    if not isinstance(error, yaml.MarkedYAMLError):
        if isinstance(error, RecursionError):
            return "lists or maps are nested too deeply", _deepest(block)
        return str(error).splitlines()[0] if str(error) else "YAML refuses it", 0
    said = f"{error.context or ''} {error.problem or ''}".lstrip()
    mark = error.problem_mark or error.context_mark
    if error.context_mark and any(
        opened in said for opened in ("quoted scalar", "parsing a flow", "a simple key")
    ):
        mark = error.context_mark  # where it starts; the other is where YAML gave up
    if mark is None:
        return error.problem or "YAML refuses it", 0
    at = mark.index if mark.index < len(block) else len(block.rstrip())
    start = _start(block, at)
    value = _VALUE.match(block, start)
    if "\t" in (block[at : at + 1], block[start : start + 1]):
        return _TAB, at
    if value and value[1] in _BY_FIRST and _ELSE_THAN_A_FIELD.search(said):
        return _BY_FIRST[value[1]], at
    if "mapping values are not allowed" in said:
        above = _above(block, at)
        if above is not None:
            return above
    if "expected <document start>" in said and block[:1] == " ":
        return "a line is indented less than the first one; start every field at the left edge", at
    words = next((plain for found, plain in _PLAIN_WORDS if found in said), None)
    return words or error.problem or "YAML refuses it", at


def _deepest(block: str) -> int:
    """Returns the place where most brackets are open; it may be off where text holds brackets."""
    depth = most = at = 0
    for bracket in re.finditer(r"[\[{\]}]", block):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        if depth > most:
            most, at = depth, bracket.start()
    return at


_VALUE = re.compile(r"[ ]*(?:-[ ]+)*(?:[A-Za-z_][\w-]*[ \t]*:[ \t]+)?(\S)")
"""The first character of a line's value: of a field or of a list's item."""

_FIELD = re.compile(r"\s*[^\s:#][^:#]*:(?:[ \t]+(\S)?.*)?$")
_GLUED = re.compile(r"\s*['\"]?[\w-]+['\"]?[ \t]*[:\uff1a]")


def _above(block: str, at: int) -> tuple[str, int] | None:
    """Returns the fault and its place where a colon is refused for the lines above its own.

    Args:
        block: the block.
        at: the place of the colon.
    """
    start = _start(block, at)
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


def _start(block: str, at: int) -> int:
    """Where the line of a place starts."""
    return max(block.rfind("\n", 0, at), block.rfind("\r", 0, at)) + 1


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
    return value[1:-1] if in_quotes(value) else value


def in_quotes(text: str) -> bool:
    """Returns whether quotes stand around the whole of a text, as in ``"a"``, not ``"a" and "b"``."""
    quote = text[:1]
    if len(text) < 2 or quote not in "'\"" or text[-1] != quote:
        return False
    inner = text[1:-1].replace("''" if quote == "'" else '\\"', "xx")
    second = inner.find(quote)
    # An apostrophe, and a quote that opens, close nothing.
    closes = (
        second > 0
        and not inner[second - 1].isspace()
        and not inner[second + 1 : second + 2].isalnum()
    )
    return not closes or inner.count(quote) % 2 == 1

"""Front matter: bytes or text to name, description, the whole structure, and line numbers.

This module reads no disk; YAML itself is in ``yaml_values``, what YAML refuses in ``rescue``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from skillbook import rescue
from skillbook.errors import FrontMatterError
from skillbook.model import cut
from skillbook.yaml_values import IN_C, NULLS, RefusedError, check_aliases, compose, values

MAX_BLOCK = 1_000_000
"""Bytes within which the block must close."""

RESCUED = ("name", "description")
"""The fields that are rescued line by line where YAML refuses a block."""

_BOM = b"\xef\xbb\xbf"
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t\f\v]*(?:\r\n|\n|\r|\Z)")
_CLOSING = re.compile(rb"[\r\n]---[ \t\f\v]*(?:\r\n|[\r\n]|\Z)")
# A path alone: with a separator and no white space, one that starts as a path, or a Markdown file.
_LINK_TEXT = re.compile(rb"\S*[/\\]\S+|(?:\.{1,2}|[A-Za-z]:)?[/\\].+|\S+\.md")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
# The last quote may be missing: each place is then looked at once, however many quotes there are.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)

_YamlError = (yaml.YAMLError, ValueError, RecursionError)


class Problem(NamedTuple):
    """Something to say about a block that was read all the same.

    Attributes:
        kind: a fixed word: ``rescued-frontmatter``, ``duplicate-key``, ``no-description`` for
            one that is there and could not be rescued, or ``empty-name``.
        detail: one plain sentence.
        line: the line in the file, from 1.
    """

    kind: str
    detail: str
    line: int


class FrontMatter(NamedTuple):
    """What a block gives.

    Attributes:
        name: the name on one line, or None where there is none.
        description: the description, trimmed, or None where there is none or it is blank.
        meta: the whole block, holding only what JSON has.
        problems: what to warn about.
    """

    name: str | None
    description: str | None
    meta: dict[str, Any]
    problems: tuple[Problem, ...] = ()


class Split(NamedTuple):
    """Where the parts of a ``SKILL.md`` lie, in bytes.

    Attributes:
        start: the first byte of the block.
        end: the byte after its last line end.
        body: the first byte of the body.
    """

    start: int
    end: int
    body: int


class UnclosedError(FrontMatterError):
    """The block opens and does not close in the bytes given."""


def split(data: bytes, *, whole: bool = True) -> Split | None:
    """Finds the block at the head of a ``SKILL.md``.

    It opens on line 1 with three dashes and white space (a byte order mark is ignored) and
    closes at the first such line after it. (Specification, "SKILL.md format".)

    Args:
        data: the file's bytes, or its first ones.
        whole: whether ``data`` is the whole file; where it is not, a fence at its very end
            does not count, since the line may go on.

    Returns:
        The places, or None where the file does not open with a fence.

    Raises:
        UnclosedError: when there is no closing fence.
    """
    if data.startswith(b"---\n"):  # the way nearly all files are written, at a third of the cost
        end = data.find(b"\n---", 3) + 1
        if end and data[end + 3 : end + 4] == b"\n":
            return Split(4, end, end + 4)
    opening = _OPENING.match(data)
    if opening is None:
        return None
    start = opening.end()
    closing = _CLOSING.search(data, start - 1)
    if closing is None or (not whole and closing.end() == len(data)):
        raise UnclosedError(
            "malformed-frontmatter",
            "the front matter opens on line 1 and is never closed: add a line of three dashes (---)"
            " below it",
            1,
        )
    return Split(start, max(start, closing.start() + 1), closing.end())


def body_text(data: bytes) -> tuple[str, int | None]:
    r"""Decodes bytes of a body, line ends as ``\n``.

    Returns:
        The text, and the offset of the first byte that is not UTF-8 (replaced by U+FFFD), or None.
    """
    bad = None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        bad = error.start
        text = data.decode(errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), bad


def block_text(data: bytes, place: Split) -> str:
    """Decodes the block.

    Raises:
        FrontMatterError: ``unreadable``, when it is not UTF-8, with the byte's offset in the file.
    """
    try:
        return data[place.start : place.end].decode()
    except UnicodeDecodeError as error:
        offset = place.start + error.start
        line = data.count(b"\n", 0, offset) + 1
        raise FrontMatterError(
            "unreadable",
            f"the front matter is not UTF-8: byte 0x{data[offset]:02x} at offset {offset}"
            " (save the file as UTF-8)",
            line,
        ) from None


def why_none(data: bytes) -> FrontMatterError:
    """Says why a file that does not open with a fence gives no skill.

    Args:
        data: the file's first bytes.

    Returns:
        The error to report: ``unreadable`` for UTF-16, else ``missing-name``.
    """
    head = data[:64]
    if head[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return FrontMatterError(
            "unreadable",
            "the file looks like UTF-32, which no reader of skills takes (save it as UTF-8)",
        )
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:6] in (b"-\0-\0-\0", b"\0-\0-\0-"):
        return FrontMatterError(
            "unreadable",
            "the file looks like UTF-16, which no reader of skills takes (save it as UTF-8)",
        )
    stripped = data.removeprefix(_BOM).strip()
    if not stripped:
        return FrontMatterError("missing-name", "the file is empty")
    if b"\n" not in stripped and len(stripped) < 1024 and _LINK_TEXT.fullmatch(stripped):
        path = stripped.decode(errors="replace")
        return FrontMatterError(
            "missing-name",
            f"there is no front matter: the file holds only the path {path!r}, so it looks like a"
            " symbolic link that was checked out as text",
            1,
        )
    lines = data.splitlines()
    for number, line in enumerate(lines[:200], 1):
        if line.rstrip() == b"---" and any(
            re.match(rb"[\w-]+[ \t]*:(?:\s|$)", after) for after in lines[number : number + 2]
        ):
            return FrontMatterError(
                "missing-name",
                f"front matter must open on line 1; its first line (---) was found on line {number}",
                number,
            )
    return FrontMatterError(
        "missing-name",
        "there is no front matter: start the file with a line of three dashes (---), then name and"
        " description, then three dashes again",
        1,
    )


def parse(block: str) -> FrontMatter:
    """Parses a block: the text between the two fences.

    Args:
        block: the text, any line ends.

    Returns:
        What it gives. Where YAML refuses it, or gives ``name`` or ``description`` as a list or a
        map, these two are rescued line by line and ``problems`` says so.

    Raises:
        FrontMatterError: ``malformed-frontmatter``, when not even a name could be rescued, or
            when aliases expand without measure.
    """
    if not IN_C and "\\u" in block:  # the Python parser lets lone surrogates through
        block = _join_all(block)
    try:
        return _parse(block)
    except RefusedError as refused:
        return _rescue(block, f"line {refused.line}: {refused.problem}", refused.line)
    except _YamlError as error:
        if isinstance(error, yaml.YAMLError) and "\\u" in block:
            joined = _join_all(block)
            if joined != block:
                return parse(joined)
        problem, line = rescue.explain(error, block)
        return _rescue(block, f"line {line} is not valid YAML: {problem}", line)


def _parse(block: str) -> FrontMatter:
    root = compose(block)
    if root is None:
        return FrontMatter(None, None, {})
    if "*" in block:
        check_aliases(root)
    if root.__class__ is not MappingNode:
        if root.__class__ is ScalarNode and not root.style and root.value in NULLS:
            return FrontMatter(None, None, {})
        kind = "a list" if root.__class__ is SequenceNode else "text"
        raise RefusedError(
            f"the front matter is {kind}, not a map of fields", root.start_mark.line + 2
        )
    if root.tag not in ("?", "tag:yaml.org,2002:map"):
        raise RefusedError(f"the front matter has the tag {root.tag!r} (take it away)", 2)
    meta = values(root)
    name, description = meta.get("name"), meta.get("description")
    # Text is as it was typed; a number, yes or no must be fetched from its node.
    if name.__class__ is not str or description.__class__ is not str:
        meta.update(_typed_texts(root))
        name, description = _text(meta, "name"), _text(meta, "description")
    single = len(meta) == len(root.value) and "<<" not in block
    problems = () if single else tuple(_duplicates(root))
    result = _result(name, description, meta, problems)
    if result.name is None and "name" in meta:
        line = next((key.start_mark.line + 2 for key, _ in root.value if key.value == "name"), 1)
        return result._replace(problems=(*problems, Problem(_NO_NAME, "the name is empty", line)))
    return result


_NO_NAME = "empty-name"


def no_name(front: FrontMatter) -> tuple[str, int]:
    """Returns why front matter gives no name, and the line in the file, from 1."""
    for problem in front.problems:
        if problem.kind == _NO_NAME:
            return problem.detail, problem.line
    return "the front matter has no name" if front.meta else "the front matter is empty", 1


def _text(meta: dict[str, Any], field: str) -> str | None:
    """Returns a field that is text; what a merge key brought as anything else does not count."""
    value = meta.get(field)
    return value if isinstance(value, str) else None


def _typed_texts(root: MappingNode) -> dict[str, str | None]:
    """Returns ``name`` and ``description``, where they are there, as the author typed them."""
    texts: dict[str, str | None] = {}
    for key, value in root.value:
        if key.value != "name" and key.value != "description":  # noqa: PLR1714 - may be unhashable
            continue
        if value.__class__ is not ScalarNode:
            kind = "list" if value.__class__ is SequenceNode else "map"
            raise RefusedError(f"{key.value} is a {kind}, not text", key.start_mark.line + 2)
        null = value.tag == "?" and not value.style and value.value in NULLS
        texts[key.value] = None if null else value.value
    return texts


def _result(
    name: str | None, description: str | None, meta: dict[str, Any], problems: tuple[Problem, ...]
) -> FrontMatter:
    """Trims the two fields: a name's runs of white space become one space."""
    return FrontMatter(
        (" ".join(name.split()) or None) if name else None,
        (description.strip() or None) if description else None,
        meta,
        problems,
    )


def _rescue(block: str, problem: str, line: int) -> FrontMatter:
    """Returns what can be read of a block that YAML refuses: ``name`` and ``description`` alone."""
    name = rescue.field(block, "name")
    if name is None or not name.split():
        raise FrontMatterError("malformed-frontmatter", problem, line)
    description = rescue.field(block, "description")
    meta: dict[str, Any] = {"name": name}
    if description is not None:
        meta["description"] = description
    lost = rescue.line_of(block, "description") if description is None else None
    read = "name was" if lost else "name and description were"
    problems = [
        Problem(
            "rescued-frontmatter",
            f"{problem}; only {read} read, line by line, and other loaders may drop the skill",
            line,
        )
    ]
    if lost:
        problems.append(
            Problem(
                "no-description",
                f"the description on line {lost} was not read, since it opens a block of text, a"
                f" list, a map, an anchor, an alias or a tag; mend line {line}, else no model will"
                " choose the skill",
                lost,
            )
        )
    return _result(name, description, meta, tuple(problems))


MOST_DUPLICATES = 10
"""Fields that stand twice and are told one by one."""


def _duplicates(root: MappingNode) -> list[Problem]:
    seen: dict[str, int] = {}
    again: list[tuple[str, int, int]] = []
    for key, _ in root.value:
        line = key.start_mark.line + 2
        if key.value in seen:
            again.append((key.value, seen[key.value], line))
        seen[key.value] = line
    problems = [
        Problem(
            "duplicate-key",
            f"the field {cut(name)!r} stands twice, on lines {first} and {line}; the last one counts",
            line,
        )
        for name, first, line in again[:MOST_DUPLICATES]
    ]
    if len(again) > MOST_DUPLICATES:
        more = f"{len(again) - MOST_DUPLICATES:,} more lines have a field that stands above already"
        problems.append(Problem("duplicate-key", more, again[MOST_DUPLICATES][2]))
    return problems


def _join_all(block: str) -> str:
    return _QUOTED.sub(lambda quoted: _join_surrogates(quoted[0]), block)


def _join_surrogates(quoted: str) -> str:
    """Returns quoted text with JSON's surrogate escapes as characters, a lone one as U+FFFD."""

    def character(escape: re.Match[str]) -> str:
        high, low, lone = escape.groups()
        if high:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
        return "\ufffd" if lone else escape[0]

    return _ESCAPE.sub(character, quoted)

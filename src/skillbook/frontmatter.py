"""Front matter: bytes or text to name, description, the whole structure, and line numbers.

The block is parsed by PyYAML's parser (the C one where it is there). Values are built here from
the parser's nodes, because that is three times as fast as its constructor and keeps what the
author typed; only blocks with tags or merge keys go to the safe constructor.

This module reads no disk and imports only ``errors`` and ``rescue``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import isfinite
from operator import is_
from typing import Any, NamedTuple

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from skillbook import rescue
from skillbook.errors import FrontMatterError

MAX_BLOCK = 1_000_000
"""Bytes within which the block must close."""

MAX_EXPANDED = 10_000
"""Values that a block with aliases may expand to; 100 characters of text count as one."""

_BOM = b"\xef\xbb\xbf"
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t\f\v]*(?:\r\n|\n|\r|\Z)")
_CLOSING = re.compile(rb"\n---[ \t\f\v\r]*(?:\n|\Z)")
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))

_YamlError = (yaml.YAMLError, ValueError, RecursionError, OverflowError)


class Problem(NamedTuple):
    """Something to say about a block that gave a skill all the same.

    Attributes:
        kind: a fixed word: ``rescued-frontmatter`` or ``duplicate-key``.
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
    if data[start - 1 : start] == b"\r":  # old line ends: carriage returns alone
        data = data.replace(b"\r", b"\n")
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
    if head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:6] in (b"-\0-\0-\0", b"\0-\0-\0-"):
        return FrontMatterError(
            "unreadable",
            "the file looks like UTF-16, which no reader of skills takes (save it as UTF-8)",
        )
    stripped = data.removeprefix(_BOM).strip()
    if not stripped:
        return FrontMatterError("missing-name", "the file is empty")
    if (
        b"\n" not in stripped
        and len(stripped) < 1024
        and re.fullmatch(rb"(\.{0,2}/)?\S+/\S+", stripped)
    ):
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


# --- the block ---------------------------------------------------------------------------------

_IN_C = hasattr(yaml, "CSafeLoader")
_PARSER: Any = yaml.CSafeLoader if _IN_C else yaml.SafeLoader


class _Nodes(_PARSER):  # type: ignore[misc]
    """The parser without its resolver, which costs three Python calls a node."""

    descend_resolver = staticmethod(is_)  # any builtin of two arguments does: its result is unused
    ascend_resolver = staticmethod(bool)

    def __init__(self, stream: str | bytes) -> None:
        # The C loader's first base is the parser alone, without constructor and resolver.
        (_PARSER.__mro__[1] if _IN_C else _PARSER).__init__(self, stream)

    def resolve(self, _kind: object, _value: object, _implicit: object) -> str:
        return "?"


def compose(block: str) -> Node | None:
    """Returns the block's node tree, with places; explicit tags stay, others are ``?``.

    Raises:
        yaml.YAMLError: when YAML refuses the block.
    """
    node: Node | None = _Nodes(block).get_single_node()
    return node


def _resolver_table() -> dict[str, list[tuple[str, Callable[[str], Any]]]]:
    """The implicit types of plain scalars by first letter; dates and merges stay text."""
    table: dict[str, list[tuple[str, Callable[[str], Any]]]] = {}
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items():
        kept = [
            (tag.rpartition(":")[2], pattern.match)
            for tag, pattern in pairs
            if tag.rpartition(":")[2] in ("null", "bool", "int", "float")
        ]
        if kept:
            table[first] = kept
    return table


_RESOLVERS = _resolver_table()
_SCALARS = SafeConstructor()


def _too_long(whole: int) -> bool:
    """Whether Python refuses to write a number out (over 4,300 digits); it then stays text."""
    return whole.bit_length() > 14_000


def _plain(text: str) -> Any:
    """Returns the value of a plain scalar: None, bool, int, finite float, or the text."""
    for kind, match in _RESOLVERS.get(text[:1], ()):
        if match(text):
            if kind == "null":
                return None
            if kind == "bool":
                return SafeConstructor.bool_values[text.lower()]
            try:
                if kind == "int":
                    whole = _SCALARS.construct_yaml_int(ScalarNode("", text))
                    return text if _too_long(whole) else whole
                number = _SCALARS.construct_yaml_float(ScalarNode("", text))
            except (ValueError, OverflowError):  # an integer of 5,000 digits stays text
                return text
            return number if isfinite(number) else text
    return text


class _NeedsConstructorError(Exception):
    """The block has a tag or a merge key: its values are the safe constructor's."""


class _RefusedError(Exception):
    """The block is YAML but no front matter."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


def _value(node: Node) -> Any:
    """Builds a node's value, holding only what JSON has."""
    if node.__class__ is MappingNode:
        return _mapping(node)
    if node.tag != "?":
        raise _NeedsConstructorError
    if node.__class__ is ScalarNode:
        return node.value if node.style else _plain(node.value)
    return [_value(item) for item in node.value]


def _mapping(node: MappingNode) -> dict[str, Any]:
    """Builds a map. Flat text, which is most of all front matter, is taken on the spot."""
    if node.tag != "?":
        raise _NeedsConstructorError
    values: dict[str, Any] = {}
    for key, value in node.value:
        if key.__class__ is not ScalarNode:
            raise _RefusedError("a key is a list or a map", key.start_mark.line + 2)
        name = key.value
        if key.tag != "?" or name == "<<":
            raise _NeedsConstructorError
        if value.__class__ is ScalarNode and value.tag == "?":
            text = value.value
            plain = not value.style and text[:1] in _RESOLVERS
            values[name] = _plain(text) if plain else text
        else:
            values[name] = _value(value)
    return values


def _check_aliases(root: Node) -> None:
    """Refuses a block whose aliases expand without measure (a "YAML bomb")."""
    sizes: dict[int, int] = {}

    def size(node: Node) -> int:
        known = sizes.get(id(node))
        if known is not None:
            return known
        sizes[id(node)] = MAX_EXPANDED + 1  # until it is known: a node inside itself is endless
        if isinstance(node, MappingNode):
            total = 1 + sum(size(key) + size(value) for key, value in node.value)
        elif isinstance(node, SequenceNode):
            total = 1 + sum(size(item) for item in node.value)
        else:
            total = 1 + len(node.value) // 100  # a long text counts for more
        sizes[id(node)] = total
        return total

    if size(root) > MAX_EXPANDED:
        raise FrontMatterError(
            "malformed-frontmatter",
            f"the front matter's aliases expand to more than {MAX_EXPANDED:,} values",
            root.start_mark.line + 2,
        )


class _Loader(_PARSER):  # type: ignore[misc]
    """The safe loader, with dates left as text."""


_Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if not pair[0].endswith(":timestamp")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _json_safe(value: Any) -> Any:
    """Returns what the safe constructor gave as what JSON has."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return hex(value) if _too_long(value) else value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, dict):
        return {
            key if isinstance(key, str) else str(key): _json_safe(item)
            for key, item in value.items()
        }
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, (list, tuple)):
        return [_json_safe(item) for item in value]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value)


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
    if not _IN_C and "\\u" in block:  # the Python parser lets lone surrogates through
        block = _join_all(block)
    try:
        return _parse(block)
    except _RefusedError as refused:
        return _rescue(block, f"line {refused.line}: {refused.problem}", refused.line)
    except _YamlError as error:
        if isinstance(error, yaml.YAMLError) and "\\u" in block:
            joined = _join_all(block)
            if joined != block:
                return parse(joined)
        problem, line = rescue.explain(error)
        return _rescue(block, f"line {line} is not valid YAML: {problem}", line)


def _parse(block: str) -> FrontMatter:
    root = _Nodes(block).get_single_node()
    if root is None:
        return FrontMatter(None, None, {})
    if "*" in block:
        _check_aliases(root)
    if root.__class__ is not MappingNode:
        if root.__class__ is ScalarNode and not root.style and root.value in _NULLS:
            return FrontMatter(None, None, {})
        kind = "a list" if root.__class__ is SequenceNode else "text"
        raise _RefusedError(
            f"the front matter is {kind}, not a map of fields", root.start_mark.line + 2
        )
    try:
        meta = _mapping(root)
    except _NeedsConstructorError:
        meta = _json_safe(yaml.load(block, _Loader))  # noqa: S506 - a subclass of the safe loader
        meta.update(_typed_texts(root))
    name, description = meta.get("name"), meta.get("description")
    # Text is as it was typed; a number, a date, yes or no must be fetched from its node.
    if name.__class__ is not str or description.__class__ is not str:
        meta.update(_typed_texts(root))
        name, description = meta.get("name"), meta.get("description")
    problems = () if len(meta) >= len(root.value) else tuple(_duplicates(root))
    return _result(name, description, meta, problems)


def _typed_texts(root: MappingNode) -> dict[str, str | None]:
    """Returns ``name`` and ``description``, where they are there, as the author typed them."""
    texts: dict[str, str | None] = {}
    for key, value in root.value:
        if key.value not in ("name", "description"):
            continue
        if value.__class__ is not ScalarNode:
            kind = "list" if value.__class__ is SequenceNode else "map"
            raise _RefusedError(f"{key.value} is a {kind}, not text", key.start_mark.line + 2)
        null = not value.style and value.value in _NULLS
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
    said = Problem(
        "rescued-frontmatter",
        f"{problem}; only name and description were read, line by line, and other loaders may"
        " drop the skill",
        line,
    )
    return _result(name, description, meta, (said,))


def _duplicates(root: MappingNode) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for key, _ in root.value:
        line = key.start_mark.line + 2
        if key.value in seen:
            yield Problem(
                "duplicate-key",
                f"the field {key.value!r} stands twice, on lines {seen[key.value]} and {line};"
                " the last one counts",
                line,
            )
        seen[key.value] = line


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

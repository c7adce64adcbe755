"""A YAML block to values: the parser's nodes, and what they stand for, holding only what JSON has.

The block is parsed by PyYAML's parser (the C one where it is there). Values are built here from
the parser's nodes, because that is three times as fast as its constructor and keeps what the
author typed; only blocks with tags or merge keys go to the safe constructor.

Imports ``errors`` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from operator import is_
from sys import intern
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from skillbook.errors import FrontMatterError

MAX_EXPANDED = 10_000
"""Values that a block with aliases may expand to; 100 characters of text count as one."""

NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""What stands for no value when it is written plain."""

IN_C = hasattr(yaml, "CSafeLoader")
_PARSER: Any = yaml.CSafeLoader if IN_C else yaml.SafeLoader


class Nodes(_PARSER):  # type: ignore[misc]
    """The parser without its resolver, which costs three Python calls a node."""

    descend_resolver = staticmethod(is_)  # any builtin of two arguments does: its result is unused
    ascend_resolver = staticmethod(bool)

    def __init__(self, stream: str | bytes) -> None:
        # The C loader's first base is the parser alone, without constructor and resolver.
        (_PARSER.__mro__[1] if IN_C else _PARSER).__init__(self, stream)

    def resolve(self, _kind: object, _value: object, _implicit: object) -> str:
        """Gives every node without a tag the same one."""
        return "?"


def compose(block: str) -> Node | None:
    """Returns the block's node tree, with places; explicit tags stay, others are ``?``.

    Raises:
        yaml.YAMLError: when YAML refuses the block.
    """
    node: Node | None = Nodes(block).get_single_node()
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


class RefusedError(Exception):
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
            raise RefusedError("a key is a list or a map", key.start_mark.line + 2)
        name = intern(key.value)  # 20,000 skills have the same few keys
        if key.tag != "?" or name == "<<":
            raise _NeedsConstructorError
        if value.__class__ is ScalarNode and value.tag == "?":
            text = value.value
            plain = not value.style and text[:1] in _RESOLVERS
            values[name] = _plain(text) if plain else text
        else:
            values[name] = _value(value)
    return values


def check_aliases(root: Node) -> None:
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


def values(block: str, root: MappingNode) -> dict[str, Any]:
    """Returns a composed block's values, holding only what JSON has.

    Args:
        block: the text that ``root`` was composed from.
        root: its node tree, checked by :func:`check_aliases` where it has aliases.

    Raises:
        RefusedError: when a key is a list or a map, or the block's tag makes it no map.
        yaml.YAMLError, ValueError: when the safe constructor refuses a tag's value.
    """
    try:
        return _mapping(root)
    except _NeedsConstructorError:
        given = _json_safe(yaml.load(block, _Loader))  # noqa: S506 - a subclass of the safe loader
    if not isinstance(given, dict):
        raise RefusedError("the front matter is no map of fields", root.start_mark.line + 2)
    return given


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

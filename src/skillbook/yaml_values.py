"""A YAML block to values: the parser's nodes, and what they stand for, holding only what JSON has.

The block is parsed by PyYAML's parser (the C one where it is there). Values are built here from
the parser's nodes, because that is three times as fast as its constructor and keeps what the
author typed. No object is ever made from a tag.

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

MOST_DIGITS = 4_000
"""Characters up to which a number is read as one; Python refuses to write out over 4,300 digits."""


def _plain(text: str) -> Any:
    """Returns the value of a plain scalar: None, bool, int, finite float, or the text."""
    for kind, match in _RESOLVERS.get(text[:1], ()):
        if match(text):
            try:
                return _number(text, kind)
            except (ValueError, OverflowError):
                return text
    return text


def _number(text: str, kind: str) -> Any:
    """Returns text as a null, bool, int or float; a number too long, or no number, stays text.

    Raises:
        ValueError: when it is none of that kind.
    """
    if kind == "null":
        return None
    if kind == "bool":
        value = SafeConstructor.bool_values.get(text.lower())
        if value is None:
            raise ValueError(text)
        return value
    if len(text) > MOST_DIGITS or not text:
        raise ValueError(text)
    if kind == "int":
        return _SCALARS.construct_yaml_int(ScalarNode("", text))
    number = _SCALARS.construct_yaml_float(ScalarNode("", text))
    if not isfinite(number):
        raise ValueError(text)
    return number


class RefusedError(Exception):
    """The block is YAML but no front matter."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


def _value(node: Node) -> Any:
    """Builds a node's value, holding only what JSON has."""
    if node.tag != "?":
        return _tagged(node)
    if node.__class__ is MappingNode:
        return values(node)
    if node.__class__ is ScalarNode:
        return node.value if node.style else _plain(node.value)
    return [_value(item) for item in node.value]


_STANDARD = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset(("str", "timestamp", "binary"))
_NUMBER_TAGS = frozenset(("null", "bool", "int", "float"))


def _tagged(node: Node) -> Any:
    """Builds the value of a node with a tag of YAML's own; other tags are refused."""
    tag = node.tag.removeprefix(_STANDARD) if node.tag.startswith(_STANDARD) else ""
    if node.__class__ is ScalarNode:
        if tag in _TEXT_TAGS:
            return node.value
        if tag in _NUMBER_TAGS:
            try:
                return _number(node.value, tag)
            except (ValueError, OverflowError):
                raise RefusedError(
                    f"a value is tagged {tag} and is none (take the tag away)", _line(node)
                ) from None
    elif node.__class__ is MappingNode and tag == "map":
        return values(node)
    elif node.__class__ is MappingNode and tag == "set":
        return list(values(node))
    elif node.__class__ is SequenceNode and tag in ("seq", "omap", "pairs"):
        return [_value(item) for item in node.value]
    why = "which does not fit it" if tag else "a tag that is not plain YAML"
    shown = tag or node.tag
    raise RefusedError(f"a value has the tag {shown!r}, {why} (take it away)", _line(node))


def _line(node: Node) -> int:
    """The line of a node in the file, from 1: the fence stands above the block."""
    return int(node.start_mark.line) + 2


def values(node: MappingNode) -> dict[str, Any]:
    """Returns a map's values, holding only what JSON has; keys are text as they were typed.

    Flat text, which is most of all front matter, is taken on the spot. A merge key (``<<``) adds
    what the map does not say itself (YAML 1.1, merge key language-independent type).

    Raises:
        RefusedError: when a key is a list or a map, or a tag does not fit its value.
    """
    found: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for key, value in node.value:
        if key.__class__ is not ScalarNode:
            raise RefusedError("a key is a list or a map", _line(key))
        name = intern(key.value)  # 20,000 skills have the same few keys
        if value.__class__ is ScalarNode and value.tag == "?":
            text = value.value
            plain = not value.style and text[:1] in _RESOLVERS
            found[name] = _plain(text) if plain else text
        elif name == "<<" and not key.style:
            merged = _merged(value) | merged
        else:
            found[name] = _value(value)
    return {**merged, **found} if merged else found


def _merged(node: Node) -> dict[str, Any]:
    """Returns what a merge key adds: a map, or several of which the first wins."""
    if node.__class__ is MappingNode:
        return values(node)
    if node.__class__ is SequenceNode and all(item.__class__ is MappingNode for item in node.value):
        found: dict[str, Any] = {}
        for item in node.value:
            found = values(item) | found
        return found
    raise RefusedError("a merge key (<<) holds no map", _line(node))


def check_aliases(root: Node) -> None:
    """Refuses a block whose aliases expand without measure (a "YAML bomb")."""
    sizes: dict[int, int] = {}
    own = 0  # what stands in the block itself, which is as long as it is

    def size(node: Node) -> int:
        nonlocal own
        known = sizes.get(id(node))
        if known == 0:
            raise _malformed("an alias (*) stands inside what it names", node)
        if known is not None:
            return known
        sizes[id(node)] = 0  # until it is known
        itself = 1
        total = 0
        if isinstance(node, MappingNode):
            total = sum(size(key) + size(value) for key, value in node.value)
        elif isinstance(node, SequenceNode):
            total = sum(size(item) for item in node.value)
        else:
            itself += len(node.value) // 100  # a long text counts for more
        own += itself
        sizes[id(node)] = total + itself
        return total + itself

    if size(root) - own > MAX_EXPANDED:
        raise _malformed(
            f"the front matter's aliases expand to more than {MAX_EXPANDED:,} values", root
        )


def _malformed(detail: str, node: Node) -> FrontMatterError:
    return FrontMatterError("malformed-frontmatter", detail, _line(node))

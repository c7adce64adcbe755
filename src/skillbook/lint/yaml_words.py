"""What YAML refuses in a front matter, in plain words, and where; and the repair by quoting.

Imports ``frontmatter``, ``yaml_values``, ``rescue`` and ``lines``.
"""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from skillbook import frontmatter, rescue
from skillbook.errors import FrontMatterError
from skillbook.lint.lines import LINE_END, Splice, line_around, spliced, whole_lines
from skillbook.yaml_values import compose

_NOT_PRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What stands as it is in JSON and not in YAML (YAML 1.1, sections 5.1 and 5.4)."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_KEY_LINE = re.compile(r"([ ]*)([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$")
_ANCHOR = re.compile(r"(?:^|(?<=[\s\[{,]))&([^\s,\[\]{}]+)")
_ALIAS = re.compile(r"(?:^|(?<=[\s\[{,]))\*([^\s,\[\]{}]+)")
_REMARK = re.compile(
    r"(?<![ \t])[ \t]+#(?=[ \t]|$)", re.MULTILINE
)  # "#12" in a sentence is no remark
_OPENS_YAML = re.compile(r"[|>\[{!]|&\S")
_FIELD = re.compile(
    r"(?: *\t[ \t]*[a-z][\w-]*|[ \t]+(?:name|description|license|compatibility|metadata|allowed-tools))"
    r"[ \t]*:(?:\s|$)"
)


def in_json(value: Any) -> str:
    """Returns a value as JSON and YAML both read it: text in double quotes."""
    return _NOT_PRINTED.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False)
    )


def without_surrogates(block: str) -> str:
    r"""Returns a block with each escape like ``\ud83d`` as one that YAML takes, as long as it was.

    JSON writes emoji so, and such a block is read all the same (see ``frontmatter.parse``).
    """
    return _SURROGATE.sub(r"\\ufffd", block) if "\\u" in block else block


def explain(error: BaseException, block: str) -> tuple[str, int, int]:
    """Returns what YAML refuses, in plain words, and where in the block it starts and ends.

    Args:
        error: what the parser raised.
        block: the text between the fences.
    """
    words, at = rescue.fault(error, block)
    start, end = line_around(block, at)
    value = _KEY_LINE.match(block[start:end])
    if value and value[3]:
        start += value.start(3)
    return words, start, end


# --- the repair --------------------------------------------------------------------------------


def repair(block: str) -> tuple[Splice, ...]:
    """Returns the splices that make YAML take a block with the same words, or none.

    Values that YAML refuses get double quotes, tabs that indent become spaces. What a refused value
    means is not guessed where it opens a list, a map, a block of text, an anchor or a tag, where a
    line below it may be a field or a fence of its own, nor which of two fields of one name counts.
    Where the loader rescued a name and a description, it must read the same ones afterwards.

    Args:
        block: the text between the fences, which YAML refuses.
    """
    splices: list[Splice] = []
    wanted: dict[str, list[str]] = {}
    anchors = frozenset(_ANCHOR.findall(block))
    names = [chunk.partition(":")[0].rstrip() for _, chunk in entries(block) if ":" in chunk]
    if len(set(names)) < len(names):
        return ()
    for start, chunk in entries(block):
        lines = whole_lines(chunk)
        if _understood(chunk, anchors):
            continue
        found = _KEY_LINE.match(lines[0].rstrip("\r\n"))
        if found is None:
            return ()
        if found[3] is None:
            below = _below(start + len(lines[0]), lines[1:], anchors)
            if not below:
                return ()
            splices += below
            continue
        remarks = found[2] not in frontmatter.RESCUED  # of these the loader takes the whole line
        quoting = _quoting(start, lines, found.start(3), anchors, remarks)
        if quoting is None or found[2] == "metadata":  # which is a map, whatever is written there
            return ()
        splices += quoting[0]
        wanted[found[2]] = quoting[1].split()
    return tuple(splices) if splices and _holds(block, splices, wanted) else ()


def has_anchors(block: str) -> bool:
    """Returns whether something in a block has an anchor, so that a change may reach further."""
    return _ANCHOR.search(block) is not None


def taken(chunk: str) -> Node | None:
    """Returns what YAML makes of a part of a block by itself, or None where it refuses it."""
    try:
        return compose(chunk) or ScalarNode("", "")
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return None


def _understood(chunk: str, anchors: frozenset[str]) -> bool:
    """Returns whether YAML takes a part of a block; an alias may mean an anchor in another part."""
    known = _ALIAS.sub(lambda one: "z" + one[1] if one[1] in anchors else one[0], chunk)
    return taken(known) is not None


def entries(block: str) -> list[tuple[int, str]]:
    """Returns the block's fields: where each starts, and its text with the lines under it."""
    groups: list[tuple[int, list[str]]] = []
    at = 0
    for line in whole_lines(block):
        if not groups or (line[:1] not in " \t\r\n#-" and line.strip()):
            groups.append((at, [line]))
        else:
            groups[-1][1].append(line)
        at += len(line)
    return [(start, "".join(lines)) for start, lines in groups]


def _quoting(
    start: int, lines: list[str], column: int, anchors: frozenset[str], remarks: bool = True
) -> tuple[list[Splice], str] | None:
    """Returns the splices that put a value in double quotes, and the words it then has.

    A line of dashes at the left edge is no part of a value: a fence was mistyped there.
    """
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines = lines[:-1]
    if any(
        line.startswith("-") or line.strip().startswith(("#", "- ")) or _FIELD.match(line)
        for line in lines[1:]
    ):
        return None
    text = "".join(lines)[column:].rstrip(" \t\r\n")
    if not text or _OPENS_YAML.match(text):
        return None
    alias = _ALIAS.match(text)
    if alias and alias[1] in anchors:
        return None
    if remarks and text[0] not in "'\"":
        remark = _REMARK.search(text)
        if remark and LINE_END.search(text, remark.end()):
            return None
        text = text[: remark.start()] if remark else text
        if not text:
            return None
    at = start + column
    first = text[0]
    inner, offset = text, 0
    if first in "'\"":
        if rescue.in_quotes(text):
            inner, offset = text[1:-1], 1
        elif text.count(first) % 2 or _REMARK.search(text):
            return None  # where the quote closes, or the value ends, is a guess
    splices = [(at, at + offset, '"')]
    for number, char in enumerate(inner):
        if char in '"\\' or (char < " " and char not in "\r\n"):
            place = at + offset + number
            splices.append((place, place + 1, json.dumps(char)[1:-1]))
    end = at + offset + len(inner)
    splices.append((end, end + offset, '"'))
    return splices, inner


def _below(at: int, lines: list[str], anchors: frozenset[str]) -> list[Splice]:
    """Returns the splices for what stands under a key: tabs, and values on lines of their own."""
    splices: list[Splice] = []
    for line in lines:
        indent = len(line) - len(line.lstrip(" \t"))
        if "\t" in line[:indent]:
            splices.append((at, at + indent, line[:indent].replace("\t", "  ")))
        alone = line.strip()
        if alone and not _understood(alone, anchors):
            found = _KEY_LINE.match(alone)
            quoting = found and found[3] and _quoting(at + indent, [alone], found.start(3), anchors)
            if not quoting:
                return []
            splices += quoting[0]
        at += len(line)
    return splices


def _holds(block: str, splices: list[Splice], wanted: dict[str, list[str]]) -> bool:
    """Returns whether YAML takes the repaired block as a map, and each value has its words."""
    try:
        root = compose(without_surrogates(spliced(block, splices)))
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return False
    if not isinstance(root, MappingNode):
        return False
    values = {
        key.value: value.value.split()
        for key, value in root.value
        if isinstance(key, ScalarNode) and isinstance(value, ScalarNode)
    }
    return all(values.get(name) == words for name, words in wanted.items()) and _same(
        block, spliced(block, splices)
    )


def _same(before: str, after: str) -> bool:
    """Returns whether the loader reads the words of a repaired block that it rescued before."""
    try:
        old = frontmatter.parse(before)
    except FrontMatterError:
        return True
    new = frontmatter.parse(after)
    return all(
        (was or "").split() in ([], (now or "").split())
        for was, now in ((old.name, new.name), (old.description, new.description))
    )

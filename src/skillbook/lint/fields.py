"""SB14x and SB15x, the other fields: metadata, allowed-tools, unknown ones, values that are cut.

They belong to the format, by the specification of agentskills.io. Imports ``document``, ``format``
and the rules' hook.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from skillbook.lint.document import Document, Field, Remark
from skillbook.lint.finding import Repair
from skillbook.lint.format import FIELDS, pairs
from skillbook.lint.lines import LINE_END
from skillbook.lint.rule import registered, rule
from skillbook.lint.visible import quoted
from skillbook.lint.yaml_words import in_json
from skillbook.model import split_tools

# --- metadata, allowed-tools -------------------------------------------------------------------

# What a plain value is by YAML 1.2's core schema (section 10.3.2); all else is text.
_CORE = (
    ("null", re.compile(r"null|Null|NULL|~|")),
    ("true or false", re.compile(r"true|True|TRUE|false|False|FALSE")),
    ("a whole number", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")),
    (
        "a number",
        re.compile(
            r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
        ),
    ),
)


def plain_kind(text: str) -> str:
    """Returns what a plain YAML value is other than text, in words, or ``""``."""
    return next((words for words, pattern in _CORE if pattern.fullmatch(text)), "")


@rule("SB141", "error", "Metadata is a map.")
def _metadata_is_a_map(document: Document) -> Iterator[Remark]:
    found = document.fields.get("metadata")
    if found is not None and found.kind in ("text", "list"):
        kind = "a list" if found.kind == "list" else "text"
        yield document.say_field(
            "metadata",
            f"metadata is {kind}; write a map, one key: value a line, indented",
            key=True,
        )


def _metadata(document: Document) -> Iterator[tuple[Any, Field]]:
    """Yields each value under metadata, and its field; both stand at the alias where it is one."""
    found = document.fields.get("metadata")
    for key, value in pairs(found.node if found else None):
        each = document.field(key, value)
        if found and not found.bare:  # what is repaired there may mean something elsewhere too
            alias = document.text.startswith("*", found.value[0])
            each = replace(each, bare=False)
            each = replace(each, key=found.value, value=found.value) if alias else each
        yield value, each


def _quoting(document: Document, found: Field) -> Repair | None:
    if not found.bare:
        return None
    written = document.text[slice(*found.value)]
    return Repair("put the value in double quotes", ((*found.value, in_json(written)),))


@rule("SB142", "error", "Each value under metadata is text.")
def _metadata_values(document: Document) -> Iterator[Remark]:
    for value, found in _metadata(document):
        name = f"metadata.{found.name}"
        if isinstance(value, (MappingNode, SequenceNode)):
            kind = "a list" if isinstance(value, SequenceNode) else "a map"
            yield document.say(f"{quoted(name)} is {kind}; only text is allowed", *found.key)
            continue
        kind = plain_kind(value.value) if not value.style and value.tag == "?" else ""
        if kind == "null":
            yield document.say(
                f"{quoted(name)} has no value; write text, or remove the line",
                *found.key,
            )
        elif kind:
            yield document.say(
                f"{quoted(name)} is {kind}; only text is allowed, so put it in quotes",
                *found.value,
                fix=_quoting(document, found),
            )


@rule("SB143", "warning", "A value under metadata that only looks like text stands in quotes.")
def _metadata_dates(document: Document) -> Iterator[Remark]:
    for value, found in _metadata(document):
        if not isinstance(value, ScalarNode) or value.style or value.tag != "?":
            continue
        if plain_kind(value.value):
            continue
        kind = _old_kind(value.value)
        if kind:
            yield document.say(
                f"{quoted(f'metadata.{found.name}')} is text by YAML 1.2, but {kind} to many readers;"
                " put it in quotes",
                *found.value,
                fix=_quoting(document, found),
            )


_OLD_KINDS = {
    "bool": "yes or no",
    "int": "a whole number",
    "float": "a number",
    "timestamp": "a date",
}


def _old_kind(text: str) -> str:
    """Returns what YAML 1.1, which many readers still follow, takes plain text for, or ``""``."""
    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], ()):
        if pattern.match(text):
            return _OLD_KINDS.get(tag.rpartition(":")[2], "")
    return ""


@rule("SB145", "error", "Allowed-tools is text or a list of text.")
def _tools_are_text(document: Document) -> Iterator[Remark]:
    found = document.fields.get("allowed-tools")
    if found is None:
        return
    if found.kind == "map":
        yield document.say_field(
            "allowed-tools", "allowed-tools is a map; write the tools with a space between them"
        )
    elif found.kind == "list" and found.node is not None:
        for item in found.node.value:
            if not isinstance(item, ScalarNode):
                base = document.block_start
                yield document.say(
                    "an item of allowed-tools is no text; write one tool an item",
                    base + item.start_mark.index,
                    base + item.end_mark.index,
                )


@rule("SB146", "warning", "The tools in allowed-tools stand with spaces between them.")
def _tools_without_commas(document: Document) -> Iterator[Remark]:
    found = document.fields.get("allowed-tools")
    if found is not None and found.text and "," in "".join(_outside_brackets(found.text)):
        names = " ".join(split_tools(found.text))
        yield document.say_field(
            "allowed-tools",
            f"commas stand between the tools; the specification asks for spaces: {quoted(names)}",
        )


def _outside_brackets(text: str) -> Iterator[str]:
    depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}" and depth > 0)
        if depth == 0:
            yield char


# --- other fields ------------------------------------------------------------------------------


@rule("SB151", "warning", "Only fields that the specification names stand at the top.")
def _known_fields(document: Document) -> Iterator[Remark]:
    unknown = [name for name in document.fields if name not in FIELDS]
    if not unknown:
        return
    told = []
    for name in unknown:
        near = difflib.get_close_matches(name.lower().replace("_", "-"), FIELDS, n=1, cutoff=0.8)
        told.append(quoted(name) + (f" (is {near[0]} meant?)" if near else ""))
    yield document.say(
        f"the specification names no field {', '.join(told)}; what is yours belongs under metadata",
        *document.fields[unknown[0]].key,
    )


_COMMENT = re.compile(r"[ \t]+#([^\r\n]*)")


@rule("SB152", "warning", "No value is cut by a space and a hash, which start a comment in YAML.")
def _no_cut_value(document: Document) -> Iterator[Remark]:
    below = (found for _, found in _metadata(document))
    for found in (*document.fields.values(), *below):
        if found.kind != "text" or found.style or found.node is None:
            continue
        comment = _COMMENT.match(document.text, found.value[1])
        # "# a remark" behind a short value is meant as one; "#word" in a sentence never is.
        if comment is None or (found.name != "description" and not re.match(r"\w", comment[1])):
            continue
        # Whether it belongs to the value is a guess, so there is no fix.
        yield document.say(
            f"the text from {quoted(comment[0].strip())} on is a comment in YAML and is dropped; put"
            " the value in quotes, if it belongs to it",
            found.value[1] + len(comment[0]) - len(comment[0].lstrip()),
            found.value[1] + len(comment[0].rstrip()),
        )


IGNORE = "skillbook-ignore"
"""The key under metadata that switches rules off for one skill."""


def ignored(document: Document) -> tuple[str, ...]:
    """Returns the rule ids that the front matter switches off."""
    metadata = document.meta.get("metadata")
    value = metadata.get(IGNORE) if isinstance(metadata, dict) else None
    if value is None and document.refusal is not None:
        return _ignore_line(document.block or "")
    return split_tools(value)


_IGNORE = re.compile(rf"[{{,\s][\"']?{IGNORE}[\"']?[ \t]*:[ \t]*[\"']?([\w ,\t-]*)")


def _ignore_line(block: str) -> tuple[str, ...]:
    """Returns the ids where YAML refuses the block: those of the line below metadata, or in it."""
    below = False
    for line in LINE_END.split(block):
        if line.strip() and line[0] not in " \t#":
            below = re.match(r"metadata[ \t]*:", line) is not None
        found = _IGNORE.search(line) if below and len(line) < _LONGEST_LINE else None
        if found and "#" not in line[: found.start()]:
            return split_tools(found[1])
    return ()


_LONGEST_LINE = 10_000


@rule("SB153", "note", "Each rule that skillbook-ignore names is there.")
def _known_ignores(document: Document) -> Iterator[Remark]:
    ids = [each.id for each in registered()]
    unknown = [name for name in ignored(document) if name not in ids]
    if unknown:
        for _value, found in _metadata(document):
            if found.name == IGNORE:
                told = ", ".join(map(quoted, unknown[:5]))
                yield document.say(
                    f"there is no rule {told}; see skillbook check --rules", *found.value
                )

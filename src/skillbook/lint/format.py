"""SB1xx, the format: the file, its front matter and its fields, by the specification.

The specification is that of agentskills.io, read in November 2026. An ``error`` here means that it
is broken; nothing that it allows is one. Imports ``document`` and the rules' hook.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from skillbook.errors import FrontMatterError
from skillbook.lint import yaml_words
from skillbook.lint.document import BAD_BYTE, Document, Remark
from skillbook.lint.finding import Repair
from skillbook.lint.rule import rule
from skillbook.lint.visible import name_of, quoted

FIELDS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
"""The fields that the specification names."""

MOST_NAME = 64
MOST_DESCRIPTION = 1024
MOST_COMPATIBILITY = 500

# --- the file ----------------------------------------------------------------------------------


@rule("SB101", "error", "The folder holds a SKILL.md.", needs="nothing")
def _has_skill_file(document: Document) -> Iterator[Remark]:
    if document.kind == "missing":
        yield document.say("there is no SKILL.md here or below; a skill is a folder that holds one")


@rule("SB102", "error", "The file is called SKILL.md, in just these letters.", needs="nothing")
def _file_name(document: Document) -> Iterator[Remark]:
    if document.kind == "wrong-case":
        name = document.shown.rpartition("/")[2]
        yield document.say(
            f"the file is called {name}; rename it to SKILL.md, since most loaders take no other name"
        )


@rule("SB103", "error", "A skill is a folder, not a lone Markdown file.", needs="nothing")
def _own_folder(document: Document) -> Iterator[Remark]:
    if document.kind == "lone":
        stem = document.shown.rpartition("/")[2].removesuffix(".md")
        yield document.say(f"this is a lone file; move it to {stem}/SKILL.md, a folder of its own")


@rule("SB109", "error", "The file can be read, and its front matter is UTF-8.", needs="nothing")
def _readable(document: Document) -> Iterator[Remark]:
    if document.unreadable:
        yield document.say(document.unreadable)
    elif document.failure and document.failure.reason == "unreadable":
        at = BAD_BYTE.search(document.text, document.block_start)
        yield document.say(document.failure.detail, *(at.span() if at else (None, None)))


# --- the block ---------------------------------------------------------------------------------


def _failure(document: Document, reason: str) -> FrontMatterError | None:
    """Returns why there is no block, where it is for that reason."""
    failure = document.failure
    if document.kind == "missing" or document.unreadable or failure is None:
        return None
    return failure if failure.reason == reason else None


@rule("SB104", "error", "The file starts with front matter.", needs="nothing")
def _has_front_matter(document: Document) -> Iterator[Remark]:
    failure = _failure(document, "missing-name")
    if failure and (failure.line or 1) == 1:
        yield document.say(failure.detail, *document.line_span(1))


@rule("SB105", "error", "The front matter opens on line 1.", needs="nothing")
def _opens_on_line_1(document: Document) -> Iterator[Remark]:
    failure = _failure(document, "missing-name")
    if failure and failure.line and failure.line > 1:
        start, end = document.line_span(failure.line)
        above = document.text[:start].removeprefix("\ufeff")
        fix = None
        if not above.strip():
            fix = Repair("remove the blank lines above", ((start - len(above), start, ""),))
        yield document.say(failure.detail, start, end, fix=fix)


@rule("SB106", "error", "The front matter is closed by a line of three dashes.", needs="nothing")
def _is_closed(document: Document) -> Iterator[Remark]:
    failure = _failure(document, "malformed-frontmatter")
    if failure:
        yield document.say(failure.detail, *document.line_span(1))


@rule("SB107", "error", "The front matter is YAML.", needs="block")
def _is_yaml(document: Document) -> Iterator[Remark]:
    refusal = document.refusal
    if refusal is None:
        return
    base = document.block_start
    splices = yaml_words.repair(document.block or "")
    fix = None
    if splices:
        moved = tuple((base + start, base + end, new) for start, end, new in splices)
        quotes = any(new.startswith('"') for _, _, new in splices)
        fix = Repair("put the value in double quotes" if quotes else "indent with spaces", moved)
    yield document.say(
        f"this is not valid YAML: {refusal.words}", refusal.start, refusal.end, fix=fix
    )


@rule("SB108", "error", "The front matter is a map of fields.", needs="block")
def _is_a_map(document: Document) -> Iterator[Remark]:
    root = document.root
    if root is None or isinstance(root, MappingNode):
        return
    kind = "a list" if isinstance(root, SequenceNode) else "text"
    base = document.block_start
    start, end = base + root.start_mark.index, base + root.end_mark.index
    yield document.say(
        f"the front matter is {kind}, not a map; write fields such as name: my-skill", start, end
    )


@rule("SB110", "error", "No field stands twice.", needs="fields")
def _no_duplicates(document: Document) -> Iterator[Remark]:
    for keys in _keys(document):
        seen: dict[str, int] = {}
        for name, start, end in keys:
            if name in seen:
                yield document.say(
                    f"the field {quoted(name)} stands on line {seen[name]} already; YAML forbids it,"
                    f" and here the {'first' if document.refusal else 'last'} one counts (remove one)",
                    start,
                    end,
                )
            seen[name] = document.place(start)[0]


def _keys(document: Document) -> Iterator[list[tuple[str, int, int]]]:
    """Yields the keys of each map with their places; of a refused block those of its fields."""
    base = document.block_start
    if document.root is None:
        lines = yaml_words.entries(document.block or "")
        found = ((base + start, re.match(r"([a-z-]+)[ \t]*:", text)) for start, text in lines)
        yield [(key[1], at, at + key.end(1)) for at, key in found if key and key[1] in FIELDS]
        return
    waiting, seen = [document.root], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue  # an alias
        seen.add(id(node))
        if isinstance(node, MappingNode):
            keys = [key for key, _ in pairs(node)]
            yield [(k.value, base + k.start_mark.index, base + k.end_mark.index) for k in keys]
            waiting += [value for _, value in node.value]
        elif isinstance(node, SequenceNode):
            waiting += node.value


def pairs(node: Any) -> Iterator[tuple[ScalarNode, Any]]:
    """Yields the keys and values of a map whose keys are text or numbers."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(key, ScalarNode):
                yield key, value


# --- name --------------------------------------------------------------------------------------


def normal_name(document: Document) -> str:
    """Returns the name as it is compared: trimmed, Unicode NFKC; ``""`` where there is none.

    (The reference validator compares so.)
    """
    found = document.fields.get("name")
    text = found.text if found and found.kind == "text" else None
    return unicodedata.normalize("NFKC", (text or "").strip())


@rule("SB111", "error", "There is a name.")
def _has_name(document: Document) -> Iterator[Remark]:
    found = document.fields.get("name")
    if found is None:
        yield document.say_field("name", "there is no name; add a line such as name: my-skill")
    elif found.unread:
        yield document.say_field("name", _UNREAD.format("name"))
    elif found.kind in ("null", "text") and not normal_name(document):
        yield document.say_field("name", "the name is empty; give one such as my-skill")


_UNREAD = "the {} cannot be read, since YAML refuses its value"


@rule("SB112", "error", "A name has at most 64 characters.")
def _short_name(document: Document) -> Iterator[Remark]:
    length = len(normal_name(document))
    if length > MOST_NAME:
        yield document.say_field(
            "name", f"the name has {length} characters; {MOST_NAME} are allowed"
        )


@rule("SB113", "error", "A name is in lower case.")
def _lower_name(document: Document) -> Iterator[Remark]:
    name = normal_name(document)
    lower = name.lower()
    if name == lower:
        return
    found = document.fields["name"]
    fix = None
    folder = unicodedata.normalize("NFKC", document.folder_name or "")
    if lower == folder and document.text[slice(*found.value)] == name:
        fix = Repair("write the name in lower case, as the folder is", ((*found.value, lower),))
    yield document.say_field(
        "name", f"the name {quoted(name)} has capitals; only lower case is allowed", fix=fix
    )


@rule("SB114", "error", "A name holds letters, digits and hyphens only.")
def _name_characters(document: Document) -> Iterator[Remark]:
    name = normal_name(document)
    others = dict.fromkeys(char for char in name if not char.isalnum() and char != "-")
    if others:
        told = ", ".join("a space" if char == " " else name_of(char) for char in list(others)[:5])
        yield document.say_field(
            "name",
            f"the name {quoted(name)} holds {told}; only letters, digits and hyphens are allowed",
        )


@rule("SB115", "error", "Hyphens in a name stand alone, and not at an end.")
def _name_hyphens(document: Document) -> Iterator[Remark]:
    name = normal_name(document)
    problems = []
    if name.startswith("-"):
        problems.append("starts with a hyphen")
    if name.endswith("-") and len(name) > 1:
        problems.append("ends with a hyphen")
    if "--" in name:
        problems.append("has two hyphens in a row")
    if problems:
        yield document.say_field("name", f"the name {quoted(name)} {' and '.join(problems)}")


@rule("SB116", "error", "The name is the name of the folder.")
def _name_is_folder(document: Document) -> Iterator[Remark]:
    name, folder = normal_name(document), document.folder_name
    if (
        name
        and folder is not None
        and document.kind in ("skill", "wrong-case")
        and name != unicodedata.normalize("NFKC", folder)
    ):
        yield document.say_field(
            "name",
            f"the name is {quoted(name)} but the folder is called {quoted(folder)}; both must be"
            " the same",
        )


@rule("SB117", "error", "The name is text.")
def _name_is_text(document: Document) -> Iterator[Remark]:
    yield from _no_text(document, "name")


def _no_text(document: Document, name: str) -> Iterator[Remark]:
    found = document.fields.get(name)
    if found is not None and found.kind in ("list", "map"):
        yield document.say_field(name, f"{name} is a {found.kind}; write it as text")


# --- description, compatibility ----------------------------------------------------------------


@rule("SB121", "error", "There is a description, and it is not blank.")
def _has_description(document: Document) -> Iterator[Remark]:
    found = document.fields.get("description")
    if found is None:
        yield document.say_field(
            "description",
            "there is no description; say what the skill does and when to use it, since a model"
            " chooses by it",
        )
    elif found.unread:
        yield document.say_field("description", _UNREAD.format("description"))
    elif found.kind in ("null", "text") and not (found.text or "").strip():
        yield document.say_field(
            "description", "the description is blank; say what the skill does and when to use it"
        )


@rule("SB122", "error", "A description has at most 1,024 characters.")
def _short_description(document: Document) -> Iterator[Remark]:
    yield from _too_long(document, "description", MOST_DESCRIPTION)


def _too_long(document: Document, name: str, most: int) -> Iterator[Remark]:
    found = document.fields.get(name)
    length = len(found.text or "") if found else 0
    if length > most:
        yield document.say_field(
            name,
            f"{name} has {length:,} characters; {most:,} are allowed, so cut {length - most:,}",
        )


@rule("SB123", "error", "The description is text.")
def _description_is_text(document: Document) -> Iterator[Remark]:
    yield from _no_text(document, "description")


@rule("SB131", "error", "Compatibility, where it is given, is text and not blank.")
def _compatibility_is_text(document: Document) -> Iterator[Remark]:
    yield from _no_text(document, "compatibility")
    found = document.fields.get("compatibility")
    if found is not None and found.kind in ("null", "text") and not (found.text or "").strip():
        yield document.say_field(
            "compatibility", "compatibility is blank; say what the skill needs, or remove the line"
        )


@rule("SB132", "error", "Compatibility has at most 500 characters.")
def _short_compatibility(document: Document) -> Iterator[Remark]:
    yield from _too_long(document, "compatibility", MOST_COMPATIBILITY)

"""SB6xx, portability: what loads here and is dropped elsewhere, with the loaders' names.

The facts stand in ``loaders``. Imports ``document``, ``loaders`` and the rules' hook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillbook.lint.document import Document, Remark
from skillbook.lint.fields import plain_kind
from skillbook.lint.finding import Repair
from skillbook.lint.format import FIELDS, normal_name
from skillbook.lint.loaders import READ, refused
from skillbook.lint.rule import rule
from skillbook.lint.visible import quoted
from skillbook.lint.yaml_words import in_json

_ANGLE = re.compile(r"</?[A-Za-z][^<>\n]{0,80}>")


@rule("SB601", "warning", "A strict YAML parser takes the front matter.", needs="block")
def _strict_yaml(document: Document) -> Iterator[Remark]:
    if document.refusal and document.name:
        yield document.say(
            "the skill loads here, with name and description read line by line, but a strict YAML"
            " parser refuses the header: GitHub shows an error in its place;"
            f" {refused('colon')}",
            *document.line_span(1),
        )


@rule("SB602", "warning", "The file starts without a byte order mark.", needs="nothing")
def _no_byte_order_mark(document: Document) -> Iterator[Remark]:
    if document.text.startswith("\ufeff"):
        yield document.say(
            f"an invisible byte order mark stands before the first line; {refused('byte-order-mark')}",
            0,
            1,
            fix=Repair("remove the byte order mark", ((0, 1, ""),)),
        )


@rule("SB603", "warning", "Allowed-tools is text.")
def _tools_as_text(document: Document) -> Iterator[Remark]:
    found = document.fields.get("allowed-tools")
    if found is not None and found.kind == "list":
        yield document.say_field(
            "allowed-tools",
            f"allowed-tools is a list; {refused('tools-list')} (write the tools with a space between"
            " them)",
        )


@rule("SB604", "note", "No field is one that other loaders refuse.")
def _no_extra_fields(document: Document) -> Iterator[Remark]:
    extra = [name for name in document.fields if name not in FIELDS]
    if extra:
        told = ", ".join(map(quoted, extra[:5])) + (" …" if len(extra) > 5 else "")
        yield document.say(
            f"fields beyond the specification's ({told}): {refused('extra-fields')}",
            *document.fields[extra[0]].key,
        )


@rule("SB605", "note", "A name holds the letters a to z only.")
def _plain_name(document: Document) -> Iterator[Remark]:
    name = normal_name(document)
    others = dict.fromkeys(char for char in name if char.isalnum() and not char.isascii())
    if others:
        yield document.say_field(
            "name", f"the name holds {quoted(''.join(others))}; {refused('accents')}"
        )


@rule("SB606", "note", "A name that YAML takes for a number stands in quotes.")
def _name_in_quotes(document: Document) -> Iterator[Remark]:
    found = document.fields.get("name")
    if found is None or found.style or found.kind != "text" or found.node is None:
        return
    kind = plain_kind(found.text or "")
    if kind:
        new = in_json(found.text)
        fix = Repair("put the name in double quotes", ((*found.value, new),))
        yield document.say_field(
            "name",
            f"without quotes the name is {kind} in YAML; {refused('number-name')}",
            fix=fix if found.bare else None,
        )


@rule("SB607", "note", "A description holds no tags in angle brackets.")
def _no_tags(document: Document) -> Iterator[Remark]:
    found = _ANGLE.search(document.description or "")
    if found:
        yield document.say_field(
            "description",
            f"{quoted(found[0])} looks like an XML tag, for which Claude's apps and API refuse a"
            f" description (read in {READ}); other hosts take it",
            part=found[0],
        )


@rule("SB608", "note", "A name holds no word that Claude's apps keep for themselves.")
def _no_reserved_words(document: Document) -> Iterator[Remark]:
    name = normal_name(document)
    word = next((word for word in ("anthropic", "claude") if word in name), None)
    if word:
        yield document.say_field(
            "name",
            f"the name holds {quoted(word)}, for which Claude's apps and API refuse it (read in"
            f" {READ}); other hosts take it",
        )

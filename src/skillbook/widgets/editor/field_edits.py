r"""Fields of a ``SKILL.md`` as a form shows them, and edits of one as splices into the text.

Form and text are two views of one document. An edit touches the value that it is about, at the
places that the parser gives; comments, order, quotes and line ends around it stay. Each edit is
tried: it counts only if the result reads back as meant and every other field as before. Pure:
imports ``lint`` and ``yaml_writing``; no widget.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from skillbook.errors import SkillbookError
from skillbook.lint.document import Document, Field
from skillbook.lint.format import FIELDS
from skillbook.lint.lines import LINE_END, Splice, line_around, spliced
from skillbook.lint.yaml_words import in_json
from skillbook.model import printable, split_tools
from skillbook.widgets.editor import yaml_writing

KEPT_EMPTY = ("name", "description")
"""Fields whose key stays where their value is emptied."""

_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
_OWN_LINE = re.compile(r"[ \t]*#[^\r\n]*")


class FieldError(SkillbookError):
    """A field that cannot be edited in the form; the text can."""


def document_of(text: str) -> Document:
    """Returns a text as the parser sees it."""
    return Document(text.encode("utf-8", "surrogateescape"), "SKILL.md")


def read_fields(text: str) -> dict[str, str]:
    """Returns the fields that the specification names, as a form shows them; ``""`` for none."""
    document = document_of(text)
    return {name: _shown(document, name) for name in FIELDS}


def why_fixed(text: str) -> dict[str, str]:
    """Returns the fields that only the text can edit, each with the reason in words."""
    document = document_of(text)
    found = {}
    for name in FIELDS:
        field = document.fields.get(name)
        if field is None and document.refusal is not None:
            found[name] = "YAML refuses the front matter"
        elif field is None or field.kind in ("null", "text"):
            if name == "metadata" and field is not None and field.kind == "text":
                found[name] = "it is text, not a map"
            elif name in ("name", "license") and "\n" in _shown(document, name):
                found[name] = "it has several lines"
        elif field.kind == "list" and name != "allowed-tools":
            found[name] = "it is a list"
        elif field.kind == "map" and name != "metadata":
            found[name] = "it is a map"
    return found


def _shown(document: Document, name: str) -> str:
    field = document.fields.get(name)
    if field is None or field.kind == "null":
        return ""
    if name == "metadata":
        return written_pairs([(key, value) for key, value, _ in _pairs(field.node)])
    if name == "allowed-tools" and isinstance(field.node, SequenceNode):
        return " ".join(item.value for item in field.node.value if isinstance(item, ScalarNode))
    return (field.text or "").rstrip("\n")


# --- metadata as lines -------------------------------------------------------------------------


def _pairs(node: Node | None) -> Iterator[tuple[str, str, tuple[ScalarNode, Any]]]:
    """Yields key and text of each pair of a map whose value is text, and its nodes."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(key, ScalarNode) and isinstance(value, ScalarNode):
                yield key.value, value.value, (key, value)


def written_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Returns pairs as lines of ``key: value``; what a line cannot hold stands in quotes."""
    return "\n".join(f"{_word(key, ':')}: {_word(value)}" for key, value in pairs)


def _word(text: str, besides: str = "") -> str:
    odd = text != text.strip() or text[:1] == '"' or re.search(r"[\r\n]", text)
    return json.dumps(text, ensure_ascii=False) if odd or (besides and besides in text) else text


def read_pairs(text: str) -> list[tuple[str, str]]:
    """Returns the pairs of lines of ``key: value``; of two with one key the last.

    Raises:
        FieldError: when a line has no colon.
    """
    pairs: dict[str, str] = {}
    for line in text.split("\n"):
        if not line.strip():
            continue
        found = re.match(r'\s*("(?:[^"\\]|\\.)*"|[^:]*?)\s*:\s*(.*?)\s*$', line)
        if not found or not found[1]:
            raise FieldError("metadata has a line without a colon; write one key: value a line")
        pairs[_read(found[1])] = _read(found[2])
    return list(pairs.items())


def _read(word: str) -> str:
    if word[:1] == '"':
        try:
            read = json.loads(word)
        except ValueError:
            return word
        return read if isinstance(read, str) else word
    return word


# --- edits -------------------------------------------------------------------------------------


def edited(text: str, name: str, value: str) -> str:
    """Returns a document's text with one field changed, and nothing else.

    Args:
        text: the whole ``SKILL.md``.
        name: one of the fields that the specification names.
        value: the new value, as the form shows it; ``""`` removes an optional field.

    Raises:
        FieldError: when the form cannot make that edit; the message says why.
        TypeError: when the value is no text.
        ValueError: when the specification names no such field.
    """
    if name not in FIELDS:
        raise ValueError(f"there is no field {name!r}; fields are {', '.join(FIELDS)}")
    if not isinstance(value, str):
        raise TypeError(f"the value of {name} is of type {type(value).__name__}; pass a str")
    value = printable(value.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\n")
    document = document_of(text)
    if name == "metadata":
        value = written_pairs(read_pairs(value))
    if value == _shown(document, name) and (value or name not in KEPT_EMPTY):
        return text
    if document.block is None:
        return _with_block(document, name, value)
    fixed = why_fixed(text).get(name)
    for splices in () if fixed else _candidates(document, name, value):
        found = spliced(text, _with_line_ends(text, splices))
        if _holds(document, found, name, value):
            return found
    why = fixed or "the way it is written does not allow it"
    raise FieldError(f"{name} cannot be edited here: {why}. Edit the text.")


def _with_block(document: Document, name: str, value: str) -> str:
    """Returns a text that had no front matter with one that holds this field."""
    failure = document.failure
    if failure is not None and (failure.reason != "missing-name" or (failure.line or 1) > 1):
        raise FieldError(f"{name} cannot be edited here: {failure.detail}. Edit the text.")
    start = 1 if document.text.startswith("\ufeff") else 0
    body = document.text[start:]
    for lines in _lines(name, value):
        block = f"---\n{lines}---\n" + "\n" * bool(body.strip())
        new = spliced(document.text, _with_line_ends(document.text, [(start, start, block)]))
        if _holds(document, new, name, value):
            return new
    raise FieldError(f"{name} cannot be edited here. Edit the text.")


def _with_line_ends(text: str, splices: Sequence[Splice]) -> list[Splice]:
    found = LINE_END.search(text)
    end = found[0] if found else "\n"
    return [(start, stop, new.replace("\n", end)) for start, stop, new in splices]


def _holds(document: Document, text: str, name: str, value: str) -> bool:
    """Returns whether an edit did what it was to do, and nothing else."""
    after = document_of(text)
    if after.block is None or (after.refusal is not None and document.refusal is None):
        return False
    if document.block is not None and after.body != document.body:
        return False
    if _shown(after, name) != value:
        return False
    missing = object()
    others = [key for key in document.meta if key != name]
    return all(after.meta.get(key, missing) == document.meta[key] for key in others) and (
        name != "metadata" or _nested(document) == _nested(after)
    )


def _nested(document: Document) -> dict[str, Any]:
    """Returns what lies deeper under metadata, which the form does not show."""
    found = document.meta.get("metadata")
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, (dict, list))}


def _lines(name: str, value: str) -> Iterator[str]:
    """Yields ways to write a field on lines of its own."""
    if name == "metadata":
        yield "metadata:\n" + _pair_lines(read_pairs(value))
    elif not value:
        yield f"{name}:\n"
    else:
        for way in yaml_writing.ways(value):
            yield f"{name}: {way}\n"


def _pair_lines(pairs: Sequence[tuple[str, str]]) -> str:
    return "".join(f"  {_key(key)}: {in_json(word)}\n" for key, word in pairs)


def _key(text: str) -> str:
    return text if yaml_writing.is_plain(text) and ":" not in text else in_json(text)


def _candidates(document: Document, name: str, value: str) -> Iterator[list[Splice]]:
    field = document.fields.get(name)
    if field is None:
        yield from _insertions(document, name, value)
    elif not value and name not in KEPT_EMPTY and not _nested_in(field):
        yield [
            _removal(
                document.text, field.key[0], _end(document, field), _inner_ends(document, field)
            )
        ]
    elif name == "metadata":
        yield from _map_edits(document, field, read_pairs(value))
    elif field.kind == "list":
        yield from _list_edits(document, field, list(split_tools(value)))
    elif field.kind in ("text", "null"):
        yield from _scalar_edits(document, field, value)


def _nested_in(field: Field) -> bool:
    return isinstance(field.node, MappingNode) and any(
        not isinstance(value, ScalarNode) for _, value in field.node.value
    )


def _end(document: Document, field: Field) -> int:
    """Returns where a value ends, without the blank lines that its node may hold."""
    start, end = max(field.value[0], field.key[1]), max(field.value[1], field.key[1])
    return max(len(document.text[:end].rstrip()), start if field.kind != "null" else field.key[1])


def _scalar_edits(document: Document, field: Field, value: str) -> Iterator[list[Splice]]:
    if field.kind == "null":
        start = end = document.text.find(":", field.key[1]) + 1
        if field.value[1] > field.value[0]:  # null, ~
            start, end = field.value
        before, lead = "", " " if start == end and value else ""
    else:
        start, end, lead = field.value[0], _end(document, field), ""
        before = document.text[start:end].replace("\r\n", "\n").replace("\r", "\n")
    if not value:
        yield [(start, end, "")] if field.style == "" else [(start, end, '""')]
        yield [(start, end, '""')]
        return
    for new in yaml_writing.ways(value, field.style, before=before):
        yield [(start, end, lead + new)]


def _insertions(document: Document, name: str, value: str) -> Iterator[list[Splice]]:
    """Yields a new field behind those that the specification names before it; or at the end."""
    if not value:
        return
    places = []
    for other in reversed(FIELDS[: FIELDS.index(name)]):
        field = document.fields.get(other)
        if field is not None:
            places.append(_after(document.text, _end(document, field)))
            break
    else:
        places.append(document.block_start)
    block_end = document.block_start + len(document.block or "")
    places.append(block_end)
    for place in places:
        lead = "" if place == 0 or document.text[place - 1] in "\r\n" else "\n"
        for lines in _lines(name, value):
            yield [(place, place, lead + lines)]


def _after(text: str, end: int) -> int:
    """Returns where the next line starts, below the indented comments that belong to a value."""
    while True:
        _, stop = line_around(text, end)
        found = LINE_END.match(text, stop)
        if not found:
            return stop
        end = found.end()
        below = text[slice(*line_around(text, end))]
        if not re.match(r"[ \t]+#", below):
            return end


def _removal(text: str, start: int, end: int, ends: Sequence[int] = ()) -> Splice:
    """Returns the splice that takes lines away; the comments on them stay.

    Args:
        text: the document's text.
        start: where what is taken away starts.
        end: where it ends.
        ends: where else a value ends in it, behind which a comment may stand.
    """
    first = line_around(text, start)[0]
    stop = line_around(text, end)[1]
    own = _OWN_LINE.finditer(text, start, end) if ends else ()
    kept = {
        found.start(): found[0] for found in own if line_around(text, found.start()) == found.span()
    }
    for place in (*ends, end):
        behind = _COMMENT.match(text, place)
        if behind:
            kept[behind.start(1)] = text[first:start] + behind[1]
    close = LINE_END.match(text, stop)
    return first, close.end() if close else stop, "".join(f"{kept[at]}\n" for at in sorted(kept))


def _inner_ends(document: Document, field: Field) -> list[int]:
    """Returns where the entries of a list or map end."""
    nodes = field.node.value if isinstance(field.node, MappingNode | SequenceNode) else []
    last = [node[1] if isinstance(node, tuple) else node for node in nodes]
    return [document.block_start + node.end_mark.index for node in last]


# --- maps and lists: entry by entry --------------------------------------------------------------


class Entry(NamedTuple):
    """One entry of a map or list in the text: where it starts and ends, and where its value is."""

    start: int
    end: int
    value: tuple[int, int]
    style: str


def _map_edits(
    document: Document, field: Field, wanted: list[tuple[str, str]]
) -> Iterator[list[Splice]]:
    if field.kind == "null":
        place = _after(document.text, field.key[1])
        if field.value[1] == field.value[0]:
            yield [(place, place, _pair_lines(wanted))]
        return
    if not isinstance(field.node, MappingNode):
        return
    current = list(_pairs(field.node))
    entries = [_entry(document, key.start_mark.index, value) for _, _, (key, value) in current]
    old_keys, new_keys = [key for key, _, _ in current], [key for key, _ in wanted]
    old_values = [value for _, value, _ in current]
    new_values = [value for _, value in wanted]

    def fresh(number: int) -> str:
        return f"{_key(new_keys[number])}: {in_json(new_values[number])}"

    def changed(old: int, new: int) -> Iterator[Splice]:
        entry = entries[old]
        if old_keys[old] != new_keys[new]:
            key = current[old][2][0]
            span = (
                document.block_start + key.start_mark.index,
                document.block_start + key.end_mark.index,
            )
            yield *span, _key(new_keys[new])
        if old_values[old] != new_values[new]:
            yield _rewritten(document, entry, new_values[new], flow=_in_brackets(field))

    yield from _entry_edits(document, field, entries, (old_keys, new_keys), fresh, changed)


def _list_edits(document: Document, field: Field, wanted: list[str]) -> Iterator[list[Splice]]:
    if not isinstance(field.node, SequenceNode):
        return
    items = field.node.value
    if not all(isinstance(item, ScalarNode) for item in items):
        return
    flow = _in_brackets(field)
    entries = []
    for item in items:
        start = item.start_mark.index
        if not flow:  # from its dash on
            start = (document.block or "").rfind("-", 0, start)
        entries.append(_entry(document, start, item))

    def fresh(number: int) -> str:
        written = wanted[number] if yaml_writing.is_plain(wanted[number]) else ""
        if flow or not written:
            written = in_json(wanted[number])
        return written if flow else f"- {written}"

    def changed(old: int, new: int) -> Iterator[Splice]:
        yield _rewritten(document, entries[old], wanted[new], flow=flow)

    names = [item.value for item in items]
    yield from _entry_edits(document, field, entries, (names, wanted), fresh, changed)


def _entry(document: Document, start: int, value: Node) -> Entry:
    base = document.block_start
    begin, stop = base + value.start_mark.index, base + value.end_mark.index
    stop = max(len(document.text[:stop].rstrip()), begin)
    style = (value.style if isinstance(value, ScalarNode) else "") or ""
    return Entry(base + start, stop, (begin, stop), style)


def _rewritten(document: Document, entry: Entry, value: str, *, flow: bool) -> Splice:
    before = document.text[slice(*entry.value)]
    start = line_around(document.text, entry.start)[0]
    indent = " " * (entry.start - start + 2)
    new = next(yaml_writing.ways(value, entry.style, before=before, indent=indent, flow=flow))
    lead = " " if not before and document.text[entry.value[0] - 1 : entry.value[0]] == ":" else ""
    return *entry.value, lead + new


def _in_brackets(field: Field) -> bool:
    """Returns whether a list or map is written in brackets."""
    return isinstance(field.node, MappingNode | SequenceNode) and bool(field.node.flow_style)


def _entry_edits(
    document: Document,
    field: Field,
    entries: list[Entry],
    names: tuple[Sequence[str], Sequence[str]],
    fresh: Any,
    changed: Any,
) -> Iterator[list[Splice]]:
    """Yields splices that turn one list of entries into another: each entry that stays, stays."""
    old, new = names
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    if _in_brackets(field):
        yield from _flow_edits(document, field, entries, steps, fresh, changed)
        return
    text = document.text
    splices: list[Splice] = []
    for what, i, i_end, j, j_end in steps:
        both = min(i_end - i, j_end - j)
        for n in range(both):
            if what != "equal" or isinstance(field.node, MappingNode):
                splices += changed(i + n, j + n)
        splices += (_removal(text, each.start, each.end) for each in entries[i + both : i_end])
        added = [fresh(number) for number in range(j + both, j_end)]
        if added:
            at = i + both
            near = entries[at - 1] if at else entries[0] if entries else None
            if near is None:
                return
            indent = text[line_around(text, near.start)[0] : near.start]
            place = _after(text, near.end) if at else line_around(text, near.start)[0]
            lead = "" if text[place - 1] in "\r\n" else "\n"
            splices.append((place, place, lead + "".join(f"{indent}{line}\n" for line in added)))
    yield splices


def _flow_edits(
    document: Document, field: Field, entries: list[Entry], steps: Any, fresh: Any, changed: Any
) -> Iterator[list[Splice]]:
    """Yields the edits of a list or map in brackets: in place, or else the whole of it anew."""
    if all(i_end - i == j_end - j for _, i, i_end, j, j_end in steps):
        yield [
            splice
            for what, i, i_end, j, _ in steps
            for n in range(i_end - i)
            if what != "equal" or isinstance(field.node, MappingNode)
            for splice in changed(i + n, j + n)
        ]
    start, end = field.value
    whole = document.text[start:end]
    if "#" in whole:
        return
    parts: list[str] = []
    for what, i, _, j, j_end in steps:
        for n in range(j_end - j):
            if what == "equal":
                entry = entries[i + n]
                moved = [
                    (one - entry.start, other - entry.start, text)
                    for one, other, text in (
                        changed(i + n, j + n) if isinstance(field.node, MappingNode) else ()
                    )
                ]
                parts.append(spliced(document.text[entry.start : entry.end], moved))
            else:
                parts.append(fresh(j + n))
    inner = ", ".join(parts)
    yield [(start, end, f"{whole[0]}{inner}{whole[-1]}")]

"""SB2xx, the body: what a model reads when it loads the skill.

Limits are those that the specification recommends. Imports ``document``, ``tokens`` and the hook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skillbook.lint import prose
from skillbook.lint.document import BAD_BYTE, Document, Remark
from skillbook.lint.rule import rule
from skillbook.lint.visible import quoted
from skillbook.tokens import DEFAULT, count_tokens

MOST_LINES = 500
MOST_TOKENS = 5000


def _first_line(document: Document) -> tuple[int, int]:
    start = document.body_start or 0
    lead = len(document.body) - len(document.body.lstrip())
    return document.line_span(document.place(min(start + lead, len(document.text)))[0])


@rule("SB201", "warning", "The body is not empty.", needs="body")
def _has_body(document: Document) -> Iterator[Remark]:
    if not document.body.strip():
        line = document.place(max((document.body_start or 0) - 1, 0))[0]
        yield document.say(
            "nothing follows the front matter; write what the model should do",
            *document.line_span(line),
        )


@rule("SB202", "warning", "The file has at most 500 lines.", needs="body")
def _few_lines(document: Document) -> Iterator[Remark]:
    if document.line_count > MOST_LINES:
        yield document.say(
            f"the file has {document.line_count:,} lines; up to {MOST_LINES} are recommended, so"
            " move details to files that the body names",
            *document.line_span(MOST_LINES + 1),
        )


@rule("SB203", "warning", "The body has at most 5,000 tokens.", needs="body")
def _few_tokens(document: Document) -> Iterator[Remark]:
    body = document.body
    if len(body.encode("utf-8", "surrogateescape")) <= MOST_TOKENS:
        return  # a token has at least one byte
    tokens = count_tokens(body.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    if tokens > MOST_TOKENS:
        cut = ""
        if len(body) > prose.MOST:
            cut = f" (other rules looked at its first {prose.MOST:,} characters)"
        yield document.say(
            f"the body has {tokens:,} tokens ({DEFAULT}); up to {MOST_TOKENS:,} are recommended, so"
            f" move details to files that the body names{cut}",
            *_first_line(document),
        )


@rule("SB204", "note", "Headings go down one level at a time.", needs="body")
def _heading_levels(document: Document) -> Iterator[Remark]:
    before = 0
    for heading in document.prose.headings:
        if before and heading.level > before + 1:
            yield document.say(
                f"a heading of level {heading.level} follows one of level {before}; use level"
                f" {before + 1}",
                heading.start,
                heading.end,
            )
        before = heading.level


_REPEATED = re.compile(
    r"\s*(?P<block>(?:```ya?ml[ \t]*\r?\n)?---[ \t]*\r?\n(?:[ \t]*\r?\n)*(?:name|description)[ \t]*:[^\n]*)"
)


@rule("SB205", "warning", "The front matter stands once, not in the body again.", needs="body")
def _front_matter_once(document: Document) -> Iterator[Remark]:
    found = _REPEATED.match(document.body)
    if found:
        start = (document.body_start or 0) + found.start("block")
        yield document.say(
            "the body starts with front matter again; remove the second one",
            *document.line_span(document.place(start)[0]),
        )


_PLACEHOLDERS = re.compile(
    r"\bTO[-_ ]?DO(?::|\]| -|\([^)\n]{1,40}\):)|: *\bTBD\b|\[TBD\]|^TBD\.?$|\bFIX[-_]?ME:|\bLorem ipsum dolor\b"
    r"|^(?-i:[*_]{0,3}(?:TODO|FIXME|TBD)[*_]{0,3}(?:[.:]|$))"
    r"|\[(?:your|insert|add|describe|fill in|replace)\b[^\]\n]{0,60}\]"
    r"|\bReplace (?:this|with) (?:text|section|placeholder|paragraph|description|your|with)\b"
    r"|\b(?:add|insert|put|write) (?:your|the) (?:content|text|instructions|description|steps) here\b",
    re.IGNORECASE,
)


@rule("SB206", "warning", "No placeholder text is left over.", needs="body")
def _no_placeholders(document: Document) -> Iterator[Remark]:
    named = (document.name or "").replace("-", " ")
    for piece in (*document.prose.words, *document.prose.html):
        if piece.text.strip().lower() == named:
            continue  # a heading that is the skill's own name, such as Tbd
        for found in _PLACEHOLDERS.finditer(piece.text):
            at = document.text.find(found[0], piece.start, piece.end)
            start = at if at >= 0 else piece.start
            if document.text.startswith("](", piece.end):
                continue  # the name of a link
            yield document.say(
                f"{quoted(found[0])} looks like text that waits to be written; write it, or remove it",
                start,
                start + len(found[0]),
            )


@rule("SB207", "warning", "The body is UTF-8.", needs="body")
def _is_utf8(document: Document) -> Iterator[Remark]:
    at = BAD_BYTE.search(document.text, document.body_start or 0)
    if at:
        yield document.say(
            f"the body is not UTF-8: byte 0x{ord(at[0]) - 0xDC00:02x}; a model reads U+FFFD in its"
            " place (save the file as UTF-8)",
            *at.span(),
        )

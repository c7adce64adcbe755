"""SB5xx, safety: what a reader may not see, and what reaches out. It says what is there, no more.

Imports ``document``, ``model`` and the rules' hook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from skillbook.lint import yaml_words
from skillbook.lint.document import Document, Remark
from skillbook.lint.finding import Repair
from skillbook.lint.lines import line_around
from skillbook.lint.rule import rule
from skillbook.lint.visible import name_of, quoted
from skillbook.model import DIRECTION, TAG_CHARACTERS, WITHOUT_WIDTH, joins
from skillbook.words import count

_ZERO_WIDTH = re.compile(WITHOUT_WIDTH)
_DIRECTION = re.compile(f"[{DIRECTION}]+")
_TAGS = re.compile(f"[{TAG_CHARACTERS}]+")
_REMOVABLE = frozenset("\u200b\u2060\ufeff")
_BLACK_FLAG = "\U0001f3f4"
_CANCEL = "\U000e007f"


def _named(characters: str) -> str:
    names = list(dict.fromkeys(map(name_of, characters)))
    return f"{', '.join(names[:4])}{' …' if len(names) > 4 else ''}" + (
        f", {len(characters):,} in a row" if len(characters) > 1 else ""
    )


@rule("SB501", "warning", "There are no characters without width.", needs="nothing")
def _no_zero_width(document: Document) -> Iterator[Remark]:
    text = document.text
    kept = list(_kept(document))
    for found in _ZERO_WIDTH.finditer(text):
        start, end = found.span()
        if start == 0 and found[0] == "\ufeff":
            continue  # the byte order mark, which SB602 tells of
        start += start == 0 and found[0][0] == "\ufeff"
        if joins(text, start, end):
            continue
        said = text[start:end]
        fix = Repair("remove what has no width", ((start, end, ""),))
        yield document.say(
            f"there is a character that no reader sees and a model does: {_named(said)}",
            start,
            end,
            fix=fix
            if set(said) <= _REMOVABLE and not any(one[0] <= start < one[1] for one in kept)
            else None,
        )
    for found, value in _escaped(document, _ZERO_WIDTH):
        if not joins(found.string, *found.span()):
            yield document.say(
                "an escape stands for a character that no reader sees and a model does:"
                f" {_named(found[0])}",
                *value,
            )


def _escaped(
    document: Document, characters: re.Pattern[str]
) -> Iterator[tuple[re.Match[str], tuple[int, int]]]:
    """Yields what stands in the name or the description by an escape of YAML's alone, and where."""
    for name in ("name", "description"):
        field = document.fields.get(name)
        if field is not None and field.text and field.style == '"':
            written = set(characters.findall(document.text, *field.value))
            for found in characters.finditer(field.text):
                if found[0] not in written:
                    yield found, field.value


def _kept(document: Document) -> Iterator[tuple[int, int]]:
    """Yields where nothing is repaired: a block with anchors, and values with a tag."""
    block = document.block
    if block and yaml_words.has_anchors(block):
        yield document.block_start, document.block_start + len(block)
    elif block and "!" in block:
        yield from (each.value for each in document.fields.values() if not each.bare)


@rule("SB502", "warning", "No character turns the direction of text.", needs="nothing")
def _no_direction(document: Document) -> Iterator[Remark]:
    for found in _DIRECTION.finditer(document.text):
        yield document.say(
            "there is a mark that changes the order in which the text around it is shown:"
            f" {_named(found[0])}",
            *found.span(),
        )
    for found, value in _escaped(document, _DIRECTION):
        yield document.say(
            "an escape stands for a mark that changes the order in which the text around it is"
            f" shown: {_named(found[0])}",
            *value,
        )


@rule("SB503", "warning", "No text is written in tag characters.", needs="nothing")
def _no_tags(document: Document) -> Iterator[Remark]:
    raw = ((found, found.span()) for found in _TAGS.finditer(document.text))
    for found, place in (*raw, *_escaped(document, _TAGS)):
        if (
            found.string.endswith(_BLACK_FLAG, 0, found.start())
            and found[0].endswith(_CANCEL)
            and len(found[0]) <= 8
        ):
            continue  # a flag, such as that of Scotland
        spelled = "".join(chr(ord(char) - 0xE0000) for char in found[0])
        yield document.say(
            f"{count(len(found[0]), 'tag character')}, which no reader sees,"
            f" spell{'s' * (len(found[0]) == 1)} {quoted(spelled, 200)}",
            *place,
        )


_ENVELOPE = re.compile(r"</?skill_(?:content|files)\b[^>\n]{0,200}>?")


@rule("SB504", "warning", "The body holds no tag of the envelope.", needs="body")
def _no_envelope_tags(document: Document) -> Iterator[Remark]:
    base = document.body_start or 0
    for found in _ENVELOPE.finditer(document.body):
        yield document.say(
            f"{quoted(found[0])} is a tag of the envelope that a model gets the body in; there it"
            " reads as the envelope's own",
            base + found.start(),
            base + found.end(),
        )


_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")


@rule("SB505", "note", "The body holds no raw HTML.", needs="body")
def _no_raw_html(document: Document) -> Iterator[Remark]:
    pieces = document.prose.html
    if pieces:
        names = list(
            dict.fromkeys(m[1] for piece in pieces for m in _TAG_NAME.finditer(piece.text))
        )
        told = ", ".join(f"<{name}>" for name in names[:6]) + (" …" if len(names) > 6 else "")
        yield document.say(
            f"there is raw HTML or a tag ({told or quoted(pieces[0].text)}); displays show it as text,"
            " a model reads it as it is",
            pieces[0].start,
            pieces[0].end,
        )


_IMG = re.compile(r"<img\b[^>]{0,300}?\bsrc\s*=\s*[\"']?(?:https?:)?//([^\"'\s/>]+)", re.IGNORECASE)


@rule("SB506", "warning", "Images lie in the skill.", needs="body")
def _no_remote_images(document: Document) -> Iterator[Remark]:
    for link in document.prose.links:
        host = _host(link.target) if link.image else ""
        if host:
            yield document.say(_remote(host), link.start, link.end)
    for piece in document.prose.html:
        for found in _IMG.finditer(piece.text):
            yield document.say(_remote(found[1]), piece.start, piece.end)


def _remote(host: str) -> str:
    return f"an image is loaded from {quoted(host)}, which learns who looks at it; put it into the skill"


def _host(target: str) -> str:
    if not re.match(r"(?:https?:)?//", target, re.IGNORECASE):
        return ""
    try:
        return urlsplit(target).hostname or "elsewhere"
    except ValueError:
        return "elsewhere"


_FETCH = r"(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b"
_SUDO = r"(?:sudo(?: +-\w+)* +)?(?:(?:/[\w.-]{1,40}){0,8}/)?(?:env +(?:-\w+ +)?)?(?:(?:/[\w.-]{1,40}){0,8}/)?"
_SHELL = rf"{_SUDO}(?:ba|z|da|k|fi)?sh\b"
_RUNNER = rf"(?:{_SHELL}|{_SUDO}(?:python[\d.]*|perl|ruby|node|php|iex|invoke-expression)\b)"
_TAKEN = r"(?:<<< *)?[\"']?(?:& *\{ *)?(?:<\(|\$\(|\(|`) *"
# What comes through the pipe is data where the program is given: by an option, or as a file.
_GIVEN = (
    r"(?! +(?:-\w+ +)*(?:-\w*c\b|[\w~$-]*[./]\w[\w./-]*))",
    r"(?! +(?:-\w+ +)*(?:-\w*[cmenpr]\b|[\w~$-]*[./]\w[\w./-]*))",
)
_PIPED = rf"(?:{_SHELL}{_GIVEN[0]}|(?!{_SHELL}){_RUNNER}{_GIVEN[1]}|{_RUNNER} +/dev/stdin)"
_FETCH_AND_RUN = re.compile(
    rf"{_FETCH}[^|]{{0,400}}\|(?:[^|;&]{{0,200}}\|){{0,3}}&? *{_PIPED}"
    rf"|(?:{_RUNNER}|eval|source|\.) *(?:-\w+ +|/dev/stdin +)?{_TAKEN}{_FETCH}.{{0,400}}"
    r"|(?:iex|invoke-expression)\b.{0,100}downloadstring.{0,300}"
    r"|downloadstring.{0,300}?\| *(?:iex|invoke-expression)\b",
    re.IGNORECASE,
)
_FETCHES = re.compile(r"curl|wget|iwr|irm|invoke-|downloadstring")
_CONTINUED = re.compile(r"[\\`]\r?\n|(?<=\|)[ \t]*\r?\n(?![ \t]*\|)")


@rule("SB507", "warning", "No command fetches a program and runs it at once.", needs="body")
def _no_fetch_and_run(document: Document) -> Iterator[Remark]:
    base = document.body_start or 0
    # A command that goes on in the next line is one; the places stay as they are.
    body = _CONTINUED.sub(lambda end: " " * len(end[0]), document.body)
    done = 0
    # Of all letters only the Turkish İ is longer in lower case; it must move no place.
    for word in _FETCHES.finditer(body.replace("İ", "i").lower()):
        if word.start() < done:
            continue
        start, end = line_around(body, word.start())
        done = end
        line = body[start:end]
        places = [found.span() for found in _FETCH_AND_RUN.finditer(line)] or _saved_and_run(line)
        for first, last in places:
            yield document.say(
                f"{quoted(line[first:last], 100)} fetches a program and runs it unread",
                base + start + first,
                base + start + last,
            )


_COMMAND = re.compile(r"[^;&|]+")
_FETCHED = re.compile(rf"(?:sudo +)?{_FETCH}", re.IGNORECASE)
_SAVES = re.compile(
    r"\bwget\b|(?<!\S)-\w*[oO]\b|--output|--remote-name|-outfile\b|>", re.IGNORECASE
)
_RUN = re.compile(rf"(?:{_RUNNER}|source|\.)(?: +-\S+)* +(\S+)|(?:sudo +)?(\S*/\S+)", re.IGNORECASE)


def _saved_and_run(line: str) -> list[tuple[int, int]]:
    """Returns where a line fetches a file and runs it by its name: ``curl x -o i.sh && sh i.sh``."""
    found: list[tuple[int, int]] = []
    saved: dict[str, int] = {}
    for command in _COMMAND.finditer(line[:_LONGEST]):
        text = command[0].strip(" \t`\"'()$")
        at = command.start() + len(command[0]) - len(command[0].lstrip())
        fetch = _FETCHED.search(text)
        if fetch:
            at += fetch.start()
            if _SAVES.search(text):
                saved |= dict.fromkeys(map(_last_name, text[fetch.end() :].split()), at)
            continue
        run = _RUN.match(text)
        name = _last_name(run[1] or run[2]) if run else ""
        if name and name in saved:
            found.append((saved[name], command.start() + len(command[0].rstrip(" \t`"))))
            saved = {}
    return found


_LONGEST = 10_000


def _last_name(word: str) -> str:
    """Returns the last part of a path or URL, without quotes."""
    return re.split(r"[/=>?]", word.strip("\"'`()"))[-1]


# Two characters of a script that is written without spaces count as a word.
_WORDS = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}|[^\W\d_]{2,}"
)


@rule("SB508", "warning", "No instructions stand in comments.", needs="body")
def _no_hidden_instructions(document: Document) -> Iterator[Remark]:
    for comment in document.prose.comments:
        if len(_WORDS.findall(comment.text)) < 3 or _FOR_TOOLS.match(comment.text):
            continue
        yield document.say(
            f"a comment, which no reader of the page sees and a model does, says {quoted(comment.text, 100)}",
            comment.start,
            comment.end,
        )


_FOR_TOOLS = re.compile(
    r"(?:markdownlint|prettier|textlint|cspell|vale|remark|eslint|spdx|copyright|toc|doctoc|dprint|rumdl|alex"
    r"|start of|end of|begin|end|generated|auto-?generated|this file (?:is|was) (?:auto-?)?generated)\b",
    re.IGNORECASE,
)

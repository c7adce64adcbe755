"""Usage lines: what the ``# Usage:`` comment of a script says of its arguments.

Standard library only. What cannot be understood for sure is never a reason to refuse a call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_MAX_USAGE = 300
_MAX_FORMS = 20
_CUT = "…"

_COMMENT = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%)[#/*;%!-]*(.*)")
_USAGE = re.compile(r"\s*usage\s*:(.*)", re.IGNORECASE)


def usage(head: bytes, name: str) -> str:
    """Returns the arguments in a ``# Usage:`` comment at a script's head, a form of a call a line.

    Where nothing follows on its line, the next line of the comment that says something holds the
    first form. The lines right below it are forms too where they name the script as it does. A line
    that ends with a backslash goes on in the next.

    Args:
        head: the first bytes of the script.
        name: the script's name.
    """
    opened = False
    forms: list[str] = []
    named = False
    begun = ""
    for line in head.decode("utf-8-sig", "replace").splitlines():
        comment = _COMMENT.match(line)
        if comment is None:
            if line.strip() or forms:  # the first line of code ends the head
                break
            continue
        text = comment[1].strip()
        if not opened:
            match = _USAGE.match(text)
            opened = match is not None
            text = match[1].strip() if match else ""
        elif begun:
            text = f"{begun} {text}"
        elif forms and not (_names(text, name) if named else text[:1] in tuple("<[")):
            break
        begun = text[:-1].rstrip() if text.endswith("\\") else ""
        if text and not begun and len(forms) < _MAX_FORMS:
            named = named or _names(text, name)
            forms.append(_arguments(text, name))
    if begun:
        forms.append(_arguments(begun, name))
    return "\n".join(dict.fromkeys(forms))


def has_usage(head: bytes) -> bool:
    """Returns whether :func:`usage` finds a ``# Usage:`` comment, be it one of no arguments."""
    for line in head.decode("utf-8-sig", "replace").splitlines():
        comment = _COMMENT.match(line)
        if comment is None and line.strip():
            return False  # the first line of code ends the head
        if comment and _USAGE.match(comment[1].strip()):
            return True
    return False


def _names(text: str, name: str) -> bool:
    """Returns whether a line starts with a script's name, an interpreter in front of it or not."""
    last = re.escape(name.rpartition("/")[2])
    return (
        re.match(rf"(?:or:?\s+)?(?:[^\s<\[]+\s+){{0,2}}?(?:\S*/)?{last}(?=\s|$)", text) is not None
    )


def _arguments(form: str, name: str) -> str:
    """Returns a usage line without the command in front of the arguments."""
    text = " ".join("".join(char if char.isprintable() else " " for char in form).split())
    last = name.rpartition("/")[2]
    named = re.search(rf"(?:^|[\s/]){re.escape(last)}(?=\s|$)", text)
    first = named or re.search(r"(?=[<\[(])|(?:^|(?<=\s))(?=-)", text)
    text = text[first.end() :].strip() if first else text
    return text if len(text) <= _MAX_USAGE else text[:_MAX_USAGE] + _CUT


# --- what a call must hold ---------------------------------------------------------------------

# What stands in quotes is one argument. A space right inside <> makes it two redirections.
_PLACE = re.compile(r"<(?!\s)[^<>]+(?<!\s)>")
_WORD = re.compile(rf"(?:\"[^\"]*\"|'[^']*'|{_PLACE.pattern}|\S)+")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_VALUED = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)[ =](?=<|[A-Za-z])")
_INNERMOST = (
    re.compile(r"\[[^\[\]]*\][.*+?]*"),
    re.compile(r"[({][^(){}]*[)}][.*+?]*"),
)


def required(form: str) -> tuple[str, ...]:
    """Returns the arguments that a form asks for by position: its ``<x>``, in order.

    Left out are those in square brackets or with ``?`` or ``*``, the values of options,
    alternatives in parentheses, and what comes after ``>``, a dash, or a word that follows one of
    them, for there prose begins. Of a form that cannot be understood for sure, none are.
    """
    text = form
    for pattern in _INNERMOST:  # first what is optional, then what is a choice or a group
        while (fewer := pattern.sub(_group, text)) != text:
            text = fewer
    outside = _PLACE.sub("", text)
    if form.endswith(_CUT) or re.search(r"[|;\[\](){}]|\bor\b", outside):
        return ()
    found: list[str] = []
    option = False
    for word in _WORD.findall(text):
        bare = _PLACE.sub("", word)
        if "<" in bare or ">" in bare or word in ("-", "--", "–", "—", "#", "&&"):
            break
        if not option and not word.startswith("-"):
            if word == bare and found:
                break
            if word != bare and word[-1] not in "?*":
                found.append(word)
        option = _OPTION.fullmatch(word) is not None
    return tuple(found)


def _group(match: re.Match[str]) -> str:
    """Returns what counts of a group: of parentheses without a choice and a repeat, all."""
    text = match[0]
    plain = text.startswith("(") and text.endswith(")") and "|" not in _PLACE.sub("", text)
    return text[1:-1] if plain else " "


def missing(form: str, args: Sequence[str]) -> tuple[str, ...]:
    """Returns the required arguments of a form that a call leaves out.

    Options that the form names are not counted, nor are their values; any other argument is.
    """
    valued = set(_VALUED.findall(form))
    flags = set(_OPTION.findall(_PLACE.sub("", form)))
    given = 0
    rest = iter(args)
    for arg in rest:
        if arg == "--":
            given += sum(1 for _ in rest)
        elif arg in valued:
            next(rest, None)
        elif arg.partition("=")[0] not in flags or not arg.startswith("-"):
            given += 1
    return required(form)[given:]

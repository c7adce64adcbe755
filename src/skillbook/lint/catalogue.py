"""SB4xx, choosing: whether a model can tell from the catalogue when to load the skill.

The wording that is looked for is English; a description in another script is not judged by it.
Imports ``document`` and the rules' hook.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from skillbook.lint.document import Document, Remark
from skillbook.lint.rule import rule
from skillbook.lint.visible import quoted

NEAR = 0.8
"""The share of words from which two descriptions are nearly the same."""

_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"\"[^\"]{0,300}\"|“[^”]{0,300}”|'[^']{0,300}'(?!\w)|`[^`]{0,300}`")
_WHEN = re.compile(
    r"\b(?:when(?:ever)?|if|use[sd]? (?:this|it|for|to|in|as|by|with|before|after|during|proactively|only|the)"
    r"|used? (?:for|to|in|when|by)|before|after|during|while|upon|for (?:tasks|requests|questions|use)"
    r"|triggers?|triggered|invoke[sd]?|activates?|consult|apply|in case|asks?|asked|mentions?|must be used|always use)\b",
    re.IGNORECASE,
)
_LONGEST_NAME = 64  # by the specification; a longer one has an error of its own
_FIRST_PERSON = re.compile(
    r"\bI(?:['’](?:m|ll|ve|d))?\b(?![/.&-]\w)|\b(?:my|we|our|us)\b", re.IGNORECASE
)


def _english(text: str) -> bool:
    """Returns whether a text is in Latin letters, and so may be judged by English words."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and sum(char.isascii() for char in letters) >= 0.9 * len(letters)


@rule("SB401", "warning", "A description says when to use the skill.")
def _says_when(document: Document) -> Iterator[Remark]:
    text = document.description
    if text and _english(text) and not _WHEN.search(text):
        yield document.say_field(
            "description",
            "the description does not say when to use the skill; add a sentence such as: Use when …",
        )


@rule("SB402", "warning", "A description speaks of the skill, not as it.")
def _third_person(document: Document) -> Iterator[Remark]:
    text = document.description
    if not text or not _english(text):
        return
    said = _QUOTED.sub("", _without_name(text, document.name))  # what a user may say is quoted
    found = next((m for m in _FIRST_PERSON.finditer(said) if m[0] != "US" and m[0] != "i"), None)
    if found:
        yield document.say_field(
            "description",
            f"the description says {quoted(found[0])}; write what the skill does, as in: Reads tables"
            " from PDF files",
            part=found[0],
        )


def _without_name(text: str, name: str | None) -> str:
    """Returns a text without the skill's own name, written with hyphens or with spaces."""
    if not name or len(name) > _LONGEST_NAME:
        return text
    written = r"[-\s]+".join(map(re.escape, name.split("-")))
    return re.sub(rf"(?<!\w){written}(?!\w)", "", text)


@rule("SB403", "warning", "A description says more than the name.")
def _more_than_name(document: Document) -> Iterator[Remark]:
    if document.name and document.description:
        name = _words(document.name)
        said = [word for word in _words(document.description) if word not in _EMPTY]
        if set(said) <= {*name, *(word + "s" for word in name)}:
            yield document.say_field(
                "description",
                "the description only repeats the name; say what the skill does and when to use it",
            )


_EMPTY = frozenset(
    ["a", "an", "the", "this", "skill", "for", "to", "of", "and", "with", "in", "on", "is"]
)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("_", " "))


def _described(documents: tuple[Document, ...]) -> list[tuple[Document, str]]:
    return [
        (document, " ".join(_words(document.description)))
        for document in documents
        if document.description
    ]


def _named(document: Document) -> str:
    return f"{quoted(document.name or '')} in {document.shown}"


@rule("SB404", "warning", "No two skills share a description.", needs="set")
def _own_description(documents: tuple[Document, ...]) -> Iterator[Remark]:
    first: dict[str, Document] = {}
    for document, words in _described(documents):
        other = first.setdefault(words, document)
        if other is not document and words:
            yield document.say_field(
                "description",
                f"the description is that of {_named(other)}; say what tells them apart",
            )


@rule("SB405", "note", "No two descriptions are nearly the same.", needs="set")
def _distinct_description(documents: tuple[Document, ...]) -> Iterator[Remark]:
    seen: dict[str, Document] = {}
    for document, words in _described(documents):
        seen.setdefault(words, document)
    texts = list(seen)
    for one, two, share in near_pairs([frozenset(text.split()) for text in texts]):
        yield seen[texts[two]].say_field(
            "description",
            f"{share:.0%} of the words of the description are those of {_named(seen[texts[one]])};"
            " say what tells them apart",
        )


def near_pairs(sets: list[frozenset[str]]) -> list[tuple[int, int, float]]:
    """Returns each set that shares at least :data:`NEAR` of its words (Jaccard) with one before it.

    Two such sets share one of the rarest words of each, so only those are compared (prefix
    filtering: Chaudhuri, Ganti and Kaushik, 2006); a set that is near another stands behind it, so
    that a thousand of one kind are not compared with each other.

    Returns:
        The number of the one before, the number of the set, and the share.
    """
    counts = Counter(word for words in sets for word in words)
    by_word: dict[str, list[int]] = {}
    pairs: list[tuple[int, int, float]] = []
    for number, words in enumerate(sets):
        rarest = sorted(words, key=lambda word: (counts[word], word))
        rarest = rarest[: len(words) - math.ceil(NEAR * len(words)) + 1]
        near = (0.0, 0)
        for other in sorted({one for word in rarest for one in by_word.get(word, ())}):
            common = len(words & sets[other])
            near = max(near, (common / (len(words) + len(sets[other]) - common), -other))
        if near[0] >= NEAR:
            pairs.append((-near[1], number, near[0]))
            continue
        for word in rarest:
            by_word.setdefault(word, []).append(number)
    return pairs


@rule("SB406", "warning", "No two skills have one name.", needs="set")
def _own_name(documents: tuple[Document, ...]) -> Iterator[Remark]:
    first: dict[str, Document] = {}
    for document in documents:
        if document.name:
            other = first.setdefault(document.name, document)
            if other is not document:
                yield document.say_field(
                    "name",
                    f"the name {quoted(document.name)} is that of {other.shown} too; a loader takes"
                    " one of them",
                )

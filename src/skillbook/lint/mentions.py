"""Which files no text mentions: the body, or a file that is mentioned itself.

A file is mentioned by its name, by its name without the ending, or by a folder that holds it, with
a slash and nothing behind it. Each text is taken apart once, so that the time grows with the texts
and not with texts times files. Imports nothing of ours.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

MOST_READ = 30_000_000
"""Characters of a skill's files that are looked through."""

_WORD = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_ASCII_WORD = re.compile(r"[\w-]+(?:\.[\w-]+)*", re.ASCII)
_PATH = re.compile(r"[\w.@/-]+")
_MOST_PARTS = 5
_MOST_FOLDERS = 8


def unmentioned(
    paths: Iterable[str], first: str, read: Callable[[str], str]
) -> tuple[list[str], bool]:
    """Returns the files that no text mentions, in their order, and whether all was looked at.

    Args:
        paths: the files, relative, with ``/``.
        first: the text to start from.
        read: returns the text of a file.
    """
    waiting = dict.fromkeys(paths)
    by_word: dict[str, list[str]] = {}
    for path in waiting:
        for key in _keys(path):
            by_word.setdefault(key, []).append(path)
    texts, left = [first], MOST_READ
    while texts and waiting:
        words = _words(texts.pop())
        for word in words & by_word.keys():
            for path in by_word[word]:
                if path in waiting and (word.endswith("/") or _parts(_stem(path)) <= words):
                    del waiting[path]
                    text = read(path)
                    left -= len(text)
                    if left < 0:
                        return list(waiting), False
                    texts.append(text)
    return list(waiting), True


def _stem(path: str) -> str:
    name = posixpath.basename(path)
    return name.rpartition(".")[0] or name


def _parts(stem: str) -> set[str]:
    """Returns the words that a text must hold to hold a stem: one, but for unusual names."""
    return {part for word in _WORD.findall(stem) for part in _runs(word, whole=True)}


def _keys(path: str) -> Iterator[str]:
    """Yields the words under which a file is looked up: one of its stem's, and its folders."""
    parts = _parts(_stem(path))
    if parts:
        yield max(sorted(parts), key=len)
    folder = posixpath.dirname(path)
    while folder:
        yield re.split(r"[^\w.@/-]", folder)[-1] + "/"
        folder = posixpath.dirname(folder)


def _runs(word: str, *, whole: bool = False) -> Iterator[str]:
    """Yields the parts of a word with dots in it, alone and joined, at most five together."""
    parts = word.split(".")
    if whole and len(parts) <= _MOST_PARTS:
        yield word
        return
    for start in range(len(parts)):
        for end in range(start + 1, min(start + (1 if whole else _MOST_PARTS), len(parts)) + 1):
            yield ".".join(parts[start:end])


def _words(text: str) -> set[str]:
    """Returns the words of a text that a file may be called by, and the folders, which end in /."""
    words = set(_WORD.findall(text))
    if not text.isascii():  # a name may stand in a sentence without spaces
        words.update(_ASCII_WORD.findall(text))
    found = {run for word in words for run in (_runs(word) if "." in word else (word,))}
    for path in set(_PATH.findall(text)):
        if "/" not in path:
            continue
        named = path.removesuffix(".") if path.endswith("/.") else path
        if named.endswith("/"):
            folders = named[:-1].split("/")
            for start in range(max(0, len(folders) - _MOST_FOLDERS), len(folders)):
                found.add("/".join(folders[start:]) + "/")
    return found

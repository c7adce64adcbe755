"""A skill's files: the tree with sizes, and the preview of one.

Pure but for the pictures that a Markdown file shows. This module imports ``markup``, ``tables``,
``markdown``, ``code`` and the facts.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping

from skillbook import frontmatter
from skillbook.display import code, markdown, words
from skillbook.display.facts import MOST_FILES, FileList
from skillbook.display.markup import Markup, element, join, note, problem
from skillbook.display.siblings import FileFacts
from skillbook.display.tables import folded
from skillbook.errors import FrontMatterError
from skillbook.model import SkillInfo

_DEPTH = 8


def tree(found: FileList) -> Markup:
    """Returns a skill's files as nested lists, folders first, with their sizes."""
    if found.problem:
        return problem(found.problem)
    parts = []
    shown = found.files[:MOST_FILES]
    if shown:
        parts.append(element("div", _folder(shown, found.sizes, "", 0), cls="tree"))
    else:
        parts.append(note("No files besides the SKILL.md."))
    if len(shown) < len(found.files):
        parts.append(note(f"{words.of(len(shown), len(found.files), 'files')}."))
    return join((*parts, *map(note, found.left_out)))


def _folder(paths: Iterable[str], sizes: Mapping[str, int], above: str, depth: int) -> Markup:
    """One level: ``above`` is the folder that the paths lie in, ending in ``/``."""
    folders: dict[str, list[str]] = {}
    files: list[str] = []
    for path in paths:
        first, slash, _ = path[len(above) :].partition("/")
        if slash and depth < _DEPTH:
            folders.setdefault(first, []).append(path)
        else:
            files.append(path)
    entries = [
        element(
            "li", element("code", f"{name}/"), _folder(below, sizes, f"{above}{name}/", depth + 1)
        )
        for name, below in folders.items()
    ]
    for path in files:
        size = element("span", f"{words.size(sizes[path])}", cls="note") if path in sizes else None
        entries.append(
            element("li", element("code", path[len(above) :]), " " if size else None, size)
        )
    return element("ul", *entries)


def preview(file: FileFacts, skill: SkillInfo | None = None) -> Markup:
    """Returns one file: rendered Markdown, coloured code, a picture, or how large it is.

    Args:
        file: the file as it was read.
        skill: the skill it belongs to, for the pictures that a Markdown file shows.
    """
    size = f", {words.size(file.size)}" if file.kind != "none" else ""
    parts = [element("p", element("strong", file.path), size), *map(note, file.notes)]
    if file.kind == "binary":
        parts.append(note(f"Binary, {words.count(file.size, 'byte')}."))
    elif file.picture:
        parts.append(element("p", element("img", src=file.picture, alt=f"The picture {file.path}")))
    elif file.kind == "text" and not file.text.strip():
        parts.append(note("Empty."))
    elif file.kind == "text" and file.path.lower().endswith((".md", ".markdown")):
        front, body = _front(file.text)
        if front:
            parts.append(
                folded("Front matter", code.highlight(front, language="yaml"), opened=True)
            )
        parts.append(markdown.render(body, skill, folder=posixpath.dirname(file.path)))
    elif file.kind == "text":
        parts.append(code.highlight(file.text, filename=file.path))
    return join(parts)


def _front(text: str) -> tuple[str, str]:
    """Splits off a file's front matter, which as Markdown would be a rule and a heading."""
    data = text.encode("utf-8", "replace")
    try:
        place = frontmatter.split(data)
    except FrontMatterError:
        return "", text
    if place is None:
        return "", text
    return data[place.start : place.end].decode(), data[place.body :].decode()

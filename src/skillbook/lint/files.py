"""SB3xx, the files: what the body names, what lies beside it, and the scripts.

References are relative to the skill's folder (specification, "File references"). Imports
``document``, ``near`` and the rules' hook.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote

from skillbook.lint.beside import MOST_FILES, Beside
from skillbook.lint.document import Document, Remark
from skillbook.lint.finding import Repair
from skillbook.lint.lines import LINE_END, line_around
from skillbook.lint.mentions import MOST_READ, unmentioned
from skillbook.lint.prose import Piece
from skillbook.lint.rule import rule
from skillbook.lint.visible import quoted
from skillbook.near import near

# --- what the body names -----------------------------------------------------------------------

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:|//")
_DRIVE = re.compile(r"[a-zA-Z]:[\\/]")
_TEMPLATE = re.compile(r"[{}<>*$|…]|\.\.\.")


class Named(NamedTuple):
    """A path that the body names.

    Attributes:
        path: relative, with ``/``, as it resolves.
        written: as written.
        start: where it stands.
        end: where it ends.
        exact: whether just ``written`` stands there.
        link: whether it is a link or an image, not a path in code or text.
    """

    path: str
    written: str
    start: int
    end: int
    exact: bool
    link: bool


def _links(document: Document) -> Iterator[Named]:
    for link in document.prose.links:
        written = re.split(r"[?#]", link.target, maxsplit=1)[0]
        if not written or (_SCHEME.match(written) and not _DRIVE.match(written)):
            continue
        if _TEMPLATE.search(written):
            continue  # a pattern, such as references/<topic>.md
        path = unquote(written).replace("\\", "/")
        end = link.start + len(written) if link.exact else link.end
        yield Named(path, written, link.start, end, link.exact, True)


_PATH = re.compile(
    r"(?<![\w/.:~$}-])(?<!\]\()(?:\./)?([\w@-][\w.@-]*)/(?:[\w.@-]+/)*[\w.@-]*\.\w{1,8}(?![\w/<>{}\[\]($-]|\*(?!\*))"
)
_RUNS = re.compile(
    r"^[ \t]*(?:\$ )?(?:(?:(?:uv run )?python[\d.]*|uv run|bash|sh|node|ruby|perl|Rscript)[ \t]+)?(?=(?:\./)?scripts/)",
    re.MULTILINE,
)
_AWAY = re.compile(
    r"(?:(?:\./)?(?:\.\./)+|/(?:etc|home|Users|root|opt|srv|mnt|usr)/|[A-Za-z]:[\\/])"
    r"(?:[\w.@+-]+[\\/]){0,9}[\w@+-][\w.@+-]*"
)
_FOLDERS = frozenset(("scripts", "references", "assets"))


def _mentions(document: Document) -> Iterator[Named]:
    """Yields paths in back quotes or plain text that start with a folder of the skill's."""
    beside = document.beside
    for piece in (*document.prose.codes, *document.prose.words):
        for found in _PATH.finditer(piece.text):
            folder = found[1]
            if (
                folder in _FOLDERS
                or (beside and folder in beside.folders)
                or (beside and beside.other_case(found[0]))
            ):
                yield _at(document, piece, found[0])
    for piece in document.prose.codes:
        if _AWAY.fullmatch(piece.text):
            yield _at(document, piece, piece.text)
    for piece in document.prose.shells:
        for run in _RUNS.finditer(piece.text):
            path = _PATH.match(piece.text, run.end())
            if path:
                start = piece.start + path.start()
                yield Named(path[0], path[0], start, start + len(path[0]), True, False)


def _at(document: Document, piece: Piece, path: str) -> Named:
    """Returns a path that a piece holds, where it stands."""
    start = document.text.find(path, piece.start, piece.end)
    exact = start >= 0
    start = max(start, piece.start)
    return Named(path, path, start, start + len(path), exact, False)


def _named(document: Document) -> list[Named]:
    """Returns the paths that the body names: those of its links, then those in its text."""
    if "named" not in document.shared:
        document.shared["named"] = [*_links(document), *_mentions(document)]
    named: list[Named] = document.shared["named"]
    return named


def _outside(path: str) -> bool:
    normal = posixpath.normpath(path)
    return (
        normal.startswith("../")
        or normal == ".."
        or path.startswith("/")
        or bool(_DRIVE.match(path))
    )


_MOST_HINTS = 50
"""Missing files of a document for which one of a near name is looked for."""

_MOST_NAMES = 2000
"""Names of files that are looked at for a hint."""


def _hint(document: Document, path: str) -> str:
    """Returns a hint at a file whose name is the same or near to a missing one's, or ``""``."""
    hints: dict[str, str] = document.shared.setdefault("hints", {})
    if path not in hints and document.beside is not None:
        if len(hints) >= _MOST_HINTS:
            return ""
        by_name: dict[str, str] = {}
        for file in document.beside.files:
            by_name.setdefault(posixpath.basename(file.path), file.path)
        by_name.pop("SKILL.md", None)
        names = islice(by_name, _MOST_NAMES)
        found = near(posixpath.basename(path), names, most=1, least=0.8)
        hints[path] = f"; is {quoted(by_name[found[0]], 100)} meant?" if found else ""
    return hints.get(path, "")


def _missing(document: Document, *, link: bool) -> Iterator[tuple[Named, str]]:
    """Yields what the body names, by a link or else, and is not there; and what to say of it."""
    beside = document.beside
    for named in _named(document):
        if (
            named.link is link
            and beside is not None
            and not _outside(named.path)
            and not beside.has(named.path)
            and beside.other_case(named.path) is None
        ):
            hint = _hint(document, named.path)
            yield named, f"{quoted(named.path, 100)}, which is not there{hint}"


@rule("SB301", "warning", "Each link leads to a file that is there.", needs="folder")
def _links_lead_somewhere(document: Document) -> Iterator[Remark]:
    for named, what in _missing(document, link=True):
        yield document.say(f"the link leads to {what}", named.start, named.end)


@rule("SB302", "warning", "Each path that the text names is there.", needs="folder")
def _paths_are_there(document: Document) -> Iterator[Remark]:
    told = {named.path for named in _named(document) if named.link}  # SB301 tells of these
    for named, what in _missing(document, link=False):
        if named.path not in told:
            told.add(named.path)
            yield document.say(f"the text names {what}", named.start, named.end)


@rule("SB303", "warning", "A path is written in the letters of its file.", needs="folder")
def _letter_case(document: Document) -> Iterator[Remark]:
    beside = document.beside
    for named in _named(document):
        if beside is None or _outside(named.path) or beside.has(named.path):
            continue
        others = beside.other_cases(named.path)
        if not others:
            continue
        fix = None
        other = others[0]
        new = ("./" if named.written.startswith("./") else "") + other
        plain = posixpath.normpath(named.written) == posixpath.normpath(named.path)
        if named.exact and plain and len(others) == 1:
            fix = Repair("write the path as the file is called", ((named.start, named.end, new),))
        yield document.say(
            f"{quoted(named.path, 100)} is called {quoted(other, 100)}; where letter case counts, it is"
            " not found",
            named.start,
            named.end,
            fix=fix,
        )


@rule("SB304", "warning", "Links, and paths in the text, stay in the skill.", needs="body")
def _links_stay_inside(document: Document) -> Iterator[Remark]:
    for named in _named(document):
        if _outside(named.path):
            said = "link leads to" if named.link else "text names"
            yield document.say(
                f"the {said} {quoted(named.path, 100)}, outside the skill's folder; who installs"
                " the skill does not have it",
                named.start,
                named.end,
            )


@rule("SB305", "note", "Files that the body names sit at most one folder deep.", needs="body")
def _one_level_deep(document: Document) -> Iterator[Remark]:
    told: set[str] = set()
    for named in _named(document):
        path = posixpath.normpath(named.path)
        if path in told or _outside(path) or path.count("/") < 2:
            continue
        if document.beside is not None and not document.beside.has(path):
            continue
        told.add(path)
        yield document.say(
            f"{quoted(path, 100)} sits {path.count('/')} folders deep; the specification recommends one",
            named.start,
            named.end,
        )


# --- what lies beside it -----------------------------------------------------------------------

STANDARD = re.compile(
    r"(?:licen[cs]e|copying|notice|readme|changelog|contributing|authors|security|code_of_conduct|citation"
    r"|__init__|conftest|requirements|pyproject|package|package-lock|uv|poetry|makefile|dockerfile|setup)\b",
    re.IGNORECASE,
)
"""Names of files that stand for themselves: nothing has to mention them."""


@rule("SB306", "note", "Each file is mentioned by the body, or by a file that is.", needs="folder")
def _files_are_mentioned(document: Document) -> Iterator[Remark]:
    beside = document.beside
    if beside is None:
        return
    if beside.cut:
        yield document.say(
            f"there are more than {MOST_FILES:,} files beside it; only so many were looked at"
        )
        return
    waiting, whole = unmentioned(
        [
            file.path
            for file in beside.files
            if not any(part.startswith(".") for part in file.path.split("/"))
            and not STANDARD.match(posixpath.basename(file.path))
            and file.path.lower() != "skill.md"
        ],
        "\n".join((document.text, *_reached(document, beside))),
        lambda path: _decoded(beside, path),
    )
    if not whole:
        yield document.say(
            f"the files beside it hold over {MOST_READ // 1_000_000} MB of text; which of them name"
            " which was not looked at further"
        )
        return
    by_folder: dict[str, list[str]] = {}
    for path in waiting:
        by_folder.setdefault(posixpath.dirname(path), []).append(path)
    for folder, paths in by_folder.items():
        if len(paths) > 3:
            yield document.say_file(
                folder or "SKILL.md",
                f"nothing mentions {len(paths):,} of the files here ({quoted(posixpath.basename(paths[0]))}"
                " is the first), so a model will not read them; name them in SKILL.md",
            )
            continue
        for path in paths:
            yield document.say_file(
                path, "nothing mentions this file, so a model will not read it; name it in SKILL.md"
            )


def _reached(document: Document, beside: Beside) -> Iterator[str]:
    """Yields the files that the body names in an encoding (``%20``) or in other letters."""
    for named in _named(document):
        if beside.has(named.path):
            yield posixpath.normpath(named.path)
        else:
            yield from beside.other_cases(named.path)


def _decoded(beside: Beside, path: str) -> str:
    data = beside.text(path) or b""
    return "" if b"\0" in data else data.decode("utf-8", "replace")


_SECRETS = re.compile(
    r"(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.netrc|\.pgpass|\.npmrc|\.htpasswd"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|credentials(?:\.json)?"
    r"|service[-_]account.*\.json)",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?!\s*(?:\.\.\.|[…<\[{*]|[xX]{3}))|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36,}\b"
    r"|\bgithub_pat_[A-Za-z0-9_]{50,}|\bsk-(?:ant-|proj-)[A-Za-z0-9_-]{20,}|\bxox[abprs]-[A-Za-z0-9-]{20,}"
    r"|\bAIza[0-9A-Za-z_-]{35}\b"
)


_KEY_STARTS = [
    "-----BEGIN",
    "AKIA",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "sk-ant-",
    "sk-proj-",
    "xox",
    "AIza",
]


@rule("SB310", "warning", "No secrets lie in the skill.", needs="folder")
def _no_secrets(document: Document) -> Iterator[Remark]:
    for file in document.beside.files if document.beside else ():
        if _SECRETS.fullmatch(posixpath.basename(file.path)):
            yield document.say_file(
                file.path,
                "a file of this name usually holds a secret, and who gets the skill gets it; remove it",
            )
    for at in _keys(document.text):
        yield document.say(_KEY_FOUND, at, at + 12)
    left = MOST_READ
    for file in document.beside.files if document.beside else ():
        if file.path == "SKILL.md" or file.size > min(left, MOST_SIZE):
            continue
        left -= file.size
        text = _decoded(document.beside, file.path) if document.beside else ""
        for at in _keys(text):
            start, end = line_around(text, at)
            number = len(LINE_END.findall(text, 0, at)) + 1
            yield document.say_file(
                file.path, _KEY_FOUND, line=number, text=text[start : min(end, at + 12)]
            )


_KEY_FOUND = "this looks like a secret key, and who gets the skill gets it; remove it"


def _keys(text: str) -> list[int]:
    """Returns where texts start that look like keys; those that say EXAMPLE are none."""
    if not any(start in text for start in _KEY_STARTS):
        return []
    return [found.start() for found in _KEYS.finditer(text) if "EXAMPLE" not in found[0]]


_LEFT_OVER = re.compile(
    r".*\.py[co]|\.DS_Store|Thumbs\.db|desktop\.ini|.*~|.*\.(?:swp|swo|orig|rej|bak|tmp)",
    re.IGNORECASE,
)


@rule("SB311", "warning", "No files that tools leave behind lie in the skill.", needs="folder")
def _no_left_overs(document: Document) -> Iterator[Remark]:
    beside = document.beside
    for path in beside.left_over if beside else ():
        yield document.say_file(path, "a tool left this folder behind; remove it")
    for file in beside.files if beside else ():
        if _LEFT_OVER.fullmatch(posixpath.basename(file.path)):
            yield document.say_file(file.path, "a tool left this file behind; remove it")


@rule("SB312", "warning", "No skill lies inside another.", needs="set")
def _not_nested(documents: tuple[Document, ...]) -> Iterator[Remark]:
    folders = {
        posixpath.dirname(document.location): document
        for document in documents
        if document.location and document.kind == "skill"
    }
    for folder, document in folders.items():
        above = posixpath.dirname(folder)
        while len(above) > 1 and above not in folders:
            above = posixpath.dirname(above)
        outer = folders.get(above)
        if outer is not None:
            yield document.say(
                f"it is nested inside skill {outer.folder_name} ({outer.shown}); most loaders do not"
                " find it there"
            )


MOST_SIZE = 1_000_000


@rule("SB313", "warning", "Each file has at most 1 MB.", needs="folder")
def _small_files(document: Document) -> Iterator[Remark]:
    for file in document.beside.files if document.beside else ():
        if file.size > MOST_SIZE:
            yield document.say_file(
                file.path,
                f"the file has {file.size / 1_000_000:.1f} MB; a model cannot read that much, and"
                " everyone who installs the skill loads it",
            )

"""References to GitHub repositories, and which of them are allowed.

Reads neither network nor disk; imports only the errors and secrets of kits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from skillbook.kits.errors import BadReferenceError
from skillbook.kits.secret import without_secrets

HOW = (
    "write owner/repo, owner/repo/path, owner/repo@ref or owner/repo/path@ref, or paste the web"
    " address of a repository, a folder or a file"
)

_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_REPO = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NOT_IN_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//")
_GITHUB = ("github.com", "www.github.com")
_RAW = "raw.githubusercontent.com"


@dataclass(frozen=True, slots=True)
class Reference:
    """One folder of one repository at one ref.

    Attributes:
        owner: the owner, as written.
        repo: the repository's name, as written.
        path: the folder in it, with ``/``; ``""`` for all of it.
        ref: a branch, tag or commit; None for the default branch.
        from_tree: whether it came from a web address of a folder or file, where a ref with
            slashes cannot be told from the path.
    """

    owner: str
    repo: str
    path: str = ""
    ref: str | None = None
    from_tree: bool = False

    @property
    def repository(self) -> str:
        """``owner/repo``."""
        return f"{self.owner}/{self.repo}"

    def __str__(self) -> str:
        path = f"/{self.path}" if self.path else ""
        return f"{self.repository}{path}" + (f"@{self.ref}" if self.ref else "")


def parse(text: Any, hosts: Iterable[str] = ()) -> Reference:
    """Returns the reference that a text names.

    Args:
        text: ``owner/repo[/path][@ref]``, or a web address of a repository, a tree or a file.
        hosts: names of hosts besides github.com whose web addresses are taken.

    Raises:
        BadReferenceError: when it names none; the message says how to write one.
    """
    if isinstance(text, Reference):
        return text
    if not isinstance(text, str) or not text.strip():
        raise BadReferenceError(f"the reference is {text!r}; {HOW}")
    given = text.strip()
    text = without_secrets(text)
    known = {*_GITHUB, *(host.lower() for host in hosts)}
    secure_shell = re.fullmatch(r"(?:ssh://)?git@([\w.-]+)[:/](.+)", given)
    if secure_shell:
        given = f"https://{secure_shell[1]}/{secure_shell[2]}"
    elif given.split("/")[0].lower() in {*known, _RAW}:
        given = f"https://{given}"
    if "://" in given:
        return _address(given, known)
    # An @ at the start of a folder's name (owner/repo/@scope/pkg) opens no ref.
    at = re.search(r"(?<!/)@", given)
    place = given[: at.start()] if at else given
    return _checked(place.strip("/").split("/"), given[at.end() :] if at else None, text)


def _address(address: str, known: set[str]) -> Reference:
    """Returns the reference that a web address names."""
    whole, address = address, without_secrets(address)
    try:
        parts = urlsplit(whole)
        host = (parts.hostname or "").lower()
    except ValueError:
        raise BadReferenceError(f"{address!r} is no web address; {HOW}") from None
    if parts.scheme not in ("http", "https") or host not in {*known, _RAW}:
        raise BadReferenceError(
            f"{address!r} is no address on {', '.join(sorted(known - {_GITHUB[1]}))}; {HOW}"
        )
    path = [unquote(part) for part in parts.path.split("/") if part]
    if host == _RAW:
        path[2:2] = ["blob"]
        if path[3:5] == ["refs", "heads"] or path[3:5] == ["refs", "tags"]:
            del path[3:5]
    if len(path) <= 2:
        return _checked(path, None, address)
    kind, rest = path[2], path[3:]
    if kind not in ("tree", "blob", "raw") or not rest:
        raise BadReferenceError(
            f"{address!r} is the address of {kind!r}, neither a repository, a folder nor a file; {HOW}"
        )
    below = rest[1:] if kind == "tree" else rest[1:-1]
    return _checked([*path[:2], *below], rest[0], address, from_tree=len(rest) > 1)


def _checked(parts: list[str], ref: str | None, text: str, *, from_tree: bool = False) -> Reference:
    if len(parts) < 2:
        raise BadReferenceError(f"{text!r} names no repository; {HOW}")
    owner, repo, *below = parts
    repo = repo.removesuffix(".git")
    if not _OWNER.fullmatch(owner):
        raise BadReferenceError(f"{owner!r} in {text!r} cannot be an owner on GitHub; {HOW}")
    if not _REPO.fullmatch(repo) or repo in (".", ".."):
        raise BadReferenceError(f"{repo!r} in {text!r} cannot be a repository on GitHub; {HOW}")
    for part in below:
        if part in ("", ".", "..") or re.search(r"[\x00-\x1f\x7f\\]", part):
            raise BadReferenceError(f"{part!r} in {text!r} cannot be a folder's name; {HOW}")
    if ref is not None and (
        not ref
        or _NOT_IN_REF.search(ref)
        or ref.startswith(("-", "/", "."))
        or ref.endswith(("/", ".", ".lock"))
    ):
        raise BadReferenceError(f"{ref!r} in {text!r} cannot be a branch, tag or commit; {HOW}")
    if below and below[-1] == "SKILL.md":  # the skill is its folder
        below.pop()
    return Reference(owner, repo, "/".join(below), None if ref == "HEAD" else ref, from_tree)


def patterns(allowed: Any) -> tuple[str, ...]:
    """Returns ``allowed_sources`` as checked patterns in lower case.

    Raises:
        TypeError: when it is neither text nor a list of texts.
        ValueError: when one is not ``*``, ``owner/*`` or ``owner/repo``.
    """
    if isinstance(allowed, str):
        allowed = (allowed,)
    if not isinstance(allowed, Iterable) or isinstance(allowed, (bytes, dict)):
        raise TypeError(
            f"allowed_sources is {allowed!r}; pass '*', 'owner/*', 'owner/repo' or a list"
        )
    checked = []
    for one in allowed:
        if not isinstance(one, str):
            raise TypeError(f"allowed_sources holds {one!r}; pass texts such as 'owner/*'")
        owner, slash, repo = one.strip().partition("/")
        if one.strip() != "*" and not (
            slash and _OWNER.fullmatch(owner) and (repo == "*" or _REPO.fullmatch(repo))
        ):
            raise ValueError(
                f"allowed_sources holds {one!r}; write '*' for all, 'owner/*' or 'owner/repo'"
            )
        checked.append(one.strip().lower())
    return tuple(checked)


def allowed(reference: Reference, sources: tuple[str, ...]) -> bool:
    """Returns whether checked patterns take a reference, without regard to letter case."""
    return any(
        one in ("*", f"{reference.owner.lower()}/*", reference.repository.lower())
        for one in sources
    )

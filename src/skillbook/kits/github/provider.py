"""``GitHubProvider``: kits from GitHub, imported once and kept.

Imports the other modules of this package, ``kit_folder``, the protocol and the records of kits.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from skillbook import progress
from skillbook.kits.errors import (
    NetworkError,
    NotAllowedError,
    NotImportedError,
    PathNotFoundError,
    SkillImportError,
)
from skillbook.kits.github import offered, references
from skillbook.kits.github.cache import Cache, Held
from skillbook.kits.github.http import DEFAULT_URL, Api
from skillbook.kits.github.references import Reference
from skillbook.kits.kit_folder import KitFolder, Origin
from skillbook.kits.protocol import Provider, Told, find_kit, warn_of
from skillbook.kits.records import Kit, Survey, some
from skillbook.kits.secret import EnvVariable, Secret
from skillbook.kits.words import said_skip
from skillbook.model import Notice, Root, Shown, SkillSkip
from skillbook.words import count

Heard = Callable[[int, int | None], None]
"""What hears of a download: the bytes of a piece, and of the whole or None."""


@dataclass(frozen=True, slots=True)
class ImportedSource(Shown):
    """A source that was imported from GitHub, and what it holds.

    Attributes:
        reference: what was imported, ``owner/repo[/path][@ref]``; also the name of its kit.
        repository: ``owner/repo``.
        ref: the branch, tag or commit that was asked for; None for the default branch.
        path: the folder in the repository; ``""`` for all of it.
        commit: the commit it stands at, or None where the archive did not say.
        skills: the full names of its skills.
        agents: the names of its agents.
        skipped: the files that gave no skill or agent, and why; what was left out among them.
        notices: what else was left out.
        from_cache: whether it was there already, so that nothing was downloaded.
    """

    reference: str
    repository: str
    ref: str | None
    path: str
    commit: str | None
    skills: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    skipped: tuple[SkillSkip, ...] = field(default=(), repr=False)
    notices: tuple[Notice, ...] = field(default=(), repr=False)
    from_cache: bool = False

    def __repr__(self) -> str:
        return f"<ImportedSource {self.sentence()}>"

    def sentence(self) -> str:
        """Returns what it is, in one or two sentences."""
        at = f"at commit {self.commit}" if self.commit else "at an unknown commit"
        parts = [f"{count(len(self.skills), 'skill')}: {some(list(self.skills)) or 'none'}"]
        if self.agents:
            parts.append(f"{count(len(self.agents), 'agent')}: {some(list(self.agents))}")
        if self.skipped:
            told = some([said_skip(skip) for skip in self.skipped], 5)
            parts.append(f"{len(self.skipped):,} skipped: {told}")
        if self.notices:
            parts.append(f"{len(self.notices):,} left out")
        cached = " It was in the cache; nothing was downloaded." if self.from_cache else ""
        return f"{self.reference} {at}, {'; '.join(parts)}.{cached}"

    def to_dict(self) -> dict[str, Any]:
        """Returns the record as a JSON-safe mapping."""
        return {
            "reference": self.reference,
            "repository": self.repository,
            "ref": self.ref,
            "path": self.path,
            "commit": self.commit,
            "skills": list(self.skills),
            "agents": list(self.agents),
            "skipped": [skip.to_dict() for skip in self.skipped],
            "notices": [notice.to_dict() for notice in self.notices],
            "from_cache": self.from_cache,
        }


class GitHubProvider(Shown, Provider):
    """Kits from GitHub: one for each source that was imported, and ``github`` to import more.

    A source is imported by one archive request, unpacked under caps, and kept in the cache; queries
    make no request. Its kit is named as its reference (``owner/repo``), its skills
    ``owner/repo:skill``, and they show the repository and the commit.

    The kit ``github`` holds the skills ``github:list``, ``github:remove`` and ``github:import``,
    which run. While ``allowed_sources`` is ``*`` there is no ``github:import``: a person's own code
    may import anything, a model may not.
    """

    def __init__(
        self,
        allowed_sources: str | Iterable[str] = "*",
        api_token: str | EnvVariable | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        base_url: str = DEFAULT_URL,
        client: Any = None,
        *,
        timeout: float = 30,
        max_bytes: int = 200_000_000,
        max_files: int = 15_000,
        max_ratio: int = 200,
        max_depth: int = 32,
    ) -> None:
        """Makes a provider; nothing is read or requested yet.

        Args:
            allowed_sources: what may be imported and is shown: ``*``, ``owner/*``, ``owner/repo``,
                one or a list, without regard to letter case. Checked before any request.
            api_token: a token as text, ``env("GITHUB_TOKEN")`` to read it when it is used, or None.
                It is sent to ``base_url``'s host alone, and stands in no repr, message or file.
            cache_dir: where imports are kept; None for the platform's cache folder.
            base_url: the API's address; another one for GitHub Enterprise.
            client: an ``httpx.Client`` to use; None makes one for each import.
            timeout: seconds without a byte after which our own client gives up.
            max_bytes: bytes that an archive, and what is unpacked of it, may have.
            max_files: files that may be unpacked.
            max_ratio: of unpacked to packed bytes.
            max_depth: of folders below each other.

        Raises:
            TypeError, ValueError: when an argument is of the wrong type or value.
        """
        self._allowed = references.patterns(allowed_sources)
        self._token = Secret(api_token)
        self._cache = Cache(cache_dir)
        self._api = Api(base_url, self._token, client, timeout)
        self._caps = {
            "bytes": _number("max_bytes", max_bytes),
            "files": _number("max_files", max_files),
            "ratio": _number("max_ratio", max_ratio),
            "depth": _number("max_depth", max_depth),
        }
        self._folders: dict[str, tuple[Held, KitFolder]] = {}
        self._lock = threading.Lock()
        self._told: Told = {}

    def __repr__(self) -> str:
        held = self._held()[0]
        at = "" if self._api.base == DEFAULT_URL else f", at {self._api.base}"
        offered = "offered to models" if self.offers_import else "not offered to models"
        sources = [str(one.reference) + (f" at {one.commit}" if one.commit else "") for one in held]
        return (
            f"<GitHubProvider: allowed {some(list(self._allowed)) or 'none'}, token {self.token}"
            f"{at}, github:import {offered}; {count(len(held), 'imported source')}"
            f"{': ' + some(sources) if sources else ''}>"
        )

    @property
    def allowed_sources(self) -> tuple[str, ...]:
        """What may be imported, in lower case."""
        return self._allowed

    @property
    def token(self) -> str:
        """Where the token comes from, never the token: ``none``, ``given``, or the variable."""
        return repr(self._token)

    @property
    def offers_import(self) -> bool:
        """Whether a model is offered ``github:import``: not while everything is allowed, or nothing."""
        return bool(self._allowed) and "*" not in self._allowed

    # --- importing -----------------------------------------------------------------------------

    def import_source(
        self, ref: str, *, update: bool = False, heard: Heard | None = None
    ) -> ImportedSource:
        """Imports a source: one archive request, or none where the cache has it.

        A progress bar shows after two seconds.

        Args:
            ref: ``owner/repo[/path][@ref]``, or a web address of a repository, a tree or a file.
            update: whether to download again what the cache has.
            heard: called, instead of a progress bar, with the bytes of each piece and of the whole
                where that is known; what it raises ends the import.

        Returns:
            What was imported. ``from_cache`` and its repr say when nothing was downloaded.

        Raises:
            SkillImportError: one of its kinds; the message says what to do. Nothing of the import
                is left behind, and what was in the cache stays.
        """
        with self._hiding():
            return self._imported(ref, update=update, heard=heard)

    @contextmanager
    def _hiding(self) -> Iterator[None]:
        """Takes the token, and what an address holds of keys, out of an error's message."""
        try:
            yield
        except SkillImportError as error:
            told: BaseException | None = error
            while isinstance(told, SkillImportError):  # a traceback shows what led to it too
                told.args = tuple(self._token.hidden_in(str(each)) for each in told.args)
                told = told.__cause__
            raise

    def _imported(self, ref: str, *, update: bool, heard: Heard | None) -> ImportedSource:
        reference = self._reference(ref)
        held = self._cache.held(reference)
        if held is not None and not update:
            return self._report(held, from_cache=True)
        try:
            self._download(reference, update=update, heard=heard)
        except SkillImportError as error:
            if held is not None or isinstance(error, NetworkError):
                error.args = (f"{error}. {self._said_cached(reference)}",)
            raise
        except OSError as error:
            said = error.strerror or type(error).__name__
            raise SkillImportError(f"{reference} cannot be written to the cache: {said}") from error
        held = self._cache.held(reference)
        if held is None:
            raise SkillImportError(
                f"{reference} was removed while it was imported; import it again"
            )
        return self._report(held)

    def _download(self, reference: Reference, *, update: bool, heard: Heard | None) -> None:
        from skillbook.kits.github import archive  # noqa: PLC0415 - tarfile, for an import alone

        caps = archive.Caps(**self._caps)
        with self._cache.room() as room:
            packed = room / "archive.tar.gz"
            shown = _progress(reference) if heard is None else nullcontext(heard)
            with open(packed, "wb") as out, shown as hears:
                self._api.download(
                    reference,
                    out,
                    most=caps.bytes,
                    follow_moves="*" in self._allowed,
                    heard=hears,
                )
            tree = room / "tree"
            unpacked = archive.unpack(str(packed), str(tree), reference.path, caps)
            held = Held(reference, unpacked.commit, str(tree), unpacked.left_out)
            kit = self._folder(held).kit()
            if not (kit.skills or kit.agents or kit.root_agent or kit.skipped):
                above = (
                    f"; it lies in a skill: import {replace(reference, path=unpacked.above)}"
                    if unpacked.above is not None
                    else ""
                )
                raise PathNotFoundError(f"there is no SKILL.md in {reference}{above}")
            self._cache.move_in(room, held, replace=update)

    def list_sources(self) -> list[ImportedSource]:
        """Returns what was imported and is allowed, in order; no request is made."""
        return [self._report(held, from_cache=True) for held in self._held()[0]]

    def remove_source(self, ref: str) -> ImportedSource:
        """Removes a source from the cache.

        Args:
            ref: the reference it was imported by.

        Returns:
            What was removed.

        Raises:
            NotImportedError: when it is not there; the message lists what is.
        """
        with self._hiding():
            return self._removed(ref)

    def _removed(self, ref: str) -> ImportedSource:
        reference = self._reference(ref)
        held = self._cache.held(reference)
        if held is not None:
            report = self._report(held, from_cache=True)
        elif self._cache.is_damaged(reference):
            place = (str(reference), reference.repository, reference.ref, reference.path)
            report = ImportedSource(*place, None, from_cache=True)
        else:
            raise NotImportedError(f"{reference} is not imported. {self._said_cached(reference)}")
        try:
            self._cache.remove(reference)
        except FileNotFoundError:  # another process did
            pass
        except OSError as error:
            said = error.strerror or type(error).__name__
            raise SkillImportError(f"{reference} cannot be removed: {said}") from error
        return report

    def _reference(self, ref: Any) -> Reference:
        """Returns the reference of a text, where it is allowed."""
        reference = references.parse(ref, [self._api.host])
        if not references.allowed(reference, self._allowed):
            raise NotAllowedError(
                f"{reference.repository} is not allowed; allowed_sources is"
                f" {', '.join(self._allowed) or 'empty'}"
            )
        return reference

    def _said_cached(self, reference: Reference) -> str:
        if self._cache.held(reference) is not None:
            return f"What was imported of {reference} before stays, and serves."
        names = [str(held.reference) for held in self._held()[0]]
        return f"Imported are: {some(names)}." if names else "Nothing is imported so far."

    def _report(self, held: Held, *, from_cache: bool = False) -> ImportedSource:
        kit = self._kit(held)
        reference = held.reference
        return ImportedSource(
            str(reference),
            reference.repository,
            reference.ref,
            reference.path,
            kit.metadata["commit"],
            tuple(skill.name for skill in kit.skills),
            tuple(agent.name for agent in (kit.root_agent, *kit.agents) if agent),
            kit.skipped,
            kit.notices,
            from_cache,
        )

    # --- kits ----------------------------------------------------------------------------------

    def list_kits(self) -> list[Kit]:
        """Returns the kit ``github`` and one for each source; warns of what gave none."""
        kits, notices = self._skillbook_survey()
        warn_of(kits, notices, self._told)
        return kits

    def get_kit(self, name: str) -> Kit:
        """Returns one kit, without reading the others; warns of its files that gave nothing.

        Raises:
            KitNotFound: when there is none; the message lists those that are there.
        """
        for held in self._held()[0]:
            if str(held.reference) == name:
                kit = self._kit(held)
                warn_of([kit], (), self._told)
                return kit
        return find_kit(self._skillbook_survey().kits, name)

    def _skillbook_survey(self) -> Survey:
        """Returns the kits as they are now, and notices of sources that cannot be read."""
        held, notices = self._held()
        kits = [self._kit(one) for one in held]
        with self._lock:
            there = {one.folder for one in held}
            self._folders = {key: value for key, value in self._folders.items() if key in there}
        return Survey([offered.own_kit(self), *kits], notices)

    def _held(self) -> tuple[list[Held], list[Notice]]:
        """Returns the sources that are allowed: others may share the cache."""
        held, notices = self._cache.all()
        return [one for one in held if references.allowed(one.reference, self._allowed)], notices

    def _kit(self, held: Held) -> Kit:
        while True:
            with self._lock:
                known = self._folders.get(held.folder)
                if known is None or known[0] != held:
                    known = held, self._folder(held)
                    self._folders[held.folder] = known
            kit = known[1].kit()
            if os.path.isdir(held.folder):
                return kit
            now = self._cache.held(held.reference)  # an update took the tree away while we read it
            if now is None or now == held:
                return kit
            held = now

    def _folder(self, held: Held) -> KitFolder:
        reference = held.reference
        root = Root(f"github:{reference}", held.folder)
        skipped: list[SkillSkip] = []
        notices: list[Notice] = []
        for path, why in held.left_out:
            place = os.path.join(held.folder, *path.split("/"))
            if os.path.basename(path) == "SKILL.md":
                skipped.append(SkillSkip(place, "unreadable", f"SKILL.md: {why}", root=root))
            else:
                notices.append(Notice(place, "left-out", why, root=root))
        origin = Origin(
            str(reference),
            "GitHubProvider",
            {
                "repository": reference.repository,
                "ref": reference.ref,
                "path": reference.path,
                "commit": held.commit,
            },
            reference.repository,
            held.commit,
            imported=True,
            skipped=tuple(skipped),
            notices=tuple(notices),
        )
        return KitFolder(root, origin, skills="")


def _number(what: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} is {value!r}; pass a whole number")
    if value < 1:
        raise ValueError(f"{what} is {value}; pass a number above 0")
    return value


@contextmanager
def _progress(reference: Reference) -> Iterator[Any]:
    """Gives a function that hears of each piece, and shows a bar after two seconds."""
    with progress.bar(desc=f"Importing {reference}", unit="B", unit_scale=True) as bar:

        def heard(piece: int, whole: int | None) -> None:
            bar.total = whole
            bar.update(piece)

        yield heard

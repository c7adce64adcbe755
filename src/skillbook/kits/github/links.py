"""The links of an archive, followed among its own members before anything is written.

Imports nothing of ours but the errors of kits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from skillbook.kits.errors import TooLargeError

_HOPS = 40
_ENDLESS = "\0"  # a path that nothing has

OUT = "it is a link that leads out of what was imported"
NOWHERE = "it is a link that leads nowhere"
ROUND = "it is a link to a folder around it"


class Links:
    """Follows links among a set of paths, all relative to one folder, with ``/``.

    Attributes:
        left_out: the links that stand for no file, each with the reason as a plain clause.
    """

    def __init__(
        self,
        files: Collection[str],
        folders: Iterable[str],
        links: Mapping[str, str],
        *,
        most: int,
    ) -> None:
        """Takes what there is.

        Args:
            files: the paths of files.
            folders: the paths of folders, as far as they are known.
            links: path to target, as written in the link.
            most: how many steps may be taken in all; links can multiply without measure.
        """
        self.files = files
        self.links = links
        self.most = most
        self.steps = 0
        self.left_out: list[tuple[str, str]] = []
        self.below: dict[str, dict[str, None]] = {"": {}}
        for path in folders:
            self._enter(path)
            self.below.setdefault(path, {})
        for path in sorted({*files, *links}):
            self._enter(path)

    def _enter(self, path: str) -> None:
        """Puts a path below the folders that lead to it."""
        while path:
            above, _, name = path.rpartition("/")
            names = self.below.setdefault(above, {})
            if name in names:
                break
            names[name] = None
            path = above

    def copies(self) -> Iterator[tuple[str, str]]:
        """Yields a path and the file it is a copy of, for each file that a link stands for."""
        for path in sorted(self.links):
            yield from self._link(path, path, ())

    def _link(self, link: str, path: str, chain: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Follows one link.

        Args:
            link: where the link lies.
            path: where what it stands for is wanted; the same, but below a link to a folder.
            chain: the folders that links led to on the way here.
        """
        self.steps += 1
        if self.steps > self.most:
            raise TooLargeError("the archive's links stand for too many files; raise max_files")
        real = self.real(link)
        if real is None:
            self.left_out.append((path, OUT))
        elif real in self.files:
            yield path, real
        elif real not in self.below:
            self.left_out.append((path, NOWHERE))
        elif real in chain or _inside(link, real) or _inside(path, real):
            self.left_out.append((path, ROUND))
        else:
            yield from self._folder(real, path, (*chain, real))

    def _folder(self, folder: str, path: str, chain: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for name in self.below[folder]:
            inner = f"{folder}/{name}" if folder else name
            if inner in self.links:
                yield from self._link(inner, f"{path}/{name}", chain)
            elif inner in self.files:
                yield f"{path}/{name}", inner
            else:
                yield from self._folder(inner, f"{path}/{name}", chain)

    def real(self, path: str) -> str | None:
        """Returns where a path leads when each link on the way is followed; None where out."""
        ahead = path.split("/")[::-1]
        done: list[str] = []
        hops = 0
        while ahead:
            part = ahead.pop()
            if part in ("", "."):
                continue
            if part == "..":
                if not done:
                    return None
                done.pop()
                continue
            target = self.links.get("/".join((*done, part)))
            if target is None:
                done.append(part)
                continue
            hops += 1
            if hops > _HOPS:
                return _ENDLESS
            if re.match(r"[/\\]|[A-Za-z]:", target):
                return None
            ahead += target.split("/")[::-1]
        return "/".join(done)


def _inside(path: str, folder: str) -> bool:
    return folder in ("", path) or path.startswith(folder + "/")

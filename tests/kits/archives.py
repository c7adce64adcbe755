"""Archives as GitHub makes them, and as nobody should.

Nothing here imports skillbook: a builder that shared code with what it tests could hide a fault.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable, Mapping
from typing import Any

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TOP = "o-r-0123456"

TYPES = {
    "dir": tarfile.DIRTYPE,
    "symlink": tarfile.SYMTYPE,
    "hardlink": tarfile.LNKTYPE,
    "fifo": tarfile.FIFOTYPE,
    "char": tarfile.CHRTYPE,
    "block": tarfile.BLKTYPE,
}


def tar(members: Iterable[Mapping[str, Any]], commit: str | None = None) -> bytes:
    """Returns a tar of members in the words of the case files.

    Args:
        members: mappings with ``name``, and ``text``, ``type``, ``target``, ``mode`` or ``pax``.
        commit: what git writes into the global header, or None for none.
    """
    out = io.BytesIO()
    headers = {"comment": commit} if commit else {}
    with tarfile.open(
        fileobj=out, mode="w", format=tarfile.PAX_FORMAT, pax_headers=headers
    ) as file:
        for member in members:
            if member.get("type") == "pax_global":
                out.write(tarfile.TarInfo.create_pax_global_header(member["pax"]))
                file.offset = out.tell()
                continue
            info = tarfile.TarInfo(member["name"])
            data = member.get("text", "")
            data = data.encode() if isinstance(data, str) else data
            info.type = TYPES.get(member.get("type", "file"), tarfile.REGTYPE)
            info.linkname = member.get("target", "")
            info.mode = int(member.get("mode", "755" if info.isdir() else "644"), 8)
            info.mtime = 1_700_000_000
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return out.getvalue()


def archive(members: Iterable[Mapping[str, Any]], commit: str | None = None) -> bytes:
    """Returns the same packed by gzip."""
    return gzip.compress(tar(members, commit), mtime=0)


def repository(files: Mapping[str, Any], *, commit: str | None = COMMIT, top: str = TOP) -> bytes:
    """Returns the archive that GitHub would make of a repository.

    Args:
        files: path to text, bytes, or a mapping as ``archive`` takes it.
        commit: the commit in its global header.
        top: the folder around everything.
    """
    members: list[dict[str, Any]] = [{"name": f"{top}/", "type": "dir"}]
    for path, value in files.items():
        more = value if isinstance(value, Mapping) else {"text": value}
        members.append({"name": f"{top}/{path}", **more})
    return archive(members, commit)


def zeros(head: bytes, size: int) -> bytes:
    """Returns ``head`` and ``size`` zero bytes packed by gzip, quickly: gzip may be concatenated."""
    step = 10_000_000
    piece = gzip.compress(b"\0" * step, mtime=0)
    assert size % step == 0
    return gzip.compress(head, mtime=0) + piece * (size // step)

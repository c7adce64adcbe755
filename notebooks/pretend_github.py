"""A stand-in for GitHub in ``03_providers.ipynb``: a server on this computer that gives archives.

It answers the one request that an import makes, ``GET /repos/OWNER/REPO/tarball``, with an archive
as GitHub makes it. Its repositories are made up, and only this computer can reach it.
"""

from __future__ import annotations

import io
import tarfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType


def _skill(name: str, description: str) -> str:
    """Returns the text of a small ``SKILL.md``."""
    return f"---\nname: {name}\ndescription: {description}\n---\nBody of {name}.\n"


REPOSITORIES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "coast/lights": {
            "README.md": "Skills for keepers.",
            "skills/lamp/SKILL.md": _skill("lamp", "Trims a lamp. Use at dusk."),
            "skills/lens/SKILL.md": _skill("lens", "Cleans a lens. Use on calm days."),
        },
        "coast/buoys": {"bell/SKILL.md": _skill("bell", "Tunes a bell buoy.")},
    }
)
"""The files of each repository: a path, and the text that lies there."""

COMMITS = MappingProxyType({"coast/lights": "5eaf00d" + "0" * 33, "coast/buoys": "b0a7" * 10})
"""The commit at which each repository stands."""


def archive(repository: str) -> bytes:
    """Returns what GitHub sends of a repository: all files below one folder, packed.

    Args:
        repository: its owner and name, such as ``coast/lights``.

    Raises:
        KeyError: when there is no such repository.
    """
    commit = COMMITS[repository]
    folder = f"{repository.replace('/', '-')}-{commit[:7]}"
    packed = io.BytesIO()
    # Git writes the commit into the archive's header; that is how an import knows it.
    with tarfile.open(fileobj=packed, mode="w:gz", pax_headers={"comment": commit}) as tar:
        for path, text in REPOSITORIES[repository].items():
            member = tarfile.TarInfo(f"{folder}/{path}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


class PretendGitHub:
    """A server that runs in the background until it is stopped.

    Attributes:
        url: where it listens, on this computer.
        requests: the paths that were asked for, in order.
    """

    def __init__(self) -> None:
        """Starts the server at a port that is free."""
        self.requests: list[str] = []
        requests = self.requests

        class Archives(BaseHTTPRequestHandler):
            """Answers with an archive, or says that there is none."""

            def do_GET(self) -> None:
                """Answers ``/repos/OWNER/REPO/tarball``, with or without a commit behind it."""
                requests.append(self.path)
                start, owner, name, what, *_ = f"{self.path.lstrip('/')}////".split("/")
                repository = f"{owner}/{name}"
                there = (start, what) == ("repos", "tarball") and repository in REPOSITORIES
                self.send_response(200 if there else 404)
                self.end_headers()
                self.wfile.write(archive(repository) if there else b'{"message": "Not Found"}')

            def log_message(self, *_: object) -> None:
                """Writes nothing: a notebook would show it as an error."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Archives)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stops the server, and gives its port back."""
        self._server.shutdown()
        self._server.server_close()

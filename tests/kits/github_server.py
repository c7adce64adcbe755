"""A server on loopback that speaks GitHub's archive API, well or badly.

Nothing here imports skillbook.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

KEY = "key-of-the-archive-host"


@dataclass
class Repository:
    """A repository as the server has it.

    Attributes:
        refs: archive by branch, tag or commit.
        default: the default branch.
        token: the token without which it is not there, or None.
    """

    refs: dict[str, bytes]
    default: str = "main"
    token: str | None = None


@dataclass
class FakeGitHub:
    """What the server has, how it misbehaves, and what it was asked.

    Attributes:
        repositories: by ``owner/repo`` in lower case.
        answers: by path: a status, headers and a body that are given instead.
        body: how the archive is sent: ``whole``, ``truncated``, ``chunked``, ``broken-chunks``,
            ``slow``, ``stalled``, ``cut`` (no length, and the end is missing).
        same_host: whether the archive lies on the API's own host.
        requests: each request's host, path, and its headers in lower case.
    """

    repositories: dict[str, Repository] = field(default_factory=dict)
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    body: str = "whole"
    same_host: bool = False
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    port: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """The API's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def archive_requests(self) -> int:
        """How often an archive was asked for at the API."""
        return sum("/tarball" in path for _, path, _ in self.requests)

    def has(self, name: str, archive: bytes, ref: str = "main", **more: object) -> None:
        """Puts a repository with one ref."""
        self.repositories[name.lower()] = Repository({ref: archive}, default=ref, **more)


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    protocol_version = "HTTP/1.1"
    github: FakeGitHub

    def log_message(self, *args: object) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        """Answers as the API or as the host of archives, by the path."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.github.requests.append((headers["host"].split(":")[0], self.path, headers))
        path = unquote(self.path.partition("?")[0])
        if path in self.github.answers:
            status, more, body = self.github.answers[path]
            self.send(status, body, **more)
        elif path.startswith("/codeload/"):
            self.archive(path, headers)
        else:
            self.api(path.strip("/").split("/"), headers)

    def api(self, parts: list[str], headers: dict[str, str]) -> None:
        """Answers ``/repos/owner/repo`` and ``/repos/owner/repo/tarball[/ref]``."""
        name = "/".join(parts[1:3]).lower()
        held = self.github.repositories.get(name)
        if held is None or (held.token and headers.get("authorization") != f"Bearer {held.token}"):
            self.send_json(404, {"message": "Not Found"})
        elif parts[3:4] == ["tarball"]:
            ref = "/".join(parts[4:]) or held.default
            if ref not in held.refs:
                self.send_json(404, {"message": "Not Found"})
                return
            host = "127.0.0.1" if self.github.same_host else "localhost"
            place = f"http://{host}:{self.github.port}/codeload/{name}/{ref}?token={KEY}"
            self.send(302, b"", Location=place)
        else:
            self.send_json(200, {"full_name": name, "default_branch": held.default})

    def archive(self, path: str, headers: dict[str, str]) -> None:
        """Sends an archive, well or badly."""
        _, _, owner, repo, *ref = path.split("/")
        data = self.github.repositories[f"{owner}/{repo}"].refs["/".join(ref)]
        how = self.github.body
        self.close_connection = True
        if how == "whole":
            self.send(200, data, **{"Content-Type": "application/x-gzip"})
            return
        self.send_response(200)
        if how in ("truncated", "slow", "stalled"):
            self.send_header("Content-Length", str(len(data)))
        elif how in ("chunked", "broken-chunks"):
            self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()
        half = len(data) // 2
        if how in ("truncated", "cut"):
            self.wfile.write(data[:half])
        elif how == "stalled":
            self.wfile.write(data[:half])
            self.wfile.flush()
            self.github.stop.wait(20)
        elif how == "slow":
            for start in range(0, len(data), max(1, len(data) // 10)):
                self.wfile.write(data[start : start + max(1, len(data) // 10)])
                self.wfile.flush()
                time.sleep(0.02)
        else:
            for piece in (data[:half], data[half:]):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                if how == "broken-chunks":
                    return
            self.wfile.write(b"0\r\n\r\n")

    def send_json(self, status: int, value: object, **headers: str) -> None:
        """Sends JSON."""
        self.send(status, json.dumps(value).encode(), **headers)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Sends a whole answer."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving() -> Iterator[FakeGitHub]:
    """Gives a server that runs while the block does."""
    github = FakeGitHub()
    handler = type("BoundHandler", (Handler,), {"github": github})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    github.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield github
    finally:
        github.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()

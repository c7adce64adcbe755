"""Secrets that are given or read from the environment, and shown nowhere.

This module imports nothing of ours.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r"[\x21-\x7e]+")
_LOOKS_LIKE_ONE = re.compile(r"(?<![A-Za-z0-9])(?:gh[pousr]|github_pat)_\w*")
_IN_ADDRESS = re.compile(r"(?<=://)[^\s/?#@]*@|(?<=\w)[?][^\s'\"]*")
_HIDDEN = "…"


def without_secrets(text: str, token: str | None = None) -> str:
    """Returns a message without a token, what looks like one, and what addresses hold of keys.

    Of a web address the name and password before its host go, and its query.
    """
    if token:
        text = text.replace(token, _HIDDEN)
    text = _LOOKS_LIKE_ONE.sub(_HIDDEN, text)
    return _IN_ADDRESS.sub(_HIDDEN, text) if "://" in text else text


@dataclass(frozen=True, slots=True)
class EnvVariable:
    """The name of an environment variable whose value is read when it is used.

    Attributes:
        name: the variable's name.
    """

    name: str

    def __repr__(self) -> str:
        return f"env({self.name!r})"


def env(name: str) -> EnvVariable:
    """Names an environment variable: its value is read when it is used, and shown nowhere.

    Args:
        name: the variable's name, such as ``GITHUB_TOKEN``.

    Raises:
        TypeError: when ``name`` is no text.
        ValueError: when it cannot be a variable's name (a value was passed, perhaps).
    """
    if not isinstance(name, str):
        raise TypeError(f"env got something of type {type(name).__name__}; pass a variable's name")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", name):
        raise ValueError("env got a text that is no variable's name; write env('GITHUB_TOKEN')")
    if _LOOKS_LIKE_ONE.match(name):
        raise ValueError(
            "env got what looks like a token itself; pass the name of the variable that holds it:"
            " env('GITHUB_TOKEN')"
        )
    return EnvVariable(name)


class Secret:
    """A token: given as text, named by :func:`env`, or none. It has no repr and is not saved."""

    __slots__ = ("_held",)

    def __init__(self, given: Any) -> None:
        """Takes a token.

        Args:
            given: text, what ``env`` gives, or None.

        Raises:
            TypeError: when it is none of these.
            ValueError: when the text cannot be a token. The text is in no message.
        """
        if not isinstance(given, (str, EnvVariable, type(None))):
            raise TypeError(
                f"api_token is of type {type(given).__name__}; pass text, env('GITHUB_TOKEN') or None"
            )
        if isinstance(given, str):
            given = checked(given, "api_token") if given.strip() else None
        self._held: str | EnvVariable | None = given

    def __repr__(self) -> str:
        if isinstance(self._held, EnvVariable):
            return repr(self._held)
        return "none" if self._held is None else "given"

    def __reduce__(self) -> Any:
        raise TypeError("a token is not saved; make the provider anew with env('GITHUB_TOKEN')")

    def hidden_in(self, text: str) -> str:
        """Returns a message without the token and its likes."""
        try:
            token = self.read()
        except ValueError:  # told where it is used
            token = None
        return without_secrets(text, token)

    def read(self) -> str | None:
        """Returns the token as it is now, or None where there is none.

        Raises:
            ValueError: when the variable's value cannot be a token.
        """
        if isinstance(self._held, EnvVariable):
            value = os.environ.get(self._held.name, "").strip()
            return checked(value, f"the variable {self._held.name}") if value else None
        return self._held


def checked(token: str, what: str) -> str:
    """Returns a token that can stand in a header.

    Raises:
        ValueError: when it cannot; the message does not hold it.
    """
    token = token.strip()
    if not _TOKEN.fullmatch(token):
        raise ValueError(f"{what} holds characters that no token has (white space, or no ASCII)")
    return token

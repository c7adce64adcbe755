"""What a script is given: its arguments and its environment, checked.

Imports ``errors``. Arguments come from a model: each is one item of a list, and none may turn into
code for an interpreter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from skillbook.errors import ScriptError

Environment = Literal["caller", "clean"]

# What a process needs to find its programs, its folders and its language. No keys, no tokens.
_CLEAN = re.compile(
    r"HOME|LANG|LANGUAGE|LC_\w+|LOGNAME|PATH|SHELL|TEMP|TERM|TMP|TMPDIR|TZ|USER"
    # and on Windows
    r"|APPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PATHEXT|PROGRAMDATA|SYSTEMDRIVE|SYSTEMROOT"
    r"|USERNAME|USERPROFILE|WINDIR",
    re.IGNORECASE,
)

# Variables that make an interpreter run or load code that is not the skill's; some of them hold
# code themselves (bash expands commands in BASH_ENV).
_LOADERS = re.compile(
    r"(?:LD|DYLD)_\w+|GCONV_PATH|OPENSSL_(?:CONF|ENGINES|MODULES)|BASH_ENV|BASHOPTS|PS4|SHELLOPTS|ZDOTDIR"
    r"|PYTHON(?:BREAKPOINT|HOME|PATH|PLATLIBDIR|PYCACHEPREFIX|STARTUP|USERBASE|WARNINGS)"
    r"|NODE_(?:OPTIONS|PATH)|PERL5?(?:DB|LIB|OPT)|RUBY(?:LIB|OPT)|GEM_(?:HOME|PATH)"
    r"|R_(?:ENVIRON|HOME|LIBS|PROFILE)\w*|JULIA_\w+|LUA_C?(?:INIT|PATH)\w*|PHPRC|PHP_INI_SCAN_DIR"
    r"|DOTNET_STARTUP_HOOKS|PSMODULEPATH",
    re.IGNORECASE,
)

_OURS = re.compile(r"SKILL_DIR|SKILLBOOK_USING_MCP", re.IGNORECASE)

# A shell may read the file that ENV names (POSIX, sh); as a plain word, such as "production", it is
# what many programs call their surroundings by.
_PLAIN = re.compile(r"[\w-]*")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def parse_args(given: Sequence[str] | None) -> tuple[str, ...]:
    """Returns the arguments of a script, one item each.

    Raises:
        ScriptError: for what is no list of text.
    """
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)):
        raise ScriptError(
            f"args is of type {type(given).__name__}; pass a list with one item an argument, such as"
            ' ["a b", "c"]'
        )
    for number, item in enumerate(given, 1):
        if not isinstance(item, str):
            raise ScriptError(
                f"item {number} of args is of type {type(item).__name__}; pass it as text"
            )
        _check_text(item, f"item {number} of args")
    return tuple(given)


def parse_envs(given: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    """Returns the variables that a call adds; their values appear in no message.

    Args:
        given: a list of ``KEY=VALUE``, or a mapping.

    Raises:
        ScriptError: for what is neither, for names that are none, for variables that make an
            interpreter load other code than the skill's (``LD_PRELOAD``, ``BASH_ENV`` …), and for
            ``SKILL_DIR`` and ``SKILLBOOK_USING_MCP``.
    """
    if given is None:
        return {}
    pairs: list[tuple[Any, Any]]
    if isinstance(given, Mapping):
        pairs = list(given.items())
    elif isinstance(given, (list, tuple)):
        pairs = [_pair(item) for item in given]
    else:
        raise ScriptError(
            f'envs is of type {type(given).__name__}; pass a list such as ["KEY=VALUE"]'
        )
    for number, (key, value) in enumerate(pairs, 1):
        if not isinstance(key, str) or not isinstance(value, str) or not _NAME.fullmatch(key):
            raise ScriptError(f'item {number} of envs is not "KEY=VALUE": a name, =, and any text')
        if _OURS.fullmatch(key):
            raise ScriptError(f"envs may not set {key}, which skillbook itself sets")
        if _LOADERS.fullmatch(key) or (key == "ENV" and not _PLAIN.fullmatch(value)):
            raise ScriptError(
                f"envs may not set {key}, which decides what code an interpreter loads; set it where"
                " the host is started"
            )
        _check_text(value, f"the value of {key} in envs")
    return dict(pairs)


def _pair(item: Any) -> tuple[Any, Any]:
    if not isinstance(item, str) or "=" not in item:
        return None, None
    key, _, value = item.partition("=")
    return key, value


def _check_text(text: str, what: str) -> None:
    """Refuses text that no process can be given."""
    try:
        encoded = os.fsencode(text)
    except UnicodeEncodeError:
        raise ScriptError(f"{what} holds half a surrogate pair, which is no text") from None
    if b"\0" in encoded:
        raise ScriptError(f"{what} holds a NUL character, which no process can be given")


def environment(
    folder: str, added: Mapping[str, str], env: Environment, *, over_mcp: bool
) -> dict[str, str]:
    """Returns the environment of a script.

    Args:
        folder: the skill's folder, for ``SKILL_DIR``.
        added: the variables that the call adds.
        env: ``caller`` for the whole environment of this process, ``clean`` for what any process
            needs.
        over_mcp: whether ``SKILLBOOK_USING_MCP`` is set.
    """
    mine = {
        key: value
        for key, value in os.environ.items()
        if key != "SKILLBOOK_USING_MCP" and (env == "caller" or _CLEAN.fullmatch(key))
    }
    # Output is read as UTF-8, and what was printed before a timeout must have left the process.
    mine |= {"PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
    mine |= {**added, "SKILL_DIR": folder}
    return mine | {"SKILLBOOK_USING_MCP": "TRUE"} if over_mcp else mine

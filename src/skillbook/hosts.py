"""Hosts: what each allows the list of skills to cost, and by which rule it keeps to that.

Every number is a host's default on the date it was read, with the public thread or source it was
read in; hosts move, so each is an argument of :func:`skillbook.budgets.budget`. Imports
``listings``, where the rules stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from skillbook import listings
from skillbook.listings import Fit, Numbers

READ = "November 2026"


@dataclass(frozen=True, slots=True)
class Host:
    """A host's rules for the list of skills.

    Attributes:
        name: what to call it, an argument of ``budget``.
        title: what people call it.
        overflow: what it does when the list is too long, in plain words.
        sources: where that was read.
        read: when.
        numbers: its numbers by the name of the argument that changes each.
        ranks: whether it keeps the skills that were used most.
        lists_when: whether ``when_to_use`` is listed behind the description.
        names_gone: whether the list itself names the skills that are gone.
        fit: the rule itself.
    """

    name: str
    title: str
    overflow: str
    sources: tuple[str, ...]
    numbers: Numbers
    fit: Fit = field(repr=False)
    ranks: bool = False
    lists_when: bool = False
    names_gone: bool = False
    read: str = READ


def limit(numbers: Numbers, context: int | None) -> tuple[int, str, str]:
    """Returns what a list may cost: how much, of what, and how that is reckoned.

    Args:
        numbers: a host's numbers.
        context: the size of the context window, in tokens; None where the host knows none.
    """
    if "chars" in numbers:
        return int(numbers["chars"]), "characters", "fixed"
    if context is None and "unknown_chars" in numbers:
        return int(numbers["unknown_chars"]), "characters", "fixed, the context being unknown"
    window = int(numbers["assumed_context"]) if context is None else context
    share = numbers["fraction"]
    # Rounded first: 0.29 * 100 is 28.999999999999996.
    tokens = int(round(window * share, 6))
    assumed = ", which are assumed" if context is None else ""
    how = f"{share:.10g} of {window:,} tokens of context{assumed}"
    if "least_tokens" in numbers:
        tokens = int(min(max(tokens, numbers["least_tokens"]), numbers["most_tokens"]))
        how += (
            f", at least {numbers['least_tokens']:,} and at most {numbers['most_tokens']:,} tokens"
        )
    if "chars_per_token" in numbers:
        each = numbers["chars_per_token"]
        chars = int(round(tokens * each if "least_tokens" in numbers else window * each * share, 6))
        return max(1, chars), "characters", f"{how}, {each:.10g} characters a token"
    return max(1, tokens), "tokens", how


_GITHUB = "https://github.com/"

_ALL = (
    Host(
        "claude-code",
        "Claude Code",
        "Every name stays. Descriptions are dropped whole, those of the least used skills first.",
        (
            f"{_GITHUB}melodic-software/claude-code-plugins/issues/1271",
            f"{_GITHUB}melodic-software/claude-code-plugins/issues/4076",
            f"{_GITHUB}DietrichGebert/ponytail/pull/746",
        ),
        {"fraction": 0.01, "chars_per_token": 4, "assumed_context": 200_000, "entry_chars": 1536},
        listings.claude_code,
        ranks=True,
        lists_when=True,
    ),
    Host(
        "claude-code-2025",
        "Claude Code, late 2025",
        "The list stops at the first skill that does not fit. A comment counts those left out.",
        tuple(f"{_GITHUB}anthropics/claude-code/issues/{n}" for n in (12782, 13099, 11045)),
        {"chars": 15_000, "overhead": 109},
        listings.claude_code_2025,
    ),
    Host(
        "codex",
        "Codex CLI",
        "Descriptions are handed out a character at a time over all skills, so that long ones end "
        "at the same length. If not even the names fit, all descriptions go and skills are left "
        "out; a warning counts them.",
        (
            f"{_GITHUB}openai/codex/pull/18213",
            f"{_GITHUB}openai/codex/issues/19679",
            f"{_GITHUB}openai/codex/issues/24299",
            f"{_GITHUB}redhat-et/ripwire/issues/49",
        ),
        {"fraction": 0.02, "unknown_chars": 8000, "entry_chars": 1024, "bytes_per_token": 4},
        listings.codex,
    ),
    Host(
        "copilot-cli",
        "Copilot CLI",
        "The list stops at the first skill that does not fit. A comment counts those left out.",
        tuple(f"{_GITHUB}github/copilot-cli/issues/{n}" for n in (2314, 1464, 1130)),
        {"chars": 15_000},
        listings.copilot,
    ),
    Host(
        "maka",
        "Apache Maka",
        "The list stops at the first skill that does not fit. Those left out are named in the "
        "prompt and stay loadable.",
        (f"{_GITHUB}apache/maka/pull/796",),
        {
            "fraction": 0.02,
            "least_tokens": 4000,
            "most_tokens": 8000,
            "chars_per_token": 4,
            "unknown_chars": 18_000,
        },
        listings.maka,
        names_gone=True,
    ),
    Host(
        "own",
        "A limit of one's own",
        "The whole prompt stays within the limit. Descriptions are dropped whole, those of the "
        "least used skills first; if not even the names fit, skills are left out.",
        (),
        {},
        listings.own,
        ranks=True,
        read="",
    ),
)

HOSTS: Mapping[str, Host] = {host.name: host for host in _ALL}
"""The hosts by name."""

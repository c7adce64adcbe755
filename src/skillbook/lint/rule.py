"""Rules: what one is, and the hook by which skillbook's own and users' rules register alike.

This module knows no rule. Imports ``finding``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from skillbook.lint.finding import SEVERITIES, Severity

Needs = Literal["nothing", "block", "fields", "body", "folder", "set"]

NEEDS: dict[Needs, str] = {
    "nothing": "runs on every document, whatever is wrong with it",
    "block": "runs where the front matter opens, closes and is UTF-8",
    "fields": "runs where the front matter gives fields, rescued ones too",
    "body": "runs where there is a body",
    "folder": "runs where the skill's folder is known",
    "set": "gets all documents that have fields, as a tuple, once",
}
"""What a rule may need, and when it then runs."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the checker.

    Attributes:
        id: letters and three digits; it never changes meaning.
        severity: ``error`` where the specification is broken, ``warning`` or ``note``.
        doc: what a skill should be, in one line.
        needs: what it needs to run, see :data:`NEEDS`.
        run: a callable from a :class:`~skillbook.lint.document.Document` (or a tuple of them, for
            a rule about a set) to the remarks that ``document.say`` and its like give.
    """

    id: str
    severity: Severity
    doc: str
    needs: Needs = "fields"
    run: Callable[[Any], Iterable[Any]] = field(repr=False, compare=False, default=lambda _: ())

    def to_dict(self) -> dict[str, str]:
        """Returns the rule as a JSON-safe mapping."""
        return {"id": self.id, "severity": self.severity, "doc": self.doc}


_RULES: dict[str, Rule] = {}
_ID = re.compile(r"[A-Z]+[0-9]{3}")
_OURS = re.compile(r"SB[0-9]{3}")


def rule(
    id: str,  # noqa: A002 - the word for it
    severity: Severity,
    doc: str,
    *,
    needs: Needs = "fields",
) -> Callable[[Callable[[Any], Iterable[Any]]], Callable[[Any], Iterable[Any]]]:
    """Registers a function as a rule of the checker.

    ::

        @sb.rule("TEAM001", "warning", "A skill names its owner.")
        def names_owner(skill):
            if "owner" not in (skill.meta.get("metadata") or {}):
                yield skill.say_field("name", "no owner is named; add it to metadata")

    Registering an id anew replaces the rule, so that a notebook's cell can run twice.

    Args:
        id: capital letters, then three digits; ``SB`` and three digits are skillbook's own.
        severity: ``error``, ``warning`` or ``note``.
        doc: what a skill should be, in one line.
        needs: what it needs to run, see :data:`NEEDS`.

    Raises:
        ValueError: when an argument is none of these, or the id is one of skillbook's own.
        TypeError: when what is registered is no function.
    """
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ValueError(f"{id!r} is no rule id; use capital letters and three digits: TEAM001")
    if severity not in SEVERITIES:
        raise ValueError(f"severity is {severity!r}; use {', '.join(SEVERITIES)}")
    if not isinstance(doc, str) or not doc.strip() or "\n" in doc:
        raise ValueError(f"the documentation of rule {id} is {doc!r}; say in one line what holds")
    if needs not in NEEDS:
        raise ValueError(f"needs is {needs!r}; use {', '.join(NEEDS)}")

    def register(run: Callable[[Any], Iterable[Any]]) -> Callable[[Any], Iterable[Any]]:
        if not callable(run):
            raise TypeError(f"the rule {id} is {run!r}; put @rule(…) above a function")
        ours = (getattr(run, "__module__", None) or "").startswith("skillbook.lint.")
        if _OURS.fullmatch(id) and not ours:
            raise ValueError(f"{id} is one of skillbook's own ids; use other letters than SB")
        _RULES[id] = Rule(id, severity, doc, needs, run)
        return run

    return register


def forget(id: str) -> None:  # noqa: A002 - the word for it
    """Takes a user's rule out again.

    Raises:
        KeyError: when there is no such rule.
    """
    if _OURS.fullmatch(id):
        raise KeyError(f"{id} is skillbook's own; switch it off with ignore=[{id!r}]")
    del _RULES[id]


def registered() -> tuple[Rule, ...]:
    """Returns the rules that are registered so far, by id."""
    return tuple(_RULES[name] for name in sorted(_RULES))

"""``fix``: makes the repairs that findings carry, and nothing else.

A repair is a change spliced into the text at places that the parser gave, so line ends, encoding,
order and comments stay as they are. Imports ``checker``, ``gather`` and ``saving``.
"""

from __future__ import annotations

import difflib
import os
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from skillbook import disk, saving
from skillbook.errors import SkillbookError, SkillNotFound
from skillbook.lint.checker import choose, repairable
from skillbook.lint.document import Document
from skillbook.lint.finding import Finding
from skillbook.lint.gather import MOST_BYTES, as_given, at, gather, is_text
from skillbook.lint.lines import Splice, spliced, whole_lines
from skillbook.lint.rule import Rule
from skillbook.lint.visible import visible
from skillbook.model import Shown, printable
from skillbook.words import count

_MOST_ROUNDS = 20
_MOST_IN_REPR = 20


@dataclass(frozen=True, slots=True, repr=False)
class Fix(Shown):
    """What repairs make of a document.

    Attributes:
        path: the file, as the user named it.
        before: its text as it was, with its own line ends.
        text: its text as it is now.
        fixed: the findings that were repaired, in the order of the repairs.
        saved: whether the new text was written.
        problem: why it could not be written, or ``""``.
    """

    path: str
    before: str = field(repr=False)
    text: str = field(repr=False)
    fixed: tuple[Finding, ...] = ()
    saved: bool = False
    problem: str = ""

    @property
    def changed(self) -> bool:
        """Whether the text is another one now."""
        return self.text != self.before

    @property
    def diff(self) -> str:
        """The change as a unified diff; what no eye can see is written out."""
        before, after = (
            [_plain(line) for line in whole_lines(text)] for text in (self.before, self.text)
        )
        path = visible(self.path)
        names = f"{path} (before)", f"{path} (after)"
        return "\n".join(difflib.unified_diff(before, after, *names, lineterm=""))

    @property
    def summary(self) -> str:
        """What was done, in words."""
        path = visible(self.path)
        if not self.fixed:
            return f"{path}: nothing to fix"
        if self.problem:
            return f"{path}: not fixed, since it could not be saved: {visible(self.problem)}"
        return f"{path}: {count(len(self.fixed), 'finding')} fixed, {'saved' if self.saved else 'not saved'}"

    def __repr__(self) -> str:
        rows = [f"<Fix: {self.summary}>"]
        rows += [
            f"  {each.rule}: {each.fix.title}" for each in self.fixed[:_MOST_IN_REPR] if each.fix
        ]
        if len(self.fixed) > _MOST_IN_REPR:
            rows.append(f"  … and {len(self.fixed) - _MOST_IN_REPR:,} more")
        return "\n".join(rows)

    def __str__(self) -> str:
        return "\n".join((f"{self.summary}.", *([self.diff] * self.changed)))

    def to_dict(self) -> dict[str, Any]:
        """Returns the fix as a JSON-safe mapping."""
        return {
            "path": self.path,
            "changed": self.changed,
            "saved": self.saved,
            "problem": self.problem,
            "fixed": [finding.to_dict() for finding in self.fixed],
            "diff": self.diff,
        }


def _plain(line: str) -> str:
    """Returns a line as a diff shows it: visible, and with a sign for a line end that is not usual."""
    shown = "\t".join(visible(part) for part in line.rstrip("\r\n").split("\t"))
    return shown + ("␍" if line.endswith(("\r", "\r\n")) else "")


def fix(
    what: str | os.PathLike[str],
    rules: str | Iterable[str] | None = None,
    dry_run: bool = True,
    *,
    folder: str | os.PathLike[str] | None = None,
) -> Fix:
    """Makes the safe repairs in one skill's ``SKILL.md``.

    Args:
        what: a skill's folder, a ``SKILL.md``, or a text (a ``str`` with a line end in it).
        rules: ids of the rules to repair for, or how they begin; None means all.
        dry_run: whether nothing is written. A text is never written anywhere.
        folder: for a text, the folder that it is, or will be, saved in.

    Returns:
        The new text and what was repaired. Fixing it again changes nothing more.

    Raises:
        SkillNotFound: when a path does not exist, or a folder holds no ``SKILL.md``.
        ChangedOnDisk: when the file changed between reading and writing; nothing is written.
        SkillbookError: when it cannot be written, or its folder cannot be read.
        TypeError: when ``what`` is neither a path nor a text, or a path comes with a folder.
        ValueError: when no rule has such an id.
    """
    if not isinstance(what, (str, os.PathLike)) or isinstance(os.fspath(what), bytes):
        raise TypeError(
            "fix takes the folder or the SKILL.md of one skill, or a text with a line end in it, not"
            f" {type(what).__name__}"
        )
    chosen = choose(rules)
    if is_text(what):
        document = next(iter(gather(what, folder)))
        text, fixed = _fixed(document, chosen)
        before, text = (as_given(each, os.fspath(what)) for each in (document.text, text))
        return Fix(document.shown, before, text, tuple(fixed))
    if folder is not None:
        raise TypeError("folder goes with a text only; a path says its folder itself")
    document = _on_disk(what)
    text, fixed = _fixed(document, chosen)
    save = bool(fixed) and not dry_run
    if save:
        _save(document, text)
    return Fix(document.shown, document.text, text, tuple(fixed), save)


def fix_all(
    what: str | os.PathLike[str],
    rules: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
) -> list[Fix]:
    """Makes and saves the safe repairs in every skill below a path; see :func:`fix`.

    Returns:
        The fixes of those that were changed, or could not be saved: ``problem`` says why.
    """
    chosen = choose(rules, ignore)
    fixes = []
    for document in gather(what):
        text, fixed = _fixed(document, chosen)
        if fixed:
            problem = ""
            try:
                _save(document, text)
            except SkillbookError as error:
                problem = printable(str(error))
            except OSError as error:
                problem = disk.words(error)
            done = Fix(document.shown, document.text, text, tuple(fixed), not problem, problem)
            fixes.append(done)
    return fixes


def _on_disk(what: str | os.PathLike[str]) -> Document:
    """Returns the one document that a path means."""
    path = os.fspath(what)
    if os.path.isdir(os.path.expanduser(path)):
        try:
            names = sorted(os.listdir(os.path.expanduser(path)))  # SKILL.md sorts first
        except OSError as error:
            raise SkillbookError(
                f"{printable(path)} cannot be read: {disk.words(error)}"
            ) from error
        file = next((name for name in names if name.lower() == "skill.md"), None)
        if file is None:
            raise SkillNotFound(
                f"there is no SKILL.md in {printable(path)}; pass the folder of one skill"
            )
        path = os.path.join(path, file)
    return at(path).places[0].read()


def _save(document: Document, text: str) -> None:
    before = _bytes(document.text)
    if len(before) > MOST_BYTES:
        raise SkillbookError(
            f"{document.shown} is over {MOST_BYTES // 1_000_000} MB, so it was not read whole; nothing"
            " was written"
        )
    if document.location is not None:
        saving.save(document.location, _bytes(text), expected=before)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _fixed(document: Document, chosen: tuple[Rule, ...]) -> tuple[str, list[Finding]]:
    """Repairs until there is nothing left to repair: one repair can lay the next one bare."""
    text = document.text
    fixed: list[Finding] = []
    for _ in range(_MOST_ROUNDS):
        made, splices = _compatible(repairable(document, chosen))
        if not made:
            break
        text = spliced(text, splices)
        fixed += made
        document = document.with_text(text)
    return text, fixed


def _compatible(findings: list[Finding]) -> tuple[list[Finding], list[Splice]]:
    """Returns findings whose repairs do not touch each other, and their splices."""
    made: list[Finding] = []
    splices: list[Splice] = []  # sorted
    for finding in findings:
        new = finding.fix.splices if finding.fix else ()
        if new and not any(_touches(one, splices) for one in new):
            made.append(finding)
            for one in new:
                insort(splices, one)
    return made, splices


def _touches(one: Splice, splices: list[Splice]) -> bool:
    """Returns whether a change meets one of those before it, which are sorted and do not meet."""
    at = bisect_left(splices, one)
    before, after = splices[max(at - 1, 0) : at], splices[at : at + 1]
    return any(one[0] <= other[1] and other[0] <= one[1] for other in (*before, *after))

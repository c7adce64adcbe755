r"""Texts that are being edited: what is on the disk, what is typed, and the steps between.

A draft outlives the widget that shows it: the kernel keeps one for each file, so a failed save or a
cell that is run again loses nothing. A front end shows line ends as ``\n``; :func:`seen` and
:func:`unseen` go there and back without touching the lines that were not edited. Imports ``saving``
and ``disk``; no widget.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable

from skillbook import disk, saving
from skillbook.errors import SkillReadError
from skillbook.lint.lines import LINE_END, Splice, spliced
from skillbook.model import printable

MOST_BYTES = 1_000_000
"""Bytes of a file that can be edited."""

MOST_STEPS = 500
"""Steps that can be undone."""

MOST_KEPT = 20_000_000
"""Characters of all steps together; the oldest are forgotten first."""

# The other surrogates stand for bytes that are not UTF-8, and are written as these bytes.
_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")

_OPEN: dict[str, Draft] = {}


def writable(text: str) -> str:
    """Returns a text that can be saved: half a character (a lone surrogate) becomes U+FFFD.

    Raises:
        TypeError: when it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"the text is of type {type(text).__name__}; pass a str")
    return text if text.isascii() else _HALF.sub("\ufffd", text)


class Draft:
    """One text that is being edited.

    Attributes:
        path: the absolute path of its file.
        base: the bytes that the file held when it was read or saved last; None for no file yet.
        kept: whether it was unsaved already when it was opened last.
        heard: called after each change and each save.
    """

    def __init__(self, path: str, base: bytes | None, text: str) -> None:
        self.path = path
        self.base = base
        self.kept = False
        self.heard: list[Callable[[], None]] = []
        self._steps = [text]
        self._at = 0
        self._run = ""
        self._place = 0

    @property
    def text(self) -> str:
        """The text as it is now, with its own line ends."""
        return self._steps[self._at]

    @property
    def data(self) -> bytes:
        """The bytes that would be saved."""
        return self.text.encode("utf-8", "surrogateescape")

    @property
    def unsaved(self) -> bool:
        """Whether the disk, as far as known, has another text."""
        return self.base is None or self.data != self.base

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back."""
        return self._at + 1 < len(self._steps)

    # --- changes -------------------------------------------------------------------------------

    def before(self, run: str) -> str:
        """Returns the text as it was before a run of changes, or as it is where none goes on."""
        return self._steps[self._at - 1] if run == self._run and self._at else self.text

    def change(self, text: str, run: str = "") -> None:
        """Sets another text, as a step that can be undone.

        Args:
            text: the whole text; half a character (a lone surrogate) becomes U+FFFD.
            run: changes of one run, one right after the other, are one step.

        Raises:
            TypeError: when it is no text.
        """
        text = writable(text)
        if text == self.text:
            return
        del self._steps[self._at + 1 :]
        if run and run == self._run and self._at:
            self._steps[self._at] = text
            if text == self._steps[self._at - 1]:  # typed and taken away again: no step at all
                del self._steps[self._at]
                self._at, run = self._at - 1, ""
        else:
            self._steps.append(text)
            while len(self._steps) > 2 and (
                len(self._steps) > MOST_STEPS or sum(map(len, self._steps)) > MOST_KEPT
            ):
                del self._steps[0]
            self._at = len(self._steps) - 1
        self._run = run
        self._tell()

    def typed(self, text: str) -> None:
        """Sets the text that was typed; letters typed one after the other are one step."""
        start, end, new = splice_between(self.text, text)
        goes_on = "\n" not in new and (
            start == end == self._place or (not new and end == self._place)
        )
        if self._run == "typing" and not goes_on:
            self._run = ""
        self.change(text, "typing")
        self._place = start + len(new)

    def undo(self) -> bool:
        """Takes the last step back; returns whether there was one."""
        return self._go(-1)

    def redo(self) -> bool:
        """Takes the last undone step again; returns whether there was one."""
        return self._go(1)

    def _go(self, step: int) -> bool:
        if not 0 <= self._at + step < len(self._steps):
            return False
        self._at += step
        self._run = ""
        self._tell()
        return True

    # --- the disk ------------------------------------------------------------------------------

    def save(self) -> None:
        """Writes the text, whole or not at all.

        Raises:
            ChangedOnDisk: when the file is not what it was when it was read.
            SkillbookError: when it cannot be written.
        """
        self.write(self.base)

    def write(self, over: bytes | None) -> None:
        """Writes the text over what is known to be on the disk.

        Args:
            over: those bytes; None where there is no file.

        Raises:
            ChangedOnDisk: when something else is there.
            SkillbookError: when it cannot be written.
        """
        folder = os.path.dirname(self.path)
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise SkillReadError(
                f"the folder {printable(os.path.basename(folder))} cannot be made:"
                f" {disk.words(error)}"
            ) from error
        data = self.data
        saving.save(self.path, data, expected=over)
        self.base = data
        self._run = ""
        self._tell()

    def on_disk(self) -> bytes | None:
        """Returns the bytes that are on the disk now; None for no file.

        Raises:
            SkillReadError: when there is something that cannot be edited.
        """
        return read(self.path)

    def take(self, theirs: bytes | None) -> None:
        """Takes the text that is on the disk; the step can be undone."""
        self.base = theirs
        self._run = ""
        self.change((theirs or b"").decode("utf-8", "surrogateescape"))
        self._tell()

    def _tell(self) -> None:
        for heard in list(self.heard):
            heard()


def read(path: str) -> bytes | None:
    """Returns the bytes of a text file that can be edited; None where there is no file.

    Raises:
        SkillReadError: when it cannot be read, is too large or is no text.
    """
    name = printable(os.path.basename(path))
    try:
        data = disk.read(path, MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        why = disk.words(error) if isinstance(error, OSError) else "its name is no file name"
        raise SkillReadError(f"{name} cannot be edited: {why}") from error
    if len(data) > MOST_BYTES:
        raise SkillReadError(f"{name} cannot be edited: it is over {MOST_BYTES // 1_000_000} MB")
    if b"\0" in data:
        raise SkillReadError(f"{name} cannot be edited: it holds a NUL, as no text does")
    return data


def opened(path: str, fresh: str = "") -> Draft:
    """Returns the draft of a file: the one that was not saved, or one read anew.

    Args:
        path: the absolute path of the file.
        fresh: the text where there is no file yet.

    Raises:
        SkillReadError: when the file cannot be edited.
    """
    key = os.path.realpath(path)
    draft = _OPEN.get(key)
    if draft is not None and draft.unsaved:
        draft.kept = True
        return draft
    data = read(path)
    text = fresh if data is None else data.decode("utf-8", "surrogateescape")
    if draft is None:
        draft = _OPEN[key] = Draft(path, data, text)
    else:
        draft.base = data
        draft.change(text)
    draft.kept = False
    return draft


def left(folder: str) -> list[str]:
    """Returns the files below a folder that are not saved, relative to it, sorted."""
    below = os.path.realpath(folder)
    return sorted(
        os.path.relpath(key, below).replace(os.sep, "/")
        for key, draft in _OPEN.items()
        if draft.unsaved and disk.inside(key, below) and key != below
    )


def let_go(draft: Draft) -> None:
    """Forgets a draft that nobody shows and that is saved."""
    if not draft.heard and not draft.unsaved:
        for key in [key for key, each in _OPEN.items() if each is draft]:
            del _OPEN[key]


def moved(draft: Draft, path: str) -> None:
    """Lets a draft follow its file to another path."""
    for key in [key for key, each in _OPEN.items() if each is draft]:
        del _OPEN[key]
    draft.path = path
    _OPEN[os.path.realpath(path)] = draft


# --- the text as a front end shows it ------------------------------------------------------------

_SURROGATE = re.compile("[\ud800-\udfff]")


def seen(text: str) -> str:
    r"""Returns a text as a front end shows it: line ends as ``\n``, odd bytes as U+FFFD."""
    return _SURROGATE.sub("\ufffd", LINE_END.sub("\n", text))


def unseen(text: str, shown: str) -> str:
    """Returns what an edit of the shown text makes of the text itself.

    Args:
        text: the text, with its own line ends.
        shown: what its shown form was made into.
    """
    start, end, new = splice_between(seen(text), shown)
    pairs = [found.start() - number for number, found in enumerate(re.finditer("\r\n", text))]
    found = LINE_END.search(text)
    new = _SURROGATE.sub("\ufffd", new).replace("\n", found[0] if found else "\n")
    places = (place + bisect_left(pairs, place) for place in (start, end))
    return spliced(text, [(next(places), next(places), new)])


def rebased(base: str, mine: str, now: str) -> str:
    """Returns an edit of one text made to another that grew from the same.

    Args:
        base: the text that was edited.
        mine: what the edit made of it.
        now: what it became meanwhile.

    Returns:
        Both changes where they lie apart; ``mine`` where they meet.
    """
    if base == now:
        return mine
    one, other = splice_between(base, mine), splice_between(base, now)
    if mine == now or one == other:
        return now
    if one[1] <= other[0] or other[1] <= one[0]:
        return spliced(base, [one, other])
    return mine


def splice_between(old: str, new: str) -> Splice:
    """Returns the one splice that makes one text of another."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    return start, len(old) - end, new[start : len(new) - end]


def _alike(one: str, other: str) -> int:
    """Returns how many characters two texts begin with in common."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # comparing slices is fast, also of a million characters
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

"""A session at each of its steps: what stands in the context, and what other ways would cost there.

Imports ``disclosure`` and ``comparison``; no display, no widget.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from skillbook.comparison import UP_FRONT, Comparison, compare
from skillbook.disclosure import Entry, Session


@dataclass(frozen=True, slots=True)
class Moment:
    """What a session holds at one step.

    Attributes:
        total: tokens in the context.
        count: how many messages have come so far.
        held: the places of the messages that stand in the context, in order.
        levels: tokens in the context by level; None is what the user said.
    """

    total: int
    count: int
    held: tuple[int, ...]
    levels: dict[int | None, int]


class Steps:
    """A session as it was when this was made; steps played since are not in it.

    Attributes:
        session: the session.
        entries: its messages.
        last: the number of the last step; 0 where nothing was played.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.entries: tuple[Entry, ...] = session.entries
        self.last = self.entries[-1].step if self.entries else 0
        self._given = dict(session.given)
        self._whole: Comparison | None = None

    def renewed(self) -> Steps:
        """Returns the steps as they are now.

        What was counted for the other ways holds on, unless texts were given since that stand in
        them, too.
        """
        now = Steps(self.session)
        if now._given == self._given:
            now._whole = self._whole
        return now

    def at(self, step: int) -> Moment:
        """Returns what stands in the context at a step; before the first, 0, nothing does."""
        held: dict[int, Entry] = {}
        count, total = 0, 0
        for place, entry in enumerate(self.entries):
            if entry.step > step:
                break
            count, total = place + 1, entry.total
            if entry.kind == "unload":
                held = {n: each for n, each in held.items() if each.skill != entry.skill}
            else:
                held[place] = entry
        levels: dict[int | None, int] = {}
        for entry in held.values():
            levels[entry.level] = levels.get(entry.level, 0) + entry.tokens
        return Moment(total, count, tuple(held), levels)

    def taken_out(self, place: int) -> tuple[Entry, ...]:
        """Returns the messages that an unloading takes out of the context."""
        step = self.entries[place].step
        kept = set(self.at(step).held)
        return tuple(self.entries[n] for n in self.at(step - 1).held if n not in kept)

    def first_of(self, step: int) -> int | None:
        """Returns the place of the first message of a step, or None."""
        return next((n for n, entry in enumerate(self.entries) if entry.step == step), None)

    @property
    def is_compared(self) -> bool:
        """Whether the other ways are counted."""
        return self._whole is not None

    def count_others(self) -> None:
        """Counts the other ways: reads every body and every file."""
        session = self.session
        self._whole = compare(
            session.source,
            session.counter,
            context=session.context,
            root=session.root,
            start=sum(entry.tokens for entry in self.entries if entry.step == 1),
            steps=0,
            said=0,
            given=self._given,
        )

    def comparison(self, step: int) -> Comparison | None:
        """Returns the session beside the other ways, after the same steps up to one.

        Returns:
            None where they are not counted; all zero before the first step.
        """
        if self._whole is None:
            return None
        if step < 1:
            nothing = tuple(replace(each, levels={}, steps=0) for each in self._whole)
            return replace(self._whole, arrangements=nothing)
        since = [entry for entry in self.entries if 1 < entry.step <= step]
        steps = sum(entry.tokens for entry in since)
        said = sum(entry.tokens for entry in since if entry.stays)
        ways = tuple(
            replace(each, steps=said if each.name == UP_FRONT else steps) for each in self._whole
        )
        return replace(self._whole, arrangements=ways)

"""Budgets: what a host's limit on the list of skills leaves of it, and what a change would do.

The rules stand in :mod:`skillbook.listings`. Imports ``hosts``, ``listings``, ``host_numbers``,
``frames``, ``tokens``, ``tool``, ``source`` and the records. Must not import displays or widgets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from numbers import Integral
from typing import Any

from skillbook import host_numbers, hosts
from skillbook.errors import SkillNotFound
from skillbook.frames import frame
from skillbook.hosts import Host
from skillbook.listings import Cost, Item, Listing, State
from skillbook.model import Shown, SkillInfo, cut, printable, visible
from skillbook.source import SkillInventory, SkillSource
from skillbook.tokens import CounterLike, as_counter
from skillbook.tool import not_found
from skillbook.words import count

STATES: tuple[State, ...] = ("whole", "cut", "name-only", "gone")
"""The states of a skill in a list, the best first."""


@dataclass(frozen=True, slots=True)
class BudgetEntry:
    """What a budget leaves of one skill.

    Attributes:
        name: the skill's name.
        state: ``whole``, ``cut``, ``name-only`` or ``gone``.
        text: as it is listed; ``""`` where it is gone.
        cost: what that takes of the budget, in its unit.
        full_cost: what it would take with room for all: whole, or as the host cuts any entry.
        description_cost: what its description takes of that: all that shortening it can free.
        shown: characters of its description that are listed.
        chars: characters of its description in all, with ``when_to_use`` where the host lists it.
    """

    name: str
    state: State
    text: str
    cost: int
    full_cost: int
    description_cost: int
    shown: int
    chars: int

    def to_dict(self) -> dict[str, Any]:
        """Returns the entry as a JSON-safe mapping."""
        names = [name for name in self.__slots__ if name not in ("name", "text")]
        texts = {"name": printable(self.name), "text": printable(self.text)}
        return {**texts, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, slots=True, repr=False)
class Budget(Shown):
    """What a host's limit leaves of a list of skills.

    Attributes:
        host: the host's rules, with where and when they were read.
        context: the size of the context window, in tokens; None where it is unknown.
        limit: what the list may take, in ``unit``.
        unit: ``characters`` or ``tokens``.
        measure: how the unit is counted: for tokens, by which counter.
        how: how the limit is reckoned, in plain words.
        numbers: the numbers used, by the name of the argument that changes each; where the rule
            counts in whole ones, what is behind the point does not count.
        used: what the list takes, in ``unit``.
        entries: what became of each skill, in the order of the prompt.
        undescribed: the skills without a description, which no list holds.
        not_here: the names in ``usage`` that no skill has.
        text: the list as the host writes it, its own word on what it left out included.
        needed: what the whole list would take, in ``unit``.
    """

    host: Host
    context: int | None
    limit: int
    unit: str
    measure: str
    how: str
    numbers: Mapping[str, float]
    used: int
    entries: tuple[BudgetEntry, ...]
    undescribed: tuple[str, ...]
    not_here: tuple[str, ...]
    text: str
    needed: int
    _items: tuple[Item, ...] = field(repr=False, compare=False)
    _usage: Mapping[str, float] = field(repr=False, compare=False)
    _cost: Cost = field(repr=False, compare=False)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the skills that are gone: a model cannot know of them.

        Unless the host names them itself, as Apache Maka does, see ``host.names_gone``.
        """
        return self._in("gone")

    @property
    def name_only(self) -> tuple[str, ...]:
        """The names of the skills whose description is dropped."""
        return self._in("name-only")

    @property
    def cut(self) -> tuple[str, ...]:
        """The names of the skills whose description is shortened."""
        return self._in("cut")

    @property
    def whole(self) -> tuple[str, ...]:
        """The names of the skills that are listed whole."""
        return self._in("whole")

    @property
    def by_state(self) -> dict[State, int]:
        """How many skills are in each state, the best state first."""
        counts = dict.fromkeys(STATES, 0)
        for entry in self.entries:
            counts[entry.state] += 1
        return counts

    @property
    def over(self) -> bool:
        """Whether the list takes more than the limit: names stay at some hosts, come what may."""
        return self.used > self.limit

    def amount(self, number: int) -> str:
        """Returns a number of the budget's unit, in words: ``1 token``, ``8,000 characters``."""
        return f"{number:,} {self.unit.removesuffix('s') if number == 1 else self.unit}"

    def _in(self, state: State) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries if entry.state == state)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[BudgetEntry]:
        return iter(self.entries)

    def __getitem__(self, name: str) -> BudgetEntry:
        """Returns what became of the skill of that name.

        Raises:
            TypeError: when the name is no text.
            SkillNotFound: when the list has no such skill.
        """
        if not isinstance(name, str):
            raise TypeError(f"name is {name!r}; pass the name of a skill")
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise SkillNotFound(not_found(name, {entry.name: None for entry in self.entries}))

    def __repr__(self) -> str:
        told = ", ".join(f"{number:,} {state}" for state, number in self.by_state.items() if number)
        return (
            f"<Budget at {self.host.title}: {self.used:,} of {self.amount(self.limit)}, "
            f"{count(len(self), 'skill')}: {told or 'none'}>"
        )

    def prompt(self, *, note: bool = True) -> str:
        """Returns the list as the host writes it, and names what is missing.

        Args:
            note: whether a last line of ours names the skills that are gone, where the host does
                not name them itself. It is not counted. False gives just what a model would get,
                which a limit of one's own holds for.
        """
        if not note or not self.missing or self.host.names_gone:
            return self.text
        names = ", ".join(name.replace(">", "&gt;") for name in self.missing)
        return f"{self.text}\n<!-- Left out: {names} -->".lstrip("\n")

    def shorten(self, name: str, to: int | str) -> Change:
        """Returns what shortening one description would free, and what that would bring back.

        Args:
            name: the skill.
            to: a new description, with which a ``when_to_use`` stays; or how many characters to
                keep of what ``chars`` counts. With none, the name alone is left.

        Raises:
            SkillNotFound: when the list has no such skill.
            TypeError, ValueError: when ``to`` is neither a text nor a number from 0.
        """
        self[name]
        if isinstance(to, bool) or not isinstance(to, (Integral, str)):
            raise TypeError(f"to is {to!r}; pass a description, or how many characters to keep")
        if not isinstance(to, str) and to < 0:
            raise ValueError(f"to is {to}; pass how many characters to keep, from 0")

        def changed(item: Item) -> Item:
            if item.name != name:
                return item
            if isinstance(to, str):
                return replace(item, description=_with_when(_line(to), item.when))
            whole = to >= len(item.description)
            return replace(item, description=item.description[:to], when=item.when if whole else "")

        return Change(self, self._with(tuple(map(changed, self._items))), name)

    def add(self, name: str, description: str) -> Change:
        """Returns what a new skill would take, and what it would push out.

        Where a host lists places, the new skill is taken to lie beside the first one.

        Args:
            name: the new skill's name.
            description: its description.

        Raises:
            TypeError: when one of these is no text.
            ValueError: when one of these is blank, or the list has a skill of that name.
        """
        for what, value in (("name", name), ("description", description)):
            if not isinstance(value, str):
                raise TypeError(f"{what} is {value!r}; pass it as text")
            if not value.split():
                raise ValueError(f"{what} is {value!r}; no list holds a skill without one")
        name = _line(name)
        if any(item.name == name for item in self._items):
            raise ValueError(f"there is a skill named {name!r}; use shorten to change it")
        location = _beside(self._items[0].location, name) if self._items else ""
        items = (*self._items, Item(name, _line(description), location=location))
        after = replace(
            self._with(tuple(sorted(items, key=lambda item: item.name))),
            undescribed=tuple(each for each in self.undescribed if printable(each) != name),
            not_here=tuple(each for each in self.not_here if each != name),
        )
        return Change(self, after, name)

    def _with(self, items: tuple[Item, ...]) -> Budget:
        """Returns the same budget over other skills."""
        listing = self.host.fit(items, self.limit, self._cost, self.numbers, self._usage)
        return replace(self, _items=items, **_outcome(items, listing))

    def to_dict(self) -> dict[str, Any]:
        """Returns the budget as a JSON-safe mapping, with where its numbers were read."""
        return {
            "host": self.host.name,
            "title": self.host.title,
            "sources": list(self.host.sources),
            "read": self.host.read,
            "overflow": self.host.overflow,
            "numbers": dict(self.numbers),
            "context": self.context,
            "limit": self.limit,
            "unit": self.unit,
            "measure": self.measure,
            "how": self.how,
            "used": self.used,
            "needed": self.needed,
            "entries": [entry.to_dict() for entry in self.entries],
            "undescribed": [printable(name) for name in self.undescribed],
            "not_here": [printable(name) for name in self.not_here],
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a skill.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        columns = [*(each.name for each in fields(BudgetEntry)), "unit"]
        return frame(({**entry.to_dict(), "unit": self.unit} for entry in self.entries), columns)


@dataclass(frozen=True, slots=True, repr=False)
class Change(Shown):
    """What one change to the list of skills would do under a budget.

    Attributes:
        before: the budget as it is.
        after: the budget after the change.
        name: the skill that is changed or added.
    """

    before: Budget
    after: Budget
    name: str

    @property
    def freed(self) -> int:
        """What the change frees of the whole list, in the budget's unit; below 0 it takes."""
        return self.before.needed - self.after.needed

    @property
    def better(self) -> tuple[str, ...]:
        """The other skills of which more is listed than before."""
        return self._moved(1)

    @property
    def worse(self) -> tuple[str, ...]:
        """The other skills of which less is listed than before: what the change pushes out."""
        return self._moved(-1)

    def _moved(self, way: int) -> tuple[str, ...]:
        old = {entry.name: entry for entry in self.before.entries}
        names = []
        for new in self.after.entries:
            was = old.get(new.name)
            if was is None or new.name == self.name:
                continue
            states = STATES.index(was.state), STATES.index(new.state)
            now, before = (-states[1], new.shown), (-states[0], was.shown)
            if (way > 0 and now > before) or (way < 0 and now < before):
                names.append(new.name)
        return tuple(names)

    def __repr__(self) -> str:
        verb = "frees" if self.freed >= 0 else "takes"
        state = self.after[self.name].state
        told = [f"{cut(visible(self.name))} is {state}"]
        for names, what in ((self.better, "more"), (self.worse, "less")):
            if names:
                shown = ", ".join(cut(visible(each)) for each in names[:10]) + (
                    f" … and {len(names) - 10:,} more" * (len(names) > 10)
                )
                told.append(f"{what} is listed of {shown}")
        return f"<Change {verb} {self.before.amount(abs(self.freed))} of the whole list; {'; '.join(told)}>"

    def to_dict(self) -> dict[str, Any]:
        """Returns the change as a JSON-safe mapping."""
        return {
            "name": printable(self.name),
            "freed": self.freed,
            "unit": self.before.unit,
            "state": self.after[self.name].state,
            "better": [printable(name) for name in self.better],
            "worse": [printable(name) for name in self.worse],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
        }


def budget(
    source: SkillSource | SkillInventory,
    host: str | None = None,
    context: int | None = 200_000,
    *,
    chars: int | None = None,
    tokens: int | None = None,
    usage: Mapping[str, float] | None = None,
    counter: CounterLike = None,
    **numbers: float,
) -> Budget:
    """Returns what a host's limit on the list of skills leaves of each.

    Skills are taken in the order of the prompt, by name. What a host writes around its list is
    not counted, nor are folders that a host puts before others. Codex lists where each skill lies:
    that is the folder as it was typed, so a longer path takes more.

    Args:
        source: a source, or an inventory.
        host: ``claude-code`` (what is meant without a limit of one's own), ``claude-code-2025``,
            ``codex``, ``copilot-cli``, ``maka``, or ``own``: the form of ``source.prompt()``,
            which is meant where ``chars`` or ``tokens`` is given and no host.
        context: the size of the context window, in tokens; None where the host knows none.
        chars: a limit in characters, in place of the host's.
        tokens: a limit in tokens, in place of the host's.
        usage: how often each skill was used, by name, where the host ranks by use; any score from
            0 will do. Others count as never used.
        counter: what counts tokens under a limit in ``tokens``, see
            :func:`skillbook.tokens.as_counter`. Codex estimates them from bytes, by its rule.
        numbers: a host's other numbers, each by its name: ``fraction``, ``chars_per_token``,
            ``assumed_context``, ``entry_chars``, ``overhead``, ``unknown_chars``,
            ``bytes_per_token``, ``least_tokens``, ``most_tokens``. The host's own stand in
            ``skillbook.hosts.HOSTS[name].numbers``.

    Raises:
        TypeError: when an argument is of the wrong type, or the host has no such number.
        ValueError: when there is no such host, or a number is out of range.
    """
    if not isinstance(source, (SkillSource, SkillInventory)):
        raise TypeError(
            f"budget takes a source or an inventory, not {type(source).__name__}; load_skills and "
            "list_skills give one, and so does the method source of a catalogue"
        )
    rules = host_numbers.chosen(host, own=chars is not None or tokens is not None)
    given = host_numbers.given(rules, numbers, chars, tokens)
    used = {} if usage is None else host_numbers.used(rules, usage)
    if context is not None:
        context = host_numbers.context_window(context)
    if counter is not None:
        counter = as_counter(counter)
    if "tokens" in given:
        limit, unit, how = int(given["tokens"]), "tokens", "given"
    else:
        limit, unit, how = hosts.limit(given, context)
        how = how if chars is None else "given"
    measure, cost = _measure(rules, unit, given, counter)
    skills = source.skills.values() if isinstance(source, SkillSource) else source.skills
    described = sorted(
        (skill for skill in skills if skill.description), key=lambda skill: skill.name
    )
    items = tuple(_item(skill, rules) for skill in described)
    known = {printable(skill.name) for skill in skills}

    return Budget(
        host=rules,
        context=context,
        limit=limit,
        unit=unit,
        measure=measure,
        how=how,
        numbers=given,
        undescribed=tuple(sorted(skill.name for skill in skills if not skill.description)),
        not_here=tuple(sorted(set(used) - known)),
        _items=items,
        _usage=used,
        _cost=cost,
        **_outcome(items, rules.fit(items, limit, cost, given, used)),
    )


def _measure(
    host: Host, unit: str, numbers: Mapping[str, float], counter: CounterLike
) -> tuple[str, Cost]:
    """Returns how the unit is counted, in words and as a function."""
    if unit == "characters":
        return unit, len
    if "bytes_per_token" in host.numbers:
        each = max(1, int(numbers["bytes_per_token"]))
        return f"tokens, as UTF-8 bytes / {each}", partial(_bytes, each)
    count = as_counter(counter)
    return f"tokens by {count.name}", count


def _bytes(each: int, text: str) -> int:
    """Returns how many times so many bytes a text has, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // each)


def _item(skill: SkillInfo, host: Host) -> Item:
    asked = skill.meta.get("when_to_use") if host.lists_when else None
    when = _line(asked) if isinstance(asked, str) else ""
    return Item(
        printable(skill.name),
        _with_when(_line(skill.description or ""), when),
        when,
        _line(skill.shown_location),
        skill.allowed_tools,
    )


def _beside(location: str, name: str) -> str:
    """Returns where a skill of that name would lie, in a folder beside another's."""
    parts = location.split("/")
    folder = name.rpartition(":")[2]  # of a kit, a skill is called kit:folder
    return "/".join([*parts[:-2], folder, *parts[-1:]]) if location else ""


def _with_when(description: str, when: str) -> str:
    return f"{description} - {when}" if description and when else description


def _line(text: str) -> str:
    return printable(" ".join(text.split()))


def _outcome(items: tuple[Item, ...], listing: Listing) -> dict[str, Any]:
    """Returns what a host's list says of a budget: the fields that depend on the skills."""
    entries = tuple(
        BudgetEntry(
            item.name,
            line.state,
            line.text,
            line.cost,
            line.full_cost,
            max(line.full_cost - line.bare_cost, 0),
            line.shown,
            line.chars,
        )
        for item, line in zip(items, listing.lines, strict=True)
    )
    return {
        "entries": entries,
        "used": listing.used,
        "needed": listing.needed,
        "text": listing.text,
    }

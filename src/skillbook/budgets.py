"""Budgets: what a host's limit on the list of skills leaves of it, and what a change would do.

The rules stand in :mod:`skillbook.hosts`. Imports ``hosts``, ``tokens``, ``source`` and the
records; ``pandas`` only where it is asked for. Must not import displays or widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from skillbook import hosts
from skillbook.errors import SkillNotFound
from skillbook.hosts import HOSTS, Cost, Host, Item, Listing, State
from skillbook.model import Shown, SkillInfo, printable
from skillbook.sizes import frame
from skillbook.source import SkillInventory, SkillSource
from skillbook.tokens import CounterLike, as_counter
from skillbook.tool import not_found

_WORTH: dict[State, int] = {"gone": 0, "name-only": 1, "cut": 2, "whole": 3}


@dataclass(frozen=True, slots=True)
class BudgetEntry:
    """What a budget leaves of one skill.

    Attributes:
        name: the skill's name.
        state: ``whole``, ``cut``, ``name-only`` or ``gone``.
        text: as it is listed; ``""`` where it is gone.
        cost: what that takes of the budget, in its unit.
        full_cost: what the skill would take whole.
        description_cost: what its description alone would take: all that shortening it can free.
        shown: characters of its description that are listed.
        chars: characters of its description in all.
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
        numbers: the numbers used, by the name of the argument that changes each.
        used: what the list takes, in ``unit``.
        entries: what became of each skill, in the order of the prompt.
        undescribed: the skills without a description, which no list holds.
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
    text: str
    needed: int
    _items: tuple[Item, ...] = field(repr=False, compare=False)
    _fit: Callable[[tuple[Item, ...]], Listing] = field(repr=False, compare=False)
    _cost: Cost = field(repr=False, compare=False)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the skills that are gone: a model cannot know of them."""
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
            SkillNotFound: when the list has no such skill.
        """
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise SkillNotFound(not_found(name, {entry.name: None for entry in self.entries}))

    def __repr__(self) -> str:
        states = ((len(self._in(state)), state) for state in ("whole", "cut", "name-only", "gone"))
        told = ", ".join(f"{number:,} {state}" for number, state in states if number)
        return (
            f"<Budget at {self.host.title}: {self.used:,} of {self.amount(self.limit)}, "
            f"{len(self):,} skill{'' if len(self) == 1 else 's'}: {told or 'none'}>"
        )

    def prompt(self, *, note: bool = True) -> str:
        """Returns the list as the host writes it, and names what is missing.

        Args:
            note: whether a last line of ours names the skills that are gone, which a host counts
                at most. False gives just what a model would get. Under a limit of one's own, the
                line stands there only where it fits the limit too.
        """
        if not note or not self.missing:
            return self.text
        names = ", ".join(name.replace(">", "&gt;") for name in self.missing)
        text = f"{self.text}\n<!-- Left out: {names} -->".lstrip("\n")
        fits = self.host.name != "own" or self._cost(text) <= self.limit
        return text if fits else self.text

    def shorten(self, name: str, to: int | str) -> Change:
        """Returns what shortening one description would free, and what that would bring back.

        Args:
            name: the skill.
            to: a new description, or how many characters to keep of it. With none, the name
                alone is left.

        Raises:
            SkillNotFound: when the list has no such skill.
            TypeError, ValueError: when ``to`` is neither a text nor a number from 0.
        """
        self[name]
        if isinstance(to, bool) or not isinstance(to, (int, str)):
            raise TypeError(f"to is {to!r}; pass a description, or how many characters to keep")
        if isinstance(to, int) and to < 0:
            raise ValueError(f"to is {to}; pass how many characters to keep, from 0")

        def changed(item: Item) -> Item:
            if item.name != name:
                return item
            if isinstance(to, str):
                return replace(item, description=_line(to), when="")
            kept = item.description[:to]
            return replace(
                item, description=kept, when=item.when if kept == item.description else ""
            )

        return Change(self, self._with(tuple(map(changed, self._items))), name)

    def add(self, name: str, description: str) -> Change:
        """Returns what a new skill would take, and what it would push out.

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
        items = (*self._items, Item(name, _line(description)))
        return Change(self, self._with(tuple(sorted(items, key=lambda item: item.name))), name)

    def _with(self, items: tuple[Item, ...]) -> Budget:
        """Returns the same budget over other skills."""
        return replace(self, _items=items, **_outcome(items, self._fit(items)))

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
        }

    def to_pandas(self) -> Any:
        """Returns a DataFrame with one row a skill.

        Raises:
            MissingDependency: when pandas is not installed.
        """
        return frame({**entry.to_dict(), "unit": self.unit} for entry in self.entries)


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
            more = (_WORTH[new.state], new.shown), (_WORTH[was.state], was.shown)
            if (way > 0 and more[0] > more[1]) or (way < 0 and more[0] < more[1]):
                names.append(new.name)
        return tuple(names)

    def __repr__(self) -> str:
        verb = "frees" if self.freed >= 0 else "takes"
        state = self.after[self.name].state
        told = [f"{self.name} is {state}"]
        for names, what in ((self.better, "more"), (self.worse, "less")):
            if names:
                shown = ", ".join(names[:10]) + (
                    f" … and {len(names) - 10:,} more" * (len(names) > 10)
                )
                told.append(f"{what} is listed of {shown}")
        return f"<Change {verb} {self.before.amount(abs(self.freed))}; {'; '.join(told)}>"

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
    not counted, nor are folders that a host puts before others.

    Args:
        source: a source, or an inventory.
        host: ``claude-code`` (what is meant without a limit of one's own), ``claude-code-2025``,
            ``codex``, ``copilot-cli``, ``maka``, or ``own``: the form of ``source.prompt()``,
            which is meant where ``chars`` or ``tokens`` is given and no host.
        context: the size of the context window, in tokens; None where the host knows none.
        chars: a limit in characters, in place of the host's.
        tokens: a limit in tokens, in place of the host's.
        usage: how often each skill was used, by name, where the host ranks by use; any score will
            do. Others count as never used.
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
            f"budget takes a source or an inventory, not {type(source).__name__}; "
            "load_skills and list_skills give one"
        )
    rules = _host(host, own=chars is not None or tokens is not None)
    given = {**_numbers(rules, numbers), **_own_limit(rules, chars, tokens)}
    if usage is not None:
        _check_usage(rules, usage)
    if context is not None:
        _check("context", context, whole=True)
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
    items = tuple(map(_item, described))
    used_most = dict(usage or {})

    def fit(items: tuple[Item, ...]) -> Listing:
        return rules.fit(items, limit, cost, given, used_most)

    return Budget(
        host=rules,
        context=context,
        limit=limit,
        unit=unit,
        measure=measure,
        how=how,
        numbers=given,
        undescribed=tuple(sorted(skill.name for skill in skills if not skill.description)),
        _items=items,
        _fit=fit,
        _cost=cost,
        **_outcome(items, fit(items)),
    )


def _host(name: str | None, *, own: bool) -> Host:
    name = name or ("own" if own else "claude-code")
    if name not in HOSTS:
        raise ValueError(f"no host is called {name!r}; known are {', '.join(HOSTS)}")
    if name == "own" and not own:
        raise ValueError("the host 'own' needs a limit: pass chars or tokens")
    return HOSTS[name]


def _numbers(host: Host, given: Mapping[str, float]) -> dict[str, float]:
    """Returns the host's numbers with those given in their place."""
    for name, value in given.items():
        if name not in host.numbers:
            known = ", ".join(("chars", "tokens", *(key for key in host.numbers if key != "chars")))
            raise TypeError(f"{host.title} has no number {name!r}; it has {known}")
        _check(name, value)
    return {**host.numbers, **given}


def _own_limit(host: Host, chars: int | None, tokens: int | None) -> dict[str, float]:
    if chars is not None and tokens is not None:
        raise ValueError("chars and tokens are both given; pass one limit")
    if chars is not None:
        _check("chars", chars, whole=True)
        return {"chars": chars}
    if tokens is not None:
        _check("tokens", tokens, whole=True)
        return {"tokens": tokens}
    return {"chars": host.numbers["chars"]} if "chars" in host.numbers else {}


def _check(name: str, value: Any, *, whole: bool = False) -> None:
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise TypeError(f"{name} is {value!r}; pass a {'whole ' * whole}number")
    if not 0 <= value < 1e15:
        raise ValueError(f"{name} is {value!r}; pass a number from 0")


def _check_usage(host: Host, usage: Any) -> None:
    if not isinstance(usage, Mapping):
        raise TypeError(f'usage is {usage!r}; pass a mapping such as {{"pdf": 12}}')
    if not host.ranks:
        raise ValueError(f"{host.title} does not rank skills by use; leave usage out")
    for name, value in usage.items():
        _check(f"usage[{name!r}]", value)


def _measure(
    host: Host, unit: str, numbers: Mapping[str, float], counter: CounterLike
) -> tuple[str, Cost]:
    """Returns how the unit is counted, in words and as a function."""
    if unit == "characters":
        return unit, len
    if "bytes_per_token" in host.numbers:
        each = max(1, int(numbers["bytes_per_token"]))
        return f"tokens, as UTF-8 bytes / {each}", lambda text: -(-len(_bytes(text)) // each)
    count = as_counter(counter)
    return f"tokens by {count.name}", count


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _item(skill: SkillInfo) -> Item:
    when = skill.meta.get("when_to_use")
    return Item(
        printable(skill.name),
        _line(skill.description or ""),
        _line(when) if isinstance(when, str) else "",
        skill.shown_location,
        skill.allowed_tools,
    )


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
            line.full_cost - line.bare_cost,
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

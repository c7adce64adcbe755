"""Listings: how each host writes its list of skills, and what it leaves out where it is too long.

A rule takes skills and a limit and gives the list; which rule and which numbers are whose stands in
:mod:`skillbook.hosts`. This module knows no skill record, reads nothing, and imports ``prompt`` for
our own form.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal
from xml.sax.saxutils import escape

from skillbook.prompt import NO_SKILLS, PREAMBLE

State = Literal["whole", "cut", "name-only", "gone"]
Numbers = Mapping[str, float]
Cost = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Item:
    """One skill as a host lists it.

    Attributes:
        name: its name.
        description: on one line; with the front matter's ``when_to_use`` behind it, where the host
            lists both.
        when: that ``when_to_use``, on one line, or ``""``.
        location: its place, as displays show it.
        tools: the tools that its front matter names.
    """

    name: str
    description: str
    when: str = ""
    location: str = ""
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """What one skill became in a list.

    Attributes:
        state: ``whole``, ``cut``, ``name-only`` or ``gone``.
        text: as it is listed; ``""`` where it is gone.
        cost: what that takes. Where a list is counted as it is written, that is with the line end
            where another line follows; Codex counts one for each line.
        full_cost: what it would take with room for all: whole, or as the host cuts any entry.
        bare_cost: what it would take without its description.
        shown: characters of its description that are listed.
        chars: characters of its description in all.
    """

    state: State
    text: str
    cost: int
    full_cost: int
    bare_cost: int
    shown: int
    chars: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A host's list of skills.

    Attributes:
        lines: a line for each skill.
        text: the list as it is written, the host's own word on what it left out included.
        used: what it takes of the limit.
        needed: what the whole list would take.
    """

    lines: list[Line]
    text: str
    used: int
    needed: int


Fit = Callable[[Sequence[Item], int, Cost, Numbers, Mapping[str, float]], Listing]


def ranked(items: Sequence[Item], usage: Mapping[str, float]) -> list[int]:
    """Returns the places of the items, the most used first, else in their order."""
    return sorted(range(len(items)), key=lambda place: -usage.get(items[place].name, 0))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _listing(lines: list[Line], tail: str = "") -> Listing:
    """Returns the list of which each line takes what stands in it, and the tail nothing."""
    texts = [line.text for line in lines if line.state != "gone"]
    return Listing(
        lines,
        "\n".join([*texts, *([tail] if tail else [])]),
        sum(line.cost for line in lines),
        sum(line.full_cost for line in lines),
    )


# --- names stay, descriptions go whole ------------------------------------------------------------


def claude_code(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, usage: Mapping[str, float]
) -> Listing:
    """Every name stays; descriptions are dropped whole, those of the least used first."""
    most = int(numbers["entry_chars"])  # below 2 there is room for no letter of it
    full, bare, chars = [], [], []
    for item in items:
        text = item.description
        chars.append(len(text))
        bare.append(f"- {item.name}")
        full.append(f"- {item.name}: {_cut(text, most)}" if text and most > 1 else bare[-1])
    full_costs, bare_costs = _costs(full, cost), _costs(bare, cost)
    kept = _kept(full_costs, bare_costs, limit, ranked(items, usage))
    lines = []
    for place, text in enumerate(full):
        costs = full_costs[place], bare_costs[place]
        if place not in kept or text == bare[place]:
            lines.append(Line("name-only", bare[place], costs[1], *costs, 0, chars[place]))
            continue
        is_cut = chars[place] > most
        shown = most - 1 if is_cut else chars[place]
        lines.append(
            Line("cut" if is_cut else "whole", text, costs[0], *costs, shown, chars[place])
        )
    return _listing(lines)


def _costs(texts: Sequence[str], cost: Cost) -> list[int]:
    """Returns what each line of a list takes: with a line end, where another one follows."""
    last = len(texts) - 1
    return [cost(text if place == last else f"{text}\n") for place, text in enumerate(texts)]


def _kept(full: Sequence[int], bare: Sequence[int], limit: int, order: Iterable[int]) -> set[int]:
    """Returns which keep their description: in order, up to the first that does not fit."""
    left = limit - sum(bare)
    kept: set[int] = set()
    for place in order:
        left -= full[place] - bare[place]
        if left < 0:
            break
        kept.add(place)
    return kept


def own(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, usage: Mapping[str, float]
) -> Listing:
    """The form of ``source.prompt()``, preamble included, within the limit whatever it is."""
    if not items:
        said = NO_SKILLS if cost(NO_SKILLS) <= limit else ""
        return Listing([], said, cost(said), cost(NO_SKILLS))
    head = f"{PREAMBLE}\n\n## Available Skills\n"
    bare = [f"- **{item.name}**" for item in items]
    full = [
        f"{name}: {item.description}" if item.description else name
        for name, item in zip(bare, items, strict=True)
    ]
    everyone = len(items)
    order = ranked(items, usage)
    rank = {place: number for number, place in enumerate(order)}

    def text(named: int, kept: int) -> str:
        """Returns the prompt with so many names, and so many descriptions, by rank."""
        lines = [
            full[place] if rank[place] < kept else bare[place]
            for place in range(everyone)
            if rank[place] < named
        ]
        if named < everyone:
            lines.append(_not_listed(everyone - named))
        return (head if named else "") + "\n".join(lines)

    def fits(named: int, kept: int) -> bool:
        return cost(text(named, kept)) <= limit

    full_costs, bare_costs = _costs(full, cost), _costs(bare, cost)
    left = limit - cost(head)
    named = kept = everyone
    needed = cost(text(everyone, everyone))
    if needed > limit:
        guess = len(_kept(full_costs, bare_costs, left, order))
        kept = _most(lambda number: fits(everyone, number), everyone - 1, guess)
    if kept < 0:
        taken = accumulate(bare_costs[place] for place in order)
        guess = sum(1 for each in taken if each <= left)
        named, kept = _most(lambda number: fits(number, 0), everyone - 1, guess), 0
    lines = []
    for place, item in enumerate(items):
        costs = full_costs[place], bare_costs[place]
        chars = len(item.description)
        if rank[place] >= named:
            lines.append(Line("gone", "", 0, *costs, 0, chars))
        elif rank[place] < kept and chars:
            lines.append(Line("whole", full[place], costs[0], *costs, chars, chars))
        else:
            lines.append(Line("name-only", bare[place], costs[1], *costs, 0, chars))
    shown = text(named, kept) if named >= 0 else ""
    return Listing(lines, shown, cost(shown), needed)


def _most(fits: Callable[[int], bool], most: int, guess: int) -> int:
    """Returns the largest number from 0 that fits, or -1; it is looked for near a guess."""
    low, high, step = -1, most + 1, 1
    probe = guess
    while high - low > 1:
        if not low < probe < high:
            probe = (low + high) // 2
        if fits(probe):
            low, probe = probe, probe + step
        else:
            high, probe = probe, probe - step
        step *= 2
    return low


def _not_listed(number: int) -> str:
    return f"<!-- {number:,} skill{' is' if number == 1 else 's are'} not listed -->"


# --- the list stops at the first skill that does not fit -----------------------------------------


def _until_full(
    items: Sequence[Item],
    limit: int,
    cost: Cost,
    entry: Callable[[Item, str], str],
    overhead: float | None = None,
) -> list[Line]:
    """Returns the lines up to the first that does not fit; what follows is gone."""

    def prices(descriptions: Sequence[str]) -> list[int]:
        if overhead is None:
            return _costs([*map(entry, items, descriptions)], cost)
        return [int(overhead) + (cost(text) if text else 0) for text in descriptions]

    texts = [entry(item, item.description) for item in items]
    full, bare = prices([item.description for item in items]), prices([""] * len(items))
    alone = full if overhead is not None else [cost(text) for text in texts]
    used, listed = 0, 0
    while listed < len(items) and used + alone[listed] <= limit:
        used += full[listed]
        listed += 1
    lines: list[Line] = []
    for place, item in enumerate(items):
        costs, chars = (full[place], bare[place]), len(item.description)
        if place >= listed:
            lines.append(Line("gone", "", 0, *costs, 0, chars))
            continue
        state: State = "whole" if chars else "name-only"
        # The last line has no line end, wherever the list stops.
        takes = alone[place] if place == listed - 1 else full[place]
        lines.append(Line(state, texts[place], takes, *costs, chars, chars))
    return lines


def _showing(lines: Sequence[Line]) -> str:
    listed = sum(line.state != "gone" for line in lines)
    if listed == len(lines):
        return ""
    return f"<!-- Showing {listed} of {len(lines)} skills due to token limits -->"


def claude_code_2025(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    """The list stops at the first skill that does not fit; a comment counts the rest."""

    def entry(item: Item, description: str) -> str:
        parts = ("<skill>", "<name>", item.name, "</name>", "<description>", description)
        return "\n".join(
            (*parts, "</description>", "<location>", "user", "</location>", "</skill>")
        )

    lines = _until_full(items, limit, cost, entry, numbers.get("overhead"))
    return _listing(lines, _showing(lines))


def copilot(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    """The list stops at the first skill that does not fit; a comment counts the rest."""

    def entry(item: Item, description: str) -> str:
        return (
            f"<skill>\n  <name>{escape(item.name)}</name>\n"
            f"  <description>{escape(description)}</description>\n"
            "  <location>Custom</location>\n</skill>"
        )

    lines = _until_full(items, limit, cost, entry)
    return _listing(lines, _showing(lines))


def maka(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    """The list stops at the first skill that does not fit; the rest are named behind it."""

    def entry(item: Item, description: str) -> str:
        name = item.name.translate(str.maketrans('<>"&', "____"))
        return (
            f'<available-skill id="{name}" name="{name}">\nDescription: {description}\n'
            f"Declared tools: {', '.join(item.tools) or '(none)'}\n</available-skill>"
        )

    lines = _until_full(items, limit, cost, entry)
    omitted = [item.name for item, line in zip(items, lines, strict=True) if line.state == "gone"]
    tail = f"Left out of this list, still loadable: {', '.join(omitted)}" if omitted else ""
    return _listing(lines, tail)


# --- descriptions are handed out in turn ----------------------------------------------------------


def codex(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    """Characters of descriptions are handed out in turn over all skills."""
    most = int(numbers["entry_chars"])

    def line(item: Item, shown: int) -> str:
        text = f" {item.description[:shown]}" if shown else ""
        return f"- {item.name}:{text} (file: {item.location})"

    def price(item: Item, shown: int) -> int:
        return cost(f"{line(item, shown)}\n")

    lengths = [min(len(item.description), most) for item in items]
    full = [price(item, length) for item, length in zip(items, lengths, strict=True)]
    bare = [price(item, 0) for item in items]
    listed = set(range(len(items)))
    shown = lengths
    if sum(bare) > limit:
        shown, listed, left = [0] * len(items), set(), limit
        for place, each in enumerate(bare):
            if each <= left:
                listed.add(place)
                left -= each
    elif sum(full) > limit:
        shown = _in_turn(items, lengths, limit, price)
    lines = []
    for place, item in enumerate(items):
        chars = len(item.description)
        if place not in listed:
            lines.append(Line("gone", "", 0, full[place], bare[place], 0, chars))
            continue
        state: State = "whole" if shown[place] == chars else "cut"
        if not shown[place]:
            state = "name-only"
        text = line(item, shown[place])
        each = price(item, shown[place])
        lines.append(Line(state, text, each, full[place], bare[place], shown[place], chars))
    return _listing(lines)


def _in_turn(
    items: Sequence[Item], lengths: list[int], limit: int, price: Callable[[Item, int], int]
) -> list[int]:
    """Hands out the characters of descriptions, one to each skill in turn, while there is room."""

    def at(level: int) -> list[int]:
        return [min(level, length) for length in lengths]

    def total(shown: list[int]) -> int:
        return sum(map(price, items, shown))

    # Whole rounds by halving, the last ones step by step as the host does.
    level = bisect_left(range(1, max(lengths) + 1), x=True, key=lambda n: total(at(n)) > limit)
    shown = at(level)
    left = limit - total(shown)
    moved = True
    while moved:
        moved = False
        for place, item in enumerate(items):
            if shown[place] >= lengths[place]:
                continue
            more = price(item, shown[place] + 1) - price(item, shown[place])
            if more <= left:
                shown[place] += 1
                left -= more
                moved = True
    return shown

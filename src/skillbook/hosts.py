"""Hosts: what each allows the list of skills to cost, and what it does when that is too little.

Every number is a host's default on the date it was read, with the public thread or source it was
read in; hosts move, so each is an argument of :func:`skillbook.budgets.budget`. This module holds
the rules alone: it knows no skill record, reads nothing, and imports ``prompt`` for our own form.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.sax.saxutils import escape

from skillbook.prompt import NO_SKILLS, PREAMBLE

State = Literal["whole", "cut", "name-only", "gone"]
Numbers = Mapping[str, float]
Cost = Callable[[str], int]

READ = "November 2026"


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
        cost: what that takes, with the line end where another line follows.
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


def _claude_code(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, usage: Mapping[str, float]
) -> Listing:
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


def _own(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, usage: Mapping[str, float]
) -> Listing:
    """The form of ``source.prompt()``, preamble included, within the limit whatever it is."""
    room = limit
    while True:
        listing = _own_within(items, room, cost, usage)
        over = cost(listing.text) - limit
        if over <= 0:
            return listing
        # Tokens of lines one by one may be fewer than of all together: less is put in then.
        room -= over


def _own_within(
    items: Sequence[Item], limit: int, cost: Cost, usage: Mapping[str, float]
) -> Listing:
    head = f"{PREAMBLE}\n\n## Available Skills\n" if items else NO_SKILLS
    bare = [f"- **{item.name}**" for item in items]
    full = [
        f"{name}: {item.description}" if item.description else name
        for name, item in zip(bare, items, strict=True)
    ]
    needed = cost(head + "\n".join(full))
    full_costs, bare_costs = _costs(full, cost), _costs(bare, cost)
    left = limit - cost(head)
    order = ranked(items, usage)
    kept = set(order) if needed <= limit else _kept(full_costs, bare_costs, left, order)
    named, tail = set(order), ""
    if needed > limit and sum(bare_costs) > left:
        named, tail = set(), _not_listed(len(items))
        left -= cost(tail)
        bare_costs = [cost(f"{text}\n") for text in bare]
        for place in order:
            if bare_costs[place] <= left:
                named.add(place)
                left -= bare_costs[place]
        tail = _not_listed(len(items) - len(named))
        if not named:
            head, tail = "", tail if cost(tail) <= limit else ""
    lines = []
    for place, item in enumerate(items):
        costs = full_costs[place], bare_costs[place]
        chars = len(item.description)
        if place in kept and chars:
            lines.append(Line("whole", full[place], costs[0], *costs, chars, chars))
        elif place in named:
            lines.append(Line("name-only", bare[place], costs[1], *costs, 0, chars))
        else:
            lines.append(Line("gone", "", 0, *costs, 0, chars))
    text = head + _listing(lines, tail).text
    return Listing(lines, text, cost(text), needed)


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


def _claude_code_2025(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    def entry(item: Item, description: str) -> str:
        parts = ("<skill>", "<name>", item.name, "</name>", "<description>", description)
        return "\n".join(
            (*parts, "</description>", "<location>", "user", "</location>", "</skill>")
        )

    lines = _until_full(items, limit, cost, entry, numbers.get("overhead"))
    return _listing(lines, _showing(lines))


def _copilot(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
    def entry(item: Item, description: str) -> str:
        return (
            f"<skill>\n  <name>{escape(item.name)}</name>\n"
            f"  <description>{escape(description)}</description>\n"
            "  <location>Custom</location>\n</skill>"
        )

    lines = _until_full(items, limit, cost, entry)
    return _listing(lines, _showing(lines))


def _maka(
    items: Sequence[Item], limit: int, cost: Cost, _numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
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


def _codex(
    items: Sequence[Item], limit: int, cost: Cost, numbers: Numbers, _usage: Mapping[str, float]
) -> Listing:
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
        _claude_code,
        ranks=True,
        lists_when=True,
    ),
    Host(
        "claude-code-2025",
        "Claude Code, late 2025",
        "The list stops at the first skill that does not fit. A comment counts those left out.",
        tuple(f"{_GITHUB}anthropics/claude-code/issues/{n}" for n in (12782, 13099, 11045)),
        {"chars": 15_000, "overhead": 109},
        _claude_code_2025,
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
        _codex,
    ),
    Host(
        "copilot-cli",
        "Copilot CLI",
        "The list stops at the first skill that does not fit. A comment counts those left out.",
        tuple(f"{_GITHUB}github/copilot-cli/issues/{n}" for n in (2314, 1464, 1130)),
        {"chars": 15_000},
        _copilot,
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
        _maka,
        names_gone=True,
    ),
    Host(
        "own",
        "A limit of one's own",
        "The whole prompt stays within the limit. Descriptions are dropped whole, those of the "
        "least used skills first; if not even the names fit, skills are left out.",
        (),
        {},
        _own,
        ranks=True,
        read="",
    ),
)

HOSTS: Mapping[str, Host] = {host.name: host for host in _ALL}
"""The hosts by name."""

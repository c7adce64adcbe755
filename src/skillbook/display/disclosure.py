"""Displays of what skills cost: sizes, a session's ledger, a comparison, a budget and a change.

Pure: the records hold all facts, nothing is read or counted here. Bars are ``<meter>``, and each
has its number in words beside it. This module imports ``markup``, ``tables``, ``words`` and the
records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from skillbook.budgets import Budget, BudgetEntry, Change
from skillbook.comparison import PROGRESSIVE, UP_FRONT, Comparison
from skillbook.disclosure import Entry, Session
from skillbook.display import words
from skillbook.display.markup import Markup, element, join, note
from skillbook.display.tables import (
    LEFT,
    ROOM_FOR_LISTS,
    ROOM_FOR_ROWS,
    chips,
    fields,
    folded,
    head,
    listed,
    title,
    within,
)
from skillbook.sizes import Size, SkillSizes, TokenSizes

MOST_NAME = 120
MOST_MESSAGE = 10_000
"""Characters of one message, or of a list, that are shown."""

ROOM_FOR_MESSAGES = 60_000
"""Bytes of HTML that the messages of a session may take."""

_LEVELS = {1: "1, catalogue", 2: "2, body", 3: "3, files", None: "none"}


def session(given: Session) -> Markup:
    """Returns a session: how full the window is, the ledger as a table, and each message."""
    entries = given.entries
    facts = [words.count(len(entries), "message"), f"counted by {given.counter.name}"]
    if given.left < 0:
        facts.append("over-full")
    parts = [title("Session"), chips(facts), _window(given.total, given.context)]
    if entries:
        peak = max(entry.total for entry in entries)
        rows = (_ledger_row(entry, given.context, peak) for entry in entries)
        names = ("Message", "Step", "Level", "Tokens", "In all, beside the most", "Of the window")
        parts += [
            _table(names, rows, len(entries), "messages"),
            folded("The messages", *_messages(entries)),
        ]
    if any(entry.shown != entry.text for entry in entries):
        parts.append(
            note(
                "{root} stands for the absolute path of a root. It is counted in full, so the "
                "numbers differ a little from one computer to another; a session with root= "
                "counts the same everywhere."
            )
        )
    return join(parts)


def entry(given: Entry) -> Markup:
    """Returns one message of a ledger."""
    facts = [
        f"level {_LEVELS[given.level]}",
        f"{given.tokens:+,} tokens",
        f"{given.total:,} in all",
    ]
    if given.is_error:
        facts.append("error")
    said = note(given.note) if given.note else None
    return join(
        part
        for part in (title("message", given.title), chips(facts), said, _text(given.shown))
        if part
    )


def _ledger_row(given: Entry, context: int, peak: int) -> Markup:
    name = [words.cut(given.title, MOST_NAME)]
    if given.is_error:
        name.append(element("strong", " (error)"))
    if given.note:
        name.append(note(given.note))
    level = _LEVELS[given.level]
    total = _bar(given.total, peak)
    share = words.percent(given.total, context)
    return _row(join(name), f"{given.step}", level, f"{given.tokens:+,}", total, share)


def _messages(entries: Sequence[Entry]) -> list[Markup]:
    told = [each for each in entries if each.shown]
    drawn = within(
        (
            folded(
                f"{each.step}. {words.cut(each.title, MOST_NAME)}, {_tokens(each.tokens)}",
                _text(each.shown),
            )
            for each in told
        ),
        ROOM_FOR_MESSAGES,
    )
    if len(drawn) < len(told):
        drawn.append(note(f"{words.of(len(drawn), len(told), 'messages')}."))
    return drawn


def comparison(given: Comparison) -> Markup:
    """Returns the ways to give a model the same skills, side by side."""
    peak = max(each.total for each in given)
    rows = (
        _row(
            join((element("strong", each.name), note(each.detail))),
            f"{each.start:,}",
            f"{each.steps:+,}",
            _bar(each.total, peak),
            words.percent(each.total, given.context)
            + (", does not fit" if each.total > given.context else ""),
        )
        for each in given
    )
    names = ("Way", "At the start", "By the steps", "In all, side by side", "Of the window")
    facts = [f"counted by {given.counter}", f"a window of {given.context:,} tokens"]
    parts = [title("Comparison"), chips(facts), _table(names, rows, len(given), "ways")]
    small, large = given[PROGRESSIVE].total, given[UP_FRONT].total
    if small and large > small:
        parts.append(
            element(
                "p",
                f"Everything up front takes {large / small:,.1f} times as many tokens as {PROGRESSIVE}.",
            )
        )
    if given.problems:
        parts.append(_problems(given.problems))
    return join(parts)


def budget(given: Budget) -> Markup:
    """Returns a budget: what is used of what, what became of each skill, and where it was read."""
    facts = [f"{number:,} {state}" for state, number in given.by_state.items() if number]
    if given.over:
        facts.append("over the limit")
    used = f"{given.used:,} of {given.amount(given.limit)} used; the whole list takes {given.needed:,}."
    parts = [
        title("budget", given.host.title),
        chips(facts or ["no skills"]),
        element("p", used, " ", _meter(given.used, given.limit)),
        element(
            "p", f"Limit: {given.limit:,} {given.measure} ({given.how}). {given.host.overflow}"
        ),
    ]
    if given.entries:
        names = ("Skill", "State", "Takes", "Of the limit", "Its description takes", "Listed of it")
        largest = max(each.full_cost for each in given.entries)
        rows = (_budget_row(each, given.limit, largest) for each in given.entries)
        parts.append(_table(names, rows, len(given), "skills"))
    for told, which in (
        ("Gone", given.missing),
        ("No description, in no list", given.undescribed),
        ("In usage, but not here", given.not_here),
    ):
        if which:
            parts.append(element("p", element("strong", f"{told}: "), words.some(which)))
    parts.append(folded("The list as a model gets it", _text(given.text)))
    parts.append(folded("Numbers and where they were read", *_read_at(given)))
    return join(parts)


def _budget_row(given: BudgetEntry, limit: int, largest: int) -> Markup:
    shown = f"{given.shown:,} of {words.count(given.chars, 'character')}"
    numbers = (_bar(given.cost, largest), words.percent(given.cost, limit))
    about = (f"{given.description_cost:,}", shown)
    return _row(words.cut(given.name, MOST_NAME), given.state, *numbers, *about)


def _read_at(given: Budget) -> list[Markup]:
    parts = [fields(dict(given.numbers))] if given.numbers else []
    if given.host.sources:
        links = (
            element("a", url, href=url, rel="noopener noreferrer nofollow", target="_blank")
            for url in given.host.sources
        )
        parts += [
            element("p", f"Read in {given.host.read}:"),
            element("ul", *(element("li", link) for link in links)),
        ]
    return parts or [note("A limit of one's own.")]


def change(given: Change) -> Markup:
    """Returns what one change to a list of skills would do."""
    verb = "frees" if given.freed >= 0 else "takes"
    state = given.after[given.name].state
    parts = [
        title("change", given.name),
        chips(
            [f"{verb} {given.before.amount(abs(given.freed))} of the whole list", f"listed {state}"]
        ),
    ]
    for told, which in (("More is listed of", given.better), ("Less is listed of", given.worse)):
        if which:
            parts.append(element("p", element("strong", f"{told}: "), words.some(which)))
    if not given.better and not given.worse:
        parts.append(element("p", "Nothing else changes."))
    for told, each in (("Before", given.before), ("After", given.after)):
        used = f"{told}: {each.used:,} of {each.amount(each.limit)} used. "
        parts.append(element("p", used, _meter(each.used, each.limit)))
    return join(parts)


def token_sizes(given: TokenSizes) -> Markup:
    """Returns what skills cost at each level, in all and one by one."""
    facts = [words.count(len(given), "skill"), f"tokens by {given.counter}"]
    if given.prompt:
        facts.append(f"prompt of {_tokens(given.prompt.tokens)}")
    totals = (given.catalogue, given.body, given.files)
    levels = element(
        "tbody", *(_level_row(level, size, totals) for level, size in enumerate(totals, 1))
    )
    parts = [
        title("Token sizes"),
        chips(facts),
        element(
            "div",
            element("table", head("Level", "Tokens", "Characters", "Share"), levels, cls="table"),
            cls="wide",
        ),
    ]
    if given.skills:
        most = max(skill.body.tokens for skill in given.skills)
        rows = (_sizes_row(skill, most) for skill in given.skills)
        names = ("Skill", "Catalogue", "Body", "Files", "Body beside the largest")
        parts.append(_table(names, rows, len(given), "skills"))
    if given.problems:
        parts.append(_problems(given.problems))
    return join(parts)


def skill_sizes(given: SkillSizes) -> Markup:
    """Returns what one skill costs at each level, and each of its files."""
    totals = (given.catalogue, given.body, given.files)
    levels = element(
        "tbody", *(_level_row(level, size, totals) for level, size in enumerate(totals, 1))
    )
    table = element("table", head("Level", "Tokens", "Characters", "Share"), levels, cls="table")
    parts = [
        title("token sizes", given.name),
        chips([f"tokens by {given.counter}"]),
        element("div", table, cls="wide"),
    ]
    if given.each_file:
        rows = (
            _row(
                words.cut(file.path, MOST_NAME),
                f"{file.size.tokens:,}" if file.size else file.problem,
                f"{file.size.chars:,}" if file.size else "none",
            )
            for file in given.each_file
        )
        parts.append(_table(("File", "Tokens", "Characters"), rows, len(given.each_file), "files"))
    if given.problems:
        parts.append(_problems(given.problems))
    return join(parts)


def _level_row(level: int, size: Size, totals: Sequence[Size]) -> Markup:
    share = _share(size.tokens, sum(each.tokens for each in totals))
    return _row(_LEVELS[level], f"{size.tokens:,}", f"{size.chars:,}", share)


def _sizes_row(given: SkillSizes, most: int) -> Markup:
    sizes = (f"{given.catalogue.tokens:,}", f"{given.body.tokens:,}", f"{given.files.tokens:,}")
    return _row(words.cut(given.name, MOST_NAME), *sizes, _share(given.body.tokens, most))


def _table(names: Iterable[str], rows: Iterable[Markup], total: int, what: str) -> Markup:
    """Returns a table, cut with its count."""
    drawn = within(rows, ROOM_FOR_ROWS)
    table = element("table", head(*names), element("tbody", *drawn), cls="table")
    cut = note(f"{words.of(len(drawn), total, what)}.") if len(drawn) < total else None
    return join(part for part in (element("div", table, cls="wide"), cut) if part is not None)


def _row(name: str, *values: str) -> Markup:
    first = element("th", name, scope="row", style=LEFT)
    return element("tr", first, *(element("td", value, style=LEFT) for value in values))


def _window(total: int, context: int) -> Markup:
    said = f"Context window: {total:,} of {context:,} tokens ({words.percent(total, context)}). "
    return element("p", said, _meter(total, context))


def _share(part: int, whole: int) -> Markup:
    return join((_meter(part, whole), " ", words.percent(part, whole)))


def _bar(part: int, whole: int) -> Markup:
    """Returns a number behind its bar: so the bars of a column start at one place."""
    return join((_meter(part, whole), " ", f"{part:,}"))


def _meter(part: int, whole: int) -> Markup:
    """Returns a bar; the caller says its number in words beside it."""
    most = max(whole, 1)
    return element("meter", value=min(max(part, 0), most), min=0, max=most)


def _tokens(number: int) -> str:
    return words.count(number, "token")


def _text(text: str) -> Markup:
    shown = element("pre", text[:MOST_MESSAGE], cls="code")
    if len(text) <= MOST_MESSAGE:
        return shown
    return join((shown, note(f"Cut: {words.of(MOST_MESSAGE, len(text), 'characters')}.")))


def _problems(problems: Sequence[str]) -> Markup:
    items = (element("span", words.cut(said, 500)) for said in problems)
    return folded(
        words.count(len(problems), "thing not counted", "things not counted"),
        listed(items, len(problems), "things", ROOM_FOR_LISTS),
    )


DRAWN: dict[type, Callable[[Any], Markup]] = {
    Session: session,
    Entry: entry,
    Comparison: comparison,
    Budget: budget,
    Change: change,
    TokenSizes: token_sizes,
    SkillSizes: skill_sizes,
}
"""Each record of this module, and what draws it."""

"""What the budget view shows, as HTML and as text: its bars, its tabs, and its static twin.

Imports ``display``, ``budgets``, and how a bar is written down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skillbook.budgets import Budget, BudgetEntry, Change
from skillbook.display import draw, tables
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note
from skillbook.widgets.elements.bars import Bar, bar

if TYPE_CHECKING:
    from skillbook.widgets.budget.budget_view import BudgetView

MOST = 50_000
"""Characters of a text that a tab shows."""

MOST_NAMED = 10
"""Skills that stand in the text form."""

_KINDS = {"whole": "one", "cut": "two", "name-only": "three"}
_MEANS = {
    "whole": "A model reads all of its description.",
    "cut": "A model reads the beginning of its description.",
    "name-only": "A model reads its name, and nothing about when to use it.",
    "gone": "A model cannot know of it.",
}
_NAMED = "A model reads its name in the list's last line, and can load it."


def facts(given: Budget) -> list[str]:
    """Returns what a budget leaves, in words."""
    told = [given.host.title, f"{given.used:,} of {given.amount(given.limit)}"]
    if given.over:
        told.append("over the limit")
    told += [f"{number:,} {state}" for state, number in given.by_state.items() if number]
    return told if given.entries else [*told, "no skills"]


def moved(before: Budget, after: Budget) -> str:
    """Returns what became of the skills when host or context changed, in words."""
    told = [
        f"The limit is {after.amount(after.limit)}; it was {before.amount(before.limit)}."
        if (before.limit, before.unit) != (after.limit, after.unit)
        else f"The limit is {after.amount(after.limit)}, as before."
    ]
    change = Change(before, after, name="")
    for names, what in ((change.worse, "Less"), (change.better, "More")):
        if names:
            told.append(f"{what} is listed of {in_words.count(len(names), 'skill')}.")
    return " ".join(told)


def reckoned(given: Budget) -> Markup:
    """Returns how the limit is reckoned, and what the host does when it is too little."""
    sign = "The line is the limit" if _scale(given) > given.limit else "The limit"
    fixed = " whatever the context" if is_fixed(given) else ""
    how = f"{given.limit:,} {given.measure}{fixed} ({given.how})"
    return note(f"{sign}: {how}. {given.host.overflow}")


def is_fixed(given: Budget) -> bool:
    """Returns whether the limit is the same whatever the context."""
    return "chars" in given.numbers or "tokens" in given.numbers


def _scale(given: Budget) -> int:
    """Returns what the full width of the bars stands for."""
    return max(given.limit, given.used, given.needed, 1)


def bars(given: Budget) -> list[Bar]:
    """Returns what is listed and what the whole list would take, against the limit."""
    scale = _scale(given)
    mark = given.limit if given.limit < scale else None
    taken = dict.fromkeys(_KINDS, 0)
    for entry in given.entries:
        if entry.state in taken:
            taken[entry.state] += entry.cost
    parts = [(_KINDS[state], cost, f"{state}: {cost:,}") for state, cost in taken.items() if cost]
    around = given.used - sum(taken.values())
    if around > 0:  # tokens one by one can be more than all together
        parts.append(("four", around, f"around the list: {around:,}"))
    used = f"{given.amount(given.used)}, {in_words.percent(given.used, given.limit)} of the limit"
    whole = (
        f"{given.amount(given.needed)}, {in_words.percent(given.needed, given.limit)} of the limit"
    )
    return [
        bar("Listed", used, parts, whole=scale, mark=mark),
        bar("The whole list", whole, [("four", given.needed, "")], whole=scale, mark=mark),
    ]


def cost(entry: BudgetEntry, given: Budget) -> str:
    """Returns what one skill takes, in words."""
    if entry.state == "gone":
        return f"would take {given.amount(entry.full_cost)}"
    if entry.state == "whole":
        return f"takes {given.amount(entry.cost)}"
    read = (
        f"{entry.shown:,} of {in_words.count(entry.chars, 'character')}" if entry.shown else "none"
    )
    if entry.cost == entry.full_cost:
        return f"takes {given.amount(entry.cost)}; {read} of its description"
    return f"takes {entry.cost:,} of {given.amount(entry.full_cost)}; {read} of its description"


# --- the tabs -------------------------------------------------------------------------------------


def one(entry: BudgetEntry | None, given: Budget) -> Markup:
    """Returns what became of one skill."""
    if entry is None:
        return note("Choose a skill in the list.")
    listed = (
        tables.block(entry.text, MOST)
        if entry.text
        else note("It is not in the list that a model gets.")
    )
    return join(
        (
            element("p", element("strong", in_words.cut(entry.name, 120)), cls="name"),
            tables.chips([entry.state, cost(entry, given)]),
            note(
                _NAMED if entry.state == "gone" and given.host.names_gone else _MEANS[entry.state]
            ),
            listed,
        )
    )


def rewording(entry: BudgetEntry, given: Budget, change: Change | None, wording: str) -> Markup:
    """Returns what another description of one skill would free."""
    if change is None:
        most = given.amount(entry.description_cost)
        return note(
            f"Its description takes {most} of the whole list: shortening it frees that at most."
        )
    return join((element("p", _with(wording)), effect(change)))


def _with(wording: str) -> str:
    if not wording.split():
        return "Without a description:"
    return f"With a description of {in_words.count(len(wording), 'character')}:"


def effect(change: Change) -> Markup:
    """Returns what one change would do."""
    verb = "frees" if change.freed >= 0 else "takes"
    freed = change.before.amount(abs(change.freed))
    parts = [
        tables.chips(
            [f"{verb} {freed} of the whole list", f"{change.after[change.name].state} then"]
        )
    ]
    better, worse = change.better, change.worse
    for told, which in (
        ("More would be listed of {}", better),
        ("It would push out {}, in whole or in part", worse),
    ):
        if which:
            head = f"{told.format(in_words.count(len(which), 'skill'))}: "
            parts.append(element("p", element("strong", head), in_words.some(which)))
    if not better and not worse:
        parts.append(element("p", "No other skill is listed otherwise."))
    for told, each in (("Now", change.before), ("Then", change.after)):
        used = f"{told}: {each.used:,} of {each.amount(each.limit)} "
        most = max(each.limit, 1)
        meter = element("meter", value=min(each.used, most), min=0, max=most)
        parts.append(element("p", used, meter))
    return join(parts)


def new(view: BudgetView) -> Markup:
    """Returns what a new skill would take and push out."""
    if view.added is None:
        return note(
            view.why_not or "Type a name and a description: here stands what it would push out."
        )
    return effect(view.added)


def listing(given: Budget, most: int = MOST) -> Markup:
    """Returns the list as a model gets it, and the names that are missing from it."""
    text = given.text
    parts = [tables.block(text, most) if text else note("The list is empty.")]
    for told, which in (
        ("Gone", given.missing),
        ("No description, so in no list", given.undescribed),
        ("In usage, but not here", given.not_here),
    ):
        if which:
            number = in_words.count(len(which), "skill")
            parts.append(
                element("p", element("strong", f"{told}, {number}: "), in_words.some(which))
            )
    return join(parts)


def numbers(given: Budget) -> Markup:
    """Returns a host's numbers, and where and when they were read."""
    parts = [element("p", given.host.overflow)]
    if given.numbers:
        rows = (tables.row(name, f"{value:,.10g}") for name, value in given.numbers.items())
        head = tables.head("Number", "Value")
        parts.append(element("table", head, element("tbody", *rows), cls="table"))
    if not given.host.sources:
        return join((*parts, note("A limit of one's own.")))
    links = (
        element("a", url, href=url, rel="noopener noreferrer nofollow", target="_blank")
        for url in given.host.sources
    )
    read = element("p", f"Read in {given.host.read}; hosts move, and each number can be given:")
    return join((*parts, read, element("ul", *(element("li", link) for link in links))))


# --- the static twin ------------------------------------------------------------------------------


def _held_to(view: BudgetView) -> str:
    window = "unknown" if view.context is None else f"{view.context:,} tokens"
    told = [f"context {window}", in_words.of(len(view.shown), len(view.budget), "skills")]
    if view.show != "all":
        told.append(f"only {view.show}")
    if view.search:
        told.append(f"search {view.search!r}")
    return ", ".join(told)


def words(view: BudgetView) -> str:
    """Returns what is shown, as text."""
    given = view.budget
    lines = [
        f"<BudgetView of {view.status.title}: {', '.join(facts(given))}",
        f"  {given.limit:,} {given.measure}: {given.how}",
        f"  {_held_to(view)}",
    ]
    lines += [
        f"  {in_words.cut(entry.name, 60)}: {entry.state}, {cost(entry, given)}"
        for entry in view.shown[:MOST_NAMED]
    ]
    if len(view.found) > MOST_NAMED:
        lines.append(f"  … and {len(view.found) - MOST_NAMED:,} more")
    if given.undescribed:
        lines.append(f"  {in_words.count(len(given.undescribed), 'skill')} without a description")
    if view.entry is not None:
        lines.append(f"  chosen: {in_words.cut(view.entry.name, 60)}")
    if view.reworded is not None:
        lines.append(f"  {_with(view.wording)} {view.reworded!r}")
    if view.added is not None:
        lines.append(f"  added: {view.added!r}")
    return "\n".join(lines) + ">"


def card(view: BudgetView) -> Markup:
    """Returns what is shown, as HTML."""
    parts = [
        element("p", element("strong", view.status.title), cls="title"),
        element("p", f"{_held_to(view)}."),
        draw(view.budget),
    ]
    if view.entry is not None:
        parts += [_section("The skill chosen"), one(view.entry, view.budget)]
    if view.entry is not None and view.reworded is not None:
        parts.append(rewording(view.entry, view.budget, view.reworded, view.wording))
    if view.added is not None:
        named = in_words.cut(view.added.name, 120)
        parts += [_section(f"A new skill, {named}"), effect(view.added)]
    return join(parts)


def _section(text: str) -> Markup:
    return element("p", element("strong", text), cls="section")

"""What the disclosure trace shows, as HTML and as text: a message, and its static twin.

Imports ``display``, and how a bar is written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from skillbook.comparison import PROGRESSIVE, UP_FRONT, Arrangement
from skillbook.disclosure import Entry
from skillbook.display import draw, tables
from skillbook.display import words as in_words
from skillbook.display.markup import Markup, element, join, note, prose
from skillbook.model import printable
from skillbook.widgets.elements.bars import Bar, Part, bar

if TYPE_CHECKING:
    from skillbook.widgets.trace.disclosure_trace import DisclosureTrace

MOST_MESSAGE = 50_000
"""Characters of a message that the widget shows."""

MOST_IN_CARD = 10_000
"""Characters of a message that the static twin shows."""

MOST_NAMED = 20
"""Messages that stand in the text form."""

LEVELS = {1: "level 1, catalogue", 2: "level 2, body", 3: "level 3, files", None: "no level"}
_KINDS = {1: "one", 2: "two", 3: "three", None: "four"}
_SAID = {1: "level 1, catalogue", 2: "level 2, bodies", 3: "level 3, files", None: "the user"}
_ORDER = (1, 2, 3, None)
_WHY = {
    1: "It stands in the context from the start, whatever is asked.",
    2: "It came because the model called the tool with this name.",
    3: "It came because this one file was asked for.",
}
NOTHING = "Nothing is in the context. Forward plays the first step."
_ROOM = 60_000


def facts(trace: DisclosureTrace) -> list[str]:
    """Returns where the trace is and how full the window is, in words."""
    total, context = trace.total, trace.session.context
    told = [
        f"step {trace.step:,} of {trace.last:,}",
        f"{total:,} of {context:,} tokens",
        f"{in_words.percent(total, context)} of the window",
    ]
    if total > context:
        told.append("over-full")
    told.append(f"counted by {trace.session.counter.name}")
    return told


def said(trace: DisclosureTrace) -> str:
    """Returns what the step that is shown did, in words."""
    if not trace.last:
        return "Nothing was played yet: session.start() begins, then Refresh shows it."
    if not trace.step:
        return "The context is empty."
    told = [entry for entry in trace.entries if entry.step == trace.step]
    parts = [f"{in_words.cut(entry.title, 120)}, {entry.tokens:+,} tokens" for entry in told]
    notes = [entry.note for entry in told if entry.note]
    return " ".join((f"Step {trace.step:,}: {'; '.join(parts)}.", *notes))


def states(trace: DisclosureTrace, place: int) -> list[str]:
    """Returns the short words that stand behind a message in the list."""
    entry = trace.entries[place]
    if place >= trace.moment.count:
        return ["to come"]
    told = [] if entry.level is None else [f"level {entry.level}"]
    if entry.is_error:
        told.append("error")
    if entry.kind != "unload" and place not in trace.moment.held:
        told.append("taken out")
    if entry.step == trace.step:
        told.append("this step")
    return told


def label(entry: Entry) -> str:
    """Returns a message in a few words, for a list."""
    shown = printable(" ".join(entry.shown[:200].split()))[:60].rstrip()
    said = f": {shown}" if entry.kind == "user" else ""
    more = "…" if said and len(entry.shown) > 60 else ""
    return f"{entry.step}. {in_words.cut(entry.title, 120)}{said}{more}"


def cost(trace: DisclosureTrace, place: int) -> str:
    """Returns what a message adds, in words; of one to come, nothing is told before."""
    entry = trace.entries[place]
    if place >= trace.moment.count:
        return ""
    return f"{entry.tokens:+,} tokens, {entry.total:,} in all"


# --- the bars -------------------------------------------------------------------------------------


def bars(trace: DisclosureTrace) -> list[Bar]:
    """Returns the context window as a bar, and the other ways below it."""
    context, total = trace.session.context, trace.total
    others = [each for each in trace.others or () if each.name != PROGRESSIVE]
    largest = max([total, *(each.total for each in others)])
    whole = max(context, largest) if trace.scale == "window" else max(largest, 1)
    mark = context if context < whole else None
    name = f"This session, {PROGRESSIVE}"
    parts = _by_level(trace.moment.levels)
    drawn = [bar(name, _full(total, context, mark), parts, whole=whole, mark=mark)]
    for each in others:
        name = each.name[:1].upper() + each.name[1:]
        told = _full(each.total, context, mark)
        drawn.append(bar(name, told, _other(trace, each), whole=whole, mark=mark))
    return drawn


def _by_level(levels: Mapping[Any, int]) -> list[Part]:
    return [
        (_KINDS[level], levels[level], f"{_SAID[level]}: {levels[level]:,}")
        for level in _ORDER
        if level in levels
    ]


def _other(trace: DisclosureTrace, given: Arrangement) -> list[Part]:
    """Returns what another way is made of, in the colours of the session."""
    if not given.total:
        return []
    if given.name == UP_FRONT:
        said = f"the user and what scripts print: {given.steps:,}"
        parts = [*_by_level(given.levels), ("four", given.steps, said)]
    else:
        start = f"at the start: {given.start:,} ({given.detail})"
        since = {level: number for level, number in trace.moment.levels.items() if level != 1}
        parts = [("one", given.start, start), *_by_level(since)]
    return [part for part in parts if part[1]]


def _full(total: int, context: int, mark: int | None) -> str:
    words = f"{in_words.count(total, 'token')}, {in_words.percent(total, context)} of the window"
    if total <= context:
        return words
    return f"{words}: does not fit{', the line is where the window ends' if mark else ''}"


def problems(told: Sequence[str]) -> Markup:
    """Returns what the other ways could not count, and why."""
    number = in_words.count(len(told), "thing not counted", "things not counted")
    items = (element("span", in_words.cut(said, 500)) for said in told)
    return tables.folded(number, tables.listed(items, len(told), "things"))


# --- one message ----------------------------------------------------------------------------------


def message(trace: DisclosureTrace, place: int, most: int = MOST_MESSAGE) -> Markup:
    """Returns a message as a model gets it, and what is to know about it."""
    entry = trace.entries[place]
    told = [LEVELS[entry.level]] if entry.level else []
    told += [f"{entry.tokens:+,} tokens", f"{entry.total:,} in all"]
    if entry.is_error:
        told.append("error")
    parts = [tables.title("message", entry.title), tables.chips(told)]
    if entry.note:
        parts.append(element("p", entry.note))
    if entry.kind == "unload":
        gone = trace.taken_out(place)
        items = (f"{label(each)}, {each.tokens:,} tokens" for each in gone)
        parts.append(note("It adds no message, and takes these out of the context:"))
        return join((*parts, tables.listed(map(prose, items), len(gone), "messages")))
    if not entry.shown:
        return join((*parts, note("The message is empty.")))
    if entry.level and not entry.is_error:
        parts.append(note(_WHY[entry.level]))
    parts.append(tables.block(entry.shown, most))
    if entry.shown != entry.text:
        parts.append(
            note("{root} stands for the absolute path of a root; the model gets the path.")
        )
    return join(parts)


# --- the static twin ------------------------------------------------------------------------------


def words(trace: DisclosureTrace) -> str:
    """Returns what is shown, as text."""
    lines = [f"<DisclosureTrace: {', '.join(facts(trace))}", f"  {said(trace)}"]
    first = max(0, min(trace.moment.count - MOST_NAMED // 2, len(trace.entries) - MOST_NAMED))
    if first:
        lines.append(f"  … {first:,} before")
    for place, entry in list(enumerate(trace.entries))[first : first + MOST_NAMED]:
        sign = ">" if place == trace.opened else " "
        told = "; ".join(part for part in (cost(trace, place), *states(trace, place)) if part)
        lines.append(f"{sign} {label(entry)}: {told}")
    more = len(trace.entries) - first - MOST_NAMED
    if more > 0:
        lines.append(f"  … and {more:,} more")
    lines += [
        f"  {each.name}: {each.start:,} at the start {each.steps:+,} by the steps = {each.total:,}"
        for each in trace.comparison or ()
    ]
    missed = trace.comparison.problems if trace.comparison else ()
    if missed:
        lines.append(f"  not counted: {in_words.cut('; '.join(missed[:5]), 500)}")
        lines += [f"  … and {len(missed) - 5:,} more"] if len(missed) > 5 else []
    return "\n".join(lines) + ">"


def card(trace: DisclosureTrace) -> Markup:
    """Returns what is shown, as HTML."""
    total, context = trace.total, trace.session.context
    window = (
        f"Context window: {total:,} of {context:,} tokens ({in_words.percent(total, context)}). "
    )
    meter = element("meter", value=min(max(total, 0), context), min=0, max=context)
    parts = [
        tables.title("Disclosure trace"),
        tables.chips(facts(trace)),
        element("p", window, meter),
        element("p", said(trace)),
    ]
    if trace.entries:
        parts.append(_table(trace))
    if trace.comparison is not None:
        parts.append(draw(trace.comparison))
    if trace.opened is not None:
        shown = tables.folded(
            f"The message opened: {in_words.cut(trace.entries[trace.opened].title, 120)}",
            message(trace, trace.opened, MOST_IN_CARD),
            opened=True,
        )
        parts.append(shown)
    return join(parts)


def _table(trace: DisclosureTrace) -> Markup:
    rows = (
        tables.row(
            label(entry),
            ", ".join(states(trace, place)),
            f"{entry.tokens:+,}" if place < trace.moment.count else "",
            f"{entry.total:,}" if place < trace.moment.count else "",
        )
        for place, entry in enumerate(trace.entries)
    )
    drawn = tables.within(rows, _ROOM)
    names = tables.head("Message", "State", "Tokens", "In all")
    table = element("table", names, element("tbody", *drawn), cls="table")
    parts = [element("div", table, cls="wide")]
    if len(drawn) < len(trace.entries):
        parts.append(note(f"{in_words.of(len(drawn), len(trace.entries), 'messages')}."))
    return join(parts)

"""What the tool simulator shows, as HTML and as text: its views, and its static twin.

Imports ``display``, ``calls``, ``call_forms`` and ``difference``; no widget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skillbook.display import code, envelope, tables
from skillbook.display import words as in_words
from skillbook.display.envelope import rooted
from skillbook.display.markup import Markup, element, join, note
from skillbook.scripts import ScriptCommand
from skillbook.tool import Tool
from skillbook.widgets import compared
from skillbook.widgets.difference import compare
from skillbook.widgets.limits import limit_words
from skillbook.widgets.simulator import call_forms
from skillbook.widgets.simulator.calls import Call, as_json

if TYPE_CHECKING:
    from skillbook.widgets.simulator.tool_simulator import ToolSimulator

MOST_JSON = 20_000
"""Characters of a message that are shown."""

MOST_ROWS = 300
"""Rows of a comparison that are shown."""

"""Characters of one line of a comparison that are shown."""

MOST_CALLS = 50
"""Calls that the static twin lists."""

_ROOM = 60_000


def facts(simulator: ToolSimulator) -> list[str]:
    """Returns what there is to call and what was called, in words."""
    told = [in_words.count(len(simulator.tools), "tool")]
    if simulator.skills is not None:
        told.append(in_words.count(len(simulator.skills), "skill"))
    told.append(in_words.count(len(simulator.history), "call"))
    if simulator.history:
        told.append(f"{in_words.count(simulator.history[-1].so_far, 'character')} so far")
    return told


def label(call: Call) -> str:
    """Returns a call in a few words, for a list."""
    limit = "" if call.sample_limit is None else f", sample_limit {limit_words(call.sample_limit)}"
    return f"{call.number}. {in_words.cut(call.said, 80)}{limit}"


def about(tool: Tool | None, more: int = 0) -> Markup:
    """Returns what a model is told of a tool, and of each argument."""
    if tool is None:
        return note("There is no tool of this name: the call will fail, as it would for a model.")
    schema: Any = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties = schema.get("properties")
    rows = [
        tables.row(str(name), _type(each), in_words.cut(str(_of(each, "description")), 500))
        for name, each in list(properties.items() if isinstance(properties, dict) else ())[:100]
    ]
    table = element(
        "table", tables.head("Argument", "Type", "About"), element("tbody", *rows), cls="table"
    )
    told = [element("p", in_words.cut(str(tool.description), 2_000), cls="text")]
    if rows:
        told.append(table)
    if more:
        told.append(note(f"{in_words.count(more, 'argument')} more: type them as JSON."))
    return tables.folded(f"What a model is told of {in_words.cut(str(tool.name), 80)}", *told)


def _of(schema: Any, key: str) -> Any:
    return schema.get(key, "") if isinstance(schema, dict) else ""


def _type(schema: Any) -> str:
    kind = _of(schema, "type")
    if kind == "array":
        return f"list of {_type(_of(schema, 'items')) or 'anything'}"
    return in_words.cut(str(kind), 60)


# --- one call -----------------------------------------------------------------------------------


def head(call: Call, tokens: str) -> Markup:
    """Returns what stands above a result: the call, how it went, its size."""
    told = ["error" if call.result.is_error else "ok"]
    if call.sample_limit is not None:
        told.append(f"sample_limit {limit_words(call.sample_limit)}")
    told += [
        in_words.count(call.size, "character"),
        *([tokens] if tokens else []),
        f"{in_words.count(call.so_far, 'character')} so far",
    ]
    said = rooted(call.said, call.result.root)
    return join(
        (
            element(
                "p",
                element("strong", f"Call {call.number}: "),
                element("code", in_words.cut(said, 300)),
            ),
            tables.chips(told),
        )
    )


def result(call: Call) -> Markup:
    """Returns what the model got: the envelope with its parts told apart, or the error."""
    shown = envelope.render(call.result)
    return join((note(call.note), shown)) if call.note else shown


def travels(call: Call, tool: Tool | None, form: str) -> Markup:
    """Returns the call as it would travel in one of the forms."""
    written = call_forms.written(form, call, tool, exact=False)
    parts = [note(written.note)] if written.note else []
    if written.request is not None:
        parts += [_section("The model's call"), _json(written.request)]
    if written.result is not None:
        parts += [_section("What comes back"), _json(written.result)]
    if written.told is not None:
        parts.append(tables.folded("What the model was told of the tool", _json(written.told)))
    return join(parts)


def _section(text: str) -> Markup:
    return element("p", element("strong", text), cls="section")


def _json(value: Any) -> Markup:
    text = as_json(value, indent=2)
    shown = code.highlight(text[:MOST_JSON], language="json")
    if len(text) <= MOST_JSON:
        return shown
    return join((shown, note(f"Cut: {in_words.of(MOST_JSON, len(text), 'characters')}.")))


def question(command: ScriptCommand) -> Markup:
    """Returns a command to say yes or no to, in full: what runs must not be a paraphrase."""
    told = [
        element("p", element("strong", "Run this script? It was not run from here before.")),
        element("pre", element("code", str(command)), cls="code"),
        note(f"In the folder {command.folder}, with your rights."),
    ]
    if command.variables:
        told.append(note(f"It adds the variables {', '.join(command.variables)}."))
    return join(told)


def asking(command: ScriptCommand) -> str:
    """Returns in words that a script waits for a yes or no."""
    return f"A script waits for your word: {command.script}"


# --- two calls ----------------------------------------------------------------------------------


def saved(left: Call, right: Call, tokens: tuple[int, int] | None, counter: str) -> str:
    """Returns how the sizes of two calls differ, in words."""
    less = left.size - right.size
    if not less:
        said = f"Both have {in_words.count(left.size, 'character')}."
    else:
        share = f" ({abs(less) / left.size:.0%})" if left.size else ""
        said = (
            f"Call {right.number} has {in_words.count(abs(less), 'character')}"
            f" {'fewer' if less > 0 else 'more'}{share} than call {left.number}."
        )
    if tokens is None:
        return said
    fewer = tokens[0] - tokens[1]
    counted = in_words.count(abs(fewer), "token")
    return f"{said} That is {counted} {'more' if fewer < 0 else 'fewer'} ({counter})."


def side_by_side(left: Call, right: Call, said: str, most: int = MOST_ROWS) -> Markup:
    """Returns two calls side by side, with the lines that differ marked and named."""
    found = compare(left.text, right.text)
    parts = [element("p", said), element("p", str(found))]
    if found:
        heads = f"Call {left.number}", f"Call {right.number}"
        parts.append(compared.table(*heads, found, ("only left", "only right"), most))
    return join(parts)


# --- the static twin ----------------------------------------------------------------------------


def _size(simulator: ToolSimulator, call: Call) -> str:
    told = in_words.count(call.size, "character")
    return f"{told}, {simulator.tokens_now(call)}" if simulator.asked_for_tokens else told


def words(simulator: ToolSimulator) -> str:
    """Returns what is shown, as text."""
    history = simulator.history
    lines = [f"<ToolSimulator of {simulator.status.title}: {', '.join(facts(simulator))}>"]
    if len(history) > 10:
        lines.append(f"  … {len(history) - 10:,} calls before")
    for call in history[-10:]:
        state = "error, " if call.result.is_error else ""
        lines.append(f"  {label(call)}: {state}{_size(simulator, call)}")
    if simulator.shown_call is not None:
        lines.append(f"  shown: call {simulator.shown_call.number}")
    if simulator.runner.command is not None:
        lines.append(f"  {asking(simulator.runner.command)}")
    both = simulator.compared
    if both is not None:
        lines.append(f"  compared: {simulator.saved_now()} {compare(both[0].text, both[1].text)}")
    return "\n".join(lines)


def card(simulator: ToolSimulator) -> Markup:
    """Returns what is shown, as HTML."""
    history = simulator.history
    parts = [
        element("p", element("strong", simulator.status.title), cls="title"),
        tables.chips(facts(simulator)),
    ]
    if history:
        rows = tables.within(
            (
                tables.row(
                    f"{call.number}",
                    in_words.cut(rooted(call.said, call.result.root), 200),
                    "" if call.sample_limit is None else limit_words(call.sample_limit),
                    "error" if call.result.is_error else "ok",
                    _size(simulator, call),
                    f"{call.so_far:,}",
                )
                for call in history[-MOST_CALLS:]
            ),
            _ROOM,
        )
        names = ("Call", "What was called", "sample_limit", "State", "Size", "So far")
        parts.append(element("table", tables.head(*names), element("tbody", *rows), cls="table"))
        if len(history) > len(rows):
            parts.append(note(f"The last {in_words.of(len(rows), len(history), 'calls')}."))
    else:
        parts.append(note("Nothing was called yet."))
    if simulator.runner.command is not None:
        parts.append(element("p", asking(simulator.runner.command)))
    call = simulator.shown_call
    if call is not None:
        parts += [head(call, ""), result(call)]
    both = simulator.compared
    if both is not None:
        parts += [_section("Compared"), side_by_side(*both, simulator.saved_now(), most=60)]
    return join(parts)


def nothing() -> Markup:
    """Returns what stands where a result will be."""
    return note("Choose or type a name, and press Run.")


def too_few() -> Markup:
    """Returns what stands where a comparison will be."""
    return note("Make two calls, for example with another sample_limit, to see what differs.")


def running(call: str) -> str:
    """Returns what the status line says while a tool runs."""
    return f"Running {in_words.cut(call, 60)} …"

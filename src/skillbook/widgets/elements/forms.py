"""A form for a tool's arguments, made from its JSON schema.

Text, numbers, yes or no, one of several, and lists of text get a control each; anything else is
typed as JSON. A schema may be a stranger's: nothing in it is taken for granted, and its words are
shown as text. Imports ``base`` and the records.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import ipywidgets

from skillbook.display.markup import shown
from skillbook.model import cut, printable
from skillbook.widgets.elements.base import control

MOST_FIELDS = 40
"""Properties that get a control; more are typed as JSON."""

MOST_OPTIONS = 500
"""Values of an ``enum`` that are offered; where there are more, the value is typed."""

MOST_NAMES = 200
"""Names that are suggested while one is typed."""

LEAVE_OUT = "(leave out)"


class Field:
    """One argument: its control, and the way between the control's value and JSON's."""

    def __init__(self, name: str, schema: Any, required: bool, names: Sequence[str] = ()) -> None:
        """Makes the control.

        Args:
            name: the argument's name.
            schema: its JSON schema.
            required: whether it must be given.
            names: values to suggest.
        """
        self.name = name
        self.names = names
        self.schema = _plain(schema)
        self.kind = "names" if names else _kind(self.schema)
        hint = shown(cut(str(self.schema.get("description", "")), 300))
        self.control = self._made(_label(name, required), hint)
        self.control.tooltip = hint
        self.control.add_class("skillbook-field")

    def _made(self, label: str, hint: str) -> Any:
        if self.kind in ("enum", "boolean"):
            values = [True, False] if self.kind == "boolean" else list(self.schema["enum"])
            options = [(LEAVE_OUT, None), *((_option(v), json.dumps(v)) for v in values)]
            return control(ipywidgets.Dropdown, label, options=options)
        if self.kind == "names":
            box = control(
                ipywidgets.Combobox, label, placeholder="choose or type a name", options=()
            )
            self._suggest(box, "")
            box.observe(lambda change: self._suggest(box, change["new"]), "value")
            return box
        if self.kind in ("list", "json"):
            typed = "one item a line" if self.kind == "list" else "JSON"
            return control(ipywidgets.Textarea, label, placeholder=typed, rows=2)
        what = {"integer": "a whole number", "number": "a number"}.get(self.kind, hint[:80])
        return control(ipywidgets.Text, label, placeholder=what)

    def _suggest(self, box: Any, typed: str) -> None:
        low = typed.casefold()
        near = (printable(name) for name in self.names if low in name.casefold())
        box.options = tuple(islice(near, MOST_NAMES))

    def value(self) -> tuple[bool, Any]:
        """Returns whether the argument is given, and its value."""
        typed = self.control.value
        if typed is None or typed == "":
            return False, None
        if self.kind in ("enum", "boolean"):
            return True, json.loads(typed)
        if self.kind == "list":
            return True, typed.removesuffix("\n").split("\n")
        if self.kind in ("integer", "number", "json"):
            with contextlib.suppress(ValueError, RecursionError):
                return True, json.loads(typed)
        return True, typed

    def show(self, given: bool, value: Any) -> None:
        """Shows a value, where the control has it; otherwise shows none."""
        if self.kind in ("enum", "boolean"):
            wanted = json.dumps(value) if given else None
            known = [option for _, option in self.control.options]
            self.control.value = wanted if wanted in known else None
        elif not given:
            self.control.value = ""
        elif self.kind == "list" and _is_texts(value):
            self.control.value = "\n".join(value)
        elif isinstance(value, str) and self.kind != "json":
            self.control.value = value
        else:
            self.control.value = json.dumps(value, ensure_ascii=False)


class Form:
    """The controls for a tool's arguments.

    Attributes:
        fields: one for each argument.
        more: how many arguments have no control.
    """

    def __init__(
        self,
        schema: Any,
        changed: Callable[[], None],
        names: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Makes a form.

        Args:
            schema: the tool's ``input_schema``.
            changed: called when a control was changed by hand.
            names: values to suggest, by argument.
        """
        found = _properties(schema)
        required = schema.get("required") if isinstance(schema, Mapping) else ()
        required = required if isinstance(required, (list, tuple)) else ()
        suggested = names or {}
        self.fields = [
            Field(name, each, name in required, suggested.get(name, ()))
            for name, each in list(found.items())[:MOST_FIELDS]
        ]
        self.more = len(found) - len(self.fields)
        self._changed = changed
        self._showing = False
        for each in self.fields:
            each.control.observe(self._heard, "value")

    def _heard(self, _change: Any) -> None:
        if not self._showing:
            self._changed()

    def values(self) -> dict[str, Any]:
        """Returns the arguments that are filled in."""
        return {each.name: value for each, value in self._given()}

    def _given(self) -> Iterator[tuple[Field, Any]]:
        for each in self.fields:
            given, value = each.value()
            if given:
                yield each, value

    def show(self, args: Any) -> None:
        """Shows arguments; what no control has is left to the JSON beside the form."""
        if not isinstance(args, Mapping):
            return
        self._showing = True
        try:
            for each in self.fields:
                each.show(each.name in args, args.get(each.name))
        finally:
            self._showing = False

    def close(self) -> None:
        """Closes its controls."""
        for each in self.fields:
            each.control.style.close()
            each.control.layout.close()
            each.control.close()


def _properties(schema: Any) -> dict[str, Any]:
    found = schema.get("properties") if isinstance(schema, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def _plain(schema: Any) -> Mapping[str, Any]:
    """Returns a schema; of several, the first that is not null."""
    if not isinstance(schema, Mapping):
        return {}
    several = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(several, list):
        for each in several:
            if isinstance(each, Mapping) and each.get("type") != "null":
                return {**each, **{k: v for k, v in schema.items() if k == "description"}}
    kind = schema.get("type")
    if isinstance(kind, list):
        kinds = [each for each in kind if each != "null"]
        return {**schema, "type": kinds[0] if len(kinds) == 1 else None}
    return schema


def _kind(schema: Mapping[str, Any]) -> str:
    values = schema.get("enum")
    if isinstance(values, list) and 0 < len(values) <= MOST_OPTIONS:
        return "enum"
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        texts = isinstance(items, Mapping) and items.get("type") == "string"
        return "list" if texts else "json"
    if kind in ("string", "integer", "number", "boolean"):
        return str(kind)
    return "string" if values else "json"


def _option(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown(cut(text or '""', 80))


def _label(name: str, required: bool) -> str:
    """Returns a label; a front end would read mathematics in it, so few characters stay."""
    text = re.sub(r"[^\w .\-]", "_", cut(str(name), 60))
    return f"{text} (required)" if required else text


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)

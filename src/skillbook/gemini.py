"""JSON schemas as Gemini's function declarations take them.

The API's ``Schema`` is a subset of OpenAPI 3.0: one type each, ``nullable`` beside it, enumerations
of text alone, and no references. Standard library only.
"""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

_AS_IT_IS = (
    *("type", "description", "nullable", "default", "required", "pattern"),
    *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
)
_FORMATS = ("date-time", "enum", "float", "double", "int32", "int64")
_DEEPEST = 50
_MOST_REFERENCES = 1_000  # definitions that name each other twice grow without measure


def schema(given: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema in Gemini's subset.

    Types with null become ``nullable``, references what they lead to, ``oneOf`` becomes ``anyOf``;
    choices that are no text are told in the description. Words that the API does not know are left
    out. An argument may be called as such a word. A reference that is lost, leads into itself, or
    is one of over 1,000 becomes an object.

    Args:
        given: the JSON schema of a tool's arguments; it is not changed.
    """
    return _made(given, _Root(given), ())


@dataclass(slots=True)
class _Root:
    """The whole schema, and how many references were followed in it so far."""

    schema: dict[str, Any]
    followed: int = 0


def _made(given: Any, root: _Root, met: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(given, dict):  # true takes anything
        return {}
    if "$ref" in given:
        target = given["$ref"]
        found = _found(target, root.schema)
        root.followed += 1
        others = {word: value for word, value in given.items() if word != "$ref"}
        endless = target in met or len(met) > _DEEPEST or root.followed > _MOST_REFERENCES
        if found is None or endless:
            return _made({"type": "object", **others}, root, met)
        return _made({**found, **others}, root, (*met, target))
    if isinstance(given.get("allOf"), list):
        whole: dict[str, Any] = {}
        for part in given["allOf"]:
            _add(whole, _made(part, root, met))
        rest = _made({word: value for word, value in given.items() if word != "allOf"}, root, met)
        return _add(whole, rest)
    made = {word: deepcopy(given[word]) for word in _AS_IT_IS if word in given}
    if not isinstance(made.get("required", []), list):
        del made["required"]
    if given.get("format") in _FORMATS:
        made["format"] = given["format"]
    if isinstance(given.get("properties"), dict):
        made["properties"] = {
            name: _made(value, root, met) for name, value in given["properties"].items()
        }
    if "items" in given:
        made["items"] = _made(given["items"], root, met)
    options = given.get("anyOf") or given.get("oneOf")
    if not isinstance(options, list):
        options = []
    if isinstance(made.get("type"), list):
        kinds = made.pop("type")
        options = options or [{"type": kind} for kind in kinds]
    _set_options(made, [option for option in options if option != {"type": "null"}], root, met)
    if {"type": "null"} in options:
        made["nullable"] = True
    choices = given.get("enum", [given["const"]] if "const" in given else None)
    if isinstance(choices, list):
        _set_choices(made, choices)
    return made


def _found(target: Any, root: dict[str, Any]) -> dict[str, Any] | None:
    """Returns what a reference within the schema leads to (JSON Pointer, RFC 6901)."""
    if not isinstance(target, str) or not target.startswith("#"):
        return None
    value: Any = root
    for step in target[1:].split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value if isinstance(value, dict) else None


def _add(whole: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Adds one schema of several that all hold; arguments of both stay."""
    for word, value in part.items():
        if word == "properties":
            whole[word] = {**whole.get(word, {}), **value}
        elif word == "required":
            whole[word] = [*dict.fromkeys([*whole.get(word, []), *value])]
        else:
            whole[word] = value
    return whole


def _set_options(
    made: dict[str, Any], options: list[Any], root: _Root, met: tuple[str, ...]
) -> None:
    found = [_made(option, root, met) for option in options]
    if len(found) == 1:
        for word, value in found[0].items():
            made.setdefault(word, value)
    elif found:
        made["anyOf"] = found


def _set_choices(made: dict[str, Any], choices: list[Any]) -> None:
    kept = [choice for choice in choices if choice is not None]
    if len(kept) < len(choices):
        made["nullable"] = True
    if not kept:
        return
    if all(isinstance(choice, str) for choice in kept):
        made["type"] = "string"
        made["enum"] = kept
        return
    said = f"One of: {', '.join(json.dumps(choice, ensure_ascii=False) for choice in kept)}."
    made["description"] = f"{made['description']} {said}" if made.get("description") else said
    if "type" not in made:
        made["type"] = _kind(kept)


def _kind(values: list[Any]) -> str:
    for kinds, name in (((bool,), "boolean"), ((int,), "integer"), ((int, float), "number")):
        if all(isinstance(value, kinds) for value in values):
            return name
    return "string"

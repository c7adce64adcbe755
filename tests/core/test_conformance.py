"""The conformance vectors: input trees and the exact bytes that they must give.

A case's ``deviates_from_toolnexus`` says why a value differs from the reference implementation.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from skillbook import SkillWarning, list_skills, load_skills
from trees import build

CASES = json.loads((Path(__file__).parent.parent / "data" / "skill_source.json").read_text())
KNOWN = {"inventory", "skipped", "loaded", "descriptions", "prompt", "calls"}


def filled(value: Any, root: Path) -> Any:
    """Returns an expected value with the case's folder put in."""
    text = json.dumps(value, ensure_ascii=False)
    for word, path in (("{ROOT_URI}", root.as_uri()), ("{ROOT}", str(root))):
        text = text.replace(word, json.dumps(path)[1:-1])
    return json.loads(text)


def outcome(case: dict[str, Any], root: Path) -> tuple[dict[str, Any], list[str]]:
    """Runs one case; returns what came out and what was warned about while loading."""
    dirs = [root / below for below in case["dirs"]] if "dirs" in case else root
    skills = case.get("skills")
    given = {key: case[key] for key in ("filter", "sample_limit") if key in case}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        inventory = list_skills(dirs, skills=skills)
        listed = len(caught)
        source = load_skills(dirs, skills=skills, **given)
    assert {warning.category for warning in caught} <= {SkillWarning}
    found = {
        "inventory": [skill.name for skill in inventory.skills],
        "skipped": [[skip.location, skip.reason] for skip in inventory.skipped],
        "loaded": list(source.skills),
        "descriptions": {name: skill.description for name, skill in source.skills.items()},
        "prompt": source.prompt(),
        "calls": [],
    }
    assert source.skipped == inventory.skipped
    for name in case.get("calls", list(source.skills)):
        result = asyncio.run(source.tool.execute({"name": name}))
        found["calls"].append(
            {
                "name": name,
                "is_error": result.is_error,
                "output": result.output,
                "metadata": result.metadata,
            }
        )
    return found, [str(warning.message) for warning in caught[listed:]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_vector(case: dict[str, Any], tmp_path: Path) -> None:
    """The case gives exactly the values that it expects."""
    root = build(tmp_path / "case", case.get("files", {}))
    found, _ = outcome(case, root)
    expected = filled({key: case["expect"][key] for key in KNOWN & case["expect"].keys()}, root)
    for call, right in zip(found["calls"], expected.get("calls", ()), strict=False):
        if right["metadata"] is not None:  # metadata may hold more than the keys given
            assert call["metadata"] is not None
            call["metadata"] = {key: call["metadata"].get(key) for key in right["metadata"]}
    assert {key: found[key] for key in expected} == expected


WARNED = {
    "duplicates-depth": "twin",
    "duplicates-path": "twin",
    "duplicates-roots": "twin",
    "clash-hidden": "twin",
    "clash-nested": "twin",
    "dirs-before-data": "same",
    "missing-root": "gone",
    "filter-allow": "ghost",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_warned(case: dict[str, Any], tmp_path: Path) -> None:
    """A missing root, a duplicate and an unknown filter name give one warning, all else none."""
    root = build(tmp_path / "case", case.get("files", {}))
    _, warned = outcome(case, root)
    name = WARNED.get(case["id"])
    assert len(warned) == (name is not None)
    assert all(name in message for message in warned)


def test_no_case_is_left_out() -> None:
    """Every case expects something that is judged, and its id is its own."""
    assert len({case["id"] for case in CASES}) == len(CASES) == 56
    assert all(KNOWN & case["expect"].keys() for case in CASES)


def test_wrong_case_is_told(tmp_path: Path) -> None:
    """The vector wrong-case, which gives no skill and no skip, gives a notice for each file."""
    case = next(case for case in CASES if case["id"] == "wrong-case")
    root = build(tmp_path, case["files"])
    notices = list_skills(root).notices
    assert [notice.location for notice in notices] == [str(root / path) for path in case["files"]]
    assert {notice.kind for notice in notices} == {"wrong-case"}

"""Real skills, as their authors published them: none is lost, and each can be called.

Runs where the folder of real skills is there (``SKILLBOOK_CORPUS``, or ``../shared/corpus`` beside
the checkout).
"""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from skillbook import ALL, SkillWarning, list_skills, load_skills

pytestmark = pytest.mark.corpus


def quietly(function: Any, *args: Any, **given: Any) -> Any:
    """Calls a function whose warnings about duplicates are expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkillWarning)
        return function(*args, **given)


@pytest.fixture(scope="module")
def repositories(corpus: Path) -> list[Path]:
    """The folders of the repositories that the skills come from."""
    return sorted(path for path in corpus.iterdir() if path.is_dir())


def files_called_skill_md(root: Path) -> list[str]:
    """Returns every SKILL.md below a folder, found without the code under test."""
    return sorted(
        os.path.join(folder, "SKILL.md")
        for folder, _, names in os.walk(root)
        if "SKILL.md" in names
    )


def test_no_file_is_lost(corpus: Path) -> None:
    """Every SKILL.md is a skill or a skip, once."""
    inventory = quietly(list_skills, corpus)
    met = [thing.location for thing in (*inventory.skills, *inventory.skipped)]
    assert sorted(met) == files_called_skill_md(corpus)


def test_every_skill_loads(corpus: Path) -> None:
    """Of the real skills only those whose name another has taken are skipped."""
    inventory = quietly(list_skills, corpus)
    assert {skip.reason for skip in inventory.skipped} <= {"duplicate-name"}
    if not os.environ.get("SKILLBOOK_CORPUS"):
        assert len(inventory.skills) + len(inventory.skipped) == 374


def test_every_skill_has_a_description(repositories: list[Path]) -> None:
    """Each real skill's description was read, so each has its line in the prompt."""
    for repository in repositories:
        source = quietly(load_skills, repository)
        assert [name for name, skill in source.items() if not skill.description] == []
        assert len(source.prompt().splitlines()) == 4 + len(source)


def test_every_envelope_works(repositories: list[Path]) -> None:
    """Each real skill's envelope is whole, and lists files that are there."""
    for repository in repositories:
        source = quietly(load_skills, repository, sample_limit=ALL)
        for name, skill in source.items():
            result = source.tool(name=name)
            assert not result.is_error
            assert "".join(text for _, text in result.parts) == result.output
            first, _, rest = result.output.partition("\n")
            assert ET.fromstring(f"{first}</skill_content>").attrib == {"name": name}
            assert rest.endswith("\n</skill_content>")
            assert skill.content.strip() in result.output
            listed = [
                line.removeprefix("<file>").removesuffix("</file>")
                for kind, text in result.parts
                if kind == "files"
                for line in text.splitlines()[1:-1]
                if line
            ]
            assert len(listed) == len(skill.files())
            assert all(os.path.isfile(path) for path in listed)


def test_everything_goes_through_json(repositories: list[Path]) -> None:
    """What is listed can be written as JSON and comes back the same."""
    for repository in repositories:
        data = quietly(list_skills, repository).to_dict()
        text = json.dumps(data, allow_nan=False, ensure_ascii=False)
        assert json.loads(text.encode()) == data


def test_two_listings_agree(corpus: Path) -> None:
    """Two listings of the same files are the same."""
    one, two = (quietly(list_skills, corpus) for _ in range(2))
    assert one.to_dict() == two.to_dict()
    assert repr(one) == repr(two)

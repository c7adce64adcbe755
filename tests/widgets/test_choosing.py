"""Which entries a list shows, in which order, and what in them matched."""

from __future__ import annotations

from typing import Any

import pytest

from skillbook.model import Notice, Root, SkillDef, SkillInfo, SkillSkip
from skillbook.source import load_skills
from skillbook.widgets.choosing import (
    Choosing,
    Known,
    around,
    fold,
    marked,
    origins_of,
    split_words,
)
from skillbook.widgets.subject import Entry


def entry(name: str, description: str | None = None, body: str = "", **changes: Any) -> Entry:
    """Returns the entry of a data skill."""
    source = load_skills(skills=[SkillDef(name, body, description)])
    info = source[name]
    values = {field: getattr(info, field) for field in SkillInfo.__slots__}
    return Entry(name, "skill", SkillInfo(**{**values, **changes}))


def choosing(*entries: Entry) -> Choosing:
    """Returns what chooses among entries."""
    return Choosing({each.key: each for each in entries})


SKIPPED = Entry(
    "skills/torn/SKILL.md",
    "skipped",
    None,
    SkillSkip("/x/torn/SKILL.md", "unreadable", "it is torn"),
)


def test_words_in_any_order() -> None:
    """All words must be in the name or the description, in any order and letter case."""
    made = choosing(entry("tide", "Height of water."), entry("hive", "Bees, no water."))
    assert made.find("WATER tid") == ["tide"]
    assert made.find("water") == ["tide", "hive"]
    assert made.find("water kiln") == []


def test_letters_of_any_form() -> None:
    """An accent in two code points is found by one, and the sharp s by two letters."""
    made = choosing(entry("cafe\u0301", "Straße."))
    assert made.find("CAFÉ strasse") == ["cafe\u0301"]
    assert fold("É") == fold("E\u0301")


def test_skipped_files_are_found_by_path_and_reason() -> None:
    """A skipped file is in the same list and found by its folder and by what is wrong with it."""
    made = choosing(entry("tide", "Water."), SKIPPED)
    assert made.find() == ["tide", "skills/torn/SKILL.md"]
    assert made.find("torn it is") == ["skills/torn/SKILL.md"]
    assert SKIPPED.title == "torn"


def test_filters() -> None:
    """The list can be held to skills, warnings, scripts, or what was skipped."""
    warned = entry("warned", None)
    scripted = entry("scripted", "Has scripts.")
    made = choosing(warned, scripted, SKIPPED)
    made.known = {"warned": Known(), "scripted": Known(files=1, scripts=True)}
    assert made.find(show="skills") == ["warned", "scripted"]
    assert made.find(show="warnings") == ["warned"]
    assert made.find(show="scripts") == ["scripted"]
    assert made.find(show="skipped") == ["skills/torn/SKILL.md"]
    assert [made.count(show) for show in ("all", "skills", "warnings", "scripts", "skipped")] == [
        3, 2, 1, 1, 1,
    ]  # fmt: skip


def test_sorts() -> None:
    """The list can be sorted by name, body, files and warnings; at first it is as found."""
    made = choosing(entry("b", "Beta."), entry("C", "Gamma."), entry("a"))
    made.known = {"b": Known(5, 1), "C": Known(50, 0), "a": Known(7, 9)}
    assert made.find(sort="folder order") == ["b", "C", "a"]
    assert made.find(sort="name") == ["a", "b", "C"]
    assert made.find(sort="largest body") == ["C", "a", "b"]
    assert made.find(sort="most files") == ["a", "b", "C"]
    assert made.find(sort="most warnings") == ["a", "b", "C"]


def test_origins_are_offered_where_they_tell_apart() -> None:
    """Roots, folders on the whole and code are offered; where all come from one place, nothing."""
    one, two = Root("one", "/one"), Root("two", "/two")
    mixed = choosing(
        entry("a", "A.", root=one), entry("b", "B.", root=two), entry("c", "C.", root=None)
    )
    assert mixed.origins() == {"one": 1, "all folders": 2, "two": 1, "given in code": 1}
    assert mixed.find(origin="all folders") == ["a", "b"]
    assert choosing(entry("a", "A.", root=one)).origins() == {}
    with_code = choosing(entry("a", "A.", root=one), entry("c", "C.", root=None))
    assert with_code.origins() == {"one": 1, "given in code": 1}


def test_kits_are_origins() -> None:
    """A kit's skill comes from its kit and its provider."""
    from skillbook.model import KitPlace

    skill = entry("files:read", "Reads.", place=KitPlace("files", "local"))
    assert origins_of(skill) == ("kit files", "provider local")


@pytest.mark.parametrize(
    ("text", "words", "parts"),
    [
        ("Tide tables", ["tide"], ["", "Tide", " tables"]),
        ("a.b", ["."], ["a", ".", "b"]),
        ("data", ["a", "data"], ["", "data", ""]),
        ("none", [], ["none"]),
    ],
)
def test_what_matched_is_every_second_part(text: str, words: list[str], parts: list[str]) -> None:
    """Text comes in parts of which every second one matched; words are no patterns."""
    assert marked(text, words) == parts


def test_a_match_far_inside_is_brought_into_sight() -> None:
    """A description whose match lies far inside begins a little before it."""
    text = "word " * 50 + "the tide turns " + "word " * 50
    assert around(text, ["tide"]).startswith("… word word word word the tide turns")
    assert around("The tide turns.", ["tide"]) == "The tide turns."
    assert around("a\n  b", []) == "a b"


def test_the_cut_shows_as_many_of_the_words_as_can_be() -> None:
    """Words that stand far apart are both shown; the place with most of them comes first."""
    text = "Use when you bake at home and the recipe is long and goes on and on, such as for bread."
    assert around(text, ["when", "bread"]) == (
        "Use when you bake at home and the recipe is long … as for bread."
    )
    apart = "bread " + "word " * 50 + "when the bread is done " + "word " * 50
    assert around(apart, ["when", "bread"]).startswith("… word word word word when the bread is")
    assert around(apart, ["bread", "kiln"]).startswith("bread word")
    assert around("y" * 500, ["y"]) == "y" * 300


def test_bodies_are_searched_on_demand() -> None:
    """Words may be spread over name, description and body; no body is kept."""
    made = choosing(entry("tide", "Water.", "The moon."), entry("hive", "Bees.", "The queen."))
    assert made.find("moon water") == []
    assert list(made.read_bodies("moon water")) == [0.5, 1.0]
    assert made.find("moon water") == ["tide"]
    assert made.not_above("tide", ["moon", "water"]) == ["moon"]


def test_work_that_is_stopped_changes_nothing() -> None:
    """A search of bodies that is closed before its end leaves the list as it was."""
    made = choosing(entry("a", "A.", "moon"), entry("b", "B.", "moon"))
    steps = made.read_bodies("moon")
    next(steps)
    steps.close()
    assert made.hits is None
    assert made.find("moon") == []


def test_words_are_split_once() -> None:
    """A word that is typed twice counts once."""
    assert split_words("  Tide tide\tTABLE ") == ["tide", "table"]


def test_warnings_of_an_unreadable_skill_do_not_hide_it() -> None:
    """A skill whose file cannot be read any more still has its place in every order."""
    gone = entry("gone", "Was here.", warnings=(Notice("/x", "kind", "detail"),))
    made = choosing(gone, entry("here", "Is here."))
    assert list(made.get_to_know()) == [0.5, 1.0]
    assert set(made.find(sort="largest body")) == {"gone", "here"}

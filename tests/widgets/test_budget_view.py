"""The budget view: what a limit leaves of each skill, as ``budget`` says it, and what changes do."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
import traitlets
from explorers import many
from test_hostile import ATTACKS, panes, wrong

from skillbook.budgets import budget
from skillbook.errors import SkillNotFound
from skillbook.hosts import HOSTS
from skillbook.model import SkillDef
from skillbook.source import SkillSource, load_skills
from skillbook.widgets import BudgetView
from skillbook.widgets.budget.budget_view import LIST, NEW, NUMBERS
from trees import build, skill

Make = Callable[..., BudgetView]


@pytest.fixture
def source() -> SkillSource:
    """Ten skills with descriptions of 100 characters, and one without."""
    skills = [SkillDef(f"s{n}", "Body.", f"{n} {'word ' * 19}end") for n in range(10)]
    return load_skills(skills=[*skills, SkillDef("quiet", "Body.")])


@pytest.fixture
def view() -> Iterator[Make]:
    """Makes budget views, and closes them at the end."""
    made: list[BudgetView] = []

    def one(*args: Any, **values: Any) -> BudgetView:
        made.append(BudgetView(*args, **values))
        return made[-1]

    yield one
    for each in made:
        each.close()


def test_shows_what_budget_says(view: Make, source: SkillSource) -> None:
    """For each host and context the view holds what ``budget`` gives, and says its numbers."""
    made = view(source)
    for host in HOSTS:
        for context in (2_000, 20_000, None):
            made.host, made.context = host, context
            own = {"chars": 8_000} if host == "own" else {}
            wanted = budget(source, host, context, **own)
            assert made.budget.to_dict() == wanted.to_dict()
            assert f"{wanted.used:,} of {wanted.limit:,} {wanted.unit}" in made.status.facts
            assert [row[3] for row in made.list.rows] == [[entry.state] for entry in wanted]


def test_eight_thousand_characters_at_two_hundred_thousand_tokens(view: Make) -> None:
    """The view opens with the public example: 200,000 tokens of context give 8,000 characters."""
    made = view(many(1))
    assert (made.host, made.context, made.budget.limit) == ("claude-code", 200_000, 8_000)


def test_the_slider_moves_the_context(view: Make, source: SkillSource) -> None:
    """A stop of the slider sets the context and says what it did; None is the stop ``unknown``."""
    made = view(source)
    made.context_box.value = 16_000
    assert (made.context, made.budget.limit) == (16_000, 640)
    assert made.status.message == (
        "The limit is 640 characters; it was 8,000 characters. Less is listed of 5 skills."
    )
    made.context_box.value = 0
    assert made.context is None
    made.context = 12_345
    assert made.context_box.value == 12_345
    assert ("12,345", 12_345) in made.context_box.options
    made.context = 16_000
    assert ("12,345", 12_345) not in made.context_box.options
    assert not made.context_box.disabled
    made.host_box.value = "copilot-cli"
    assert made.context_box.disabled
    assert (made.host, made.budget.limit, made.context) == ("copilot-cli", 15_000, 16_000)


def test_a_limit_of_ones_own(view: Make, source: SkillSource) -> None:
    """Under ``own`` the limit and its unit can be set; its controls stand there only then."""
    made = view(source)
    assert made.own.layout.display == "none"
    made.host = "own"
    assert made.own.layout.display == ""
    made.limit_box.value = 300
    assert (made.budget.limit, made.budget.unit) == (300, "characters")
    made.unit_box.value = "tokens"
    assert made.budget.to_dict() == budget(source, "own", tokens=300).to_dict()
    given = view(source, tokens=200)
    assert (given.host, given.unit, given.limit) == ("own", "tokens", 200)


def test_numbers_hold_for_the_host_they_are_given_for(view: Make, source: SkillSource) -> None:
    """A host's number given at first is kept for that host; another host has its own."""
    made = view(source, "claude-code", fraction=0.02)
    assert made.budget.limit == 16_000
    made.host = "codex"
    assert made.budget.limit == 4_000
    made.host = "claude-code"
    assert made.budget.limit == 16_000
    capped = view(source, "codex", chars=500)
    assert (capped.budget.limit, capped.context_box.disabled) == (500, True)


def test_use_ranks_where_a_host_ranks(view: Make, source: SkillSource) -> None:
    """The skills that were used most keep their description, and the row says how often."""
    made = view(source, context=8_000, usage={"s7": 3})
    assert made.budget.whole == ("s0", "s7")
    assert made.list.rows[7][3] == ["whole", "used 3"]
    made.host = "codex"
    assert made.list.rows[7][3] == ["cut"]


def test_another_description(view: Make, source: SkillSource) -> None:
    """Slider and text say what another wording frees and brings back; its own changes nothing."""
    made = view(source, context=8_000)
    made.chosen = "s0"
    own = made.wording
    assert (len(own), made.keep_box.max, made.reworded) == (100, 100, None)
    assert "shortening it frees that at most" in made.effect.value
    made.keep_box.value = 10
    assert (made.wording, made.wording_box.value) == (own[:10], own[:10])
    assert made.reworded is not None
    assert made.reworded.to_dict() == made.budget.shorten("s0", 10).to_dict()
    assert "frees 90 characters" in made.effect.value
    made.wording_box.value = "Draws bees on paper."
    assert (made.keep_box.value, made.reworded.freed) == (20, 80)
    assert "With a description of 20 characters:" in made.effect.value
    made.wording_box.value = "d" * 140
    assert (made.keep_box.value, made.reworded.freed) == (100, -40)
    assert "takes 40 characters" in made.effect.value
    made.own_button.click()
    assert (made.wording, made.reworded, made.own_button.disabled) == (own, None, True)
    made.wording = ""
    assert made.reworded.freed == 102
    assert "Without a description:" in made.effect.value
    made.list.chosen = "1"
    assert (made.chosen, made.wording[0], made.reworded) == ("s1", "1", None)


def test_a_very_long_description_is_its_own(view: Make) -> None:
    """A description longer than what may be typed is shown whole, and is no rewording."""
    made = view(load_skills(skills=[SkillDef("long", "b", "word " * 30_000)]))
    made.chosen = "long"
    assert (len(made.wording), made.reworded) == (149_999, None)


def test_a_new_skill(view: Make, source: SkillSource) -> None:
    """A name and a description say what it would push out; a name that is there says so."""
    made = view(source, context=16_000)
    assert "Type a name" in made.panes[NEW].value
    made.name_box.value = "a-new-one"
    assert made.added is None
    made.description_box.value = "Draws bees. " * 20
    assert made.added is not None
    assert made.added.to_dict() == made.budget.add("a-new-one", "Draws bees. " * 20).to_dict()
    assert "It would push out" in made.panes[NEW].value
    assert made.added.worse == ("s3", "s4")
    made.new_name = " s0 "
    assert made.added is None
    assert "There is a skill of this name already" in made.panes[NEW].value


def test_the_list_is_held_to_state_and_search(view: Make, source: SkillSource) -> None:
    """Show and search hold the list, each state with its count."""
    made = view(source, context=8_000)
    assert made.show_box.options == (
        ("everything", "all"), ("whole 2", "whole"), ("cut 0", "cut"), ("name-only 8", "name-only"),
        ("gone 0", "gone"),
    )  # fmt: skip
    made.show_box.value = "whole"
    assert [entry.name for entry in made.found] == ["s0", "s1"]
    made.search_box.value = "S1"
    assert [row[1] for row in made.list.rows] == [["", "s1", ""]]
    made.show = "gone"
    assert (made.list.rows, made.list.empty) == ([], "No skill of that kind.")
    assert "1 without a description, in no list" in made.count.value


def test_tabs_are_filled_when_they_are_seen(view: Make, source: SkillSource) -> None:
    """The list and the numbers are those of the budget, also after host and context changed."""
    made = view(source, "copilot-cli", chars=600)
    assert made.panes[LIST].value == ""
    made.tabs.selected_index = LIST
    assert "Showing 3 of 10 skills" in made.panes[LIST].value
    assert "Gone, 7 skills" in made.panes[LIST].value
    assert "No description, so in no list, 1 skill" in made.panes[LIST].value
    made.tabs.selected_index = NUMBERS
    assert "github.com/github/copilot-cli/issues/2314" in made.panes[NUMBERS].value
    assert "November 2026" in made.panes[NUMBERS].value
    made.host = "maka"
    assert "apache/maka/pull/796" in made.panes[NUMBERS].value
    made.host = "own"
    assert "A limit of one&#x27;s own" in made.panes[NUMBERS].value.replace("'", "&#x27;")


def test_bars_say_used_and_needed(view: Make, source: SkillSource) -> None:
    """One bar is what is listed by state, one what the whole list would take, with the limit's line."""
    made = view(source, context=8_000)
    listed, whole = made.bars.bars
    used, needed = made.budget.used, made.budget.needed
    assert listed[1].startswith(f"{used:,} characters")
    assert whole[1].startswith(f"{needed:,} characters")
    assert listed[3] == whole[3] == round(320 / needed, 5)
    assert [part[2] for part in listed[2]] == ["whole: 214", "name-only: 39"]
    made.context = 2_000_000
    assert made.bars.bars[0][3] == -1.0


def test_twin_has_the_same_facts(view: Make, source: SkillSource) -> None:
    """HTML and text say states, the chosen skill and both changes, the same on every run."""
    shown = []
    for _ in range(2):
        made = view(source, context=8_000)
        made.chosen, made.wording = "s1", "Draws"
        made.new_name, made.new_description = "z-new", "Draws bees."
        shown.append((made._repr_html_(), repr(made)))
    assert shown[0] == shown[1]
    html, text = shown[0]
    for fact in ("2 whole", "8 name-only", "s1", "z-new", "Claude Code"):
        assert fact in html
        assert fact in text
    assert "With a description of 5 characters: <Change frees 95 characters" in text
    assert "frees 95 characters" in html
    assert wrong(html.split("</style>", 1)[1]) == []


def test_same_skills_elsewhere_give_the_same_bytes(
    view: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the folder lies changes nothing, with a host too that writes places."""
    shown = []
    for place in ("a", "b/c"):
        build(tmp_path / place / "skills", {"tide/SKILL.md": skill("tide", "Tides.", "Body.\n")})
        monkeypatch.chdir(tmp_path / place)
        made = view("skills", "codex")
        shown.append((made._repr_html_(), repr(made), made.status.title))
    assert shown[0] == shown[1]


def test_twenty_thousand_skills(view: Make) -> None:
    """A page of 200, a small twin, and host and context in seconds at most."""
    made = view(many(20_000))
    assert (len(made.list.rows), made.list.after) == (200, "Next 200")
    begun = time.perf_counter()
    for host in ("codex", "copilot-cli", "claude-code"):
        made.host = host
    assert time.perf_counter() - begun < 10
    assert len(made._repr_html_()) < 200_000
    assert len(repr(made)) < 5_000
    made.turn(1)
    assert made.shown[0].name == "skill-00200"
    made.search = "19999"
    assert [entry.name for entry in made.shown] == ["skill-19999"]


def test_no_skill_at_all(view: Make) -> None:
    """An empty source shows an empty budget."""
    made = view(load_skills(skills=[]))
    assert (made.chosen, made.entry, made.list.empty) == (None, None, "No skill here.")
    assert "no skills" in made.status.facts
    assert "no skills" in repr(made)


def test_wrong_values_are_refused(view: Make, source: SkillSource) -> None:
    """A wrong host, number, context, limit or name is refused with what there is."""
    with pytest.raises(ValueError, match="no host is called 'x'; known are claude-code"):
        view(source, "x")
    with pytest.raises(TypeError, match="Codex CLI has no number 'fractions'"):
        view(source, "codex", fractions=1)
    with pytest.raises(ValueError, match="chars and tokens are both given"):
        view(source, chars=1, tokens=2)
    with pytest.raises(TypeError, match="usage is 3; pass a mapping"):
        view(source, "codex", usage=3)
    made = view(source)
    with pytest.raises(traitlets.TraitError):
        made.host = "x"
    with pytest.raises(ValueError, match="context is 0; pass a number of tokens above 0"):
        made.context = 0
    with pytest.raises(ValueError, match="limit is -1"):
        made.limit = -1
    with pytest.raises(SkillNotFound, match="s0"):
        made.chosen = "s00"
    assert (made.host, made.context) == ("claude-code", 200_000)


@pytest.mark.parametrize(
    "arguments",
    [
        {"context": 0}, {"chars": 10**13}, {"tokens": 10**15}, {"host": []}, {"host": ""},
        {"fraction": None}, {"usage": {"s1": -1}}, {"host": "codex", "usage": {"s1": -1}},
    ],
)  # fmt: skip
def test_what_is_refused_leaves_nothing(source: SkillSource, arguments: dict[str, Any]) -> None:
    """What a budget refuses the view refuses too, and no widget is left behind."""
    before = set(ipywidgets.widgets.widget._instances)
    with pytest.raises((TypeError, ValueError)):
        BudgetView(source, **arguments)
    assert set(ipywidgets.widgets.widget._instances) == before


def test_what_maka_leaves_out_is_not_unknown(view: Make, source: SkillSource) -> None:
    """Where the list names what is gone, the pane does not say that a model cannot know of it."""
    made = view(source, "maka", 5_000, least_tokens=0)
    made.chosen = made.budget.missing[0]
    assert "can load it" in made.panes[0].value


def test_usage_may_be_any_number(view: Make, source: SkillSource) -> None:
    """A fraction says how often a skill was used, as any number does."""
    made = view(source, context=8_000, usage={"s7": Fraction(1, 2)})
    assert made.list.rows[7][3][-1] == "used 0.5"


def test_a_context_that_is_too_large_changes_nothing(view: Make, source: SkillSource) -> None:
    """A refused context leaves the trait as the budget is."""
    made = view(source)
    with pytest.raises(ValueError, match="below 10"):
        made.context = 10**15
    assert made.context == made.budget.context == 200_000


def test_every_control_has_a_label(view: Make, source: SkillSource) -> None:
    """Each control says what it is; the list has a name."""
    made = view(source)
    boxes = (
        made.host_box, made.context_box, made.limit_box, made.unit_box, made.show_box,
        made.search_box, made.keep_box, made.wording_box, made.name_box, made.description_box,
    )  # fmt: skip
    assert all(box.description for box in boxes)
    assert made.list.label == "Skills"


def test_close_frees_every_comm(source: SkillSource) -> None:
    """After close no comm is left, and the static twin stays."""
    before = set(ipywidgets.widgets.widget._instances)
    made = BudgetView(source)
    html = made._repr_html_()
    made.close()
    assert set(ipywidgets.widgets.widget._instances) == before
    assert made._repr_html_() == html


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_stays_text(view: Make, attack: str) -> None:
    """Names and descriptions stay text with every host, in every tab, and in a new skill."""
    made = view(load_skills(skills=[SkillDef(attack, "b", attack), SkillDef(f"x{attack}", "b")]))
    found = []
    for host in HOSTS:
        made.host = host
        made.wording = f"w{attack}"
        made.new_name = made.new_description = f"new {attack}"
        for number in range(4):
            made.tabs.selected_index = number
        found += [fault for pane in panes(made) for fault in wrong(pane.value)]
        found += wrong(made._repr_html_().split("</style>", 1)[1])
        repr(made).encode()
    assert found == []
    assert not re.search(re.escape(attack), str([made.host_box.options, made.show_box.options]))

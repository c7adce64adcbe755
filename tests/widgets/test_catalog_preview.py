"""The catalogue preview: the exact prompt, what it costs, the filter, and what is left out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import test_modules
import traitlets
from explorers import Messages, many
from hypothesis import given, settings
from hypothesis import strategies as st
from test_hostile import ATTACKS, panes, texts, wrong

import skillbook
from skillbook.errors import SkillNotFound, SkillWarning
from skillbook.kits.catalog import Catalog
from skillbook.kits.local import LocalProvider
from skillbook.model import SkillDef
from skillbook.source import SkillSource, load_skills
from skillbook.tokens import count_tokens
from skillbook.widgets import CatalogPreview, ToolSimulator
from skillbook.widgets.elements.ticks import Ticks
from skillbook.widgets.preview.catalog_preview import ABSENT, FILTER, PAGE, PROMPT
from skillbook.widgets.preview.catalogue import Catalogue
from trees import build, skill

Preview = Callable[..., CatalogPreview]


@pytest.fixture
def preview() -> Iterator[Preview]:
    """Makes previews, and closes them at the end."""
    made: list[CatalogPreview] = []

    def one(*what: Any, **more: Any) -> CatalogPreview:
        made.append(CatalogPreview(*what, **more))
        return made[-1]

    yield one
    for each in made:
        each.close()


def three() -> SkillSource:
    """Returns three data skills, one without a description."""
    return load_skills(
        skills=[
            SkillDef("b", "Body.", "Second."),
            SkillDef("a", "Body.", "First one, and longer."),
            SkillDef("bare", "Body."),
        ]
    )


async def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    while not holds():  # noqa: ASYNC110 - what is waited for is a widget's state
        await asyncio.sleep(0.01)


def press(shown: CatalogPreview, *names: str) -> None:
    """Ticks just these boxes on the page, as the front end does."""
    keys = {name: key for name, (key, *_) in zip(shown.shown, shown.list.rows, strict=True)}
    shown.list.ticked = [keys[name] for name in names]


def test_shows_the_exact_prompt(preview: Preview) -> None:
    """The text is the source's prompt in each format, also with a filter."""
    source = three()
    shown = preview(source)
    for form in ("markdown", "xml", "json"):
        shown.format = form
        for kept in (("a", "b", "bare"), ("a", "bare"), ("bare",), ()):
            press(shown, *kept)
            assert shown.text == shown.source.prompt(form)
            assert set(shown.source) == set(kept)
        shown.filter = None
        assert shown.text == source.prompt(form)


def test_says_what_it_costs(preview: Preview) -> None:
    """Skills, characters and lines stand in all and for each skill."""
    shown = preview(three())
    assert shown.status.facts == ["2 of 3 skills in the catalogue", "215 characters", "6 lines", "… tokens"]  # fmt: skip
    assert len(shown.text) == 215
    assert [row[3] for row in shown.list.rows] == [
        ["31 characters", "1 line"],
        ["16 characters", "1 line"],
        ["no description: not in the prompt"],
    ]
    shown.format = "xml"
    assert shown.list.rows[0][3] == ["119 characters", "11 lines"]


def test_a_box_writes_the_filter(preview: Preview) -> None:
    """A cleared box gives a filter that code can observe, and the new prompt at once."""
    shown = preview(three())
    heard: list[Any] = []
    shown.observe(lambda change: heard.append(change["new"]), "filter")
    press(shown, "a", "bare")
    assert heard == [{"b": False}]
    assert "Second." not in shown.panes[PROMPT].value
    assert shown.status.facts[0] == "1 of 3 skills in the catalogue"
    assert shown.status.message == "The prompt went from 215 to 198 characters."
    press(shown, "a", "b", "bare")
    assert heard == [{"b": False}, None]


def test_filter_from_code(preview: Preview) -> None:
    """A filter that is set ticks the boxes; a wrong one is refused, an unknown name warned of."""
    shown = preview(three())
    shown.filter = {"a": True}
    assert shown.kept == ["a"]
    assert shown.list.ticked == ["1"]
    with pytest.raises(TypeError, match="pass names to True or False"):
        shown.filter = {"a": "yes"}
    with pytest.raises(traitlets.TraitError):
        shown.filter = ["a"]
    with pytest.warns(SkillWarning, match="not there: nope"):
        shown.filter = {"nope": True}
    assert shown.kept == []
    shown.filter = {}
    assert shown.filter is None


@pytest.mark.parametrize(
    ("way", "kept", "rule"),
    [
        ("shorter", {"a"}, {"a": True}),
        ("shorter", {"a", "b"}, {"bare": False}),
        ("leave out", {"a"}, {"b": False, "bare": False}),
        ("keep only", {"a", "b"}, {"b": True, "a": True}),
        ("keep only", set(), {"b": False, "a": False, "bare": False}),
        ("keep only", {"a", "b", "bare"}, None),
    ],
)
def test_ways_to_write_it(way: str, kept: set[str], rule: dict[str, bool] | None) -> None:
    """The filter names what is kept or what is left out, and means the same."""
    found = Catalogue(three())
    assert found.filter_for(kept, way) == rule
    assert found.kept(rule) == kept


@given(
    kept=st.sets(st.sampled_from(["a", "b", "bare"])),
    given_=st.dictionaries(st.sampled_from(["a", "b", "bare", "x"]), st.booleans()),
    way=st.sampled_from(["shorter", "leave out", "keep only"]),
)
def test_filter_means_what_is_ticked(kept: set[str], given_: dict[str, bool], way: str) -> None:
    """Whatever is ticked, the filter keeps just that, also of a source that came with a filter."""
    source = SkillSource(three()._inventory, filter=given_)
    found = Catalogue(source)
    wanted = kept & set(source)
    rule = found.filter_for(wanted, way)
    assert set(found.source(rule)) == found.kept(rule) == wanted
    if not (given_.keys() - set(three())):
        assert set(load_skills(skills=[SkillDef(n, "x") for n in three()], filter=rule)) == wanted


@pytest.mark.parametrize(
    ("given_", "rule"),
    [
        ({"tide": True}, {"tide": False}),
        ({"tide": True, "hive": True}, {"tide": False, "hive": False}),
        ({"tide": True, "hive": True}, None),
        ({"tide": False}, None),
        ({"tide": False}, {"hive": False}),
        ({"tide": False}, {"tide": True}),
    ],
)
def test_python_gives_what_is_shown(
    preview: Preview, folder: str, given_: dict[str, bool], rule: dict[str, bool] | None
) -> None:
    """The copied Python gives the prompt that is shown, also of a source that came with a filter."""
    shown = preview(load_skills(folder, filter=given_))
    shown.filter = rule
    names: dict[str, Any] = {"sb": skillbook}
    exec(shown.python, names)
    assert names["source"].prompt() == shown.source.prompt() == shown.text


def test_clearing_all_of_a_filtered_source_says_nothing(preview: Preview, folder: str) -> None:
    """A filter that leaves everything out names skills that the source itself left out; no warning."""
    shown = preview(load_skills(folder, filter={"tide": True}))
    shown.clear_all()
    assert shown.filter == dict.fromkeys(load_skills(folder), False)
    assert shown.listed == 0


def test_python_of_kits_is_the_filter_alone(preview: Preview, tmp_path: Path) -> None:
    """No call of ``load_skills`` gives the names of a kit, so none is written."""
    build(tmp_path, {"pots/skills/cup/SKILL.md": skill("cup", "Makes cups.")})
    shown = preview(Catalog([LocalProvider(tmp_path / "pots")]))
    shown.clear("pots:cup")
    assert shown.python == "skill_filter = {'pots:cup': False}"


def test_a_name_that_is_not_there(preview: Preview) -> None:
    """The message names every skill that can be ticked, also those that are not."""
    shown = preview(three())
    shown.clear("a")
    with pytest.raises(SkillNotFound, match="Available skills: a, b, bare"):
        shown.tick("nope")


def test_a_counter_that_raises(preview: Preview) -> None:
    """What a counter of one's own raises reaches the caller, and never a repr."""

    def broken(_text: str) -> int:
        raise KeyError("spoon")

    shown = preview(three(), counter=broken)
    with pytest.raises(KeyError):
        shown.count()
    assert "tokens not counted" in repr(shown)
    assert "tokens not counted" in shown._repr_html_()

    async def live() -> None:
        live = preview(three(), counter=broken)
        await until(lambda: live.status.facts[-1] == "tokens not counted")
        assert live.status.message == "Tokens are not counted: KeyError: 'spoon'"

    asyncio.run(live())


def test_no_skills_take_little_room(preview: Preview) -> None:
    """Without a skill the two boxes are as high as their words."""
    assert preview(load_skills([]))._sides.layout.height == "auto"
    assert preview(three())._sides.layout.height is None


def test_a_filter_that_was_given(preview: Preview) -> None:
    """A source's own filter is shown first, and what it left out is said."""
    source = load_skills(skills=[SkillDef(n, "x", "X.") for n in "abc"], filter={"a": False})
    shown = preview(source)
    assert shown.filter == {"a": False}
    assert shown.absent == [("a", "left out by the filter that the source was loaded with")]
    shown.clear("b")
    assert shown.filter == {"c": True}
    shown.way = "leave out"
    assert shown.filter == {"a": False, "b": False}


def test_python_to_copy(preview: Preview, folder: str) -> None:
    """The Python that is shown gives the same source when it is run."""
    shown = preview(folder)
    assert shown.python == "skill_filter = None\nsource = sb.load_skills('skills', filter=skill_filter)"  # fmt: skip
    shown.clear("hive")
    shown.tabs.selected_index = FILTER
    assert "{'hive': False}" in shown.panes[FILTER].value
    import skillbook

    space: dict[str, Any] = {"sb": skillbook}
    exec(shown.python, space)
    assert space["source"].prompt() == shown.text
    data = preview(three())
    data.filter = {"a": True}
    assert data.python == "skill_filter = {'a': True}"


def test_what_is_not_there_and_why(preview: Preview, folder: str) -> None:
    """Skills without a description, those filtered out and skipped files are named with the reason."""
    shown = preview(folder)
    shown.clear("tide")
    assert shown.absent == [("choir", "no description"), ("tide", "left out by the filter")]
    assert shown.tabs.titles[ABSENT] == "Not in the catalogue (2)"
    shown.tabs.selected_index = ABSENT
    for word in ("choir", "no description", "left out by the filter", "broken/SKILL.md"):
        assert word in shown.panes[ABSENT].value
    assert "not in the catalogue: choir (no description); tide (left out" in repr(shown)


def test_sort_and_search(preview: Preview) -> None:
    """The list is sorted by name, by length or as found; a search narrows it, not the prompt."""
    shown = preview(three())
    assert shown.shown == ["a", "b", "bare"]
    shown.sort_box.value = "as found"
    assert shown.shown == ["b", "a", "bare"]
    shown.sort = "longest first"
    assert shown.shown == ["a", "b", "bare"]
    shown.search_box.value = "SECOND"
    assert shown.shown == ["b"]
    assert shown.listed == 2
    shown.clear_all()
    assert shown.kept == ["a", "bare"]
    shown.search = "nothing of the kind"
    assert shown.list.rows == []
    shown.search = ""
    shown.tick_all()
    assert shown.filter is None
    with pytest.raises(SkillNotFound, match="Available skills"):
        shown.tick("nope")


def test_places_as_typed(preview: Preview, folder: str) -> None:
    """In XML and JSON a place begins as typed, and a line says that the text itself has it whole."""
    shown = preview(folder)
    shown.format = "json"
    assert '"location": "skills/tide/SKILL.md"' in shown.text
    assert "the text that a model gets has the whole path" in shown.panes[PROMPT].value
    assert str(shown.source["tide"].location) not in shown.panes[PROMPT].value


def test_tokens_come_later_with_their_counter(preview: Preview) -> None:
    """The first picture has no tokens; counted in a thread they follow, and name their counter."""

    async def wait() -> tuple[list[str], list[str], list[str]]:
        shown = preview(three(), counter=len)
        first = list(shown.status.facts)
        await until(lambda: shown.status.facts[-1] != "… tokens")
        return first, list(shown.status.facts), shown.list.rows[0][3]

    first, facts, words = asyncio.run(asyncio.wait_for(wait(), 20))
    assert first[-1] == "… tokens"
    assert facts[-1] == "215 tokens (len)"
    assert words == ["31 characters", "1 line", "31 tokens"]


def test_count_now(preview: Preview) -> None:
    """count() gives the tokens of the prompt, and from then on the twin says them."""
    shown = preview(three())
    assert "token" not in repr(shown)
    assert shown.count() == count_tokens(shown.text)
    assert f"{count_tokens(shown.text)} tokens (cl100k_base)" in repr(shown)
    shown.clear("a")
    assert f"{count_tokens(shown.text)} tokens (cl100k_base)" in shown._repr_html_()


def test_no_counter_no_harm(preview: Preview) -> None:
    """Where tokens cannot be counted, the status line says so and the rest stands."""
    from skillbook.errors import MissingDependency

    def broken(_text: str) -> int:
        raise MissingDependency("counting needs a library")

    async def wait() -> list[str]:
        shown = preview(three(), counter=broken)
        await until(lambda: shown.status.facts[-1] != "… tokens")
        return [*shown.status.facts, shown.status.message]

    facts = asyncio.run(asyncio.wait_for(wait(), 20))
    assert facts[-2:] == ["tokens not counted", "Tokens are not counted: counting needs a library"]


def test_twin_says_the_same(preview: Preview, folder: str) -> None:
    """Text and HTML say the same facts, the same on every run, and allow only the listed tags."""
    shown, other = preview(folder), preview(folder)
    for each in (shown, other):
        each.clear("hive")
    assert repr(shown) == repr(other)
    assert repr(shown).splitlines()[0] == (
        "<CatalogPreview of skills: 1 of 3 skills in the catalogue, 212 of 249 characters, 5 lines>"
    )
    assert shown._repr_html_() == other._repr_html_()
    html = shown._repr_html_().split("</style>", 1)[1]
    for fact in (
        "1 of 3 skills in the catalogue",
        "212 of 249 characters",
        "left out by the filter",
    ):
        assert fact in repr(shown)
        assert fact in html
    assert wrong(html) == []


def test_nothing_at_all(preview: Preview) -> None:
    """Without any skill the preview says so and nothing fails."""
    shown = preview(load_skills())
    assert shown.text == "No skills are currently available."
    assert shown.list.rows == []
    shown.tick_all()
    shown.clear_all()
    shown.turn(1)
    assert "0 of 0 skills" in shown._repr_html_()


def test_hostile(preview: Preview) -> None:
    """Whatever names and descriptions hold, only listed tags come out of tabs and twin."""
    shown = preview(load_skills(skills=[SkillDef(f"n {each}", "B.", each) for each in ATTACKS]))
    for form in ("markdown", "xml", "json"):
        shown.format = form
        for number in (PROMPT, FILTER, ABSENT):
            shown.tabs.selected_index = number
            shown.clear_all()
            shown.tick_all()
            assert [found for pane in panes(shown) for found in wrong(pane.value)] == []
    assert wrong(shown._repr_html_().split("</style>", 1)[1]) == []
    held = [box.description for box in (shown.format_box, shown.sort_box, shown.search_box)]
    assert held == ["Format", "Sort", "Search"]


@settings(max_examples=25)
@given(name=texts, description=st.none() | texts, search=texts)
def test_any_text(name: str, description: str | None, search: str) -> None:
    """Any name, description and search gives HTML of the listed tags, and text that can be written."""
    shown = CatalogPreview(load_skills(skills=[SkillDef(name, "B.", description)]))
    try:
        shown.clear_all()
        shown.search = search
        shown.format = "json"
        assert wrong(shown._repr_html_().split("</style>", 1)[1]) == []
        repr(shown).encode()
    finally:
        shown.close()


def test_a_twin_of_bounded_size(preview: Preview) -> None:
    """Text that grows when it is escaped cannot swell the twin."""
    dear = "\U000e0041" * 1_000
    shown = preview(load_skills(skills=[SkillDef(f"n{n}", "B.", dear) for n in range(300)]))
    shown.clear_all()
    shown.tick("n1")
    shown.tick_all()
    assert len(shown._repr_html_().encode()) < 200_000


def test_twenty_thousand(preview: Preview, messages: Messages) -> None:
    """With 20,000 skills a box, a keystroke and a repr take milliseconds and send one page."""
    source = many(20_000)
    shown = preview(source)
    assert len(shown.list.rows) == PAGE
    assert messages.size < 400_000

    def slow(act: Callable[[], Any]) -> float:
        best = 9.0
        for _ in range(3):
            begun = time.perf_counter()
            act()
            best = min(best, time.perf_counter() - begun)
        return best

    def box() -> None:
        press(shown, *(set(shown.shown) - {shown.shown[len(messages) % 7]}))

    def key() -> None:
        shown.search = "123" if shown.search == "12" else "12"

    messages.clear()
    assert slow(box) < 0.3
    assert messages.size < 600_000
    assert slow(key) < 0.3
    assert slow(shown._repr_html_) < 0.3
    assert len(shown._repr_html_().encode()) < 200_000
    assert len(repr(shown)) < 4_000
    shown.search = ""
    shown.turn(1)
    assert shown.shown[0] == "skill-00200"
    shown.clear_all()
    assert slow(lambda: shown.source) < 0.3
    assert len(shown.source) == 0


@pytest.mark.parametrize(
    "check",
    [
        test_modules.test_no_text_can_become_an_element,
        test_modules.test_a_view_takes_its_listeners_away,
    ],
)
def test_the_list_of_boxes_is_plain(
    check: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The JavaScript of the boxes is held to the same rules as that of the other lists."""
    monkeypatch.setitem(test_modules.MODULES, "ticks", str(Ticks._esm))
    check("ticks")


def test_close_frees_all(folder: str) -> None:
    """After close nothing of the widget is left, and it still shows its twin."""
    import ipywidgets

    before = len(ipywidgets.widgets.widget._instances)
    for make in (CatalogPreview, ToolSimulator):
        shown = make(folder)
        shown.close()
        assert len(ipywidgets.widgets.widget._instances) == before
        assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html"}

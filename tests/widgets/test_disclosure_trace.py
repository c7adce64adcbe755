"""The disclosure trace: a session at each step, as the ledger has it, in the widget and its twin."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ipywidgets
import pytest
from explorers import many
from test_hostile import ATTACKS, panes, wrong

from skillbook.disclosure import Session
from skillbook.model import SkillDef, printable
from skillbook.source import SkillSource, load_skills
from skillbook.widgets import DisclosureTrace
from skillbook.widgets.elements.bars import Bars, bar
from skillbook.widgets.trace.disclosure_trace import EAGER
from skillbook.widgets.trace.steps import Steps
from trees import build, skill

Make = Callable[..., DisclosureTrace]

FILES = {
    "pdf/SKILL.md": skill("pdf", "Fills in forms.", "# PDF\n\nRead references/forms.md.\n"),
    "pdf/references/forms.md": "# Forms\n\nFour fields: name, date, sum, sign.\n",
    "recipes/SKILL.md": skill("recipes", "Scales recipes.", "# Recipes\n\nMultiply.\n"),
}


@pytest.fixture
def source(tmp_path: Path) -> SkillSource:
    """Two skills, one with a file."""
    build(tmp_path / "skills", FILES)
    return load_skills(tmp_path / "skills")


@pytest.fixture
def session(source: SkillSource) -> Session:
    """A session with every kind of step but a script: seven steps, eight messages."""
    made = Session(source, root="/skills")
    made.user("Fill in this form, please.")
    made.load("pdf")
    made.read("pdf", "references/forms.md")
    made.load("nope")
    made.load("recipes")
    made.unload("pdf")
    return made


@pytest.fixture
def trace() -> Iterator[Make]:
    """Makes traces, and closes them at the end."""
    made: list[DisclosureTrace] = []

    def one(session: Session, step: int | None = None) -> DisclosureTrace:
        made.append(DisclosureTrace(session, step))
        return made[-1]

    yield one
    for each in made:
        each.close()


def test_each_step_agrees_with_the_ledger(trace: Make, session: Session) -> None:
    """At each step the total is the ledger's, and what is held adds up to it, by level too."""
    made = trace(session)
    for step in range(made.last + 1):
        made.go(step)
        so_far = [entry for entry in session.entries if entry.step <= step]
        held = [session.entries[place] for place in made.moment.held]
        assert made.total == (so_far[-1].total if so_far else 0)
        assert made.total == sum(entry.tokens for entry in held)
        assert made.total == sum(made.moment.levels.values())
    assert made.total == session.total


def test_other_ways_agree_with_the_session(trace: Make, source: SkillSource) -> None:
    """At each step the comparison is the one that a session of just these steps gives."""
    session = Session(source, root="/skills")
    steps: list[Callable[[], Any]] = [
        session.start,
        lambda: session.user("Fill in this form."),
        lambda: session.load("pdf"),
        lambda: session.read("pdf", "references/forms.md"),
        lambda: session.unload("pdf"),
    ]
    wanted = []
    for step in steps:
        step()
        wanted.append(session.compare())
    made = trace(session, 0)
    assert made.comparison is None
    for number, comparison in enumerate(wanted, 1):
        made.step = number
        assert made.comparison == comparison


def test_forward_and_back(trace: Make, session: Session) -> None:
    """The buttons go step by step, stop at both ends with a word, and open the step's message."""
    made = trace(session)
    assert (made.step, made.opened) == (1, 0)
    made.forward_button.click()
    assert (made.step, made.opened, made.slider.value) == (2, 2, 2)
    assert made.status.facts[0] == "step 2 of 7"
    made.back_button.click()
    made.back_button.click()
    assert (made.step, made.opened, made.total) == (0, None, 0)
    assert "Nothing is in the context." in made.pane.value
    made.back_button.click()
    assert made.status.message == "The context is empty: there is nothing before."
    made.last_button.click()
    made.forward_button.click()
    assert (made.step, made.status.message) == (7, "This is the last step.")
    made.slider.value = 3
    assert (made.step, made.opened) == (3, 3)
    made.first_button.click()
    assert (made.step, made.slider.value) == (0, 0)


def test_choosing_opens_the_message(trace: Make, session: Session) -> None:
    """A message of the past opens without a step; one to come is gone to; an odd key does nothing."""
    made = trace(session, 4)
    made.list.chosen = "1"
    assert (made.step, made.opened) == (4, 1)
    assert "input_schema" in made.pane.value
    made.list.chosen = "5"
    assert (made.step, made.opened) == (5, 5)
    assert "error" in made.pane.value
    for key in ("99", "x", "-1"):
        made.list.chosen = key
    assert (made.step, made.opened) == (5, 5)


def test_rows_tell_states_in_words_and_hide_what_is_to_come(trace: Make, session: Session) -> None:
    """A row says level, error, taken out and this step; of one to come it does not say the cost."""
    made = trace(session, 7)
    said = {row[0]: row[3] for row in made.list.rows}
    assert said["3"] == ["level 2", "taken out"]
    assert said["5"] == ["level 2", "error"]
    assert said["7"] == ["this step"]
    made.step = 2
    assert made.list.rows[2][3] == ["this step"]
    assert made.list.rows[2][1] == ["2. user: Fill in this form, please."]
    assert [row[2:4] for row in made.list.rows[3:]] == [([""], ["to come"])] * 5
    assert f"{session.entries[3].tokens:+,}" not in repr(made)


def test_unloading_names_what_it_takes_out(trace: Make, session: Session) -> None:
    """The step that unloads a skill lists its messages, and the bar shrinks by them."""
    made = trace(session, 7)
    assert [entry.title for entry in made.taken_out(7)] == [
        "load pdf",
        "read references/forms.md of pdf",
    ]
    assert "3. load pdf" in made.pane.value
    assert "level 3" not in str(made.bars.bars[0])


def test_bars_fill(trace: Make, session: Session) -> None:
    """The first bar is the window: its parts are the shares of it by level; two others stand below."""
    made = trace(session, 3)
    window, up_front, tools = made.bars.bars
    levels = made.moment.levels
    assert [part[1] for part in window[2]] == [
        round(levels[level] / 200_000, 5) for level in (1, 2, None)
    ]
    assert window[1].startswith(f"{made.total:,} tokens, ")
    assert (up_front[0], tools[0]) == ("Everything up front", "One tool a skill")
    made.scale_box.value = "close"
    comparison = made.comparison
    assert comparison is not None
    largest = max(each.total for each in comparison)
    assert made.bars.bars[0][2][0][1] == round(levels[1] / largest, 5)
    up_front = comparison["everything up front"]
    assert [part[1] for part in made.bars.bars[1][2]] == [
        round(tokens / largest, 5)
        for tokens in (up_front.levels[2], up_front.levels[3], up_front.steps)
    ]
    made.step = 0
    assert made.comparison is None
    assert [bar[1:] for bar in made.bars.bars] == 3 * [("0 tokens, 0.0 % of the window", [], -1.0)]


def test_what_does_not_fit_is_said(trace: Make, source: SkillSource) -> None:
    """Over the window, the bar goes on and a line marks its end; words say so."""
    session = Session(source, context=50)
    session.load("pdf")
    made = trace(session)
    assert "over-full" in made.status.facts
    assert "does not fit, the line is where the window ends" in made.bars.bars[0][1]
    assert 0 < made.bars.bars[0][3] < 1


def test_what_is_not_counted_is_said(trace: Make, tmp_path: Path) -> None:
    """A file that is no text cannot be counted up front: widget, twin and text name it."""
    build(tmp_path / "skills", {**FILES, "pdf/logo.png": b"\x89PNG\0\0"})
    session = Session(load_skills(tmp_path / "skills"))
    session.start()
    made = trace(session)
    for shown in (made.problems.value, made._repr_html_()):
        assert "1 thing not counted" in shown
        assert "logo.png" in shown
    assert "not counted: pdf: logo.png" in repr(made)
    made.step = 0
    assert (made.problems.value, made.problems.layout.display) == ("", "none")


def test_refresh_shows_what_was_played_since(trace: Make, source: SkillSource) -> None:
    """An empty session says how to begin; what is played then appears, and the last step is kept."""
    session = Session(source)
    made = trace(session)
    assert "session.start()" in made.status.message
    assert "session.start()" in repr(made)
    assert (made.entries, made.comparison, len(session.entries)) == ((), None, 0)
    session.start()
    made.refresh_button.click()
    assert (made.step, made.last, made.slider.max) == (1, 1, 1)
    assert made.status.message == "1 new step."
    session.load("pdf")
    session.user("Thanks.")
    made.step = 0
    made.refresh()
    assert (made.step, made.last) == (0, 3)
    made.refresh()
    assert made.status.message == "Nothing new."


def test_twin_has_the_same_facts(trace: Make, session: Session) -> None:
    """HTML and text say step, total, every message and the other ways, the same on every run."""
    made, other = trace(session, 4), trace(session, 4)
    html, text = made._repr_html_(), repr(made)
    assert (html, text) == (other._repr_html_(), repr(other))
    for fact in (*made.status.facts, "to come", "everything up front", "one tool a skill"):
        assert fact in html
        assert fact in text
    assert "Four fields" in html
    assert wrong(html.split("</style>", 1)[1]) == []


def test_same_skills_elsewhere_give_the_same_bytes(trace: Make, tmp_path: Path) -> None:
    """Where the skills lie and when they were read changes nothing that is shown."""
    shown = []
    for place in ("a", "some/deep place"):
        build(tmp_path / place, FILES)
        session = Session(load_skills(tmp_path / place), root="/skills")
        session.load("pdf")
        made = trace(session, 2)
        shown.append((made._repr_html_(), repr(made), made.pane.value, made.bars.bars))
    assert shown[0] == shown[1]
    assert str(tmp_path) not in str(shown)


def test_many_skills_are_compared_when_asked_for(trace: Make) -> None:
    """Beyond 200 skills the other ways wait for the button; the output stays small."""
    session = Session(many(20_000))
    session.load("skill-00003")
    made = trace(session)
    assert (made.comparison, made.compare_button.layout.display) == (None, "")
    assert len(made._repr_html_()) < 200_000
    assert "Cut: 50,000 of" in made.pane.value
    few = Session(many(300))
    few.start()
    small = trace(few)
    small.compare_button.click()
    assert small.comparison == few.compare()
    assert small.compare_button.layout.display == "none"
    assert len(small.bars.bars) == 3


def test_comparing_waits_in_a_thread_where_a_kernel_runs(trace: Make) -> None:
    """In a kernel the button answers at once and the bars come later; closing drops the work."""
    session = Session(many(300))
    session.start()

    async def press() -> list[bool]:
        made, other = trace(session), trace(session)
        made.compare_button.click()
        other.compare_button.click()
        other.close()
        seen = [made.comparison is None]
        for _ in range(500):
            if len(made.bars.bars) == 3:
                break
            await asyncio.sleep(0.01)
        return [*seen, made.comparison == session.compare(), len(other.bars.bars) == 1]

    assert asyncio.run(press()) == [True, True, True]


def test_many_messages_come_in_pages(trace: Make, source: SkillSource) -> None:
    """A list shows 200 messages; the page follows the step, and the twin is capped."""
    session = Session(source)
    for number in range(1000):
        session.user(f"Message {number}.")
    made = trace(session)
    assert (len(made.list.rows), made.list.before, made.list.after) == (200, "", "Next 200")
    made.turn(1)
    assert made.shown == range(200, 400)
    made.step = made.last
    assert (made.shown, made.list.after) == (range(1000, 1002), "")
    assert len(made._repr_html_()) < 200_000
    assert re.search(r"[0-9]+ of 1,002 messages shown", made._repr_html_())
    assert len(repr(made)) < 5_000


def test_wrong_values_are_refused(trace: Make, session: Session) -> None:
    """What is no session, no step or no message is refused with what there is, and nothing is left."""
    with pytest.raises(TypeError, match=r"session is str; pass sb\.Session"):
        trace("skills")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="step is 9; there are the steps 0 to 7"):
        trace(session, 9)
    made = trace(session)
    with pytest.raises(ValueError, match="step is -1"):
        made.go(-1)
    with pytest.raises(ValueError, match="opened is 8; the messages are 0 to 7"):
        made.opened = 8
    assert (made.step, made.opened) == (1, 0)


def test_every_control_has_a_label(trace: Make, session: Session) -> None:
    """Each control says what it is, each button what it does, and the list has a name."""
    made = trace(session)
    assert [made.slider.description, made.scale_box.description] == ["Step", "Bars"]
    buttons = [w for w in made.children[1].children if isinstance(w, ipywidgets.Button)]
    assert len(buttons) == 6
    assert all(each.description and each.tooltip for each in buttons)
    assert made.list.label == "Messages"


def test_close_frees_every_comm(session: Session) -> None:
    """After close no comm is left, and the static twin stays."""
    before = set(ipywidgets.widgets.widget._instances)
    made = DisclosureTrace(session)
    html = made._repr_html_()
    made.close()
    assert set(ipywidgets.widgets.widget._instances) == before
    assert made._repr_html_() == html


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_stays_text(trace: Make, attack: str) -> None:
    """Names, bodies, what a user says and what is asked for stay text at every step."""
    session = Session(load_skills(skills=[SkillDef(attack, attack, attack, (attack,))]))
    (name,) = session.source
    session.user(attack)
    session.load(name)
    session.load(f"{attack}?")
    session.read(name, attack, text=attack)
    session.unload(name)
    made = trace(session)
    found = []
    for step in range(made.last + 1):
        made.step = step
        found += [fault for pane in panes(made) for fault in wrong(pane.value)]
        found += wrong(made._repr_html_().split("</style>", 1)[1])
        repr(made).encode()
        str(made.bars.bars).encode()
    assert found == []


def test_steps_take_errors_out_with_their_skill(source: SkillSource) -> None:
    """Unloading takes a skill's errors out too, in the steps as in the ledger."""
    session = Session(source)
    session.user("Hello")
    session.load("pdf")
    session.read("pdf", "nothing.md")
    session.unload("pdf")
    steps = Steps(session)
    assert [session.entries[n].kind for n in steps.at(5).held][2:] == ["user"]
    assert [each.kind for each in steps.taken_out(5)] == ["load", "read"]
    assert steps.at(5).total == session.total


def test_bars_show_what_little_there_is(trace: Make) -> None:
    """Where a way has nothing at the start, its bar still holds what the steps add."""
    session = Session(load_skills())
    session.user("Hi there")
    made = trace(session, 2)
    for bar_ in made.bars.bars[1:]:
        assert [part[0] for part in bar_[2]] == ["four"]


def test_refresh_keeps_what_was_counted(trace: Make) -> None:
    """What was counted for the other ways holds on where nothing or only a step is new."""
    source = load_skills(skills=[SkillDef(f"s{n}", "b", "Does.") for n in range(EAGER + 1)])
    session = Session(source)
    session.load("s1")
    made = trace(session, 2)
    made.compare()
    counted = made.comparison
    made.refresh()
    assert (made.comparison, made.status.message) == (counted, "Nothing new.")
    session.load("s2")
    made.refresh()
    assert made.comparison == session.compare()


def test_text_form_can_be_printed(source: SkillSource) -> None:
    """The text form can be written by any terminal, whatever a user says."""
    session = Session(source)
    session.user("caf\udce9")
    with_surrogate = DisclosureTrace(session)
    with_surrogate.words().encode()
    with_surrogate.close()


def test_comparison_counts_texts_that_were_given(source: SkillSource) -> None:
    """The trace sets a session beside the same figures as the session itself does."""
    data = load_skills(skills=[SkillDef("faq", "Answer.", "Answers.", ("a.md",))])
    session = Session(data)
    session.read("faq", "a.md", text="word " * 100)
    steps = Steps(session)
    steps.count_others()
    assert steps.comparison(steps.last) == session.compare()


def test_bar_is_bounded() -> None:
    """Shares lie between 0 and 1 whatever the numbers, and no text breaks the message."""
    lost = printable("\ud800")
    assert bar("\ud800", "w", [("one", 5, ""), ("two", -1, "\ud800")], whole=0, mark=9) == (
        lost, "w", [("one", 1, ""), ("two", 0.0, lost)], 1,
    )  # fmt: skip


def test_bars_module_cannot_run_a_text() -> None:
    """The module knows no way to turn text into HTML or code, and takes its listener away."""
    text = str(Bars._esm)
    banned = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|Function\(|import[ (]|fetch|https?:|\.src\b|\.href\b"
    assert re.findall(banned, text) == []
    assert text.count("model.on(") == text.count("model.off(") == 1
    assert text.count("export default { render };") == 1

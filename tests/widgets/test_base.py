"""What every widget is built from: labels, panes, the static twin, and an end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import ipywidgets
import pytest
import traitlets

from skillbook.display.markup import Markup, element
from skillbook.widgets import (
    BudgetView,
    CatalogPreview,
    DisclosureTrace,
    SkillBrowser,
    SkillEditor,
    ToolSimulator,
)
from skillbook.widgets.elements.base import (
    VIEW,
    Frame,
    Pane,
    button,
    choice,
    control,
    row_of,
    scrolling,
    side_by_side,
)
from skillbook.widgets.elements.parts import Buttons, Rows, Status, row
from skillbook.widgets.elements.ticks import tick


class Small(Frame):
    """A widget of all the parts."""

    def __init__(self) -> None:
        self.pressed = 0
        self.chosen: list[str] = []
        self.status = Status(title="Small")
        self.field = control(ipywidgets.Text, "Search")
        self.pick = choice("limit", [("leave out", -1), ("all", 9)])
        self.more = button("More", "Presses", self.press)
        self.rows = Rows("Things", self.chosen.append, rows=[row("a", "A"), row("b", "B")])
        self.pane = Pane(element("p", "<b>"))
        bar = row_of(self.field, self.pick, self.more)
        super().__init__(
            [self.status, bar, side_by_side(scrolling(self.rows), scrolling(self.pane))]
        )

    def press(self) -> None:
        self.pressed += 1

    def words(self) -> str:
        return f"<Small pressed {self.pressed} times>"


@pytest.fixture
def small() -> Iterator[Small]:
    """One such widget."""
    made = Small()
    yield made
    made.close()


def test_bundle_holds_the_widget_and_its_twin(small: Small) -> None:
    """The bundle has the view, HTML and text, the latter two with the same facts."""
    bundle = small._repr_mimebundle_()
    assert list(bundle) == ["text/plain", "text/html", VIEW]
    assert bundle["text/plain"] == "<Small pressed 0 times>" == repr(small)
    assert "&lt;Small pressed 0 times&gt;" in bundle["text/html"]
    assert bundle[VIEW]["model_id"] == small.model_id
    assert list(small._repr_mimebundle_(include=["text/html"])) == ["text/html"]
    assert VIEW not in small._repr_mimebundle_(exclude=[VIEW])


def test_twin_follows_the_widget(small: Small) -> None:
    """The twin says what the widget shows at that moment, the same on every run."""
    small.more.click()
    assert repr(small) == "<Small pressed 1 times>"
    assert small._repr_html_() == small._repr_html_()


def test_close_frees_every_comm() -> None:
    """After close no comm is left, of children, layouts and styles neither; the twin stays."""
    before = set(ipywidgets.widgets.widget._instances)
    made = Small()
    assert len(ipywidgets.widgets.widget._instances) > len(before) + 10
    made.close()
    assert set(ipywidgets.widgets.widget._instances) == before
    assert list(made._repr_mimebundle_()) == ["text/plain", "text/html"]
    made.close()


def test_labels_are_as_wide_as_their_words(small: Small) -> None:
    """Every control has a label, or words on it and a tooltip, and no fixed width."""
    assert (small.field.description, small.pick.description) == ("Search", "limit")
    assert small.field.style.description_width == "initial"
    assert small.pick.style.button_width == "auto"
    assert (small.more.description, small.more.tooltip) == ("More", "Presses")
    assert {each.layout.width for each in (small.field, small.pick, small.more)} == {"auto"}
    assert not any(
        getattr(each, "description_allow_html", False) for each in (small.field, small.pick)
    )


def test_pane_refuses_text_that_is_not_escaped(small: Small) -> None:
    """Only markup reaches a pane, by its method and by its trait."""
    with pytest.raises(TypeError, match="a pane shows Markup, not str"):
        small.pane.show("<script>")  # type: ignore[arg-type]
    with pytest.raises(traitlets.TraitError, match="use show"):
        small.pane.value = "<script>"
    assert "&lt;b&gt;" in small.pane.value
    small.pane.show(Markup())
    assert small.pane.value == ""


def test_choosing_a_row_calls_its_owner(small: Small) -> None:
    """What the front end sets as chosen reaches the owner once; nothing chosen does not."""
    small.rows.set_state({"chosen": "b"})
    small.rows.chosen = ""
    assert small.chosen == ["b"]


def test_messages_that_nobody_sends_are_ignored(small: Small) -> None:
    """Whatever a front end sends beside what is known does nothing."""
    turned: list[int] = []
    stopped: list[bool] = []
    rows = Rows("Paged", small.chosen.append, turned.append)
    status = Status(stop=lambda: stopped.append(True))
    odd: list[Any] = [None, {}, {"page": 7}, {"page": "1"}, {"stop": False}, "page"]
    for content in odd:
        rows.heard(rows, content)
        status.heard(status, content)
    assert (turned, stopped) == ([], [])
    rows.heard(rows, {"page": -1})
    status.heard(status, {"stop": True})
    assert (turned, stopped) == ([-1], [True])
    for widget in (rows.layout, rows, status.layout, status):
        widget.close()


def test_text_that_no_encoder_takes_is_shown(small: Small) -> None:
    """A lone surrogate would break the message to the front end; it is replaced."""
    lost = "\ufffd"
    assert row("\ud800", "\ud800", "\ud800")[:3] == (lost, [lost], [lost])
    small.status.title = small.status.message = "\ud800"
    small.status.facts = ["\ud800"]
    assert (small.status.title, small.status.message) == (lost, lost)
    assert small.status.facts == [lost]


MARKS = "a\u202eb\x1b"


def test_marks_that_no_eye_sees_are_named() -> None:
    """What turns the direction of text, or hides, is named in rows, facts and buttons, too."""
    named = "a[U+202E]b\u241b"
    assert row("k", MARKS, [MARKS], [MARKS])[1:4] == ([named], [named], [named])
    assert tick("k", [MARKS], MARKS, [MARKS])[1:4] == ([named], named, [named])
    status = Status(title=MARKS, facts=[MARKS], message=MARKS)
    buttons = Buttons(MARKS, lambda _number: None, label=MARKS, texts=[MARKS])
    assert (status.title, status.facts, status.message) == (named, [named], named)
    assert (buttons.name, buttons.label, buttons.texts) == (named, named, [named])
    for widget in (status, buttons):
        widget.close()
        widget.layout.close()


def test_repr_names_what_a_terminal_would_obey() -> None:
    """The text form names marks that turn the direction of text, and keeps its lines."""

    class Marked(Frame):
        def words(self) -> str:
            return f"<Marked>\n  {MARKS}"

    made = Marked()
    assert repr(made) == "<Marked>\n  a[U+202E]b[U+001B]"
    made.close()


@pytest.mark.parametrize(
    "kind", [SkillBrowser, CatalogPreview, ToolSimulator, SkillEditor, DisclosureTrace, BudgetView]
)
def test_a_refused_argument_says_nothing_more(
    kind: type[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where an argument is refused, that is all that is said; nothing half made is closed."""
    said: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", lambda found: said.append(found.exc_value))
    with pytest.raises((TypeError, ValueError)):
        kind(5)
    gc.collect()
    assert said == []

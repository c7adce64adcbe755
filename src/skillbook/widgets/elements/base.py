"""What every widget is built from: the frame with its static twin, controls with a label, panes.

A widget is a :class:`Frame` with a :class:`~skillbook.widgets.elements.parts.Status` on top. It overrides
``card()`` and ``words()`` with the facts that it shows at that moment; the rest comes from here::

    class Counter(Frame):
        def __init__(self) -> None:
            self.status = Status(title="Counter")
            self.more = button("More", "Adds one", self.add)
            self.pane = Pane()
            super().__init__([self.status, row_of(self.more), scrolling(self.pane)])

        def add(self) -> None:  # a handler is a method, so that a test can call it
            self.pane.show(element("p", "One more."))

HTML of strangers' text reaches a widget only as ``Markup``, through :class:`Pane`. There is no
``Output`` widget: several front ends break it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ipywidgets
import traitlets

from skillbook.display import fragment
from skillbook.display.markup import NO_MATHS, PREFIX, Markup, element
from skillbook.model import visible

VIEW = "application/vnd.jupyter.widget-view+json"


class Frame(ipywidgets.VBox):  # type: ignore[misc]
    """The frame of a widget: it has a static twin, a stable repr, and can be closed.

    Everything that is shown as a widget is also there as HTML and as text, with the same facts at
    that moment, for saved notebooks and for front ends without widgets.
    """

    def __init__(self, children: Sequence[Any] = (), **values: Any) -> None:
        super().__init__(children=tuple(children), **values)
        self.add_class("skillbook-widget")

    def card(self) -> Markup:
        """Returns the static twin: what the widget shows now, as HTML that needs no style."""
        return element("pre", self.words())

    def words(self) -> str:
        """Returns the same facts as text, the same on every run."""
        return f"<{type(self).__name__}>"

    def __repr__(self) -> str:
        return "\n".join(map(visible, self.words().split("\n")))

    def _repr_html_(self) -> str:
        return fragment(self.card())

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None, **_: Any
    ) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if self.comm is not None:
            version = {"version_major": 2, "version_minor": 0}
            bundle[VIEW] = {**version, "model_id": self.model_id}
        return {
            kind: data
            for kind, data in bundle.items()
            if (not include or kind in include) and kind not in (exclude or ())
        }

    def __del__(self) -> None:
        """Closes what was made; where an argument was refused, nothing was."""
        if self.comm is not None:
            self.close()

    def close(self) -> None:
        """Closes the widget and all that it is made of; the front end drops its views."""
        for widget in list(_below(self)):
            if widget is not self:
                widget.close()
        ipywidgets.Widget.close(self)
        # What was closed shows its static twin.
        self.__dict__.pop("_repr_mimebundle_", None)


def _below(widget: Any) -> Iterator[Any]:
    """Yields a widget and every widget that its state holds, layouts and styles too."""
    yield widget
    for name in widget.keys:
        value = getattr(widget, name)
        for item in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(item, ipywidgets.Widget):
                yield from _below(item)


class Pane(ipywidgets.HTML):  # type: ignore[misc]
    """A place for HTML, from :class:`Markup` only: text that is not escaped is refused."""

    def __init__(self, markup: Markup | None = None) -> None:
        super().__init__()
        self.add_class("skillbook-pane")
        self.show(markup if markup is not None else Markup())

    def show(self, markup: Markup) -> None:
        """Shows HTML instead of what was there.

        Raises:
            TypeError: when it is plain text.
        """
        if not isinstance(markup, Markup):
            raise TypeError(f"a pane shows Markup, not {type(markup).__name__}; see display.markup")
        self.value = element("div", markup, cls=f"{PREFIX} {NO_MATHS}") if markup else Markup()

    @traitlets.validate("value")
    def _checked(self, proposal: Any) -> str:
        value: str = proposal["value"]
        if value and not isinstance(value, Markup):
            raise traitlets.TraitError("the value of a pane is Markup; use show()")
        return value


def control(kind: type[Any], description: str, **values: Any) -> Any:
    """Returns a control with a label that is as wide as its words.

    Args:
        kind: a class of ipywidgets with a ``description``.
        description: the label; words of ours, since front ends read mathematics in it.
        values: its other traits.
    """
    made = kind(
        description=description,
        style={"description_width": "initial"},
        layout=ipywidgets.Layout(width="auto"),
        **values,
    )
    made.add_class("skillbook-control")
    return made


def choice(description: str, options: Sequence[tuple[str, Any]], **values: Any) -> Any:
    """Returns a row of buttons of which one is pressed, each as wide as its words.

    Args:
        description: the label.
        options: label and value of each button.
        values: its other traits.
    """
    made = control(ipywidgets.ToggleButtons, description, options=options, **values)
    made.style.button_width = "auto"
    return made


def button(text: str, does: str, act: Callable[[], Any]) -> Any:
    """Returns a button.

    Args:
        text: what stands on it.
        does: what it does, in words, shown when the pointer rests on it.
        act: called when it is pressed.
    """
    made = ipywidgets.Button(description=text, tooltip=does, layout=ipywidgets.Layout(width="auto"))
    made.add_class("skillbook-control")
    made.on_click(lambda _button: act())
    return made


def row_of(*controls: Any) -> Any:
    """Returns controls side by side; they wrap where there is no room."""
    made = ipywidgets.HBox(controls)
    made.add_class("skillbook-bar")
    return made


def scrolling(*children: Any) -> Any:
    """Returns a box that scrolls by itself when its content is higher than its room."""
    made = ipywidgets.VBox(children)
    made.add_class("skillbook-scrolling")
    return made


def side_by_side(left: Any, right: Any) -> Any:
    """Returns two boxes of one height side by side; one above the other below 700 pixels.

    Args:
        left: a box with a list; choosing a row brings the right one back to its beginning.
        right: a box, usually :func:`scrolling`.
    """
    left.add_class("skillbook-left")
    right.add_class("skillbook-right")
    made = ipywidgets.HBox((left, right))
    made.add_class("skillbook-sides")
    return made

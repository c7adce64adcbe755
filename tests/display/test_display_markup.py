"""Markup: what is escaped, and what an element may be."""

from __future__ import annotations

import pytest
from contract import HOSTILE, keeps, parse
from hypothesis import given
from hypothesis import strategies as st

from skillbook.display.markup import Markup, classes, element, escape, join, note, problem, prose

TEXT = st.text() | st.sampled_from(HOSTILE) | st.lists(st.sampled_from(HOSTILE)).map("".join)


def test_text_is_escaped_once() -> None:
    """Text becomes text, and markup passes as it is."""
    assert escape("<b> & </b>") == "&lt;b&gt; &amp; &lt;/b&gt;"
    assert escape(escape("&")) == "&amp;"


def test_what_is_joined_by_hand_is_escaped() -> None:
    """Markup joined outside of the builder is plain text again, so a slip shows as visible tags."""
    bold = element("strong", "a")
    assert element("p", bold) == "<p><strong>a</strong></p>"
    assert element("p", bold + bold).startswith("<p>&lt;strong&gt;")
    assert element("p", f"{bold}").startswith("<p>&lt;strong&gt;")


def test_what_no_eye_sees_is_shown() -> None:
    """Control characters, direction marks, hidden tags and lone surrogates become visible."""
    assert escape("\x00\x1b\x7f") == "\u2400\u241b\u2421"
    assert escape("a\u202eb\U000e0041\x85") == "a[U+202E]b[U+E0041][U+0085]"
    assert escape("\ud800") == "\ufffd"
    assert escape("a\tb\n\u200f") == "a\tb\n\u200f"


def test_characters_without_width_are_shown() -> None:
    """What has no width, and line ends that no editor shows, are named; an emoji's joiner stays."""
    assert escape("a\u200bb\u2028c\ufeff") == "a[U+200B]b[U+2028]c[U+FEFF]"
    assert escape("a\u200db") == "a[U+200D]b"
    family = "\U0001f469\u200d\U0001f467"
    assert escape(family) == family
    assert escape("\u0645\u06cc\u200c\u062e") == "\u0645\u06cc\u200c\u062e"


def test_nothing_starts_mathematics() -> None:
    """Each character that could open a formula stands in an element of its own."""
    assert prose("$5 to $6") == "<span>$</span>5 to <span>$</span>6"
    assert prose(r"\(a\) C:\dir \begin{x}") == (
        r"<span>\</span>(a<span>\</span>) C:\dir <span>\</span>begin{x}"
    )
    assert element("code", "$x$") == "<code>$x$</code>"


def test_classes_have_our_prefix() -> None:
    """A class name can be none of the page's."""
    assert classes("table fields") == "skillbook-table skillbook-fields"
    assert classes("skillbook jp-toc-ignore") == "skillbook jp-toc-ignore"
    with pytest.raises(ValueError, match="no class name"):
        classes("jp-Button")


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("script", {}),
        ("p", {"style": "text-align:left"}),
        ("p", {"id": "x"}),
        ("td", {"style": "position:fixed"}),
        ("a", {"href": "javascript:alert(1)"}),
        ("a", {"href": "//host/x"}),
        ("a", {"href": "/lab/tree"}),
        ("img", {"src": "https://track.example/p.png"}),
        ("img", {"src": "data:image/svg+xml;base64,AAAA"}),
        ("div", {"data-commandlinker-command": "x"}),
    ],
)
def test_what_is_not_on_the_list_raises(tag: str, attributes: dict[str, str]) -> None:
    """A tag, an attribute or a value that is not allowed is a programming error."""
    with pytest.raises(ValueError, match=r"not|no attribute|leads to|is a data URI|is one of"):
        element(tag, **attributes)


def test_attributes() -> None:
    """None leaves an attribute out, an empty one is bare, and quotes cannot end one."""
    assert element("details", open="") == "<details open></details>"
    assert element("details", open=None) == "<details></details>"
    assert element("img", src="data:image/png;base64,AA==", alt='a"b') == (
        '<img src="data:image/png;base64,AA==" alt="a&quot;b">'
    )


def test_first_line_end_in_pre_stays() -> None:
    """A browser drops a line end right after <pre>, so there is one more."""
    assert element("pre", "\na") == "<pre>\n\na</pre>"


def test_join_and_lines() -> None:
    """Joined parts are escaped by their type; notes and problems are lines."""
    assert join(["<", element("br")], ", ") == "&lt;, <br>"
    assert note("a <") == '<p class="skillbook-note">a &lt;</p>'
    assert parse(problem("gone")).text == "Problem: gone"


@given(TEXT)
def test_any_text_stays_text(text: str) -> None:
    """Whatever text stands in an element or an attribute, the parser finds only our elements."""
    shown = keeps(element("p", text, element("code", text), element("img", alt=text)))
    assert [tag for tag in shown.tags if tag != "span"] == ["p", "code", "img"]


@given(TEXT)
def test_seen_text_is_unchanged(text: str) -> None:
    """Text without anything unseen is shown character by character."""
    if escape(text) == Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")):
        assert parse(element("p", text)).text == text

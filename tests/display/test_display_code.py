"""Code: colours by our own classes, and bounds on what is coloured."""

from __future__ import annotations

import time

import pytest
from contract import HOSTILE, keeps, parse
from hypothesis import given
from hypothesis import strategies as st

from skillbook.display import code


def test_known_language_is_coloured() -> None:
    """A keyword, a string and a comment are told apart by our own classes."""
    assert code.highlight('if "a":  # b', language="py") == (
        '<pre class="skillbook-code"><code><span class="skillbook-k">if</span> '
        '<span class="skillbook-s">"a"</span>:  <span class="skillbook-c"># b</span></code></pre>'
    )


def test_unknown_language_is_plain() -> None:
    """A language that is not on the list is shown as it is."""
    assert code.highlight("if <a>", language="klingon") == (
        '<pre class="skillbook-code"><code>if &lt;a&gt;</code></pre>'
    )


def test_language_of_a_file() -> None:
    """A file's name says its language."""
    assert code.language_of("scripts/RUN.PY") == "python"
    assert code.language_of("Dockerfile") == "docker"
    assert code.language_of("data.csv") == ""


def test_text_is_kept() -> None:
    """Colouring neither strips nor adds a line end, and each line can stand alone."""
    text = '\n\ndef f():\n    """a\n    b"""\n\n'
    assert parse(code.spans(text, "python")).text == text
    lines = code.lines(text, "python")
    assert [parse(line).text for line in lines] == text.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        "x" * (code.MOST + 1),
        "x\n" * (code.MOST_LINES + 1),
        "x" * (code.LONGEST_LINE + 1),
    ],
)
def test_what_is_too_long_is_plain(text: str) -> None:
    """Text beyond the bounds is shown without colours."""
    assert "span" not in parse(code.spans(text, "python")).tags


@pytest.mark.parametrize("language", sorted(set(code.LANGUAGES.values())))
def test_hostile_code_stays_text(language: str) -> None:
    """In every language, hostile code is text, and is shown whole."""
    text = "\n".join(HOSTILE).encode("utf-8", "replace").decode().replace("\r", "")
    keeps(code.highlight(text, language=language))


@pytest.mark.parametrize(
    ("language", "piece"),
    [("csharp", "a\n"), ("java", "a "), ("tf", "<<A\n"), ("markdown", "\n"), ("c", "\n")],
)
def test_slow_patterns_are_bounded(language: str, piece: str) -> None:
    """Text that makes a lexer take the square of its length takes no minutes."""
    start = time.perf_counter()
    code.highlight(piece * (code.MOST // len(piece)), language=language)
    code.highlight(piece * (code.MOST_SLOW // len(piece)), language=language)
    assert time.perf_counter() - start < 20


@given(st.text(), st.sampled_from(["python", "bash", "yaml", "markdown", ".html", "x"]))
def test_any_code_is_shown_whole(text: str, language: str) -> None:
    """Colours change no character."""
    assert parse(code.spans(text, language)).text == parse(code.spans(text, "")).text

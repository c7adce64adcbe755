"""What displays of costs must hold: the facts in words, hostile text as text, the same bytes."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook import display
from skillbook.budgets import budget
from skillbook.disclosure import Session
from skillbook.display.disclosure import DRAWN
from skillbook.display.markup import FOREIGN_CLASSES, PREFIX, TAGS
from skillbook.model import SkillDef
from skillbook.sizes import token_sizes
from skillbook.source import load_skills
from trees import build, skill


def draw(record) -> str:
    """The display of a record, in which every fact is looked for."""
    return DRAWN[type(record)](record)


def text_of(html: str) -> str:
    """What a reader without any style sees, on one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


class Held(HTMLParser):
    """Holds a fragment to the tags, attributes and classes that a display may use."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.meters = 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        self.meters += tag == "meter"
        for name, value in attrs:
            if name == "class":
                assert all(
                    each.startswith(PREFIX) or each in FOREIGN_CLASSES for each in value.split()
                )
            else:
                assert name in TAGS[tag]


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A source of two skills below a relative root; one has files."""
    files = {
        "skills/pdf/SKILL.md": skill("pdf", "Fills in forms.", "# PDF\n\nRead.\n"),
        "skills/pdf/a.md": "Four fields.\n",
        "skills/pdf/logo.png": b"\0",
        "skills/recipes/SKILL.md": skill("recipes", "Scales recipes."),
    }
    build(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    return load_skills("skills")


def records(source):
    """One of each record that this module draws."""
    session = Session(source, 2000)
    session.user("Please.")
    session.load(next(iter(source)))
    session.load("nope")
    budgets = [budget(source, host) for host in ("claude-code", "codex", "copilot-cli", "maka")]
    sizes = token_sizes(source)
    return [
        session,
        *session.entries,
        session.compare(),
        *budgets,
        budget(source, chars=230),
        budgets[0].add("another", "Does more."),
        sizes,
        *sizes,
    ]


def test_html_knows_each_record(source):
    """display.html, and so a notebook, shows each record by its own display."""
    for record in records(source):
        assert display.html(record) == display.fragment(draw(record))
        assert record._repr_html_() == display.html(record)


def test_only_what_a_display_may_hold(source):
    """Every display holds to the short list of tags, attributes and classes."""
    for record in records(source):
        Held(draw(record))


def test_the_same_on_every_machine(source, tmp_path, monkeypatch):
    """The same skills, steps and root give the same bytes wherever they lie."""
    drawn = []
    for place in ("here", "some/where else"):
        build(tmp_path / place / "skills", {"a/SKILL.md": skill("a"), "a/b.txt": "b"})
        monkeypatch.chdir(tmp_path / place)
        found = load_skills("skills")
        session = Session(found, root="/skills")
        session.load("a")
        drawn.append(
            [
                draw(each)
                for each in (session, session.compare(), token_sizes(found), budget(found, "codex"))
            ]
        )
    assert drawn[0] == drawn[1]


def test_no_absolute_path_is_shown(source, tmp_path):
    """No display shows where the skills lie; the session says what {root} stands for."""
    for record in records(source):
        assert str(tmp_path) not in draw(record)
    session = Session(source)
    session.load("pdf")
    assert "{root}/pdf/a.md" in text_of(draw(session))
    assert "{root} stands for the absolute path of a root" in text_of(draw(session))
    fixed = Session(source, root="/skills")
    fixed.load("pdf")
    assert "{root}" not in draw(fixed)


def test_session_tells_its_ledger(source):
    """A session shows each message with its tokens, the total, and the window, counter named."""
    session = Session(source, 2000, root="/skills")
    session.user("Fill in this form.")
    entry = session.load("pdf")
    shown = text_of(draw(session))
    assert "counted by cl100k_base" in shown
    assert f"Context window: {session.total:,} of 2,000 tokens" in shown
    assert f"load pdf 3 2, body +{entry.tokens:,} {session.total:,}" in shown
    assert "Fill in this form." in shown
    assert text_of(draw(Session(source))).endswith("0 of 200,000 tokens (0.0 %).")


def test_errors_and_notes_are_said_in_words(source):
    """An error, a note and an over-full window are words, not colours."""
    session = Session(source, 200)
    session.load("nope")
    shown = text_of(draw(session))
    assert "load nope (error)" in shown
    assert "over-full" in shown
    assert "The context window is over-full from here on." in shown
    assert "error" in text_of(draw(session.entries[-1]))


def test_each_bar_has_its_number(source):
    """A meter never stands alone: its cell or line says the number in words."""
    for record in records(source):
        html = draw(record)
        for place in re.findall(r"<(?:td|p)[^>]*>(?:(?!</td>|</p>).)*<meter.*?</(?:td|p)>", html):
            assert re.search(r"\d|none", re.sub("<[^>]*>", "", place))
        assert Held(html).meters == html.count("<meter")


def test_comparison_tells_the_ways(source):
    """The three ways stand side by side, and what does not fit is said."""
    session = Session(source, 100, root="/skills")
    session.start()
    found = session.compare()
    shown = text_of(draw(found))
    for each in found:
        assert f"{each.name} {each.detail}" in shown
        assert f"{each.start:,} {each.steps:+,} {each.total:,}" in shown
    assert "does not fit" in shown
    assert "1 thing not counted" in shown


def test_budget_tells_states_and_source():
    """A budget shows the limit, how it is reckoned, each state, and where and when it was read."""
    found = budget(load_skills(skills=[SkillDef(f"s-{n}", "x", "d" * 900) for n in range(12)]))
    shown = text_of(draw(found))
    assert f"{found.used:,} of 8,000 characters used" in shown
    assert (
        "Limit: 8,000 characters (0.01 of 200,000 tokens of context, 4 characters a token)."
        in shown
    )
    assert "8 whole , 4 name-only" in shown
    assert "s-9 name-only 5 0.1 % 902 0 of 900 characters" in shown
    assert "Read in November 2026: https://github.com/melodic-software" in shown
    gone = budget(
        load_skills(skills=[SkillDef("a", "x", "d" * 99), SkillDef("b", "x")]),
        "copilot-cli",
        chars=9,
    )
    assert "Gone: a" in text_of(draw(gone))
    assert "No description, in no list: b" in text_of(draw(gone))


def test_change_tells_what_moves():
    """A change shows what it frees or takes, and what is listed more or less."""
    found = budget(load_skills(skills=[SkillDef(f"s-{n}", "x", "d" * 900) for n in range(12)]))
    assert "frees 902 characters of the whole list , listed name-only" in text_of(
        draw(found.shorten("s-0", 0))
    )
    assert "More is listed of: s-6" in text_of(draw(found.shorten("s-0", 0)))
    assert "Less is listed of: s-5" in text_of(draw(found.add("a", "d" * 900)))
    assert "Nothing else changes." in text_of(draw(found.shorten("s-0", 899)))


def test_sizes_tell_each_level(source):
    """Sizes show tokens and characters a level, the counter, and what was not counted."""
    found = token_sizes(source)
    shown = text_of(draw(found))
    assert "tokens by cl100k_base" in shown
    assert f"2, body {found.body.tokens:,} {found.body.chars:,}" in shown
    assert "pdf: logo.png: not counted: not text (1 byte)" in shown
    assert "a.md 3 13" in text_of(draw(found["pdf"]))


@given(st.text(max_size=40), st.text(max_size=200))
def test_hostile_text_stays_text(name, text):
    """Whatever a name, a description, a body or a file's path holds, it is shown as text."""
    hostile = f'{text}<script>alert(1)</script><img src=x onerror="a()">'
    given = SkillDef(f"n{name}<b>", hostile, hostile, (f"{name}<i>.md",))
    for record in records(load_skills(skills=[given])):
        html = draw(record)
        Held(html)
        assert "<script" not in html
        assert "<b>" not in html


def test_output_is_capped():
    """20,000 skills give at most 200 KB within 100 ms of work, and say what is cut."""
    many = load_skills(
        skills=[SkillDef(f"skill-{n:05}", "Body. " * 30, "Does. " * 30) for n in range(20_000)]
    )
    found = budget(many)
    session = Session(many, counter=len)
    session.load("skill-00007")
    for record in (token_sizes(many, len), found, found.add("a", "b"), session, session.entries[0]):
        start = time.process_time()
        html = draw(record)
        assert time.process_time() - start < 3
        assert len(html.encode()) < 200_000
        assert "shown" in html or len(html) < 20_000


def test_long_ledger_is_capped(source):
    """A session of very many and very long messages stays within its bounds."""
    session = Session(source, counter=len)
    for _ in range(2000):
        session.user("<&>" * 10_000)
    html = draw(session)
    assert len(html.encode()) < 260_000
    assert re.search(r"\d+ of 2,002 messages shown", html)

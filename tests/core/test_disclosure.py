"""What the ledger must hold: literal messages, totals that add up by hand, the same bytes again."""

from __future__ import annotations

import json
import sys

import pytest

from skillbook.disclosure import Entry, Session
from skillbook.errors import MissingDependency
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.tokens import count_tokens
from skillbook.tool import ToolResult
from trees import build, skill

FORMS = "# Forms\n\nFour fields: name, date, sum, sign.\n"
SCRIPT = "print('filled')\n"
FILES = {
    "pdf/SKILL.md": skill("pdf", "Fills in forms.", "# PDF\n\nRead references/forms.md.\n"),
    "pdf/references/forms.md": FORMS,
    "pdf/scripts/fill.py": SCRIPT,
    "pdf/logo.png": b"\x89PNG\0\0",
    "recipes/SKILL.md": skill("recipes", "Scales recipes.", "# Recipes\n\nMultiply.\n"),
    "quiet/SKILL.md": "---\nname: quiet\n---\nSay nothing.\n",
}


@pytest.fixture
def source(tmp_path):
    """Three skills: one with files, one without, one without a description."""
    build(tmp_path / "skills", FILES)
    return load_skills(tmp_path / "skills")


@pytest.fixture
def played(source):
    """A session that has been through every kind of step."""
    session = Session(source)
    session.start()
    session.user("Fill in this form, please.")
    session.load("pdf")
    session.read("pdf", "references/forms.md")
    session.run("pdf", "scripts/fill.py", ["form.pdf"], output="filled\n")
    session.load("recipes")
    session.unload("recipes")
    return session


def test_messages_are_literal(played, source):
    """Each entry holds the very text that a model would get."""
    assert [entry.text for entry in played.entries] == [
        source.prompt(),
        json.dumps(source.tool.to_anthropic(), ensure_ascii=False),
        "Fill in this form, please.",
        source.tool(name="pdf").output,
        FORMS,
        "filled\n",
        source.tool(name="recipes").output,
        "",
    ]


def test_totals_agree_with_counting_by_hand(played, source):
    """Tokens, running totals and the sum are those of the messages counted one by one."""
    by_hand = [
        count_tokens(source.prompt()),
        count_tokens(json.dumps(source.tool.to_anthropic(), ensure_ascii=False)),
        count_tokens("Fill in this form, please."),
        count_tokens(source.tool(name="pdf").output),
        count_tokens(FORMS),
        count_tokens("filled\n"),
        count_tokens(source.tool(name="recipes").output),
        -count_tokens(source.tool(name="recipes").output),
    ]
    assert [entry.tokens for entry in played.entries] == by_hand
    assert [entry.total for entry in played.entries] == [
        sum(by_hand[: place + 1]) for place in range(len(by_hand))
    ]
    assert played.total == sum(by_hand)
    assert played.left == 200_000 - sum(by_hand)


def test_levels_and_steps(played):
    """Level 1 is the start, 2 a body, 3 a file or an output; the start's messages are one step."""
    assert [(entry.step, entry.kind, entry.level) for entry in played.entries] == [
        (1, "system prompt", 1),
        (1, "tool schema", 1),
        (2, "user", None),
        (3, "load", 2),
        (4, "read", 3),
        (5, "run", 3),
        (6, "load", 2),
        (7, "unload", None),
    ]
    assert played.entries[3].title == "load pdf"
    assert played.entries[4].skill == "pdf"


def test_same_steps_give_the_same_bytes(source):
    """The same skills and steps give the same ledger, and each step returns its entry."""
    ledgers = []
    for _ in range(2):
        session = Session(source)
        assert session.start() == session.entries
        assert session.load("pdf") == session.entries[-1]
        ledgers.append(json.dumps(session.to_dict()))
    assert ledgers[0] == ledgers[1]


def test_root_makes_a_ledger_the_same_on_every_machine(tmp_path):
    """With a root to write, where the skills lie changes nothing; without, it does."""
    ledgers, exact = [], []
    for place in ("a", "some/deep place, far away"):
        build(tmp_path / place, FILES)
        source = load_skills(tmp_path / place)
        for root, into in (("/skills", ledgers), (None, exact)):
            session = Session(source, root=root)
            session.load("pdf")
            into.append((session.to_dict(), session.compare().to_dict()))
    assert ledgers[0] == ledgers[1]
    assert exact[0] != exact[1]
    assert "<file>/skills/pdf/scripts/fill.py</file>" in ledgers[0][0]["entries"][2]["text"]


def test_displayed_message_hides_the_absolute_path(source, tmp_path):
    """What displays show of an envelope has {root} in place of where the skills lie."""
    entry = Session(source).load("pdf")
    assert str(tmp_path) in entry.text
    assert str(tmp_path) not in entry.shown
    assert "<file>{root}/pdf/scripts/fill.py</file>" in entry.shown


def test_other_steps_start_the_session(source):
    """A step before the start does the start first."""
    session = Session(source)
    assert (session.total, session.entries) == (0, ())
    session.load("pdf")
    assert [entry.kind for entry in session] == ["system prompt", "tool schema", "load"]
    with pytest.raises(ValueError, match="has begun; make a new Session"):
        session.start()


def test_wrong_names_are_what_the_model_gets(source):
    """A wrong skill, a wrong file and a file without text are entries with the tool's error."""
    session = Session(source)
    wrong = [
        session.load("pdff"),
        session.read("nope", "a.md"),
        session.read("pdf", "../recipes/SKILL.md"),
        session.read("pdf", "logo.png"),
        session.run("pdf", "scripts/gone.py", output="never"),
    ]
    assert [entry.is_error for entry in wrong] == [True] * 5
    assert [entry.text for entry in wrong] == [
        'Skill "pdff" not found. Available skills: pdf, quiet, recipes',
        'Skill "nope" not found. Available skills: pdf, quiet, recipes',
        'File "../recipes/SKILL.md" not found. Available files: logo.png, references/forms.md,'
        " scripts/fill.py",
        'File "logo.png" of skill "pdf" has no text: not text (6 bytes)',
        'File "scripts/gone.py" not found. Available files: logo.png, references/forms.md,'
        " scripts/fill.py",
    ]
    assert session.loaded == ()
    assert session.total == sum(count_tokens(entry.text) for entry in session)


def test_skill_that_went_is_an_error(source, tmp_path):
    """A skill that is gone since is an error entry, not an exception."""
    (tmp_path / "skills/recipes/SKILL.md").unlink()
    entry = Session(source).load("recipes")
    assert entry.is_error
    assert "cannot be read" in entry.text


def test_loading_twice_costs_twice(source):
    """A skill that is loaded again stands in the context twice, and the entry says so."""
    session = Session(source)
    first, second = session.load("pdf"), session.load("pdf")
    assert first.tokens == second.tokens
    assert (first.note, second.note) == (
        "",
        "It was loaded before: its text now stands in the context twice.",
    )
    assert session.unload("pdf").tokens == -2 * first.tokens


def test_a_load_that_fails_does_not_stand_twice(source, tmp_path):
    """An error after a load says nothing of a text that stands there twice."""
    session = Session(source)
    session.load("recipes")
    (tmp_path / "skills/recipes/SKILL.md").unlink()
    entry = session.load("recipes")
    assert (entry.is_error, entry.note) == (True, "")


def test_an_empty_root_is_a_root(source):
    """A session with an empty root shows what it counts."""
    entry = Session(source, root="").load("pdf")
    assert entry.shown == entry.text


def test_long_titles_are_cut(source):
    """A repr stays short whatever a name or an argument holds."""
    session = Session(source)
    session.load("q" * 10**6)
    session.run("pdf", "scripts/fill.py", ["a" * 10**6], output="x")
    assert len(repr(session)) < 3_000


def test_names_in_errors_cannot_act(source):
    """A name is named in an error as a terminal can write it."""
    session = Session(source)
    session.load("esc\x1b[31m")
    with pytest.raises(ValueError, match=r"there is: esc\[U\+001B\]\[31m"):
        session.unload("nope")


def test_unload_takes_out_what_came_of_the_skill(source):
    """Unloading frees the body and what was read and run of it, and nothing else."""
    session = Session(source)
    session.start()
    session.user("Hello")
    before = session.total
    session.load("pdf")
    session.read("pdf", "references/forms.md")
    entry = session.unload("pdf")
    assert session.total == before
    assert entry.title == "unload pdf: 2 messages taken out"
    assert session.loaded == ()
    with pytest.raises(ValueError, match="nothing of 'pdf' is in the context; there is: nothing"):
        session.unload("pdf")


def test_unload_takes_out_what_failed_too(source):
    """Errors about a skill go with it, and errors alone can be taken out."""
    session = Session(source)
    session.start()
    before = session.total
    session.load("pdf")
    session.read("pdf", "nothing.md")
    session.run("pdf", "scripts/fill.py", output=ToolResult("Traceback", is_error=True))
    assert session.unload("pdf").title == "unload pdf: 3 messages taken out"
    assert session.total == before
    session.load("pdff")
    assert session.loaded == ()
    with pytest.raises(ValueError, match="there is: pdff"):
        session.unload("pdf")
    session.unload("pdff")
    assert session.total == before
    assert session.load("pdf").note == ""


def test_running_keeps_the_code_out(source):
    """A script's output enters the context; the note says what its code would have cost."""
    entry = Session(source).run("pdf", "scripts/fill.py", output="filled\n")
    assert entry.tokens == count_tokens("filled\n")
    assert entry.note == f"Its code, {count_tokens(SCRIPT)} tokens, stays out of the context."


def test_runner_runs(source):
    """A session's runner gets the skill, the file and the arguments, and gives the message."""
    seen = []

    def runner(info, path, args):
        seen.append((info.name, path, args))
        return ToolResult("## stdout\nfilled\n", is_error=True)

    session = Session(source, runner=runner)
    entry = session.run("pdf", "scripts/fill.py", ["a b", "c"])
    assert seen == [("pdf", "scripts/fill.py", ["a b", "c"])]
    assert (entry.text, entry.is_error) == ("## stdout\nfilled\n", True)
    assert session.run("pdf", "scripts/gone.py").is_error
    assert len(seen) == 1


def test_a_runner_must_give_the_message(source):
    """A runner that gives neither text nor a result is told so."""
    session = Session(source, runner=lambda *_: None)
    with pytest.raises(TypeError, match="the runner gave None; it must give text"):
        session.run("pdf", "scripts/fill.py")


def test_scripts_run_for_real(source):
    """Without output and runner the script itself runs, and its text form is the message."""
    session = Session(source)
    entry = session.run("pdf", "scripts/fill.py")
    assert "filled" in entry.text
    assert entry.is_error is False
    assert entry.tokens == count_tokens(entry.text)
    refused = session.run("pdf", "logo.png")
    assert refused.is_error
    assert "logo.png" in refused.text


def test_data_skill_runs_nothing():
    """A data skill has no files: the message says so."""
    source = load_skills(skills=[SkillDef("faq", "Answer.", "Answers.", ("a.py",))])
    entry = Session(source).run("faq", "a.py")
    assert (entry.text, entry.is_error) == (
        "a.py cannot be run: a data skill has no files",
        True,
    )


def test_data_skills_work_too():
    """A data skill's body is loaded, and its resource is read where its text is given."""
    source = load_skills(skills=[SkillDef("faq", "Answer.", "Answers.", ("a.md",))])
    session = Session(source)
    assert session.load("faq").text == source.tool(name="faq").output
    assert session.read("faq", "a.md", text="42").text == "42"
    refused = session.read("faq", "a.md")
    assert refused.text == (
        'File "a.md" of skill "faq" has no text: a data skill names its files and does not hold them'
    )


def test_titles_cannot_forge_a_line(source):
    """A title is one line that any terminal can print, whatever a name or an argument holds."""
    session = Session(source)
    session.run("pdf", "scripts/fill.py", ["a\nb: +9 = 9", "\x1b[31m\ud800"], output="x")
    session.read("pdf", "\udcff.md")
    assert session.entries[2].title == ("run scripts/fill.py a b: +9 = 9 [U+001B][31m\ufffd of pdf")
    assert repr(session).encode().count(b"\n") == len(session)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"root": 3}, TypeError, "root is 3; pass it as text"),
        ({"runner": 3}, TypeError, "runner is 3; pass a callable"),
        ({"context": 10**15}, ValueError, "below 10\\^15"),
    ],
)
def test_wrong_arguments_of_a_session(source, arguments, error, message):
    """A wrong argument is an error with the value found."""
    with pytest.raises(error, match=message):
        Session(source, **arguments)


def test_over_full_context_is_said(source):
    """The step that goes past the context window says so, and the total goes on."""
    session = Session(source, context=300)
    session.start()
    entry = session.user("word " * 200)
    assert entry.note == "The context window is over-full from here on."
    assert session.user("more").note == ""
    assert session.left < 0


def test_compare_by_hand(source):
    """The alternatives cost what their messages cost, counted by hand."""
    session = Session(source)
    session.start()
    start = session.total
    session.user("Fill in this form, please.")
    session.load("pdf")
    session.read("pdf", "references/forms.md")
    session.run("pdf", "scripts/fill.py", output="filled\n")
    found = session.compare()
    said = count_tokens("Fill in this form, please.") + count_tokens("filled\n")
    bodies = sum(count_tokens(source.tool(name=name).output) for name in source)
    files = count_tokens(FORMS) + count_tokens(SCRIPT)
    schemas = [
        {"name": name, "description": text, "input_schema": {"type": "object", "properties": {}}}
        for name, text in (("pdf", "Fills in forms."), ("recipes", "Scales recipes."))
    ]
    tools = sum(count_tokens(json.dumps(schema)) for schema in schemas)
    assert [(each.name, each.start, each.steps, each.total) for each in found] == [
        ("progressive disclosure", start, session.total - start, session.total),
        ("everything up front", bodies + files, said, bodies + files + said),
        ("one tool a skill", tools, session.total - start, tools + session.total - start),
    ]
    assert found.problems == ("pdf: logo.png: not counted: not text (6 bytes)",)
    assert found.counter == "cl100k_base"


def test_compare_counts_texts_that_were_given():
    """A text that read was given would stand there from the start, once, and is no problem."""
    files = ("a.md", "b.md")
    source = load_skills(skills=[SkillDef("faq", "Answer.", "Answers.", files)])
    session = Session(source)
    session.load("faq")
    for _ in range(2):
        session.read("faq", "a.md", text="word " * 100)
    found = session.compare()
    body = count_tokens(source.tool(name="faq").output)
    upfront = found["everything up front"]
    assert (upfront.start, upfront.steps) == (body + count_tokens("word " * 100), 0)
    assert found.problems == (
        "faq: b.md: not counted: a data skill names its files and does not hold them",
    )
    assert "  not counted up front: faq: b.md: not counted" in repr(found)


def test_compare_names_what_is_still_missing():
    """Only the file whose text was given is no problem any more, not one of a like name."""
    source = load_skills(skills=[SkillDef("x", "B", "Does.", ("a.md", "a.md: b"))])
    session = Session(source)
    session.read("x", "a.md", text="t")
    (problem,) = session.compare().problems
    assert problem.startswith("x: a.md: b: not counted")


def test_compare_leaves_the_ledger_alone(played):
    """Comparing changes no entry."""
    before = played.to_dict()
    played.compare()
    assert played.to_dict() == before


def test_twenty_skills_cost_twenty_lines():
    """The start grows by a line for each skill, whatever the bodies hold."""

    def start(number: int, body: str) -> int:
        skills = [SkillDef(f"skill-{n:03}", body, "Does one thing.") for n in range(number)]
        session = Session(load_skills(skills=skills))
        session.start()
        return session.total

    one, twenty = start(1, "Body."), start(20, "Body.")
    line = count_tokens("- **skill-001**: Does one thing.\n")
    assert abs(twenty - one - 19 * line) <= 19
    assert start(20, "Body. " * 5000) == twenty


def test_comparison_knows_its_arrangements(played):
    """An arrangement is found by its name; a wrong one says which there are."""
    found = played.compare()
    assert found["one tool a skill"].steps == found["progressive disclosure"].steps
    with pytest.raises(KeyError, match="everything up front"):
        found["nothing"]
    assert len(found) == 3


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (lambda session: session.user(None), "text is None"),
        (lambda session: session.load(3), "name is 3"),
        (lambda session: session.read("pdf", b"a"), "path is b'a'"),
        (lambda session: session.read("pdf", "a", text=7), "text is 7"),
        (lambda session: session.run("pdf", None, output=""), "path is None"),
        (lambda session: session.run("pdf", "a", "form.pdf", output=""), "args is 'form.pdf'"),
        (lambda session: session.run("pdf", "a", [1], output=""), r"args is \[1\]"),
        (lambda session: session.run("pdf", "a", None, output=""), "args is None; pass a list"),
        (lambda session: session.run("pdf", "a", b"", output=""), "args is b''; pass a list"),
        (lambda session: session.run("pdf", "a", output=5), "output is 5; pass text, or what"),
        (lambda session: session.unload(5), "name is 5; pass it as text"),
        (lambda session: session.read("pdf", "a", text=0), "text is 0; pass it as text"),
        (lambda session: session.read("pdf", "a", text=b""), "text is b''; pass it as text"),
    ],
)
def test_wrong_types_are_errors(source, step, what):
    """Wrong types from code are TypeErrors with the value found, and add nothing."""
    session = Session(source)
    with pytest.raises(TypeError, match=what):
        step(session)
    assert session.entries == ()


@pytest.mark.parametrize(
    ("context", "error"), [("200k", TypeError), (True, TypeError), (0, ValueError)]
)
def test_wrong_context_is_an_error(source, context, error):
    """A context that is no number of tokens is an error with the value found."""
    with pytest.raises(error, match=f"context is {context!r}"):
        Session(source, context)


def test_only_a_source_has_a_session(source, tmp_path):
    """Anything but a source is a TypeError that says what to pass."""
    with pytest.raises(TypeError, match="source is dict; pass what load_skills gives"):
        Session(source.skills)


def test_ledger_as_data(played):
    """The ledger is JSON-safe and a table, each with its counter's name."""
    told = json.loads(json.dumps(played.to_dict()))
    assert (told["counter"], told["total"]) == ("cl100k_base", played.total)
    assert told["entries"][3]["title"] == "load pdf"
    table = played.to_pandas()
    assert table["tokens"].sum() == played.total
    assert set(table["counter"]) == {"cl100k_base"}
    assert list(played.compare().to_pandas()["name"])[1] == "everything up front"


def test_table_without_pandas_says_what_to_install(played, monkeypatch):
    """Without pandas, to_pandas says what to install."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependency, match="pip install pandas"):
        played.to_pandas()


def test_repr_tells_the_ledger(source):
    """The repr has the counter, the total against the context, and a line an entry."""
    session = Session(source, counter=len, context=1000)
    assert repr(session) == "<Session: 0 entries, 0 of 1,000 tokens by len>"
    session.user("Hello")
    lines = repr(session).splitlines()
    assert lines[0] == f"<Session: 3 entries, {session.total:,} of 1,000 tokens by len"
    assert lines[1].startswith("  system prompt: 2 skills listed: +")
    assert lines[-1] == f"  user: +5 = {session.total:,}>"
    assert repr(session.compare()).startswith("<Comparison in tokens by len, context 1,000\n")


def test_entry_is_a_record():
    """An entry can be made by hand and compared."""
    entry = Entry(1, "user", "user", None, "Hi", 1, 1)
    assert entry == Entry(1, "user", "user", None, "Hi", 1, 1)
    assert entry.to_dict()["level"] is None


def test_an_empty_table_has_its_columns(source):
    """Before the first step the table has the columns that it has afterwards."""
    session = Session(source)
    before = list(session.to_pandas())
    session.start()
    assert before == list(session.to_pandas())

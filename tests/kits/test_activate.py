"""Activating: placeholders, arguments, handlers."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook.kits.activate import fill, words
from skillbook.kits.catalog import Catalog
from skillbook.kits.local import LocalProvider
from skillbook.kits.memory import MemoryProvider
from skillbook.kits.records import ToolExecution
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.tool import ToolResult
from trees import build, skill


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        ("Do $ARGUMENTS.", "this and that", "Do this and that."),
        ("Do $ARGUMENTS.", "", "Do ."),
        ("$ARGUMENTS[0] and $ARGUMENTS[1]", "a b", "a and b"),
        ("$ARGUMENTS[0]-$ARGUMENTS[7]-", "a", "a--"),
        ("$0 and $1", "a b", "a and b"),
        ("$1 before $0", "'two words' b", "b before two words"),
        ("$10", " ".join("abcdefghijk"), "k"),
        ("$0$1", "a b", "ab"),
        ("In ${SKILL_DIR}/x", "", "In /s/x"),
        (
            "In `${SKILL_DIR}/x`:\n```sh\nrun $0 $ARGUMENTS\n```",
            "a",
            "In `/s/x`:\n```sh\nrun a a\n```",
        ),
        # A backslash keeps the dollar of a placeholder, and only that.
        (
            r"\$ARGUMENTS \$ARGUMENTS[0] \$0 \${SKILL_DIR} $0",
            "a",
            "$ARGUMENTS $ARGUMENTS[0] $0 ${SKILL_DIR} a",
        ),
        (r"\$HOME \n $0", "a", r"\$HOME \n a"),
        (r"\\$0 $0", "a", r"\$0 a"),
        # What is no placeholder stays.
        ("$HOME $ARGUMENTSX ${OTHER} $x $ $$ $0", "a", "$HOME $ARGUMENTSX ${OTHER} $x $ $$ a"),
        ("It costs $5.50 or $5,000, $0x", "a b", "It costs $5.50 or $5,000, $0x\n\nARGUMENTS: a b"),
        ("awk '{print $1, $2}'", "", "awk '{print $1, $2}'"),
        ("$5 for $0", "a", "$5 for a"),
        # What is filled in is not filled again.
        ("$0 $1", "'$1' '$0'", "$1 $0"),
        ("$ARGUMENTS", "$ARGUMENTS[0] ${SKILL_DIR} \\$0", "$ARGUMENTS[0] ${SKILL_DIR} \\$0"),
        # Only ASCII goes on with a name; what follows a number is no part of it.
        ("把$ARGUMENTS读完，$0再读", "a", "把a读完，a再读"),
        ("$0.5 $0,5 $0_ $0é", "a", "a.5 a,5 $0_ aé"),
        (r"\$1.50 \$12345 \$0x $0", "a", "$1.50 $12345 $0x a"),
        ("$0 $ARGUMENTS[99999]|$ARGUMENTS[-1]|" + f"$ARGUMENTS[{'9' * 5000}]|", "a", "a |||"),
        # Without a placeholder for them, arguments come in a last line.
        ("Do it.\n", "now", "Do it.\n\nARGUMENTS: now"),
        ("Do it.\n", " \n", "Do it."),
        ("Do it.", "", "Do it."),
        ("In ${SKILL_DIR}", "now", "In /s\n\nARGUMENTS: now"),
        (r"\$0", "now", "$0\n\nARGUMENTS: now"),
        ("$7", "now", "$7\n\nARGUMENTS: now"),
        ("", "now", "ARGUMENTS: now"),
        # Never a command, a format or a template.
        ("!`date` $(date) `date` {0} %s", "", "!`date` $(date) `date` {0} %s"),
    ],
)
def test_filling(body: str, arguments: str, expected: str) -> None:
    """Each placeholder is filled once; what is none stays; arguments are never lost."""
    assert fill(body, arguments, "/s")[0] == expected


def test_what_is_told() -> None:
    """Placeholders without an argument are told to the host, each once."""
    assert fill("$1 $1 $ARGUMENTS[4] $0", "a", "/s")[1] == [
        "the body names $1, $ARGUMENTS[4], but 1 argument came with the call"
    ]
    assert fill("$0", "a", "/s")[1] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b", ["a", "b"]),
        ("  a\n\tb ", ["a", "b"]),
        ("'a b' \"c d\"", ["a b", "c d"]),
        ("don't 'a b' rock'n'roll", ["don't", "a b", "rock'n'roll"]),
        ("'it's so' x", ["it's so", "x"]),
        ("''", [""]),
        ("it's here", ["it's", "here"]),
        (r"C:\x\y z", [r"C:\x\y", "z"]),
        ("# a; b & c | d > e", ["#", "a;", "b", "&", "c", "|", "d", ">", "e"]),
        ("", []),
        ("ä ö", ["ä", "ö"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    """Arguments split at white space, quotes keep words together, and nothing else is special."""
    assert words(text) == expected


@given(st.text(), st.text())
def test_any_text(body: str, arguments: str) -> None:
    """Whatever body and arguments hold, filling ends, and what was given is not lost."""
    text, _ = fill(body, arguments, "/s")
    assert isinstance(text, str)
    if "$" not in body:
        assert text == (
            f"{body.strip()}\n\nARGUMENTS: {arguments.strip()}".strip()
            if arguments.strip()
            else body.strip()
        )


# --- through a catalogue -----------------------------------------------------------------------


def catalog_of(**handlers: object) -> Catalog:
    """A catalogue of skills that run by these handlers."""
    memory = MemoryProvider()
    for name, handler in handlers.items():
        memory.put(SkillDef(f"k:{name}", "Body.", "D", handler=handler))
    return Catalog([memory])


def test_activate_a_folder(tmp_path: Path) -> None:
    """A skill of a folder gives its body, with its own folder as ``${SKILL_DIR}``."""
    build(tmp_path / "k", {"skills/a/SKILL.md": skill("a", body="\nRun ${SKILL_DIR}/go $0.\n\n")})
    result = Catalog([LocalProvider(tmp_path / "k")]).activate("k:a", "x")
    folder = f"{tmp_path}/k/skills/a"
    assert result.output == f"Run {folder}/go x."
    assert result.metadata == {"name": "k:a", "dir": folder}
    assert not result.is_error


def test_activate_says_what_a_host_should_know(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 and placeholders without arguments stand in the warnings."""
    path = tmp_path / "k/skills/a/SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(skill("a", body="$0 \xff $3").encode("latin-1"))
    result = Catalog([LocalProvider(tmp_path / "k")]).activate("k:a", "x")
    assert [text.split(" (")[0] for text in result.metadata["warnings"]] == [
        "the body is not UTF-8",
        "the body names $3, but 1 argument came with the call",
    ]


def test_the_skill_tool_never_fills(tmp_path: Path) -> None:
    """The ``skill`` tool gives the body as it stands, in the envelope."""
    body = "$ARGUMENTS $0 ${SKILL_DIR} \\$0\n"
    build(tmp_path / "k", {"skills/a/SKILL.md": skill("a", body=body)})
    catalog = Catalog([LocalProvider(tmp_path / "k")])
    for tool in (catalog.source().tool, catalog.tools()[0]):
        result = tool.call({"name": "k:a", "arguments": "x"})
        assert ("body", body.strip() + "\n\n") in result.parts
    source = load_skills(tmp_path)
    assert body.strip() in source.tool.call({"name": "a", "arguments": "x"}).output


def test_handler() -> None:
    """A skill with a handler runs instead: it gets skill, text and mapping, and gives text."""
    seen: list[ToolExecution] = []

    def run(execution: ToolExecution) -> str:
        seen.append(execution)
        return f"ran {execution.arguments}"

    catalog = catalog_of(run=run)
    result = catalog.activate("k:run", "a b")
    assert (result.output, result.is_error, result.metadata) == (
        "ran a b",
        False,
        {"name": "k:run"},
    )
    catalog.activate("k:run", '{"n": 1}')
    catalog.activate("k:run", {"n": 2})
    catalog.activate("k:run", "[1]")
    catalog.activate("k:run", "{broken")
    catalog.activate("k:run")
    assert [(call.skill.name, call.arguments, dict(call.input)) for call in seen] == [
        ("k:run", "a b", {}),
        ("k:run", '{"n": 1}', {"n": 1}),
        ("k:run", '{"n": 2}', {"n": 2}),
        ("k:run", "[1]", {}),
        ("k:run", "{broken", {}),
        ("k:run", "", {}),
    ]


def test_handler_that_gives_a_result() -> None:
    """A ToolResult of a handler is given on as it is, an error too."""
    given = ToolResult("no", is_error=True, metadata={"x": 1})
    assert catalog_of(run=lambda _: given).activate("k:run") is given


@pytest.mark.parametrize(
    ("answer", "said"),
    [(None, "ran and gave nothing"), (7, "gave something of type int"), ([], "of type list")],
)
def test_handler_that_gives_rubbish(answer: object, said: str) -> None:
    """A handler that gives neither text nor a result is an error result."""
    result = catalog_of(run=lambda _: answer).activate("k:run")
    assert result.is_error
    assert said in result.output


def test_handler_that_fails() -> None:
    """A handler that raises is an error result that names skill and error; stopping goes on."""

    def fail(_: ToolExecution) -> str:
        raise ValueError("no paper")

    def bare(_: ToolExecution) -> str:
        raise RuntimeError

    def stop(_: ToolExecution) -> str:
        raise KeyboardInterrupt

    catalog = catalog_of(fail=fail, bare=bare, stop=stop)
    result = catalog.activate("k:fail")
    assert (result.output, result.is_error) == (
        "The skill k:fail failed: ValueError: no paper",
        True,
    )
    assert catalog.activate("k:bare").output == "The skill k:bare failed: RuntimeError"
    with pytest.raises(KeyboardInterrupt):
        catalog.activate("k:stop")


def test_async_handlers() -> None:
    """A coroutine is awaited, also from code inside a running loop, and its failure is told."""

    async def run(execution: ToolExecution) -> str:
        await asyncio.sleep(0)
        if execution.arguments == "fail":
            raise ValueError("no paper")
        return f"ran {execution.arguments}"

    catalog = catalog_of(run=run)
    assert catalog.activate("k:run", "a").output == "ran a"
    assert catalog.activate("k:run", "fail").output.endswith("ValueError: no paper")

    async def inside() -> tuple[str, str]:
        tool = catalog.tools()[1]
        awaited = await tool.execute({"name": "k:run", "arguments": "b"})
        return awaited.output, catalog.activate("k:run", "c").output

    assert asyncio.run(inside()) == ("ran b", "ran c")


def test_context_is_handed_through() -> None:
    """What the host gives as context reaches the handler."""
    seen = []
    catalog = catalog_of(run=lambda call: seen.append(call.context) or "ok")
    catalog.tools()[1].call({"name": "k:run"}, "the context")
    assert seen == ["the context"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (None, "takes {"),
        ({}, "takes {"),
        ({"name": 7}, "with the name as text"),
        ({"name": "k:none"}, 'Skill "k:none" not found. Available skills: k:run'),
        ({"name": "k:run", "arguments": 7}, "arguments is 7; pass text"),
        ({"name": "k:run", "arguments": ["a"]}, "pass text"),
    ],
)
def test_wrong_calls(arguments: object, said: str) -> None:
    """A wrong call of ``activate_skill`` is an error result that says what to pass."""
    result = catalog_of(run=lambda _: "ok").tools()[1].call(arguments)
    assert result.is_error
    assert said in result.output


def test_wrong_types_from_code() -> None:
    """Wrong types from Python code raise."""
    catalog = catalog_of(run=lambda _: "ok")
    with pytest.raises(TypeError, match="name is 7"):
        catalog.activate(7)
    with pytest.raises(TypeError, match="arguments is 7"):
        catalog.activate("k:run", 7)


def test_more_arguments_are_ignored() -> None:
    """What a model sends besides is ignored, and no arguments are none."""
    tool = catalog_of(run=lambda call: f"<{call.arguments}>").tools()[1]
    assert tool(name="k:run", other=1).output == "<>"
    assert tool.call({"name": "k:run", "arguments": None}).output == "<>"


def test_unknown_and_gone(tmp_path: Path) -> None:
    """An unknown name, and a file that is gone, are error results."""
    build(tmp_path / "k", {"skills/a/SKILL.md": skill("a")})
    catalog = Catalog([LocalProvider(tmp_path / "k")])
    assert catalog.activate("k:b").output == 'Skill "k:b" not found. Available skills: k:a'
    assert catalog.activate("k:b").is_error
    held = catalog.skill("k:a")
    (tmp_path / "k/skills/a/SKILL.md").unlink()
    from skillbook.kits.activate import activate, execution

    result = activate(execution(held, ""))
    assert result.is_error
    assert "does not exist" in result.output


def test_shape_of_the_tools() -> None:
    """A model gets two tools: ``skill`` with a name, ``activate_skill`` with arguments too."""
    skill_tool, activate_tool = catalog_of(run=lambda _: "ok").tools()
    assert (skill_tool.name, activate_tool.name) == ("skill", "activate_skill")
    assert list(skill_tool.input_schema["properties"]) == ["name"]
    assert list(activate_tool.input_schema["properties"]) == ["name", "arguments"]
    assert activate_tool.input_schema["required"] == ["name"]
    assert skill_tool.source == activate_tool.source == "skill"
    assert "activate_skill" in repr(activate_tool)


@pytest.mark.parametrize("waits", [False, True])
def test_a_handler_that_exits(waits: bool) -> None:
    """A handler that ends the program gives an error result and ends nothing."""

    def leave(call: object) -> str:
        raise SystemExit(2)

    async def leave_later(call: object) -> str:
        raise SystemExit(2)

    shelf = MemoryProvider()
    shelf.put(SkillDef("a", "B", "D", handler=leave_later if waits else leave))
    result = Catalog([shelf]).activate("a")
    assert (result.is_error, result.output) == (True, "The skill a failed: SystemExit: 2")

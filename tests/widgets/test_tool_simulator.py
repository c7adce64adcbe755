"""The tool simulator: calls as a model makes them, what comes back, and what two calls differ in."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from explorers import Messages, many
from hypothesis import given, settings
from hypothesis import strategies as st
from test_catalog_preview import until
from test_hostile import ATTACKS, panes, texts, wrong

from skillbook.functions import function_tool
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.tokens import count_tokens
from skillbook.tool import Tool, ToolResult
from skillbook.widgets import ToolSimulator
from skillbook.widgets.difference import MOST_SEARCHED, compare
from skillbook.widgets.elements.forms import Form
from skillbook.widgets.simulator import call_forms, calls
from skillbook.widgets.simulator.call_pane import COMPARE, RESULT, TRAVELS
from skillbook.wrapper import skill_wrapper
from trees import build, skill

Simulate = Callable[..., ToolSimulator]

SCRIPT = {
    "runner/SKILL.md": skill("runner", "Runs.", "# Runner\n"),
    "runner/scripts/greet.py": "import sys\nprint('Hello', *sys.argv[1:])\n",
    "runner/scripts/slow.py": "import time\ntime.sleep(30)\n",
}


@pytest.fixture
def simulate() -> Iterator[Simulate]:
    """Makes simulators, and closes them at the end."""
    made: list[ToolSimulator] = []

    def one(*what: Any, **more: Any) -> ToolSimulator:
        made.append(ToolSimulator(*what, **more))
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.fixture
def pair(simulate: Simulate, tmp_path: Path) -> ToolSimulator:
    """A simulator of the load and run tools of one skill; the run tool is chosen."""
    build(tmp_path, SCRIPT)
    sim = simulate(skill_wrapper(tmp_path / "runner")())
    sim.tool = "skill_run__runner"
    sim.arguments = '{"file_name": "greet.py", "args": ["you"]}'
    return sim


def everything(sim: ToolSimulator) -> Iterator[str]:
    """Opens every tab and form, and yields all HTML that is shown on the way."""
    for number in (RESULT, TRAVELS, COMPARE):
        sim.pane.tabs.selected_index = number
        for form in call_forms.FORMS:
            sim.form = form
            yield from (pane.value for pane in panes(sim))
    yield sim._repr_html_().split("</style>", 1)[1]


# --- calling ------------------------------------------------------------------------------------


def test_run_gives_what_the_tool_gives(simulate: Simulate, folder: str) -> None:
    """Run calls the tool with the arguments as they stand, and shows the envelope's parts apart."""
    sim = simulate(folder)
    sim.arguments = '{"name": "tide"}'
    sim.run_button.click()
    (call,) = sim.history
    assert call.result.output == load_skills(folder).tool(name="tide").output
    assert sim.shown == 1
    for kind in ("part-tag", "part-body", "part-files"):
        assert kind in sim.pane.result.value
    assert f"{call.size} characters" in sim.pane.head.value
    assert "Metadata, for the host alone" in sim.pane.result.value


def test_call_in_code_does_the_same(simulate: Simulate, folder: str) -> None:
    """call() returns the result, adds it to the history and shows it."""
    sim = simulate(folder)
    result = sim.call("skill", {"name": "hive"})
    assert result == load_skills(folder).tool(name="hive")
    assert [call.to_dict() for call in sim.history] == [
        {
            "number": 1,
            "tool": "skill",
            "arguments": '{"name": "hive"}',
            "sample_limit": 10,
            "result": result.to_dict(),
            "characters": sim.history[0].size,
            "so_far": sim.history[0].size,
        }
    ]
    assert sim.status.facts[:3] == ["1 tool", "3 skills", "1 call"]


@pytest.mark.parametrize(
    ("arguments", "said", "note"),
    [
        ('{"name": "tid"}', 'Skill "tid" not found', ""),
        ('{"name": "tide', "arguments are of type str", "no JSON (line 1, column 10"),
        ("", 'argument "name" is missing', "no arguments"),
        ('["tide"]', "arguments are of type list", ""),
        ('{"name": 3}', 'argument "name" is of type int', ""),
        ("null", "arguments are null", ""),
        ("1" * 5_000, "arguments are of type", "a number is too long"),
        ("[" * 100_000, "arguments are of type str", "nested too deeply"),
    ],
)
def test_wrong_and_broken_arguments(
    simulate: Simulate, folder: str, arguments: str, said: str, note: str
) -> None:
    """A wrong name and broken JSON give the error that a model would get, with a note for a person."""
    sim = simulate(folder)
    sim.arguments = arguments
    sim.run()
    (call,) = sim.history
    assert call.result.is_error
    assert said in call.result.output
    assert note in call.note
    assert "Error:" in sim.pane.result.value
    assert sim.call("skill", arguments) == call.result
    assert sim.history[1].note == call.note


def test_a_name_is_typed_or_chosen(simulate: Simulate, folder: str) -> None:
    """The form suggests the names, takes any other, and writes the raw arguments; these fill the form."""
    sim = simulate(folder)
    (field,) = sim._form.fields
    assert field.control.options == ("choir", "hive", "tide")
    field.control.value = "hi"
    assert field.control.options == ("choir", "hive")[1:]
    assert sim.raw_box.value == '{"name": "hi"}'
    sim.raw_box.value = '{"name": "tide"}'
    assert field.control.value == "tide"
    sim.raw_box.value = '{"name": "brok'
    assert sim.status.message.startswith("The arguments are no JSON")


@pytest.mark.parametrize(
    ("limit", "files"), [(-1, 0), (1, 1), (3, 3), (0, 10), (7, 7), (10**9, 14)]
)
def test_sample_limit(simulate: Simulate, tmp_path: Path, limit: int, files: int) -> None:
    """Every limit is passed on, and stands in the history."""
    tree: dict[str, Any] = {f"s/f{n:02}.md": "x" for n in range(14)}
    build(tmp_path, {"s/SKILL.md": skill("s"), **tree})
    sim = simulate(tmp_path)
    sim.sample_limit = limit
    assert sim.call("skill", {"name": "s"}).output.count("<file>") == files
    assert sim.history[0].sample_limit == (limit or 10)


def test_limit_controls(simulate: Simulate, folder: str) -> None:
    """Buttons and number set the limit; a limit that is none is refused."""
    sim = simulate(folder)
    sim.limits.value = -1
    assert sim.sample_limit == -1
    sim.number_box.value = 5
    assert (sim.sample_limit, sim.limits.value) == (5, 5)
    with pytest.raises(ValueError, match="sample_limit is -2"):
        sim.sample_limit = -2


def test_a_tool_that_is_not_there(simulate: Simulate, folder: str) -> None:
    """A tool's name can be wrong too; the answer names what is there."""
    sim = simulate(folder)
    assert sim.call("skil").output == 'Tool "skil" not found. Available tools: skill'
    sim.tool = "nope"
    sim.run()
    assert sim.history[1].result.is_error
    assert "There is no tool of this name" in sim.about.value


def test_any_tool(simulate: Simulate) -> None:
    """Any tool can be called, several can be chosen from, and one that raises is shown as an error."""

    def add(a: int, b: int = 2) -> int:
        """Adds."""
        return a + b

    async def later(text: str) -> str:
        """Waits."""
        await asyncio.sleep(0)
        return text

    def broken(_args: Any, _ctx: Any) -> ToolResult:
        raise RuntimeError("boom")

    odd = Tool("odd", "", {}, lambda _args, _ctx: 7)
    sim = simulate([function_tool(add), function_tool(later), Tool("broken", "", {}, broken), odd])
    assert list(sim.tools) == ["add", "later", "broken", "odd"]
    assert sim.call("add", {"a": 1}).output == "3"
    assert sim.call("add", {"a": "x"}).is_error
    assert sim.call("later", {"text": "x"}).output == "x"
    assert sim.call("broken") == ToolResult("RuntimeError: boom", is_error=True)
    assert sim.history[-1].note == "The tool raised this; a host would have to catch it."
    assert sim.call("odd").output == "7"
    assert sim.history[0].sample_limit is None
    one = simulate(odd)
    assert (one.status.title, one.tool) == ("odd", "odd")


def test_run_in_a_notebooks_loop(simulate: Simulate) -> None:
    """Inside a running loop Run does not block, and a tool that takes long can be stopped."""

    async def slow(seconds: float) -> str:
        """Waits."""
        await asyncio.sleep(seconds)
        return "done"

    sim = simulate(function_tool(slow), counter=len)

    async def wait() -> None:
        sim.arguments = '{"seconds": 0}'
        sim.run()
        assert sim.history == []
        await until(lambda: bool(sim.history))
        assert sim.history[0].result.output == "done"
        sim.arguments = '{"seconds": 60}'
        sim.run()
        await until(lambda: sim.status.progress >= 0)
        assert sim.status.message == "Running slow …"
        sim.status.heard(None, {"stop": True})
        await asyncio.sleep(0.01)
        assert (len(sim.history), sim.status.progress) == (1, -1.0)

    asyncio.run(asyncio.wait_for(wait(), 20))


# --- scripts ------------------------------------------------------------------------------------


def test_a_script_is_asked_about_once(pair: ToolSimulator) -> None:
    """The first run of a script shows its command and waits; then it runs without a question."""
    pair.run()
    assert pair.history == []
    assert "greet.py you" in pair.runner.pane.value
    assert pair.runner.view.layout.display == ""
    assert "A script waits for your word: greet.py" in repr(pair).replace("scripts/", "")
    pair.runner.yes.click()
    assert "Hello you" in pair.history[0].result.output
    assert not pair.history[0].result.is_error
    assert pair.runner.view.layout.display == "none"
    pair.arguments = '{"file_name": "greet.py", "args": ["them"]}'
    pair.run()
    assert "Hello them" in pair.history[1].result.output


def test_no_means_no(pair: ToolSimulator) -> None:
    """After "Do not" nothing ran, the model gets an error, and the next run asks again."""
    pair.run()
    pair.runner.no.click()
    assert pair.history[0].result.is_error
    assert "was not confirmed" in pair.history[0].result.output
    pair.run()
    assert pair.runner.command is not None
    pair.arguments = "{}"
    assert pair.runner.command is None
    pair.answer(True)
    assert len(pair.history) == 1


def test_what_cannot_run_is_not_asked_about(pair: ToolSimulator) -> None:
    """A script that is not there is an error at once."""
    pair.arguments = '{"file_name": "nope.py"}'
    pair.run()
    assert pair.runner.command is None
    assert "nope.py" in pair.history[0].result.output


def test_another_script_is_asked_about(pair: ToolSimulator) -> None:
    """A yes is for one script, not for all; a wrapper's own question may still refuse."""
    pair.run()
    pair.answer(True)
    pair.arguments = '{"file_name": "slow.py"}'
    pair.run()
    assert pair.runner.command is not None
    assert pair.runner.command.script.endswith("slow.py")


def test_the_wrappers_own_question_comes_first(simulate: Simulate, tmp_path: Path) -> None:
    """Where the wrapper's confirm refuses, there is nothing to ask."""
    build(tmp_path, SCRIPT)
    sim = simulate(skill_wrapper(tmp_path / "runner", confirm=lambda _command: False)())
    sim.tool = "skill_run__runner"
    sim.arguments = '{"file_name": "greet.py"}'
    sim.run()
    assert sim.runner.command is None
    assert "not confirmed" in sim.history[0].result.output


# --- history, comparison ------------------------------------------------------------------------


def test_history_with_running_total(simulate: Simulate, folder: str) -> None:
    """Each call stands with its size and the total so far, newest first; a click opens it again."""
    sim = simulate(folder)
    sim.call("skill", {"name": "tide"})
    sim.sample_limit = 1
    sim.call("skill", {"name": "hive"})
    sizes = [call.size for call in sim.history]
    assert [call.so_far for call in sim.history] == [sizes[0], sum(sizes)]
    newest, oldest = sim.list.rows
    assert newest[1] == ['2. skill {"name": "hive"}']
    assert newest[2] == [f"sample_limit 1 · {sum(sizes)} characters so far"]
    assert oldest[3] == [f"{sizes[0]} characters"]
    sim.list.chosen = "1"
    assert (sim.shown, sim.arguments, sim.sample_limit) == (1, '{"name": "tide"}', 10)
    assert "Call 1:" in sim.pane.head.value
    sim.forget_button.click()
    assert (sim.history, sim.shown, sim.list.rows) == ([], 0, [])


def test_compare_two_calls(simulate: Simulate, folder: str) -> None:
    """Two calls stand side by side with what differs marked, and what it saves in words."""
    sim = simulate(folder)
    sim.call("skill", {"name": "tide"})
    sim.sample_limit = -1
    sim.call("skill", {"name": "tide"})
    found = sim.compare(1, 2)
    assert (found.changed, found.only_right) == (0, 0)
    assert found.only_left == 7
    fewer = sim.history[0].size - sim.history[1].size
    html = sim.pane.compared.value
    assert f"Call 2 has {fewer} characters fewer" in html
    assert html.count("only left") == found.only_left
    assert f"Call 2 has {fewer} characters fewer" in repr(sim)
    with pytest.raises(ValueError, match="there is no call 3; 2 calls made so far"):
        sim.compare(1, 3)


def test_compare_boxes(simulate: Simulate, folder: str) -> None:
    """The boxes offer the calls, newest first, and choose the two."""
    sim = simulate(folder)
    for name in ("tide", "hive", "choir"):
        sim.call("skill", {"name": name})
    assert (sim.left, sim.right) == (2, 3)
    sim.pane.tabs.selected_index = COMPARE
    sim.pane.left_box.value = 1
    assert [call.number for call in sim.compared or ()] == [1, 3]
    assert sim.pane.left_box.options[0][0] == '3. skill {"name": "choir"}, sample_limit 10'


@pytest.mark.parametrize(
    ("left", "right", "kinds"),
    [
        ("a\nb\nc", "a\nb\nc", ["gap"]),
        ("a\nb", "a\nx", ["same", "changed"]),
        ("a\nb\nc", "a\nc", ["same", "left", "same"]),
        ("a\nc", "a\nb\nc", ["same", "right", "same"]),
        ("", "a", ["changed"]),
        ("\n".join("abcdefgh") + "\nx", "\n".join("abcdefgh") + "\ny", ["gap", *["same"] * 3, "changed"]),
    ],
)  # fmt: skip
def test_difference(left: str, right: str, kinds: list[str]) -> None:
    """Equal, changed, added and missing lines are told apart; long equal runs are a gap."""
    assert [pair.kind for pair in compare(left, right).pairs] == kinds


@given(left=st.text(alphabet="ab\n", max_size=40), right=st.text(alphabet="ab\n", max_size=40))
def test_difference_loses_no_line(left: str, right: str) -> None:
    """Every line of both texts is counted once, and only equal texts have no difference."""
    found = compare(left, right)
    assert found.same + found.changed + found.only_left == left.count("\n") + 1
    assert found.same + found.changed + found.only_right == right.count("\n") + 1
    assert bool(found) == (left != right)


def test_difference_of_long_texts_is_bounded() -> None:
    """Very long texts are set side by side in bounded time."""
    left = "\n".join(f"{n} {n % 7}" for n in range(MOST_SEARCHED * 20))
    right = "\n".join(f"{n} {n % 5}" for n in range(MOST_SEARCHED * 20))
    begun = time.process_time()
    found = compare(left, right)
    assert time.process_time() - begun < 10
    assert found.same + found.changed == MOST_SEARCHED * 20


# --- as it travels ------------------------------------------------------------------------------


def test_openai_form(simulate: Simulate, folder: str) -> None:
    """In OpenAI's form arguments are text, broken or not, and the result answers by id."""
    sim = simulate(folder)
    sim.arguments = '{"name": "tid'
    sim.run()
    request, answer = sim.messages("OpenAI")
    (asked,) = request["tool_calls"]
    assert asked["function"] == {"name": "skill", "arguments": '{"name": "tid'}
    assert answer == {
        "role": "tool",
        "tool_call_id": asked["id"],
        "content": sim.history[0].result.output,
    }


def test_anthropic_form(simulate: Simulate, folder: str) -> None:
    """In Anthropic's form arguments are an object, and an error is marked; broken JSON cannot travel."""
    sim = simulate(folder)
    sim.call("skill", {"name": "nope"})
    request, answer = sim.messages("Anthropic")
    (use,) = request["content"]
    assert (use["type"], use["name"], use["input"]) == ("tool_use", "skill", {"name": "nope"})
    (result,) = answer["content"]
    assert (result["tool_use_id"], result["is_error"]) == (use["id"], True)
    sim.call("skill", "no object")
    assert sim.messages("Anthropic") == []
    sim.form = "Anthropic"
    sim.pane.tabs.selected_index = TRAVELS
    assert "no such call can be made" in sim.pane.written.value


def test_mcp_form(simulate: Simulate, folder: str) -> None:
    """In MCP's form it is a request and its response with one id."""
    sim = simulate(folder)
    sim.call("skill", {"name": "hive"})
    request, answer = sim.messages("MCP", 1)
    assert request["method"] == "tools/call"
    assert request["params"] == {"name": "skill", "arguments": {"name": "hive"}}
    assert answer["id"] == request["id"]
    assert answer["result"] == {
        "content": [{"type": "text", "text": sim.history[0].result.output}],
        "isError": False,
    }
    json.dumps([request, answer])
    with pytest.raises(ValueError, match="known are OpenAI, Anthropic, MCP"):
        sim.messages("Other")
    with pytest.raises(ValueError, match="there is no call 9"):
        sim.messages("MCP", 9)


def test_shown_messages_hold_no_path(simulate: Simulate, folder: str, tmp_path: Path) -> None:
    """What is shown has {root} for the root's path; what code gets is exact."""
    sim = simulate(folder)
    sim.call("skill", {"name": "tide"})
    assert not [html for html in everything(sim) if str(tmp_path) in html]
    assert str(tmp_path) in json.dumps(sim.messages())


# --- forms --------------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "whole": {"type": "integer"},
        "number": {"type": "number"},
        "yes": {"type": "boolean"},
        "one": {"enum": ["a", 2, None]},
        "many": {"type": "array", "items": {"type": "string"}},
        "maybe": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
        "thing": {"type": "object"},
    },
    "required": ["text"],
}


def test_form_of_a_schema() -> None:
    """Each simple kind has its control; what is filled in becomes JSON of the right type."""
    form = Form(SCHEMA, lambda: None)
    kinds = {field.name: field.kind for field in form.fields}
    assert kinds == {
        "text": "string", "whole": "integer", "number": "number", "yes": "boolean", "one": "enum",
        "many": "list", "maybe": "integer", "thing": "json",
    }  # fmt: skip
    assert form.fields[0].control.description == "text (required)"
    assert form.values() == {}
    boxes = {field.name: field.control for field in form.fields}
    boxes["text"].value, boxes["whole"].value, boxes["number"].value = "7", "7", "1.5"
    boxes["yes"].value, boxes["one"].value = "false", "2"
    boxes["many"].value, boxes["maybe"].value, boxes["thing"].value = "a\nb c", "x", '{"k": [1]}'
    values = {
        "text": "7", "whole": 7, "number": 1.5, "yes": False, "one": 2, "many": ["a", "b c"],
        "maybe": "x", "thing": {"k": [1]},
    }  # fmt: skip
    assert form.values() == values
    form.show({})
    assert form.values() == {}
    form.show(values)
    assert form.values() == values
    form.close()


@pytest.mark.parametrize(
    "schema",
    [None, [], {"properties": []}, {"properties": {"a": None}}, {"properties": {"a": {"enum": 3}}},
     {"properties": {"a": {"type": ["string", "null"]}}}, {"required": 7, "properties": {"a": {}}},
     {"properties": {"a": {"anyOf": [1]}, "$x$": {"description": 5}}}],
)  # fmt: skip
def test_odd_schemas(simulate: Simulate, schema: Any) -> None:
    """A stranger's schema that is none gives a form of what can be read, and the call still works."""
    sim = simulate(Tool("t", "", schema, lambda args, _ctx: ToolResult(json.dumps(args))))
    sim.arguments = '{"a": "x"}'
    sim.run()
    assert sim.history[0].result.output == '{"a": "x"}'
    assert not [field for field in sim._form.fields if "$" in field.control.description]


def test_many_properties(simulate: Simulate) -> None:
    """Of very many arguments some have controls, and the rest is said."""
    schema = {"properties": {f"p{n}": {"type": "string"} for n in range(100)}}
    sim = simulate(Tool("t", "", schema, lambda _args, _ctx: ToolResult("")))
    assert len(sim._form.fields) == 40
    assert "60 arguments more: type them as JSON." in sim.about.value


# --- tokens, twins, strangers -------------------------------------------------------------------


def test_tokens_come_later_with_their_counter(simulate: Simulate, folder: str) -> None:
    """A result shows at once; its tokens follow, for the call and for all together."""

    async def wait() -> ToolSimulator:
        sim = simulate(folder, counter=len)
        sim.call("skill", {"name": "hive"})
        assert "… tokens" in sim.pane.head.value
        await until(lambda: "… tokens" not in sim.status.facts)
        return sim

    sim = asyncio.run(asyncio.wait_for(wait(), 20))
    assert f"{sim.history[0].size} tokens (len)" in sim.pane.head.value
    assert sim.status.facts[-1] == f"{sim.history[0].size} tokens (len)"


def test_count_now(simulate: Simulate, folder: str) -> None:
    """count() gives the tokens of all calls, and from then on the twin says them."""
    sim = simulate(folder)
    sim.call("skill", {"name": "hive"})
    sim.call("skill", {"name": "nope"})
    assert "token" not in repr(sim)
    assert sim.count() == sum(count_tokens(call.text) for call in sim.history)
    assert f"{count_tokens(sim.history[0].text)} tokens (cl100k_base)" in repr(sim)
    assert "tokens fewer (cl100k_base)" in sim._repr_html_()


def test_twin_says_the_same(simulate: Simulate, folder: str) -> None:
    """Text and HTML say the same facts, the same on every run."""
    one, other = simulate(folder), simulate(folder)
    for sim in (one, other):
        assert "Nothing was called yet." in sim._repr_html_()
        sim.call("skill", {"name": "hive"})
        sim.call("skill", {"name": "hiv"})
    assert repr(one) == repr(other)
    assert one._repr_html_() == other._repr_html_()
    first, second = (call.size for call in one.history)
    html = one._repr_html_().split("</style>", 1)[1]
    for fact in ("1 tool", "3 skills", "2 calls", f"{first + second} characters so far",
                 f"{first} characters", f"{second} characters"):  # fmt: skip
        assert fact in repr(one)
        assert fact in html


def test_hostile(simulate: Simulate) -> None:
    """Names, schemas, bodies, arguments and results of strangers stay text in every view."""
    for attack in ATTACKS:
        schema = {
            "type": "object",
            "properties": {attack: {"description": attack, "enum": [attack]}},
        }
        odd = Tool(
            f"t {attack}", attack, schema,
            lambda _args, _ctx, attack=attack: ToolResult(attack, metadata={attack: [attack]}),
        )  # fmt: skip
        source = load_skills(skills=[SkillDef(f"s {attack}", attack, attack)])
        for sim in (simulate([odd]), simulate(source)):
            name = next(iter(sim.skills or {}), attack)
            tool = next(iter(sim.tools))
            sim.call(tool, {"name": name, attack: attack})
            sim.tool = tool
            sim.arguments = attack
            sim.run()
            assert [found for html in everything(sim) for found in wrong(html)] == []
            repr(sim).encode()


@settings(max_examples=25)
@given(body=texts, arguments=texts, metadata=st.dictionaries(texts, texts, max_size=2))
def test_any_text(body: str, arguments: str, metadata: dict[str, str]) -> None:
    """Any result and any arguments give HTML of the listed tags, and text that can be written."""
    sim = ToolSimulator(Tool("t", body, {}, lambda _a, _c: ToolResult(body, metadata=metadata)))
    try:
        sim.arguments = arguments
        sim.run()
        assert [found for html in everything(sim) for found in wrong(html)] == []
        repr(sim).encode()
    finally:
        sim.close()


def test_odd_arguments_from_code(simulate: Simulate) -> None:
    """Arguments that JSON does not have are shown by their type, without an address."""
    circle: dict[str, Any] = {}
    circle["self"] = circle
    sim = simulate(Tool("t", "", {}, lambda _a, _c: ToolResult("ok")))
    for args in (object(), {"f": print}, {(1, 2): 3}, circle, {"n": float("nan")}):
        sim.call("t", args)
    said = [call.arguments for call in sim.history]
    assert said == ['"<object>"', '{"f": "<builtin_function_or_method>"}', '"<dict>"', '"<dict>"', '{"n": NaN}']  # fmt: skip
    assert not [html for html in everything(sim) if " at 0x" in html]


def test_as_json_of_a_lone_surrogate() -> None:
    """A lone surrogate becomes U+FFFD, so that the text can travel."""
    assert set(calls.as_json("\ud800")) == {'"', "\ufffd"}


def test_twenty_thousand(simulate: Simulate, messages: Messages) -> None:
    """With 20,000 skills a call takes milliseconds, and names are suggested, not all sent."""
    sim = simulate(many(20_000))
    assert messages.size < 150_000
    (field,) = sim._form.fields
    assert len(field.control.options) == 200
    messages.clear()
    begun = time.perf_counter()
    field.control.value = "skill-19999"
    sim.run()
    assert time.perf_counter() - begun < 0.3
    assert not sim.history[0].result.is_error
    assert messages.size < 50_000


def test_long_history_is_paged(simulate: Simulate) -> None:
    """A thousand calls are listed by pages, newest first, and the twin is cut with its count."""
    sim = simulate(Tool("t", "", {}, lambda args, _c: ToolResult("x" * args["n"])))
    for n in range(450):
        sim.call("t", {"n": n})
    assert (len(sim.list.rows), sim.list.before, sim.list.after) == (200, "", "Older 200")
    sim.list.heard(None, {"page": 1})
    sim.list.heard(None, {"page": 1})
    assert (len(sim.list.rows), sim.list.before, sim.list.after) == (50, "Newer 200", "")
    sim.compare(7, 449)
    assert [box.value for box in (sim.pane.left_box, sim.pane.right_box)] == [7, 449]
    sim.shown = 7
    assert (sim.list.chosen, sim.list.rows[-7][0]) == ("7", "7")
    assert "The last 50 of 450 calls shown." in sim._repr_html_()
    assert "… 440 calls before" in repr(sim)
    assert len(sim._repr_html_()) < 200_000


def test_forgetting_forgets_what_was_said(simulate: Simulate, folder: str) -> None:
    """After Forget all nothing speaks of a call that is not there any more."""
    sim = simulate(folder)
    sim.call("skill", {"name": "tide"})
    sim.forget()
    assert (sim.status.message, sim.status.facts[-1]) == ("", "0 calls")


@pytest.mark.parametrize("args", [{"n": float("nan")}, {"n": b"x"}, {"n": {1, 2}}, {(1,): 2}])
def test_only_json_travels(simulate: Simulate, folder: str, args: Any) -> None:
    """Where arguments must be JSON and are not, no message is made up."""
    sim = simulate(folder)
    sim.call("skill", args)
    for form in ("Anthropic", "MCP"):
        assert sim.messages(form) == []
    json.dumps(sim.messages("OpenAI"), allow_nan=False)


def test_what_is_no_call_is_refused(simulate: Simulate, folder: str) -> None:
    """What cannot be called or written out is named, with what to pass."""
    sim = simulate(folder)
    with pytest.raises(ValueError, match="no call is shown; 0 calls made so far"):
        sim.messages()
    with pytest.raises(TypeError, match="tool is of type int; pass the name of a tool"):
        sim.call(5)  # type: ignore[arg-type]


def test_two_tools_of_one_name(simulate: Simulate, folder: str) -> None:
    """Two tools of one name are refused: one would be lost without a word."""
    tool = load_skills(folder).tool
    with pytest.raises(ValueError, match="several tools are called skill;"):
        simulate([tool, tool])


def test_a_counter_that_raises(simulate: Simulate, folder: str) -> None:
    """What a counter of one's own raises reaches the caller, and never a repr."""
    sim = simulate(folder, counter=lambda text: 1 // 0)
    sim.call("skill", {"name": "tide"})
    sim.call("skill", {"name": "hive"})
    sim.compare(1, 2)
    with pytest.raises(ZeroDivisionError):
        sim.count()
    assert "tokens not counted" in repr(sim)
    assert "tokens not counted" in sim._repr_html_()

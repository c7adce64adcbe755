"""Front matter: where it opens and closes, what it gives, what is rescued, what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import textwrap
import time

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillbook import frontmatter
from skillbook.errors import FrontMatterError
from skillbook.frontmatter import parse, split


def parts(data: bytes) -> tuple[bytes, bytes] | None:
    """Returns the block and the body of ``data``, or None without front matter."""
    place = split(data)
    return place and (data[place.start : place.end], data[place.body :])


# --- where it opens and closes --------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "block", "body"),
    [
        (b"---\nname: a\n---\nBody\n", b"name: a\n", b"Body\n"),
        (b"---\r\nname: a\r\n---\r\nBody\r\n", b"name: a\r\n", b"Body\r\n"),
        (b"\xef\xbb\xbf---\nname: a\n---\nBody\n", b"name: a\n", b"Body\n"),
        (b"---  \nname: a\n--- \t\nBody\n", b"name: a\n", b"Body\n"),
        (b"--- \r\nname: a\r\n---\t\r\nBody", b"name: a\r\n", b"Body"),
        (b"---\nname: a\n---", b"name: a\n", b""),
        (b"---\n---\nBody\n", b"", b"Body\n"),
        (b"---\rname: a\r---\rBody\r", b"name: a\r", b"Body\r"),
        (b"---\nname: a\n---\n---\n---\n", b"name: a\n", b"---\n---\n"),
        (b"---\nx: |\n  ---\n  t\n---\nBody\n", b"x: |\n  ---\n  t\n", b"Body\n"),
    ],
)
def test_block_and_body(data: bytes, block: bytes, body: bytes) -> None:
    """The block lies between the first line and the first line of three dashes after it."""
    assert parts(data) == (block, body)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n---\nname: a\n---\n",
        b" ---\nname: a\n---\n",
        b"----\nname: a\n---\n",
        b"--- name: a\n---\n",
        b"# Title\n",
        b"--\nname: a\n--\n",
        b"\xff\xfe-\0-\0-\0\n\0",
    ],
)
def test_not_opened(data: bytes) -> None:
    """A file whose first line is not three dashes and white space has no front matter."""
    assert split(data) is None


@pytest.mark.parametrize(
    "data",
    [
        b"---",
        b"---\n",
        b"---\nname: a\n",
        b"---\nname: a\n----\nBody\n",
        b"---\nname: a\n---more\nBody\n",
        b"---\nname: a\n ---\nBody\n",
        b"---\nname: a\n--- # no\nBody\n",
        b"---\nname: a\n...\nBody\n",
    ],
)
def test_never_closed(data: bytes) -> None:
    """Only a line of three dashes and white space closes; without one the block is malformed."""
    with pytest.raises(FrontMatterError) as caught:
        split(data)
    assert (caught.value.reason, caught.value.line) == ("malformed-frontmatter", 1)
    assert "closed" in caught.value.detail


def test_fence_at_the_end_of_a_part() -> None:
    """Three dashes at the very end of a first piece do not close: the line may go on."""
    with pytest.raises(FrontMatterError):
        split(b"---\nname: a\n---", whole=False)


# --- what it gives ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "name", "description"),
    [
        ("name: a\ndescription: b\n", "a", "b"),
        ("name: a\r\ndescription: b\r\n", "a", "b"),
        ("name: 'a'\ndescription: \"b\"\n", "a", "b"),
        ("name: 007\ndescription: 1.50\n", "007", "1.50"),
        ("name: yes\ndescription: no\n", "yes", "no"),
        ("name: 2026-01-02\ndescription: 12:30\n", "2026-01-02", "12:30"),
        ("name: 0x1F\ndescription: .inf\n", "0x1F", ".inf"),
        ("name: a\ndescription: null\n", "a", None),
        ("name: a\ndescription: ~\n", "a", None),
        ("name: a\ndescription:\n", "a", None),
        ("name: a\ndescription: ''\n", "a", None),
        ("name: a\ndescription: '  \t '\n", "a", None),
        ("name: a\ndescription: 'null'\n", "a", "null"),
        ("name: a\n", "a", None),
        ("description: b\n", None, "b"),
        ("name:\ndescription: b\n", None, "b"),
        ("name: '  '\ndescription: b\n", None, "b"),
        ("name: null\n", None, None),
        ("", None, None),
        ("# only a comment\n", None, None),
        ("name: '  a  '\ndescription: ' b '\n", "a", "b"),
        ('name: "a\\nb\\t c"\n', "a b c", None),
        ("name: >-\n  two\n  lines\n", "two lines", None),
        ("name: a\ndescription: >\n  folds\n  lines\n", "a", "folds lines"),
        ("name: a\ndescription: |\n  keeps\n  lines\n", "a", "keeps\nlines"),
        ("name: a\ndescription:\n  goes on\n  below\n", "a", "goes on below"),
        ("name: a\ndescription: cut # here\n", "a", "cut"),
        ("{name: a, description: b}\n", "a", "b"),
        ('{"name": "a", "description": "b"}\n', "a", "b"),
        ("x: &x shared\nname: *x\n", "shared", None),
        ("name: !!str 007\n", "007", None),
        ("name: naïve café\ndescription: Points → at ⏳.\n", "naïve café", "Points → at ⏳."),
    ],
)
def test_name_and_description(block: str, name: str | None, description: str | None) -> None:
    """Name and description keep the text as typed; blank and null are none."""
    found = parse(block)
    assert (found.name, found.description) == (name, description)
    empty = ["empty-name"] if name is None and "name" in found.meta else []
    assert [problem.kind for problem in found.problems] == empty


@pytest.mark.parametrize(
    ("block", "meta"),
    [
        ("name: a\nlicense: MIT\n", {"name": "a", "license": "MIT"}),
        (
            "name: 007\nn: 1\nf: 1.5\nt: true\nz: null\ne:\n",
            {"name": "007", "n": 1, "f": 1.5, "t": True, "z": None, "e": None},
        ),
        ("name: a\nn: '1'\nt: \"true\"\n", {"name": "a", "n": "1", "t": "true"}),
        ("name: a\nd: 2031-04-09\n", {"name": "a", "d": "2031-04-09"}),
        ("name: a\nd: 2031-04-09 10:00:00Z\n", {"name": "a", "d": "2031-04-09 10:00:00Z"}),
        (
            "name: a\nmetadata:\n  released: 2031-04-09\n  tags: [x, {y: [1, 2]}]\n",
            {"name": "a", "metadata": {"released": "2031-04-09", "tags": ["x", {"y": [1, 2]}]}},
        ),
        ("name: a\n1: x\n2.5: y\n", {"name": "a", "1": "x", "2.5": "y"}),
        ("name: a\nx: &x {k: v}\ny: *x\n", {"name": "a", "x": {"k": "v"}, "y": {"k": "v"}}),
        (
            "name: a\nbase: &b {k: v, l: w}\nm:\n  <<: *b\n  k: own\n",
            {"name": "a", "base": {"k": "v", "l": "w"}, "m": {"k": "own", "l": "w"}},
        ),
        ("name: a\nn: !!str 1\n", {"name": "a", "n": "1"}),
        ("name: a\nd: !!timestamp 2031-04-09\n", {"name": "a", "d": "2031-04-09"}),
        ("name: a\ndescription: yes\nallowed-tools: [Read]\n", None),
    ],
)
def test_meta(block: str, meta: dict[str, object] | None) -> None:
    """Meta keeps the whole block with its structure, dates as text."""
    expected = meta or {"name": "a", "description": "yes", "allowed-tools": ["Read"]}
    assert parse(block).meta == expected


ODD_VALUES = [
    ".inf",
    "-.inf",
    ".nan",
    "1.0e+999",
    "1" * 5000,
    "0x" + "f" * 5000,
    "0b" + "1" * 20000,
    "0" + "7" * 6000,
    ":".join(["59"] * 3000),
    "1_000_000",
    "!!binary aGVsbG8=",
    "!!binary /////w==",
    "!!set {b, a}",
    "!!omap [a: 1, b: 2]",
    "!!pairs [a: 1, a: 2]",
    "!!timestamp 2031-04-09T10:00:00Z",
    "!!float 1",
    "!!float .nan",
    "!!int '12'",
    "{1: a, null: b, true: c, 2031-04-09: d, 1.5: e}",
    "{? [a, b] : c}",
    "{? {a: b} : c}",
    '"\\u0000 \\uFFFF \\U0001F600"',
    '"\\ud83d"',
    '"\\ude00\\ud83d"',
    "&a [*a]",
    "&a {k: *a}",
    "&a !!set {*a}",
    "!!python/name:os.system",
    "!unknown x",
    "=",
    "<<",
    "{<<: {a: 1}}",
    "{<<: [1]}",
    "{<<: x}",
]


@pytest.mark.parametrize("value", ODD_VALUES, ids=lambda value: value[:24])
def test_meta_holds_only_json(value: str) -> None:
    """Whatever a value is, meta goes through JSON and comes back the same, or there is no skill."""
    try:
        found = parse(f"name: odd\ndescription: D.\nvalue: {value}\n")
    except FrontMatterError as error:
        assert error.reason == "malformed-frontmatter"  # noqa: PT017 - one of two right ends
        return
    assert (found.name, found.description) == ("odd", "D.")
    text = json.dumps(found.meta, allow_nan=False, ensure_ascii=False)
    assert json.loads(text) == found.meta
    assert text.encode()


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (r"\ud83d\ude00", "😀"),
        (r"\uD83D\uDE00", "😀"),
        (r"\ud83d", "\ufffd"),
        (r"\ude00", "\ufffd"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd😀"),
        (r"a\ud83d\ude00b\ud83d\ude80c", "a😀b🚀c"),
        (r"\\ud83d\ude00", "\\ud83d\ufffd"),
        (r"\\ud83d\\ude00", r"\ud83d\ude00"),
        (r"\\\ud83d\ude00", "\\😀"),
        (r"\u00e9", "é"),
    ],
)
def test_json_surrogates(typed: str, shown: str) -> None:
    """JSON's surrogate escapes become the character, and a lone one U+FFFD."""
    found = parse(f'name: "n {typed}"\ndescription: "d {typed}"\nmetadata: {{"e": "{typed}"}}\n')
    assert found.name == f"n {shown}"
    assert found.description == f"d {shown}"
    assert found.meta["metadata"] == {"e": shown}


def test_surrogates_in_plain_text() -> None:
    """A surrogate escape that no double quotes hold is plain letters."""
    found = parse("name: a\ndescription: Types \\ud83d\\ude00 as text.\n")
    assert found.description == r"Types \ud83d\ude00 as text."


def test_many_surrogates() -> None:
    """A block full of surrogate escapes is read in time that grows with its size only."""
    block = 'name: a\ndescription: "' + r"\ud83d\ude00" * 75_000 + '"\n'
    begun = time.process_time()
    assert parse(block).description == "😀" * 75_000
    assert time.process_time() - begun < 2.0


def test_python_parser_agrees() -> None:
    """The Python parser, used where the C one is not there, gives the same."""
    blocks = [
        "name: a\ndescription: Use when: x\n",
        'name: "s \\ud83d\\ude00"\ndescription: "lone \\ud83d"\n',
        "name: 007\nd: 2031-04-09\nx: [1, {y: z}]\n",
        "name: a\nbase: &b {k: v}\nm: {<<: *b}\n",
        "name: [oops\n",
        "name: a\nv: !!python/object/apply:os.getcwd []\n",
        "name: a\ndescription: **Bold** start: yes\n",
        "name: a\nv: " + "[" * 10_000 + "\n",
    ]
    code = """
        import json, sys, yaml
        if sys.argv[1] == "python":
            del yaml.CSafeLoader
        from skillbook.errors import FrontMatterError
        from skillbook.frontmatter import parse
        out = []
        for block in json.loads(sys.stdin.read()):
            try:
                found = parse(block)
            except FrontMatterError as error:
                out.append([error.reason, error.line])
            else:
                kinds = [problem.kind for problem in found.problems]
                out.append([found.name, found.description, found.meta, kinds])
        print(json.dumps(out))
    """
    given_back = [
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), which],
            input=json.dumps(blocks),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for which in ("c", "python")
    ]
    assert json.loads(given_back[0]) == json.loads(given_back[1])


def test_duplicate_key() -> None:
    """A field that stands twice is said, with the line of the second one in the file."""
    (problem,) = parse("name: a\ndescription: one\nname: b\n").problems
    assert problem.line == 4
    assert "name" in problem.detail


def test_many_duplicate_keys() -> None:
    """A block full of one field gives a few warnings, of which the last counts the rest."""
    *told, rest = parse("name: a\n" + "k: 1\n" * 30_001).problems
    assert [problem.line for problem in told] == list(range(4, 14))
    assert rest.detail == "29,990 more lines have a field that stands above already"
    assert rest.line == 14


# --- what is rescued ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "description"),
    [
        ("description: Use when: asked\n", "Use when: asked"),
        ("description: **Bold** start: yes\n", "**Bold** start: yes"),
        ("description: **bold**\n", "**bold**"),
        ("description: * item: x\n", "* item: x"),
        (
            "description: Use when: the text\n  goes on\n  and on\n",
            "Use when: the text goes on and on",
        ),
        (
            "description:\n  Grills a plan,\n  pairs with: grill\n",
            "Grills a plan, pairs with: grill",
        ),
        ("description: 'It's here: now'\n", "It's here: now"),
        ('description: "Say "hi": now"\n', 'Say "hi": now'),
        ('description: "a \\n b": c\n', '"a \\n b": c'),
        ("description: `code`: x\n", "`code`: x"),
        ("description: @at: x\n", "@at: x"),
        ("description: %percent\n", "%percent"),
        ("description: one: 1\ndescription: two: 2\n", "one: 1"),
        ("description: a: b\n  description: c\n", "a: b description: c"),
        ("description: Windows: text\r\n  goes on\r\n", "Windows: text goes on"),
        ("description: |x: y\n", None),
        ("description: >x: y\n", None),
        ("description: &x y: z\n", None),
        ("description: *x: y\n", None),
        ("description: [x: y\n", None),
        ("description: {x: y\n", None),
        ("description: !x y: z\n", None),
        ("description: |\n\tbroken\n", None),
        ("description: [a, b]\n", None),
        ("description: {a: b}\n", None),
        ("description:\n  - a\n  - b\n", None),
        ("description:\n  a: b\n", "a: b"),
        ("license: x: y\n", None),
    ],
)
def test_rescue(block: str, description: str | None) -> None:
    """Where YAML refuses the block, name and description are read line by line, whole or not."""
    found = parse("name: kept\n" + block)
    assert (found.name, found.description) == ("kept", description)
    assert found.meta == {"name": "kept"} | (
        {} if description is None else {"description": description}
    )
    rescued, *others = found.problems
    assert rescued.kind == "rescued-frontmatter"
    assert rescued.line >= 2
    lost = description is None and block.startswith("description")
    assert [other.kind for other in others] == (["no-description"] if lost else [])


def test_a_description_that_is_not_rescued() -> None:
    """A description that only YAML can read is told as there but not read, with both lines."""
    block = "name: a\ndescription: >-\n  Reads tides.\nargument-hint: [port] [day]\n"
    rescued, lost = parse(block).problems
    assert "only name was read" in rescued.detail
    assert rescued.line == 5
    assert lost.line == 3
    assert "the description on line 3 was not read" in lost.detail
    assert "mend line 5" in lost.detail


NOT_A_FIELD = "is no field"
GOES_ON = "goes on in an indented line"
TAB = "a tab is used to indent"
ESCAPE = "a backslash in double quotes starts no known escape (write it twice)"
QUOTES = "put the value in double quotes"


@pytest.mark.parametrize(
    ("block", "line", "said"),
    [
        ("name: x\ndescription:d\n", 3, NOT_A_FIELD),
        ("name: x\r\ndescription:d\r\n", 3, NOT_A_FIELD),
        ("name: x\rfoo:bar\rbaz: c\r", 3, NOT_A_FIELD),
        ("name: x\nd: y\nfoo\n", 4, NOT_A_FIELD),
        ("name: x\nd: first line\nsecond line here\nlicense: MIT\n", 4, NOT_A_FIELD),
        ("name: x\nmetadata:\n  a:1\n\n  b: 2\n", 4, NOT_A_FIELD),
        ("name: x\n description: d\n", 3, GOES_ON),
        ("name: x\ndescription: a\n  b: c\n", 4, GOES_ON),
        ("name: x\ndescription: a\n  c\n  b: c\n", 5, GOES_ON),
        ("name: x\ndescription:\n  Plain text\n  more: c\n", 5, GOES_ON),
        ("name: x\nmetadata:\n\ta: b\nd: e\n", 4, TAB),
        ("name: x\n\tdescription: d\n", 3, TAB),
        ("name: x\nd: @a\n", 3, QUOTES),
        ("name: x\nd: a: b\n", 3, QUOTES),
        ("name: x\nd: - a\n", 3, QUOTES),
        ("name: x\nd: ? a\n", 3, QUOTES),
        ("name: 'x\u2028y'\nd: @a\n", 3, QUOTES),
        ('name: x\nd: "C:\\users"\n', 3, ESCAPE),
        ('name: x\nd: "C:\\my files"\n', 3, ESCAPE),
        ("name: x\na: &a 1\nb: &a 2\n", 4, "an anchor (&) stands twice"),
        ("name: x\nd: [}\n", 3, "nothing stands where a value should be"),
        ("name: 'x\x85\u2028'\nd: a\x01\n", 3, "control character"),
    ],
)
def test_the_line_at_fault(block: str, line: int, said: str) -> None:
    """The line named is the one to mend, as an editor counts lines, and the words fit it."""
    problem = parse(block).problems[0]
    assert (problem.line, problem.detail.partition(" is not")[0]) == (line, f"line {line}")
    assert said in problem.detail


@pytest.mark.parametrize("colon", [":", ":\u00a0", "\uff1a"])
def test_a_first_field_without_its_space(colon: str) -> None:
    """A name whose colon has no space after it is at fault itself, not the sound line below it."""
    with pytest.raises(FrontMatterError) as caught:
        parse(f"name{colon}x\ndescription: d\n")
    assert caught.value.line == 2
    assert NOT_A_FIELD in caught.value.detail


def test_rescue_keeps_list_items_on_their_lines() -> None:
    """List items below a rescued value are not folded into one line of text."""
    found = parse("name: kept\ndescription: Use for: these\n  - one\n  - two\n")
    assert found.description == "Use for: these\n- one\n- two"


def test_rescue_names_the_line_and_the_fix() -> None:
    """The warning of a rescue names the file's line at fault and what to do."""
    (problem,) = parse("name: a\nlicense: MIT\ndescription: Use when: x\n").problems
    assert problem.line == 4
    assert "4" in problem.detail
    assert "colon" in problem.detail
    assert "quote" in problem.detail


@pytest.mark.parametrize(
    "block",
    [
        "name: [oops\n",
        "name: &x y: z: w\n",
        "name: |x\n",
        "name: {a: b}\n",
        "name: [a]\n",
        "name:\n  - a\n",
        " name: a: b\n",
        "description: a: b\n",
        "just text\n",
        "- a\n- b\n",
        "name: !!python/object/apply:os.system ['true']\n",
        "a: b\n  name: c\n",
    ],
)
def test_no_rescued_name(block: str) -> None:
    """Without a rescued name the block is malformed, with a line in the file."""
    with pytest.raises(FrontMatterError) as caught:
        parse(block)
    assert caught.value.reason == "malformed-frontmatter"
    assert caught.value.line is not None
    assert caught.value.line >= 2


def test_unsafe_tag_is_never_run(tmp_path) -> None:
    """A tag that would build a Python object builds nothing; the two texts are rescued."""
    mark = tmp_path / "pwned"
    found = parse(
        "name: tagged\ndescription: D.\n"
        f"license: !!python/object/apply:os.system ['touch {mark}']\n"
    )
    assert (found.name, found.description, found.meta) == (
        "tagged",
        "D.",
        {"name": "tagged", "description": "D."},
    )
    assert len(found.problems) == 1
    assert not mark.exists()


# --- without measure ------------------------------------------------------------------------------


def laughs(levels: int) -> str:
    """Returns a block whose aliases expand to nine to the power of ``levels`` values."""
    lines = ["name: bomb", "description: D.", "a0: &a0 lol"]
    for level in range(1, levels + 1):
        items = ", ".join([f"*a{level - 1}"] * 9)
        lines.append(f"a{level}: &a{level} [{items}]")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "block",
    [
        laughs(9),
        laughs(60),
        "name: bomb\na: &a [*a]\n",
        "name: bomb\na: &a {k: *a}\n",
        "name: bomb\nx: &x [" + "a," * 2000 + "]\ny: [" + "*x," * 2000 + "]\n",
        "name: bomb\nm0: &m0 {k: v}\n"
        + "".join(
            f"m{n}: &m{n} {{<<: *m{n - 1}, k{n}: [*m{n - 1}, *m{n - 1}]}}\n" for n in range(1, 40)
        ),
    ],
    ids=["laughs", "more laughs", "itself in a list", "itself in a map", "flat", "merges"],
)
def test_yaml_bomb(block: str) -> None:
    """A block whose aliases expand without measure ends at once, as malformed."""
    begun = time.process_time()
    with pytest.raises(FrontMatterError) as caught:
        parse(block)
    assert caught.value.reason == "malformed-frontmatter"
    assert time.process_time() - begun < 2.0


def characters(value: object) -> int:
    """Returns how many characters ``value`` holds, counted where they stand, shared or not."""
    if isinstance(value, dict):
        return sum(len(key) + characters(item) for key, item in value.items())
    if isinstance(value, list):
        return sum(map(characters, value))
    return len(str(value))


def test_long_text_aliased_often() -> None:
    """Aliases of one long text do not grow a block of 150 KB into gigabytes of JSON."""
    block = "name: wide\nx: &x " + "t" * 100_000 + "\ny: [" + "*x," * 9_000 + "]\n"
    try:
        found = parse(block)
    except FrontMatterError as error:
        assert error.reason == "malformed-frontmatter"  # noqa: PT017 - one of two right ends
        return
    assert characters(found.meta) < 10_000_000


def test_an_alias_inside_what_it_names() -> None:
    """A value that holds itself is said to, with its line."""
    with pytest.raises(FrontMatterError) as caught:
        parse("name: bomb\nlicense: MIT\nmetadata: &m\n  k: *m\n")
    assert "stands inside what it names" in caught.value.detail
    assert caught.value.line in (4, 5)


def test_a_long_block_is_no_bomb() -> None:
    """Only what aliases repeat is measured, not what the block holds itself."""
    found = parse("name: a\nx: &x [1, 2]\ny: *x\nz: [" + "a," * 20_000 + "]\n")
    assert len(found.meta["z"]) == 20_000


def test_few_aliases_are_fine() -> None:
    """Aliases within measure are plain YAML, and no bomb."""
    found = parse("name: a\nx: &x [1, 2]\ny: [*x, *x]\n")
    assert found.meta["y"] == [[1, 2], [1, 2]]


DEEP = {
    "flow list": ("[", "]"),
    "flow map": ("{a: ", "}"),
    "compact list": ("- ", ""),
    "compact keys": ("? ", ""),
    "flow keys": ("{? ", "}"),
}


@pytest.mark.parametrize("levels", [900, 10_000, 400_000])
@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_deep_nesting(kind: str, levels: int, closed: bool) -> None:
    """Deep nesting ends as a skip or a rescue in little time, and never takes the process down."""
    opening, closing = DEEP[kind]
    levels = min(levels, 990_000 // len(opening + closing))
    code = f"""
        import json
        from skillbook.errors import FrontMatterError
        from skillbook.frontmatter import parse
        value = {opening!r} * {levels} + "x" + {closing!r} * {levels if closed else 0}
        start = "\\n  " if {kind.startswith("compact")!r} else ""
        try:
            found = parse("name: deep\\ndescription: D.\\nvalue: " + start + value + "\\n")
        except FrontMatterError as error:
            print(error.reason)
        else:
            json.dumps(found.meta)
            print(found.name)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.strip() in ("deep", "malformed-frontmatter")


@pytest.mark.parametrize("levels", [10, 100, 300, 450, 480, 500, 700, 950, 990, 1000, 1100])
def test_nesting_near_the_limit(levels: int) -> None:
    """What is read of nested lists can also be written as JSON."""
    code = f"""
        import json
        from skillbook.frontmatter import parse
        found = parse("name: deep\\nvalue: " + "[" * {levels} + "]" * {levels} + "\\n")
        json.dumps(found.meta)
        print(found.name)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "deep"), done.stderr[-500:]


# --- any text at all --------------------------------------------------------------------------------

YAML_PIECES = st.sampled_from(
    [
        "name: a\n", "name:", "description: ", "description: b: c\n", "\n", " ", "  ", "\t", "- ",
        "? ", ": ", "[", "]", "{", "}", "&x ", "*x", "!!str ", "!!set ", "!x ", "|\n", ">-\n", "'",
        '"', "#", "<<: ", "---\n", "...\n", "%YAML 1.1\n", "\\ud83d", "\\ude00", "\\", "1", "0x",
        ".nan", "2031-04-09", "~", "null", "yes", "\r", "\r\n", "\0", "\x85", "\u2028", "\ufeff",
        "é", "😀", "\x1b", "@", "`", "%", ",",
    ]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(YAML_PIECES, max_size=25).map("".join),
    st.lists(YAML_PIECES, max_size=20).map(lambda pieces: "name: a\n" + "".join(pieces)),
)


def outcome(block: str) -> object:
    """Returns all that ``parse`` makes of a block, as plain data."""
    try:
        found = parse(block)
    except FrontMatterError as error:
        assert error.reason in ("malformed-frontmatter", "missing-name", "unreadable")  # noqa: PT017
        assert error.detail  # noqa: PT017
        return error.reason, error.detail, error.line
    return tuple(found)


@given(TEXTS)
def test_any_text(block: str) -> None:
    """Any text gives front matter or a FrontMatterError, the same each time, and JSON-safe."""
    first = outcome(block)
    assert outcome(block) == first
    if len(first) == 4:
        name, description, meta, problems = first
        assert name is None or name == " ".join(name.split()) != ""
        assert description is None or description == description.strip() != ""
        assert json.loads(json.dumps(meta, allow_nan=False)) == meta
        json.dumps(meta, ensure_ascii=False).encode()
        json.dumps([name, description], ensure_ascii=False).encode()
        lines = len(re.split("\r\n|[\n\r\x85\u2028\u2029]", block))  # what YAML takes for line ends
        assert all(1 <= problem.line <= lines + 2 for problem in problems)


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=80).map(lambda data: b"---\n" + data)))
def test_any_bytes(data: bytes) -> None:
    """Any bytes are split, or have no front matter, or are a FrontMatterError; nothing is lost."""
    try:
        place = split(data)
    except FrontMatterError as error:
        assert error.reason == "malformed-frontmatter"  # noqa: PT017 - one of two right ends
        return
    if place is not None:
        assert 0 < place.start <= place.end <= place.body <= len(data)
        assert data[place.end : place.body].strip() == b"---"


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=30), max_size=6), st.text(max_size=40))
def test_what_writers_write_is_read_back(fields: dict[str, str], description: str) -> None:
    """Texts that a YAML writer or a JSON writer quotes come back as they were."""
    data = {key: value for key, value in fields.items() if key not in ("name", "description")}
    data |= {"name": "n", "description": description}
    written = [yaml.safe_dump(data)]
    if "\x7f" not in "".join((*data, *data.values())):
        written.append(json.dumps(data) + "\n")  # JSON leaves DEL as it is, and YAML refuses it
    for block in written:
        found = parse(block)
        assert (found.meta, found.problems) == (data, ())
        assert found.description == (description.strip() or None)


def test_same_as_safe_load() -> None:
    """Structure agrees with PyYAML's own safe loader wherever JSON has the value."""
    block = textwrap.dedent(
        """
        name: same
        description: D.
        ints: [0, -1, +2, 0o7, 017, 0x1f, 1_000, 190:20:30]
        floats: [1.5, -0.5, 1.0e+3, 1_0.5, 1e3]
        bools: [true, False, YES, no, on, Off, y, n]
        nulls: [null, Null, ~, '', "null"]
        texts: [a b, 'it''s', "tab\\t", 2031-04-09x]
        nested: {a: [{b: {c: []}}, {}]}
        """
    )
    assert frontmatter.parse(block).meta == yaml.safe_load(block)


@pytest.mark.parametrize(
    ("typed", "description"),
    [
        ('"Tides" and "Kelp"', '"Tides" and "Kelp"'),
        ("'Tides', 'Kelp'", "'Tides', 'Kelp'"),
        ('"Tides: "Kelp" here"', 'Tides: "Kelp" here'),
        ("'it's here: all'", "it's here: all"),
        ("'the dogs' bone: all'", "the dogs' bone: all"),
        (r'"a \"b\" c:\d"', r"a \"b\" c:\d"),
        ("'a ''b'' c': 'd'", "'a ''b'' c': 'd'"),
        ('"a""', 'a"'),
        ('"', '"'),
        ('"Tides" and Kelp', '"Tides" and Kelp'),
    ],
)
def test_quotes_are_removed_in_pairs(typed: str, description: str) -> None:
    """A rescued value loses its outer quotes only where they are a pair around the whole."""
    assert parse(f"name: x\ndescription: {typed}\nbad: a: b\n").description == description

"""The examples: each skill has the shape that it is there for, and its scripts do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from itertools import groupby
from pathlib import Path

import pytest

import skillbook as sb

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "examples" / "gallery"
HELLO = ROOT / "examples" / "skills" / "hello-world"


def run(*command: str | Path, text: str = "") -> tuple[int, str]:
    """Runs a script and returns its exit code and what it printed."""
    done = subprocess.run(
        [str(part) for part in command],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={"PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_what_is_found() -> None:
    """All skills of the two first folders are found, in order, and one is skipped."""
    inventory = sb.list_skills([ROOT / "examples/skills", ROOT / "examples/gallery"])
    assert [skill.name for skill in inventory.skills] == [
        "hello-world",
        "csv-first-look",
        "field-notes",
        "invoice-check",
        "knitting-chart",
        "museum-labels",
        "recipe-scaling",
        "rehearsal-plan",
        "smørrebrød",
        "tide-tables",
        "species-list",
    ]
    assert [(skip.location, skip.reason) for skip in inventory.skipped] == [
        (f"{ROOT}/examples/gallery/hive-inspection/SKILL.md", "missing-name")
    ]
    assert list(inventory.notices) == []


def test_hello_world() -> None:
    """The fixture skill is what the issues' examples count on."""
    source = sb.load_skills(ROOT / "examples" / "skills")
    assert list(source) == ["hello-world"]
    skill = source["hello-world"]
    assert skill.description.startswith("A tiny example skill.")
    assert skill.content.lstrip().startswith("# Hello World Skill\n")
    step = "1. Read `scripts/greet.sh` in this skill's base directory."
    assert step in skill.content.splitlines()
    assert skill.files() == ("scripts/greet.sh",)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("rehearsal-plan", []),
        ("csv-first-look", []),
        ("field-notes", ["templates/record.md"]),
        ("invoice-check", ["scripts/check_iban.py"]),
        ("knitting-chart", ["assets/zigzag.png", "assets/zigzag.txt"]),
        ("recipe-scaling", ["scripts/oven.sh", "scripts/scale.py"]),
        ("smørrebrød", ["references/rugbrød.md"]),
        (
            "tide-tables",
            [
                "references/datums.md",
                "references/rule-of-twelfths.md",
                "references/secondary-ports.md",
            ],
        ),
    ],
)
def test_shapes(name: str, files: list[str]) -> None:
    """Each skill of the gallery has the files of its shape beside it."""
    assert list(sb.load_skills(GALLERY)[name].files()) == files


def test_fourteen_files() -> None:
    """One skill has 14 files, so that a sample of ten leaves some out."""
    source = sb.load_skills(GALLERY)
    assert len(source["museum-labels"].files()) == 14
    assert source.tool(name="museum-labels").output.count("<file>") == 10


def test_warnings() -> None:
    """One skill has no description, one is rescued, one is nested; all others are without fault."""
    kinds = {
        s.name: [w.kind for w in s.warnings] for s in sb.load_skills(ROOT / "examples").values()
    }
    assert {name: found for name, found in kinds.items() if found} == {
        "rehearsal-plan": ["no-description"],
        "invoice-check": ["rescued-frontmatter"],
        "species-list": ["nested-skill"],
    }


def test_faults_are_meant() -> None:
    """The checker finds what the gallery is there to show, and nothing else."""
    report = sb.check(GALLERY)
    found = [(Path(each.path).parent.name, each.rule, each.severity) for each in report]
    assert found == [
        ("species-list", "SB312", "warning"),
        ("hive-inspection", "SB111", "error"),
        ("hive-inspection", "SB151", "warning"),
        ("hive-inspection", "SB604", "note"),
        ("invoice-check", "SB601", "warning"),
        ("invoice-check", "SB107", "error"),
        ("museum-labels", "SB146", "warning"),
        ("recipe-scaling", "SB603", "warning"),
        ("rehearsal-plan", "SB121", "error"),
        ("smørrebrød", "SB605", "note"),
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("field-notes/species-list", "lives inside the folder of another one"),
        ("hive-inspection", "This file gives no skill"),
        ("invoice-check", "holds a colon that YAML does not allow"),
        ("museum-labels", "# Commas on purpose"),
        ("recipe-scaling", "# A list on purpose"),
        ("rehearsal-plan", "no description on purpose"),
        ("smørrebrød", "# Letters beyond a to z on purpose"),
    ],
)
def test_faults_are_explained(name: str, words: str) -> None:
    """A skill that shows a fault says so, in its text or in a comment beside the fault."""
    assert words in (GALLERY / name / "SKILL.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "examples").rglob("SKILL.md")), ids=lambda p: p.parent.name
)
def test_what_a_body_names_is_there(path: Path) -> None:
    """Every file that a body names lies in the skill's folder, and nothing points into the network."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(
        r"[`( ]((?:assets|object-types|references|scripts|templates)/[\w./-]+\.\w+)", text
    )
    assert [name for name in named if not (path.parent / name).is_file()] == []
    assert "://" not in text


def test_greeting() -> None:
    """The greeting script greets by name, and the world without one."""
    script = HELLO / "scripts" / "greet.sh"
    assert run("sh", script, "Ada") == (0, "Hello, Ada!\n")
    assert run("sh", script) == (0, "Hello, world!\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("250 g flour", "375 g flour"),
        ("15 g yeast", "22 g yeast"),
        ("1 1/2 tsp salt", "2 1/4 tsp salt"),
        ("½ lemon", "3/4 lemon"),
        ("1½ tbsp oil", "2 1/4 tbsp oil"),
        ("0.8 l stock", "1.2 l stock"),
        ("2-4 eggs", "3-6 eggs"),
        ("30ml rum", "45ml rum"),
        ("salt to taste", "salt to taste (as it is)"),
        ("1/0 g nothing", "1/0 g nothing (as it is)"),
    ],
)
def test_scaling(before: str, after: str) -> None:
    """The recipe script scales from four to six, to amounts that can be measured."""
    script = GALLERY / "recipe-scaling" / "scripts" / "scale.py"
    assert run(sys.executable, script, "4", "6", text=before + "\n") == (0, after + "\n")


@pytest.mark.parametrize(
    "servings", [[], ["4"], ["0", "4"], ["4", "-1"], ["four", "six"], ["1", "nan"]]
)
def test_scaling_wrongly(servings: list[str]) -> None:
    """Servings that are none end the recipe script with 2 and its usage."""
    code, said = run(sys.executable, GALLERY / "recipe-scaling" / "scripts" / "scale.py", *servings)
    assert (code, said.split(":")[0]) == (2, "usage")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("180C", "180 °C (fan oven 160 °C), 356 °F, gas mark 4\n"),
        ("350F", "177 °C (fan oven 157 °C), 351 °F, gas mark 4\n"),
        ("gas6", "205 °C (fan oven 185 °C), 401 °F, gas mark 6\n"),
        ("100c", "100 °C (fan oven 80 °C), 212 °F, below gas mark 1\n"),
        ("300C", "300 °C (fan oven 280 °C), 572 °F, above gas mark 10\n"),
    ],
)
def test_oven(setting: str, said: str) -> None:
    """The oven script says a setting in all three scales."""
    assert run("sh", GALLERY / "recipe-scaling" / "scripts" / "oven.sh", setting) == (0, said)


@pytest.mark.parametrize("setting", ["", "180", "C", "090C", "12345F", "hot", "1;2C"])
def test_oven_wrongly(setting: str) -> None:
    """A setting that is none ends the oven script with 2 and its usage."""
    code, said = run("sh", GALLERY / "recipe-scaling" / "scripts" / "oven.sh", setting)
    assert (code, said.split(":")[0]) == (2, "usage")


@pytest.mark.parametrize(
    ("iban", "code"),
    [
        ("GB82 WEST 1234 5698 7654 32", 0),
        ("de89370400440532013000", 0),
        ("DE98 3704 0044 0532 0130 00", 1),
        ("GB82", 1),
        ("not an account", 1),
    ],
)
def test_iban(iban: str, code: int) -> None:
    """The account number script ends with 0 only where the check digits agree."""
    assert (
        run(sys.executable, GALLERY / "invoice-check" / "scripts" / "check_iban.py", iban)[0]
        == code
    )


def test_csv_code_runs(tmp_path: Path) -> None:
    """The Python of the CSV skill runs as it stands, one block after the other."""
    text = (GALLERY / "csv-first-look" / "SKILL.md").read_text(encoding="utf-8")
    code = "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    rows = (
        "order;date;amount;note\n0001;2025-01-02;10.5;\n0002;2025-01-03;n/a;\n0003;2025-01-04;3;;\n"
    )
    (tmp_path / "orders.csv").write_text(rows, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[1:] == [
        "3 rows, 4 columns",
        "ragged: {5: 1}",
        "double headings: []",
        "order: code (leading zeros), 0 missing, 3 different",
        "date: date, 0 missing, 3 different",
        "amount: number, 1 missing, 2 different",
        "note: nothing, 3 missing, 0 different",
    ]


def chart() -> list[str]:
    """Returns the rows of the knitting chart, from the top."""
    return (GALLERY / "knitting-chart" / "assets" / "zigzag.txt").read_text().splitlines()


def test_chart_picture_shows_the_chart() -> None:
    """The picture of the knitting chart has the colours that its text says, square by square."""
    data = (GALLERY / "knitting-chart" / "assets" / "zigzag.png").read_bytes()
    width = int.from_bytes(data[16:20])
    palette = data[data.index(b"PLTE") + 4 :][:12]
    start = data.index(b"IDAT")
    packed = data[start + 4 : start + 4 + int.from_bytes(data[start - 4 : start])]
    pixels = zlib.decompress(packed)
    stride = 1 + (width + 3) // 4  # four pixels of two bits a byte, after the filter's byte
    light, dark = palette[0:3], palette[3:6]
    assert sum(light) > 600 > 300 > sum(dark)

    def letter(column: int, row: int) -> str:
        x, y = column * 24 + 12, row * 24 + 12
        return "LD??"[pixels[y * stride + 1 + x // 4] >> (6 - x % 4 * 2) & 3]

    assert ["".join(letter(x, y) for x in range(12)) for y in range(8)] == chart()


def test_chart_words_say_the_chart() -> None:
    """The two rows that the skill spells out are the two lowest of the chart, read from the right."""
    text = (GALLERY / "knitting-chart" / "SKILL.md").read_text(encoding="utf-8")
    for number, row in enumerate(reversed(chart()[-2:]), start=1):
        runs = ", ".join(f"{len(list(run))} {colour}" for colour, run in groupby(reversed(row)))
        assert f"    Row {number}: {runs}\n" in text

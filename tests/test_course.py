"""The course's skills: twenty that differ, without a fault, with scripts that do what they say.

That the notebooks run from another working folder is held by ``test_notebooks``.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import skillbook as sb
from skillbook.lint.checker import check

ROOT = Path(__file__).resolve().parent.parent
COURSE = ROOT / "examples" / "course"
FOLDERS = sorted(path.parent for path in COURSE.glob("*/SKILL.md"))

every_skill = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def test_twenty() -> None:
    """There are twenty skills, each named like its folder, with nothing skipped or noted."""
    inventory = sb.list_skills(COURSE)
    assert [skill.name for skill in inventory.skills] == [folder.name for folder in FOLDERS]
    assert len(FOLDERS) == 20
    assert list(inventory.skipped) == list(inventory.notices) == []
    assert [skill.warnings for skill in inventory.skills] == [()] * 20


def test_their_own_names() -> None:
    """No skill of the course has the name of another example."""
    names = [skill.name for skill in sb.load_skills(ROOT / "examples").values()]
    assert [name for name in {folder.name for folder in FOLDERS} if names.count(name) != 1] == []


@every_skill
def test_checked(folder: Path) -> None:
    """The checker finds nothing at all to say of a skill."""
    assert check(folder).findings == ()


def test_checked_together() -> None:
    """Nor of all of them beside each other: names and descriptions differ."""
    assert check(COURSE).findings == ()


@every_skill
def test_small(folder: Path) -> None:
    """A SKILL.md has 20 to 60 lines."""
    assert 20 <= len((folder / "SKILL.md").read_text(encoding="utf-8").splitlines()) <= 60


@every_skill
def test_no_network(folder: Path) -> None:
    """No file of a skill names an address on the network."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert [path.name for path in files if b"://" in path.read_bytes()] == []


@every_skill
def test_scripts_say_their_usage(folder: Path) -> None:
    """Each script says what arguments it takes, one of them required, and is refused without."""
    tools = sb.skill_wrapper(folder)()
    for script in sb.skill_wrapper(folder).scripts():
        assert script.required != ()
        assert tools.run is not None
        refused = tools.run(file_name=script.name)
        assert refused.is_error
        assert f"so it was not run. Usage: {script}" in refused.output


def test_kinds() -> None:
    """The course has skills with scripts in three languages, with references, and with neither."""
    wrappers = [sb.skill_wrapper(folder) for folder in FOLDERS]
    scripts = {Path(script.name).suffix for wrapper in wrappers for script in wrapper.scripts()}
    assert scripts == {".py", ".sh", ".js"}
    assert sum(bool(wrapper.references()) for wrapper in wrappers) == 10
    alone = [w.skill.name for w in wrappers if not w.skill.files()]
    assert alone == ["alt-text"]


def run(skill: str, script: str, *args: str) -> tuple[int, str, str]:
    """Runs a script as a model does: exit code, stdout, stderr."""
    if script.endswith(".js") and shutil.which("node") is None:
        pytest.skip("node is not installed")
    tools = sb.skill_wrapper(COURSE / skill)()
    assert tools.run is not None
    result = tools.run(file_name=script, args=list(args))
    assert isinstance(result, sb.ScriptResult)
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("skill", "script", "args", "lines"),
    [
        (
            "bill-splitting",
            "split.py",
            "Ann=84.00 Ben=12.50 Cem=0",
            [
                "Each: 32.16, and a cent more for the first 2",
                "Cem pays Ann 32.16",
                "Ben pays Ann 19.67",
            ],
        ),
        ("bill-splitting", "split.py", "Ann=10 Ben=10", ["Each: 10.00"]),
        ("book-catalogue", "isbn.py", "0-306-40615-2", ["right: 9780306406157"]),
        ("book-catalogue", "isbn.py", "080442957x", ["right: 9780804429573"]),
        ("book-catalogue", "isbn.py", "9780306406157", ["right: 9780306406157"]),
        (
            "bread-formula",
            "scale.py",
            "900 water=70 salt=2 yeast=1",
            [
                "flour    520.2 g  100.0 %",
                "water    364.2 g   70.0 %",
                "salt      10.4 g    2.0 %",
                "yeast      5.2 g    1.0 %",
                "dough    900.0 g",
            ],
        ),
        ("chord-transposer", "transpose.py", "-2 C Am F G7", ["Bb Gm Eb F7"]),
        ("chord-transposer", "transpose.py", "3 Bb/D F♯m7 Cmaj7", ["C#/F Am7 D#maj7"]),
        ("colour-contrast", "contrast.js", "#767676 FFFFFF", ["4.54: enough for text"]),
        (
            "colour-contrast",
            "contrast.js",
            "000000 ffffff",
            ["21.00: enough for all text, with room to spare"],
        ),
        ("colour-contrast", "contrast.js", "aaaaaa aaaaaa", ["1.00: not enough"]),
        (
            "crop-rotation",
            "follow.py",
            "Broad bean",
            [
                "broad bean: pea family",
                "may follow, the best first: cabbage, marrow, beet, carrot, nightshade, onion",
            ],
        ),
        (
            "energy-meter",
            "meter.sh",
            "48210 48502 30 0.31",
            [
                "used: 292.0 in 30 days, 9.73 a day",
                "forecast: 3553 a year",
                "cost: 90.52 in 30 days, 1101.33 a year",
            ],
        ),
        ("forms-of-address", "greet.py", "Ada de evening", ["Guten Abend, Ada!"]),
        ("forms-of-address", "greet.py", "Ada FI", ["Hyvää päivää, Ada!"]),
        ("forms-of-address", "greet.py", "Ada", ["Hello, Ada!"]),
        (
            "invoice-totals",
            "totals.py",
            "assets/sample.csv 205.32",
            [
                "  rate       net       tax     gross",
                "  20 %    108.10     21.62    129.72",
                "   5 %     72.00      3.60     75.60",
                "total                         205.32",
                "agrees",
            ],
        ),
        (
            "meeting-minutes",
            "actions.py",
            "assets/minutes.md",
            [
                "Ann",
                "  buy coffee and milk for 120 people, by 20 March",
                "Ben",
                "  send the blue draft to the printer, by 7 March",
                "  write down a route of 40 minutes, by 14 March",
                "Cem",
                "  ask the school for a place to hang it, WHEN?",
                "WHO? find a second urn, by 14 March",
                "5 tasks, 2 to be asked about",
            ],
        ),
        ("moon-phase", "moon.py", "2000-01-07", ["2000-01-07: new moon, 0.7 days old, 1% lit"]),
        ("moon-phase", "moon.py", "2026-03-03", ["2026-03-03: full moon, 14.4 days old, 100% lit"]),
        (
            "museum-guide",
            "route.py",
            "60 ships",
            [
                "room 3, floor 0: Figureheads, 10 minutes",
                "room 5, floor 0: Storm, 8 minutes",
                "room 17, floor 2: Engine room, 10 minutes",
                "room 19, floor 2: Wrecks, 15 minutes",
                "4 rooms, 5 minutes to spare",
            ],
        ),
        ("museum-guide", "route.py", "5", ["0 rooms, 5 minutes to spare"]),
        (
            "paint-estimate",
            "paint.py",
            "4 3.5 2.5 1 2 2",
            [
                "walls: 32.5 m², 9.0 litres for 2 coats; tins: 1 × 10",
                "ceiling: 14.0 m², 3.9 litres for 2 coats; tins: 1 × 5",
            ],
        ),
        (
            "paint-estimate",
            "paint.py",
            "10 8 2.5",
            [
                "walls: 86.5 m², 23.8 litres for 2 coats; tins: 2 × 10, 1 × 5",
                "ceiling: 80.0 m², 22.0 litres for 2 coats; tins: 2 × 10, 1 × 2.5",
            ],
        ),
        (
            "plain-english",
            "sentences.py",
            "SKILL.md 20",
            ["words a sentence", "words: "],
        ),
    ],
)
def test_scripts(skill: str, script: str, args: str, lines: list[str]) -> None:
    """A script prints what its skill says it does, and nothing to stderr."""
    code, out, err = run(skill, script, *args.split())
    if skill == "plain-english":  # its own text is measured, so the figures change with it
        assert [part in out for part in lines] == [True] * len(lines)
    else:
        assert out.splitlines() == lines
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    ("skill", "script", "args", "code", "said"),
    [
        ("bill-splitting", "split.py", "Ann=1", 2, "usage"),
        ("bill-splitting", "split.py", "Ann=1 Ann=2", 2, "usage"),
        ("bill-splitting", "split.py", "Ann=nan Ben=inf", 2, "usage"),
        ("bill-splitting", "split.py", "Ann=1.005 Ben=1", 2, "usage"),
        ("book-catalogue", "isbn.py", "0-306-40615-3", 1, "wrong: the last digit is 3"),
        ("book-catalogue", "isbn.py", "12", 2, "usage"),
        ("bread-formula", "scale.py", "900 water=much", 2, "usage"),
        ("bread-formula", "scale.py", "nan water=70", 2, "usage"),
        ("chord-transposer", "transpose.py", "2 H7", 2, "usage"),
        ("chord-transposer", "transpose.py", "up C", 2, "usage"),
        ("colour-contrast", "contrast.js", "red white", 2, "usage"),
        ("crop-rotation", "follow.py", "banana", 1, "banana is in no family"),
        ("energy-meter", "meter.sh", "1 2 x", 2, "usage"),
        ("energy-meter", "meter.sh", "1 2 0", 2, "the number of days is 0"),
        ("energy-meter", "meter.sh", "5 2 30", 1, "the second reading is below the first"),
        ("forms-of-address", "greet.py", "Ada xx", 1, "xx is no language"),
        ("forms-of-address", "greet.py", "Ada de noon", 1, "noon is no time of day"),
        ("invoice-totals", "totals.py", "assets/sample.csv 205.42", 1, "does not agree: 205.42"),
        ("invoice-totals", "totals.py", "nothing.csv", 2, "cannot be worked out"),
        ("meeting-minutes", "actions.py", "nothing.md", 2, "nothing.md cannot be read"),
        ("moon-phase", "moon.py", "tomorrow", 2, "usage"),
        ("museum-guide", "route.py", "60 dinosaurs", 1, "dinosaurs is no interest"),
        ("museum-guide", "route.py", "long", 2, "usage"),
        ("paint-estimate", "paint.py", "4 3 0", 2, "usage"),
        ("plain-english", "sentences.py", "nothing.txt", 2, "usage"),
    ],
)
def test_scripts_wrongly(skill: str, script: str, args: str, code: int, said: str) -> None:
    """What a script cannot take, or finds wrong, ends with its exit code and a plain word."""
    ended, out, err = run(skill, script, *args.split())
    assert ended == code
    assert said in out + err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("skill", "command"),
    [
        (folder.name, line.split())
        for folder in FOLDERS
        for line in (folder / "SKILL.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("   ") and line.split()[:1] and line.split()[0].endswith((".py", ".sh"))
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_commands_in_the_text_work(skill: str, command: list[str]) -> None:
    """Each command that a body shows by itself runs as it stands there."""
    args = " ".join(command[1:]).replace('"Ada Lovelace"', "Ada_Lovelace").split()
    assert run(skill, command[0], *args)[0] == 0


def test_follow_knows_every_family() -> None:
    """The script of crop-rotation and its table name the same families."""
    table = (COURSE / "crop-rotation" / "references" / "families.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")]
    for family in rows[2:]:
        first = next(line for line in table.splitlines() if line.startswith(f"| {family} |"))
        crop = first.split("|")[2].split(",")[0].strip()
        out = run("crop-rotation", "follow.py", crop)[1]
        assert out.startswith(f"{crop}: {family} family\n")
        others = out.rpartition(": ")[2].strip().split(", ")
        assert sorted([*others, family]) == sorted(rows[2:])

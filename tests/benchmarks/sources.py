"""Measures what finding and loading skills costs, as ratios to the least that it can cost.

Run by hand, with the Python that has skillbook::

    python tests/benchmarks/sources.py [--quick] [--corpus FOLDER] [--toolnexus PYTHON]

Every measurement is a new process that imports first and then times the call alone. A round takes
each candidate once, in an order that turns from round to round; a ratio is taken within a round,
and the table gives the median of the rounds' ratios, so a machine that slows down for a while
slows all candidates alike. All files are in the system's cache (one unmeasured round comes first), so nothing waits
for a disk, and ratios are taken of processor time (the process's own and the system's for it),
which other work on the machine disturbs least. Wall time stands beside it.

The floor is an ``os.scandir`` walk that reads each ``SKILL.md`` with ``open(path, "rb").read()``.
It follows no link, sorts nothing, parses nothing and keeps nothing. For comparison there is a lower
one that reads only the first 8 KB, with ``os.open`` and one ``os.read``, as skillbook does.

The made tree has 20,000 skills in folders of 100: a description of 270 characters (the mean of 374
real ones), a licence, a body of 2 KB, and three sibling files.

The real skills are copied until there are about 7,400 ``SKILL.md``, and each copy is a root of its
own, so that names do not clash more than they do.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

WORKER = r"""
import os, sys, time, warnings
what, *roots = sys.argv[1:]
warnings.simplefilter("ignore")

def walk(root, read):
    stack = [root]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                elif entry.name == "SKILL.md":
                    read(entry.path)

def head(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        os.read(fd, 8192)
    finally:
        os.close(fd)

def whole(path):
    with open(path, "rb") as file:
        file.read()

def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024
    except (OSError, StopIteration):
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

if what == "floor":
    call = lambda root: walk(root, whole)
elif what == "floor, first 8 KB":
    call = lambda root: walk(root, head)
elif what.startswith("toolnexus"):
    import toolnexus.skill
    sys.stderr = open(os.devnull, "w")
    call = getattr(toolnexus.skill, what.split()[1])
else:
    import skillbook
    call = getattr(skillbook, what.split()[0])
    call([])
    import skillbook.frontmatter
before = peak()
begun, used = time.perf_counter(), time.process_time()
kept = [call(root) for root in roots]
used, taken = time.process_time() - used, time.perf_counter() - begun
found = sum(len(one.skills) for one in kept if one is not None)
print(taken, used, peak() - before, found)
"""


class Figures(NamedTuple):
    """What one candidate costs.

    Attributes:
        wall: seconds of wall time.
        used: seconds of processor time.
        peak: bytes of peak memory over the import.
        found: skills found.
    """

    wall: float
    used: float
    peak: int
    found: int


def measure(what: str, roots: list[Path], python: str) -> Figures:
    """Runs one candidate in a new process."""
    done = subprocess.run(
        [python, "-c", WORKER, what, *map(str, roots)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{what} failed:\n{done.stderr[-2000:]}")
    wall, used, peak, found = done.stdout.split()
    return Figures(float(wall), float(used), int(peak), int(found))


def made_tree(root: Path, count: int) -> None:
    """Makes ``count`` skills with three files each, in folders of 100."""
    body = "\n".join(
        f"{step}. Do the next thing, then look at what came out." for step in range(40)
    )
    for number in range(count):
        folder = root / f"group-{number // 100:03d}" / f"skill-{number:05d}"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(
            f"---\nname: skill-{number:05d}\n"
            f"description: Reads report number {number} and makes a table of its figures, with sums"
            " by month, a chart of each and a short note on what changed and why that may be. Use"
            " when a report, a table of figures, a chart or a monthly summary is asked for, or a"
            f" file of such figures is given.\nlicense: MIT\n---\n\n# Skill {number}\n\n{body}\n"
        )
        for name in ("notes.md", "table.csv", "words.md"):
            (folder / name).write_text(f"{name} of {number}\n")


def copies(corpus: Path, target: Path, wanted: int) -> tuple[list[Path], int]:
    """Copies real skills until there are about ``wanted`` SKILL.md; returns roots and their count."""
    each = sum("SKILL.md" in names for _, _, names in os.walk(corpus))
    if not each:
        sys.exit("the corpus holds no SKILL.md")
    roots = [target / f"copy-{number:02d}" for number in range(max(1, round(wanted / each)))]
    for root in roots:
        shutil.copytree(corpus, root, symlinks=True)
    return roots, each * len(roots)


def compare(roots: list[Path], candidates: dict[str, str], rounds: int) -> dict[str, list[Figures]]:
    """Measures candidates in interleaved rounds; returns the figures of each, by round."""
    taken: dict[str, list[Figures]] = {what: [] for what in candidates}
    order = list(candidates)
    for turn in range(rounds + 1):
        for what in order:
            figures = measure(what, roots, candidates[what])
            if turn:  # the first round warms the system's cache
                taken[what].append(figures)
        order = order[1:] + order[:1]
        show(f"  round {turn} of {rounds}")
    return taken


def ratio(over: list[Figures], under: list[Figures]) -> float:
    """Returns the median of the rounds' ratios of processor time."""
    return statistics.median(a.used / b.used for a, b in zip(over, under, strict=True))


def import_times(codes: dict[str, str], rounds: int) -> dict[str, float]:
    """Returns the median milliseconds that each code costs over bare Python."""
    over: dict[str, list[float]] = {what: [] for what in codes}
    for turn in range(rounds + 1):
        bare = start("pass")
        for what, code in codes.items():
            taken = start(code)
            if turn:
                over[what].append((taken - bare) * 1000)
    return {what: statistics.median(taken) for what, taken in over.items()}


def start(code: str) -> float:
    """Returns the seconds that a new Python takes for ``code``, from its start to its end."""
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def machine() -> str:
    """Returns the machine in words, without a path or a name."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            model = next(line.split(":", 1)[1] for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    try:
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        system = f"{platform.system()} {platform.release()}"
    return (
        f"{os.cpu_count()} cores ({' '.join(model.split())}),"
        f" {platform.python_implementation()} {platform.python_version()}, {system}"
    )


def show(text: str) -> None:
    """Says how far the run is, apart from the table."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a program run by hand


Row = tuple[str, str, str, str, str, str]


def verdict(value: float, target: float, *, least: bool = False) -> str:
    """Returns whether a target is reached, in a word."""
    return "yes" if (value >= target if least else value <= target) else "NO"


def rows_of(taken: dict[str, list[Figures]], where: str, target: float) -> list[Row]:
    """Returns the table's rows for one tree."""
    rows: list[Row] = []
    for what, figures in taken.items():
        times = ratio(figures, taken["floor"])
        heads = ratio(figures, taken["floor, first 8 KB"])
        judged = what in ("list_skills", "load_skills")
        rows.append(
            (
                f"{what} on {where}",
                f"{statistics.median(one.wall for one in figures):.3f} s",
                f"{statistics.median(one.used for one in figures):.3f} s",
                f"{times:.2f} × floor, {heads:.2f} × first 8 KB",
                f"at most {target} × floor" if judged else "",
                verdict(times, target) if judged else "",
            )
        )
    for what in ("list_skills", "load_skills"):
        if theirs := taken.get(f"toolnexus {what}"):
            times = ratio(theirs, taken[what])
            reached = verdict(times, 8, least=True)
            words = f"toolnexus over skillbook, {what} on {where}"
            rows.append((words, "", "", f"{times:.1f} ×", "at least 8", reached))
    return rows


def table(rows: list[Row]) -> str:
    """Returns rows as a Markdown table with even columns."""
    head: list[Row] = [
        ("what", "wall time", "processor time", "ratio or amount", "target", "reached")
    ]
    widths = [max(map(len, column)) for column in zip(*head, *rows, strict=True)]

    def line(row: tuple[str, ...]) -> str:
        return (
            "| "
            + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            + " |"
        )

    return "\n".join(
        [line(head[0]), line(tuple("-" * width for width in widths)), *map(line, rows)]
    )


def main(argv: list[str] | None = None) -> None:
    """Makes the trees, measures, and prints one table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, three rounds")
    parser.add_argument("--skills", type=int, help="skills in the made tree (20,000)")
    parser.add_argument("--rounds", type=int, help="measured rounds (9)")
    parser.add_argument("--corpus", type=Path, help="a folder of real skills to measure on too")
    parser.add_argument("--toolnexus", metavar="PYTHON", help="a Python that has toolnexus 0.21.0")
    given = parser.parse_args(argv)
    skills = given.skills or (2_000 if given.quick else 20_000)
    rounds = given.rounds or (3 if given.quick else 9)
    candidates = dict.fromkeys(
        ("floor", "floor, first 8 KB", "list_skills", "load_skills"), sys.executable
    )
    if given.toolnexus:
        candidates |= {
            f"toolnexus {what}": given.toolnexus for what in ("list_skills", "load_skills")
        }
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="skillbook-benchmark-") as folder:
        tree = Path(folder) / "made"
        show(f"making {skills:,} skills")
        made_tree(tree, skills)
        made = compare([tree], candidates, rounds)
        rows += rows_of(made, f"{skills:,} made skills", 1.6)
        shutil.rmtree(tree)
        if given.corpus:
            show("copying real skills")
            wanted = 740 if given.quick else 7_400
            roots, count = copies(given.corpus, Path(folder) / "real", wanted)
            rows += rows_of(compare(roots, candidates, rounds), f"{count:,} real skills", 1.8)
    for what in ("list_skills", "load_skills"):
        peak = max(one.peak for one in made[what]) / 1e6
        words = f"peak memory over the import, {what} on {skills:,} made skills"
        rows.append((words, "", "", f"{peak:.1f} MB", "at most 40 MB", verdict(peak, 40)))
    show("timing imports")
    codes = {
        "import skillbook": "import skillbook",
        "import skillbook; skillbook.load_skills": "import skillbook; skillbook.load_skills",
        "import asyncio": "import asyncio",
    }
    for what, cost in import_times(codes, rounds * 3).items():
        judged = what == "import skillbook"
        target, reached = ("at most 60 ms", verdict(cost, 60)) if judged else ("", "")
        rows.append((f"{what}, over bare Python", f"{cost:.1f} ms", "", "", target, reached))
    print(f"Machine: {machine()}. Medians of {rounds} interleaved rounds.\n")  # noqa: T201
    print(table(rows))  # noqa: T201


if __name__ == "__main__":
    main()

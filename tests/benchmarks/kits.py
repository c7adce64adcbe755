"""Measures what a second query of an unchanged local kit costs, as a ratio to the core's floor.

Run by hand, with the Python that has skillbook::

    python tests/benchmarks/kits.py [--skills 20000] [--rounds 9]

The floor is an ``os.scandir`` walk that reads each ``SKILL.md`` with ``open(path, "rb").read()``; it
parses nothing and keeps nothing. The query is ``Catalog([LocalProvider(folder)]).skills()``, asked
again and again in a process that has asked once. Each is a process of its own that stays, and they
take turns; a ratio is taken within a round, and the table gives the median of the rounds' ratios,
of processor time (the process's own and the system's for it) and of wall time. Everything is in
the system's cache. The files are left alone for three seconds first: what changed within the last
two would be read again.

The made kit has its skills in ``skills/group-000/skill-00``, a hundred in a group, with a body of 2 KB;
once with nothing beside the ``SKILL.md``, once with two files and a folder ``references`` of one more.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKER = r"""
import os, sys, time
what, folder = sys.argv[1:]

def floor():
    stack = [folder]
    count = 0
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                elif entry.name == "SKILL.md":
                    with open(entry.path, "rb") as file:
                        file.read()
                    count += 1
    return count

if what == "floor":
    call = floor
else:
    from skillbook.kits.catalog import Catalog
    from skillbook.kits.local import LocalProvider
    catalog = Catalog([LocalProvider(folder)])
    call = lambda: len(catalog.skills())

for _ in sys.stdin:
    wall, own = time.perf_counter(), time.process_time()
    count = call()
    print(time.perf_counter() - wall, time.process_time() - own, count, flush=True)
"""


def make(folder: Path, number: int, *, siblings: bool) -> None:
    """Makes a kit of ``number`` skills."""
    body = ("A line of a body that says what to do, and when.\n" * 50)[:2000]
    for place in range(number):
        skill = folder / "skills" / f"group-{place // 100:03}" / f"skill-{place % 100:02}"
        skill.mkdir(parents=True)
        text = f"---\nname: skill-{place:05}\ndescription: {'Does a thing. ' * 19}\n---\n{body}"
        (skill / "SKILL.md").write_text(text)
        if siblings:
            (skill / "references").mkdir()
            for name in ("notes.md", "data.csv", "references/more.md"):
                (skill / name).write_text("x\n")


class Worker:
    """A process that makes one kind of call whenever it is asked."""

    def __init__(self, what: str, folder: Path) -> None:
        command = [sys.executable, "-c", WORKER, what, str(folder)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self) -> tuple[float, float, int]:
        """Makes one call: seconds of wall time, of processor time, and the number of skills."""
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        wall, own, count = self.process.stdout.readline().split()
        return float(wall), float(own), int(count)

    def end(self) -> None:
        """Ends the process."""
        self.process.stdin.close()
        self.process.wait()


def measure(folder: Path, number: int, rounds: int) -> None:
    """Prints what one kit costs."""
    floor, query = Worker("floor", folder), Worker("query", folder)
    floor.ask()
    cold = query.ask()
    taken: list[tuple[tuple[float, float, int], tuple[float, float, int]]] = []
    for turn in range(rounds):
        if turn % 2:
            second = query.ask()
            taken.append((floor.ask(), second))
        else:
            taken.append((floor.ask(), query.ask()))
    floor.end()
    query.end()
    assert {each[2] for pair in taken for each in pair} == {number}
    print(f"  first query  {cold[0] * 1000:7.0f} ms wall {cold[1] * 1000:7.0f} ms processor")  # noqa: T201 - a program run by hand
    for name, side in (("floor", 0), ("second query", 1)):
        wall = statistics.median(pair[side][0] for pair in taken)
        own = statistics.median(pair[side][1] for pair in taken)
        print(f"  {name:12} {wall * 1000:7.0f} ms wall {own * 1000:7.0f} ms processor")  # noqa: T201 - a program run by hand
    for name, kind in (("wall", 0), ("processor", 1)):
        ratios = sorted(pair[1][kind] / pair[0][kind] for pair in taken)
        middle = statistics.median(ratios)
        print(f"  ratio of {name} time: {middle:.2f} (from {ratios[0]:.2f} to {ratios[-1]:.2f})")  # noqa: T201 - a program run by hand


def main() -> None:
    """Makes the kits and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skills", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    for siblings in (False, True):
        with tempfile.TemporaryDirectory(prefix="skillbook-") as temporary:
            folder = Path(temporary) / "kit"
            make(folder, given.skills, siblings=siblings)
            os.sync()
            time.sleep(3)
            print(f"{given.skills:,} skills, {'three files beside each' if siblings else 'alone'}:")  # noqa: T201 - a program run by hand
            measure(folder, given.skills, given.rounds)


if __name__ == "__main__":
    main()

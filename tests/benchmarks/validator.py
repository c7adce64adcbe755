"""Compares the checker with the format's own validator, skill by skill; run by hand.

    python tests/benchmarks/validator.py FOLDER --python OTHER/bin/python

``--python`` is the interpreter of an environment that has skills-ref 0.1.1. A skill is valid for us
when no rule of SB1xx has an error. Where the two differ, the cause is looked up in a short list; a
difference without one is printed as unexplained, and the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from skillbook.lint.checker import check
from skillbook.lint.report import Report

THEIRS = """
import json, sys
from pathlib import Path
from skills_ref.validator import validate

said = {}
for line in sys.stdin:
    path = line.rstrip("\\n")
    try:
        said[path] = validate(Path(path))
    except Exception as error:
        said[path] = [f"raised {type(error).__name__}: {error}"]
json.dump(said, sys.stdout)
"""

# A difference: how it is told from what they say and what we do, and why it is right.
CAUSES: tuple[tuple[str, Callable[[list[str], set[str]], bool]], ...] = (
    (
        "they refuse a field that the specification does not name; ours warns (SB151)",
        lambda theirs, ours: (
            bool(theirs)
            and all(said.startswith("Unexpected fields") for said in theirs)
            and not ours
        ),
    ),
    (
        "their YAML subset refuses what YAML allows (flow lists and maps, tags, anchors)",
        lambda theirs, ours: len(theirs) == 1 and theirs[0].startswith("Invalid YAML") and not ours,
    ),
    (
        "they cut the front matter at three dashes within a line",
        lambda theirs, ours: (
            len(theirs) == 1 and "must be a YAML mapping" in theirs[0] and not ours
        ),
    ),
    (
        "they turn metadata values into text; ours asks for text (SB142)",
        lambda theirs, ours: not theirs and ours == {"SB142"},
    ),
    (
        "they take an empty compatibility; the specification asks for 1 to 500 characters (SB131)",
        lambda theirs, ours: not theirs and ours == {"SB131"},
    ),
    (
        "they do not look at allowed-tools; ours asks for text or a list of text (SB145)",
        lambda theirs, ours: not theirs and ours == {"SB145"},
    ),
)


def their_verdicts(python: str, folders: list[Path]) -> dict[str, list[str]]:
    """Returns what the validator says of each folder, by its path."""
    done = subprocess.run(
        [python, "-c", THEIRS],
        input="".join(f"{folder}\n" for folder in folders),
        capture_output=True,
        text=True,
        check=True,
    )
    verdicts: dict[str, list[str]] = json.loads(done.stdout)
    return verdicts


def our_verdicts(report: Report) -> dict[str, set[str]]:
    """Returns the ids of our errors of SB1xx by folder."""
    verdicts: dict[str, set[str]] = {str(Path(path).parent): set() for path in report.checked}
    for finding in report.errors:
        if finding.rule.startswith("SB1"):
            verdicts[str(Path(finding.path).parent)].add(finding.rule)
    return verdicts


def cause(theirs: list[str], ours: set[str]) -> str:
    """Returns why the two verdicts differ, or ``""`` where no cause is known."""
    return next((words for words, holds in CAUSES if holds(theirs, ours)), "")


def main() -> int:
    """Prints the comparison; returns 1 where a difference is unexplained."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", required=True, help="an interpreter that has skills-ref")
    given = parser.parse_args()
    root = given.folder.resolve()

    times = []
    for _ in range(3):
        start = time.perf_counter()
        report = check(root)
        times.append(time.perf_counter() - start)
    ours = our_verdicts(report)
    theirs = their_verdicts(given.python, [Path(path) for path in ours])

    counts: Counter[str] = Counter()
    unexplained = []
    for path, rules in ours.items():
        said = theirs[path]
        if bool(said) == bool(rules):
            counts["both valid" if not said else "both invalid"] += 1
            continue
        why = cause(said, rules)
        counts[why or "unexplained"] += 1
        if not why:
            unexplained.append((path, said, sorted(rules)))
    timed = ", ".join(f"{each:.2f}" for each in times)
    rows = [f"{len(ours):,} skills, checked in {min(times):.2f} s (best of 3: {timed})"]
    rows += [f"{count:>5}  {words}" for words, count in counts.most_common()]
    others = Counter(each.rule for each in report.errors if not each.rule.startswith("SB1"))
    rows.append(f"errors outside SB1xx: {dict(others) or 'none'}")
    rows += [f"\n{path}\n  theirs: {said}\n  ours:   {rules}" for path, said, rules in unexplained]
    print("\n".join(rows))  # noqa: T201 - a program run by hand
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# Usage: actions.py <minutes.md>
"""Lists the tasks in minutes by person, and names those without a person or a date."""

import sys
from pathlib import Path


def tasks(text: str) -> list[tuple[str, str, str]]:
    found = []
    for line in text.splitlines():
        if line.startswith("ACTION"):
            cells = [cell.strip() for cell in line.partition(":")[2].split("|")]
            who, what, when = (*cells, "", "", "")[:3]
            found.append((who, what, when))
    return found


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: actions.py <minutes.md>", file=sys.stderr)
        return 2
    try:
        found = tasks(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]} cannot be read: {error}", file=sys.stderr)
        return 2
    for person in sorted({who for who, _, _ in found if who}):
        print(person)
        for who, what, when in found:
            if who == person:
                print(f"  {what}, {'by ' + when if when else 'WHEN?'}")
    for who, what, when in found:
        if not who:
            print(f"WHO? {what}, {'by ' + when if when else 'WHEN?'}")
    print(f"{len(found)} tasks, {sum(not (who and when) for who, _, when in found)} to be asked about")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

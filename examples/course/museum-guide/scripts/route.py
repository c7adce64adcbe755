#!/usr/bin/env python3
# Usage: route.py <minutes> [interest]
"""Picks rooms of the museum for the time and the interest of a visitor."""

import sys
from pathlib import Path

ROOMS = Path(__file__).resolve().parent.parent / "references" / "rooms.md"
WALK = 3  # minutes between two rooms


def rooms() -> list[tuple[int, int, str, int, int, list[str]]]:
    found = []
    for line in ROOMS.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[0].isdigit():
            number, floor, name, minutes, stars, _, tags = cells
            found.append((int(number), int(floor), name, int(minutes), len(stars), tags.split(", ")))
    return found


def main(arguments: list[str]) -> int:
    try:
        left, interest = int(arguments[0]), " ".join(arguments[1:]).lower()
    except (IndexError, ValueError):
        print("usage: route.py <minutes> [interest]", file=sys.stderr)
        return 2
    every = rooms()
    known = sorted({tag for room in every for tag in room[5]})
    if interest and interest not in known:
        print(f"{interest} is no interest that is known here: {', '.join(known)}", file=sys.stderr)
        return 1
    chosen = []
    for room in sorted(every, key=lambda room: (interest not in room[5], -room[4], room[0])):
        if room[3] + WALK <= left:
            left -= room[3] + WALK
            chosen.append(room)
    for number, floor, name, minutes, *_ in sorted(chosen, key=lambda room: (room[1], room[0])):
        print(f"room {number}, floor {floor}: {name}, {minutes} minutes")
    print(f"{len(chosen)} rooms, {left} minutes to spare")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

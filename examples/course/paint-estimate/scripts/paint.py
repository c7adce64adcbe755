#!/usr/bin/env python3
# Usage: paint.py <length> <width> <height> [doors] [windows] [coats]
"""Works out the paint for a room: walls and ceiling apart, in litres."""

import math
import sys
from itertools import combinations_with_replacement

DOOR, WINDOW = 2.0, 1.5  # square metres
COVERS = 8.0  # square metres a litre and coat
SPARE = 1.1
TINS = (10.0, 5.0, 2.5, 1.0)


def tins(litres: float) -> str:
    """Returns tins that hold as much, with little left over; a tin counts as a litre more."""
    found = [TINS[0]] * int(litres // TINS[0])
    rest = litres - sum(found)
    if rest > 0:
        choices = (choice for n in range(1, 5) for choice in combinations_with_replacement(TINS, n))
        found += min((c for c in choices if sum(c) >= rest), key=lambda c: sum(c) + len(c))
    told = (f"{found.count(tin)} × {tin:g}" for tin in TINS if tin in found)
    return ", ".join(told) or "none"


def main(arguments: list[str]) -> int:
    try:
        length, width, height = map(float, arguments[:3])
        doors, windows, coats = map(int, (*arguments[3:], *("1", "1", "2")[len(arguments) - 3 :]))
        if not all(0 < x < 100 for x in (length, width, height)) or min(doors, windows) < 0 or coats < 1:
            raise ValueError
    except ValueError:
        print("usage: paint.py <length> <width> <height> [doors] [windows] [coats]", file=sys.stderr)
        return 2
    walls = max(0.0, 2 * (length + width) * height - doors * DOOR - windows * WINDOW)
    for what, area in (("walls", walls), ("ceiling", length * width)):
        litres = math.ceil(round(area * coats / COVERS * SPARE * 10, 6)) / 10
        print(f"{what}: {area:.1f} m², {litres:.1f} litres for {coats} coats; tins: {tins(litres)}")
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))

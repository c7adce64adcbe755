#!/usr/bin/env python3
# Usage: scale.py <dough-in-grams> <part=percent>...
"""Works out grams from baker's percentages: flour is 100, all else a share of it."""

import math
import sys


def main(arguments: list[str]) -> int:
    try:
        dough = float(arguments[0])
        parts = [(name, float(percent)) for name, _, percent in (a.partition("=") for a in arguments[1:])]
        if not parts or not 0 < dough < math.inf or any(not 0 <= p < 1000 for _, p in parts):
            raise ValueError
    except (IndexError, ValueError):
        print("usage: scale.py <dough-in-grams> <part=percent>...", file=sys.stderr)
        return 2
    formula = [("flour", 100.0), *parts]
    flour = dough / sum(percent for _, percent in formula) * 100
    width = max(len(name) for name, _ in formula)
    for name, percent in formula:
        print(f"{name:<{width}} {flour * percent / 100:8.1f} g {percent:6.1f} %")
    print(f"{'dough':<{width}} {dough:8.1f} g")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

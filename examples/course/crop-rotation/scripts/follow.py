#!/usr/bin/env python3
# Usage: follow.py <crop>
"""Says which families may follow a crop, the best first, from references/families.md."""

import sys
from pathlib import Path

FAMILIES = Path(__file__).resolve().parent.parent / "references" / "families.md"
# What each family leaves behind decides what should come next.
BEST = {
    "cabbage": ("nightshade", "marrow", "pea", "carrot", "beet", "onion"),
    "marrow": ("nightshade", "pea", "cabbage", "carrot", "beet", "onion"),
    "nightshade": ("pea", "carrot", "onion", "beet", "marrow", "cabbage"),
    "pea": ("cabbage", "marrow", "beet", "carrot", "nightshade", "onion"),
    "carrot": ("pea", "onion", "cabbage", "marrow", "nightshade", "beet"),
    "beet": ("pea", "cabbage", "onion", "marrow", "nightshade", "carrot"),
    "onion": ("cabbage", "marrow", "carrot", "nightshade", "beet", "pea"),
}


def family_of(crop: str) -> str | None:
    for line in FAMILIES.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 1 and crop in [name.strip() for name in cells[1].split(",")]:
            return cells[0]
    return None


def main(arguments: list[str]) -> int:
    crop = " ".join(arguments).strip().lower()
    if not crop:
        print("usage: follow.py <crop>", file=sys.stderr)
        return 2
    family = family_of(crop)
    if family is None:
        print(f"{crop} is in no family of references/families.md; use the singular", file=sys.stderr)
        return 1
    print(f"{crop}: {family} family")
    print("may follow, the best first: " + ", ".join(BEST[family]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# Usage: moon.py <date>
"""Tells the phase of the moon on a date (at noon, universal time), by counting mean months."""

import math
import sys
from datetime import date

MONTH = 29.530588853  # days from new moon to new moon, on average
NEW_MOON = date(2000, 1, 6).toordinal() + 18.23 / 24  # a new moon, in universal time
NAMES = (
    "new moon", "waxing crescent", "first quarter", "waxing gibbous",
    "full moon", "waning gibbous", "last quarter", "waning crescent",
)


def main(arguments: list[str]) -> int:
    try:
        (text,) = arguments
        day = date.fromisoformat(text)
    except ValueError:
        print("usage: moon.py <date> (such as 2026-03-03)", file=sys.stderr)
        return 2
    age = (day.toordinal() + 0.5 - NEW_MOON) % MONTH
    lit = (1 - math.cos(2 * math.pi * age / MONTH)) / 2
    print(f"{day}: {NAMES[round(age / MONTH * 8) % 8]}, {age:.1f} days old, {lit:.0%} lit")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# Usage: isbn.py <isbn>
"""Checks an ISBN of ten or thirteen digits, and gives the form of thirteen."""

import sys


def last_of_13(first: str) -> str:
    total = sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(first))
    return str(-total % 10)


def last_of_10(first: str) -> str:
    total = sum(int(digit) * (10 - place) for place, digit in enumerate(first))
    return "0123456789X"[-total % 11]


def main(arguments: list[str]) -> int:
    text = "".join(arguments).replace("-", "").replace(" ", "").upper()
    first, last = text[:-1], text[-1:]
    if len(text) not in (10, 13) or not (first.isascii() and first.isdigit()):
        print("usage: isbn.py <isbn> (ten or thirteen digits)", file=sys.stderr)
        return 2
    expected = last_of_10(first) if len(text) == 10 else last_of_13(first)
    if last != expected:
        print(f"wrong: the last digit is {last}, by the others it must be {expected}")
        return 1
    thirteen = text if len(text) == 13 else f"978{first}{last_of_13('978' + first)}"
    print(f"right: {thirteen}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# Usage: split.py <name=paid>...
"""Says who pays whom, so that everyone has paid the same."""

import sys
from decimal import Decimal, InvalidOperation


def read(argument: str) -> tuple[str, int]:
    name, _, amount = argument.partition("=")
    cents = Decimal(amount) * 100
    if not name or cents < 0 or cents != int(cents):
        raise ValueError(argument)
    return name, int(cents)


def main(arguments: list[str]) -> int:
    try:
        paid = dict(map(read, arguments))
    except (ValueError, InvalidOperation, OverflowError):
        paid = {}
    if len(paid) < 2 or len(paid) != len(arguments):
        print("usage: split.py <name=paid>... (two people or more, each once)", file=sys.stderr)
        return 2
    share, left_over = divmod(sum(paid.values()), len(paid))
    owed = {name: cents - share - (place < left_over) for place, (name, cents) in enumerate(paid.items())}
    print(f"Each: {share / 100:.2f}" + (f", and a cent more for the first {left_over}" if left_over else ""))
    while any(owed.values()):
        debtor = min(owed, key=owed.__getitem__)
        creditor = max(owed, key=owed.__getitem__)
        amount = min(-owed[debtor], owed[creditor])
        owed[debtor] += amount
        owed[creditor] -= amount
        print(f"{debtor} pays {creditor} {amount / 100:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

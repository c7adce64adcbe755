#!/usr/bin/env python3
# Usage: totals.py <lines.csv> [total-to-check]
"""Adds up the lines of an invoice by tax rate, and checks a total against them."""

import csv
import sys
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation


def cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def number(text: str | None) -> Decimal:
    value = Decimal((text or "0").strip() or "0")
    if not value.is_finite():
        raise InvalidOperation(text)
    return value


def net_by_rate(path: str) -> dict[Decimal, Decimal]:
    found: dict[Decimal, Decimal] = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            rest = 1 - number(row["discount"]) / 100
            line = cents(number(row["quantity"]) * number(row["price"]) * rest)
            rate = number(row["tax"])
            found[rate] = found.get(rate, Decimal(0)) + line
    return dict(sorted(found.items(), reverse=True))


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print("usage: totals.py <lines.csv> [total-to-check]", file=sys.stderr)
        return 2
    try:
        nets = net_by_rate(arguments[0])
        given = number(arguments[1]) if len(arguments) == 2 else None
    except (OSError, KeyError, InvalidOperation) as error:
        print(f"cannot be worked out: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    total = Decimal(0)
    print("  rate       net       tax     gross")
    for rate, net in nets.items():
        tax = cents(net * rate / 100)
        total += net + tax
        print(f"{rate:>4} % {net:>9} {tax:>9} {net + tax:>9}")
    print(f"total {total:>30}")
    if given is not None and given != total:
        print(f"does not agree: {given} is given, the difference is {given - total}")
        return 1
    if given is not None:
        print("agrees")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

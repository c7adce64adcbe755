"""Scales a list of ingredients, one a line: python3 scale.py FROM TO < list.txt

An amount stands first on its line: 250 g flour, 1.5 l stock, 1 1/2 tsp salt, ½ lemon, 2-3 eggs.
"""

import re
import sys
from fractions import Fraction

GLYPHS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8"}
NUMBER = r"\d+(?:\s+\d+/[1-9]\d*|/[1-9]\d*|\.\d+)?"
LINE = re.compile(rf"({NUMBER})(?:\s*-\s*({NUMBER}))?(?![\d./])(\s*)(.*)")
WEIGHED = {"g", "ml"}


def number(text):
    """Reads 2, 2.5, 1/2 or 1 1/2."""
    return sum(Fraction(part) for part in text.split())


def measured(amount, unit):
    """Rounds to what a kitchen can measure and writes it."""
    if unit in WEIGHED:
        step = 5 if amount >= 50 else 1
        return str(max(1, round(amount / step)) * step)
    if unit in {"kg", "l"}:
        return f"{float(amount):.2f}".rstrip("0").rstrip(".")
    quarters = max(1, round(amount * 4))
    whole, rest = divmod(quarters, 4)
    part = str(Fraction(rest, 4)) if rest else ""
    return " ".join(word for word in (str(whole) if whole else "", part) if word)


def scaled(line, factor):
    """Scales one line; a line without an amount is marked."""
    plain = line.strip()
    for glyph, fraction in GLYPHS.items():
        plain = plain.replace(glyph, f" {fraction} ")
    match = LINE.fullmatch(plain.strip())
    if not match:
        return f"{line.strip()} (as it is)"
    low, high, gap, rest = match.groups()
    unit = rest.split(" ", 1)[0]
    amounts = [measured(number(text) * factor, unit) for text in (low, high) if text]
    return f"{'-'.join(amounts)}{gap and ' '}{rest}"


def main(arguments):
    """Runs the script; wrong arguments end it with 2 and a line that says what is right."""
    try:
        servings = [Fraction(text) for text in arguments]
        factor = servings[1] / servings[0]
    except (ValueError, IndexError, ZeroDivisionError):
        factor = 0
    if len(arguments) != 2 or factor <= 0:
        print("usage: scale.py FROM TO < list.txt (two numbers above zero)", file=sys.stderr)
        return 2
    for line in sys.stdin:
        print(scaled(line, factor) if line.strip() else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# Usage: greet.py <name> [language] [time-of-day]
"""Greets somebody by name, in one of ten languages."""

import sys

TIMES = ("morning", "day", "evening")
GREETINGS = {
    "da": ("Godmorgen", "Goddag", "Godaften"),
    "de": ("Guten Morgen", "Guten Tag", "Guten Abend"),
    "en": ("Good morning", "Hello", "Good evening"),
    "es": ("Buenos días", "Buenas tardes", "Buenas noches"),
    "fi": ("Hyvää huomenta", "Hyvää päivää", "Hyvää iltaa"),
    "fr": ("Bonjour", "Bonjour", "Bonsoir"),
    "it": ("Buongiorno", "Buongiorno", "Buonasera"),
    "nl": ("Goedemorgen", "Goedendag", "Goedenavond"),
    "pl": ("Dzień dobry", "Dzień dobry", "Dobry wieczór"),
    "sv": ("God morgon", "God dag", "God kväll"),
}


def main(arguments: list[str]) -> int:
    sys.stdout.reconfigure(encoding="utf-8")
    name, language, time = (*arguments, "", "", "")[:3]
    language, time = language.lower() or "en", time.lower() or "day"
    if not name.strip() or len(arguments) > 3:
        print("usage: greet.py <name> [language] [time-of-day]", file=sys.stderr)
        return 2
    if language not in GREETINGS:
        print(f"{language} is no language that is known here: {', '.join(GREETINGS)}", file=sys.stderr)
        return 1
    if time not in TIMES:
        print(f"{time} is no time of day: {', '.join(TIMES)}", file=sys.stderr)
        return 1
    print(f"{GREETINGS[language][TIMES.index(time)]}, {name.strip()}!")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

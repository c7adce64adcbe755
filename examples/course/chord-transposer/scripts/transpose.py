#!/usr/bin/env python3
# Usage: transpose.py <semitones> <chord>...
"""Moves chords by a number of semitones, up or down."""

import re
import sys

SHARPS = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
FLATS = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
CHORD = re.compile(r"([A-G])([#b]?)([^/]*)(?:/([A-G])([#b]?))?")


def moved(letter: str, sign: str, by: int) -> str:
    place = SHARPS.index(letter) + {"#": 1, "b": -1, "": 0}[sign]
    return (FLATS if by < 0 else SHARPS)[(place + by) % 12]


def chord(text: str, by: int) -> str:
    found = CHORD.fullmatch(text.replace("♯", "#").replace("♭", "b"))
    if found is None:
        raise ValueError(f"{text} is no chord that starts with a letter from A to G")
    root, sign, kind, bass, bass_sign = found.groups()
    return moved(root, sign, by) + kind + (f"/{moved(bass, bass_sign, by)}" if bass else "")


def main(arguments: list[str]) -> int:
    try:
        by = int(arguments[0])
        chords = [chord(text, by) for text in arguments[1:]]
        if not chords:
            raise ValueError("no chords")
    except (IndexError, ValueError) as error:
        print(f"usage: transpose.py <semitones> <chord>... ({error})", file=sys.stderr)
        return 2
    print(" ".join(chords))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

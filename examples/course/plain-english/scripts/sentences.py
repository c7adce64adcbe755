#!/usr/bin/env python3
# Usage: sentences.py <file> [longest]
"""Measures the sentences of a text, and names those that are too long."""

import re
import sys
from pathlib import Path


def sentences(text: str) -> list[str]:
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z\"'(])|\n\s*\n", text)
    return [" ".join(part.split()) for part in parts if re.search(r"\w", part)]


def main(arguments: list[str]) -> int:
    try:
        text = Path(arguments[0]).read_text(encoding="utf-8")
        longest = int(arguments[1]) if len(arguments) > 1 else 25
    except (IndexError, ValueError, OSError) as error:
        print(f"usage: sentences.py <file> [longest] ({error})", file=sys.stderr)
        return 2
    counts = [(len(re.findall(r"[\w'’-]+", part)), part) for part in sentences(text)]
    words = sum(count for count, _ in counts)
    mean = words / len(counts) if counts else 0
    print(f"{len(counts)} sentences, {words} words, {mean:.1f} words a sentence")
    for count, part in counts:
        if count > longest:
            print(f"{count} words: {part[:60]}{'…' if len(part) > 60 else ''}")
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(sys.argv[1:]))

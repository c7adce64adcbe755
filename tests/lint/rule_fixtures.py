"""The fixtures of the rules: a good and a bad folder each, in ``fixtures/ID``.

A few need what a repository should not hold (bytes that are no text, a file of a megabyte); a copy is
changed then.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"


def _append(path: str, text: str) -> Callable[[Path], None]:
    def add(root: Path) -> None:
        with (root / path).open("a", encoding="utf-8") as file:
            file.write(text)

    return add


def _replace(path: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        file = root / path
        file.write_bytes(file.read_bytes().replace(old, new))

    return change


GROWN: dict[tuple[str, str], Callable[[Path], None]] = {
    ("SB109", "bad"): _replace("tide/SKILL.md", "é".encode(), "é".encode("latin-1")),
    ("SB202", "bad"): _append("tide/SKILL.md", "Do more work.\n" * 494),
    ("SB202", "good"): _append("tide/SKILL.md", "Do more work.\n" * 493),
    ("SB203", "bad"): _append("tide/SKILL.md", "\n" + "work " * 5000),
    ("SB203", "good"): _append("tide/SKILL.md", "\n" + "work " * 4900),
    ("SB207", "bad"): _replace("tide/SKILL.md", "é".encode(), "é".encode("latin-1")),
    ("SB313", "bad"): _append("tide/assets/table.csv", "1,2\n" * 249_999 + "\n"),
    ("SB313", "good"): _append("tide/SKILL.md", "\n"),
}
"""What is changed in a copy: bytes that are not UTF-8, what is just above or just at a limit."""


def copy_of(rule: str, kind: str, folder: Path) -> Path:
    """Copies a fixture to ``folder/ID/KIND`` and grows it; returns the copy."""
    target = folder / rule / kind
    shutil.copytree(FIXTURES / rule / kind, target)
    grow = GROWN.get((rule, kind))
    if grow:
        grow(target)
    return target

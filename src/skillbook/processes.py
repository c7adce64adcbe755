"""Which processes a process has started, and ending those that left its group (Linux alone).

Reads ``/proc`` (proc(5)); starts nothing. Standard library only.
"""

from __future__ import annotations

import os
import signal
from collections import defaultdict

Process = tuple[int, str]
"""A process's number and its start time: a number alone may be another's a moment later."""


def descendants(pid: int) -> set[Process]:
    """Returns the children of a process, their children and so on; none where there is no /proc.

    One whose parent has ended belongs to another parent by then, so it cannot be found.
    """
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return set()
    children: defaultdict[int, list[Process]] = defaultdict(list)
    for number in numbers:
        parent, start = _stat(number)
        children[parent].append((number, start))
    found: set[Process] = set()
    waiting = [pid]
    while waiting:
        for child in children[waiting.pop()]:
            if child not in found:
                found.add(child)
                waiting.append(child[0])
    return found


def end(processes: set[Process]) -> None:
    """Ends processes, and what they have started since; those that are gone are left out."""
    for number, start in sorted(processes):
        if _stat(number)[1] != start:
            continue
        later = descendants(number)
        for one, began in sorted({(number, start)} | later):
            if began and _stat(one)[1] == began:
                _kill(one)


def _kill(number: int) -> None:
    try:
        os.kill(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):  # it is gone, or another user's
        return


def _stat(number: int) -> tuple[int, str]:
    """Returns a process's parent and start time; ``(-1, "")`` where it is gone."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            # The name in parentheses may hold spaces and parentheses itself.
            fields = file.read().rpartition(b")")[2].split()
        return int(fields[1]), fields[19].decode()
    except (OSError, IndexError, ValueError):
        return -1, ""

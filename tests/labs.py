"""A running ``skillbook lab`` for the tests that need one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lab:
    """One run of ``skillbook lab``.

    Attributes:
        process: the process.
        url: the address that it printed, with its token.
        temporary: the folder in which it makes its own temporary one.
        output: the lines that it printed so far.
    """

    process: subprocess.Popen[str]
    url: str
    temporary: Path
    output: list[str]

    def end(self, number: int = signal.SIGINT) -> int:
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextmanager
def running_lab(*arguments: str, scratch: Path, cwd: Path | None = None) -> Iterator[Lab]:
    """Runs ``skillbook lab --no-browser --port 0`` with an empty home folder.

    Args:
        arguments: further ones for the command.
        scratch: a new folder; gets ``home`` and ``temporary``.
        cwd: the working folder of the command.
    """
    home, temporary = scratch / "home", scratch / "temporary"
    for folder in (home, temporary):
        folder.mkdir(parents=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "IPYTHON"))}
    process = subprocess.Popen(
        [
            Path(sys.executable).with_name("skillbook"),
            "lab",
            "--no-browser",
            "--port=0",
            *arguments,
        ],
        cwd=cwd,
        env=kept | {"HOME": str(home), "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        output: list[str] = []
        url = ""
        for line in process.stdout or ():
            output.append(line)
            if found := re.search(r"http://\S+token=\S+", line):
                url = found.group()
                break
        assert url, f"skillbook lab ended without an address: {''.join(output)}"
        # Read on, so that the process never waits for a full pipe.
        threading.Thread(target=lambda: output.extend(process.stdout or ()), daemon=True).start()
        yield Lab(process, url, temporary, output)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=60)

"""JupyterLab as the browser tests see it: the server, and a notebook that is open in a page."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SCREENSHOTS = Path(__file__).parent / "screenshots"
TOKEN = "skillbook-tests"
# What JupyterLab itself says on the console, about nothing of ours.
NOT_OURS = re.compile(
    r"favicon|the server responded with a status of 404|WebSocket connection to .* failed|Kernel .*"
)


@dataclass(frozen=True)
class Server:
    """A running JupyterLab.

    Attributes:
        url: its address, without a slash at the end.
        notebooks: the folder that it serves.
    """

    url: str
    notebooks: Path

    def ask(self, method: str, path: str) -> Any:
        """Sends one request to its API and returns the answer."""
        request = urllib.request.Request(
            f"{self.url}{path}", method=method, headers={"Authorization": f"token {TOKEN}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")


@dataclass
class Opened:
    """A notebook that is open in the browser.

    Attributes:
        page: the page.
        outside: each request that would have left the machine.
        errors: each error on the console that is not JupyterLab's own.
        name: what the test is called; screenshots begin with it.
    """

    page: Page
    name: str
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Notes requests and errors from now on."""
        inside = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
        self.page.on("request", lambda r: r.url.startswith(inside) or self.outside.append(r.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console",
            lambda said: (
                said.type == "error"
                and not NOT_OURS.search(said.text)
                and self.errors.append(said.text)
            ),
        )

    def run_all(self) -> None:
        """Runs every cell and waits until the kernel is idle and no widget is missing."""
        page = self.page
        page.wait_for_function(
            "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel"
            "?.connectionStatus === 'connected'",
            timeout=90_000,
        )
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.idle()

    def idle(self) -> None:
        """Waits until the kernel has nothing to do."""
        self.page.wait_for_function(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
            " === 'idle'",
            timeout=90_000,
        )

    def run(self, code: str) -> str:
        """Runs code in the notebook's kernel, apart from its cells; returns what it printed."""
        return self.page.evaluate(
            """async code => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({ code, store_history: false });
                let text = '';
                future.onIOPub = message => {
                    const { content } = message;
                    if (message.header.msg_type === 'stream') text += content.text;
                    if (message.header.msg_type === 'error') text += content.traceback.join('\\n');
                };
                await future.done;
                return text;
            }""",
            code,
        )

    def picture(self, what: str, of: Locator | None = None) -> Path:
        """Keeps a screenshot of the page, or of one element, for looking at."""
        SCREENSHOTS.mkdir(exist_ok=True)
        path = SCREENSHOTS / f"{self.name}-{what}.png"
        time.sleep(0.3)  # fonts and transitions
        (of or self.page).screenshot(path=path)
        return path


def notebook(cells: Sequence[str]) -> dict[str, Any]:
    """Returns a notebook with these code cells."""
    return {
        "cells": [
            {
                "cell_type": "code",
                "id": f"cell-{number}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": source,
            }
            for number, source in enumerate(cells)
        ],
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            }
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }

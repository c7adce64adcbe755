"""What the tests in a real browser share: JupyterLab, Chromium, and notebooks opened in both.

They are collected for ``-m browser`` alone. They fail, and are not skipped, where the browser cannot
start. Screenshots go to ``tests/browser/screenshots``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import TOKEN, Opened, Server, notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "apputils-extension/themes": {"adaptive-theme": True},
}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves these tests out of a plain ``pytest``, which has no playwright to import."""
    return None if config.getoption("markexpr") == "browser" else True


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's chromium, without a window."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    assert path, "there is no chromium on the PATH; these tests need one (apt-get install chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One JupyterLab for the whole run, with folders of its own for all that it writes."""
    from ipykernel.kernelspec import write_kernel_spec

    place = tmp_path_factory.mktemp("jupyterlab")
    notebooks = place / "notebooks"
    settings = place / "config" / "lab" / "user-settings" / "@jupyterlab"
    notebooks.mkdir()
    for name, values in SETTINGS.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    (place / "share" / "kernels").mkdir(parents=True)
    write_kernel_spec(place / "share" / "kernels" / "python3")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "IPYTHON"))}
    environment = kept | {
        "HOME": str(place / "home"),
        "IPYTHONDIR": str(place / "ipython"),
        "JUPYTER_CONFIG_DIR": str(place / "config"),
        "JUPYTER_DATA_DIR": str(place / "data"),
        "JUPYTER_RUNTIME_DIR": str(place / "runtime"),
        "JUPYTER_PATH": str(place / "share"),
        "JUPYTERLAB_SETTINGS_DIR": str(place / "config" / "lab" / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(place / "workspaces"),
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={TOKEN}"),
            f"--ServerApp.root_dir={notebooks}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that its kernels can be ended with it
    )
    output: list[str] = []
    try:
        url = ""
        for line in process.stdout or ():
            output.append(line)
            if found := re.search(r"(http://127\.0\.0\.1:\d+)/lab", line):
                url = found[1]
                break
        assert url, f"JupyterLab ended without an address: {''.join(output)}"
        threading.Thread(target=lambda: output.extend(process.stdout or ()), daemon=True).start()
        yield Server(url, notebooks)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:  # it waits for a kernel that is just being started
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=20)


OpenNotebook = Callable[..., Opened]


@pytest.fixture
def open_notebook(
    chromium: Browser, jupyterlab: Server, request: pytest.FixtureRequest
) -> Iterator[OpenNotebook]:
    """Opens a notebook of the cells given, or a whole one, in its own workspace, and runs it."""
    opened: list[Page] = []
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")

    def open_one(
        *cells: str | dict[str, Any],
        colours: str = "light",
        width: int = 1280,
        height: int = 1000,
        run: bool = True,
    ) -> Opened:
        number = len(opened)
        whole = cells[0] if isinstance(cells[0], dict) else notebook(list(map(str, cells)))
        (jupyterlab.notebooks / f"{name}-{number}.ipynb").write_text(json.dumps(whole))
        page = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=colours)
        opened.append(page)
        view = Opened(page, name.removeprefix("test-"))
        view.listen()
        page.goto(
            f"{jupyterlab.url}/lab/workspaces/{name}-{number}/tree/{name}-{number}.ipynb?token={TOKEN}"
        )
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=90_000)
        page.evaluate("() => window.jupyterapp.shell.collapseLeft?.()")
        if run:
            view.run_all()
        return view

    yield open_one
    for page in opened:
        page.close()
    for session in jupyterlab.ask("GET", "/api/sessions"):
        jupyterlab.ask("DELETE", f"/api/sessions/{session['id']}")

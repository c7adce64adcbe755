"""``skillbook lab`` in a real JupyterLab: the explorer is there without a click."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from labs import running_lab

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parent / "screenshots"
EXPLORER = ".jp-OutputArea-output .jupyter-widgets"


def opened(chromium: Browser, url: str, colours: str, outside: list[str]) -> Page:
    """Opens the notebook and notes each request that would leave the machine."""
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, color_scheme=colours)
    inside = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")
    page.on("request", lambda r: r.url.startswith(inside) or outside.append(r.url))
    page.goto(url)
    return page


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_explorer_shows_by_itself(
    chromium: Browser, colours: str, tmp_path: Path, repository: Path
) -> None:
    """Opened in a browser, the notebook runs once, in the browser's colours, and asks nothing."""
    folder = tmp_path / """both ' and " quotes"""
    shutil.copytree(repository / "examples", folder)
    outside: list[str] = []
    with running_lab(str(folder), scratch=tmp_path / "run") as lab:
        page = opened(chromium, lab.url, colours, outside)
        expect(page.locator(EXPLORER).first).to_be_visible(timeout=90_000)
        expect(page.get_by_text("hello-world").first).to_be_visible()
        expect(page.locator("strong", has_text="To keep a copy")).to_be_visible()
        expect(page.locator("body")).to_have_attribute(
            "data-jp-theme-light", str(colours == "light").lower()
        )
        expect(page.locator(".jp-Dialog, .Toastify__toast")).to_have_count(0)
        expect(page.locator(".jp-OutputArea-output[data-mime-type*=error]")).to_have_count(0)

        page.screenshot(path=SCREENSHOTS / f"lab-{colours}.png")

        expect(page.locator(".jp-mod-dirty")).to_have_count(0)
        with page.expect_download() as download:
            page.get_by_role("menuitem", name="File", exact=True).click()
            page.get_by_role("menuitem", name="Download", exact=True).click()
        copy = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        assert [cell["id"] for cell in copy["cells"]] == ["about", "explore", "more", "yours"]
        assert "text/html" in copy["cells"][1]["outputs"][0]["data"]

        page.reload()
        expect(page.locator(EXPLORER).first).to_be_visible(timeout=90_000)
        expect(page.locator(".jp-InputPrompt", has_text="[1]:")).to_be_visible()
        page.close()
        assert lab.end() == 0
    assert outside == []
    assert list(lab.temporary.iterdir()) == []

"""The style sheets beside this module, read once.

This module imports only ``markup``.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from skillbook.display.markup import Markup

SHEET = "style.css"
PAGE_SHEET = "page.css"


@cache
def sheet(name: str = SHEET) -> str:
    """Returns the text of a style sheet without its comments and indents.

    It stands in every output of a notebook, so it is kept short.
    """
    text = files("skillbook.display").joinpath(name).read_text(encoding="utf-8")
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)).lstrip()


def style(*names: str) -> Markup:
    """Returns one ``<style>`` element with the sheets named, the one of displays by default."""
    return Markup(f"<style>\n{''.join(sheet(name) for name in names or (SHEET,))}</style>")

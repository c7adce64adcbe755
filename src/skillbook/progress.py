"""Progress bars: shown after two seconds, and wiped at their end.

Imports nothing of ours; ``tqdm`` when a bar is asked for, since that loads asyncio.
"""

from __future__ import annotations

import warnings
from typing import Any


def bar(*args: Any, **options: Any) -> Any:
    """Returns a progress bar that shows where the work takes over two seconds.

    Args:
        args: what ``tqdm`` takes: what to go through, or nothing.
        options: those of ``tqdm``, but for ``delay`` and ``leave``.
    """
    with warnings.catch_warnings():
        # In a notebook without ipywidgets the bar is made of text, which needs no warning.
        warnings.filterwarnings("ignore", "IProgress not found")
        from tqdm.auto import tqdm  # noqa: PLC0415 - it loads asyncio
    shown: Any = tqdm
    made = shown(*args, delay=2, leave=False, **options)
    if getattr(made, "container", None) is not None:
        # In a notebook the bar's box refers to the bar weakly, and once that is gone the box raises
        # when it is written out, as IPython does where it draws the traceback of a stopped cell.
        made.container.pbar = None
    return made

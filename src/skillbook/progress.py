"""Progress bars: shown after two seconds, in a terminal or a notebook, and wiped at their end.

Imports nothing of ours; ``tqdm`` when a bar is asked for, since that loads asyncio.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, Self


def bar(items: Iterable[Any] | None = None, **options: Any) -> Any:
    """Returns a progress bar that shows where the work takes over two seconds.

    None is shown where stderr goes to a file or a log, nor where ``tqdm`` is not installed.

    Args:
        items: what to go through, or nothing.
        options: those of ``tqdm``, but for ``delay``, ``leave`` and ``disable``.
    """
    try:
        with warnings.catch_warnings():
            # In a notebook without ipywidgets the bar is made of text, which needs no warning.
            warnings.filterwarnings("ignore", "IProgress not found")
            from tqdm.auto import tqdm  # noqa: PLC0415 - it loads asyncio
    except ImportError:
        return _NoBar(() if items is None else items)
    shown: Any = tqdm
    # None leaves the bar out where stderr is no terminal; that of a kernel is none, and is read.
    disable = False if "ipykernel.zmqshell" in sys.modules else None
    made = shown(items, delay=2, leave=False, disable=disable, **options)
    if getattr(made, "container", None) is not None:
        # In a notebook the bar's box refers to the bar weakly, and once that is gone the box raises
        # when it is written out, as IPython does where it draws the traceback of a stopped cell.
        made.container.pbar = None
    return made


class _NoBar:
    """What stands for a bar that is not shown."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items
        self.total: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to wipe."""

    def update(self, number: int) -> None:
        """There is nothing to show."""

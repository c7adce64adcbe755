"""Rows as a DataFrame of pandas, where that is installed.

Imports ``errors``; ``pandas`` only when it is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from skillbook.errors import MissingDependency


def frame(rows: Iterable[Any], columns: Sequence[str] | None = None) -> Any:
    """Returns rows as a DataFrame.

    Args:
        rows: mappings; or sequences, with ``columns``.
        columns: the names of the columns; None takes those of the rows.

    Raises:
        MissingDependency: when pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415 - used where it is there
    except ImportError:
        raise MissingDependency("to_pandas needs pandas: pip install pandas") from None
    return pd.DataFrame(list(rows), columns=columns)

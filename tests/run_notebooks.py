"""Runs the notebooks and saves them as they are committed: ``python tests/run_notebooks.py [PATH …]``.

Without a path: every notebook of the checkout. A saved widget view shows an error where no kernel
runs, so views are taken out, and the plain and HTML outputs beside them stay. Tags stay too, and
``jupyter``, which says that JupyterLab folds an output until its cell is run.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"


def tidy(notebook: NotebookNode) -> None:
    """Takes out what another run or another machine would write differently."""
    notebook.metadata = NotebookNode(
        kernelspec={
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        language_info={"name": "python"},
    )
    for cell in notebook.cells:
        kept = {key: cell.metadata[key] for key in ("tags", "jupyter") if key in cell.metadata}
        cell.metadata = NotebookNode(kept)
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(VIEW, None)
            output.get("metadata", {}).clear()


def run(path: Path) -> NotebookNode:
    """Returns the notebook, run in a fresh kernel in its own folder, and tidied."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        resources=resources,
        coalesce_streams=True,  # a busy kernel may send one print in two pieces
    ).execute()
    tidy(notebook)
    return notebook


def main(arguments: list[str]) -> None:
    """Runs and saves each notebook."""
    for path in [Path(argument) for argument in arguments] or NOTEBOOKS:
        nbformat.write(run(path), path)
        sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

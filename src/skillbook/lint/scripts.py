"""SB307 to SB309, the scripts: line ends, what runs them, how they are called.

They belong to the files. Imports ``document``, ``files``, ``disk``, ``script_files``, ``usage_lines`` and the
rules' hook.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from skillbook import disk
from skillbook.lint.document import Document, Remark
from skillbook.lint.files import STANDARD
from skillbook.lint.rule import rule
from skillbook.script_files import INTERPRETERS
from skillbook.usage_lines import has_usage

_SUFFIXES = frozenset(
    (
        *INTERPRETERS,
        *[
            ".ts",
            ".bat",
            ".cmd",
            ".fish",
            ".go",
            ".rs",
            ".swift",
            ".kts",
            ".awk",
            ".sed",
            ".tcl",
            ".csx",
            ".fsx",
        ],
    )
)
"""Endings that say what runs a script: those that skillbook runs, and others that hosts do."""

_WINDOWS = frozenset((".bat", ".cmd", ".ps1"))
_NO_SCRIPTS = frozenset(
    [
        ".md",
        ".txt",
        ".json",
        ".yaml",
        ".yml",
        ".toml",
        ".ini",
        ".cfg",
        ".csv",
        ".tsv",
        ".xml",
        ".xsd",
        ".html",
        ".css",
        ".svg",
        ".png",
        ".jpg",
        ".lock",
        ".in",
        ".typed",
        ".example",
        ".template",
        ".j2",
        ".rst",
        ".dockerfile",
        ".cs",
        ".csproj",
        ".c",
        ".h",
        ".cpp",
        ".gitignore",
        ".ipynb",
    ]
)
_REFUSES = re.compile(
    r"\busage\b|\b__doc__\b|\bargparse\b|\bclick\b|\btyper\b|\bdocopt\b|\boptparse\b|\bgetopts?\b"
    r"|\bparseArgs\b|\bcommander\b|\byargs\b|\bOptionParser\b|\boptparse\b|\bparam\s*\(|\.SYNOPSIS"
    r"|\b[Ff]ire\(",
    re.IGNORECASE,
)
"""What stands in the code of a script that answers a wrong call by saying how it is called."""

# What no program runs, and no wrapper reads: the docstring at the head, and lines of comment.
_NO_CODE = re.compile(
    r"\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*[rRuU]?(\"{3}|'{3}).*?(?:\1|\Z)|^[ \t]*(?:#|//|/\*|\*\s|--|;)[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_RUN_ALONE = re.compile(
    r"__main__|^#!|sys\.argv|process\.argv|\$[1@*]|commandArgs|\bARGV\b", re.MULTILINE
)


def _scripts(document: Document) -> Iterator[tuple[str, bytes]]:
    """Yields the files of ``scripts/``, and others that start with a shebang, with their bytes."""
    beside = document.beside
    for file in beside.files if beside else ():
        name = posixpath.basename(file.path)
        suffix = posixpath.splitext(name)[1].lower()
        if name.startswith((".", "_")) or suffix in _NO_SCRIPTS or STANDARD.match(name):
            continue
        if file.path.startswith("scripts/") or suffix in (".sh", ".py"):
            data = beside.text(file.path) if beside else None
            if data is not None:
                yield file.path, data


@rule(
    "SB307", "warning", "Scripts have the line ends that their interpreter takes.", needs="folder"
)
def _unix_line_ends(document: Document) -> Iterator[Remark]:
    for path, data in _scripts(document):
        if (
            b"\r\n" in data
            and b"\0" not in data
            and posixpath.splitext(path)[1].lower() not in _WINDOWS
        ):
            line = data.count(b"\n", 0, data.index(b"\r\n")) + 1
            yield document.say_file(
                path,
                "the script has Windows line ends, with which a shell and a first line such as"
                " #!/bin/sh fail; save it with line feeds alone",
                line=line,
                text=_line(data, line),
            )


def _line(data: bytes, number: int) -> str:
    lines = data.splitlines()
    return lines[number - 1].decode("utf-8", "replace") if number <= len(lines) else ""


@rule(
    "SB308",
    "warning",
    "A script says what runs it, by its ending or its first line.",
    needs="folder",
)
def _interpreter(document: Document) -> Iterator[Remark]:
    for path, data in _scripts(document):
        if not path.startswith("scripts/") or data.startswith(b"#!"):
            continue
        suffix = posixpath.splitext(path)[1].lower()
        if suffix not in _SUFFIXES and b"\0" not in data:
            yield document.say_file(
                path,
                "nothing says what runs this script; give it an ending such as .py, or a first line"
                " such as #!/usr/bin/env python3",
                line=1,
                text=_line(data, 1),
            )


@rule("SB309", "note", "A script says how it is called.", needs="folder")
def _usage(document: Document) -> Iterator[Remark]:
    for path, data in _scripts(document):
        if not path.startswith("scripts/") or path.count("/") > 1 or b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        if (
            _RUN_ALONE.search(text)
            and not has_usage(data[: disk.HEAD])
            and not _REFUSES.search(_NO_CODE.sub("", text))
        ):
            name = posixpath.basename(path)
            yield document.say_file(
                path,
                f"no comment at its head says how the script is called; add one: # Usage: {name} <input>",
                line=1,
                text=_line(data, 1),
            )

"""Which files are mentioned: by name, by stem, by folder, and how much is read."""

from __future__ import annotations

import time

import pytest

from skillbook.lint import mentions
from skillbook.lint.mentions import unmentioned


@pytest.mark.parametrize(
    ("path", "text", "mentioned"),
    [
        ("scripts/run.py", "Run `scripts/run.py`.", True),
        ("scripts/run.py", "Call run.", True),
        ("scripts/run.py", "Call rerun or run-all.", False),
        ("a/run.test.py", "see run.test.py", True),
        ("a/run.test.py", "a test that you run", False),
        ("references/x.md", "all of references/ is good", True),
        ("references/a/x.md", "in `references/`.", True),
        ("references/x.md", "references/y.md", False),
        ("references/x.md", "references/... and more", False),
        ("references/x.md", "請讀references/x.md文件", True),
        ("a b/my file.md", "see my file.md", True),
        ("a b/my file.md", "see the file", False),
    ],
)
def test_one_file(path: str, text: str, mentioned: bool) -> None:
    """A file is mentioned by its name, its stem, or a folder that holds it."""
    assert unmentioned([path], text, lambda _: "") == ([] if mentioned else [path], True)


def test_chain() -> None:
    """A file that a mentioned file mentions is mentioned; one that only mentions itself is not."""
    texts = {"a.md": "b.md", "b.md": "", "c.md": "c.md"}
    assert unmentioned(texts, "see a.md", texts.__getitem__) == (["c.md"], True)


def test_time_grows_with_the_text() -> None:
    """Many files that mention nothing of many others are looked through once each."""
    paths = [f"{kind}/{number}x.md" for kind in ("a", "b") for number in range(100)]
    text = "words and more words, " * 4_000
    start = time.perf_counter()
    rest, whole = unmentioned(paths, "see a/", lambda _: text)
    assert (len(rest), whole) == (100, True)
    assert time.perf_counter() - start < 10


def test_reading_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above a bound the rest is not read, and that is said."""
    monkeypatch.setattr(mentions, "MOST_READ", 10)
    read: list[str] = []
    paths = [f"a/{number}.md" for number in range(9)]
    _, whole = unmentioned(paths, "a/", lambda path: read.append(path) or "x" * 6)
    assert (len(read), whole) == (2, False)

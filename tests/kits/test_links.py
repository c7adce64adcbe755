"""Following the links of an archive among its own members."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillbook.kits.errors import TooLargeError
from skillbook.kits.github.links import NOWHERE, OUT, ROUND, Links


def followed(files: list[str], links: dict[str, str], folders: tuple[str, ...] = ()):
    """Returns what links stand for, and what is left out."""
    found = Links(files, folders, links, most=1000)
    return dict(found.copies()), dict(found.left_out)


@pytest.mark.parametrize(
    ("links", "copies", "left_out"),
    [
        ({"b": "a"}, {"b": "a"}, {}),
        ({"x/b": "../a"}, {"x/b": "a"}, {}),
        ({"b": "./d/../a"}, {"b": "a"}, {}),
        ({"e": "d"}, {"e/f": "d/f", "e/g/h": "d/g/h"}, {}),
        ({"b": "c", "c": "a"}, {"b": "a", "c": "a"}, {}),
        ({"e": "d", "b": "e/f"}, {"b": "d/f", "e/f": "d/f", "e/g/h": "d/g/h"}, {}),
        ({"b": "/a"}, {}, {"b": OUT}),
        ({"b": "../a"}, {}, {"b": OUT}),
        ({"x/b": "../../a"}, {}, {"x/b": OUT}),
        ({"b": "D:/a"}, {}, {"b": OUT}),
        ({"b": "\\a"}, {}, {"b": OUT}),
        ({"b": "z"}, {}, {"b": NOWHERE}),
        ({"b": "b"}, {}, {"b": NOWHERE}),
        ({"b": "c", "c": "b"}, {}, {"b": NOWHERE, "c": NOWHERE}),
        ({"d/up": ".."}, {}, {"d/up": ROUND}),
        ({"d/me": "."}, {}, {"d/me": ROUND}),
        ({"b": "empty"}, {}, {}),
    ],
)
def test_what_links_stand_for(links: dict, copies: dict, left_out: dict) -> None:
    """A link stands for files inside, or is left out with the reason."""
    assert followed(["a", "d/f", "d/g/h"], links, ("empty",)) == (copies, left_out)


def test_links_that_multiply() -> None:
    """Links that stand for each other without measure end in an error."""
    links = {f"d{n}/{m}": f"../d{n - 1}" for n in range(1, 30) for m in "ab"}
    with pytest.raises(TooLargeError):
        followed(["d0/f"], links)


names = st.sampled_from(["a", "b", "c", "d"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
targets = st.lists(st.sampled_from(["a", "b", "c", "..", ".", ""]), max_size=4).map("/".join)


@given(st.sets(paths, max_size=6), st.dictionaries(paths, targets, max_size=5))
def test_nothing_leads_out(files: set[str], links: dict[str, str]) -> None:
    """Whatever links say, a copy is of a file that is there, and each link ends somewhere."""
    files -= links.keys()
    try:
        copies, left_out = followed(sorted(files), links)
    except TooLargeError:
        return
    assert set(copies.values()) <= files
    assert all(".." not in path.split("/") for path in copies)
    for link in links:
        ends = {
            path for path in (*copies, *left_out) if path == link or path.startswith(link + "/")
        }
        real = Links(files, (), links, most=1000).real(link)
        assert ends or (real is not None and real not in files)

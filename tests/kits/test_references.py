"""References: what a text names, and what is allowed."""

from __future__ import annotations

import pytest

from skillbook.kits.errors import BadReferenceError
from skillbook.kits.github.references import Reference, allowed, parse, patterns

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("acme/pots", ("acme", "pots", "", None)),
        ("  acme/pots/ ", ("acme", "pots", "", None)),
        ("acme/pots.git", ("acme", "pots", "", None)),
        ("acme/pots/skills/kiln", ("acme", "pots", "skills/kiln", None)),
        ("acme/pots@v1.2", ("acme", "pots", "", "v1.2")),
        ("acme/pots@HEAD", ("acme", "pots", "", None)),
        (f"acme/pots@{SHA}", ("acme", "pots", "", SHA)),
        ("acme/pots@feature/new-glaze", ("acme", "pots", "", "feature/new-glaze")),
        ("acme/pots/skills/kiln@feature/a/b", ("acme", "pots", "skills/kiln", "feature/a/b")),
        ("acme/pots@kiln@1.0.0", ("acme", "pots", "", "kiln@1.0.0")),
        ("acme/pots/@scope/kiln", ("acme", "pots", "@scope/kiln", None)),
        ("acme/pots/@scope/kiln@v2", ("acme", "pots", "@scope/kiln", "v2")),
        ("acme/pots/skills/kiln/SKILL.md", ("acme", "pots", "skills/kiln", None)),
        ("https://github.com/acme/pots", ("acme", "pots", "", None)),
        ("http://www.github.com/acme/pots/", ("acme", "pots", "", None)),
        ("github.com/acme/pots", ("acme", "pots", "", None)),
        ("https://github.com/acme/pots.git", ("acme", "pots", "", None)),
        ("https://github.com/acme/pots?tab=readme-ov-file#use", ("acme", "pots", "", None)),
        ("https://github.com/acme/pots/tree/dev", ("acme", "pots", "", "dev")),
        (
            "https://github.com/acme/pots/tree/dev/skills/a%20b",
            ("acme", "pots", "skills/a b", "dev"),
        ),
        (
            "https://github.com/acme/pots/blob/dev/s/kiln/SKILL.md#L3",
            ("acme", "pots", "s/kiln", "dev"),
        ),
        ("https://github.com/acme/pots/blob/dev/README.md", ("acme", "pots", "", "dev")),
        (
            "https://raw.githubusercontent.com/acme/pots/dev/s/SKILL.md",
            ("acme", "pots", "s", "dev"),
        ),
        (
            "https://raw.githubusercontent.com/acme/pots/refs/heads/dev/s/SKILL.md",
            ("acme", "pots", "s", "dev"),
        ),
        ("git@github.com:acme/pots.git", ("acme", "pots", "", None)),
        ("https://git.example/acme/pots/tree/dev", ("acme", "pots", "", "dev")),
    ],
)
def test_what_a_text_names(text: str, parts: tuple[str, str, str, str | None]) -> None:
    """Short references and pasted web addresses name owner, repository, path and ref."""
    found = parse(text, ["git.example"])
    assert (found.owner, found.repo, found.path, found.ref) == parts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "''"),
        ("   ", "'   '"),
        (None, "None"),
        (7, "7"),
        ("acme", "'acme' names no repository"),
        ("https://github.com/acme", "names no repository"),
        ("https://gitlab.com/acme/pots", "no address on github.com"),
        ("ftp://github.com/acme/pots", "no address on github.com"),
        ("https://github.com.evil.example/acme/pots", "no address on github.com"),
        ("https://github.com@evil.example/acme/pots", "no address on github.com"),
        ("https://github.com/acme/pots/issues/3", "'issues'"),
        ("https://github.com/acme/pots/tree", "'tree'"),
        ("https://[/acme/pots", "no web address"),
        ("-x/pots", "'-x'"),
        ("acme/..", "'..'"),
        ("acme/po ts", "'po ts'"),
        ("acme/pots/../other", "'..'"),
        ("acme/pots//x", "''"),
        ("acme/pots/a\\b", "cannot be a folder's name"),
        ("acme/pots/a\nb", "cannot be a folder's name"),
        ("https://github.com/acme/pots/tree/dev/%2e%2e/x", "'..'"),
        ("acme/pots@", "''"),
        ("acme/pots@a..b", "'a..b'"),
        ("acme/pots@-x", "'-x'"),
        ("acme/pots@a b", "'a b'"),
        ("acme/pots@x.lock", "'x.lock'"),
        ("acme/pots@a?b", "'a?b'"),
    ],
)
def test_what_names_nothing(text: object, said: str) -> None:
    """A text that names no repository is refused with what was found and how to write one."""
    with pytest.raises(BadReferenceError) as caught:
        parse(text)
    assert said in str(caught.value)
    assert "write owner/repo" in str(caught.value)


def test_reference_as_text() -> None:
    """A reference is written in its short form, which names the same again."""
    for text in ("acme/pots", "acme/pots/a/b", "acme/pots@v1", "acme/pots/a/b@feature/x"):
        assert str(parse(text)) == text
        assert parse(parse(text)) == parse(text)


def test_tree_addresses_are_marked() -> None:
    """Only where a ref and a path stand side by side in an address may the ref be a part of it."""
    assert parse("https://github.com/a/b/tree/feature/x").from_tree
    assert not parse("https://github.com/a/b/tree/dev").from_tree
    assert not parse("a/b/x@dev").from_tree


@pytest.mark.parametrize(
    ("sources", "takes", "refuses"),
    [
        ("*", ["acme/pots", "x/y"], []),
        ("acme/*", ["acme/pots", "ACME/other"], ["acme2/pots", "x/acme"]),
        ("Acme/Pots", ["acme/pots", "ACME/POTS"], ["acme/pots2", "acme/other"]),
        (["acme/*", "x/y"], ["acme/a", "X/Y"], ["x/z"]),
        ([], [], ["acme/pots"]),
        ((one for one in ["x/y"]), ["x/y"], ["x/z"]),
    ],
)
def test_allowed_sources(sources: object, takes: list[str], refuses: list[str]) -> None:
    """Patterns take all, an owner's or one repository, without regard to letter case."""
    checked = patterns(sources)
    assert [text for text in (*takes, *refuses) if allowed(parse(text), checked)] == takes


@pytest.mark.parametrize("sources", ["acme", "acme/**", "*/pots", "acme/pots/x", "", "acme/p*"])
def test_patterns_that_are_none(sources: str) -> None:
    """A pattern that is none of the three kinds is refused, with what was found."""
    with pytest.raises(ValueError, match="allowed_sources holds"):
        patterns(sources)


@pytest.mark.parametrize("sources", [None, 3, [3], b"acme/*", {"acme/*": True}])
def test_patterns_of_the_wrong_type(sources: object) -> None:
    """Patterns that are no texts are refused."""
    with pytest.raises(TypeError, match="allowed_sources"):
        patterns(sources)


def test_repository() -> None:
    """A reference knows its repository."""
    assert Reference("acme", "pots", "x", "v1").repository == "acme/pots"

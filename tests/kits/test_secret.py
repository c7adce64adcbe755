"""Tokens: read when they are used, shown nowhere."""

from __future__ import annotations

import copy
import pickle

import pytest

from skillbook.kits.secret import Secret, env, without_secrets

TOKEN = "ghp_0123456789abcdefghij"


def test_env_is_read_when_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable is read at each use; where it is not set or blank, there is no token."""
    secret = Secret(env("GITHUB_TOKEN"))
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    assert secret.read() is None
    monkeypatch.setenv("GITHUB_TOKEN", f" {TOKEN}\n")
    assert secret.read() == TOKEN
    monkeypatch.setenv("GITHUB_TOKEN", "  ")
    assert secret.read() is None


def test_reprs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repr says where the token comes from, never the token."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    assert repr(env("GITHUB_TOKEN")) == "env('GITHUB_TOKEN')"
    assert [repr(Secret(given)) for given in (TOKEN, env("GITHUB_TOKEN"), None, "")] == [
        "given",
        "env('GITHUB_TOKEN')",
        "none",
        "none",
    ]


def test_not_saved() -> None:
    """A token is not pickled or copied away."""
    for save in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="not saved") as caught:
            save(Secret(TOKEN))
        assert TOKEN not in str(caught.value)


def test_odd_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that cannot stand in a header is refused, and the message does not hold it."""
    for odd in (f"{TOKEN}\nHost: evil.example", f"{TOKEN}\u2026", "a b"):
        with pytest.raises(ValueError, match="no token has") as caught:
            Secret(odd)
        assert odd not in str(caught.value)
        monkeypatch.setenv("GITHUB_TOKEN", odd)
        with pytest.raises(ValueError, match="GITHUB_TOKEN") as caught:
            Secret(env("GITHUB_TOKEN")).read()
        assert odd not in str(caught.value)


def test_wrong_types() -> None:
    """What is neither text, env nor None is refused by its type alone."""
    with pytest.raises(TypeError, match="of type bytes"):
        Secret(TOKEN.encode())
    with pytest.raises(TypeError, match="of type int"):
        env(7)


def test_env_with_a_token_in_it() -> None:
    """A token passed to ``env`` by mistake is refused, and the message does not hold it."""
    with pytest.raises(ValueError, match="no variable's name") as caught:
        env("ghp-0123 456")
    assert "ghp" not in str(caught.value)


@pytest.mark.parametrize("token", [TOKEN, "github_pat_11AA_bb", "gho_x"])
def test_a_token_is_no_variable(token: str) -> None:
    """A token passed to ``env`` is refused, and the message does not repeat it."""
    with pytest.raises(ValueError, match="looks like a token itself") as caught:
        env(token)
    assert token not in str(caught.value)
    assert env("GHE_TOKEN").name == "GHE_TOKEN"


def test_without_secrets() -> None:
    """A token, its likes, and an address's password and query are taken out of a text."""
    said = f"a s3cret b {TOKEN} 'https://me:pass@x.org/a?key=1' c"
    assert without_secrets(said, "s3cret") == "a … b … 'https://…x.org/a…' c"
    assert without_secrets("is it? yes") == "is it? yes"

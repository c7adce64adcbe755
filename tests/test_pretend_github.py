"""The stand-in for GitHub beside ``03_providers.ipynb``: it answers as GitHub does, and then stops."""

from __future__ import annotations

import importlib.util
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

import skillbook as sb

MODULE = Path(__file__).resolve().parent.parent / "notebooks" / "pretend_github.py"


@pytest.fixture(scope="module")
def pretend_github() -> ModuleType:
    """The module that lies beside the notebook."""
    spec = importlib.util.spec_from_file_location("pretend_github", MODULE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server(pretend_github: ModuleType) -> Iterator[Any]:
    """A server that runs during the test."""
    server = pretend_github.PretendGitHub()
    yield server
    server.stop()


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    """A client that passes by any proxy."""
    with httpx.Client(trust_env=False) as client:
        yield client


def test_archive(pretend_github: ModuleType) -> None:
    """An archive holds the files below one folder, and the commit in its header."""
    packed = pretend_github.archive("coast/buoys")
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        assert tar.getnames() == ["coast-buoys-b0a7b0a/bell/SKILL.md"]
        assert tar.pax_headers == {"comment": "b0a7" * 10}


def test_every_repository_has_a_commit(pretend_github: ModuleType) -> None:
    """Each repository stands at a commit of forty hexadecimal digits."""
    assert list(pretend_github.COMMITS) == list(pretend_github.REPOSITORIES)
    assert [len(bytes.fromhex(commit)) for commit in pretend_github.COMMITS.values()] == [20, 20]


def test_answers(server: Any, pretend_github: ModuleType, client: httpx.Client) -> None:
    """It gives the archive of a repository that is there, 404 for all else, and keeps the paths."""
    paths = (
        "/repos/coast/lights/tarball",
        "/repos/coast/gulls/tarball",
        "/repos/coast/lights",
        "/orgs/coast/lights/tarball",
        "/",
    )
    answers = [client.get(server.url + path) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 404, 404, 404, 404]
    with tarfile.open(fileobj=io.BytesIO(answers[0].content)) as tar:
        assert len(tar.getnames()) == len(pretend_github.REPOSITORIES["coast/lights"])
    assert server.requests == list(paths)


def test_quiet(server: Any, client: httpx.Client, capfd: pytest.CaptureFixture[str]) -> None:
    """A request writes nothing, which a notebook would show as an error."""
    client.get(f"{server.url}/repos/coast/lights/tarball")
    assert capfd.readouterr() == ("", "")


def test_the_provider_imports(
    server: Any, pretend_github: ModuleType, client: httpx.Client, tmp_path: Path
) -> None:
    """The provider imports each repository with one request, and knows its commit."""
    github = sb.GitHubProvider(
        allowed_sources="coast/*", cache_dir=tmp_path, base_url=server.url, client=client
    )
    imported = [github.import_source(name) for name in pretend_github.REPOSITORIES]
    assert [each.commit for each in imported] == list(pretend_github.COMMITS.values())
    assert len(server.requests) == len(imported)


def test_stopped(pretend_github: ModuleType, client: httpx.Client) -> None:
    """Once stopped it answers no more."""
    server = pretend_github.PretendGitHub()
    server.stop()
    with pytest.raises(httpx.ConnectError):
        client.get(server.url)

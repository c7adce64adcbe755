"""Importing from GitHub, against a real server on loopback.

Inputs of the field cases im-01, im-05, im-06, im-08, im-11, im-12 and te-11 stand here as they are.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from archives import COMMIT, archive, repository
from github_server import KEY, FakeGitHub, serving

from skillbook.errors import (
    MissingDependency,
    SkillbookError,
    SkillNotFound,
    SkillReadError,
    SkillWarning,
)
from skillbook.kits import errors, protocol
from skillbook.kits.catalog import Catalog
from skillbook.kits.github.provider import GitHubProvider
from skillbook.kits.kit_folder import KitFolder
from skillbook.kits.records import Kit
from skillbook.kits.secret import env
from skillbook.lint.checker import check

TOKEN = "ghp_0123456789abcdefghij"


def document(name: str, description: str = "Does a thing.", body: str = "Body.\n") -> str:
    """Returns the text of a plain ``SKILL.md``."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


KILN = repository({"skills/kiln/SKILL.md": document("kiln", "Fires pots."), "LICENSE": "MIT"})


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A server that has one repository, ``acme/pots``."""
    with serving() as server:
        server.has("acme/pots", KILN)
        yield server


@pytest.fixture
def provider(github: FakeGitHub, tmp_path: Path) -> GitHubProvider:
    """A provider that may import anything from the server."""
    return GitHubProvider(cache_dir=tmp_path / "cache", base_url=github.url, timeout=5)


def left(tmp_path: Path) -> list[str]:
    """Returns every file in the cache."""
    return sorted(
        re.sub(r"tree-\w+", "tree-*", str(path.relative_to(tmp_path)))
        for path in tmp_path.rglob("*")
        if not path.is_dir()
    )


# --- importing ---------------------------------------------------------------------------------


def test_import(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """An import makes one archive request, gives skills with their commit, and a file tree."""
    done = provider.import_source("acme/pots")
    assert (done.reference, done.commit, done.skills, done.from_cache) == (
        "acme/pots",
        COMMIT,
        ("acme/pots:kiln",),
        False,
    )
    assert github.archive_requests == 1
    assert len(github.requests) == 2  # the API, and where it leads
    assert left(tmp_path) == [
        "cache/acme/pots/@default/@all/source.json",
        "cache/acme/pots/@default/@all/tree-*/LICENSE",
        "cache/acme/pots/@default/@all/tree-*/skills/kiln/SKILL.md",
    ]
    skill = Catalog([provider]).skill("acme/pots:kiln")
    assert skill.description == "Fires pots."
    assert skill.content.strip() == "Body."
    assert skill.place.to_dict() == {
        "kit": "acme/pots",
        "provider": "GitHubProvider",
        "repository": "acme/pots",
        "commit": COMMIT,
    }
    assert skill.shown_location == "github:acme/pots/skills/kiln/SKILL.md"


def test_repeated_import(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A repeated import uses the cache and says so; ``update=True`` downloads anew."""
    first = provider.import_source("acme/pots")
    again = provider.import_source("https://github.com/ACME/Pots")
    assert (again.from_cache, again.commit, again.skills) == (True, first.commit, first.skills)
    assert "It was in the cache; nothing was downloaded." in repr(again)
    assert "cache" not in repr(first)
    assert github.archive_requests == 1
    github.has("acme/pots", repository({"s/SKILL.md": document("loom")}, commit="f" * 40))
    updated = provider.import_source("acme/pots", update=True)
    assert (updated.from_cache, updated.commit, updated.skills) == (
        False,
        "f" * 40,
        ("acme/pots:loom",),
    )
    assert [skill.name for skill in Catalog([provider]).kit("acme/pots").skills] == [
        "acme/pots:loom"
    ]


def test_another_provider_finds_it(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """What was imported is there for the next provider, without a request."""
    provider.import_source("acme/pots")
    asked = len(github.requests)
    other = GitHubProvider(cache_dir=tmp_path / "cache", base_url=github.url)
    assert [source.reference for source in other.list_sources()] == ["acme/pots"]
    assert [kit.name for kit in other.list_kits()] == ["github", "acme/pots"]
    assert len(github.requests) == asked


@pytest.mark.parametrize(
    "reference",
    ["https://github.com/o/r", "o/r", "o/r@dev", "o/r@HEAD", "https://github.com/o/r/tree/dev"],
)
def test_default_branch(github: FakeGitHub, provider: GitHubProvider, reference: str) -> None:
    """im-05: without a ref the default branch is imported, whatever it is called."""
    github.has("o/r", repository({"skills/kiln/SKILL.md": document("kiln")}), ref="dev")
    assert provider.import_source(reference).skills[0].endswith(":kiln")


def test_ref_that_is_not_there(github: FakeGitHub, provider: GitHubProvider) -> None:
    """im-05: a ref that does not exist is named, and so is the default branch."""
    github.has("o/r", KILN, ref="dev")
    with pytest.raises(errors.RefNotFoundError) as caught:
        provider.import_source("o/r@main")
    assert str(caught.value) == (
        "the repository o/r has no branch, tag or commit 'main'; its default branch is 'dev'"
    )
    assert len(github.requests) == 2


def test_branch_with_slashes(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A branch with slashes works after an @; from a web address the error says how to write it."""
    github.has("o/r", KILN, ref="feature/new glaze".replace(" ", "-"))
    done = provider.import_source("o/r/skills@feature/new-glaze")
    assert (done.ref, done.path, done.skills) == (
        "feature/new-glaze",
        "skills",
        ("o/r/skills@feature/new-glaze:kiln",),
    )
    assert "/repos/o/r/tarball/feature/new-glaze" in [path for _, path, _ in github.requests]
    with pytest.raises(errors.RefNotFoundError) as caught:
        provider.import_source("https://github.com/o/r/tree/feature/new-glaze/skills")
    assert "write o/r/path@branch" in str(caught.value)
    assert "feature/new-glaze/skills or a part of it" in str(caught.value)


def test_path(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """Only what lies under the path is imported; a path to a SKILL.md means its folder."""
    files = {"s/a/SKILL.md": document("a"), "s/a/x.md": "x", "s/b/SKILL.md": document("b")}
    github.has("o/r", repository(files))
    done = provider.import_source("https://github.com/o/r/blob/main/s/a/SKILL.md")
    assert done.skills == ("o/r/s/a@main:a",)
    assert [path.rpartition("tree-*/")[2] for path in left(tmp_path) if "tree-*/" in path] == [
        "SKILL.md",
        "x.md",
    ]


def test_path_that_is_not_there(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """A path that is not there names the skills that are, and leaves nothing."""
    with pytest.raises(errors.PathNotFoundError, match="Available skill folders: skills/kiln"):
        provider.import_source("acme/pots/skils/kiln")
    assert left(tmp_path) == []


def test_repository_without_skills(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """A repository without a SKILL.md is no source; nothing is left."""
    github.has("o/r", repository({"README.md": "x"}))
    with pytest.raises(errors.PathNotFoundError, match=r"there is no SKILL.md in o/r"):
        provider.import_source("o/r")
    assert left(tmp_path) == []


def test_agents_come_too(github: FakeGitHub, provider: GitHubProvider) -> None:
    """Agents at the root of what was imported are part of its kit."""
    files = {
        "AGENT.md": "---\nname: lead\ndescription: Leads.\n---\nYou lead.\n",
        "agents/potter.md": "---\nname: potter\ndescription: Throws.\n---\nYou throw.\n",
        "s/SKILL.md": document("kiln"),
    }
    github.has("o/r", repository(files))
    assert provider.import_source("o/r").agents == ("lead", "potter")


def test_every_document_is_counted(github: FakeGitHub, provider: GitHubProvider) -> None:
    """im-11: of three SKILL.md two are skills, and the third is there with path, reason and line."""
    files = {
        "skills/one/SKILL.md": document("one", "One."),
        "skills/two/SKILL.md": document("two", "Two."),
        "skills/three/SKILL.md": "---\nname: three\ndescription: [open, three: four\n---\nBody.\n",
    }
    github.has("o/r", repository(files))
    done = provider.import_source("o/r")
    assert done.skills == ("o/r:one", "o/r:two")
    (skip,) = done.skipped
    assert skip.location.endswith("skills/three/SKILL.md")
    assert (skip.reason, skip.line) == ("malformed-frontmatter", 3)
    with pytest.warns(SkillWarning), pytest.raises(SkillNotFound, match="there but broken"):
        Catalog([provider]).skill("o/r:three")


def test_broken_document_asked_for_by_name(github: FakeGitHub, provider: GitHubProvider) -> None:
    """im-11: a broken skill that is asked for by name is said to be there but broken."""
    files = {
        "skills/one/SKILL.md": document("one", "One."),
        "skills/three/SKILL.md": "---\ndescription: [open, three: four\n---\nBody.\n",
    }
    github.has("o/r", repository(files))
    done = provider.import_source("o/r")
    (skip,) = done.skipped
    assert (skip.reason, skip.line) == ("malformed-frontmatter", 2)
    catalog = Catalog([provider])
    with (
        pytest.warns(SkillWarning, match="skills/three/SKILL.md"),
        pytest.raises(SkillNotFound) as caught,
    ):
        catalog.skill("o/r:three")
    assert "It is there but broken: github:o/r/skills/three/SKILL.md" in str(caught.value)
    for tool in catalog.tools():
        assert "there but broken" in tool.call({"name": "o/r:three"}).output


def test_document_that_links_out(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """te-11: an imported SKILL.md that links outside is a skip, and its text is nowhere."""
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "id.txt").write_text("private key\n")
    files = {
        "ok/SKILL.md": document("ok"),
        "leaky/SKILL.md": {"type": "symlink", "target": f"{tmp_path}/keys/id.txt"},
        "agents/spy.md": {"type": "symlink", "target": "../../keys/id.txt"},
    }
    github.has("o/r", repository(files))
    done = provider.import_source("o/r")
    assert done.skills == ("o/r:ok",)
    assert [(skip.reason, skip.detail) for skip in done.skipped] == [
        ("unreadable", "SKILL.md: it is a link that leads out of what was imported")
    ]
    assert [notice.detail for notice in done.notices] == [
        "it is a link that leads out of what was imported"
    ]
    with pytest.warns(SkillWarning):
        source = Catalog([provider]).source()
    told = [repr(done), source.prompt(), source.tool.call({"name": "o/r:ok"}).output, repr(source)]
    assert "private key" not in "".join(told)


def test_check_says_what_the_import_says(github: FakeGitHub, provider: GitHubProvider) -> None:
    """The checker takes no folder of the cache for the author's, and reads no link that leads out."""
    files = {
        "skills/kiln/SKILL.md": document("kiln", "Fires pots. Use when pots are dry."),
        "leaky/SKILL.md": {"type": "symlink", "target": "/etc/passwd"},
    }
    github.has("o/r", repository(files))
    provider.import_source("o/r/skills/kiln")
    assert list(check(Catalog([provider]).source(), select="SB1")) == []
    provider.import_source("o/r")
    with pytest.warns(SkillWarning):
        source = Catalog([provider]).source()
    (skip,) = [skip for skip in source.skipped if skip.reason == "unreadable"]
    assert [(each.rule, each.message) for each in check(source, select="SB1")] == [
        ("SB109", skip.detail)
    ]


def test_links_put_into_the_cache_are_not_followed(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """A link out that somebody puts among imported files is not followed either."""
    provider.import_source("acme/pots")
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "SKILL.md").write_text(document("private", body="private key\n"))
    (tree,) = (tmp_path / "cache/acme/pots/@default/@all").glob("tree-*")
    (tree / "leak").symlink_to(tmp_path / "private")
    (tree / "leak2").mkdir()
    (tree / "leak2" / "SKILL.md").symlink_to(tmp_path / "private" / "SKILL.md")
    (tree / "AGENT.md").symlink_to(tmp_path / "private" / "SKILL.md")
    with pytest.warns(SkillWarning, match="leads out of an imported folder"):
        kit = provider.get_kit("acme/pots")
    assert [skill.name for skill in kit.skills] == ["acme/pots:kiln"]
    assert kit.root_agent is None


def test_imported_names_keep_their_kit(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A stranger's skill cannot take the name of another kit by a colon in its own."""
    github.has("o/r", repository({"s/SKILL.md": document('"files:read"')}))
    assert provider.import_source("o/r").skills == ("o/r:files:read",)


# --- allowed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", ["other/*", "acme/vases", ["x/*", "acme/pots2"], []])
def test_not_allowed(github: FakeGitHub, tmp_path: Path, allowed: object) -> None:
    """What ``allowed_sources`` leaves out is refused before any request."""
    provider = GitHubProvider(allowed, cache_dir=tmp_path, base_url=github.url)
    for reference in ("acme/pots", "https://github.com/Acme/Pots/tree/main/skills"):
        with pytest.raises(errors.NotAllowedError, match="is not allowed; allowed_sources is"):
            provider.import_source(reference)
    assert github.requests == []


@pytest.mark.parametrize("allowed", ["*", "ACME/*", "Acme/Pots", ["x/y", "acme/*"]])
def test_allowed(github: FakeGitHub, tmp_path: Path, allowed: object) -> None:
    """What ``allowed_sources`` takes is imported, without regard to letter case."""
    provider = GitHubProvider(allowed, cache_dir=tmp_path, base_url=github.url)
    assert provider.import_source("acme/Pots").skills == ("acme/Pots:kiln",)


def test_cache_holds_what_is_not_allowed(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """What another provider put into the cache is not served where it is not allowed."""
    provider.import_source("acme/pots")
    strict = GitHubProvider("x/*", cache_dir=tmp_path / "cache", base_url=github.url)
    assert strict.list_sources() == []
    assert [kit.name for kit in strict.list_kits()] == ["github"]
    with pytest.raises(errors.NotAllowedError):
        strict.remove_source("acme/pots")


def test_repository_that_moved(github: FakeGitHub, tmp_path: Path) -> None:
    """A repository that has moved is taken where all is allowed, and refused where names are."""
    place = f"{github.url}/repositories/7/tarball"
    github.answers["/repos/old/name/tarball"] = (301, {"Location": place}, b"")
    archive_at = f"http://localhost:{github.port}/codeload/acme/pots/main"
    github.answers["/repositories/7/tarball"] = (302, {"Location": archive_at}, b"")
    strict = GitHubProvider("old/*", cache_dir=tmp_path / "a", base_url=github.url)
    with pytest.raises(errors.NotAllowedError, match="old/name has moved to another name"):
        strict.import_source("old/name")
    open_ = GitHubProvider(cache_dir=tmp_path / "b", base_url=github.url)
    assert open_.import_source("old/name").skills == ("old/name:kiln",)


# --- the token ---------------------------------------------------------------------------------


def test_token_is_sent_home_alone(github: FakeGitHub, tmp_path: Path) -> None:
    """im-06: the token goes to the API, and to no other host on a redirect."""
    github.has("acme/pots", KILN, token=TOKEN)
    provider = GitHubProvider(api_token=TOKEN, cache_dir=tmp_path, base_url=github.url)
    assert provider.import_source("acme/pots").skills == ("acme/pots:kiln",)
    assert [(host, headers.get("authorization")) for host, _, headers in github.requests] == [
        ("127.0.0.1", f"Bearer {TOKEN}"),
        ("localhost", None),
    ]


def test_token_and_another_port(github: FakeGitHub, tmp_path: Path) -> None:
    """Another port of the same host is another host."""
    with serving() as other:
        other.has("acme/pots", KILN)
        place = f"http://127.0.0.1:{other.port}/codeload/acme/pots/main"
        github.answers["/repos/acme/pots/tarball"] = (302, {"Location": place}, b"")
        provider = GitHubProvider(api_token=TOKEN, cache_dir=tmp_path, base_url=github.url)
        provider.import_source("acme/pots")
        assert [headers.get("authorization") for _, _, headers in other.requests] == [None]


def test_token_is_nowhere(
    github: FakeGitHub,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The token stands in no repr, message, traceback, log or saved file."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    github.has("acme/pots", KILN, token=TOKEN)
    github.answers["/repos/a/refused/tarball"] = (401, {}, b"{}")
    github.answers["/repos/a/broken/tarball"] = (500, {}, TOKEN.encode()[:0] + b"{}")
    told = []
    for given in (TOKEN, env("GITHUB_TOKEN")):
        provider = GitHubProvider(api_token=given, cache_dir=tmp_path, base_url=github.url)
        told += [repr(provider), repr(provider.import_source("acme/pots", update=True))]
        told += [repr(vars(provider)), repr(vars(vars(provider)["_api"]))]
        for reference in ("a/none", "a/refused", "a/broken", "acme/pots@none", "acme/pots/none"):
            with pytest.raises(SkillbookError) as caught:
                provider.import_source(reference)
            told += traceback.format_exception(caught.value)
        with pytest.raises(TypeError):
            pickle.dumps(provider)
    told += [record.getMessage() for record in caplog.records]
    told += [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert TOKEN not in "\n".join(told)
    assert any("authorization" in headers for _, _, headers in github.requests)


def test_key_of_the_archive_is_in_no_message(github: FakeGitHub, provider: GitHubProvider) -> None:
    """The key in the address of an archive is in no message either."""
    github.body = "truncated"
    with pytest.raises(errors.NetworkError) as caught:
        provider.import_source("acme/pots")
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_env_is_read_when_used(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``env`` is read at the import, not when the provider is made."""
    monkeypatch.delenv("SB_TOKEN", raising=False)
    github.has("acme/pots", KILN, token=TOKEN)
    provider = GitHubProvider(api_token=env("SB_TOKEN"), cache_dir=tmp_path, base_url=github.url)
    with pytest.raises(errors.RepositoryNotFoundError, match="give a token"):
        provider.import_source("acme/pots")
    monkeypatch.setenv("SB_TOKEN", TOKEN)
    assert provider.import_source("acme/pots").commit == COMMIT
    assert provider.token == "env('SB_TOKEN')"


# --- errors ------------------------------------------------------------------------------------


def test_not_found_or_private(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """A repository that is not there or private says so, and says to give a token."""
    github.has("acme/private", KILN, token=TOKEN)
    for reference in ("acme/none", "acme/private", "acme/private@main"):
        with pytest.raises(errors.RepositoryNotFoundError) as caught:
            provider.import_source(reference)
        assert 'api_token=env("GITHUB_TOKEN")' in str(caught.value)
        assert reference.partition("@")[0] in str(caught.value)
    assert left(tmp_path) == []


def test_rate_limit(github: FakeGitHub, tmp_path: Path) -> None:
    """im-06: a rate limit is told with the time of its reset, and that a token raises it."""
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1900000000"}
    github.answers["/repos/o/r/tarball"] = (403, headers, b"API rate limit exceeded")
    provider = GitHubProvider(cache_dir=tmp_path, base_url=github.url)
    with pytest.raises(errors.RateLimitError) as caught:
        provider.import_source("https://github.com/o/r")
    assert caught.value.reset == 1_900_000_000
    assert str(caught.value) == (
        "GitHub takes no more requests for now; the limit resets at 2030-03-17 17:46 UTC; a token"
        ' raises the limit: api_token=env("GITHUB_TOKEN")'
    )
    assert len(github.requests) == 1
    known = GitHubProvider(api_token=TOKEN, cache_dir=tmp_path, base_url=github.url)
    with pytest.raises(errors.RateLimitError) as caught:
        known.import_source("o/r")
    assert "token" not in str(caught.value)
    assert github.requests[-1][2]["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    ("status", "headers", "body", "error", "said"),
    [
        (429, {}, b"", errors.RateLimitError, "takes no more requests for now; a token"),
        (403, {"retry_after": "60"}, b"", errors.RateLimitError, "asks to wait 60 seconds"),
        (
            403,
            {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "soon"},
            b"",
            errors.RateLimitError,
            "for now; a token",
        ),
        (
            403,
            {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "9" * 30},
            b"",
            errors.RateLimitError,
            "for now; a token",
        ),
        (
            403,
            {},
            b'{"message": "Blocked by\\nthe owner"}',
            errors.ForbiddenError,
            "Blocked by the owner",
        ),
        (
            403,
            {},
            b"<html>",
            errors.ForbiddenError,
            "refuses access to o/r (403); if it is private",
        ),
        (451, {}, b"{}", errors.ForbiddenError, "(451)"),
        (401, {}, b"{}", errors.ForbiddenError, "does not accept the token"),
        (500, {}, b"[1]", errors.NetworkError, "status 500; try again later"),
        (502, {}, b'{"message": 7}', errors.NetworkError, "status 502; try again later"),
        (204, {}, b"", errors.NetworkError, "status 204"),
    ],
)
def test_refusals(
    github: FakeGitHub, provider: GitHubProvider, status, headers, body, error, said
) -> None:
    """Each refusal gives an error of its kind that says what to do."""
    github.answers["/repos/o/r/tarball"] = (status, headers, body)
    with pytest.raises(error) as caught:
        provider.import_source("o/r")
    assert said in str(caught.value)


def test_refusal_while_asking_why(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A refusal at the second question, what is not there, is told as what it is."""
    github.answers["/repos/o/r"] = (403, {"x_ratelimit_remaining": "0"}, b"")
    with pytest.raises(errors.RateLimitError):
        provider.import_source("o/r@v1")


def test_empty_repository(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A repository without a commit is said to be empty."""
    github.answers["/repos/o/r"] = (200, {}, b'{"default_branch": "main"}')
    with pytest.raises(errors.RefNotFoundError, match="o/r is empty"):
        provider.import_source("o/r")


def test_network_down(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """Without a network, the error says so and what was imported, which still serves."""
    provider.import_source("acme/pots")
    with serving() as gone:
        address = gone.url
    away = GitHubProvider(cache_dir=tmp_path / "cache", base_url=address)
    with pytest.raises(errors.NetworkError) as caught:
        away.import_source("o/r")
    assert str(caught.value) == "there is no connection to 127.0.0.1. Imported are: acme/pots."
    with pytest.raises(errors.NetworkError, match="imported of acme/pots before stays, and serves"):
        away.import_source("acme/pots", update=True)
    assert away.import_source("acme/pots").from_cache
    assert Catalog([away]).skill("acme/pots:kiln").content
    empty = GitHubProvider(cache_dir=tmp_path / "empty", base_url=address)
    with pytest.raises(errors.NetworkError, match="Nothing is imported so far"):
        empty.import_source("o/r")


@pytest.mark.parametrize("body", ["whole", "chunked", "slow"])
def test_bodies_that_come(github: FakeGitHub, provider: GitHubProvider, body: str) -> None:
    """An archive comes whole with a length, in chunks, and slowly."""
    github.body = body
    assert provider.import_source("acme/pots").skills == ("acme/pots:kiln",)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("truncated", errors.NetworkError),
        ("broken-chunks", errors.NetworkError),
        ("cut", errors.BrokenArchiveError),
    ],
)
def test_bodies_that_break_off(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path, body: str, error: type
) -> None:
    """An archive that breaks off is refused and leaves nothing; what was there before stays."""
    github.body = body
    with pytest.raises(error):
        provider.import_source("acme/pots")
    assert left(tmp_path) == []
    github.body = "whole"
    provider.import_source("acme/pots")
    before = left(tmp_path)
    github.body = body
    with pytest.raises(error):
        provider.import_source("acme/pots", update=True)
    assert left(tmp_path) == before
    assert provider.import_source("acme/pots").from_cache


def test_body_that_stalls(github: FakeGitHub, tmp_path: Path) -> None:
    """An archive that stops in the middle is given up after the timeout; nothing is left."""
    github.body = "stalled"
    provider = GitHubProvider(cache_dir=tmp_path, base_url=github.url, timeout=0.3)
    started = time.monotonic()
    with pytest.raises(
        errors.NetworkError, match="did not answer in time, or stopped in the middle"
    ):
        provider.import_source("acme/pots")
    assert time.monotonic() - started < 5
    assert left(tmp_path) == []


def test_archive_over_the_cap(github: FakeGitHub, tmp_path: Path) -> None:
    """im-12: a download over the cap is given up, with a length and without one."""
    github.has("o/r", repository({"SKILL.md": document("a"), "x": os.urandom(50_000)}))
    provider = GitHubProvider(cache_dir=tmp_path, base_url=github.url, max_bytes=20_000)
    for body in ("whole", "chunked"):
        github.body = body
        with pytest.raises(errors.TooLargeError, match="over 20,000 bytes; raise max_bytes"):
            provider.import_source("o/r")
    assert left(tmp_path) == []


def test_unsafe_archive(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """im-01: an archive with members that leave is refused, and nothing of it is anywhere."""
    members = [
        {"name": "repo-abc/skills/ok/SKILL.md", "text": document("ok", "Fine.")},
        {"name": "../escape.txt", "text": "x"},
    ]
    github.has("o/r", archive(members))
    with pytest.raises(errors.UnsafeArchiveError):
        provider.import_source("o/r")
    assert left(tmp_path) == []


def test_modes(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """im-08: a script is executable after the import, and no more than 0755."""
    script = {"text": "#!/bin/sh\n", "mode": "4777"}
    github.has("o/r", repository({"SKILL.md": document("ok"), "scripts/go": script}))
    provider.import_source("o/r")
    (path,) = tmp_path.rglob("go")
    assert path.stat().st_mode & 0o7777 == 0o755


def test_endless_redirects(github: FakeGitHub, provider: GitHubProvider) -> None:
    """Redirects that go round are given up."""
    place = f"{github.url}/round"
    github.answers["/repos/o/r/tarball"] = (302, {"Location": place}, b"")
    github.answers["/round"] = (302, {"Location": place}, b"")
    with pytest.raises(errors.NetworkError, match="led on and on"):
        provider.import_source("o/r")
    assert len(github.requests) < 10


def test_redirect_to_a_file(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A redirect to something that is no web address is not followed."""
    github.answers["/repos/o/r/tarball"] = (302, {"Location": "file:///etc/passwd"}, b"")
    with pytest.raises(errors.NetworkError, match="not followed"):
        provider.import_source("o/r")


def test_cache_that_cannot_be_written(github: FakeGitHub, tmp_path: Path) -> None:
    """A cache folder that is a file gives an error of ours."""
    (tmp_path / "cache").write_text("x")
    provider = GitHubProvider(cache_dir=tmp_path / "cache", base_url=github.url)
    with pytest.raises(errors.SkillImportError, match="cannot be written to the cache"):
        provider.import_source("acme/pots")


# --- interruption and processes ----------------------------------------------------------------


def test_interrupted(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path, monkeypatch
) -> None:
    """An import that is interrupted while downloading or unpacking leaves nothing."""
    from skillbook.kits.github import archive as unpacking
    from skillbook.kits.github.http import Api

    def interrupt(*args: object, **more: object) -> None:
        raise KeyboardInterrupt

    for where, name in ((Api, "_save"), (unpacking, "unpack"), (unpacking, "_write")):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, interrupt)
            with pytest.raises(KeyboardInterrupt):
                provider.import_source("acme/pots")
        assert left(tmp_path) == []
    assert provider.import_source("acme/pots").skills == ("acme/pots:kiln",)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_process_that_is_stopped(github: FakeGitHub, tmp_path: Path, how: signal.Signals) -> None:
    """A process stopped while downloading leaves no source; where it can, it leaves nothing."""
    github.body = "stalled"
    code = textwrap.dedent("""
        import sys
        from skillbook.kits.github.provider import GitHubProvider
        GitHubProvider(cache_dir=sys.argv[1], base_url=sys.argv[2]).import_source("acme/pots")
    """)
    command = [sys.executable, "-c", code, str(tmp_path), github.url]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not any("/codeload/" in path for _, path, _ in github.requests):
        time.sleep(0.01)
        assert process.poll() is None
    time.sleep(0.2)
    process.send_signal(how)
    process.communicate(timeout=30)
    assert process.returncode == -how
    assert GitHubProvider(cache_dir=tmp_path).list_sources() == []
    if how == signal.SIGINT:
        assert left(tmp_path) == []


def test_two_processes_at_once(github: FakeGitHub, tmp_path: Path) -> None:
    """Two processes that import one source at once both have it whole."""
    github.body = "slow"
    code = textwrap.dedent("""
        import sys
        from skillbook.kits.github.provider import GitHubProvider
        provider = GitHubProvider(cache_dir=sys.argv[1], base_url=sys.argv[2])
        for turn in range(3):
            done = provider.import_source("acme/pots", update=turn > 0)
            assert done.skills == ("acme/pots:kiln",), done
        print(provider.get_kit("acme/pots").skills[0].content.strip())
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "cache"), github.url]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.communicate(timeout=60) for process in both] == [("Body.\n", "")] * 2
    assert [path for path in left(tmp_path) if ".importing" in path] == []


def test_threads_at_once(github: FakeGitHub, provider: GitHubProvider) -> None:
    """Threads that import and query at once do no harm."""
    failed: list[BaseException] = []

    def work(update: bool) -> None:
        try:
            for _ in range(5):
                provider.import_source("acme/pots", update=update)
                protocol.survey(provider)
        except BaseException as error:  # noqa: BLE001 - told by the assert below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number == 0,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(provider.get_kit("acme/pots").skills) == 1


# --- listing, removing, and the kit github -----------------------------------------------------


def test_list_and_remove(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """Sources are listed in order, and removed by their reference; the next query shows it."""
    provider.import_source("acme/pots@main")
    provider.import_source("acme/pots/skills")
    catalog = Catalog([provider])
    assert [source.reference for source in provider.list_sources()] == [
        "acme/pots/skills",
        "acme/pots@main",
    ]
    assert provider.remove_source("ACME/pots@main").skills == ("acme/pots@main:kiln",)
    assert [kit.name for kit in catalog.kits()] == ["github", "acme/pots/skills"]
    with pytest.raises(errors.NotImportedError, match="Imported are: acme/pots/skills"):
        provider.remove_source("acme/pots@main")
    provider.remove_source("acme/pots/skills")
    assert left(tmp_path) == []


def test_get_kit(github: FakeGitHub, provider: GitHubProvider) -> None:
    """One kit is found by its reference; an unknown name lists those that are there."""
    github.has("o/broken", repository({"s/SKILL.md": document("a"), "t/SKILL.md": "no\n"}))
    provider.import_source("acme/pots")
    provider.import_source("o/broken")
    assert provider.get_kit("acme/pots").name == "acme/pots"  # no warning of the other's file
    with pytest.raises(errors.KitNotFound, match="Available kits: acme/pots, github, o/broken"):
        provider.get_kit("x")


def test_stale_record(github: FakeGitHub, provider: GitHubProvider) -> None:
    """hr-03: after a removal, an old source's tool call gives an error and no traceback."""
    provider.import_source("acme/pots")
    source = Catalog([provider]).source()
    provider.remove_source("acme/pots")
    result = source.tool.call({"name": "acme/pots:kiln"})
    assert result.is_error
    assert result.output == (
        "the files of skill 'acme/pots:kiln' are gone: acme/pots was updated or removed since this"
        " skill was listed; ask the catalogue for the skill again"
    )


def test_skill_held_over_an_update(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A skill of before an update says why it cannot be read and what to do; anew it reads."""
    provider.import_source("acme/pots")
    catalog = Catalog([provider])
    held = catalog.skill("acme/pots:kiln")
    provider.import_source("acme/pots", update=True)
    for read in (held.files, lambda: held.content):
        with pytest.raises(SkillReadError, match="acme/pots was updated or removed"):
            read()
    again = catalog.skill("acme/pots:kiln")
    assert again.content.strip() == "Body."
    os.unlink(again.location)  # the source is there, its file is not
    with pytest.raises(SkillReadError, match="it does not exist"):
        again.content  # noqa: B018 - reading is the test


def test_failed_update(github: FakeGitHub, provider: GitHubProvider) -> None:
    """Whatever ends an update, the error says that what was imported before stays."""
    provider.import_source("acme/pots")
    stays = "What was imported of acme/pots before stays, and serves."
    for answer, kind in (
        (b"no archive", errors.BrokenArchiveError),
        (repository({"README.md": "x"}), errors.PathNotFoundError),
    ):
        github.has("acme/pots", answer)
        with pytest.raises(kind) as caught:
            provider.import_source("acme/pots", update=True)
        assert str(caught.value).endswith(f". {stays}")
    with pytest.raises(errors.RepositoryNotFoundError) as caught:
        provider.import_source("acme/none", update=True)
    assert stays not in str(caught.value)
    assert provider.get_kit("acme/pots").skill("kiln").content.strip() == "Body."


def test_own_kit_where_all_is_allowed(provider: GitHubProvider) -> None:
    """With the default ``*`` no import is offered to a model, and a notice says why."""
    kit = provider.get_kit("github")
    assert [skill.name for skill in kit.skills] == ["github:list", "github:remove"]
    assert [notice.kind for notice in kit.notices] == ["not-offered"]
    catalog = Catalog([provider])
    assert "github:import" not in catalog.source().prompt()
    assert catalog.tools()[1].call({"name": "github:import", "arguments": "acme/pots"}).is_error


def test_own_kit_where_nothing_is_allowed(tmp_path: Path) -> None:
    """With no allowed source no import is offered, and the notice says so."""
    provider = GitHubProvider([], cache_dir=tmp_path)
    kit = provider.get_kit("github")
    assert [skill.name for skill in kit.skills] == ["github:list", "github:remove"]
    assert [notice.detail for notice in kit.notices] == [
        "github:import is left out: allowed_sources is empty, so nothing may be imported"
    ]
    assert "github:import not offered to models" in repr(provider)


@pytest.mark.parametrize("allowed", ["*", ["acme/*", "*"]])
def test_any_star_offers_nothing(tmp_path: Path, allowed: object) -> None:
    """A star among other patterns allows everything, so it offers no import either."""
    assert not GitHubProvider(allowed, cache_dir=tmp_path).offers_import


def test_own_kit_runs(github: FakeGitHub, tmp_path: Path) -> None:
    """The three skills of the kit ``github`` run, and each answers with a sentence."""
    provider = GitHubProvider("acme/*", cache_dir=tmp_path, base_url=github.url)
    catalog = Catalog([provider])
    kit = provider.get_kit("github")
    assert [skill.name for skill in kit.skills] == ["github:import", "github:list", "github:remove"]
    assert "Allowed are: acme/*." in kit.skills[0].description
    assert str(catalog.activate("github:list")) == "No source is imported from GitHub so far."
    assert str(catalog.activate("github:import", "acme/pots")) == (
        f"Imported acme/pots at commit {COMMIT}, 1 skill: acme/pots:kiln."
    )
    assert str(catalog.activate("github:import", {"reference": "acme/pots"})).endswith(
        "It was in the cache; nothing was downloaded."
    )
    assert not catalog.activate("acme/pots:kiln").is_error
    assert str(catalog.activate("github:list")) == (
        f"1 source imported from GitHub:\n- acme/pots at commit {COMMIT}, 1 skill: acme/pots:kiln."
    )
    catalog.activate("github:import", {"reference": "acme/pots", "update": True})
    assert github.archive_requests == 2
    assert (
        str(catalog.activate("github:remove", "acme/pots")) == "Removed acme/pots and its 1 skill."
    )


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("github:import", "evil/pots", "Nothing was imported: evil/pots is not allowed"),
        ("github:import", "", "Nothing was imported: the reference is ''"),
        (
            "github:import",
            "acme/none",
            "Nothing was imported: the repository acme/none is not there",
        ),
        ("github:remove", "acme/none", "Nothing was removed: acme/none is not imported"),
        ("github:import", '{"reference": 7}', "Nothing was imported: '7' names no repository"),
        (
            "github:import",
            '{"repo": "acme/pots"}',
            "Nothing was imported: the arguments name no reference; pass the reference as the"
            " arguments, such as owner/repo",
        ),
        ("github:remove", '{"ref": "acme/none"}', "Nothing was removed: acme/none is not imported"),
    ],
)
def test_own_kit_refuses(
    github: FakeGitHub, tmp_path: Path, name: str, arguments: str, said: str
) -> None:
    """What cannot be done is an error result that says what to do."""
    provider = GitHubProvider("acme/*", cache_dir=tmp_path, base_url=github.url)
    result = Catalog([provider]).activate(name, arguments)
    assert result.is_error
    assert str(result).startswith(said)


def test_own_skills_can_be_read(provider: GitHubProvider) -> None:
    """The bodies of the three skills say how to use them; the skill tool gives them as they are."""
    result = Catalog([provider]).source().tool.call({"name": "github:remove"})
    assert "Activate this skill with the reference as its arguments" in result.output


def test_damaged_import(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """A source whose record is damaged gives a notice and a warning; the others serve."""
    provider.import_source("acme/pots")
    provider.import_source("acme/pots/skills")
    (tmp_path / "cache/acme/pots/@default/@all/source.json").write_text("{")
    catalog = Catalog([provider])
    with pytest.warns(SkillWarning, match="github-cache/acme/pots/@default/@all .*import it again"):
        assert [kit.name for kit in catalog.kits()] == ["github", "acme/pots/skills"]
    assert [notice.kind for notice in catalog.view().notices] == ["broken-import"]
    assert provider.remove_source("acme/pots").skills == ()
    assert catalog.notices() == []
    with pytest.raises(errors.NotImportedError):
        provider.remove_source("acme/pots")
    assert catalog.skill("acme/pots/skills:kiln").content


# --- a bar, a mock, light imports --------------------------------------------------------------


def test_progress_bar(github: FakeGitHub, provider: GitHubProvider, monkeypatch, capsys) -> None:
    """A bar shows what was downloaded once it takes long; short work prints nothing."""
    import tqdm.auto

    provider.import_source("acme/pots")
    assert capsys.readouterr() == ("", "")
    seen: list[tuple[int, int | None]] = []
    real = tqdm.auto.tqdm

    class Watched(real):
        def __init__(self, *args: object, **more: object) -> None:
            assert more["delay"] == 2
            super().__init__(*args, **{**more, "delay": 0, "mininterval": 0, "miniters": 1})

        def update(self, n: float = 1) -> None:
            super().update(n)
            seen.append((self.n, self.total))

    monkeypatch.setattr(tqdm.auto, "tqdm", Watched)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    github.body = "slow"
    provider.import_source("acme/pots", update=True)
    assert seen[-1] == (len(KILN), len(KILN))
    assert "Importing acme/pots" in capsys.readouterr().err


def test_own_client(tmp_path: Path) -> None:
    """A client that is given is used for all, and is left open; nothing is asked of the network."""
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        if request.url.host == "api.github.com":
            place = "https://codeload.github.com/acme/pots/legacy.tar.gz/HEAD"
            return httpx.Response(302, headers={"Location": place})
        return httpx.Response(200, content=KILN)

    with httpx.Client(transport=httpx.MockTransport(answer), follow_redirects=True) as client:
        provider = GitHubProvider(cache_dir=tmp_path, client=client)
        assert provider.import_source("acme/pots").commit == COMMIT
        assert not client.is_closed
    assert asked == [
        "https://api.github.com/repos/acme/pots/tarball",
        "https://codeload.github.com/acme/pots/legacy.tar.gz/HEAD",
    ]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_token_over_mock_redirects(tmp_path: Path, status: int) -> None:
    """With any kind of redirect the token stays with the API's host, scheme and port."""
    sent: dict[str, str | None] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        sent[str(request.url)] = request.headers.get("authorization")
        if request.url.host == "api.github.com":
            return httpx.Response(
                status, headers={"Location": "https://api.github.com.evil.example/x"}
            )
        return httpx.Response(200, content=KILN)

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        GitHubProvider(api_token=TOKEN, cache_dir=tmp_path, client=client).import_source("a/b")
    assert sent == {
        "https://api.github.com/repos/a/b/tarball": f"Bearer {TOKEN}",
        "https://api.github.com.evil.example/x": None,
    }


def test_from_secure_to_open(tmp_path: Path) -> None:
    """A redirect from https to http is not followed."""

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"Location": "http://codeload.github.com/x"})

    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        provider = GitHubProvider(cache_dir=tmp_path, client=client)
        with pytest.raises(errors.NetworkError, match="is not followed"):
            provider.import_source("a/b")


def test_without_an_http_client(provider: GitHubProvider, monkeypatch, tmp_path: Path) -> None:
    """Without httpx an import says what to install, and leaves nothing."""
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingDependency, match="pip install httpx"):
        provider.import_source("acme/pots")
    assert left(tmp_path) == []


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    """Making a provider and querying it loads no HTTP client, no tarfile, no progress bar."""
    code = textwrap.dedent("""
        import sys
        from skillbook.kits.catalog import Catalog
        from skillbook.kits.github.provider import GitHubProvider
        from skillbook.kits.local import LocalProvider
        from skillbook.kits.memory import MemoryProvider
        from skillbook.kits.package import PackageKit
        Catalog([GitHubProvider(cache_dir=sys.argv[1]), MemoryProvider()]).skills()
        heavy = ("httpx", "tarfile", "tqdm", "platformdirs", "asyncio", "IPython", "zipfile")
        print([name for name in heavy if name in sys.modules])
    """)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"base_url": "api.github.com"}, ValueError),
        ({"base_url": None}, ValueError),
        ({"base_url": "https://me:secret@ghe.example"}, ValueError),
        ({"max_bytes": 0}, ValueError),
        ({"max_files": "many"}, TypeError),
        ({"max_ratio": True}, TypeError),
        ({"timeout": "x"}, TypeError),
        ({"timeout": None}, TypeError),
        ({"timeout": True}, TypeError),
        ({"timeout": 0}, ValueError),
        ({"timeout": -1}, ValueError),
        ({"timeout": float("nan")}, ValueError),
        ({"timeout": float("inf")}, ValueError),
        ({"client": 5}, TypeError),
        ({"client": httpx.AsyncClient()}, TypeError),
        ({"api_token": 7}, TypeError),
        ({"allowed_sources": "acme"}, ValueError),
    ],
)
def test_wrong_arguments(arguments: dict, error: type[Exception]) -> None:
    """Wrong arguments are refused when the provider is made, with what to pass."""
    with pytest.raises(error, match=r"pass|write"):
        GitHubProvider(**arguments)


def test_closed_client(github: FakeGitHub, tmp_path: Path) -> None:
    """A client that was closed is named, and no traceback of a library's is left to read."""
    client = httpx.Client(trust_env=False)
    provider = GitHubProvider(cache_dir=tmp_path, base_url=github.url, client=client)
    client.close()
    with pytest.raises(errors.NetworkError, match="the client is closed; make the provider with"):
        provider.import_source("acme/pots")


def test_enterprise_addresses(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A pasted address on the API's own host is taken too."""
    assert provider.import_source(f"{github.url}/acme/pots/tree/main").ref == "main"


def test_repr(github: FakeGitHub, tmp_path: Path) -> None:
    """A repr says what is allowed, whether there is a token, and what was imported."""
    provider = GitHubProvider("Acme/*", TOKEN, tmp_path, github.url)
    provider.import_source("acme/pots")
    assert repr(provider) == (
        f"<GitHubProvider: allowed acme/*, token given, at {github.url}, github:import offered to"
        f" models; 1 imported source: acme/pots at {COMMIT}>"
    )
    assert repr(GitHubProvider(cache_dir=tmp_path / "none")) == (
        "<GitHubProvider: allowed *, token none, github:import not offered to models;"
        " 0 imported sources>"
    )


def test_warnings_once(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A broken file is told once under Python's own filter, not at every query."""
    github.has("o/r", repository({"s/SKILL.md": document("a"), "t/SKILL.md": "no\n"}))
    provider.import_source("o/r")
    catalog = Catalog([provider])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        catalog.kits()
        catalog.skills()
    assert len(caught) == 1


def test_update_while_a_kit_is_read(
    github: FakeGitHub, provider: GitHubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A query during which an update took the old files away gives the new ones, whole."""
    provider.import_source("acme/pots")
    other = "f" * 40
    files = {"skills/new/SKILL.md": document("new")}
    github.has("acme/pots", repository(files, commit=other))
    whole = KitFolder.kit
    turns = []

    def late(folder: KitFolder) -> Kit:
        turns.append(folder)
        if len(turns) == 1:
            provider.import_source("acme/pots", update=True)
        return whole(folder)

    monkeypatch.setattr(KitFolder, "kit", late)
    kit = provider.get_kit("acme/pots")
    assert ([skill.name for skill in kit.skills], kit.metadata["commit"]) == (
        ["acme/pots:new"],
        other,
    )


def test_no_secret_in_errors(github: FakeGitHub, tmp_path: Path) -> None:
    """A token that the server echoes, and keys in a pasted address, are in no message."""
    token = "s3cret-token"
    made = GitHubProvider("*", token, tmp_path / "cache", github.url)
    body = json.dumps({"message": "x" * 295 + token}).encode()
    github.answers["/repos/o/r/tarball"] = (403, {}, body)
    for ref in ("o/r", f"https://me:{token}@x.example/o/r?key=ghp_abc", f"o/r@{token}~"):
        with pytest.raises(errors.SkillImportError) as caught:
            made.import_source(ref)
        said = repr(caught.value) + repr(caught.value.__cause__)
        assert not any(part in said for part in ("s3cr", "ghp_", "me:"))


def test_endless_numbers(github: FakeGitHub, provider: GitHubProvider) -> None:
    """A time to wait of thousands of digits gives the error of a limit, without a time."""
    github.answers["/repos/o/r/tarball"] = (429, {"retry_after": "9" * 5000}, b"")
    with pytest.raises(errors.RateLimitError) as caught:
        provider.import_source("o/r")
    assert (caught.value.reset, "wait" in str(caught.value)) == (None, False)


def test_file_inside_a_skill(github: FakeGitHub, provider: GitHubProvider) -> None:
    """The address of a file inside a skill names the skill above it."""
    github.has("o/r", repository({"s/a/SKILL.md": document("a"), "s/a/run/x.py": "x"}))
    with pytest.raises(errors.PathNotFoundError) as caught:
        provider.import_source("https://github.com/o/r/blob/main/s/a/run/x.py")
    assert str(caught.value) == (
        "there is no SKILL.md in o/r/s/a/run@main; it lies in a skill: import o/r/s/a@main"
    )


def test_files_that_are_gone(github: FakeGitHub, provider: GitHubProvider, tmp_path: Path) -> None:
    """A source whose files were deleted is told by the catalogue, and imported anew."""
    provider.import_source("acme/pots")
    (tree,) = (tmp_path / "cache/acme/pots/@default/@all").glob("tree-*")
    shutil.rmtree(tree)
    kinds = [notice.kind for notice in Catalog([provider]).view().notices]
    assert kinds == ["broken-import"]
    assert provider.import_source("acme/pots").from_cache is False


def test_folders_of_an_open_umask(
    github: FakeGitHub, provider: GitHubProvider, tmp_path: Path
) -> None:
    """Folders are at most 0755, whatever the umask."""
    before = os.umask(0)
    try:
        provider.import_source("acme/pots")
    finally:
        os.umask(before)
    folders = [path for path in (tmp_path / "cache").rglob("*") if path.is_dir()]
    assert len(folders) > 4
    assert [path for path in folders if path.stat().st_mode & 0o022] == []

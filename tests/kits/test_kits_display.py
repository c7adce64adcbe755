"""Displays of kits: the facts in words, hostile text as text, the same bytes, within bounds."""

from __future__ import annotations

import re
import time
import warnings
from html.parser import HTMLParser
from pathlib import Path

import pytest
from archives import COMMIT, repository
from github_server import serving
from hypothesis import given
from hypothesis import strategies as st

from skillbook import display
from skillbook.display.kits import DRAWN
from skillbook.display.markup import FOREIGN_CLASSES, PREFIX, TAGS, Markup
from skillbook.kits import protocol
from skillbook.kits.catalog import Catalog
from skillbook.kits.github.provider import GitHubProvider
from skillbook.kits.local import LocalProvider
from skillbook.kits.memory import MemoryProvider, SourceProvider
from skillbook.kits.package import PackageKit
from skillbook.kits.records import Agent, Failure, Kit, Shadowed
from skillbook.model import Notice, SkillDef, SkillSkip
from skillbook.source import load_skills
from trees import build, skill


def draw(record: object) -> Markup:
    """The display of a record, held to the tags and attributes that a display may use."""
    kind = next(each for each in type(record).__mro__ if each in DRAWN)
    html = DRAWN[kind](record)
    assert type(html) is Markup
    Held().feed(html)
    return html


class Held(HTMLParser):
    """Holds a fragment to the short list of tags, attributes and classes."""

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS
        for name, value in attrs:
            if name == "class":
                names = value.split()
                assert all(each.startswith(PREFIX) or each in FOREIGN_CLASSES for each in names)
            else:
                assert name in TAGS[tag]


def text_of(html: str) -> str:
    """What a reader without any style sees, on one line."""
    shown = re.sub(r"<[^>]*>", " ", html)
    return " ".join(shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").split())


LEAD = Agent(
    "lead",
    "Leads all.",
    "# You\n\nLead <b>all</b>.",
    ("read", "write"),
    "small",
    "/x/AGENT.md",
    {"team": ["a"]},
)
FILES = Kit(
    "files",
    [SkillDef("read", "B", "Reads files."), SkillDef("go", "B", "Goes.", handler=print)],
    [Agent("helper", "Helps.")],
    LEAD,
    {"folder": "kits/files"},
    skipped=[SkillSkip("/x/SKILL.md", "missing-name", "no name", 3)],
    notices=[Notice("/x", "left-out", "it is a link")],
)


class Broken:
    """A provider that raises."""

    def list_kits(self):
        """Raises."""
        raise OSError("the disk is gone")


class Shelf:
    """A provider of fixed kits."""

    def __init__(self, *kits: Kit) -> None:
        self.kits = kits

    def list_kits(self):
        """Gives the kits."""
        return self.kits


def test_kit() -> None:
    """A kit shows its skills, agents, metadata, skips and notices."""
    told = text_of(draw(FILES))
    for fact in (
        "files (kit)",
        "2 skills , 2 agents , 1 skill that runs , 1 skipped , 1 notice",
        "folder kits/files",
        "files:read Reads files.",
        "lead (root agent) (model small): Leads all.",
        "helper : Helps.",
        "/x/SKILL.md missing-name , line 3: no name",
        "/x left-out : it is a link",
    ):
        assert fact in told or fact.replace(" :", ":") in told, fact
    assert "No skills." in text_of(draw(Kit("empty")))


def test_agent() -> None:
    """An agent shows what it is for, its fields and its prompt, whose HTML stays text."""
    html = draw(LEAD)
    told = text_of(html)
    for fact in (
        "lead (agent)",
        "Leads all.",
        "location /x/AGENT.md",
        "model small",
        "read",
        "team",
    ):
        assert fact in told, fact
    assert "Lead <b>all</b>." in told
    assert "<b>" not in html
    assert "There is no system prompt." in text_of(draw(Agent("a", "D")))


def test_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue shows kits with providers, skills, agents, what is shadowed, failed, skipped."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "k", {"skills/a/SKILL.md": skill("a"), "skills/b/SKILL.md": "no\n"})
    catalog = Catalog(
        [Shelf(FILES), LocalProvider("k"), Shelf(FILES), Broken(), LocalProvider("none")]
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = text_of(draw(catalog))
    for fact in (
        "Catalog",
        "2 kits , 3 skills , 2 agents , from 5 providers , 5 shadowed , 1 failed provider",
        "The provider Broken failed: OSError: the disk is gone",
        "files Shelf 2 2 1",
        "k LocalProvider(dir='k') 1 0 1",
        "k:a Does a thing.",
        "lead (root agent)",
        "kit files of Shelf 2: the name is taken by Shelf",
        "skill files:read of Shelf 2 in skill://files:read/ : the name is taken by Shelf",
        "k/skills/b/SKILL.md missing-name",
        "none missing-root",
    ):
        assert fact in told or fact.replace(" :", ":") in told, fact
    assert str(tmp_path) not in told
    assert text_of(draw(catalog.view())) == told
    assert "No kits." in text_of(draw(Catalog([])))


def test_local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider of folders shows them as typed, the kits in them, and what gave none."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "k", {"skills/a/SKILL.md": skill("a"), "skills/b/SKILL.md": "no\n"})
    told = text_of(draw(LocalProvider(dirs=["k", "none"])))
    for fact in (
        "LocalProvider 1 kit , 1 skipped",
        "From dirs=['k', 'none'] .",
        "k 1 0 1",
        "k/skills/b/SKILL.md missing-name",
        "1 folder without a kit",
        "none missing-root : this folder does not exist",
    ):
        assert fact in told or fact.replace(" :", ":") in told, fact
    assert str(tmp_path) not in told


def test_memory_and_source(tmp_path: Path) -> None:
    """A provider of memory or of a source shows its kits."""
    memory = MemoryProvider()
    assert text_of(draw(memory)) == "MemoryProvider 0 kits No kits."
    memory.put(SkillDef("files:read", "B", "D"))
    assert "MemoryProvider 1 kit Kit Skills Agents Skipped files 1 0 0" in text_of(draw(memory))
    build(tmp_path, {"a/SKILL.md": skill("a")})
    told = text_of(draw(SourceProvider(load_skills(tmp_path))))
    assert "SourceProvider 1 kit Kit Skills Agents Skipped mine 1 0 0" in told


def test_package(tmp_path: Path) -> None:
    """A kit in a class shows its skills, its agents, and what runs them."""
    build(tmp_path / "kit", {"skills/a/SKILL.md": skill("a")})

    class OfficeKit(PackageKit, path=tmp_path / "kit"):
        def execute(self, execution):
            return "ran"

    told = text_of(draw(OfficeKit()))
    for fact in (
        "office (OfficeKit, a kit in a Python class)",
        "1 skill , 0 agents , 1 skill that runs",
        "Its skills are run by OfficeKit.execute .",
        "office:a Does a thing.",
    ):
        assert fact in told, fact


def test_overridden_kits(tmp_path: Path) -> None:
    """A kit's class that gives none, or several, shows these, and still describes itself."""
    build(tmp_path, {"skills/a/SKILL.md": skill("a")})

    class OfficeKit(PackageKit, path=tmp_path):
        given = ()

        def execute(self, execution):
            return "ran"

        def list_kits(self):
            yield from self.given

    office = OfficeKit()
    assert text_of(draw(office)) == "office (OfficeKit, a kit in a Python class) No kits."
    assert office.definition()["name"] == "office"
    office.given = Kit("x"), Kit("y")
    assert "x 0 0 0 y 0 0 0" in text_of(draw(office))
    office.given = (Kit("z"),)
    assert text_of(draw(office)).startswith("z (OfficeKit, a kit in a Python class) 0 skills")
    assert office.definition()["name"] == "z"


def test_metadata_that_compares_with_nothing() -> None:
    """A kit's metadata may hold an array; what is empty is left out."""

    class Array:
        def __eq__(self, other):
            raise ValueError("the truth of an array is ambiguous")

        __hash__ = None

        def __repr__(self):
            return "array([1, 2])"

    told = text_of(draw(Kit("k", metadata={"sizes": Array(), "none": None, "blank": ""})))
    assert "sizes array([1, 2])" in told
    assert "none" not in told
    assert "blank" not in told


def test_github(tmp_path: Path) -> None:
    """What was imported shows with its commit; the token never shows."""
    token = "ghp_0123456789abcdefghij"
    with serving() as server:
        link = {"type": "symlink", "target": "/etc/passwd"}
        files = {"s/SKILL.md": skill("kiln"), "t/SKILL.md": "no\n", "x": link}
        server.has("acme/pots", repository(files))
        provider = GitHubProvider("acme/*", token, tmp_path, server.url)
        assert "Nothing is imported so far." in text_of(draw(provider))
        done = provider.import_source("acme/pots")
        html = draw(provider)
        assert [path for _, path, _ in server.requests].count("/repos/acme/pots/tarball") == 1
    told = text_of(html)
    for fact in (
        "GitHubProvider 1 imported source , allowed: acme/* , token: given , github:import is offered",
        f"acme/pots {COMMIT} 1 2",
    ):
        assert fact in told, fact
    assert token not in html
    told = text_of(draw(done))
    for fact in (
        "acme/pots (imported source)",
        "1 skill , 0 agents , downloaded",
        "ref the default branch",
        f"commit {COMMIT}",
        "acme/pots:kiln",
        "github:acme/pots/t/SKILL.md missing-name",
        "github:acme/pots/x left-out",
    ):
        assert fact in told, fact
    again = text_of(draw(provider.import_source("acme/pots")))
    assert "from the cache, nothing was downloaded" in again
    assert str(tmp_path) not in told + again + html
    kit = next(kit for kit in protocol.survey(provider).kits if kit.name == "acme/pots")
    assert f"repository acme/pots commit {COMMIT}" in text_of(draw(kit))
    told = text_of(display.html(kit.skills[0]))
    assert f"kit acme/pots provider GitHubProvider repository acme/pots commit {COMMIT}" in told


def test_small_records() -> None:
    """A failure and a shadowed name say what they are."""
    assert (
        text_of(draw(Failure("Shelf", "OSError: x")))
        == "Shelf (failed provider) Problem: OSError: x"
    )
    assert text_of(draw(Shadowed("skill", "a:x", "a", "Shelf 2", "Shelf", "skill://a:x/"))).replace(
        " :", ":"
    ) == ("a:x (shadowed skill) skill a:x of Shelf 2 in skill://a:x/: the name is taken by Shelf")


def test_in_a_notebook() -> None:
    """A notebook shows each of these by the display of its class."""
    for record in (FILES, LEAD, Catalog([Shelf(FILES)]), MemoryProvider()):
        assert record._repr_html_() == display.fragment(draw(record))


def test_same_bytes() -> None:
    """The same object gives the same bytes."""
    catalog = Catalog([Shelf(FILES), Broken()])
    assert draw(catalog) == draw(catalog)
    assert draw(FILES) == draw(FILES)


hostile = st.text(min_size=1).filter(str.strip) | st.sampled_from(
    ["<script>alert(1)</script>", "$$x$$", '"><img src=x onerror=1>', "\udcff", "a\u202eb", "\x00"]
)


@given(hostile, hostile, hostile)
def test_hostile_text(name: str, description: str, detail: str) -> None:
    """Whatever text stands in a field, only tags and attributes of the short list come out."""
    agent = Agent(name + "x", description, detail, (name,), name, detail, {name: [detail]})
    kit = Kit(
        name + "x",
        [SkillDef(name + "x", detail, description + "x")],
        [agent],
        agent,
        {name: detail},
        skipped=[SkillSkip(detail, "missing-name", detail)],
        notices=[Notice(detail, "left-out", detail)],
    )
    for record in (
        agent,
        kit,
        Catalog([Shelf(kit), Shelf(kit)]),
        Failure(name, detail),
        Shadowed("kit", name, name, description, detail, detail),
    ):
        html = draw(record)
        assert "<script" not in html
        assert "<img" not in html
        html.encode()


def test_large_kits() -> None:
    """20,000 skills, 5,000 kits and as many agents give at most 200 KB within 100 ms of drawing."""
    many = [SkillDef(f"s{n}", "B", "<&> " * 200) for n in range(20_000)]
    agents = [Agent(f"a{n}", "<&> " * 200) for n in range(5_000)]
    skipped = [SkillSkip(f"/x/{n}", "missing-name", "<&> " * 200) for n in range(5_000)]
    large = Kit("large", many, agents, skipped=skipped)
    others = [Kit(f"<k{n}>") for n in range(5_000)]
    view = Catalog([Shelf(large, *others), Shelf(large, *others)]).view()
    for record in (large, view):
        started = time.perf_counter()
        html = draw(record)
        took = time.perf_counter() - started
        assert len(html.encode()) <= 200_000
        assert took < 1, took  # 100 ms on a quiet machine, see the benchmarks
        assert "of 20,000 skills shown" in text_of(html)
        assert len(repr(record)) < 10_000
    assert "of 5,001 kits shown" in text_of(draw(view))

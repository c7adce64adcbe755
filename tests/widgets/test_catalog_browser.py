"""The explorer of a catalogue: kits and providers, agents, shadowed names, failures, imports."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from skillbook.errors import SkillNotFound
from skillbook.kits.catalog import Catalog
from skillbook.kits.github.provider import GitHubProvider
from skillbook.kits.local import LocalProvider
from skillbook.kits.memory import MemoryProvider
from skillbook.kits.records import Agent, Kit
from skillbook.model import SkillDef
from skillbook.source import load_skills
from skillbook.widgets import SkillBrowser
from skillbook.widgets.subject import Changes
from trees import build, place, skill

sys.path.append(str(Path(__file__).resolve().parent.parent / "kits"))
sys.path.append(str(Path(__file__).resolve().parent.parent / "display"))
from archives import COMMIT, repository
from contract import fragment_keeps
from github_server import FakeGitHub, serving

Browse = Callable[..., SkillBrowser]

AGENT = "---\nname: {}\ndescription: {}\n---\n{}"
KITS: dict[str, Any] = {
    "files/skills/read/SKILL.md": skill("read", "Reads files.", "# Reading\n"),
    "files/skills/torn/SKILL.md": "---\nname: [torn\n---\n",
    "files/AGENT.md": AGENT.format("clerk", "Keeps files.", "# You are a clerk\n"),
    "files/agents/scribe.md": AGENT.format("scribe", "Writes.", ""),
}


class Failing:
    """A provider that fails while ``broken`` is set."""

    provider_name = "wiki"

    def __init__(self) -> None:
        self.broken = True

    def list_kits(self) -> list[Kit]:
        if self.broken:
            raise RuntimeError("the wiki did not answer")
        return [Kit("pages", [SkillDef("edit", "Edit.", "Edits pages.")])]


@pytest.fixture
def memory() -> MemoryProvider:
    """A kit of its own, and a skill whose kit another provider has."""
    provider = MemoryProvider()
    provider.put(SkillDef("tea:brew", "Boil water first.", "Brews tea."))
    provider.put(SkillDef("files:read", "Otherwise.", "Reads files otherwise."))
    return provider


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: MemoryProvider) -> Catalog:
    """A folder of kits, a kit in memory, and a provider that fails."""
    build(tmp_path / "kits", KITS)
    monkeypatch.chdir(tmp_path)
    return Catalog([LocalProvider(parent="kits"), memory, Failing()])


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    """A server on loopback with one repository."""
    with serving() as server:
        pots = {
            f"skills/{name}/SKILL.md": skill(name, f"Makes a {name}.") for name in ("cup", "jug")
        }
        server.has("acme/pots", repository(pots))
        yield server


@pytest.fixture
def importer(github: FakeGitHub, tmp_path: Path) -> GitHubProvider:
    """A provider that imports from the server."""
    return GitHubProvider(cache_dir=tmp_path / "cache", base_url=github.url, timeout=5)


LOCAL = "LocalProvider(parent='kits')"


# --- what is listed -------------------------------------------------------------------------------


def test_everything_is_in_the_list(browse: Browse, catalog: Catalog) -> None:
    """Skills, agents, skipped files, shadowed names and failures stand in one list, by kit."""
    browser = browse(catalog)
    assert {key: entry.kind for key, entry in browser.entries.items()} == {
        "files:read": "skill",
        "agent clerk": "root agent",
        "agent scribe": "agent",
        "kits/files/skills/torn/SKILL.md": "skipped",
        "tea:brew": "skill",
        "shadowed kit files of MemoryProvider": "shadowed",
        "shadowed skill files:read of MemoryProvider": "shadowed",
        "failed wiki": "failed",
    }
    assert browser.found == list(browser.entries)
    assert browser.facts == [
        "2 skills",
        "2 kits from 3 providers",
        "2 agents",
        "2 shadowed",
        "1 failed",
        "1 skipped",
        f"prompt {len(browser.source.prompt())} characters",
    ]
    assert browser.title == "Catalog"


def test_rows_say_the_kind_in_words(browse: Browse, catalog: Catalog) -> None:
    """A heading names each kit and its provider; the word behind a title names its kind."""
    browser = browse(catalog)
    told = [
        (key and "".join(title), "".join(text), words)
        for key, title, text, words, _ in browser.list.rows
    ]
    assert told == [
        ("", f"provider {LOCAL}", []),
        ("files:read", "Reads files.", []),
        ("clerk", "Keeps files.", ["root agent"]),
        ("scribe", "Writes.", ["agent"]),
        ("torn", browser.entries["kits/files/skills/torn/SKILL.md"].text, ["skipped"]),
        ("", "provider MemoryProvider", []),
        ("tea:brew", "Brews tea.", []),
        ("", "provider MemoryProvider", []),
        ("files", f"This kit does not count: its name is taken by {LOCAL}.", ["shadowed"]),
        ("files:read", f"This skill does not count: its name is taken by {LOCAL}.", ["shadowed"]),
        ("", "", []),
        ("wiki", "RuntimeError: the wiki did not answer", ["failed"]),
    ]
    headings = ["".join(title) for key, title, *_ in browser.list.rows if not key]
    assert headings == ["kit files", "kit tea", "kit files", "provider wiki"]


def test_another_order_has_no_headings(browse: Browse, catalog: Catalog) -> None:
    """Headings stand only where the list is in the order of the kits."""
    browser = browse(catalog)
    browser.sort = "name"
    assert [row[0] for row in browser.list.rows] == browser.shown
    browser.sort = "most warnings"
    assert browser.found[-4:] == ["files:read", "agent clerk", "agent scribe", "tea:brew"]


@pytest.mark.parametrize(
    ("origin", "number"),
    [(f"provider {LOCAL}", 4), ("kit tea", 1), ("kit files", 6), ("provider wiki", 1)],
)
def test_browse_by_kit_and_provider(
    browse: Browse, catalog: Catalog, origin: str, number: int
) -> None:
    """The list is held to one kit or to one provider, with all that comes from it."""
    browser = browse(catalog)
    browser.origin = origin
    assert len(browser.found) == number
    assert dict(browser.origin_box.options)[f"{origin} {number}"] == origin


@pytest.mark.parametrize(
    ("show", "found"),
    [
        ("agents", ["agent clerk", "agent scribe"]),
        (
            "shadowed",
            ["shadowed kit files of MemoryProvider", "shadowed skill files:read of MemoryProvider"],
        ),
        ("failed", ["failed wiki"]),
        ("skipped", ["kits/files/skills/torn/SKILL.md"]),
        ("skills", ["files:read", "tea:brew"]),
    ],
)
def test_show_one_kind(browse: Browse, catalog: Catalog, show: str, found: list[str]) -> None:
    """The list is held to one kind of entry."""
    browser = browse(catalog)
    browser.show = show
    assert browser.found == found


def test_a_folder_offers_no_kinds_of_a_catalogue(browse: Browse, folder: str) -> None:
    """An explorer of a folder has no box, no heading and no choice that only a catalogue needs."""
    browser = browse(folder)
    assert (browser.view, browser.imports) == (None, None)
    assert [name for _, name in browser.show_box.options] == [
        "all",
        "skills",
        "warnings",
        "scripts",
        "skipped",
    ]
    assert all(row[0] for row in browser.list.rows)


def test_a_provider_is_shown_as_a_catalogue(browse: Browse, memory: MemoryProvider) -> None:
    """One provider can be explored without a catalogue around it."""
    browser = browse(memory)
    assert (browser.title, list(browser.source)) == ("MemoryProvider", ["tea:brew", "files:read"])


def test_an_empty_kit_and_a_provider_without_kits_are_named(browse: Browse) -> None:
    """What has no entry stands in the overview, so that nothing is lost."""
    empty, bare = MemoryProvider(), MemoryProvider()
    empty.put_kit(Kit("hollow"))
    browser = browse(Catalog([empty, bare]))
    assert "hollow (0 skills)" in repr(browser)
    assert ">hollow</td>" in browser.notices.value
    assert ">no kit</td>" in browser.notices.value


def test_notices_of_kits_are_shown(browse: Browse, importer: GitHubProvider) -> None:
    """What a kit says of itself, here that no import is offered to models, is among the notices."""
    browser = browse(Catalog([importer]))
    assert [notice.kind for notice in browser.source.notices] == ["not-offered"]


def test_names_that_meet(browse: Browse) -> None:
    """A skill that is called like an agent's key keeps its own entry."""
    provider = MemoryProvider()
    provider.put_kit(Kit("a", [SkillDef("agent b:c", "x", "y")], [Agent("b:c", "Is odd.")]))
    browser = browse(provider)
    assert [(key, entry.kind) for key, entry in browser.entries.items()] == [
        ("agent b:c", "skill"),
        ("agent b:c (2)", "agent"),
    ]


# --- one entry ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "held"),
    [
        ("agent clerk", ("Keeps files.", "kits/files/AGENT.md", "root agent", "You are a clerk")),
        ("agent scribe", ("Writes.", "There is no system prompt.")),
        ("failed wiki", ("this provider failed", "the wiki did not answer", "Refresh asks")),
        (
            "shadowed skill files:read of MemoryProvider",
            ("this skill is shadowed", LOCAL, "skill://files:read/"),
        ),
    ],
)
def test_each_kind_has_its_view(
    browse: Browse, catalog: Catalog, key: str, held: tuple[str, ...]
) -> None:
    """The pane and the static twin show the same of an agent, a failure, or a shadowed name."""
    browser = browse(catalog)
    browser.list.chosen = key
    assert browser.selected == key
    assert browser.pane.tabs.layout.display == "none"
    for text in held:
        assert text in browser.pane.head.value
        assert text in browser._repr_html_()
    browser.selected = "tea:brew"
    assert browser.pane.tabs.layout.display == ""


def test_hostile_text_is_escaped(browse: Browse) -> None:
    """No name, description, prompt or message of a stranger becomes an element."""
    attack = "<img src=x onerror=alert(1)>"

    class Hostile:
        provider_name = attack

        def list_kits(self) -> Iterator[Kit]:
            yield Kit(attack, [SkillDef(attack, attack, attack)], [Agent(attack, attack, attack)])
            raise RuntimeError(attack)

    second = MemoryProvider()
    second.put_kit(Kit(attack, [SkillDef(attack, attack, attack)]))
    browser = browse(Catalog([Hostile(), second]))
    assert len(browser.entries) == 5
    for key in browser.entries:
        browser.selected = key
        for text in (browser.pane.head.value, browser.notices.value, browser._repr_html_()):
            assert "<img" not in text


# --- the static twin ------------------------------------------------------------------------------


def test_words_and_card_say_the_same(browse: Browse, catalog: Catalog) -> None:
    """The text names kits, agents, what is shadowed and what failed; the card does so as well."""
    browser = browse(catalog)
    assert repr(browser).splitlines()[2:] == [
        "  skipped: kits/files/skills/torn/SKILL.md (malformed-frontmatter)",
        "  kits: files (1 skill, 2 agents, 1 skipped), tea (1 skill)",
        "  agents: clerk, scribe",
        "  shadowed: kit files, skill files:read",
        "  failed: wiki (RuntimeError: the wiki did not answer)",
        "  chosen: files:read: Reads files.",
    ]
    html = browser._repr_html_()
    for text in ("root agent", "2 kits from 3 providers", "the wiki did not answer", "kit tea"):
        assert text in html
    assert browser._repr_html_() == html


def test_the_card_keeps_the_contract(browse: Browse, catalog: Catalog) -> None:
    """Whatever is chosen, the card has only the tags and attributes that every front end keeps."""
    browser = browse(catalog)
    for key in browser.entries:
        browser.selected = key
        fragment_keeps(browser._repr_html_())


# --- asked anew -----------------------------------------------------------------------------------


def test_refresh_says_what_changed(
    browse: Browse, catalog: Catalog, memory: MemoryProvider, tmp_path: Path
) -> None:
    """A refresh asks the providers and tells of skills, agents, names and failures alike."""
    browser = browse(catalog)
    browser.selected = "agent scribe"
    memory.put(SkillDef("tea:pour", "Pour.", "Pours tea."))
    memory.put(SkillDef("tea:brew", "Boil fresh water first.", "Brews tea."))
    memory.delete("files:read")
    place(tmp_path / "kits/files/AGENT.md", AGENT.format("clerk", "Keeps all files.", ""))
    catalog.providers[2].broken = False  # type: ignore[attr-defined]
    assert browser.refresh() == Changes(
        ("pages:edit", "tea:pour"),
        ("tea:brew", "agent clerk"),
        (
            "failed wiki",
            "shadowed kit files of MemoryProvider",
            "shadowed skill files:read of MemoryProvider",
        ),
    )
    assert browser.selected == "agent scribe"
    assert not browser.refresh()
    (tmp_path / "kits/files/agents/scribe.md").unlink()
    assert browser.refresh().gone == ("agent scribe",)
    assert browser.selected is None


def test_a_kit_skill_that_breaks_keeps_its_last_good_description(
    browse: Browse, catalog: Catalog, tmp_path: Path
) -> None:
    """A skill of a kit that broke since stays under its name, in its kit."""
    browser = browse(catalog)
    place(tmp_path / "kits/files/skills/read/SKILL.md", "---\nname: [\n---\n")
    assert browser.refresh().broken == ("files:read",)
    entry = browser.entries["files:read"]
    assert (entry.kind, entry.text) == ("broken", "Reads files.")
    assert entry.origins == (f"provider {LOCAL}", "kit files")


def test_the_filter_for_failures_lives_when_they_are_gone(browse: Browse, catalog: Catalog) -> None:
    """A choice that has nothing left to show stays, and the list says so."""
    browser = browse(catalog)
    browser.show = "failed"
    catalog.providers[2].broken = False  # type: ignore[attr-defined]
    browser.refresh()
    assert (browser.show, browser.found) == ("failed", [])
    assert browser.list.empty == "Nothing of that kind here."
    browser.show, browser.origin = "all", "provider wiki"
    browser.refresh()
    assert (browser.origin, browser.found) == ("provider wiki", ["pages:edit"])


def test_an_unknown_key_names_what_is_there(browse: Browse, catalog: Catalog) -> None:
    """Choosing an agent that is not there raises, and says what is."""
    browser = browse(catalog)
    with pytest.raises(SkillNotFound, match="agent clerk"):
        browser.selected = "agent clark"


# --- importing ------------------------------------------------------------------------------------


def test_no_box_without_a_provider_that_imports(browse: Browse, catalog: Catalog) -> None:
    """Only a catalogue with a GitHub provider has a box to import with."""
    assert browse(catalog).imports is None
    assert browse(load_skills(skills=[SkillDef("a", "b", "c")])).imports is None


def test_import(browse: Browse, importer: GitHubProvider, github: FakeGitHub) -> None:
    """What was imported is told with its commit, is in the list, and its first skill is chosen."""
    browser = browse(Catalog([importer]))
    box = browser.imports
    assert box is not None
    box.reference_box.value = " acme/pots "
    box.button.click()
    said = f"Imported acme/pots at commit {COMMIT}, 2 skills: acme/pots:cup, acme/pots:jug."
    assert box.status.message == said
    assert (box.running, box.failed, box.reference_box.value) == (False, False, "")
    assert (box.button.disabled, box.status.progress) == (False, -1.0)
    assert browser.selected == "acme/pots:cup"
    assert browser.status.message == "Read anew: 2 added (acme/pots:cup, acme/pots:jug)."
    assert said in repr(browser)
    assert said in browser._repr_html_()

    box.reference_box.value = "acme/pots"
    box.heard(None, {"event": "submit"})
    assert box.status.message == f"{said} It was in the cache; nothing was downloaded."
    assert github.archive_requests == 1
    box.reference_box.value = "acme/pots"
    box.update_box.value = True
    box.start()
    assert box.status.message == said
    assert github.archive_requests == 2


def test_import_now(browse: Browse, importer: GitHubProvider) -> None:
    """Code can import as the button does, and gets what was imported, or None."""
    browser = browse(Catalog([importer]))
    box = browser.imports
    assert box is not None
    done = box.import_now("acme/pots")
    assert done is not None
    assert done.skills == ("acme/pots:cup", "acme/pots:jug")
    assert browser.selected == "acme/pots:cup"
    assert box.import_now("acme/none") is None
    assert box.failed


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("  ", "Type what to import first, such as owner/repo."),
        ("pots", "Nothing was imported: "),
        ("acme/none", "Nothing was imported: the repository acme/none is not there, or is private"),
        ("acme/pots/lids", "Nothing was imported: "),
        ("acme/pots@gone", "Nothing was imported: "),
    ],
)
def test_a_failed_import_says_why(
    browse: Browse, importer: GitHubProvider, reference: str, said: str
) -> None:
    """An error stands in words beside the box, with the reference kept to be mended."""
    browser = browse(Catalog([importer]))
    box = browser.imports
    assert box is not None
    before = list(browser.entries)
    box.reference_box.value = reference
    box.start()
    assert box.status.message.startswith(said)
    assert box.status.message.endswith(".")
    assert box.failed == bool(reference.strip())
    assert (box.reference_box.value, list(browser.entries)) == (reference, before)
    assert importer.list_sources() == []


def test_the_trust_boundary_stands_at_the_box(
    browse: Browse, github: FakeGitHub, tmp_path: Path
) -> None:
    """The box says what may be imported, and anything else is refused without a request."""
    provider = GitHubProvider("acme/*", cache_dir=tmp_path / "cache", base_url=github.url)
    box = browse(provider).imports
    assert box is not None
    assert box.status.facts == ["allowed: acme/*", "token: none"]
    box.reference_box.value = "evil/pots"
    box.start()
    assert "evil/pots is not allowed" in box.status.message
    assert github.requests == []


def test_no_token_is_shown(browse: Browse, github: FakeGitHub, tmp_path: Path) -> None:
    """A token stands in no message, text or HTML of the explorer."""
    token = "ghp_0123456789abcdefghij"
    provider = GitHubProvider(api_token=token, cache_dir=tmp_path / "cache", base_url=github.url)
    browser = browse(provider)
    box = browser.imports
    assert box is not None
    box.reference_box.value = "acme/none"
    box.start()
    shown = [repr(browser), browser._repr_html_(), box.status.message, *box.status.facts]
    assert [text for text in shown if token in text] == []


def test_of_two_providers_one_is_chosen(
    browse: Browse, importer: GitHubProvider, github: FakeGitHub, tmp_path: Path
) -> None:
    """With several providers that import, a box says which one does."""
    other = GitHubProvider("acme/*", cache_dir=tmp_path / "other", base_url=github.url)
    box = browse(Catalog([importer, other])).imports
    assert box is not None
    assert box.provider_box.layout.display == ""
    assert box.provider is importer
    box.provider_box.value = 1
    assert box.provider is other
    assert box.status.facts == ["allowed: acme/*", "token: none"]


def test_progress_is_told_in_words(
    browse: Browse, importer: GitHubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress is told where the size is known, and bytes alone where it is not."""
    box = browse(Catalog([importer])).imports
    assert box is not None
    told: list[tuple[str, float]] = []

    def slow(ref: str, *, update: bool, heard: Callable[[int, int | None], None]) -> None:
        for piece, whole in ((500, 2_000), (1, 2_000), (1_499, 2_000), (2_000_000, None)):
            heard(piece, whole)
            told.append((box.status.message, box.status.progress))
        raise OSError("the disk is full")

    monkeypatch.setattr(importer, "import_source", slow)
    box.reference_box.value = "acme/pots"
    box.start()
    assert told == [
        ("Importing acme/pots: 500 bytes of 2.0 kB.", 0.25),
        ("Importing acme/pots: 500 bytes of 2.0 kB.", 0.25),
        ("Importing acme/pots: 2.0 kB of 2.0 kB.", 1.0),
        ("Importing acme/pots: 2.0 MB.", 0.0),
    ]
    assert box.status.message == "Nothing was imported: OSError: the disk is full."


def wait(loop: asyncio.AbstractEventLoop, until: Callable[[], bool]) -> None:
    """Lets a loop run until something holds."""

    async def poll() -> None:
        end = time.monotonic() + 20
        while not until():
            assert time.monotonic() < end
            await asyncio.sleep(0.01)

    loop.run_until_complete(poll())


@pytest.mark.parametrize("closed", [False, True])
def test_stop(
    browse: Browse, importer: GitHubProvider, github: FakeGitHub, tmp_path: Path, closed: bool
) -> None:
    """An import in a thread can be stopped, also by closing; nothing of it is left behind."""
    browser = browse(Catalog([importer]))
    box = browser.imports
    assert box is not None
    github.body = "stalled"
    loop = asyncio.new_event_loop()

    async def press() -> None:
        box.reference_box.value = "acme/pots"
        box.start()
        box.start()

    try:
        loop.run_until_complete(press())
        assert box.status.message == "An import is running; stop it first."
        assert box.button.disabled
        wait(loop, lambda: box.status.progress > 0)
        if closed:
            browser.close()
        else:
            box.status.heard(None, {"stop": True})
            assert box.status.message == "Stopping …"
        github.stop.set()
        wait(loop, lambda: not box.running)
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
    if not closed:
        assert box.failed
        assert "nothing was imported" in box.status.message.lower()
    assert importer.list_sources() == []
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []

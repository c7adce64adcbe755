"""The cache of imports: moved in whole, by owner, repository, ref and path."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from pathlib import Path

import pytest

from skillbook.kits.github.cache import Cache, Held
from skillbook.kits.github.references import Reference, parse


def put(cache: Cache, text: str, commit: str = "1" * 40, *, replace: bool = False) -> None:
    """Puts a source whose one file holds the commit."""
    with cache.room() as room:
        (room / "tree").mkdir()
        (room / "tree" / "SKILL.md").write_text(commit)
        held = Held(parse(text), commit, str(room / "tree"), (("x", "why"),))
        cache.move_in(room, held, replace=replace)


def break_off(cache: Cache) -> None:
    """Begins an import and is interrupted."""
    with cache.room() as room:
        (room / "tree").mkdir()
        (room / "tree" / "half").write_text("x")
        raise KeyboardInterrupt


def names(cache: Cache) -> list[str]:
    """Returns everything in the cache's folder, hidden things too."""
    return sorted(str(path.relative_to(cache.path)) for path in cache.path.rglob("*"))


def test_by_owner_repository_ref_and_path(tmp_path: Path) -> None:
    """A source lies by owner and repository in lower case, by ref, and by path."""
    cache = Cache(tmp_path)
    put(cache, "Acme/Pots/skills@v1")
    put(cache, "acme/pots")
    found = [re.sub(r"tree-\w+", "tree-*", name) for name in names(cache)]
    assert [name for name in found if name.endswith("SKILL.md")] == [
        "acme/pots/@default/@all/tree-*/SKILL.md",
        "acme/pots/v1/skills/tree-*/SKILL.md",
    ]


def test_what_was_put_is_held(tmp_path: Path) -> None:
    """A source is given back as it was put, whatever the letter case of owner and repository."""
    cache = Cache(tmp_path)
    put(cache, "Acme/Pots@Feature/X")
    held = cache.held(parse("acme/pots@Feature/X"))
    assert held is not None
    assert held.reference == Reference("Acme", "Pots", "", "Feature/X")
    assert (held.commit, held.left_out) == ("1" * 40, (("x", "why"),))
    assert Path(held.folder, "SKILL.md").read_text() == "1" * 40


def test_refs_and_paths_are_kept_apart(tmp_path: Path) -> None:
    """Refs and paths that differ in letter case, in slashes or far behind lie apart."""
    texts = [
        "a/b",
        "a/b@v1",
        "a/b@V1",
        "a/b@x/y",
        "a/b@x%2Fy",
        "a/b@head",
        "a/b@default",
        "a/b/x",
        "a/b/X",
        "a/b/x/y",
        "a/b/" + "n" * 200,
        "a/b/" + "n" * 201,
        "a/b/x.",
    ]
    cache = Cache(tmp_path)
    places = {str(cache.entry(parse(text))).lower() for text in texts}
    assert len(places) == len(texts)
    for text in texts:
        put(cache, text)
        assert len(os.path.basename(cache.entry(parse(text)))) < 120
    assert sorted(str(held.reference) for held in cache.all()[0]) == sorted(texts)


def test_rooms_go(tmp_path: Path) -> None:
    """A temporary folder goes at the end, when the work in it breaks off too."""
    cache = Cache(tmp_path / "c")
    with pytest.raises(KeyboardInterrupt):
        break_off(cache)
    assert names(cache) == []


def test_rooms_of_killed_processes_go(tmp_path: Path) -> None:
    """A temporary folder that a killed process left a day ago is removed; a new one is not."""
    cache = Cache(tmp_path)
    for name in ("old", "new"):
        (tmp_path / f".importing-{name}").mkdir()
    os.utime(tmp_path / ".importing-old", (0, 0))
    with cache.room():
        pass
    assert names(cache) == [".importing-new"]


def test_interrupted_before_the_move(tmp_path: Path) -> None:
    """An import that breaks off before the move changes nothing of what was there."""
    cache = Cache(tmp_path)
    put(cache, "a/b")
    before = names(cache)
    with pytest.raises(KeyboardInterrupt):
        break_off(cache)
    assert names(cache) == before


def test_interrupted_in_the_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An update that breaks off before the switch leaves what was there, and nothing else."""
    cache = Cache(tmp_path)
    put(cache, "a/b", "1" * 40)

    def breaking(source: object, target: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", breaking)
    with pytest.raises(KeyboardInterrupt):
        put(cache, "a/b", "2" * 40, replace=True)
    monkeypatch.undo()
    held = cache.held(parse("a/b"))
    assert held is not None
    assert held.commit == "1" * 40
    assert [name for name in names(cache) if name.startswith(".")] == []
    assert len(list(cache.entry(parse("a/b")).glob("tree-*"))) == 1


def test_first_of_two_stays(tmp_path: Path) -> None:
    """Of two imports at once the first stays, and an update replaces it whole."""
    cache = Cache(tmp_path)
    put(cache, "a/b", "1" * 40)
    put(cache, "a/b", "2" * 40)
    assert cache.held(parse("a/b")).commit == "1" * 40
    put(cache, "a/b", "3" * 40, replace=True)
    held = cache.held(parse("a/b"))
    assert (held.commit, Path(held.folder, "SKILL.md").read_text()) == ("3" * 40, "3" * 40)


def test_many_at_once(tmp_path: Path) -> None:
    """Imports, updates and removals of one source at once leave it whole or gone."""
    cache = Cache(tmp_path)
    reference = parse("a/b")
    errors: list[BaseException] = []

    def work(number: int) -> None:
        for turn in range(30):
            try:
                put(cache, "a/b", str(number) * 40, replace=turn % 2 == 0)
                if turn % 7 == 0 and number == 1:
                    cache.remove(reference)
            except FileNotFoundError:
                pass  # another one removed it first
            except BaseException as error:  # noqa: BLE001 - told by the assert below
                errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    put(cache, "a/b", "9" * 40, replace=True)
    held = cache.held(reference)
    assert Path(held.folder, "SKILL.md").read_text() == held.commit == "9" * 40
    assert [name for name in names(cache) if name.startswith(".")] == []


def test_remove(tmp_path: Path) -> None:
    """A removed source leaves no empty folders, and its neighbours alone."""
    cache = Cache(tmp_path)
    put(cache, "a/b")
    put(cache, "a/c")
    cache.remove(parse("a/b"))
    assert [str(held.reference) for held in cache.all()[0]] == ["a/c"]
    cache.remove(parse("a/c"))
    assert names(cache) == []


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (None, "cannot be read: it does not exist"),
        ("{", "damaged"),
        ("[]", "damaged"),
        ("{}", "damaged"),
        (
            '{"owner": 1, "repo": "b", "path": "", "ref": null, "commit": null, "left_out": []}',
            "damaged",
        ),
        (
            '{"owner": "a", "repo": "b", "path": "", "ref": 1, "commit": null, "left_out": []}',
            "damaged",
        ),
        (
            '{"owner": "a", "repo": "b", "path": "", "ref": null, "commit": null, "left_out": [1]}',
            "damaged",
        ),
    ],
)
def test_damaged_records(tmp_path: Path, record: str | None, said: str) -> None:
    """A source whose record is damaged or missing is no source, and a notice says so."""
    cache = Cache(tmp_path)
    put(cache, "a/b")
    path = cache.entry(parse("a/b")) / "source.json"
    path.unlink()
    if record is not None:
        path.write_text(record)
    assert cache.held(parse("a/b")) is None
    held, notices = cache.all()
    assert (held, [notice.kind for notice in notices]) == ([], ["broken-import"])
    assert said in notices[0].detail
    put(cache, "a/b", "2" * 40)
    assert cache.held(parse("a/b")).commit == "2" * 40


def test_record_holds_no_more(tmp_path: Path) -> None:
    """The record on the disk holds what was imported, and nothing else."""
    cache = Cache(tmp_path)
    put(cache, "a/b/c@v1")
    record = json.loads((cache.entry(parse("a/b/c@v1")) / "source.json").read_text())
    assert record == {
        "owner": "a",
        "repo": "b",
        "ref": "v1",
        "path": "c",
        "commit": "1" * 40,
        "left_out": [["x", "why"]],
        "tree": Path(cache.held(parse("a/b/c@v1")).folder).name,
    }


def test_platform_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder given, the cache is in the platform's cache folder; ``~`` works too."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert Cache(None).path.parts[-2:] == ("skillbook", "github")
    assert tmp_path in Cache(None).path.parents
    assert Cache("~/c").path == tmp_path / "home" / "c"
    assert not (tmp_path / "xdg").exists()


def test_one_switch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An update serves the old tree whole until the record is replaced, then the new one."""
    cache = Cache(tmp_path)
    reference = parse("a/b")
    put(cache, "a/b", "1" * 40)
    replace = os.replace
    seen = []

    def look() -> None:
        held = cache.held(reference)
        seen.append((held.commit[0], Path(held.folder, "SKILL.md").read_text()[0]))

    def watched(source: object, target: object) -> None:
        look()
        replace(source, target)
        look()

    monkeypatch.setattr(os, "replace", watched)
    put(cache, "a/b", "2" * 40, replace=True)
    assert seen == [("1", "1"), ("2", "2")]
    assert len(list(cache.entry(reference).glob("tree-*"))) == 1


def test_record_without_a_tree(tmp_path: Path) -> None:
    """A source whose files are gone is none, a notice says so, and it can be put anew."""
    cache = Cache(tmp_path)
    put(cache, "a/b")
    shutil.rmtree(cache.held(parse("a/b")).folder)
    assert cache.held(parse("a/b")) is None
    assert [notice.detail for notice in cache.all()[1]] == [
        "its files are gone; import it again, or remove it"
    ]
    put(cache, "a/b", "2" * 40)
    assert cache.held(parse("a/b")).commit == "2" * 40


@pytest.mark.parametrize("tree", ["../x", "tree", "tree-a/..", 3])
def test_record_of_another_place(tmp_path: Path, tree: object) -> None:
    """A record that names a folder elsewhere is damaged."""
    cache = Cache(tmp_path)
    put(cache, "a/b")
    path = cache.entry(parse("a/b")) / "source.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "tree": tree}))
    assert cache.held(parse("a/b")) is None
    assert "damaged" in cache.all()[1][0].detail

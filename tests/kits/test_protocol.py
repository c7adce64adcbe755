"""Providers: any object with ``list_kits``, and what is no provider."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillbook.kits import protocol
from skillbook.kits.catalog import Catalog
from skillbook.kits.errors import KitNotFound
from skillbook.kits.local import LocalProvider
from skillbook.kits.protocol import Provider, RubbishError
from skillbook.kits.records import Kit
from skillbook.model import SkillDef

FILES = Kit("files", [SkillDef("read", "B", "D")])


class Derived(Provider):
    """A provider that derives from the protocol."""

    def list_kits(self):
        """Gives kits one by one."""
        yield FILES
        yield Kit("loom")


class Plain:
    """A provider that derives from nothing."""

    def list_kits(self):
        """Gives kits."""
        return (FILES,)


class Older:
    """A provider that has only the older method."""

    def load_kits(self):
        """Gives kits."""
        return [FILES]


def test_get_kit_by_default() -> None:
    """A derived provider finds a kit by searching ``list_kits``."""
    assert Derived().get_kit("files") is FILES
    with pytest.raises(KitNotFound) as caught:
        Derived().get_kit("x")
    assert str(caught.value) == 'Kit "x" not found. Available kits: files, loom'


def test_protocol_is_checked_at_run_time() -> None:
    """``isinstance`` says who has the whole protocol."""
    assert isinstance(Derived(), Provider)
    assert not isinstance(Plain(), Provider)


def test_any_object_serves() -> None:
    """An object with ``list_kits`` alone serves as a provider."""
    assert protocol.get_kit(Plain(), "files") is FILES
    catalog = Catalog([Plain()])
    assert [skill.name for skill in catalog.skills()] == ["files:read"]
    assert catalog.kit("files").name == "files"


def test_older_providers_serve() -> None:
    """A provider that has only ``load_kits`` serves, with a DeprecationWarning at its place."""
    with pytest.warns(DeprecationWarning, match="Older has only load_kits") as caught:
        catalog = Catalog([Older()])
    assert caught[0].filename == __file__
    assert [skill.name for skill in catalog.skills()] == ["files:read"]
    assert catalog.kit("files").skills[0].place.provider == "Older"


def test_newer_method_comes_first(recwarn: pytest.WarningsRecorder) -> None:
    """A provider that has both is asked by ``list_kits``, without a warning."""

    class Both(Older, Plain):
        def load_kits(self):
            raise AssertionError

    assert len(Catalog([Both()]).kits()) == 1
    assert len(recwarn) == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([Plain], "Plain is a class; pass a provider: Plain"),
        ([3], "a provider is 3; pass an object with a method list_kits"),
        ([FILES], "pass an object with a method list_kits"),
        (3, "providers is 3; pass a list"),
        (Plain(), "pass a list"),
    ],
)
def test_what_is_no_provider(given: object, said: str) -> None:
    """What is no provider is refused when the catalogue is made, with what to pass."""
    with pytest.raises(TypeError, match=said):
        Catalog(given)


def test_names_of_providers() -> None:
    """A provider is called as it says, or by its class; a second one of a name is numbered."""

    class Named(Plain):
        provider_name = "the shelf"

    class Blank(Plain):
        provider_name = " "

    catalog = Catalog([Named(), Plain(), Plain(), Blank()])
    assert catalog.view().providers == ("the shelf", "Plain", "Plain 2", "Blank")


@pytest.mark.parametrize(
    ("given", "said", "kits"),
    [
        (None, "it gave nothing instead of a list of kits", []),
        (7, "it gave something of type int instead of a list of kits", []),
        ("files", "it gave something of type str instead", []),
        ({"files": FILES}, "it gave something of type dict instead", []),
        (FILES, "it gave something of type Kit instead", []),
        ([FILES, "x"], "it gave something of type str, which is no Kit", [FILES]),
        (
            [None, FILES, 3, 4],
            "it gave nothing, which is no Kit, and 2 more things that are none",
            [FILES],
        ),
    ],
)
def test_rubbish(given: object, said: str, kits: list[Kit]) -> None:
    """What is no list of kits is named, and the kits in it are kept."""

    class Odd:
        def list_kits(self):
            return given

    with pytest.raises(RubbishError) as caught:
        protocol.survey(Odd())
    assert str(caught.value).startswith(said)
    assert caught.value.kits == kits


def test_breaking_off() -> None:
    """A provider that breaks off in the middle keeps the kits it gave."""

    class Broken:
        def list_kits(self):
            yield FILES
            raise OSError("the disk is gone")

    with pytest.raises(RubbishError, match="OSError: the disk is gone") as caught:
        protocol.survey(Broken())
    assert caught.value.kits == [FILES]


def test_odd_get_kit() -> None:
    """A ``get_kit`` that gives no kit is named."""

    class Odd(Plain):
        def get_kit(self, name):
            return None

    with pytest.raises(RubbishError, match="its get_kit gave nothing"):
        protocol.get_kit(Odd(), "files")


class Named(LocalProvider):
    """A subclass with a list of its own."""

    def list_kits(self):
        """Gives one kit, whatever lies on the disk."""
        return [FILES]


class Surveyor:
    """A provider with a method ``survey`` that is about land."""

    def list_kits(self):
        """Gives kits."""
        return [FILES]

    def survey(self):
        """Gives no kits."""
        return "two fields and a wood"


def test_own_list_counts(tmp_path: Path) -> None:
    """A subclass's own ``list_kits`` counts, for one kit too, and so does an object's own."""
    for provider in (Named(parent=tmp_path), Surveyor()):
        catalog = Catalog([provider])
        assert ([kit.name for kit in catalog.kits()], catalog.failures()) == (["files"], [])
        assert catalog.kit("files").name == "files"
    held = LocalProvider(parent=tmp_path)
    held.list_kits = lambda: [FILES]
    assert [kit.name for kit in Catalog([held]).kits()] == ["files"]


class Mute(Exception):  # noqa: N818 - what it is
    """An error that cannot be told."""

    def __str__(self):
        """Raises."""
        raise RuntimeError


class Hollow:
    """An object that says it is a kit."""

    __class__ = Kit


class Hidden(Plain):
    """A provider whose name cannot be had."""

    @property
    def provider_name(self):
        """Raises."""
        raise RuntimeError("no name")


def raising(error: BaseException) -> object:
    """Returns a provider that raises."""

    class Raiser:
        def list_kits(self):
            raise error

    return Raiser()


def giving(*things: object) -> object:
    """Returns a provider that gives things."""

    class Giver:
        def list_kits(self):
            return list(things)

    return Giver()


@pytest.mark.parametrize(
    ("provider", "said"),
    [
        (raising(Mute()), "Mute (its message cannot be read)"),
        (raising(SystemExit(3)), "SystemExit: 3"),
        (giving(Hollow()), "it gave something of type Hollow, which is no Kit"),
        (giving(Kit.__new__(Kit)), "it gave something of type Kit, which is no Kit"),
    ],
)
def test_rubbish_takes_nothing_down(provider: object, said: str) -> None:
    """A provider that gives rubbish is named among the failures; the others serve on."""
    view = Catalog([provider, Hidden()]).view()
    assert [failure.detail for failure in view.failures] == [
        said,
        "its provider_name raised RuntimeError: no name",
    ]
    assert list(view.kits) == ["files"]
    assert view.providers[1] == "Hidden"


@pytest.mark.parametrize(
    ("name", "label", "said"),
    [
        (5, "Named", "its provider_name is of type int; it must be text"),
        (" \n", "Named", "its provider_name is blank; it must be text"),
        (None, "Named", None),
        ("a\n\x1b[31m  b", "a [31m b", None),
    ],
)
def test_odd_names(name: object, label: str, said: str | None) -> None:
    """A name that is none is a failure, and the kits serve; one of several lines is put on one."""

    class Named(Plain):
        provider_name = name

    view = Catalog([Named()]).view()
    assert view.providers == (label,)
    assert [(one.provider, one.detail) for one in view.failures] == (
        [(label, said)] if said else []
    )
    assert list(view.kits) == ["files"]


def test_an_interrupt_ends_the_query() -> None:
    """An interrupt is no fault of a provider: it goes through."""
    with pytest.raises(KeyboardInterrupt):
        Catalog([raising(KeyboardInterrupt())]).view()

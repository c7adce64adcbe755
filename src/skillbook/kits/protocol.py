"""The protocol of providers, and asking any object that serves as one.

Imports ``tool`` for its messages, and the records of kits.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from skillbook.data_skill import refuse_async
from skillbook.errors import SkillWarning, told
from skillbook.kits.errors import FAULTS, KitNotFound
from skillbook.kits.records import Agent, Kit, Survey, all_agents, some
from skillbook.kits.words import clean, one_line, said_notice, said_skip
from skillbook.model import Notice, SkillInfo, SkillSkip, visible
from skillbook.tool import not_found
from skillbook.words import count

_SURVEY = "_skillbook_survey"  # no name that anybody else would give a method


@runtime_checkable
class Provider(Protocol):
    """A source of kits, asked anew at every query.

    Any object with ``list_kits`` serves; deriving from this class adds ``get_kit``. A provider may
    say with an attribute ``provider_name`` what it is called in warnings and displays.
    """

    def list_kits(self) -> Iterable[Kit]:
        """Returns the kits that are there now, in order."""
        ...

    def get_kit(self, name: str) -> Kit:
        """Returns one kit; override it only to be faster.

        Raises:
            KitNotFound: when there is none of that name; the message lists those that are there.
        """
        return find_kit(self.list_kits(), name)


def find_kit(kits: Iterable[Kit], name: str) -> Kit:
    """Returns the first kit of a name.

    Raises:
        KitNotFound: when there is none; the message lists those that are there.
    """
    names: dict[str, Kit] = {}
    for kit in kits:
        if kit.name == name:
            return kit
        names[kit.name] = kit
    raise KitNotFound(not_found(name, names, "Kit"))


def _counts(provider: Any, method: str) -> bool:
    """Returns whether a class has a method at or below the ``list_kits`` that counts.

    One that lies above speaks of another list than the provider's.
    """
    if "list_kits" in getattr(provider, "__dict__", ()):
        return False
    for each in type(provider).__mro__:
        if method in vars(each):
            return True
        if "list_kits" in vars(each):
            return False
    return False


def survey(provider: Any) -> Survey:
    """Asks a provider for its kits: by its own survey, ``list_kits``, or the older ``load_kits``.

    Raises:
        RubbishError: when what it gives is no list of kits, or breaks off.
        Exception: whatever else the provider raises.
    """
    own = getattr(provider, _SURVEY) if _counts(provider, _SURVEY) else _listing(provider)
    given = _waited(own(), "list_kits")
    if isinstance(given, Survey):
        return given
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Mapping, Kit)):
        raise RubbishError(f"it gave {_said(given)} instead of a list of kits", [])
    kits: list[Kit] = []
    odd: list[Any] = []
    try:
        for item in given:
            (kits if is_whole(item) else odd).append(item)
    except FAULTS as error:  # a generator that breaks off: what it gave before still serves
        raise RubbishError(told(error), kits) from error
    if odd:
        more = f", and {count(len(odd) - 1, 'more thing')} that are none" if len(odd) > 1 else ""
        raise RubbishError(f"it gave {_said(odd[0])}, which is no Kit{more}", kits)
    return Survey(kits, [])


def is_whole(item: Any) -> bool:
    """Returns whether an object is a kit with all that a kit has, not one that only says so."""
    try:
        return (
            isinstance(item, Kit)
            and isinstance(item.name, str)
            and isinstance(item.metadata, dict)
            and all(isinstance(each, SkillInfo) and each.name for each in item.skills)
            and all(isinstance(each, Agent) and each.name for each in all_agents(item))
            and all(isinstance(each, SkillSkip) for each in item.skipped)
            and all(isinstance(each, Notice) for each in item.notices)
        )
    except FAULTS:
        return False


class RubbishError(TypeError):
    """A provider gave something that is no kit, or broke off.

    Attributes:
        kits: the kits it gave that are right.
    """

    def __init__(self, detail: str, kits: list[Kit]) -> None:
        super().__init__(detail)
        self.kits = kits


def _said(value: Any) -> str:
    return "nothing" if value is None else f"something of type {type(value).__name__}"


def _waited(given: Any, method: str) -> Any:
    """Returns what a method gave.

    Raises:
        RubbishError: when it is async.
    """
    try:
        return refuse_async(given)
    except TypeError:
        raise RubbishError(
            f"its {method} is async, and is not waited for; write it as a plain method", []
        ) from None


def _listing(provider: Any) -> Any:
    listing = _attribute(provider, "list_kits")
    return listing if callable(listing) else provider.load_kits


def get_kit(provider: Any, name: str) -> Kit:
    """Asks a provider for one kit, by its ``get_kit`` where it has one.

    Raises:
        KitNotFound: when it has none of that name.
        Exception: whatever else the provider raises.
    """
    if not _counts(provider, "get_kit"):
        return find_kit(survey(provider).kits, name)
    kit: Kit = _waited(provider.get_kit(name), "get_kit")
    if not is_whole(kit):
        raise RubbishError(f"its get_kit gave {_said(kit)} instead of a Kit", [])
    return kit


def checked(provider: object) -> object:
    """Returns an object that serves as a provider.

    Raises:
        TypeError: when it is none; the message says what to pass.
    """
    if isinstance(provider, type) and callable(_attribute(provider, "list_kits")):
        raise TypeError(f"{provider.__name__} is a class; pass a provider: {provider.__name__}()")
    if callable(_attribute(provider, "list_kits")):
        return provider
    if callable(_attribute(provider, "load_kits")):
        warnings.warn(
            f"the provider {label(provider)} has only load_kits; call the method list_kits",
            DeprecationWarning,
            stacklevel=3,  # the line that makes the catalogue
        )
        return provider
    raise TypeError(
        f"a provider is {provider!r}; pass an object with a method list_kits() that gives kits"
    )


def _attribute(provider: object, name: str) -> Any:
    """Returns an attribute, or None where it is not there or cannot be had."""
    try:
        return getattr(provider, name, None)
    except FAULTS:
        return None


def label(provider: object) -> str:
    """Returns what a provider is called: its ``provider_name``, or the name of its class."""
    own = _attribute(provider, "provider_name")
    named = one_line(clean(own)) if isinstance(own, str) else ""
    return named or type(provider).__name__


def name_fault(provider: object) -> str | None:
    """Returns what is wrong with a provider's ``provider_name``; None where it is right or absent."""
    try:
        own = getattr(provider, "provider_name", None)
    except FAULTS as error:  # a stranger's code
        return f"its provider_name raised {told(error)}"
    if own is None or (isinstance(own, str) and own.strip()):
        return None
    said = "blank" if isinstance(own, str) else f"of type {type(own).__name__}"
    return f"its provider_name is {said}; it must be text"


Told = dict[str | tuple[str, type[Warning], int], int]
"""What Python's warnings keep of those that were given, one for each object that warns."""


def warn(message: str, told: Told) -> None:
    """Gives a ``SkillWarning`` with a fixed place.

    A query may be asked hundreds of times a day; ``told`` lets Python's own filter show the same
    text once for each object that warns.
    """
    warnings.warn_explicit(
        visible(message), SkillWarning, "skillbook", 1, module="skillbook", registry=told
    )


def warn_of(kits: Iterable[Kit], notices: Iterable[Notice], told: Told) -> None:
    """Warns of what gave no skill, agent or kit: one warning for files, one for folders."""
    skips = [skip for kit in kits for skip in kit.skipped]
    if skips:
        what = "file gave" if len(skips) == 1 else "files gave"
        said = some([said_skip(skip) for skip in skips], 5)
        warn(f"{len(skips):,} {what} no skill or agent: {said}", told)
    absent = list(notices)
    if absent:
        what = "folder gave" if len(absent) == 1 else "folders gave"
        said = some([said_notice(notice) for notice in absent], 5)
        warn(f"{len(absent):,} {what} no kit: {said}", told)

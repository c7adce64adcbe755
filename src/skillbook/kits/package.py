"""``PackageKit``: a Python class that is a provider and runs its own skills.

Its files are read once, when the class is made, from a folder, a wheel or a zip. Imports
``agents``, ``packed``, the protocol and the records of kits.
"""

from __future__ import annotations

import os
import re
import sys
import zipimport
from abc import ABC, abstractmethod
from collections.abc import Awaitable
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar

from skillbook.kits import packed
from skillbook.kits.errors import KitFileError
from skillbook.kits.packed import Place
from skillbook.kits.protocol import Provider
from skillbook.kits.records import Agent, Kit, ToolExecution, some
from skillbook.model import Shown
from skillbook.tool import ToolResult
from skillbook.words import count

Answer = str | ToolResult

# The objects whose agent_definition is being asked: it may itself look at list_kits.
_asked: ContextVar[frozenset[int]] = ContextVar("_asked", default=frozenset())


class PackageKit(Shown, Provider, ABC):
    """The base of a class that brings a kit and runs its skills.

    The subclass writes ``execute``; all else can be overridden::

        class FilesKit(PackageKit):
            def execute(self, execution):
                return f"{execution.skill.name} got {execution.arguments!r}"

        catalog = Catalog([FilesKit()])

    The kit's folder is that of the module that defines the class: ``skills/**/SKILL.md``, and for
    agents ``AGENT.md``, ``agents/*.md`` and ``agents/*/AGENT.md``. Where that folder has none of
    these, a subclass of a kit has the folder of that kit. All are read and parsed, and the files
    beside a ``SKILL.md`` listed, when the class is made, and served from memory; a wrong one raises
    ``KitFileError`` then, with path and line. Class arguments: ``path=`` (text, ``Path``, or a
    package's resources from ``importlib.resources.files``) is the folder instead; ``name=`` is the
    kit's name. Without it the name is the attribute ``name`` that the class itself sets, else the
    class's in snake case without ``Kit``.

    Attributes:
        name: the kit's name.
    """

    name: ClassVar[str]
    _place: ClassVar[Place]
    _kit: ClassVar[Kit]

    def __init_subclass__(
        cls, *, path: Any = None, name: str | None = None, **arguments: Any
    ) -> None:
        super().__init_subclass__(**arguments)
        if name is None:  # one that a base sets is not inherited: two kits would have one name
            name = vars(cls).get("name", snake_case(cls.__name__))
        cls.name = name
        cls._place = kit_place(cls) if path is None else packed.place(path)
        cls._kit = packed.read(cls._place, cls.name)

    def __repr__(self) -> str:
        held = f"{self.name} ({count(len(self._kit.skills), 'skill')})"
        return f"<{type(self).__name__}: 1 kit: {some([held])}>"

    @property
    def provider_name(self) -> str:
        """What it is called in warnings and displays: the name of the class."""
        return type(self).__name__

    @classmethod
    def reload(cls) -> None:
        """Reads the files anew; the next query shows what changed.

        Raises:
            KitFileError: when a file is wrong; what was there before stays.
        """
        cls._kit = packed.read(cls._place, cls.name)

    def list_kits(self) -> list[Kit]:
        """Returns the one kit: led by ``agent_definition``, its skills run by ``execute``."""
        kit = self._kit
        asked = _asked.get()
        if id(self) in asked:  # agent_definition looks at the kit that it is asked to lead
            return [packed.running(kit, self.execute, kit.root_agent)]
        token = _asked.set(asked | {id(self)})
        try:
            agent = self.agent_definition()
        finally:
            _asked.reset(token)
        held = self.__dict__.get("_own")
        if held is None or held[0] is not kit or held[1] != agent:
            held = kit, agent, packed.running(kit, self.execute, agent)
            self.__dict__["_own"] = held
        return [held[2]]

    def agent_definition(self) -> Agent | None:
        """Returns the root agent, or None where the kit has none; an override changes it."""
        return self._kit.root_agent

    def definition(self) -> dict[str, Any]:
        """Returns the kit as one tool: its ``name``, ``description`` and ``input_schema``."""
        kit = next(iter(self.list_kits()), self._kit)
        agent = self.agent_definition()
        told = [
            f"{skill.name}: {' '.join((skill.description or '').split())}" for skill in kit.skills
        ]
        said = agent.description if agent else f"Runs the skills of the kit {kit.name}."
        return {
            "name": kit.name,
            "description": " ".join([said, "Skills:", *told]) if told else said,
            "input_schema": {
                "type": "object",
                "properties": {
                    "skill": {"type": "string", "enum": [skill.name for skill in kit.skills]},
                    "arguments": {"type": "string", "description": "What the skill works on."},
                },
                "required": ["skill"],
                "additionalProperties": False,
            },
        }

    @abstractmethod
    def execute(self, execution: ToolExecution) -> Answer | Awaitable[Answer]:
        """Runs one of the kit's skills; a subclass writes this.

        Args:
            execution: the skill, its arguments as text and as a mapping.

        Returns:
            Text, or a ``ToolResult``; a coroutine is awaited.
        """

    def resume(self, execution: ToolExecution, state: Any, decision: Any) -> Answer:  # noqa: ARG002
        """Goes on with a call that stopped for a decision; by default it cannot.

        Args:
            execution: the call that stopped.
            state: what it left behind.
            decision: what was decided.

        Returns:
            An error result that says so.
        """
        return ToolResult(
            f"The skill {execution.skill.name} cannot be resumed: it runs from start to end in one"
            " call. Call it again.",
            is_error=True,
        )


def snake_case(name: str) -> str:
    """Returns a class's name as a kit's: ``PdfFilesKit`` gives ``pdf_files``."""
    name = name.strip("_")
    name = name[: -len("Kit")] if name.endswith("Kit") and name != "Kit" else name
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def kit_place(cls: type[PackageKit]) -> Place:
    """Returns the folder of a class's module; where no kit is in it, that of the kit it extends.

    Raises:
        KitFileError: when the class extends no kit with files, and its module has no file.
    """
    places: list[Place] = [vars(base)["_place"] for base in cls.__mro__ if "_place" in vars(base)]
    extended = next((place for place in places if packed.holds(place)), None)
    if extended is None:
        return defining_place(cls)
    if getattr(sys.modules.get(cls.__module__), "__file__", None) is None:
        return extended
    own = defining_place(cls)
    return own if packed.holds(own) else extended


def defining_place(cls: type) -> Place:
    """Returns the folder of the module that defines a class, in a zip too.

    Raises:
        KitFileError: when the module has no file, as in a notebook's cell.
    """
    module = sys.modules.get(cls.__module__)
    file = getattr(module, "__file__", None)
    if file is None:
        raise KitFileError(
            cls.__qualname__,
            f"the class is made where there is no file (a notebook's cell, or a prompt), so its"
            f" folder is unknown; say where its skills lie: class {cls.__name__}(PackageKit,"
            ' path="my-kit")',
        )
    folder = os.path.dirname(os.path.abspath(file))
    typed = os.path.basename(folder)
    if os.path.isdir(folder):
        return Place(Path(folder), typed)
    loader = getattr(module, "__loader__", None)
    if isinstance(loader, zipimport.zipimporter):
        import zipfile  # noqa: PLC0415 - only for a class in a zip

        inner = os.path.relpath(folder, loader.archive).replace(os.sep, "/")
        return Place(zipfile.Path(loader.archive, "" if inner == "." else inner + "/"), typed)
    if module is not None and module.__package__:
        from importlib.resources import files  # noqa: PLC0415 - another way of packing

        return Place(files(module.__package__), typed)
    raise KitFileError(folder, "this folder does not exist; say where the skills lie with path=")

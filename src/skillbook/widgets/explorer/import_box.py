"""The box of the explorer that imports skills from GitHub: a reference, progress, what came of it.

An import runs in a thread, so that the kernel answers meanwhile; where no event loop runs it is done
at once. Imports ``base``, ``parts``, ``work`` and the GitHub provider.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import ipywidgets

from skillbook.display import words
from skillbook.display.markup import Markup, element, join, note
from skillbook.errors import SkillbookError
from skillbook.errors import told as said
from skillbook.kits import protocol
from skillbook.kits.github.provider import GitHubProvider, ImportedSource
from skillbook.model import printable
from skillbook.widgets.elements.base import button, control, row_of
from skillbook.widgets.elements.parts import Status
from skillbook.widgets.elements.work import later

MOST_REFERENCE = 1_000
"""Characters of a reference."""

_MOST_ALLOWED = 200
_STEP = 0.01


Outcome = ImportedSource | str
"""What came of an import: the source, or why there is none."""


class StoppedError(Exception):
    """The stop button was pressed while an archive was downloaded."""


class ImportBox(ipywidgets.VBox):  # type: ignore[misc]
    """A box to import from GitHub with.

    Attributes:
        providers: the providers that can import.
        status: how far the import is, and what came of it, in words.
        running: whether an import runs.
        failed: whether the last import failed.
    """

    def __init__(
        self, providers: Sequence[GitHubProvider], done: Callable[[ImportedSource], None]
    ) -> None:
        """Makes a box.

        Args:
            providers: the providers that can import, at least one.
            done: called with each source that was imported.
        """
        self.providers = tuple(providers)
        self.running = self.failed = False
        self._done = done
        self._stopping = self._closed = False
        self._task: asyncio.Task[None] | None = None
        self.status = Status(stop=self.stop)
        self.reference_box = control(
            ipywidgets.Text,
            "Import from GitHub",
            placeholder="owner/repo[/path][@ref], or a web address",
        )
        self.reference_box.add_class("skillbook-search")
        self.reference_box.on_msg(self.heard)
        names = [protocol.label(provider) for provider in self.providers]
        self.provider_box = control(
            ipywidgets.Dropdown,
            "with",
            options=[
                (f"{name}, {_allowed(provider)}", place)
                for place, (name, provider) in enumerate(zip(names, self.providers, strict=True))
            ],
            value=0,
        )
        self.provider_box.layout.display = "" if len(self.providers) > 1 else "none"
        self.update_box = control(ipywidgets.Checkbox, "download again", value=False, indent=False)
        self.button = button(
            "Import", "Downloads the repository's archive and unpacks its skills", self.start
        )
        bar = row_of(self.reference_box, self.provider_box, self.update_box, self.button)
        super().__init__((bar, self.status))
        self.add_class("skillbook-import")
        self.provider_box.observe(lambda _change: self._say_allowed(), "value")
        self._say_allowed()

    @property
    def provider(self) -> GitHubProvider:
        """The provider that is chosen."""
        place: int = self.provider_box.value
        return self.providers[place]

    def start(self) -> None:
        """Imports what stands in the box, in a thread; the status tells what came of it."""
        begun = self._begin(self._teller())
        if begun is None:
            return
        self._task = later(begun, self._ended)
        if self._task is None:  # no event loop: now
            self._ended(begun())

    def import_now(self, reference: str, *, update: bool = False) -> ImportedSource | None:
        """Imports now, and tells what came of it as the button does.

        Args:
            reference: what to import, as ``GitHubProvider.import_source`` takes it.
            update: whether to download again what the cache has.

        Returns:
            What was imported; None where nothing was, and the status says why.
        """
        self.reference_box.value, self.update_box.value = reference, update
        begun = self._begin(self._tell)
        if begun is None:
            return None
        outcome = begun()
        self._ended(outcome)
        return None if isinstance(outcome, str) else outcome

    def stop(self) -> None:
        """Stops the import at its next piece; nothing of it is left behind."""
        if self.running:
            self._stopping = True
            self.status.message = "Stopping …"

    def close(self) -> None:
        """Closes the box; an import that runs is stopped."""
        self._closed = self._stopping = True
        super().close()

    # --- handlers ---------------------------------------------------------------------------------

    def heard(self, _widget: object, content: object, _buffers: object = None) -> None:
        """Answers the Enter key in the reference."""
        if content == {"event": "submit"}:
            self.start()

    def _begin(self, tell: Callable[[str, float], None]) -> Callable[[], Outcome] | None:
        """Returns what imports, where there is something to import and nothing runs."""
        reference = self.reference_box.value.strip()[:MOST_REFERENCE]
        if self.running:
            self.status.message = "An import is running; stop it first."
            return None
        if not reference:
            self.status.message = "Type what to import first, such as owner/repo."
            return None
        self.running, self._stopping = True, False
        self.button.disabled = True
        self.status.progress = 0.0
        self.status.message = f"Importing {words.cut(reference, 100)} …"
        provider, update = self.provider, self.update_box.value
        return lambda: self._import(provider, reference, tell, update=update)

    def _say_allowed(self) -> None:
        self.status.facts = [_allowed(self.provider), f"token: {self.provider.token}"]

    def _teller(self) -> Callable[[str, float], None]:
        """Returns what shows progress, from the thread of the import too."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return self._tell
        return lambda said, share: _soon(loop, self._tell, said, share)

    def _tell(self, said: str, share: float) -> None:
        if self.running and not self._stopping:
            self.status.message, self.status.progress = said, share

    def _import(
        self,
        provider: GitHubProvider,
        reference: str,
        tell: Callable[[str, float], None],
        *,
        update: bool,
    ) -> Outcome:
        """Imports, in a thread where there is one; returns what came of it, or why nothing did."""
        had, told = 0, -1.0

        def heard(piece: int, whole: int | None) -> None:
            nonlocal had, told
            if self._stopping:
                raise StoppedError
            had += piece
            # Without a whole, the bar stands still and the words count on.
            now = had / whole if whole else had / 1_000_000
            if now - told < _STEP:
                return
            told = now
            of = f" of {words.size(whole)}" if whole else ""
            said = f"Importing {words.cut(reference, 100)}: {words.size(had)}{of}."
            tell(said, min(now, 1.0) if whole else 0.0)

        try:
            return provider.import_source(reference, update=update, heard=heard)
        except StoppedError:
            return "Stopped; nothing was imported."
        except SkillbookError as error:
            return f"Nothing was imported: {error}"
        except Exception as error:  # noqa: BLE001 - a subclass's own code: it is told, not raised
            return f"Nothing was imported: {said(error)}"

    def _ended(self, outcome: Outcome) -> None:
        self.running = False
        if self._closed:
            return
        self.failed = isinstance(outcome, str)
        self.button.disabled = False
        self.status.progress = -1.0
        if isinstance(outcome, str):
            self.status.message = _sentence(outcome)
            return
        self.status.message = f"Imported {outcome.sentence()}"
        self.reference_box.value = ""
        self._done(outcome)

    # --- the static twin --------------------------------------------------------------------------

    def words(self) -> str:
        """Returns what the box says, as text on one line."""
        return ": ".join(("import from GitHub", *filter(None, self._said())))

    def card(self) -> Markup:
        """Returns what the box says, as HTML."""
        facts, message = self._said()
        parts = [element("p", element("strong", "Import from GitHub: "), facts)]
        return join((*parts, note(message))) if message else join(parts)

    def _said(self) -> tuple[str, str]:
        message = words.cut(" ".join(self.status.message.split()), 1_000)
        return ", ".join(self.status.facts), message


def _allowed(provider: GitHubProvider) -> str:
    """Returns what a provider may import, in words."""
    patterns = provider.allowed_sources
    if "*" in patterns:
        return "allowed: any repository"
    return f"allowed: {words.cut(printable(', '.join(patterns)), _MOST_ALLOWED) or 'nothing'}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _soon(
    loop: asyncio.AbstractEventLoop, act: Callable[[str, float], None], said: str, share: float
) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(act, said, share)

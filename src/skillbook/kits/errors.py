"""The exceptions of kits and of importing.

What a caller catches::

    SkillbookError
    ├── KitNotFound              no kit of that name
    ├── AgentNotFound            no agent of that name
    ├── KitFileError             a file of a kit in a Python package is wrong
    └── SkillImportError         an import from GitHub that did not happen
        ├── BadReferenceError        text that names no repository
        ├── NotAllowedError          a repository that ``allowed_sources`` leaves out
        ├── NotImportedError         nothing of that reference is in the cache
        ├── RepositoryNotFoundError  not there, or private
        ├── RefNotFoundError         no such branch, tag or commit
        ├── PathNotFoundError        no skill under that path
        ├── ForbiddenError           a refusal, or a refused token
        ├── RateLimitError           too many requests for now
        ├── NetworkError             no answer, or one that broke off
        └── ArchiveError             an archive that is not unpacked
            ├── BrokenArchiveError       damaged or cut off
            ├── UnsafeArchiveError       it would write where it may not
            └── TooLargeError            over one of the caps

This module imports only ``errors``.
"""

from __future__ import annotations

from skillbook.errors import NotFound, SkillbookError

FAULTS = (Exception, SystemExit)
"""What a stranger's code may raise without ending the program: not an interrupt."""


class KitNotFound(NotFound):
    """There is no kit of that name."""


class AgentNotFound(NotFound):
    """There is no agent of that name, or no root agent."""


class KitFileError(SkillbookError):
    """A file of a kit in a Python package is wrong, so that the class cannot be made.

    Attributes:
        path: the file or folder.
        detail: what is wrong, in plain words.
        line: the line in the file, from 1, or None where no line is meant.
    """

    def __init__(self, path: str, detail: str, line: int | None = None) -> None:
        place = f"{path}, line {line}" if line else path
        super().__init__(f"{place}: {detail.removeprefix(f'line {line}: ')}")
        self.path = path
        self.detail = detail
        self.line = line


class SkillImportError(SkillbookError):
    """An import from GitHub that did not happen; nothing of it is left behind."""


class BadReferenceError(SkillImportError, ValueError):
    """A text that names no repository; the message says how to write one."""


class NotAllowedError(SkillImportError):
    """A repository that ``allowed_sources`` leaves out."""


class NotImportedError(SkillImportError):
    """Nothing of that reference is in the cache."""


class RepositoryNotFoundError(SkillImportError):
    """The repository is not there, or is private."""


class RefNotFoundError(SkillImportError):
    """The repository has no such branch, tag or commit."""


class PathNotFoundError(SkillImportError):
    """The repository has no skill under that path."""


class ForbiddenError(SkillImportError):
    """GitHub refused, or refused the token."""


class RateLimitError(SkillImportError):
    """Too many requests for now.

    Attributes:
        reset: when the limit resets, in seconds since 1970 (UTC), or None where it was not said.
    """

    def __init__(self, message: str, reset: int | None = None) -> None:
        super().__init__(message)
        self.reset = reset


class NetworkError(SkillImportError):
    """GitHub gave no answer, or one that broke off."""


class ArchiveError(SkillImportError):
    """An archive that is not unpacked; nothing of it is left behind."""


class BrokenArchiveError(ArchiveError):
    """The archive is damaged, cut off, or none that GitHub makes."""


class UnsafeArchiveError(ArchiveError):
    """The archive holds members that would be written where they may not be."""


class TooLargeError(ArchiveError):
    """The archive is over one of the caps."""

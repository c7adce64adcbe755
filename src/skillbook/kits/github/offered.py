"""The kit ``github``: what a model is offered to import, list and remove sources with.

Imports the errors and records of kits; the provider is handed in.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from skillbook.kits.errors import BadReferenceError, SkillImportError
from skillbook.kits.records import Kit, ToolExecution
from skillbook.model import Notice, SkillDef, printable
from skillbook.tool import ToolResult
from skillbook.words import count

if TYPE_CHECKING:
    from skillbook.kits.github.provider import GitHubProvider

_IMPORT_FOR = (
    "Imports skills from a GitHub repository, so that they can be used at once. Use it when a task"
    " needs a skill that is not listed and the repository that has it is known."
)
_IMPORT = """\
Imports the skills of a GitHub repository.

Activate this skill with the reference as its arguments: `owner/repo`, `owner/repo/path`,
`owner/repo@ref`, `owner/repo/path@ref`, or the web address of a repository, a folder or a file.
The answer names the skills that were imported. They are available from the next call on.
"""
_LIST_FOR = (
    "Lists the sources that were imported from GitHub, with their commits and skills. Use it to see"
    " what is there before importing or removing."
)
_LIST = """\
Lists what was imported from GitHub. Activate this skill without arguments.
"""
_REMOVE_FOR = (
    "Removes a source that was imported from GitHub, with its skills. Use it when the user asks for"
    " that."
)
_REMOVE = """\
Removes a source that was imported from GitHub.

Activate this skill with the reference as its arguments, as `github:list` gives it.
"""

_CACHED = " It was in the cache; nothing was downloaded."
_HOW = 'pass the reference as the arguments, such as owner/repo, or {"reference": "owner/repo"}'


def own_kit(provider: GitHubProvider) -> Kit:
    """Returns the kit ``github`` of a provider; without an import where none may be offered."""
    skills = [
        SkillDef("list", _LIST, _LIST_FOR, handler=partial(_run_list, provider)),
        SkillDef("remove", _REMOVE, _REMOVE_FOR, handler=partial(_run_remove, provider)),
    ]
    notices = []
    sources = provider.allowed_sources
    if provider.offers_import:
        told = f"{_IMPORT_FOR} Allowed are: {', '.join(sources)}."
        skills.insert(0, SkillDef("import", _IMPORT, told, handler=partial(_run_import, provider)))
    else:
        why = (
            "while allowed_sources is '*', no import is offered to a model; name the sources that it"
            " may import"
            if sources
            else "allowed_sources is empty, so nothing may be imported"
        )
        detail = f"github:import is left out: {why}"
        notices.append(Notice("skill://github:import/", "not-offered", detail))
    return Kit("github", skills, notices=notices)


def _run_import(provider: GitHubProvider, execution: ToolExecution) -> ToolResult:
    update = execution.input.get("update") is True
    try:
        done = provider.import_source(_asked(execution), update=update)
    except SkillImportError as error:
        return ToolResult(f"Nothing was imported: {error}", is_error=True)
    return ToolResult(f"Imported {done.sentence()}", metadata=done.to_dict())


def _run_remove(provider: GitHubProvider, execution: ToolExecution) -> ToolResult:
    try:
        done = provider.remove_source(_asked(execution))
    except SkillImportError as error:
        return ToolResult(f"Nothing was removed: {error}", is_error=True)
    return ToolResult(f"Removed {done.reference} and its {count(len(done.skills), 'skill')}.")


def _run_list(provider: GitHubProvider, _: ToolExecution) -> str:
    sources = provider.list_sources()
    if not sources:
        return "No source is imported from GitHub so far."
    told = [f"- {source.sentence()}".removesuffix(_CACHED) for source in sources]
    return "\n".join([f"{count(len(sources), 'source')} imported from GitHub:", *told])


def _asked(execution: ToolExecution) -> str:
    """Returns the reference in a call: the text, or ``{"reference": "…"}``.

    Raises:
        BadReferenceError: when a mapping names none.
    """
    if not execution.input:
        return execution.arguments
    given = execution.input.get("reference", execution.input.get("ref"))
    if given is None:
        raise BadReferenceError(f"the arguments name no reference; {_HOW}")
    return given if isinstance(given, str) else printable(str(given))

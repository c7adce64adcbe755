"""See, write and teach agent skills in Jupyter.

``import skillbook as sb`` gives every public name. Each is loaded when it is first asked for, so
the import itself costs next to nothing and needs no notebook library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillbook.budgets import budget as budget
    from skillbook.disclosure import Session as Session
    from skillbook.display import to_html as to_html
    from skillbook.errors import FrontMatterError as FrontMatterError
    from skillbook.errors import MissingDependency as MissingDependency
    from skillbook.errors import ScriptError as ScriptError
    from skillbook.errors import SkillbookError as SkillbookError
    from skillbook.errors import SkillNotFound as SkillNotFound
    from skillbook.errors import SkillReadError as SkillReadError
    from skillbook.errors import SkillWarning as SkillWarning
    from skillbook.kits.catalog import Catalog as Catalog
    from skillbook.kits.catalog import CatalogView as CatalogView
    from skillbook.kits.errors import AgentNotFound as AgentNotFound
    from skillbook.kits.errors import ArchiveError as ArchiveError
    from skillbook.kits.errors import BadReferenceError as BadReferenceError
    from skillbook.kits.errors import BrokenArchiveError as BrokenArchiveError
    from skillbook.kits.errors import ForbiddenError as ForbiddenError
    from skillbook.kits.errors import KitFileError as KitFileError
    from skillbook.kits.errors import KitNotFound as KitNotFound
    from skillbook.kits.errors import NetworkError as NetworkError
    from skillbook.kits.errors import NotAllowedError as NotAllowedError
    from skillbook.kits.errors import NotImportedError as NotImportedError
    from skillbook.kits.errors import PathNotFoundError as PathNotFoundError
    from skillbook.kits.errors import RateLimitError as RateLimitError
    from skillbook.kits.errors import RefNotFoundError as RefNotFoundError
    from skillbook.kits.errors import RepositoryNotFoundError as RepositoryNotFoundError
    from skillbook.kits.errors import SkillImportError as SkillImportError
    from skillbook.kits.errors import TooLargeError as TooLargeError
    from skillbook.kits.errors import UnsafeArchiveError as UnsafeArchiveError
    from skillbook.kits.github.provider import GitHubProvider as GitHubProvider
    from skillbook.kits.github.provider import ImportedSource as ImportedSource
    from skillbook.kits.local import LocalProvider as LocalProvider
    from skillbook.kits.memory import MemoryProvider as MemoryProvider
    from skillbook.kits.memory import SourceProvider as SourceProvider
    from skillbook.kits.package import PackageKit as PackageKit
    from skillbook.kits.protocol import Provider as Provider
    from skillbook.kits.records import Agent as Agent
    from skillbook.kits.records import Failure as Failure
    from skillbook.kits.records import Kit as Kit
    from skillbook.kits.records import Shadowed as Shadowed
    from skillbook.kits.records import ToolExecution as ToolExecution
    from skillbook.kits.secret import env as env
    from skillbook.lint.checker import check as check
    from skillbook.lint.draft import Preview as Preview
    from skillbook.lint.draft import preview as preview
    from skillbook.lint.finding import Finding as Finding
    from skillbook.lint.fixer import Fix as Fix
    from skillbook.lint.fixer import fix as fix
    from skillbook.lint.report import Report as Report
    from skillbook.lint.rule import Rule as Rule
    from skillbook.lint.rule import rule as rule
    from skillbook.mcp import serve_mcp as serve_mcp
    from skillbook.model import ALL as ALL
    from skillbook.model import Notice as Notice
    from skillbook.model import Root as Root
    from skillbook.model import SkillDef as SkillDef
    from skillbook.model import SkillInfo as SkillInfo
    from skillbook.model import SkillSkip as SkillSkip
    from skillbook.scripts import ScriptCommand as ScriptCommand
    from skillbook.scripts import ScriptResult as ScriptResult
    from skillbook.sizes import token_sizes as token_sizes
    from skillbook.source import SkillInventory as SkillInventory
    from skillbook.source import SkillSource as SkillSource
    from skillbook.source import default_roots as default_roots
    from skillbook.source import list_skills as list_skills
    from skillbook.source import load_skills as load_skills
    from skillbook.starter import new_skill as new_skill
    from skillbook.tokens import count_tokens as count_tokens
    from skillbook.tool import Tool as Tool
    from skillbook.tool import ToolResult as ToolResult
    from skillbook.toolkit import Toolkit as Toolkit
    from skillbook.toolkit import create_toolkit as create_toolkit
    from skillbook.widgets import BudgetView as BudgetView
    from skillbook.widgets import CatalogPreview as CatalogPreview
    from skillbook.widgets import DisclosureTrace as DisclosureTrace
    from skillbook.widgets import SkillBrowser as SkillBrowser
    from skillbook.widgets import SkillEditor as SkillEditor
    from skillbook.widgets import ToolSimulator as ToolSimulator
    from skillbook.widgets import explore as explore
    from skillbook.wrapper import SkillTools as SkillTools
    from skillbook.wrapper import SkillWrapper as SkillWrapper
    from skillbook.wrapper import skill_wrapper as skill_wrapper

__version__ = "0.1.0"

_HOMES = {
    "ALL": "model",
    "Agent": "kits.records",
    "AgentNotFound": "kits.errors",
    "ArchiveError": "kits.errors",
    "BadReferenceError": "kits.errors",
    "BrokenArchiveError": "kits.errors",
    "BudgetView": "widgets",
    "Catalog": "kits.catalog",
    "CatalogPreview": "widgets",
    "CatalogView": "kits.catalog",
    "DisclosureTrace": "widgets",
    "Failure": "kits.records",
    "Finding": "lint.finding",
    "Fix": "lint.fixer",
    "ForbiddenError": "kits.errors",
    "FrontMatterError": "errors",
    "GitHubProvider": "kits.github.provider",
    "ImportedSource": "kits.github.provider",
    "Kit": "kits.records",
    "KitFileError": "kits.errors",
    "KitNotFound": "kits.errors",
    "LocalProvider": "kits.local",
    "MemoryProvider": "kits.memory",
    "MissingDependency": "errors",
    "NetworkError": "kits.errors",
    "NotAllowedError": "kits.errors",
    "NotImportedError": "kits.errors",
    "Notice": "model",
    "PackageKit": "kits.package",
    "PathNotFoundError": "kits.errors",
    "Preview": "lint.draft",
    "Provider": "kits.protocol",
    "RateLimitError": "kits.errors",
    "RefNotFoundError": "kits.errors",
    "Report": "lint.report",
    "RepositoryNotFoundError": "kits.errors",
    "Root": "model",
    "Rule": "lint.rule",
    "ScriptCommand": "scripts",
    "ScriptError": "errors",
    "ScriptResult": "scripts",
    "Session": "disclosure",
    "Shadowed": "kits.records",
    "SkillBrowser": "widgets",
    "SkillDef": "model",
    "SkillEditor": "widgets",
    "SkillImportError": "kits.errors",
    "SkillInfo": "model",
    "SkillInventory": "source",
    "SkillNotFound": "errors",
    "SkillReadError": "errors",
    "SkillSkip": "model",
    "SkillSource": "source",
    "SkillTools": "wrapper",
    "SkillWarning": "errors",
    "SkillWrapper": "wrapper",
    "SkillbookError": "errors",
    "SourceProvider": "kits.memory",
    "TooLargeError": "kits.errors",
    "Tool": "tool",
    "ToolExecution": "kits.records",
    "ToolResult": "tool",
    "ToolSimulator": "widgets",
    "Toolkit": "toolkit",
    "UnsafeArchiveError": "kits.errors",
    "budget": "budgets",
    "check": "lint.checker",
    "count_tokens": "tokens",
    "create_toolkit": "toolkit",
    "default_roots": "source",
    "env": "kits.secret",
    "explore": "widgets",
    "fix": "lint.fixer",
    "list_skills": "source",
    "load_skills": "source",
    "new_skill": "starter",
    "preview": "lint.draft",
    "rule": "lint.rule",
    "serve_mcp": "mcp",
    "skill_wrapper": "wrapper",
    "to_html": "display",
    "token_sizes": "sizes",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        msg = f"module 'skillbook' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(import_module(f"skillbook.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """Adds the magics; ``%load_ext skillbook`` calls this."""
    from skillbook import magics  # noqa: PLC0415 - needs IPython

    magics.load_ipython_extension(shell)

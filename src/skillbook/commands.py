"""The commands ``check``, ``new``, ``list``, ``show``, ``prompt`` and ``html`` of the command line.

Each is a click command that ``cli`` adds to its group, and imports what it needs inside itself, so
that ``skillbook --help`` stays quick. What a skill says is a stranger's text: on a terminal, what
could steer it is written out. Must not be imported by anything but ``cli``.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from skillbook.model import SkillInfo
    from skillbook.source import SkillInventory, SkillSource

_FORMATS = ("text", "json", "sarif", "github")
_Folders = tuple[str, ...]


def _folders(function: Any) -> Any:
    """Adds the argument for the folders to look in."""
    argument = click.argument(
        "folders", metavar="[DIR]...", nargs=-1, type=click.Path(exists=True, file_okay=False)
    )
    return argument(function)


# --- check -------------------------------------------------------------------------------------


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    default="text",
    show_default=True,
    help="How the findings are written.",
)
@click.option("--select", multiple=True, metavar="ID", help="Run these rules only: SB301, or SB3.")
@click.option("--ignore", multiple=True, metavar="ID", help="Leave these rules out.")
@click.option("--fix", "repair", is_flag=True, help="Make the safe fixes first, and save them.")
@click.option("--rules", "list_rules", is_flag=True, help="List the rules, and check nothing.")
def check(
    paths: _Folders,
    form: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    *,
    repair: bool,
    list_rules: bool,
) -> None:
    """Check skills: folders, SKILL.md files, or roots with many.

    Ends with 0, with 1 where there is an error or a fix could not be saved, and with 2 when it is
    called wrongly. Warnings and notes do not count as errors. In a skill's own front matter, rules are left out by
    metadata: {skillbook-ignore: "SB301 SB402"}.
    """
    from skillbook.lint.checker import check as run  # noqa: PLC0415 - only this command needs it
    from skillbook.lint.fixer import fix_all  # noqa: PLC0415

    if list_rules:
        click.echo(rules_table())
        return
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'. Pass '.' for the working folder.")
    chosen = _ids(select)
    unsaved = False
    # A str with a line end would be a text to check.
    given = [Path(path) if "\n" in path or "\r" in path else path for path in paths]
    try:
        if repair:
            for fixed in (each for path in given for each in fix_all(path, chosen, _ids(ignore))):
                click.echo(_plain(f"{fixed.summary.rstrip('.')}."), err=True)
                unsaved |= not fixed.saved
        report = run(given, select=chosen, ignore=_ids(ignore))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if form == "text":
        click.echo(report.to_text())
    elif form == "github":
        click.echo(report.to_github(), nl=bool(report.findings or report.notices))
    else:
        _json(report.to_sarif() if form == "sarif" else report.to_dict())
    if unsaved or not report.ok:
        sys.exit(1)


def _ids(given: tuple[str, ...]) -> list[str] | None:
    """Returns ids from an option that may stand several times, and may hold several."""
    return [name for text in given for name in text.replace(",", " ").split()] or None


def rules_table() -> str:
    """Returns the rules of the checker as a table in Markdown."""
    from skillbook.lint.checker import rules  # noqa: PLC0415 - only this command needs it

    rows = [f"| {rule.id} | {rule.severity} | {rule.doc} |" for rule in rules()]
    return "\n".join(("| rule | severity | what holds |", "| --- | --- | --- |", *rows))


def _json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


# --- new ---------------------------------------------------------------------------------------


@click.command()
@click.argument("name")
@click.option(
    "--root",
    default=".",
    show_default=True,
    type=click.Path(file_okay=False),
    help="The folder to make it in.",
)
@click.option("--description", help="What the skill does, and when to use it.")
@click.option("--scripts", is_flag=True, help="With a script.")
@click.option("--references", is_flag=True, help="With a reference file.")
def new(name: str, root: str, description: str | None, *, scripts: bool, references: bool) -> None:
    """Make a small skill called NAME that passes the checker.

    A folder that is there already is left as it is.
    """
    from skillbook.starter import new_skill  # noqa: PLC0415 - only this command needs it

    try:
        skill = new_skill(
            name,
            root,
            description=description,
            with_scripts=scripts,
            with_references=references,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    for path in ("SKILL.md", *skill.files()):
        click.echo(os.path.join(os.path.dirname(skill.shown_location), path))


# --- list, show, prompt, html ------------------------------------------------------------------


def _roots(folders: _Folders) -> list[str]:
    """Returns the folders given; else a checkout's examples; else those where agents keep skills."""
    from skillbook.lab import examples_here  # noqa: PLC0415 - the core waits for a command
    from skillbook.source import default_roots  # noqa: PLC0415

    if folders:
        return list(folders)
    if examples := examples_here():
        return [str(examples)]
    roots = [str(path) for path in default_roots()]
    if not roots:
        raise click.UsageError(
            "No folder of skills was found: looked for .agents/skills, .claude/skills,"
            " .github/skills and the like, in the working folder and at home. Pass a folder as DIR;"
            " '.' is the working folder."
        )
    return roots


def _source(folders: _Folders) -> SkillSource:
    from skillbook.source import load_skills  # noqa: PLC0415 - the core waits for a command

    return load_skills(_roots(folders))


@click.command("list")
@_folders
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def list_(folders: _Folders, *, as_json: bool) -> None:
    """List the skills below DIR, what was skipped and why.

    Without DIR: the examples, when this is called in a checkout of skillbook; otherwise the folders
    where agents keep skills, in the working folder and at home.
    """
    from skillbook.source import list_skills  # noqa: PLC0415 - the core waits for a command

    inventory = list_skills(_roots(folders))
    if as_json:
        value = inventory.to_dict()
        for skill in value["skills"]:
            del skill["resources"]  # what a data skill declares; a folder has files instead
        _json(value)
    else:
        click.echo("\n".join(map(_plain, _listed(inventory))))


def _listed(inventory: SkillInventory) -> Iterable[str]:
    from skillbook.model import on_line  # noqa: PLC0415 - the core waits for a command
    from skillbook.words import count  # noqa: PLC0415

    width = min(max((len(skill.name) for skill in inventory.skills), default=0), 40)
    for skill in inventory.skills:
        said = " ".join((skill.description or "(no description)").split())
        warned = f"  [warnings: {len(skill.warnings)}]" if skill.warnings else ""
        yield f"{skill.name:<{width}}  {said if len(said) <= 100 else said[:99] + '…'}{warned}"
    for skip in inventory.skipped:
        line = f":{skip.line}" if on_line(skip.line, skip.detail) else ""
        yield f"skipped  {skip.shown_location}{line}  {skip.reason}: {skip.detail}"
    for notice in inventory.notices:
        yield f"notice  {notice.shown_location}  {notice.kind}: {notice.detail}"
    roots = ", ".join(root.typed for root in inventory.roots)
    yield f"{count(len(inventory.skills), 'skill')}, {len(inventory.skipped):,} skipped, in {roots}"


@click.command()
@click.argument("name")
@_folders
@click.option("--envelope", is_flag=True, help="Exactly what a model gets.")
def show(name: str, folders: _Folders, *, envelope: bool) -> None:
    """Show the skill called NAME: its fields, its files, its text.

    NAME may also be the path of a skill's folder.
    """
    from skillbook.errors import SkillReadError  # noqa: PLC0415 - the core waits for a command
    from skillbook.tool import envelope as envelope_of  # noqa: PLC0415

    skill = _skill(name, folders)
    if envelope:
        result = envelope_of(skill)
        if result.is_error:
            raise SkillReadError(result.output)
        _text(result.output, exact=True)
        return
    rows = [
        f"name: {skill.name}",
        f"description: {' '.join((skill.description or '').split()) or '(none)'}",
        *_fields(skill.meta),
        f"location: {skill.shown_location}",
    ]
    rows += [f"warning: {notice.detail}" for notice in skill.warnings]
    rows += [f"file: {path}" for path in skill.files()]
    click.echo("\n".join(map(_plain, rows)))
    _text(f"\n{skill.content.strip()}")


def _fields(meta: dict[str, Any]) -> Iterable[str]:
    """Yields the front matter's other fields, a line each; those under a map as ``map.field``."""
    for field, value in meta.items():
        if field in ("name", "description"):
            continue
        inside = value if isinstance(value, dict) and value else None
        named = (
            {f"{field}.{key}": each for key, each in inside.items()} if inside else {field: value}
        )
        for key, each in named.items():
            said = each if isinstance(each, str) else json.dumps(each, ensure_ascii=False)
            yield f"{key}: {' '.join(said.split())}"


def _skill(name: str, folders: _Folders) -> SkillInfo:
    """Returns the skill that a name, or the path of a folder, means."""
    from skillbook.source import list_skills  # noqa: PLC0415 - the core waits for a command

    if not folders and os.path.isfile(os.path.join(name, "SKILL.md")):
        inventory = list_skills(name)
        here = os.path.join(os.path.abspath(name), "SKILL.md")
        for skill in inventory.skills:
            if skill.location == here:
                return skill
        detail = next(
            (s.detail for s in inventory.skipped if s.location == here), "it gives no skill"
        )
        raise click.ClickException(_plain(f"{os.path.join(name, 'SKILL.md')}: {detail}"))
    return _source(folders)[name]


@click.command()
@_folders
@click.option(
    "--format", "form", default="markdown", show_default=True, help="markdown, xml or json."
)
def prompt(folders: _Folders, form: str) -> None:
    """Print the text for the system prompt: the catalogue of skills."""
    source = _source(folders)
    try:
        text = source.prompt(form)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    _text(text, exact=True)


@click.command()
@_folders
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, writable=True),
    help="The file to write.",
)
def html(folders: _Folders, output: str) -> None:
    """Write one page that shows the skills below DIR, to open or to share."""
    from skillbook.display.page import to_html  # noqa: PLC0415 - only this command needs it

    try:
        written = to_html(_source(folders), output)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{output} cannot be written: {error.strerror}") from error
    click.echo(written)


def _plain(text: str) -> str:
    """Returns a line with what no eye can see written out."""
    from skillbook.lint.visible import visible  # noqa: PLC0415 - the core waits for a command

    return visible(text)


def _text(text: str, *, exact: bool = False) -> None:
    """Writes a stranger's text: as it is, but to a terminal without what could steer it.

    Args:
        text: the text.
        exact: whether no line end follows, except on a terminal.
    """
    from skillbook.model import printable  # noqa: PLC0415 - the core waits for a command

    text = printable(text)
    if sys.stdout.isatty():
        click.echo("\n".join(_plain(line) for line in text.split("\n")))
    else:
        # As bytes: click takes escapes out of text, and a line end or encoding may be another.
        click.echo(text.encode(), nl=not exact)


COMMANDS = (check, new, list_, show, prompt, html)
"""The commands, for ``cli`` to add to its group."""

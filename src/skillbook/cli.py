"""The command line: ``skillbook COMMAND``.

A command imports the module it needs inside itself, so that ``skillbook --help`` stays quick. It
may raise a SkillbookError: its message is printed and the command ends with 1.
"""

from __future__ import annotations

import warnings
from typing import Any

import click

from skillbook.commands import COMMANDS
from skillbook.errors import SkillbookError, SkillWarning


class _Commands(click.Group):
    """A group of commands that says errors and warnings of ours by their message alone.

    A message names what strangers wrote: what could steer a terminal is written out.
    """

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that was called."""
        before = warnings.formatwarning
        warnings.formatwarning = _warning
        try:
            return super().invoke(ctx)
        except SkillbookError as error:
            raise click.ClickException(_plain(str(error))) from error
        finally:
            warnings.formatwarning = before


_FORMAT = warnings.formatwarning


def _warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> str:
    """Returns a warning as it is printed; one of ours stands at no line of code."""
    if issubclass(category, SkillWarning):
        return f"Warning: {_plain(str(message))}\n"
    return _FORMAT(message, category, *place, **more)


def _plain(text: str) -> str:
    """Returns a text with what no eye can see written out, line by line."""
    from skillbook.lint.visible import visible  # noqa: PLC0415 - the core waits for a command

    return "\n".join(map(visible, text.split("\n")))


@click.group("skillbook", cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="skillbook")
def main() -> None:
    """See, write and teach agent skills in Jupyter."""


@main.command()
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@click.option("--no-browser", is_flag=True, help="Print the address, open no browser.")
@click.option("--ip", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on; 0 takes any free one.  [default: Jupyter's own]",
)
def lab(folder: str | None, no_browser: bool, ip: str, port: int | None) -> None:
    """Explore the skills in DIR in JupyterLab.

    Opens a notebook that shows every skill below DIR. It lies in a temporary folder that goes when
    you press Ctrl-C; no file is left in your own folders. Its code works in the folder where you call
    this, so that relative paths mean the same as in the terminal. Without DIR: the examples, when this is
    called in a checkout of skillbook; otherwise the working folder.
    """
    from skillbook import lab as session  # noqa: PLC0415 - only this command needs it

    session.start(folder, browser=not no_browser, ip=ip, port=port)


for _command in COMMANDS:
    main.add_command(_command)


@main.command("mcp", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("args", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def mcp(ctx: click.Context, args: tuple[str, ...]) -> None:
    """Serve the skills in DIR to an MCP client, over standard input and output."""
    from skillbook.mcp import mcp_command  # noqa: PLC0415 - only this command needs it

    with mcp_command.make_context(
        f"{ctx.parent.info_name if ctx.parent else ''} mcp", list(args)
    ) as called:
        mcp_command.invoke(called)

"""The commands, put together. What a command needs is imported when it runs, not when it is listed."""

from __future__ import annotations

from typing import Annotated

import typer

from pincite.cli.check import check
from pincite.cli.explain import explain, rules
from pincite.cli.locate import locate
from pincite.cli.parse import parse
from pincite.cli.sources import sources

app = typer.Typer(
    name="pincite",
    help="Check the citations in AI answers the way a linter checks code.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from pincite import __version__
        from pincite.cli.output import emit

        emit(f"pincite {__version__}\n")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Check the citations in AI answers the way a linter checks code."""


for command in (check, explain, rules, parse, sources, locate):
    app.command()(command)

"""Findings and runs as people and machines read them, one module per format."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from pincite.config import Settings
from pincite.errors import InputError
from pincite.records import Report, Run, Usage

if TYPE_CHECKING:
    from pincite.runs import Comparison
    from pincite.sources import Library

FORMATS = {
    "full": ("findings.text", "write_full"),
    "concise": ("findings.text", "write_concise"),
    "json": ("findings.json_formats", "write_json"),
    "sarif": ("findings.json_formats", "write_sarif"),
    "junit": ("ci", "write_junit"),
    "github": ("ci", "write_github"),
    "markdown": ("findings.markdown", "write_markdown"),
    "html": ("html.answer_page", "write_answer_page"),
}
"""The formats of a check, each with its module in this room and its function. The first is the default."""
FOR_PEOPLE = ("full", "concise", "markdown")
RUN_FORMATS = ("text", "json", "markdown", "junit", "github")
"""The formats of an evaluation."""


def write(
    reports: Sequence[Report],
    output_format: str = "full",
    *,
    color: bool = False,
    width: int | None = None,
    settings: Settings | None = None,
    quiet: bool = False,
    usage: Usage | None = None,
    library: Library | None = None,
) -> str:
    """The reports of one run in that format, ending with a line break unless there is nothing to say.

    `color`, `width` (of the terminal) and `quiet` (no summary) only matter for people's formats. `usage` is
    what judging all of them took. `library` has the sources that a page shows beside the answers.
    """
    from pincite.reports.findings.summary import Presentation

    if output_format not in FORMATS:
        raise InputError(f"there is no output format {output_format!r}; there are {', '.join(FORMATS)}")
    module, function = FORMATS[output_format]
    how = Presentation(settings or Settings(), color, width, quiet, usage, library)
    written: str = getattr(import_module(f"pincite.reports.{module}"), function)(reports, how)
    return written


def write_run(
    run: Run,
    output_format: str = "text",
    comparison: Comparison | None = None,
    *,
    columns: int | None = None,
    color: bool = False,
) -> str:
    """A run in that format; for people, with its comparison to the baseline."""
    from pincite.reports.ci import write_run_github, write_run_junit
    from pincite.reports.display import Paint, dump
    from pincite.reports.runs.comparison import comparison_markdown, comparison_text
    from pincite.reports.runs.eval_table import run_markdown, run_text
    from pincite.runs import plain_document

    if output_format == "json":
        return dump(plain_document(run.document))
    if output_format == "junit":
        return write_run_junit(run)
    if output_format == "github":
        return write_run_github(run)
    if output_format == "markdown":
        return run_markdown(run) + (f"\n{comparison_markdown(comparison)}" if comparison else "")
    text = run_text(run, columns=columns, color=color)
    return text + (f"\n{comparison_text(comparison, Paint(color), columns)}" if comparison else "")

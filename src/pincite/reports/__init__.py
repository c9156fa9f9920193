"""Findings as a person or a machine wants to read them: one file a format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from pincite.config import Settings
from pincite.errors import InputError
from pincite.records import Report, Usage

OutputFormat = Literal["full", "concise", "json", "sarif", "junit", "github", "markdown"]
FORMATS: tuple[str, ...] = get_args(OutputFormat)


def write(
    reports: Sequence[Report],
    output_format: str = "full",
    *,
    color: bool = False,
    width: int | None = None,
    settings: Settings | None = None,
    quiet: bool = False,
    usage: Usage | None = None,
) -> str:
    """The reports of one run in that format, ending with a line break unless there is nothing to say.

    `color`, `width` (of the terminal) and `quiet` (no summary) only matter for people's formats. `usage` is
    what judging all of them took.
    """
    settings = settings or Settings()
    if output_format == "full":
        from pincite.reports.findings.full import write_full

        return write_full(reports, settings, color=color, width=width, quiet=quiet, usage=usage)
    if output_format == "concise":
        from pincite.reports.findings.concise import write_concise

        return write_concise(reports, settings, color=color, quiet=quiet, usage=usage)
    if output_format == "json":
        from pincite.reports.findings.json_report import write_json

        return write_json(reports, usage)
    if output_format == "sarif":
        from pincite.reports.findings.sarif import write_sarif

        return write_sarif(reports)
    if output_format == "junit":
        from pincite.reports.findings.junit import write_junit

        return write_junit(reports, settings)
    if output_format == "github":
        from pincite.reports.findings.github import write_github

        return write_github(reports)
    if output_format == "markdown":
        from pincite.reports.findings.markdown import write_markdown

        return write_markdown(reports, settings, usage)
    raise InputError(f"there is no output format {output_format!r}; there are {', '.join(FORMATS)}")

"""Options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

Sources = Annotated[
    list[str] | None,
    typer.Option(
        "--sources",
        "-s",
        metavar="PATH",
        help="A source file, a folder of them, or JSON documents. Repeatable.",
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read settings from this TOML or YAML file instead of looking for one.",
    ),
]
Provider = Annotated[
    str | None,
    typer.Option("--from", metavar="PROVIDER", help="The answer is a saved response of this provider's API."),
]
MaxAnswer = Annotated[
    float | None,
    typer.Option("--max-answer-mb", metavar="MB", help="Refuse answers over this size.", show_default="50"),
]
MaxSource = Annotated[
    float | None,
    typer.Option("--max-source-mb", metavar="MB", help="Refuse sources over this size.", show_default="1024"),
]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours; NO_COLOR and FORCE_COLOR work too.")]


class ListFormat(StrEnum):
    """How a list is printed."""

    table = "table"
    json = "json"


def limit_flags(max_answer_mb: float | None, max_source_mb: float | None) -> dict[str, Any]:
    """The two limits as settings in bytes; what was not given stays out."""
    given = {"limits_answer_bytes": max_answer_mb, "limits_source_bytes": max_source_mb}
    return {name: int(value * 1024 * 1024) for name, value in given.items() if value is not None}

"""Results on standard output, for a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.cli.output import emit
from pincite.records import ItemResult, ResultsDocument
from pincite.reports.findings.json_report import JSON_ESCAPE
from pincite.runs.results.files import write_results
from pincite.text.log_commands import escape_commands


def print_results(
    document: ResultsDocument | Mapping[str, Any], items: Iterable[ItemResult], form: str
) -> None:
    """Print what a file of this form would hold. It is made as a file first: whole, or an error before it."""
    with TemporaryDirectory(prefix="pincite-results-") as folder:
        path = Path(folder) / f"run.results.{form}"
        write_results(document, items, path)
        with path.open(encoding="utf-8", newline="") as file:
            for line in file:
                # Of the other forms the writers see to it: only JSON can be escaped anywhere in its text.
                if not emit(escape_commands(line, JSON_ESCAPE) if form == "json" else line):
                    return

"""A run in which no query got an answer: why, how often, and what to do. It has no figures worth a table."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.records import Run
from pincite.reports.display import hanging, safe

MOST_SHOWN = 5


def nothing_answered(run: Run) -> bool:
    """Whether every query that was tried failed."""
    return run.failed > 0 and run.successful == 0


def failed_lines(run: Run, columns: int) -> Iterator[str]:
    """The reasons with their counts, the most frequent first, then the next step."""
    reasons = list(run.document.failures.failed_queries.items())
    for reason, count in reasons[:MOST_SHOWN]:
        yield from hanging(f"failed ({count}): {safe(reason)}", columns, 2)
    if len(reasons) > MOST_SHOWN:
        yield f"and {len(reasons) - MOST_SHOWN} more reasons"


def all_failed_lines(run: Run, columns: int) -> Iterator[str]:
    yield from hanging("No query got an answer, so there is nothing to measure.", columns, 2)
    yield from failed_lines(run, columns)
    yield from hanging(f"what to do: {_next_step(run.target)}", columns, 2)


def _next_step(target: str) -> str:
    if target.startswith("recorded:"):
        return (
            "give a file with one JSON object per line, each with the query_id of the dataset and an answer"
        )
    if target.startswith(("http://", "https://")):
        return (
            "try one query with --limit 1; look whether the system is up, and what --request-body, "
            "--answer-path and --header say"
        )
    return "try one query with --limit 1, or call the function with one query by hand"

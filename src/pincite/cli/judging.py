"""Put rows to a judge batch by batch, whatever the rows hold and whatever the judge does."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from pincite.cli.commands.judge.rows import BATCH, LabelledRow, batches, read_rows
from pincite.cli.output import emit, is_terminal, note
from pincite.errors import JudgeError
from pincite.judges.judge import Judge
from pincite.records import Pair, Verdict
from pincite.reports.findings.totals import usage_figures

if TYPE_CHECKING:
    from pincite.config import Settings


Asking = Callable[[Coroutine[Any, Any, list[Verdict]]], list[Verdict]]
"""How what a judge answers is waited for: all batches in one event loop, where one is needed."""


def judged_rows(
    file: BinaryIO,
    judge: Judge,
    ask: Asking,
    size: int = BATCH,
    progress: Progress | None = None,
    labelled: bool = False,
) -> Iterator[list[tuple[LabelledRow, Verdict]]]:
    """Batches of rows with their verdicts, in the order of the rows. A row that has a problem is unjudged."""
    for batch in batches(read_rows(file, labelled), size):
        yield list(zip(batch, _verdicts(batch, judge, ask), strict=True))
        if progress is not None:
            progress.advance(len(batch))


def batch_size(settings: Settings) -> int:
    return settings.batch_size or BATCH


def tell_usage(judge: Judge) -> None:
    """A line about requests, tokens and cost, when judging took any."""
    taken = judge.usage
    if taken.requests or taken.cache_hits or taken.asked:
        note(f"judged by {judge.name}: {', '.join(usage_figures(taken))}")


def _verdicts(batch: Sequence[LabelledRow], judge: Judge, ask: Asking) -> list[Verdict]:
    verdicts: list[Verdict | None] = [_without_asking(row, judge) for row in batch]
    asked = [row.pair for row, verdict in zip(batch, verdicts, strict=True) if verdict is None and row.pair]
    answers = iter(_ask(asked, judge, ask))
    return [verdict if verdict is not None else next(answers) for verdict in verdicts]


def _without_asking(row: LabelledRow, judge: Judge) -> Verdict | None:
    if row.pair is None:
        return _unjudged(row.problem or "", "row", judge)
    if row.pair.question == "relevance":
        return None  # that is asked about a query, and needs no evidence
    if not row.pair.claim.strip():
        return _unjudged(f"line {row.line}: the claim is empty", "empty", judge)
    if not any(passage.text.strip() for passage in row.pair.passages):
        return _unjudged(f"line {row.line}: the evidence is empty", "empty", judge)
    return None


def _ask(pairs: list[Pair], judge: Judge, ask: Asking) -> list[Verdict]:
    if not pairs:
        return []
    try:
        verdicts = ask(judge.judge(pairs))
    except JudgeError:
        raise  # a judge that cannot be started says nothing about any pair
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        reason = f"the judge failed: {type(error).__name__}" + (f": {said}" if said else "")
        return [_unjudged(reason, "error", judge) for _ in pairs]
    if len(verdicts) != len(pairs):
        reason = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
        return [_unjudged(reason, "error", judge) for _ in pairs]
    return [_plausible(verdict, judge) for verdict in verdicts]


def _plausible(verdict: Verdict, judge: Judge) -> Verdict:
    """The verdict, unless its score is no probability: then nothing was judged."""
    if verdict.outcome == "unjudged":
        return verdict
    score: Any = verdict.score
    if not isinstance(score, int | float) or not math.isfinite(score) or not 0 <= score <= 1:
        return _unjudged(f"the judge gave {score!r:.40}, which is not a probability", "error", judge)
    return verdict


def _unjudged(reason: str, cause: str, judge: Judge) -> Verdict:
    return Verdict("unjudged", None, reason, cause, judge=judge.name)


class Progress:
    """One line on standard error that says how far it has got; none unless somebody watches."""

    def __init__(self, file: BinaryIO, what: str = "judged") -> None:
        import os

        self._shown = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self._what = what
        self._rows = 0
        self._file = file
        self._size = _size(file)
        self._show()

    def advance(self, rows: int) -> None:
        self._rows += rows
        self._show()

    def clear(self) -> None:
        """Take the line away, before something else is printed and at the end."""
        if self._shown:
            emit("\r\x1b[K", sys.stderr)

    def _show(self) -> None:
        if self._shown:
            emit(f"\r\x1b[K{self._what} {self._rows:,} rows{self._share()}; Ctrl-C stops it", sys.stderr)

    def _share(self) -> str:
        if not self._size:
            return ""
        return f", {min(100, round(100 * self._file.tell() / self._size))}% of the file"


def _size(file: BinaryIO) -> int | None:
    """How many bytes a file has; None for a pipe."""
    import os
    import stat

    try:
        about = os.fstat(file.fileno())
    except (OSError, ValueError):
        return None
    return about.st_size if stat.S_ISREG(about.st_mode) else None

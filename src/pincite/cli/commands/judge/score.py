"""`pincite judge score`: what a judge says about each row, as JSON Lines or as a table."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.cli.judge_rows import LabelledRow, judged_rows, opened, tell_usage
from pincite.cli.options import ConfigOptions, JudgeOptions, arg, choice, command, load_settings, opt
from pincite.cli.output import CANNOT_RUN, emit, is_terminal, note, terminal_width
from pincite.cli.progress import StatusLine
from pincite.errors import InputError
from pincite.findings import chosen_judge
from pincite.records import Span, Verdict
from pincite.reports import dump, folded, pick, safe


class JudgeScoreOptions(JudgeOptions, ConfigOptions):
    rows: str = arg("ROWS", "a file of JSON Lines, or - for standard input")
    output_format: str | None = choice(
        "-f, --output-format",
        "a table, or JSON Lines (default: text on a terminal, json elsewhere)",
        of=("text", "json"),
    )
    output: str | None = opt("-o, --output FILE", "write to this file as rows are judged")


@command(
    JudgeScoreOptions,
    epilog="""\
Each line of ROWS is an object with claim and evidence (a text, or a list of texts that are judged together),
and perhaps id, question (support, consistency, grounding, relevance) and query.

examples:
  pincite judge score rows.jsonl --judge rules
  pincite judge score rows.jsonl --judge llm:MODEL --output verdicts.jsonl
  cat rows.jsonl | pincite judge score - --output-format json

exit codes: 0 judged, 2 could not run, or no row could be judged
""",
)
def run(options: JudgeScoreOptions) -> int:
    settings = load_settings(options)
    usual = "text" if options.output is None and is_terminal(sys.stdout) else "json"
    as_text = (options.output_format or usual) == "text"
    counts: Counter[str] = Counter()
    line = StatusLine()
    with (
        chosen_judge(None, settings) as (judge, ask),
        opened(options.rows) as file,
        _destination(options.output, options.rows) as write,
    ):
        try:
            for batch in judged_rows(file, judge, ask, settings, line):
                counts.update(verdict.outcome for _, verdict in batch)
                written = _as_line if as_text else _as_json
                if is_terminal(sys.stdout):
                    line.clear()
                if not write("".join(written(row, verdict) for row, verdict in batch)):
                    return 0  # nobody reads on, so nothing more need be judged
        finally:
            line.clear()
    tell_usage(judge)
    if not counts.total():
        raise InputError(f"{options.rows}: there are no rows; each line is an object with claim and evidence")
    if as_text:
        note(", ".join(f"{count:,} {_words(outcome)}" for outcome, count in sorted(counts.items())))
    if counts["unjudged"] == counts.total():
        note("no row could be judged", "error")
        return CANNOT_RUN
    return 0


@contextmanager
def _destination(output: str | None, rows: str) -> Iterator[Callable[[str], bool]]:
    """What takes the lines: standard output, or a file that keeps what was written if the run breaks off."""
    if output is None:
        yield emit
        return
    path = Path(output)
    if rows != "-" and path.exists() and path.samefile(rows):
        raise InputError(f"{output}: the verdicts would overwrite the rows; name another file")
    try:
        file = path.open("wb")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror or error}") from error

    def write(text: str) -> bool:
        try:
            file.write(text.encode("utf-8", "backslashreplace"))
            file.flush()
        except OSError as error:
            raise InputError(f"cannot write {output}: {error.strerror or error}") from error
        return True

    with file:
        yield write


def _as_json(row: LabelledRow, verdict: Verdict) -> str:
    told = {"id": row.id, "verdict": verdict.outcome, **pick(verdict, "score", "reason")}
    return dump({**told, "evidence_span": _span(row, verdict)}, indent=None)


def _span(row: LabelledRow, verdict: Verdict) -> dict[str, int] | None:
    """What the verdict rests on: a whole text of the evidence, when the judge names no place in it."""
    if row.pair is None or verdict.passage is None or not 0 <= verdict.passage < len(row.pair.passages):
        return None
    span = verdict.span or Span(0, len(row.pair.passages[verdict.passage].text))
    return {"index": verdict.passage, "start": span.start, "end": span.end}


def _as_line(row: LabelledRow, verdict: Verdict) -> str:
    score = "   –" if verdict.score is None else f"{verdict.score:4.2f}"
    line = f"{_words(verdict.outcome):<12} {score}  {safe(str(row.id)):<12} {safe(folded(verdict.reason))}"
    columns = terminal_width(sys.stdout)
    return (line if columns is None or len(line) <= columns else f"{line[: columns - 1]}…") + "\n"


def _words(outcome: str) -> str:
    return outcome.replace("_", " ")

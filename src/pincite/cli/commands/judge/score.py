"""`pincite judge score`: what a judge says of each row, as JSON Lines or as a table."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from pincite.cli.options import Parser, add_calibration, add_llm, llm_flags
from pincite.records import Span, Verdict

if TYPE_CHECKING:
    from pincite.cli.commands.judge.rows import LabelledRow

EXAMPLES = """\
Each line of ROWS is an object with claim and evidence (a text, or a list of texts that are judged together),
and perhaps id, question (support, consistency, grounding, relevance) and query.

examples:
  pincite judge score rows.jsonl --judge rules
  pincite judge score rows.jsonl --judge llm:MODEL --output verdicts.jsonl
  cat rows.jsonl | pincite judge score - --output-format json

exit codes: 0 judged, 2 could not run, or no row could be judged
"""


def parser() -> Parser:
    made = Parser("judge score", "Judge rows of claims and their evidence.", EXAMPLES)
    made.add_argument("rows", metavar="ROWS", help="a file of JSON Lines, or - for standard input")
    add_judge(made)
    made.choice(
        "-f",
        "--output-format",
        of=("text", "json"),
        default=None,
        help="a table, or JSON Lines (default: text on a terminal, json elsewhere)",
    )
    made.add_argument("-o", "--output", metavar="FILE", help="write to this file as rows are judged")
    return made


def add_judge(parser: Parser) -> None:
    """The options that choose a judge; `judge_flags` gives them as settings."""
    parser.add_argument("--judge", metavar="NAME", help="which judge to use (default: the configured one)")
    add_calibration(parser)
    parser.add_argument("--online", action="store_true", help="allow a judge to download its model")
    add_llm(parser)
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this TOML or YAML file instead of searching for one",
    )


def judge_flags(options: Namespace) -> dict[str, Any]:
    return {
        "judge": options.judge,
        "calibration": options.calibration,
        "online": options.online or None,
        **llm_flags(options),
    }


def run(options: Namespace) -> int:
    from pincite.cli.commands.judge.rows import opened
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.judging import Progress, batch_size, judged_rows, tell_usage
    from pincite.cli.output import CANNOT_RUN, is_terminal, note
    from pincite.errors import InputError
    from pincite.findings.check import chosen_judge

    settings = load_settings(options.config, **judge_flags(options))
    as_text = (options.output_format or _usual(options.output)) == "text"
    counts: Counter[str] = Counter()
    with (
        chosen_judge(None, settings) as (judge, ask),
        opened(options.rows) as file,
        _destination(options.output, options.rows) as write,
    ):
        progress = Progress(file)
        try:
            for batch in judged_rows(file, judge, ask, batch_size(settings), progress):
                lines = []
                for row, verdict in batch:
                    counts[verdict.outcome] += 1
                    lines.append(_as_line(row, verdict) if as_text else _as_json(row, verdict))
                if is_terminal(sys.stdout):
                    progress.clear()
                if not write("".join(lines)):
                    return 0  # nobody reads on, so nothing more need be judged
        finally:
            progress.clear()
    tell_usage(judge)
    if not counts.total():
        raise InputError(f"{options.rows}: there are no rows; each line is an object with claim and evidence")
    if as_text:
        note(", ".join(f"{count:,} {_words(outcome)}" for outcome, count in sorted(counts.items())))
    if counts["unjudged"] == counts.total():
        note("no row could be judged", "error")
        return CANNOT_RUN
    return 0


def _usual(output: str | None) -> str:
    from pincite.cli.output import is_terminal

    return "text" if output is None and is_terminal(sys.stdout) else "json"


@contextmanager
def _destination(output: str | None, rows: str) -> Iterator[Any]:
    """What takes the lines: standard output, or a file that keeps what was written if the run breaks off."""
    from pincite.cli.output import emit
    from pincite.errors import InputError

    if output is None:
        yield emit
        return
    path = Path(output)
    if rows != "-" and path.exists() and path.samefile(rows):
        raise InputError(f"{output}: the verdicts would overwrite the rows; name another file")
    try:
        file: BinaryIO = path.open("wb")
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
    from pincite.reports.findings.json_report import dump

    return dump(
        {
            "id": row.id,
            "verdict": verdict.outcome,
            "score": verdict.score,
            "reason": verdict.reason,
            "evidence_span": _span(row, verdict),
        },
        indent=None,
    )


def _span(row: LabelledRow, verdict: Verdict) -> dict[str, int] | None:
    """Where the verdict rests: a whole text of the evidence, when the judge names no place in it."""
    if row.pair is None or verdict.passage is None or not 0 <= verdict.passage < len(row.pair.passages):
        return None
    whole = Span(0, len(row.pair.passages[verdict.passage].text))
    span = verdict.span or whole
    return {"index": verdict.passage, "start": span.start, "end": span.end}


def _as_line(row: LabelledRow, verdict: Verdict) -> str:
    from pincite.cli.output import terminal_width
    from pincite.reports.display import folded, safe

    score = "   –" if verdict.score is None else f"{verdict.score:4.2f}"
    line = f"{_words(verdict.outcome):<12} {score}  {safe(str(row.id)):<12} {safe(folded(verdict.reason))}"
    columns = terminal_width(sys.stdout)
    return (line if columns is None or len(line) <= columns else f"{line[: columns - 1]}…") + "\n"


def _words(outcome: str) -> str:
    return outcome.replace("_", " ")

"""`pincite data labels`: human verdicts on findings, or on the pairs of a run, as labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pincite.annotation import labels_from_findings, labels_from_pairs, pairs_to_judge, with_verdicts
from pincite.answers import Failed, read_answers
from pincite.cli.history import open_history
from pincite.cli.options import OUTPUT, SEED, HistoryOptions, arg, command, load_settings, opt
from pincite.cli.output import emit, note, write_file
from pincite.config import Settings
from pincite.datasets import parse_json, read_bytes, read_rows
from pincite.errors import InputError
from pincite.records import Answer
from pincite.reports import dump, plural


class DataLabelsOptions(HistoryOptions):
    report: str | None = arg("REPORT", "a report of findings, or rows of judged pairs", nargs="?")
    verdicts: str | None = arg("VERDICTS", "verdicts that are not in the report", nargs="?")
    answers: list[str] = opt(
        "--answers PATH...", "the answers the report is about, if not the files it names"
    )
    of_run: str | None = opt("--of-run RUN", "draw pairs from this run instead, to label")
    queries: int = opt("-n, --queries N", "draw from N queries (default: 30)", int, default=30)
    seed: int | None = SEED
    output: str | None = OUTPUT


@command(
    DataLabelsOptions,
    epilog="""\
REPORT is the output of `pincite check --output-format json`. A verdict is agree or disagree with the finding,
or a verdict on the claim: supported, contradicted, not_enough. Write it into each finding as "verdict", or
into a file VERDICTS (CSV or JSON Lines) with the columns finding (its number, from 1) and verdict.

REPORT may also be pairs that a judge decided, as CSV or JSON Lines: query_id, claim, evidence, outcome and
verdict. --of-run draws such pairs from a run, for people to fill in the verdicts.

examples:
  pincite check answer.md --sources docs/ -f json > report.json
  pincite data labels report.json verdicts.csv --output labels.jsonl
  pincite judge calibrate labels.jsonl

  pincite data labels --of-run latest --queries 30 --output pairs.jsonl
  pincite data labels pairs.jsonl --output labels.jsonl
  pincite eval DATASET --answers answers.jsonl --labels labels.jsonl

exit codes: 0 labels or pairs were written, 1 there were none, 2 could not run
""",
)
def run(options: DataLabelsOptions) -> int:
    if options.of_run is not None:
        return _draw_pairs(options, options.of_run)
    if options.report is None:
        raise InputError("name a report of findings or a file of pairs, or draw some with --of-run RUN")
    settings = load_settings(options)
    path = Path(options.report)
    findings = findings_of(path)
    if findings is None:
        if options.verdicts is not None:
            raise InputError("verdicts on pairs are in their rows: give that file only")
        imported = labels_from_pairs(read_rows(path))
    else:
        if options.verdicts is not None:
            findings = with_verdicts(findings, read_rows(Path(options.verdicts)))
        answers = answers_of(options.answers, path, findings, settings, judged=True)
        try:
            imported = labels_from_findings(findings, answers, settings)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    _write(imported.rows, options.output)
    for reason, count in sorted(imported.left_out.items()):
        note(f"{count:,} left out: {reason}")
    labels = plural(len(imported.rows), "label")
    note(f"{labels} in {options.output}" if options.output and imported.rows else labels)
    return 0 if imported.rows else 1


def _draw_pairs(options: DataLabelsOptions, run: str) -> int:
    if options.report is not None or options.queries < 1:
        raise InputError("--of-run draws pairs of at least one query, and reads no report")
    with open_history(options) as history:
        items = history.store.items(history.store.find(run).run_id)
        rows = pairs_to_judge(items, options.queries, history.settings.evaluation.random_seed)
    _write(rows, options.output)
    asked = len({row["query_id"] for row in rows})
    note(f"{len(rows):,} pairs from {asked:,} queries, each awaiting a verdict")
    return 0 if rows else 1


def _write(rows: Any, output: str | None) -> None:
    """One JSON object per line; a file is written only when there are rows for it."""
    lines = "".join(dump(row, indent=None) for row in rows)
    if output is None:
        emit(lines)
    elif rows:
        write_file(Path(output), lines.encode("utf-8"))


def findings_of(path: Path) -> list[dict[str, Any]] | None:
    """The findings of a report; None when the file has rows instead."""
    if path.suffix.lower() in (".csv", ".jsonl", ".ndjson"):
        return None
    value = parse_json(read_bytes(path, 256 * 1024 * 1024), str(path))
    if isinstance(value, list):
        return None
    findings = value.get("findings") if isinstance(value, dict) else None
    if not isinstance(findings, list) or not all(isinstance(one, dict) for one in findings):
        raise InputError(f"{path}: this is not a report of `pincite check --output-format json`")
    return findings


def answers_of(
    named: list[str], report: Path, findings: list[dict[str, Any]], settings: Settings, *, judged: bool
) -> dict[str, Answer]:
    """The answers that a report is about, by the names it gives them: of judged findings, or of all."""
    if not named:
        # A report may name any file; without being asked, only those beside it or below are read.
        roots = {Path.cwd().resolve(), report.resolve().parent}
        wanted = (one for one in findings if not judged or one.get("verdict") not in (None, ""))
        files = dict.fromkeys(str(one.get("file")) for one in wanted)
        named = [
            name
            for name in files
            if name
            and Path(name).is_file()
            and any(Path(name).resolve().is_relative_to(root) for root in roots)
        ]
    answers: dict[str, Answer] = {}
    for loaded in read_answers(named, settings.limits):
        if isinstance(loaded, Failed):
            note(loaded.reason, "warning")
        else:
            answers[loaded.answer.name] = loaded.answer
    return answers

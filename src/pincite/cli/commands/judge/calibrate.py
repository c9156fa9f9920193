"""`pincite judge calibrate`: how well a judge agrees with people, and a calibration for later runs."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli.commands.judge.score import add_judge, judge_flags
from pincite.cli.options import Parser

if TYPE_CHECKING:
    from pincite.cli.judging import Asking
    from pincite.config import Settings
    from pincite.judges.judge import Judge
    from pincite.metrics.judging import JudgedRow, JudgeFigures
    from pincite.records import Question
    from pincite.reports.judge_report import JudgeCounts

EXAMPLES = """\
Each line of LABELLED is an object with claim, evidence, and label (1 or 0, true or false) or verdict
(supported, contradicted, not_enough); a row with neither is judged and used for the corrected rate. Rows may
name a source, and are then also compared per source. Draw the labelled rows at random.

examples:
  pincite judge calibrate labelled.jsonl --judge rules
  pincite judge calibrate labelled.jsonl --unlabelled all.jsonl --picture curve.svg --save rules.json
  pincite check answer.md --sources docs/ --calibration rules.json

exit codes: 0 measured, 2 could not run
"""


def parser() -> Parser:
    made = Parser("judge calibrate", "Compare a judge with human labels, and calibrate it.", EXAMPLES)
    made.add_argument("rows", metavar="LABELLED", help="a file of JSON Lines, or - for standard input")
    made.add_argument("--unlabelled", metavar="FILE", help="more rows of the same kind, without labels")
    add_judge(made)
    made.add_argument("--save", metavar="FILE", help="write the calibration to this file")
    made.add_argument("--picture", metavar="FILE", help="write the calibration curve to this file, as SVG")
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print the figures")
    made.add_argument("-o", "--output", metavar="FILE", help="write the figures to this file")
    return made


def run(options: Namespace) -> int:
    from pincite.cli.judging import tell_usage
    from pincite.cli.output import emit, write_file
    from pincite.findings.check import chosen_judge
    from pincite.metrics.judging import measure_judge
    from pincite.reports.judge_report import judge_json, judge_text

    settings = _settings(options)
    gathered = _Gathered()
    with chosen_judge(None, settings) as (judge, ask):
        gathered.read(options.rows, judge, ask, settings, True)
        if options.unlabelled is not None:
            gathered.read(options.unlabelled, judge, ask, settings, False)
    tell_usage(judge)
    rows, counts = gathered.finished(options.rows)
    figures = measure_judge(rows)
    if options.output_format == "json":
        text = judge_json(judge.name, counts, figures, options.save if figures.threshold else None)
    else:
        text = judge_text(judge.name, counts, figures)
    if options.output is not None:
        write_file(Path(options.output), text.encode("utf-8", "backslashreplace"))
    else:
        emit(text)
    return _write_beside(options, judge, gathered, figures)


def _settings(options: Namespace) -> Settings:
    import msgspec

    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import note
    from pincite.errors import InputError

    if options.save and options.calibration:
        raise InputError("--save makes a calibration of the judge itself: leave --calibration out")
    if options.rows == "-" and options.unlabelled == "-":
        raise InputError("standard input can hold the labelled rows or the others, not both")
    settings = load_settings(options.config, **judge_flags(options))
    if options.save and settings.calibration is not None:
        note("the configured calibration is ignored, so the judge itself is calibrated")
        settings = msgspec.structs.replace(settings, calibration=None)
    return settings


class _Gathered:
    """What is kept of the rows while they go by: verdicts and labels, never the texts."""

    def __init__(self) -> None:
        import hashlib

        self._rows: list[JudgedRow] = []
        self._labelled = self._unlabelled = 0
        self._unjudged_labelled = self._unjudged_unlabelled = self._unusable = 0
        self._first_problem = ""
        self._questions: set[Question] = set()
        self._known: set[int] = set()
        self._hash = hashlib.sha256()

    def read(self, name: str, judge: Judge, ask: Asking, settings: Settings, labelled: bool) -> None:
        """Judge the rows of one file. In that of the others a label is not looked at."""
        from pincite.cli.commands.judge.rows import opened
        from pincite.cli.judging import Progress, batch_size, judged_rows

        with opened(name) as file:
            progress = Progress(file)
            try:
                for batch in judged_rows(file, judge, ask, batch_size(settings), progress, labelled):
                    for row, verdict in batch:
                        self._take(row, verdict)
            finally:
                progress.clear()

    def finished(self, name: str) -> tuple[list[JudgedRow], JudgeCounts]:
        from pincite.errors import InputError
        from pincite.reports.judge_report import JudgeCounts

        if not self._labelled:
            first = f" (the first problem: {self._first_problem})" if self._first_problem else ""
            raise InputError(f"{name}: no row has a label (1 or 0) or a verdict to compare with{first}")
        if self._labelled == self._unjudged_labelled:
            raise InputError(
                f"{name}: no labelled row could be judged (the first problem: {self._first_problem})"
            )
        if len(self._questions) > 1:
            asked = ", ".join(sorted(self._questions))
            raise InputError(f"{name}: the rows ask several questions ({asked}); calibrate one at a time")
        counts = JudgeCounts(
            self._labelled,
            self._unlabelled,
            self._unjudged_labelled,
            self._unjudged_unlabelled,
            self._unusable,
        )
        return self._rows, counts

    @property
    def question(self) -> Question:
        (question,) = self._questions
        return question

    @property
    def data_sha256(self) -> str:
        return self._hash.hexdigest()

    def _take(self, row: Any, verdict: Any) -> None:
        from pincite.metrics.judging import JudgedRow

        if verdict.outcome == "unjudged":
            self._first_problem = self._first_problem or verdict.reason
        if row.pair is None:
            self._unusable += 1
            return
        content = hash(row.pair)
        if row.label is None and content in self._known:
            return  # people have labelled this one, so it must not count among the others again
        self._questions.add(row.pair.question)
        unjudged = verdict.outcome == "unjudged"
        if row.label is None:
            self._unlabelled += 1
            self._unjudged_unlabelled += unjudged
        else:
            self._labelled += 1
            self._known.add(content)
            self._unjudged_labelled += unjudged
            self._hash.update(row.raw + b"\n")
        if not unjudged:
            self._rows.append(JudgedRow(verdict.outcome, verdict.score, row.label, row.source))


def _write_beside(options: Namespace, judge: Judge, gathered: _Gathered, figures: JudgeFigures) -> int:
    """The picture and the calibration, or the reason why there is none."""
    from pincite.cli.output import CANNOT_RUN, note, write_file

    fit, best = figures.calibration, figures.threshold
    if (options.picture or options.save) and (fit is None or best is None):
        reason = figures.reason or "the judge does not separate the rows"
        note(f"nothing was calibrated, so nothing was written: {reason}", "error")
        return CANNOT_RUN
    if options.picture and fit is not None:
        from pincite.reports.reliability import reliability_svg

        error = f"calibration error {fit.error_before:.3f}, after calibrating {fit.error_after:.3f}"
        drawn = f"{figures.agreement.rows:,} rows labelled by people; bars are 95% intervals"
        picture = reliability_svg(fit.curve_before, fit.curve_after, judge.name, [error, drawn])
        write_file(Path(options.picture), picture.encode("utf-8"))
    if options.save and fit is not None and best is not None:
        saved = _save(Path(options.save), judge, gathered, figures)
        note(f"saved the calibration {saved}; use it with --calibration {options.save}")
    return 0


def _save(path: Path, judge: Judge, gathered: _Gathered, figures: JudgeFigures) -> str:
    import re
    from datetime import UTC, datetime

    import msgspec

    from pincite.cli.output import write_file
    from pincite.judges.calibrated import CALIBRATION_VERSION, SavedCalibration

    assert figures.calibration is not None and figures.threshold is not None
    fit = figures.calibration.fit
    # The name stands in every verdict that the calibration moved; the data's hash tells namesakes apart.
    name = f"{re.sub(r'[^A-Za-z0-9._-]', '-', path.stem)[:40]}-{gathered.data_sha256[:8]}"
    saved = SavedCalibration(
        schema_version=CALIBRATION_VERSION,
        name=name,
        judge=judge.name,
        question=gathered.question,
        slope=fit.slope,
        intercept=fit.intercept,
        threshold=figures.threshold.calibrated,
        rows=figures.agreement.rows,
        date=datetime.now(UTC).date().isoformat(),
        data_sha256=gathered.data_sha256,
    )
    write_file(path, msgspec.json.format(msgspec.json.encode(saved), indent=2) + b"\n")
    return name

"""`pincite judge calibrate`: how well a judge agrees with people, and a calibration for later runs."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from pincite.cli.judge_rows import Asking, LabelledRow, judged_rows, opened, tell_usage
from pincite.cli.options import (
    OUTPUT,
    ConfigOptions,
    JudgeOptions,
    arg,
    command,
    formats,
    load_settings,
    opt,
)
from pincite.cli.output import CANNOT_RUN, emit_or_write, note, write_file
from pincite.cli.progress import StatusLine
from pincite.config import Settings, StoreSettings
from pincite.errors import InputError
from pincite.findings import chosen_judge
from pincite.judges import CALIBRATION_VERSION, Judge, SavedCalibration
from pincite.metrics import JudgedRow, JudgeFigures, measure_judge
from pincite.records import Question, Verdict
from pincite.reports import JudgeCounts, judge_json, judge_text
from pincite.store import MOST_CHARACTERS, read_address


class JudgeCalibrateOptions(JudgeOptions, ConfigOptions):
    rows: str = arg("LABELLED", "a file of JSON Lines, or - for standard input")
    unlabelled: str | None = opt("--unlabelled FILE", "more rows of the same kind, without labels")
    save: str | None = opt("--save FILE", "write the calibration to this file")
    picture: str | None = opt("--picture FILE", "write the calibration curve to this file, as SVG")
    output_format: str = formats("text", "json", help="how to print the figures")
    output: str | None = OUTPUT
    store: str | None = opt(
        "--store URL", "keep the figures in this history, where `pincite serve` shows them", "store.url"
    )


@command(
    JudgeCalibrateOptions,
    epilog="""\
Each line of LABELLED is an object with claim, evidence, and label (1 or 0, true or false) or verdict
(supported, contradicted, not_enough); a row with neither is judged and used for the corrected rate. Rows may
name a source, and are then also compared per source. Draw the labelled rows at random.

examples:
  pincite judge calibrate labelled.jsonl --judge rules
  pincite judge calibrate labelled.jsonl --unlabelled all.jsonl --picture curve.svg --save rules.json
  pincite check answer.md --sources docs/ --set calibration=rules.json

exit codes: 0 measured, 2 could not run
""",
)
def run(options: JudgeCalibrateOptions) -> int:
    if options.rows == "-" and options.unlabelled == "-":
        raise InputError("standard input can hold the labelled rows or the others, not both")
    settings = load_settings(options)
    if options.save and settings.calibration is not None:
        note("the configured calibration is ignored, so the judge itself is calibrated")
        settings = msgspec.structs.replace(settings, calibration=None)
    gathered = _Gathered()
    with chosen_judge(None, settings) as (judge, ask):
        gathered.read(options.rows, judge, ask, settings, labelled=True)
        if options.unlabelled is not None:
            gathered.read(options.unlabelled, judge, ask, settings, labelled=False)
    tell_usage(judge)
    gathered.refuse_useless(options.rows)
    figures = measure_judge(gathered.rows)
    if options.output_format == "json":
        saved = options.save if figures.threshold else None
        text = judge_json(judge.name, gathered.counts(), figures, saved)
    else:
        text = judge_text(judge.name, gathered.counts(), figures)
    emit_or_write(text, options.output)
    if options.store is not None:
        _keep(settings.store, judge.name, gathered, figures)
    return _write_beside(options, judge, gathered, figures)


class _Gathered:
    """What is kept of the rows while they are read: verdicts and labels, never the texts."""

    def __init__(self) -> None:
        self.rows: list[JudgedRow] = []
        self.questions: set[Question] = set()
        self.hash = hashlib.sha256()
        self._counts: Counter[str] = Counter()
        self._first_problem = ""
        self._known: set[int] = set()

    def read(self, name: str, judge: Judge, ask: Asking, settings: Settings, *, labelled: bool) -> None:
        """Judge the rows of one file. In the other one, labels are not looked at."""
        line = StatusLine()
        with opened(name) as file:
            try:
                for batch in judged_rows(file, judge, ask, settings, line, labelled=labelled):
                    for row, verdict in batch:
                        self._take(row, verdict)
            finally:
                line.clear()

    def refuse_useless(self, name: str) -> None:
        first = f" (the first problem: {self._first_problem})" if self._first_problem else ""
        if not self._counts["labelled"]:
            raise InputError(f"{name}: no row has a label (1 or 0) or a verdict to compare with{first}")
        if self._counts["labelled"] == self._counts["unjudged_labelled"]:
            raise InputError(f"{name}: no labelled row could be judged{first}")
        if len(self.questions) > 1:
            asked = ", ".join(sorted(self.questions))
            raise InputError(f"{name}: the rows ask several questions ({asked}); calibrate one at a time")

    def counts(self) -> JudgeCounts:
        return JudgeCounts(*(self._counts[name] for name in JudgeCounts.__struct_fields__))

    def _take(self, row: LabelledRow, verdict: Verdict) -> None:
        unjudged = verdict.outcome == "unjudged"
        if unjudged:
            self._first_problem = self._first_problem or verdict.reason
        if row.pair is None:
            self._counts["unusable"] += 1
            return
        content = hash(row.pair)
        if row.label is None and content in self._known:
            return  # people have labelled this one, so it must not count among the others again
        self.questions.add(row.pair.question)
        kind = "unlabelled" if row.label is None else "labelled"
        self._counts[kind] += 1
        self._counts[f"unjudged_{kind}"] += unjudged
        if row.label is not None:
            self._known.add(content)
            self.hash.update(row.raw + b"\n")
        if not unjudged and verdict.score is not None:
            self.rows.append(JudgedRow(verdict.outcome, verdict.score, row.label, row.source))


def _keep(place: StoreSettings, judge: str, gathered: _Gathered, figures: JudgeFigures) -> None:
    """Keep the figures in a history, where `pincite serve` shows them, in the place of older ones."""
    from pincite.store import AGREEMENT, open_store

    about = {"judge": judge, "date": _today(), "data_sha256": gathered.hash.hexdigest()}
    counts = msgspec.to_builtins(gathered.counts())
    with open_store(place.url, statement_seconds=place.statement_seconds) as store:
        kept = {**about, "counts": counts, **msgspec.to_builtins(figures)}
        store.put(AGREEMENT, judge[:MOST_CHARACTERS], kept)
    note(f"kept the agreement of {judge} with people in {read_address(place.url)}")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _write_beside(
    options: JudgeCalibrateOptions, judge: Judge, gathered: _Gathered, figures: JudgeFigures
) -> int:
    """The picture and the calibration, or the reason why there is none."""
    if not (options.picture or options.save):
        return 0
    fit, best = figures.calibration, figures.threshold
    if fit is None or best is None:
        reason = figures.reason or "the judge does not separate the rows"
        note(f"nothing was calibrated, so nothing was written: {reason}", "error")
        return CANNOT_RUN
    if options.picture:
        from pincite.reports import reliability_svg

        error = f"calibration error {fit.error_before:.3f}, after calibrating {fit.error_after:.3f}"
        drawn = f"{figures.agreement.rows:,} rows labelled by people; bars are 95% intervals"
        picture = reliability_svg(fit.curve_before, fit.curve_after, judge.name, [error, drawn])
        write_file(Path(options.picture), picture.encode("utf-8"))
    if options.save:
        path, (question,) = Path(options.save), gathered.questions
        digest = gathered.hash.hexdigest()
        saved = SavedCalibration(
            schema_version=CALIBRATION_VERSION,
            # Every verdict that the calibration moved has this name; the data's hash tells namesakes apart.
            name=f"{re.sub(r'[^A-Za-z0-9._-]', '-', path.stem)[:40]}-{digest[:8]}",
            judge=judge.name,
            question=question,
            slope=fit.fit.slope,
            intercept=fit.fit.intercept,
            threshold=best.calibrated,
            rows=figures.agreement.rows,
            date=_today(),
            data_sha256=digest,
        )
        write_file(path, msgspec.json.format(msgspec.json.encode(saved), indent=2) + b"\n")
        note(f"saved the calibration {saved.name}; use it with --set calibration={options.save}")
    return 0

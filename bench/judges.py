"""How often each judge agrees with people, beside plain word coverage; the planted set; what judging costs.

The labelled rows are split in two by a hash of their id, the written groups that were not trained on by their
number: half A is for choosing, half B for the figures that are reported. Nothing is fitted here. Intervals
are 95%, by resampling rows with a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench._agreement import (
    Agreement,
    Answers,
    Array,
    Difference,
    ask,
    ask_coverage,
    compare,
    groups_right,
    measure,
    share_right,
)
from bench._judge_cost import cold_check, rule_speed, speed, weights_size
from bench._judge_tables import markdown_tables, text_table
from bench._labelled import ALL, NUMERIC, WRITTEN, Row, groups_of, read_labelled, read_planted, read_written
from bench.figures import Figure
from pincite.errors import PinciteError
from pincite.judges import Judge, open_judge

BUILT_IN = "entailment"
BARS = {
    "vitaminc_real": 83.0,
    "fever_symmetric": 82.0,
    "AttributionBench": 70.0,
    "wice_oracle": 75.0,
    "begin": 90.0,
    "healthver": 56.0,
    WRITTEN: 76.0,
}
"""What the judge before this one had; of the written groups, what this one must reach."""
GROUPS_BAR = 35.0
FALSE_ERRORS, FALSE_WARNINGS, FOUND = 1.0, 5.0, 45.0
"""Of the right claims of the written groups, and of the wrong ones."""
NUMERIC_BAR = 75.0
CONTRADICTED_WRONGLY = 15.0
CALIBRATION_BAR, CALIBRATION_BAR_OF_SOURCE, ENOUGH_ROWS = 0.03, 0.10, 300
PLANTED = {"everyday faults": "planted_everyday", "hard faults": "planted_set"}
"""Faults as assistants make them in restating a source, and pairs in which shared words tell nothing."""
PLANTED_BARS, PLANTED_BAR_OF_KIND = {"everyday faults": 72.0, "hard faults": 76.0}, 65.0
SPEED_BARS = (60.0, 30.0)
COLD_BARS = (1.5, 400.0)
WEIGHTS_BAR = 45.0


def run(data: Path | None, half: str = "B", markdown: bool = False) -> Iterator[Figure | str]:
    """Tables of all judges, then the figures that have a bar; `markdown` adds tables for a page."""
    judges: dict[str, Judge] = {}
    for name in ("rules", BUILT_IN):
        try:
            judges[name] = open_judge(name)
        except PinciteError as error:
            yield f"  {name}: left out, for there is no such judge here ({error})"
    rows = read_labelled(data, half) + read_written(half)
    measured: dict[str, dict[str, Agreement]] = {}
    apart: dict[str, dict[str, Difference]] = {}
    if rows:
        if data is None:
            yield "  without DATA, of the labelled rows only the written ones are measured"
        yield f"  half {half} of the labelled rows: % [95% interval]"
        answers = _ask_all(judges, rows)
        groups = groups_of(rows)
        labels = np.array([row.supported for row in rows])
        measured, apart = _measure_all(answers, labels, groups)
        yield from text_table(measured, apart)
        yield from _rule_bars(measured, answers["rules"], labels)
        if BUILT_IN in answers:
            yield from _built_in_bars(measured, apart)
            yield from _written_bars(measured, answers, labels, rows)
    planted: dict[str, dict[str, float]] = {}
    yield from _planted(judges, planted)
    yield from _other_languages(judges)
    if markdown and measured:
        yield ""
        yield from markdown_tables(measured, apart, planted)
        yield ""
    yield from rule_speed(judges["rules"])
    yield from cold_check("rules", (None, None))
    if BUILT_IN in judges:
        yield from speed(BUILT_IN, judges[BUILT_IN], SPEED_BARS)
        yield from cold_check(BUILT_IN, COLD_BARS)
        yield from weights_size(WEIGHTS_BAR)


def _ask_all(judges: dict[str, Judge], rows: Sequence[Row]) -> dict[str, Answers]:
    answers = {"coverage": ask_coverage(rows)}
    for name, judge in judges.items():
        answers[name] = ask(name, judge, rows)
    return answers


def _measure_all(
    answers: dict[str, Answers], labels: Array, groups: dict[str, list[int]]
) -> tuple[dict[str, dict[str, Agreement]], dict[str, dict[str, Difference]]]:
    measured: dict[str, dict[str, Agreement]] = {}
    apart: dict[str, dict[str, Difference]] = {}
    for group, places in groups.items():
        for name, of_judge in answers.items():
            agreement = measure(of_judge, labels, places)
            if agreement is None:
                continue
            measured.setdefault(group, {})[name] = agreement
            difference = None if name == "rules" else compare(answers["rules"], of_judge, labels, places)
            if difference is not None:
                apart.setdefault(group, {})[name] = difference
    return measured, apart


def _rule_bars(measured: dict[str, dict[str, Agreement]], rules: Answers, labels: Array) -> Iterator[Figure]:
    for group, judges in measured.items():
        if group in BARS or group == NUMERIC:
            base = judges["coverage"].accuracy.value
            bar = max(base, NUMERIC_BAR) if group == NUMERIC else base
            note = f"word coverage {base:.1f}%"
            yield Figure(f"rules: {group}", judges["rules"].accuracy.value, " %", round(bar, 2), note=note)
    if rules.contradicted.any():
        wrong = 100 * float(labels[rules.contradicted].mean())
        name = "rules: called contradicted and labelled supported"
        yield Figure(name, wrong, " %", CONTRADICTED_WRONGLY, at_most=True)


def _built_in_bars(
    measured: dict[str, dict[str, Agreement]], apart: dict[str, dict[str, Difference]]
) -> Iterator[Figure]:
    for group, judges in measured.items():
        ours = judges.get(BUILT_IN)
        if ours is None:
            continue
        if group in BARS:
            yield Figure(f"{BUILT_IN}: {group}, balanced accuracy", ours.accuracy.value, " %", BARS[group])
        difference = apart.get(group, {}).get(BUILT_IN)
        if difference is not None:
            name = f"{BUILT_IN}: {group}, less the rule judge, upper end"
            yield Figure(name, difference.high, " %", 0.0, note=f"difference {difference.value:+.1f}")
        if group in BARS:
            more = ours.accuracy.value - judges["coverage"].accuracy.value
            yield Figure(f"{BUILT_IN}: {group}, less word coverage", more, " %", 0.0)
        bar = CALIBRATION_BAR if group == ALL else CALIBRATION_BAR_OF_SOURCE
        if ours.rows >= ENOUGH_ROWS and group != NUMERIC:
            name = f"{BUILT_IN}: {group}, calibration error"
            yield Figure(name, ours.calibration_error.value, "", bar, at_most=True)


def _written_bars(
    measured: dict[str, dict[str, Agreement]], answers: dict[str, Answers], labels: Array, rows: Sequence[Row]
) -> Iterator[Figure]:
    """Whole groups right, and what a user would be told about right and wrong claims."""
    places = [place for place, row in enumerate(rows) if row.source == WRITTEN]
    some = [rows[place] for place in places]
    for name in answers:
        bar = GROUPS_BAR if name == BUILT_IN else None
        right = groups_right(answers[name].at(places), labels[places], some)
        yield Figure(f"{name}: written groups with every label right", right, " %", bar)
    ours, rules = measured[WRITTEN][BUILT_IN], measured[WRITTEN]["rules"]
    for name, judge in (("rules", rules), (BUILT_IN, ours)):
        yield Figure(
            f"{name}: right written claims called an error",
            judge.false_errors,
            " %",
            FALSE_ERRORS,
            at_most=True,
        )
        yield Figure(
            f"{name}: right written claims warned about",
            judge.false_warnings,
            " %",
            FALSE_WARNINGS,
            at_most=True,
        )
        bar = FOUND if name == BUILT_IN else None
        yield Figure(f"{name}: wrong written claims found", judge.found, " %", bar)


def _planted(judges: dict[str, Judge], planted: dict[str, dict[str, float]]) -> Iterator[Figure | str]:
    """The share of planted pairs that each judge gets right, for each kind and in all; fills in `planted`."""
    for title, file in PLANTED.items():
        rows = read_planted(file)
        labels = np.array([row.supported for row in rows])
        answers = _ask_all(judges, rows)
        kinds = {ALL: list(range(len(rows)))}
        for place, row in enumerate(rows):
            kinds.setdefault(row.source.replace("_", " "), []).append(place)
        yield f"  {title}, % right"
        yield "    " + " " * 26 + "".join(f"{name:>12}" for name in answers)
        for kind, places in kinds.items():
            right = {name: share_right(each, labels, places) for name, each in answers.items()}
            planted[f"{title}: {kind}"] = right
            yield f"    {kind:<22}{len(places):>4}" + "".join(f"{right[name]:>12.1f}" for name in answers)
        if BUILT_IN in answers:
            for kind in kinds:
                bar = PLANTED_BARS[title] if kind == ALL else PLANTED_BAR_OF_KIND
                yield Figure(f"{BUILT_IN}: {title}, {kind}", planted[f"{title}: {kind}"][BUILT_IN], " %", bar)


def _other_languages(judges: dict[str, Judge]) -> Iterator[Figure]:
    """Pairs that are not in English must not be called unsupported for want of words."""
    rows = read_planted("planted_foreign")
    if BUILT_IN in judges:
        answers = ask(BUILT_IN, judges[BUILT_IN], rows)
        blamed = answers.judged & ~answers.supported & ~answers.contradicted
        note = f"of {len(rows)}; {int((~answers.judged).sum())} unjudged"
        name = f"{BUILT_IN}: pairs in other languages called not enough"
        yield Figure(name, float(blamed.sum()), "", 0.0, at_most=True, note=note)

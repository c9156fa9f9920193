"""The bench of the judges counts what it says it counts."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import _labelled
from bench._agreement import Answers, ask, compare, groups_right, measure, paired_difference, share_right
from bench._labelled import ALL, NUMERIC, POOLED, Row, groups_of, half, read_planted, read_written
from pincite.judges import Judge
from pincite.records import Pair, Verdict

ROWS = [
    Row("a", "yes", "e", True, "one"),
    Row("b", "yes", "e", False, "one"),
    Row("c", "no", "e", False, "one"),
    Row("d", "perhaps", "e", True, "one"),
    Row("e", "silent", "e", True, "one"),
]
LABELS = np.array([row.supported for row in ROWS])


class Parrot(Judge):
    """Says what the claim says."""

    name = "parrot"

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        said = {
            "yes": Verdict("supported", 0.9, ""),
            "no": Verdict("contradicted", 0.1, ""),
            "perhaps": Verdict("not_enough", 0.4, "", sure=False, doubtful=True),
            "silent": Verdict("unjudged", None, "no answer"),
        }
        return [said[pair.claim] for pair in pairs]


@pytest.fixture
def answers() -> Answers:
    return ask("parrot", Parrot(), ROWS)


def test_unjudged_rows_are_counted_apart_and_warnings_are_no_errors(answers: Answers) -> None:
    agreement = measure(answers, LABELS, range(5))
    assert agreement is not None
    assert (agreement.rows, agreement.unjudged) == (4, 1)
    assert agreement.accuracy.value == 50.0
    assert agreement.recall == 50.0
    assert agreement.false_errors == 0.0


def test_a_group_of_one_class_has_no_agreement(answers: Answers) -> None:
    assert measure(answers, LABELS, [0, 3]) is None


def test_a_judge_is_no_better_than_itself(answers: Answers) -> None:
    rows = [0, 1, 2, 3] * 10
    difference = compare(answers, answers, LABELS, rows)
    assert difference is not None
    assert (difference.value, difference.low, difference.high) == (0.0, 0.0, 0.0)


def test_an_unjudged_planted_pair_is_not_right(answers: Answers) -> None:
    assert share_right(answers, LABELS, range(5)) == 40.0


def test_rows_are_measured_by_source_by_collection_and_all_together() -> None:
    rows = [
        Row("1", "It rose by 5%.", "e", True, "vitaminc_real"),
        Row("2", "It rose.", "e", True, "vitaminc_real"),
        Row("3", "It rose.", "e", True, f"{POOLED}/LFQA"),
    ]
    groups = groups_of(rows)
    assert groups == {
        POOLED: [2],
        f"{POOLED}/LFQA": [2],
        "vitaminc_real": [0, 1],
        NUMERIC: [0],
        ALL: [0, 1, 2],
    }


def test_the_half_depends_on_the_identifier_alone() -> None:
    assert [half(name) for name in ("a", "b", "c")] == [half(name) for name in ("a", "b", "c")]
    assert {half(str(number)) for number in range(20)} == {"A", "B"}


def test_the_planted_set_is_found() -> None:
    assert len({row.source for row in read_planted()}) == 10


def test_what_is_doubtful_is_neither_an_error_nor_a_warning(answers: Answers) -> None:
    agreement = measure(answers, LABELS, range(5))
    assert agreement is not None
    assert (agreement.found, agreement.false_warnings) == (50.0, 0.0)


def test_a_written_group_is_right_only_with_every_claim_right(answers: Answers) -> None:
    rows = [
        Row(row.id, row.claim, row.evidence, row.supported, "written", group)
        for row, group in zip(ROWS, "abbcc", strict=True)
    ]
    assert groups_right(answers, LABELS, rows) == pytest.approx(100 / 3)


def test_the_written_groups_of_the_bench_are_those_that_training_leaves_out() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "training"))
    from rows import KEPT_GROUPS, WRITTEN, is_kept

    assert (KEPT_GROUPS, WRITTEN) == (_labelled.KEPT_GROUPS, _labelled.ROOT / "training" / "data" / "written")
    groups = [
        (path.name, json.loads(line)["a"])
        for path in sorted(WRITTEN.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    kept = {str(number) for number, (file, passage) in enumerate(groups) if is_kept(file, number, passage)}
    halves = [{row.group for row in read_written(half)} for half in "AB"]
    assert not halves[0] & halves[1]
    assert halves[0] | halves[1] == kept
    assert len(groups) / 12 < len(kept) < len(groups) / 8


NUMBERS = np.random.default_rng(5).exponential(2.0, 80)


def mean_of(values: Any) -> Any:
    return lambda chosen: float(np.mean(values[chosen]))


def test_a_paired_difference_is_narrower_than_two_samples_would_be() -> None:
    better = NUMBERS + 0.3
    apart = paired_difference(mean_of(NUMBERS), mean_of(better), len(NUMBERS))
    assert apart is not None
    assert apart.value == pytest.approx(0.3)
    assert (apart.low, apart.high) == pytest.approx((0.3, 0.3))
    assert apart.is_clear
    same = paired_difference(mean_of(NUMBERS), mean_of(NUMBERS), len(NUMBERS))
    assert same is not None and not same.is_clear


def test_a_paired_difference_covers_zero_when_nothing_differs() -> None:
    random = np.random.default_rng(9)
    inside = 0
    for _ in range(50):
        first, second = random.normal(size=60), random.normal(size=60)
        apart = paired_difference(mean_of(first), mean_of(second), 60, resamples=150)
        assert apart is not None
        inside += not apart.is_clear
    assert inside >= 43

"""What the judge is trained and fitted on: rows kept apart, altered claims, the join and its points."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from pincite.judges import FILES, Join, Opinion, Read, TextCache, Weight, decide, read_for_model
from pincite.records import Pair, Passage

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

import join  # noqa: E402
from altered import alter  # noqa: E402
from rows import CONTRADICTED, SUPPORTED, Row, altered_rows, is_kept  # noqa: E402

WRITTEN = sorted((TRAINING / "data" / "written").glob("*.jsonl"))


# --- the written rows -----------------------------------------------------------------------------


def groups(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_every_written_claim_has_a_kind_and_a_label_for_each_passage(path: Path) -> None:
    for group in groups(path):
        assert group["a"].strip() and group["b"].strip() and group["a"] != group["b"]
        for claim, kind, *labels in group["claims"]:
            assert claim.strip() and kind.isalpha()
            assert len(labels) == 2 and set(labels) <= set("SCN")


def test_no_passage_is_both_trained_on_and_kept() -> None:
    parts: dict[str, set[bool]] = {}
    number = 0
    for path in WRITTEN:
        for group in groups(path):
            kept = is_kept(path.name, number, group["a"])
            number += 1
            for passage in (group["a"], group["b"]):
                parts.setdefault(passage, set()).add(kept)
    assert all(len(kept) == 1 for kept in parts.values())


def test_a_group_of_a_later_file_is_kept_by_its_text_and_not_by_its_place() -> None:
    assert {is_kept("14-roles.jsonl", number, "The town hall.") for number in range(50)} in ({True}, {False})
    assert [is_kept("01-work.jsonl", number, "The town hall.") for number in range(20)].count(True) == 2


# --- altered claims -------------------------------------------------------------------------------


def test_a_digit_a_unit_or_a_month_is_exchanged_and_nothing_else() -> None:
    evidence = "The tower of 48 metres was opened on 3 May 1912; the hall of 21 metres followed in 1921."
    claim = "The tower is 48 metres high and was opened in May 1912."
    found = {alter(claim, evidence, random.Random(seed)) for seed in range(300)} - {None}
    assert len(found) > 5
    for altered in found:
        before, after = claim.split(), altered.split()
        assert len(before) == len(after)
        assert sum(one != two for one, two in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize(
    "claim",
    [
        "The tower is at least 48 metres high.",
        "The tower is about 48 metres high.",
        "The tower is between 40 and 48 metres high.",
    ],
)
def test_a_number_that_other_numbers_may_keep_as_well_is_left_alone(claim: str) -> None:
    evidence = "The tower of 48 metres was opened in 1912."
    altered = {alter(claim, evidence, random.Random(seed)) for seed in range(50)} - {None}
    assert all("48" in found for found in altered)


def test_a_claim_without_a_value_is_left_alone() -> None:
    assert alter("The tower is high.", "The tower of 48 metres was opened in 1912.", random.Random(1)) is None


def test_only_supported_training_rows_are_altered() -> None:
    evidence = "The tower of 48 metres was opened in 1912."
    rows = [
        Row("The tower is 48 metres high.", evidence, label, "written/number", 3, part)
        for label in (SUPPORTED, CONTRADICTED)
        for part in ("train", "written", "A", "B")
    ] * 10
    found = altered_rows(rows)
    assert found
    assert {(row.part, row.label, row.source) for row in found} == {("train", CONTRADICTED, "altered")}


# --- the join -------------------------------------------------------------------------------------


def test_a_fit_finds_the_weights_that_made_the_labels() -> None:
    draw = np.random.default_rng(1)
    values = draw.normal(size=(4000, 2))
    odds = values @ np.array([2.0, -1.0]) + 0.5
    labels = draw.random(4000) < 1 / (1 + np.exp(-odds))
    found = join.fit(values, labels, np.ones(len(labels)), penalty=1e-6)
    assert found == pytest.approx([2.0, -1.0, 0.5], abs=0.2)


def test_small_sources_count_as_much_as_large_ones_with_power_1() -> None:
    weights = join.source_weights(np.array(["large"] * 30 + ["small"] * 10), 1.0)
    assert weights[:30].sum() == pytest.approx(weights[30:].sum())
    assert join.source_weights(np.array(["large", "large", "small"]), 0.0) == pytest.approx([1, 1, 1])


def test_the_points_bother_few_enough_right_claims_of_each_part() -> None:
    pair = Pair("The hall stands.", (Passage("The hall stands by the harbour."),))
    read = read_for_model(0, pair, TextCache())
    assert isinstance(read, Read)
    observed = read.observed
    seen = [
        join.Seen(
            Row("The hall stands.", "", SUPPORTED, "written/role", place, part),
            observed,
            Opinion(place / 50 + shift, 0.0),
        )
        for part, shift in (("written", -3.0), ("A", -2.0))
        for place in range(300)
    ]
    plain = Join(0.0, {"model: support": Weight(0.0, 1.0, 3.0)}, 0.0, 0.0)
    chosen = join.choose_points(plain, seen)
    assert 0 < chosen.sure < chosen.warn < 0.5
    for part in ("written", "A"):
        told = [decide(one.observed, one.opinion, chosen) for one in seen if one.row.part == part]
        warned = [one for one in told if one.outcome != "supported" and not one.doubtful]
        assert len(warned) <= 0.05 * len(told)
        assert sum(one.sure for one in warned) <= 0.01 * len(told)


def test_the_manifest_holds_the_hash_of_each_file(tmp_path: Path) -> None:
    import hashlib

    for name in FILES:
        (tmp_path / name).write_bytes(name.encode())
    join.seal(tmp_path)
    sealed = json.loads((tmp_path / "manifest.json").read_text())["sha256"]
    assert sealed == {name: hashlib.sha256(name.encode()).hexdigest() for name in FILES}

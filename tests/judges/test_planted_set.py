"""The planted set is whole: enough pairs of every kind, half of each supported, no pair twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
KINDS = (
    "number",
    "unit",
    "date",
    "negation",
    "quantifier",
    "entity swap",
    "direction of a relation",
    "hedge to certainty",
    "passive voice",
    "paraphrase",
)
VERDICTS = ("supported", "contradicted", "not_enough")


def rows_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_enough_pairs_and_half_of_them_are_supported(kind: str) -> None:
    rows = [row for row in rows_of("planted_set.jsonl") if row["kind"] == kind]
    assert len(rows) >= 24
    assert abs(2 * sum(row["label"] for row in rows) - len(rows)) <= 2


@pytest.mark.parametrize("name", ["planted_set.jsonl", "planted_foreign.jsonl"])
def test_every_row_is_complete_and_stands_once(name: str) -> None:
    rows = rows_of(name)
    assert all(row["claim"].strip() and row["evidence"].strip() for row in rows)
    assert all(row["verdict"] in VERDICTS and row["label"] == (row["verdict"] == "supported") for row in rows)
    assert Counter(row["id"] for row in rows).most_common(1)[0][1] == 1
    assert len({(row["claim"], row["evidence"]) for row in rows}) == len(rows)


def test_the_foreign_pairs_are_of_ten_languages_and_more() -> None:
    assert len({row["language"] for row in rows_of("planted_foreign.jsonl")}) >= 10

"""The set of everyday faults: that the file holds what it is meant to hold; no judge is run on it here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

KINDS = (
    "number",
    "unit",
    "date",
    "negation",
    "quantifier",
    "entity_swap",
    "relation_direction",
    "hedge_to_certainty",
    "passive_voice",
    "paraphrase",
)
PAIRS_OF_A_KIND = 26

ROWS = [
    json.loads(line)
    for line in Path(__file__).with_name("planted_everyday.jsonl").read_text(encoding="utf-8").splitlines()
]


def folded(text: str) -> str:
    """The text without the differences of case and spacing that do not make it another text."""
    return " ".join(text.casefold().split())


def test_every_row_has_the_same_fields_and_no_empty_text() -> None:
    for row in ROWS:
        assert list(row) == ["id", "kind", "claim", "evidence", "label", "verdict"]
        for field in ("claim", "evidence"):
            assert row[field] and row[field] == " ".join(row[field].split()), row["id"]


def test_ids_number_the_pairs_of_each_kind_and_are_unique() -> None:
    wanted = [f"{kind}-{number:02}" for kind in KINDS for number in range(1, PAIRS_OF_A_KIND + 1)]
    assert [row["id"] for row in ROWS] == wanted
    assert all(row["id"].startswith(row["kind"] + "-") for row in ROWS)


def test_half_of_each_kind_is_supported() -> None:
    half = PAIRS_OF_A_KIND // 2
    assert Counter((row["kind"], row["label"]) for row in ROWS) == {
        (kind, label): half for kind in KINDS for label in (0, 1)
    }


def test_the_verdict_agrees_with_the_label() -> None:
    for row in ROWS:
        assert row["verdict"] in ("supported", "contradicted", "not_enough"), row["id"]
        assert row["label"] == int(row["verdict"] == "supported"), row["id"]


def test_no_claim_or_evidence_is_used_twice() -> None:
    texts = Counter(folded(row[field]) for row in ROWS for field in ("claim", "evidence"))
    assert [text for text, count in texts.items() if count > 1] == []


def test_no_claim_is_a_copy_of_its_evidence() -> None:
    assert [row["id"] for row in ROWS if folded(row["claim"]).rstrip(".") in folded(row["evidence"])] == []

"""Planted faults: the sets are whole, the rules find what they look for, and no kind gets lost to the model.

A row of `planted_kinds.jsonl` has evidence, a claim that it supports (`right`) and the same claim with
the fault (`wrong`). `plants` says whether the wrong claim is a fault, or only open to doubt; `rules`
whether the rules look for its kind, or leave it to a model.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import pytest
from ask import ask, rows_of

from pincite.base import run_sync
from pincite.judges import open_judge
from pincite.records import Pair, Passage, Verdict

AROUND = "The weather was mild that week. {} Visitors were asked to book a place in advance."
ROWS = rows_of("planted_kinds")
KINDS = list(dict.fromkeys(row["kind"] for row in ROWS))
FOR_RULES = [kind for kind in KINDS if any(row["kind"] == kind and row["rules"] for row in ROWS)]


def rows_of_kind(kind: str, frame: str = "{}") -> list[dict[str, Any]]:
    return [{**row, "evidence": frame.format(row["evidence"])} for row in ROWS if row["kind"] == kind]


def judge(name: str, pairs: list[tuple[str, str]]) -> list[Verdict]:
    asked = [Pair(claim, (Passage(evidence),)) for claim, evidence in pairs]
    return run_sync(open_judge(name).judge(asked), waits=False)


# --- the sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds", "least"),
    [("planted_set", 10, 24), ("planted_everyday", 10, 26), ("planted_foreign", 0, 0)],
)
def test_a_set_is_whole(name: str, kinds: int, least: int) -> None:
    rows = rows_of(name)
    for row in rows:
        assert row["claim"].strip() and row["evidence"].strip()
        assert row["verdict"] in ("supported", "contradicted", "not_enough")
        assert row["label"] == (row["verdict"] == "supported"), row["id"]
    assert Counter(row["id"] for row in rows).most_common(1)[0][1] == 1
    assert len({(row["claim"], row["evidence"]) for row in rows}) == len(rows)
    if kinds:
        by_kind = Counter(row["kind"] for row in rows)
        assert len(by_kind) == kinds and min(by_kind.values()) >= least
        for kind, count in by_kind.items():
            supported = sum(row["label"] for row in rows if row["kind"] == kind)
            assert abs(2 * supported - count) <= 2, kind


def test_no_everyday_claim_is_a_copy_of_its_evidence() -> None:
    rows = rows_of("planted_everyday")
    folded = [[" ".join(row[field].casefold().split()) for field in ("claim", "evidence")] for row in rows]
    assert [claim for claim, evidence in folded if claim.rstrip(".") in evidence] == []


def test_the_foreign_pairs_are_of_ten_languages_and_more() -> None:
    assert len({row["language"] for row in rows_of("planted_foreign")}) >= 10


# --- the rules --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FOR_RULES)
@pytest.mark.parametrize("frame", ["{}", AROUND], ids=["alone", "among others"])
def test_the_rules_find_what_they_look_for(kind: str, frame: str) -> None:
    rows = rows_of_kind(kind, frame)
    assert len(rows) >= 6
    right = judge("rules", [(row["right"], row["evidence"]) for row in rows])
    wrong = judge("rules", [(row["wrong"], row["evidence"]) for row in rows])
    plants = rows[0]["plants"]
    missed = [row["right"] for row, found in zip(rows, right, strict=True) if found.outcome != "supported"]
    for row, found in zip(rows, wrong, strict=True):
        if found.outcome == "supported" or (plants == "fault" and found.outcome != "contradicted"):
            missed.append(row["wrong"])
    assert len(missed) <= (0.15 * 2 * len(rows) if plants == "fault" else 0), missed


@pytest.mark.parametrize("kind", KINDS)
def test_the_rules_call_no_right_claim_contradicted(kind: str) -> None:
    if rows_of_kind(kind)[0]["plants"] == "fault":
        for frame in ("{}", AROUND):
            rows = rows_of_kind(kind, frame)
            for row, found in zip(
                rows, judge("rules", [(r["right"], r["evidence"]) for r in rows]), strict=True
            ):
                assert found.outcome != "contradicted", row["right"]


def test_evidence_about_something_else_is_never_a_contradiction() -> None:
    elsewhere = "The recipe calls for two onions, a clove of garlic and 300 g of flour, baked for 40 minutes."
    rows = [row for row in ROWS if row["plants"] == "fault" and "recipe" not in row["right"]]
    claims = [row[side] for row in rows for side in ("right", "wrong")]
    for claim, found in zip(claims, judge("rules", [(claim, elsewhere) for claim in claims]), strict=True):
        assert found.outcome == "not_enough", claim


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("a number that nothing answers to", "not_enough"),
        ("changes in percent", "not_enough"),
        ("intervals that overlap", "not_enough"),
        ("more digits than the source has", "not_enough"),
        ("shares in words", "contradicted"),
        ("when it began and ended", "contradicted"),
    ],
)
def test_what_may_still_be_true_is_not_called_contradicted_and_what_cannot_is(
    kind: str, outcome: str
) -> None:
    for row in rows_of_kind(kind):
        assert ask("rules", row["wrong"], row["evidence"]).outcome == outcome, row["wrong"]


# --- the built-in judge -----------------------------------------------------------------------------


class Floor(NamedTuple):
    """The least share of right claims that are supported, and of wrong ones that are not, and are told."""

    right: float
    wrong: float
    told: float = 0.0


FLOORS = {
    # What the rules see is told whatever the model thinks of it.
    "number": Floor(0.9, 0.9, 0.9),
    "unit": Floor(0.9, 0.9, 0.9),
    "date": Floor(0.8, 0.9, 0.9),
    "rate": Floor(0.9, 0.9, 0.9),
    "rounding": Floor(0.4, 0.9, 0.9),
    "interval": Floor(0.6, 0.9, 0.9),
    "paraphrased number": Floor(0.6, 0.9, 0.9),
    "shares in words": Floor(0.9, 0.9, 0.9),
    "when it began and ended": Floor(0.9, 0.9, 0.9),
    "negation": Floor(0.9, 0.9, 0.9),
    "negation about a stand-in": Floor(0.9, 0.9, 0.9),
    "quantifier": Floor(0.9, 0.9, 0.4),
    # What is left to the model.
    "antonym": Floor(0.9, 0.85, 0.2),
    "entity": Floor(0.9, 0.85, 0.4),
    "name with a shared word": Floor(0.7, 0.8, 0.25),
    "office": Floor(0.8, 0.8),
    "direction": Floor(0.9, 0.7, 0.6),
    "direction in numbers": Floor(0.6, 0.4),
    "another subject": Floor(0.9, 0.7, 0.1),
    "another noun beside the number": Floor(0.9, 0.4),
    "table rows": Floor(0.85, 0.6, 0.1),
    "other words for the same": Floor(0.75, 0.85, 0.6),
    "a number that nothing answers to": Floor(0.85, 0.5, 0.25),
    "intervals that overlap": Floor(0.85, 0.75, 0.3),
    "more digits than the source has": Floor(0.85, 0.65, 0.4),
    "changes in percent": Floor(0.4, 0.4),
}


def test_every_kind_has_a_floor() -> None:
    assert set(FLOORS) == set(KINDS)


@pytest.mark.parametrize("kind", sorted(FLOORS))
def test_planted_faults_of_every_kind_are_told_from_what_is_true(kind: str) -> None:
    """Only the shares of a kind are held: a single sentence may go either way with the next weights."""
    rows = rows_of_kind(kind) + rows_of_kind(kind, AROUND)
    right = judge("entailment", [(row["right"], row["evidence"]) for row in rows])
    wrong = judge("entailment", [(row["wrong"], row["evidence"]) for row in rows])
    told = [found for found in wrong if found.outcome != "supported" and not found.doubtful]
    alarms = [found for found in right if found.outcome != "supported" and not found.doubtful]
    supported = sum(found.outcome == "supported" for found in right) / len(rows)
    refused = sum(found.outcome != "supported" for found in wrong) / len(rows)
    print(f"{kind}: supported {supported:.0%}, refused {refused:.0%}, told {len(told) / len(rows):.0%}")
    floor = FLOORS[kind]
    assert supported >= floor.right
    assert refused >= floor.wrong
    assert len(told) >= floor.told * len(rows)
    # False alarms cost most.
    assert len(alarms) <= 0.1 * len(rows)
    assert not any(found.sure for found in right if found.outcome != "supported")


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("The summit was held in Lisbon.", "The summit was held in Madrid."),
        ("The novel was written by Clara Denholm.", "The novel was written by Peter Marsh."),
        ("The board rejected the merger.", "The board approved the merger."),
        ("The new rule allows street vendors.", "The new rule bans street vendors."),
        ("Rents fell across the city.", "Rents rose across the city."),
        ("Krell sued Dunmore over the patent.", "Dunmore sued Krell over the patent."),
        ("The show was hosted by Kiel.", "Rome hosted the show."),
        ("The board reported a profit.", "The board reported a loss."),
        ("Acme sells bikes.", "Acme sells bikes and cars."),
        ("Exports to the United States grew by 5%.", "Exports to the EU grew by 5%."),
        ("Sales rose in May. Profit fell in May.", "Profit rose in May."),
    ],
)
def test_what_plainly_says_something_else_does_not_support(evidence: str, claim: str) -> None:
    verdict, right = judge("entailment", [(claim, evidence), (evidence, evidence)])
    assert verdict.outcome in ("contradicted", "not_enough"), verdict
    assert right.outcome == "supported"

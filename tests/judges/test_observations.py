"""What the rules observe in a pair, and what they leave alone."""

from __future__ import annotations

import pytest

from pincite.judges import Observed, Read, TextCache, read_for_model
from pincite.records import Pair, Passage


def observed(claim: str, evidence: str) -> Observed:
    found = read_for_model(0, Pair(claim, (Passage(evidence),)), TextCache())
    assert isinstance(found, Read)
    return found.observed


def told(seen: Observed) -> list[str]:
    return [f"{found.kind} {found.cause}: {found.words[0]} / {found.words[1]}" for found in seen.all]


@pytest.mark.parametrize(
    ("claim", "evidence", "harmless", "wanted"),
    [
        (
            "The board has seven members.",
            "The board has nine members.",
            "The board has 7 members.",
            "number number: seven / nine",
        ),
        (
            "The bridge is 3.75 km long.",
            "The bridge is 3.7 km long.",
            "The bridge is 3.75 km long.",
            "doubt number: 3.75 km / 3.7 km",
        ),
        (
            "The bridge cost 45 million euros.",
            "The bridge was opened by the mayor.",
            "The bridge cost €45 million.",
            "doubt number: 45 million euros / None",
        ),
        (
            "The board approved the merger.",
            "The board did not approve the merger.",
            "The board approved the merger.",
            "against negation: approved / not approve",
        ),
        (
            "All patients recovered.",
            "Some patients recovered.",
            "All patients recovered.",
            "against quantifier: All / Some",
        ),
        (
            "The board did not approve the merger.",
            "The board met.",
            None,
            "note claim denies:  / None",
        ),
        (
            "The board met in May.",
            "The board reportedly met in May.",
            "The board met in May.",
            "note source hedges:  / None",
        ),
    ],
)
def test_each_thing_is_observed_where_it_is_and_nowhere_else(
    claim: str, evidence: str, harmless: str | None, wanted: str
) -> None:
    assert wanted in told(observed(claim, evidence))
    if harmless is not None:
        assert told(observed(claim, harmless)) == []


def test_numbers_come_first_and_then_what_the_best_sentence_says() -> None:
    seen = observed(
        "The board of the club approved 7 budgets.", "The board of the club did not approve 9 budgets."
    )
    assert [found.kind for found in seen.all][:2] == ["number", "against"]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Visitors may enter only with a badge.", "No visitor may enter without a badge."),
        ("No visitor may enter without a badge.", "Visitors may enter only with a badge."),
        ("You may enter if you have a badge.", "You may not enter unless you have a badge."),
        (
            "The door may be opened only once both lamps are green.",
            "The door must not be opened until both lamps are green.",
        ),
    ],
)
def test_a_denial_with_an_exception_excludes_nothing_that_the_other_side_says(
    claim: str, evidence: str
) -> None:
    assert observed(claim, evidence).of("against") == []


def test_a_denial_whose_exception_both_sides_give_is_still_a_denial() -> None:
    seen = observed("Lamps may be changed without a permit.", "Lamps may not be changed without a permit.")
    assert [found.cause for found in seen.of("against")] == ["negation"]

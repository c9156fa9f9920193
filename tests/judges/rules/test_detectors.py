"""Each detector by itself: what it observes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pincite.judges import ReadText
from pincite.judges.rules.detectors import (
    DETECTORS,
    hedges,
    negation,
    numbers,
    observe,
    quantifiers,
)
from pincite.judges.rules.observation import Observation
from pincite.judges.rules.view import View


def close(find: Callable[..., Sequence[Observation]]) -> Callable[[View], list[Observation]]:
    return lambda view: [found for sentence in view.close for found in find(view, sentence)]


Case = tuple[Callable[[View], Sequence[Observation]], str, str, str, str]
"""The detector, a claim, evidence that shows its thing, evidence that does not, the words on both sides."""

CASES: dict[str, Case] = {
    "a number that differs": (
        numbers.differing_numbers,
        "The board has seven members.",
        "The board has nine members.",
        "The board has 7 members.",
        "seven / nine",
    ),
    "a number that is only perhaps the same": (
        numbers.unsettled_numbers,
        "The bridge is 3.75 km long.",
        "The bridge is 3.7 km long.",
        "The bridge is 3.75 km long.",
        "3.75 km / 3.7 km",
    ),
    "a number without an answer": (
        numbers.open_numbers,
        "The bridge cost 45 million euros.",
        "The bridge was opened by the mayor.",
        "The bridge cost €45 million.",
        "45 million euros / None",
    ),
    "a negation": (
        close(negation.find_negation),
        "The board approved the merger.",
        "The board did not approve the merger.",
        "The board approved the merger.",
        "approved / not approve",
    ),
    "a quantifier": (
        close(quantifiers.find_quantifier),
        "All patients recovered.",
        "Some patients recovered.",
        "All patients recovered.",
        "All / Some",
    ),
    "a claim that denies": (
        negation.claim_denies,
        "The board did not approve the merger.",
        "The board met.",
        "",
        " / None",
    ),
    "a source that hedges": (
        hedges.source_hedges,
        "The board met in May.",
        "The board reportedly met in May.",
        "The board met in May.",
        " / None",
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_a_detector_observes_its_own_thing_and_nothing_where_it_is_not(what: str) -> None:
    detect, claim, evidence, harmless, words = CASES[what]
    (found,) = detect(View(ReadText(claim), [ReadText(evidence)]))
    assert f"{found.words[0]} / {found.words[1]}" == words
    if harmless:
        assert detect(View(ReadText(claim), [ReadText(harmless)])) == []


def test_every_detector_is_used_and_has_a_case() -> None:
    alone = {case[0] for case in CASES.values()}
    assert {detect for detect in DETECTORS if detect.__name__ != "detect"} <= alone
    for what, (_, claim, evidence, _, words) in CASES.items():
        seen = observe(ReadText(claim), [ReadText(evidence)]).all
        assert words in [f"{found.words[0]} / {found.words[1]}" for found in seen], what


def test_numbers_come_first_and_then_what_the_best_sentence_says() -> None:
    claim = ReadText("The board of the club approved 7 budgets.")
    seen = observe(claim, [ReadText("The board of the club did not approve 9 budgets.")])
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
    assert observe(ReadText(claim), [ReadText(evidence)]).of("against") == []


def test_a_denial_whose_exception_both_sides_give_is_still_a_denial() -> None:
    seen = observe(
        ReadText("Lamps may be changed without a permit."),
        [ReadText("Lamps may not be changed without a permit.")],
    )
    assert [found.cause for found in seen.of("against")] == ["negation"]

"""Each detector by itself: what it observes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pincite.judges.rules.detectors import (
    DETECTORS,
    direction,
    hedges,
    missing,
    names,
    negation,
    numbers,
    observe,
    opposites,
    quantifiers,
    swaps,
)
from pincite.judges.rules.observation import Observation
from pincite.judges.rules.reading import ReadText
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
    "an opposite": (
        close(opposites.find_opposite),
        "Sales of the firm rose in spring.",
        "Sales of the firm fell in spring.",
        "Sales of the firm climbed in spring.",
        "rose / fell",
    ),
    "a quantifier": (
        close(quantifiers.find_quantifier),
        "All patients recovered.",
        "Some patients recovered.",
        "All patients recovered.",
        "All / Some",
    ),
    "a direction": (
        close(direction.find_direction),
        "Revenue doubled.",
        "Revenue tripled.",
        "Revenue rose by 100%.",
        "doubled / tripled",
    ),
    "another name": (
        close(names.find_swap),
        "The games were hosted by Paris.",
        "The games were hosted by London.",
        "The games were hosted by Paris.",
        "Paris / London",
    ),
    "names that changed places": (
        close(names.find_role_swap),
        "Acme acquired Initech.",
        "Initech acquired Acme.",
        "Initech was acquired by Acme.",
        "Acme acquired Initech / Initech acquired Acme",
    ),
    "another subject": (
        close(names.find_swap),
        "Messi scored twice in the final.",
        "Mbappé scored twice in the final.",
        "He scored twice in the final.",
        "Messi / Mbappé",
    ),
    "another maker": (
        close(names.find_maker),
        "The hall was designed by Voss.",
        "The hall was designed by Ruiz.",
        "The hall was designed by Voss.",
        "Voss / Ruiz",
    ),
    "another holder of an office": (
        close(names.find_holder),
        "Smith is the treasurer of the club.",
        "Jones is the treasurer of the club.",
        "The treasurer of the club is Smith.",
        "Smith is the treasurer / Jones is the treasurer",
    ),
    "a name that a row of a table does not have": (
        missing.missing_name,
        "In 2020 Initech had revenue of $12M.",
        "Company,Revenue,Employees,Year\nAcme,$10M,50,2020\nGlobex,$12M,70,2020\n",
        "Company,Revenue,Employees,Year\nAcme,$10M,50,2020\nInitech,$12M,70,2020\n",
        "Initech / None",
    ),
    "another noun": (
        swaps.swapped_noun,
        "The farm has 45 goats.",
        "The farm has 45 sheep.",
        "The farm has 45 goats.",
        "goats / sheep",
    ),
    "an item of a list": (
        missing.missing_item,
        "Acme sells bikes and cars.",
        "Acme sells bikes.",
        "Acme makes bikes.",
        "cars / None",
    ),
    "the first items of a list": (
        missing.missing_item,
        "Cats, dogs and foxes are mammals.",
        "Foxes are mammals.",
        "Foxes, cats and dogs are mammals.",
        "Cats, dogs / None",
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

"""Which claim a marker speaks for, from real answers through the real parser."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import attach, kept_words, marker_spans, parse
from pincite.records import Citation, NumberTarget
from pincite.text import split_claims


def attached(answer: str, mode: Literal["sentence", "paragraph"] = "sentence") -> list[tuple[str, list[str]]]:
    citations = parse(answer).citations
    claims = split_claims(answer, marker_spans(citations), "en", kept_words(citations, answer))
    indices = attach(claims, citations, answer, mode)
    return [(c.text, [claims[i].text for i in own]) for c, own in zip(citations, indices, strict=True)]


PLANTED: list[tuple[str, list[tuple[str, list[str]]]]] = [
    ("A is 1 [1]. B is 2.", [("[1]", ["A is 1."])]),
    ("A is 1. [1] B is 2.", [("[1]", ["A is 1."])]),
    ("A is 1.[1] B is 2. [2]", [("[1]", ["A is 1."]), ("[2]", ["B is 2."])]),
    ("A is 1.【1†source】B is 2.", [("【1†source】", ["A is 1."])]),
    ("Sales were 1. [1][2] Costs were 2.", [("[1]", ["Sales were 1."]), ("[2]", ["Sales were 1."])]),
    ("A is 1 [1] and B is 2 [2].", [("[1]", ["A is 1 and B is 2."]), ("[2]", ["A is 1 and B is 2."])]),
    ("A is 1. [1] says that B is 2.", [("[1]", ["B is 2."])]),
    ("[1] A is 1. B is 2.", [("[1]", ["A is 1."])]),
    ("A is 1. Smith (2020) found that B is 2.", [("Smith (2020)", ["Smith found that B is 2."])]),
    ("- A is 1. B is 2. [1]\n- C is 3.", [("[1]", ["A is 1. B is 2."])]),
    ("- A is 1 [1]. B is 2.\n- C is 3.", [("[1]", ["A is 1. B is 2."])]),
    ("- A is 1 [1]. B is 2 [2].", [("[1]", ["A is 1."]), ("[2]", ["B is 2."])]),
    ("| A | B |\n|---|---|\n| x [1] | 1 |\n| y | 2 |", [("[1]", ["A: x; B: 1"])]),
    ("| A | B [1] |\n|---|---|\n| x | 1 |\n| y | 2 |", [("[1]", ["A: x; B: 1", "A: y; B: 2"])]),
    ("A is 1. B is 2.\n\n[1]", [("[1]", ["B is 2."])]),
    ("- A is 1\n- B is 2\n\n[1] [2]", [("[1]", ["B is 2"]), ("[2]", ["B is 2"])]),
    ("A is 1. See [1].", [("[1]", ["A is 1."])]),
    ("A is 1. Source: [1]", [("[1]", ["A is 1."])]),
    ("A is 1.\nSource: https://a.org/b", [("https://a.org/b", ["A is 1."])]),
    ("# Title [1]\n\nA is 1.", [("[1]", [])]),
    ("A is 1. Is B 2 [1]?", [("[1]", [])]),
    ("A is 1.\n\nThe sources do not say more [1].", [("[1]", [])]),
    ("A is 1.\n\n- [Guide](https://a.org/g)\n", [("[Guide](https://a.org/g)", [])]),
    (
        "The risks are [1]:\n- demand is 1\n- supply is 2 [2]",
        [("[1]", ["demand is 1"]), ("[2]", ["supply is 2"])],
    ),
    ("- Risks [1]:\n  - demand is 1\n- A is 2", [("[1]", ["demand is 1"])]),
    ("# Title\n\n[1]\n\nA is 1.", [("[1]", [])]),
]


@pytest.mark.parametrize(("answer", "expected"), PLANTED, ids=[row[0][:40] for row in PLANTED])
def test_a_marker_speaks_for_its_claim(answer: str, expected: list[tuple[str, list[str]]]) -> None:
    assert attached(answer) == expected


def test_a_marker_that_closes_a_paragraph_speaks_for_all_uncited_sentences_when_told_so() -> None:
    answer = "Sales were 1. Costs were 2 [9]. Profit was 3. Debt was 4.[1] [2]\n\nCash was 5."
    assert attached(answer, "paragraph") == [
        ("[9]", ["Costs were 2."]),
        ("[1]", ["Sales were 1.", "Profit was 3.", "Debt was 4."]),
        ("[2]", ["Sales were 1.", "Profit was 3.", "Debt was 4."]),
    ]
    assert attached(answer)[1] == ("[1]", ["Debt was 4."])


def test_a_marker_below_a_paragraph_closes_it() -> None:
    answer = "Sales were 1. Costs were 2.\n\n[1]"
    assert attached(answer, "paragraph") == [("[1]", ["Sales were 1.", "Costs were 2."])]


def test_a_marker_that_closes_no_paragraph_speaks_for_its_sentence_in_either_mode() -> None:
    answer = "Sales were 1. Costs were 2 [1]. Profit was 3."
    assert attached(answer, "paragraph") == attached(answer) == [("[1]", ["Costs were 2."])]


def provider(answer: str, start: int, end: int) -> list[str]:
    citation = Citation("provider", answer[start:end], start, end, (NumberTarget(1, "1"),))
    claims = split_claims(answer, marker_spans([citation]))
    return [claims[i].text for i in attach(claims, [citation], answer)[0]]


def test_a_providers_citation_speaks_for_every_claim_it_covers() -> None:
    answer = "Sales were 1. Costs were 2. Profit was 3."
    assert provider(answer, 0, 27) == ["Sales were 1.", "Costs were 2."]
    assert provider(answer, 6, 10) == ["Sales were 1."]
    assert provider(answer, 0, len(answer)) == ["Sales were 1.", "Costs were 2.", "Profit was 3."]


def test_a_piece_of_a_word_is_not_covered() -> None:
    answer = "Sales were 1. Costs were 2."
    assert provider(answer, 0, 16) == ["Sales were 1."]
    assert provider(answer, 13, 14) == []


def test_a_providers_citation_without_width_speaks_for_the_claim_that_ends_there() -> None:
    answer = "Sales were 1. Costs were 2."
    assert provider(answer, 13, 13) == ["Sales were 1."]
    assert provider(answer, len(answer), len(answer)) == ["Costs were 2."]


_PIECES = st.sampled_from(
    [
        "Sales were 1",
        "See ",
        ". ",
        "? ",
        ": ",
        "[1]",
        " [2]",
        "(Lee, 2020)",
        "\n",
        "\n\n",
        "\n- ",
        "\n  - ",
        "\n# ",
    ]
)


@given(st.lists(_PIECES, max_size=40).map("".join), st.sampled_from(["sentence", "paragraph"]))
def test_every_citation_gets_claims_that_exist_and_its_own_claim_first_of_all(
    answer: str, mode: Literal["sentence", "paragraph"]
) -> None:
    citations = parse(answer).citations
    claims = split_claims(answer, marker_spans(citations))
    result = attach(claims, citations, answer, mode)
    assert len(result) == len(citations)
    for citation, own in zip(citations, result, strict=True):
        assert list(own) == sorted(set(own))
        assert all(0 <= index < len(claims) for index in own)
        for index, claim in enumerate(claims):
            if claim.start <= citation.start < claim.end:
                assert index in own


# --- which words of a marker stay in the claim ---------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("Smith (2020) found so.", ["Smith"]),
        ("Smith and Jones (2020, p. 5) found so.", ["Smith and Jones"]),
        ("Van der Berg et al. (2021) found so.", ["Van der Berg et al."]),
        ("It helps (Smith, 2020).", []),
        ("According to the [IPCC report](https://a.org/r), it rose.", ["IPCC report"]),
        ("[Acme](https://a.org/r) reported growth.", ["Acme"]),
        ("It rose. [Acme](https://a.org/r)'s boss left.", ["Acme"]),
        ("Acme bought [Beta Corp](https://a.org/r) in 2010.", ["Beta Corp"]),
        ("It has a [large population](https://a.org/r).", ["large population"]),
        ("It rose 5% [Reuters](https://a.org/r).", []),
        ("It rose 5% [Reuters](https://a.org/r), while costs fell.", []),
        ("It rose 5% [Reuters](https://a.org/r) and costs fell.", []),
        ("It rose 5% ([Reuters](https://a.org/r)).", []),
        ("It rose. [Party Guide](https://a.org/r)", []),
        ("It rose [here](https://a.org/r) in May.", []),
        ("It rose [1](https://a.org/r) in May.", []),
        ("The [a.org](https://a.org/r) figures rose.", []),
        ("It rose [1].", []),
    ],
)
def test_words_that_are_part_of_the_sentence_are_kept(answer: str, words: list[str]) -> None:
    assert list(kept_words(parse(answer).citations, answer).values()) == words

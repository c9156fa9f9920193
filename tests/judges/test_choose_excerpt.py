"""What the cross-encoder is shown of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.judges import CLAIM_TOKENS, TOKENS, ReadText, choose_excerpt, cover

FILLER = " ".join(f"Entry {number} of the register concerns a bridge over the canal." for number in range(60))


@cache
def words(text: str) -> tuple[int, ...]:
    """A token for each word, so that tokens can be counted by eye."""
    return tuple(1000 + crc32(word.encode("utf-8", "replace")) % 20000 for word in text.split())


def shown(claim: str, *evidence: str, contexts: Sequence[str] = ()) -> tuple[Any, list[ReadText]]:
    passages = [ReadText(text) for text in evidence]
    asked = ReadText(claim)
    ranked = cover(asked, passages, [frozenset()] * len(passages)).sentences
    return choose_excerpt(asked, passages, contexts or [""] * len(passages), ranked, words), passages


def texts(found: Any, passages: list[ReadText]) -> list[str]:
    return [part.span.of(passages[part.passage].text) for part in found.parts]


def test_short_evidence_is_shown_whole_and_in_order() -> None:
    found, passages = shown("It rained.", "The sun shone. Then it rained.", "It was May.")
    assert texts(found, passages) == ["The sun shone.", "Then it rained.", "It was May."]
    assert found.evidence == words("The sun shone. Then it rained. It was May.")


def test_of_long_evidence_the_sentences_that_together_hold_the_claim_are_shown() -> None:
    evidence = (
        f"Ida Moller designed the town hall. {FILLER} The tower is 48 metres high. {FILLER} "
        "It was opened in 1912 by the king."
    )
    found, passages = shown(
        "Ida Moller designed the tower, which is 48 metres high, opened in 1912.", evidence
    )
    held = texts(found, passages)
    assert "Ida Moller designed the town hall." in held
    assert "The tower is 48 metres high." in held
    assert "It was opened in 1912 by the king." in held
    assert list(found.parts) == sorted(found.parts)


def test_the_sentence_before_the_best_one_is_shown_for_what_its_pronouns_mean() -> None:
    evidence = (
        f"{FILLER} The Harbour Company owned the crane. It sold the machine to Bergen in 1921. {FILLER}"
    )
    found, passages = shown("The machine was sold to Bergen in 1921.", evidence)
    assert "The Harbour Company owned the crane." in texts(found, passages)


def test_what_a_reader_of_a_passage_knows_is_told_once_before_it() -> None:
    evidence = ("Books cost nothing.", "DVDs cost one euro.")
    found, _ = shown("A DVD costs one euro.", *evidence, contexts=["Fees", "Fees"])
    assert found.evidence == words("Fees Books cost nothing. DVDs cost one euro.")


def test_a_context_that_would_crowd_out_the_evidence_is_cut() -> None:
    found, _ = shown("It rained.", "Then it rained.", contexts=["word " * 500])
    assert len(found.evidence) == 24 + 3
    many = [f"{number} " * 40 for number in range(9)]
    found, _ = shown("It rained.", *["Then it rained."] * 9, contexts=many)
    assert found.evidence == words("Then it rained.") * 9


def test_a_list_without_full_stops_is_shown_in_the_part_that_holds_the_claim() -> None:
    evidence = ", ".join(f"item {number} weighs {number} kg" for number in range(400)) + ", the anvil is iron"
    found, passages = shown("The anvil is iron.", evidence)
    assert any("the anvil is iron" in text for text in texts(found, passages))


@pytest.mark.parametrize("claim", ["It rained.", "word " * 500])
def test_claim_and_evidence_never_exceed_what_the_model_reads(claim: str) -> None:
    found, _ = shown(claim, FILLER, FILLER)
    assert len(found.claim) <= CLAIM_TOKENS
    assert found.evidence
    assert len(found.claim) + len(found.evidence) + 3 <= TOKENS


@given(st.text(max_size=80), st.lists(st.text(max_size=600), min_size=1, max_size=3))
def test_whatever_the_texts_are_every_part_lies_inside_its_passage(claim: str, evidence: list[str]) -> None:
    found, passages = shown(claim, *evidence)
    for part in found.parts:
        assert 0 <= part.start <= part.end <= len(passages[part.passage].text)
    assert list(found.parts) == sorted(set(found.parts))
    assert len(found.claim) + len(found.evidence) + 3 <= TOKENS

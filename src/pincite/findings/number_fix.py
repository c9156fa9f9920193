"""The source's number in place of the claim's: only where both count the same thing."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import Claim, Fix, Passage, Span, Verdict
from pincite.text import Quantity, compare, find_quantities, find_terms

NUMBER_CAUSES = ("number", "date", "unit")
BEFORE, AFTER = 5, 3
"""How many content words on either side of a number say what it counts."""
SHARE = 0.5
"""So much of the words round the claim's number must be round the source's too."""


def number_fix(verdict: Verdict, claim: Claim, answer: str, passages: Sequence[Passage]) -> Fix | None:
    """A suggestion to write the source's number, or None.

    The number must occur once in the answer's sentence. The source's must be of the same kind and unit, and
    occur among the same words: another thing's number is no correction.
    """
    words, instead = verdict.claim_text, verdict.evidence_text
    sentence = answer[claim.start : claim.end]
    if not words or not instead or sentence.count(words) != 1:
        return None
    if not _counts_the_same(claim.text, words, _rested_on(verdict, passages), instead):
        return None
    return value_fix(words, instead, claim, sentence)


def value_fix(words: str, instead: str, claim: Claim, sentence: str) -> Fix:
    """The fix itself, for words that occur once in the sentence."""
    start = claim.start + sentence.index(words)
    return Fix(start, start + len(words), instead, False, f"use the source's number: {instead}")


def mended(claim: str, verdict: Verdict) -> str:
    """The claim as it reads with the fix."""
    assert verdict.claim_text is not None and verdict.evidence_text is not None
    return claim.replace(verdict.claim_text, verdict.evidence_text, 1)


def _rested_on(verdict: Verdict, passages: Sequence[Passage]) -> str:
    if verdict.passage is None or verdict.passage >= len(passages):
        return ""
    text = passages[verdict.passage].text
    span = verdict.span or Span(0, len(text))
    return text[span.start : span.end]


def _counts_the_same(claim: str, words: str, source: str, instead: str) -> bool:
    ours, theirs = _quantity(claim, words), _quantity(source, instead)
    if ours is None or theirs is None or compare(ours, theirs) == "unrelated":
        return False
    here, there = _around(claim, ours), _around(source, theirs)
    return len(here & there) >= SHARE * len(here)


def _quantity(text: str, words: str) -> Quantity | None:
    start = text.find(words)
    found = [one for one in find_quantities(text) if start <= one.start and one.end <= start + len(words)]
    # Words that bound a number may belong to it in the text and not in what was named.
    return found[0] if found and start >= 0 else None


def _around(text: str, quantity: Quantity) -> frozenset[str]:
    terms = [term for term in find_terms(text) if not term.stop and not term.text[0].isdigit()]
    before = [term.stem for term in terms if term.end <= quantity.start][-BEFORE:]
    after = [term.stem for term in terms if term.start >= quantity.end][:AFTER]
    return frozenset(before + after)

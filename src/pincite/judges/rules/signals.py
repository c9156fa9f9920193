"""Everything that the rules see in one pair, before anything is decided."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.judges.rules.acronyms import spelled_otherwise
from pincite.judges.rules.certainty import settle
from pincite.judges.rules.derived import derive_changes
from pincite.judges.rules.directions import find_direction, told_by_numbers
from pincite.judges.rules.doubts import find_doubts, granted
from pincite.judges.rules.entities import find_role_swap, find_swap
from pincite.judges.rules.flips import Doubt, Flip
from pincite.judges.rules.periods import grant_periods, periods_held
from pincite.judges.rules.polarity import find_negation, find_opposite, find_quantifier, polarity
from pincite.judges.rules.quantities import Answer, answer_all, grant_context
from pincite.judges.rules.rates import compare_rates
from pincite.judges.rules.reading import Reading, Sentence, Stretch, kept
from pincite.judges.rules.roles import find_roles
from pincite.judges.rules.vocabulary import is_held, words
from pincite.judges.rules.words import ClaimWord, Coverage, cover, credit_numbers, weigh
from pincite.records import Span

SENTENCES_FOR_FLIPS = 2
"""Negations, opposites and swaps are looked for in the best sentences only: elsewhere they concern "
"something else."""
COVERED_FOR_FLIPS = 0.3
"""A sentence that holds less of the claim speaks of something else."""
MAX_TERMS_FOR_FLIPS = 400
"""A longer sentence is a list or a table; its words say nothing about one another."""


class Signals(Struct, frozen=True):
    """What the rules saw."""

    words: tuple[ClaimWord, ...]
    coverage: Coverage
    answers: tuple[Answer, ...]
    flips: tuple[Flip, ...]
    agreements: int
    """Negations that stand on both sides."""
    negated: bool
    """The claim denies something."""
    hedged: bool
    """The source says `may` or `reportedly` where the claim is certain."""
    verbatim: bool
    """A sentence of the evidence is the claim, word for word."""
    doubts: tuple[Doubt, ...] = ()
    """What keeps the claim from being supported, however many of its words were found."""

    def words_held(self, sentence: Sentence) -> float:
        """How much of the claim's weight, numbers left out, the sentence carries."""
        words = [word for word in self.words if not word.number]
        total = sum(word.weight for word in words)
        if not total:
            return 1.0
        held = sentence.stems
        return sum(word.weight for word in words if is_held(word.term.stem, held)) / total


def read_signals(
    claim: Reading, passages: Sequence[Reading], contexts: Sequence[frozenset[str]] | None = None
) -> Signals:
    """Words, numbers, negations, opposites, quantifiers and names, in that order."""
    given = contexts or [frozenset()] * len(passages)
    contexts = [
        (known if not known or _bears_on(claim, reading) else frozenset()).union(
            spelled_otherwise(claim, reading), told_by_numbers(claim, reading), periods_held(claim, reading)
        )
        for known, reading in zip(given, passages, strict=True)
    ]
    words = weigh(claim)
    coverage = cover(claim, passages, contexts)
    answers = derive_changes(claim, answer_all(claim, coverage.sentences), coverage.sentences)
    answers = compare_rates(claim, answers, coverage.sentences)
    answers = grant_periods(claim, answers, coverage.sentences)
    answers = grant_context(claim, answers, coverage.sentences)
    answers = settle(claim, answers, passages)
    agreed = [
        Span(found.claim.start, found.claim.end)
        for found in answers
        if found.status == "inside" or (found.status == "overlap" and granted(found))
    ]
    coverage = credit_numbers(coverage, words, agreed)
    flips: list[Flip] = []
    agreements = 0
    everything: frozenset[str] = frozenset().union(*(reading.stems for reading in passages), *contexts)
    doubts = find_doubts(claim, words, answers, coverage.sentences, passages, everything)
    if len(claim.terms) <= MAX_TERMS_FOR_FLIPS:
        for sentence in coverage.sentences[:SENTENCES_FOR_FLIPS]:
            if len(sentence.terms()) > MAX_TERMS_FOR_FLIPS or sentence.covered < COVERED_FOR_FLIPS:
                continue
            for find in (find_negation, find_opposite):
                flip, agrees = find(claim, sentence)
                agreements += agrees
                flips += [flip] if flip else []
            found = (
                find_quantifier(claim, sentence),
                find_direction(claim, sentence),
                find_swap(claim, sentence, everything),
                find_role_swap(claim, sentence),
                find_roles(claim, sentence),
            )
            flips += [flip for flip in found if flip]
    negated = bool(polarity(claim).predicates)
    hedged = bool(coverage.sentences) and _hedges(coverage.sentences[0].read) and not _hedges(claim)
    bare = claim.text.strip(_EDGES)
    verbatim = any(sentence.text.strip(_EDGES) == bare for sentence in coverage.sentences[:3])
    return Signals(
        tuple(words),
        coverage,
        tuple(answers),
        tuple(flips),
        agreements,
        negated,
        hedged,
        verbatim,
        tuple(doubts),
    )


def _bears_on(claim: Reading, reading: Reading) -> bool:
    """Whether a passage has a word of the claim itself, so that its heading may tell the rest.

    A cell or a number has no words of its own; a sentence that has, and none of them in the claim, speaks of
    something else under the same heading.
    """
    words = {term.stem for term in reading.terms if not term.stop and not term.text[0].isdigit()}
    if len(words) < FEWEST_OWN_WORDS:
        return True
    return any(not word.number and is_held(word.term.stem, words) for word in weigh(claim))


FEWEST_OWN_WORDS = 2

_EDGES = " \t\r\n.!"
HEDGES = words("hedges")


@kept
def _hedges(stretch: Stretch) -> bool:
    return any(term.text in HEDGES for term in stretch.terms)

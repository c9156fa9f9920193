"""What was read of a claim and its evidence, kept once for all detectors, and what these observe in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from pincite.base import one_line
from pincite.judges.rules.certainty import granted, settle
from pincite.judges.rules.changes import derive_change, told_by_numbers
from pincite.judges.rules.periods import compare_rate, grant_period, periods_held
from pincite.judges.rules.quantities import NumberAnswer, answer_all, grant_context
from pincite.judges.rules.texts import ReadText, Sentence
from pincite.judges.rules.words import cover, credit_numbers, is_held, spelled_otherwise, weigh
from pincite.records import Span

CLOSE_SENTENCES = 2
"""Negations and quantifiers are looked for in the best sentences only: others concern something else."""
COVERED_WHEN_CLOSE = 0.3
"""A sentence that holds less of the claim speaks of something else."""
MAX_TERMS = 400
"""A longer sentence is a list or a table; its words say nothing about one another."""
SURE_FIT, SURE_ORDINAL, SURE_COVERAGE = 1.2, 1.7, 0.4
"""A differing number contradicts when it fits this well in a sentence that holds this much of the claim."""
FEWEST_OWN_WORDS = 2
_EDGES = " \t\r\n.!"


class View:
    """A claim and the sentences about it: which words are held, which numbers answer to which."""

    def __init__(
        self, claim: ReadText, passages: Sequence[ReadText], contexts: Sequence[frozenset[str]] = ()
    ) -> None:
        self.claim = claim
        self.passages = passages
        self.contexts = [
            (known if not known or _bears_on(claim, reading) else frozenset()).union(
                spelled_otherwise(claim, reading),
                told_by_numbers(claim, reading),
                periods_held(claim, reading),
            )
            for known, reading in zip(contexts or [frozenset()] * len(passages), passages, strict=True)
        ]
        self.words = weigh(claim)
        coverage = cover(claim, passages, self.contexts)
        self.sentences = coverage.sentences
        self.answers = self._answer()
        agreed = [
            Span(found.claim.start, found.claim.end)
            for found in self.answers
            if found.status == "inside" or (found.status == "overlap" and granted(found))
        ]
        self.coverage = credit_numbers(coverage, self.words, agreed)

    def _answer(self) -> list[NumberAnswer]:
        answers = []
        for answer in answer_all(self.claim, self.sentences):
            for step in (derive_change, compare_rate, grant_period, grant_context):
                answer = step(self.claim, answer, self.sentences)
            answers.append(settle(self.claim, answer, self.passages))
        return answers

    @property
    def best(self) -> Sentence | None:
        return self.sentences[0] if self.sentences else None

    @cached_property
    def close(self) -> list[Sentence]:
        """The sentences in which words are compared one by one."""
        if len(self.claim.terms) > MAX_TERMS:
            return []
        return [
            sentence
            for sentence in self.sentences[:CLOSE_SENTENCES]
            if len(sentence.read.terms) <= MAX_TERMS and sentence.covered >= COVERED_WHEN_CLOSE
        ]

    @cached_property
    def everything(self) -> frozenset[str]:
        """The stems of all that was shown, and of what its readers know."""
        return frozenset().union(*(reading.stems for reading in self.passages), *self.contexts)

    @cached_property
    def verbatim(self) -> bool:
        """Whether a sentence of the evidence is the claim, word for word."""
        bare = self.claim.text.strip(_EDGES)
        return any(sentence.text.strip(_EDGES) == bare for sentence in self.sentences[:3])

    def words_held(self, sentence: Sentence) -> float:
        """How much of the claim's weight, numbers left out, the sentence carries."""
        words = [word for word in self.words if not word.number]
        total = sum(word.weight for word in words)
        if not total:
            return 1.0
        held = sentence.stems
        return sum(word.weight for word in words if is_held(word.term.stem, held)) / total

    def is_sure(self, answer: NumberAnswer) -> bool:
        """Whether a number that lies apart surely answers to the claim's."""
        if answer.status != "apart" or answer.sentence is None or answer.explained:
            return False
        enough = SURE_ORDINAL if answer.claim.kind == "ordinal" else SURE_FIT
        return answer.fit >= enough and self.words_held(answer.sentence) >= SURE_COVERAGE


def _bears_on(claim: ReadText, reading: ReadText) -> bool:
    """Whether a passage has a word of the claim itself, so that its heading may tell the rest.

    A cell or a number has no words of its own; a sentence that has, and none of them in the claim, speaks of
    something else under the same heading.
    """
    words = {term.stem for term in reading.terms if not term.stop and not term.text[0].isdigit()}
    if len(words) < FEWEST_OWN_WORDS:
        return True
    return any(not word.number and is_held(word.term.stem, words) for word in weigh(claim))


Kind = Literal["number", "close", "apart", "against", "doubt", "note"]
"""`number`: a number that surely differs; `close`: one that differs in a sentence which otherwise says the
same; `apart`: any other that differs. `against`: words that exclude each other. `doubt`: what keeps a claim
from being supported, however many of its words were found. `note`: what is neither for nor against it."""


class Observation(Struct, frozen=True):
    """One thing that a detector saw."""

    kind: Kind
    cause: str
    words: tuple[str, str | None] = ("", None)
    """The claim's words and the evidence's."""
    weight: float = 0.0
    """How strongly it speaks against the claim; of a number that differs, how well it fits."""
    reason: str = ""
    sentence: Sentence | None = None


class Observed(Struct, frozen=True):
    """A view of a pair with everything that was observed in it."""

    view: View
    all: tuple[Observation, ...]

    def of(self, *kinds: Kind) -> list[Observation]:
        return [found for found in self.all if found.kind in kinds]

    def notes(self, cause: str) -> bool:
        return any(found.kind == "note" and found.cause == cause for found in self.all)


def against(
    cause: str, here: str, there: str, sentence: Sentence, *, reason: str = "", weight: float = 3.0
) -> Observation:
    """Words of the claim and of a sentence that exclude each other."""
    reason = reason or f'"{here}" in the claim, "{one_line(there)}" in the source'
    return Observation("against", cause, (here, there), weight, reason, sentence)

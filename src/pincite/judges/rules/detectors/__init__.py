"""The detectors of the rule judge: each looks at a view of a pair and returns what it observed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.judges.rules.detectors.hedges import source_hedges
from pincite.judges.rules.detectors.negation import claim_denies, find_negation
from pincite.judges.rules.detectors.numbers import differing_numbers, open_numbers, unsettled_numbers
from pincite.judges.rules.detectors.quantifiers import find_quantifier
from pincite.judges.rules.observation import Observation, Observed
from pincite.judges.rules.reading import ReadText, Sentence
from pincite.judges.rules.view import View

Detector = Callable[[View], Sequence[Observation]]


def in_close_sentences(*finders: Callable[[View, Sentence], Sequence[Observation]]) -> Detector:
    """Detectors that compare the claim with one sentence, the best sentence first."""

    def detect(view: View) -> Sequence[Observation]:
        return [found for sentence in view.close for find in finders for found in find(view, sentence)]

    return detect


DETECTORS: tuple[Detector, ...] = (
    differing_numbers,
    in_close_sentences(find_negation, find_quantifier),
    unsettled_numbers,
    open_numbers,
    claim_denies,
    source_hedges,
)
"""In the order in which their observations are reported."""


def observe(
    claim: ReadText, passages: Sequence[ReadText], contexts: Sequence[frozenset[str]] = ()
) -> Observed:
    """Everything that the rules see in a claim and its evidence, before anything is decided."""
    view = View(claim, passages, contexts)
    return Observed(view, tuple(found for detect in DETECTORS for found in detect(view)))

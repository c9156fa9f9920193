"""Which way something went, where the source's numbers or words say another."""

from __future__ import annotations

from pincite.judges.rules.changes import change_words, direction, find_changes, refutes, rest_held
from pincite.judges.rules.detectors.negation import polarity
from pincite.judges.rules.observation import Observation, against
from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import is_held


def find_direction(view: View, sentence: Sentence) -> list[Observation]:
    """`fell` against `up from`, `increased` against `from 10 to 5`, `doubled` against `tripled`."""
    claim, terms = view.claim, change_words(view.claim)
    ways = {direction(term) for term in terms}
    if len(ways) != 1 or any(is_held(term.stem, sentence.stems) for term in terms):
        return []
    changes = find_changes(sentence.read) if rest_held(claim, sentence.stems) else []
    if not changes or polarity(claim).predicates:
        return []
    if not all(refutes(change, terms, *ways) for change in changes):
        return []
    return [against("number", claim.text[terms[0].start : terms[-1].end], changes[0].text, sentence)]

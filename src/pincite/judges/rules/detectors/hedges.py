"""What the source only plans, considers or holds possible, and the claim states."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.observation import Observation, one_line
from pincite.judges.rules.reading import Reading, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import COMMON, kin, words
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

HEDGES = words("hedges")
_MODALS = word_set("may might could")
_INTENTIONS = words("intentions")
_FUTURE = words("future")
_MOST_TRIED = 8
_REACH = 4
"""How many small words may stand between a hedge and its verb: `is expected to have been`."""


def find_hedge(view: View) -> list[Observation]:
    """`The project was approved` against `the committee considered approving the project`."""
    claim, sentence = view.claim, view.best
    hedged = _all_hedged(sentence.read) if sentence else []
    if sentence is None or not hedged or _is_open(claim):
        return []
    wanted = {key: term for term in claim.terms if not term.stop for key in kin(term.stem)}
    tried: set[str] = set()
    for term, target in hedged:
        if target.stem in tried or target.stem not in wanted or target.stem in COMMON:
            continue
        tried.add(target.stem)
        if len(tried) > _MOST_TRIED:
            return []
        if _stated(target.stem, view.passages):
            continue
        said = sentence.reading.text[term.start : target.end]
        reason = f"the source only says: {one_line(said)}"
        return [Observation("doubt", "coverage", (wanted[target.stem].text, said), 0.0, reason, sentence)]
    return []


def source_hedges(view: View) -> list[Observation]:
    """The source says `may` or `reportedly` where the claim is certain."""
    hedged = view.best is not None and _hedges(view.best.read) and not _hedges(view.claim)
    return [Observation("note", "source hedges")] if hedged else []


@kept
def _hedges(stretch: Stretch) -> bool:
    return any(term.text in HEDGES for term in stretch.terms)


@kept
def _is_open(claim: Reading) -> bool:
    """Whether the claim itself states nothing for certain."""
    return any(_is_hedge(term) or term.text.lower() in _FUTURE for term in claim.terms)


@kept
def _all_hedged(stretch: Stretch) -> list[tuple[Term, Term]]:
    """Every hedge with the verb that it takes the certainty from."""
    found = [(term, _hedged(stretch.terms, index)) for index, term in enumerate(stretch.terms)]
    return [(hedge, verb) for hedge, verb in found if verb is not None]


def _is_hedge(term: Term) -> bool:
    return term.text in _MODALS or term.text in _INTENTIONS


def _hedged(terms: Sequence[Term], index: int) -> Term | None:
    """The verb that a hedge at this place takes the certainty from."""
    hedge = terms[index]
    if not _is_hedge(hedge) or index + 1 >= len(terms):
        return None
    following = terms[index + 1]
    if hedge.text in _INTENTIONS and following.text != "to" and not following.text.endswith("ing"):
        return None
    for term in terms[index + 1 : index + 1 + _REACH]:
        if not term.stop:
            return term if term.text.islower() else None
    return None


def _stated(stem: str, passages: Sequence[Reading]) -> bool:
    """Whether the verb stands somewhere without a hedge."""
    hedged = stated = 0
    for reading in passages:
        if stem in reading.stems:
            stated += sum([term.stem == stem for term in reading.terms])
            hedged += sum([target.stem == stem for _, target in _all_hedged(reading)])
    return stated > hedged

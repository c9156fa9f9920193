"""All, most or none of something of which the source says another share."""

from __future__ import annotations

from pincite.judges.rules.observation import Observation, against
from pincite.judges.rules.reading import Sentence, Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import kin
from pincite.text import Term

QUANTIFIERS = {
    word: amount
    for amount, named in {
        0.0: "no none never",
        0.2: "few rarely seldom",
        0.3: "minority",
        0.4: "some several sometimes occasionally",
        0.5: "many often half",
        0.7: "usually",
        0.8: "most majority mostly",
        1.0: "all every each always entire whole",
    }.items()
    for word in named.split()
}
_WITH_ARTICLE = frozenset({"majority", "entire", "whole", "minority"})


def find_quantifier(view: View, sentence: Sentence) -> list[Observation]:
    """The claim says all, most or none of what the source says something else of."""
    mine = _quantified(view.claim)
    theirs = _quantified(sentence.read) if mine else {}
    for word, (term, amount) in mine.items():
        for key in kin(word):
            if key not in theirs:
                continue
            other, there = theirs[key]
            stronger = amount > there + 0.05 and amount >= 0.7
            if stronger or (amount == 0.0) != (there == 0.0):
                return [against("quantifier", term.text, other.text, sentence)]
    return []


@kept
def _quantified(stretch: Stretch) -> dict[str, tuple[Term, float]]:
    """The word that each quantifier speaks of → the quantifier."""
    terms = stretch.terms
    found: dict[str, tuple[Term, float]] = {}
    for index, term in enumerate(terms):
        amount = QUANTIFIERS.get(term.text.lower())
        if amount is None:
            continue
        before = terms[index - 1].text.lower() if index else ""
        if before in {"not", "at", "the"} and term.text.lower() not in _WITH_ARTICLE:
            continue
        if amount == 1.0 and before in {"nearly", "almost"}:
            amount = 0.9
        if amount == 1.0 and before == "not":
            amount = 0.5
        for following in terms[index + 1 : index + 5]:
            if not following.stop and following.text.lower() not in QUANTIFIERS:
                found.setdefault(following.stem, (term, amount))
                break
    return found

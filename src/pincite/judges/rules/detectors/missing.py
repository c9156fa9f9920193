"""What the claim speaks of and the source does not: a place, an item of a list, the subject of a row."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.detectors.names import Name, alike, find_names
from pincite.judges.rules.observation import Observation, one_line
from pincite.judges.rules.reading import Reading, Sentence
from pincite.judges.rules.view import MAX_TERMS, View
from pincite.judges.rules.vocabulary import is_held, stems
from pincite.judges.rules.words import is_name, row_cells
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

_JOINERS = frozenset({"and", "or"})


def missing_item(view: View) -> list[Observation]:
    """`sells bikes and cars` against `sells bikes`: one item of a list that the source does not have.

    All else must stand in the sentence: a claim in other words lacks more than the words of one item.
    """
    claim, missing, sentence = view.claim, view.missing, view.best
    terms = claim.terms
    places = [index for index, term in enumerate(terms) if term.stem in missing]
    if sentence is None or not places or len(terms) > MAX_TERMS or places[-1] - places[0] != len(places) - 1:
        return []
    neighbour = _list_neighbour(claim, places[0], places[-1])
    held = [
        is_held(term.stem, sentence.stems) for term in terms if not term.stop and term.stem not in missing
    ]
    if neighbour is None or neighbour.text[0].isdigit() or len(held) < _FEWEST_HELD or not all(held):
        return []
    text = claim.text[terms[places[0]].start : terms[places[-1]].end]
    return [_missing(text, None, sentence, "coverage", ITEM_WEIGHT)]


def _missing(
    here: str, there: str | None, sentence: Sentence | None, cause: str = "entity", weight: float = 0.0
) -> Observation:
    reason = f"the source does not mention {one_line(here)}"
    return Observation("doubt", cause, (here, there), weight, reason, sentence)


_FEWEST_HELD = 2
ITEM_WEIGHT = 0.8
"""Enough for a warning, not for an error."""


def _list_neighbour(claim: Reading, first: int, last: int) -> Term | None:
    """The content word that an `and` or a comma joins the words of `terms[first : last + 1]` to."""
    terms, text = claim.terms, claim.text
    before = terms[first - 1] if first else None
    after = terms[last + 1] if last + 1 < len(terms) else None
    joins = after is not None and after.text.lower() in _JOINERS
    ends = after is None or after.stop or bool(text[terms[last].end : after.start].strip())
    if before is None or not ends:
        return None
    if before.text.lower() in _JOINERS and first > 1:
        found = terms[first - 2]
    elif joins and text[before.end : terms[first].start].strip() == ",":
        found = before
    else:
        return None
    return None if found.stop or is_name(found, False) != is_name(terms[first], False) else found


_PEOPLES = stems("peoples")
_PLACE_LEADS = word_set("in at from near")


def missing_place(view: View) -> list[Observation]:
    """`founded in Paris` against `founded in 1998 and based in Berlin`: a place that stands nowhere.

    The source must name another place of the kind: a country often goes without saying beside a town.
    """
    claim, sentence = view.claim, view.best
    if sentence is None or not view.missing:
        return []
    terms = sentence.terms()
    if max(len(claim.terms), len(terms)) > MAX_TERMS:
        return []
    mine = find_names(claim)
    theirs = find_names(sentence.read) if mine else []
    for name in mine:
        lead = _place_lead(claim.terms, name)
        if not lead or not name.stems <= view.missing:
            continue
        for other in theirs:
            if _place_lead(terms, other) != lead or not other.stems.isdisjoint(claim.stems):
                continue
            unspoken = _is_country(name) and not _is_country(other)
            if not unspoken and not alike(name.text, other.text):
                return [_missing(name.text, other.text, sentence)]
    return []


def _is_country(name: Name) -> bool:
    return not name.stems.isdisjoint(_PEOPLES) or name.text.isupper() or name.text.startswith("United ")


def _place_lead(terms: Sequence[Term], name: Name) -> str:
    """The preposition before a name, `the` passed over."""
    words = [term.text.lower() for term in terms[max(0, name.first - 2) : name.first]]
    if words and words[-1] == "the":
        words.pop()
    return words[-1] if words and words[-1] in _PLACE_LEADS else ""


def missing_row(view: View) -> list[Observation]:
    """A table row whose first cell, which says what the row is about, stands nowhere in the source.

    Or a claim about a name that stands nowhere, borne out by a row that names something else.
    """
    claim = view.claim
    if not view.missing:
        return []
    cells = row_cells(claim.text)
    about = claim.terms_in_range(cells[0].start, cells[0].end) if cells else []
    subject = {term.stem for term in about if not term.stop}
    if subject and subject <= view.missing:
        return [_missing(cells[0].of(claim.text), None, None)]
    answering = [answer.sentence for answer in view.answers if answer.status == "inside" and answer.sentence]
    rows = [sentence for sentence in answering if sentence.is_row]
    names = [term for term in claim.terms if term.stem in view.missing and is_name(term, term.start == 0)]
    named = {term.stem for term in claim.terms if not term.stop and not term.text[0].isdigit()}
    strange = names and any(named.isdisjoint(row.stems) for row in rows)
    return [_missing(names[0].text, None, None)] if strange else []

"""An item of a list, or the name in a row of a table, that the source does not have."""

from __future__ import annotations

from pincite.judges.rules.observation import Observation, one_line
from pincite.judges.rules.reading import ReadText
from pincite.judges.rules.view import MAX_TERMS, View
from pincite.judges.rules.vocabulary import is_held
from pincite.judges.rules.words import is_name
from pincite.text.terms import Term

_JOINERS = frozenset({"and", "or"})
_FEWEST_HELD = 2
WEIGHT = 0.8
"""Enough for a warning, not for an error."""


def missing_item(view: View) -> list[Observation]:
    """`sells bikes and cars` against `sells bikes`.

    The source must hold all else: a claim in other words lacks more than the words of one item.
    """
    claim, missing, sentence = view.claim, view.missing, view.best
    terms = claim.terms
    places = [index for index, term in enumerate(terms) if term.stem in missing]
    if sentence is None or not places or len(terms) > MAX_TERMS or places[-1] - places[0] != len(places) - 1:
        return []
    neighbour = _list_neighbour(claim, places[0], places[-1])
    if neighbour is None or neighbour.text[0].isdigit():
        return []
    stems = frozenset().union(*(other.stems for other in view.close), sentence.stems)
    held = [is_held(term.stem, stems) for term in terms if not term.stop and term.stem not in missing]
    if len(held) < _FEWEST_HELD or not all(held):
        return []
    text = claim.text[terms[places[0]].start : terms[places[-1]].end]
    reason = f"the source does not mention {one_line(text)}"
    return [Observation("doubt", "coverage", (text, None), WEIGHT, reason, sentence)]


def _list_neighbour(claim: ReadText, first: int, last: int) -> Term | None:
    """The content word that an `and` or a comma joins the words of `terms[first : last + 1]` to."""
    terms, text = claim.terms, claim.text

    def joins(index: int) -> bool:
        return 0 <= index < len(terms) and terms[index].text.lower() in _JOINERS

    def comma_before(index: int) -> bool:
        return text[terms[index - 1].end : terms[index].start].strip() == ","

    after = terms[last + 1] if last + 1 < len(terms) else None
    ends = after is None or after.stop or bool(text[terms[last].end : after.start].strip())
    found = None
    if ends and first > 1 and joins(first - 1):
        found = terms[first - 2]
    elif ends and first and joins(last + 1) and comma_before(first):
        found = terms[first - 1]
    elif first == 0 and joins(last + 1) and last + 2 < len(terms):
        found = terms[last + 2]
    elif first == 0 and joins(last + 2) and comma_before(last + 1):
        found = after
    if found is None or found.stop or is_name(found, found is terms[0]) != is_name(terms[first], first == 0):
        return None
    return found


def missing_name(view: View) -> list[Observation]:
    """A claim about a name that the source lacks, whose number is from a table's row about something else."""
    claim = view.claim
    names = [term for term in claim.terms if term.stem in view.missing and is_name(term, term.start == 0)]
    held = [answer.sentence for answer in view.answers if answer.status == "inside" and answer.sentence]
    rows = [sentence for sentence in held if sentence.read.is_row]
    words = {term.stem for term in claim.terms if not term.stop and not term.text[0].isdigit()}
    if not names or not any(words.isdisjoint(row.stems) for row in rows):
        return []
    reason = f"the source does not mention {names[0].text}"
    return [Observation("doubt", "entity", (names[0].text, None), 0.0, reason)]

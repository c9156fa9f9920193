"""A subject or a noun in another's place: what makes a claim doubtful, but refutes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.judges.rules.entities import Name, alike, find_names, is_role
from pincite.judges.rules.flips import Doubt
from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.reading import Reading, Sentence
from pincite.judges.rules.relations import same_relation
from pincite.judges.rules.rows import row_cells
from pincite.judges.rules.vocabulary import COMMON, is_held, kin, stems, words
from pincite.judges.rules.words import is_name
from pincite.text.numbers import Quantity
from pincite.text.terms import Term
from pincite.text.wordlists import word_set


def swapped_opening(claim: Reading, missing: set[str], sentence: Sentence) -> Doubt | None:
    """`Messi scored twice` against `Mbappé scored twice`: another subject before the same words.

    `The company` may well be the one that the claim names, so both must be written with a capital.
    """
    terms = sentence.terms()
    mine, theirs = _opening(claim.terms), _opening(terms)
    if mine is None or claim.terms[mine].stem not in missing:
        return None
    here = claim.terms[mine]
    for name in find_names(sentence.read):
        related = same_relation(claim.terms, (mine, mine + 1), terms, (name.first, name.last))
        if related and not is_role(name):
            return _subjects(claim, here, name.text, name.stems, sentence)
    if theirs is None:
        return None
    after, other = _content_after(claim.terms, mine), _content_after(terms, theirs)
    if after is None or other is None or other.stem not in kin(after.stem):
        return None
    there = terms[theirs]
    return _subjects(claim, here, there.text, frozenset({there.stem}), sentence)


def _subjects(
    claim: Reading, here: Term, there: str, stems: frozenset[str], sentence: Sentence
) -> Doubt | None:
    if not stems.isdisjoint(claim.stems) or alike(here.text, there):
        return None
    reason = f"{here.text} in the claim, {there} in the source"
    return Doubt("entity", reason, here.text, there, sentence)


_INTERJECTIONS = words("interjections")


def _opening(terms: Sequence[Term]) -> int | None:
    """The index of the first content word, when only an article stands before it and it may be a name."""
    first = 1 if terms and terms[0].text.lower() in {"the", "a", "an"} else 0
    if first >= len(terms):
        return None
    subject = terms[first]
    if subject.stop or not subject.text[0].isupper() or subject.stem in COMMON:
        return None
    return None if subject.text.lower() in _INTERJECTIONS else first


def _content_after(terms: Sequence[Term], index: int) -> Term | None:
    return next((term for term in terms[index + 1 : index + 4] if not term.stop), None)


_JOINERS = frozenset({"and", "or"})


def missing_item(claim: Reading, missing: set[str], sentence: Sentence) -> Doubt | None:
    """`sells bikes and cars` against `sells bikes`: one item of a list that the source does not have.

    All else must stand in the sentence: a claim in other words lacks more than the words of one item.
    """
    terms = claim.terms
    places = [index for index, term in enumerate(terms) if term.stem in missing]
    if not places or len(terms) > MAX_TERMS or places[-1] - places[0] != len(places) - 1:
        return None
    neighbour = _list_neighbour(claim, places[0], places[-1])
    held = [
        is_held(term.stem, sentence.stems) for term in terms if not term.stop and term.stem not in missing
    ]
    if neighbour is None or neighbour.text[0].isdigit() or len(held) < _FEWEST_HELD or not all(held):
        return None
    text = claim.text[terms[places[0]].start : terms[places[-1]].end]
    return Doubt("coverage", f"the source does not mention {text}", text, None, sentence, ITEM_ALARM)


_FEWEST_HELD = 2
ITEM_ALARM = 0.8
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


MAX_TERMS = 400
_PEOPLES = stems("peoples")
_PLACE_LEADS = word_set("in at from near")


def missing_place(claim: Reading, missing: set[str], sentence: Sentence) -> Doubt | None:
    """`founded in Paris` against `founded in 1998 and based in Berlin`: a place that stands nowhere.

    The source must name another place of the kind: a country often goes without saying beside a town.
    """
    terms = sentence.terms()
    if max(len(claim.terms), len(terms)) > MAX_TERMS:
        return None
    mine = find_names(claim)
    theirs = find_names(sentence.read) if mine else []
    for name in mine:
        lead = _place_lead(claim.terms, name)
        if not lead or not name.stems <= missing:
            continue
        for other in theirs:
            if _place_lead(terms, other) != lead or not other.stems.isdisjoint(claim.stems):
                continue
            unspoken = _is_country(name) and not _is_country(other)
            if not unspoken and not alike(name.text, other.text):
                reason = f"the source does not mention {name.text}"
                return Doubt("entity", reason, name.text, other.text, sentence)
    return None


def _is_country(name: Name) -> bool:
    return not name.stems.isdisjoint(_PEOPLES) or name.text.isupper() or name.text.startswith("United ")


def _place_lead(terms: Sequence[Term], name: Name) -> str:
    """The preposition before a name, `the` passed over."""
    words = [term.text.lower() for term in terms[max(0, name.first - 2) : name.first]]
    if words and words[-1] == "the":
        words.pop()
    return words[-1] if words and words[-1] in _PLACE_LEADS else ""


def missing_row(claim: Reading, missing: set[str]) -> Doubt | None:
    """A table row whose first cell, which says what the row is about, stands nowhere in the source."""
    cells = row_cells(claim.text)
    if not cells:
        return None
    stems = {term.stem for term in claim.terms_in_range(cells[0].start, cells[0].end) if not term.stop}
    if not stems or not stems <= missing:
        return None
    name = cells[0].of(claim.text)
    return Doubt("entity", "the source does not mention " + " ".join(name.split()), name)


def strange_row(claim: Reading, missing: set[str], answers: Sequence[Answer]) -> Doubt | None:
    """A claim about a name that stands nowhere, borne out by a row of a table that names something else."""
    rows = [
        answer.sentence
        for answer in answers
        if answer.status == "inside" and answer.sentence and answer.sentence.is_row
    ]
    if not rows:
        return None
    names = [term for term in claim.terms if term.stem in missing and is_name(term, term.start == 0)]
    words = {term.stem for term in claim.terms if not term.stop and not term.text[0].isdigit()}
    for row in rows:
        if names and words.isdisjoint(row.stems):
            return Doubt("entity", f"the source does not mention {names[0].text}", names[0].text)
    return None


_LINKS = word_set("in of was is were are")
_IS = word_set("was is were are :")
_CHANGERS = stems("changers")
_NEAREST = {1: 2, -1: 3}
"""How many content words say what a number counts; what stands further off tells of something else."""
_NOT_COMPARED = frozenset({"date", "day", "clock", "ordinal", "score"})


def swapped_noun(claim: Reading, missing: set[str], answer: Answer) -> Doubt | None:
    """`$10M in Q1 profit` against `$10M in Q1 revenue`: outwards from the number, another noun."""
    source, sentence = answer.source, answer.sentence
    if source is None or sentence is None or answer.claim.kind in _NOT_COMPARED:
        return None
    first, last = (sentence.reading.term_at(edge) for edge in (sentence.span.start, sentence.span.end))
    for step in (1, -1):
        here = _outward(claim, answer.claim, step, 0, len(claim.terms))
        there = _outward(sentence.reading, source, step, first, last)
        for place, ((link, mine), (other_link, theirs)) in enumerate(zip(here, there, strict=False)):
            if link != other_link:
                break
            if theirs.stem in kin(mine.stem):
                continue
            if place == 0 and step < 0 and not _told(link, here):
                break
            if _points_back(sentence.reading, theirs) != _points_back(claim, mine):
                break
            if mine.stem in missing and theirs.stem not in claim.stems and _both_nouns(claim, mine, theirs):
                reason = f"{mine.text} in the claim, {theirs.text} in the source"
                return Doubt("coverage", reason, mine.text, theirs.text, sentence)
            break
    return None


Outward = list[tuple[tuple[str, ...], Term]]


def _told(link: tuple[str, ...], words: Outward) -> bool:
    """Whether the word before a number is what it tells of.

    So it is in `nausea in 40%`, `revenue was $10M` and `cut costs by 30%`; the verb of `seats 40,000` or
    `slipped by 30%` is not.
    """
    if not link:
        return False
    if link[0] == "by":
        return len(words) > 1 and words[1][1].stem in _CHANGERS
    return link[0] in _LINKS


def _outward(reading: Reading, quantity: Quantity, step: int, first: int, last: int) -> Outward:
    """The nearest content words from a number outwards, in its clause, each with the small words between."""
    terms, text = reading.terms, reading.text
    index = reading.term_at(quantity.end) if step > 0 else reading.term_at(quantity.start) - 1
    edge = quantity.end if step > 0 else quantity.start
    found: Outward = []
    link: list[str] = []
    while len(found) < _NEAREST[step] and len(link) < 4:
        if not first <= index < last:
            break
        term = terms[index]
        gap = (text[edge : term.start] if step > 0 else text[term.end : edge]).strip()
        if gap == ":" and step < 0 and not found:
            link.append("is")
        elif gap not in {"", "-"}:
            break
        edge = term.end if step > 0 else term.start
        if term.stop:
            word = term.text.lower()
            if word in {"and", "or", "but"}:
                break
            link.append("is" if word in _IS else word)
        else:
            found.append((tuple(link), term))
            link = []
        index += step
    return found


def _points_back(reading: Reading, term: Term) -> bool:
    """Whether a noun may stand for a name that was given before: `the video`, `this season`."""
    words = [found.text.lower() for found in reading.terms_in_range(max(0, term.start - 24), term.start)[-2:]]
    return any(word in {"the", "this", "that", "its", "these", "those"} for word in words)


def _both_nouns(claim: Reading, one: Term, two: Term) -> bool:
    opens = one.start == 0 or claim.text.endswith("; ", 0, one.start)
    if alike(one.text, two.text) or is_name(one, opens) != is_name(two, False):
        return False
    if one.text.lower() in two.text.lower() or two.text.lower() in one.text.lower():
        return False
    return all(
        term.stem not in COMMON and not term.text[0].isdigit() and not term.text.endswith(("ed", "ing", "ly"))
        for term in (one, two)
    )

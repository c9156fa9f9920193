"""How much of a claim's words the evidence holds, rare words and names counting most."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rule_quantities import is_title_number
from pincite.judges.rule_reading import Reading, Sentence
from pincite.judges.rule_rows import LABEL_SHARE, row_labels
from pincite.judges.rule_thesaurus import COMMON, kin
from pincite.records import Span
from pincite.text.terms import Term

NUMBER_SHARE = 0.5
"""What a number weighs, beside a word, in the search for the best sentence."""

KEPT_SENTENCES = 24
"""Only so many sentences are looked at closely; the rest count as seen words."""


class ClaimWord(Struct, frozen=True):
    """A content word of a claim and what it weighs."""

    term: Term
    weight: float
    name: bool
    number: bool


class Coverage(Struct, frozen=True):
    """Which part of the claim's weight is held by one sentence, by the best three, by everything."""

    best: float
    joint: float
    whole: float
    missing: tuple[ClaimWord, ...]
    """Words that no passage holds."""
    sentences: tuple[Sentence, ...]
    """The best sentences, most covering first."""


def is_name(term: Term, first: bool) -> bool:
    """A capital that no sentence start explains, an acronym, or letters with digits."""
    text = term.text
    if text[0].isdigit():
        return False
    if not text[0].isupper():
        return not text.islower() and text.lower() != text
    return not first or (len(text) > 1 and text.isupper())


def says_nobody(terms: Sequence[Term], index: int) -> bool:
    """The `one` of `no one`, which counts nothing."""
    return index > 0 and terms[index].text == "one" and terms[index - 1].text in {"no", "No"}


def weigh(reading: Reading) -> list[ClaimWord]:
    """The content words of a claim. Without a corpus, rarity is guessed: names, digits and length."""
    quantities = [found for found in reading.quantities if not is_title_number(reading, found)]
    words = []
    seen: set[str] = set()
    place = 0
    labelling = _in_labels(reading)
    for index, term in enumerate(reading.terms):
        if term.stop or term.stem in seen or says_nobody(reading.terms, index):
            continue
        seen.add(term.stem)
        while place < len(quantities) and quantities[place].end <= term.start:
            place += 1
        number = place < len(quantities) and quantities[place].start <= term.start
        name = not number and is_name(term, index == 0)
        weight = _weight(term, name, number)
        if index in labelling:
            name, weight = False, weight * LABEL_SHARE
        words.append(ClaimWord(term, weight, name, number))
    if not words:
        words = [ClaimWord(term, 0.5, False, False) for term in reading.terms]
    return words


def _in_labels(reading: Reading) -> frozenset[int]:
    """The indices of the terms that stand in the labels of a table row."""
    places: set[int] = set()
    for label in row_labels(reading.text):
        places.update(range(reading.term_at(label.start), reading.term_at(label.end)))
    return frozenset(places)


def _weight(term: Term, name: bool, number: bool) -> float:
    if number:
        return 1.0
    if name:
        return 1.3
    if term.stem in COMMON:
        return 0.5
    return 0.8 + min(len(term.text), 10) * 0.04


def cover(
    words: Sequence[ClaimWord], passages: Sequence[Reading], contexts: Sequence[frozenset[str]]
) -> Coverage:
    """Weighted coverage of the claim's words by the passages, sentence by sentence and all together.

    Numbers help to find the sentence but are not counted as words: whether they agree is decided by
    comparing them.
    """
    counted = [word for word in words if not word.number] or list(words)
    total = sum(word.weight for word in counted) or 1.0
    prepared = _prepare(counted)
    weights: dict[str, float] = {}
    for word in words:
        weight = word.weight * NUMBER_SHARE if word.number else word.weight
        for key, share in kin(word.term.stem).items():
            weights[key] = max(weights.get(key, 0.0), weight * share)
    whole: dict[str, float] = {}
    scored: list[tuple[float, int, int]] = []
    for number, reading in enumerate(passages):
        _note(whole, prepared, reading.stems | contexts[number])
        for order, found in enumerate(_score_sentences(reading, weights, contexts[number])):
            if found > 0.0:
                scored.append((-found, number, order))
    scored.sort()
    everything = sum(word.weight * (NUMBER_SHARE if word.number else 1.0) for word in words) or 1.0
    sentences = tuple(
        Sentence(
            number,
            passages[number].sentences[order],
            passages[number],
            min(1.0, -found / everything),
            contexts[number],
        )
        for found, number, order in scored[:KEPT_SENTENCES]
    )
    held: dict[str, float] = {}
    best = joint = 0.0
    for place, sentence in enumerate(sentences[:3]):
        _note(held, prepared, sentence.stems)
        joint = sum(held.values()) / total
        best = joint if place == 0 else best
    missing = tuple(word for word in counted if word.term.stem not in whole)
    return Coverage(best, joint, sum(whole.values()) / total, missing, sentences)


def credit_numbers(coverage: Coverage, words: Sequence[ClaimWord], agreed: Sequence[Span]) -> Coverage:
    """The coverage with the claim's numbers counted: held where the quantity at their place was borne out."""
    counted = sum(word.weight for word in words if not word.number)
    numbers = [word for word in words if word.number]
    if not numbers or not counted:
        return coverage
    held = sum(word.weight for word in numbers if any(s.start <= word.term.start < s.end for s in agreed))
    total = counted + sum(word.weight for word in numbers)

    def credited(share: float) -> float:
        return (share * counted + held) / total

    return replace(
        coverage,
        best=credited(coverage.best),
        joint=credited(coverage.joint),
        whole=credited(coverage.whole),
    )


def _prepare(words: Sequence[ClaimWord]) -> Prepared:
    """Each word's stem, and what each stem that can stand for it is worth."""
    return [
        (word.term.stem, {key: word.weight * share for key, share in kin(word.term.stem).items()})
        for word in words
    ]


Prepared = list[tuple[str, dict[str, float]]]


def _note(held: dict[str, float], prepared: Prepared, stems: frozenset[str]) -> None:
    for stem, worth in prepared:
        if stem in stems:
            held[stem] = worth[stem]
        elif len(worth) > 1:
            best = max((value for key, value in worth.items() if key in stems), default=0.0)
            if best > held.get(stem, 0.0):
                held[stem] = best


def _score_sentences(reading: Reading, weights: dict[str, float], context: frozenset[str]) -> list[float]:
    """What each sentence of the reading carries, every stem counted once a sentence."""
    scores = []
    index = 0
    known = {stem for stem in context if stem in weights}
    given = sum(weights[stem] for stem in known)
    terms = reading.terms
    for span in reading.sentences:
        seen = set(known)
        score = given
        while index < len(terms) and terms[index].start < span.end:
            stem = terms[index].stem
            if stem in weights and stem not in seen:
                seen.add(stem)
                score += weights[stem]
            index += 1
        scores.append(score)
    return scores

"""How much of a claim's words the evidence holds, rare words and names counting most."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.rules.quantities import is_title_number
from pincite.judges.rules.reading import Reading, ReadSentence, Sentence, kept
from pincite.judges.rules.vocabulary import COMMON, kin
from pincite.records import Span
from pincite.text.terms import Term

NUMBER_SHARE = 0.5
"""What a number weighs, beside a word, in the search for the best sentence."""

LABEL_SHARE = 0.25
"""What a word of a label weighs beside a word of a cell: a source rarely says `launched: 2001`."""
MAX_LABEL = 60
KEPT_SENTENCES = 24
"""Only so many sentences are looked at closely; the rest count as seen words."""


class ClaimWord(Struct, frozen=True, gc=False):
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


@kept
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
    """The indices of the terms in the labels of a table row: `Company: Acme; Revenue: $10M`.

    Every column but the first must have a label; otherwise the text is no row.
    """
    places: set[int] = set()
    start = 0
    for part in reading.text.split("; ") if "; " in reading.text else ():
        colon = part.find(": ", 0, MAX_LABEL)
        if colon < 0 and start > 0:
            return frozenset()
        places.update(range(reading.term_at(start), reading.term_at(start + max(0, colon))))
        start += len(part) + 2
    return frozenset(places)


def _weight(term: Term, name: bool, number: bool) -> float:
    if number:
        return 1.0
    if name:
        return 1.3
    if term.stem in COMMON:
        return 0.5
    return 0.8 + min(len(term.text), 10) * 0.04


def cover(claim: Reading, passages: Sequence[Reading], contexts: Sequence[frozenset[str]]) -> Coverage:
    """Weighted coverage of the claim's words by the passages, sentence by sentence and all together.

    Numbers help to find the sentence but are not counted as words: whether they agree is decided by
    comparing them.
    """
    wanted = _want(claim)
    whole: dict[str, float] = {}
    scored: list[tuple[float, int, int]] = []
    for number, reading in enumerate(passages):
        context = contexts[number]
        _note(whole, wanted.words, reading.stems | context if context else reading.stems)
        known = {stem for stem in context if stem in wanted.weights} if context else _NOTHING
        for order, read in enumerate(reading.read_sentences):
            found = _score(read, wanted.weights, known)
            if found > 0.0:
                scored.append((-found, number, order))
    scored.sort()
    sentences = tuple(
        [
            Sentence(
                number,
                passages[number].sentences[order],
                passages[number],
                min(1.0, -found / wanted.everything),
                contexts[number],
            )
            for found, number, order in scored[:KEPT_SENTENCES]
        ]
    )
    held: dict[str, float] = {}
    best = joint = 0.0
    for place, sentence in enumerate(sentences[:3]):
        _note(held, wanted.words, sentence.stems)
        joint = sum(held.values()) / wanted.total
        best = joint if place == 0 else best
    missing = tuple([word for word in wanted.counted if word.term.stem not in whole])
    return Coverage(best, joint, sum(whole.values()) / wanted.total, missing, sentences)


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


Worth = list[tuple[str, dict[str, float]]]


class _Wanted(Struct, frozen=True):
    """What is looked for in the passages: a claim's words with what they weigh."""

    counted: list[ClaimWord]
    total: float
    words: Worth
    """The stem of each word that is counted, and what each stem that can stand for it is worth."""
    weights: dict[str, float]
    """What a stem adds to the search for the best sentence, numbers among them."""
    everything: float


@kept
def _want(claim: Reading) -> _Wanted:
    words = weigh(claim)
    counted = [word for word in words if not word.number] or words
    weights: dict[str, float] = {}
    for word in words:
        weight = word.weight * NUMBER_SHARE if word.number else word.weight
        for key, share in kin(word.term.stem).items():
            weights[key] = max(weights.get(key, 0.0), weight * share)
    return _Wanted(
        counted,
        sum(word.weight for word in counted) or 1.0,
        [
            (word.term.stem, {key: word.weight * share for key, share in kin(word.term.stem).items()})
            for word in counted
        ],
        weights,
        sum(word.weight * (NUMBER_SHARE if word.number else 1.0) for word in words) or 1.0,
    )


def _note(held: dict[str, float], words: Worth, stems: frozenset[str]) -> None:
    for stem, worth in words:
        if stem in stems:
            held[stem] = worth[stem]
        elif len(worth) > 1:
            best = max((value for key, value in worth.items() if key in stems), default=0.0)
            if best > held.get(stem, 0.0):
                held[stem] = best


_NOTHING: frozenset[str] = frozenset()


def _score(sentence: ReadSentence, weights: dict[str, float], known: Set[str]) -> float:
    """What a sentence carries, every stem counted once, `known` without being in it."""
    score = sum([weights[stem] for stem in known])
    order = sentence.order
    shared = weights.keys() & order.keys()
    if known:
        shared -= known
    if len(shared) > 2 or known:
        # Floats are added in the order of the sentence, so that a score never depends on how it was found.
        for stem in sorted(shared, key=order.__getitem__):
            score += weights[stem]
    else:
        for stem in shared:
            score += weights[stem]
    return score

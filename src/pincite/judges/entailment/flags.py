"""What the rules see at each word, as flags that the model reads beside the word's vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pincite.judges.rules.detectors.hedges import HEDGES
from pincite.judges.rules.detectors.quantifiers import QUANTIFIERS
from pincite.judges.rules.observation import Observed
from pincite.judges.rules.reading import ReadText, Sentence
from pincite.judges.rules.vocabulary import kin
from pincite.judges.rules.words import is_name
from pincite.records import Span
from pincite.text.terms import Term
from pincite.text.wordlists import word_set

FLAGS = (
    "word", "stop", "same", "kin", "elsewhere", "absent", "number", "inside", "apart", "open", "negation",
    "bound", "name", "strange name", "in order", "flipped", "hedge", "best",
)  # fmt: skip
"""One bit each, in this order. The weights of the model depend on it."""
_BIT = {name: 1 << place for place, name in enumerate(FLAGS)}

_NEGATIONS = word_set(
    "no not never none nobody nothing neither nor without cannot can't isn't aren't wasn't weren't don't "
    "doesn't didn't won't wouldn't couldn't shouldn't hasn't haven't hadn't failed fails fail refused denied "
    "rejected lack lacks lacked unable"
)
_BOUNDS = word_set(
    "all every each most some many few several only both any more less over under least fewer than above "
    "below before after about around nearly almost approximately between up until since first last exactly "
    "half majority minority"
)
_HEDGES = HEDGES | word_set(
    "plans planned planning expected considered considering proposed intends hopes suggests suggested likely "
    "unlikely will would should can if whether claimed claims believed"
)


class Flagged(Struct, frozen=True):
    """The flags of a text's words: `flags[i]` belongs to the characters `[starts[i], ends[i])`."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    flags: tuple[int, ...]


def flag_claim(
    claim: ReadText, observed: Observed, chosen: Sequence[Sentence], everything: frozenset[str]
) -> Flagged:
    """The flags of the claim's words, against the chosen sentences and all that was shown."""
    held: frozenset[str] = frozenset().union(*(sentence.stems for sentence in chosen))
    follows = {pair for sentence in chosen for pair in _following(sentence.read.terms)}
    quantities = [
        (answer.claim.start, answer.claim.end, _status(answer.status)) for answer in observed.view.answers
    ]
    flipped = {found.words[0] for found in observed.of("against", "doubt")}
    return _flag(claim.terms, claim.text, held, everything, follows, quantities, flipped, 0)


def flag_sentence(sentence: Sentence, best: bool, claim: ReadText, observed: Observed) -> Flagged:
    """The flags of a sentence's words, against the claim."""
    follows = set(_following(claim.terms))
    quantities = [
        (answer.source.start, answer.source.end, _status(answer.status))
        for answer in observed.view.answers
        if answer.source is not None
        and answer.sentence is not None
        and answer.sentence.passage == sentence.passage
        and answer.sentence.span == sentence.span
    ]
    flipped = {found.words[1] or "" for found in observed.of("against", "doubt")}
    extra, text, stems = _BIT["best"] if best else 0, sentence.reading.text, claim.stems
    return _flag(sentence.read.terms, text, stems, stems, follows, quantities, flipped, extra)


def _following(terms: Sequence[Term]) -> Iterator[tuple[str, str]]:
    return ((one.stem, two.stem) for one, two in pairwise(terms))


def _status(status: str) -> int:
    return _BIT.get(status, _BIT["open"])


def _flag(
    terms: Sequence[Term],
    text: str,
    held: frozenset[str],
    everything: frozenset[str],
    follows: set[tuple[str, str]],
    quantities: Sequence[tuple[int, int, int]],
    flipped: set[str],
    extra: int,
) -> Flagged:
    spans = _places(text, terms, flipped)
    flags = []
    for index, term in enumerate(terms):
        flag = _BIT["word"] | extra
        lower = term.text.lower()
        same = term.stem in held
        near = same or any(key in held for key in kin(term.stem))
        flag |= _BIT["stop"] if term.stop else 0
        flag |= _BIT["same"] if same else _BIT["kin"] if near else 0
        if not near:
            flag |= _BIT["elsewhere"] if term.stem in everything else 0
            flag |= _BIT["absent"] if not term.stop else 0
        if any(character.isdigit() for character in term.text):
            flag |= _BIT["number"]
        for start, end, status in quantities:
            if start <= term.start < end:
                flag |= _BIT["number"] | status
        flag |= _BIT["negation"] if lower in _NEGATIONS else 0
        flag |= _BIT["bound"] if lower in _BOUNDS or lower in QUANTIFIERS else 0
        flag |= _BIT["hedge"] if lower in _HEDGES else 0
        if is_name(term, index == 0):
            flag |= _BIT["name"] | (0 if near else _BIT["strange name"])
        if index and (terms[index - 1].stem, term.stem) in follows:
            flag |= _BIT["in order"]
        if any(span.start <= term.start < span.end for span in spans):
            flag |= _BIT["flipped"]
        flags.append(flag)
    return Flagged(tuple(term.start for term in terms), tuple(term.end for term in terms), tuple(flags))


def _places(text: str, terms: Sequence[Term], words: set[str]) -> list[Span]:
    """Where the words that a rule named stand, within these terms."""
    if not terms:
        return []
    low, high = terms[0].start, terms[-1].end
    found = [(text.find(word, low, high), word) for word in words if word]
    return [Span(place, place + len(word)) for place, word in found if place >= 0]

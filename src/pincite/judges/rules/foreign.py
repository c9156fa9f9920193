"""What can be said of a pair in a language that a judge does not read: little, but that little surely.

A claim that is in the evidence word for word is supported in any language, and a number that surely
answers to the claim's and differs contradicts it. Anything else is unjudged, and says which language it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from pincite.judges.judge import unjudged
from pincite.judges.rules.detectors import differing_numbers
from pincite.judges.rules.judge import NAME, find_lacking
from pincite.judges.rules.texts import ReadText, TextCache
from pincite.judges.rules.view import View
from pincite.records import Pair, Span, Verdict
from pincite.text import UNSPACED

CAUSE = "language"
VERBATIM_SCORE = 0.99
CONTRADICTED_SCORE = 0.05
_BESIDE_NUMBER = re.compile(rf"(?<=[{UNSPACED}])(?=\d)|(?<=[\d%％])(?=[{UNSPACED}])")
_EDGES = " \t\r\n.!。！．।؟\u06d4\u200b"
"""What may stand at the end of a sentence in one place and not in another."""


def judge_foreign(pair: Pair, cache: TextCache, reason: str, judge: str = NAME) -> Verdict:
    """Supported word for word, contradicted by a number, or unjudged for `reason`."""
    # Empty sides are for the caller to tell apart; here there is just nothing to go by.
    if pair.question == "relevance" or find_lacking(pair, cache):
        return unjudged(reason, CAUSE, judge)
    found = _word_for_word(cache.read(pair.claim), cache.read_passages(pair))
    if found is not None:
        passage, span = found
        said = "the claim appears in the source word for word"
        return Verdict("supported", VERBATIM_SCORE, said, "coverage", passage, span, judge=judge)
    spaced = [_numbers_apart(passage.text) for passage in pair.passages]
    readings = [cache.read(text) for text, _ in spaced]
    view = View(cache.read(_numbers_apart(pair.claim)[0]), readings, cache.known_to_readers(pair))
    # Elsewhere `12,5` is written for `12.5`, and `10 Mio.` for `10 million`: a number whose
    # digits are in the evidence does not differ.
    digits = {_digits(quantity.text) for reading in readings for quantity in reading.quantities}
    sure = [found for found in differing_numbers(view) if found.kind == "number" and found.sentence]
    differing = next((found for found in sure if _digits(found.words[0]) not in digits), None)
    if differing is None or differing.sentence is None:
        return unjudged(reason, CAUSE, judge)
    sentence, added = differing.sentence, spaced[differing.sentence.passage][1]
    span = Span(_before(sentence.span.start, added), _before(sentence.span.end, added))
    place = (sentence.passage, span, *differing.words)
    return Verdict("contradicted", CONTRADICTED_SCORE, differing.reason, differing.cause, *place, judge)


def _word_for_word(claim: ReadText, passages: Sequence[ReadText]) -> tuple[int, Span] | None:
    """The passage and the sentence that is the claim."""
    bare = _bare(claim.text)
    for index, reading in enumerate(passages):
        if bare not in _bare(reading.text):
            continue
        for span in reading.sentences:
            if _bare(span.of(reading.text)) == bare:
                return index, span
    return None


def _bare(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def _numbers_apart(text: str) -> tuple[str, list[int]]:
    """The text with a blank between a number and a script that has none, and where the blanks are."""
    if text.isascii():
        return text, []
    pieces: list[str] = []
    added: list[int] = []
    done = 0
    for gap in _BESIDE_NUMBER.finditer(text):
        pieces += [text[done : gap.start()], " "]
        added.append(gap.start() + len(added))
        done = gap.start()
    return "".join([*pieces, text[done:]]), added


def _before(offset: int, added: Sequence[int]) -> int:
    """An offset in the text with blanks as one in the text without."""
    return offset - bisect_left(added, offset)


def _digits(text: str) -> str:
    """The digits that say how much, whatever marks and scales there are: `1,200` and `0.12` are `12`."""
    return "".join(character for character in text if character.isdigit()).strip("0")

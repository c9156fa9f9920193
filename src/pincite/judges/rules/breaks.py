"""Evidence that breaks off: a passage that ends in the middle of a sentence, or in an ellipsis.

What such a sentence leaves out speaks neither for a claim nor against it. As far as it goes it may still say
something else than the claim; where it says what the claim says and then stops, it does not contradict.
"""

from __future__ import annotations

import re

from pincite.judges.rules.reading import ReadText, Sentence
from pincite.records import Span
from pincite.text import Quantity

_ELLIPSIS = re.compile(r"[(\[]?(?:…|\.\.\.)[)\]]?[\s\"'”’»)\]*_]*\Z")
_ENDED = re.compile(r"[.!?:;。！？؟।][\s\"'”’»)\]*_]*\Z")
_LISTED = re.compile(r"\s*(?:[-*•·]|[0-9]+[.)])\s|[^.]{1,80}:\s")
LONGEST_ENDING = 40
"""So many characters at the end of a text are looked at."""


def breaks_off(reading: ReadText, span: Span) -> bool:
    """Whether the sentence is the last one of its passage and has no end there."""
    if reading.text[span.end :].strip():
        return False
    ending = reading.text[max(span.start, span.end - LONGEST_ENDING) :]
    return _ELLIPSIS.search(ending) is not None or _ENDED.search(ending) is None


def only_stops(claim: ReadText, reading: ReadText, span: Span) -> bool:
    """Whether a sentence that breaks off says nothing but what the claim says, in the same order."""
    if not breaks_off(reading, span):
        return False
    said = [term for term in reading.terms_in_range(span.start, span.end) if not term.stop]
    remaining = iter(claim.terms)
    for term in said:
        # The last word may be cut too.
        cut = term is said[-1] and _is_last(term.end, reading)
        if not any(
            other.stem == term.stem or (cut and other.text.lower().startswith(term.text.lower()))
            for other in remaining
        ):
            return False
    return True


def may_be_cut(claim: Quantity, source: Quantity, sentence: Sentence) -> bool:
    """Whether a number at the very end of a passage may be the beginning of the claim's: `$1` of `$1,500`.

    What closes a row, a list item or a label is whole.
    """
    if not _is_last(source.end, sentence.reading) or sentence.read.is_row or _LISTED.match(sentence.text):
        return False
    written, wanted = _digits(source.text), _digits(claim.text)
    return written != wanted and bool(written) and wanted.startswith(written)


_TORN_BEFORE = re.compile(r"(?<![\d.,])\d{1,3}, \Z")
_TORN_AFTER = re.compile(r", (\d{3})(?![\d,])")


def is_torn(claim: Quantity, source: Quantity, text: str) -> bool:
    """Whether the source's number is one half of the claim's, torn apart behind its comma: `11, 950`."""
    wanted, here = _digits(claim.text), _digits(source.text)
    if len(wanted) < 4 or not here or not (wanted.startswith(here) or wanted.endswith(here)):
        return False
    before = _TORN_BEFORE.search(text, max(0, source.start - 6), source.start)
    if before is not None and wanted == _digits(before.group()) + here:
        return True
    after = _TORN_AFTER.match(text, source.end)
    return after is not None and wanted == here + after[1]


def _is_last(end: int, reading: ReadText) -> bool:
    if len(reading.text) - end > LONGEST_ENDING:
        return False
    rest = reading.text[end:].strip()
    return not rest or _ELLIPSIS.fullmatch(rest) is not None


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())

"""Which words of a source a judge is shown."""

from __future__ import annotations

from pincite.reading.reading import LONG, CitedTarget, Reading
from pincite.records import Passage, Source, Span
from pincite.sources import best_passages, claim_index, evidence_in, passage, shared_passage


def passages_for(
    claim: str, cited: CitedTarget, reading: Reading, quoted: bool = False
) -> tuple[Passage, ...]:
    """What the judge is shown for a claim and one of its targets: the cited words, or the best of many.

    Where the claim quotes the cited words, it may well say who said them. That is beside the quote, so
    the judge is then shown the whole sentence.
    """
    shown: list[Passage] = []
    for found in cited.evidence.passages:
        source = reading.library.get(found.document)
        if source is None:
            shown.append(found)
        elif cited.evidence.whole or found.end - found.start > LONG:
            shown += passages_in(claim, source, Span(found.start, found.end)) or [found]
        elif quoted:
            shown.append(_whole_sentences(found, source))
        else:
            shown.append(_whole_words(found, source, reading.settings.tolerance_chars))
    return tuple(shown)


def passages_in(claim: str, source: Source, within: Span) -> tuple[Passage, ...]:
    """What the judge is shown of a stretch that is cited as a whole: the best of it where it is long."""
    if within.end - within.start > LONG:
        return best_passages(claim, source, within)
    return tuple(shared_passage(source, part.start, part.end) for part in evidence_in(source, within))


def _whole_sentences(found: Passage, source: Source) -> Passage:
    index = claim_index(source)
    touched = index.units_in(Span(found.start, found.end))
    if not touched:
        return found
    start = min(found.start, index.units[touched[0]].start)
    end = max(found.end, index.units[touched[-1]].end)
    return passage(source, start, end)


def _whole_words(found: Passage, source: Source, tolerance: int) -> Passage:
    """The passage with the words at its two ends made whole, where no more than `tolerance` is missing.

    A span that cuts "million" after "mill" is a slip of the offsets, which the span metrics measure; it must
    not make the claim look unsupported.
    """
    text, start, end = source.text, found.start, found.end
    if text[start:end].strip():
        start, end = _word_edge(text, start, -1, tolerance), _word_edge(text, end, 1, tolerance)
    return found if (start, end) == (found.start, found.end) else passage(source, start, end)


def _word_edge(text: str, offset: int, step: int, tolerance: int) -> int:
    """Where the word that is cut at `offset` ends; the offset itself where that is too far."""
    places = (offset + step * moved for moved in range(tolerance))
    return next((place for place in places if not _in_word(text, place)), offset)


def _in_word(text: str, offset: int) -> bool:
    """Whether a cut at `offset` goes through a word or a number."""
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if before.isalnum() and after.isalnum():
        return True
    # "1|,234" and "3|.5": a cut beside the mark inside a number.
    if after in ".," and offset + 1 < len(text):
        return before.isdigit() and text[offset + 1].isdigit()
    if before in ".," and offset >= 2:
        return after.isdigit() and text[offset - 2].isdigit()
    return before in "$€£%" and after.isdigit()

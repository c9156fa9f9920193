"""Each claim with what is cited for it, and the words of the sources that a judge is shown.

A claim is judged on each of its citations alone and on all of them together, since each may carry a part of
it; and, where that decides, on all but one.
"""

from __future__ import annotations

from bisect import bisect_right

from pincite.judges import judge_value
from pincite.reading.reading import LONG, CitedClaim, CitedTarget, ClaimTarget, Reading, passages_of
from pincite.reading.verdicts import Tell, with_progress
from pincite.records import Citation, Claim, Pair, Passage, PathTarget, Source, Span, Verdict
from pincite.sources import best_passages, claim_index, evidence_in, passage, shared_passage

MOST_TOGETHER = 30
"""A claim with more targets than this has too many to judge together: each must support it alone."""


def read_cited_claims(reading: Reading, tell: Tell | None = None) -> tuple[CitedClaim, ...]:
    """The claims of an answer, each with what is cited for it."""
    quoted = {cited.ordinal for one in reading.quotes for cited in one.held}
    found = []
    for index, claim in enumerate(with_progress("looking up what is cited", reading.claims, tell)):
        targets = reading.targets_of[index]
        resolved = _resolved(index, claim, reading, quoted)
        together = None
        if 1 < len(resolved) <= MOST_TOGETHER:
            together = Pair(claim.text, passages_of(resolved))
        found.append(CitedClaim(claim, targets, resolved, together))
    return tuple(found)


def _resolved(index: int, claim: Claim, reading: Reading, quoted: set[int]) -> tuple[ClaimTarget, ...]:
    """The targets of a claim that point somewhere, each with what a judge is shown of it."""
    targets = reading.targets_of[index]
    ends = sorted(cited.citation.end for cited in targets)
    shown: dict[object, tuple[Passage, ...]] = {}
    resolved = []
    for cited in reversed([cited for cited in targets if cited.evidence.status == "found"]):
        # Of targets that are alike the last one says whether a quote is there.
        if cited.target not in shown:
            shown[cited.target] = passages_for(claim.text, cited, reading, cited.ordinal in quoted)
        passages = shown[cited.target]
        value = None
        if isinstance(cited.target, PathTarget):
            before = _before_marker(cited.citation, claim, ends, reading.answer.text)
            value = judge_value(passages, claim.text, before)
        elif not any(character.isalnum() for found in passages for character in found.text):
            value = Verdict("not_enough", 0.0, "the cited place has no words", cause="coverage")
        resolved.append(ClaimTarget(index, cited, passages, Pair(claim.text, passages), value))
    return tuple(reversed(resolved))


def _before_marker(marker: Citation, claim: Claim, ends: list[int], text: str) -> str:
    """The claim's words between the marker before and this one: where the value should be."""
    earlier = bisect_right(ends, marker.start)
    start = max(claim.start, ends[earlier - 1]) if earlier else claim.start
    return text[start : max(claim.start, marker.start)]


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

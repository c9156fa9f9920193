"""Does what is cited support what is claimed (PIN201, PIN202, PIN203, PIN205, PIN206)?

Whether it does is decided by `reading.assess`. Here it is put into words, and a way to fix it is looked for:
another place that supports the claim, or the source's number in place of the claim's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from pincite.findings import relocate
from pincite.findings.context import Check, CheckContext, excerpt_at, excerpt_of
from pincite.judges import ReadText, around, judge_value
from pincite.reading import (
    MOST_TOGETHER,
    AssessedClaimTarget,
    Assessment,
    CitedClaim,
    ClaimTarget,
    Verdicts,
    asked_alone,
    needs_others,
    verdict_alone,
    with_progress,
)
from pincite.records import (
    Claim,
    Explanation,
    Finding,
    Fix,
    Match,
    Pair,
    Passage,
    PathTarget,
    Severity,
    SourceExcerpt,
    Span,
    Target,
    Verdict,
)
from pincite.sources import shared_passage
from pincite.text import Quantity, compare, find_terms

DOUBTED: Severity = "warning"
"""What an unsupported claim is when the judge only finds it likely."""
UNTOLD: Severity = "note"
"""What it is with so small a doubt that it is counted and not reported."""
NUMBER_CAUSES = ("number", "date", "unit")
SHARE = 0.5
"""So much of the words round the claim's number must be round the source's too."""


class Support(Check):
    """Every claim with each of its targets."""

    def __init__(self, context: CheckContext) -> None:
        super().__init__(context)
        self._remedies: dict[tuple[int, int], Remedy] = {}
        """By claim and target."""

    def questions(self) -> Iterable[Pair]:
        """Every claim with each of its targets, alone and together."""
        yield from asked_alone(self.reading)
        yield from (cited.together for cited in self.reading.cited_claims if cited.together is not None)

    def remedies(self, verdicts: Verdicts) -> Iterable[Pair]:
        """About what failed alone: do the others manage without it, or would another place or number do?"""
        reading = self.reading
        for cited_claim in with_progress(
            "looking for better places", reading.cited_claims, self.context.tell
        ):
            for target in cited_claim.resolved:
                verdict = verdict_alone(target, verdicts)
                if verdict.outcome not in ("not_enough", "contradicted"):
                    continue
                if needs_others(target, cited_claim, verdicts):
                    others = cited_claim.without(target)
                    assert others is not None
                    yield others
                remedy = self._remedies[target.claim, target.cited.ordinal] = Remedy()
                remedy.fix, remedy.fixed = _number_remedy(
                    target, verdict, cited_claim.claim, reading.answer.text
                )
                if isinstance(remedy.fixed, Pair):
                    yield remedy.fixed
                if not isinstance(target.cited.target, PathTarget):
                    for place in _elsewhere(target, verdict, cited_claim, self.context):
                        remedy.elsewhere.append(place)
                        yield place[1]

    def findings(self, assessment: Assessment, verdicts: Verdicts) -> Iterable[Finding]:
        """One finding for each claim and target that failed."""
        for one in assessment.claim_targets:
            target, verdict = one.claim_target, one.verdict
            if one.standing == "correct":
                continue
            more = {
                "claim": self.reading.claims[target.claim].span,
                "explanation": Explanation(target.pair, verdict),
            }
            if one.standing == "unjudged":
                yield self.context.about(target.cited, "PIN206", one.reason, **more)
                continue
            finding = self._failed(one, verdicts, more)
            # Where its quote is known to be wrong, only a sure contradiction is news about a target.
            news = verdict.sure and finding.code in ("PIN202", "PIN203")
            if news or target.cited.ordinal not in self.reading.misquoted:
                yield finding

    def _failed(self, one: AssessedClaimTarget, verdicts: Verdicts, more: dict[str, Any]) -> Finding:
        target, verdict = one.claim_target, one.verdict
        remedy = self._remedies.get((target.claim, target.cited.ordinal)) or Remedy()
        asked = [(verdicts[pair], match) for match, pair in remedy.elsewhere]
        better = [found for found in asked if found[0].outcome == "supported"]
        if verdict.outcome == "contradicted" or verdict.doubtful:
            # What speaks against the claim weighs more than another place that may be about something else,
            # and where the cited place may well do, only a place that surely does is worth a word.
            better = [found for found in better if (found[0].score or 0.0) >= relocate.SURE]
        if better:
            best, match = max(better, key=lambda found: found[0].score or 0.0)
            return _moved(target, match, (best.score or 0.0) >= relocate.SURE, self.context, more)
        # What a judge is not sure of must not fail a build: it is told as likely, and as a warning.
        probably, severity = ("", None) if verdict.sure else ("probably ", DOUBTED)
        if verdict.doubtful:
            probably, severity = "doubtful, perhaps ", UNTOLD
        shown = _shown(target, verdict, self.reading.claims[target.claim].text)
        more = more | {"severity": severity, "source": shown}
        named = bool(verdict.claim_text and verdict.evidence_text)
        differs = named and verdict.cause in NUMBER_CAUSES
        if differs or (verdict.outcome == "contradicted" and not verdict.doubtful):
            message = f"{probably}contradicted: {verdict.reason}" if probably else verdict.reason
            fix = remedy.passing_fix(verdicts) if differs else None
            more |= {"mark": verdict.claim_text, "fix": fix}
            return self.context.about(target.cited, "PIN203" if differs else "PIN202", message, **more)
        message = f"{probably}not supported: {verdict.reason}"
        return self.context.about(target.cited, "PIN201", message, **more)


class Remedy:
    """What may fix a citation that failed, with what was asked about it."""

    def __init__(self) -> None:
        self.elsewhere: list[tuple[Match, Pair]] = []
        """Other places that may support the claim."""
        self.fix: Fix | None = None
        """The source's number instead of the claim's."""
        self.fixed: Pair | Verdict | None = None
        """The claim with that number, as the judge is asked about it, or what is known of it already."""

    def passing_fix(self, verdicts: Verdicts) -> Fix | None:
        """The number's fix, if the judge calls the claim that it makes supported."""
        fixed = verdicts[self.fixed] if isinstance(self.fixed, Pair) else self.fixed
        return self.fix if fixed is not None and fixed.outcome == "supported" else None


# --- another place -------------------------------------------------------------------------------


def _elsewhere(
    target: ClaimTarget, verdict: Verdict, cited_claim: CitedClaim, context: CheckContext
) -> Iterable[tuple[Match, Pair]]:
    """Other places that may support the claim, and what is asked about each."""
    claim = cited_claim.claim.text
    cited = target.cited
    if cited.evidence.whole:
        if verdict.outcome == "not_enough" and len(cited_claim.resolved) <= MOST_TOGETHER:
            cited_here = [other.cited for other in cited_claim.resolved]
            for match, passages in relocate.other_wholes(claim, cited, cited_here, context):
                yield match, Pair(claim, passages)
        return
    source = context.reading.library.get(cited.evidence.document or "")
    if source is None or not target.passages:
        return
    cited_place = Span(target.passages[0].start, target.passages[0].end)
    beside = _places_beside(target, cited_claim)
    for match in relocate.other_places(claim, source, cited_place, context):
        # Moving there would cite the same place twice.
        if not any(relocate.mostly_inside(match, span) for span in beside):
            yield match, Pair(claim, (shared_passage(source, match.start, match.end),))


def _places_beside(target: ClaimTarget, cited_claim: CitedClaim) -> list[Span]:
    """What the claim's other targets cite in the same source, characters only and no whole documents."""
    if len(cited_claim.resolved) > MOST_TOGETHER:
        return []
    document = target.cited.evidence.document
    return [
        Span(found.start, found.end)
        for other in cited_claim.resolved
        if other is not target
        and other.cited.evidence.document == document
        and not other.cited.evidence.whole
        for found in other.passages
    ]


def _moved(
    target: ClaimTarget, match: Match, safe: bool, context: CheckContext, more: dict[str, Any]
) -> Finding:
    reading, cited = context.reading, target.cited
    source = reading.library.get(match.document)
    assert source is not None
    moved: Target | None = relocate.moved_target(cited, reading, source, match.start, match.end)
    if cited.evidence.whole:
        moved = relocate.moved_whole(cited, reading, source, match)
        # Another document may speak of another thing in the same words.
        safe = safe and match.document == cited.evidence.document
    message = f"the support for this claim is elsewhere: {relocate.named_place(cited, source, match)}"
    fix = relocate.marker_fix(cited, moved, safe, "cite the place that supports the claim")
    return context.about(cited, "PIN205", message, source=excerpt_at(match), fix=fix, **more)


def _shown(target: ClaimTarget, verdict: Verdict, claim: str) -> SourceExcerpt | None:
    """The sentence that the verdict rests on, or else the beginning of what was cited.

    Nothing where the judge names no sentence and what was cited shares no word with the claim: showing it
    would only confuse.
    """
    if not target.passages:
        return None
    if verdict.passage is not None and verdict.passage < len(target.passages):
        rested = target.passages[verdict.passage]
        if verdict.span is not None:
            return excerpt_of(rested, verdict.span.start, verdict.span.end, verdict.evidence_text)
        return excerpt_of(rested, mark=verdict.evidence_text)
    first, wanted = target.passages[0], _stems(claim)
    return excerpt_of(first) if any(term.stem in wanted for term in find_terms(first.text)) else None


@lru_cache(maxsize=4)
def _stems(claim: str) -> frozenset[str]:
    """The words of a claim; kept for the next of its findings, since a claim may have thousands."""
    return frozenset(term.stem for term in find_terms(claim) if not term.stop)


# --- the source's number -------------------------------------------------------------------------


def _number_remedy(
    target: ClaimTarget, verdict: Verdict, claim: Claim, answer: str
) -> tuple[Fix | None, Pair | Verdict | None]:
    """The claim with the source's number, and what to ask about it, since a fix must help.

    The number must occur once in the answer's sentence. The source's must be of the same kind and unit, and
    occur among the same words: another thing's number is no correction. A value in data is compared as it
    is, since its path says what it is the value of.
    """
    words, instead = verdict.claim_text, verdict.evidence_text
    sentence = answer[claim.start : claim.end]
    if verdict.cause not in NUMBER_CAUSES or not words or not instead or sentence.count(words) != 1:
        return None, None
    start = claim.start + sentence.index(words)
    fix = Fix(start, start + len(words), instead, False, f"use the source's number: {instead}")
    corrected = claim.text.replace(words, instead, 1)
    if target.value is not None:
        return fix, judge_value(target.passages, corrected, instead)
    if not _counts_the_same(claim.text, words, _rested_on(verdict, target.passages), instead):
        return None, None
    return fix, Pair(corrected, target.passages)


def _rested_on(verdict: Verdict, passages: Sequence[Passage]) -> str:
    if verdict.passage is None or verdict.passage >= len(passages):
        return ""
    text = passages[verdict.passage].text
    span = verdict.span or Span(0, len(text))
    return text[span.start : span.end]


def _counts_the_same(claim: str, words: str, source: str, instead: str) -> bool:
    read_claim, read_source = ReadText(claim), ReadText(source)
    ours, theirs = _quantity(read_claim, words), _quantity(read_source, instead)
    if ours is None or theirs is None or compare(ours, theirs) == "unrelated":
        return False
    here, there = around(read_claim, ours).near.keys(), around(read_source, theirs).near.keys()
    return len(here & there) >= SHARE * len(here)


def _quantity(reading: ReadText, words: str) -> Quantity | None:
    start = reading.text.find(words)
    found = [one for one in reading.quantities if start <= one.start and one.end <= start + len(words)]
    # Words that bound a number may belong to it in the text and not in what was named.
    return found[0] if found and start >= 0 else None

"""Each claim with what is cited for it, and the questions to a judge that follow.

A claim is judged on each of its citations alone and on all of them together, since each may carry a part of
it; and, where that decides, on all but one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from pincite.judges import judge_value
from pincite.reading.questions import told
from pincite.reading.reading import CitedClaim, Meeting, Reading, passages_of
from pincite.reading.shown import passages_for
from pincite.records import Citation, Claim, Pair, Passage, PathTarget, Verdict

MOST_TOGETHER = 30
"""A claim with more targets than this has too many to judge together: each must support it alone."""

NOT_ASKED = Verdict("unjudged", None, "no judge was asked", cause="error")

Verdicts = Mapping[Pair, Verdict]


def read_cited_claims(reading: Reading) -> tuple[CitedClaim, ...]:
    """The claims of an answer, each with what is cited for it."""
    quoted = {cited.ordinal for one in reading.quotes for cited in one.held}
    found = []
    for index, claim in enumerate(told("looking up what is cited", reading.claims, reading.tell)):
        targets = reading.targets_of[index]
        meetings = _meetings(index, claim, reading, quoted)
        together = None
        if 1 < len(meetings) <= MOST_TOGETHER:
            together = Pair(claim.text, passages_of(meetings))
        found.append(CitedClaim(claim, targets, meetings, together))
    return tuple(found)


def _meetings(index: int, claim: Claim, reading: Reading, quoted: set[int]) -> tuple[Meeting, ...]:
    targets = reading.targets_of[index]
    ends = sorted(cited.citation.end for cited in targets)
    shown: dict[object, tuple[Passage, ...]] = {}
    meetings = []
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
        meetings.append(Meeting(index, cited, Pair(claim.text, passages), value))
    return tuple(reversed(meetings))


def _before_marker(marker: Citation, claim: Claim, ends: list[int], text: str) -> str:
    """The claim's words between the marker before and this one: where the value should be."""
    earlier = bisect_right(ends, marker.start)
    start = max(claim.start, ends[earlier - 1]) if earlier else claim.start
    return text[start : max(claim.start, marker.start)]


# --- what to ask, and what was answered ----------------------------------------------------------


def asked_alone(reading: Reading) -> list[Pair]:
    """Each claim with each of its targets."""
    return [m.alone for c in reading.cited_claims for m in c.meetings if m.alone is not None]


def asked_together(reading: Reading) -> list[Pair]:
    """Each claim with all that is cited for it at once, or with the only thing that is."""
    pairs: list[Pair] = []
    for cited in reading.cited_claims:
        if cited.together is not None:
            pairs.append(cited.together)
        else:
            pairs += [meeting.alone for meeting in cited.meetings if meeting.alone is not None]
    return pairs


def asked_without(reading: Reading) -> list[Pair]:
    """Each claim with all that is cited for it but one, each time another."""
    pairs = (cited.without(meeting) for cited in reading.cited_claims for meeting in cited.meetings)
    return [pair for pair in pairs if pair is not None]


def said(pair: Pair | None, verdicts: Verdicts) -> Verdict:
    """The verdict on a pair; one that no judge was asked about is unjudged."""
    return NOT_ASKED if pair is None else verdicts.get(pair, NOT_ASKED)


def verdict_alone(meeting: Meeting, verdicts: Verdicts) -> Verdict:
    """What one target alone says about the claim."""
    return meeting.value if meeting.value is not None else said(meeting.pair, verdicts)


def verdict_together(cited: CitedClaim, verdicts: Verdicts) -> Verdict | None:
    """What everything cited says about the claim together; None where nothing that is cited can be read.

    Citations too many to show at once say what the best of them says: support, or else what is
    missing, which might be support.
    """
    if not cited.meetings:
        return None
    if cited.together is not None:
        return said(cited.together, verdicts)
    found = [verdict_alone(meeting, verdicts) for meeting in cited.meetings]
    return max(found, key=lambda v: (v.outcome == "supported", v.outcome == "unjudged", v.score or 0.0))

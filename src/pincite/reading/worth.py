"""What each citation is worth: the one decision, from which findings, metrics and reports follow.

A target supports its claim alone, or together with the others when those do not do as well without it.
Markers that close a paragraph share its sentences: each sentence needs one of them, and each of them a
sentence. A target is wrong that contradicts one of its claims, whatever else it supports, that is cited for
words that are not there, or that points nowhere. Where a verdict is missing that would decide, the
target is unjudged.
"""

from __future__ import annotations

from msgspec import Struct

from pincite.reading.cited_claims import Verdicts, said, verdict_alone
from pincite.reading.reading import UNKNOWABLE, CitedClaim, CitedTarget, Meeting, Reading
from pincite.reading.truth import Truth, all_of, any_of, correct_for_claim, is_outcome, needed_part
from pincite.records import Standing, Verdict

ADDS = 0.1
"""How much a citation must add to what the others support, to be a part that they cannot do without."""

ELSEWHERE_MISSING = Verdict("unjudged", None, "whether it supports another claim is not known", cause="error")

IN_NO_RATIO: tuple[Standing, ...] = ("unjudged", "behind_no_claim")


class WeighedMeeting(Struct, frozen=True):
    """What a target is worth for one of its claims."""

    meeting: Meeting
    verdict: Verdict
    """What the judge said of the target alone."""
    standing: Standing
    reason: str


class WeighedTarget(Struct, frozen=True):
    """What one target is worth: the worst that is known of it for any of its claims."""

    cited: CitedTarget
    standing: Standing
    reason: str
    claim: int | None = None
    """The claim that decided."""
    score: float | None = None
    """How well that claim is supported; 0 for a target that points nowhere, None when unjudged."""
    outcome: str = ""
    """What the judge said of the target alone."""

    @property
    def document(self) -> str | None:
        return self.cited.evidence.document or getattr(self.cited.target, "document", None)


class Weighed(Struct, frozen=True):
    """What the verdicts make of an answer's citations."""

    meetings: tuple[WeighedMeeting, ...]
    """In the order of the claims."""
    targets: tuple[WeighedTarget, ...]


def weigh(reading: Reading, verdicts: Verdicts) -> Weighed:
    """Decide about every target of an answer, for each of its claims and as a whole."""
    by_target: dict[int, list[WeighedMeeting]] = {}
    met: dict[int, list[tuple[Meeting, CitedClaim]]] = {}
    for cited_claim in reading.cited_claims:
        for meeting in cited_claim.meetings:
            met.setdefault(meeting.cited.ordinal, []).append((meeting, cited_claim))
    borne = [_is_borne(cited_claim, verdicts) for cited_claim in reading.cited_claims]
    for ordinal, found in met.items():
        supports = any_of(_supports(meeting, cited_claim, verdicts) for meeting, cited_claim in found)
        by_target[ordinal] = [
            _weigh_meeting(meeting, cited_claim, verdicts, all_of((supports, borne[meeting.claim])))
            for meeting, cited_claim in found
        ]
    meetings = sorted(
        (one for weighed in by_target.values() for one in weighed),
        key=lambda one: (one.meeting.claim, one.meeting.cited.ordinal),
    )
    targets = tuple(_weigh_target(cited, by_target, reading) for cited in reading.targets)
    return Weighed(tuple(meetings), targets)


_ORDER: tuple[Standing, ...] = ("contradicted", "incorrect", "unjudged", "correct")
"""The worst that is known about any of its claims decides."""


def _weigh_target(
    cited: CitedTarget, by_target: dict[int, list[WeighedMeeting]], reading: Reading
) -> WeighedTarget:
    status = cited.evidence.status
    if status in UNKNOWABLE:
        return WeighedTarget(cited, "unjudged", UNKNOWABLE[status])
    if status != "found":
        return WeighedTarget(cited, "broken", cited.evidence.reason, score=0.0)
    worst = None
    if cited.ordinal in by_target:
        worst = min(by_target[cited.ordinal], key=lambda one: _ORDER.index(one.standing))
    misquoted = reading.misquoted.get(cited.ordinal)
    if misquoted is not None and (worst is None or worst.standing != "contradicted"):
        claim, outcome = (None, "") if worst is None else (worst.meeting.claim, worst.verdict.outcome)
        return WeighedTarget(cited, "misquoted", misquoted, claim, 0.0, outcome)
    if worst is None:
        return WeighedTarget(cited, "behind_no_claim", "the citation supports no claim")
    score = None if worst.standing == "unjudged" else worst.verdict.score
    return WeighedTarget(
        cited, worst.standing, worst.reason, worst.meeting.claim, score, worst.verdict.outcome
    )


def _weigh_meeting(
    meeting: Meeting, cited_claim: CitedClaim, verdicts: Verdicts, shared: Truth
) -> WeighedMeeting:
    """`shared` says whether the target supports any of its claims while something else supports this one."""
    verdict = verdict_alone(meeting, verdicts)
    correct = _supports(meeting, cited_claim, verdicts, shared)
    if correct is None:
        reason = _missing(meeting, cited_claim, verdicts).reason
        return WeighedMeeting(meeting, verdict, "unjudged", reason)
    if correct:
        return WeighedMeeting(meeting, verdict, "correct", verdict.reason)
    # A doubt too small to be told is too small to be called a contradiction.
    denied = verdict.outcome == "contradicted" and not verdict.doubtful
    standing: Standing = "contradicted" if denied else "incorrect"
    return WeighedMeeting(meeting, verdict, standing, verdict.reason)


def _supports(meeting: Meeting, cited_claim: CitedClaim, verdicts: Verdicts, shared: Truth = False) -> Truth:
    """Whether a target supports a claim: alone, as a part that the others cannot do without, or shared."""
    verdict = verdict_alone(meeting, verdicts)
    return correct_for_claim(
        is_outcome(verdict, "supported"),
        is_outcome(verdict, "contradicted"),
        any_of((_is_part(meeting, cited_claim, verdicts), shared)),
    )


def needs_others(meeting: Meeting, cited_claim: CitedClaim, verdicts: Verdicts) -> bool:
    """Whether it matters what the claim's other targets say without this one."""
    if meeting.value is not None or cited_claim.together is None:
        return False
    alone, together = verdict_alone(meeting, verdicts), said(cited_claim.together, verdicts)
    return alone.outcome == "not_enough" and together.outcome in ("supported", "unjudged")


def _is_part(meeting: Meeting, cited_claim: CitedClaim, verdicts: Verdicts) -> Truth:
    if meeting.value is not None or cited_claim.together is None:
        return False
    together = said(cited_claim.together, verdicts)
    if is_outcome(together, "supported") is False:
        return False
    others = said(cited_claim.without(meeting), verdicts)
    return needed_part(is_outcome(together, "supported"), _suffice(others, together))


def _suffice(others: Verdict, together: Verdict) -> Truth:
    """Whether the others support a claim without a target about as well as with it."""
    if others.outcome != "supported":
        return is_outcome(others, "supported")
    if together.outcome == "unjudged":
        # Nothing scores above 1: what is as good as that already cannot be added to.
        return True if (others.score or 0.0) >= 1.0 - ADDS else None
    return (others.score or 0.0) >= (together.score or 0.0) - ADDS


def _is_borne(cited_claim: CitedClaim, verdicts: Verdicts) -> Truth:
    """Whether anything that is cited for a claim supports it, alone or all together."""
    alone = (verdict_alone(meeting, verdicts) for meeting in cited_claim.meetings)
    together = () if cited_claim.together is None else (said(cited_claim.together, verdicts),)
    return any_of(is_outcome(verdict, "supported") for verdict in (*alone, *together))


def _missing(meeting: Meeting, cited_claim: CitedClaim, verdicts: Verdicts) -> Verdict:
    """The first verdict that is missing, the target's own before those of others."""
    others = (other.alone for other in cited_claim.meetings)
    asked = (cited_claim.without(meeting), cited_claim.together, *others)
    found = (verdict_alone(meeting, verdicts), *(said(pair, verdicts) for pair in asked if pair is not None))
    return next((verdict for verdict in found if verdict.outcome == "unjudged"), ELSEWHERE_MISSING)

"""What each citation is worth: the one decision, from which findings, metrics and reports follow.

A target supports its claim alone, or together with the others when those do not do as well without it.
Markers that close a paragraph share its sentences: each sentence needs one of them, and each of them a
sentence. A target is wrong that contradicts one of its claims, whatever else it supports, that is cited for
words that are not there, or that points nowhere. Where a verdict is missing that would decide, the
target is unjudged.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pincite.reading.reading import UNKNOWABLE, CitedClaim, CitedTarget, ClaimTarget, Reading
from pincite.reading.truth import Truth, all_of, any_of, correct_for_claim, is_outcome, needed_part
from pincite.reading.verdicts import Verdicts
from pincite.records import Pair, Standing, Verdict

ADDS = 0.1
"""How much a citation must add to what the others support, to be a part that they cannot do without."""

NOT_ASKED = Verdict("unjudged", None, "no judge was asked", cause="error")
ELSEWHERE_MISSING = Verdict("unjudged", None, "whether it supports another claim is not known", cause="error")

IN_NO_RATIO: tuple[Standing, ...] = ("unjudged", "behind_no_claim")


# --- what to ask, and what was answered ----------------------------------------------------------


def asked_alone(reading: Reading) -> list[Pair]:
    """Each claim with each of its targets; none where no judge is needed."""
    return [one.pair for cited in reading.cited_claims for one in cited.resolved if one.value is None]


def asked_together(reading: Reading) -> list[Pair]:
    """Each claim with all that is cited for it at once, or with the only thing that is."""
    pairs: list[Pair] = []
    for cited in reading.cited_claims:
        if cited.together is not None:
            pairs.append(cited.together)
        else:
            pairs += [one.pair for one in cited.resolved if one.value is None]
    return pairs


def asked_without(reading: Reading) -> list[Pair]:
    """Each claim with all that is cited for it but one, each time another."""
    pairs = (cited.without(one) for cited in reading.cited_claims for one in cited.resolved)
    return [pair for pair in pairs if pair is not None]


def verdict_on(pair: Pair | None, verdicts: Verdicts) -> Verdict:
    """The verdict on a pair; one that no judge was asked about is unjudged."""
    return NOT_ASKED if pair is None else verdicts.get(pair, NOT_ASKED)


def verdict_alone(target: ClaimTarget, verdicts: Verdicts) -> Verdict:
    """What one target alone says about the claim."""
    return target.value if target.value is not None else verdicts.get(target.pair, NOT_ASKED)


def needs_others(target: ClaimTarget, cited: CitedClaim, verdicts: Verdicts) -> bool:
    """Whether it matters what the claim's other targets say without this one."""
    if target.value is not None or cited.together is None:
        return False
    alone, together = verdict_alone(target, verdicts), verdict_on(cited.together, verdicts)
    return alone.outcome == "not_enough" and together.outcome in ("supported", "unjudged")


# --- what the answers decide ---------------------------------------------------------------------


class AssessedClaimTarget(Struct, frozen=True):
    """What a target is worth for one of its claims."""

    claim_target: ClaimTarget
    verdict: Verdict
    """What the judge said of the target alone."""
    standing: Standing
    reason: str


class AssessedClaim(Struct, frozen=True):
    """What was said of one claim and everything that is cited for it."""

    cited: CitedClaim
    alone: dict[int, Verdict]
    """Of each target that points somewhere, by its ordinal."""
    together: Verdict | None
    """Of all of them at once; None where nothing that is cited can be read.

    Citations too many to show at once say what the best of them says: support, or else what is missing, which
    might be support.
    """


class AssessedTarget(Struct, frozen=True):
    """What one target is worth: the worst that is known of it for any of its claims."""

    cited: CitedTarget
    document: str | None
    standing: Standing
    reason: str
    claim: int | None = None
    """The claim that decided."""
    score: float | None = None
    """How well that claim is supported; 0 for a target that points nowhere, None when unjudged."""
    outcome: str = ""
    """What the judge said of the target alone."""


class Assessment(Struct, frozen=True):
    """What the verdicts make of an answer's citations."""

    claims: tuple[AssessedClaim, ...]
    claim_targets: tuple[AssessedClaimTarget, ...]
    """In the order of the claims."""
    targets: tuple[AssessedTarget, ...]


def assess(reading: Reading, verdicts: Verdicts) -> Assessment:
    """Decide about every target of an answer, for each of its claims and as a whole."""
    claims = tuple(_assess_claim(cited, verdicts) for cited in reading.cited_claims)
    by_target: dict[int, list[tuple[ClaimTarget, AssessedClaim]]] = {}
    for claim in claims:
        for one in claim.cited.resolved:
            by_target.setdefault(one.cited.ordinal, []).append((one, claim))
    borne = [_is_borne(claim) for claim in claims]
    assessed: dict[int, list[AssessedClaimTarget]] = {}
    for ordinal, found in by_target.items():
        parts = [_is_part(one, claim, verdicts) for one, claim in found]
        supports = any_of(
            _supports(claim.alone[ordinal], part) for (_, claim), part in zip(found, parts, strict=True)
        )
        assessed[ordinal] = [
            _assess_claim_target(one, claim, part, all_of((supports, borne[one.claim])), verdicts)
            for (one, claim), part in zip(found, parts, strict=True)
        ]
    claim_targets = sorted(
        (one for of_target in assessed.values() for one in of_target),
        key=lambda one: (one.claim_target.claim, one.claim_target.cited.ordinal),
    )
    targets = tuple(
        _assess_target(cited, assessed.get(cited.ordinal, ()), reading) for cited in reading.targets
    )
    return Assessment(claims, tuple(claim_targets), targets)


def _assess_claim(cited: CitedClaim, verdicts: Verdicts) -> AssessedClaim:
    alone = {one.cited.ordinal: verdict_alone(one, verdicts) for one in cited.resolved}
    together = None if cited.together is None else verdict_on(cited.together, verdicts)
    if together is None and alone:
        together = max(
            alone.values(), key=lambda v: (v.outcome == "supported", v.outcome == "unjudged", v.score or 0.0)
        )
    return AssessedClaim(cited, alone, together)


_ORDER: tuple[Standing, ...] = ("contradicted", "incorrect", "unjudged", "correct")
"""The worst that is known about any of its claims decides."""


def _assess_target(
    cited: CitedTarget, of_claims: Sequence[AssessedClaimTarget], reading: Reading
) -> AssessedTarget:
    status = cited.evidence.status
    document = cited.evidence.document or getattr(cited.target, "document", None)
    if status in UNKNOWABLE:
        return AssessedTarget(cited, document, "unjudged", UNKNOWABLE[status])
    if status != "found":
        return AssessedTarget(cited, document, "broken", cited.evidence.reason, score=0.0)
    worst = min(of_claims, key=lambda one: _ORDER.index(one.standing), default=None)
    misquoted = reading.misquoted.get(cited.ordinal)
    if misquoted is not None and (worst is None or worst.standing != "contradicted"):
        claim, outcome = (None, "") if worst is None else (worst.claim_target.claim, worst.verdict.outcome)
        return AssessedTarget(cited, document, "misquoted", misquoted, claim, 0.0, outcome)
    if worst is None:
        return AssessedTarget(cited, document, "behind_no_claim", "the citation supports no claim")
    score = None if worst.standing == "unjudged" else worst.verdict.score
    outcome = worst.verdict.outcome
    claim = worst.claim_target.claim
    return AssessedTarget(cited, document, worst.standing, worst.reason, claim, score, outcome)


def _assess_claim_target(
    target: ClaimTarget, claim: AssessedClaim, part: Truth, shared: Truth, verdicts: Verdicts
) -> AssessedClaimTarget:
    """`shared` says whether the target supports any of its claims while something else supports this one."""
    verdict = claim.alone[target.cited.ordinal]
    correct = _supports(verdict, any_of((part, shared)))
    if correct is None:
        reason = _missing(target, claim, verdicts).reason
        return AssessedClaimTarget(target, verdict, "unjudged", reason)
    if correct:
        return AssessedClaimTarget(target, verdict, "correct", verdict.reason)
    # A doubt too small to be told is too small to be called a contradiction.
    denied = verdict.outcome == "contradicted" and not verdict.doubtful
    standing: Standing = "contradicted" if denied else "incorrect"
    return AssessedClaimTarget(target, verdict, standing, verdict.reason)


def _supports(alone: Verdict, as_part: Truth) -> Truth:
    """Whether a target supports a claim: alone, as a part that the others cannot do without, or shared."""
    supported, contradicted = is_outcome(alone, "supported"), is_outcome(alone, "contradicted")
    return correct_for_claim(supported, contradicted, as_part)


def _is_part(target: ClaimTarget, claim: AssessedClaim, verdicts: Verdicts) -> Truth:
    """Whether a target is a part of what supports a claim, which the others cannot do without."""
    cited, together = claim.cited, claim.together
    if target.value is not None or cited.together is None or together is None:
        return False
    if is_outcome(together, "supported") is False:
        return False
    others = verdict_on(cited.without(target), verdicts)
    return needed_part(is_outcome(together, "supported"), _suffice(others, together))


def _suffice(others: Verdict, together: Verdict) -> Truth:
    """Whether the others support a claim without a target about as well as with it."""
    if others.outcome != "supported":
        return is_outcome(others, "supported")
    if together.outcome == "unjudged":
        # Nothing scores above 1: what is as good as that already cannot be added to.
        return True if (others.score or 0.0) >= 1.0 - ADDS else None
    return (others.score or 0.0) >= (together.score or 0.0) - ADDS


def _is_borne(claim: AssessedClaim) -> Truth:
    """Whether anything that is cited for a claim supports it, alone or all together."""
    together = () if claim.together is None else (claim.together,)
    return any_of(is_outcome(verdict, "supported") for verdict in (*claim.alone.values(), *together))


def _missing(target: ClaimTarget, claim: AssessedClaim, verdicts: Verdicts) -> Verdict:
    """The first verdict that is missing, the target's own before those of others."""
    cited = claim.cited
    asked = (
        cited.without(target),
        cited.together,
        *(one.pair for one in cited.resolved if one.value is None),
    )
    found = (
        claim.alone[target.cited.ordinal],
        *(verdict_on(pair, verdicts) for pair in asked if pair is not None),
    )
    return next((verdict for verdict in found if verdict.outcome == "unjudged"), ELSEWHERE_MISSING)

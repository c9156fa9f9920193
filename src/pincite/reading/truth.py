"""What verdicts decide when some of them are missing: true, false, or unknown (None).

A unit is decided where every way to fill in what is missing would decide it alike, and unjudged otherwise.
The formulas are those of docs/metrics.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from pincite.records import Verdict

Truth = bool | None


def any_of(truths: Iterable[Truth]) -> Truth:
    unknown = False
    for truth in truths:
        if truth:
            return True
        unknown = unknown or truth is None
    return None if unknown else False


def all_of(truths: Iterable[Truth]) -> Truth:
    return opposite(any_of(opposite(truth) for truth in truths))


def opposite(truth: Truth) -> Truth:
    return None if truth is None else not truth


def is_outcome(verdict: Verdict, outcome: str) -> Truth:
    """Whether a verdict is `outcome`; unknown where there is none."""
    return None if verdict.outcome == "unjudged" else verdict.outcome == outcome


def needed_part(together: Truth, others_suffice: Truth) -> Truth:
    """Whether a citation is a part of what supports a claim, which the others cannot do without."""
    return all_of((together, opposite(others_suffice)))


def correct_for_claim(alone: Truth, contradicts: Truth, as_part: Truth) -> Truth:
    """Whether a citation is right for a claim: alone, or as a part and without speaking against it."""
    return any_of((alone, all_of((opposite(contradicts), as_part))))


def precise(alone: Truth, together: Truth, others: Truth) -> Truth:
    """ALCE: of an entailed statement, and not irrelevant; irrelevant is what others entail it without."""
    return all_of((together, any_of((alone, opposite(others)))))


def grounded(surely: Truth, stated: Truth, denied: Truth) -> Truth:
    """Whether documents state a claim: one surely does, or some do and none says otherwise."""
    return any_of((surely, all_of((stated, opposite(denied)))))


def grounded_by_clauses(every_clause: Truth, denied: Truth, whole: Truth) -> Truth:
    """Whether they do clause by clause, or as a whole while none of its clauses is denied."""
    return any_of((every_clause, all_of((opposite(denied), whole))))

"""Several verdicts on one pair made into one: by the most votes, or by the mean of the scores.

Who could not judge has no vote and is not counted as a low score; the reason still names them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from pincite.judges.judge import unjudged
from pincite.records import Outcome, Verdict

EVEN = 0.5
"""At and above this score a claim is supported."""
JUST_BELOW = 0.499999
LONGEST_REASON = 160


def is_vote(verdict: Verdict) -> bool:
    """Whether the verdict decides anything: an outcome, with a score that can be reckoned with."""
    score = verdict.score
    return verdict.outcome != "unjudged" and score is not None and 0.0 <= score <= 1.0


def by_majority(verdicts: Sequence[Verdict], panel: str) -> Verdict:
    """The outcome with the most votes. The score is the mean of all votes, on the outcome's side of one half.

    A tie is broken by the mean score. Where that leaves `contradicted` and `not_enough`, it is the lesser
    charge: `not_enough`.
    """
    votes = [verdict for verdict in verdicts if is_vote(verdict)]
    if not votes:
        return _undecided(verdicts, panel, "majority")
    counts = Counter(vote.outcome for vote in votes)
    most = max(counts.values())
    leading = [outcome for outcome, count in counts.items() if count == most]
    mean = mean_score(votes)
    if len(leading) == 1:
        outcome = leading[0]
        how = f"majority {most} of {len(votes)}"
    else:
        outcome = _break_tie(leading, mean)
        how = f"tie of {most} to {most}, mean {mean:.2f}"
    score = max(mean, EVEN) if outcome == "supported" else min(mean, JUST_BELOW)
    return _decided(outcome, score, verdicts, panel, how)


def by_mean(verdicts: Sequence[Verdict], panel: str) -> Verdict:
    """Supported from a mean score of one half on; below it, contradicted when most who object say so."""
    votes = [verdict for verdict in verdicts if is_vote(verdict)]
    if not votes:
        return _undecided(verdicts, panel, "mean")
    mean = mean_score(votes)
    against = [vote for vote in votes if vote.outcome != "supported"]
    contradicting = sum(vote.outcome == "contradicted" for vote in against)
    outcome: Outcome = "not_enough"
    if mean >= EVEN:
        outcome = "supported"
    elif 2 * contradicting > len(against):
        outcome = "contradicted"
    return _decided(outcome, mean, verdicts, panel, f"mean of {len(votes)}")


def mean_score(votes: Sequence[Verdict]) -> float:
    # Rounded before it is compared, so that the outcome fits the score that is shown.
    return round(math.fsum(vote.score or 0.0 for vote in votes) / len(votes), 6)


def what_was_said(verdict: Verdict) -> str:
    """One judge's verdict in a few words: `rules/1 contradicted 0.05`."""
    name = verdict.judge or "a judge without a name"
    if is_vote(verdict):
        return f"{name} {verdict.outcome} {verdict.score:.2f}"
    return f"{name} unjudged: {shortened(verdict.reason)}"


def shortened(reason: str) -> str:
    words = " ".join(reason.split())
    return words if len(words) <= LONGEST_REASON else words[: LONGEST_REASON - 1] + "…"


def _break_tie(leading: Sequence[Outcome], mean: float) -> Outcome:
    if "supported" in leading and mean >= EVEN:
        return "supported"
    return "not_enough" if "not_enough" in leading else "contradicted"


def _decided(outcome: Outcome, score: float, verdicts: Sequence[Verdict], panel: str, how: str) -> Verdict:
    """The verdict of the panel, with the evidence of the member that shows best why."""
    votes = [verdict for verdict in verdicts if is_vote(verdict)]
    agreeing = [vote for vote in votes if vote.outcome == outcome] or votes
    spokesman = max(agreeing, key=lambda vote: _speaks_for(vote, outcome))
    everybody = "; ".join(what_was_said(verdict) for verdict in verdicts)
    return msgspec.structs.replace(
        spokesman,
        outcome=outcome,
        score=score,
        reason=f"{spokesman.reason} [{how}: {everybody}]",
        sure=spokesman.sure if outcome == "supported" else _is_sure(agreeing, outcome, votes),
        doubtful=outcome != "supported" and 2 * sum(vote.doubtful for vote in agreeing) > len(agreeing),
        judge=panel,
    )


def _is_sure(agreeing: Sequence[Verdict], outcome: Outcome, votes: Sequence[Verdict]) -> bool:
    """Whether an objection may be called an error: most who raise it are sure, and most do not support."""
    against = sum(vote.outcome != "supported" for vote in votes)
    sure = sum(vote.sure and vote.outcome == outcome for vote in agreeing)
    return 2 * against > len(votes) and 2 * sure > len(agreeing)


def _speaks_for(vote: Verdict, outcome: Outcome) -> tuple[bool, bool, float]:
    """The one that names the words that decided, else the one that names a place, else the surest."""
    score = (vote.score or 0.0) * (1 if outcome == "supported" else -1)
    return vote.evidence_text is not None, vote.passage is not None, score


def _undecided(verdicts: Sequence[Verdict], panel: str, way: str) -> Verdict:
    causes = {verdict.cause for verdict in verdicts}
    everybody = "; ".join(what_was_said(verdict) for verdict in verdicts)
    cause = causes.pop() if len(causes) == 1 else "panel"
    return unjudged(f"no judge could decide it [{way}: {everybody}]", cause, panel)

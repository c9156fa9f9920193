"""From the odds of every stretch of evidence to one verdict."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from pincite.judges.nli.labels import Head, Odds
from pincite.judges.nli.windows import Window
from pincite.records import Outcome, Question, Span, Verdict

EVEN = 0.5
MOST_SENTENCES = 40
"""A window with more sentences is not narrowed to one of them."""


class Shown(Struct, frozen=True):
    """A stretch of evidence that the model was shown, and what it made of it."""

    window: Window
    odds: Odds | None


def unjudged(reason: str, cause: str, judge: str) -> Verdict:
    return Verdict("unjudged", None, reason, cause, judge=judge)


def decide(question: Question, shown: Sequence[Shown], head: Head, judge: str) -> Verdict:
    """The verdict that all stretches together give."""
    told = [(piece.window, piece.odds) for piece in shown if piece.odds is not None]
    if len(told) < len(shown) or not told:
        return unjudged("the model gave no usable numbers for this pair", "error", judge)
    against = max(told, key=lambda piece: piece[1].contradicted)
    if question == "consistency":
        return _consistency(against, judge)
    supporting = [piece for piece in told if _supports(piece[1], head)]
    best = max(supporting or told, key=lambda piece: piece[1].supported)
    score = best[1].supported
    if supporting:
        window = best[0]
        if window.passage is None:
            window = max(
                (piece for piece in told if piece[0].passage is not None),
                key=lambda piece: piece[1].supported,
            )[0]
            reason = f"the passages together entail the claim ({score:.2f} by the model)"
        else:
            reason = f"the passage entails the claim ({score:.2f} by the model)"
        return _verdict("supported", score, reason, window, judge)
    if head.sees_contradiction and _contradicts(against[1]):
        reason = f"the passage contradicts the claim ({against[1].contradicted:.2f} by the model)"
        return _verdict("contradicted", score, reason, against[0], judge)
    reason = f"nothing in the evidence entails the claim ({score:.2f} at best by the model)"
    return _verdict("not_enough", score, reason, best[0], judge)


def _supports(odds: Odds, head: Head) -> bool:
    if not head.sees_contradiction:
        return odds.supported >= EVEN
    return odds.supported >= max(odds.neutral, odds.contradicted)


def _contradicts(odds: Odds) -> bool:
    return odds.contradicted > max(odds.neutral, odds.supported)


def _consistency(against: tuple[Window, Odds], judge: str) -> Verdict:
    """Consistency asks only whether anything speaks against the claim: silence is consistent."""
    window, odds = against
    score = 1.0 - odds.contradicted
    if _contradicts(odds):
        reason = f"the passage contradicts the claim ({odds.contradicted:.2f} by the model)"
        return _verdict("contradicted", score, reason, window, judge)
    return Verdict(
        "supported",
        round(score, 4),
        "nothing in the passages contradicts the claim",
        "entailment",
        judge=judge,
    )


def _verdict(outcome: Outcome, score: float, reason: str, window: Window, judge: str) -> Verdict:
    span = None if window.passage is None else window.span
    return Verdict(outcome, round(score, 4), reason, "entailment", window.passage, span, judge=judge)


def sentences_to_try(verdict: Verdict, shown: Sequence[Shown]) -> tuple[Span, ...]:
    """The sentences of the decisive stretch, when there are several to choose from."""
    if verdict.outcome not in ("supported", "contradicted") or verdict.span is None:
        return ()
    for piece in shown:
        if piece.window.passage == verdict.passage and piece.window.span == verdict.span:
            sentences = piece.window.sentences
            return sentences if 1 < len(sentences) <= MOST_SENTENCES else ()
    return ()


def narrow(verdict: Verdict, sentences: Sequence[Shown]) -> Verdict:
    """The verdict resting on its most telling sentence, when that alone decides as the whole did."""
    told = [(piece.window.span, piece.odds) for piece in sentences if piece.odds is not None]
    if not told:
        return verdict
    if verdict.outcome == "supported":
        span, odds = max(told, key=lambda piece: piece[1].supported)
        decides = odds.supported >= EVEN
    else:
        span, odds = max(told, key=lambda piece: piece[1].contradicted)
        decides = odds.contradicted >= EVEN
    return msgspec.structs.replace(verdict, span=span) if decides else verdict

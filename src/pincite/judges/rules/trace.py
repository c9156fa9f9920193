"""What the rules saw in a pair, in words and numbers, for somebody who wants to know why."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.reasons import explain_number, one_line
from pincite.judges.rules.signals import Signals
from pincite.judges.rules.words import is_name
from pincite.records import Stage

_SHOWN = 12
_SAID = {"inside": "they agree", "apart": "they exclude each other", "overlap": "they may agree"}


def rule_stages(signals: Signals, score: float, alarm: float, points: tuple[float, float]) -> list[Stage]:
    """The rules' own numbers: words found, the score, and how strongly they speak against the claim."""
    coverage = signals.coverage
    warn, error = points
    return [
        Stage("rules, words found in the best sentence", round(coverage.best, 4)),
        Stage("rules, words found in all that was shown", round(coverage.whole, 4)),
        Stage("rules, score", round(score, 4), "supported from 0.5"),
        Stage("rules, alarm", round(alarm, 2), f"a warning from {warn:g}, an error from {error:g}"),
    ]


def observations(signals: Signals) -> tuple[str, ...]:
    """Numbers compared, words and names missing, negations, opposites and doubts."""
    return tuple(dict.fromkeys(_observed(signals)))


def _observed(signals: Signals) -> Iterator[str]:
    if signals.verbatim:
        yield "the claim appears in the source word for word"
    for answer in signals.answers[:_SHOWN]:
        yield f"number: {_compared(answer)}"
    names = [word.term.text for word in signals.coverage.missing if is_name(word.term, word.term.start == 0)]
    words = [word.term.text for word in signals.coverage.missing if not word.number]
    if names:
        yield "names missing from the source: " + ", ".join(names[:_SHOWN])
    others = [word for word in words if word not in names]
    if others:
        yield "words missing from the source: " + ", ".join(others[:_SHOWN])
    for flip in signals.flips:
        yield f"{flip.cause}: {one_line(flip.reason)}"
    for doubt in signals.doubts:
        yield f"doubt: {one_line(doubt.reason)}"
    if signals.agreements:
        yield "negation: the same on both sides"
    elif signals.negated:
        yield "negation: in the claim"
    if signals.hedged:
        yield "hedge: the source is less certain than the claim"


def _compared(answer: Answer) -> str:
    if answer.source is None:
        return f"{one_line(answer.claim.text)} in the claim, which nothing in the source answers to"
    said = _SAID.get(answer.status, "they are not of one kind")
    return f"{explain_number(answer)}: {said} (fit {answer.fit:.2f})"

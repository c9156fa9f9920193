"""Sentences for a person: what the rules saw."""

from __future__ import annotations

from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.signals import Signals

_SHOWN = 4


def explain_number(answer: Answer) -> str:
    """`12% in the claim, 21% in the source`."""
    there = answer.source.text if answer.source else "nothing like it"
    return f"{one_line(answer.claim.text)} in the claim, {one_line(there)} in the source"


def explain_support(signals: Signals) -> str:
    """How many of the claim's words and numbers were found."""
    words = [word for word in signals.words if not word.number]
    missing = sum(not word.number for word in signals.coverage.missing)
    parts = [f"{len(words) - missing} of {len(words)} key words found"] if words else []
    numbers = [answer for answer in signals.answers if answer.status == "inside" and answer.source]
    if numbers:
        found = ", ".join(one_line(answer.source.text) for answer in numbers[:_SHOWN] if answer.source)
        parts.append(f"{found} in the source")
    return "; ".join(parts) or "the same words appear in the source"


def explain_missing(signals: Signals) -> str:
    """What the source does not say, what keeps it from supporting the claim first."""
    doubts = list(dict.fromkeys(doubt.reason for doubt in signals.doubts))[:_SHOWN]
    missing = [word.term.text for word in signals.coverage.missing if not word.number and word.weight > 0.4]
    named = " ".join(doubts)
    unanswered = [one_line(a.claim.text) for a in signals.answers if a.status == "unrelated"]
    unanswered = [text for text in unanswered if text not in named]
    parts = doubts
    if missing and not doubts:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        parts.append("the source does not mention " + ", ".join(missing[:_SHOWN]) + more)
    if unanswered:
        parts.append("nothing in the source answers to " + ", ".join(unanswered[:_SHOWN]))
    apart = [answer for answer in signals.answers if answer.differs and answer.source]
    if apart and not unanswered:
        parts.append(f"perhaps {explain_number(apart[0])}")
    return "; ".join(parts) or "the words are in the source, but not together"


def one_line(text: str) -> str:
    return " ".join(text.split())

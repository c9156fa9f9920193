"""What the rules observe in a pair as a whole, as numbers that are joined with the model's opinion."""

from __future__ import annotations

from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.observation import Observed
from pincite.text.wordlists import word_set

AGAINST = ("negation", "antonym", "quantifier")
"""The causes of what speaks against a claim that have a feature of their own; the rest share one."""
_SPEAKERS = word_set("i i'm i've i'd me my mine you you're your we we're our us")
"""Somebody who chats: what is said of the speaker stands in no source."""

Features = dict[str, float]
"""Each by the name of what was observed, most of them between 0 and 1. The weights of the join go by it."""


def rule_features(observed: Observed) -> Features:
    """What was observed, by name."""
    view = observed.view
    numbers = [answer for answer in view.answers if answer.claim.kind != "ordinal"]
    apart = [answer.fit for answer in view.answers if answer.status == "apart" and not answer.explained]
    unanswered = [answer for answer in numbers if answer.status in ("unrelated", "overlap")]
    dates = [answer for answer in unanswered if answer.claim.kind in ("date", "day")]
    against = [found.cause for found in observed.of("against")]
    doubts = [found.cause for found in observed.of("doubt")]
    total = sum(word.weight for word in view.words) or 1.0
    said = sum(term.text.lower() in _SPEAKERS for term in view.claim.terms)
    return {
        "coverage: best": view.coverage.best,
        "number: agrees": float(any(answer.status == "inside" for answer in numbers)),
        "number: differs": float(bool(observed.of("number"))),
        "number: may differ": min(1.0, max(apart, default=0.0) / 2),
        "number: open": float(len(unanswered) > len(dates)),
        "date: open": float(bool(dates)),
        **{f"against: {cause}": float(cause in against) for cause in AGAINST},
        "against: other": float(any(cause not in AGAINST for cause in against)),
        "doubt: number": float(any(cause in VALUES for cause in doubts)),
        "doubt: other": float(any(cause not in VALUES for cause in doubts)),
        "note: same negation": float(observed.notes("same negation")),
        "note: claim denies": float(observed.notes("claim denies")),
        "note: source hedges": float(observed.notes("source hedges")),
        "note: verbatim": float(view.verbatim),
        "claim: names": sum(word.weight for word in view.words if word.name) / total,
        "claim: numbers": sum(word.weight for word in view.words if word.number) / total,
        "claim: speaker": min(1.0, said / 2),
    }

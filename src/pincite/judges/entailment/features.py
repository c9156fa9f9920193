"""What the rules see in a pair as a whole, as numbers that are joined with the model's opinion."""

from __future__ import annotations

import math

from pincite.judges.rules.judge import is_sure, score_signals
from pincite.judges.rules.reading import Reading
from pincite.judges.rules.signals import Signals
from pincite.text.wordlists import word_set

FEATURES = (
    "best",
    "joint",
    "whole",
    "nothing missing",
    "missing names",
    "missing words",
    "number inside",
    "number surely apart",
    "number perhaps apart",
    "number open",
    "date open",
    "flip: negation",
    "flip: opposite",
    "flip: quantifier",
    "flip: name",
    "doubt: number",
    "doubt: other",
    "negations agree",
    "claim denies",
    "source hedges",
    "verbatim",
    "claim length",
    "evidence length",
    "rule score",
    "plain coverage",
    "best of plain",
    "names",
    "numbers",
    "speaks of itself",
)
"""In this order. The weights of the join depend on it."""


def rule_features(claim: Reading, passages: list[Reading], signals: Signals) -> list[float]:
    """One number a feature, most of them between 0 and 1."""
    coverage = signals.coverage
    numbers = [answer for answer in signals.answers if answer.claim.kind != "ordinal"]
    apart = [answer for answer in signals.answers if answer.status == "apart"]
    sure = [answer for answer in apart if is_sure(answer, signals)]
    unanswered = [answer for answer in numbers if answer.status in ("unrelated", "overlap")]
    dates = [answer for answer in unanswered if answer.claim.kind in ("date", "day")]
    causes = [flip.cause for flip in signals.flips]
    total = sum(word.weight for word in signals.words) or 1.0
    missing = [word for word in coverage.missing if not word.number]
    known = {"negation", "antonym", "quantifier"}
    score = score_signals(signals)
    wanted = {term.stem for term in claim.terms if not term.stop}
    held = frozenset().union(*(reading.stems for reading in passages)) if passages else frozenset()
    one = max((len(wanted & sentence.stems) for sentence in coverage.sentences[:3]), default=0)
    words = sum(len(reading.terms) for reading in passages)
    return [
        coverage.best,
        coverage.joint,
        coverage.whole,
        float(not missing),
        min(1.0, sum(word.name for word in missing) / 2),
        min(1.0, sum(word.weight for word in missing) / total),
        float(any(answer.status == "inside" for answer in numbers)),
        float(bool(sure)),
        min(1.0, max((answer.fit for answer in apart if not answer.explained), default=0.0) / 2),
        float(len(unanswered) > len(dates)),
        float(bool(dates)),
        float("negation" in causes),
        float("antonym" in causes),
        float("quantifier" in causes),
        float(any(cause not in known for cause in causes)),
        float(any(doubt.cause in ("number", "date", "unit") for doubt in signals.doubts)),
        float(any(doubt.cause not in ("number", "date", "unit") for doubt in signals.doubts)),
        float(signals.agreements > 0),
        float(signals.negated),
        float(signals.hedged),
        float(signals.verbatim),
        math.log1p(len(claim.terms)) / 5,
        math.log1p(words) / 8,
        math.log(max(1e-4, score) / max(1e-4, 1 - score)) / 5,
        len(wanted & held) / max(1, len(wanted)),
        one / max(1, len(wanted)),
        sum(word.weight for word in signals.words if word.name) / total,
        sum(word.weight for word in signals.words if word.number) / total,
        min(1.0, sum(term.text.lower() in _SPEAKERS for term in claim.terms) / 2),
    ]


_SPEAKERS = word_set("i i'm i've i'd me my mine you you're your we we're our us")
"""Somebody who chats: what is said of the speaker stands in no source."""

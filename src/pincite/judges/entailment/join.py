"""One decision: the model's opinion and what the rules see, as one probability and what follows from it.

A logistic function of both, since a changed digit counts even where the model misses it. Its weights stand in
`weights/join.json`; `training/join.py` fitted them, and chose the two points below which a claim is warned
about and called an error.
"""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.entailment.model import Opinion
from pincite.judges.rules.breaks import only_stops
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.judge import ERROR, named_alarm
from pincite.judges.rules.observation import Observed
from pincite.judges.rules.reading import ReadText
from pincite.records import Outcome
from pincite.text import word_set

EVEN = 0.5
DENIED = -1.0
"""Log-odds of support below which the model does not merely hesitate."""
VERBATIM = 0.99
"""What a claim gets at least that stands in the source word for word."""
_SPEAKERS = word_set("i i'm i've i'd me my mine you you're your we we're our us")
"""Somebody who chats: what is said of the speaker stands in no source."""

Features = dict[str, float]
"""Each by the name of what was observed, most of them between 0 and 1. The weights of the join go by it."""


class Weight(Struct, frozen=True):
    """What one feature weighs, once it is standardised."""

    mean: float
    scale: float
    weight: float


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """The logistic function, and the two points of its probability."""

    bias: float
    weights: dict[str, Weight]
    sure: float
    """An unsupported claim is an error at and below this probability of support."""
    warn: float
    """Above this probability an unsupported claim is right so often that nobody is warned about it."""

    def support_of(self, values: Features) -> float:
        """The probability that the claim is supported."""
        total = self.bias
        for name, found in self.weights.items():
            # Far outside of what was seen in training, a straight line is only a guess.
            total += found.weight * max(-4.0, min(4.0, (values[name] - found.mean) / found.scale))
        return logistic(total)


class Decision(Struct, frozen=True):
    """What becomes of a claim, before it is put into words."""

    outcome: Outcome
    support: float
    sure: bool
    doubtful: bool
    """Not supported, but not surely enough to bother anybody."""


def decide(observed: Observed, opinion: Opinion, join: Join) -> Decision:
    """The one decision about a pair. Everything that is told of it follows from this."""
    support = join.support_of(features(observed, opinion))
    if observed.view.verbatim:
        support = max(support, VERBATIM)
    clash = bool(observed.of("number"))
    if clash:
        # Two numbers of the same thing that exclude each other: worth a warning whatever else agrees.
        support = min(support, join.warn)
    if support >= EVEN:
        return Decision("supported", support, sure=True, doubtful=False)
    if support > join.warn:
        return Decision("not_enough", support, sure=False, doubtful=True)
    # The rules make an error only where the model does not call the pair supported.
    sure = opinion.support < 0 and (support <= join.sure or named_alarm(observed) >= ERROR)
    denied = clash or bool(observed.of("against")) or (opinion.denial >= 0 and not _only_stops(observed))
    return Decision("contradicted" if denied else "not_enough", support, sure=sure, doubtful=False)


def _only_stops(observed: Observed) -> bool:
    """Whether the best sentence merely breaks off before it says all of the claim."""
    view, best = observed.view, observed.view.best
    return best is not None and only_stops(view.claim, view.passages[best.passage], best.span)


def features(observed: Observed, opinion: Opinion) -> Features:
    """What is joined, by name: the model's opinion, and what the rules observe of numbers and denials."""
    view = observed.view
    numbers = [answer for answer in view.answers if answer.claim.kind != "ordinal"]
    apart = [answer.fit for answer in view.answers if answer.status == "apart" and not answer.explained]
    # Where the model finds something else wrong, a number that agrees is no comfort.
    agrees = opinion.support > DENIED and any(answer.status == "inside" for answer in numbers)
    against = [found.cause for found in observed.of("against")]
    said = sum(term.text.lower() in _SPEAKERS for term in view.claim.terms)
    return {
        "model: support": opinion.support / 3,
        "number: agrees": float(agrees),
        "number: may differ": min(1.0, max(apart, default=0.0) / 2),
        "number: doubted": float(any(found.cause in VALUES for found in observed.of("doubt"))),
        "against: negation": float("negation" in against),
        "against: quantifier": float("quantifier" in against),
        "claim: speaker": min(1.0, said / 2),
    }


def load_join(path: Path) -> Join:
    """The join of the shipped model, refused when it was made for other features."""
    try:
        join = msgspec.json.decode(path.read_bytes(), type=Join)
        if join.weights.keys() <= features(observe(ReadText(""), []), Opinion(0.0, 0.0)).keys():
            return join
    except msgspec.ValidationError:
        pass
    raise JudgeError(f"{path} was made for another version of pincite; reinstall it, or use `--judge rules`")


def logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))

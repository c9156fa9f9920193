"""The model's opinion and what the rules see, joined into one calibrated probability.

A logistic function of both: a changed digit counts even where the model misses it, and a paraphrase passes
even where no word is shared. The weights stand in `weights/join.json`; `training/join.py` fitted them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.observation import Observed
from pincite.judges.rules.reading import ReadText
from pincite.text.wordlists import word_set

Features = dict[str, float]
"""Each by the name of what was observed, most of them between 0 and 1. The weights of the join go by it."""


class Opinion(Struct, frozen=True):
    """What the model says of a pair or of one sentence: log-odds, and how alike the vectors are."""

    support: float
    denial: float
    alike: tuple[float, float, float]


class Weight(Struct, frozen=True):
    """What one feature weighs, once it is standardised."""

    mean: float
    scale: float
    weight: float


class Layer(Struct, frozen=True):
    """One logistic function: standardise, weigh, add."""

    bias: float
    weights: dict[str, Weight]
    """By the name of the feature; those that are not named weigh nothing."""

    def of(self, values: Features) -> float:
        total = self.bias
        for name, found in self.weights.items():
            # Far outside of what was seen in training, a straight line is only a guess.
            total += found.weight * max(-4.0, min(4.0, (values[name] - found.mean) / found.scale))
        return total


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """The two functions, what turns the first into a probability, and the point of being sure."""

    support: Layer
    denial: Layer
    likeness: float
    """What alike meanings weigh where words tell little."""
    slope: tuple[float, float, float]
    intercept: tuple[float, float, float]
    """The calibration, and how it changes with few shared words and with a general claim (`plainness`)."""
    sure: float
    """An unsupported claim is called so without a doubt at and below this probability of support."""
    warn: float = 0.5
    """Above this probability an unsupported claim is right so often that nobody is warned about it."""

    def support_of(self, values: Features) -> float:
        """The probability that the claim is supported."""
        found = self.support.of(values) + self.likeness * likeness(values)
        few, general = plainness(values)
        slope = self.slope[0] + self.slope[1] * few + self.slope[2] * general
        return logistic(
            slope * found + self.intercept[0] + self.intercept[1] * few + self.intercept[2] * general
        )

    def denial_of(self, values: Features) -> float:
        """The probability that a claim which is not supported is contradicted."""
        return logistic(self.denial.of(values))


FEW_WORDS, MOST_WORDS = 0.2, 0.8
"""Below the first share of shared words only meaning tells; above the second, words tell enough."""
GENERAL = 0.8
"""A claim of which names and numbers make up this share is about particulars, and those must be there."""


def plainness(values: Features) -> tuple[float, float]:
    """How few of its words a claim shares with the evidence, and how general it is, both from 0 to 1."""
    few = 1.0 - (values["coverage: best"] - FEW_WORDS) / (MOST_WORDS - FEW_WORDS)
    general = 1.0 - (values["claim: names"] + values["claim: numbers"]) / GENERAL
    return min(1.0, max(0.0, few)), max(0.0, general)


def likeness(values: Features) -> float:
    """How alike claim and evidence are in meaning, counted where a claim is general and shares few words.

    Facts about names and numbers are decided by those. A general statement can be borne out by a sentence
    that shares hardly a word with it, and there the encoder's own sense of meaning is the best guide.
    """
    if any(value for name, value in values.items() if name.startswith(("against: ", "doubt: "))):
        return 0.0
    few, general = plainness(values)
    meaning = values["model: meaning alike"] - 0.35
    words = values["model: words alike"] - 0.4
    return few * general * (0.8 * meaning + 0.2 * words)


def load_join(path: Path) -> Join:
    """The join of the shipped model, refused when it was made for other features."""
    try:
        join = msgspec.json.decode(path.read_bytes(), type=Join)
        nothing = Opinion(0.0, 0.0, (0.0, 0.0, 0.0))
        known = rule_features(observe(ReadText(""), [])) | model_features(nothing, [])
        if (join.support.weights.keys() | join.denial.weights.keys()) <= known.keys():
            return join
    except msgspec.ValidationError:
        pass
    raise JudgeError(f"{path} was made for another version of pincite; reinstall it, or use `--judge rules`")


# --- what is joined -----------------------------------------------------------------------------------

AGAINST = ("negation", "antonym", "quantifier")
"""The causes of what speaks against a claim that have a feature of their own; the rest share one."""
_SPEAKERS = word_set("i i'm i've i'd me my mine you you're your we we're our us")
"""Somebody who chats: what is said of the speaker stands in no source."""


def rule_features(observed: Observed) -> Features:
    """What the rules observe in a pair as a whole, by name."""
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


def opinion(logits: Sequence[float], alike: Sequence[float]) -> Opinion:
    """From the three logits: supported against the rest, and contradicted against not enough."""
    supported, contradicted, silent = (float(value) for value in logits)
    top = max(contradicted, silent)
    rest = top + math.log(math.exp(contradicted - top) + math.exp(silent - top))
    low, high, meaning = (float(value) for value in alike)
    return Opinion(supported - rest, contradicted - silent, (low, high, meaning))


def model_features(together: Opinion, alone: Sequence[Opinion]) -> Features:
    """What the model says of all chosen sentences together, and of the one that supports the claim most."""
    best = max(alone or (together,), key=lambda found: found.support)
    return {
        "model: support together": together.support / 3,
        "model: denial together": together.denial / 3,
        "model: support of the best": best.support / 3,
        "model: denial of the best": best.denial / 3,
        "model: words alike": together.alike[1],
        "model: meaning alike": max((found.alike[2] for found in alone), default=together.alike[2]),
    }


def logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))

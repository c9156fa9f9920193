"""The model's opinion and what the rules see, joined into one calibrated probability.

A logistic function of both: a changed digit counts even where the model sleeps, and a paraphrase passes even
where no word is shared. The weights stand in `weights/join.json`; `training/join.py` fitted them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.entailment.features import FEATURES

MODEL_FEATURES = (
    "support together",
    "denial together",
    "support of the best sentence",
    "denial of the best sentence",
    "words alike low",
    "words alike high",
    "meaning alike",
    "meaning of the best sentence alike",
)
"""What the model says of all chosen sentences together, and of the one that supports the claim most."""


class Opinion(Struct, frozen=True):
    """What the model says of a pair or of one sentence: log-odds, and how alike the vectors are."""

    support: float
    denial: float
    alike: tuple[float, float, float]


class Layer(Struct, frozen=True):
    """One logistic function: standardise, weigh, add."""

    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float

    def of(self, values: Sequence[float]) -> float:
        total = self.bias
        for value, mean, scale, weight in zip(values, self.mean, self.scale, self.weights, strict=True):
            # Far outside of what was seen in training, a straight line is only a guess.
            total += weight * max(-4.0, min(4.0, (value - mean) / scale))
        return total


class Join(Struct, frozen=True):
    """The two functions, what turns the first into a probability, and the point of being sure."""

    features: tuple[str, ...]
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

    def support_of(self, values: Sequence[float]) -> float:
        """The probability that the claim is supported."""
        found = self.support.of(values) + self.likeness * likeness(values)
        few, general = plainness(values)
        slope = self.slope[0] + self.slope[1] * few + self.slope[2] * general
        return _logistic(
            slope * found + self.intercept[0] + self.intercept[1] * few + self.intercept[2] * general
        )

    def denial_of(self, values: Sequence[float]) -> float:
        """The probability that a claim which is not supported is contradicted."""
        return _logistic(self.denial.of(values))


_PLACES = {name: place for place, name in enumerate(FEATURES + MODEL_FEATURES)}
_AGAINST = tuple(name for name in FEATURES if name.startswith(("flip: ", "doubt: ")))
FEW_WORDS, MOST_WORDS = 0.2, 0.8
"""Below the first share of shared words only meaning tells; above the second, words tell enough."""
GENERAL = 0.8
"""A claim of which names and numbers make up this share is about particulars, and those must be there."""


def plainness(values: Sequence[float]) -> tuple[float, float]:
    """How few of its words a claim shares with the evidence, and how general it is, both from 0 to 1."""
    few = 1.0 - (values[_PLACES["best"]] - FEW_WORDS) / (MOST_WORDS - FEW_WORDS)
    general = 1.0 - (values[_PLACES["names"]] + values[_PLACES["numbers"]]) / GENERAL
    return min(1.0, max(0.0, few)), max(0.0, general)


def likeness(values: Sequence[float]) -> float:
    """How alike claim and evidence are in meaning, counted where a claim is general and shares few words.

    Facts about names and numbers are decided by those. A general statement can be borne out by a sentence
    that shares hardly a word with it, and there the encoder's own sense of meaning is the best guide.
    """
    if any(values[_PLACES[name]] for name in _AGAINST):
        return 0.0
    few, general = plainness(values)
    meaning = values[_PLACES["meaning of the best sentence alike"]] - 0.35
    words = values[_PLACES["words alike high"]] - 0.4
    return few * general * (0.8 * meaning + 0.2 * words)


def load_join(path: Path) -> Join:
    """The join of the shipped model, refused when it was made for other features."""
    join = msgspec.json.decode(path.read_bytes(), type=Join)
    if join.features != FEATURES + MODEL_FEATURES:
        raise JudgeError(
            f"{path} was made for another version of pincite; reinstall it, or use `--judge rules`"
        )
    return join


def opinion(logits: Sequence[float], alike: Sequence[float]) -> Opinion:
    """From the three logits: supported against the rest, and contradicted against not enough."""
    supported, contradicted, silent = (float(value) for value in logits)
    top = max(contradicted, silent)
    rest = top + math.log(math.exp(contradicted - top) + math.exp(silent - top))
    low, high, meaning = (float(value) for value in alike)
    return Opinion(supported - rest, contradicted - silent, (low, high, meaning))


def model_features(together: Opinion, alone: Sequence[Opinion]) -> list[float]:
    """The model's part of the features; with one sentence, together and alone are the same."""
    best = max(alone or (together,), key=lambda found: found.support)
    meaning = max((found.alike[2] for found in alone), default=together.alike[2])
    return [
        together.support / 3,
        together.denial / 3,
        best.support / 3,
        best.denial / 3,
        *together.alike,
        meaning,
    ]


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))

"""One decision: the model's opinion and what the rules see, as one probability and what follows from it.

A logistic function of both, since a changed digit counts even where the model misses it. Its weights stand in
`weights/join.json`; `training/join.py` fitted them, and chose the two points below which a claim is warned
about and called an error.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from pincite.base import one_line
from pincite.errors import JudgeError
from pincite.judges.entailment.excerpt import Excerpt
from pincite.judges.entailment.model import Opinion
from pincite.judges.rules.detectors import VALUES, observe
from pincite.judges.rules.judge import ERROR, named_alarm
from pincite.judges.rules.reasons import explain_missing, explain_support
from pincite.judges.rules.texts import ReadText, Sentence, only_stops
from pincite.judges.rules.view import Observation, Observed
from pincite.records import Outcome, Span
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
    view, best = observed.view, observed.view.best
    # A sentence that merely breaks off before it says all of the claim denies nothing.
    stops = best is not None and only_stops(view.claim, view.passages[best.passage], best.span)
    denied = clash or bool(observed.of("against")) or (opinion.denial >= 0 and not stops)
    return Decision("contradicted" if denied else "not_enough", support, sure=sure, doubtful=False)


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


# --- the decision in words -------------------------------------------------------------------------


PassageSpan = tuple[int, Span]
"""A passage by its index, and where in it."""

MODEL = "model"
"""The cause of a verdict that no rule saw a reason for."""
NAMED_FIT = 0.8
"""A number that fits less well counts something else, whatever the model thinks of the claim."""
FEW_WORDS = 0.5
"""A supported claim that shares less than this of its words is told in other words."""
_QUOTED = 90


class Why(NamedTuple):
    """What a verdict says, and the sentence and the words that it rests on."""

    outcome: Outcome
    reason: str
    cause: str
    place: PassageSpan | None
    words: tuple[str | None, str | None] = (None, None)


def explain_decision(decision: Decision, observed: Observed, shown: Excerpt) -> Why:
    """The outcome with its reason and what it rests on; the rules may know of a better outcome."""
    if decision.outcome == "supported":
        return _supported(observed, shown)
    if decision.doubtful:
        return _open(observed)
    # What the model calls contradicted may rest on a number that the rules alone are not sure of.
    denied = decision.outcome == "contradicted"
    numbers = observed.of("number") or observed.of("close")
    against, doubts = observed.of("against"), observed.of("doubt")
    if not numbers and not against and denied:
        numbers = [found for found in observed.of("apart") if not _names_a_version(found)]
    if numbers and (numbers[0].kind != "apart" or numbers[0].weight >= NAMED_FIT):
        return _named("contradicted" if denied else "not_enough", numbers[0])
    if against:
        return _named("contradicted", against[0])
    if denied:
        # A number, date or unit that the rules doubt and the model takes to be wrong.
        perhaps = next((doubt for doubt in doubts if doubt.cause in VALUES), None)
        if perhaps is not None:
            # Where nothing in the source answers to a number, nothing there can contradict it.
            return _doubted("contradicted" if perhaps.words[1] else "not_enough", perhaps, observed)
        place = _place(observed.view.best)
        return Why("contradicted", "the source says otherwise" + _quoted(observed), MODEL, place)
    return _doubted("not_enough", doubts[0], observed) if doubts else _open(observed)


def _supported(observed: Observed, shown: Excerpt) -> Why:
    place = _place(observed.view.best)
    if observed.view.verbatim:
        return Why("supported", "the claim appears in the source word for word", "coverage", place)
    if place is None and shown.parts:
        place = (shown.parts[0].passage, shown.parts[0].span)
    if observed.view.coverage.best >= FEW_WORDS:
        return Why("supported", explain_support(observed), "coverage", place)
    return Why("supported", "the source says so in other words" + _quoted(observed), MODEL, place)


def _open(observed: Observed) -> Why:
    """Neither supported nor contradicted: what is missing, or that nothing is and it is still not said."""
    place = _place(observed.view.best)
    if observed.view.coverage.missing:
        return Why("not_enough", explain_missing(observed), "coverage", place)
    reason = "its words are in the source, but the source does not say this"
    return Why("not_enough", reason + _quoted(observed), MODEL, place)


def _doubted(outcome: Outcome, doubt: Observation, observed: Observed) -> Why:
    place = _place(doubt.sentence or observed.view.best)
    return Why(outcome, explain_missing(observed), doubt.cause, place, doubt.words)


def _named(outcome: Outcome, found: Observation) -> Why:
    """The verdict that rests on words which a rule can name."""
    return Why(outcome, found.reason, found.cause, _place(found.sentence), found.words)


def _names_a_version(found: Observation) -> bool:
    """Whether the claim's `4.2` is the `4.2.0` of the source: a name that counts nothing."""
    text = found.words[0]
    if found.sentence is None or not re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return False
    longer = rf"(?<![0-9.]){re.escape(text)}\.[0-9]"
    return re.search(longer, found.sentence.reading.text) is not None


def _place(sentence: Sentence | None) -> PassageSpan | None:
    return (sentence.passage, sentence.span) if sentence else None


def _quoted(observed: Observed) -> str:
    """The best sentence's own words, as many as fit in a line; nothing where none shares a word."""
    if observed.view.best is None:
        return ""
    text = one_line(observed.view.best.text[: 4 * _QUOTED])
    return f": “{text}”" if len(text) <= _QUOTED else f": “{text[:_QUOTED].rsplit(' ', 1)[0]} …”"

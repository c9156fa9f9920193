"""The built-in judge's verdict in words: the number, the negation or the sentence that decided."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.judges.entailment.join import Decision
from pincite.judges.entailment.shown import Shown
from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.observation import Observation, Observed, one_line
from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.reasons import explain_missing, explain_support
from pincite.records import Outcome, Span

Place = tuple[int, Span]
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
    place: Place | None
    words: tuple[str | None, str | None] = (None, None)


def explain(decision: Decision, observed: Observed, shown: Shown) -> Why:
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


def _supported(observed: Observed, shown: Shown) -> Why:
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


def _place(sentence: Sentence | None) -> Place | None:
    return (sentence.passage, sentence.span) if sentence else None


def _quoted(observed: Observed) -> str:
    """The best sentence's own words, as many as fit in a line; nothing where none shares a word."""
    if observed.view.best is None:
        return ""
    text = one_line(observed.view.best.text[: 4 * _QUOTED])
    return f": “{text}”" if len(text) <= _QUOTED else f": “{text[:_QUOTED].rsplit(' ', 1)[0]} …”"

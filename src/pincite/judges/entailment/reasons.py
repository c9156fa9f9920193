"""The built-in judge's verdict in words: the number, the negation or the sentence that decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pincite.judges.entailment.join import Opinion
from pincite.judges.entailment.pairs import ModelPair, Slice
from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.observation import Observation, Observed, one_line
from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.reasons import explain_missing, explain_support
from pincite.records import Outcome, Span

Alone = Sequence[tuple[Slice, Opinion]]
"""What the model says of each of the best sentences alone, where there are several."""
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


def explain(outcome: Outcome, sure: bool, observed: Observed, shown: ModelPair, alone: Alone) -> Why:
    """The outcome with its reason and what it rests on; the rules may know of a better outcome."""
    if outcome == "supported":
        return _supported(observed, shown, alone)
    # What the model calls contradicted may rest on a number that the rules alone are not sure of.
    numbers = observed.of("number") or observed.of("close")
    against, doubts = observed.of("against"), observed.of("doubt")
    if not numbers and not against and outcome == "contradicted":
        numbers = [found for found in observed.of("apart") if not _names_a_version(found)]
    if numbers:
        number = numbers[0]
        if number.kind != "apart" or number.weight >= NAMED_FIT:
            denied = outcome == "contradicted" or number.kind == "number"
            return _named("contradicted" if denied else "not_enough", number)
        outcome = "contradicted"
    if against:
        return _named("contradicted", against[0])
    if outcome == "contradicted":
        # A number, date or unit that the rules doubt and the model takes to be wrong.
        perhaps = next((doubt for doubt in doubts if doubt.cause in VALUES), None)
        if perhaps is not None:
            # Where nothing in the source answers to a number, nothing there can contradict it.
            return _doubted(outcome if perhaps.words[1] else "not_enough", perhaps, observed)
        if sure:
            # The model's own contradiction, for which no rule has the words.
            place = _bearing(observed, speaks_against(shown, alone))
            return Why(outcome, "the source says otherwise" + _quoted(observed, place), MODEL, place)
    if doubts:
        return _doubted("not_enough", doubts[0], observed)
    place = _bearing(observed, _where(shown, alone, lambda found: found.support))
    if observed.view.coverage.missing:
        return Why("not_enough", explain_missing(observed), "coverage", place)
    reason = "its words are in the source, but the source does not say this"
    return Why("not_enough", reason + _quoted(observed, place), MODEL, place)


def _supported(observed: Observed, shown: ModelPair, alone: Alone) -> Why:
    if observed.view.verbatim:
        reason = "the claim appears in the source word for word"
        return Why("supported", reason, "coverage", _place(observed.view.best))
    place = _where(shown, alone, lambda found: found.support)
    if observed.view.coverage.best >= FEW_WORDS:
        return Why("supported", explain_support(observed), "coverage", place)
    reason = "the source says so in other words" + _quoted(observed, place)
    return Why("supported", reason, MODEL, place)


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


def speaks_against(shown: ModelPair, alone: Alone) -> Place | None:
    """The sentence that the model finds most against the claim: its passage, and where it stands there."""
    return _where(shown, alone, lambda found: found.denial - found.support)


def _where(shown: ModelPair, alone: Alone, worth: Callable[[Opinion], float]) -> Place | None:
    """The sentence for which the model's opinion is worth most."""
    if not shown.evidence:
        return None
    part = max(alone, key=lambda found: worth(found[1]))[0] if alone else shown.evidence[0]
    return (part.passage, part.span) if part.span is not None else None


def _bearing(observed: Observed, place: Place | None) -> Place | None:
    """The place, if it shares a word with the claim: a sentence that does not is no reason for anybody."""
    known = any(place == _place(sentence) for sentence in observed.view.sentences)
    return place if known else _place(observed.view.best)


def _place(sentence: Sentence | None) -> Place | None:
    return (sentence.passage, sentence.span) if sentence else None


def _quoted(observed: Observed, place: Place | None) -> str:
    """The sentence's own words, as many as fit in a line; nothing where it shares no word with the claim."""
    found = next((sentence for sentence in observed.view.sentences if place == _place(sentence)), None)
    if found is None:
        return ""
    text = one_line(found.text[: 4 * _QUOTED])
    return f": “{text}”" if len(text) <= _QUOTED else f": “{text[:_QUOTED].rsplit(' ', 1)[0]} …”"

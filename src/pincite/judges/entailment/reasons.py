"""The built-in judge's verdict in words: the number, the negation or the sentence that decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pincite.judges.entailment.join import Opinion
from pincite.judges.entailment.pairs import ModelPair, Slice
from pincite.judges.rules.detectors.numbers import VALUES
from pincite.judges.rules.observation import Observation, Observed, one_line
from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.reasons import explain_missing, explain_support
from pincite.records import Span, Verdict

Alone = Sequence[tuple[Slice, Opinion]]
"""What the model says of each of the best sentences alone."""

MODEL = "model"
"""The cause of a verdict that no rule saw a reason for."""
NAMED_FIT = 0.8
"""A number that fits less well counts something else, whatever the model thinks of the claim."""
FEW_WORDS = 0.5
"""A supported claim that shares less than this of its words is told in other words."""
_QUOTED = 90


def explain(
    outcome: str,
    score: float,
    sure: bool,
    observed: Observed,
    shown: ModelPair,
    alone: Alone,
    judge: str,
) -> Verdict:
    """The verdict with its reason and the span that it rests on."""
    if outcome == "supported":
        reason, cause, place = _why_supported(observed, shown, alone)
        return _told(outcome, score, True, reason, cause, place, judge)
    # What the model calls contradicted may rest on a number that the rules alone are not sure of.
    numbers = observed.of("number") or observed.of("close")
    against = observed.of("against")
    if not numbers and not against and outcome == "contradicted":
        numbers = [found for found in observed.of("apart") if not _names_a_version(found)]
    if numbers:
        number = numbers[0]
        if number.kind != "apart" or number.weight >= NAMED_FIT:
            said = "contradicted" if outcome == "contradicted" or number.kind == "number" else "not_enough"
            return _named(said, number, score, sure, judge)
        outcome = "contradicted"
    if against:
        return _named("contradicted", against[0], score, sure, judge)
    if outcome == "contradicted":
        # A number, date or unit that the rules doubt and the model takes to be wrong.
        perhaps = next((doubt for doubt in observed.of("doubt") if doubt.cause in VALUES), None)
        if perhaps is not None:
            # Where nothing in the source answers to a number, nothing there can contradict it.
            known = outcome if perhaps.words[1] else "not_enough"
            return _doubted(known, perhaps, score, sure, observed, judge)
        if sure:
            return _otherwise(outcome, score, sure, observed, shown, alone, judge)
    return _not_enough(score, sure, observed, shown, alone, judge)


def _why_supported(
    observed: Observed, shown: ModelPair, alone: Alone
) -> tuple[str, str, tuple[int, Span] | None]:
    if observed.view.verbatim:
        return "the claim appears in the source word for word", "coverage", _sentence(observed)
    place = _where(shown, alone, lambda found: found.support)
    if observed.view.coverage.best >= FEW_WORDS:
        return explain_support(observed), "coverage", place
    return "the source says so in other words" + _quoted_after(": ", observed, place), MODEL, place


def _otherwise(
    outcome: str, score: float, sure: bool, observed: Observed, shown: ModelPair, alone: Alone, judge: str
) -> Verdict:
    """The model's own contradiction, for which no rule has the words."""
    place = _bearing(observed, speaks_against(shown, alone)) or _sentence(observed)
    reason = "the source says otherwise" + _quoted_after(": ", observed, place)
    return _told(outcome, score, sure, reason, MODEL, place, judge)


def _not_enough(
    score: float, sure: bool, observed: Observed, shown: ModelPair, alone: Alone, judge: str
) -> Verdict:
    doubts = observed.of("doubt")
    if doubts:
        return _doubted("not_enough", doubts[0], score, sure, observed, judge)
    place = _bearing(observed, _where(shown, alone, lambda found: found.support)) or _sentence(observed)
    if observed.view.coverage.missing:
        return _told("not_enough", score, sure, explain_missing(observed), "coverage", place, judge)
    reason = "its words are in the source, but the source does not say this" + _quoted_after(
        ": ", observed, place
    )
    return _told("not_enough", score, sure, reason, MODEL, place, judge)


def _doubted(
    outcome: str, doubt: Observation, score: float, sure: bool, observed: Observed, judge: str
) -> Verdict:
    held = doubt.sentence
    place = (held.passage, held.span) if held else _sentence(observed)
    return _told(outcome, score, sure, explain_missing(observed), doubt.cause, place, judge, doubt.words)


def _named(outcome: str, found: Observation, score: float, sure: bool, judge: str) -> Verdict:
    """The verdict that rests on words which a rule can name."""
    place = (found.sentence.passage, found.sentence.span) if found.sentence else None
    return _told(outcome, score, sure, found.reason, found.cause, place, judge, found.words)


def _names_a_version(found: Observation) -> bool:
    """Whether the claim's `4.2` is the `4.2.0` of the source: a name that counts nothing."""
    text = found.words[0]
    if found.sentence is None or not re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return False
    longer = rf"(?<![0-9.]){re.escape(text)}\.[0-9]"
    return re.search(longer, found.sentence.reading.text) is not None


def speaks_against(shown: ModelPair, alone: Alone) -> tuple[int, Span] | None:
    """The sentence that the model finds most against the claim: its passage, and where it stands there."""
    return _where(shown, alone, lambda found: found.denial - found.support)


def _where(shown: ModelPair, alone: Alone, worth: Callable[[Opinion], float]) -> tuple[int, Span] | None:
    """The sentence for which the model's opinion is worth most."""
    if not shown.evidence:
        return None
    part = max(alone, key=lambda found: worth(found[1]))[0] if alone else shown.evidence[0]
    return (part.passage, part.span) if part.span is not None else None


def _bearing(observed: Observed, place: tuple[int, Span] | None) -> tuple[int, Span] | None:
    """The place, if it shares a word with the claim: a sentence that does not is no reason for anybody."""
    known = any(place == (sentence.passage, sentence.span) for sentence in observed.view.coverage.sentences)
    return place if known else None


def _sentence(observed: Observed) -> tuple[int, Span] | None:
    best = observed.view.coverage.sentences[0] if observed.view.coverage.sentences else None
    return (best.passage, best.span) if best else None


def _quoted_after(lead: str, observed: Observed, place: tuple[int, Span] | None) -> str:
    """The sentence's own words, as many as fit in a line; nothing where it shares no word with the claim."""
    found = next((s for s in observed.view.coverage.sentences if place == (s.passage, s.span)), None)
    if found is None:
        return ""
    return f"{lead}“{_shorten(found)}”"


def _shorten(sentence: Sentence) -> str:
    text = one_line(sentence.text[: 4 * _QUOTED])
    if len(text) <= _QUOTED:
        return text
    return text[:_QUOTED].rsplit(" ", 1)[0] + " …"


def _told(
    outcome: str,
    score: float,
    sure: bool,
    reason: str,
    cause: str,
    place: tuple[int, Span] | None,
    judge: str,
    words: tuple[str | None, str | None] = (None, None),
) -> Verdict:
    return Verdict(
        outcome,  # type: ignore[arg-type]
        round(score, 4),
        reason,
        cause,
        passage=place[0] if place else None,
        span=place[1] if place else None,
        claim_text=words[0],
        evidence_text=words[1],
        judge=judge,
        sure=sure,
    )

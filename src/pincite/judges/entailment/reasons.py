"""The built-in judge's verdict in words: the number, the negation or the sentence that decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pincite.judges.entailment.join import Opinion
from pincite.judges.entailment.pairs import ModelPair, Slice
from pincite.judges.rules.flips import Doubt, Flip
from pincite.judges.rules.judge import closest_difference, is_sure
from pincite.judges.rules.quantities import Answer
from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.reasons import explain_missing, explain_number, explain_support, one_line
from pincite.judges.rules.signals import Signals
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
    signals: Signals,
    shown: ModelPair,
    alone: Alone,
    judge: str,
) -> Verdict:
    """The verdict with its reason and the span that it rests on."""
    if outcome == "supported":
        reason, cause, place = _why_supported(signals, shown, alone)
        return _told(outcome, score, True, reason, cause, place, judge)
    flip = signals.flips[0] if signals.flips else None
    # What the model calls contradicted may rest on a number that the rules alone are not sure of.
    number = _number_against(signals) or closest_difference(signals)
    if number is None and outcome == "contradicted":
        number = _number_apart(signals)
    if number is not None and number.source is not None and number.sentence is not None:
        cause = "date" if number.claim.kind in {"date", "day", "clock"} else "number"
        place = (number.sentence.passage, number.sentence.span)
        words = (number.claim.text, number.source.text)
        if number.fit >= NAMED_FIT:
            said = "contradicted" if outcome == "contradicted" or is_sure(number, signals) else "not_enough"
            return _told(said, score, sure, explain_number(number), cause, place, judge, words)
        outcome = "contradicted"
    if flip is not None:
        return _flipped(flip, score, sure, judge)
    if outcome == "contradicted":
        perhaps = _doubted_value(signals)
        if perhaps is not None:
            # Where nothing in the source answers to a number, nothing there can contradict it.
            known = outcome if perhaps.evidence_text else "not_enough"
            return _doubted(known, perhaps, score, sure, signals, judge)
        if sure:
            return _otherwise(outcome, score, sure, signals, shown, alone, judge)
    return _not_enough(score, sure, signals, shown, alone, judge)


def _why_supported(
    signals: Signals, shown: ModelPair, alone: Alone
) -> tuple[str, str, tuple[int, Span] | None]:
    if signals.verbatim:
        return "the claim appears in the source word for word", "coverage", _sentence(signals)
    place = _where(shown, alone, lambda found: found.support)
    if signals.coverage.best >= FEW_WORDS:
        return explain_support(signals), "coverage", place
    return "the source says so in other words" + _quoted_after(": ", signals, place), MODEL, place


def _otherwise(
    outcome: str, score: float, sure: bool, signals: Signals, shown: ModelPair, alone: Alone, judge: str
) -> Verdict:
    """The model's own contradiction, for which no rule has the words."""
    place = _bearing(signals, speaks_against(shown, alone)) or _sentence(signals)
    reason = "the source says otherwise" + _quoted_after(": ", signals, place)
    return _told(outcome, score, sure, reason, MODEL, place, judge)


def _not_enough(
    score: float, sure: bool, signals: Signals, shown: ModelPair, alone: Alone, judge: str
) -> Verdict:
    if signals.doubts:
        return _doubted("not_enough", signals.doubts[0], score, sure, signals, judge)
    place = _bearing(signals, _where(shown, alone, lambda found: found.support)) or _sentence(signals)
    if signals.coverage.missing:
        return _told("not_enough", score, sure, explain_missing(signals), "coverage", place, judge)
    reason = "its words are in the source, but the source does not say this" + _quoted_after(
        ": ", signals, place
    )
    return _told("not_enough", score, sure, reason, MODEL, place, judge)


def _doubted(outcome: str, doubt: Doubt, score: float, sure: bool, signals: Signals, judge: str) -> Verdict:
    held = doubt.sentence
    place = (held.passage, held.span) if held else _sentence(signals)
    words = (doubt.claim_text, doubt.evidence_text)
    return _told(outcome, score, sure, explain_missing(signals), doubt.cause, place, judge, words)


def _doubted_value(signals: Signals) -> Doubt | None:
    """A number, date or unit that the rules doubt and the model takes to be wrong."""
    return next((doubt for doubt in signals.doubts if doubt.cause in ("number", "date", "unit")), None)


def _number_against(signals: Signals) -> Answer | None:
    found = [answer for answer in signals.answers if answer.status == "apart" and is_sure(answer, signals)]
    return max(found, key=lambda answer: answer.fit, default=None)


def _number_apart(signals: Signals) -> Answer | None:
    found = [answer for answer in signals.answers if answer.differs and not signals.flips]
    found = [answer for answer in found if not _names_a_version(answer)]
    return max(found, key=lambda answer: answer.fit, default=None)


def _names_a_version(answer: Answer) -> bool:
    """Whether the claim's `4.2` is the `4.2.0` of the source: a name that counts nothing."""
    text = answer.claim.text
    if answer.sentence is None or answer.claim.kind != "count" or not re.fullmatch(r"[0-9]+\.[0-9]+", text):
        return False
    longer = rf"(?<![0-9.]){re.escape(text)}\.[0-9]"
    return re.search(longer, answer.sentence.reading.text) is not None


def _flipped(flip: Flip, score: float, sure: bool, judge: str) -> Verdict:
    place = (flip.sentence.passage, flip.sentence.span)
    words = (flip.claim_text, flip.evidence_text)
    return _told("contradicted", score, sure, flip.reason, flip.cause, place, judge, words)


def speaks_against(shown: ModelPair, alone: Alone) -> tuple[int, Span] | None:
    """The sentence that the model finds most against the claim: its passage, and where it stands there."""
    return _where(shown, alone, lambda found: found.denial - found.support)


def _where(shown: ModelPair, alone: Alone, worth: Callable[[Opinion], float]) -> tuple[int, Span] | None:
    """The sentence for which the model's opinion is worth most."""
    if not shown.evidence:
        return None
    part = max(alone, key=lambda found: worth(found[1]))[0] if alone else shown.evidence[0]
    return (part.passage, part.span) if part.span is not None else None


def _bearing(signals: Signals, place: tuple[int, Span] | None) -> tuple[int, Span] | None:
    """The place, if it shares a word with the claim: a sentence that does not is no reason for anybody."""
    known = any(place == (sentence.passage, sentence.span) for sentence in signals.coverage.sentences)
    return place if known else None


def _sentence(signals: Signals) -> tuple[int, Span] | None:
    best = signals.coverage.sentences[0] if signals.coverage.sentences else None
    return (best.passage, best.span) if best else None


def _quoted_after(lead: str, signals: Signals, place: tuple[int, Span] | None) -> str:
    """The sentence's own words, as many as fit in a line; nothing where it shares no word with the claim."""
    found = next((s for s in signals.coverage.sentences if place == (s.passage, s.span)), None)
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

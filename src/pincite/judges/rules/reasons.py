"""What the rules saw, as sentences and numbers for a person."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.base import one_line
from pincite.judges.rules.detectors import explain_number
from pincite.judges.rules.quantities import NumberAnswer
from pincite.judges.rules.view import Observed
from pincite.judges.rules.words import is_name

_SHOWN = 4
_TRACED = 12
_SAID = {"inside": "they agree", "apart": "they exclude each other", "overlap": "they may agree"}


def explain_support(observed: Observed) -> str:
    """How many of the claim's words and numbers were found."""
    view = observed.view
    words = [word for word in view.words if not word.number]
    missing = sum(not word.number for word in view.coverage.missing)
    parts = [f"{len(words) - missing} of {len(words)} key words found"] if words else []
    numbers = [answer.source.text for answer in view.answers if answer.status == "inside" and answer.source]
    if numbers:
        parts.append(f"{', '.join(map(one_line, numbers[:_SHOWN]))} in the source")
    return "; ".join(parts) or "the same words appear in the source"


def explain_missing(observed: Observed) -> str:
    """What the source does not say, what keeps it from supporting the claim first."""
    view = observed.view
    doubts = list(dict.fromkeys(doubt.reason for doubt in observed.of("doubt")))[:_SHOWN]
    missing = [word.term.text for word in view.coverage.missing if not word.number and word.weight > 0.4]
    named = " ".join(doubts)
    unanswered = [one_line(a.claim.text) for a in view.answers if a.status == "unrelated"]
    unanswered = [text for text in unanswered if text not in named]
    parts = doubts
    if missing and not doubts:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        parts.append("the source does not mention " + ", ".join(missing[:_SHOWN]) + more)
    if unanswered:
        parts.append("nothing in the source answers to " + ", ".join(unanswered[:_SHOWN]))
    apart = [answer for answer in view.answers if answer.differs and answer.source]
    if apart and not unanswered:
        parts.append(f"perhaps {explain_number(apart[0])}")
    return "; ".join(parts) or "the words are in the source, but not together"


def list_observations(observed: Observed) -> tuple[str, ...]:
    """Numbers compared, words and names missing, negations, quantifiers and doubts."""
    return tuple(dict.fromkeys(_listed(observed)))


def _listed(observed: Observed) -> Iterator[str]:
    view = observed.view
    if view.verbatim:
        yield "the claim appears in the source word for word"
    for answer in view.answers[:_TRACED]:
        yield f"number: {_compared(answer)}"
    missing = view.coverage.missing
    names = [word.term.text for word in missing if is_name(word.term, word.term.start == 0)]
    others = [word.term.text for word in missing if not word.number and word.term.text not in names]
    if names:
        yield "names missing from the source: " + ", ".join(names[:_TRACED])
    if others:
        yield "words missing from the source: " + ", ".join(others[:_TRACED])
    for found in (*observed.of("against"), *observed.of("doubt")):
        yield f"{found.cause if found.kind == 'against' else 'doubt'}: {one_line(found.reason)}"
    if observed.notes("same negation"):
        yield "negation: the same on both sides"
    elif observed.notes("claim denies"):
        yield "negation: in the claim"
    if observed.notes("source hedges"):
        yield "hedge: the source is less certain than the claim"


def _compared(answer: NumberAnswer) -> str:
    if answer.source is None:
        return f"{one_line(answer.claim.text)} in the claim, which nothing in the source answers to"
    said = _SAID.get(answer.status, "they are not of one kind")
    return f"{explain_number(answer)}: {said} (fit {answer.fit:.2f})"

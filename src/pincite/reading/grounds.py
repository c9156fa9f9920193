"""Whether the sources state a claim: what it is held against as a whole, and what the verdicts decide.

The passages are chosen here, from all that is cited and from all sources in full; a judge is shown the best.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct

from pincite.reading.assessment import verdict_on
from pincite.reading.reading import CitedClaim, Reading, passages_of
from pincite.reading.truth import Truth, all_of, any_of, grounded, grounded_by_clauses, is_outcome, opposite
from pincite.reading.verdicts import Verdicts
from pincite.records import Pair, Passage, Verdict
from pincite.sources import best_passages, passages_together
from pincite.text import find_terms

MOST_PLACES = 6
"""Places in the sources that a judge is shown for a claim, in addition to what is cited for it."""
MOST_CITED = 12
"""Cited passages that a judge is shown at once for one claim."""
MOST_APART = 3
"""Documents that are also asked about one by one: parts of several may add up to what none of them says."""
SURE = 0.8
"""The score from which one document that states a claim outweighs another that denies it."""
NEARLY = 0.4
"""From this score on a judge is too undecided for a document's denial to count."""
BEARING = 0.5
"""A document's denial counts where it has this share of the claim's words that any document has."""
OPENINGS = 3
"""Sources whose beginning is shown where no source shares a word with the claim."""
_JOINT = re.compile(r"[,;]\s++(?:and|but|while|whereas)\s++|;\s++|(?<!\s)\s++(?:while|whereas)\s++")
_NAMED = re.compile(
    r"(?:[Tt]he\s+|[Aa]n?\s+)?"
    r"(?!(?:The|An?|It|He|She|They|We|I|You|This|That|These|Those|There|Its|His|Her|Their|In|On|At)\b)"
    r"[^\W\d_a-z]\w*"
)
LEAST_WORDS = 4


class Grounds(Struct, frozen=True):
    """The questions whether the sources state a claim."""

    value: Verdict | None = None
    """What a value in JSON or a table says about the claim that cites it: compared, and no judge asked."""
    whole: Pair | None = None
    """The best places of all sources; None where there are no sources, or a value decides."""
    apart: tuple[Pair, ...] = ()
    """Those of each document, where there are several."""
    clauses: tuple[tuple[Pair, ...], ...] = ()
    """Of each clause of the claim those of each document, where there are several of both."""

    def questions(self) -> list[Pair]:
        """What a judge must be asked; nothing where a cited value decides by itself."""
        if self.whole is None:
            return []
        return [self.whole, *self.apart, *(pair for pairs in self.clauses for pair in pairs)]


def read_grounds(reading: Reading) -> list[Grounds]:
    """What the sources say about each claim, as a judge is to be asked."""
    return [_grounds(cited, reading) for cited in reading.cited_claims]


def assess_grounds(asked: Grounds, verdicts: Verdicts) -> Verdict | None:
    """Whether the sources state the claim: one document surely does, or any do and none says otherwise.

    Without the second half, `opened in 1907` would be grounded in one document about the bridge, opened in
    1900, and another about something else of 1907. A claim of several clauses is held against them clause by
    clause: a document may state one, and differ from the other only because it is about something else.
    None where there are no sources.
    """
    if asked.whole is None:
        return asked.value
    clauses = [_DocumentVerdicts(pairs, None, verdicts) for pairs in asked.clauses]
    whole = _DocumentVerdicts(asked.apart, verdict_on(asked.whole, verdicts), verdicts)
    stated = all_of(one.grounded for one in clauses) if clauses else False
    denied = any_of(one.denied for one in clauses)
    decided = grounded_by_clauses(stated, denied, whole.grounded)
    if decided is None:
        return next(one.missing for one in (*clauses, whole) if one.missing is not None)
    if decided:
        return clauses[0].stating if stated else whole.stating
    return next((one.denying for one in clauses if one.denied), None) or whole.denying or whole.silent


def asked_consistency(reading: Reading) -> list[Pair | Verdict | None]:
    """For each claim, does what is cited for it contradict it, or else what the rest of the answer cites?

    A verdict where a cited value decides by itself; None where nothing is cited.
    """
    asked: list[Pair | Verdict | None] = []
    elsewhere: list[tuple[Passage, int]] | None = None
    for index, cited in enumerate(reading.cited_claims):
        passages = passages_of(cited.resolved)
        if not passages:
            elsewhere = _cited_anywhere(reading) if elsewhere is None else elsewhere
            passages = _nearest(elsewhere, index)
        pair = Pair(cited.claim.text, passages[:MOST_CITED], "consistency") if passages else None
        asked.append(_value_verdict(cited) or pair)
    return asked


def _value_verdict(cited: CitedClaim) -> Verdict | None:
    found = [one.value for one in cited.resolved if one.value is not None]
    by_outcome = {verdict.outcome: verdict for verdict in reversed(found)}
    return by_outcome.get("contradicted") or by_outcome.get("supported")


class _DocumentVerdicts:
    """What the documents say about a claim or a clause, one by one and, where that was asked, together."""

    def __init__(self, apart: Sequence[Pair], whole: Verdict | None, verdicts: Verdicts) -> None:
        each = [verdict_on(pair, verdicts) for pair in apart]
        everything = [*([] if whole is None else [whole]), *each]
        bearing = [one for one, bears in zip(each, _bearing(apart), strict=True) if bears]
        surely = any_of(_states_surely(one) for one in each)
        stated = any_of(is_outcome(one, "supported") for one in everything)
        denied = any_of(_denies(one) for one in bearing)
        self.grounded = grounded(surely, stated, denied)
        self.denied = all_of((opposite(surely), denied))
        sure = (one for one in each if _states_surely(one))
        stating = (one for one in everything if one.outcome == "supported")
        self.stating = next(sure, None) or max(stating, key=lambda one: one.score or 0.0, default=None)
        self.denying = next((one for one in bearing if _denies(one)), None)
        self.missing = next((one for one in everything if one.outcome == "unjudged"), None)
        self.silent = everything[0]


def _states_surely(verdict: Verdict) -> Truth:
    stated = is_outcome(verdict, "supported")
    return stated and (verdict.score or 0.0) >= SURE


def _denies(verdict: Verdict) -> Truth:
    contradicted = is_outcome(verdict, "contradicted")
    return contradicted and (verdict.score or 0.0) < NEARLY


def _bearing(apart: Sequence[Pair]) -> list[bool]:
    """Which documents have so many of the claim's words that they are probably about the same thing.

    One that shares a year with the claim but is about something else denies nothing.
    """
    if not apart:
        return []
    wanted = _words(apart[0].claim)
    held = [len(wanted & _words(" ".join(found.text for found in pair.passages))) for pair in apart]
    return [count >= BEARING * max(held) for count in held]


def _words(text: str) -> set[str]:
    return {term.stem for term in find_terms(text) if not term.stop}


def _grounds(cited: CitedClaim, reading: Reading) -> Grounds:
    value = _value_verdict(cited)
    if value is not None:
        return Grounds(value)
    text = cited.claim.text
    shown = list(passages_of(cited.resolved)[:MOST_CITED])
    for place in passages_together(text, reading.library, MOST_PLACES):
        if not any(_holds(found, place) for found in shown):
            shown.append(place)
    if not shown:
        for source in reading.library.sources[:OPENINGS]:
            shown += best_passages(text, source)
    documents = list(dict.fromkeys(found.document for found in shown))
    if not shown:
        return Grounds()
    groups = [tuple(found for found in shown if found.document == name) for name in documents[:MOST_APART]]
    apart = groups if len(documents) > 1 else []
    clauses = _split_clauses(text) if apart else ()
    return Grounds(
        None,
        Pair(text, tuple(shown), "grounding"),
        tuple(Pair(text, group, "grounding") for group in apart),
        tuple(tuple(Pair(clause, group, "grounding") for group in apart) for clause in clauses),
    )


def _holds(found: Passage, other: Passage) -> bool:
    return found.document == other.document and found.start <= other.start and other.end <= found.end


def _cited_anywhere(reading: Reading) -> list[tuple[Passage, int]]:
    """Every passage that is cited in the answer, with the first claim that it is cited for."""
    first: dict[Passage, int] = {}
    for index, cited in enumerate(reading.cited_claims):
        for target in cited.resolved:
            for found in target.passages:
                first.setdefault(found, index)
    return list(first.items())


def _nearest(cited: Sequence[tuple[Passage, int]], claim: int) -> tuple[Passage, ...]:
    """The passages; where they are many, those that are cited nearest to the claim."""
    middle = bisect_left(cited, claim, key=lambda one: one[1])
    start = max(0, min(middle - MOST_CITED // 2, len(cited) - MOST_CITED))
    return tuple(found for found, _ in cited[start : start + MOST_CITED])


def _split_clauses(claim: str) -> tuple[str, ...]:
    """The clauses of a claim that says two things of two subjects; none unless each clause names its subject.

    `Oak opened in 1900, and Elm opened in 1907` has two. A clause that begins with `it` or a verb depends on
    the one before.
    """
    parts = [part.strip() for part in _JOINT.split(claim)]
    if len(parts) < 2 or not all(_NAMED.match(part) and len(part.split()) >= LEAST_WORDS for part in parts):
        return ()
    return tuple(parts)

"""What a claim is compared with as a whole: everything that is cited, and everything that the sources say.

The passages are chosen here, from all sources in full; a judge is shown the best of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from pincite.metrics.case import Case
from pincite.reading import Truth, all_of, any_of, grounded, grounded_by_clauses, is_outcome, opposite, said
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


def value_verdict(case: Case, claim: int) -> Verdict | None:
    """What a value in JSON or a table says about the claim that cites it: compared, and no judge asked."""
    found = [
        meeting.value for meeting in case.reading.cited_claims[claim].meetings if meeting.value is not None
    ]
    by_outcome = {verdict.outcome: verdict for verdict in reversed(found)}
    return by_outcome.get("contradicted") or by_outcome.get("supported")


def cited_pair(case: Case, claim: int) -> Pair | None:
    """Does anything cited contradict the claim: what is cited for it, or else for the rest of the answer?"""
    own = _cited_for(case, claim)
    passages = own or _cited_anywhere(case, claim)
    if not passages:
        return None
    return Pair(case.reading.claims[claim].text, passages[:MOST_CITED], "consistency")


class Grounds(Struct, frozen=True):
    """The questions whether the sources state a claim."""

    whole: Pair
    """The best places of all sources."""
    apart: tuple[Pair, ...]
    """Those of each document, where there are several."""
    clauses: tuple[tuple[Pair, ...], ...]
    """Of each clause of the claim those of each document, where there are several of both."""


def grounds(case: Case, claim: int) -> Grounds | None:
    """What is to be asked about a claim; None where there are no sources."""
    return case.once(("grounding", claim), lambda: _grounds(case, claim))


def grounding_asked(case: Case, claim: int) -> tuple[Pair, ...]:
    """What a judge must be asked; nothing where a cited value decides by itself."""
    asked = grounds(case, claim)
    if asked is None or value_verdict(case, claim) is not None:
        return ()
    return (asked.whole, *asked.apart, *(pair for pairs in asked.clauses for pair in pairs))


def ground_of(case: Case, claim: int, verdicts: Mapping[Pair, Verdict]) -> Verdict | None:
    """Whether the sources state the claim: one document surely does, or any do and none says otherwise.

    Without the second half, `opened in 1907` would be grounded in one document about the bridge, opened in
    1900, and another about something else of 1907. A claim of several clauses is held against them clause by
    clause: a document may state one, and differ from the other only because it is about something else.
    None where there are no sources.
    """
    known, asked = value_verdict(case, claim), grounds(case, claim)
    if known is not None or asked is None:
        return known
    clauses = [_Weighed(pairs, None, verdicts) for pairs in asked.clauses]
    whole = _Weighed(asked.apart, said(asked.whole, verdicts), verdicts)
    stated = all_of(one.grounded for one in clauses) if clauses else False
    denied = any_of(one.denied for one in clauses)
    decided = grounded_by_clauses(stated, denied, whole.grounded)
    if decided is None:
        return next(one.missing for one in (*clauses, whole) if one.missing is not None)
    if decided:
        return clauses[0].stating if stated else whole.stating
    return next((one.denying for one in clauses if one.denied), None) or whole.denying or whole.silent


class _Weighed:
    """What the documents say about a claim or a clause, one by one and, where that was asked, together."""

    def __init__(
        self, apart: Sequence[Pair], whole: Verdict | None, verdicts: Mapping[Pair, Verdict]
    ) -> None:
        each = [said(pair, verdicts) for pair in apart]
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


def wide_pair(case: Case, claim: int) -> Pair | None:
    """Does any source contradict the claim? The same passages, another question."""
    asked = grounds(case, claim)
    return structs.replace(asked.whole, question="consistency") if asked is not None else None


def _grounds(case: Case, claim: int) -> Grounds | None:
    text = case.reading.claims[claim].text
    shown = list(_cited_for(case, claim)[:MOST_CITED])
    for place in passages_together(text, case.library, MOST_PLACES):
        if not any(_holds(found, place) for found in shown):
            shown.append(place)
    if not shown:
        for source in case.library.sources[:OPENINGS]:
            shown += best_passages(text, source)
    documents = list(dict.fromkeys(found.document for found in shown))
    if not shown:
        return None
    groups = [tuple(found for found in shown if found.document == name) for name in documents[:MOST_APART]]
    apart = groups if len(documents) > 1 else []
    clauses = split_clauses(text) if apart else ()
    return Grounds(
        Pair(text, tuple(shown), "grounding"),
        tuple(Pair(text, group, "grounding") for group in apart),
        tuple(tuple(Pair(clause, group, "grounding") for group in apart) for clause in clauses),
    )


def _holds(found: Passage, other: Passage) -> bool:
    return found.document == other.document and found.start <= other.start and other.end <= found.end


def _cited_for(case: Case, claim: int) -> tuple[Passage, ...]:
    """Every passage that is cited for the claim, once."""
    met = case.reading.cited_claims[claim].meetings
    return tuple(dict.fromkeys(found for meeting in met for found in meeting.passages))


def _cited_anywhere(case: Case, claim: int) -> tuple[Passage, ...]:
    """What is cited in the answer; where that is a lot, what is cited nearest to the claim."""

    def first_cited() -> dict[Passage, int]:
        first: dict[Passage, int] = {}
        for index, statement in enumerate(case.reading.cited_claims):
            for meeting in statement.meetings:
                for found in meeting.passages:
                    first.setdefault(found, index)
        return first

    every = case.once("cited anywhere", lambda: list(first_cited().items()))
    middle = bisect_left(every, claim, key=lambda one: one[1])
    start = max(0, min(middle - MOST_CITED // 2, len(every) - MOST_CITED))
    return tuple(found for found, _ in every[start : start + MOST_CITED])


def split_clauses(claim: str) -> tuple[str, ...]:
    """The clauses of a claim that says two things of two subjects; none unless each clause names its subject.

    `Oak opened in 1900, and Elm opened in 1907` has two. A clause that begins with `it` or a verb depends on
    the one before.
    """
    parts = [part.strip() for part in _JOINT.split(claim)]
    if len(parts) < 2 or not all(_NAMED.match(part) and len(part.split()) >= LEAST_WORDS for part in parts):
        return ()
    return tuple(parts)

"""What a claim is held against as a whole: everything that is cited, and everything that the sources say.

The passages are chosen here, from all sources in full; a judge is shown the best of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from msgspec import structs

from pincite.metrics.attached import attached
from pincite.metrics.case import Case
from pincite.metrics.meetings import said, statements
from pincite.records import Pair, Passage, Verdict
from pincite.sources.locate import best_passages, locate_together
from pincite.sources.passages import passage

MOST_PLACES = 6
"""So many places of the sources a judge is shown for a claim, beside what is cited for it."""
MOST_CITED = 12
"""So many cited passages a judge is shown at once for one claim."""
MOST_APART = 3
"""So many documents are also asked about one by one: parts of several may make up what none of them says."""
SURE = 0.8
"""The score from which one document that states a claim outweighs another that denies it."""
OPENINGS = 3
"""Of so many sources the beginning is shown where no source shares a word with the claim."""


def value_verdict(case: Case, claim: int) -> Verdict | None:
    """What a value in JSON or a table says about the claim that cites it: compared, and no judge asked."""
    found = [meeting.value for meeting in statements(case)[claim].meetings if meeting.value is not None]
    for outcome in ("contradicted", "supported"):
        for verdict in found:
            if verdict.outcome == outcome:
                return verdict
    return None


def cited_pair(case: Case, claim: int) -> Pair | None:
    """Does anything cited contradict the claim: what is cited for it, or else for the rest of the answer?"""
    own = _cited_for(case, claim)
    passages = own or _cited_anywhere(case, claim)
    if not passages:
        return None
    return Pair(attached(case).claims[claim].text, passages[:MOST_CITED], "consistency")


def grounding_pairs(case: Case, claim: int) -> tuple[Pair, ...]:
    """Do the sources state the claim? The best places of all, then those of each document."""
    kept: dict[int, tuple[Pair, ...]] = case.kept.setdefault("grounding", {})
    if claim not in kept:
        kept[claim] = _grounding(case, claim)
    return kept[claim]


def grounding_asked(case: Case, claim: int) -> tuple[Pair, ...]:
    """What a judge must be asked; nothing where a cited value decides by itself."""
    return () if value_verdict(case, claim) is not None else grounding_pairs(case, claim)


def ground_of(case: Case, claim: int, verdicts: Mapping[Pair, Verdict]) -> Verdict | None:
    """Whether the sources state the claim: one document surely does, or any do and none says otherwise.

    Without the second half, `opened in 1907` would be grounded in one document about the bridge, opened in
    1900, and another about something else of 1907. None where there are no sources.
    """
    known = value_verdict(case, claim)
    if known is not None or not grounding_pairs(case, claim):
        return known
    whole, *apart = (said(pair, verdicts) for pair in grounding_pairs(case, claim))
    for one in apart:
        if one.outcome == "supported" and (one.score or 0.0) >= SURE:
            return one
    stating = next((one for one in (whole, *apart) if one.outcome == "supported"), None)
    if stating is None:
        return whole
    return next((one for one in apart if one.outcome in ("contradicted", "unjudged")), stating)


def wide_pair(case: Case, claim: int) -> Pair | None:
    """Does any source contradict the claim? The same passages, another question."""
    pairs = grounding_pairs(case, claim)
    return structs.replace(pairs[0], question="consistency") if pairs else None


def _grounding(case: Case, claim: int) -> tuple[Pair, ...]:
    text = attached(case).claims[claim].text
    shown = list(_cited_for(case, claim)[:MOST_CITED])
    for match in locate_together(text, case.library, MOST_PLACES):
        source = case.library.get(match.document)
        if source is not None and not any(
            _holds(found, match.document, match.start, match.end) for found in shown
        ):
            shown.append(passage(source, match.start, match.end))
    if not shown:
        for source in case.library.sources[:OPENINGS]:
            shown += best_passages(text, source)
    documents = list(dict.fromkeys(found.document for found in shown))
    groups = [[found for found in shown if found.document == name] for name in documents[:MOST_APART]]
    apart = groups if len(documents) > 1 else []
    return tuple(Pair(text, tuple(group), "grounding") for group in (shown, *apart) if group)


def _holds(found: Passage, document: str, start: int, end: int) -> bool:
    return found.document == document and found.start <= start and end <= found.end


def _cited_for(case: Case, claim: int) -> tuple[Passage, ...]:
    """Every passage that is cited for the claim, once."""
    met = statements(case)[claim].meetings
    return tuple(dict.fromkeys(found for meeting in met for found in meeting.passages))


def _cited_anywhere(case: Case, claim: int) -> tuple[Passage, ...]:
    """What is cited in the answer; where that is much, what is cited nearest to the claim."""
    if "cited anywhere" not in case.kept:
        first: dict[Passage, int] = {}
        for index, statement in enumerate(statements(case)):
            for meeting in statement.meetings:
                for found in meeting.passages:
                    first.setdefault(found, index)
        case.kept["cited anywhere"] = (tuple(first), list(first.values()))
    every, places = case.kept["cited anywhere"]
    middle = bisect_left(places, claim)
    start = max(0, min(middle - MOST_CITED // 2, len(every) - MOST_CITED))
    near: tuple[Passage, ...] = every[start : start + MOST_CITED]
    return near

"""Citation relevancy: does what an answer cites have to do with what was asked?

Relevant things ÷ things cited, each thing counted once per turn. A judge is shown what the answer says about
the thing (a link's title and address, its entry in a list of references, the text of a given source), and the
sentence that cites it where the thing itself says nothing. With neither it is unjudged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import ClassVar, Literal

import msgspec
from msgspec import Struct

from pincite.answers import Turn, find_turns
from pincite.metrics.case import Case
from pincite.metrics.cited_things import CitedThing, find_cited_things
from pincite.metrics.metric import Metric, Verdicts
from pincite.records import Pair, Result

Strategy = Literal["last_turn", "all_turns"]
UNKNOWN = "nothing is known of what is cited: no title, no words in its address, no sentence"
NO_QUERY = "no query"
MOST_SHOWN = 200
"""Things of one answer that one holistic verdict looks at."""


class EvaluationMode(Enum):
    """`GRANULAR` gives a verdict on each citation, `HOLISTIC` one on each answer."""

    GRANULAR = "granular"
    HOLISTIC = "holistic"

    @classmethod
    def _missing_(cls, value: object) -> EvaluationMode | None:
        by_name = {mode.value: mode for mode in cls}
        return by_name.get(value.lower()) if isinstance(value, str) else None


class CitationBreakdown(Struct, frozen=True):
    """The verdict on one cited thing."""

    citation_text: str
    relevance_verdict: bool | None
    """None when it could not be judged; `relevance_reason` says why."""
    relevance_reason: str
    turn_index: int
    original_query: str | None


class CitationRelevancyResult(Struct, frozen=True):
    """How the score came about. Things that could not be judged are in `total_citations` alone."""

    relevance_score: float | None
    total_citations: int
    relevant_citations_count: int
    irrelevant_citations_count: int
    unjudged_citations_count: int
    citation_breakdown: tuple[CitationBreakdown, ...]


class _Asked(Struct, frozen=True):
    """What is asked about one thing, or about all things of an answer."""

    turn: Turn
    things: tuple[CitedThing, ...]
    pair: Pair | None


class CitationRelevancy(Metric, frozen=True, kw_only=True):
    """Cited things that are relevant to the query ÷ cited things."""

    title: ClassVar[str] = "citation_relevancy"
    counted_by: ClassVar[tuple[str, ...]] = ("alce_recall", "citation_completeness")
    place: ClassVar[str] = "citation_metrics.citation_relevancy"
    pooled: ClassVar[bool] = True
    unit: ClassVar[str] = "citations relevant"
    usual_threshold: ClassVar[float | None] = 0.8

    multi_turn_strategy: Strategy = "last_turn"
    mode: EvaluationMode = EvaluationMode.GRANULAR

    def pairs(self, case: Case) -> Sequence[Pair]:
        """A pair for each thing cited, or for each answer."""
        return [asked.pair for asked in self._asked(case) if asked.pair is not None]

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        asked = self._asked(case)
        breakdown = []
        things: Counter[bool | None] = Counter()
        units: Counter[bool | None] = Counter()
        left_out: Counter[str] = Counter()
        for one in asked:
            told = _verdict_on(one, verdicts)
            breakdown.append(told)
            things[told.relevance_verdict] += len(one.things)
            # One verdict per answer is one unit, however many things it is about.
            units[told.relevance_verdict] += 1 if self.mode is EvaluationMode.HOLISTIC else len(one.things)
            if told.relevance_verdict is None:
                left_out[_why(one)] += 1
        relevant, judged = units[True], units[True] + units[False]
        unscorable = left_out[NO_QUERY]
        score = relevant / judged if judged else None
        counted = (things.total(), things[True], things[False], things[None])
        signals = CitationRelevancyResult(score, *counted, tuple(breakdown))
        reasons = dict(left_out)
        if not asked:
            answered = case.item.failure is None and find_turns(case.item)
            reasons = {"no citations" if answered else "no answer": 1}
        result = self.result(
            relevant,
            judged,
            unjudged=sum(left_out.values()) - unscorable,
            not_scorable=unscorable if asked else 1,
            reasons=reasons,
            counts={"total_citations": things.total(), "relevant_citations": things[True]},
            signals=signals,
        )
        if self.mode is EvaluationMode.HOLISTIC:
            return msgspec.structs.replace(result, unit="answers with relevant citations")
        return result

    def _asked(self, case: Case) -> tuple[_Asked, ...]:
        """Everything there is to ask, worked out once for `pairs` and `score`."""
        key = (type(self), self.multi_turn_strategy, self.mode)
        return case.once(key, lambda: self._find_asked(case))

    def _find_asked(self, case: Case) -> tuple[_Asked, ...]:
        turns = find_turns(case.item)
        asked = []
        for turn in turns if self.multi_turn_strategy == "all_turns" else turns[-1:]:
            things = find_cited_things(
                turn.answer, case.library, case.settings, turn.citations, case.item.references
            )
            groups = [(one,) for one in things] if self.mode is EvaluationMode.GRANULAR else [things]
            asked += [_Asked(turn, group, _pair(turn, group)) for group in groups if group]
        return tuple(asked)


def _pair(turn: Turn, things: Sequence[CitedThing]) -> Pair | None:
    passages = tuple(thing.passage for thing in things[:MOST_SHOWN] if thing.passage is not None)
    if not passages or not (turn.query or "").strip():
        return None
    sentences = dict.fromkeys(thing.sentence for thing in things[:MOST_SHOWN])
    return Pair(" ".join(filter(None, sentences)), passages, "relevance", turn.query)


def _verdict_on(asked: _Asked, verdicts: Verdicts) -> CitationBreakdown:
    relevant: bool | None = None
    if asked.pair is None:
        reason = _why(asked)
    else:
        verdict = verdicts[asked.pair]
        reason = verdict.reason
        relevant = None if verdict.outcome == "unjudged" else verdict.outcome == "supported"
    text = "; ".join(thing.text for thing in asked.things)
    return CitationBreakdown(text, relevant, reason, asked.turn.index, asked.turn.query)


def _why(asked: _Asked) -> str:
    """Why a thing has no verdict, in words that can be counted."""
    if asked.pair is not None:
        return "the judge gave no verdict"
    return UNKNOWN if (asked.turn.query or "").strip() else NO_QUERY

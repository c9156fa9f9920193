"""Relevance by meaning, where words do not show it: how near the query is to what is cited.

The words of the query decide first (`rules.judge_relevance`). What shares too few of them is read by the
model, half of whose layers know what a text is about: "May improve memory" answers a question about health
benefits with none of its words.
In another language than English only the words count, and what they do not show is unjudged.
"""

from __future__ import annotations

from msgspec.structs import replace

from pincite.judges.entailment.join import EVEN
from pincite.judges.entailment.shown import CutIntoTokens, Shown, show
from pincite.judges.rules.reading import ReadingRoom
from pincite.judges.rules.words import cover
from pincite.records import Pair, Verdict
from pincite.text import language_doubt

MOST_SHARED = 0.49
LONGEST_SAMPLE = 4000


def needs_meaning(pair: Pair, verdict: Verdict) -> bool:
    """Whether the words did not show relevance."""
    return pair.question == "relevance" and verdict.outcome == "not_enough"


def foreign(pair: Pair) -> str | None:
    """Why nothing can be said by meaning: the model reads English only."""
    shown = _shown(pair)
    # The query and what is cited are often a few words each, of which only both together tell a language.
    return language_doubt(" ".join([pair.query or "", *shown])[:LONGEST_SAMPLE], shown)


def read_relevance(pair: Pair, room: ReadingRoom, tokens: CutIntoTokens) -> Shown | None:
    """The query, and what is cited as its evidence, each passage with the words that stand round it."""
    query = room.read(pair.query or "")
    passages = [room.read(text) for text in _shown(pair)]
    passages = [reading for reading in passages if reading.terms]
    if not passages or not query.terms:
        return None
    ranked = cover(query, passages, [frozenset()] * len(passages)).sentences
    return show(query, passages, [""] * len(passages), ranked, tokens)


def by_meaning(verdict: Verdict, near: float) -> Verdict:
    """The verdict, given how likely the model finds it that what is cited is about the query's matter."""
    if near < EVEN:
        return replace(verdict, score=round(min(MOST_SHARED, max(verdict.score or 0.0, near)), 4))
    reason = f"what is cited is near to the query in meaning ({near:.2f})"
    return replace(verdict, outcome="supported", score=round(near, 4), reason=reason, cause="meaning")


def _shown(pair: Pair) -> list[str]:
    texts = [f"{passage.context} {passage.text}".strip() for passage in pair.passages]
    return texts or [pair.claim]

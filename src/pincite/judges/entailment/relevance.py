"""Relevance by meaning, where words do not show it: how near the query is to what is cited.

The words of the query decide first (`rules.judge_relevance`). What shares too few of them is compared by the
vectors of the encoder: "May improve memory" answers a question about health benefits with none of its words.
In another language than English only the words count, and what they do not show is unjudged.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pincite.judges.entailment.model import EntailmentModel
from pincite.judges.entailment.pairs import ModelPair, read_pair
from pincite.judges.rules.detectors import observe
from pincite.judges.rules.reading import ReadingRoom
from pincite.records import Pair, Verdict
from pincite.text.language import language_doubt

NEAR = 0.2
"""How alike the meanings of a query and of what is relevant to it are at least. Of claims and sentences about
another matter nine in ten are less alike, of those about the same matter nine in ten are more."""
FAR, SAME = 0.0, 0.8
"""The likeness at which the score is 0, and the one at which it is 1."""
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


def read_relevance(pair: Pair, room: ReadingRoom, model: EntailmentModel) -> ModelPair | None:
    """The query, and what is cited as its evidence, each passage with the words that stand round it."""
    query = room.read(pair.query or "")
    passages = [room.read(text) for text in _shown(pair)]
    passages = [reading for reading in passages if reading.terms]
    if not passages or not query.terms:
        return None
    shown = read_pair(observe(query, passages), model.tokenize)
    return shown if shown.evidence else None


def by_meaning(verdict: Verdict, alike: Sequence[float]) -> Verdict:
    """The verdict, given how alike the two are in meaning as well."""
    meaning = alike[-1]
    if meaning < NEAR:
        share = max(0.0, (meaning - FAR) / (NEAR - FAR)) * 0.5
        return replace(verdict, score=round(min(MOST_SHARED, max(verdict.score or 0.0, share)), 4))
    score = 0.5 + 0.5 * min(1.0, (meaning - NEAR) / (SAME - NEAR))
    reason = f"what is cited is near to the query in meaning ({meaning:.2f})"
    return replace(verdict, outcome="supported", score=round(score, 4), reason=reason, cause="meaning")


def _shown(pair: Pair) -> list[str]:
    texts = [f"{passage.context} {passage.text}".strip() for passage in pair.passages]
    return texts or [pair.claim]

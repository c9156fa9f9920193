"""The built-in judge: a small cross-encoder beside the rules, with no network and no key.

The rules read a pair first (`rules.detectors`). The model then reads the claim beside the sentences that
bear on it (`excerpt`), and one small function makes a probability of what both saw (`decision`). The rules'
own words say why, wherever they saw the reason; otherwise the sentence that the model decided by is shown.

Relevance is decided by the words of the query first (`rules.judge`). What shares too few of them is read by
the model, half of whose layers know what a text is about: "May improve memory" answers a question about
health benefits with none of its words.

It reads English. A pair in another language is unjudged (`language`), except where a number or the very same
words decide (`rules.foreign`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.entailment.decision import (
    EVEN,
    Decision,
    Join,
    decide,
    explain_decision,
    load_join,
    logistic,
)
from pincite.judges.entailment.excerpt import CutIntoTokens, Excerpt, choose_excerpt
from pincite.judges.entailment.model import WEIGHTS, EntailmentModel, Opinion
from pincite.judges.judge import Judge, Placement, unjudged
from pincite.judges.rules.foreign import judge_foreign
from pincite.judges.rules.judge import (
    as_consistency,
    find_lacking,
    judge_relevance,
    named_alarm,
    observe_pair,
    rule_stages,
)
from pincite.judges.rules.reasons import list_observations
from pincite.judges.rules.texts import TextCache
from pincite.judges.rules.view import Observed
from pincite.judges.rules.words import cover
from pincite.records import Pair, Stage, Trace, Verdict
from pincite.text import language_doubt

NAME = "entailment/2"
MOST_UNKNOWN = 0.2
"""With a larger share of tokens that the model never saw, it would only guess."""
CHUNK = 256
"""Pairs that are read at a time: what the model needs of them stays small, however many are asked."""


_lock = threading.Lock()


class Read(Struct, frozen=True):
    """A pair that rules and model can judge, as both read it."""

    place: int
    observed: Observed
    shown: Excerpt


class EntailmentJudge(Judge):
    """Judges with the shipped model, which is loaded at the first pair.

    Never raises for what a pair contains; a `JudgeError` says that the model cannot be loaded.
    """

    name = NAME
    waits = False
    placement: Placement = "process"
    only_texts = True

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        verdicts: list[Verdict] = []
        for start in range(0, len(pairs), CHUNK):
            with _lock:  # the model keeps what it has read, and threads that check at once share it
                verdicts += self._judge(pairs[start : start + CHUNK])
        return verdicts

    def trace(self, pair: Pair) -> Trace:
        with _lock:
            found = read_for_model(0, pair, TextCache())
            if isinstance(found, Verdict):
                return Trace((Stage(NAME, found.score),), (found.reason,))
            (opinion,) = _model().ask([found.shown])
        return _trace(found, opinion, _join())

    def _judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        cache = TextCache()
        found = [read_for_model(place, pair, cache) for place, pair in enumerate(pairs)]
        verdicts = {place: one for place, one in enumerate(found) if isinstance(one, Verdict)}
        reads = [one for one in found if isinstance(one, Read)]
        opinions = _model().ask([read.shown for read in reads]) if reads else []
        for read, opinion in zip(reads, opinions, strict=True):
            verdict = _verdict(read, decide(read.observed, opinion, _join()))
            asked = pairs[read.place].question
            verdicts[read.place] = as_consistency(verdict) if asked == "consistency" else verdict
        self._weigh_meaning(pairs, verdicts, cache)
        return [verdicts[place] for place in range(len(pairs))]

    def _weigh_meaning(self, pairs: Sequence[Pair], verdicts: dict[int, Verdict], cache: TextCache) -> None:
        """Ask the model about the relevance that the words of a query did not show."""
        shown: dict[int, Excerpt] = {}
        for place, pair in enumerate(pairs):
            if _needs_meaning(pair, verdicts[place]):
                doubt = _foreign(pair)
                if doubt:
                    verdicts[place] = unjudged(doubt, "language", NAME)
                elif (read := _read_relevance(pair, cache, _model().tokens)) is not None:
                    shown[place] = read
        found = _model().relevance(list(shown.values())) if shown else []
        for place, odds in zip(shown, found, strict=True):
            verdicts[place] = _by_meaning(verdicts[place], logistic(odds))


def read_for_model(
    place: int, pair: Pair, cache: TextCache, model: EntailmentModel | None = None
) -> Read | Verdict:
    """The pair, read; or the verdict, where the model is not needed or of no use."""
    if pair.question == "relevance":
        return replace(judge_relevance(pair, cache), judge=NAME)
    lacking = find_lacking(pair, cache)
    if lacking:
        return unjudged(lacking, "empty", NAME)
    doubt = language_doubt(pair.claim, [passage.text for passage in pair.passages])
    if doubt:
        return judge_foreign(pair, cache, doubt, NAME)
    model = model or _model()
    observed = observe_pair(pair, cache)
    view = observed.view
    contexts = [passage.context for passage in pair.passages]
    shown = choose_excerpt(view.claim, view.passages, contexts, view.sentences, model.tokens)
    read = (*shown.claim, *shown.evidence)
    unknown = read.count(model.unknown)
    if unknown > MOST_UNKNOWN * len(read):
        reason = f"the built-in judge does not know {unknown} of the {len(read)} word pieces"
        return judge_foreign(pair, cache, reason, NAME)
    return Read(place, observed, shown)


def _verdict(read: Read, decision: Decision) -> Verdict:
    why = explain_decision(decision, read.observed, read.shown)
    passage, span = why.place or (None, None)
    told = (why.outcome, round(decision.support, 4), why.reason, why.cause)
    return Verdict(
        *told, passage, span, *why.words, judge=NAME, sure=decision.sure, doubtful=decision.doubtful
    )


def _trace(read: Read, opinion: Opinion, join: Join) -> Trace:
    """The rules' numbers, the model's, and what the join makes of both."""
    observed, decision = read.observed, decide(read.observed, opinion, join)
    seen = f"{len(read.shown.parts)} sentences or parts were shown"
    points = f"supported from 0.5; a warning up to {join.warn:g}, an error up to {join.sure:g}"
    stages = (
        *rule_stages(observed, named_alarm(observed)),
        Stage("model, supported", round(logistic(opinion.support), 4), seen),
        Stage("model, contradicted", round(logistic(opinion.denial), 4), "if not supported"),
        Stage("both, supported", round(decision.support, 4), points),
    )
    return Trace(stages, list_observations(observed))


@lru_cache(maxsize=1)
def _model() -> EntailmentModel:
    _forget_in_children()
    return EntailmentModel()


@lru_cache(maxsize=1)
def _join() -> Join:
    return load_join(WEIGHTS / "join.json")


@lru_cache(maxsize=1)
def _forget_in_children() -> None:
    """A forked process has none of the threads that onnxruntime works with, so it must load its own model."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_start_anew)


def _start_anew() -> None:
    global _lock
    _lock = threading.Lock()
    _model.cache_clear()


# --- relevance by meaning --------------------------------------------------------------------------


MOST_SHARED = 0.49
LONGEST_SAMPLE = 4000


def _needs_meaning(pair: Pair, verdict: Verdict) -> bool:
    """Whether the words did not show relevance."""
    return pair.question == "relevance" and verdict.outcome == "not_enough"


def _foreign(pair: Pair) -> str | None:
    """Why nothing can be said by meaning: the model reads English only."""
    shown = _shown(pair)
    # The query and what is cited are often a few words each, of which only both together tell a language.
    return language_doubt(" ".join([pair.query or "", *shown])[:LONGEST_SAMPLE], shown)


def _read_relevance(pair: Pair, cache: TextCache, tokens: CutIntoTokens) -> Excerpt | None:
    """The query, and what is cited as its evidence, each passage with the words that stand round it."""
    query = cache.read(pair.query or "")
    passages = [cache.read(text) for text in _shown(pair)]
    passages = [reading for reading in passages if reading.terms]
    if not passages or not query.terms:
        return None
    ranked = cover(query, passages, [frozenset()] * len(passages)).sentences
    return choose_excerpt(query, passages, [""] * len(passages), ranked, tokens)


def _by_meaning(verdict: Verdict, near: float) -> Verdict:
    """The verdict, given how likely the model finds it that what is cited is about the query's matter."""
    if near < EVEN:
        return replace(verdict, score=round(min(MOST_SHARED, max(verdict.score or 0.0, near)), 4))
    reason = f"what is cited is near to the query in meaning ({near:.2f})"
    return replace(verdict, outcome="supported", score=round(near, 4), reason=reason, cause="meaning")


def _shown(pair: Pair) -> list[str]:
    texts = [f"{passage.context} {passage.text}".strip() for passage in pair.passages]
    return texts or [pair.claim]

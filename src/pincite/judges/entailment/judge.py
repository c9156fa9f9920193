"""The built-in judge: a small cross-encoder beside the rules, with no network and no key.

The rules read a pair first (`rules.detectors`). The model then reads the claim beside the sentences that bear
on it (`shown`), and one small function makes a probability of what both saw (`join`). The rules' own words
say why, wherever they saw the reason; otherwise the sentence that the model decided by is shown.

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

from pincite.judges.entailment.join import Decision, Join, decide, load_join, logistic
from pincite.judges.entailment.model import WEIGHTS, EntailmentModel, Opinion
from pincite.judges.entailment.reasons import explain
from pincite.judges.entailment.relevance import by_meaning, foreign, needs_meaning, read_relevance
from pincite.judges.entailment.shown import Shown, show
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
from pincite.judges.rules.observation import Observed
from pincite.judges.rules.reading import ReadingRoom
from pincite.judges.rules.reasons import list_observations
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
    shown: Shown


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
            found = read_for_model(0, pair, ReadingRoom())
            if isinstance(found, Verdict):
                return Trace((Stage(NAME, found.score),), (found.reason,))
            (opinion,) = _model().ask([found.shown])
        return _trace(found, opinion, _join())

    def _judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        room = ReadingRoom()
        found = [read_for_model(place, pair, room) for place, pair in enumerate(pairs)]
        verdicts = {place: one for place, one in enumerate(found) if isinstance(one, Verdict)}
        reads = [one for one in found if isinstance(one, Read)]
        opinions = _model().ask([read.shown for read in reads]) if reads else []
        for read, opinion in zip(reads, opinions, strict=True):
            verdict = _verdict(read, decide(read.observed, opinion, _join()))
            asked = pairs[read.place].question
            verdicts[read.place] = as_consistency(verdict) if asked == "consistency" else verdict
        self._weigh_meaning(pairs, verdicts, room)
        return [verdicts[place] for place in range(len(pairs))]

    def _weigh_meaning(self, pairs: Sequence[Pair], verdicts: dict[int, Verdict], room: ReadingRoom) -> None:
        """Ask the model about the relevance that the words of a query did not show."""
        shown: dict[int, Shown] = {}
        for place, pair in enumerate(pairs):
            if needs_meaning(pair, verdicts[place]):
                doubt = foreign(pair)
                if doubt:
                    verdicts[place] = unjudged(doubt, "language", NAME)
                elif (read := read_relevance(pair, room, _model().tokens)) is not None:
                    shown[place] = read
        found = _model().relevance(list(shown.values())) if shown else []
        for place, odds in zip(shown, found, strict=True):
            verdicts[place] = by_meaning(verdicts[place], logistic(odds))


def read_for_model(
    place: int, pair: Pair, room: ReadingRoom, model: EntailmentModel | None = None
) -> Read | Verdict:
    """The pair, read; or the verdict, where the model is not needed or of no use."""
    if pair.question == "relevance":
        return replace(judge_relevance(pair, room), judge=NAME)
    lacking = find_lacking(pair, room)
    if lacking:
        return unjudged(lacking, "empty", NAME)
    doubt = language_doubt(pair.claim, [passage.text for passage in pair.passages])
    if doubt:
        return judge_foreign(pair, room, doubt, NAME)
    model = model or _model()
    observed = observe_pair(pair, room)
    view = observed.view
    contexts = [passage.context for passage in pair.passages]
    shown = show(view.claim, view.passages, contexts, view.sentences, model.tokens)
    read = (*shown.claim, *shown.evidence)
    unknown = read.count(model.unknown)
    if unknown > MOST_UNKNOWN * len(read):
        reason = f"the built-in judge does not know {unknown} of the {len(read)} word pieces"
        return judge_foreign(pair, room, reason, NAME)
    return Read(place, observed, shown)


def _verdict(read: Read, decision: Decision) -> Verdict:
    why = explain(decision, read.observed, read.shown)
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

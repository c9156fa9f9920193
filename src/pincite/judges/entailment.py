"""The built-in judge: a small entailment model joined with the rules, with no network and no key.

The rules read a pair first (`rule_signals`). The model then compares the claim with the sentences that bear
on it (`entailment_windows`), all together and one by one, and a small function joins what both saw into the
probability that the claim is supported (`entailment_join`). The rules' own words say why, wherever they saw
the reason; otherwise the sentence that the model decided by is shown.

It reads English. A pair in another language is unjudged (`language`), except where a number or the very same
words decide (`rule_foreign`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pincite.judges.entailment_features import rule_features
from pincite.judges.entailment_join import Join, Opinion, load_join, model_features, opinion
from pincite.judges.entailment_model import WEIGHTS, EntailmentModel
from pincite.judges.entailment_pairs import ModelPair, read_pair
from pincite.judges.entailment_reasons import explain
from pincite.judges.rule_foreign import judge_foreign
from pincite.judges.rule_reading import Reading, ReadingRoom
from pincite.judges.rule_signals import Signals, read_signals
from pincite.judges.rules import judge_relevance
from pincite.records import Pair, Verdict
from pincite.text.language import language_doubt

NAME = "entailment/1"
EVEN = 0.5
MOST_UNKNOWN = 0.2
"""With a larger share of tokens that the model never saw, it would only guess."""
CHUNK = 256
"""Pairs that are read at a time: what the model needs of them stays small, however many are asked."""


_lock = threading.Lock()


class Read(Struct, frozen=True):
    """A pair that rules and model can judge, as both read it."""

    place: int
    claim: Reading
    passages: list[Reading]
    signals: Signals
    shown: ModelPair


class EntailmentJudge:
    """Judges with the shipped model, which is loaded at the first pair.

    Never raises for what a pair contains; a `JudgeError` says that the model cannot be loaded.
    """

    waits = False

    @property
    def name(self) -> str:
        return NAME

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair, in order."""
        verdicts: list[Verdict] = []
        for start in range(0, len(pairs), CHUNK):
            with _lock:  # the model keeps what it has read, and threads that check at once share it
                verdicts += self._judge(pairs[start : start + CHUNK])
        return verdicts

    def _judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        room = ReadingRoom()
        verdicts: list[Verdict | None] = []
        reads: list[Read] = []
        for place, pair in enumerate(pairs):
            found = _read(place, pair, room)
            verdicts.append(found if isinstance(found, Verdict) else None)
            reads += [found] if isinstance(found, Read) else []
        for read, verdict in zip(reads, _decide(reads), strict=True):
            asked = pairs[read.place].question
            verdicts[read.place] = _as_consistency(verdict) if asked == "consistency" else verdict
        return [verdict for verdict in verdicts if verdict is not None]


def _read(place: int, pair: Pair, room: ReadingRoom) -> Read | Verdict:
    """The pair, read; or the verdict, where the model is not needed or of no use."""
    if pair.question == "relevance":
        return replace(judge_relevance(pair, room), judge=NAME)
    claim = room.read(pair.claim)
    passages = [room.read_passage(passage) for passage in pair.passages]
    if not claim.terms:
        return _unjudged("the claim holds no words", "empty")
    if not any(reading.terms for reading in passages):
        return _unjudged("there is no text to judge the claim by", "empty")
    doubt = language_doubt(pair.claim, [passage.text for passage in pair.passages])
    if doubt:
        return judge_foreign(pair, room, doubt, NAME)
    contexts = [room.read(passage.context).stems for passage in pair.passages]
    signals = read_signals(claim, passages, contexts)
    shown = read_pair(claim, passages, signals, _model().tokenize)
    tokens = shown.claim.last + sum(part.last - part.first for part in shown.evidence)
    unknown = shown.claim.unknown + sum(part.unknown for part in shown.evidence)
    if unknown > MOST_UNKNOWN * tokens:
        reason = f"the built-in judge does not know {unknown} of the {tokens} word pieces"
        return judge_foreign(pair, room, reason, NAME)
    return Read(place, claim, passages, signals, shown)


def _decide(reads: Sequence[Read]) -> list[Verdict]:
    """The model is asked once: about each pair as a whole, and about each of its sentences."""
    asked: list[ModelPair] = []
    for read in reads:
        asked.append(read.shown)
        if len(read.shown.evidence) > 1:
            asked += [ModelPair(read.shown.claim, (part,)) for part in read.shown.evidence]
    opinions = _model().compare(asked) if asked else []
    said = [opinion(logits, alike) for logits, alike in opinions]
    verdicts, place = [], 0
    for read in reads:
        together = said[place]
        place += 1
        several = len(read.shown.evidence) if len(read.shown.evidence) > 1 else 0
        verdicts.append(_verdict(read, together, said[place : place + several]))
        place += several
    return verdicts


def _verdict(read: Read, together: Opinion, alone: Sequence[Opinion]) -> Verdict:
    join = _join()
    values = rule_features(read.claim, read.passages, read.signals) + model_features(together, alone)
    support = join.support_of(values)
    if read.signals.verbatim:
        support = max(support, 0.99)
    denial = join.denial_of(values)
    outcome = "supported" if support >= EVEN else "contradicted" if denial >= EVEN else "not_enough"
    return explain(outcome, support, support <= join.sure, read.signals, read.shown, alone, NAME)


def _as_consistency(verdict: Verdict) -> Verdict:
    """Consistency asks only whether anything speaks against the claim: silence is consistent."""
    if verdict.outcome == "contradicted":
        return verdict
    score = 0.5 + 0.5 * (verdict.score or 0.0)
    return Verdict(
        "supported",
        round(score, 4),
        "nothing in the passages speaks against the claim",
        "coverage",
        verdict.passage,
        verdict.span,
        judge=NAME,
    )


def _unjudged(reason: str, cause: str) -> Verdict:
    return Verdict("unjudged", None, reason, cause, judge=NAME)


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

"""The built-in judge: a small entailment model joined with the rules, with no network and no key.

The rules read a pair first (`rules.detectors`). The model then compares the claim with the sentences that
bear on it (`windows`), all together and one by one, and a small function joins what both saw into the
probability that the claim is supported (`join`). The rules' own words say why, wherever they saw
the reason; otherwise the sentence that the model decided by is shown.

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

from pincite.judges.entailment.join import (
    Features,
    Join,
    load_join,
    logistic,
    model_features,
    opinion,
    rule_features,
)
from pincite.judges.entailment.model import WEIGHTS, EntailmentModel
from pincite.judges.entailment.pairs import ModelPair, Slice, Tokenize, Tokens, read_pair
from pincite.judges.entailment.reasons import Alone, explain, speaks_against
from pincite.judges.entailment.relevance import by_meaning, foreign, needs_meaning, read_relevance
from pincite.judges.judge import Judge, Placement, unjudged
from pincite.judges.rules.breaks import only_stops
from pincite.judges.rules.foreign import judge_foreign
from pincite.judges.rules.judge import (
    ERROR,
    WARN,
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
from pincite.records import Outcome, Pair, Stage, Trace, Verdict
from pincite.text.language import language_doubt

NAME = "entailment/1"
EVEN = 0.5
VERBATIM = 0.99
"""What a claim gets at least that stands in the source word for word."""
MOST_UNKNOWN = 0.2
"""With a larger share of tokens that the model never saw, it would only guess."""
ALONE = 3
"""So many of the best sentences are judged alone too."""
CHUNK = 256
"""Pairs that are read at a time: what the model needs of them stays small, however many are asked."""


_lock = threading.Lock()


class Read(Struct, frozen=True):
    """A pair that rules and model can judge, as both read it."""

    place: int
    observed: Observed
    shown: ModelPair


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
            found = read_for_model(0, pair, ReadingRoom(), _tokenize)
            if isinstance(found, Verdict):
                return Trace((Stage(NAME, found.score),), (found.reason,))
            (seen,) = look([found], _model())
        return _trace(seen, _join())

    def _judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        room = ReadingRoom()
        found = [read_for_model(place, pair, room, _tokenize) for place, pair in enumerate(pairs)]
        verdicts = {place: one for place, one in enumerate(found) if isinstance(one, Verdict)}
        reads = [one for one in found if isinstance(one, Read)]
        for seen in look(reads, _model()) if reads else ():
            verdict, place = _decide(seen, _join()), seen.read.place
            asked = pairs[place].question
            verdicts[place] = as_consistency(verdict) if asked == "consistency" else verdict
        self._weigh_meaning(pairs, verdicts, room)
        return [verdicts[place] for place in range(len(pairs))]

    def _weigh_meaning(self, pairs: Sequence[Pair], verdicts: dict[int, Verdict], room: ReadingRoom) -> None:
        """Ask the model about the relevance that the words of a query did not show."""
        shown: dict[int, ModelPair] = {}
        for place, pair in enumerate(pairs):
            if needs_meaning(pair, verdicts[place]):
                doubt = foreign(pair)
                if doubt:
                    verdicts[place] = unjudged(doubt, "language", NAME)
                elif (read := read_relevance(pair, room, _model())) is not None:
                    shown[place] = read
        said = _model().compare(list(shown.values())) if shown else []
        for place, (_, alike) in zip(shown, said, strict=True):
            verdicts[place] = by_meaning(verdicts[place], alike)


def _tokenize(text: str, most: int) -> Tokens:
    """The model's tokenizer, which is not loaded before there is a pair to read."""
    return _model().tokenize(text, most)


def read_for_model(place: int, pair: Pair, room: ReadingRoom, tokenize: Tokenize) -> Read | Verdict:
    """The pair, read; or the verdict, where the model is not needed or of no use."""
    if pair.question == "relevance":
        return replace(judge_relevance(pair, room), judge=NAME)
    lacking = find_lacking(pair, room)
    if lacking:
        return unjudged(lacking, "empty", NAME)
    doubt = language_doubt(pair.claim, [passage.text for passage in pair.passages])
    if doubt:
        return judge_foreign(pair, room, doubt, NAME)
    observed = observe_pair(pair, room)
    shown = read_pair(observed, tokenize)
    tokens = shown.claim.last + sum(part.last - part.first for part in shown.evidence)
    unknown = shown.claim.unknown + sum(part.unknown for part in shown.evidence)
    if unknown > MOST_UNKNOWN * tokens:
        reason = f"the built-in judge does not know {unknown} of the {tokens} word pieces"
        return judge_foreign(pair, room, reason, NAME)
    return Read(place, observed, shown)


class Seen(Struct, frozen=True):
    """Everything that a verdict is made of."""

    read: Read
    values: Features
    """The features of the join, the rules' and the model's."""
    alone: Alone


def look(reads: Sequence[Read], model: EntailmentModel) -> list[Seen]:
    """The model is asked once: about each pair as a whole, and about each of its best sentences."""
    asked: list[ModelPair] = []
    parts = [_best_parts(read.shown) for read in reads]
    for read, best in zip(reads, parts, strict=True):
        asked.append(read.shown)
        asked += [ModelPair(read.shown.claim, (part,)) for part in best]
    said = iter([opinion(logits, alike) for logits, alike in model.compare(asked)])
    seen = []
    for read, best in zip(reads, parts, strict=True):
        together = next(said)
        alone = [(part, next(said)) for part in best]
        ours = model_features(together, [found for _, found in alone])
        seen.append(Seen(read, rule_features(read.observed) | ours, alone))
    return seen


def _best_parts(shown: ModelPair) -> list[Slice]:
    """The sentences that are judged alone too: none where there is but one."""
    if len(shown.evidence) < 2:
        return []
    return [part for part in shown.evidence if part.rank < ALONE]


def _decide(seen: Seen, join: Join) -> Verdict:
    observed = seen.read.observed
    support = join.support_of(seen.values)
    if observed.view.verbatim:
        support = max(support, VERBATIM)
    outcome: Outcome = "supported"
    if support < EVEN:
        denied = join.denial_of(seen.values) >= EVEN and not _only_stops(seen)
        outcome = "contradicted" if denied else "not_enough"
    # Where a rule names the very words that exclude each other, the model need not be sure as well.
    strength = named_alarm(observed)
    sure = outcome == "supported" or support <= join.sure or strength >= ERROR
    why = explain(outcome, sure, observed, seen.read.shown, seen.alone)
    named = strength >= WARN or bool(observed.of("close"))
    doubtful = join.warn < support < EVEN and not named
    passage, span = why.place or (None, None)
    told = (why.outcome, round(support, 4), why.reason, why.cause)
    return Verdict(*told, passage, span, *why.words, judge=NAME, sure=sure, doubtful=doubtful)


def _trace(seen: Seen, join: Join) -> Trace:
    """The rules' numbers, the model's for all sentences and each alone, and what the join makes of both."""
    observed, values = seen.read.observed, seen.values
    said = [(3 * values["model: support together"], "all sentences together")]
    for part, found in seen.alone:
        where = f", characters {part.span.start}-{part.span.end}" if part.span is not None else ""
        said.append((found.support, f"the sentence at passage {part.passage + 1}{where} alone"))
    denied, against = logistic(3 * values["model: denial together"]), "if not supported: contradicted"
    points = f"supported from 0.5; a warning up to {join.warn:g}, an error up to {join.sure:g}"
    stages = (
        *rule_stages(observed, named_alarm(observed)),
        *(Stage("model, supported", round(logistic(odds), 4), about) for odds, about in said),
        Stage("model, contradicted", round(denied, 4), against),
        Stage("join, supported", round(join.support_of(values), 4), points),
        Stage("join, contradicted", round(join.denial_of(values), 4), against),
    )
    return Trace(stages, list_observations(observed))


def _only_stops(seen: Seen) -> bool:
    """Whether the sentence that the model finds against the claim merely breaks off before it says it all."""
    view, place = seen.read.observed.view, speaks_against(seen.read.shown, seen.alone)
    return place is not None and only_stops(view.claim, view.passages[place[0]], place[1])


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

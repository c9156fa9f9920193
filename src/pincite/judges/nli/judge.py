"""Any other entailment model as the judge: `nli:FOLDER_OR_NAME`.

Each passage is shown to the model alone, in windows when it is long, and all passages together where they
fit. One stretch that entails the claim supports it. When none does, one that speaks against the claim makes
it contradicted; otherwise the evidence is not enough. Models with one output or two never call a claim
contradicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import attrgetter

import msgspec
from msgspec import Struct

from pincite.config import Settings
from pincite.judges.judge import Judge, Placement, unjudged
from pincite.judges.nli.folder import Head, Odds, hash_model, read_model_folder
from pincite.judges.nli.model import NliModel
from pincite.judges.nli.place import find_model, read_model_name
from pincite.judges.nli.windows import LEAST_ROOM, EvidenceWindow, Windows
from pincite.records import Outcome, Pair, Question, Span, Verdict

EVEN = 0.5
MOST_SENTENCES = 40
"""A window with more sentences is not narrowed to one of them."""


class ShownStretch(Struct, frozen=True):
    """A stretch of evidence that the model was shown, and what it made of it."""

    window: EvidenceWindow
    odds: Odds | None


def _combine(question: Question, shown: Sequence[ShownStretch], head: Head, judge: str) -> Verdict:
    """The verdict that all stretches together give."""
    told = [(piece.window, piece.odds) for piece in shown if piece.odds is not None]
    if len(told) < len(shown) or not told:
        return unjudged("the model gave no usable numbers for this pair", "error", judge)
    against = max(told, key=lambda piece: piece[1].contradicted)
    if question == "consistency":
        return _consistency(against, judge)
    supporting = [piece for piece in told if _supports(piece[1], head)]
    best = max(supporting or told, key=lambda piece: piece[1].supported)
    score = best[1].supported
    if supporting:
        window = best[0]
        what = "the passage entails"
        if window.passage is None:
            apart = (piece for piece in told if piece[0].passage is not None)
            window = max(apart, key=lambda piece: piece[1].supported)[0]
            what = "the passages together entail"
        return _verdict("supported", score, f"{what} the claim ({score:.2f} by the model)", window, judge)
    if head.sees_contradiction and _contradicts(against[1]):
        reason = f"the passage contradicts the claim ({against[1].contradicted:.2f} by the model)"
        return _verdict("contradicted", score, reason, against[0], judge)
    reason = f"nothing in the evidence entails the claim ({score:.2f} at best by the model)"
    return _verdict("not_enough", score, reason, best[0], judge)


def _supports(odds: Odds, head: Head) -> bool:
    if not head.sees_contradiction:
        return odds.supported >= EVEN
    return odds.supported >= max(odds.neutral, odds.contradicted)


def _contradicts(odds: Odds) -> bool:
    return odds.contradicted > max(odds.neutral, odds.supported)


def _consistency(against: tuple[EvidenceWindow, Odds], judge: str) -> Verdict:
    """Consistency asks only whether anything speaks against the claim: silence is consistent."""
    window, odds = against
    score = 1.0 - odds.contradicted
    if _contradicts(odds):
        reason = f"the passage contradicts the claim ({odds.contradicted:.2f} by the model)"
        return _verdict("contradicted", score, reason, window, judge)
    reason = "nothing in the passages contradicts the claim"
    return Verdict("supported", round(score, 4), reason, "entailment", judge=judge)


def _verdict(outcome: Outcome, score: float, reason: str, window: EvidenceWindow, judge: str) -> Verdict:
    span = None if window.passage is None else window.span
    return Verdict(outcome, round(score, 4), reason, "entailment", window.passage, span, judge=judge)


def _sentences_to_try(verdict: Verdict, shown: Sequence[ShownStretch]) -> tuple[Span, ...]:
    """The sentences of the decisive stretch, when there are several to choose from."""
    if verdict.outcome not in ("supported", "contradicted") or verdict.span is None:
        return ()
    for piece in shown:
        if piece.window.passage == verdict.passage and piece.window.span == verdict.span:
            sentences = piece.window.sentences
            return sentences if 1 < len(sentences) <= MOST_SENTENCES else ()
    return ()


def narrow(verdict: Verdict, sentences: Sequence[ShownStretch]) -> Verdict:
    """The verdict resting on its most telling sentence, when that alone decides as the whole did."""
    told = [(piece.window.span, piece.odds) for piece in sentences if piece.odds is not None]
    if not told:
        return verdict
    outcome = attrgetter("supported" if verdict.outcome == "supported" else "contradicted")
    span, odds = max(told, key=lambda piece: outcome(piece[1]))
    return msgspec.structs.replace(verdict, span=span) if outcome(odds) >= EVEN else verdict


_AT_ONCE = 512
"""Windows that are tokenised, sorted by length and run together."""


class ModelJudge(Judge):
    """Judges by an entailment model that somebody else trained. Never raises for what a pair contains."""

    waits = False
    placement: Placement = "process"
    computes_together = True

    def __init__(self, model: NliModel, name: str) -> None:
        self._model = model
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def megabytes(self) -> int:
        return self._model.megabytes

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        windows = Windows(self._model.tokens)
        refused = [self._refuse(pair) for pair in pairs]
        shown: list[list[ShownStretch]] = [[] for _ in pairs]
        waiting = self._questions(pairs, refused, windows)
        while batch := list(islice(waiting, _AT_ONCE)):
            odds = self._model.ask([(pairs[index].claim, window.text) for index, window in batch])
            for (index, window), found in zip(batch, odds, strict=True):
                shown[index].append(ShownStretch(window, found))
        verdicts = [
            refusal or _combine(pair.question, pieces, self._model.head, self._name)
            for pair, refusal, pieces in zip(pairs, refused, shown, strict=True)
        ]
        return self._narrowed(pairs, verdicts, shown)

    def _refuse(self, pair: Pair) -> Verdict | None:
        """Why a pair cannot be put to the model, if it cannot."""
        if pair.question == "relevance":
            reason = "an entailment model cannot tell whether an answer is relevant"
            return unjudged(reason, "question", self._name)
        if pair.question == "consistency" and not self._model.head.sees_contradiction:
            reason = "this model separates supported from unsupported, but cannot detect contradictions"
            return unjudged(reason, "question", self._name)
        if not any(map(str.isalnum, pair.claim)):
            return unjudged("the claim contains no words", "empty", self._name)
        if not any(any(map(str.isalnum, passage.text)) for passage in pair.passages):
            return unjudged("there is no text to judge the claim by", "empty", self._name)
        if self._model.tokens.room_for_evidence(pair.claim) < LEAST_ROOM:
            most = self._model.tokens.max_length
            reason = f"the claim is too long: the model reads {most} tokens of claim and evidence together"
            return unjudged(reason, "length", self._name)
        return None

    def _questions(
        self, pairs: Sequence[Pair], refused: Sequence[Verdict | None], windows: Windows
    ) -> Iterator[tuple[int, EvidenceWindow]]:
        for index, (pair, refusal) in enumerate(zip(pairs, refused, strict=True)):
            if refusal is None:
                room = self._model.tokens.room_for_evidence(pair.claim)
                for window in windows.of(pair.passages, room):
                    yield index, window

    def _narrowed(
        self, pairs: Sequence[Pair], verdicts: list[Verdict], shown: Sequence[Sequence[ShownStretch]]
    ) -> list[Verdict]:
        """The verdicts with the one sentence that they rest on, where it says as much alone."""
        tries = [
            (index, span)
            for index, verdict in enumerate(verdicts)
            for span in _sentences_to_try(verdict, shown[index])
        ]
        found: dict[int, list[ShownStretch]] = {}
        for first in range(0, len(tries), _AT_ONCE):
            batch = tries[first : first + _AT_ONCE]
            questions = []
            for index, span in batch:
                passage = pairs[index].passages[verdicts[index].passage or 0]
                questions.append((pairs[index].claim, span.of(passage.text)))
            for (index, span), odds in zip(batch, self._model.ask(questions), strict=True):
                found.setdefault(index, []).append(
                    ShownStretch(EvidenceWindow("", verdicts[index].passage, span), odds)
                )
        return [narrow(verdict, found.get(index, ())) for index, verdict in enumerate(verdicts)]


def make_model_judge(path_or_name: str, settings: Settings | None = None) -> ModelJudge:
    """The judge for what follows `nli:`, its model loaded; `JudgeError` says what is wrong with it."""
    place, stated = read_model_name(path_or_name)
    folder, shown, stated = find_model(place, stated, (settings or Settings()).online)
    model = read_model_folder(folder, stated)
    return ModelJudge(NliModel(model), f"nli:{shown}/{hash_model(model)}")

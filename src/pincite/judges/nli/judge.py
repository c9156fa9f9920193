"""Any other entailment model as the judge: `nli:FOLDER_OR_NAME`.

Each passage is shown to the model alone, in windows when it is long, and all passages together where they
fit. One stretch that entails the claim supports it. When none does, one that speaks against the claim makes
it contradicted; otherwise the evidence is not enough. Models with one output or two never call a claim
contradicted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.config import Settings
from pincite.judges.judge import Judge
from pincite.judges.nli.folder import fingerprint, read_folder
from pincite.judges.nli.hub import find_model
from pincite.judges.nli.model import EntailmentModel
from pincite.judges.nli.spec import read_name
from pincite.judges.nli.verdicts import Shown, decide, narrow, sentences_to_try, unjudged
from pincite.judges.nli.windows import LEAST_ROOM, Window, Windows
from pincite.records import Pair, Verdict

_AT_ONCE = 512
"""Windows that are tokenised, sorted by length and run together."""


class NliJudge(Judge):
    """Judges by an entailment model that somebody else trained. Never raises for what a pair contains."""

    waits = False

    def __init__(self, model: EntailmentModel, name: str) -> None:
        self._model = model
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict a pair, in order."""
        windows = Windows(self._model.tokens)
        refused = [self._refuse(pair) for pair in pairs]
        shown: list[list[Shown]] = [[] for _ in pairs]
        waiting = self._questions(pairs, refused, windows)
        while batch := list(islice(waiting, _AT_ONCE)):
            odds = self._model.ask([(pairs[index].claim, window.text) for index, window in batch])
            for (index, window), found in zip(batch, odds, strict=True):
                shown[index].append(Shown(window, found))
        verdicts = [
            refusal or decide(pair.question, pieces, self._model.head, self._name)
            for pair, refusal, pieces in zip(pairs, refused, shown, strict=True)
        ]
        return self._narrowed(pairs, verdicts, shown)

    def _refuse(self, pair: Pair) -> Verdict | None:
        """Why a pair cannot be put to the model, if it cannot."""
        if pair.question == "relevance":
            return unjudged(
                "an entailment model cannot tell whether an answer is relevant", "question", self._name
            )
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
    ) -> Iterator[tuple[int, Window]]:
        for index, (pair, refusal) in enumerate(zip(pairs, refused, strict=True)):
            if refusal is None:
                room = self._model.tokens.room_for_evidence(pair.claim)
                for window in windows.of(pair.passages, room):
                    yield index, window

    def _narrowed(
        self, pairs: Sequence[Pair], verdicts: list[Verdict], shown: Sequence[Sequence[Shown]]
    ) -> list[Verdict]:
        """The verdicts with the one sentence that they rest on, where it says as much alone."""
        tries = [
            (index, span)
            for index, verdict in enumerate(verdicts)
            for span in sentences_to_try(verdict, shown[index])
        ]
        found: dict[int, list[Shown]] = {}
        for first in range(0, len(tries), _AT_ONCE):
            batch = tries[first : first + _AT_ONCE]
            questions = []
            for index, span in batch:
                passage = pairs[index].passages[verdicts[index].passage or 0]
                questions.append((pairs[index].claim, span.of(passage.text)))
            for (index, span), odds in zip(batch, self._model.ask(questions), strict=True):
                found.setdefault(index, []).append(Shown(Window("", verdicts[index].passage, span), odds))
        return [narrow(verdict, found.get(index, ())) for index, verdict in enumerate(verdicts)]


def make_nli_judge(path_or_name: str, settings: Settings | None = None) -> NliJudge:
    """The judge for what stands behind `nli:`, its model loaded; `JudgeError` says what is wrong with it."""
    place, stated = read_name(path_or_name)
    folder, shown, stated = find_model(place, stated, (settings or Settings()).online)
    model = read_folder(folder, stated)
    return NliJudge(EntailmentModel(model), f"nli:{shown}/{fingerprint(model)}")

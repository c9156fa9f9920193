"""Retrieve, draft, check, repair: one question in, one `AnswerResult` out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import astuple, replace

from pincite.answering.backend import Backend, choose_grounding
from pincite.answering.compose import Prepared, Retrieved, prepare, prepare_draft
from pincite.answering.records import (
    CANNOT_ANSWER,
    GROUNDING_LEVELS,
    REFUSED,
    AnswerDraft,
    AnswerOptions,
    AnswerResult,
    BackendFailed,
    DraftRequest,
    Dropped,
    FailedSentence,
    Grounding,
    Status,
)
from pincite.answering.retrieve import refuse_question, retrieve, retrieve_with
from pincite.answering.sentence_checks import (
    Examined,
    answer_citations,
    answer_references,
    examine,
    whole_check,
    without_needless,
)
from pincite.config import Settings
from pincite.judges import Judge
from pincite.records import Usage
from pincite.sources import Library

if TYPE_CHECKING:
    from pincite.llm import UsageTally

NOTHING_FOUND = "no source speaks of what the question asks about"
NOT_SAID = "nothing that was retrieved answers the question"
NOTHING_LEFT = "no drafted sentence was supported by what it cites"


class Answerer:
    """Answers questions from one library with one backend and one judge."""

    def __init__(
        self, library: Library, backend: Backend, judge: Judge, settings: Settings, options: AnswerOptions
    ) -> None:
        self.library = library
        self.backend = backend
        self.judge = judge
        self.settings = settings
        self.options = options
        self.grounding: Grounding = choose_grounding(backend, options.cite, options.grounding)

    async def answer(self, question: str) -> AnswerResult:
        """The answer, whatever came of it; only bad input raises."""
        work = self.begin(question)
        if not work.retrieved.passages:
            return work.without_answer(NOTHING_FOUND)
        try:
            draft = await self.backend.draft(work.request)
        except BackendFailed as error:
            return work.failed(error)
        work.read(draft)
        sentences = prepare_draft(
            draft, work.retrieved, self.options.max_sentences, work.dropped, work.strict
        )
        if not sentences:
            return work.without_answer(NOT_SAID if not draft.answerable else NOTHING_LEFT)
        examined = await work.examine(sentences)
        sentences = without_needless(sentences, examined.checks, work.dropped)
        for _ in range(self.options.repairs):
            failed = [index for index, check in enumerate(examined.checks) if not check.ok]
            repaired = await work.repair(sentences, examined, failed) if failed else None
            if repaired is None:
                break
            examined = await work.examine(repaired)
            sentences = without_needless(repaired, examined.checks, work.dropped)
        return await work.finish(sentences)

    def begin(self, question: str) -> Work:
        """Retrieve, and get everything ready for one question."""
        refuse_question(question)
        library = self.library
        if self.options.retriever is None:
            passages = retrieve(question, library, self.options.passages)
        else:
            passages, library = retrieve_with(
                self.options.retriever, question, library, self.options.passages
            )
        request = DraftRequest(
            question=question,
            passages=passages,
            grounding=self.grounding,
            quotes=self.options.cite == "quotes",
            max_sentences=self.options.max_sentences,
            seed=self.options.seed,
        )
        return Work(self, request, Retrieved(passages, library), library)


class Work:
    """One question on its way: what was retrieved, and what was dropped so far."""

    def __init__(
        self, answerer: Answerer, request: DraftRequest, retrieved: Retrieved, library: Library
    ) -> None:
        self.options = answerer.options
        self.backend = answerer.backend
        self.judge = answerer.judge
        self.request = request
        self.retrieved = retrieved
        self.library = library
        self.dropped: list[Dropped] = []
        self.problems: tuple[str, ...] = ()
        self.repaired = 0
        self.strict = request.quotes
        self.grounding: Grounding = request.grounding
        self._settings = replace(whole_check(answerer.settings), attach="sentence")
        self._examined: tuple[tuple[Prepared, ...], Examined] | None = None
        self._before = answerer.backend.usage + answerer.judge.usage
        self._tally: UsageTally | None = None
        if answerer.backend.at_once > 1:
            from pincite.llm import tally_usage

            self._tally = tally_usage()

    def read(self, draft: AnswerDraft) -> None:
        """Keep what a draft says about itself: the weakest grounding of any part of the answer."""
        self.problems += draft.problems
        taken = draft.grounding or self.grounding
        both = {self.grounding, taken}
        self.grounding = max(both, key=GROUNDING_LEVELS.index) if both <= set(GROUNDING_LEVELS) else taken

    async def examine(self, sentences: Sequence[Prepared]) -> Examined:
        """The check of these sentences; the same sentences again are not checked again."""
        if self._examined is None or self._examined[0] != tuple(sentences):
            question, cite = self.request.question, self.options.cite
            checked = await examine(question, sentences, cite, self.library, self.judge, self._settings)
            self._examined = (tuple(sentences), checked)
        return self._examined[1]

    async def repair(
        self, sentences: Sequence[Prepared], examined: Examined, failed: Sequence[int]
    ) -> list[Prepared] | None:
        """The sentences with those that failed written again; None where the backend has nothing better.

        A failure here costs only the repairing: the sentences that failed are dropped or marked as they are.
        """
        told = tuple(
            FailedSentence(
                sentences[index].text,
                examined.checks[index].reason,
                tuple(dict.fromkeys(place.passage for place in sentences[index].places)),
            )
            for index in failed
        )
        try:
            draft: AnswerDraft = await self.backend.draft(replace(self.request, failed=told))
        except BackendFailed as error:
            self.problems += (f"repairing failed: {error}",)
            return None
        self.read(draft)
        if not draft.sentences:
            return None
        self.repaired += len(failed)
        repaired = list(sentences)
        for index, sentence in zip(failed, draft.sentences, strict=False):
            again = prepare(sentence, self.retrieved, self.dropped, self.strict)
            if again is not None and not any(again.text == one.text for one in repaired):
                self.dropped.append(Dropped("sentence", repaired[index].text, examined.checks[index].reason))
                repaired[index] = replace(again, paragraph=repaired[index].paragraph)
        return repaired

    async def finish(self, sentences: Sequence[Prepared]) -> AnswerResult:
        """Drop, mark or refuse what still fails, until all that is left holds."""
        kept = list(sentences)
        while kept:
            examined = await self.examine(kept)
            checks = list(enumerate(examined.checks))
            bad = [i for i, one in checks if one.unreadable or not (one.ok or kept[i].marked)]
            if not bad:
                return self.result(examined)
            policy = self.options.on_unsupported
            if policy == "mark":
                unreadable = [i for i in bad if examined.checks[i].unreadable]
                if not unreadable:
                    kept = [replace(one, marked=one.marked or i in bad) for i, one in enumerate(kept)]
                    continue
                bad = unreadable
            self.dropped += [Dropped("sentence", kept[i].text, examined.checks[i].reason) for i in bad]
            if policy == "refuse":
                first = examined.checks[bad[0]].reason
                return self._bare(REFUSED, "refused", f"{len(bad)} of {len(kept)} sentences failed: {first}")
            kept = [one for i, one in enumerate(kept) if i not in bad]
        return self.without_answer(NOTHING_LEFT)

    def result(self, examined: Examined, status: Status = "answered", reason: str = "") -> AnswerResult:
        """The result of a text that was examined as a whole."""
        bare = self._bare(examined.composed.text, status, reason)
        return replace(
            bare,
            citations=answer_citations(examined, self.library),
            references=answer_references(examined.composed, self.library),
            report=examined.report,
        )

    def without_answer(self, reason: str) -> AnswerResult:
        """That the sources do not say is a result like any other."""
        return self._bare(CANNOT_ANSWER, "cannot_answer", reason)

    def failed(self, failed: BackendFailed) -> AnswerResult:
        """No whole draft: never an answer, and never half of one."""
        return self._bare("", "failed", str(failed))

    def _usage(self) -> Usage:
        """What this question took. Where others are answered beside it, only what was counted for it."""
        if self._tally is not None:
            return self._tally.total
        return _since(self._before, self.backend.usage + self.judge.usage)

    def _bare(self, text: str, status: Status, reason: str) -> AnswerResult:
        return AnswerResult(
            question=self.request.question,
            text=text,
            status=status,
            reason=reason,
            dropped=tuple(self.dropped),
            grounding=self.grounding,
            cite=self.options.cite,
            model=self.backend.name,
            judge=self.judge.name,
            repaired=self.repaired,
            problems=self.problems,
            usage=self._usage(),
            passages=self.retrieved.passages,
        )


def _since(before: Usage, now: Usage) -> Usage:
    """What was taken between two counts; no cost where either is unknown."""
    counts: Any = zip(astuple(before), astuple(now), strict=True)
    taken: Any = (None if old is None or new is None else new - old for old, new in counts)
    return Usage(*taken)

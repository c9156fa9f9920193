"""A language model as a judge.

All pairs of one question go to the model in one call, and the questions at once. What cannot be read in the
reply is asked again, and nothing else is. A pair that stays without a readable verdict is unjudged, with what
the model said instead; it is never a low score.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincite.config import Settings
from pincite.judges.judge import Judge, unjudged
from pincite.judges.llm.prompt_batch import PromptBatch, has_words, prompt_file, split_pairs, write_batch
from pincite.judges.llm.replies import ItemAnswer, read_verdicts, shown_reply
from pincite.judges.quotes import find_quote
from pincite.llm import (
    CachedCaller,
    Caller,
    CallFailed,
    Prompt,
    ReplyCache,
    in_a_line,
    make_client,
    open_cache,
)
from pincite.records import Pair, Question, Usage, Verdict

LONGEST_REASON = 300


class NoAnswer(Struct, frozen=True):
    """Why a pair has no answer."""

    reason: str
    cause: str


ItemResult = ItemAnswer | NoAnswer


class _Got(Struct, frozen=True):
    """What came of one prompt: a text to be read, a failure, or both where a reply was cut off."""

    text: str
    failure: NoAnswer | None = None


def make_llm_judge(model: str, settings: Settings) -> LlmJudge:
    """The judge that asks this model, with the cache and the limits of the settings."""
    return LlmJudge(
        make_client(model, settings),
        open_cache(settings),
        retry_attempts=settings.llm.retry_attempts,
        max_prompt_chars=settings.llm.max_prompt_chars,
        fallback=settings.errors.fallback_scoring,
    )


class LlmJudge(Judge):
    """Judges by asking a language model. Never raises for what a pair or a reply contains."""

    def __init__(
        self,
        caller: Caller,
        cache: ReplyCache | None = None,
        *,
        retry_attempts: int = 3,
        max_prompt_chars: int = 48_000,
        fallback: float | None = None,
    ) -> None:
        self._caller = CachedCaller(caller, cache)
        self._retries = retry_attempts
        self._most_chars = max_prompt_chars
        self._fallback = fallback
        """The score of a pair that the model failed to judge; None leaves it unjudged."""

    @property
    def name(self) -> str:
        """The model and the prompt of support. A verdict on another question names that one's prompt."""
        return self._name("support")

    @property
    def usage(self) -> Usage:
        return self._caller.usage

    async def close(self) -> None:
        self._caller.close()

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """One verdict per pair, in order. The same pair given twice is asked about once."""
        verdicts: dict[Pair, Verdict] = {}
        groups = self._groups(pairs, verdicts)
        replies = await asyncio.gather(*(self._ask(group) for group in groups))
        for group, told in zip(groups, replies, strict=True):
            for pair, one in zip(group, told, strict=True):
                verdicts[pair] = self._verdict(pair, one)
        return [verdicts[pair] for pair in pairs]

    def prompts(self, pairs: Sequence[Pair]) -> list[Prompt]:
        """What is sent for these pairs if all goes well and without what is cached: so it can be priced."""
        batches = [write_batch(group[0].question, group) for group in self._groups(pairs, {})]
        return [batch.prompt for batch in batches if self._caller.look_up(batch.prompt) is None]

    def _groups(self, pairs: Sequence[Pair], verdicts: dict[Pair, Verdict]) -> list[list[Pair]]:
        """The pairs that one prompt each can ask about; those that none can have their verdict at once."""
        by_question: dict[Question, list[Pair]] = {}
        for pair in dict.fromkeys(pairs):
            lacking = _lacking(pair)
            if lacking:
                verdicts[pair] = self._unjudged(pair, NoAnswer(lacking, "empty"))
            else:
                by_question.setdefault(pair.question, []).append(pair)
        groups: list[list[Pair]] = []
        for question, asked in by_question.items():
            numbers = split_pairs(question, asked, self._most_chars)
            groups += [[asked[number] for number in group] for group in numbers]
            for number in set(range(len(asked))).difference(*numbers):
                pair = asked[number]
                verdicts[pair] = self._unjudged(pair, NoAnswer(_too_long(pair, self._most_chars), "length"))
        return groups

    # --- asking the model ------------------------------------------------------------------------

    async def _ask(self, pairs: Sequence[Pair]) -> list[ItemResult]:
        """One answer or failure per pair, in order. The pairs are of one question and fit one prompt.

        What a reply leaves unread is asked again in a new prompt that says what was wrong.
        """
        question = pairs[0].question
        first = batch = write_batch(question, pairs)
        kept = self._caller.take(first.prompt)
        told: dict[int, ItemResult] = {}
        waiting = list(range(len(pairs)))
        got = await self._call(first.prompt) if kept is None else _Got(kept)
        at_first = got.text
        attempt = 1
        while True:
            read = read_verdicts(got.text, len(waiting), batch.outcomes, grades=question == "grounding")
            for item, answer in read.answers.items():
                told[waiting[item - 1]] = _as_own(answer, batch, item)
            for item, complaint in read.complaints.items():
                unread = _with_reply(f"the model's reply could not be read: {complaint}", got.text)
                told[waiting[item - 1]] = got.failure or NoAnswer(unread, "reply")
            # A call that failed has been tried again often enough; one that gave something may give more.
            stuck = got.failure is not None and not read.answers
            if not read.complaints or stuck or attempt > self._retries:
                break
            attempt += 1
            waiting = [waiting[item - 1] for item in sorted(read.complaints)]
            complaints = {number: said for number, (_, said) in enumerate(sorted(read.complaints.items()), 1)}
            batch = write_batch(question, [pairs[index] for index in waiting], complaints, attempt)
            got = await self._call(batch.prompt)
        self._keep(first, kept, at_first if batch is first else None, told)
        return [told[index] for index in range(len(pairs))]

    async def _call(self, prompt: Prompt) -> _Got:
        try:
            return _Got(await self._caller.caller.call(prompt))
        except CallFailed as failed:
            failure = NoAnswer(_with_reply(str(failed), failed.reply), failed.cause)
            return _Got((failed.reply or "") if failed.cause == "length" else "", failure)
        except Exception as error:  # the pairs of other prompts must not be lost with these
            # Its message is not repeated: nobody has looked through it for a key.
            return _Got("", NoAnswer(f"the call of the model failed: {type(error).__name__}", "error"))

    def _keep(
        self, first: PromptBatch, kept: str | None, only: str | None, told: Mapping[int, ItemResult]
    ) -> None:
        """Put what could be read in the cache, under the first prompt: asked anew, that one suffices.

        `only` is the one reply that was needed; where there were several, what they add up to is kept.
        """
        answers = {index: one for index, one in told.items() if isinstance(one, ItemAnswer)}
        if not answers:
            return
        text = only if only is not None and len(answers) == len(told) else _as_reply(first, answers)
        if text != kept:
            self._caller.keep(first.prompt, text)

    # --- verdicts --------------------------------------------------------------------------------

    def _verdict(self, pair: Pair, told: ItemResult) -> Verdict:
        if isinstance(told, NoAnswer):
            return self._unjudged(pair, told) if self._fallback is None else self._fallen_back(pair, told)
        reason = (
            shown_reply(told.reason, LONGEST_REASON) or f"the model says {told.outcome.replace('_', ' ')}"
        )
        passage, span = told.passage, None
        if told.quote is not None:
            place = find_quote(told.quote, pair.passages, passage)
            if place is not None:
                passage, span = place
            else:
                reason += " (the words it quotes are not in the passages)"
        judge = self._name(pair.question)
        return Verdict(told.outcome, told.score, reason, "model", passage, span, judge=judge)

    def _unjudged(self, pair: Pair, failure: NoAnswer) -> Verdict:
        return unjudged(failure.reason, failure.cause, self._name(pair.question))

    def _fallen_back(self, pair: Pair, failure: NoAnswer) -> Verdict:
        score = self._fallback or 0.0
        reason = f"not judged, scored {score:g} by errors.fallback_scoring: {failure.reason}"
        return Verdict("unjudged", score, reason, "fallback", judge=self._name(pair.question))

    def _name(self, question: Question) -> str:
        model = self._caller.caller.identity.get("model", "unnamed")
        return f"llm:{model} {prompt_file(question).name}"


def _lacking(pair: Pair) -> str:
    """What a pair lacks to be judged at all, or nothing."""
    shows = any(has_words(passage.text) for passage in pair.passages)
    if pair.question == "relevance":
        if not has_words(pair.query or ""):
            return "there is no query to be relevant to"
        return "" if shows or has_words(pair.claim) else "there is no text to judge"
    if not has_words(pair.claim):
        return "the claim contains no words"
    return "" if shows else "there is no text to judge the claim by"


def _too_long(pair: Pair, most: int) -> str:
    size = len(pair.claim) + sum(len(passage.text) + len(passage.context) for passage in pair.passages)
    return (
        f"the claim and its evidence have {size:,} characters, and one prompt takes {most:,}: cite a "
        "narrower place, or raise llm.max_prompt_chars if the model can read more"
    )


def _with_reply(reason: str, reply: str | None) -> str:
    """The reason, with what the model said instead unless the reason says it already."""
    kept = shown_reply(reply or "")
    told = kept in reason or in_a_line(reply or "") in reason
    return reason if told else f"{reason.rstrip()}; it replied: {kept}"


def _as_own(answer: ItemAnswer, batch: PromptBatch, item: int) -> ItemAnswer:
    """The answer with its passage as an index among the pair's own; None for one that is not of this item."""
    own = batch.passages[item - 1]
    number = answer.passage
    reason = f"{answer.reason} ({answer.note})".lstrip() if answer.note else answer.reason
    index = own.index(number) if number is not None and number in own else None
    return replace(answer, passage=index, reason=reason, note="")


def _as_reply(batch: PromptBatch, answers: Mapping[int, ItemAnswer]) -> str:
    """What several replies said, as the one reply to the first prompt that they add up to."""
    verdicts = [
        {
            "item": index + 1,
            "outcome": answer.outcome,
            "score": answer.score,
            "reason": answer.reason,
            "passage": None if answer.passage is None else batch.passages[index][answer.passage],
            "quote": answer.quote,
        }
        for index, answer in sorted(answers.items())
    ]
    return json.dumps({"verdicts": verdicts})

"""Puts the pairs of one prompt to a language model until each has an answer, or a reason why it has none."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from pincite.errors import JudgeError
from pincite.judges.cache import ReplyCache, reply_key
from pincite.judges.judge import Prompt
from pincite.judges.llm.bodies import in_a_line
from pincite.judges.llm.budget import tell_usage
from pincite.judges.llm.prompting import Sheet, write_sheet
from pincite.judges.llm.replies import ItemAnswer, read_reply, shown
from pincite.records import Pair, Usage


class CallFailed(JudgeError):
    """A call that gave nothing, after every retry that made sense. The message never holds a key."""

    def __init__(self, reason: str, cause: str = "error", reply: str | None = None) -> None:
        super().__init__(reason)
        self.cause = cause
        """timeout, connection, rate_limit, server, auth, refusal, empty, length, budget, error."""
        self.reply = reply
        """What the model sent instead, where it sent anything."""


class Caller(Protocol):
    """Sends prompts to one model with one set of parameters."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything about the caller that changes a reply: model, endpoint, parameters. Never the key."""

    @property
    def usage(self) -> Usage:
        """What was taken since the caller was made, failed requests too."""

    async def call(self, prompt: Prompt) -> str:
        """The model's reply, or `CallFailed`."""


class NoAnswer(Struct, frozen=True):
    """Why a pair has no answer."""

    reason: str
    cause: str


Told = ItemAnswer | NoAnswer


class _Got(Struct, frozen=True):
    """What came of one prompt: a text to be read, a failure, or both where a reply was cut off."""

    text: str
    failure: NoAnswer | None = None


class Asker:
    """Asks one model, and the cache before it."""

    def __init__(self, caller: Caller, cache: ReplyCache | None, retry_attempts: int) -> None:
        self._caller = caller
        self._cache = cache
        self._retries = retry_attempts
        self._hits = 0

    @property
    def model(self) -> str:
        return str(self._caller.identity.get("model", "unnamed"))

    @property
    def usage(self) -> Usage:
        return self._caller.usage + Usage(cache_hits=self._hits)

    def cached(self, prompt: Prompt) -> str | None:
        return self._cache.get(self._key(prompt)) if self._cache is not None else None

    def close(self) -> None:
        if self._cache is not None:
            self._cache.close()

    async def ask(self, pairs: Sequence[Pair]) -> list[Told]:
        """One answer or failure per pair, in order. The pairs are of one question and fit one prompt.

        What a reply leaves unread is asked again in a new prompt that says what was wrong.
        """
        question = pairs[0].question
        first = sheet = write_sheet(question, pairs)
        kept = self.cached(first.prompt)
        told: dict[int, Told] = {}
        waiting = list(range(len(pairs)))
        if kept is None:
            got = await self._call(first.prompt)
        else:
            got = _Got(kept)
            self._hits += 1
            tell_usage(Usage(cache_hits=1))
        at_first = got.text
        attempt = 1
        while True:
            read = read_reply(got.text, len(waiting), sheet.outcomes, grades=question == "grounding")
            for item, answer in read.answers.items():
                told[waiting[item - 1]] = _as_own(answer, sheet, item)
            for item, complaint in read.complaints.items():
                told[waiting[item - 1]] = got.failure or _unread(complaint, got.text)
            # A call that failed has been tried again often enough; one that gave something may give more.
            stuck = got.failure is not None and not read.answers
            if not read.complaints or stuck or attempt > self._retries:
                break
            attempt += 1
            waiting = [waiting[item - 1] for item in sorted(read.complaints)]
            complaints = {number: said for number, (_, said) in enumerate(sorted(read.complaints.items()), 1)}
            sheet = write_sheet(question, [pairs[index] for index in waiting], complaints, attempt)
            got = await self._call(sheet.prompt)
        self._keep(first, kept, at_first if sheet is first else None, told)
        return [told[index] for index in range(len(pairs))]

    async def _call(self, prompt: Prompt) -> _Got:
        try:
            return _Got(await self._caller.call(prompt))
        except CallFailed as failed:
            failure = NoAnswer(_with_reply(str(failed), failed.reply), failed.cause)
            return _Got((failed.reply or "") if failed.cause == "length" else "", failure)
        except Exception as error:  # the pairs of other prompts must not be lost with these
            # Its message is not repeated: nobody has looked through it for a key.
            return _Got("", NoAnswer(f"the call of the model failed: {type(error).__name__}", "error"))

    def _keep(self, first: Sheet, kept: str | None, only: str | None, told: Mapping[int, Told]) -> None:
        """Put what could be read in the cache, under the first prompt: asked anew, that one suffices.

        `only` is the one reply that was needed; where there were several, what they add up to is kept.
        """
        answers = {index: one for index, one in told.items() if isinstance(one, ItemAnswer)}
        if self._cache is None or not answers:
            return
        text = only if only is not None and len(answers) == len(told) else _as_reply(first, answers)
        if text != kept:
            self._cache.put(self._key(first.prompt), text)

    def _key(self, prompt: Prompt) -> str:
        return reply_key(self._caller.identity, prompt)


def _unread(complaint: str, text: str) -> NoAnswer:
    return NoAnswer(_with_reply(f"the model's reply could not be read: {complaint}", text), "reply")


def _with_reply(reason: str, reply: str | None) -> str:
    """The reason, with what the model said instead unless the reason says it already."""
    kept = shown(reply or "")
    told = kept in reason or in_a_line(reply or "") in reason
    return reason if told else f"{reason.rstrip()}; it replied: {kept}"


def _as_own(answer: ItemAnswer, sheet: Sheet, item: int) -> ItemAnswer:
    """The answer with its passage as an index among the pair's own; None for one that is not of this item."""
    own = sheet.passages[item - 1]
    number = answer.passage
    reason = f"{answer.reason} ({answer.note})".lstrip() if answer.note else answer.reason
    index = own.index(number) if number is not None and number in own else None
    return replace(answer, passage=index, reason=reason, note="")


def _as_reply(sheet: Sheet, answers: Mapping[int, ItemAnswer]) -> str:
    """What several replies said, as the one reply to the first prompt that they add up to."""
    verdicts = [
        {
            "item": index + 1,
            "outcome": answer.outcome,
            "score": answer.score,
            "reason": answer.reason,
            "passage": None if answer.passage is None else sheet.passages[index][answer.passage],
            "quote": answer.quote,
        }
        for index, answer in sorted(answers.items())
    ]
    return json.dumps({"verdicts": verdicts})

"""What all callers of language models have in common: limits, retries, the budget and the count."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from typing import Any

from pincite.config import LlmSettings
from pincite.errors import MissingExtraError
from pincite.judges.llm.budget import Estimate, Meter, count_tokens, refuse_unknown_price, reply_tokens
from pincite.judges.llm.calls import CallFailed, Prompt, Reply
from pincite.judges.llm.dialect import Request, parameters, to_leave_out
from pincite.judges.llm.exchange import exchange
from pincite.judges.llm.keys import Endpoint
from pincite.judges.llm.limits import LONGEST_WAIT, Pace, pause
from pincite.judges.llm.prices import find_price
from pincite.judges.llm.session import Session, Sessions
from pincite.judges.llm.wire import Failure, Heard, whole_text
from pincite.records import Usage


class SdkCaller(ABC):
    """Calls one model through an SDK that a subclass knows how to talk to."""

    library = ""
    extra = ""

    def __init__(self, endpoint: Endpoint, settings: LlmSettings) -> None:
        if find_spec(self.library) is None:
            raise MissingExtraError(
                f"asking {endpoint.model!r} needs the {self.library} library: "
                f"pip install 'pincite[{self.extra}]'"
            )
        price = find_price(endpoint.model, settings.prices)
        refuse_unknown_price(endpoint.model, price, settings.max_cost)
        self._endpoint = endpoint
        self._settings = settings
        self._meter = Meter(price, settings.max_tokens, settings.max_tokens_total, settings.max_cost)
        self._pace = Pace(settings.requests_per_minute)
        self._sessions = Sessions(self._make_client, settings.max_in_flight)
        self._not_understood: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._endpoint.model!r} at {self._endpoint.host})"

    @property
    def identity(self) -> dict[str, Any]:
        return {
            "protocol": self._endpoint.kind,
            "endpoint": self._endpoint.base_url,
            "model": self._endpoint.model,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }

    @property
    def usage(self) -> Usage:
        """Everything that was taken since the caller was made, failed requests too.

        Where an endpoint tells no bill, tokens are guessed as `llm_budget.count_tokens` does.
        """
        return self._meter.usage

    def estimate(self, prompts: Iterable[Prompt]) -> Usage:
        """What prompts take at most, one request each; see `transport.estimate`."""
        return self._meter.total(prompts)

    async def call(self, prompt: Prompt) -> Reply:
        """The model's reply, after as many retries as make sense, or `CallFailed`."""
        taken, attempt = Usage(), 0
        left_out: set[str] = set()
        async with self._sessions.use() as session:
            while True:
                body = self._body(self._asked(prompt), self._not_understood | left_out)
                outcome, used = await self._request(session, body, self._meter.estimate(prompt))
                taken += used
                if isinstance(outcome, Heard):
                    self._not_understood |= left_out
                    return Reply(outcome.text, taken)
                odd = to_leave_out(outcome.status, outcome.reason, parameters(body))
                if odd is not None:
                    left_out.add(odd)
                    continue
                seconds = pause(attempt) if outcome.wait is None else outcome.wait
                if not outcome.again or attempt >= self._settings.retry_attempts or seconds > LONGEST_WAIT:
                    break
                attempt += 1
                await asyncio.sleep(seconds)
        raise self._failed(outcome, taken.requests)

    def _failed(self, failure: Failure, requests: int) -> CallFailed:
        reason = failure.reason
        if failure.wait is not None and failure.wait > LONGEST_WAIT:
            reason += (
                f"; it asks to wait {failure.wait:.0f} s, and {LONGEST_WAIT:.0f} s is the most Pincite waits"
            )
        if requests > 1:
            reason += f" (after {requests} requests)"
        return CallFailed(f"{self._endpoint.host}: {reason}", failure.cause, failure.reply)

    async def _request(
        self, session: Session, body: dict[str, Any], expected: Estimate
    ) -> tuple[Heard | Failure, Usage]:
        """One request within all limits, and what it took."""
        async with session.turns:
            while self._meter.must_wait(expected):
                await session.someone_settles()
            refused = self._meter.refusal(expected)
            if refused is not None:
                return Failure(refused, "budget"), Usage()
            self._meter.begin(expected)
            # What is counted when the task is cancelled on its way.
            outcome: Heard | Failure = Failure("the call was cancelled", "error", taken=True)
            sent = False
            try:
                await asyncio.sleep(self._pace.take_turn())
                while (held := self._pace.held()) > 0:
                    await asyncio.sleep(held)
                sent = True
                to_come = self._send(session.client, body)
                outcome = await exchange(to_come, self._endpoint, self._settings.timeout_seconds)
            finally:
                used = self._count(expected, outcome) if sent else self._meter.cancel(expected)
                session.settle()
            if isinstance(outcome, Failure) and outcome.wait is not None and outcome.wait <= LONGEST_WAIT:
                self._pace.hold(outcome.wait)
            return outcome, used

    def _count(self, expected: Estimate, outcome: Heard | Failure) -> Usage:
        """Count a request: by its bill, else as far as can be guessed."""
        if isinstance(outcome, Heard):
            bill, taken, text = outcome, True, outcome.text
        else:
            bill, taken, text = outcome.bill or Heard(""), outcome.taken, outcome.reply or ""
        asked, replied = bill.input_tokens, bill.output_tokens
        if asked is None:
            asked = expected.input_tokens if taken else 0
        if replied is None:
            replied = count_tokens(text) if taken else 0
        return self._meter.end(expected, asked, replied, bill.cost)

    def _asked(self, prompt: Prompt) -> Request:
        return Request(
            model=self._endpoint.model,
            system=whole_text(prompt.system),
            user=whole_text(prompt.user),
            tokens=reply_tokens(self._settings.max_tokens, prompt.pairs),
            temperature=self._settings.temperature,
            schema=prompt.schema,
            name=re.sub(r"[^A-Za-z0-9_-]", "_", prompt.name)[:64] or "reply",
            stream=self._settings.stream,
        )

    # --- what a subclass knows -------------------------------------------------------------------

    @abstractmethod
    def _make_client(self) -> Any:
        """A new client of the SDK."""

    @abstractmethod
    def _body(self, request: Request, left_out: Collection[str]) -> dict[str, Any]:
        """The request in the endpoint's protocol, without what it does not understand."""

    @abstractmethod
    def _send(self, client: Any, body: dict[str, Any]) -> AbstractAsyncContextManager[Any]:
        """The response to come, to be entered."""

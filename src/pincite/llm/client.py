"""Calls of language models through the official SDKs, within limits, a budget and a number of retries.

The SDKs connect, authenticate and stream. Retries are ours, so that every request is counted; so is the
reading of replies, so that each way to fail has a cause. No key reaches an identity, a text or an exception.
"""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msgspec.structs import replace

from pincite.config import LlmSettings, Settings
from pincite.errors import JudgeError, MissingExtraError
from pincite.llm.budget import Budget, CallEstimate, count_tokens, find_price, require_price
from pincite.llm.endpoint import Endpoint, find_endpoint, stays_here
from pincite.llm.exchange import EventListener, exchange, request_body, to_leave_out
from pincite.llm.prompt import Prompt
from pincite.llm.rate_limit import LONGEST_WAIT, RateLimiter, Session, Sessions, backoff
from pincite.llm.replies import LlmReply, RequestFailure
from pincite.records import Usage

NO_KEY = "no-key"
"""The SDKs want a key even where none is sent."""


class CallFailed(JudgeError):
    """A call that gave nothing, after every retry that made sense. The message never holds a key."""

    def __init__(self, reason: str, cause: str = "error", reply: str | None = None) -> None:
        super().__init__(reason)
        self.cause = cause
        """timeout, connection, rate_limit, server, auth, refusal, empty, length, budget, error."""
        self.reply = reply
        """What the model sent instead, where it sent anything."""


def make_client(
    model: str,
    settings: Settings | None = None,
    environment: Mapping[str, str] | None = None,
    responses: bool = False,
) -> LlmClient:
    """The caller of the model named as in `llm:MODEL`, or a `JudgeError` that says what is missing.

    `claude-…` (without a base URL) and `anthropic:MODEL` go through Anthropic's SDK, all others through
    OpenAI's. Keys are read from the environment alone. `responses` speaks OpenAI's Responses API.
    """
    llm = (settings or Settings()).llm
    given = os.environ if environment is None else environment
    endpoint = find_endpoint(model, llm.base_url, given)
    return LlmClient(replace(endpoint, responses=responses) if responses else endpoint, llm)


class LlmClient:
    """Calls one model through the SDK of its endpoint's protocol."""

    def __init__(self, endpoint: Endpoint, settings: LlmSettings) -> None:
        if find_spec(endpoint.kind) is None:
            extra = "llm" if endpoint.kind == "openai" else endpoint.kind
            raise MissingExtraError(
                f"asking {endpoint.model!r} needs the {endpoint.kind} library: pip install 'pincite[{extra}]'"
            )
        price = find_price(endpoint.model, settings.prices)
        require_price(endpoint.model, price, settings.max_cost)
        self.endpoint = endpoint
        """Where the model is asked, and with which key, which it does not show."""
        self._settings = settings
        self._budget = Budget(price, settings.max_tokens, settings.max_tokens_total, settings.max_cost)
        self._rate = RateLimiter(settings.requests_per_minute)
        self._sessions = Sessions(self._make_client, settings.max_in_flight)
        self.kind = endpoint.kind
        """Whose protocol it speaks."""
        self.not_understood: frozenset[str] = frozenset()
        """The parameters that the endpoint turned out not to know."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.endpoint.model!r} at {self.endpoint.host})"

    @property
    def identity(self) -> dict[str, Any]:
        return {
            "protocol": self.endpoint.protocol,
            "endpoint": self.endpoint.base_url,
            "model": self.endpoint.model,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }

    @property
    def usage(self) -> Usage:
        """Everything taken since the caller was made, failed requests too.

        Where an endpoint sends no bill, tokens are guessed as `budget.count_tokens` does.
        """
        return self._budget.usage

    async def call(self, prompt: Prompt) -> str:
        """The model's reply, after as many retries as make sense, or `CallFailed`."""
        return (await self.fetch(prompt)).text

    async def fetch(self, prompt: Prompt, listener: EventListener | None = None) -> LlmReply:
        """The same with all that came with it. A `listener` hears the reply as it comes.

        Once it has made something of what it heard, no request is sent again: what was shown stays true.
        """
        requests = attempt = 0
        left_out: set[str] = set()
        async with self._sessions.use() as session:
            while True:
                left = self.not_understood | left_out
                body = request_body(self.endpoint, prompt, self._settings, left, listener is not None)
                outcome, used = await self._request(session, body, self._budget.estimate(prompt), listener)
                requests += used.requests
                if isinstance(outcome, LlmReply):
                    self.not_understood |= left_out
                    return outcome
                if listener is not None and listener.committed:
                    break
                odd = to_leave_out(outcome, body)
                if odd is not None:
                    left_out.add(odd)
                    continue
                seconds = backoff(attempt) if outcome.wait is None else outcome.wait
                if not outcome.again or attempt >= self._settings.retry_attempts or seconds > LONGEST_WAIT:
                    break
                attempt += 1
                await asyncio.sleep(seconds)
        raise self._failed(outcome, requests)

    def _failed(self, failure: RequestFailure, requests: int) -> CallFailed:
        reason = failure.reason
        if failure.wait is not None and failure.wait > LONGEST_WAIT:
            reason += (
                f"; it asks to wait {failure.wait:.0f} s, and {LONGEST_WAIT:.0f} s is the most Pincite waits"
            )
        if requests > 1:
            reason += f" (after {requests} requests)"
        return CallFailed(f"{self.endpoint.host}: {reason}", failure.cause, failure.reply)

    async def _request(
        self,
        session: Session,
        body: dict[str, Any],
        expected: CallEstimate,
        listener: EventListener | None = None,
    ) -> tuple[LlmReply | RequestFailure, Usage]:
        """One request within all limits, and what it took."""
        async with session.turns:
            while self._budget.must_wait(expected):
                await session.someone_settles()
            refused = self._budget.refusal(expected)
            if refused is not None:
                return RequestFailure(refused, "budget"), Usage()
            self._budget.begin(expected)
            # What is counted when the task is cancelled on its way.
            outcome: LlmReply | RequestFailure = RequestFailure("the call was cancelled", "error", taken=True)
            sent = False
            try:
                await asyncio.sleep(self._rate.take_turn())
                while (held := self._rate.held()) > 0:
                    await asyncio.sleep(held)
                sent = True
                if listener is not None:
                    listener.begin(self.endpoint.key)
                to_come = self._send(session.client, body)
                outcome = await exchange(to_come, self.endpoint, self._settings.timeout_seconds, listener)
            finally:
                used = self._count(expected, outcome) if sent else self._budget.cancel(expected)
                session.settle()
            if isinstance(outcome, RequestFailure) and (outcome.wait or math.inf) <= LONGEST_WAIT:
                self._rate.hold(outcome.wait or 0.0)
            return outcome, used

    def _count(self, expected: CallEstimate, outcome: LlmReply | RequestFailure) -> Usage:
        """Count a request: by its bill, else as far as can be guessed."""
        if isinstance(outcome, LlmReply):
            bill, taken, text = outcome, True, outcome.text
        else:
            bill, taken, text = outcome.bill or LlmReply(""), outcome.taken, outcome.reply or ""
        asked, replied = bill.input_tokens, bill.output_tokens
        if asked is None:
            asked = expected.input_tokens if taken else 0
        if replied is None:
            replied = count_tokens(text) if taken else 0
        return self._budget.end(expected, asked, replied, bill.cost)

    # --- the SDKs --------------------------------------------------------------------------------

    def _make_client(self) -> Any:
        endpoint, seconds = self.endpoint, self._settings.timeout_seconds
        sdk = import_module(endpoint.kind)
        make = sdk.AsyncOpenAI if endpoint.kind == "openai" else sdk.AsyncAnthropic
        return make(
            api_key=endpoint.key.reveal() if endpoint.key else NO_KEY,
            base_url=endpoint.base_url,
            max_retries=0,
            timeout=seconds,
            http_client=_http(sdk, endpoint, seconds),
        )

    def _send(self, client: Any, body: dict[str, Any]) -> AbstractAsyncContextManager[Any]:
        """The response to come. What not every version of an SDK knows goes past it as it is."""
        known = ["model", "input"] if self.endpoint.responses else ["model", "messages"]
        resource = client.chat.completions if self.endpoint.kind == "openai" else client.messages
        if self.endpoint.responses:
            resource = client.responses
        if self.endpoint.kind == "anthropic":
            known.append("max_tokens")
        usual = {name: body[name] for name in known}
        rest = {name: value for name, value in body.items() if name not in known}
        to_come: AbstractAsyncContextManager[Any] = resource.with_streaming_response.create(
            **usual, extra_body=rest
        )
        return to_come


def _http(sdk: Any, endpoint: Endpoint, seconds: float) -> Any:
    """The SDK's HTTP client, which follows no redirect and uses no proxy for this computer."""

    async def only_our_key(request: Any) -> None:
        # The SDKs add what they find in the environment, meant for the provider's own host, not for any.
        for name in ("authorization", "x-api-key"):
            ours = endpoint.key is not None and endpoint.key.reveal() in request.headers.get(name, "")
            if not ours:
                request.headers.pop(name, None)
        if request.url.host != "api.openai.com":
            for name in ("openai-organization", "openai-project"):
                request.headers.pop(name, None)

    return sdk.DefaultAsyncHttpxClient(
        follow_redirects=False,
        trust_env=not stays_here(endpoint.base_url),
        # Plain http has no certificate to verify, and to read all authorities takes longer than a local call.
        verify=not endpoint.base_url.startswith("http://"),
        event_hooks={"request": [only_our_key]},
        timeout=seconds,
    )

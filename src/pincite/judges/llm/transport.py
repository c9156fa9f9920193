"""Calls of language models through the official SDKs: `OpenAICaller`, `AnthropicCaller`, `make_caller`.

The SDKs connect, authenticate and stream. Retries are ours, so that every request is counted; so is the
reading of replies, so that each way to fail has a cause. No key reaches an identity, a text or an exception.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from pincite.config import Settings
from pincite.judges.llm.budget import Meter
from pincite.judges.llm.caller import SdkCaller
from pincite.judges.llm.calls import Prompt
from pincite.judges.llm.dialect import Request, anthropic_body, openai_body
from pincite.judges.llm.keys import Endpoint, find_endpoint, stays_here
from pincite.judges.llm.prices import find_price
from pincite.records import Usage

NO_KEY = "no-key"
"""The SDKs want a key even where none is sent."""


def make_caller(
    model: str, settings: Settings | None = None, environment: Mapping[str, str] | None = None
) -> OpenAICaller | AnthropicCaller:
    """Who calls the model named as in `llm:MODEL`, or a `JudgeError` that says what is missing.

    `claude-…` (without a base URL) and `anthropic:MODEL` go through Anthropic's SDK, all others through
    OpenAI's. Keys are read from the environment alone.
    """
    llm = (settings or Settings()).llm
    endpoint = find_endpoint(model, llm.base_url, os.environ if environment is None else environment)
    return (AnthropicCaller if endpoint.kind == "anthropic" else OpenAICaller)(endpoint, llm)


def estimate(prompts: Iterable[Prompt], model: str, settings: Settings | None = None) -> Usage:
    """What prompts would take at most, without a key and without a call.

    Tokens are guessed as bytes ÷ 4, and every reply as long as it may become. `cost` is None without a price.
    """
    llm = (settings or Settings()).llm
    price = find_price(model.removeprefix("anthropic:"), llm.prices)
    return Meter(price, llm.max_tokens, None, None).total(prompts)


class OpenAICaller(SdkCaller):
    """Calls a model at any OpenAI-compatible endpoint."""

    library = "openai"
    extra = "llm"

    def _make_client(self) -> Any:
        import openai

        return openai.AsyncOpenAI(
            api_key=_shown_key(self._endpoint),
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._settings.timeout_seconds,
            http_client=_http(openai, self._endpoint, self._settings.timeout_seconds),
        )

    def _body(self, request: Request, left_out: Collection[str]) -> dict[str, Any]:
        return openai_body(request, left_out)

    def _send(self, client: Any, body: dict[str, Any]) -> AbstractAsyncContextManager[Any]:
        usual, rest = _apart(body, ("model", "messages"))
        to_come: AbstractAsyncContextManager[Any] = client.chat.completions.with_streaming_response.create(
            **usual, extra_body=rest
        )
        return to_come


class AnthropicCaller(SdkCaller):
    """Calls a model at Anthropic's endpoint."""

    library = "anthropic"
    extra = "anthropic"

    def _make_client(self) -> Any:
        import anthropic

        return anthropic.AsyncAnthropic(
            api_key=_shown_key(self._endpoint),
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=self._settings.timeout_seconds,
            http_client=_http(anthropic, self._endpoint, self._settings.timeout_seconds),
        )

    def _body(self, request: Request, left_out: Collection[str]) -> dict[str, Any]:
        return anthropic_body(request, left_out)

    def _send(self, client: Any, body: dict[str, Any]) -> AbstractAsyncContextManager[Any]:
        usual, rest = _apart(body, ("model", "messages", "max_tokens"))
        to_come: AbstractAsyncContextManager[Any] = client.messages.with_streaming_response.create(
            **usual, extra_body=rest
        )
        return to_come


def _apart(body: dict[str, Any], names: Collection[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters that every version of an SDK knows, and the others, which go past it as they are."""
    usual = {name: value for name, value in body.items() if name in names}
    return usual, {name: value for name, value in body.items() if name not in names}


def _shown_key(endpoint: Endpoint) -> str:
    return endpoint.key.reveal() if endpoint.key else NO_KEY


def _http(sdk: Any, endpoint: Endpoint, seconds: float) -> Any:
    """The SDK's HTTP client, which follows nobody to another host and asks no proxy for this computer."""

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

"""What the tests of the callers share: a caller for a test server, and a prompt to send."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from llm_server import LlmServer
from pincite.config import LlmSettings, Settings
from pincite.llm import CallFailed, LlmClient, Prompt, make_client

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
PROMPT = Prompt("support/1", "You judge.", "Does it?", SCHEMA, 2)
PLAIN = Prompt("support/1", "You judge.", "Does it?")
BOTH = pytest.mark.parametrize("model", ["small", "anthropic:small"])


def caller_for(
    server: LlmServer, model: str = "small", environment: Mapping[str, str] | None = None, **llm: Any
) -> LlmClient:
    base_url = server.root if model.startswith("anthropic:") else server.url
    settings = Settings(llm=LlmSettings(**{"base_url": base_url, "retry_attempts": 2, **llm}))
    return make_client(model, settings, environment or {})


def call(caller: LlmClient, prompt: Prompt = PROMPT) -> str:
    return asyncio.run(caller.call(prompt))


def failure(caller: LlmClient, prompt: Prompt = PROMPT) -> CallFailed:
    with pytest.raises(CallFailed) as caught:
        call(caller, prompt)
    return caught.value

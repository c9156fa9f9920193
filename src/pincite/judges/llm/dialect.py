"""What an endpoint turned out not to understand, so that it is asked without it from then on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

REFUSED = (400, 404, 422)
"""The answers of an endpoint that does not know a parameter."""
HOPELESS = ("model_not_found", "context_length_exceeded", "does not exist")
"""What no change of parameters mends."""

SIGNS = {
    "stream_options": ("stream_options",),
    "max_tokens": ("max_completion_tokens",),
    "temperature": ("temperature",),
    "response_format": ("response_format", "json_schema", "output_config", "structured"),
}
"""A parameter, and the words by which a refusal speaks of it."""


def to_leave_out(status: int | None, message: str, sent: Collection[str]) -> str | None:
    """The parameter to leave out of the next try, of those that were sent; None when that would not help.

    A refusal that names nothing is laid to structured output, which most endpoints that lack something lack.
    """
    if status not in REFUSED:
        return None
    words = message.lower()
    for name, signs in SIGNS.items():
        if name in sent and any(sign in words for sign in signs):
            return name
    if "response_format" in sent and not any(sign in words for sign in HOPELESS):
        return "response_format"
    return None


class Request(Struct, frozen=True):
    """What is asked of a model, in no protocol's words."""

    model: str
    system: str
    user: str
    tokens: int
    temperature: float
    schema: dict[str, Any] | None
    name: str
    """Of the schema: letters, digits, dashes and underscores, at most 64."""
    stream: bool


def openai_body(request: Request, left_out: Collection[str]) -> dict[str, Any]:
    """A request for a chat completion. Without `max_tokens` it says what newer models call it."""
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.user},
        ],
        "max_completion_tokens" if "max_tokens" in left_out else "max_tokens": request.tokens,
    }
    if "temperature" not in left_out:
        body["temperature"] = request.temperature
    if request.schema is not None and "response_format" not in left_out:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": request.name, "strict": True, "schema": request.schema},
        }
    if request.stream:
        body["stream"] = True
        if "stream_options" not in left_out:
            body["stream_options"] = {"include_usage": True}
    return body


def anthropic_body(request: Request, left_out: Collection[str]) -> dict[str, Any]:
    """A request for a message in Anthropic's protocol."""
    body: dict[str, Any] = {
        "model": request.model,
        "system": request.system,
        "messages": [{"role": "user", "content": request.user}],
        "max_tokens": request.tokens,
    }
    if "temperature" not in left_out:
        body["temperature"] = request.temperature
    if request.schema is not None and "response_format" not in left_out:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    if request.stream:
        body["stream"] = True
    return body


def parameters(body: Mapping[str, Any]) -> set[str]:
    """Which of the parameters that can be left out a request has."""
    names = set(SIGNS) & set(body)
    return names | {"response_format"} if "output_config" in body else names

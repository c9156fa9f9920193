"""One request to a language model in the words of its protocol, and what came of it as data."""

from __future__ import annotations

import asyncio
import codecs
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

from msgspec.structs import replace

from pincite.base import retry_after
from pincite.config import LlmSettings
from pincite.llm.budget import reply_tokens
from pincite.llm.endpoint import Endpoint, Secret, scrub
from pincite.llm.prompt import Prompt, sendable
from pincite.llm.replies import (
    KEPT,
    LlmReply,
    RequestFailure,
    as_object,
    error_message,
    in_a_line,
    parse_json,
    read_reply_body,
)

LARGEST_BODY = 4 * 1024 * 1024
"""Bytes read of a reply; anything longer is no reply to what is asked here."""

# --- what is sent ----------------------------------------------------------------------------------

REFUSED = (400, 404, 422)
"""The answers of an endpoint that does not know a parameter."""
HOPELESS = ("model_not_found", "context_length_exceeded", "does not exist")
"""No change of parameters helps with these."""

SIGNS = {
    "stream_options": ("stream_options",),
    "max_tokens": ("max_completion_tokens",),
    "temperature": ("temperature",),
    "seed": ("seed",),
    "grammar": ("grammar",),
    "response_format": ("response_format", "json_schema", "output_config", "text.format", "structured"),
}
"""A parameter, and the words by which a refusal names it."""


def request_body(
    endpoint: Endpoint, prompt: Prompt, settings: LlmSettings, left_out: Collection[str], stream: bool = False
) -> dict[str, Any]:
    """The request in the endpoint's protocol, without the parameters it does not understand."""
    system, user = sendable(prompt.system), sendable(prompt.user)
    most = reply_tokens(settings.max_tokens, prompt.pairs)
    schema = None if "response_format" in left_out else prompt.schema
    body: dict[str, Any] = {"model": endpoint.model}
    if "temperature" not in left_out:
        body["temperature"] = settings.temperature
    if settings.stream or stream:
        body["stream"] = True
    if endpoint.responses:
        body |= {"instructions": system, "input": user, "max_output_tokens": most, "store": False}
        if schema is not None:
            form = {"type": "json_schema", "name": _schema_name(prompt), "strict": True, "schema": schema}
            body["text"] = {"format": form}
        return body
    said: Any = [*prompt.documents, {"type": "text", "text": user}] if prompt.documents else user
    messages = [{"role": "user", "content": said}]
    if endpoint.kind == "anthropic":
        body |= {"system": system, "messages": messages, "max_tokens": most}
        if schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return body
    body["messages"] = [{"role": "system", "content": system}, *messages]
    body["max_completion_tokens" if "max_tokens" in left_out else "max_tokens"] = most
    if schema is not None:
        form = {"name": _schema_name(prompt), "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    optional = {"seed": prompt.seed, "grammar": prompt.grammar}
    body |= {name: value for name, value in optional.items() if value is not None and name not in left_out}
    if "stream" in body and "stream_options" not in left_out:
        body["stream_options"] = {"include_usage": True}
    return body


def _schema_name(prompt: Prompt) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", prompt.name)[:64] or "reply"


def to_leave_out(failure: RequestFailure, body: Mapping[str, Any]) -> str | None:
    """The parameter to leave out of the next try; None when that would not help.

    A refusal that names nothing is blamed on structured output: that is what endpoints mostly lack.
    """
    if failure.status not in REFUSED:
        return None
    held = "output_config" in body or "text" in body
    sent = set(SIGNS) & set(body) | ({"response_format"} if held else set())
    words = failure.reason.lower()
    for name, signs in SIGNS.items():
        if name in sent and any(sign in words for sign in signs):
            return name
    if "response_format" in sent and not any(sign in words for sign in HOPELESS):
        return "response_format"
    return None


# --- while it comes ----------------------------------------------------------------------------------


class EventListener:
    """Is told the bytes of a reply as they come, and gives each event of a stream to a function.

    It never raises for what a stream holds. What is no stream, or no JSON, gives no events: the caller reads
    the whole body at the end anyway.
    """

    def __init__(self, tell: Callable[[dict[str, Any]], bool]) -> None:
        self._tell = tell
        self.committed = False
        """Whether something was made of what was heard, so that the request must not be sent again."""
        self.begin(None)

    def begin(self, key: Secret | None) -> None:
        """A request is sent, the first one or one more; what was heard before counts no longer."""
        self._key = key
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []
        self._data: list[str] = []

    def feed(self, piece: bytes) -> None:
        text = self._decoder.decode(piece).replace("\r\n", "\n").replace("\r", "\n")
        *lines, rest = text.split("\n")
        for line in lines:
            self._line.append(line)
            self._read("".join(self._line))
            self._line = []
        self._line.append(rest)

    def scrub(self, text: str) -> str:
        """A text without the key, also where the key came in several pieces."""
        return scrub(text, self._key)

    def _read(self, line: str) -> None:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        elif not line and self._data:
            data, self._data = "\n".join(self._data), []
            try:
                event = as_object(parse_json(scrub(data, self._key)))
            except ValueError:
                return
            if event and self._tell(event):
                self.committed = True


# --- what came of it -------------------------------------------------------------------------------


async def exchange(
    response_to_come: AbstractAsyncContextManager[Any],
    endpoint: Endpoint,
    seconds: float,
    listener: EventListener | None = None,
) -> LlmReply | RequestFailure:
    """Send a request and read the response within so many seconds. Nothing that is returned holds the key.

    A `listener` is told each piece as it comes.
    """
    received = bytearray()
    content_type = ""
    broken: Exception | None = None
    try:
        async with asyncio.timeout(seconds), response_to_come as response:
            content_type = response.headers.get("content-type", "").lower()
            async for piece in response.iter_bytes():
                received += piece
                if len(received) > LARGEST_BODY:
                    return RequestFailure(f"the reply is over {LARGEST_BODY} bytes", "error", taken=True)
                if listener is not None:
                    listener.feed(piece)
    except Exception as error:
        broken = error
    # Outside of the except block, so that no exception of ours carries one of an SDK, and with it a request.
    text = received.decode("utf-8", "replace")
    if broken is None:
        heard = read_reply_body(text, content_type, endpoint.protocol)
        return _clean(replace(heard, body=text) if isinstance(heard, LlmReply) else heard, endpoint)
    return _clean(_why(broken, text, content_type, endpoint, seconds), endpoint)


def _why(
    broken: Exception, text: str, content_type: str, endpoint: Endpoint, seconds: float
) -> RequestFailure:
    """What an exception of an SDK means, given what was received before it."""
    status = getattr(broken, "status_code", None)
    if isinstance(status, int):
        return _refused(status, broken, endpoint)
    kind = type(broken).__name__.lower()
    if isinstance(broken, TimeoutError) or "timeout" in kind:
        reason = f"no whole reply within {seconds:g} s (llm.timeout_seconds)"
        return RequestFailure(reason, "timeout", text[:KEPT] or None, again=True, taken=True)
    if text:
        heard = read_reply_body(text, content_type, endpoint.protocol, cut=True)
        if isinstance(heard, RequestFailure):
            return heard
    if "connect" in kind or "protocol" in kind or "read" in kind:
        reason = f"no connection: {_innermost(broken)}; is the base URL right, and is its server running?"
        return RequestFailure(reason, "connection", again=True)
    return RequestFailure(f"the request failed: {_innermost(broken)}", "error")


def _refused(status: int, error: Any, endpoint: Endpoint) -> RequestFailure:
    """What a status other than 200 means."""
    try:
        body, headers = str(error.response.text), error.response.headers
    except Exception:  # the body was cut off, and the status is all there is
        body, headers = "", {}
    try:
        value = parse_json(body)
        said, _ = error_message(as_object(value).get("error") or value)
    except ValueError:
        said = in_a_line(body, 160)
    reason, cause, again = f"status {status}: {said or 'no reason was given'}", "error", False
    if status in (401, 403):
        cause = "auth"
        if endpoint.key is not None:
            reason += f"; is the key in {endpoint.variable} right?"
        else:
            reason += f"; no key was sent: set {endpoint.variable}, and use https or this computer"
    elif status == 404:
        reason += f"; is the model {endpoint.model!r} right, and the base URL?"
    elif status == 429:
        cause, again = "rate_limit", "insufficient_quota" not in body
    elif status in (408, 409, 425) or status >= 500:
        cause, again = "server", True
    elif 300 <= status < 400:
        place = in_a_line(str(headers.get("location", "")).partition("?")[0], 100) or "elsewhere"
        reason = f"it redirects to {place}, where your key is not sent: set that base URL"
    wait = retry_after(headers) if again else None
    return RequestFailure(reason, cause, said or None, again, wait, status)


def _clean(outcome: LlmReply | RequestFailure, endpoint: Endpoint) -> LlmReply | RequestFailure:
    """The outcome without the key, whoever put it there, and without halves of characters."""
    if isinstance(outcome, LlmReply):
        text, body = (scrub(sendable(one), endpoint.key) for one in (outcome.text, outcome.body))
        return replace(outcome, text=text, body=body)
    reply = None if outcome.reply is None else scrub(sendable(outcome.reply), endpoint.key)
    return replace(outcome, reason=scrub(sendable(outcome.reason), endpoint.key), reply=reply)


def _innermost(error: BaseException) -> str:
    """The words of what really went wrong: SDKs wrap it in `Connection error.`"""
    for _ in range(5):
        cause = error.__cause__ or error.__context__
        if cause is None or not str(cause):
            break
        error = cause
    return in_a_line(f"{type(error).__name__}: {error}", 160)

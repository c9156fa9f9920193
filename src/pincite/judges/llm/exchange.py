"""One request to a language model and what came of it, as data: a reply, or why there is none."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

from msgspec.structs import replace

from pincite.judges.llm.bodies import error_message, read_reply
from pincite.judges.llm.keys import Endpoint, scrub
from pincite.judges.llm.limits import asked_to_wait
from pincite.judges.llm.wire import KEPT, Failure, Heard, in_a_line, read_json, table, whole_text

LARGEST_BODY = 4 * 1024 * 1024
"""Bytes read of a reply; what is longer is no reply to what is asked here."""


async def exchange(
    response_to_come: AbstractAsyncContextManager[Any], endpoint: Endpoint, seconds: float
) -> Heard | Failure:
    """Send a request and read what comes, in so many seconds. The key is in nothing that is given back."""
    received = bytearray()
    content_type = ""
    broken: Exception | None = None
    try:
        async with asyncio.timeout(seconds), response_to_come as response:
            content_type = response.headers.get("content-type", "").lower()
            async for piece in response.iter_bytes():
                received += piece
                if len(received) > LARGEST_BODY:
                    return Failure(f"the reply is over {LARGEST_BODY} bytes", "error", taken=True)
    except Exception as error:
        broken = error
    # Outside of the except block, so that no exception of ours carries one of an SDK, and with it a request.
    text = received.decode("utf-8", "replace")
    if broken is None:
        return _clean(read_reply(text, content_type, endpoint.kind), endpoint)
    return _clean(_why(broken, text, content_type, endpoint, seconds), endpoint)


def _why(broken: Exception, text: str, content_type: str, endpoint: Endpoint, seconds: float) -> Failure:
    """What an exception of an SDK means, given what was received before it."""
    status = getattr(broken, "status_code", None)
    if isinstance(status, int):
        return _refused(status, broken, endpoint)
    kind = type(broken).__name__.lower()
    if isinstance(broken, TimeoutError) or "timeout" in kind:
        reason = f"no whole reply within {seconds:g} s (llm.timeout_seconds)"
        return Failure(reason, "timeout", text[:KEPT] or None, again=True, taken=True)
    if text:
        heard = read_reply(text, content_type, endpoint.kind, cut=True)
        if isinstance(heard, Failure):
            return heard
    if "connect" in kind or "protocol" in kind or "read" in kind:
        reason = f"no connection: {_innermost(broken)}; is the base URL right, and does its server run?"
        return Failure(reason, "connection", again=True)
    return Failure(f"the request failed: {_innermost(broken)}", "error")


def _refused(status: int, error: Any, endpoint: Endpoint) -> Failure:
    """What a status other than 200 means."""
    try:
        body, headers = str(error.response.text), error.response.headers
    except Exception:  # the body was cut off, and the status is all there is
        body, headers = "", {}
    try:
        value = read_json(body)
        said, _ = error_message(table(value).get("error") or value)
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
        reason = f"it sends requests on to {place}, where no key of yours follows: set that base URL"
    wait = asked_to_wait(headers) if again else None
    return Failure(reason, cause, said or None, again, wait, status)


def _clean(outcome: Heard | Failure, endpoint: Endpoint) -> Heard | Failure:
    """The outcome without the key, whoever put it there, and without halves of characters."""
    if isinstance(outcome, Heard):
        return replace(outcome, text=scrub(whole_text(outcome.text), endpoint.key))
    reply = None if outcome.reply is None else scrub(whole_text(outcome.reply), endpoint.key)
    return replace(outcome, reason=scrub(whole_text(outcome.reason), endpoint.key), reply=reply)


def _innermost(error: BaseException) -> str:
    """The words of what really went wrong: SDKs wrap it in `Connection error.`"""
    for _ in range(5):
        cause = error.__cause__ or error.__context__
        if cause is None or not str(cause):
            break
        error = cause
    return in_a_line(f"{type(error).__name__}: {error}", 160)

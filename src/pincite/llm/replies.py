"""From the bodies of the two protocols to a reply, or to the reason why there is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct, field

KEPT = 2_000
"""Characters kept of a body that is no reply."""


class LlmReply(Struct, frozen=True):
    """A reply, and the bill where one could be read."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    body: str = ""
    """All of the body, for whoever reads more in it than a text."""


class RequestFailure(Struct, frozen=True):
    """Why a request gave no reply."""

    reason: str
    cause: str
    reply: str | None = None
    """What was sent instead."""
    again: bool = False
    """Whether the same request may well succeed when it is sent again."""
    wait: float | None = None
    """The seconds that the endpoint asks to wait before that."""
    status: int | None = None
    bill: LlmReply | None = None
    """What the failed request took, where the endpoint told."""
    taken: bool = False
    """The endpoint may have worked, and may bill for it, although it told nothing."""


class BodyText(Struct):
    """What a body says, before anybody judges whether that is a reply."""

    pieces: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    stop: str | None = None
    usage: Any = None
    error: Any = None
    choices: bool = False
    """Whether there was any choice or content at all."""
    ended: bool = True
    """False for a stream that broke off."""

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def refusal(self) -> str:
        return "".join(self.refusals)


def parse_json(text: str) -> Any:
    """The JSON value in a text, or a ValueError. Depth and length of numbers are no way to crash it."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_stream(body: str, content_type: str) -> bool:
    """Whether a body is a stream of events, asked for or not."""
    return "text/event-stream" in content_type or body.lstrip().startswith(("data:", "event:", ": "))


def events(body: str) -> Iterator[Any]:
    """The JSON values of a stream's events; `[DONE]` as None. An event that is no JSON is a ValueError."""
    waiting: list[str] = []
    # Only these end a line in a stream; `splitlines` would cut replies at other marks too.
    for line in [*body.replace("\r\n", "\n").replace("\r", "\n").split("\n"), ""]:
        if line.startswith("data:"):
            waiting.append(line[5:].removeprefix(" "))
        elif not line and waiting:
            data = "\n".join(waiting)
            waiting = []
            yield None if data.strip() == "[DONE]" else parse_json(data)


def as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def first_of(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def content_text(content: Any) -> str:
    """A message's content: a text, or a list of parts some of which are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [as_object(part).get("text") for part in content]
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def as_number(value: Any) -> float | None:
    """What a bill counts; None for what is no number: NaN, a negative, a text."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12
    return value if good else None


def in_a_line(text: str, most: int = 300) -> str:
    """Words of a stranger on one line, without anything that a terminal obeys."""
    line = " ".join(text[: most * 8].split())
    return "".join(char if char.isprintable() else "�" for char in line)[:most]


Reader = Callable[[dict[str, Any], BodyText], None]


def read_reply_body(body: str, content_type: str, kind: str, cut: bool = False) -> LlmReply | RequestFailure:
    """What a body with status 200 says; `cut` when the connection broke before its end."""
    said, problem = _hear(body, content_type, kind)
    kept = said.text or said.refusal or body[:KEPT]
    if said.error:
        message, code = error_message(said.error)
        return RequestFailure(
            f"the endpoint reported an error: {message}",
            "rate_limit" if code == 429 else "server",
            kept,
            again=code is None or code == 429 or code >= 500,
            bill=_bill(said),
        )
    if cut or not said.ended:
        reason = "the connection closed before the reply was complete"
        return RequestFailure(reason, "connection", kept, again=True, taken=True)
    if problem is not None:
        page = body.lstrip()[:15].lower()
        if "html" in content_type or page.startswith(("<!doctype", "<html")):
            reason = "the reply is an HTML page: does the base URL end in the API's path, such as /v1?"
            return RequestFailure(reason, "error", body[:KEPT])
        reason = f"the reply is not JSON: {problem}"
        return RequestFailure(reason, "error", body[:KEPT], again=True, taken=True)
    return _judged(said, kept)


def error_message(error: Any) -> tuple[str, int | None]:
    """The words of an error and its status, in whichever of the usual shapes it comes."""
    given = as_object(error)
    message = given.get("message") or given.get("detail") or given.get("error") or error
    code = given.get("code")
    kind = str(given.get("type", ""))
    if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == 3:
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool):
        code = 429 if "rate_limit" in f"{kind} {code}" else 529 if "overloaded" in kind else None
    return in_a_line(message if isinstance(message, str) else str(message)), code


def _judged(said: BodyText, kept: str) -> LlmReply | RequestFailure:
    bill, cause = _bill(said), "empty"
    if said.refusal or said.stop in ("content_filter", "refusal"):
        words = in_a_line(said.refusal) or "its provider's filter stopped it"
        reason, cause = f"the model refused: {words}", "refusal"
    elif said.stop in ("length", "max_tokens", "model_context_window_exceeded"):
        reason, cause = "the reply was cut off at its token limit: raise llm.max_tokens", "length"
    elif not said.choices:
        reason = "the reply contains no choices"
    elif not said.text.strip():
        reason = "the reply is empty"
    else:
        return LlmReply(said.text, bill.input_tokens, bill.output_tokens, bill.cost)
    return RequestFailure(reason, cause, kept, again=cause == "empty", bill=bill, taken=True)


def _hear(body: str, content_type: str, kind: str) -> tuple[BodyText, str | None]:
    """Everything that could be read, and why the rest could not."""
    read_whole, read_event = _READERS[kind]
    if not is_stream(body, content_type):
        try:
            value = parse_json(body)
        except ValueError as error:
            return BodyText(), in_a_line(str(error), 100)
        if not isinstance(value, dict):
            return BodyText(), "it is not an object"
        said = BodyText(error=value.get("error"))
        read_whole(value, said)
        return said, None
    said, problem = BodyText(ended=False), None
    try:
        for event in events(body):
            if event is None:
                said.ended = True
                continue
            said.error = said.error or as_object(event).get("error")
            read_event(as_object(event), said)
    except ValueError as error:
        problem = in_a_line(str(error), 100)
    return said, problem


def _bill(said: BodyText) -> LlmReply:
    usage = as_object(said.usage)
    asked = as_number(usage.get("prompt_tokens", usage.get("input_tokens")))
    replied = as_number(usage.get("completion_tokens", usage.get("output_tokens")))
    for name in ("cache_creation_input_tokens", "cache_read_input_tokens"):
        # Anthropic counts these apart from the input; OpenAI counts them in it, under other names.
        asked = None if asked is None else asked + (as_number(usage.get(name)) or 0)
    tokens_in, tokens_out = (None if count is None else int(count) for count in (asked, replied))
    return LlmReply("", tokens_in, tokens_out, as_number(usage.get("cost")))


# --- OpenAI --------------------------------------------------------------------------------------


def _openai_whole(value: dict[str, Any], said: BodyText) -> None:
    choice = as_object(first_of(value.get("choices")))
    message = as_object(choice.get("message"))
    said.choices = bool(choice)
    said.pieces.append(content_text(message.get("content")) or content_text(choice.get("text")))
    said.refusals.append(content_text(message.get("refusal")))
    said.stop = choice.get("finish_reason")
    said.usage = value.get("usage")
    said.error = said.error or choice.get("error")


def _openai_event(event: dict[str, Any], said: BodyText) -> None:
    if isinstance(event.get("usage"), dict):
        said.usage = event["usage"]
    choice = as_object(first_of(event.get("choices")))
    if not choice:
        return
    # A server that streams although nobody asked may put a whole message into its events.
    delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
    said.choices = True
    said.pieces.append(content_text(delta.get("content")) or content_text(choice.get("text")))
    said.refusals.append(content_text(delta.get("refusal")))
    said.error = said.error or choice.get("error")
    if choice.get("finish_reason"):
        said.stop, said.ended = choice["finish_reason"], True


# --- Anthropic -----------------------------------------------------------------------------------


def _anthropic_whole(value: dict[str, Any], said: BodyText) -> None:
    content = value.get("content")
    said.choices = bool(content)
    said.pieces.append(content_text(content))
    said.stop = value.get("stop_reason")
    said.usage = value.get("usage")


def _anthropic_event(event: dict[str, Any], said: BodyText) -> None:
    kind, delta = event.get("type"), as_object(event.get("delta"))
    if kind == "message_start":
        said.usage = as_object(as_object(event.get("message")).get("usage"))
    elif kind == "content_block_start":
        said.choices = True
        said.pieces.append(content_text(as_object(event.get("content_block")).get("text")))
    elif kind == "content_block_delta":
        said.choices = True
        said.pieces.append(content_text(delta.get("text")))
    elif kind == "message_delta":
        said.stop = delta.get("stop_reason") or said.stop
        said.usage = {**as_object(said.usage), **as_object(event.get("usage"))}
    elif kind == "message_stop":
        said.ended = True


# --- OpenAI's Responses --------------------------------------------------------------------------


def _responses_whole(value: dict[str, Any], said: BodyText) -> None:
    output = value.get("output")
    for item in output if isinstance(output, list) else ():
        content = as_object(item).get("content")
        for part in content if isinstance(content, list) else ():
            said.choices = True
            said.pieces.append(content_text(as_object(part).get("text")))
            said.refusals.append(content_text(as_object(part).get("refusal")))
    said.usage = value.get("usage")
    said.error = said.error or value.get("error")
    if value.get("status") == "incomplete":
        why = as_object(value.get("incomplete_details")).get("reason")
        said.stop = "content_filter" if why == "content_filter" else "length"
    elif value.get("status") == "failed":
        said.error = said.error or "the response failed"


def _responses_event(event: dict[str, Any], said: BodyText) -> None:
    kind = event.get("type")
    if kind in ("response.completed", "response.incomplete", "response.failed"):
        # The last event holds all of the response; what came in pieces would be said twice.
        said.pieces.clear()
        said.refusals.clear()
        said.ended = True
        _responses_whole(as_object(event.get("response")), said)
    elif kind == "response.output_text.delta":
        said.choices = True
        said.pieces.append(content_text(event.get("delta")))
    elif kind == "response.refusal.delta":
        said.choices = True
        said.refusals.append(content_text(event.get("delta")))
    elif kind == "error":
        said.error = said.error or event


_READERS: dict[str, tuple[Reader, Reader]] = {
    "openai": (_openai_whole, _openai_event),
    "responses": (_responses_whole, _responses_event),
    "anthropic": (_anthropic_whole, _anthropic_event),
}
"""How each protocol's whole bodies are read, and how its events."""


def event_text(event: dict[str, Any]) -> str:
    """The text that one event of a chat or of a response adds."""
    if event.get("type") == "response.output_text.delta":
        return content_text(event.get("delta"))
    choice = as_object(first_of(event.get("choices")))
    delta = as_object(choice.get("delta")) or as_object(choice.get("message"))
    return content_text(delta.get("content")) or content_text(choice.get("text"))

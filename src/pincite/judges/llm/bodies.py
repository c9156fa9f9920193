"""From the bodies of the two protocols to a reply, or to the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pincite.judges.llm.wire import (
    KEPT,
    Failure,
    Heard,
    Said,
    as_count,
    as_money,
    as_text,
    events,
    first,
    in_a_line,
    is_stream,
    read_json,
    table,
)

Reader = Callable[[Any, Said], None]


def read_reply(body: str, content_type: str, kind: str, cut: bool = False) -> Heard | Failure:
    """What a body with status 200 says; `cut` when the connection broke before its end."""
    said, problem = _hear(body, content_type, kind)
    kept = said.text or said.refusal or body[:KEPT]
    if said.error:
        message, code = error_message(said.error)
        return Failure(
            f"the endpoint reported an error: {message}",
            "rate_limit" if code == 429 else "server",
            kept,
            again=code is None or code == 429 or code >= 500,
            bill=_bill(said),
        )
    if cut or not said.ended:
        reason = "the connection closed before the reply was complete"
        return Failure(reason, "connection", kept, again=True, taken=True)
    if problem is not None:
        page = body.lstrip()[:15].lower()
        if "html" in content_type or page.startswith(("<!doctype", "<html")):
            reason = "the reply is an HTML page: does the base URL end in the API's path, such as /v1?"
            return Failure(reason, "error", body[:KEPT])
        return Failure(f"the reply is not JSON: {problem}", "error", body[:KEPT], again=True, taken=True)
    return _judged(said, kept)


def error_message(error: Any) -> tuple[str, int | None]:
    """The words of an error and its status, in whichever of the usual shapes it comes."""
    given = table(error)
    message = given.get("message") or given.get("detail") or given.get("error") or error
    code = given.get("code")
    kind = str(given.get("type", ""))
    if isinstance(code, str) and code.isascii() and code.isdigit() and len(code) == 3:
        code = int(code)
    if not isinstance(code, int) or isinstance(code, bool):
        code = 429 if "rate_limit" in f"{kind} {code}" else 529 if "overloaded" in kind else None
    return in_a_line(message if isinstance(message, str) else str(message)), code


def _judged(said: Said, kept: str) -> Heard | Failure:
    bill = _bill(said)
    if said.refusal or said.stop in ("content_filter", "refusal"):
        words = in_a_line(said.refusal) or "its provider's filter stopped it"
        return Failure(f"the model refused: {words}", "refusal", kept, bill=bill, taken=True)
    if said.stop in ("length", "max_tokens", "model_context_window_exceeded"):
        reason = "the reply was cut off at its token limit: raise llm.max_tokens"
        return Failure(reason, "length", kept, bill=bill, taken=True)
    if not said.choices:
        return Failure("the reply contains no choices", "empty", kept, again=True, bill=bill, taken=True)
    text = said.text
    if not text.strip():
        return Failure("the reply is empty", "empty", kept, again=True, bill=bill, taken=True)
    return Heard(text, bill.input_tokens, bill.output_tokens, bill.cost)


def _hear(body: str, content_type: str, kind: str) -> tuple[Said, str | None]:
    """Everything that could be read, and why the rest could not."""
    if not is_stream(body, content_type):
        try:
            value = read_json(body)
        except ValueError as error:
            return Said(), in_a_line(str(error), 100)
        if not isinstance(value, dict):
            return Said(), "it is no object"
        said = Said(error=value.get("error"))
        (_openai_whole if kind == "openai" else _anthropic_whole)(value, said)
        return said, None
    said, problem = Said(ended=False), None
    read: Reader = _openai_event if kind == "openai" else _anthropic_event
    try:
        for event in events(body):
            if event is None:
                said.ended = True
                continue
            said.error = said.error or table(event).get("error")
            read(event, said)
    except ValueError as error:
        problem = in_a_line(str(error), 100)
    return said, problem


def _bill(said: Said) -> Heard:
    usage = table(said.usage)
    asked = as_count(usage.get("prompt_tokens", usage.get("input_tokens")))
    replied = as_count(usage.get("completion_tokens", usage.get("output_tokens")))
    for name in ("cache_creation_input_tokens", "cache_read_input_tokens"):
        # Anthropic counts these apart from the input; OpenAI counts them in it, under other names.
        asked = None if asked is None else asked + (as_count(usage.get(name)) or 0)
    return Heard("", asked, replied, as_money(usage.get("cost")))


# --- OpenAI --------------------------------------------------------------------------------------


def _openai_whole(value: dict[str, Any], said: Said) -> None:
    choice = table(first(value.get("choices")))
    message = table(choice.get("message"))
    said.choices = bool(choice)
    said.pieces.append(as_text(message.get("content")) or as_text(choice.get("text")))
    said.refusals.append(as_text(message.get("refusal")))
    said.stop = choice.get("finish_reason")
    said.usage = value.get("usage")
    said.error = said.error or choice.get("error")


def _openai_event(event: Any, said: Said) -> None:
    event = table(event)
    if isinstance(event.get("usage"), dict):
        said.usage = event["usage"]
    choice = table(first(event.get("choices")))
    if not choice:
        return
    # A server that streams although nobody asked may put a whole message into its events.
    delta = table(choice.get("delta")) or table(choice.get("message"))
    said.choices = True
    said.pieces.append(as_text(delta.get("content")) or as_text(choice.get("text")))
    said.refusals.append(as_text(delta.get("refusal")))
    said.error = said.error or choice.get("error")
    if choice.get("finish_reason"):
        said.stop, said.ended = choice["finish_reason"], True


# --- Anthropic -----------------------------------------------------------------------------------


def _anthropic_whole(value: dict[str, Any], said: Said) -> None:
    content = value.get("content")
    said.choices = bool(content)
    said.pieces.append(as_text(content))
    said.stop = value.get("stop_reason")
    said.usage = value.get("usage")


def _anthropic_event(event: Any, said: Said) -> None:
    event = table(event)
    kind, delta = event.get("type"), table(event.get("delta"))
    if kind == "message_start":
        said.usage = table(table(event.get("message")).get("usage"))
    elif kind == "content_block_start":
        said.choices = True
        said.pieces.append(as_text(table(event.get("content_block")).get("text")))
    elif kind == "content_block_delta":
        said.choices = True
        said.pieces.append(as_text(delta.get("text")))
    elif kind == "message_delta":
        said.stop = delta.get("stop_reason") or said.stop
        said.usage = {**table(said.usage), **table(event.get("usage"))}
    elif kind == "message_stop":
        said.ended = True

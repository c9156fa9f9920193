"""What an endpoint sent, read without trust: a completion or a stream of events, whole or broken.

Both protocols are read by us and not by their SDKs, which stop at the first surprise: here a reply that was
cut off, an error inside a stream or a bill that is no number has a name each, and what was said is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

KEPT = 2_000
"""Characters kept of a body that is no reply."""


class Heard(Struct, frozen=True):
    """A reply, and the bill where one could be read."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class Failure(Struct, frozen=True):
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
    bill: Heard | None = None
    """What the failed request took, where the endpoint told."""
    taken: bool = False
    """The endpoint may have worked, and may bill for it, although it told nothing."""


class Said(Struct):
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


def read_json(text: str) -> Any:
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
            yield None if data.strip() == "[DONE]" else read_json(data)


def table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else None


def as_text(content: Any) -> str:
    """A message's content: a text, or a list of parts some of which are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [table(part).get("text") for part in content]
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def as_count(value: Any) -> int | None:
    """A number of tokens; None for what is none: NaN, a negative, a text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 1e12 else None


def as_money(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e12 else None


def whole_text(text: str) -> str:
    """The text without halves of characters, which JSON can hold and no file can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def in_a_line(text: str, most: int = 300) -> str:
    """Words of a stranger on one line, without anything that a terminal obeys."""
    line = " ".join(text[: most * 8].split())
    return "".join(char if char.isprintable() else "�" for char in line)[:most]

"""The text that an input, an output or a list of messages stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.answers.traces.spans import elements, plain_value

QUERY = (
    "question",
    "query",
    "input",
    "user_input",
    "prompt",
    "text",
    "message",
    "messages",
    "args",
    "kwargs",
)
ANSWER = (
    *(
        "answer",
        "output",
        "response",
        "result",
        "output_text",
        "generation",
        "completion",
        "reply",
        "replies",
    ),
    *("text", "content", "message", "messages", "choices", "parts", "candidates"),
)
_DEEPEST = 5
_TEXTS = ("text", "output_text", "input_text", "")
"""Kinds of parts that are words of a message; others are images, reasoning, or calls of tools."""
_OF_A_MESSAGE = frozenset(("role", "message.role"))


def find_text(given: Any, names: Sequence[str], depth: int = 0) -> str | None:
    """A text: the value itself, or what an object has under one of these names, or its only text."""
    value = plain_value(given)
    if isinstance(value, str):
        return value if value.strip() else None
    if depth >= _DEEPEST:
        return None
    if isinstance(value, list | tuple):
        if any(isinstance(one, Mapping) and _OF_A_MESSAGE & one.keys() for one in value):
            return last_message(value, ("user", "human") if names is QUERY else ("assistant", "ai", "model"))
        return find_text(value[-1 if names is QUERY else 0], names, depth + 1) if value else None
    if not isinstance(value, Mapping):
        return None
    for name in names:
        if (found := find_text(value.get(name), names, depth + 1)) is not None:
            return found
    texts = [one for one in value.values() if isinstance(one, str) and one.strip()]
    return texts[0] if len(texts) == 1 else None


def last_message(messages: Sequence[Any], roles: Sequence[str]) -> str | None:
    """The words of the last message of one of these roles, or else of the last one without a role."""
    without = None
    for message in reversed(messages):
        if isinstance(message, str):
            without = without or (message if message.strip() else None)
            continue
        if not isinstance(message, Mapping):
            continue
        known = {name.removeprefix("message."): value for name, value in message.items()}
        role = known.get("role") or known.get("type")
        text = _message_text(known)
        if text is None:
            continue
        if isinstance(role, str) and role.lower() in roles:
            return text
        if role is None and without is None:
            without = text
    return without


def _message_text(message: Mapping[str, Any]) -> str | None:
    for name in ("content", "contents", "parts"):
        content = plain_value(message.get(name)) if name != "content" else message.get(name)
        if isinstance(content, str) and content.strip():
            return content
        parts = list(content) if isinstance(content, list | tuple) else elements(message, name)
        texts = [text for part in parts if (text := _part_text(part)) is not None]
        if texts:
            return "".join(texts)
    return None


def _part_text(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return None
    known = {name.removeprefix("message_content."): value for name, value in part.items()}
    if (known.get("type") or "") not in _TEXTS:
        return None
    text = known.get("text") if known.get("text") is not None else known.get("content")
    return text if isinstance(text, str) else None

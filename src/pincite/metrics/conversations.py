"""Conversations as people and files write them, turned into messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.errors import InputError
from pincite.records import AIMessage, HumanMessage, MultiTurnConversation

_HUMAN = frozenset({"user", "human", "humanmessage", "customer", "person"})
_ASSISTANT = frozenset({"assistant", "ai", "aimessage", "bot", "model", "agent"})


def to_conversation(given: Any) -> MultiTurnConversation:
    """A conversation from one, from its messages, or from dicts of `role` (or `type`) and `content`."""
    messages = _messages(given)
    if messages is None:
        raise InputError("a conversation is a list of messages, oldest first, or {messages: [...]}")
    read = []
    for place, one in enumerate(messages):
        message = _message(one)
        if message is None:
            raise InputError(
                f"message {place} of the conversation: give HumanMessage, AIMessage or "
                "{role: user|assistant, content: text}"
            )
        read.append(message)
    return MultiTurnConversation(tuple(read))


def read_conversation(given: Any) -> MultiTurnConversation | None:
    """The same from what a file holds, as far as it can be read; texts alone take turns, a person first.

    What neither a person nor the assistant said (instructions, tools) is left out.
    """
    turns = [
        (HumanMessage, AIMessage)[place % 2](one) if isinstance(one, str) else _message(one)
        for place, one in enumerate(_messages(given) or ())
    ]
    messages = tuple(one for one in turns if one is not None)
    return MultiTurnConversation(messages) if messages else None


def _messages(given: Any) -> list[Any] | tuple[Any, ...] | None:
    if isinstance(given, MultiTurnConversation):
        return given.messages
    if isinstance(given, Mapping):
        given = given.get("messages")
    return given if isinstance(given, list | tuple) else None


def _message(given: Any) -> HumanMessage | AIMessage | None:
    if isinstance(given, HumanMessage | AIMessage):
        return given
    if isinstance(given, Mapping) and isinstance(given.get("content"), str):
        role = str(given.get("role") or given.get("type") or "").casefold()
        if role in _HUMAN:
            return HumanMessage(given["content"])
        if role in _ASSISTANT:
            return AIMessage(given["content"])
    return None

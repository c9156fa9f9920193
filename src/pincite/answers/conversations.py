"""Conversations as people and files write them, and their turns: what was asked, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent
from typing import Any

from msgspec import Struct

from pincite.errors import InputError
from pincite.records import AIMessage, Citation, DatasetItem, HumanMessage, MultiTurnConversation

_HUMAN = frozenset({"user", "human", "humanmessage", "customer", "person"})
_ASSISTANT = frozenset({"assistant", "ai", "aimessage", "bot", "model", "agent"})


def to_conversation(given: Any) -> MultiTurnConversation:
    """A conversation from one, from its messages, or from dicts of `role` (or `type`) and `content`."""
    messages = _messages(given)
    if messages is None:
        raise InputError("a conversation is a list of messages, oldest first, or {messages: [...]}")
    read = [_message(one) for one in messages]
    if None in read:
        advice = "give HumanMessage, AIMessage or {role: user|assistant, content: text}"
        raise InputError(f"message {read.index(None)} of the conversation: {advice}")
    return MultiTurnConversation(tuple(one for one in read if one is not None))


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


class Turn(Struct, frozen=True):
    """One answer and the question before it. Turns count from 0, one for each answer."""

    index: int
    query: str | None
    answer: str
    citations: tuple[Citation, ...] | None = None
    """As the system gave them; None when they are to be read from the answer."""


def find_turns(item: DatasetItem) -> tuple[Turn, ...]:
    """Every answer of the item, oldest first.

    A conversation may hold the last answer or only what came before it, so `actual_output` is a turn of its
    own unless it is the last thing that the conversation says.
    """
    turns: list[Turn] = []
    asked: str | None = None
    for message in item.conversation.messages if item.conversation else ():
        if isinstance(message, HumanMessage):
            asked = message.content
        elif isinstance(message, AIMessage):
            turns.append(Turn(len(turns), asked, straight(message.content)))
    if item.actual_output is None:
        return tuple(turns)
    last = straight(item.actual_output)
    if turns and turns[-1].answer == last:
        turns.pop()
    # Citations that were given have offsets in the answer as it was given.
    text = last if item.citations is None else item.actual_output
    query = item.query if item.query is not None else asked
    return (*turns, Turn(len(turns), query, text, item.citations))


def straight(text: str) -> str:
    """The text without the indentation that all of its lines share.

    A text that was written inside a program is indented as the program is, which in Markdown would make code
    of it.
    """
    return dedent(text).strip("\n") if text[:1] in " \t\n" else text

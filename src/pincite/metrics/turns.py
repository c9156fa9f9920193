"""The turns of a conversation: what was asked, and what was answered to it."""

from __future__ import annotations

from textwrap import dedent

from msgspec import Struct

from pincite.records import AIMessage, Citation, DatasetItem, HumanMessage


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

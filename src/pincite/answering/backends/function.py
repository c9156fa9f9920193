"""A function of the user's own: `package.module:function`, or the function itself.

It is called with the question and the passages, as records of `RetrievedPassage`, and returns a draft: an
`AnswerDraft`, `{"sentences": [{"text": …, "citations": [{"passage": 1, "quote": …}]}]}`, or plain text with
markers such as `[1]`. It may be asynchronous.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pincite.answering.backend import Backend
from pincite.answering.records import AnswerDraft, BackendFailed, DraftRequest, Way
from pincite.answering.replies import UnreadReply, draft_of, read_draft
from pincite.base import describe_error


class FunctionBackend(Backend):
    """Calls a function in a thread, so that one that blocks holds up nobody else."""

    name = ""  # each has its own
    ways: tuple[Way, ...] = ("function",)

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        self._function = function
        own = f"{function.__module__}:{getattr(function, '__qualname__', 'callable')}"
        self.name = f"function:{name or own}"
        self._takes_request = _takes_request(function)

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        import asyncio

        if request.mend and not self._takes_request:
            return AnswerDraft(())  # it cannot be told what failed
        given = (request,) if self._takes_request else (request.question, request.passages)
        try:
            reply = await asyncio.to_thread(self._function, *given)
            if inspect.isawaitable(reply):
                reply = await reply
        except BackendFailed:
            raise
        except Exception as error:
            raise BackendFailed(f"the function raised {describe_error(error)}") from error
        return self._read(reply, request)

    def _read(self, reply: Any, request: DraftRequest) -> AnswerDraft:
        if isinstance(reply, AnswerDraft):
            return reply
        try:
            if isinstance(reply, str):
                return read_draft(reply, [passage.id for passage in request.passages], plain=True)
            return draft_of(reply)
        except UnreadReply as unread:
            raise BackendFailed(f"what the function returned is no draft: {unread}", "reply") from None


def _takes_request(function: Callable[..., Any]) -> bool:
    """Whether it takes one argument, the whole `DraftRequest`, and so can be told what to mend."""
    try:
        taken = [
            one
            for one in inspect.signature(function).parameters.values()
            if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
        ]
    except (TypeError, ValueError):
        return False
    return len(taken) == 1

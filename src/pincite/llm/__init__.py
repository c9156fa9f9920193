"""Calls a language model: one client for every provider, with limits, a budget and a cache of replies.

`make_client("gpt-5-mini", settings)` gives the `LlmClient` that sends a `Prompt` and comes back with an
`LlmReply`, or raises `CallFailed`. Its `usage` counts every request, those that failed too.
`open_cache(settings)` gives the `ReplyCache` that a `CachedCaller` asks first. Nothing here knows what a
prompt is about, and nothing that works without a model imports this room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.llm.budget import Budget, UsageTally, estimate, read_prices, tally_usage
    from pincite.llm.cache import CachedCaller, CacheInfo, Caller, ReplyCache, cache_path, open_cache
    from pincite.llm.client import CallFailed, LlmClient, make_client
    from pincite.llm.exchange import EventListener
    from pincite.llm.prompt import Prompt, closed_object, fence_code, fenced, sendable
    from pincite.llm.rate_limit import RateLimiter
    from pincite.llm.replies import (
        LlmReply,
        RequestFailure,
        as_object,
        event_text,
        events,
        in_a_line,
        is_stream,
        parse_json,
        read_reply_body,
    )
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "budget": "Budget UsageTally estimate read_prices tally_usage",
            "cache": "CacheInfo CachedCaller Caller ReplyCache cache_path open_cache",
            "client": "CallFailed LlmClient make_client",
            "exchange": "EventListener",
            "prompt": "Prompt closed_object fence_code fenced sendable",
            "rate_limit": "RateLimiter",
            "replies": (
                "LlmReply RequestFailure as_object event_text events in_a_line is_stream parse_json "
                "read_reply_body"
            ),
        },
    )

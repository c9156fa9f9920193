"""Reads a request as a model is told to read it, and answers it by what stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from pincite.config import LlmSettings, Settings
from pincite.judges import LlmJudge
from pincite.llm import make_client
from pincite.records import Pair, Passage


def pair(claim: str, *texts: str, **more: Any) -> Pair:
    return Pair(claim, tuple(Passage(text) for text in texts), **more)


def judge_at(url: str, cache: Any = None, *, retries: int = 0, **more: Any) -> LlmJudge:
    """A judge that asks the endpoint at `url`; only what cannot be read is asked again."""
    settings = Settings(llm=LlmSettings(base_url=url, retry_attempts=0, timeout_seconds=5))
    return LlmJudge(make_client("test-model", settings), cache, retry_attempts=retries, **more)


def user_text(request: dict[str, Any]) -> str:
    return next(message["content"] for message in request["messages"] if message["role"] == "user")


def system_text(request: dict[str, Any]) -> str:
    return next(message["content"] for message in request["messages"] if message["role"] == "system")


def blocks(user: str) -> dict[str, str]:
    """Name → text, by the marker lines. Fails when a marker stands anywhere but round a block."""
    code = re.search(r"The code of this message is ([0-9a-f]{20})", user)[1]
    found = {}
    position = 0
    opening = re.compile(rf"^\[\[{code} (.+) begins\]\]\n", re.MULTILINE)
    while match := opening.search(user, position):
        end = user.index(f"\n[[{code} {match[1]} ends]]", match.end() - 1)
        found[match[1]] = user[match.end() : end]
        position = end
    assert user.count(code) == 1 + 2 * len(found)
    return found


def items(request: dict[str, Any]) -> dict[int, str]:
    """The number of each item → its claim."""
    found = blocks(user_text(request))
    return {int(name.split()[1]): text for name, text in found.items() if name.startswith("item ")}


def verdict(item: int, score: Any = 0.9, outcome: str | None = None, **more: Any) -> dict[str, Any]:
    outcome = outcome or ("supported" if score >= 0.5 else "not_enough")
    told = {
        "item": item,
        "outcome": outcome,
        "score": score,
        "reason": "so it says",
        "passage": None,
        "quote": None,
    }
    return {**told, **more}


def verdicts(*told: dict[str, Any]) -> str:
    return json.dumps({"verdicts": told})


def by_claim(answer: Callable[[int, str], dict[str, Any] | None]) -> Callable[[dict[str, Any], int], str]:
    """A model that answers each item by its number and claim; None leaves it out."""

    def reply(request: dict[str, Any], nth: int) -> str:
        told = [answer(number, claim) for number, claim in items(request).items()]
        return verdicts(*(one for one in told if one is not None))

    return reply

"""A message to a language model: texts from outside are fenced in it, so that none can pass for ours."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Prompt(Struct, frozen=True):
    """One question to a language model, ready to be sent."""

    name: str
    """The prompt file and its version: `support/1`."""
    system: str
    user: str
    schema: dict[str, Any] | None = None
    """The JSON Schema of the reply, for endpoints that can hold a model to one."""
    pairs: int = 1
    """How many pairs are asked about at once: what `max_tokens` is multiplied by."""
    documents: tuple[dict[str, Any], ...] = ()
    """Blocks of the user's message before its text, as a protocol with documents takes them."""
    seed: int | None = None
    """For endpoints that take one."""
    grammar: str | None = None
    """A grammar of the reply in llama.cpp's form (GBNF), for servers that have a `grammar` field."""


def closed_object(properties: dict[str, Any]) -> dict[str, Any]:
    """A schema as strict modes want it: every property required, no others allowed."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def sendable(text: str) -> str:
    """The text as UTF-8 can carry it, one character for one: JSON can hold half a character, no file can."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def fence_code(texts: Sequence[str]) -> str:
    """A code that is in none of the texts, made from all of them and from nothing else."""
    digest = hashlib.sha256(json.dumps(texts).encode("ascii")).hexdigest()
    lowered = [text.lower() for text in texts]
    while any(digest[:20] in text for text in lowered):
        digest = hashlib.sha256(digest.encode("ascii")).hexdigest()
    return digest[:20]


def fenced(code: str, name: str, text: str) -> str:
    """A text between two marker lines that it cannot imitate."""
    return f"[[{code} {name} begins]]\n{text}\n[[{code} {name} ends]]"

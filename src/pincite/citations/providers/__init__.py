"""API payloads: from what a provider sent to an answer with its citations, and back.

One file per API. Each has `looks_like(data)`, `read(root, collector, request)`, and the `UNIT` that its
offsets count in. `docs/providers.md` describes the shapes. To add one, write its file and add it to the table
below.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pincite.errors import PayloadError

if TYPE_CHECKING:  # the command line reads the table below, and starts without the records
    from pincite.config import Limits
    from pincite.records import Answer, Span

_APIS = (
    *("anthropic", "openai-responses", "openai-chat", "gemini"),
    *("cohere", "mistral", "perplexity", "citeformer"),
)
"""The only list of them. Each is read by the file of its name in this folder."""
_OPENAI = "openai"
"""Either of its APIs: the shape decides."""
PROVIDERS = (_APIS[0], _OPENAI, *_APIS[1:])
"""The names that `read_response` and `--from` take."""

__all__ = ["PROVIDERS", "is_generation_result", "provided_markers", "read_response", "write_citations"]


def read_response(
    payload: object, provider: str | None = None, name: str = "<answer>", limits: Limits | None = None
) -> Answer:
    """The answer in a provider's response, with the citations and the documents that came with it.

    `payload` is a dict, a list of streaming events, JSON as text or bytes, a `Path` to a JSON or JSON Lines
    file, or the SDK's response object. A dict of `{"request": …, "response": …}` gives the request's
    documents as well. Without a provider, the shape decides. A payload that cannot be read is a
    `PayloadError` that says where and why.
    """
    from pincite.citations.providers.entries import Collector
    from pincite.citations.providers.payload import Node, load_payload

    if provider is not None and provider not in PROVIDERS:
        raise PayloadError(f"unknown provider {provider!r}: use one of {', '.join(PROVIDERS)}")
    root = Node(load_payload(payload, limits))
    request = None
    if isinstance(root.value, dict) and isinstance(root.value.get("response"), (dict, list)):
        if isinstance(root.value.get("request"), dict):
            request = root.need("request")
        root = root.need("response")
        if not root.value:
            raise root.fail("the response is empty")
    if isinstance(root.value, list) and len(root.value) == 1 and _is_whole(root.value[0]):
        root = root.items()[0]
    provider = _provider_of(root.value, provider)
    reader = _module(provider)
    collector = Collector(provider, reader.UNIT)
    reader.read(root, collector, request)
    return collector.answer(name, _query_of(request))


def write_citations(answer: Answer) -> list[dict[str, Any]]:
    """The provider's own citation entries, as they came and in the order of the payload."""
    from pincite.citations.providers.entries import read_form

    forms = sorted(map(read_form, answer.citations or ()), key=lambda form: form.order)
    return [form.entry for form in forms if form.entry is not None]


def provided_markers(answer: Answer) -> tuple[Span, ...]:
    """Where a provider citation's span is a marker in the text, not the text that it speaks for.

    Such spans are what a reader would strip from a claim, and what belongs to the sentence before it.
    """
    from pincite.citations.providers.entries import read_form
    from pincite.citations.providers.offsets import is_marker

    return tuple(
        citation.span
        for citation in answer.citations or ()
        if citation.family == "provider" and (is_marker(citation.text) or read_form(citation).marker)
    )


def is_generation_result(data: object) -> bool:
    """Whether a payload is a result of citeformer, which other rooms read more of than its citations."""
    return bool(_module("citeformer").looks_like(data))


def _module(provider: str) -> ModuleType:
    return import_module(f"{__name__}.{provider.replace('-', '_')}")


def _matches(data: Any) -> list[str]:
    return [name for name in _APIS if _module(name).looks_like(data)]


def _is_whole(data: Any) -> bool:
    """Whether the one element of a list is a response, and not a stream of a single event."""
    if not isinstance(data, dict) or not _matches(data):
        return False
    choices = data.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return not (isinstance(first, dict) and "message" not in first)


def _provider_of(data: Any, provider: str | None) -> str:
    if provider == _OPENAI:
        return "openai-responses" if _module("openai-responses").looks_like(data) else "openai-chat"
    if provider is not None:
        return provider
    matches = _matches(data)
    if len(matches) == 1:
        return matches[0]
    known = ", ".join(PROVIDERS)
    if matches:
        raise PayloadError(f"the payload could be from {' or '.join(matches)}: name the provider ({known})")
    problem = "the payload has the shape of no known provider"
    raise PayloadError(f"{problem}: name it, or check the file ({known})")


def _query_of(request: Any) -> str | None:
    """The last thing that the user said, where the request was saved with the response."""
    if request is None:
        return None
    asked = request.raw("input")
    if isinstance(asked, str):
        return asked
    messages = request.raw("messages", "input", "contents")
    for message in reversed(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("role", "user") == "user":
            found = _text_in(message.get("content", message.get("parts")))
            if found:
                return found
    return None


def _text_in(content: Any) -> str | None:
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str)) or None

"""What the attributes of a span mean.

Those of OpenInference, OpenTelemetry's GenAI conventions, Langfuse and OpenLLMetry are read:
`docs/integrations/traces.md` lists them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.answers.trace_spans import SpanRole, TraceSpan, elements, flat, plain_value
from pincite.answers.values import read_amount, read_count, read_id, read_number
from pincite.text import word_list

_KINDS = (
    *("openinference.span.kind", "gen_ai.operation.name"),
    *("langfuse.observation.type", "traceloop.span.kind"),
)
_ROLES: dict[str, SpanRole] = {
    **dict.fromkeys(("retriever", "retrieval"), "retriever"),
    "reranker": "reranker",
    **dict.fromkeys(
        ("llm", "generation", "chat", "generate_content", "text_completion", "completion"), "model"
    ),
    **dict.fromkeys(("tool", "execute_tool", "embedding", "embeddings", "guardrail"), "aside"),
    **dict.fromkeys(("evaluator", "prompt", "decision", "event", "create_agent"), "aside"),
}
"""Every other kind (a chain, an agent, a workflow, a plain span) is a step."""
_INPUT = ("input.value", "langfuse.observation.input", "traceloop.entity.input")
_OUTPUT = ("output.value", "langfuse.observation.output", "traceloop.entity.output")
_INPUT_MESSAGES = ("llm.input_messages", "gen_ai.input.messages", "gen_ai.prompt")
_OUTPUT_MESSAGES = ("llm.output_messages", "gen_ai.output.messages", "gen_ai.completion")
_RETRIEVED = ("retrieval.documents", "gen_ai.retrieval.documents", "output.documents")
_RERANKED = ("reranker.output_documents",)
_TOTAL_TOKENS = ("llm.token_count.total", "gen_ai.usage.total_tokens", "llm.usage.total_tokens")
_TOKENS = (
    *("llm.token_count.prompt", "llm.token_count.completion"),
    *("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
    *("gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"),
)
_TOLD_BY_EVENTS = (
    *("gen_ai.content.prompt", "gen_ai.content.completion"),
    "gen_ai.client.inference.operation.details",
)
_CONVERSATION = ("gen_ai.conversation.id", "session.id", "langfuse.session.id")
_QUERY_ID = ("pincite.query_id", "langfuse.observation.metadata.query_id", "langfuse.trace.metadata.query_id")
_METADATA = ("metadata", "langfuse.observation.metadata", "langfuse.trace.metadata")
"""Objects that may hold it, as `query_id`."""
_WHOLE = frozenset((*_INPUT, *_OUTPUT, *_METADATA, "langfuse.observation.usage_details"))
_LISTS = word_list("documents contexts context chunks results nodes source_documents docs")
_QUERY = word_list("question query input user_input prompt text message messages args kwargs")
_ANSWER = word_list(
    "answer output response result output_text generation completion reply replies "
    "text content message messages choices parts candidates"
)
_DEEPEST = 5
_TEXTS = ("text", "output_text", "input_text", "")
"""Kinds of parts that are words of a message; others are images, reasoning, or calls of tools."""
_OF_A_MESSAGE = frozenset(("role", "message.role"))
_ASKING, _ANSWERING = ("user", "human"), ("assistant", "ai", "model")


def make_span(given: Mapping[str, Any], **frame: Any) -> TraceSpan:
    """A span of its attributes, those of its events among them; the frame is what it is besides them."""
    attributes = flat(given, _WHOLE)
    role = _role(attributes)
    query, answer = _query(attributes, role), _answer(attributes, role)
    if role in ("retriever", "reranker", "aside"):
        answer = None  # its output does not answer the user
    return TraceSpan(
        **frame,
        role=role,
        query=None if role == "aside" else query,
        answer=answer,
        documents=_documents(attributes, role),
        response_id=read_id(attributes.get("gen_ai.response.id")),
        tokens=_tokens(attributes),
        cost=read_amount(_first(attributes, ("llm.cost.total", "gen_ai.usage.cost"))),
        conversation_id=read_id(_first(attributes, _CONVERSATION)),
        query_id=_query_id(attributes),
    )


def with_events(
    attributes: dict[str, Any], events: Sequence[tuple[str, Mapping[str, Any]]]
) -> dict[str, Any]:
    """The attributes, and what older instrumentations put into events beside them."""
    found = dict(attributes)
    for name, held in events:
        if name == "gen_ai.choice":
            message = plain_value(held.get("message")) or held
            found.setdefault("gen_ai.output.messages", [message])
        elif name == "gen_ai.user.message":
            found.setdefault("gen_ai.input.messages", [{"role": "user", **held}])
        elif name in _TOLD_BY_EVENTS:
            found |= {key: value for key, value in held.items() if key not in found}
    return found


def _first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)


def _role(attributes: Mapping[str, Any]) -> SpanRole:
    kind = _first(attributes, _KINDS)
    if isinstance(kind, str):
        return _ROLES.get(kind.lower(), "step")
    # Some instrumentations of a model set nothing but its name.
    return "model" if "gen_ai.request.model" in attributes or "llm.request.type" in attributes else "step"


def _query(attributes: Mapping[str, Any], role: SpanRole) -> str | None:
    told = _first(attributes, ("gen_ai.retrieval.query.text", "reranker.query"))
    if isinstance(told, str):
        return told
    messages = next((found for name in _INPUT_MESSAGES if (found := elements(attributes, name))), None)
    asked = _last_message(messages, _ASKING) if messages else None
    value = _value(attributes, _INPUT, "input.mime_type", _QUERY)
    return (asked or value) if role == "model" else (value or asked)


def _answer(attributes: Mapping[str, Any], role: SpanRole) -> str | None:
    messages = next((found for name in _OUTPUT_MESSAGES if (found := elements(attributes, name))), None)
    said = _last_message(messages, _ANSWERING) if messages else None
    value = _value(attributes, _OUTPUT, "output.mime_type", _ANSWER)
    return (said or value) if role == "model" else (value or said)


def _value(
    attributes: Mapping[str, Any], names: tuple[str, ...], mime_type: str, among: tuple[str, ...]
) -> str | None:
    given = _first(attributes, names)
    if attributes.get(mime_type) == "text/plain" and isinstance(given, str):
        return given if given.strip() else None  # also where it looks like JSON
    return _find_text(given, among)


def _tokens(attributes: Mapping[str, Any]) -> int | None:
    total = read_count(_first(attributes, _TOTAL_TOKENS))
    details = plain_value(attributes.get("langfuse.observation.usage_details"))
    if total is None and isinstance(details, Mapping):
        total = read_count(details.get("total"))
    if total is not None:
        return total
    parts = [count for name in _TOKENS if (count := read_count(attributes.get(name))) is not None]
    return sum(parts) if parts else None


def _query_id(attributes: Mapping[str, Any]) -> str | None:
    found = read_id(_first(attributes, _QUERY_ID))
    for name in _METADATA:
        held = plain_value(attributes.get(name))
        if found is None and isinstance(held, Mapping):
            found = read_id(held.get("query_id"))
    return found


# --- documents -----------------------------------------------------------------------------------


def _documents(attributes: Mapping[str, Any], role: SpanRole) -> tuple[dict[str, Any], ...] | None:
    for name in _RERANKED if role == "reranker" else _RETRIEVED:
        found = elements(attributes, name)
        if found:
            return tuple(one for held in found if (one := document_of(held)) is not None)
        if plain_value(attributes.get(name)) == []:
            return ()
    if role not in ("retriever", "reranker"):
        return None
    output = plain_value(_first(attributes, _OUTPUT))
    if isinstance(output, Mapping):
        output = next((output[name] for name in _LISTS if isinstance(output.get(name), list)), None)
    if not isinstance(output, list):
        return None
    return tuple(one for held in output if (one := document_of(held)) is not None)


def document_of(given: Any) -> dict[str, Any] | None:
    """One retrieved document as OpenInference, LangChain, LlamaIndex, Haystack or a person writes it."""
    if isinstance(given, str):
        return {"content": given} if given.strip() else None
    if not isinstance(given, Mapping):
        return None
    own = flat(given).items()
    known = {name.removeprefix("document.").removeprefix("node."): value for name, value in own}
    metadata = plain_value(known.get("metadata") or known.get("meta"))
    for name, value in list(known.items()):
        for prefix in ("metadata.", "meta."):
            if name.startswith(prefix):
                known.setdefault(name.removeprefix(prefix), value)
    if isinstance(metadata, Mapping):
        for name, value in flat(metadata).items():
            known.setdefault(name, value)

    def text(*names: str) -> str | None:
        found = (known.get(name) for name in names)
        return next((one for one in found if isinstance(one, str) and one.strip()), None)

    def identifier(*names: str) -> str | None:
        return next((found for name in names if (found := read_id(known.get(name)))), None)

    source = text("file_path", "file_name", "filename", "path", "source")
    url = text("url", "uri", "link")
    if source is not None and "://" in source:
        source, url = None, url or source
    found = {
        "document_id": identifier("id", "id_", "document_id", "doc_id", "node_id", "chunk_id"),
        "content": text("content", "page_content", "text"),
        "score": read_number(_first(known, ("score", "relevance_score", "similarity"))),
        "title": text("title", "name"),
        "file_path": source,
        "url": url,
    }
    if found["content"] is None and found["document_id"] is None:
        return None
    return {name: value for name, value in found.items() if value is not None}


# --- the text that an input, an output or a list of messages stands for ---------------------------


def _find_text(given: Any, names: Sequence[str], depth: int = 0) -> str | None:
    """A text: the value itself, or what an object has under one of these names, or its only text."""
    value = plain_value(given)
    if isinstance(value, str):
        return value if value.strip() else None
    if depth >= _DEEPEST:
        return None
    if isinstance(value, list | tuple):
        if any(isinstance(one, Mapping) and _OF_A_MESSAGE & one.keys() for one in value):
            return _last_message(value, _ASKING if names is _QUERY else _ANSWERING)
        return _find_text(value[-1 if names is _QUERY else 0], names, depth + 1) if value else None
    if not isinstance(value, Mapping):
        return None
    for name in names:
        if (found := _find_text(value.get(name), names, depth + 1)) is not None:
            return found
    texts = [one for one in value.values() if isinstance(one, str) and one.strip()]
    return texts[0] if len(texts) == 1 else None


def _last_message(messages: Sequence[Any], roles: Sequence[str]) -> str | None:
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

"""Chat Completions chunks, as OpenAI, Mistral, Perplexity and many others stream them, put together again."""

from __future__ import annotations

from typing import Any

from pincite.citations.providers.payload import Node


def first_choice(data: Any) -> dict[str, Any]:
    """The message, or the delta, of the first choice; an empty dict when there is none."""
    if not isinstance(data, dict):
        return {}
    inner = data.get("data")
    if "choices" not in data and isinstance(inner, dict):
        data = inner
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return {}
    message = choices[0].get("message") or choices[0].get("delta")
    return message if isinstance(message, dict) else {}


def is_chat(data: Any) -> bool:
    """Whether a payload is a chat completion, or a list of its chunks."""
    if isinstance(data, list):
        return any(is_chat(event) for event in data if isinstance(event, dict))
    inner = data.get("data")
    return isinstance(data.get("choices"), list) or (isinstance(inner, dict) and "choices" in inner)


def assemble(root: Node) -> Node:
    """The completion that a list of chunks adds up to."""
    pieces: list[Any] = []
    whole: Any = None
    annotations: list[Any] = []
    message: dict[str, Any] = {}
    completion: dict[str, Any] = {}
    for event in root.items():
        chunk = event.get("data") if event.get("choices") is None else event
        if chunk is None:
            continue
        for name in ("citations", "search_results"):
            if chunk.raw(name):
                completion[name] = chunk.raw(name)
        for choice in chunk.objects("choices")[:1]:
            delta = choice.get("delta")
            if delta is not None:
                pieces.append(delta.raw("content"))
                annotations += [node.value for node in delta.each("annotations")]
                if delta.raw("context") is not None:
                    message["context"] = delta.raw("context")
            full = choice.get("message")
            if full is not None and full.raw("content") is not None:
                whole = full.raw("content")
    content = _join(pieces)
    message["content"] = content if content else whole
    if annotations:
        message["annotations"] = annotations
    completion["choices"] = [{"message": message}]
    return Node(completion)


def _join(pieces: list[Any]) -> Any:
    """The text, or where any piece is a list of chunks, one list of them with their texts joined."""
    if all(isinstance(piece, str) or piece is None for piece in pieces):
        return "".join(piece for piece in pieces if piece)
    lists = [piece if isinstance(piece, list) else [piece] for piece in pieces]
    return join_chunks([chunk for chunks in lists for chunk in chunks])


def join_chunks(chunks: list[Any]) -> list[Any]:
    """Content chunks with runs of text made into one chunk each."""
    joined: list[Any] = []
    texts: list[str] = []
    for chunk in chunks:
        text = chunk if isinstance(chunk, str) else None
        if isinstance(chunk, dict) and chunk.get("type") == "text" and isinstance(chunk.get("text"), str):
            text = chunk["text"]
        if text is not None:
            texts.append(text)
            continue
        if texts:
            joined.append({"type": "text", "text": "".join(texts)})
            texts = []
        if chunk is not None:
            joined.append(chunk)
    if texts:
        joined.append({"type": "text", "text": "".join(texts)})
    return joined

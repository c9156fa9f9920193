"""LangChain: retrieved documents as contexts, and the citations that a message carries.

A chat model's citations are annotations of the message's text blocks. Their indices count in the answer, not
in the source. Nothing of LangChain is imported: a message is asked for its standard content blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pincite.citations import (
    Collector,
    Node,
    PayloadEntry,
    document_target,
    is_web_address,
    sentence_start,
    to_plain,
    web_target,
)
from pincite.errors import PayloadError
from pincite.findings import check_contexts
from pincite.records import Answer, Report, Target

_GEMINI = "google_ai_metadata"
"""Among the extras of a citation: the model's integration took it from Gemini's grounding metadata."""


def check_message(
    message: Any, documents: Iterable[Any], *, query: str | None = None, **options: Any
) -> Report:
    """Check the citations of a message against the documents that the model was shown.

    `documents` are LangChain documents in the order in which the model saw them, or texts. Without citations
    of its own, the message's text is searched for markers such as `[1]`. `options` are those of
    `check_contexts`.
    """
    return check_contexts(read_message(message), documents, query=query, **options)


def check_conversation(messages: Iterable[Any], **options: Any) -> Report:
    """Check an agent's last answer against the documents that its retrieval tools returned as artifacts.

    The question is the last one that a person asked. `options` are those of `check_contexts`.
    """
    listed = list(messages)
    answers = [one for one in listed if getattr(one, "type", None) in ("ai", "AIMessageChunk")]
    if not answers:
        raise PayloadError("none of the messages is from a model, so there is no answer to check")
    asked = [one for one in listed if getattr(one, "type", None) == "human"]
    query = read_message(asked[-1]).text if asked else None
    return check_message(answers[-1], retrieved_documents(listed), **{"query": query, **options})


def retrieved_documents(messages: Iterable[Any]) -> list[Any]:
    """The documents in the artifacts of tool messages, in their order, each of them once.

    A tool keeps them there if it was made with `response_format="content_and_artifact"`.
    """
    found: list[Any] = []
    for message in messages:
        artifact = getattr(message, "artifact", None)
        listed = artifact if isinstance(artifact, list | tuple) else [artifact]
        for one in listed:
            if isinstance(getattr(one, "page_content", None), str) and one not in found:
                found.append(one)
    return found


def read_message(message: Any, name: str = "<answer>") -> Answer:
    """The text of a message with its citations, each with the part of the text that it covers.

    `message` is a message, or a list of standard content blocks. Citations that do not fit the text are kept
    with their problem; content that is no list of blocks is a `PayloadError`.
    """
    given = _blocks_of(message)
    blocks = [{"type": "text", "text": given}] if isinstance(given, str) else given
    if isinstance(blocks, Mapping) or not isinstance(blocks, Iterable):
        raise PayloadError(f"{type(message).__name__} is no message, and no list of content blocks")
    texts = [
        node
        for node in Node(to_plain(list(blocks))).items()
        if isinstance(node.value, dict) and node.string("type") == "text"
    ]
    noted = [(node, node.objects("annotations", "citations")) for node in texts]
    gemini = any(_is_gemini(one) for _, notes in noted for one in notes)
    # Gemini counts bytes, and LangChain hands its numbers on as they are.
    collector = Collector("langchain", "utf8" if gemini else "code_point")
    for node, notes in noted:
        text = node.string("text") or ""
        span = collector.add_text(text)
        collector.cite(span, [_read_annotation(one, text) for one in notes])
    return collector.answer(name)


def _blocks_of(message: Any) -> Any:
    if not is_message(message):
        return message
    try:
        return message.content_blocks
    except Exception as error:  # LangChain expects fields that a model's answer may not have
        raise PayloadError(f"LangChain cannot read the message: {type(error).__name__}: {error}") from error


def is_message(given: Any) -> bool:
    """Whether something is a message. Its blocks are made when they are asked for, so only the class is."""
    return hasattr(type(given), "content_blocks")


def _is_gemini(annotation: Node) -> bool:
    extras = annotation.raw("extras")
    return isinstance(extras, dict) and _GEMINI in extras


def _read_annotation(node: Node, text: str) -> PayloadEntry:
    kind = node.string("type") or ""
    if kind == "non_standard_annotation":
        return PayloadEntry(node=node, start=0, end=len(text), problem="LangChain does not know its type")
    extras = node.raw("extras")
    # What a model's own API says and the standard has no field for is among the extras.
    said = Node({**(extras if isinstance(extras, dict) else {}), **node.fields()}, node.pointer)
    title = said.string("title", "document_title")
    target, problem = _target(said, title)
    entry = PayloadEntry(
        node=node,
        targets=() if target is None else (target,),
        cited_text=said.string("cited_text"),
        document_title=title,
        problem=problem,
    )
    start, end, index = said.raw("start_index"), said.raw("end_index"), said.raw("index")
    if _is_gemini(node):
        # Its "cited text" is what the answer says, not the source.
        covered = entry.cited_text
        return replace(entry, start=start or 0, end=end, covered=covered, cited_text=None)
    if start is not None or end is not None:
        return replace(entry, start=start, end=end)
    if type(index) is int and 0 < index <= len(text) and "file_id" in said.fields():
        # A point in the text: what stands before it in its sentence is what it speaks for.
        return replace(entry, start=sentence_start(text, index), end=index)
    return replace(entry, start=0, end=len(text))


def _target(said: Node, title: str | None) -> tuple[Target | None, str | None]:
    """What an annotation cites, or what is wrong with it."""
    url = said.string("url")
    source = said.string("source")
    if url or (source and is_web_address(source)):
        return web_target(url or source or "", title), None
    index = said.number("document_index", "search_result_index")
    name = source or title or (None if index is None else f"#{index}")
    if name is None:
        return None, "the citation names no source"
    start, end = _range(said, "start_char_index", "end_char_index")
    first, last = _range(said, "start_page_number", "end_page_number")
    if start is not None:
        return document_target(name, start=start, end=end), None
    if first is not None and last is not None and 0 < first < last:
        return document_target(name, page=first, end_page=last - 1), None
    return document_target(name), None


def _range(said: Node, start: str, end: str) -> tuple[int | None, int | None]:
    first, last = said.number(start), said.number(end)
    return (None, None) if first is None or last is None or not 0 <= first <= last else (first, last)

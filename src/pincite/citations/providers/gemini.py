"""Google Gemini: `groundingSupports`, whose segments are UTF-8 bytes of one part of the content.

REST writes camelCase and leaves out an index of 0; the SDKs write snake_case. Both are read. The older
`citationMetadata` counts bytes too, from the start of the whole text. `segment.text` is compared with the
answer.
"""

from __future__ import annotations

from typing import Any

from pincite.citations.providers import gemini_interactions
from pincite.citations.providers.entries import Collector, Entry
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.payload import Node
from pincite.citations.providers.targets import document_target, web_target
from pincite.records import Answer, Span, Target

NAME = "gemini"
UNIT: Unit = "utf8"


def looks_like(data: Any) -> bool:
    """Whether a payload has candidates, is a list of chunks that have them, or is an interaction."""
    if gemini_interactions.looks_like(data):
        return True
    if isinstance(data, list):
        return any(isinstance(chunk, dict) and isinstance(chunk.get("candidates"), list) for chunk in data)
    return isinstance(data.get("candidates"), list)


def read(root: Node, name: str, request: Node | None = None, query: str | None = None) -> Answer:
    """A response, or the list of chunks that streamed it."""
    collector = Collector(NAME, UNIT)
    if gemini_interactions.looks_like(root.value):
        gemini_interactions.read_steps(root, collector)
        return collector.answer(name, query)
    if isinstance(root.value, list):
        root = _assemble(root)
    candidates = root.need("candidates").items()
    if candidates:
        _read_candidate(candidates[0], collector)
    return collector.answer(name, query)


def _read_candidate(candidate: Node, collector: Collector) -> None:
    content = candidate.get("content")
    spans: list[Span] = []
    for part in content.objects("parts") if content is not None else []:
        # A thought or a function call takes up an index but adds no text to the answer.
        text = "" if part.raw("thought") is True else part.string("text") or ""
        spans.append(collector.add_text(text))
    whole = Span(0, collector.length)
    grounding = candidate.get("groundingMetadata", "grounding_metadata")
    if grounding is not None:
        chunks = grounding.objects("groundingChunks", "grounding_chunks")
        for index, chunk in enumerate(chunks):
            _keep_chunk(chunk, index, collector)
        for support in grounding.objects("groundingSupports", "grounding_supports"):
            entry, part_index = _read_support(support, chunks, len(spans))
            collector.cite(spans[part_index] if part_index < len(spans) else whole, [entry])
    metadata = candidate.get("citationMetadata", "citation_metadata")
    if metadata is not None:
        collector.cite(
            whole,
            [
                _read_source(node)
                for node in metadata.objects("citationSources", "citation_sources", "citations")
            ],
        )


def _read_support(support: Node, chunks: list[Node], parts: int) -> tuple[Entry, int]:
    segment = support.get("segment") or Node({}, f"{support.pointer}/segment")
    problems: list[str] = []
    targets: list[Target] = []
    titles: list[str | None] = []
    indices = support.each("groundingChunkIndices", "grounding_chunk_indices")
    for node in indices:
        index = node.value
        if type(index) is not int or not 0 <= index < len(chunks):
            problems.append(f"grounding chunk {str(index)[:40]} is not in the list of {len(chunks)}")
            continue
        target, title = _chunk_target(chunks[index], index)
        titles.append(title)
        if target is None:
            problems.append(f"grounding chunk {index} names no source")
        else:
            targets.append(target)
    if not indices:
        problems.append("the support names no grounding chunk")
    part_index = _zero_if_missing(segment.raw("partIndex", "part_index"))
    if type(part_index) is not int or not 0 <= part_index < max(parts, 1):
        problems.append(f"part {str(part_index)[:40]} is not in the list of {parts}")
        part_index = parts
    start_name = segment.name_of("startIndex", "start_index")
    end_name = segment.name_of("endIndex", "end_index")
    fields: dict[str, tuple[str, ...]] = {}
    if start_name is not None:
        fields["start"] = ("segment", start_name)
    if end_name is not None:
        fields["end"] = ("segment", end_name)
    if segment.name_of("text") is not None:
        fields["covered"] = ("segment", "text")
    entry = Entry(
        node=support,
        targets=tuple(targets),
        start=_zero_if_missing(segment.raw("startIndex", "start_index")),
        end=_zero_if_missing(segment.raw("endIndex", "end_index")),
        covered=segment.string("text"),
        document_title=titles[0] if len(titles) == 1 else None,
        problem="; ".join(problems) or None,
        fields=fields,
    )
    return entry, part_index


def _zero_if_missing(value: Any) -> Any:
    """JSON made from protocol buffers leaves out a number that is 0."""
    return 0 if value is None else value


def _chunk_target(chunk: Node, index: int) -> tuple[Target | None, str | None]:
    context = chunk.get("retrievedContext", "retrieved_context")
    if context is not None:
        name = _context_name(context, index)
        first, last = _pages(context)
        target = document_target(name, page=first, end_page=last) if name else None
        return target, context.string("title")
    place = chunk.get("web", "maps", "image")
    if place is None:
        return None, None
    url = place.string("uri", "sourceUri", "source_uri")
    title = place.string("title")
    return (web_target(url, title) if url else None), title


def _context_name(context: Node, index: int) -> str | None:
    """What the document is called. File search may send its text alone, and then its place has to do."""
    name = context.string("title") or context.string("uri") or context.string("documentName", "document_name")
    return name or (f"grounding chunk {index}" if _context_text(context) else None)


def _context_text(context: Node) -> str | None:
    rag = context.get("ragChunk", "rag_chunk")
    return context.string("text") or (rag.string("text") if rag is not None else None)


def _pages(context: Node) -> tuple[int | None, int | None]:
    page = context.number("pageNumber", "page_number")
    if page is not None:
        return page, None
    rag = context.get("ragChunk", "rag_chunk")
    span = rag.get("pageSpan", "page_span") if rag is not None else None
    if span is None:
        return None, None
    return span.number("firstPage", "first_page"), span.number("lastPage", "last_page")


def _keep_chunk(chunk: Node, index: int, collector: Collector) -> None:
    context = chunk.get("retrievedContext", "retrieved_context")
    if context is not None:
        collector.sources.add(
            _context_name(context, index),
            _context_text(context),
            context.string("title"),
            context.string("uri"),
        )
    place = chunk.get("maps")
    if place is not None:
        collector.sources.add(
            place.string("uri"), place.string("text"), place.string("title"), place.string("uri")
        )


def _read_source(node: Node) -> Entry:
    """One entry of `citationMetadata`: a stretch of the text that was found, word for word, elsewhere."""
    url = node.string("uri")
    title = node.string("title")
    start_name = node.name_of("startIndex", "start_index")
    end_name = node.name_of("endIndex", "end_index")
    fields = {"start": (start_name,) if start_name else (), "end": (end_name,) if end_name else ()}
    return Entry(
        node=node,
        targets=(web_target(url, title),) if url else (),
        start=_zero_if_missing(node.raw("startIndex", "start_index")),
        end=_zero_if_missing(node.raw("endIndex", "end_index")),
        document_title=title,
        problem=None if url else "the citation has no URI",
        fields={name: path for name, path in fields.items() if path},
    )


def _assemble(root: Node) -> Node:
    """The response that a list of chunks adds up to. Grounding speaks of the text as a whole."""
    parts: list[dict[str, Any]] = []
    pieces: list[list[str]] = []
    candidate: dict[str, Any] = {}
    for chunk in root.items():
        for node in chunk.objects("candidates")[:1]:
            for name in ("groundingMetadata", "grounding_metadata", "citationMetadata", "citation_metadata"):
                if node.raw(name) is not None:
                    candidate[name] = node.raw(name)
            content = node.get("content")
            for part in content.objects("parts") if content is not None else []:
                text = part.string("text")
                thought = part.raw("thought") is True
                if text is not None and parts and parts[-1].get("thought", False) is thought and pieces[-1]:
                    pieces[-1].append(text)
                else:
                    parts.append({"thought": thought})
                    pieces.append([] if text is None else [text])
    for joined, texts in zip(parts, pieces, strict=True):
        if texts:
            joined["text"] = "".join(texts)
    candidate["content"] = {"parts": parts}
    return Node({"candidates": [candidate]})

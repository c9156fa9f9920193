"""Google Gemini: `groundingSupports`, whose segments are UTF-8 bytes of one part of the content.

REST writes camelCase and leaves out an index of 0; the SDKs write snake_case. Both are read. The older
`citationMetadata` counts bytes too, from the start of the whole text. `segment.text` is compared with the
answer.
"""

from __future__ import annotations

from typing import Any

from pincite.citations.providers.entries import Collector, PayloadEntry, Sources, document_target, web_target
from pincite.citations.providers.offsets import Unit
from pincite.citations.providers.payload import Node
from pincite.records import Span, Target

UNIT: Unit = "utf8"
_COMPLETED = "interaction.completed"


def looks_like(data: Any) -> bool:
    """Whether a payload has candidates, is a list of chunks that have them, or is an interaction."""
    if _is_interaction(data):
        return True
    if isinstance(data, list):
        return any(isinstance(chunk, dict) and isinstance(chunk.get("candidates"), list) for chunk in data)
    return isinstance(data.get("candidates"), list)


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A response, or the list of chunks that streamed it."""
    if _is_interaction(root.value):
        _read_steps(root, collector)
        return
    if isinstance(root.value, list):
        root = _assemble(root)
    candidates = root.need("candidates").items()
    if candidates:
        _read_candidate(candidates[0], collector)


def _read_candidate(candidate: Node, collector: Collector) -> None:
    spans: list[Span] = []
    for part in candidate.inner("content").objects("parts"):
        # A thought or a function call takes up an index but adds no text to the answer.
        text = "" if part.raw("thought") is True else part.string("text") or ""
        spans.append(collector.add_text(text))
    whole = Span(0, collector.length)
    grounding = candidate.inner("groundingMetadata", "grounding_metadata")
    chunks = grounding.objects("groundingChunks", "grounding_chunks")
    for index, chunk in enumerate(chunks):
        _keep_chunk(chunk, index, collector)
    for support in grounding.objects("groundingSupports", "grounding_supports"):
        entry, part_index = _read_support(support, chunks, len(spans))
        collector.cite(spans[part_index] if part_index < len(spans) else whole, [entry])
    metadata = candidate.inner("citationMetadata", "citation_metadata")
    cited = metadata.objects("citationSources", "citation_sources", "citations")
    collector.cite(whole, [_read_source(node) for node in cited])


def _read_support(support: Node, chunks: list[Node], parts: int) -> tuple[PayloadEntry, int]:
    segment = support.inner("segment")
    sources = Sources()
    indices = support.each("groundingChunkIndices", "grounding_chunk_indices")
    for node in indices:
        index = node.value
        if type(index) is not int or not 0 <= index < len(chunks):
            sources.problems.append(f"grounding chunk {str(index)[:40]} is not in the list of {len(chunks)}")
            continue
        target, title = _chunk_target(chunks[index], index)
        if target is None:
            sources.problems.append(f"grounding chunk {index} names no source")
        else:
            sources.add(target, title)
    if not indices:
        sources.problems.append("the support names no grounding chunk")
    part_index = _zero_if_missing(segment.raw("partIndex", "part_index"))
    if type(part_index) is not int or not 0 <= part_index < max(parts, 1):
        sources.problems.append(f"part {str(part_index)[:40]} is not in the list of {parts}")
        part_index = parts
    return sources.entry(support, *_bounds(segment), segment.string("text")), part_index


def _bounds(node: Node) -> tuple[Any, Any]:
    start, end = node.raw("startIndex", "start_index"), node.raw("endIndex", "end_index")
    return _zero_if_missing(start), _zero_if_missing(end)


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
    place = chunk.inner("web", "maps", "image")
    url, title = place.string("uri", "sourceUri", "source_uri"), place.string("title")
    return (web_target(url, title) if url else None), title


def _context_name(context: Node, index: int) -> str | None:
    """What the document is called. File search may send its text alone, and then its place has to do."""
    name = context.string("title") or context.string("uri") or context.string("documentName", "document_name")
    return name or (f"grounding chunk {index}" if _context_text(context) else None)


def _context_text(context: Node) -> str | None:
    return context.string("text") or context.inner("ragChunk", "rag_chunk").string("text")


def _pages(context: Node) -> tuple[int | None, int | None]:
    page = context.number("pageNumber", "page_number")
    if page is not None:
        return page, None
    span = context.inner("ragChunk", "rag_chunk").inner("pageSpan", "page_span")
    return span.number("firstPage", "first_page"), span.number("lastPage", "last_page")


def _keep_chunk(chunk: Node, index: int, collector: Collector) -> None:
    context = chunk.inner("retrievedContext", "retrieved_context")
    name, url = _context_name(context, index), context.string("uri")
    collector.sources.add(name, _context_text(context), context.string("title"), url)
    place = chunk.inner("maps")
    url = place.string("uri")
    collector.sources.add(url, place.string("text"), place.string("title"), url)


def _read_source(node: Node) -> PayloadEntry:
    """One entry of `citationMetadata`: a stretch of the text that was found, word for word, elsewhere."""
    url, title = node.string("uri"), node.string("title")
    targets = (web_target(url, title),) if url else ()
    problem = None if url else "the citation has no URI"
    return PayloadEntry(node, targets, *_bounds(node), document_title=title, problem=problem)


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
            for part in node.inner("content").objects("parts"):
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


# --- the Interactions API: `steps` of type `model_output`, whose text blocks carry annotations ---


def _is_interaction(data: Any) -> bool:
    """Whether a payload is an interaction, or a stream that ended in one."""
    key, wanted = ("event_type", _COMPLETED) if isinstance(data, list) else ("type", "model_output")
    steps = data if isinstance(data, list) else data.get("steps")
    return isinstance(steps, list) and any(
        isinstance(step, dict) and step.get(key) == wanted for step in steps
    )


def _read_steps(root: Node, collector: Collector) -> None:
    """Everything that the model said, step by step."""
    if isinstance(root.value, list):
        completed = (event for event in root.items() if event.string("event_type") == _COMPLETED)
        root = next(completed).need("interaction")
    for step in root.need("steps").items():
        if step.string("type") != "model_output":
            continue
        for block in step.objects("content"):
            if block.string("type") == "text":
                span = collector.add_text(block.string("text") or "")
                collector.cite(span, [_read_annotation(node) for node in block.objects("annotations")])


def _read_annotation(node: Node) -> PayloadEntry:
    kind = node.string("type") or ""
    title = node.string("title") or node.string("file_name") or node.string("name")
    target = _annotation_target(node, kind, title)
    problem = None if target is not None else "the citation names no source"
    if kind not in ("url_citation", "file_citation", "place_citation"):
        problem = f"unknown citation type {kind[:60]!r}"
    targets = (target,) if target is not None else ()
    return PayloadEntry(node, targets, *_bounds(node), document_title=title, problem=problem)


def _annotation_target(node: Node, kind: str, title: str | None) -> Target | None:
    if kind == "file_citation":
        name = title or node.string("document_uri") or node.string("source")
        return document_target(name, page=node.number("page_number")) if name else None
    url = node.string("url")
    return web_target(url, title) if url else None

"""OpenAI Responses: `output[].content[]` of type `output_text`, each with its annotations.

OpenAI documents `start_index` and `end_index` as characters and names no unit, so code points are declared. A
URL citation that covers a link can be checked, and one that fits another unit is placed there with a problem.
`end_index` is exclusive in recorded responses, whatever its description says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pincite.citations.providers.entries import Collector, PayloadEntry, document_target, web_target
from pincite.citations.providers.offsets import Placed, Unit, is_exact_marker, place_spans, sentence_start
from pincite.citations.providers.payload import Node
from pincite.records import Target, WebTarget

UNIT: Unit = "code_point"


def looks_like(data: Any) -> bool:
    """Whether a payload has the shape of a response, or of its stream."""
    if isinstance(data, list):
        kinds = (str(event.get("type", "")) for event in data if isinstance(event, dict))
        return any(kind.startswith("response.") for kind in kinds)
    has_output = isinstance(data.get("output"), list) and "outputs" not in data
    return has_output or data.get("object") == "response"


def read(root: Node, collector: Collector, request: Node | None) -> None:
    """A response, or the list of events that streamed it."""
    if isinstance(root.value, list):
        root = _assemble(root)
    for item in root.need("output").items():
        kind = item.string("type")
        if kind == "message":
            for part in item.objects("content"):
                if part.string("type") == "output_text":
                    _read_part(part, collector)
        elif kind in ("file_search_call", "search_results", "fetch_url_results"):
            _keep_results(item, collector)


def _keep_results(item: Node, collector: Collector) -> None:
    """What a search tool found, where the response was asked to include it."""
    for result in item.objects("results", "contents"):
        url, title = result.string("url"), result.string("filename", "title")
        file_id = result.string("file_id")
        text = result.string("text", "snippet")
        collector.sources.add(url or title or file_id, text, title, url, file_id)


def _read_part(part: Node, collector: Collector) -> None:
    text = part.string("text") or ""
    span = collector.add_text(text)
    entries = [_read_annotation(node, text) for node in part.objects("annotations")]
    collector.cite(span, check_links(text, [entry for entry in entries if entry is not None]))


def _read_annotation(node: Node, text: str) -> PayloadEntry | None:
    kind = node.string("type") or ""
    if kind == "url_citation":
        return read_url_citation(node, node)
    if kind == "file_path":
        # A file that the model made and offers for download: it is not evidence for anything.
        return None
    name = node.string("filename", "file_id")
    targets: tuple[Target, ...] = (document_target(name),) if name else ()
    problem = None if name else "the citation names no file"
    if kind == "container_file_citation":
        start, end = node.raw("start_index"), node.raw("end_index")
    elif kind == "file_citation":
        # The payload gives a point; what stands before it in its sentence is what it speaks for.
        start = end = node.raw("index")
        if type(end) is int and 0 <= end <= len(text):
            start = sentence_start(text, end)
    else:
        return PayloadEntry(node=node, start=0, end=len(text), problem=f"unknown citation type {kind[:60]!r}")
    title = node.string("filename")
    return PayloadEntry(node, targets, start, end, document_title=title, problem=problem)


def read_url_citation(node: Node, fields: Node) -> PayloadEntry:
    """A `url_citation`: its fields stand in the annotation or, in Chat Completions, one level down."""
    url, title = fields.string("url"), fields.string("title")
    targets, problem = ((web_target(url, title),), None) if url else ((), "the citation has no URL")
    place = fields.raw("start_index"), fields.raw("end_index")
    return PayloadEntry(node, targets, *place, document_title=title, problem=problem)


def check_links(text: str, entries: list[PayloadEntry]) -> list[PayloadEntry]:
    """Tell each entry what it covers where only another unit makes its offsets hold the link to its own URL.

    Most URL citations cover a Markdown link that was written into the text, so the link is a check on the
    unit.
    """
    if text.isascii() or not entries:
        return entries
    spans = [(entry.start, entry.end) for entry in entries]
    units: tuple[Unit, ...] = ("code_point", "utf16", "utf8")
    readings = [place_spans(text, spans, unit) for unit in units]
    placed = zip(*readings, strict=True)
    return [_check_link(text, entry, places) for entry, places in zip(entries, placed, strict=True)]


def _check_link(text: str, entry: PayloadEntry, readings: Sequence[Placed]) -> PayloadEntry:
    url = next((target.url for target in entry.targets if isinstance(target, WebTarget)), None)
    if not isinstance(url, str):
        return entry
    slices = [text[place.start : place.end] if place.end - place.start < 10_000 else "" for place in readings]
    fits = [url in part and is_exact_marker(part) for part in slices]
    # Only a clear case counts: the declared unit does not fit, and one of the others does.
    if fits[0] or not any(fits):
        return entry
    return replace(entry, covered=slices[fits.index(True)])


def _assemble(root: Node) -> Node:
    """The response that a list of events adds up to: the last event holds it whole, if it arrived."""
    items: dict[int, dict[str, Any]] = {}
    parts: dict[tuple[int, int], dict[str, Any]] = {}
    pieces: dict[tuple[int, int], list[str]] = {}
    for event in root.items():
        kind = event.string("type")
        if kind in ("response.completed", "response.incomplete"):
            return event.need("response")
        if kind in ("error", "response.failed"):
            raise event.fail("the stream ended in an error, so the answer is not complete")
        if kind == "response.output_item.done":
            items[_position(event, "output_index")] = event.need("item").fields()
        elif kind in ("response.output_text.delta", "response.output_text.annotation.added"):
            place = (_position(event, "output_index"), _position(event, "content_index"))
            part = parts.setdefault(place, {"type": "output_text", "annotations": []})
            if kind == "response.output_text.delta":
                pieces.setdefault(place, []).append(event.string("delta") or "")
            else:
                part["annotations"].append(event.need("annotation").value)
    for (output, content), part in sorted(parts.items()):
        part["text"] = "".join(pieces.get((output, content), []))
        item = items.setdefault(output, {"type": "message", "content": [], "streamed": True})
        if item.get("streamed"):
            item["content"].append(part)
    return Node({"output": [items[index] for index in sorted(items)]})


def _position(event: Node, name: str) -> int:
    position = event.number(name)
    if position is None:
        raise event.fail(f"the event has no {name}")
    return position

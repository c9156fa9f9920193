"""Gemini's Interactions API: `steps` of type `model_output`, whose text blocks carry annotations.

As in the older API, indices are UTF-8 bytes of the text block; an index of 0 may be left out.
"""

from __future__ import annotations

from typing import Any

from pincite.citations.providers.entries import Collector, Entry
from pincite.citations.providers.payload import Node
from pincite.citations.providers.targets import document_target, web_target
from pincite.records import Target


def looks_like(data: Any) -> bool:
    """Whether a payload is an interaction, or a stream that ended in one."""
    if isinstance(data, list):
        return any(
            isinstance(event, dict) and event.get("event_type") == "interaction.completed" for event in data
        )
    steps = data.get("steps")
    return isinstance(steps, list) and any(
        isinstance(step, dict) and step.get("type") == "model_output" for step in steps
    )


def read_steps(root: Node, collector: Collector) -> None:
    """Everything that the model said, step by step."""
    if isinstance(root.value, list):
        root = next(
            event.need("interaction")
            for event in root.items()
            if event.string("event_type") == "interaction.completed"
        )
    for step in root.need("steps").items():
        if step.string("type") != "model_output":
            continue
        for block in step.objects("content"):
            if block.string("type") == "text":
                span = collector.add_text(block.string("text") or "")
                collector.cite(span, [_read_annotation(node) for node in block.objects("annotations")])


def _read_annotation(node: Node) -> Entry:
    kind = node.string("type") or ""
    title = node.string("title") or node.string("file_name") or node.string("name")
    target = _target(node, kind, title)
    problem = None if target is not None else "the citation names no source"
    if kind not in ("url_citation", "file_citation", "place_citation"):
        problem = f"unknown citation type {kind[:60]!r}"
    fields = {"start": ("start_index",), "end": ("end_index",)}
    start, end = node.raw("start_index"), node.raw("end_index")
    return Entry(
        node=node,
        targets=(target,) if target is not None else (),
        start=0 if start is None else start,
        end=0 if end is None else end,
        document_title=title,
        problem=problem,
        fields={name: path for name, path in fields.items() if node.raw(path[0]) is not None},
    )


def _target(node: Node, kind: str, title: str | None) -> Target | None:
    if kind == "file_citation":
        name = title or node.string("document_uri") or node.string("source")
        return document_target(name, page=node.number("page_number")) if name else None
    url = node.string("url")
    return web_target(url, title) if url else None

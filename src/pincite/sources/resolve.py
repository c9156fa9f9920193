"""From a target to its evidence, or to the reason why there is none. Nothing is read here: only looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import structs

from pincite.records import (
    Evidence,
    NumberTarget,
    PathTarget,
    Reference,
    Source,
    Span,
    SpanTarget,
    Target,
    WebTarget,
)
from pincite.sources.entry_evidence import resolve_number, resolve_web, resolve_work
from pincite.sources.library import Library
from pincite.sources.passages import passage
from pincite.sources.paths import find_path, nearest_paths, write_path
from pincite.sources.reference_index import ReferenceIndex
from pincite.sources.span_evidence import resolve_span

_ALIKE = 60
"""From which likeness on, of 100, a path is suggested in words."""


def resolve(
    target: Target,
    library: Library,
    references: Sequence[Reference] | ReferenceIndex = (),
    offsets: Literal["document", "page"] = "document",
    max_span_length: int | None = None,
) -> Evidence:
    """What a target points to among the sources.

    `references` is the answer's own list; an index of it serves many targets. `offsets` says what cited
    offsets count from: the start of the document, or of the cited page. A span longer than `max_span_length`
    is a bad one.
    """
    if isinstance(target, SpanTarget):
        return resolve_span(target, library, offsets, max_span_length)
    listed = references if isinstance(references, ReferenceIndex) else ReferenceIndex(references)
    if isinstance(target, NumberTarget):
        return resolve_number(target, library, listed)
    if isinstance(target, WebTarget):
        return resolve_web(target, library)
    if isinstance(target, PathTarget):
        return resolve_path(target, library)
    return resolve_work(target, library, listed)


def resolve_path(target: PathTarget, library: Library) -> Evidence:
    """The value at a path, in the one source that has it."""
    data_sources = [source for source in library.sources if source.kind in ("json", "csv")]
    shown = target.path[:200]
    if not data_sources:
        return Evidence(
            "path_not_found" if library.given else "not_given",
            f"no JSON or CSV source was given in which {shown!r} could be looked up",
        )
    hits = [
        (source, steps) for source in data_sources if (steps := find_path(source, target.path)) is not None
    ]
    if len(hits) == 1:
        return _value(*hits[0])
    if hits:
        names = tuple(source.name for source, _ in hits)
        reason = f"the path {shown!r} leads to a value in {len(names)} sources: {', '.join(names[:4])}"
        return Evidence("ambiguous_document", reason, candidates=names)
    near = nearest_paths(data_sources, target.path)
    where = data_sources[0].name if len(data_sources) == 1 else f"any of {len(data_sources)} sources of data"
    hint = f"; did you mean {near[0][0]}?" if near and near[0][1] >= _ALIKE else ""
    reason = f"there is no {shown!r} in {where}{hint}"
    return Evidence("path_not_found", reason, candidates=tuple(path for path, _ in near))


def _value(source: Source, steps: tuple[str | int, ...]) -> Evidence:
    path = write_path(steps)
    span = source.value_spans.get(path, Span(0, len(source.text)))
    found = passage(source, span.start, span.end)
    context = "; ".join(part for part in (path, found.context) if part)
    found = structs.replace(found, context=context)
    return Evidence("found", f"the value at {path} in {source.name}", (found,), source.name)

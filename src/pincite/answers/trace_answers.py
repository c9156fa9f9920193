"""The spans of a trace put together: the question, the answer, and what was retrieved for it.

The answer is that of the outermost span that has one; of several side by side, the last to end. What it was
shown is what the last reranker kept, or else what the retrievers found, in the order in which they ran.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pincite.answers.trace_spans import TraceSpan

NO_ANSWER = "the trace has no answer"
_SOURCE_NAMES = ("title", "file_path", "url")


def by_trace(spans: Iterable[TraceSpan]) -> dict[str, list[TraceSpan]]:
    """The spans of each trace, in the order of the traces. A span that comes twice counts once."""
    found: dict[str, dict[str, TraceSpan]] = {}
    for span in spans:
        found.setdefault(span.trace_id, {})[span.span_id] = span
    return {trace_id: list(held.values()) for trace_id, held in found.items()}


def trace_record(spans: Sequence[TraceSpan]) -> dict[str, Any] | None:
    """One trace as a recorded answer; None if it is not about an answer at all."""
    if not any(span.says_something for span in spans):
        return None
    tree = _Tree(spans)
    answering = tree.answering()
    above = [] if answering is None else list(tree.upwards(answering))
    root = above[-1] if above else min(tree.ordered, key=tree.depth)
    record: dict[str, Any] = {
        "query_id": root.trace_id,
        "query": tree.query(answering, above) or "",
        **_retrieval(tree.retrieved()),
        "trace_id": root.trace_id,
        "span_id": (answering or root).span_id,
    }
    if answering is not None:
        record["generated_answer"] = answering.answer
    else:
        # The innermost span knows best what happened.
        errors = [span.error for span in sorted(tree.ordered, key=tree.depth) if span.error]
        record["failure"] = f"{NO_ANSWER}: {errors[-1]}"[:500] if errors else NO_ANSWER
    if root.start is not None and root.end is not None and root.end >= root.start:
        record["latency_ms"] = round((root.end - root.start) * 1000, 3)  # the clock's own precision
    record |= _usage(tree.ordered)
    response = (answering and answering.response_id) or tree.last_response()
    told = {
        "response_id": response,
        "conversation_id": next((one.conversation_id for one in tree.ordered if one.conversation_id), None),
        "dataset_query_id": next((one.query_id for one in tree.ordered if one.query_id), None),
    }
    return {**record, **{name: value for name, value in told.items() if value}}


class _Tree:
    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        # Stable, so that spans without a time stay in the order in which they were written.
        self.ordered = sorted(spans, key=lambda span: span.start if span.start is not None else float("inf"))
        self._by_id = {span.span_id: span for span in spans}
        self._depths: dict[str, int] = {}
        self._inside: dict[str, bool] = {}

    def upwards(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """The span, its parent, and so on. Parents that go round in a circle end where they began."""
        seen: set[str] = set()
        at: TraceSpan | None = span
        while at is not None and at.span_id not in seen:
            seen.add(at.span_id)
            yield at
            at = self._by_id.get(at.parent_id) if at.parent_id is not None else None

    def depth(self, span: TraceSpan) -> int:
        self._place(span)
        return self._depths[span.span_id]

    def is_inside(self, span: TraceSpan) -> bool:
        """Whether a span around it has documents too."""
        self._place(span)
        return self._inside[span.span_id]

    def _place(self, span: TraceSpan) -> None:
        """Each span is placed once, however long the way to the root is."""
        way: list[TraceSpan] = []
        depth, inside = 0, False
        for one in self.upwards(span):
            if one.span_id in self._depths:
                depth = self._depths[one.span_id] + 1
                inside = self._inside[one.span_id] or bool(one.documents)
                break
            way.append(one)
        for one in reversed(way):
            self._depths[one.span_id], self._inside[one.span_id] = depth, inside
            depth, inside = depth + 1, inside or bool(one.documents)

    def answering(self) -> TraceSpan | None:
        found = [span for span in self.ordered if span.answer is not None]
        return min(found, key=lambda span: (self.depth(span), -(span.end or 0.0)), default=None)

    def query(self, answering: TraceSpan | None, above: Sequence[TraceSpan]) -> str | None:
        """What the outermost step was asked; else what was looked for; else what the model was told."""
        steps = [span for span in reversed(above) if span.role == "step"]
        searches = [span for span in self.ordered if span.role in ("retriever", "reranker")]
        rest = [answering] if answering is not None else []
        for span in (*steps, *searches, *rest, *self.ordered):
            if span.query is not None:
                return span.query
        return None

    def retrieved(self) -> list[dict[str, Any]] | None:
        found = [span for span in self.ordered if span.documents is not None]
        # A retriever that asks others returns what it made of their documents.
        outer = [span for span in found if not self.is_inside(span)]
        rerankers = [span for span in outer if span.role == "reranker"]
        if rerankers:
            outer = [max(rerankers, key=lambda span: span.end or 0.0)]
        if not outer:
            return None
        documents: dict[tuple[Any, Any], dict[str, Any]] = {}
        for span in outer:
            for one in span.documents or ():
                documents.setdefault((one.get("document_id"), one.get("content")), one)
        return list(documents.values())

    def last_response(self) -> str | None:
        models = [span for span in self.ordered if span.response_id]
        return models[-1].response_id if models else None


def _retrieval(documents: list[dict[str, Any]] | None) -> dict[str, Any]:
    """What was retrieved, the texts as sources, and the numbers by which an answer may cite them."""
    if documents is None:
        return {}
    names = _names(documents)
    sources: list[dict[str, Any]] = []
    shared = _shared(documents)
    for name, one in zip(names, documents, strict=True):
        if "content" in one:
            own = {key: one[key] for key in _SOURCE_NAMES if key in one and one[key] not in shared}
            sources.append({"document_id": name, "content": one["content"], **own})
    # Chunks of one file: an answer that names the file means any of them.
    known = set(names)
    for shared_name, texts in shared.items():
        if shared_name not in known:
            sources.append({"document_id": shared_name, "content": "\n\n".join(texts)})
    results: dict[str, Any] = {"retrieved_docs": names}
    scores = [one.get("score") for one in documents]
    if documents and None not in scores:
        results["relevance_scores"] = scores
    found: dict[str, Any] = {"retrieval_results": results}
    if sources:
        found["sources"] = sources
    if names:
        found["references"] = [{"number": place, "source": name} for place, name in enumerate(names, 1)]
    return found


def _names(documents: Sequence[dict[str, Any]]) -> list[str]:
    """A name of its own for each: its id, its file or its title, or a hash of its text."""
    names: list[str] = []
    taken: set[str] = set()
    for one in documents:
        text = one.get("content") or ""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        wanted = one.get("document_id") or f"context_{digest}"
        name = wanted if wanted not in taken else f"{wanted}#{digest}"
        number = 1
        while name in taken:
            number += 1
            name = f"{wanted}#{digest}-{number}"
        taken.add(name)
        names.append(name)
    return names


def _shared(documents: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Names that several documents bear, with the texts of all of them."""
    held: dict[str, list[str]] = {}
    for one in documents:
        for name in {one[key] for key in _SOURCE_NAMES if key in one and "content" in one}:
            held.setdefault(name, []).append(one["content"])
    return {name: texts for name, texts in held.items() if len(texts) > 1}


def _usage(spans: Iterable[TraceSpan]) -> dict[str, Any]:
    """Tokens and dollars of all calls of a model; outer spans often repeat the sum of the inner ones."""
    models = [span for span in spans if span.role == "model"]
    tokens = [span.tokens for span in models if span.tokens is not None]
    costs = [span.cost for span in models if span.cost is not None]
    usage: dict[str, Any] = {"total_requests": len(models)} if models else {}
    if tokens:
        usage["total_tokens"] = sum(tokens)
    if costs:
        usage["estimated_cost_usd"] = sum(costs)
    return {"usage": usage} if usage else {}

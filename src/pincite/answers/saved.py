"""Answers that `pincite answer` saved, alone or one on each line.

Such an answer says of each citation to which marker of its text it belongs, and which characters of a source
it means. Only that is read here: what it says of its own worth counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.answers.citations import fields_of
from pincite.citations import double_braces, parse, span_target
from pincite.errors import InputError
from pincite.records import Answer, Citation, SpanTarget

KIND = "pincite.answer"
"""What a saved answer says that it is."""


def is_saved(value: Any) -> bool:
    """Whether this is what `pincite answer --output-format json` writes."""
    return isinstance(value, Mapping) and value.get("kind") == KIND


def saved_answer(value: Mapping[str, Any], where: str) -> Answer:
    """The answer with its citations at their markers; a marker that nothing is said of stays a marker."""
    text, question = value.get("text"), value.get("question")
    if not isinstance(text, str):
        raise InputError(f"{where}: this saved answer has no text")
    targets: dict[tuple[int, int], list[SpanTarget]] = {}
    listed = _listed(value, "citations")
    for one in listed:
        place, cited = _place(one, text), _target(one)
        if place is not None and cited is not None:
            targets.setdefault(place, []).append(cited)
    left = len(listed) - sum(map(len, targets.values()))
    citations = [
        Citation("span", text[start:end], start, end, tuple(cited), double_braces(text[start:end]))
        for (start, end), cited in targets.items()
    ]
    citations += [one for one in parse(text).citations if (one.start, one.end) not in targets]
    return Answer(
        text,
        where,
        question if isinstance(question, str) else None,
        tuple(sorted(citations, key=lambda one: one.start)),
        problems=(f"expected citations at their markers, found {left} that are at none",) if left else (),
    )


def saved_record(value: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the field names of a results document, to be measured."""
    usage = value.get("usage")
    used = usage if isinstance(usage, Mapping) else {}
    counts = (used.get("input_tokens"), used.get("output_tokens"))
    passages = _listed(value, "passages")
    record = {
        "query_id": value.get("query_id", value.get("id")),
        "answer": value.get("text"),
        "citations": [fields_of(cited) for one in _listed(value, "citations") if (cited := _target(one))],
        "retrieval_results": {
            "retrieved_docs": [one.get("document") for one in passages],
            "relevance_scores": [one.get("score") for one in passages],
        },
    }
    if value.get("status") == "failed":
        record["failure"] = value.get("reason") or "it failed"
    if used.get("requests") and all(isinstance(count, int) for count in counts):
        record["usage"] = {"total_requests": used["requests"], "total_tokens": sum(counts)}
    return record


def _listed(value: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    listed = value.get(name)
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list | tuple) else []


def _target(one: Mapping[str, Any]) -> SpanTarget | None:
    document, page, span = one.get("document"), one.get("page"), one.get("source_span")
    if not isinstance(document, str) or not isinstance(span, list | tuple) or len(span) != 2:
        return None
    if not all(type(bound) is int for bound in span) or not (page is None or type(page) is int):
        return None
    return span_target(document, page, span[0], span[1])


def _place(one: Mapping[str, Any], text: str) -> tuple[int, int] | None:
    """Where the marker of a citation stands in the text, if it does."""
    start, end = one.get("start"), one.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return None
    return (start, end) if text[start:end] == one.get("marker") else None

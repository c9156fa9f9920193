"""A result as a JSON document with its schema version, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pincite.answering.records import (
    RESULT_SCHEMA,
    AnswerCitation,
    AnswerReference,
    AnswerResult,
    SavedAnswer,
)
from pincite.answers import KIND
from pincite.errors import InputError
from pincite.records import Report, Source

_BESIDE = ("kind", "report", "key", "id", "query_id")
"""What a saved result has beside the fields of an `AnswerResult`."""


def result_shape(result: AnswerResult) -> dict[str, Any]:
    """The result as plain values; of the report the findings and the counts."""
    shape: dict[str, Any] = {"kind": KIND, "schema_version": result.schema_version}
    for name in result.__struct_fields__:
        if name not in ("schema_version", "report"):
            shape[name] = msgspec.to_builtins(getattr(result, name))
    shape["report"] = None if result.report is None else report_shape(result.report)
    return shape


def report_shape(report: Report) -> dict[str, Any]:
    """What a saved result keeps of its check."""
    about = ("code", "severity", "message", "start", "end")
    counts = ("citations", "targets", "claims", "unjudged", "score", "judged", "judge", "doubtful")
    return {
        "ok": report.ok,
        "findings": [{name: getattr(one, name) for name in about} for one in report.findings],
        "summary": {name: getattr(report.summary, name) for name in counts},
    }


def read_result(shape: Any, where: str = "the result") -> AnswerResult:
    """A saved result. Its report is not read: whoever wants one checks again."""
    if not isinstance(shape, Mapping) or shape.get("kind") != KIND:
        raise InputError(f"{where} is no saved answer: expected an object of the kind {KIND!r}")
    if shape.get("schema_version") != RESULT_SCHEMA:
        version = shape.get("schema_version")
        raise InputError(f"{where}: schema {version!r:.40} is unknown; {RESULT_SCHEMA} is read")
    given = {name: value for name, value in shape.items() if name not in _BESIDE}
    try:
        read = msgspec.convert(given, SavedAnswer)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"{where} cannot be read: {error}") from None
    return AnswerResult(**msgspec.structs.asdict(read))


# --- citeformer ----------------------------------------------------------------------------------

CITEFORMER_SCHEMA = 3


def citeformer_shape(
    result: AnswerResult, sources: Mapping[str, Source], rendered: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """The result as citeformer's `GenerationResult` of schema 3, which knows no other fields than these.

    It has one source and one span per marker: of a marker with several places the first is given, and it is
    verified only if all are. `sources` are those of the library, by name; `rendered` are the references in
    a citation style, by number.
    """
    if result.cite == "spans":
        raise InputError("citeformer's results have numbered markers: use --cite numbers")
    markers: dict[tuple[int, int], list[AnswerCitation]] = {}
    for citation in result.citations:
        markers.setdefault((citation.start, citation.end), []).append(citation)
    usage = result.usage
    used = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return {
        "schema_version": CITEFORMER_SCHEMA,
        "text": result.text,
        "citations": [
            {
                "span": list(span),
                "source_id": several[0].number,
                "verified": all(one.verified for one in several),
                "entailment_score": several[0].entailment_score,
                "cited_text": several[0].cited_text,
                "source_span": list(several[0].source_span),
                "document_title": several[0].document_title,
            }
            for span, several in markers.items()
        ],
        "references": [
            {
                "source_id": one.number,
                "inline_marker": f"[{one.number}]",
                "rendered": (rendered or {}).get(one.number) or one.title or one.document,
            }
            for one in result.references
        ],
        "sources": [_citeformer_source(one, sources.get(one.document)) for one in result.references],
        "usage": used if usage.requests else None,
    }


def _citeformer_source(reference: AnswerReference, source: Source | None) -> dict[str, Any]:
    """A cited document with what it says of itself, as a CSL-JSON item under its name in the library."""
    from pincite.answering.bibliography import item_of_source

    item: dict[str, Any] = {"type": "document"} if source is None else item_of_source(source)
    for name, value in (("title", reference.title), ("URL", reference.url)):
        if value and name not in item:
            item[name] = value
    return {"metadata": {**item, "id": reference.document}, "content": "" if source is None else source.text}

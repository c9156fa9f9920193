"""Results as JSON documents, read back, and verified: what they say of themselves counts for nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pincite.answering.compose import marked_citation
from pincite.answering.markers import placed_markers
from pincite.answering.records import (
    RESULT_SCHEMA,
    AnswerCitation,
    AnswerReference,
    AnswerResult,
    SavedAnswer,
)
from pincite.answering.sentence_checks import whole_check
from pincite.answers import KIND, is_saved
from pincite.citations import is_generation_result, read_response, span_target
from pincite.config import Limits, Settings
from pincite.errors import InputError
from pincite.findings import check_answer
from pincite.judges import Judge
from pincite.records import Answer, Report, Source, SpanTarget
from pincite.sources import Library

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
        raise InputError(f"{where} is not a saved answer: expected an object of the kind {KIND!r}")
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
    from pincite.answering.bibliography.entries import item_of_source

    item: dict[str, Any] = {"type": "document"} if source is None else item_of_source(source)
    for name, value in (("title", reference.title), ("URL", reference.url)):
        if value and name not in item:
            item[name] = value
    return {"metadata": {**item, "id": reference.document}, "content": "" if source is None else source.text}


# --- verified ------------------------------------------------------------------------------------


RIGHT = "correct"


class Verified(Struct, frozen=True):
    """A saved result with what was found out about it."""

    shape: dict[str, Any]
    """The result as it was, with `verified` and `entailment_score` filled in."""
    report: Report
    total: int
    right: int
    problems: tuple[str, ...] = ()
    """What the result says of itself and is not so."""

    @property
    def ok(self) -> bool:
        return self.report.ok and self.right == self.total and not self.problems


async def verify(given: Any, library: Library, judge: Judge, settings: Settings) -> Verified:
    """Check a saved result against sources.

    `given` is the JSON of a result of ours, or of citeformer's schema 2 or 3, which may bring its own
    sources: what was given by the user goes before them.
    """
    settings = whole_check(settings)
    if is_saved(given):
        return await _verify_ours(read_result(given), library, judge, settings)
    if is_generation_result(given):
        return await _verify_citeformer(dict(given), library, judge, settings)
    raise InputError(
        "this is not a saved answer: expected what `pincite answer --output-format json` writes, or a result "
        "of citeformer (schema 2 or 3)"
    )


# --- ours ----------------------------------------------------------------------------------------


async def _verify_ours(result: AnswerResult, library: Library, judge: Judge, settings: Settings) -> Verified:
    faults = [_fault(one, result, library) for one in result.citations]
    problems = [fault for fault in faults if fault]
    markers: dict[tuple[int, int], list[SpanTarget]] = {}
    for one in result.citations:
        markers.setdefault((one.start, one.end), []).append(_target(one))
    for start, end in sorted(placed_markers(result.text) - set(markers)):
        problems.append(f"the marker {result.text[start:end]!r:.60} in the text cites nothing")
    citations = tuple(marked_citation(result.text, *one) for one in sorted(markers.items()))
    answer = Answer(result.text, query=result.question, citations=citations)
    report = await check_answer(answer, library, judge, settings)
    found = {(one.start, one.end, one.target): one for one in report.judged.citations}
    filled = []
    for one, fault in zip(result.citations, faults, strict=True):
        said = found.get((one.start, one.end, _target(one).key))
        filled.append(
            replace(
                one,
                standing="broken" if fault else "unjudged" if said is None else said.standing,
                verified=not fault and said is not None and said.standing == RIGHT,
                entailment_score=None if said is None else said.score,
                reason=fault or ("" if said is None else said.reason),
            )
        )
    filled_result = replace(result, citations=tuple(filled), judge=judge.name)
    shape = {**result_shape(filled_result), "report": report_shape(report)}
    right = sum(one.verified for one in filled)
    return Verified(shape, report, len(filled), right, tuple(dict.fromkeys(problems)))


def _fault(one: AnswerCitation, result: AnswerResult, library: Library) -> str:
    """What a citation says of the text or of its source, and is not so; empty where all is so."""
    if not 0 <= one.start < one.end <= len(result.text) or result.text[one.start : one.end] != one.marker:
        return f"the marker {one.marker!r:.60} is not at {one.start}-{one.end} of the text"
    source = library.get(one.document)
    if source is None:
        return f"{one.document!r:.80} is not among the sources"
    start, end = one.source_span
    if source.text[start:end] != one.cited_text or not 0 <= start < end <= len(source.text):
        return f"{one.document} does not say {' '.join(one.cited_text.split())!r:.80} at {start}-{end}"
    if one.marker[1:-1].isdecimal() and one.marker != f"[{one.number}]":
        return f"the marker {one.marker} stands for reference {one.number}"
    numbers = [entry.number for entry in result.references if entry.document == one.document]
    return "" if one.number in numbers else f"reference {one.number} is not {one.document!r:.80}"


def _target(one: AnswerCitation) -> SpanTarget:
    return span_target(one.document, one.page, *one.source_span)


# --- citeformer ----------------------------------------------------------------------------------


async def _verify_citeformer(
    given: dict[str, Any], library: Library, judge: Judge, settings: Settings
) -> Verified:
    answer = read_response(given, "citeformer", limits=Limits())
    report = await check_answer(answer, library, judge, settings)
    entries = given.get("citations")
    listed = [dict(one) if isinstance(one, Mapping) else one for one in entries or ()]
    problems = [one.problem for one in answer.citations or () if one.problem]
    waiting = list(report.judged.citations)
    right = 0
    broken = [[one.start, one.end] for one in answer.citations or () if one.problem]
    for entry in listed:
        span = entry.get("span") if isinstance(entry, dict) else None
        at = next((i for i, one in enumerate(waiting) if span == [one.start, one.end]), None)
        said = None if at is None else waiting.pop(at)
        fine = said is not None and said.standing == RIGHT and span not in broken
        right += fine
        if isinstance(entry, dict):
            entry["verified"] = fine
            entry["entailment_score"] = None if said is None else said.score
    shape = {**given, "citations": listed}
    # A marker without an entry is a citation too, and one that nobody can verify.
    return Verified(shape, report, len(listed) + len(waiting), right, tuple(dict.fromkeys(problems)))

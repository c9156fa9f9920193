"""Fills in what a saved result is worth: ours, or citeformer's. Nothing that it says of itself counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincite.answering.checking import whole_check
from pincite.answering.composing import marked_citation
from pincite.answering.markers import placed_markers
from pincite.answering.records import AnswerCitation, AnswerResult
from pincite.answering.results import read_result, report_shape, result_shape
from pincite.answers import is_saved
from pincite.citations import looks_like, read_response, span_target
from pincite.config import Limits, Settings
from pincite.errors import InputError
from pincite.findings import check_answer
from pincite.judges import Judge
from pincite.records import Answer, Report, SpanTarget
from pincite.sources import Library

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
    if looks_like(given):
        return await _verify_citeformer(dict(given), library, judge, settings)
    raise InputError(
        "this is no saved answer: expected what `pincite answer --output-format json` writes, or a result of "
        "citeformer (schema 2 or 3)"
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

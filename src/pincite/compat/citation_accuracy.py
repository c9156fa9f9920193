"""The functions of the citation accuracy document: its names and keys, over Pincite's own parts.

Where they differ from the document, docs/specification.md says how and why.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from msgspec.structs import asdict

from pincite.answers import citations_of
from pincite.citations import parse
from pincite.config import Settings
from pincite.errors import InputError
from pincite.findings import chosen_judge
from pincite.judges import Judge
from pincite.metrics import (
    Case,
    CitationCorrectness,
    Metric,
    Ratio,
    SpanScores,
    measure_cases,
    open_case,
    score_spans,
)
from pincite.records import DatasetItem, Place, Result, SpanTarget
from pincite.reports import pick

_REASONS = {"unknown_document": "document_not_found", "out_of_bounds": "span_out_of_bounds"}
"""The document's own words for what went wrong, where it has one."""


@dataclasses.dataclass(frozen=True)
class CitationSpan:
    """One cited stretch of a document: half-open offsets, in code points of the document's text.

    `page_number` counts from 1 and is None where the citation gives no page.
    """

    file_name: str
    page_number: int | None
    start_char: int
    end_char: int
    confidence_score: float = 1.0
    extraction_method: str = "llm"
    """llm, regex or hybrid."""
    context_text: str = ""
    relevance_score: float = 1.0


def evaluate_citation_spans(
    true_spans: Iterable[Any],
    predicted_spans: Iterable[Any],
    tolerance_chars: int = 10,
    source_documents: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Score predicted spans against true ones.

    The keys `mean_exact_jaccard`, `mean_tolerance_jaccard`, `perfect_matches` and `good_matches` come first.
    A figure is None where there is nothing to score; `ratios` holds the numerator and denominator of each.
    Token figures need `source_documents` (name to text).
    """
    scores = score_spans(
        _scored_spans(true_spans, "true_spans"),
        _scored_spans(predicted_spans, "predicted_spans"),
        tolerance_chars,
        source_documents,
    )
    ratios = _ratios(scores)
    return {
        **pick(scores, "mean_exact_jaccard", "mean_tolerance_jaccard", "perfect_matches", "good_matches"),
        **{name: ratio.value if ratio else None for name, ratio in ratios.items()},
        "matched_pairs": [(pair.true, pair.predicted) for pair in scores.matched],
        "unmatched_true": [span.index for span in scores.unmatched_true],
        "unmatched_predicted": [span.index for span in scores.unmatched_predicted],
        "problems": {span.index: span.problem for span in scores.unmatched_predicted if span.problem},
        "not_scorable": [asdict(one) for one in scores.not_scorable],
        "exact_assignment": scores.exact_assignment,
        "ratios": {name: asdict(ratio) for name, ratio in ratios.items() if ratio},
    }


def extract_citations_from_answer(answer: str) -> list[CitationSpan]:
    """Every cited span in the answer, `[file:page:start-end]` and its variants, in the order of the text.

    A marker with several spans gives one citation per span. Other kinds of citation are left out.
    """
    must_be_text(answer)
    return [
        CitationSpan(
            file_name=target.document,
            page_number=target.page,
            start_char=target.start,
            end_char=target.end,
            extraction_method="regex",
            context_text=citation.cited_text or "",
        )
        for citation in parse(answer).citations
        if citation.family == "span"
        for target in citation.targets
        if isinstance(target, SpanTarget) and target.start is not None and target.end is not None
    ]


def validate_citation_support(
    answer_text: str,
    citations: Iterable[Any],
    source_documents: Any,
    validity_threshold: float = 0.7,
) -> dict[str, Any]:
    """Whether what each citation points to supports its claim.

    `source_documents` is a dict of name to text, or anything else that Pincite reads as sources.
    A citation is valid when it resolves, the judge calls the claim supported, and the support score
    reaches the threshold. One that points nowhere is invalid with a score of 0. One that could not be judged
    counts as `unjudged_citations` and is in no ratio; if none could, the rate and the mean are None.
    """
    must_be_text(answer_text)
    case = case_of(answer_text, citation_spans(citations, "citations"), source_documents, Settings())
    results = measure_case(case, (CitationCorrectness(),))
    return validation(results["citation_correctness"], validity_threshold)


def must_be_text(answer: object) -> None:
    if not isinstance(answer, str):
        raise InputError(f"the answer is of type {type(answer).__name__}: give its text")


def _scored_spans(given: Iterable[Any], what: str) -> list[Place]:
    return [
        Place(one.file_name, one.page_number, one.start_char, one.end_char)
        for one in citation_spans(given, what)
    ]


def _ratios(scores: SpanScores) -> dict[str, Ratio | None]:
    """Every figure under a flat name, as `token_tolerant_mean_recall`; plain names are exact characters."""
    ratios: dict[str, Ratio | None] = {}
    levels = {"": scores.characters, "token_": scores.tokens}
    kinds, averages = {"": "exact", "tolerant_": "tolerant"}, {"mean": "macro", "micro": "micro"}
    for unit, kind, average, measure in product(
        levels, kinds, averages, ("precision", "recall", "f1", "jaccard", "dice")
    ):
        figures = getattr(getattr(levels[unit], kinds[kind], None), averages[average], None)
        ratios[f"{unit}{kind}{average}_{measure}"] = getattr(figures, measure, None)
    return ratios


# --- citations: read, put in place, judged --------------------------------------------------------


_FIELDS = tuple(field.name for field in dataclasses.fields(CitationSpan))
_REQUIRED = ("file_name", "start_char", "end_char")


def citation_spans(given: Iterable[Any], what: str) -> list[CitationSpan]:
    """Citations as `CitationSpan`: from records, from dicts, or from objects with the same attributes."""
    if isinstance(given, (str, bytes, Mapping)):
        raise InputError(f"{what} must be a list of citations, not one {type(given).__name__}")
    citations = [_citation_span(one, what, index) for index, one in enumerate(given)]
    for index, citation in enumerate(citations):
        if not isinstance(citation.file_name, str):
            raise InputError(f"{what}[{index}].file_name is {citation.file_name!r}: it must be text")
        for name in ("page_number", "start_char", "end_char"):
            value = getattr(citation, name)
            if type(value) is not int and not (name == "page_number" and value is None):
                raise InputError(f"{what}[{index}].{name} is {value!r}: it must be a whole number")
    return citations


def _citation_span(given: Any, what: str, index: int) -> CitationSpan:
    if isinstance(given, CitationSpan):
        return given
    if isinstance(given, Mapping):
        known = {name: given[name] for name in _FIELDS if name in given}
    else:
        known = {name: getattr(given, name) for name in _FIELDS if hasattr(given, name)}
    missing = [name for name in _REQUIRED if name not in known]
    if missing:
        raise InputError(
            f"{what}[{index}] has no {', '.join(missing)}: "
            "give a CitationSpan, or a dict with file_name, start_char and end_char"
        )
    known.setdefault("page_number", None)
    return CitationSpan(**known)


def case_of(
    answer: str, citations: Sequence[CitationSpan], source_documents: Any, settings: Settings
) -> Case:
    """The answer opened for measuring, each citation at its marker where the answer has one."""
    place = ("file_name", "page_number", "start_char", "end_char")
    fields = [{**pick(one, *place), "excerpt": one.context_text} for one in citations]
    item = DatasetItem(actual_output=answer, citations=citations_of(fields, answer))
    return open_case(item, source_documents, settings)


def measure_case(
    case: Case, metrics: Sequence[Metric], judge: str | Judge | None = None
) -> dict[str, Result]:
    """The result of every metric by its title."""
    with chosen_judge(judge, case.settings) as (chosen, run):
        measured = run(measure_cases([case], metrics, chosen, case.settings.batch_size, (Exception,)))
    return {metric.title: result for metric, result in zip(metrics, measured.results[0], strict=True)}


def validation(correctness: Result, threshold: float) -> dict[str, Any]:
    """The document's validation metrics, from the result of `CitationCorrectness`."""
    details = [_detail(target, threshold) for target in correctness.signals["targets"]]
    decided = [detail for detail in details if detail["support_score"] is not None]
    valid = sum(detail["valid"] for detail in decided)
    scores = [detail["support_score"] for detail in decided]
    return {
        "citation_validity_rate": valid / len(decided) if decided else None,
        "mean_support_score": sum(scores) / len(decided) if decided else None,
        "invalid_citations": len(decided) - valid,
        "validation_details": details,
        "valid_citations": valid,
        "total_citations": len(details),
        "unjudged_citations": len(details) - len(decided),
    }


def _detail(target: Mapping[str, Any], threshold: float) -> dict[str, Any]:
    """One citation: `status` is Pincite's word, `reason` the document's if it has one.

    It is valid when it is correct and its support reaches the threshold. Of several that support a claim only
    together, the score of one alone is no measure.
    """
    score, standing = target["support_score"], target["standing"]
    status, valid = target["outcome"] or target["status"], False
    reason = _REASONS.get(status, status)
    if standing == "behind_no_claim":
        status, reason = "unjudged", "no_claim"
    elif standing == "unjudged":
        status = "unjudged"
    elif standing == "misquoted":
        status = reason = "misquoted"
    elif standing == "correct":
        alone = target["outcome"] == "supported"
        valid = not alone or score >= threshold
        reason = "below_threshold" if not valid else "supported" if alone else "supported_together"
    return {
        "valid": valid,
        "status": status,
        "reason": reason,
        "message": target["reason"],
        "support_score": score,
        "cited_length": target["cited_length"],
        "claim_length": len(target["claim"] or ""),
        "claim": target["claim"],
        "document": target["document"],
    }

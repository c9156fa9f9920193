"""The functions of the citation accuracy document: its names and keys, over Pincite's own parts.

Where they differ from the document, docs/specification.md says how and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pincite.compat.citation_span import CitationSpan, citation_spans, scored_span
from pincite.errors import InputError
from pincite.metrics.spans.records import Averages, Level, Ratio, SpanScores

__all__ = [
    "CitationSpan",
    "evaluate_citation_spans",
    "extract_citations_from_answer",
    "validate_citation_support",
]

_MEASURES = ("precision", "recall", "f1", "jaccard", "dice")


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
    from pincite.metrics.spans.scoring import score_spans

    scores = score_spans(
        [scored_span(citation) for citation in citation_spans(true_spans, "true_spans")],
        [scored_span(citation) for citation in citation_spans(predicted_spans, "predicted_spans")],
        tolerance_chars,
        source_documents,
    )
    ratios = _ratios(scores)
    return {
        "mean_exact_jaccard": scores.mean_exact_jaccard,
        "mean_tolerance_jaccard": scores.mean_tolerance_jaccard,
        "perfect_matches": scores.perfect_matches,
        "good_matches": scores.good_matches,
        **{name: ratio.value if ratio else None for name, ratio in ratios.items()},
        "matched_pairs": [(pair.true, pair.predicted) for pair in scores.matched],
        "unmatched_true": [span.index for span in scores.unmatched_true],
        "unmatched_predicted": [span.index for span in scores.unmatched_predicted],
        "problems": {span.index: span.problem for span in scores.unmatched_predicted if span.problem},
        "not_scorable": [
            {"what": one.what, "side": one.side, "index": one.index, "reason": one.reason}
            for one in scores.not_scorable
        ],
        "exact_assignment": scores.exact_assignment,
        "ratios": {
            name: {"numerator": ratio.numerator, "denominator": ratio.denominator}
            for name, ratio in ratios.items()
            if ratio
        },
    }


def extract_citations_from_answer(answer: str) -> list[CitationSpan]:
    """Every cited span in the answer, `[file:page:start-end]` and its variants, in the order of the text.

    A marker with several spans gives one citation a span. Other kinds of citation are left out.
    """
    from pincite.citations.parse import parse
    from pincite.records import SpanTarget

    _must_be_text(answer)
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
    """Whether what each citation points to supports the claim that it stands behind.

    `source_documents` is a dict of name to text, or anything else that Pincite reads as sources.
    A citation is valid when it resolves, the judge calls the claim supported, and the support score
    reaches the threshold. One that points nowhere is invalid and supports nothing (score 0). One that could
    not be judged is counted as `unjudged_citations` and is in no ratio; without any judged or broken
    citation the rate and the mean are None.
    """
    from pincite.compat.validation import case_of, measure, validation
    from pincite.config import Settings
    from pincite.metrics.citations.metrics import CitationCorrectness

    _must_be_text(answer_text)
    case = case_of(answer_text, citation_spans(citations, "citations"), source_documents, Settings())
    results = measure(case, (CitationCorrectness(),))
    return validation(results["citation_correctness"], validity_threshold)


def _must_be_text(answer: object) -> None:
    if not isinstance(answer, str):
        raise InputError(f"the answer is of type {type(answer).__name__}: give its text")


def _ratios(scores: SpanScores) -> dict[str, Ratio | None]:
    """Every figure under a flat name, as `token_tolerant_mean_recall`; plain names are exact characters."""
    ratios: dict[str, Ratio | None] = {}
    levels: tuple[tuple[str, Level | None], ...] = (("", scores.characters), ("token_", scores.tokens))
    for unit, level in levels:
        kinds: tuple[tuple[str, Averages | None], ...] = (
            ("", level.exact if level else None),
            ("tolerant_", level.tolerant if level else None),
        )
        for kind, averages in kinds:
            for average in ("mean", "micro"):
                for measure in _MEASURES:
                    figures = None
                    if averages is not None:
                        figures = averages.macro if average == "mean" else averages.micro
                    name = f"{unit}{kind}{average}_{measure}"
                    ratios[name] = getattr(figures, measure) if figures is not None else None
    return ratios

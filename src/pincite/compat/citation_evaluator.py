"""`CitationEvaluator` of the citation accuracy document: its groups and names, over Pincite's own metrics.

Everything that a judge must be asked about one answer goes out as one batch. A figure with nothing to score
is None, and so is a part of the overall score; docs/specification.md says how and why this differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import variance
from typing import Any

from pincite.compat.citation_accuracy import (
    CitationSpan,
    case_of,
    citation_spans,
    evaluate_citation_spans,
    extract_citations_from_answer,
    measure_case,
    must_be_text,
    validation,
)
from pincite.config import Settings, settings_from, with_overrides
from pincite.errors import ConfigError, InputError
from pincite.judges import Judge
from pincite.metrics import (
    CitationCompleteness,
    CitationCorrectness,
    CitationDensity,
    FabricationRate,
    FactualConsistency,
    HallucinationRate,
    Metric,
    QuoteFidelity,
    meets,
)
from pincite.records import Result

WEIGHTS = {
    "span_accuracy_score": 0.30,
    "citation_quality_score": 0.30,
    "answer_consistency_score": 0.25,
    "hallucination_score": 0.15,
}
"""What each part counts for in the overall score. Where a part is missing, the others share its weight."""

CITATION_VALIDITY = 0.7
"""Where `fail_under` (the document's `citation_validity`) is not set."""
_QUALITY: tuple[Metric, ...] = (
    CitationCorrectness(),
    CitationCompleteness(),
    CitationDensity(),
    FabricationRate(),
    QuoteFidelity(),
)


class CitationEvaluator:
    """Evaluates the citations of one answer. `config` has the keys of a configuration file.

    `llm_config` in it sets up the language model (`model`, `temperature`, `max_tokens`, `retry_attempts`) and
    does not choose it: `judge` does, in `config` or as an argument. An unknown key is refused.
    """

    def __init__(self, config: Mapping[str, Any] | None = None, judge: str | Judge | None = None) -> None:
        self.config = dict(config or {})
        self.settings = _settings(self.config)
        self._judge = judge

    def evaluate_answer_citations(
        self,
        answer: str,
        citations: Iterable[Any] | None,
        source_documents: Any,
        ground_truth: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Span accuracy, citation quality, consistency, hallucinations, and the overall scores.

        `citations` are `CitationSpan` or dicts with the same names; None reads them from the answer. Ground
        truth holds the true spans under `citation_spans` or `citations`.
        """
        must_be_text(answer)
        if citations is None:
            citations = extract_citations_from_answer(answer)
        given = citation_spans(citations, "citations")
        true = _true_spans(ground_truth)
        if not self.settings.enabled:
            raise ConfigError("citation_accuracy.enabled is false: set it to true to evaluate an answer")
        case = case_of(answer, given, source_documents, self.settings)
        metrics = (*_QUALITY, FactualConsistency(), HallucinationRate(supported_from=self._validity))
        results = measure_case(case, metrics, self._judge)
        groups: dict[str, Any] = {
            "span_accuracy": self._span_accuracy(given, true, source_documents),
            "citation_quality": {
                **validation(results["citation_correctness"], self._validity),
                **{metric.title: results[metric.title].score for metric in _QUALITY},
            },
            "answer_consistency": _answer_consistency(results["factual_consistency"]),
            "hallucination_detection": _hallucinations(results["hallucination_rate"]),
        }
        groups["overall_scores"] = overall_scores(groups)
        groups["thresholds"] = self._thresholds(groups["overall_scores"])
        return groups

    def _span_accuracy(
        self, given: list[CitationSpan], true: list[CitationSpan] | None, source_documents: Any
    ) -> dict[str, Any]:
        if true is None:
            empty = {"mean_exact_jaccard": None, "mean_tolerance_jaccard": None}
            return {**empty, "perfect_matches": 0, "good_matches": 0, "reason": "no ground truth"}
        texts = source_documents if _is_texts(source_documents) else None
        return evaluate_citation_spans(true, given, self.settings.tolerance_chars, texts)

    @property
    def _validity(self) -> float:
        return thresholds_of(self.settings)["citation_quality_score"]

    def _thresholds(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """What was asked of each part, and whether it was reached; None without a score."""
        return {
            name: {"threshold": bar, "passed": meets(scores[name], bar, True)}
            for name, bar in thresholds_of(self.settings).items()
        }


def thresholds_of(settings: Settings) -> dict[str, float]:
    """A hallucination score is one minus the rate, so that its threshold is one minus the rate tolerated."""
    thresholds = settings.thresholds
    return {
        "span_accuracy_score": thresholds.span_accuracy,
        "citation_quality_score": CITATION_VALIDITY if settings.fail_under is None else settings.fail_under,
        "answer_consistency_score": thresholds.answer_consistency,
        "hallucination_score": 1.0 - thresholds.hallucination_tolerance,
    }


def overall_scores(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The four parts and their weighted mean over those that exist; `weights` says which and how much."""
    rate = groups["hallucination_detection"]["hallucination_rate"]
    scores: dict[str, float | None] = {
        "span_accuracy_score": groups["span_accuracy"]["mean_tolerance_jaccard"],
        "citation_quality_score": groups["citation_quality"]["citation_validity_rate"],
        "answer_consistency_score": groups["answer_consistency"]["factual_consistency"],
        "hallucination_score": None if rate is None else 1.0 - rate,
    }
    known = {name: score for name, score in scores.items() if score is not None}
    total = sum(WEIGHTS[name] for name in known)
    weights = {name: WEIGHTS[name] / total for name in known}
    overall = sum(score * WEIGHTS[name] for name, score in known.items()) / total if known else None
    return {
        **scores,
        "overall_citation_accuracy": None if overall is None else min(1.0, overall),
        "parts": list(known),
        "weights": weights,
    }


def _answer_consistency(result: Result) -> dict[str, Any]:
    scores: list[float] = result.signals["consistency_scores"]
    return {
        "mean_consistency": result.signals["mean_consistency"],
        "consistency_variance": variance(scores) if len(scores) > 1 else None,
        "consistent_citations": result.signals["consistent_citations"],
        "factual_consistency": result.score,
        "consistent_claims": int(result.numerator),
        "total_claims": int(result.denominator),
        "inconsistent_claims": result.signals["inconsistent_claims"],
        **_left_out(result),
    }


def _hallucinations(result: Result) -> dict[str, Any]:
    unsupported = [
        {**one, "supported": False, "supporting_citations": []}
        for one in result.signals["hallucinated_claims"]
    ]
    return {
        "hallucination_rate": result.score,
        "unsupported_claims": unsupported,
        "total_claims": int(result.denominator),
        **_left_out(result),
    }


def _left_out(result: Result) -> dict[str, Any]:
    return {
        "unjudged_claims": result.unjudged,
        "not_scorable": result.not_scorable,
        "reasons": result.reasons,
    }


def _settings(config: Mapping[str, Any]) -> Settings:
    table = dict(config)
    llm = table.pop("llm_config", None) or {}
    if not isinstance(llm, Mapping):
        raise ConfigError(f"llm_config is a table of keys, not a {type(llm).__name__}")
    return with_overrides(settings_from(table), {f"llm_{name}": value for name, value in llm.items()})


def _true_spans(ground_truth: Mapping[str, Any] | None) -> list[CitationSpan] | None:
    if ground_truth is None:
        return None
    if not isinstance(ground_truth, Mapping):
        raise InputError(f"ground_truth is a {type(ground_truth).__name__}: give a dict with citation_spans")
    for name in ("citation_spans", "citations"):
        if ground_truth.get(name) is not None:
            return citation_spans(ground_truth[name], f"ground_truth[{name!r}]")
    return None


def _is_texts(given: Any) -> bool:
    return isinstance(given, Mapping) and all(isinstance(text, str) for text in given.values())

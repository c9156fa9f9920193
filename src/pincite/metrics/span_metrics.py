"""How well the cited spans hit the true ones, as metrics. docs/span-metrics.md has the rules.

A query without true citations is left out, and its predictions count nowhere. One that should cite nothing
and cites nothing has nothing to score; one that should cite something and cites nothing scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from pincite.config import Settings
from pincite.metrics.case import Case
from pincite.metrics.document_names import listed_names
from pincite.metrics.metric import Metric, Verdicts
from pincite.metrics.span_records import Ratio, SpanScores
from pincite.metrics.span_scores import score_spans
from pincite.records import Place, Result, SpanTarget, Target
from pincite.sources import page_span

NO_TRUTH = "the dataset does not say what should be cited"
NOTHING_CITED = "nothing should be cited and nothing was"
NO_TOKENS = "no text to count tokens in"
NO_PREDICTION = "nothing was cited"
NOTHING_TRUE = "nothing should be cited"
PLACELESS = "what was cited has no place"
USUAL_TOLERANCE = 10

Tolerance = Annotated[int, Meta(ge=0, le=1_000_000_000)]
SpanMeasure = Literal["jaccard", "dice", "precision", "recall", "f1"]


class SpanMetric(Metric, frozen=True, kw_only=True):
    """The base of the five measures.

    `tolerance` is how far an end may be from the true one, None for not at all. `macro` is the mean over
    queries of each query's own mean over its spans; `micro` pools the characters or tokens of all queries.
    """

    measure: ClassVar[SpanMeasure]
    forgiving: ClassVar[bool] = False
    """Whether the tolerance of the settings holds where the metric has none."""
    place: ClassVar[str] = "citation_metrics.span_accuracy"
    needs: ClassVar[tuple[str, ...]] = ("true citations",)

    tolerance: Tolerance | None = None
    units: Literal["characters", "tokens"] = "characters"
    average: Literal["macro", "micro"] = "macro"

    @property
    def figure(self) -> str:
        """`mean_exact_jaccard`, `mean_tolerance_jaccard`, `micro_f1`, `macro_precision_tokens` and so on."""
        tolerance = USUAL_TOLERANCE if self.forgiving and self.tolerance is None else self.tolerance
        kind = "" if tolerance is None else "tolerance_"
        average: str = self.average
        if self.measure in ("jaccard", "dice") and self.average == "macro":
            average, kind = "mean", kind or "exact_"
        within = "" if tolerance in (None, USUAL_TOLERANCE) else f"_within_{tolerance}"
        tokens = "_tokens" if self.units == "tokens" else ""
        return f"{average}_{kind}{self.measure}{within}{tokens}"

    @property
    def pooled(self) -> bool:
        return self.average == "micro"

    @property
    def note(self) -> str:
        if self.average == "macro":
            return ""
        return "span_*: means over matched, missed and needless spans; micro: over characters"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        asked = case.settings.tolerance_chars if self.tolerance is None else self.tolerance
        scored = scored_case(case, asked, self.units == "tokens")
        if scored is None:
            return self.result(0, 0, not_scorable=1, reasons={NO_TRUTH: 1})
        scores = scored.scores
        counts: dict[str, float] = {
            "perfect_matches": scores.perfect_matches,
            "good_matches": scores.good_matches,
            "matched": len(scores.matched),
            "unmatched_true": len(scores.unmatched_true),
            "unmatched_predicted": len(scores.unmatched_predicted),
        }
        left_out = sum(1 for one in scores.not_scorable if one.what == "spans" or self.units == "tokens")
        reasons = {"a true span without a place" if self.units == "characters" else NO_TOKENS: left_out}
        ratio = self._ratio(scored)
        if not scores.units:
            reasons = {NOTHING_CITED: 1}
        elif ratio is None:
            reasons = {NO_TOKENS: 1}
        elif not ratio.denominator and not left_out:
            reasons = {self._why_nothing(scored): 1}
        return self.result(
            ratio.numerator if ratio else 0,
            ratio.denominator if ratio else 0,
            not_scorable=left_out,
            reasons={reason: count for reason, count in reasons.items() if count},
            counts=counts,
            signals=scored,
            settings=case.settings,
        )

    def _why_nothing(self, scored: ScoredCase) -> str:
        """Why there is nothing to divide by, once something was to be cited or was."""
        if self.measure == "recall":
            return NOTHING_TRUE
        return PLACELESS if scored.scores.unmatched_predicted else NO_PREDICTION

    def _ratio(self, scored: ScoredCase) -> Ratio | None:
        level = scored.scores.characters if self.units == "characters" else scored.scores.tokens
        if level is None:
            return None
        averages = level.exact if self.tolerance is None and not self.forgiving else level.tolerant
        ratio: Ratio = getattr(getattr(averages, self.average), self.measure)
        return ratio


class SpanJaccard(SpanMetric, frozen=True, kw_only=True):
    """What a cited and a true span share ÷ what either covers."""

    title: ClassVar[str] = "span_jaccard"
    measure: ClassVar[SpanMeasure] = "jaccard"


class SpanDice(SpanMetric, frozen=True, kw_only=True):
    """Twice what they share ÷ the sum of their lengths."""

    title: ClassVar[str] = "span_dice"
    measure: ClassVar[SpanMeasure] = "dice"


class SpanPrecision(SpanMetric, frozen=True, kw_only=True):
    """What they share ÷ what was cited."""

    title: ClassVar[str] = "span_precision"
    counted_by: ClassVar[tuple[str, ...]] = ("span_recall", "span_f1")
    measure: ClassVar[SpanMeasure] = "precision"


class SpanRecall(SpanMetric, frozen=True, kw_only=True):
    """What they share ÷ what should be cited."""

    title: ClassVar[str] = "span_recall"
    measure: ClassVar[SpanMeasure] = "recall"


class SpanF1(SpanMetric, frozen=True, kw_only=True):
    """The harmonic mean of precision and recall: for one pair, and pooled, the same as Dice."""

    title: ClassVar[str] = "span_f1"
    headline: ClassVar[int] = 2
    measure: ClassVar[SpanMeasure] = "f1"


class CitationSpanAccuracy(SpanMetric, frozen=True, kw_only=True):
    """The Jaccard with the tolerance of the settings, and the threshold `thresholds.span_accuracy`."""

    title: ClassVar[str] = "citation_span_accuracy"
    measure: ClassVar[SpanMeasure] = "jaccard"
    usual_threshold: ClassVar[float | None] = 0.8
    forgiving: ClassVar[bool] = True

    def threshold_for(self, settings: Settings) -> float | None:
        return settings.thresholds.span_accuracy if self.threshold is None else self.threshold


# --- the spans of one case, scored once for all metrics that ask ---------------------------------


class ScoredCase(Struct, frozen=True):
    """What was compared, and how well it agrees."""

    true: tuple[Place, ...]
    """The set of true spans that the predictions agree with best, where a query has several."""
    predicted: tuple[Place, ...]
    scores: SpanScores


def predicted_spans(case: Case) -> tuple[Place, ...]:
    """The spans that an answer cites: as the system gave them, or else as written in the answer."""
    item = case.item
    citations = item.citations
    if citations is None:
        citations = case.reading.citations if item.actual_output else ()
    return tuple(spans_in(target for citation in citations for target in citation.targets))


def spans_in(targets: Iterable[Target]) -> Iterator[Place]:
    """The spans among what is cited."""
    for target in targets:
        if isinstance(target, SpanTarget):
            yield Place(target.document, target.page, target.start, target.end)


def scored_case(case: Case, tolerance: int, tokens: bool = False) -> ScoredCase | None:
    """The case scored with a tolerance; None when the dataset does not say what should be cited."""
    return case.once(("spans", tolerance, tokens), lambda: _score(case, tolerance, tokens))


def _score(case: Case, tolerance: int, tokens: bool) -> ScoredCase | None:
    item = case.item
    sets = [*([] if item.true_spans is None else [item.true_spans]), *item.other_true_spans]
    if not sets:
        return None
    predicted = predicted_spans(case)
    names = {span.document for spans in (*sets, predicted) for span in spans}
    listed = listed_names(sorted(names), case.library)
    texts = None
    if tokens and len(case.library):
        sources = [case.library.get(name) for name in sorted(set(listed.values()))]
        texts = {source.name: source.text for source in sources if source is not None}
    if case.settings.offsets == "page":
        sets = [_from_the_start(spans, case, listed) for spans in sets]
        predicted = _from_the_start(predicted, case, listed)
    best: ScoredCase | None = None
    for true in sets:
        scores = score_spans(true, predicted, tolerance, texts, listed)
        if best is None or _agreement(scores) > _agreement(best.scores):
            best = ScoredCase(true, predicted, scores)
    return best


def _agreement(scores: SpanScores) -> float:
    """The F1 of shared characters. Nothing cited where nothing should be is as right as can be."""
    return (scores.micro_f1 or 0.0) if scores.units else 1.0


def _from_the_start(spans: Sequence[Place], case: Case, listed: dict[str, str]) -> tuple[Place, ...]:
    """Offsets that count from the start of a page, counted from the start of the document."""
    moved = []
    for span in spans:
        source = case.library.get(listed.get(span.document, ""))
        page = page_span(source, span.page) if source is not None and span.page is not None else None
        if page is not None and span.start is not None and span.end is not None:
            span = Place(span.document, span.page, span.start + page.start, span.end + page.start)
        moved.append(span)
    return tuple(moved)

"""The spans of one case, true and predicted, scored once for all metrics that ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pincite.metrics.case import Case
from pincite.metrics.spans.document_names import listed_names
from pincite.metrics.spans.records import SpanScores
from pincite.metrics.spans.scoring import score_spans
from pincite.records import Place, SpanTarget, Target
from pincite.sources import page_span


class ScoredCase(msgspec.Struct, frozen=True):
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

"""What went wrong in one answer, by kind and by document, from verdicts that were given already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pincite.metrics.case import Case
from pincite.metrics.document_names import as_listed, each_once, meant_names
from pincite.metrics.span_metrics import predicted_spans, scored_case, spans_in
from pincite.reading import AssessedTarget
from pincite.records import Failure, Pair, Place, Verdict

LONGEST_DETAIL = 200
_KINDS = {"incorrect": "not_supported", "contradicted": "contradicted", "misquoted": "misquoted"}


def find_failures(case: Case, verdicts: Mapping[Pair, Verdict]) -> tuple[Failure, ...]:
    """Every failure of a case. What no metric asked a judge about is not guessed, and not a failure."""
    assessed = case.assessment(verdicts).targets
    return tuple(
        Failure(failure.kind, failure.document, _short(failure.detail))
        for failure in (
            *_of_targets(case, assessed),
            *_of_claims(case, verdicts),
            *_of_spans(case, assessed),
            *_not_retrieved(case),
        )
    )


def _of_targets(case: Case, assessed: Sequence[AssessedTarget]) -> Iterator[Failure]:
    claims = case.reading.claims
    for one in assessed:
        marker = one.cited.citation.text
        if one.standing == "broken":
            yield Failure(one.cited.evidence.status, one.document, f"{marker} {one.reason}")
        elif one.standing in _KINDS:
            claim = "" if one.claim is None else claims[one.claim].text
            yield Failure(_KINDS[one.standing], one.document, f"{one.reason}: {claim}")


def _of_claims(case: Case, verdicts: Mapping[Pair, Verdict]) -> Iterator[Failure]:
    reading = case.reading
    for index, claim in enumerate(reading.claims):
        if not reading.targets_of[index]:
            yield Failure("uncited", None, claim.text)
    if not any(pair.question == "grounding" for pair in verdicts):
        return
    found = zip(reading.claims, case.grounds, case.ground_verdicts(verdicts), strict=True)
    for claim, asked, verdict in found:
        if asked.whole is None or verdict is None:
            continue
        if verdict.outcome in ("not_enough", "contradicted"):
            yield Failure("hallucinated", None, claim.text)


def _of_spans(case: Case, assessed: Sequence[AssessedTarget]) -> Iterator[Failure]:
    """What the span figures count as unmatched: true spans not cited, and cited spans that are not true."""
    scored = scored_case(case, case.settings.tolerance_chars)
    if case.item.actual_output is None or scored is None:
        return
    for unmatched in scored.scores.unmatched_true:
        yield _of_span("missed_span", scored.true[unmatched.index], case)
    broken = set(spans_in(one.cited.target for one in assessed if one.standing == "broken"))
    given = predicted_spans(case)
    for unmatched in scored.scores.unmatched_predicted:
        # A broken span is reported by what is wrong with it.
        if unmatched.problem is None and given[unmatched.index] not in broken:
            yield _of_span("needless_span", scored.predicted[unmatched.index], case)


def _of_span(kind: str, span: Place, case: Case) -> Failure:
    name = _name(span.document, case)
    source = case.library.get(name)
    words = "" if source is None or span.start is None else source.text[span.start : span.end]
    return Failure(kind, name, f"{name} {span.start}-{span.end}" + (f": {words}" if words.strip() else ""))


def _not_retrieved(case: Case) -> Iterator[Failure]:
    if case.item.retrieved is None or not case.item.relevant:
        return
    relevant = each_once(case.item.relevant, case.library)
    retrieved = [one.document for one in case.item.retrieved]
    found = {*retrieved, *meant_names(retrieved, list(relevant), case.library).values()}
    for document, grade in relevant.items():
        if grade > 0 and document not in found:
            name = _name(document, case)
            yield Failure("not_retrieved", name, f"{name} was not retrieved")


def _name(document: str, case: Case) -> str:
    """The document as its source is named, so that all failures of one document are counted together."""
    return as_listed((document,), case.library)[0]


def _short(detail: str) -> str:
    detail = " ".join(detail[: 4 * LONGEST_DETAIL].split())
    return detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 1].rstrip() + "…"

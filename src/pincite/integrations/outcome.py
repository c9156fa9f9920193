"""What a check came to, as evaluation frameworks want it: a row for each citation, and one score.

Nothing is judged here: `Report.judged` has the decisions, and this puts them in the words of a metric. A
citation that nobody could judge is `unjudged` and in no score. Where nothing was judged the score is None,
for a framework to show as missing and never as 0.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pincite.records import JudgedCitation, Report, Standing
from pincite.reports import pick, plural

CitationVerdict = Literal["supported", "contradicted", "unsupported", "unjudged"]

_VERDICTS: dict[Standing, CitationVerdict] = {
    "correct": "supported",
    # The check itself says nothing about such a doubt: most of these claims are right.
    "doubtful": "supported",
    "incorrect": "unsupported",
    "contradicted": "contradicted",
    "misquoted": "unsupported",
    "broken": "unsupported",
    "unjudged": "unjudged",
    "behind_no_claim": "unjudged",
}
_LONGEST_LIST = 5
"""How many citations a reason names."""


class CitationOutcome(Struct, frozen=True):
    """One thing that one marker of the answer cites, and whether it supports its claim."""

    marker: str
    """As in the answer: `[2]`. Empty for a citation that came beside the text."""
    target: str
    """What of the marker this is: `2`, where the marker is `[1, 2]`."""
    verdict: CitationVerdict
    score: float | None
    """How well the claim is supported, 0 to 1; None when unjudged."""
    reason: str
    codes: tuple[str, ...]
    """The codes of the findings about it, such as PIN203; none where nothing is wrong."""
    document: str | None
    """The name of the source, where one was found."""
    page: int | None
    start: int
    end: int
    """Where the marker is, `answer[start:end]`."""
    claim: str | None
    """The words of the answer that the citation was judged for."""
    doubtful: bool = False
    """The judge was in some doubt, though too little for a finding."""

    @property
    def value(self) -> float | None:
        """1 for supported, 0 for what is not, None for unjudged."""
        return None if self.verdict == "unjudged" else float(self.verdict == "supported")


class CheckOutcome(Struct, frozen=True):
    """All citations of an answer, and what they come to."""

    score: float | None
    """Supported citations ÷ judged citations; None when none was judged."""
    reason: str
    """One sentence for a person, which names what is wrong."""
    citations: tuple[CitationOutcome, ...]
    unjudged: int
    """Citations that are in no score."""
    ok: bool
    """`Report.ok`: no finding is an error. Uncited claims and malformed markers count here too."""


def outcome_of(report: Report) -> CheckOutcome:
    """The rows and the score of a report.

    The score is stricter than `report.summary.score`, which counts errors alone: here a citation that is
    probably not supported, a warning, is unsupported too. A setting that ignores a code removes the finding
    and not the verdict.
    """
    codes: dict[int, list[str]] = {}
    for finding in report.findings:
        for ordinal in finding.targets:
            codes.setdefault(ordinal, []).append(finding.code)
    rows = tuple(
        _row(report, cited, tuple(dict.fromkeys(codes.get(ordinal, ()))))
        for ordinal, cited in enumerate(report.judged.citations)
    )
    values = [value for row in rows if (value := row.value) is not None]
    score = sum(values) / len(values) if values else None
    return CheckOutcome(score, _reason(rows), rows, len(rows) - len(values), report.ok)


def _row(report: Report, cited: JudgedCitation, codes: tuple[str, ...]) -> CitationOutcome:
    text = report.answer.text
    claim = None if cited.claim is None else report.judged.claims[cited.claim]
    verdict = _VERDICTS[cited.standing]
    return CitationOutcome(
        **pick(cited, "target", "reason", "document", "page", "start", "end"),
        marker=text[cited.start : cited.end],
        verdict=verdict,
        score=None if verdict == "unjudged" else cited.score,
        codes=codes,
        claim=None if claim is None else text[claim.start : claim.end],
        doubtful=cited.standing == "doubtful",
    )


def _reason(rows: tuple[CitationOutcome, ...]) -> str:
    if not rows:
        return "nothing to judge: the answer has no citations"
    judged = [row for row in rows if row.verdict != "unjudged"]
    wrong = [row for row in judged if row.verdict != "supported"]
    unjudged = [row for row in rows if row.verdict == "unjudged"]
    if not judged:
        return f"nothing was judged: {_named(unjudged)}"
    said = f"{len(judged) - len(wrong)} of {plural(len(judged), 'citation')} supported"
    if wrong:
        said += f": {_named(wrong)}"
    if unjudged:
        said += f"; {len(unjudged)} unjudged: {_named(unjudged)}"
    return said


def _named(rows: list[CitationOutcome]) -> str:
    """`[2] is contradicted (12% in the claim, 21% in the source)`: the first few, with their reasons."""
    parts = []
    for row in rows[:_LONGEST_LIST]:
        verdict = "" if row.verdict == "unjudged" else f"is {row.verdict} "
        parts.append(f"{row.marker or row.target} {verdict}({row.reason})")
    more = len(rows) - len(parts)
    return ", ".join(parts) + (f" and {more:,} more" if more else "")

"""Sentences that claim nothing: counted by what they do instead, and no marker in them passes in silence."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection

from pincite.findings.places import Places
from pincite.reading import CitedTarget, Reading
from pincite.records import Finding
from pincite.text import SpanIndex

_COUNTED = ("courtesy", "question", "refusal", "pointer", "label", "lead_in")
_COUNTED_WITH_MARKER = ("empty", "heading")
"""A bare rule or a title is no sentence that anybody expects to be checked, unless it cites."""

_WHY = {
    "question": "nothing to judge: the marker is in a question, which makes no claim",
    "refusal": "cannot be judged: no passage can show what the sources leave out",
    "courtesy": "nothing to judge: the sentence makes no claim",
    "heading": "nothing to judge: the marker is in a heading, which makes no claim",
    "lead_in": "nothing to judge: the sentence introduces a list whose items have their own markers",
}
_ALONE = "nothing to judge: there is no claim next to the marker"
_STANDS_ALONE = ("question", "refusal", "courtesy")
"""Told even when another claim has the same target: what these say is not what that claim says."""


def count_skipped(reading: Reading) -> dict[str, int]:
    """How many sentences were not judged, by what they are: `{"courtesy": 2, "question": 1}`."""
    markers = SpanIndex(citation.span for citation in reading.citations)
    counts: Counter[str] = Counter()
    for statement in reading.skipped:
        cited = statement.role in _COUNTED_WITH_MARKER and markers.overlaps(statement.start, statement.end)
        if statement.role in _COUNTED or cited:
            counts[statement.role] += 1
    return dict(sorted(counts.items()))


def without_claim(reading: Reading) -> list[CitedTarget]:
    """The targets that were found and speak for no claim; of one with a wrong quote that is told.

    `See [1].` and `Sources: [1], [2]` lose nothing where the same is cited for a claim as well.
    """
    cited_for_claims = {cited.target for cited in reading.targets if cited.claims}
    return [
        cited
        for cited in reading.targets
        if not cited.claims
        and cited.evidence.status == "found"
        and cited.ordinal not in reading.misquoted
        and (cited.target not in cited_for_claims or _role_at(cited, reading) in _STANDS_ALONE)
    ]


def tell(targets: Collection[CitedTarget], reading: Reading, place: Places) -> list[Finding]:
    """One finding (PIN206) per target."""
    return [place.about(cited, "PIN206", _WHY.get(_role_at(cited, reading), _ALONE)) for cited in targets]


def _role_at(cited: CitedTarget, reading: Reading) -> str:
    """What the sentence with the marker does; nothing where the marker is outside of all."""
    at = bisect_right(reading.skipped, cited.citation.start, key=lambda statement: statement.start) - 1
    if at < 0 or cited.citation.start >= reading.skipped[at].end:
        return ""
    return reading.skipped[at].role

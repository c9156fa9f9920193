"""What a reading is made of: targets with their evidence, quotes, and claims with what is cited for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from pincite.config import Settings
from pincite.records import (
    Answer,
    Citation,
    Claim,
    Evidence,
    Match,
    Pair,
    Parsed,
    Passage,
    Span,
    Target,
    Verdict,
)
from pincite.sources import Library
from pincite.text import Statement

LONG = 1200
"""Evidence longer than this is shown to the judge by its best sentences."""


class CitedTarget(Struct, frozen=True):
    """One target of one citation, what it points to, and the claims that it is cited for."""

    ordinal: int
    citation: Citation
    index: int
    """Which of the citation's targets it is."""
    target: Target
    evidence: Evidence
    """Of a passage longer than `LONG` only the beginning is kept as text; its offsets span all of it."""
    claims: tuple[int, ...]


UNKNOWABLE: dict[str, str] = {
    "not_given": "the cited source was not given",
    "unreadable": "the cited source could not be read",
}
"""Evidence that cannot be looked at here, and why: the target is unjudged, neither right nor wrong."""


class QuoteCheck(Struct, frozen=True):
    """One quote, the target that it was held against, and whether it is there."""

    text: str
    cited: CitedTarget
    standing: Literal["there", "elsewhere", "nowhere", "unknown"]
    """`elsewhere` is another place of the same source; `unknown` where no cited source can be looked at."""
    reason: str = "it appears where it is cited"
    span: Span | None = None
    """Where a quotation is in the answer; None for an excerpt that came with its citation."""
    found: tuple[Match, ...] = ()
    """Where else it is, or where something like it is."""
    wrong: tuple[CitedTarget, ...] = ()
    """The targets that are cited for words that are not there."""
    held: tuple[CitedTarget, ...] = ()
    """The targets at whose places a quotation of their claim is found."""


class ClaimTarget(Struct, frozen=True):
    """One claim and one of its targets that points somewhere."""

    claim: int
    cited: CitedTarget
    passages: tuple[Passage, ...]
    """What a judge is shown of the target."""
    pair: Pair
    """The claim and these passages, as a judge is asked about them, or would be."""
    value: Verdict | None
    """Decided without a judge: a value in JSON is compared, and a place without words supports nothing."""


class CitedClaim(Struct, frozen=True):
    """One claim with everything that is cited for it."""

    claim: Claim
    targets: tuple[CitedTarget, ...]
    resolved: tuple[ClaimTarget, ...]
    """Those of the targets that point somewhere."""
    together: Pair | None
    """The claim and all that is cited for it; None where that is at most one thing, or too much."""

    @property
    def partly_unknown(self) -> bool:
        """Whether something is cited that cannot be looked at here."""
        return any(cited.evidence.status in UNKNOWABLE for cited in self.targets)

    def without(self, target: ClaimTarget) -> Pair | None:
        """The claim and all that is cited for it but this; None where nothing else is, or too much."""
        if self.together is None:
            return None
        return Pair(self.claim.text, passages_of(other for other in self.resolved if other is not target))


def passages_of(targets: Iterable[ClaimTarget]) -> tuple[Passage, ...]:
    """Every passage once, in the order of the citations."""
    return tuple(dict.fromkeys(passage for target in targets for passage in target.passages))


class Reading(Struct, frozen=True):
    """Everything that is known about an answer before anything is judged."""

    answer: Answer
    library: Library
    settings: Settings
    parsed: Parsed
    citations: tuple[Citation, ...]
    claims: tuple[Claim, ...]
    skipped: tuple[Statement, ...]
    """Sentences that claim nothing: questions, small talk, headings and so on."""
    uncited: tuple[int, ...]
    """The claims without a marker."""
    targets: tuple[CitedTarget, ...]
    targets_of: tuple[tuple[CitedTarget, ...], ...]
    """For each claim, the targets that are cited for it."""
    quotes: tuple[QuoteCheck, ...] = ()
    """Every quote, and whether its words are where they are cited."""
    misquoted: dict[int, str] = {}
    """The targets that are cited for words that are not there, by ordinal, each with the reason."""
    cited_claims: tuple[CitedClaim, ...] = ()
    """Every claim with what is cited for it and what a judge is to be asked."""

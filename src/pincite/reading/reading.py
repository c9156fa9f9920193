"""What a reading is made of: targets with their evidence, quotes, and claims with what is cited for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from pincite.config import Settings
from pincite.reading.questions import Tell
from pincite.records import (
    Answer,
    Citation,
    Claim,
    Evidence,
    Match,
    Pair,
    Parsed,
    Passage,
    Reference,
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


class Meeting(Struct, frozen=True):
    """One claim and one of its targets that points somewhere."""

    claim: int
    cited: CitedTarget
    pair: Pair
    """The claim and what is cited, as a judge is asked about them, or would be."""
    value: Verdict | None
    """Decided without a judge: a value in JSON is compared, and a place without words supports nothing."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        return self.pair.passages

    @property
    def alone(self) -> Pair | None:
        """What to ask a judge about this target alone; None where none is needed."""
        return self.pair if self.value is None else None


class CitedClaim(Struct, frozen=True):
    """One claim with everything that is cited for it."""

    claim: Claim
    targets: tuple[CitedTarget, ...]
    meetings: tuple[Meeting, ...]
    """Those of the targets that point somewhere."""
    together: Pair | None
    """The claim and all that is cited for it; None where that is at most one thing, or too much."""

    @property
    def partly_unknown(self) -> bool:
        """Whether something is cited that cannot be looked at here."""
        return any(cited.evidence.status in UNKNOWABLE for cited in self.targets)

    def without(self, meeting: Meeting) -> Pair | None:
        """The claim and all that is cited for it but this; None where nothing else is, or too much."""
        if self.together is None:
            return None
        return Pair(self.claim.text, passages_of(other for other in self.meetings if other is not meeting))


def passages_of(meetings: Iterable[Meeting]) -> tuple[Passage, ...]:
    """Every passage once, in the order of the citations."""
    return tuple(dict.fromkeys(passage for meeting in meetings for passage in meeting.passages))


class Reading(Struct, frozen=True, dict=True):
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
    references: tuple[Reference, ...] = ()
    """The numbered list that `[1]` counts in: the one that came with the answer, or else its own."""
    places: dict[tuple[str, str], list[Match]] = field(default_factory=dict)
    """Where a source speaks of a claim, by claim and source: many markers may ask the same."""
    tell: Tell | None = None
    find_quotes: Callable[[Reading], Iterable[QuoteCheck]] = lambda _: ()
    find_cited_claims: Callable[[Reading], tuple[CitedClaim, ...]] = lambda _: ()
    """How `quotes` and `cited_claims` are found when somebody first asks."""

    @cached_property
    def quotes(self) -> tuple[QuoteCheck, ...]:
        """Every quote, and whether its words are where they are cited."""
        return tuple(self.find_quotes(self))

    @cached_property
    def misquoted(self) -> dict[int, str]:
        """The targets that are cited for words that are not there, by ordinal, each with the reason."""
        return {
            cited.ordinal: one.reason
            for one in reversed(self.quotes)
            if one.standing in ("elsewhere", "nowhere")
            for cited in one.wrong
        }

    @cached_property
    def cited_claims(self) -> tuple[CitedClaim, ...]:
        """Every claim with what is cited for it and what a judge is to be asked."""
        return self.find_cited_claims(self)

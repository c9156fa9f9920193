"""What the tools take and return. Their schemas are made of these, so each field says what it is."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST_ANSWER = 200_000
LONGEST_TEXT = 20_000
MOST_CONTEXTS = 500
MOST_CHARACTERS = 5_000_000
"""Of all contexts of one call together."""
MOST_LISTED = 100
"""Findings, and citations, in one result."""
LONGEST_EXCERPT = 600


class GivenContext(BaseModel):
    """A text that the answer may cite, with what it is called."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(description="The text itself.")
    id: str | None = Field(None, description="Cited as [id].", max_length=500)
    title: str | None = Field(None, description="Cited as [title].", max_length=1000)
    url: str | None = Field(None, description="Cited by this address.", max_length=4000)


class SourcePlace(BaseModel):
    """A place in a source. Offsets count Unicode code points in the source's text."""

    document: str
    page: int | None = Field(description="Counted from 1; null where the source has no pages.")
    start: int | None
    end: int | None
    text: str = Field(description="The words at that place, cut where they are long.")


class LocatedPlace(SourcePlace):
    """A place that was looked for."""

    score: float = Field(description="How much of the text is there, 0 to 1.")
    method: Literal["exact", "normalised", "fuzzy", "claim"]
    citation: str = Field(description="A marker that cites this place, to be put behind the claim.")


class SuggestedFix(BaseModel):
    """Words of the answer, and what to write in their place."""

    words: str
    start: int = Field(description="Where the words begin in the answer, in code points.")
    end: int
    replacement: str
    safe: bool = Field(description="Surely right; otherwise look at the source first.")


class ListedFinding(BaseModel):
    """One thing that is wrong with the answer."""

    code: str = Field(description="Such as PIN203; explain_finding says what it means.")
    severity: Literal["error", "warning", "note"]
    message: str
    line: int
    column: int
    words: str = Field(description="The words of the answer that it is about.")
    claim: str | None = Field(description="The sentence that was judged.")
    source: SourcePlace | None = Field(description="What the source says instead.")
    fix: SuggestedFix | None = Field(description="How to correct it, where that can be said.")


class ListedCitation(BaseModel):
    """One thing that one marker cites."""

    marker: str
    target: str
    verdict: Literal["supported", "contradicted", "unsupported", "unjudged"]
    score: float | None = Field(description="0 to 1; null when unjudged.")
    reason: str
    codes: list[str]
    document: str | None
    page: int | None


class CheckedAnswer(BaseModel):
    """What a check of an answer's citations found."""

    ok: bool = Field(description="No finding is an error.")
    score: float | None = Field(
        description="Supported ÷ judged citations; null when nothing was judged, which does not mean 0."
    )
    summary: str
    findings: list[ListedFinding]
    citations: list[ListedCitation]
    unjudged: int = Field(description="Citations that could not be judged.")
    left_out: int = Field(description="Findings and citations beyond those listed.")
    unread_sources: list[str] = Field(description="Sources that could not be read, each with the reason.")


class LocatedText(BaseModel):
    """Where a quote or a claim was found."""

    places: list[LocatedPlace] = Field(description="The best first; empty when it is nowhere.")


class VerifiedQuote(BaseModel):
    """Whether the words of a quote are in a source."""

    verdict: Literal["verbatim", "same_words", "altered", "absent"] = Field(
        description="verbatim: character for character; same_words: only set otherwise (white space, case, "
        "quotation marks); altered: something like it is there; absent: no such words. The places are then "
        "those that speak of the same, if any."
    )
    places: list[LocatedPlace]


class ExplainedFinding(BaseModel):
    """What a code means."""

    code: str
    name: str
    severity: str
    summary: str
    explanation: str = Field(description="Markdown, with an example.")

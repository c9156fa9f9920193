"""What a rule found to speak against a claim."""

from __future__ import annotations

from msgspec import Struct

from pincite.judges.rules.reading import Sentence


class Flip(Struct, frozen=True):
    """The claim's words, the evidence's words, and why the two cannot both be true."""

    cause: str
    claim_text: str
    evidence_text: str
    sentence: Sentence
    reason: str


class Doubt(Struct, frozen=True):
    """Why a claim is not supported: a sentence for a person, and the words on both sides."""

    cause: str
    reason: str
    claim_text: str
    evidence_text: str | None = None
    sentence: Sentence | None = None
    alarm: float = 0.0
    """How strongly it speaks against the claim (`rules.alarm`)."""

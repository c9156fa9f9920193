"""What a rule found to speak against a claim."""

from __future__ import annotations

from msgspec import Struct

from pincite.judges.rule_reading import Sentence


class Flip(Struct, frozen=True):
    """The claim's words, the evidence's words, and why the two cannot both be true."""

    cause: str
    claim_text: str
    evidence_text: str
    sentence: Sentence
    reason: str

"""What a rule found to speak against a claim."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.judges.rule_reading import Sentence


@dataclass(frozen=True, slots=True)
class Flip:
    """The claim's words, the evidence's words, and why the two cannot both be true."""

    cause: str
    claim_text: str
    evidence_text: str
    sentence: Sentence
    reason: str

"""What the rules observe in a pair, and what a detector returns."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pincite.judges.rules.reading import Sentence
from pincite.judges.rules.view import View

Kind = Literal["number", "close", "apart", "against", "doubt", "note"]
"""`number`: a number that surely differs; `close`: one that differs in a sentence which otherwise says the
same; `apart`: any other that differs. `against`: words that exclude each other. `doubt`: what keeps a claim
from being supported, however many of its words were found. `note`: what is neither for nor against it."""


class Observation(Struct, frozen=True):
    """One thing that a detector saw."""

    kind: Kind
    cause: str
    words: tuple[str, str | None] = ("", None)
    """The claim's words and the evidence's."""
    weight: float = 0.0
    """How strongly it speaks against the claim; of a number that differs, how well it fits."""
    reason: str = ""
    sentence: Sentence | None = None


class Observed(Struct, frozen=True):
    """A view of a pair with everything that was observed in it."""

    view: View
    all: tuple[Observation, ...]

    def of(self, *kinds: Kind) -> list[Observation]:
        return [found for found in self.all if found.kind in kinds]

    def notes(self, cause: str) -> bool:
        return any(found.kind == "note" and found.cause == cause for found in self.all)


def against(
    cause: str, here: str, there: str, sentence: Sentence, *, reason: str = "", weight: float = 3.0
) -> Observation:
    """Words of the claim and of a sentence that exclude each other."""
    reason = reason or f'"{here}" in the claim, "{one_line(there)}" in the source'
    return Observation("against", cause, (here, there), weight, reason, sentence)


def one_line(text: str) -> str:
    return " ".join(text.split())

"""The source says `may` or `reportedly` where the claim is certain."""

from __future__ import annotations

from pincite.judges.rules.observation import Observation
from pincite.judges.rules.reading import Stretch, kept
from pincite.judges.rules.view import View
from pincite.judges.rules.vocabulary import words

HEDGES = words("hedges")


def source_hedges(view: View) -> list[Observation]:
    """Only a note: what it says of the claim is for a model to decide."""
    hedged = view.best is not None and _hedges(view.best.read) and not _hedges(view.claim)
    return [Observation("note", "source hedges")] if hedged else []


@kept
def _hedges(stretch: Stretch) -> bool:
    return any(term.text in HEDGES for term in stretch.terms)

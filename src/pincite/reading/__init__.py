"""An answer read against its sources: its claims, what they cite, and what each citation is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.reading.cited_claims import (
        MOST_TOGETHER,
        asked_alone,
        asked_together,
        asked_without,
        said,
        verdict_alone,
        verdict_together,
    )
    from pincite.reading.questions import Questions, Tell, told
    from pincite.reading.read import read_answer
    from pincite.reading.reading import UNKNOWABLE, CitedClaim, CitedTarget, Meeting, QuoteCheck, Reading
    from pincite.reading.shown import passages_for, passages_in
    from pincite.reading.truth import (
        Truth,
        all_of,
        any_of,
        grounded,
        grounded_by_clauses,
        is_outcome,
        opposite,
        precise,
    )
    from pincite.reading.worth import IN_NO_RATIO, Weighed, WeighedMeeting, WeighedTarget, needs_others, weigh
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "cited_claims": (
                "MOST_TOGETHER asked_alone asked_together asked_without said verdict_alone verdict_together"
            ),
            "questions": "Questions Tell told",
            "read": "read_answer",
            "reading": "CitedClaim CitedTarget Meeting QuoteCheck Reading UNKNOWABLE",
            "shown": "passages_for passages_in",
            "truth": "Truth all_of any_of grounded grounded_by_clauses is_outcome opposite precise",
            "worth": "IN_NO_RATIO Weighed WeighedMeeting WeighedTarget needs_others weigh",
        },
    )

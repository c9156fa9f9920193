"""An answer read against its sources: its claims, what they cite, and what each citation is worth.

`read_answer` makes a `Reading`, which is data only; `ask` puts pairs to a judge; `assess` decides what the
verdicts make of the reading. Findings and metrics are views of these and decide nothing again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.reading.assessment import (
        IN_NO_RATIO,
        AssessedClaim,
        AssessedClaimTarget,
        AssessedTarget,
        Assessment,
        asked_alone,
        asked_together,
        asked_without,
        assess,
        needs_others,
        verdict_alone,
        verdict_on,
    )
    from pincite.reading.grounds import Grounds, asked_consistency, assess_grounds, read_grounds
    from pincite.reading.passages import MOST_TOGETHER, passages_for, passages_in
    from pincite.reading.read import read_answer
    from pincite.reading.reading import UNKNOWABLE, CitedClaim, CitedTarget, ClaimTarget, QuoteCheck, Reading
    from pincite.reading.truth import Truth, any_of, is_outcome, opposite, precise
    from pincite.reading.verdicts import Tell, Verdicts, ask, with_progress
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "verdicts": "Tell Verdicts ask with_progress",
            "assessment": (
                "AssessedClaim AssessedClaimTarget AssessedTarget Assessment IN_NO_RATIO asked_alone "
                "asked_together asked_without assess needs_others verdict_alone verdict_on"
            ),
            "grounds": "Grounds asked_consistency assess_grounds read_grounds",
            "passages": "MOST_TOGETHER passages_for passages_in",
            "read": "read_answer",
            "reading": "CitedClaim CitedTarget ClaimTarget QuoteCheck Reading UNKNOWABLE",
            "truth": "Truth any_of is_outcome opposite precise",
        },
    )

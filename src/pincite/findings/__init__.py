"""What is wrong with an answer, where it stands, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.findings.catalogue import (
        RULES,
        Rule,
        explain,
        explain_findings,
        explanations_text,
        is_explained,
        require_known_codes,
        require_known_finding,
    )
    from pincite.findings.checker import check, check_answer, check_contexts, chosen_judge
    from pincite.findings.fix import Fixed, apply_fixes, fix_answer
    from pincite.findings.many import check_answers, check_many
    from pincite.findings.pool import pool_for
    from pincite.findings.report import combine
    from pincite.findings.suppress import apply_baseline, load_baseline, write_baseline
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "catalogue": (
                "RULES Rule explain explain_findings explanations_text is_explained require_known_codes "
                "require_known_finding"
            ),
            "checker": "check check_answer check_contexts chosen_judge",
            "fix": "Fixed apply_fixes fix_answer",
            "many": "check_answers check_many",
            "pool": "pool_for",
            "report": "combine",
            "suppress": "apply_baseline load_baseline write_baseline",
        },
    )

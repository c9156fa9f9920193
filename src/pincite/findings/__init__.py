"""What is wrong with an answer, where it stands, and how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.findings.catalogue import RULES, Rule, explain, explanations_text, refuse_unknown_codes
    from pincite.findings.checker import check, check_answer, check_contexts, chosen_judge
    from pincite.findings.explaining import explain_findings, is_explained, refuse_unknown_finding
    from pincite.findings.fix import Fixed, apply_fixes, fix_answer
    from pincite.findings.many import check_answers, check_many
    from pincite.findings.pool import pool_for
    from pincite.findings.silence import apply_baseline, load_baseline, write_baseline
    from pincite.findings.summary import combine
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "catalogue": "RULES Rule explain explanations_text refuse_unknown_codes",
            "checker": "check check_answer check_contexts chosen_judge",
            "explaining": "explain_findings is_explained refuse_unknown_finding",
            "fix": "Fixed apply_fixes fix_answer",
            "many": "check_answers check_many",
            "pool": "pool_for",
            "silence": "apply_baseline load_baseline write_baseline",
            "summary": "combine",
        },
    )

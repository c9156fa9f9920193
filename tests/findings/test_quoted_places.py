"""A citation of the very words that are quoted, while the claim also says who said them."""

from __future__ import annotations

import pincite
from pincite.findings import apply_fixes

TEXT = (
    "The year was a hard one. Chief executive Maria Lindqvist said: “We would rather build slower than build "
    "badly.” The auditor issued an unqualified opinion in March."
)
QUOTE = "We would rather build slower than build badly"
SOURCES = {"report.txt": TEXT}
START = TEXT.index(QUOTE)
PLACE = f"[report.txt:{START}-{START + len(QUOTE)}]"


def findings(answer: str) -> list[pincite.Finding]:
    return list(pincite.check(answer, SOURCES).findings)


def test_a_quote_may_be_cited_by_its_own_words_alone() -> None:
    assert findings(f'Maria Lindqvist said, "{QUOTE}" {PLACE}.') == []


def test_the_fix_of_a_misplaced_quote_leaves_nothing_to_report() -> None:
    answer = f'Maria Lindqvist said, "{QUOTE}" [report.txt:0-24].'
    (found,) = findings(answer)
    assert found.code == "PIN205"
    fixed = apply_fixes(answer, [found])
    assert fixed == f'Maria Lindqvist said, "{QUOTE}" {PLACE}.'
    assert findings(fixed) == []


def test_a_quote_put_in_another_mouth_does_not_pass_as_supported() -> None:
    report = pincite.check(f'The auditor Mazars said, "{QUOTE}" {PLACE}.', SOURCES)
    assert [found.code for found in (*report.findings, *report.doubtful)] == ["PIN201"]

"""Safe fixes are applied, checked again, and leave nothing to do."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from pincite import check
from pincite.findings import apply_fixes, fix_answer
from pincite.judges import NumberRules
from pincite.records import Finding, Fix, Pair, Report, Verdict

REPORT = "Revenue rose to $10 million in the first quarter. Costs were flat over the whole year."
START = REPORT.index("Costs")


def finding(start: int, end: int, replacement: str, safe: bool = True) -> Finding:
    fix = Fix(start, end, replacement, safe, "test")
    return Finding("PIN205", "error", "moved", start, end, 1, 1, fix=fix)


def fixed(answer: str, sources: dict[str, str]) -> str:
    def again(text: str):  # type: ignore[no-untyped-def]
        return check(text, sources)

    return fix_answer(again(answer), again).text


def test_only_safe_fixes_are_applied() -> None:
    findings = [finding(0, 1, "A"), finding(2, 3, "C", safe=False)]
    assert apply_fixes("abc", findings) == "Abc"


def test_of_two_overlapping_fixes_the_first_wins() -> None:
    assert apply_fixes("abcdef", [finding(2, 5, "Y"), finding(0, 3, "X")]) == "Xdef"


@given(st.text(max_size=50), st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=6))
def test_text_outside_the_fixes_is_kept(text: str, spans: list[tuple[int, int]]) -> None:
    findings = [finding(min(a, len(text)), min(max(a, b), len(text)), "█") for a, b in spans]
    result = apply_fixes(text, findings)
    pieces = result.split("█")
    assert all(piece in text for piece in pieces)


def test_a_claim_cited_at_the_wrong_place_is_moved_to_the_right_one() -> None:
    answer = "Costs were flat over the whole year [report.txt:0-49]."
    mended = fixed(answer, {"report.txt": REPORT})
    assert mended == f"Costs were flat over the whole year [report.txt:{START}-{len(REPORT)}]."
    assert check(mended, {"report.txt": REPORT}).findings == ()


def test_a_second_run_changes_nothing() -> None:
    answer = (
        "Costs were flat over the whole year [report.txt:0-49]. Revenue rose to $10 million [reprt.txt:0-49]."
    )
    once = fixed(answer, {"report.txt": REPORT})
    assert once != answer
    assert fixed(once, {"report.txt": REPORT}) == once


def test_a_page_is_corrected_to_where_the_characters_stand() -> None:
    paged = REPORT.replace(". Costs", ".\fCosts")
    answer = f"Costs were flat over the whole year [report.txt:1:{START}-{len(paged)}]."
    assert fixed(answer, {"report.txt": paged}) == answer.replace(":1:", ":2:")


def test_a_quote_that_stands_elsewhere_gets_its_own_span() -> None:
    answer = 'The report says that "Costs were flat over the whole year" [report.txt:0-49].'
    words = "Costs were flat over the whole year"
    assert f"[report.txt:{START}-{START + len(words)}]" in fixed(answer, {"report.txt": REPORT})


def test_one_span_of_several_is_mended_and_the_others_are_kept() -> None:
    answer = f"Costs were flat over the whole year [report.txt:{START}-{len(REPORT)},900-950]."
    mended = fixed(answer, {"report.txt": REPORT})
    assert f"[report.txt:{START}-{len(REPORT)}," in mended
    assert "900" not in mended


def test_an_answer_without_safe_fixes_is_left_alone() -> None:
    answer = "The company opened four new offices in Asia [report.txt:0-49]."
    assert fixed(answer, {"report.txt": REPORT}) == answer


UNCITED = "Costs were flat over the whole year. The office is in Lisbon."
COSTS = {"report.txt": "Costs were flat over the whole year. Revenue rose by 21%."}


def test_a_suggested_citation_is_inserted_only_where_unsafe_fixes_are_asked_for() -> None:
    def again_uncited(text: str) -> Report:
        return check(text, COSTS, judge="rules")

    report = again_uncited(UNCITED)
    assert fix_answer(report, again_uncited).text == UNCITED
    fixed = fix_answer(report, again_uncited, unsafe=True)
    assert fixed.text == "Costs were flat over the whole year [report.txt:0-36]. The office is in Lisbon."
    assert fixed.applied == 1
    assert [finding.code for finding in fixed.report.findings] == ["PIN301"]
    assert fix_answer(fixed.report, again_uncited, unsafe=True).applied == 0


def test_a_suggestion_that_is_not_sure_is_not_inserted() -> None:
    class HalfSure(NumberRules):
        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            return [Verdict("supported", 0.8, "nearly", judge="half-sure/1") for _ in pairs]

    def again_half(text: str) -> Report:
        return check(text, COSTS, judge=HalfSure())

    report = again_half("Costs were flat over the whole year.")
    assert [finding.code for finding in report.findings] == ["PIN302"]
    assert fix_answer(report, again_half, unsafe=True).applied == 0

"""The source's number is offered for the claim's where both count the same and the check then passes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite import check
from pincite.judges import Judge, NumberRules
from pincite.records import Finding, Pair, Verdict

SOURCE = "Revenue rose by 21% in the first quarter and by 4% in the second."


class Differs(Judge):
    """Says of the claim that a number differs, and is content with it once it has the source's."""

    waits = False
    name = "differs/1"

    def __init__(self, words: str, instead: str) -> None:
        self.words, self.instead = words, instead

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        no = Verdict(
            "contradicted", 0.1, "", "number", passage=0, claim_text=self.words, evidence_text=self.instead
        )
        yes = Verdict("supported", 0.9, "")
        return [no if self.words in pair.claim else yes for pair in pairs]


def offered(claim: str, source: str, words: str, instead: str) -> str | None:
    report = check(f"{claim} [a.txt].", {"a.txt": source}, judge=Differs(words, instead))
    fixes = [finding.fix for finding in report.findings if finding.code == "PIN203"]
    return fixes[0] and fixes[0].replacement


@pytest.mark.parametrize(
    ("claim", "source", "words", "instead"),
    [
        ("Revenue rose by 12% in spring", "In spring revenue rose by 21%.", "12%", "21%"),
        ("The pass costs 52 francs", "A day pass costs 58 francs.", "52 francs", "58 francs"),
        ("The shop opened on 3 May 2021", "The shop opened on 5 May 2021.", "3 May 2021", "5 May 2021"),
    ],
)
def test_a_number_of_the_same_thing_is_offered(claim: str, source: str, words: str, instead: str) -> None:
    assert offered(claim, source, words, instead) == instead


@pytest.mark.parametrize(
    ("claim", "source", "words", "instead"),
    [
        ("Revenue rose by 12% in spring", "Staff in Oslo ate 21% fewer apples.", "12%", "21%"),
        ("Revenue rose by 12% in spring", "Revenue rose by $21 in spring.", "12%", "$21"),
        ("The pass costs $52", "The pass costs €58.", "$52", "€58"),
        ("It sold 12 in May and 12 in June", "It sold 15 in May.", "12", "15"),
    ],
)
def test_a_number_of_another_thing_or_unit_is_not(claim: str, source: str, words: str, instead: str) -> None:
    assert offered(claim, source, words, instead) is None


def finding_of(claim: str, judge: object = "rules") -> Finding:
    (finding,) = check(f"{claim} [report.txt].", {"report.txt": SOURCE}, judge=judge).findings  # type: ignore[arg-type]
    return finding


def test_a_fix_that_the_check_passes_is_offered() -> None:
    finding = finding_of("Revenue rose by 12% in the first quarter")
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("21%", False)


def test_a_fix_that_leaves_another_fault_is_not_offered() -> None:
    assert finding_of("Revenue rose by 12% in the first quarter and by 9% in the second").fix is None


class Stubborn(Judge):
    """Objects to whatever number the claim names, and counts how often it is called."""

    waits = False
    name = "stubborn/1"

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.calls.append([pair.claim for pair in pairs])
        words = {"claim_text": "12%", "evidence_text": "21%", "passage": 0}
        return [Verdict("contradicted", 0.1, "no", "number", judge=self.name, **words) for _ in pairs]  # type: ignore[arg-type]


def test_the_claim_with_the_fix_is_asked_about_in_the_second_batch() -> None:
    judge = Stubborn()
    finding = finding_of("Revenue rose by 12% in the first quarter", judge)
    assert (finding.code, finding.fix) == ("PIN203", None)
    assert len(judge.calls) == 2
    assert "Revenue rose by 21% in the first quarter." in judge.calls[1]


def test_a_value_in_json_is_mended_by_the_value() -> None:
    sources = {"quote.json": '{"quote": {"premium": 1200}}'}
    (finding,) = check("The premium is 1300 dollars [quote.premium].", sources, judge=NumberRules()).findings
    assert finding.code == "PIN203"
    assert finding.fix is not None and finding.fix.replacement == "1200"


def test_what_shares_no_word_with_the_claim_is_not_quoted() -> None:
    answer = "Penguins swim faster than seals near Antarctica [report.txt]."
    (finding,) = check(answer, {"report.txt": SOURCE}, judge="rules").findings
    assert (finding.code, finding.source) == ("PIN201", None)

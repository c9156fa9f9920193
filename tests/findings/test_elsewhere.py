"""Whole documents, pages and sections that are cited while the support stands in another one (PIN205)."""

from __future__ import annotations

import pytest

from pincite import check

SOURCES = {
    "fees.md": "# Fees\n\nThe entry fee is 12 euros for adults.\n",
    "hours.md": (
        "# Hours\n\nThe museum opens at nine in the morning on weekdays.\n\n"
        "## Holidays\n\nOn Christmas Day the museum is closed to all visitors.\n"
    ),
    "guide.txt": (
        "Page one speaks of the parking lot.\f"
        "Page two says that dogs are admitted on a leash.\f"
        "Page three is about the cloakroom and its lockers."
    ),
}
OPENS = "The museum opens at nine in the morning on weekdays"
DOGS = "Dogs are admitted on a leash"
LIST = "\n\nSources:\n[1] fees.md\n[2] hours.md\n"


@pytest.mark.parametrize(
    ("answer", "place", "mended"),
    [
        (f"{OPENS} [fees.md].", "hours.md, line 3", f"{OPENS} [hours.md]."),
        (f"{OPENS} (fees.md).", "hours.md, line 3", f"{OPENS} (hours.md)."),
        (f"{OPENS} (Source: fees.md).", "hours.md, line 3", f"{OPENS} (Source: hours.md)."),
        (f"According to fees.md, {OPENS}.", "hours.md, line 3", f"According to hours.md, {OPENS}."),
        (f"{OPENS} [1].{LIST}", "hours.md, line 3", f"{OPENS} [2].{LIST}"),
        (f"{OPENS} [1].", "hours.md, line 3", f"{OPENS} [2]."),
        (f"{DOGS} (guide.txt, p. 1).", "guide.txt, page 2", f"{DOGS} (guide.txt, p. 2)."),
        (f"{DOGS} [guide.txt:3].", "guide.txt, page 2", f"{DOGS} [guide.txt:2]."),
        (f"{DOGS} [fees.md].", "guide.txt, page 2", f"{DOGS} [guide.txt]."),
        (f"{OPENS} [fees.md, Fees].", "hours.md, line 3", f"{OPENS} [hours.md, Hours]."),
        (f"{OPENS} [hours.md, Holidays].", "hours.md, line 3", f"{OPENS} [hours.md, Hours]."),
    ],
)
def test_the_place_that_supports_the_claim_is_named_and_its_marker_offered(
    answer: str, place: str, mended: str
) -> None:
    finding = next(found for found in check(answer, SOURCES).findings if found.code == "PIN205")
    assert place in finding.message
    assert finding.fix is not None
    fixed = answer[: finding.fix.start] + finding.fix.replacement + answer[finding.fix.end :]
    assert fixed == mended
    assert not [found for found in check(fixed, SOURCES).findings if found.code.startswith("PIN2")]


def test_only_a_move_within_the_same_document_is_safe() -> None:
    (other,) = check(f"{OPENS} [fees.md].", SOURCES).findings
    (same,) = check(f"{DOGS} (guide.txt, p. 1).", SOURCES).findings
    assert other.fix is not None and not other.fix.safe
    assert same.fix is not None and same.fix.safe


def test_a_list_of_sources_without_the_document_gets_its_name_and_no_marker() -> None:
    found = check(f"{OPENS} [1].\n\nSources:\n[1] fees.md\n", SOURCES).findings
    finding = next(each for each in found if each.code == "PIN205")
    assert "hours.md, line 3" in finding.message
    assert finding.fix is None


@pytest.mark.parametrize(
    ("heading", "marker", "moved"),
    [
        ("2.1 Dogs", "[rules.md § 1]", "[rules.md § 2.1]"),
        ("2.1. Dogs", "[rules.md § 1]", "[rules.md § 2.1]"),
        ("Dogs", "[rules.md § 1]", "[rules.md § Dogs]"),
        ("1 Dogs", "[rules.md § 3]", "[rules.md § 1 Dogs]"),
        ("2.1 Dogs", "[rules.md, Fees]", "[rules.md, 2.1 Dogs]"),
        ("Dogs; cats", "[rules.md § 1]", "[rules.md]"),
    ],
)
def test_a_section_cited_by_its_number_is_moved_to_a_number_that_leads_there(
    heading: str, marker: str, moved: str
) -> None:
    rules = "## 1 Fees\n\nThe fee is 12 euros.\n\n## 3 Hours\n\nWe open at nine.\n\n"
    sources = {"rules.md": f"{rules}## {heading}\n\nDogs are admitted on a leash.\n"}
    finding = next(one for one in check(f"{DOGS} {marker}.", sources).findings if one.code == "PIN205")
    assert finding.fix is not None and finding.fix.replacement == moved
    fixed = f"{DOGS} {moved}."
    assert check(fixed, sources).findings == ()


def test_lines_are_moved_to_lines() -> None:
    answer = f"{OPENS} [hours.md, lines 5-7]."
    (finding,) = check(answer, SOURCES).findings
    assert finding.code == "PIN205"
    assert finding.fix is not None
    assert finding.fix.replacement == "[hours.md, lines 3-3]"


@pytest.mark.parametrize(
    "answer",
    [
        "The museum sells 300 kinds of cheese [fees.md].",
        "The entry fee is 15 euros for adults [hours.md].",
        "The entry fee is 15 euros for adults [fees.md].",
    ],
)
def test_what_no_document_supports_is_not_moved(answer: str) -> None:
    assert "PIN205" not in {finding.code for finding in check(answer, SOURCES).findings}


def test_what_another_marker_of_the_claim_cites_is_no_other_place() -> None:
    found = check(f"{OPENS} [fees.md][hours.md].", SOURCES).findings
    assert "PIN205" not in {finding.code for finding in found}


def test_a_question_is_no_place_that_supports_a_claim() -> None:
    text = "Parking costs 4 euros a day.\n\nAre small dogs admitted on a leash in the museum?\n"
    found = check(
        "Small dogs are admitted on a leash in the museum [faq.md:0-28].", {"faq.md": text}
    ).findings
    assert [finding.code for finding in found] == ["PIN201"]

"""Lines and headings of a source: where a citation by them leads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.findings import check
from pincite.records import Evidence, Source, SpanTarget
from pincite.sources import Library, open_sources, resolve

TERMS = """\
# Terms

Everybody pays.

## 1. Fees

The fee is 5 dollars.

### Late fees

Late payers owe 9 dollars.

## 2. Refunds

Money comes back within 30 days.
"""
LIBRARY = open_sources({"terms.md": TERMS})


def lines_target(name: str, first: int, last: int) -> SpanTarget:
    return SpanTarget(name, None, None, None, "", lines=(first, last))


def section_target(name: str, section: str) -> SpanTarget:
    return SpanTarget(name, None, None, None, "", section=section)


def text_of(evidence: Evidence) -> str:
    assert evidence.status == "found"
    return evidence.passages[0].text


@pytest.mark.parametrize(
    ("section", "begins", "ends"),
    [
        ("Fees", "## 1. Fees", "9 dollars.\n\n"),
        ("fees", "## 1. Fees", "9 dollars.\n\n"),
        ("1. Fees", "## 1. Fees", "9 dollars.\n\n"),
        ("Section 1", "## 1. Fees", "9 dollars.\n\n"),
        ("§ 2", "## 2. Refunds", "30 days.\n"),
        ("“Late fees” section", "### Late fees", "9 dollars.\n\n"),
        ("Refunds section", "## 2. Refunds", "30 days.\n"),
        ("Terms", "# Terms", "30 days.\n"),
    ],
)
def test_a_heading_leads_to_what_stands_under_it(section: str, begins: str, ends: str) -> None:
    found = resolve(section_target("terms.md", section), LIBRARY)
    assert text_of(found).startswith(begins)
    assert text_of(found).endswith(ends)
    assert found.whole and not found.note


def test_a_heading_that_is_not_there_leads_to_the_document_and_a_note() -> None:
    found = resolve(section_target("terms.md", "Shipping"), LIBRARY)
    assert text_of(found) == TERMS
    assert found.note == "terms.md has no heading 'Shipping', so the whole document was used"
    report = check("The fee is 5 dollars [terms.md, Shipping].", LIBRARY, judge="rules")
    assert [(finding.code, finding.severity) for finding in report.findings] == [("PIN110", "note")]


def test_a_line_of_its_own_is_a_heading_where_none_is_marked() -> None:
    library = open_sources({"a.txt": "Intro\n\nIt rose.\n\nFees\n\nThe fee is 5 dollars.\n"})
    assert text_of(resolve(section_target("a.txt", "Fees"), library)) == "Fees\n\nThe fee is 5 dollars.\n"


def test_only_the_cited_section_is_read() -> None:
    (finding,) = check("The fee is 5 dollars [terms.md, Refunds].", LIBRARY, judge="rules").findings
    assert finding.code == "PIN205"


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (7, 7, "The fee is 5 dollars."),
        (9, 11, "### Late fees\n\nLate payers owe 9 dollars."),
        (15, 15, "Money comes back within 30 days."),
    ],
)
def test_lines_lead_to_their_characters(first: int, last: int, text: str) -> None:
    found = resolve(lines_target("terms.md", first, last), LIBRARY)
    assert text_of(found) == text
    assert TERMS[found.passages[0].start : found.passages[0].end] == text


@pytest.mark.parametrize(("first", "last"), [(0, 3), (15, 16), (99, 99)])
def test_lines_that_are_not_there_are_out_of_bounds(first: int, last: int) -> None:
    found = resolve(lines_target("terms.md", first, last), LIBRARY)
    assert found.status == "out_of_bounds"
    assert "terms.md has 15 lines" in found.reason


def test_a_web_page_has_no_lines_to_count() -> None:
    library = Library([Source(name="page.html", text=TERMS, kind="html")])
    found = resolve(lines_target("page.html", 1, 1), library)
    assert text_of(found) == TERMS
    assert found.note == "page.html has no line numbers, so the whole document was used"


@given(st.text(alphabet="ab\n\r \f", max_size=60), st.integers(1, 12), st.integers(0, 12))
def test_lines_are_what_splitting_at_line_feeds_gives(text: str, first: int, more: int) -> None:
    source = Library(open_sources({"a.txt": text}).entries).sources[0]
    lines = source.text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        del lines[-1]
    found = resolve(lines_target("a.txt", first, first + more), Library([source]))
    if first + more > len(lines):
        assert found.status == "out_of_bounds"
        assert f"has {len(lines)} line" in found.reason
    else:
        assert text_of(found) == "\n".join(lines[first - 1 : first + more])

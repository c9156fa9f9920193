"""Every cited sentence is judged, and what claims nothing is counted and told."""

from __future__ import annotations

import pytest

from pincite.findings import check
from pincite.records import Report

SOURCES = {
    "terms.txt": (
        "We renew each certificate 30 days before it expires. Let's Encrypt issues certificates for 90 days. "
        "See your administrator if the renewal fails twice. We do not ship certificates to Norway."
    )
}


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("We'll renew it 30 days before it expires", "We'll renew it 3 days before it expires"),
        ("Let's Encrypt issues certificates for 90 days", "Let's Encrypt issues certificates for 19 days"),
        ("See your administrator if the renewal fails twice", "See your dentist if the tooth aches twice"),
        ("We do not ship certificates to Norway", "We cannot refund shoes bought in Chile"),
    ],
)
def test_a_cited_sentence_is_judged_however_it_begins(right: str, wrong: str) -> None:
    report = check(f"{right} [terms.txt].", SOURCES)
    assert report.summary.judged > 0
    assert codes(report) == []
    report = check(f"{wrong} [terms.txt].", SOURCES)
    (found,) = report.findings or report.doubtful
    assert found.code in ("PIN201", "PIN202", "PIN203")


def test_what_a_provider_cites_is_judged_however_it_begins() -> None:
    cited = {"type": "char_location", "document_index": 0, "document_title": "terms.txt"}
    cited |= {"start_char_index": 0, "end_char_index": 52, "cited_text": SOURCES["terms.txt"][:52]}
    said = {"type": "text", "text": "We'll renew it 3 days before it expires.", "citations": [cited]}
    report = check({"type": "message", "role": "assistant", "content": [said]}, SOURCES)
    assert report.summary.claims == 1
    assert codes(report) == ["PIN203"]


@pytest.mark.parametrize(
    ("answer", "kind", "why"),
    [
        ("The sources do not say when it opened [terms.txt].", "refusal", "no passage can show"),
        ("Does it last 90 days [terms.txt]?", "question", "a question"),
        ("I hope this helps [terms.txt]!", "courtesy", "makes no claim"),
        ("See [terms.txt].", "pointer", "there is no claim next to the marker"),
        ("[terms.txt]", "empty", "there is no claim next to the marker"),
        ("## Certificates [terms.txt]\n", "heading", "a heading"),
    ],
)
def test_a_marker_without_a_claim_is_told_as_unjudged(answer: str, kind: str, why: str) -> None:
    report = check(answer, SOURCES)
    (found,) = report.findings
    assert (found.code, found.severity) == ("PIN206", "note")
    assert why in found.message
    assert answer[found.start : found.end] == "[terms.txt]"
    assert report.summary.unjudged == 1
    assert report.summary.skipped == {kind: 1}


def test_a_pointer_to_what_a_claim_cites_is_only_counted() -> None:
    answer = (
        "Let's Encrypt issues certificates for 90 days [terms.txt]. See [terms.txt].\n\nSources: [terms.txt]"
    )
    report = check(answer, SOURCES)
    assert codes(report) == []
    assert report.summary.unjudged == 0
    assert report.summary.skipped == {"empty": 1, "pointer": 1}


def test_uncited_small_talk_is_counted_and_no_finding() -> None:
    answer = (
        "Sure! Here is what I found.\n\n# Renewal\n\nShall I go on? "
        "We renew each certificate 30 days before it expires [terms.txt].\n\n---\n\nI hope this helps!"
    )
    report = check(answer, SOURCES)
    assert codes(report) == []
    assert report.summary.skipped == {"courtesy": 3, "question": 1}

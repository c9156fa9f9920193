"""The page of an answer beside its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from pincite.records import Answer, Report
from pincite.reports import write
from pincite.sources import Library, open_sources
from reports.html.pages import dangling_links, read_page, repeated_ids

SOURCES = {
    "tariff.md": "# Tariff 2024\n\nA cubic metre of water costs 2.50 euros. Sewage costs 3.10 euros.\n",
    "history.md": (
        "# History\n\nThe waterworks were built in 1974 by the engineer Karl Moller. "
        "They serve 14,000 people in Lindow.\n"
    ),
}
ANSWER = (
    "Water costs 2.50 euros per cubic metre [tariff.md]. It serves 41,000 people [history.md].\n"
    "The sky is blue [nowhere.md]. Leaks fell last year. Is that all?\n"
)


def page_of(answer: str, sources: dict[str, str], **settings: str) -> tuple[str, Report]:
    library = open_sources(sources)
    report = pincite.check(answer, library, judge="rules", **settings)
    return write([report], "html", library=library), report


def test_every_claim_says_its_verdict_in_words() -> None:
    page = read_page(page_of(ANSWER, SOURCES)[0])
    said = [one.text.strip() for one in page.every("main")[0].every("span", "verdict")]
    assert said == ["✓ [supported]", "≠ [contradicted]", "? [not judged]", "○ [no citation]"]


def test_the_answer_and_the_sources_are_shown_word_for_word() -> None:
    text, _ = page_of(ANSWER, SOURCES)
    page = read_page(text)
    shown = page.every("main")[0].every("div", "text")[0]
    for extra in (
        *shown.every("span", "vh"),
        *shown.every("span", "symbol"),
        *shown.every("span", "verdict"),
    ):
        extra.parts.clear()
    assert shown.text == ANSWER
    sources = {
        one.every("h2")[0].text: one.every("div", "text")[0].text for one in page.every("section", "source")
    }
    assert sources == SOURCES


def test_a_marker_links_to_the_cited_place_and_a_finding_shows_both_numbers() -> None:
    page = read_page(page_of(ANSWER, SOURCES)[0])
    assert dangling_links(page) == set()
    assert repeated_ids(page) == set()
    (number,) = [one for one in page.every("article", "finding") if one.attributes["data-code"] == "PIN203"]
    assert [one.text for one in number.every("mark")] == ["41,000", "14,000"]
    assert (number.every("del")[0].text, number.every("ins")[0].text) == ("41,000", "14,000")
    marked = [one.text for one in page.every("aside")[0].every("mark", "located")]
    assert "They serve 14,000 people in Lindow." in " ".join(marked)


def test_a_wrong_quotation_is_shown_beside_what_stands_at_the_cited_place() -> None:
    answer = 'The works were "planned in 1974 by nobody" [history.md:11-38].'
    page = read_page(page_of(answer, SOURCES)[0])
    (quote,) = [one for one in page.every("article", "finding") if one.attributes["data-code"] == "PIN204"]
    shown = quote.every("figure")[1]
    assert shown.every("figcaption")[0].text == "history.md, characters 11–38 says"
    assert shown.every("blockquote")[0].text == SOURCES["history.md"][11:38]
    assert quote.attributes["data-document"] == "history.md"
    link = shown.every("a")[0].attributes["href"][1:]
    cited = [one for one in page.every("mark", "cited") if link in one.attributes["data-in"].split()]
    assert "".join(one.text for one in cited) == SOURCES["history.md"][11:38]


def test_what_was_skipped_or_not_judged_is_listed() -> None:
    page = read_page(page_of(ANSWER, SOURCES)[0])
    listed = [one.text for one in page.every("details", "left-out")]
    assert any("question" in text and "Is that all?" in text for text in listed)


def test_an_unread_source_is_listed(tmp_path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"not a pdf")
    library = open_sources(tmp_path)
    report = pincite.check("It rains [bad.pdf].", library, judge="rules")
    assert "bad.pdf: not a PDF" in read_page(write([report], "html", library=library)).text


def test_of_a_long_source_only_what_lies_near_a_mark_is_shown() -> None:
    filler = "Nothing happened here. " * 8_000
    sources = {"long.txt": f"{filler}The bridge is 310 metres long. {filler}"}
    page = read_page(page_of("The bridge is 310 metres long [long.txt].", sources)[0])
    (source,) = page.every("section", "source")
    assert "The bridge is 310 metres long." in source.text
    assert len(source.text) < 9_000
    assert all("characters not shown" in one.text for one in source.every("span", "gap"))
    assert len(source.every("span", "gap")) == 2


def test_many_answers_share_one_page_and_their_sources() -> None:
    library = open_sources(SOURCES)
    reports = [
        pincite.check(f"Sewage costs 3.{number:02} euros [tariff.md].", library, judge="rules")
        for number in range(12)
    ]
    page = read_page(write(reports, "html", library=library))
    assert len(page.every("section", "answer")) == 12
    assert len(page.every("section", "source")) == 1
    assert dangling_links(page) == repeated_ids(page) == set()


def test_without_findings_or_sources_there_is_still_a_page() -> None:
    report = pincite.check("", Library(), judge="rules")
    page = read_page(write([report], "html"))
    assert "nothing wrong in 1 answer" in page.text


HOSTILE = [
    "<script>alert(1)</script> <img src=x onerror=alert(1)> [<b>.md]",
    '"><svg onload=alert(1)> [tariff.md"onclick="x]',
    "</style></script><!-- ]]> {{ 7*7 }} {% raw %} [tariff.md]",
    "\u202egnp.exe\u202c \u2066hidden\u2069 \x00\x07\x1b[31m red \ud800 [tariff.md]",
    "javascript:alert(1) [x](javascript:alert(1)) [y](data:text/html,<script>1</script>)",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_as_text_and_nothing_else(text: str) -> None:
    answer = f"Water costs 9.99 euros [tariff.md]. {text}. {text}\n"
    sources = {"tariff.md": f"A cubic metre costs 2.50 euros. {text}", text[:40]: text}
    whole, _ = page_of(answer, sources)
    page = read_page(whole)
    assert len(page.every("script")) == len(page.every("style")) == 1
    assert not page.every("img")
    assert not page.every("svg")
    for one in page.every():
        assert not any(name.startswith("on") for name in one.attributes)
        assert one.attributes.get("href", "#").startswith("#")
    whole.encode("utf-8")
    assert not any(hidden in whole for hidden in "\u202e\u2066\x00\x07\x1b\ud800")
    assert "49" not in page.every("main")[0].text


def test_the_page_forbids_every_request_and_every_other_script() -> None:
    page = read_page(page_of(ANSWER, SOURCES)[0])
    (policy,) = [one.attributes["content"] for one in page.every("meta") if "http-equiv" in one.attributes]
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy


DEMO = Path(__file__).parents[3] / "examples" / "demo" / "sources"
CITES_PDF = (
    "Revenue rose by 12% to £48.2 million [report.pdf:1:63-135]. "
    "The group sold 61,400 bicycles [report.pdf, p. 1].\n"
)


def test_a_cited_page_of_a_pdf_is_shown_with_a_box_around_each_marked_place() -> None:
    library = open_sources([DEMO / "report.pdf"])
    report = pincite.check(CITES_PDF, library, judge="rules")
    page = read_page(write([report], "html", library=library))
    (picture,) = page.every("figure", "page-picture")
    (image,) = picture.every("image")
    assert image.attributes["href"].startswith("data:image/png;base64,")
    marked = {one.attributes["data-in"].strip() for one in page.every("aside")[0].every("mark")}
    boxes = picture.every("rect")
    assert {one.attributes["class"] for one in boxes} == {"cited", "located"}
    assert {one.attributes["data-in"] for one in boxes} == {
        anchor for some in marked for anchor in some.split()
    }
    width, height = map(float, picture.every("svg")[0].attributes["viewbox"].split()[2:])
    for box in boxes:
        x, y, across, down = (float(box.attributes[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + across <= width
        assert 0 <= y <= y + down <= height
    assert dangling_links(page) == repeated_ids(page) == set()


def test_no_file_is_opened_for_a_source_that_came_with_an_answer() -> None:
    (source,) = open_sources([DEMO / "report.pdf"]).sources
    answer = Answer(name="a", text=CITES_PDF, sources=(source,))
    report = pincite.check(answer, Library(), judge="rules")
    page = read_page(write([report], "html", library=Library()))
    assert "Revenue rose by 21%" in page.every("aside")[0].text
    assert not page.every("figure", "page-picture")

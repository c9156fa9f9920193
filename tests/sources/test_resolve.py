"""Targets to evidence: every status, with a reason for a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import (
    Evidence,
    NumberTarget,
    PathTarget,
    Reference,
    Source,
    SpanTarget,
    Target,
    WebTarget,
    WorkTarget,
)
from pincite.sources import Library, open_sources, passage, resolve

PAGES = "First page text\fSecond page\fThird"
LIBRARY = open_sources(
    {"report.pdf": PAGES, "notes.txt": "No pages here", "sub/a.txt": "x", "other/a.txt": "y"}
)


def span(
    document: str, page: int | None = None, start: int | None = None, end: int | None = None
) -> SpanTarget:
    return SpanTarget(document, page, start, end, "key")


def web(url: str) -> WebTarget:
    from pincite.citations import read_web_target

    return read_web_target(url)[0]


def work(author: str, year: str) -> WorkTarget:
    return WorkTarget((author,), year, None, "key")


def entry(label: str, text: str, *targets: Target) -> Reference:
    return Reference(label, text, 0, len(text), targets)


# --- characters, pages, documents ----------------------------------------------------------------


def test_characters_are_found_with_their_page() -> None:
    evidence = resolve(span("report.pdf", 2, 16, 22), LIBRARY)
    assert evidence.status == "found" and evidence.page_verified is True
    (found,) = evidence.passages
    assert (found.text, found.page, found.document) == ("Second", 2, "report.pdf")


def test_an_unknown_document_offers_near_names() -> None:
    evidence = resolve(span("reprot.pdf", None, 0, 3), LIBRARY)
    assert (evidence.status, evidence.candidates) == ("unknown_document", ("report.pdf",))
    assert "did you mean report.pdf" in evidence.reason
    assert resolve(span("x.pdf"), Library()).status == "unknown_document"


def test_a_label_before_a_name_is_no_part_of_it() -> None:
    for written in ("Source: report.pdf", "source:report.pdf", "Doc: report.pdf"):
        assert resolve(span(written, None, None, None), LIBRARY).document == "report.pdf"


def test_without_any_sources_nobody_can_tell() -> None:
    evidence = resolve(span("x.pdf"), open_sources(None))
    assert (evidence.status, "no source was given" in evidence.reason) == ("not_given", True)


def test_a_name_that_fits_several_is_ambiguous() -> None:
    evidence = resolve(span("a.txt", None, 0, 1), LIBRARY)
    assert (evidence.status, evidence.candidates) == ("ambiguous_document", ("sub/a.txt", "other/a.txt"))


@pytest.mark.parametrize("page", [4, 0, -1, 10**30])
def test_a_page_that_does_not_exist_is_named(page: int) -> None:
    evidence = resolve(span("report.pdf", page, 16, 22), LIBRARY)
    assert evidence.status == "no_such_page"
    assert f"report.pdf has 3 pages; page {page} was cited" in evidence.reason


def test_page_and_offsets_that_disagree_say_where_the_characters_are() -> None:
    evidence = resolve(span("report.pdf", 1, 16, 22), LIBRARY)
    assert evidence.status == "page_disagrees" and "are on page 2" in evidence.reason
    assert evidence.passages[0].text == "Second" and evidence.passages[0].page == 2


def test_a_span_that_runs_on_to_the_next_page_agrees_with_both() -> None:
    for page in (1, 2):
        assert resolve(span("report.pdf", page, 10, 20), LIBRARY).status == "found"
    assert resolve(span("report.pdf", 3, 10, 20), LIBRARY).status == "page_disagrees"
    assert resolve(span("report.pdf", 1, 15, 16), LIBRARY).status == "page_disagrees"


def test_a_source_without_pages_can_neither_confirm_nor_refute_one() -> None:
    for page in (1, 99):
        evidence = resolve(span("notes.txt", page, 0, 2), LIBRARY)
        assert (evidence.status, evidence.page_verified) == ("found", False)
    assert resolve(span("notes.txt", None, 0, 2), LIBRARY).page_verified is None


def test_a_span_beyond_the_end_tells_the_length() -> None:
    evidence = resolve(span("notes.txt", None, 5, 500), LIBRARY)
    assert evidence.status == "out_of_bounds" and "13 characters" in evidence.reason
    assert resolve(span("notes.txt", None, 0, 13), LIBRARY).status == "found"
    assert resolve(span("notes.txt", None, 500, 550), LIBRARY).status == "out_of_bounds"


@pytest.mark.parametrize(
    ("start", "end", "word"),
    [(5, 2, "reversed"), (3, 3, "empty"), (-1, 2, "negative"), (None, 3, "one end"), (3, None, "one end")],
)
def test_a_span_that_is_none_is_its_own_status(start: int | None, end: int | None, word: str) -> None:
    evidence = resolve(span("notes.txt", None, start, end), LIBRARY)
    assert evidence.status == "bad_span" and word in evidence.reason


def test_a_span_longer_than_allowed_is_a_bad_one() -> None:
    evidence = resolve(span("notes.txt", None, 0, 9), LIBRARY, max_span_length=8)
    assert evidence.status == "bad_span" and "at most 8" in evidence.reason


def test_a_document_or_a_page_may_be_cited_as_a_whole() -> None:
    document = resolve(span("report.pdf"), LIBRARY)
    assert document.whole and document.passages[0].text == PAGES and document.page_verified is None
    page = resolve(span("report.pdf", 2), LIBRARY)
    assert page.whole and page.passages[0].text == "Second page" and page.page_verified is True
    run = resolve(SpanTarget("report.pdf", 2, None, None, "k", end_page=3), LIBRARY)
    assert run.passages[0].text == "Second page\fThird"
    assert resolve(SpanTarget("report.pdf", 2, None, None, "k", end_page=4), LIBRARY).status == "no_such_page"
    unpaged = resolve(span("notes.txt", 7), LIBRARY)
    assert unpaged.whole and unpaged.page_verified is False


def test_offsets_may_count_from_the_page() -> None:
    evidence = resolve(span("report.pdf", 2, 0, 6), LIBRARY, offsets="page")
    assert evidence.passages[0].text == "Second" and evidence.passages[0].start == 16
    beyond = resolve(span("report.pdf", 2, 0, 12), LIBRARY, offsets="page")
    assert beyond.status == "out_of_bounds" and "page 2 of report.pdf has 11 characters" in beyond.reason
    assert resolve(span("notes.txt", 2, 0, 2), LIBRARY, offsets="page").page_verified is False


def test_a_source_that_could_not_be_read_says_why() -> None:
    library = open_sources({"scan.pdf": b"no pdf", "b.txt": "x"})
    evidence = resolve(span("scan.pdf", 1, 0, 5), library)
    assert evidence.status == "unreadable" and "not a PDF" in evidence.reason
    assert resolve(NumberTarget(1, "1"), library).status == "unreadable"


def test_a_place_in_the_order_stands_for_a_name() -> None:
    assert resolve(span("#1", None, 0, 2), LIBRARY).document == "notes.txt"
    assert resolve(span("#9", None, 0, 2), LIBRARY).status == "unknown_document"


def test_content_blocks_are_cited_where_the_source_has_blocks() -> None:
    library = open_sources([{"id": "d", "content": ["one", "two", "three"]}])
    cited = SpanTarget("d", None, None, None, "k", blocks=(1, 3))
    assert resolve(cited, library).passages[0].text == "two\nthree"
    assert resolve(SpanTarget("d", None, None, None, "k", blocks=(2, 4)), library).status == "out_of_bounds"
    assert resolve(SpanTarget("notes.txt", None, None, None, "k", blocks=(0, 1)), LIBRARY).whole


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../../etc/passwd", "C:\\Windows\\win.ini", "file:///etc/passwd", "~"]
)
def test_a_cited_name_is_never_opened(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a citation must not open anything")

    resolve(span("warm up"), LIBRARY)  # imports are files too
    monkeypatch.setattr("os.open", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    assert resolve(span(name, None, 0, 5), LIBRARY).status == "unknown_document"


# --- tables --------------------------------------------------------------------------------------


def test_a_cell_comes_with_its_header_and_its_rows_name() -> None:
    (source,) = open_sources(
        {"t.md": "| Quarter | Revenue | Profit |\n|--|--|--|\n| Q1 | $10M | $2M |\n"}
    ).sources
    start = source.text.index("$10M")
    assert passage(source, start, start + 4).context == "Quarter: Q1; Revenue:"
    row = source.text.index("| Q1")
    assert passage(source, row, len(source.text) - 1).context == "Quarter | Revenue | Profit"
    assert passage(source, start, start + 9).context == "Quarter: Q1; Revenue | Profit"
    assert passage(source, 0, 9).context == ""


def test_several_rows_have_the_header_in_common() -> None:
    (source,) = open_sources({"t.csv": "Quarter,Revenue\nQ1,10\nQ2,20\nQ3,30\n"}).sources
    start = source.text.index("Q1")
    assert passage(source, start, source.text.index("Q3") - 1).context == "Quarter | Revenue"
    assert passage(source, start + 3, start + 8).context == "Quarter | Revenue"
    assert passage(source, start, start + 5).context == "Quarter | Revenue"
    assert passage(source, start, start + 2).context == "Quarter:"


def test_text_outside_a_table_has_no_context() -> None:
    (source,) = open_sources({"t.md": "Intro\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\nOutro"}).sources
    assert passage(source, 0, 5).context == ""
    assert passage(source, len(source.text) - 5, len(source.text)).context == ""
    assert passage(source, 0, len(source.text)).context == ""


# --- paths ---------------------------------------------------------------------------------------


def test_a_path_resolves_to_the_values_own_text() -> None:
    library = open_sources(
        {"q.json": '{"quote": {"premium": 1200, "to": ["a", "b"]}}', "n.txt": "quote.premium"}
    )
    evidence = resolve(PathTarget("quote.premium", "quote.premium"), library)
    assert evidence.status == "found" and evidence.passages[0].text == "1200"
    assert evidence.passages[0].context == "quote.premium"
    assert resolve(PathTarget("quote.to", "k"), library).passages[0].text == '["a", "b"]'


def test_a_path_that_leads_nowhere_offers_the_nearest() -> None:
    library = open_sources({"q.json": '{"quote": {"premium": 1200}}'})
    evidence = resolve(PathTarget("quote.premum", "k"), library)
    assert (evidence.status, evidence.candidates[0]) == ("path_not_found", "quote.premium")
    assert "no JSON" in resolve(PathTarget("a.b", "k"), LIBRARY).reason


def test_a_path_with_a_value_in_several_sources_is_ambiguous() -> None:
    library = open_sources({"a.json": '{"x": {"y": 1}}', "b.json": '{"x": {"y": 2}}'})
    evidence = resolve(PathTarget("x.y", "k"), library)
    assert (evidence.status, evidence.candidates) == ("ambiguous_document", ("a.json", "b.json"))
    assert resolve(PathTarget("a.x.y", "k"), library).document == "a.json"


def test_a_table_cell_is_cited_by_its_path() -> None:
    library = open_sources({"t.csv": 'Quarter,Revenue\nQ1,"1,000"\n'})
    (found,) = resolve(PathTarget("rows[0].Revenue", "k"), library).passages
    assert found.text == "1,000" and found.context == "rows[0].Revenue; Quarter: Q1; Revenue:"


# --- numbers -------------------------------------------------------------------------------------

NUMBERED = open_sources({"a.txt": "alpha", "b.txt": "beta"})


def number(n: int | None, key: str | None = None, label: str | None = None) -> NumberTarget:
    return NumberTarget(n, key or str(n), label) if label else NumberTarget(n, key or str(n))


def test_a_number_is_the_entry_of_the_answers_list() -> None:
    references = (entry("1", "b.txt", span("b.txt")), entry("2", "See a.txt, chapter 3."))
    assert resolve(number(1), NUMBERED, references).document == "b.txt"
    assert resolve(number(2), NUMBERED, references).document == "a.txt"
    missing = resolve(number(3), NUMBERED, references)
    assert missing.status == "no_entry" and "[3]" in missing.reason


def test_a_number_that_the_answers_list_leaves_out_never_counts_the_sources() -> None:
    references = (entry("1", "b.txt", span("b.txt")),)
    assert resolve(number(2), NUMBERED, references).status == "no_entry"
    assert resolve(number(2), open_sources({"1": "one", "2": "two"}), references).status == "no_entry"
    named = (entry("note", "b.txt", span("b.txt")),)
    assert resolve(number(2), NUMBERED, named).document == "b.txt"
    assert resolve(number(4, "4:0", "source"), NUMBERED, references).document == "a.txt"


def test_without_a_list_a_number_counts_ordered_sources() -> None:
    assert resolve(number(2), NUMBERED).document == "b.txt"
    assert resolve(number(3), NUMBERED).status == "no_entry"
    assert resolve(number(0), NUMBERED).status == "no_entry"


def test_a_source_that_bears_the_number_wins_over_the_order() -> None:
    assert resolve(number(1), open_sources({"2": "two", "1": "one"})).document == "1"
    assert resolve(number(1), open_sources({"2.txt": "two", "1.txt": "one"})).document == "1.txt"


def test_sources_without_an_order_ask_for_a_list() -> None:
    unordered = Library(NUMBERED.entries, ordered=False)
    evidence = resolve(number(1), unordered)
    assert evidence.status == "no_entry" and "'[1] a.txt'" in evidence.reason


def test_a_label_that_names_a_source_wins() -> None:
    assert resolve(number(3, "3", "b.txt"), NUMBERED).document == "b.txt"
    assert resolve(number(4, "4:0", "source"), NUMBERED).document == "a.txt"
    assert resolve(number(1, "1", "missing.pdf"), NUMBERED).status == "unknown_document"
    unread = open_sources({"a.txt": "x", "scan.pdf": b"no pdf"})
    assert resolve(number(1, "1", "scan.pdf"), unread).status == "unreadable"


def test_a_footnote_is_found_by_its_name() -> None:
    references = (entry("note", "b.txt", span("b.txt")),)
    assert resolve(number(None, "note"), NUMBERED, references).document == "b.txt"
    assert resolve(number(None, "other"), NUMBERED, references).status == "no_entry"


def test_an_entry_that_no_source_fits_says_what_kind_it_is() -> None:
    file = entry("1", "missing.pdf", span("missing.pdf"))
    page = entry("2", "A page. https://example.org", web("https://example.org"))
    words = entry("3", "Some book, 1999")
    assert resolve(number(1), NUMBERED, (file,)).status == "unknown_document"
    assert resolve(number(2), NUMBERED, (page,)).status == "not_given"
    assert resolve(number(3), NUMBERED, (words,)).status == "not_given"


def test_an_entry_finds_its_source_by_title() -> None:
    library = open_sources(
        [{"id": "d1", "title": "Deep Sea Currents", "content": "x"}, {"id": "d2", "content": "y"}]
    )
    cited = entry("1", "Ocean Institute. *Deep Sea Currents*. 2019.")
    assert resolve(number(1), library, (cited,)).document == "d1"


# --- the web -------------------------------------------------------------------------------------


def test_an_address_is_a_source_from_there() -> None:
    library = open_sources([{"id": "a", "content": "x", "url": "https://example.org/a"}])
    assert resolve(web("https://example.org/a#part"), library).document == "a"
    assert resolve(web("https://example.org/b"), library).status == "unknown_document"
    assert resolve(web("https://example.org/b"), NUMBERED).status == "not_given"


def test_parts_of_one_page_are_evidence_together() -> None:
    records = [{"id": str(i), "content": f"part {i}", "url": "https://example.org"} for i in (1, 2)]
    evidence = resolve(web("https://example.org/"), open_sources(records))
    assert [p.text for p in evidence.passages] == ["part 1", "part 2"] and evidence.whole


def test_a_doi_and_its_address_are_one() -> None:
    library = open_sources([{"id": "p", "content": "x", "url": "https://doi.org/10.1000/XYZ"}])
    assert resolve(WebTarget("doi:10.1000/xyz", doi="10.1000/xyz"), library).document == "p"


# --- works ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        Source("p1", "text", metadata={"authors": ["Jane Smith", "Bo Lee"], "year": 2020}),
        Source("smith2020.pdf", "text"),
        Source("smith_et_al_2020.pdf", "text"),
        Source("p2", "On Tides\nJ. Smith and B. Lee\nMarch 2020\n\nWe find"),
        Source("p3", "text", title="Smith (2020): On Tides"),
    ],
)
def test_a_work_is_found_by_what_its_source_says(source: Source) -> None:
    library = open_sources([Source("other.txt", "unrelated"), source])
    assert resolve(work("Smith", "2020"), library).document == source.name
    assert resolve(work("Smith", "2021"), library).status == "not_given"
    assert resolve(work("Smi", "2020"), open_sources([Source("x", "Smith 2020")])).status == "not_given"


def test_a_work_goes_through_the_answers_list() -> None:
    references = (entry("", "Smith, J. (2020). On Tides. a.txt", work("Smith", "2020"), span("a.txt")),)
    assert resolve(work("Smith", "2020a"), NUMBERED, references).document == "a.txt"
    assert resolve(work("Jones", "2019"), NUMBERED, references).status == "no_entry"
    assert resolve(work("Jones", "2019"), NUMBERED).status == "not_given"


def test_a_years_letter_chooses_the_entry() -> None:
    references = (
        entry("", "Smith (2020a). One. a.txt", work("Smith", "2020a"), span("a.txt")),
        entry("", "Smith (2020b). Two. b.txt", work("Smith", "2020b"), span("b.txt")),
    )
    assert resolve(work("Smith", "2020b"), NUMBERED, references).document == "b.txt"
    assert resolve(work("Smith", "2020c"), NUMBERED, references).status == "no_entry"


def test_a_work_that_several_sources_fit_is_ambiguous() -> None:
    library = open_sources({"smith2020a.txt": "x", "smith2020b.txt": "y"})
    assert resolve(work("Smith", "2020"), library).status == "ambiguous_document"


def test_a_listed_work_that_nobody_gave_is_not_given() -> None:
    references = (entry("", "Smith (2020). On Tides. Journal.", work("Smith", "2020")),)
    assert resolve(work("Smith", "2020"), NUMBERED, references).status == "not_given"


# --- anything at all -----------------------------------------------------------------------------

strange = st.text(max_size=12) | st.sampled_from(["report.pdf", "notes.txt", "#0", "\ud800", "a\0b", "../x"])
whole_numbers = st.none() | st.integers(-5, 60) | st.just(10**25)
targets: st.SearchStrategy[Target] = st.one_of(
    st.builds(SpanTarget, strange, whole_numbers, whole_numbers, whole_numbers, st.just("k")),
    st.builds(NumberTarget, whole_numbers, strange),
    st.builds(WebTarget, strange),
    st.builds(WorkTarget, st.lists(strange, max_size=3).map(tuple), strange, st.none(), st.just("k")),
    st.builds(PathTarget, strange, strange),
)
entries = st.builds(
    Reference, strange, strange, st.just(0), st.just(0), st.lists(targets, max_size=2).map(tuple)
)


@given(targets, st.lists(entries, max_size=3), st.sampled_from(["document", "page"]))
def test_any_target_gives_evidence_whose_passages_are_true(
    target: Target, references: list[Reference], offsets: str
) -> None:
    evidence = resolve(target, LIBRARY, references, "page" if offsets == "page" else "document")
    assert isinstance(evidence, Evidence) and evidence.reason
    assert (evidence.status in ("found", "page_disagrees")) == bool(evidence.passages)
    for found in evidence.passages:
        source = LIBRARY.get(found.document)
        assert source is not None and source.text[found.start : found.end] == found.text


# --- rows of tables, and files that are no text ----------------------------------------------------

CITIES = "City,People\nLisbon,545796\nPorto,231800\nBraga,193324\n"


@pytest.mark.parametrize(
    ("marker", "status", "text"),
    [
        ("[t.csv:row 3]", "found", "Braga,193324"),
        ("[t.csv, row 1]", "found", "Lisbon,545796"),
        ("[t.csv, rows 1-2]", "found", "Lisbon,545796\nPorto,231800"),
        ("[t.csv:row 4]", "out_of_bounds", None),
        ("[t.csv:row 0]", "bad_span", None),
    ],
)
def test_a_citation_names_a_row_of_a_table(marker: str, status: str, text: str | None) -> None:
    from pincite import parse
    from pincite.citations import render

    (citation,) = parse(f"So it is {marker}.").citations
    assert render(citation) == marker
    evidence = resolve(citation.targets[0], open_sources({"t.csv": CITIES}))
    assert evidence.status == status
    assert [found.text for found in evidence.passages] == ([] if text is None else [text])


def test_an_image_is_cited_as_a_document_and_said_to_be_unread(tmp_path: Path) -> None:
    from pincite import parse

    (citation,) = parse("It is blue [figure1.png].").citations
    assert citation.family == "span"
    (tmp_path / "figure1.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    evidence = resolve(citation.targets[0], open_sources(tmp_path))
    assert evidence.status == "unreadable" and "images are not read" in evidence.reason
    assert "UTF-8" not in evidence.reason

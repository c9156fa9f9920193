"""citations/parse: what is found, what is left alone, and what holds for any text."""

# ruff: noqa: E501 (tables of examples read better wide)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import parse, render
from pincite.records import NumberTarget, PathTarget, Span, SpanTarget, WebTarget, WorkTarget
from pincite.sources import open_sources
from pincite.text import SpanIndex, find_blocks, inline_opaque_spans


def keys(text: str) -> list[str]:
    return [target.key for citation in parse(text).citations for target in citation.targets]


# --- one answer with every family ------------------------------------------------------------------


def test_mixed_families_in_one_answer_are_found_in_order() -> None:
    text = (
        "Revenue rose 5% [report.pdf:3:10-42], as others say [1, 3]【2†source】. Smith (2020) found the same "
        "(Jones & Lee, 2019), see [the page](https://example.com/a) or doi:10.1234/abc. The premium is "
        "$1,200 [quote.premium].\n\n## References\n1. a.txt\n2. b.txt\n3. c.txt\n"
    )
    parsed = parse(text)
    assert [citation.family for citation in parsed.citations] == [
        "span", "number", "number", "author_year", "author_year", "web", "web", "json_path",
    ]  # fmt: skip
    assert [reference.label for reference in parsed.references] == ["1", "2", "3"]
    assert not parsed.malformed


def test_targets_carry_what_the_marker_says() -> None:
    text = "[a.pdf:3:10-20] [4] [T](https://e.example) (Li, 2020b, p. 7) [x[2].y]"
    targets = [citation.targets[0] for citation in parse(text).citations]
    assert targets == [
        SpanTarget("a.pdf", 3, 10, 20, "a.pdf:3:10-20"),
        NumberTarget(4, "4"),
        WebTarget("https://e.example", url="https://e.example", title="T"),
        WorkTarget(("Li",), "2020b", "p. 7", "li 2020b"),
        PathTarget("x[2].y", "x[2].y"),
    ]


def test_an_excerpt_is_kept_apart_from_the_span() -> None:
    (citation,) = parse(r'[a.pdf:1:2-30 | excerpt: "he said \"no\" [twice]"]').citations
    assert citation.cited_text == 'he said "no" [twice]'


def test_a_label_beside_a_number_is_kept() -> None:
    (citation,) = parse("Sales rose【3†report.pdf】").citations
    assert citation.targets == (NumberTarget(3, "3", "report.pdf"),)


# --- what is left alone -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[2023]", "array[0]", "x[1]", "my_list[2]", "camelCase[3]", "foo[1] = 2", "obj.items[1].name", "[]",
        "[x]", "[...]", "[sic]", "[note]", "[Note: see below]", "[TODO: 3-5 items]", "[e.g. this]", "[0]", "[01]",
        "[0.5, 1.2]", "[-1, 1]", "x² y³ m² km² 10³", "CO₂", "a^2 + b^2", "10^6", "(since 2020)", "(in 2020)",
        "(2020)", "(published 2020)", "(May 2020)", "(Spring 2021)", "(FY 2020)", "(c. 1850)", "(n = 2020)",
        "Blade Runner (1982)", "The Great Gatsby (1925) is a novel", "Titanic (1997) was a success", "Revenue (2020)",
        "World War II (1939-1945)", "(1939–1945)", "version 10.1234", "10.5/3", "example.com", "a@www.b", "http://",
        "https://", "www.", "doi:", "arXiv", "PMID", "file:///etc/passwd", "ftp://a.example/x", "C:\\docs",
        "[link](relative/page)", "[a](#b)", "![x](https://a.example/b.png)", "`[1]`", "    [1]", "```\n[1]\n```",
        "~~~\n(Smith, 2020)\n~~~", "<!-- [1] -->", r"\[1\]", "[package.json]", "[Ph.D]", "[U.S.]", "[Fig.2]",
        "the album, Breakaway (2004)", "Father and Daughter (2000), which won a prize", "(M.B., C.M., 1877)",
        '{"size":[970,90]}', "(see above)", "([unclosed", "[a: b: c]", "[12:30-13:45]", "(Smith)", "Dr. Smith (born 1970)",
        "The Paris Agreement (2015)", "Section (2020)", "[Acme Corp.]", "¹⁴C dating",
    ],
)  # fmt: skip
def test_left_alone(text: str) -> None:
    parsed = parse(text)
    assert (parsed.citations, parsed.malformed) == ((), ())


def test_a_year_is_a_citation_when_the_references_have_it() -> None:
    assert keys("Sales rose [2023].\n\n[2023]: https://example.com") == ["2023"]


def test_a_single_segment_counts_only_if_it_resolves() -> None:
    text = "It costs $5 [premium] and [deductible]."
    assert parse(text).citations == ()
    (found,) = parse(text, open_sources({"quote.json": '{"premium": 5}'})).citations
    assert found.targets == (PathTarget("premium", "premium"),)


def test_a_task_box_is_no_path_even_if_it_resolves() -> None:
    assert parse("- [x] done", open_sources({"quote.json": '{"x": 5}'})).citations == ()


@pytest.mark.parametrize(
    ("sources", "family"),
    [
        ({"a.txt": "It costs $5."}, "json_path"),
        ({"notes.log1": "It costs $5."}, "span"),
        ({"notes.log1": "It costs $5.", "a.json": '{"notes": {"log1": 5}}'}, "json_path"),
    ],
)
def test_what_may_be_a_path_or_a_name_is_what_the_sources_say(sources: dict[str, str], family: str) -> None:
    text = "It costs $5 [notes.log1]."
    assert [citation.family for citation in parse(text, open_sources(sources)).citations] == [family]
    assert [citation.family for citation in parse(text).citations] == ["json_path"]


def test_markers_in_the_reference_list_are_no_citations() -> None:
    text = "Sales rose [1].\n\nReferences:\n[1] Smith (2020), https://example.com [2]\n"
    assert keys(text) == ["1"]


# --- malformed -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "marker", "replacement"),
    [
        ("Up [report.pdf:5:12-].", "[report.pdf:5:12-]", None),
        ("Up [report.pdf:5:-20].", "[report.pdf:5:-20]", None),
        ("Up [report.pdf:5:abc-def].", "[report.pdf:5:abc-def]", None),
        ("Up [report.pdf:5:10-20 and so on.", "[report.pdf:5:10-20", "[report.pdf:5:10-20]"),
        ("Up [report.pdf:5:10 - 20].", "[report.pdf:5:10 - 20]", "[report.pdf:5:10-20]"),
        ("Up [report.pdf:5:10..20].", "[report.pdf:5:10..20]", "[report.pdf:5:10-20]"),
        ("Up [report.pdf:5:" + "9" * 30 + "-2].", "[report.pdf:5:" + "9" * 30 + "-2]", None),
        ('Up [a.pdf:1:2-3 | excerpt: "never closed].', '[a.pdf:1:2-3 | excerpt: "never closed]', None),
        ("Up [a.pdf:5:1-2; b.txt:3-4].", "[a.pdf:5:1-2; b.txt:3-4]", "[a.pdf:5:1-2][b.txt:3-4]"),
        ("Up [3-1].", "[3-1]", None),
        ("Up [1–999].", "[1–999]", None),
        ("Up [1, 2,].", "[1, 2,]", "[1, 2]"),
        ("Up【3†source and on", "【3†source", "【3†source】"),
    ],
)
def test_a_marker_that_was_meant_is_reported_with_its_repair(
    text: str, marker: str, replacement: str | None
) -> None:
    parsed = parse(text)
    assert parsed.citations == ()
    (found,) = parsed.malformed
    assert (found.text, found.replacement) == (marker, replacement)
    assert text[found.start : found.end] == marker
    if replacement is not None:
        assert not parse(replacement).malformed and parse(replacement).citations


# --- any text --------------------------------------------------------------------------------------

MARKERS = [
    "[Source 1]",
    "[Docs 1–3]",
    "[report.pdf:5:12-34]", "[my file.txt:1-2,5-9]", '["odd [n], v2.pdf":3:1-2]', "[C:\\d\\a.pdf:3:1-2]",
    '[a.pdf:1:2-3 | excerpt: "x [1] \\" y"]', "[a.pdf:1:2-3 | excerpt: “curly”]", "[r.pdf]", "[r.pdf:p. 5:1-2]",
    "[odd \\[n\\].pdf:1:2-3]", "[1]", "[1, 3]", "[2–5]", "【3】", "【4:0†source】", "word^1", "rose.¹²", "[^1]",
    "[^note]", "[T [x]](https://e.example/a_(b) \"t\")", "https://e.example/x_(y),", "<http://e.example>",
    "www.e.example/p", "doi:10.1234/ab(c)d", "https://doi.org/10.1234/x%20y", "arXiv:2101.00001v2", "PMID 12",
    "(Smith & Jones, 2020a)", "(see O’Brien et al., 2019a,b, p. 4; Li, 2020)", "Smith’s (2020: 15)",
    "van der Berg and Lee (2019, 2020)", "[Li et al., 2020]", "[a.b]", "[items[0].n]", "[a['k k']]", "[x](d/a%20b.md)",
    "[Smith 2020; Lee 2021]", "(Smith 2020, p. 3, Jones and Lee 2021b)", "(but cf. Smith, A. & Jones, B., n.d.; 2021)",
    "De Souza (2011)", "Van den Berg’s (in press)", "[ 1 , 3 ]", "word ¹, ²", "word<sup>[1–3]</sup>", "[a b.pdf, pp. 5–7]",
    '["odd [n], v2.pdf", pages 5-7]', "doi:10.1002/(SICI)1(1996)1:1<1::AID-A1>3.0.CO;2-Y", "[Lee, forthcoming]",
]  # fmt: skip
NOISE = [
    "`", "```\n", "[", "]", "(", ")", "【", "】", '"', "“", "|", ":", "\\", "{", "}", "{0.x}", "\n", "\n\n", "- ",
    "<!--", "-->", "!", "excerpt: ", " ", "word ", "Smith ", "(2020)", ".", "^", "²", "\x00", "\ud800", "🙂",
    "\u202eم", "Sources:\n", "[^1]: ", "1,", "10.", "http://", "\r", "\t", "$", "†", "et al. ", "2020", "1-2",
    "<code>", "</code>", "<sup>", "</sup>", "[foo]", "[the page][foo]", "[foo]: https://e.example/a\n", "[r[f].pdf:1:2-3]", "a[0]",
    "Dune (2021)", "n.d.", "<1::A>3", ", pp. ",
]  # fmt: skip
texts = st.lists(st.sampled_from(MARKERS + NOISE), max_size=14).map("".join) | st.text(max_size=60)


@given(texts)
def test_offsets_are_true_and_citations_never_overlap(text: str) -> None:
    parsed = parse(text)
    end = 0
    for citation in parsed.citations:
        assert text[citation.start : citation.end] == citation.text
        assert citation.start >= end
        assert citation.targets
        end = citation.end
    for malformed in parsed.malformed:
        assert text[malformed.start : malformed.end] == malformed.text
        assert not any(c.start < malformed.end and malformed.start < c.end for c in parsed.citations)
    for reference in parsed.references:
        assert reference.text in text[reference.start : reference.end]


@given(texts)
def test_every_citation_renders_back_to_its_text(text: str) -> None:
    for citation in parse(text).citations:
        assert render(citation) == citation.text


@given(texts)
def test_nothing_is_found_where_nothing_may_be(text: str) -> None:
    code = [Span(block.start, block.end) for block in find_blocks(text) if block.kind in ("code", "comment")]
    opaque = SpanIndex([*code, *inline_opaque_spans(text, code)])
    for citation in parse(text).citations:
        assert not opaque.overlaps(citation.start, citation.end)


@pytest.mark.parametrize("marker", MARKERS)
def test_a_marker_alone_in_prose_is_one_citation_that_parses_back_to_itself(marker: str) -> None:
    (citation,) = parse(f"Sales have risen so far {marker} in the north.").citations
    again = parse(f"prose {render(citation)}" if citation.text[0] not in "^¹" else f"Word{render(citation)}")
    assert [c.targets for c in again.citations] == [citation.targets]


# --- the answer's own references -----------------------------------------------------------------

ROWS = [
    ("Sources: [1] a.txt, [2] b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("Sources:\n- a.txt\n- b c.txt", [("1", "a.txt", ["a.txt"]), ("2", "b c.txt", ["b c.txt"])]),
    ("Sources: a.txt, b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("## References\n1. Title. https://e.example/a.\n2. Other",
     [("1", "Title. https://e.example/a.", ["https://e.example/a"]), ("2", "Other", [])]),
    ("## References\n[1] Smith, J., & Jones, K. (2020). T. https://doi.org/10.1234/X",
     [("1", "Smith, J., & Jones, K. (2020). T. https://doi.org/10.1234/X", ["doi:10.1234/x", "smith 2020"])]),
    ("**References**\n\nSmith, J. (2020). One.\n\nWorld Health Organization. (2019). Two.",
     [("", "Smith, J. (2020). One.", ["smith 2020"]),
      ("", "World Health Organization. (2019). Two.", ["world health organization 2019"])]),
    ("[^1]: See report.pdf, page 3\n    and more\n[^audit]: https://e.example",
     [("1", "See report.pdf, page 3\n    and more", ["report.pdf:3"]),
      ("audit", "https://e.example", ["https://e.example"])]),
    ("[1]: https://e.example", [("1", "https://e.example", ["https://e.example"])]),
    ("References:\n[1] [report.pdf:3:10-20]", [("1", "[report.pdf:3:10-20]", ["report.pdf:3:10-20"])]),
    ("Sources\n\n- [Outlook](https://e.example/o)", [("1", "[Outlook](https://e.example/o)", ["https://e.example/o"])]),
    ("¹ a.txt\n² b.txt", [("1", "a.txt", ["a.txt"]), ("2", "b.txt", ["b.txt"])]),
    ("## Sources\n| # | Document |\n|---|---|\n| 1 | a.txt |", [("1", "| 1 | a.txt |", ["a.txt"])]),
]  # fmt: skip


@pytest.mark.parametrize(("listed", "expected"), ROWS, ids=[listed[:30] for listed, _ in ROWS])
def test_entries_of(listed: str, expected: list[tuple[str, str, list[str]]]) -> None:
    text = f"Sales rose [1].\n\n{listed}\n"
    parsed = parse(text)
    assert [(r.label, r.text, [t.key for t in r.targets]) for r in parsed.references] == expected
    assert [c.text for c in parsed.citations] == ["[1]"]
    assert not parsed.malformed
    for reference in parsed.references:
        assert reference.text in text[reference.start : reference.end]


def test_an_answer_without_a_list_has_no_references() -> None:
    assert parse("Our sources say that sales rose [1]. References are welcome.").references == ()

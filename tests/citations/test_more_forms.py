"""citations/parse: forms of markers that are easily missed or misread, a row each."""

# ruff: noqa: E501 (tables of examples read better wide)

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from pincite.citations import parse, render, replace_target
from pincite.findings import check
from pincite.records import SpanTarget, Target, WebTarget, WorkTarget
from pincite.sources import open_sources, resolve


def markers(text: str) -> list[str]:
    return [citation.text for citation in parse(text).citations]


def keys(text: str) -> list[str]:
    return [target.key for citation in parse(text).citations for target in citation.targets]


# --- a name before a year in brackets: an author or a title ----------------------------------------


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("De Souza (2011) showed that rivers silt up.", "De Souza (2011)"),
        ("Van den Berg (2019)", "Van den Berg (2019)"),
        ("Others, e.g. Van den Berg (2019), disagree.", "Van den Berg (2019)"),
        ("La Porta (1998) argues so.", "La Porta (1998)"),
        ("MacDonald (2001)", "MacDonald (2001)"),
        ("O’Neill (2003)", "O’Neill (2003)"),
        ("D'Amico (2003) is longer.", "D'Amico (2003)"),
        ("Smith (2020)", "Smith (2020)"),
        ("It holds, as in Smith (2020).", "Smith (2020)"),
        ("According to Vaswani (2017), attention suffices.", "Vaswani (2017)"),
        ("see Vaswani (2017)", "Vaswani (2017)"),
        ("Vaswani (2017) found it first.", "Vaswani (2017)"),
        ("Vaswani (2017) did not find it.", "Vaswani (2017)"),
        ("Vaswani (2017), however, argues otherwise.", "Vaswani (2017)"),
        ("Vaswani's (2017) model", "Vaswani's (2017)"),
        ("Vaswani (2017, p. 4) has more.", "Vaswani (2017, p. 4)"),
        ("Vaswani (2017b) has more.", "Vaswani (2017b)"),
        ("as described in Vaswani (2017).", "Vaswani (2017)"),
        ("the study of Vaswani (2017) was small", "Vaswani (2017)"),
        ("This is consistent with Vaswani (2017).", "Vaswani (2017)"),
        ("the Vaswani (2017) study", "Vaswani (2017)"),
        ("Vaswani et al. (2017) is a film buff's paper.", "Vaswani et al. (2017)"),
        ("Following Vaswani (2017), we train nets.", "Vaswani (2017)"),
        ("This contradicts Vaswani (2017).", "Vaswani (2017)"),
        ("As Vaswani (2017) puts it", "Vaswani (2017)"),
        ("Vaswani and Okafor (2017) were the first to show it.", "Vaswani and Okafor (2017)"),
        ("The Lancet (2020) reported a decline.", "Lancet (2020)"),
    ],
)  # fmt: skip
def test_an_author_before_a_year_is_a_citation(text: str, marker: str) -> None:
    assert markers(text) == [marker]


@pytest.mark.parametrize(
    "text",
    [
        "The Matrix (1999)", "The Matrix (1999) shows a simulated world.", "Titanic (1997)", "Casablanca (1942)",
        "Dune (2021)", "In Inception (2010), dreams nest.", "Blade Runner (1982)", "I liked Dune (2021) a lot.",
        "the film Casablanca (1942) shows Morocco", "films such as Casablanca (1942) and Dune (2021)",
        "La La Land (2016)", "A Separation (2011)", "the director of Titanic (1997)", "Casablanca (1942) stars Bogart.",
        "the 2021 film Dune (2021)", "Grant (1982), directed by his son", "El Topo (1970)", "novel Beloved (1987)",
        "followed by Aliens (1986)", "released as Sgt. Pepper (1967)", "as in the movie Inception (2010)",
    ],
)  # fmt: skip
def test_a_title_before_a_year_is_left_alone(text: str) -> None:
    assert markers(text) == []


def test_an_entry_of_the_reference_list_tells_an_author_from_a_title() -> None:
    text = "Hinton (2006) and nets. Dune (2021) and sand.\n\nReferences\n\nHinton, G. (2006). Deep nets.\n"
    assert markers(text) == ["Hinton (2006)"]


def test_a_marker_elsewhere_in_the_answer_tells_an_author_from_a_title() -> None:
    assert markers("Nets learn (Hinton, 2006). In Hinton (2006), layers are stacked.") == [
        "(Hinton, 2006)",
        "Hinton (2006)",
    ]


def test_each_author_of_a_row_that_reports_is_found() -> None:
    assert markers("Hinton (2006), Vaswani (2017) and Okafor (2019) report it.") == [
        "Hinton (2006)",
        "Vaswani (2017)",
        "Okafor (2019)",
    ]


# --- works in brackets -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Smith 2020]", ["smith 2020"]),
        ("[Smith 2020; Lee 2021]", ["smith 2020", "lee 2021"]),
        ("[Smith and Jones 2020]", ["smith 2020"]),
        ("(Smith 2020)", ["smith 2020"]),
        ("(Smith 2020, Jones 2021)", ["smith 2020", "jones 2021"]),
        ("(Smith 2020 and Jones 2021)", ["smith 2020", "jones 2021"]),
        ("(Smith, 2020 & Jones, 2021)", ["smith 2020", "jones 2021"]),
        ("(Smith, 2020, Jones, 2021)", ["smith 2020", "jones 2021"]),
        ("(Smith 2020, p. 4, Jones and Lee 2021b; Li 2019)", ["smith 2020", "jones 2021b", "li 2019"]),
        ("(Smith and Jones, 2020; 2021)", ["smith 2020", "smith 2021"]),
        ("(see Smith, 2020; but cf. Lee, 2019)", ["smith 2020", "lee 2019"]),
        ("(see, e.g., Smith, 2020; and Lee, 2019)", ["smith 2020", "lee 2019"]),
        ("(Smith, A. & Jones, B., 2020)", ["smith 2020"]),
        ("(Smith, n.d.)", ["smith n.d."]),
        ("[Smith, n.d.]", ["smith n.d."]),
        ("(Smith, in press)", ["smith in press"]),
        ("(Smith et al., forthcoming; Lee, 2020)", ["smith forthcoming", "lee 2020"]),
        ("(Lee, 2020; Smith, n.d.)", ["lee 2020", "smith n.d."]),
        ("Smith (n.d.) argues", ["smith n.d."]),
        ("(Smith 2020: 15)", ["smith 2020"]),
        ("(Smith, 2020, pp. 12–15; Lee, 2021, chap. 3)", ["smith 2020", "lee 2021"]),
    ],
)
def test_works_in_brackets_are_one_citation_with_every_work(text: str, expected: list[str]) -> None:
    (citation,) = parse(f"Sales rose {text}." if text[0] in "([" else text).citations
    assert [target.key for target in citation.targets] == expected
    assert citation.family == "author_year"
    assert render(citation) == citation.text
    if text[0] in "([":
        assert citation.text == text


def test_an_entry_without_a_date_is_cited_by_a_work_without_one() -> None:
    (entry,) = parse("Up (Smith, n.d.).\n\nReferences\n- Smith, J. (n.d.). On tides.\n").references
    assert [target.key for target in entry.targets] == ["smith n.d."]


def test_a_work_without_a_date_says_so_for_its_year() -> None:
    (citation,) = parse("(Smith, A. & Jones, B., n.d.)").citations
    assert citation.targets == (WorkTarget(("Smith, A.", "Jones, B."), "n.d.", None, "smith n.d."),)


@pytest.mark.parametrize(
    "text",
    [
        "(since 2020)", "(June 2020)", "(Q1 2020)", "(early 2020)", "(Windows 2000)", "(Apollo 11, 1969)",
        "(FIFA World Cup 2018)", "[June 2020]", "[Windows 2000]", "[Figure 2020]", "[early 2020]", "[Market study 2023]",
        "(in press)", "(n.d.)", "(still in press)", "(More details forthcoming)", "(June 2020, May 2021)",
        "(born 1950, died 2020)", "[World Cup 2018]", "(Table 2020)", "[updated May 2020]",
    ],
)  # fmt: skip
def test_dates_and_products_in_brackets_are_left_alone(text: str) -> None:
    parsed = parse(f"Sales rose {text}.")
    assert (parsed.citations, parsed.malformed) == ((), ())


# --- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vitamin C[1] helps.", ["[1]"]),
        ("Plan B[2]", ["[2]"]),
        ("Hepatitis B [3]", ["[3]"]),
        ("influenza A[1][2]", ["[1]", "[2]"]),
        ("Sales rose[1][2].", ["[1]", "[2]"]),
        ("Sales rose 5%.[1][2] Costs fell.", ["[1]", "[2]"]),
        ("[1][2][3]", ["[1]", "[2]", "[3]"]),
        ("Sales rose (much)[1][2].", ["[1]", "[2]"]),
        ("Sales rose [ 1 ].", ["[ 1 ]"]),
        ("Sales rose [ 1 , 3 ].", ["[ 1 , 3 ]"]),
        ("Sales rose [1 ].", ["[1 ]"]),
        ("It explains growth ¹ and decline.", ["¹"]),
        ("It explains growth ¹, ² and decline ³.", ["¹, ²", "³"]),
        ("It explains growth<sup>3</sup>.", ["<sup>3</sup>"]),
        ("It explains growth. <sup>3</sup>", ["<sup>3</sup>"]),
        ("It explains growth <sup>[3]</sup>", ["<sup>[3]</sup>"]),
        ("It explains growth<SUP>1, 3</SUP>", ["<SUP>1, 3</SUP>"]),
        ("It explains growth<sup>1</sup><sup>2</sup>", ["<sup>1</sup>", "<sup>2</sup>"]),
    ],
)
def test_a_number_is_a_citation(text: str, expected: list[str]) -> None:
    assert markers(text) == expected
    assert [render(citation) for citation in parse(text).citations] == expected


@pytest.mark.parametrize(
    "text",
    [
        "matrix[1][2]", "a[0][1]", "arr[i][1]", "grid[row][2][3]", "the matrix A[1]", "let A[1] be", "A[1]", "swap B[2]",
        "[ ]", "[  ]", '"sizes": [ 1, 3 ]', "x = [ 1 ]", "[ 0 ]", "[ 2020 ]",
        "x ² and km ² and 10 ³", "about ¹⁄₂ of it", "the ³He ratio", "the ² sign", "growth ¹⁴C",
        "x<sup>2</sup>", "10<sup>3</sup>", "km<sup>2</sup>", "the 4<sup>th</sup>", "<sup>2</sup>",
    ],
)  # fmt: skip
def test_an_index_a_box_and_a_power_are_left_alone(text: str) -> None:
    parsed = parse(text)
    assert (parsed.citations, parsed.malformed) == ((), ())


# --- links by reference ----------------------------------------------------------------------------

DEFINED = (
    '\n\n[foo]: https://e.example/a\n[Two  Words]: <https://e.example/b> "Title"\n[1]: https://e.example/c\n'
)


@pytest.mark.parametrize(
    ("text", "marker", "title", "url"),
    [
        ("See [the page][foo].", "[the page][foo]", "the page", "https://e.example/a"),
        ("See [the page][FOO].", "[the page][FOO]", "the page", "https://e.example/a"),
        ("See [foo].", "[foo]", "foo", "https://e.example/a"),
        ("See [Foo][].", "[Foo][]", "Foo", "https://e.example/a"),
        ("See [x][two words].", "[x][two words]", "x", "https://e.example/b"),
        ("See [the page][1].", "[the page][1]", "the page", "https://e.example/c"),
    ],
)
def test_a_link_by_reference_cites_what_is_defined(text: str, marker: str, title: str, url: str) -> None:
    (citation,) = parse(text + DEFINED).citations
    assert (citation.text, citation.family) == (marker, "web")
    assert citation.targets == (WebTarget(url, url=url, title=title),)
    assert render(citation) == marker


@pytest.mark.parametrize(
    "text",
    [
        "See [the page][bar].",
        "See [bar].",
        "See [bar][].",
        "![chart][foo]",
        "`[foo]`",
        r"\[foo]",
        "- [x] [^foo",
    ],
)
def test_what_is_not_defined_or_no_link_is_left_alone(text: str) -> None:
    assert parse(text + DEFINED).citations == ()


def test_numbers_in_a_row_stay_numbers_where_links_are_defined() -> None:
    assert markers("Up [1][2] and [1].\n\n[1]: https://e.example/a\n[2]: https://e.example/b\n") == [
        "[1]",
        "[2]",
        "[1]",
    ]


def test_a_marker_before_a_number_is_no_title_of_a_link() -> None:
    text = "Up [a.pdf:1:2-3][1], [Smith, 2020][1] and [a.b][1].\n\n[1]: https://e.example/a\n"
    assert markers(text) == ["[a.pdf:1:2-3]", "[1]", "[Smith, 2020]", "[1]", "[a.b]", "[1]"]


def test_a_definition_that_a_link_uses_is_a_reference_that_is_cited() -> None:
    report = check(f"Sales rose by 5%, see [the page][foo].{DEFINED}", sources={"a.txt": "Sales rose by 5%."})
    never = [finding.message for finding in report.findings if finding.code == "PIN402"]
    assert len(never) == 2 and not any("foo" in message for message in never)


def test_a_definition_of_a_document_makes_a_link_to_it() -> None:
    (citation,) = parse("See [the report][r].\n\n[r]: docs/report.md\n").citations
    assert (citation.family, citation.targets[0].key) == ("span", "docs/report.md")
    assert render(citation) == "[the report][r]"


# --- where nothing is found ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "hidden",
    [
        "<code>[1]</code>", "<pre>\na\n\n[2] https://e.example\n</pre>", "<kbd>[1]</kbd>", "<script>x = f[1]; (Smith, 2020)</script>",
        '<style type="text/css">[1]</style>', "<PRE class=x>[1]</Pre>", "<samp>[1]</samp>", "<pre><code>[1]</code></pre>",
    ],
)  # fmt: skip
def test_elements_of_code_are_opaque(hidden: str) -> None:
    assert markers(f"Up [3] {hidden} and [4].") == ["[3]", "[4]"]


@pytest.mark.parametrize(
    "text",
    ["<code>Up [4].", "Up</code> [4].", "Use `<code>` here [4], then `</code>`.", "<codec>[4]</codec>"],
)
def test_a_tag_that_opens_nothing_hides_nothing(text: str) -> None:
    assert markers(text) == ["[4]"]


# --- DOIs, names and pages --------------------------------------------------------------------------

SICI = "10.1002/(SICI)1096-8644(199605)100:1<1::AID-AJPA1>3.0.CO;2-Y"


@pytest.mark.parametrize("lead", ["", "doi:", "https://doi.org/"])
def test_a_doi_keeps_its_angle_brackets(lead: str) -> None:
    (citation,) = parse(f"See {lead}{SICI}.").citations
    assert citation.text == lead + SICI
    assert citation.targets[0].key == f"doi:{SICI.lower()}"


@pytest.mark.parametrize("tail", ["<br>more", "</a>", "<https://e.example>", "<b:c"])
def test_a_tag_after_a_doi_is_no_part_of_it(tail: str) -> None:
    assert markers(f"See doi:10.1234/abc{tail}")[0] == "doi:10.1234/abc"


@pytest.mark.parametrize(
    ("marker", "replacement"),
    [
        ("[report[final].pdf:1:2-3]", '["report[final].pdf":1:2-3]'),
        ("[report[1].pdf:2-3]", '["report[1].pdf":2-3]'),
        ("[report [v2] [b].pdf:7]", '["report [v2] [b].pdf":7]'),
        ("[report[final].pdf]", '["report[final].pdf"]'),
    ],
)
def test_a_name_with_bare_brackets_is_malformed_and_repaired_by_quotes(marker: str, replacement: str) -> None:
    parsed = parse(f"Sales rose {marker} again.")
    assert parsed.citations == ()
    (found,) = parsed.malformed
    assert (found.text, found.replacement) == (marker, replacement)
    (citation,) = parse(replacement).citations
    assert citation.text == replacement


@pytest.mark.parametrize(
    "marker",
    [
        "[report.pdf, pages 5-7]", "[report.pdf, pp. 5–7]", "[report.pdf:pp. 5-7]", '["report.pdf", pp. 5–7]',
        "[report.pdf, p. 5—7]", "[report.pdf pages 5–7]", "[report.pdf, pp. 05-7]",
    ],
)  # fmt: skip
def test_a_run_of_pages_is_a_target(marker: str) -> None:
    (citation,) = parse(f"Sales rose {marker}.").citations
    assert citation.text == marker == render(citation)
    assert citation.targets == (SpanTarget("report.pdf", 5, None, None, "report.pdf:5–7", end_page=7),)


def test_a_run_of_pages_is_looked_up_page_by_page() -> None:
    library = open_sources({"report.txt": "one\ftwo\fthree\ffour"})
    (citation,) = parse("Sales rose [report.txt, pp. 2–3].").citations
    assert resolve(citation.targets[0], library).passages[0].text.split() == ["two", "three"]
    (citation,) = parse("Sales rose [report.txt, pp. 3–7].").citations
    assert resolve(citation.targets[0], library).status == "no_such_page"


def test_a_run_of_pages_never_runs_backwards() -> None:
    parsed = parse("[report.pdf, pp. 7-5]")
    assert parsed.citations == ()
    assert "backwards" in parsed.malformed[0].problem


def test_a_run_of_pages_can_be_exchanged() -> None:
    (citation,) = parse("[report.pdf, pp. 5–7]").citations
    renamed = SpanTarget("a b.pdf", 5, None, None, "", end_page=7)
    assert replace_target(citation, 0, renamed) == "[a b.pdf, pp. 5–7]"
    assert replace_target(citation, 0, SpanTarget("report.pdf", 6, None, None, "")) == "[report.pdf:6]"
    assert replace_target(citation, 0, SpanTarget("report.pdf", 6, 1, 9, "")) == "[report.pdf:6:1-9]"
    one_page = parse("[report.pdf:5]").citations[0]
    assert replace_target(one_page, 0, renamed) == "[a b.pdf, pp. 5–7]"


# --- a word before a document, a heading after it, several in one bracket ---------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tokens expire [security.html].", ["security.html"]),
        ("Tokens expire [Settings.pdf].", ["Settings.pdf"]),
        ("Tokens expire [Source: limits.md].", ["limits.md"]),
        ("Tokens expire [source:limits.md].", ["limits.md"]),
        ("Tokens expire [Source: README.md].", ["README.md"]),
        ("Tokens expire [Ref: limits.pdf, p. 3].", ["limits.pdf:3"]),
        ('Tokens expire [Source: a.pdf:1:0-9 | excerpt: "expire"].', ["a.pdf:1:0-9"]),
        ("Tokens expire [Sources: a.txt; b.txt].", ["a.txt", "b.txt"]),
        ("Tokens expire [docs/security.html#token-life].", ["docs/security.html"]),
        ("Tokens expire [doc:17:4:10-20].", ["doc:17:4:10-20"]),
        ("Tokens expire [C#.md].", ["C#.md"]),
        ("Tokens expire [Annual report, final.pdf].", ["Annual report, final.pdf"]),
    ],
)
def test_the_document_is_told_from_what_stands_around_it(text: str, found: list[str]) -> None:
    assert keys(text) == found
    assert [render(citation) for citation in parse(text).citations] == markers(text)


@pytest.mark.parametrize("marker", ["[limits.md:abc]", "[limits.md#L9-L3]", "[a.pdf:end]"])
def test_a_document_with_what_is_no_place_is_malformed(marker: str) -> None:
    parsed = parse(f"Tokens expire after 8 hours {marker}.")
    assert not parsed.citations
    assert [bad.text for bad in parsed.malformed] == [marker]


@pytest.mark.parametrize(
    "text",
    [
        "Run [app.py:main] first.",
        "Set [config.yaml:port] to 80.",
        "See [SECURITY.md] and [index.html].",
        "It is in [report.pdf: the summary].",
        "It closes [issue #12] and [a.b#c].",
        "[Source: Reuters]",
        "[notes.md: todo]",
        "[my notes.md:todo]",
    ],
)
def test_a_file_that_is_mentioned_is_neither_a_citation_nor_malformed(text: str) -> None:
    parsed = parse(text)
    assert (parsed.citations, parsed.malformed) == ((), ())


@pytest.mark.parametrize("marker", ["[guide.md § 4]", "[guide.md, lines 3-5]", "[guide.md]"])
@pytest.mark.parametrize(
    "place",
    [{}, {"lines": (2, 3)}, {"section": "Dogs"}, {"start": 4, "end": 9}],
    ids=["whole", "lines", "section", "characters"],
)
def test_a_marker_moved_to_another_kind_of_place_names_that_place(marker: str, place: dict[str, Any]) -> None:
    (citation,) = parse(f"So {marker}.").citations
    target = SpanTarget("guide.md", None, place.get("start"), place.get("end"), "guide.md")
    target = replace(target, **{name: value for name, value in place.items() if name in ("lines", "section")})
    moved = replace_target(citation, 0, target)
    assert "UNSET" not in moved
    ((read,),) = [found.targets for found in parse(f"So {moved}.").citations]
    assert isinstance(read, SpanTarget)
    if place.keys() <= {"start", "end"}:
        assert (read.document, read.start, read.end) == ("guide.md", target.start, target.end)
        assert read.lines is UNSET and read.section is UNSET


@pytest.mark.parametrize("marker", ["[guide.md § 4]", "(guide.md, Fees)", '["my guide.md", Fees]'])
@pytest.mark.parametrize(
    "heading", ["Fees; refunds", "Fees [old]", "a | b", "{x}", "lines 3", 'The "old" fees']
)
def test_a_heading_that_no_marker_can_name_gives_way_to_its_document(marker: str, heading: str) -> None:
    (citation,) = parse(f"So {marker}.").citations
    (target,) = citation.targets
    assert isinstance(target, SpanTarget)
    moved = replace_target(citation, 0, replace(target, section=heading))
    ((read,),) = [found.targets for found in parse(f"So {moved}.").citations]
    assert isinstance(read, SpanTarget)
    assert (read.document, read.section) in ((target.document, heading), (target.document, UNSET))


# --- the short way to read a plain work finds what the long way finds ----------------------------

NAMES = ["Smith", "O'Brien", "D’Arcy", "Bank", "IMF", "March", "Berg-Lund"]
names = st.sampled_from(NAMES)
particles = st.sampled_from(["", "", "van der ", "de la ", "von "])
joints = st.sampled_from(["", " et al.", " et al", " & Jones", " and World", " and Bank", " & May"])
tails = st.sampled_from(["2020", "2019a", "2020, p. 12", "1999, pp. 3–14", "2001, pp.7"])
parts = st.builds("{}{}{}, {}".format, particles, names, joints, tails)


def targets(text: str) -> list[Target]:
    return [target for citation in parse(text).citations for target in citation.targets]


@given(st.lists(parts, min_size=1, max_size=3))
def test_a_plain_work_is_read_as_the_long_way_reads_it(works: list[str]) -> None:
    # `see` before a work is not plain, and part of no name.
    long_way = targets(f"It rose ({'; '.join(f'see {work}' for work in works)}).")
    assert targets(f"It rose ({'; '.join(works)}).") == long_way


@pytest.mark.parametrize(
    ("bare", "whole"),
    [
        ("www.example.com/data/1", "http://www.example.com/data/1"),
        ("www.Example.com/data/", "http://www.example.com/data"),
    ],
)
def test_an_address_without_a_scheme_has_the_key_of_its_page(bare: str, whole: str) -> None:
    assert [target.key for target in targets(bare)] == [target.key for target in targets(whole)]

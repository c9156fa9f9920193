"""HTML: the visible text, its tables, and pages that nobody wrote in good faith."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Limits
from pincite.records import Source
from pincite.sources import read_bytes


def html_source(markup: str, name: str) -> Source:
    (entry,) = read_bytes(markup.encode(), name, Limits())
    assert isinstance(entry, Source)
    return entry


def text_of(markup: str) -> str:
    return html_source(markup, "page.html").text


def cells(source: Source) -> list[list[list[str]]]:
    return [[[c.of(source.text) for c in row] for row in (t.header, *t.rows)] for t in source.tables]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>One</p><p>Two</p>", "One\nTwo"),
        ("<p>a <b>bold</b>\n   word</p>", "a bold word"),
        ("<p>a<b>b</b>c</p>", "abc"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("Fish &amp; chips &lt;3 &eacute; &#8364;", "Fish & chips <3 é €"),
        ("<script>var a = '<p>no</p>';</script><style>p{}</style>yes", "yes"),
        ("a<!-- hidden <p>comment</p> -->b", "ab"),
        ("<div hidden>no<div>no</div>no</div>yes", "yes"),
        ("<span style='color:red; display: none'>no</span>yes", "yes"),
        ("<p hidden>no<div>yes</div>", "yes"),
        ("<noscript>no</noscript><template>no</template><svg><text>no</text></svg>yes", "yes"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<pre>a\n  b</pre>c", "a\n  b\nc"),
        ("3 < 4 and 5 > 4", "3 < 4 and 5 > 4"),
        ('<a title="a > b" href=x>link</a>', "link"),
        ("<!DOCTYPE html><?xml version='1.0'?><p>x", "x"),
        ("a\fb", "a b"),
        ("unclosed <a href='x", "unclosed <a href='x"),
        ("", ""),
    ],
)
def test_the_text_is_what_a_reader_sees(markup: str, text: str) -> None:
    assert text_of(markup) == text


def test_the_title_and_the_canonical_address_are_kept() -> None:
    source = html_source(
        "<head><title>A &amp; B\n page</title><link rel=canonical href='https://example.org/a'></head>x",
        "p.html",
    )
    assert (source.title, source.url, source.text) == ("A & B page", "https://example.org/a", "x")


def test_a_table_stands_in_rows_and_its_cells_have_spans() -> None:
    source = html_source(
        "<table><thead><tr><th>Quarter<th>Revenue</thead>"
        "<tbody><tr><td>Q1</td><td><p>$10M</p></td></tr><tr><td>Q2<td></table>after",
        "p.html",
    )
    assert source.text == "Quarter | Revenue\nQ1 | $10M\nQ2 | \nafter"
    assert cells(source) == [[["Quarter", "Revenue"], ["Q1", "$10M"], ["Q2", ""]]]


def test_a_cell_over_several_columns_counts_for_each() -> None:
    from pincite.sources import passage

    source = html_source(
        "<table><tr><th>Region<th colspan=2>Revenue<th>Staff<tr><td>North<td>1<td>2<td>30</table>", "p.html"
    )
    assert cells(source) == [[["Region", "Revenue", "Revenue", "Staff"], ["North", "1", "2", "30"]]]
    assert source.text == "Region | Revenue | Staff\nNorth | 1 | 2 | 30"
    start = source.text.index("30")
    assert passage(source, start, start + 2).context == "Region: North; Staff:"


def test_a_table_for_layout_is_no_table_but_the_one_inside_is() -> None:
    source = html_source("<table><tr><td>Left<td><table><tr><td>1<td>2</table></table>", "p.html")
    assert cells(source) == [[[], ["1", "2"]]]


def test_a_declared_encoding_is_honoured() -> None:
    (source,) = read_bytes("<meta charset='windows-1252'><p>Café".encode("cp1252"), "p.html", Limits())
    assert isinstance(source, Source)
    assert source.text == "Café"


@given(st.text(alphabet="<>/!-=\"' abtdrhp&;#1\n", max_size=120))
def test_any_markup_gives_a_text_and_cells_that_lie_in_it(markup: str) -> None:
    source = html_source(markup, "p.html")
    for table in source.tables:
        for row in (table.header, *table.rows):
            assert all(table.start <= c.start <= c.end <= table.end <= len(source.text) for c in row)


@given(
    st.lists(
        st.lists(st.text(alphabet="abc 1.|&<", max_size=6), min_size=1, max_size=4), min_size=1, max_size=5
    )
)
def test_every_cell_is_found_where_its_span_says(rows: list[list[str]]) -> None:
    from html import escape

    markup = "<table>" + "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    source = html_source(f"x{markup}</table>y", "p.html")
    (table,) = source.tables
    assert [[c.of(source.text) for c in row] for row in table.rows] == [
        [" ".join(c.split()) for c in r] for r in rows
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "<div>",
        "<table><tr><td>",
        "<a '<a '",
        '<a "',
        "<!--",
        "<",
        "</script ",
        "<script",
        "<p hidden>",
        "&",
        "<a=",
        "<![CDATA[",
    ],
)
def test_a_megabyte_of_hostile_markup_is_read(unit: str) -> None:
    markup = unit * (1_000_000 // len(unit))
    assert len(text_of(markup)) <= len(markup)
    assert text_of(f"<script>{markup}") == ""

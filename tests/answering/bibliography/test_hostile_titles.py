"""Whatever a source claims to be called: no format lets it be markup, a command or a new line."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import cmarkgfm
import pytest
from bibliography_works import Item, read_csl
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.answering import STYLES, write_bibliography

ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '<span class="nocase"><b>x</b></span>',
    "[click](javascript:alert(1)) ![x](http://evil.example/x.png) `code` *a* _b_ | c",
    "\\input{/etc/passwd} \\write18{rm -rf} $\\newwrite$ %comment",
    "}, title = {forged",
    "one\r\n\x1b[31mtwo\u202e\u2028three\x00\ue000four\ue001",
    "TI  - forged\nER  - \n",
    'https://example.org/"onmouseover="alert(1)',
    "http://example.org/a*b*_c_](d)",
    "&lt;b&gt; & <!-- --> ]]>",
    "1. # heading",
)
SIGNS = {
    "textbackslash",
    "textasciitilde",
    "textasciicircum",
    "textbraceleft",
    "textbraceright",
    "ensuremath",
}
"""The only commands that the BibTeX of the attacks may hold: each prints one character."""
ALLOWED = {"div", "i", "b", "sup", "sub", "span", "a"}


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def _hostile(value: str) -> Item:
    names = [{"family": value, "given": value}, {"literal": value}]
    (item,) = read_csl(
        {"id": value, "type": "article-journal", "title": value, "author": names, "container-title": value,
         "publisher": value, "volume": value, "issue": value, "page": value, "edition": value, "URL": value,
         "DOI": value, "number": value, "ISSN": value, "language": value, "publisher-place": value,
         "issued": {"literal": value}}
    )  # fmt: skip
    return item


def _check(entry: Item, style: str | None) -> None:
    listed = [(1, entry)]
    page = write_bibliography(listed, style, "html")
    tags = _Tags()
    tags.feed(page)
    for tag, attributes in tags.seen:
        assert tag in ALLOWED
        assert set(attributes) <= {"class", "id", "href", "rel", "style"}
        assert (attributes.get("href") or "http").startswith("http")
    text = write_bibliography(listed, style, "text")
    assert text.count("\n") == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ue000-\uf8ff]", text)
    rendered = cmarkgfm.github_flavored_markdown_to_html(write_bibliography(listed, style, "markdown"))
    tags = _Tags()
    tags.feed(rendered)
    for tag, attributes in tags.seen:
        assert tag in {"p", "em", "strong", "a"}, rendered
        assert (attributes.get("href") or "http").lower().startswith("http"), rendered


@pytest.mark.parametrize("style", [None, *STYLES])
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_becomes_markup(attack: str, style: str | None) -> None:
    _check(_hostile(attack), style)


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_attack_leaves_its_field_in_data(attack: str) -> None:
    listed = [(1, _hostile(attack)), (2, _hostile(attack))]
    bibtex = write_bibliography(listed, form="bibtex")
    assert set(re.findall(r"\\([A-Za-z]+)", bibtex)) <= SIGNS
    assert _entries_as_bibtex_counts_them(bibtex) == 2
    ris = write_bibliography(listed, form="ris")
    assert len(re.findall(r"^ER  -", ris, re.MULTILINE)) == len(re.findall(r"^TY  -", ris, re.MULTILINE)) == 2


def _entries_as_bibtex_counts_them(written: str) -> int:
    """Blocks by braces alone: BibTeX knows no escaped brace. Between two blocks nothing may stand."""
    depth = blocks = 0
    outside = ""
    for sign in written:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0
        blocks += sign == "}" and depth == 0
        outside += sign if depth == 0 else ""
    assert depth == 0
    assert re.fullmatch(r"(?:\s*@[a-z]+\})*\s*", outside)
    return blocks


words = st.text(
    st.sampled_from("<>&[]()*_`\\#!|~$\"'{}.,:;?- \n\tab1Ä日🙂\u202e\ue000") | st.characters(), max_size=40
)


@pytest.mark.thorough
@settings(max_examples=60)
@given(words, words, st.sampled_from([None, *STYLES]), st.integers(-5, 20000))
def test_any_text_is_harmless_in_any_style(title: str, name: str, style: str | None, year: int) -> None:
    names = [{"family": name, "given": title}]
    said = {"title": title, "author": names, "URL": title, "edition": name, "page": name, "volume": title}
    (entry,) = read_csl({**said, "type": "book", "issued": {"date-parts": [[year]]}})
    _check(entry, style)


def test_an_empty_entry_is_a_label_alone() -> None:
    (empty,) = read_csl({"id": "x"})
    for style in (None, *STYLES):
        assert write_bibliography([(1, empty)], style).startswith("[1]")

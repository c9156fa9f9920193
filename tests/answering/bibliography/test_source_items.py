"""What a source says of itself becomes an entry, and what it does not say stays open."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bibliography_works import Item, date, item_of, person

from pincite.answering import KnownItems, gather
from pincite.errors import InputError
from pincite.records import Source
from pincite.sources import open_sources

PAGE = """<html><head><title>Leak | The Site</title>
<meta name="citation_title" content="Leakage in networks">
<meta name="citation_author" content="M&uuml;ller, Anna">
<meta name="citation_author" content="Ludwig van Beethoven">
<meta name="citation_journal_title" content="Water Research"><meta name="citation_volume" content="7">
<meta name="citation_firstpage" content="11"><meta name="citation_lastpage" content="19">
<meta name="citation_publication_date" content="2019/05/12">
<meta name="citation_doi" content="doi:10.1000/xyz123">
<link rel="canonical" href="https://example.org/leak"></head><body><p>Leakage is 21.4%.</body></html>"""


def _entry(folder: Path, name: str, content: bytes | str) -> Item:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    [source] = open_sources(path).sources
    return item_of(source)


def test_a_web_page_is_described_by_its_meta_elements(tmp_path: Path) -> None:
    entry = _entry(tmp_path, "leak.html", PAGE)
    assert entry == {
        "id": "leak.html",
        "type": "article-journal",
        "title": "Leakage in networks",
        "author": [person("Müller", "Anna"), person("Beethoven", "Ludwig", "van")],
        "issued": date(2019, 5, 12),
        "container-title": "Water Research",
        "volume": "7",
        "page": "11-19",
        "DOI": "10.1000/xyz123",
        "URL": "https://example.org/leak",
    }


def test_a_pdf_is_described_by_its_information(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    made = io.BytesIO()
    canvas = Canvas(made)
    canvas.setTitle("Water prices")
    canvas.setAuthor("Jane Doe; John Smith")
    canvas.setSubject("doi:10.1000/182")
    canvas.drawString(72, 700, "A cubic metre costs 2.50.")
    canvas.save()
    entry = _entry(tmp_path, "prices.pdf", made.getvalue())
    assert entry["title"] == "Water prices"
    assert entry["author"] == [person("Doe", "Jane"), person("Smith", "John")]
    assert entry["DOI"] == "10.1000/182"
    assert "issued" not in entry  # when the file was made is not when the work came out


def test_a_pdf_whose_author_is_a_placeholder_has_none(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    made = io.BytesIO()
    canvas = Canvas(made)  # reportlab writes "anonymous" and "untitled" where nobody said anything
    canvas.drawString(72, 700, "A cubic metre costs 2.50.")
    canvas.save()
    assert _entry(tmp_path, "prices.pdf", made.getvalue()) == {
        "id": "prices.pdf",
        "type": "document",
        "title": "prices.pdf",
    }


def test_front_matter_describes_a_markdown_file(tmp_path: Path) -> None:
    entry = _entry(
        tmp_path,
        "tariff.md",
        "---\ntitle: Water tariff\nauthor: [Jane Doe, 'Smith, J.']\ndate: 2024-03-01\n"
        "publisher: City Works\nurl: https://example.org/t\n---\n# Another heading\nText.\n",
    )
    assert (entry["title"], entry["issued"], entry["publisher"]) == (
        "Water tariff",
        date(2024, 3, 1),
        "City Works",
    )
    assert entry["author"] == [person("Doe", "Jane"), person("Smith", "J.")]
    assert (entry["type"], entry["URL"]) == ("webpage", "https://example.org/t")


@pytest.mark.parametrize(
    "matter",
    ["a: &a [*a]", "x: !!python/object/apply:os.system [ls]", "{", "- a\n- b", "a: 1\na: 2", "[" * 300],
)
def test_hostile_front_matter_says_nothing(tmp_path: Path, matter: str) -> None:
    entry = _entry(tmp_path, "a.md", f"---\n{matter}\n---\n# Title\nText.\n")
    assert entry == {"id": "a.md", "type": "document", "title": "Title"}


def test_a_doi_on_the_first_page_is_the_sources_own_and_a_later_one_is_not() -> None:
    own = Source(
        "a.txt", "A study. https://doi.org/10.1000/abc.\fSee doi:10.2000/other.", page_starts=(0, 38)
    )
    assert item_of(own)["DOI"] == "10.1000/abc"
    late = Source("b.txt", "A study.\n" + "word " * 1000 + "doi:10.2000/other")
    assert item_of(late).get("DOI") is None
    two = Source("c.txt", "doi:10.1000/abc and doi:10.2000/other")
    assert item_of(two).get("DOI") is None  # nobody can tell which one


def test_an_arxiv_stamp_makes_a_preprint() -> None:
    entry = item_of(Source("d.txt", "arXiv:1706.03762v5 [cs.CL] 6 Dec 2017\nAttention", title="Attention"))
    assert (entry["type"], entry["number"], entry.get("DOI")) == ("article", "arXiv:1706.03762v5", None)
    assert entry["URL"] == "https://arxiv.org/abs/1706.03762v5"


def test_a_record_of_a_retrieval_framework_is_read_too() -> None:
    metadata = {"author": "Doe, Jane", "year": 2020, "journal": "Water", "pages": "1--9"}
    entry = item_of(Source("x", "Text.", title="T", metadata=metadata))
    assert (entry["issued"], entry["container-title"], entry["page"]) == (date(2020), "Water", "1-9")


def test_a_plain_text_says_nothing_but_its_name() -> None:
    assert item_of(Source("notes.txt", "Some text of 2020 by Jane Doe.")) == {
        "id": "notes.txt",
        "type": "document",
        "title": "notes.txt",
    }


ANSWER = {
    "references": [{"number": 2, "document": "b.txt"}, {"number": 1, "document": "a/x.md", "title": "Told"}]
}


def test_entries_are_numbered_as_in_the_answer_and_named_at_least_by_their_file() -> None:
    gathered = gather(ANSWER)
    assert [(number, item["title"]) for number, item in gathered] == [(1, "Told"), (2, "b.txt")]


def test_a_file_of_references_counts_more_than_the_source() -> None:
    known = KnownItems([{"id": "b", "type": "report", "title": "The real title", "publisher": "Board"}])
    source = Source("b.txt", "Text.", title="untidy", metadata={"author": "Doe, Jane"})
    second = gather(ANSWER, [source], known)[1][1]
    assert (second["title"], second["publisher"], second["type"]) == ("The real title", "Board", "report")
    assert second["author"] == [person("Doe", "Jane")]


def test_two_entries_that_could_be_meant_describe_nothing() -> None:
    known = KnownItems([{"id": "b", "type": "book", "title": title} for title in ("One", "Two")])
    assert gather(ANSWER, (), known)[1][1]["title"] == "b.txt"


@pytest.mark.parametrize("answer", [{}, [], 7, None, {"references": "x"}, {"references": [3]}])
def test_what_has_no_references_is_told(answer: object) -> None:
    with pytest.raises(InputError):
        gather(answer)


def test_a_result_of_citeformer_is_listed_by_what_it_says_of_its_sources_and_numbered_as_its_text() -> None:
    """citeformer 0.3.1 gives this text the list `[1] A, [2] C`."""
    answer = {
        "schema_version": 3,
        "text": "Gamma [3]. Alpha [1].",
        "citations": [{"span": [6, 9], "source_id": 3}, {"span": [17, 20], "source_id": 1}],
        "references": [{"source_id": 1, "inline_marker": "[1]", "rendered": "wrong"}],
        "sources": [
            {"metadata": {"id": name, "type": "book", "title": name.upper(), "source": "a library"}}
            for name in ("alpha", "beta", "gamma")
        ],
    }
    found = gather(answer)
    assert [(number, item["title"], item["type"]) for number, item in found] == [
        (1, "ALPHA", "book"),
        (3, "GAMMA", "book"),
    ]


@pytest.mark.parametrize("sources", [None, 7, [], [None, 3], [{"metadata": [1]}], [{"metadata": {"id": {}}}]])
def test_a_broken_result_of_citeformer_lists_what_can_be_listed(sources: object) -> None:
    answer = {"schema_version": 3, "text": "A [1].", "citations": [{"source_id": []}, {"source_id": 1}]}
    answer["sources"] = sources
    assert all(number == 1 for number, _ in gather(answer))

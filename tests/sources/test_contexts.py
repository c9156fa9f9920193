"""Texts that a system was shown, as sources: numbers, ids, labels, metadata, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import SourceError, check, check_many, contexts, locate, open_sources
from pincite.config import Limits
from pincite.records import Evidence, NumberTarget, Source, Span, UnreadSource
from pincite.sources import Library, evidence_in, resolve

REVENUE = "Revenue grew by 21% in the first quarter of 2023."
COSTS = "Costs fell by 3% in 2023."


def cited(library: Library, marker: str) -> list[str]:
    """The sources that a marker finds, by name."""
    report = check(f"Revenue grew by 21% {marker}.", sources=library, judge="rules")
    return [one.document or one.standing for one in report.judged.citations]


def number(value: int) -> NumberTarget:
    return NumberTarget(value, str(value))


def shown(library: Library, place: int = 0) -> str:
    """What of a context is evidence."""
    source = library.sources[place]
    return "".join(part.of(source.text) for part in evidence_in(source, Span(0, len(source.text))))


# --- numbers and ids ---------------------------------------------------------------------------------


def test_plain_texts_are_cited_by_their_number() -> None:
    library = contexts([REVENUE, COSTS])
    assert cited(library, "[1]") == ["context 1"]
    assert cited(library, "[2]") == ["context 2"]
    assert cited(library, "[Source 2]") == ["context 2"]
    assert cited(library, "[1, 2]") == ["context 1", "context 2"]
    assert cited(library, "[3]") == ["broken"]


@pytest.mark.parametrize("name", ["doc-7", "doc_7", "a", "B", "report 2023", "4711", "x/y.pdf", "üñí", "a:b"])
def test_an_id_and_the_number_both_find_a_text(name: str) -> None:
    library = contexts([COSTS, REVENUE], ids=["other", name])
    assert cited(library, f"[{name}]") == [name]
    assert cited(library, "[2]") == [name]
    assert cited(library, "[1]") == ["other"]


def test_several_ids_in_one_marker_are_several_citations() -> None:
    library = contexts([REVENUE, COSTS], ids=["doc_7", "doc_8"])
    assert cited(library, "[doc_7, doc_8]") == ["doc_7", "doc_8"]
    assert cited(library, "[doc_8; doc_7]") == ["doc_8", "doc_7"]


def test_letters_that_are_ids_are_not_read_in_lists_and_words() -> None:
    library = contexts([REVENUE, COSTS], ids=["a", "T"])
    report = check("(a) [T]he revenue grew by 21% [a].", sources=library, judge="rules")
    assert [one.document for one in report.judged.citations] == ["a"]


def test_ids_that_are_numbers_go_before_places() -> None:
    library = contexts([REVENUE, COSTS, REVENUE], ids=[0, 1, 2])
    assert cited(library, "[1]") == ["1"]
    assert resolve(number(1), library).document == "1"
    beyond = resolve(number(3), library)
    assert (beyond.status, beyond.reason) == (
        "no_entry",
        "[3] points to nothing: no source has that number as its id",
    )


def test_numbers_beyond_the_list_are_ids_and_the_places_still_count() -> None:
    library = contexts([REVENUE, COSTS], ids=[4711, 4712])
    assert cited(library, "[4712]") == ["4712"]
    assert cited(library, "[2]") == ["4712"]


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=12))
def test_every_number_finds_the_text_at_its_place(texts: list[str]) -> None:
    library = contexts(texts)
    found = [resolve(number(place + 1), library) for place in range(len(texts))]
    assert [library.get(one.document or "") for one in found] == list(library.sources)
    assert resolve(number(len(texts) + 1), library).status == "no_entry"


# --- labels ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "label",
    [
        "Source 1:\n",
        "Source 1: ",
        "source 1 : ",
        "SOURCE #1:",
        "[1] ",
        "[1]: ",
        "[Source 1] ",
        "[Document 1]\n\n",
        "Document 1:\n",
        "Document [1] ",
        "Doc 1 - ",
        "Context 1 — ",
        "Passage 1\n",
        "\nSource 1:\n",
        "[doc-7] ",
        "doc-7: ",
    ],
)
def test_a_label_is_no_evidence_and_the_text_stays_as_it_was_given(label: str) -> None:
    library = contexts([label + REVENUE], ids=["doc-7"])
    assert library.sources[0].text == label + REVENUE
    assert shown(library) == REVENUE


@pytest.mark.parametrize(
    "text",
    [
        "Source code grew by 5%.",
        "Sources: 3 of them.",
        "Document 5 was filed late.",
        "1. Revenue grew.",
        "[sic] Revenue grew.",
        "Source 1:",
        "",
    ],
)
def test_what_only_looks_like_a_label_is_evidence(text: str) -> None:
    assert shown(contexts([text])) == text


def test_a_label_is_not_told_to_the_judge_as_the_opening_of_a_list() -> None:
    library = contexts(["Source 1:\n- Revenue grew by 21%.\n- Costs fell.", COSTS])
    asked: list[Any] = []

    class Listening:
        name = "listening"

        async def judge(self, pairs: Any) -> list[Any]:
            from pincite.records import Verdict

            asked.extend(pairs)
            return [Verdict("supported", 1.0, "yes") for _ in pairs]

    check("Revenue grew by 21% [1].", sources=library, judge=Listening())
    words = [text for pair in asked for one in pair.passages for text in (one.text, one.context)]
    assert any("Revenue" in text for text in words)
    assert not any("Source 1" in text for text in words)


def test_labels_of_a_selection_are_what_numbers_mean() -> None:
    library = contexts([f"Source 3: {REVENUE}", f"Source 7: {COSTS}"])
    assert cited(library, "[3]") == ["context 1"]
    assert cited(library, "[7]") == ["context 2"]
    swapped = contexts([f"Source 2: {REVENUE}", f"Source 1: {COSTS}"])
    assert cited(swapped, "[2]") == ["context 1"]
    assert cited(swapped, "[3]") == ["broken"]


def test_a_number_at_the_beginning_of_one_text_renames_nothing() -> None:
    library = contexts([f"[2] {REVENUE}", COSTS])
    assert cited(library, "[2]") == ["context 2"]


LABELS = st.sampled_from(["", "Source {}:\n", "[{}] ", "Document {}: ", "Document [{}]", "Passage {}\n"])
WORDS = st.text(alphabet=st.sampled_from("abc 1.:[]\n—é😀%"), min_size=1, max_size=60)


@given(st.lists(st.tuples(LABELS, WORDS), min_size=1, max_size=5))
def test_offsets_count_in_the_text_that_was_given(parts: list[tuple[str, str]]) -> None:
    texts = [label.format(place) + words for place, (label, words) in enumerate(parts, start=1)]
    library = contexts(texts)
    assert [source.text for source in library.sources] == texts
    for source, text in zip(library.sources, texts, strict=True):
        for span in (*source.navigation, *evidence_in(source, Span(0, len(text)))):
            assert 0 <= span.start <= span.end <= len(text)
        # What is set aside is the beginning, and no more than a label with its white space.
        for span in source.navigation:
            assert span.start == 0
            assert len("".join(text[: span.end].split())) <= len("Document[1]:")
    for words in ("abc", texts[0][-10:]):
        for match in locate(words, library):
            given_text = texts[[source.name for source in library.sources].index(match.document)]
            assert given_text[match.start : match.end] == match.text


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading_of_labels(text: str) -> None:
    (source,) = contexts([text]).sources
    assert source.text == text
    assert all(0 < span.end < len(text) for span in source.navigation)


# --- mappings and objects ----------------------------------------------------------------------------


@dataclass
class PageDocument:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class Node:
    text: str
    metadata: dict[str, Any]
    node_id: str


@dataclass
class MetaDocument:
    content: str | None
    meta: dict[str, Any]
    id: str


@pytest.mark.parametrize(
    "given_context",
    [
        {"id": "u-1", "text": REVENUE, "title": "Annual report", "url": "https://example.org/ar"},
        {
            "id": "u-1",
            "content": REVENUE,
            "metadata": {"title": "Annual report", "url": "https://example.org/ar"},
        },
        {
            "page_content": REVENUE,
            "id": "u-1",
            "meta": {"title": "Annual report", "url": "https://example.org/ar"},
        },
        PageDocument(REVENUE, {"title": "Annual report", "url": "https://example.org/ar"}, "u-1"),
        Node(REVENUE, {"title": "Annual report", "url": "https://example.org/ar"}, "u-1"),
        MetaDocument(REVENUE, {"title": "Annual report", "url": "https://example.org/ar"}, "u-1"),
    ],
)
def test_a_context_is_found_by_all_that_it_says_of_itself(given_context: Any) -> None:
    library = contexts([COSTS, given_context])
    source = library.sources[1]
    assert (source.text, source.title, source.url) == (REVENUE, "Annual report", "https://example.org/ar")
    for marker in ("[2]", "[u-1]", "[Annual report]", "[report](https://example.org/ar)"):
        assert cited(library, marker) == [source.name], marker


def test_metadata_is_kept() -> None:
    metadata = {"source": "report.pdf", "page": 3, "score": 0.7, "tags": ["a"], "author": "Smith"}
    (source,) = contexts([PageDocument(REVENUE, metadata)]).sources
    assert source.metadata == metadata
    assert (source.name, source.file_path, source.page) == ("report.pdf", "report.pdf", 3)


def test_a_report_names_the_page_that_a_context_is_from() -> None:
    library = contexts([PageDocument(REVENUE, {"source": "report.pdf", "page_label": "7", "page": 6})])
    report = check("Revenue grew by 12% in the first quarter [1].", sources=library, judge="rules")
    assert report.findings[0].source is not None
    assert (report.findings[0].source.document, report.findings[0].source.page) == ("report.pdf", 7)
    assert report.judged.citations[0].page == 7


@pytest.mark.parametrize("page", [0, -1, "iv", None, 10**30, True, 1.5, [3]])
def test_a_page_that_is_none_is_not_shown(page: Any) -> None:
    assert contexts([{"text": "x", "metadata": {"page": page}}]).sources[0].page is None


def test_passages_of_one_document_are_evidence_together() -> None:
    parts = [
        PageDocument(REVENUE, {"source": "report.pdf", "page": 3}, "u1"),
        PageDocument(COSTS, {"source": "report.pdf", "page": 7}, "u2"),
        PageDocument("Staff numbers rose.", {"source": "other.pdf"}, "u3"),
    ]
    library = contexts(parts)
    report = check("Costs fell by 3% in 2023 [report.pdf].", sources=library, judge="rules")
    assert [one.standing for one in report.judged.citations] == ["correct"]
    assert not report.findings
    on_page = check("Costs fell by 3% in 2023 [report.pdf, p. 7].", sources=library, judge="rules")
    assert [one.standing for one in on_page.judged.citations] == ["correct"]
    wrong_page = check("Costs fell by 9% in 2023 [report.pdf, p. 3].", sources=library, judge="rules")
    assert [one.document for one in wrong_page.judged.citations] == ["report.pdf#1"]
    listed = check(
        "Costs fell by 3% in 2023 [1].\n\nReferences\n[1] report.pdf\n", sources=library, judge="rules"
    )
    assert [one.standing for one in listed.judged.citations] == ["correct"]


@pytest.mark.parametrize("name", [pytest.param(10**5000, id="huge"), ["a"], {}, 1.5, True, "", " ", "\n"])
def test_what_can_be_no_id_is_not_one(name: Any) -> None:
    (source,) = contexts([{"text": REVENUE, "id": name, "metadata": {"title": name, "source": name}}]).sources
    assert (source.name, source.document_id, source.title) == ("context 1", None, None)


def test_an_attribute_that_cannot_be_read_is_not_there() -> None:
    class Awkward:
        text = REVENUE

        @property
        def metadata(self) -> dict[str, Any]:
            raise RuntimeError("no metadata here")

        @property
        def id(self) -> str:
            raise ValueError

    (source,) = contexts([Awkward()]).sources
    assert (source.text, source.metadata) == (REVENUE, {})


def test_records_of_our_own_are_taken_as_they_are() -> None:
    given_source = Source(name="a.txt", text=REVENUE)
    assert contexts([given_source]).sources == (given_source,)
    assert contexts([given_source], ids=["x"]).sources[0].name == "x"


# --- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (None, "contexts is None: give a list of texts"),
        ("one text", "contexts is one text, not a list of them"),
        (b"bytes", "contexts is one text, not a list of them"),
        ({"a": "b"}, "contexts is a dict"),
        (5, "contexts is of type int"),
        ([REVENUE, 5], "context 2 is of type int: give a text"),
        ([["a", "b"]], "context 1 is of type list"),
        ([b"a"], "context 1 is of type bytes"),
        ([{"score": 1}], "context 1 is of type dict"),
        ([SimpleNamespace(text=None)], "context 1 is of type SimpleNamespace"),
    ],
)
def test_what_is_no_list_of_texts_is_refused_by_name(texts: Any, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        contexts(texts)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a"], "there are 2 contexts and 1 ids"),
        (["a", "a"], "contexts 1, 2 have the same id 'a'"),
        ([1, "1"], "contexts 1, 2 have the same id '1'"),
        (["a", None], "the id of context 2 is None"),
        (["a", " "], "the id of context 2 is of type str"),
        ([True, "a"], "the id of context 1 is of type bool"),
        ("ab", "ids is of type str"),
    ],
)
def test_ids_that_cannot_tell_texts_apart_are_refused(ids: Any, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        contexts([REVENUE, COSTS], ids=ids)


def test_a_missing_text_keeps_its_number_and_is_unjudged() -> None:
    library = contexts([None, REVENUE])
    assert library.unread == (UnreadSource("context 1", "there is no text: the context is None"),)
    assert resolve(number(1), library).status == "unreadable"
    assert resolve(number(2), library).document == "context 2"


def test_a_text_over_the_limit_is_named_and_the_rest_is_read() -> None:
    library = contexts(["x" * 100, REVENUE], limits=Limits(source_bytes=60))
    assert [entry.name for entry in library.unread] == ["context 1"]
    assert cited(library, "[2]") == ["context 2"]


def test_no_contexts_at_all_are_given_and_empty() -> None:
    library = contexts([])
    assert (len(library), library.given) == (0, True)
    assert cited(library, "[1]") == ["broken"]


@pytest.mark.thorough
def test_many_contexts_are_each_found_by_number_and_by_id() -> None:
    count = 20_000
    library = contexts(
        (f"Fact {place} is about item {place}." for place in range(count)),
        ids=map("d{}".format, range(count)),
    )
    evidence: Evidence = resolve(number(count), library)
    assert evidence.document == f"d{count - 1}"
    assert [source.name for source in library.find("d19999")] == ["d19999"]


def test_a_library_of_contexts_goes_to_another_process_whole() -> None:
    library = contexts([REVENUE, COSTS], ids=[2, 1])
    again = pickle.loads(pickle.dumps(library))
    assert (again.ordered, again.in_parts) == (library.ordered, library.in_parts) == (False, True)
    assert cited(again, "[2]") == ["2"]


def test_many_answers_share_the_contexts() -> None:
    answers = ["Revenue grew by 21% [1].", "Revenue grew by 12% [1]."]
    reports = check_many(answers, sources=contexts([REVENUE]), judge="rules")
    assert [[one.standing for one in report.judged.citations] for report in reports] == [
        ["correct"],
        ["contradicted"],
    ]


def test_texts_given_as_paths_are_told_where_they_belong() -> None:
    with pytest.raises(
        SourceError, match=r"there is no file or folder 'text one'.*pincite\.check_contexts\(\)"
    ):
        check("Yes [1].", sources=["text one", "text two"])
    with pytest.raises(SourceError) as caught:
        open_sources(["missing.pdf"])
    assert "check_contexts" not in str(caught.value)

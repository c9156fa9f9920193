"""JSON and JSON Lines: documents, or data with the span of every value."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.config import Limits
from pincite.records import PathTarget, Source, UnreadSource
from pincite.sources import get, open_sources, parse_path, read_bytes, resolve


def read(text: str, name: str = "data.json") -> list[Source | UnreadSource]:
    return read_bytes(text.encode("utf-8", "surrogatepass"), name, Limits())


def one(text: str, name: str = "data.json") -> Source:
    (entry,) = read(text, name)
    assert isinstance(entry, Source), entry
    return entry


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(values, st.sampled_from([None, 2]), st.booleans())
def test_every_recorded_span_decodes_to_the_value_at_its_path(
    value: Any, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    count = 0
    for path, span in one(text).value_spans.items():
        steps = parse_path(path)
        found: Any = value
        for step in steps:
            found = found[step]
        assert json.loads(span.of(text)) == found
        count += 1
    assert count == _count(value)


def _count(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(1 + _count(child) for child in inner)


def test_a_record_with_content_or_text_is_a_document() -> None:
    source = one(
        '{"document_id": "d1", "title": "T", "content": "Body", "url": "https://e.org", "year": 2020}'
    )
    assert (source.kind, source.text, source.title, source.document_id) == ("text", "Body", "T", "d1")
    assert source.url == "https://e.org" and source.metadata == {"year": 2020}
    assert one('{"text": "Body"}').name == "data.json"


def test_a_list_of_records_and_a_documents_list_are_several_documents() -> None:
    records = [{"id": 7, "content": "a"}, {"text": "b"}, {"nothing": 1}]
    entries = read(json.dumps(records))
    assert [entry.name for entry in entries] == ["7", "data.json#2", "data.json#3"]
    assert isinstance(entries[2], UnreadSource) and "'nothing'" in entries[2].reason
    assert [e.name for e in read(json.dumps({"documents": records[:2], "queries": []}))] == [
        "7",
        "data.json#2",
    ]


def test_a_record_with_pages_has_pages_and_one_with_blocks_has_blocks() -> None:
    assert one('{"pages": ["one", {"text": "two"}]}').page_starts == (0, 4)
    source = one('{"content": [{"type": "text", "text": "one"}, "two"]}')
    assert source.text == "one\ntwo" and source.metadata["blocks"] == [(0, 3), (4, 7)]


def test_other_json_is_data_in_its_own_text() -> None:
    text = ' {"quote": {"premium": 1200, "odd key": [true, null]}}\n'
    source = one(text)
    assert (source.kind, source.text) == ("json", text)
    assert source.value_spans["quote.premium"].of(text) == "1200"
    assert source.value_spans["quote['odd key'][0]"].of(text) == "true"
    assert source.value_spans["quote"].of(text).startswith('{"premium"')


def test_the_last_of_two_equal_keys_counts() -> None:
    source = one('{"a": {"b": 1}, "a": 2}')
    assert get(source.data, parse_path("a")) == 2
    assert source.value_spans["a"].of(source.text) == "2"


def test_broken_json_names_the_line_and_column() -> None:
    (entry,) = read('{"a": 1,\n "b" 2}')
    assert isinstance(entry, UnreadSource) and "line 2, column 6" in entry.reason


def test_json_nested_very_deep_is_a_clear_reason() -> None:
    for text in ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "[" * 201 + "]" * 201):
        (entry,) = read(text)
        assert isinstance(entry, UnreadSource) and "levels deep" in entry.reason
    assert one("[" * 190 + "1" + "]" * 190).kind == "json"


def test_a_number_of_many_digits_is_a_clear_reason_or_a_value() -> None:
    (entry,) = read("[" + "9" * 10_000 + "]")
    assert isinstance(entry, UnreadSource) and "not valid JSON" in entry.reason


def test_a_huge_key_with_many_children_does_not_multiply() -> None:
    text = json.dumps({"k" * 500_000: {str(i): i for i in range(20_000)}})
    assert one(text).value_spans == {}


def test_strings_without_end_take_linear_time() -> None:
    for text in ('"' * 500_000, '{"' * 250_000, '"\\' * 250_000, "[1," * 150):
        (entry,) = read(text)
        assert isinstance(entry, UnreadSource)


def test_each_line_is_a_document_and_a_bad_line_is_named() -> None:
    text = (
        '{"document_id": "a", "content": "one"}\n\nnot json\n{"title": "T", "text": "two"}\r\n'
        '{"text": "three"}\n7\n'
    )
    entries = read(text, "docs.jsonl")
    assert [entry.name for entry in entries] == ["a", "docs.jsonl#3", "T", "docs.jsonl#5", "docs.jsonl#6"]
    assert [isinstance(entry, Source) for entry in entries] == [True, False, True, True, False]
    assert isinstance(entries[1], UnreadSource) and entries[1].reason.startswith("line 3:")


def test_lines_that_are_no_documents_are_data_that_paths_resolve_in() -> None:
    library = open_sources({"all.jsonl": b'{"text": "one"}\n{"quote": {"premium": 1200}}\n{"fee": [5, 6]}'})
    assert [(source.name, source.kind) for source in library.sources] == [
        ("all.jsonl#1", "text"),
        ("all.jsonl#2", "json"),
        ("all.jsonl#3", "json"),
    ]
    data = library.sources[1]
    assert data.value_spans["quote.premium"].of(data.text) == "1200"
    assert resolve(PathTarget("fee[1]", "fee[1]"), library).passages[0].text == "6"


def test_an_unread_line_keeps_its_place_in_the_order() -> None:
    library = open_sources({"docs.jsonl": b'{"text": "one"}\nbroken\n{"text": "three"}'})
    third = library.nth(2)
    assert isinstance(third, Source) and third.text == "three"


def test_lone_surrogates_in_json_strings_are_kept() -> None:
    source = one('{"content": "a\\ud800b"}')
    assert source.text == "a\ud800b" and len(source.sha256) == 64

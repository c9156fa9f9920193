from __future__ import annotations

import copy
import datetime
import enum
import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from provider_payloads import ANTHROPIC, GEMINI_SNAKE, MORE_PAYLOADS, OPENAI_CHAT, PAYLOADS

from pincite.citations import PROVIDERS, provided_markers, read_response, write_citations
from pincite.config import Limits
from pincite.errors import PayloadError, TooLargeError
from pincite.records import Citation

ALL = [*PAYLOADS.items(), *MORE_PAYLOADS]


def facts(citations: tuple[Citation, ...] | None) -> list[Any]:
    return [
        (c.span, c.text, c.targets, c.cited_text, c.source_span, c.document_title) for c in citations or ()
    ]


# --- which provider ------------------------------------------------------------------------------


@pytest.mark.parametrize(("provider", "payload"), ALL)
def test_the_shape_tells_the_provider(provider: str, payload: dict[str, Any]) -> None:
    found = read_response(payload)
    assert found.provider == provider
    assert facts(found.citations) == facts(read_response(payload, provider).citations)


@pytest.mark.parametrize(("provider", "payload"), ALL)
def test_every_citation_is_of_the_family_provider_and_its_text_stands_at_its_span(
    provider: str, payload: dict[str, Any]
) -> None:
    answer = read_response(payload, name="reply.json")
    assert answer.name == "reply.json"
    assert answer.citations
    for citation in answer.citations:
        assert citation.family == "provider"
        assert answer.text[citation.start : citation.end] == citation.text
    assert list(answer.citations) == sorted(answer.citations, key=lambda c: (c.start, c.end))


def test_an_unknown_shape_lists_the_providers() -> None:
    with pytest.raises(PayloadError) as error:
        read_response({"hello": "world"})
    assert all(name in str(error.value) for name in PROVIDERS)
    with pytest.raises(PayloadError, match="unknown provider 'bard': use one of anthropic"):
        read_response(ANTHROPIC, "bard")


def test_the_wrong_provider_is_an_error_that_names_the_place() -> None:
    with pytest.raises(PayloadError, match="at /: the field 'candidates' is missing"):
        read_response(ANTHROPIC, "gemini")


def test_several_whole_responses_are_no_stream() -> None:
    with pytest.raises(PayloadError):
        read_response([ANTHROPIC, ANTHROPIC])
    assert read_response([ANTHROPIC]).provider == "anthropic"


# --- the round trip ------------------------------------------------------------------------------


def entries(provider: str, payload: dict[str, Any]) -> list[Any]:
    """The citation entries of a payload, found by hand."""
    payload = payload.get("response", payload)
    if provider == "anthropic":
        return [c for block in payload["content"] for c in block.get("citations", [])]
    if provider == "openai-responses":
        return list(payload["output"][2]["content"][0]["annotations"])
    if provider == "openai-chat":
        message = payload["choices"][0]["message"]
        return list(message.get("annotations") or message["context"]["citations"])
    if provider == "gemini" and "steps" in payload:
        return list(payload["steps"][1]["content"][0]["annotations"])
    if provider == "gemini":
        candidate = payload["candidates"][0]
        grounding = candidate.get("groundingMetadata") or candidate["grounding_metadata"]
        supports = grounding.get("groundingSupports") or grounding["grounding_supports"]
        return [*supports, *(candidate.get("citationMetadata") or {}).get("citationSources", [])]
    if provider == "cohere":
        return list(payload["message"]["citations"])
    if provider == "mistral":
        content = (payload["outputs"][1] if "outputs" in payload else payload["choices"][0]["message"])[
            "content"
        ]
        return [chunk for chunk in content if chunk["type"].endswith("reference")]
    return list(payload["citations"])


@pytest.mark.parametrize(("provider", "payload"), [pair for pair in ALL if pair[0] != "perplexity"])
def test_the_round_trip_is_to_the_payload(provider: str, payload: dict[str, Any]) -> None:
    before = copy.deepcopy(payload)
    assert write_citations(read_response(payload)) == entries(provider, payload)
    assert payload == before


def test_perplexity_has_no_entries_of_its_own_so_each_marker_is_written_with_its_pages() -> None:
    written = write_citations(read_response(PAYLOADS["perplexity"]))
    assert [entry["marker"] for entry in written] == ["[1]", "[2]", "[7]"]
    assert [entry["results"] for entry in written] == [
        [page] for page in PAYLOADS["perplexity"]["search_results"]
    ] + [[]]


def test_citations_that_came_from_no_payload_cannot_be_written() -> None:
    from pincite.records import Answer

    answer = Answer("Hi [1].", citations=(Citation("provider", "[1]", 3, 6, ()),))
    with pytest.raises(PayloadError, match="came from no payload"):
        write_citations(answer)
    assert provided_markers(answer) == (answer.citations[0].span,) if answer.citations else False


# --- what a payload may be -----------------------------------------------------------------------


class Colour(enum.Enum):
    TEXT = "text"


class Pydantic:
    """As the SDKs' objects: `model_dump()` gives the data, and other attributes do not."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def model_dump(self) -> Any:
        return self._data


class WithOptions(Pydantic):
    def model_dump(self, *, warnings: bool = True) -> Any:  # type: ignore[override]
        assert not warnings
        return self._data


class ToDict:
    def __init__(self, data: Any) -> None:
        self._data = data

    def to_dict(self) -> Any:
        return self._data


class ToJsonDict:
    def __init__(self, data: Any) -> None:
        self._data = data

    def to_json_dict(self) -> Any:
        return self._data


class _Meta(type):
    def to_dict(cls, message: Any) -> Any:
        return message.inner


class ProtoPlus(metaclass=_Meta):
    """proto-plus has `to_dict` on the class alone."""

    def __init__(self, data: Any) -> None:
        self.inner = data


@dataclass
class Message:
    type: Any
    content: Any
    created: datetime.datetime
    blob: bytes = b"\x00\xff"


def as_namespace(data: Any) -> Any:
    if isinstance(data, dict):
        return SimpleNamespace(**{key: as_namespace(value) for key, value in data.items()})
    return [as_namespace(item) for item in data] if isinstance(data, list) else data


@pytest.mark.parametrize(
    "wrap",
    [
        Pydantic,
        WithOptions,
        ToDict,
        ToJsonDict,
        ProtoPlus,
        as_namespace,
        json.dumps,
        lambda data: json.dumps(data).encode(),
        lambda data: json.dumps(data, ensure_ascii=False).encode("utf-8-sig"),
        lambda data: json.dumps(data).encode("utf-16"),
        lambda data: bytearray(json.dumps(data).encode()),
        lambda data: {"response": data},
        lambda data: {"request": {}, "response": Pydantic(data)},
        lambda data: Message("message", data["content"], datetime.datetime(2024, 1, 1)),
        lambda data: Message(
            "message", [Pydantic(block) for block in data["content"]], datetime.datetime(2024, 1, 1)
        ),
        lambda data: {**data, "content": tuple(data["content"])},
    ],
)
def test_a_payload_is_read_from_every_kind_of_object(wrap: Any) -> None:
    assert facts(read_response(wrap(ANTHROPIC)).citations) == facts(read_response(ANTHROPIC).citations)


def test_a_payload_is_read_from_a_file_and_from_events_of_sdk_objects(tmp_path: Path) -> None:
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(OPENAI_CHAT), encoding="utf-8")
    assert read_response(path).text == read_response(OPENAI_CHAT).text
    chunk = {"choices": [{"delta": {"content": "Hi"}}]}
    path.write_text(f"{json.dumps(chunk)}\n{json.dumps(chunk)}\n", encoding="utf-8")
    assert read_response(path).text == "HiHi"
    assert read_response(iter([Pydantic(chunk), Pydantic(chunk)])).text == "HiHi"
    enumerated = {"choices": [{"message": {"content": [{"type": Colour.TEXT, "text": "Hi"}]}}]}
    assert read_response(enumerated).text == "Hi"


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (object(), "cannot read a payload from object"),
        (None, "not null"),
        (42, "not a number"),
        ("", "is empty"),
        (b"", "is empty"),
        ({}, "is empty"),
        ([], "is empty"),
        ("not json", r"not JSON \(line 1, column 1"),
        ('{"a": 1', "not JSON"),
        ('"text"', "not a string"),
        (b"\xff\xfa{}", "not utf-8-sig text: byte 0 is wrong"),
        ("[" * 1_000_000, "too deeply"),
        ('{"a":' * 100_000, "JSON"),
        ("1" * 100_000, "JSON"),
        ('{"candidates": [' + "1" * 3_000 + "]}", "64 bits"),
        ('data: {"type": "message_start"}\n\ndata: {oops}\n\n', "line 3 is not JSON"),
        ('{"type": "message_start"}\n{oops}', "line 2 is not JSON"),
        (Path("/nonexistent/reply.json"), "no such file"),
        (Path("a\x00b"), "cannot be read|no such file"),
        ({"response": {}}, "the response is empty"),
    ],
)
def test_what_cannot_be_read_is_a_clear_error(payload: object, words: str) -> None:
    with pytest.raises(PayloadError, match=words):
        read_response(payload)


def test_an_object_that_fails_to_give_its_data_is_a_clear_error() -> None:
    class Broken:
        def model_dump(self) -> Any:
            raise RuntimeError("no data")

    with pytest.raises(PayloadError, match="Broken could not be turned into data: no data"):
        read_response(Broken())


def test_deep_nesting_and_cycles_are_refused() -> None:
    deep: Any = []
    for _ in range(102):
        deep = [deep]
    with pytest.raises(PayloadError, match="levels deep"):
        read_response({"candidates": deep})
    cycle: dict[str, Any] = {}
    cycle["candidates"] = [cycle]
    with pytest.raises(PayloadError, match="levels deep"):
        read_response(cycle)


def test_what_is_over_the_limit_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "big.json"
    path.write_text(json.dumps(ANTHROPIC), encoding="utf-8")
    with pytest.raises(TooLargeError, match=r"big\.json"):
        read_response(path, limits=Limits(answer_bytes=10))
    with pytest.raises(TooLargeError):
        read_response(json.dumps(ANTHROPIC), limits=Limits(answer_bytes=10))


def test_line_separators_inside_a_string_do_not_cut_an_event() -> None:
    chunk = json.dumps({"choices": [{"delta": {"content": "a\u2028b\x85c"}}]}, ensure_ascii=False)
    assert read_response(f"data: {chunk}\n\ndata: [DONE]\n\n").text == "a\u2028b\x85c"


def test_a_json_pointer_names_the_place_of_an_error() -> None:
    payload = copy.deepcopy(GEMINI_SNAKE)
    payload["candidates"][0]["content"]["parts"][0]["text"] = 5
    with pytest.raises(
        PayloadError, match="at /candidates/0/content/parts/0/text: expected a string, found a number"
    ):
        read_response(payload)


# --- hostile payloads ----------------------------------------------------------------------------

JUNK = st.sampled_from(
    [None, True, -1, 0, 7, 10**12, 1.5, float("nan"), "", "x", "\ud800", "[1]", [], {}, [[]], [None]]
)


def mutate(data: Any, draw: Any) -> Any:
    """One node of the payload replaced or removed."""
    root = copy.deepcopy(data)
    node, path = root, []
    while (
        isinstance(node, (dict, list)) and node and (not path or draw(st.booleans()) or draw(st.booleans()))
    ):
        key = draw(st.sampled_from(sorted(node) if isinstance(node, dict) else list(range(len(node)))))
        path.append((node, key))
        node = node[key]
    if not path:
        return root
    parent, key = path[-1]
    if draw(st.booleans()):
        parent[key] = draw(JUNK)
    else:
        del parent[key]
    return root


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(ALL), st.booleans(), st.integers(1, 3), st.data())
def test_a_broken_payload_gives_a_payload_error_or_a_sound_answer(
    case: tuple[str, dict[str, Any]], named: bool, times: int, data: st.DataObject
) -> None:
    provider, payload = case
    for _ in range(times):
        payload = mutate(payload, data.draw)
    try:
        answer = read_response(payload, provider if named else None)
    except PayloadError:
        return
    for citation in answer.citations or ():
        assert 0 <= citation.start <= citation.end <= len(answer.text)
        assert answer.text[citation.start : citation.end] == citation.text
        assert citation.targets or citation.problem
    write_citations(answer)
    provided_markers(answer)


EVENTS = [
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "b"}},
    {"type": "response.output_text.delta", "delta": "x", "output_index": 0, "content_index": 0},
    {
        "type": "response.output_text.annotation.added",
        "annotation": {},
        "output_index": 0,
        "content_index": 0,
    },
    {"choices": [{"delta": {"content": "x"}}], "citations": []},
    {"candidates": [{"content": {"parts": [{"text": "x"}]}}]},
    {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "x"}}}},
    {"type": "citation-start", "delta": {"message": {"citations": {"start": 0, "end": 1}}}},
    {"data": {"type": "message.output.delta", "content": {"type": "tool_reference", "title": "t"}}},
]


@given(
    st.lists(st.sampled_from(EVENTS), min_size=1, max_size=4), st.sampled_from([None, *PROVIDERS]), st.data()
)
def test_a_broken_stream_gives_a_payload_error_or_a_sound_answer(
    events: list[Any], provider: str | None, data: st.DataObject
) -> None:
    try:
        answer = read_response(mutate(events, data.draw), provider)
    except PayloadError:
        return
    for citation in answer.citations or ():
        assert answer.text[citation.start : citation.end] == citation.text


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_any_text_gives_a_payload_error_or_an_answer(text: str | bytes) -> None:
    try:
        read_response(text)
    except PayloadError:
        pass


@pytest.mark.thorough
def test_many_citations_of_a_long_text_cost_one_walk() -> None:
    """A walk for each citation would take minutes."""
    text = "é🚀 fact. " * 40_000
    supports = [
        {
            "segment": {"startIndex": n * 13, "endIndex": n * 13 + 6, "text": "é🚀"},
            "groundingChunkIndices": [0],
        }
        for n in range(20_000)
    ]
    candidate = {
        "content": {"parts": [{"text": text}]},
        "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://a.example"}}],
            "groundingSupports": supports,
        },
    }
    answer = read_response({"candidates": [candidate]})
    assert write_citations(answer) == supports
    assert all(citation.problem is None for citation in answer.citations or ())


def test_citations_that_repeat_a_long_text_too_often_are_refused() -> None:
    text = "a" * 300_000
    entry = {"type": "url_citation", "start_index": 0, "end_index": len(text), "url": "https://a.example"}
    part = {"type": "output_text", "text": text, "annotations": [entry] * 1_000}
    with pytest.raises(PayloadError, match="cover more than"):
        read_response({"object": "response", "output": [{"type": "message", "content": [part]}]})

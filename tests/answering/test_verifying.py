"""A saved answer is verified against sources: nothing that it says of itself counts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from drafts import ASKED, SOURCES

import pincite
from pincite.answering import AnswerResult, Verified, citeformer_shape, read_result, result_shape, verify
from pincite.config import Settings
from pincite.errors import InputError


def answered() -> AnswerResult:
    return pincite.answer(ASKED, SOURCES, judge="rules")


def saved() -> dict[str, Any]:
    shape: dict[str, Any] = json.loads(json.dumps(result_shape(answered())))
    return shape


def verified(given: Any, sources: Any = SOURCES) -> Verified:
    library = pincite.open_sources(sources)
    return asyncio.run(verify(given, library, pincite.open_judge("rules"), Settings()))


def test_a_saved_result_is_read_back_as_it_was() -> None:
    result = answered()
    assert read_result(saved()) == pincite.answer(ASKED, SOURCES, judge="rules").__class__(
        **{name: getattr(result, name) for name in result.__struct_fields__ if name != "report"}
    )


def test_verifying_fills_in_what_a_result_lacks() -> None:
    shape = saved()
    for citation in shape["citations"]:
        citation.update(verified=False, entailment_score=None, standing="unjudged", reason="")
    found = verified(shape)
    assert found.ok and found.right == found.total > 0
    assert [one["verified"] for one in found.shape["citations"]] == [True] * found.total
    assert all(one["entailment_score"] > 0.5 for one in found.shape["citations"])


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("cited_text", "A cubic metre of water is free.", "does not say"),
        ("source_span", [0, 10**6], "does not say"),
        ("source_span", [-5, 3], "does not say"),
        ("document", "secret.txt", "is not among the sources"),
        ("marker", "[2]", "is not at"),
        ("number", 7, "stands for reference 7"),
        ("start", 10**9, "is not at"),
    ],
)
def test_a_result_that_was_tampered_with_is_not_verified(place: str, value: Any, said: str) -> None:
    shape = saved()
    shape["citations"][0][place] = value
    shape["citations"][0]["verified"] = True
    found = verified(shape)
    assert not found.ok and not found.shape["citations"][0]["verified"]
    assert said in found.problems[0]


def test_a_text_that_was_changed_is_not_verified() -> None:
    shape = saved()
    shape["text"] = shape["text"].replace("2.50", "9.99")
    assert not verified(shape).ok


def test_a_marker_that_was_added_to_the_text_is_reported() -> None:
    shape = saved()
    shape["text"] += " It is free [9]."
    found = verified(shape)
    assert not found.ok and any("[9]" in problem for problem in found.problems)


@pytest.mark.parametrize(
    "given", [None, 7, [], {}, {"kind": "pincite.answer"}, {"kind": "other", "text": ""}]
)
def test_what_is_no_saved_answer_is_refused(given: Any) -> None:
    with pytest.raises(InputError):
        verified(given)


def test_an_unknown_schema_and_an_unknown_field_are_refused() -> None:
    with pytest.raises(InputError, match="schema 99 is unknown"):
        verified({**saved(), "schema_version": 99})
    with pytest.raises(InputError, match="cannot be read"):
        verified({**saved(), "surprise": 1})


def test_citeformers_schema_is_written_and_read_back() -> None:
    library = pincite.open_sources(SOURCES)
    shape = citeformer_shape(answered(), {source.name: source for source in library.sources})
    read = pincite.read_response(json.dumps(shape), "citeformer")
    assert shape["schema_version"] == 3 and not any(one.problem for one in read.citations or ())
    found = verified(shape, None)
    assert found.ok and found.total == len(shape["citations"]) > 0


def test_citeformers_schema_is_written_with_its_fields_and_no_others() -> None:
    """citeformer forbids fields that it does not know, and takes references as objects."""
    library = pincite.open_sources(
        {"tariff.md": "---\nauthor: City Works\ndate: 2024-03-01\n---\n" + SOURCES["water.md"]}
    )
    result = pincite.answer(ASKED, library, judge="rules")
    shape = citeformer_shape(result, {source.name: source for source in library.sources})
    assert set(shape) == {"schema_version", "text", "citations", "references", "sources", "usage"}
    for citation in shape["citations"]:
        assert set(citation) == {
            "span",
            "source_id",
            "verified",
            "entailment_score",
            "cited_text",
            "source_span",
            "document_title",
        }
    (reference,) = shape["references"]
    assert set(reference) == {"source_id", "inline_marker", "rendered"}
    assert (reference["source_id"], reference["inline_marker"]) == (1, "[1]") and reference["rendered"]
    (source,) = shape["sources"]
    assert set(source) == {"metadata", "content"}
    assert source["metadata"]["id"] == "tariff.md"
    assert source["metadata"]["author"]
    assert source["metadata"]["issued"] == {"date-parts": [[2024, 3, 1]]}


@pytest.mark.parametrize("version", [2, 3])
def test_both_schemas_of_citeformer_are_verified(version: int) -> None:
    payload = {
        "schema_version": version,
        "text": "A cubic metre of water costs 2.50 euros [1]. It costs 9.99 euros [1]. See [2].",
        "citations": [
            {"span": [40, 43], "source_id": 1, "verified": True, "entailment_score": 1.0},
            {"span": [65, 68], "source_id": 1, "verified": True, "entailment_score": 1.0},
        ],
        "sources": [
            {
                "metadata": {"id": "water", "title": "Water"},
                "content": "A cubic metre of water costs 2.50 euros.",
            }
        ],
    }
    found = verified(payload, None)
    assert [one["verified"] for one in found.shape["citations"]] == [True, False]
    assert not found.ok and (found.right, found.total) == (1, 3)


def test_a_result_of_ours_is_not_taken_for_citeformers(tmp_path: Path) -> None:
    with pytest.raises(pincite.PayloadError):
        pincite.read_response(saved())

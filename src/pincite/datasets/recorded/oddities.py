"""Fields of an answer, recorded or just given, that are there and say nothing that can be understood.

Such a field counts as not given. That must be told: a zero would be taken for what the system did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pincite.datasets.formats.problems import shown
from pincite.datasets.recorded.citations import is_citation, odd_parts
from pincite.datasets.recorded.fields import COST, USAGE, read_retrieved
from pincite.datasets.recorded.values import read_amount, read_count, read_number
from pincite.metrics.conversations import read_conversation

_PARTS = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
_COUNTS = tuple(name for name in (*USAGE, *_PARTS) if name != COST)
_AMOUNT = "a number, 0 or more"

Oddity = tuple[str, str]
"""What was expected, and what was found."""


def odd_fields(record: Mapping[str, Any]) -> Iterator[Oddity]:
    """Every field of an answer that is passed over, or of which a part is. A null is no field."""
    yield from _odd_citations(record.get("citations"))
    yield from _odd_retrieval(record)
    yield from _odd_amount("latency_ms", record.get("latency_ms"))
    usage = record.get("usage")
    if isinstance(usage, Mapping):
        for name in (*USAGE, *_PARTS):
            yield from _odd_amount(f"usage.{name}", usage.get(name))
    elif usage is not None:
        yield _not_given("usage as an object", usage)
    for name in USAGE:
        yield from _odd_amount(name, record.get(name))
    yield from _odd_company(record)


def _odd_citations(given: Any) -> Iterator[Oddity]:
    if isinstance(given, Mapping):
        given = [given]
    if isinstance(given, list | tuple):
        yield from _odd_ones("citations that name a file, document, url or number", given, is_citation)
        yield from odd_parts(given)
    elif given is not None:
        yield _not_given("citations as a list", given)


def _odd_retrieval(record: Mapping[str, Any]) -> Iterator[Oddity]:
    results = record.get("retrieval_results")
    if isinstance(results, list | tuple):
        results = {"retrieved_docs": results}
    if results is None:
        results = record
    elif not isinstance(results, Mapping):
        yield _not_given("retrieval_results as an object with retrieved_docs", results)
        return
    elif results and "retrieved_docs" not in results:
        yield "retrieved_docs in retrieval_results", "none; they count as not given"
    documents, scores = results.get("retrieved_docs"), results.get("relevance_scores")
    if isinstance(documents, list | tuple):
        yield from _odd_ones("ids of documents in retrieved_docs", documents, _is_document)
    elif documents is not None:
        yield _not_given("retrieved_docs as a list", documents)
    if isinstance(scores, list | tuple):
        given = [score for score in scores if score is not None]
        yield from _odd_ones("numbers in relevance_scores", given, _is_number)
        if scores and isinstance(documents, list | tuple) and len(scores) != len(documents):
            rest = "the rest counts as not given" if len(scores) < len(documents) else "the rest is left out"
            yield "a score for each of retrieved_docs", f"{len(scores)} for {len(documents)}; {rest}"
    elif scores is not None:
        yield _not_given("relevance_scores as a list", scores)


def _odd_company(record: Mapping[str, Any]) -> Iterator[Oddity]:
    """What may come with an answer: references, documents, the conversation before it."""
    references, sources, conversation = map(record.get, ("references", "sources", "conversation"))
    if references is not None and not isinstance(references, list | tuple):
        yield _not_given("references as a list", references)
    if sources is not None and not isinstance(sources, list | tuple | Mapping):
        yield _not_given("sources as a list of documents, or texts by name", sources)
    if conversation and read_conversation(conversation) is None:
        yield _not_given("conversation as a list of messages with role and content", conversation)


def _odd_amount(name: str, given: Any) -> Iterator[Oddity]:
    if given is None:
        return
    if read_amount(given) is None:
        yield _not_given(f"{name} as {_AMOUNT}", given)
    elif name.endswith(_COUNTS) and read_count(given) is None:
        yield _not_given(f"{name} as a count below 2^63", given)


def _odd_ones(expected: str, given: Sequence[Any], is_sound: Callable[[Any], bool]) -> Iterator[Oddity]:
    """The elements of a list that cannot be read, by the first of them."""
    odd = [one for one in given if not is_sound(one)]
    if odd:
        yield expected, f"{shown(odd[0])}; {len(odd)} of {len(given)} left out"


def _is_document(given: Any) -> bool:
    return read_retrieved(given) is not None


def _is_number(given: Any) -> bool:
    return read_number(given) is not None


def _not_given(expected: str, found: Any) -> Oddity:
    return expected, f"{shown(found)}; it counts as not given"

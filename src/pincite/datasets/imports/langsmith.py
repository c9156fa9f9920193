"""LangSmith: examples of a dataset, runs, and experiments, which are runs with an example each.

An example's `outputs` are what was expected. A run's `outputs` are what the system answered, and what was
expected is its example's, under `reference`. A run that belongs to an example has the example's id, so that
the runs of two experiments are about the same queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pincite.answers import read_amount, read_id, read_number
from pincite.datasets.formats import EvaluationQuery
from pincite.datasets.imports.entries import ImportedContext, ImportedEntry
from pincite.datasets.imports.rows import Row, first, listed, mapped
from pincite.errors import InputError
from pincite.records import RecordedAnswer

_QUERY = ("question", "query", "input", "user_input", "text", "prompt")
_ANSWER = ("answer", "output", "response", "result", "text", "generation")
_CONTEXTS = ("contexts", "documents", "context", "retrieved_contexts", "source_documents", "docs")
_COLUMN = re.compile(r"(?P<group>inputs?|(?:reference_)?outputs?|reference(?=\.))[._](?P<name>.+)")
_REFERENCE = ("reference_outputs", "referenceOutputs", "reference_output", "reference")
_OF_A_RUN = (
    *_REFERENCE,
    "reference_example_id",
    "run_id",
    "run_type",
    "trace_id",
    "session_id",
    "start_time",
    "end_time",
    "execution_time",
)
"""Fields that no example has."""


def langsmith_entries(rows: Iterable[Row]) -> Iterator[ImportedEntry]:
    for place, given in rows:
        row = _nested(_joined(given))
        if row.get("parent_run_id") is not None:
            continue  # a step of a run that has a row of its own
        is_run = ("example_id" in row and "id" in row) or any(name in row for name in _OF_A_RUN)
        outputs = _value(first(row, "outputs", "output"))
        query = _text(_value(first(row, "inputs", "input")), _QUERY)
        if query is None:
            raise InputError(f"{place}: there is no question among the inputs: one of {', '.join(_QUERY)}")
        failure = row.get("error")
        retrieved = _contexts(outputs) if is_run else None
        yield ImportedEntry(
            place=place,
            query=EvaluationQuery(
                query_id=_query_id(row),
                query_text=query,
                ground_truth_answer=_text(_value(first(row, *_REFERENCE)) if is_run else outputs, _ANSWER),
                metadata=mapped(row.get("metadata")),
            ),
            answer=None
            if not is_run
            else RecordedAnswer(
                answer=_text(outputs, _ANSWER),
                latency_ms=_latency(row),
                usage=_usage(row),
                failure=str(failure) if failure else None,
            ),
            retrieved=None if retrieved is None else tuple(retrieved),
        )


def _joined(row: dict[str, Any]) -> dict[str, Any]:
    """A row of an experiment may hold its run and its example, each as an object."""
    run, example = row.get("run"), row.get("example")
    if not isinstance(run, Mapping) or not isinstance(example, Mapping):
        return row
    return {
        **run,
        "inputs": first(example, "inputs") or run.get("inputs"),
        "metadata": example.get("metadata"),
        "reference": example.get("outputs"),
        "example_id": example.get("id"),
    }


def _nested(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table has a column a field: `inputs.question`, or `input_question`.

    Where the inputs have a column of their own, `inputs_preview` or `input_tokens` is no part of them.
    """
    whole = {"reference" if name in _REFERENCE else name.rstrip("s") + "s" for name in row}
    nested: dict[str, Any] = {}
    for name, value in row.items():
        column = _COLUMN.fullmatch(name)
        group = column["group"].rstrip("s") + "s" if column else ""
        if group.startswith("reference"):
            group = "reference"
        if column and group not in whole:
            nested.setdefault(group, {})[column["name"]] = value
        else:
            nested[name] = value
    return nested


def _query_id(row: dict[str, Any]) -> str:
    # A table that was saved with its index has it in a column without a name. Beside a run and the time it
    # took that is the example.
    index = ("", "Unnamed: 0") if "run_id" in row and "execution_time" in row else ()
    return read_id(first(row, "example_id", "reference_example_id", *index, "id", "run_id")) or ""


def _value(given: Any) -> Any:
    """An object where there is one, also written in a cell; else what is there."""
    return mapped(given) or given


def _text(given: Any, names: tuple[str, ...]) -> str | None:
    """The text of inputs or outputs: under a usual name, or the only text that there is."""
    if isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        return None
    for name in names:
        if isinstance(given.get(name), str):
            return str(given[name])
    messages = given.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[-1], Mapping):
        content = messages[-1].get("content")
        return content if isinstance(content, str) else None
    texts = [value for value in given.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else None


def _contexts(outputs: Any) -> list[ImportedContext] | None:
    given = listed(first(outputs, *_CONTEXTS)) if isinstance(outputs, dict) else None
    if given is None:
        return None
    contexts = []
    for one in given:
        if isinstance(one, Mapping):
            more = one.get("metadata")
            known = {**(more if isinstance(more, Mapping) else {}), **one}
            text = first(known, "page_content", "content", "text")
            contexts.append(
                ImportedContext(
                    text=text if isinstance(text, str) else None,
                    document_id=read_id(first(known, "document_id", "id", "source")),
                    title=known["title"] if isinstance(known.get("title"), str) else None,
                    score=read_number(first(known, "score", "relevance_score")),
                )
            )
        elif isinstance(one, str):
            contexts.append(ImportedContext(text=one))
    return contexts


def _latency(row: dict[str, Any]) -> float | None:
    """The time from start to end, or the seconds that a column of that name says."""
    told = read_number(row.get("latency_ms"))
    if told is not None:
        return told
    seconds = read_number(first(row, "latency", "execution_time"))
    if seconds is not None:
        return read_number(seconds * 1000)
    try:
        start, end = (datetime.fromisoformat(str(row[name])) for name in ("start_time", "end_time"))
        return max(0.0, (end - start).total_seconds() * 1000)
    except (KeyError, ValueError, TypeError):
        return None


def _usage(row: dict[str, Any]) -> dict[str, Any] | None:
    """The tokens and the dollars that a run has cost."""
    tokens, cost = read_amount(row.get("total_tokens")), read_amount(row.get("total_cost"))
    told = {} if tokens is None else {"total_tokens": int(tokens)}
    return {**told, **({} if cost is None else {"estimated_cost_usd": cost})} or None

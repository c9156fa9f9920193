"""Runs and items to keep."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import msgspec

from pincite.records import (
    Failure,
    ItemResult,
    JudgedPair,
    Result,
    ResultsDocument,
    RetrievedDocument,
    Run,
    RunSummary,
    Score,
)


def new_run(fingerprint: str = "f", **fields: object) -> Run:
    return msgspec.structs.replace(
        Run(run_id="", fingerprint=fingerprint, dataset_id="d", started_at="2026-03-05T10:00:00Z"), **fields
    )


def finished(run: Run, value: float | None = 0.5, **fields: object) -> Run:
    score = Score(metric="nDCG@5", value=value, confidence_interval=value and (value - 0.1, value + 0.1), n=4)
    document = ResultsDocument(evaluation_id=run.run_id, summary=RunSummary(total_queries=4))
    run = msgspec.structs.replace(run, status="finished", scores=(score,), document=document)
    return msgspec.structs.replace(run, **fields)


def new_item(position: int, key: str | None = None, **fields: object) -> ItemResult:
    item = ItemResult(
        key=key or f"key {position}",
        position=position,
        query_id=f"query_{position}",
        query_text="How large is it?",
        answer=f"It is {position} m long [a.txt:0-10].",
        citations=({"file_name": "a.txt", "start_char": 0, "end_char": 10},),
        retrieved=(RetrievedDocument("a.txt", 0.5),),
        latency_ms=12.5,
        query_type="factual",
        documents=("a.txt",),
        results=(Result(metric="nDCG@5", score=0.5, numerator=1, denominator=2, counts={"claims": 2}),),
        verdicts=(JudgedPair("support", "It is long.", ("a.txt",), "supported", 0.9, "as it says", "rules"),),
        failures=(Failure("uncited", None, "a claim"),),
    )
    return msgspec.structs.replace(item, **fields)


def execute(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Do something to the database behind our back; returns the rows of the last statement."""
    if url.startswith("postgresql"):
        import psycopg

        connection: Any = psycopg.connect(url)
    else:
        connection = sqlite3.connect(url)
    with closing(connection), connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []

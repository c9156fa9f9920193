"""Pincite checks the citations in AI answers the way a linter checks code.

    import pincite

    report = pincite.check(answer, sources="docs/")
    for finding in report.findings:
        print(finding.line, finding.code, finding.message)
    report.assert_ok()

    run = pincite.evaluate("sample", answers="sample:a")
    for score in run.scores:
        print(score.metric, score.value, score.confidence_interval)

Every name below is loaded when it is first used: importing Pincite costs next to nothing.
"""

from __future__ import annotations

# The name that type checkers know, without the cost of importing `typing` for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pincite.answering import answer, answer_stream
    from pincite.citations import parse, read_response, render
    from pincite.config import Settings, load_settings
    from pincite.datasets import open_dataset
    from pincite.errors import (
        CitationProblems,
        ConfigError,
        InputError,
        JudgeError,
        MissingExtraError,
        PayloadError,
        PinciteError,
        SourceError,
        StoreError,
        TooLargeError,
    )
    from pincite.findings import check, check_contexts, check_many, explain
    from pincite.judges import Judge, open_judge
    from pincite.metrics import Metric, parse_metric, register_metrics
    from pincite.records import (
        Answer,
        Citation,
        Claim,
        DatasetItem,
        Evidence,
        Finding,
        Fix,
        Match,
        Pair,
        Passage,
        Report,
        Result,
        Run,
        Score,
        Source,
        Span,
        Summary,
        Verdict,
    )
    from pincite.runs import compare, evaluate
    from pincite.sources import contexts, locate, open_sources
    from pincite.store import open_store

__version__ = "0.1.0"

_HOMES = {
    "answer": "pincite.answering",
    "answer_stream": "pincite.answering",
    "check": "pincite.findings",
    "check_contexts": "pincite.findings",
    "check_many": "pincite.findings",
    "compare": "pincite.runs",
    "contexts": "pincite.sources",
    "evaluate": "pincite.runs",
    "explain": "pincite.findings",
    "load_settings": "pincite.config",
    "locate": "pincite.sources",
    "open_dataset": "pincite.datasets",
    "open_judge": "pincite.judges",
    "open_sources": "pincite.sources",
    "open_store": "pincite.store",
    "parse": "pincite.citations",
    "parse_metric": "pincite.metrics",
    "read_response": "pincite.citations",
    "register_metrics": "pincite.metrics",
    "render": "pincite.citations",
    "Judge": "pincite.judges",
    "Metric": "pincite.metrics",
    "Settings": "pincite.config",
    **dict.fromkeys(
        (
            "Answer",
            "Citation",
            "Claim",
            "Evidence",
            "Finding",
            "Fix",
            "Match",
            "Pair",
            "Passage",
            "Report",
            "Source",
            "Span",
            "Summary",
            "Verdict",
        ),
        "pincite.records",
    ),
    **dict.fromkeys(("DatasetItem", "Result", "Run", "Score"), "pincite.records"),
    **dict.fromkeys(
        (
            "CitationProblems",
            "ConfigError",
            "InputError",
            "JudgeError",
            "MissingExtraError",
            "PayloadError",
            "PinciteError",
            "SourceError",
            "StoreError",
            "TooLargeError",
        ),
        "pincite.errors",
    ),
}

__all__ = [
    "Answer",
    "Citation",
    "CitationProblems",
    "Claim",
    "ConfigError",
    "DatasetItem",
    "Evidence",
    "Finding",
    "Fix",
    "InputError",
    "Judge",
    "JudgeError",
    "Match",
    "Metric",
    "MissingExtraError",
    "Pair",
    "Passage",
    "PayloadError",
    "PinciteError",
    "Report",
    "Result",
    "Run",
    "Score",
    "Settings",
    "Source",
    "SourceError",
    "Span",
    "StoreError",
    "Summary",
    "TooLargeError",
    "Verdict",
    "__version__",
    "answer",
    "answer_stream",
    "check",
    "check_contexts",
    "check_many",
    "compare",
    "contexts",
    "evaluate",
    "explain",
    "load_settings",
    "locate",
    "open_dataset",
    "open_judge",
    "open_sources",
    "open_store",
    "parse",
    "parse_metric",
    "read_response",
    "register_metrics",
    "render",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

"""Pincite checks the citations in AI answers the way a linter checks code.

    import pincite

    report = pincite.check(answer, sources="docs/")
    for finding in report.findings:
        print(finding.line, finding.code, finding.message)
    report.assert_ok()

    run = pincite.evaluate("sample", target="reference")
    for score in run.scores:
        print(score.metric, score.value, score.confidence_interval)

Every name below is loaded when it is first used: importing Pincite costs next to nothing.
"""

from __future__ import annotations

# The name that type checkers know, without the cost of importing `typing` for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pincite.answering.asking import answer, answer_stream
    from pincite.citations.parse import parse
    from pincite.citations.providers import read_response
    from pincite.citations.render import render
    from pincite.config import Settings, load_settings
    from pincite.datasets.load import open_dataset
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
    from pincite.findings.catalogue import explain
    from pincite.findings.check import check, check_contexts
    from pincite.findings.many import check_many
    from pincite.judges.judge import Judge
    from pincite.judges.opening import open_judge
    from pincite.metrics.metric import Metric
    from pincite.metrics.names import parse_metric, register_metrics
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
    from pincite.runs.compare.comparing import compare
    from pincite.runs.evaluation import evaluate
    from pincite.sources.contexts import contexts
    from pincite.sources.library import open_sources
    from pincite.sources.locate import locate
    from pincite.store import open_store

__version__ = "0.1.0"

_HOMES = {
    "answer": "pincite.answering.asking",
    "answer_stream": "pincite.answering.asking",
    "check": "pincite.findings.check",
    "check_contexts": "pincite.findings.check",
    "check_many": "pincite.findings.many",
    "compare": "pincite.runs.compare.comparing",
    "contexts": "pincite.sources.contexts",
    "evaluate": "pincite.runs.evaluation",
    "explain": "pincite.findings.catalogue",
    "load_settings": "pincite.config",
    "locate": "pincite.sources.locate",
    "open_dataset": "pincite.datasets.load",
    "open_judge": "pincite.judges.opening",
    "open_sources": "pincite.sources.library",
    "open_store": "pincite.store",
    "parse": "pincite.citations.parse",
    "parse_metric": "pincite.metrics.names",
    "read_response": "pincite.citations.providers",
    "register_metrics": "pincite.metrics.names",
    "render": "pincite.citations.render",
    "Judge": "pincite.judges.judge",
    "Metric": "pincite.metrics.metric",
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

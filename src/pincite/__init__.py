"""Pincite checks the citations in AI answers the way a linter checks code.

    import pincite

    report = pincite.check(answer, sources="docs/")
    for finding in report.findings:
        print(finding.line, finding.code, finding.message)
    report.assert_ok()

Every name below is loaded when it is first used: importing Pincite costs next to nothing.
"""

from __future__ import annotations

# The name that type checkers know, without the cost of importing `typing` for it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pincite.citations.parse import parse
    from pincite.citations.providers import read_response
    from pincite.citations.render import render
    from pincite.config import Settings, load_settings
    from pincite.errors import (
        CitationProblems,
        ConfigError,
        InputError,
        JudgeError,
        MissingExtraError,
        PayloadError,
        PinciteError,
        SourceError,
        TooLargeError,
    )
    from pincite.findings.catalogue import explain
    from pincite.findings.check import check
    from pincite.findings.many import check_many
    from pincite.judges.judge import Judge, make_judge
    from pincite.records import (
        Answer,
        Citation,
        Claim,
        Evidence,
        Finding,
        Fix,
        Match,
        Pair,
        Passage,
        Report,
        Source,
        Span,
        Summary,
        Verdict,
    )
    from pincite.sources.library import open_sources
    from pincite.sources.locate import locate

__version__ = "0.1.0"

_HOMES = {
    "check": "pincite.findings.check",
    "check_many": "pincite.findings.many",
    "explain": "pincite.findings.catalogue",
    "load_settings": "pincite.config",
    "locate": "pincite.sources.locate",
    "make_judge": "pincite.judges.judge",
    "open_sources": "pincite.sources.library",
    "parse": "pincite.citations.parse",
    "read_response": "pincite.citations.providers",
    "render": "pincite.citations.render",
    "Judge": "pincite.judges.judge",
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
    "Evidence",
    "Finding",
    "Fix",
    "InputError",
    "Judge",
    "JudgeError",
    "Match",
    "MissingExtraError",
    "Pair",
    "Passage",
    "PayloadError",
    "PinciteError",
    "Report",
    "Settings",
    "Source",
    "SourceError",
    "Span",
    "Summary",
    "TooLargeError",
    "Verdict",
    "__version__",
    "check",
    "check_many",
    "explain",
    "load_settings",
    "locate",
    "make_judge",
    "open_sources",
    "parse",
    "read_response",
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

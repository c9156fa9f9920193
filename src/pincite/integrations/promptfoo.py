"""promptfoo: the function that its Python assertions call, with a result for each citation.

A file of the user's names it, and promptfoo names that file: `type: python`, `value: file://citations.py`.

    from pincite.integrations.promptfoo import get_assert

Nothing of promptfoo is imported: it is a program of Node.js that runs Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import MsgspecError

from pincite.base import read_json
from pincite.errors import ConfigError
from pincite.integrations.outcome import CheckOutcome
from pincite.integrations.rows import check_row, citation_rows, comment_of, name_of
from pincite.reports import safe

NAME = "citation_support"
_KNOWN = ("contexts", "query", "judge", "threshold")


def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
    """promptfoo's grading result: the share of judged citations that their source supports.

    The contexts are in the output, in the response's metadata, or in the test's variables, under one of the
    usual names. The assertion's `config` may name another variable (`contexts`, `query`), a `judge`, and the
    `threshold` that the share must reach, 1 without it.

    promptfoo has no score for what was not measured. As with its own graders, such a result fails with
    `graderError` in its metadata; it adds nothing to the named score.
    """
    config = _mapping(context.get("config"))
    variables = {name: _listed(value) for name, value in _mapping(context.get("vars")).items()}
    threshold = _threshold(config)
    unknown = [str(name) for name in config if name not in _KNOWN]
    if unknown:
        raise ConfigError(f"config has {', '.join(unknown)}: the assertion knows {', '.join(_KNOWN)}")
    outcome = check_row(
        output,
        _mapping(context.get("metadata")),
        variables,
        contexts=_variable(config, "contexts", variables),
        query=_variable(config, "query", variables),
        judge=config.get("judge"),
    )
    return _grading(outcome, threshold)


def _grading(outcome: CheckOutcome, threshold: float) -> dict[str, Any]:
    details = {"citations": citation_rows(outcome), "unjudged": outcome.unjudged}
    if outcome.score is None:
        return {
            "pass": False,
            "score": 0,
            "reason": f"unjudged: {safe(outcome.reason)}",
            "metadata": {**details, "graderError": True},
        }
    components = [
        {
            "pass": one.value == 1.0,
            "score": one.value,
            "reason": " ".join((name_of(one), f"is {one.verdict}:", *one.codes, safe(one.reason))),
        }
        for one in outcome.citations
        if one.value is not None
    ]
    return {
        "pass": outcome.score >= threshold,
        "score": outcome.score,
        "reason": comment_of(outcome),
        "namedScores": {NAME: outcome.score},
        "componentResults": components,
        "metadata": details,
    }


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: Any) -> Any:
    """A list that is written as JSON, as it is in a CSV file of tests; anything else as it is."""
    if isinstance(value, str) and value.startswith("["):
        try:
            found = read_json(value)
        except (ValueError, RecursionError, MsgspecError):
            return value
        return found if isinstance(found, list) else value
    return value


def _variable(config: Mapping[str, Any], name: str, variables: Mapping[str, Any]) -> Any:
    """What the variable holds that the configuration names, or None if it names none."""
    if name not in config:
        return None
    if config[name] not in variables:
        raise ConfigError(f"config says {name}: {config[name]}, but the test has no such variable")
    return variables[config[name]]


def _threshold(config: Mapping[str, Any]) -> float:
    value = config.get("threshold", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(f"config says threshold: {value!r}; give a number from 0 to 1")
    return float(value)

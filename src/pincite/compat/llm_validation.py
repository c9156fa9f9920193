"""The language model evaluation of the citation accuracy document: its names, over Pincite's own judges.

What a judge could not decide is None, never a number. docs/specification.md says how and why this differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.base import run_sync
from pincite.config import Settings, with_overrides
from pincite.errors import ConfigError, InputError
from pincite.judges import Judge, open_judge
from pincite.records import Pair, Passage, Question, Verdict

READ_WHOLE = 20_000
"""Sources of more characters than this together are shown by their best passages, searched in full."""

_GRADES = (1.0, 0.5, 0.0)
"""Fully supported, partially supported, not supported: the document's 1, 2 and 3."""


def calculate_semantic_support(
    claim: str, cited_text: str, judge: str | Judge | None = None, settings: Settings | None = None
) -> float | None:
    """How well the cited text supports the claim, 0.0 to 1.0; None when the judge could not decide.

    Without a `judge` the configured language model is asked (`llm`). Give `"rules"` to stay offline.
    """
    return _ask(_judge(judge, settings), "support", claim, _passages([cited_text])).score


class LLMCitationValidator:
    """Support, consistency and hallucination of one claim at a time, each asked of a language model.

    `llm_config` has the document's keys `model`, `temperature`, `max_tokens` and `retry_attempts`, and any
    other setting under `llm`. A `judge` given goes before it.
    """

    def __init__(self, llm_config: Mapping[str, Any] | None = None, judge: str | Judge | None = None) -> None:
        self.llm_config = dict(llm_config or {})
        self._judge = _judge(judge, _settings(self.llm_config))

    def evaluate_support(self, claim: str, cited_text: str) -> float | None:
        """How well the cited text supports the claim, or None."""
        return self.verdict(claim, [cited_text], "support").score

    def evaluate_consistency(self, claim: str, cited_text: str) -> float | None:
        """Whether the cited text is free of contradictions to the claim: 1.0 when it is, or None.

        This is not support: a text that is silent about the claim is consistent with it.
        """
        return self.verdict(claim, [cited_text], "consistency").score

    def detect_hallucination(self, claim: str, available_sources: Sequence[str]) -> float | None:
        """1.0 for a claim that the sources support fully, 0.5 in part, 0.0 not at all; None when unjudged."""
        score = self.verdict(claim, available_sources, "grounding").score
        return None if score is None else min(_GRADES, key=lambda grade: abs(grade - score))

    def verdict(self, claim: str, texts: Sequence[str], question: Question = "support") -> Verdict:
        """The whole verdict behind a score, with its reason and what it rests on."""
        return _ask(self._judge, question, claim, _passages(texts, claim))


def _judge(judge: str | Judge | None, settings: Settings | None) -> Judge:
    return open_judge("llm" if judge is None else judge, settings or Settings())


def _settings(llm_config: Mapping[str, Any]) -> Settings:
    for name in llm_config:
        if "key" in str(name).lower():
            raise ConfigError(f"llm_config takes no {name}: set OPENROUTER_API_KEY or OPENAI_API_KEY instead")
    return with_overrides(Settings(), {f"llm_{name}": value for name, value in llm_config.items()})


def _ask(judge: Judge, question: Question, claim: str, passages: tuple[Passage, ...]) -> Verdict:
    if not isinstance(claim, str):
        raise InputError(f"the claim is of type {type(claim).__name__}: give its text")
    return run_sync(judge.judge([Pair(claim, passages, question)]), judge.waits)[0]


def _passages(texts: Sequence[str], claim: str = "") -> tuple[Passage, ...]:
    """The texts in full, or, where they are long, what they have to say about the claim."""
    if isinstance(texts, str):
        raise InputError("the sources are one text: give a list of texts")
    for text in texts:
        if not isinstance(text, str):
            raise InputError(f"a cited text or source is of type {type(text).__name__}: give its text")
    whole = tuple(Passage(text, f"source {number}", 0, len(text)) for number, text in enumerate(texts, 1))
    if not claim or sum(map(len, texts)) <= READ_WHOLE:
        return whole
    from pincite.sources import best_passages, open_sources

    library = open_sources({passage.document: passage.text for passage in whole})
    return tuple(found for source in library.sources for found in best_passages(claim, source))

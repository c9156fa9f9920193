"""What answering would ask of a hosted model, and what that may cost, without a key and without a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pincite.answering.options import AnswerOptions
from pincite.answering.records import DraftRequest, Way
from pincite.answering.retrieving import refuse_question, retrieve
from pincite.config import Settings
from pincite.judges.judge import Prompt
from pincite.sources.library import Library


def expect_answers(
    questions: Sequence[str], library: Library, model: str, settings: Settings, options: AnswerOptions
) -> dict[str, Any]:
    """The first request for each question, every reply as long as it may become."""
    kind, _, name = model.partition(":")
    kind = kind.removesuffix("-responses")
    kind = "openai" if kind in ("gemini", "mistral") else kind
    prompts: list[Prompt] = []
    found = 0
    for question in questions:
        passages = retrieve(refuse_question(question), library, options.passages)
        found += bool(passages)
        way: Way = "provider_citations" if kind == "anthropic" else "json_schema"
        request = DraftRequest(
            question, passages, way, options.cite == "quotes", options.max_sentences, seed=options.seed
        )
        if passages and kind in ("openai", "anthropic"):
            prompts.append(_prompt(kind, request))
    told: dict[str, Any] = {"questions": len(questions), "with_passages": found, "model": model}
    if kind not in ("openai", "anthropic"):
        return {**told, "requests": 0, "input_tokens": 0, "output_tokens": 0, "cost": 0.0}
    from pincite.answering.backends.calling import LONGER_REPLIES
    from pincite.judges.llm.transport import estimate

    llm = replace(settings.llm, max_tokens=settings.llm.max_tokens * LONGER_REPLIES)
    usage = estimate(prompts, name, replace(settings, llm=llm))
    return {
        **told,
        "requests": usage.requests,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost": usage.cost,
    }


def _prompt(kind: str, request: DraftRequest) -> Prompt:
    if kind == "anthropic":
        from pincite.answering.backends.anthropic import cited_prompt

        return cited_prompt(request)
    from pincite.answering.prompting import write_prompt

    return write_prompt(request)

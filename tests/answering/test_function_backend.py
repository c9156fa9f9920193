"""A function of the user's own drafts; what it writes is checked like anything else."""

from __future__ import annotations

from typing import Any

import pytest
from drafts import ASKED, SOURCES, drafted, said

import pincite
from pincite.answering import AnswerDraft, DraftRequest
from pincite.errors import InputError

GOOD = "A cubic metre of water costs 2.50 euros [1]."


def as_text(question: str, passages: Any) -> str:
    return GOOD


def as_object(question: str, passages: Any) -> dict[str, Any]:
    return {
        "sentences": [{"text": "A cubic metre of water costs 2.50 euros.", "citations": [{"passage": 1}]}]
    }


async def as_draft(request: DraftRequest) -> AnswerDraft:
    if request.failed:
        return drafted(said("A cubic metre of water costs 2.50 euros.", 1))
    return drafted(said("A cubic metre of water costs 9.99 euros.", 1))


@pytest.mark.parametrize("function", [as_text, as_object, as_draft, f"{__name__}:as_text"])
def test_a_function_may_return_text_an_object_or_a_draft(function: Any) -> None:
    result = pincite.answer(ASKED, SOURCES, model=function, judge="rules")
    assert (result.text, result.grounding) == (GOOD, "function") and result.ok


def test_a_function_that_raises_or_returns_nonsense_is_a_failure_with_a_reason() -> None:
    def broken(question: str, passages: Any) -> str:
        raise ZeroDivisionError("by zero")

    result = pincite.answer(ASKED, SOURCES, model=broken, judge="rules")
    assert result.status == "failed" and "ZeroDivisionError: by zero" in result.reason
    odd: Any = lambda question, passages: 7  # noqa: E731
    result = pincite.answer(ASKED, SOURCES, model=odd, judge="rules")
    assert result.status == "failed" and "not a draft" in result.reason


def test_a_model_that_does_not_exist_is_an_error_that_says_what_there_is() -> None:
    with pytest.raises(InputError, match="did you mean openai"):
        pincite.answer(ASKED, SOURCES, model="opnai:gpt")
    with pytest.raises(InputError, match="cannot import 'no_such_module'"):
        pincite.answer(ASKED, SOURCES, model="no_such_module:answer")
    with pytest.raises(InputError, match=r"package\.module:function"):
        pincite.answer(ASKED, SOURCES, model="something")

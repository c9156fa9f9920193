"""`check_contexts`: an answer and a list of texts in, a report out."""

from __future__ import annotations

from typing import Any

import pytest

import pincite
from pincite.config import Limits

TEXTS = ["Revenue grew by 21% in the first quarter of 2023.", "Costs fell by 3% in 2023."]


def standings(report: pincite.Report) -> list[str]:
    return [one.standing for one in report.judged.citations]


def test_an_answer_is_checked_against_texts() -> None:
    report = pincite.check_contexts(
        "Revenue grew by 12% in the first quarter [1]. Costs fell by 3% in 2023 [costs].",
        TEXTS,
        ids=["revenue", "costs"],
        query="How did the year go?",
        judge="rules",
    )
    assert standings(report) == ["contradicted", "correct"]
    assert [finding.code for finding in report.findings] == ["PIN203"]
    assert report.answer.query == "How did the year go?"


def test_it_is_check_with_the_contexts_as_sources() -> None:
    answer = "Revenue grew by 12% in the first quarter [1]. Costs fell by 3% [2]. Staff rose by 4%."
    one = pincite.check_contexts(answer, TEXTS, judge="rules")
    other = pincite.check(answer, sources=pincite.contexts(TEXTS), judge="rules")
    assert (one.findings, one.summary, one.judged) == (other.findings, other.summary, other.judged)


def test_settings_and_overrides_count() -> None:
    answer = "Revenue grew by 12% in the first quarter [1]."
    assert pincite.check_contexts(answer, TEXTS, judge="rules", ignore=("PIN203",)).findings == ()
    small = pincite.Settings(limits=Limits(source_bytes=1_000_000))
    assert standings(pincite.check_contexts(answer, ["x" * 2_000_000], settings=small, judge="rules")) == [
        "unjudged"
    ]


def test_a_judge_of_ones_own_is_asked_once_opened_and_not_closed() -> None:
    judge = pincite.open_judge("rules")
    for _ in range(2):
        assert standings(pincite.check_contexts("Costs fell by 3% [2].", TEXTS, judge=judge)) == ["correct"]


def test_a_payload_of_a_provider_is_an_answer_too() -> None:
    payload = {
        "answer": "Costs fell by 3% in 2023 [2].",
        "query": "Own question?",
    }
    assert pincite.check_contexts(payload, TEXTS, judge="rules").answer.query == "Own question?"
    assert pincite.check_contexts(payload, TEXTS, query="Given?", judge="rules").answer.query == "Given?"


@pytest.mark.parametrize("contexts", [None, "one text", 5, [5]])
def test_what_is_no_list_of_texts_is_an_input_error(contexts: Any) -> None:
    with pytest.raises(pincite.InputError, match="context"):
        pincite.check_contexts("Yes [1].", contexts, judge="rules")


def test_no_contexts_make_every_number_point_nowhere() -> None:
    report = pincite.check_contexts("Costs fell by 3% [1].", [], judge="rules")
    assert [finding.code for finding in report.findings if finding.targets] == ["PIN108"]

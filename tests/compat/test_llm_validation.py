"""The names of the document's language model evaluation, over a real server and over the rule judge."""

from __future__ import annotations

import pytest

from llm_material import blocks, user_text, verdict, verdicts
from llm_server import LlmServer, fails, in_turn, refuses
from pincite.compat import LLMCitationValidator, calculate_semantic_support
from pincite.config import LlmSettings, Settings
from pincite.errors import ConfigError, InputError, JudgeError

CLAIM = "Revenue rose by 12%."
TEXT = "In spring revenue rose by 12%, the board said."


@pytest.fixture(autouse=True)
def own_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path))
    for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def validator(server: LlmServer, **config: object) -> LLMCitationValidator:
    return LLMCitationValidator({"base_url": server.url, "retry_attempts": 0, **config})


@pytest.mark.parametrize(
    ("reply", "score"), [("0.8", 0.8), ("0.8/1.0", 0.8), ("Score: 0.2", 0.2), ("1.0", 1.0)]
)
def test_semantic_support_is_the_score_that_the_model_gives(reply, score):
    with LlmServer(reply) as server:
        settings = Settings(llm=LlmSettings(base_url=server.url, retry_attempts=0))
        assert calculate_semantic_support(CLAIM, TEXT, settings=settings) == score
        assert validator(server, model="another").evaluate_support(CLAIM, TEXT) == score
        assert [body["model"] for body in server.bodies] == ["openrouter/auto", "another"]


@pytest.mark.parametrize("reply", ["nan", "no idea", "7", refuses(), fails(500)])
def test_what_could_not_be_judged_is_none_and_no_number(reply):
    with LlmServer(reply) as server:
        one = validator(server)
        assert one.evaluate_support(CLAIM, TEXT) is None
        assert one.evaluate_consistency(CLAIM, TEXT) is None
        assert one.detect_hallucination(CLAIM, [TEXT]) is None
        assert one.verdict(CLAIM, [TEXT]).outcome == "unjudged"


@pytest.mark.parametrize(
    ("reply", "score"), [("1", 1.0), ("2", 0.5), ("3", 0.0), (verdicts(verdict(1, 0.5)), 0.5)]
)
def test_hallucination_has_the_three_grades_of_the_document(reply, score):
    with LlmServer(reply) as server:
        assert validator(server).detect_hallucination(CLAIM, [TEXT]) == score


@pytest.mark.parametrize(("score", "grade"), [(0.9, 1.0), (0.6, 0.5), (0.3, 0.5), (0.1, 0.0)])
def test_a_score_between_two_grades_is_the_nearer_one(score, grade):
    with LlmServer(verdicts(verdict(1, score))) as server:
        assert validator(server).detect_hallucination(CLAIM, [TEXT]) == grade


def test_support_and_consistency_are_two_questions():
    with LlmServer(in_turn("0.1", "0.9")) as server:
        one = validator(server)
        assert one.evaluate_support(CLAIM, "It rained.") == 0.1
        assert one.evaluate_consistency(CLAIM, "It rained.") == 0.9
        assert len({body["messages"][0]["content"] for body in server.bodies}) == 2


def test_sources_are_shown_in_full_and_not_by_their_first_200_characters():
    with LlmServer("1") as server:
        source = "Filler. " * 100 + TEXT
        validator(server).detect_hallucination(CLAIM, ["Other.", source])
        assert blocks(user_text(server.bodies[0]))["passage 2"] == source


def test_of_sources_too_long_to_show_the_best_places_are_shown():
    with LlmServer("1") as server:
        sources = ["Nothing of note happened that day. " * 4000, "It rained all week. " * 4000 + TEXT]
        assert validator(server).detect_hallucination(CLAIM, sources) == 1.0
        assert any(TEXT in text for text in blocks(user_text(server.bodies[0])).values())


def test_a_judge_may_be_given_and_then_nothing_is_called():
    assert calculate_semantic_support(CLAIM, TEXT, judge="rules") > 0.5
    one = LLMCitationValidator(judge="rules")
    assert one.detect_hallucination(CLAIM, [TEXT]) == 1.0
    assert one.detect_hallucination(CLAIM, ["It rained."]) == 0.0
    assert one.evaluate_consistency("Revenue rose by 21%.", TEXT) < 0.5
    assert one.evaluate_support("", TEXT) is None


def test_it_works_inside_a_running_event_loop():
    import asyncio

    async def inside() -> float | None:
        return calculate_semantic_support(CLAIM, TEXT, judge="rules")

    assert asyncio.run(inside()) is not None


def test_no_key_is_said_with_what_to_set():
    with pytest.raises(JudgeError, match="OPENROUTER_API_KEY"):
        calculate_semantic_support(CLAIM, TEXT)


@pytest.mark.parametrize(
    "config", [{"api_key": "sk-1"}, {"modell": "x"}, {"temperature": "hot"}, {"max_tokens": 0}]
)
def test_a_wrong_configuration_is_refused_by_name_and_without_its_secret(config):
    with pytest.raises(ConfigError) as refused:
        LLMCitationValidator(config)
    assert next(iter(config)) in str(refused.value) and "sk-1" not in str(refused.value)


@pytest.mark.parametrize("sources", ["one text", [b"bytes"], [None]])
def test_sources_that_are_no_texts_are_refused(sources):
    with pytest.raises(InputError):
        LLMCitationValidator(judge="rules").detect_hallucination(CLAIM, sources)

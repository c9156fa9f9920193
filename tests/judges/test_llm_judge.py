"""The language model judge, against a real server on loopback that also misbehaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from llm_material import (
    by_claim,
    items,
    judge_at,
    pair,
    system_text,
    user_text,
    verdict,
    verdicts,
)
from llm_server import (
    Behaviour,
    LlmServer,
    cuts,
    fails,
    filtered,
    html_page,
    in_turn,
    no_choices,
    refuses,
    says,
    sends,
    stops_short,
    without_schema,
    wrong_json,
)
from pincite.base import run_sync
from pincite.config import CacheSettings, LlmSettings, Settings
from pincite.judges import LlmJudge
from pincite.llm import CallFailed, Prompt, ReplyCache
from pincite.records import Pair, Passage, Usage, Verdict

REVENUE = "In the first quarter revenue rose by 12% to $10 million, the board said."


def judge(judge: LlmJudge, *pairs: Pair) -> list[Verdict]:
    return run_sync(judge.judge(pairs))


def scored(number: int, claim: str) -> dict[str, object]:
    """Believes every claim but the bad ones."""
    return verdict(number, 0.1 if "bad" in claim else 0.9)


@pytest.fixture
def cache(tmp_path: Path):
    opened = ReplyCache(tmp_path / "replies.sqlite3")
    yield opened
    opened.close()


# --- calls -----------------------------------------------------------------------------------------


def test_all_pairs_of_a_question_go_in_one_call_and_come_back_in_order():
    with LlmServer(by_claim(scored)) as server:
        asked = [pair(f"claim {n}{' is bad' if n % 3 == 0 else ''}", REVENUE) for n in range(30)]
        told = judge(judge_at(server.url), *asked)
        assert len(server.seen) == 1
    assert [one.outcome for one in told] == ["not_enough" if n % 3 == 0 else "supported" for n in range(30)]
    assert {one.judge for one in told} == {"llm:test-model support/1"}


def test_each_question_has_its_own_prompt_and_all_are_under_way_at_once():
    def slow(request, nth):
        return Behaviour(by_claim(scored)(request, nth), delay=0.3)

    questions = ("support", "consistency", "grounding", "relevance")
    with LlmServer(slow) as server:
        told = judge(
            judge_at(server.url), *(pair("A claim.", REVENUE, question=q, query="Why?") for q in questions)
        )
        assert len(server.seen) == server.most_at_once == 4
        systems = {system_text(body) for body in server.bodies}
    assert len(systems) == 4
    assert [one.judge for one in told] == [f"llm:test-model {question}/1" for question in questions]


def test_a_check_of_an_answer_takes_fewer_than_five_calls():
    answer = "Revenue rose by 12% [1]. It is bad [1][2]. Nobody said so. Costs fell [2]. The board met [1]."
    sources = {"1": REVENUE, "2": "Costs fell in spring. " * 3}
    with LlmServer(by_claim(scored)) as server:
        report = pincite.check(answer, sources, judge=judge_at(server.url))
        assert 1 <= len(server.seen) < 5
    assert report.summary.judged > 0 and report.summary.unjudged == 0
    assert "PIN201" in report.summary.findings_by_code


def test_the_same_pair_given_twice_is_asked_about_once():
    with LlmServer(by_claim(scored)) as server:
        told = judge(judge_at(server.url), pair("a", REVENUE), pair("b", REVENUE), pair("a", REVENUE))
        assert items(server.bodies[0]) == {1: "a", 2: "b"}
    assert told[0] == told[2]


def test_what_is_too_long_for_one_prompt_goes_in_several():
    pairs = [pair(f"claim {n}", f"passage {n} " * 300) for n in range(20)]
    with LlmServer(by_claim(scored)) as server:
        told = judge(judge_at(server.url, max_prompt_chars=20_000), *pairs)
        assert 3 <= len(server.seen) <= 6
        assert all(len(system_text(body)) + len(user_text(body)) <= 20_000 for body in server.bodies)
    assert [one.outcome for one in told] == ["supported"] * 20


def test_fifty_answers_are_judged_at_once_by_one_judge():
    async def many(judge: LlmJudge) -> list[list[Verdict]]:
        return await asyncio.gather(*(judge.judge([pair(f"claim {n}", REVENUE)]) for n in range(50)))

    with LlmServer(by_claim(scored)) as server:
        one = judge_at(server.url)
        told = run_sync(many(one))
        assert len(server.seen) == 50
    assert all(verdicts[0].outcome == "supported" for verdicts in told)
    assert one.usage.requests == 50


def test_a_judge_may_be_asked_again_from_another_event_loop():
    with LlmServer(by_claim(scored)) as server:
        one = judge_at(server.url)
        for n in range(3):
            assert judge(one, pair(f"claim {n}", REVENUE))[0].outcome == "supported"


def test_a_reply_without_structured_output_is_read_all_the_same():
    with LlmServer(without_schema("Sure:\n```json\n" + verdicts(verdict(1, 0.8)) + "\n```")) as server:
        assert judge(judge_at(server.url), pair("a", REVENUE))[0].score == 0.8


# --- nothing is asked that cannot be answered ------------------------------------------------------


@pytest.mark.parametrize(
    "empty",
    [
        pair("", REVENUE),
        pair(" \n…", REVENUE),
        pair("A claim."),
        pair("A claim.", "", " \t"),
        pair("A claim.", REVENUE, question="relevance"),
        pair("A claim.", REVENUE, question="relevance", query=" "),
        pair("", question="relevance", query="Why?"),
    ],
)
def test_an_empty_claim_or_evidence_is_unjudged_without_a_call(empty):
    with LlmServer(by_claim(scored)) as server:
        told = judge(judge_at(server.url, fallback=0.7), empty, pair("A claim.", REVENUE))
        assert [len(items(body)) for body in server.bodies] == [1]
    assert (told[0].outcome, told[0].score, told[0].cause) == ("unjudged", None, "empty")
    assert told[1].outcome == "supported"


def test_a_claim_alone_can_be_relevant():
    with LlmServer(by_claim(scored)) as server:
        told = judge(judge_at(server.url), pair("A claim.", question="relevance", query="Why?"))
    assert told[0].outcome == "supported"


def test_evidence_of_100000_characters_says_what_to_do_and_costs_no_other_verdict():
    with LlmServer(by_claim(scored)) as server:
        told = judge(judge_at(server.url), pair("a", "word " * 20_000), pair("b", REVENUE))
        assert len(server.seen) == 1
    assert (told[0].outcome, told[0].cause) == ("unjudged", "length")
    assert "100,001 characters" in told[0].reason and "llm.max_prompt_chars" in told[0].reason
    assert told[1].outcome == "supported"


def test_no_pairs_take_no_call():
    assert judge(judge_at("http://127.0.0.1:9/v1")) == []


# --- the place of the evidence ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("revenue rose by 12%", "revenue rose by 12%"),
        ("Revenue  rose by 12% …", "revenue rose by 12%"),
        ("“revenue rose by 12%”", "revenue rose by 12%"),
        ("the board said", "the board said"),
    ],
)
def test_a_quotation_is_found_where_it_stands(quote, found):
    with LlmServer(verdicts(verdict(1, passage=2, quote=quote))) as server:
        told = judge(judge_at(server.url), pair("a", "Something else.", REVENUE))[0]
    assert told.passage == 1 and told.span is not None
    assert told.span.of(REVENUE) == found
    assert told.reason == "so it says"


def test_a_quotation_is_found_in_another_passage_than_the_one_named():
    with LlmServer(verdicts(verdict(1, passage=1, quote="rose by 12%"))) as server:
        told = judge(judge_at(server.url), pair("a", "Something else.", REVENUE))[0]
    assert told.passage == 1 and told.span is not None and told.span.of(REVENUE) == "rose by 12%"


@pytest.mark.parametrize("quote", ["revenue fell by 12%", "evenue rose", "…", "oar"])
def test_a_quotation_that_does_not_stand_there_is_dropped_and_said(quote):
    with LlmServer(verdicts(verdict(1, passage=1, quote=quote))) as server:
        told = judge(judge_at(server.url), pair("a", REVENUE))[0]
    assert (told.outcome, told.score, told.passage, told.span) == ("supported", 0.9, 0, None)
    assert "are not in the passages" in told.reason


def test_a_passage_of_another_item_is_not_taken_for_ones_own():
    reply = verdicts(verdict(1, passage=2), verdict(2, passage=2), verdict(3, passage=99))
    with LlmServer(reply) as server:
        told = judge(judge_at(server.url), pair("a", "One."), pair("b", "Two."), pair("c", "One.", "Two."))
    assert [one.passage for one in told] == [None, 0, None]


def test_a_reason_cannot_colour_or_break_a_report():
    with LlmServer(verdicts(verdict(1, reason="\x1b[31mred\u202e\nnext" + "x" * 900))) as server:
        told = judge(judge_at(server.url), pair("a", REVENUE))[0]
    assert told.reason.startswith("\\x1b[31mred\\u202e next") and len(told.reason) <= 300


# --- replies that cannot be read -------------------------------------------------------------------


def test_only_what_was_not_read_is_asked_again_with_what_was_wrong():
    replies = in_turn(
        verdicts(verdict(1, 0.9), {"item": 2, "score": "NaN"}, verdict(3, 0.1, "supported")),
        verdicts(verdict(1, 0.8), verdict(2, 0.7, passage=1, quote="rose by 12%")),
    )
    with LlmServer(replies) as server:
        told = judge(
            judge_at(server.url, retries=1), pair("a", "One."), pair("b", "Two."), pair("c", REVENUE, "Two.")
        )
        assert items(server.bodies[1]) == {1: "b", 2: "c"}
        again = user_text(server.bodies[1])
    assert "- item 1: its score was not a number" in again
    assert "- item 2: its outcome supported and its score 0.1 did not agree" in again
    assert [one.score for one in told] == [0.9, 0.8, 0.7]
    # Passage 1 of the second prompt is not passage 1 of the first.
    assert told[2].passage == 0 and told[2].span is not None and told[2].span.of(REVENUE) == "rose by 12%"


def test_what_stays_unread_is_unjudged_with_the_reply_kept_and_trimmed():
    with LlmServer("I'd rather \x1b[31mnot say." + "x" * 9000) as server:
        told = judge(judge_at(server.url, retries=2), pair("a", REVENUE), pair("b", REVENUE))
        assert len(server.seen) == 3
    for one in told:
        assert (one.outcome, one.score, one.cause) == ("unjudged", None, "reply")
        assert "it replied: I'd rather \\x1b[31mnot say.x" in one.reason
        assert len(one.reason) < 700


@pytest.mark.parametrize(
    ("bad", "cause"),
    [
        (refuses(), "refusal"),
        (filtered(), "refusal"),
        (says(""), "empty"),
        (no_choices(), "empty"),
        (fails(401, "wrong key"), "auth"),
        (fails(429), "rate_limit"),
        (fails(500), "server"),
        (wrong_json(), "error"),
        (html_page(), "error"),
        (sends("NaN"), "error"),
        (cuts(), "connection"),
        (stops_short(), "length"),
        (says("nan"), "reply"),
        (says("I'm sorry, I can't do that."), "reply"),
        (says('{"verdicts": [{"item": 1, "outcome": "supported", "score": NaN}]}'), "reply"),
        (says('{"verdicts": [{"item": 1, "outcome": "supported", "score": 1e400}]}'), "reply"),
        (says("[" * 100_000), "reply"),
    ],
    ids=lambda case: case if isinstance(case, str) else None,
)
def test_a_call_that_fails_leaves_its_own_pairs_unjudged_and_all_others_judged(bad, cause):
    def reply(request, nth):
        return bad if "contradict" in system_text(request)[:60] else by_claim(scored)(request, nth)

    with LlmServer(reply) as server:
        told = judge(
            judge_at(server.url),
            pair("a", REVENUE),
            pair("b", REVENUE, question="consistency"),
            pair("c", REVENUE, question="grounding"),
        )
    assert [one.outcome for one in told] == ["supported", "unjudged", "supported"]
    assert (told[1].score, told[1].cause) == (None, cause)
    assert told[1].reason and told[1].reason.isprintable()


def test_the_words_of_a_refusal_are_kept():
    with LlmServer(refuses("I must not judge this.")) as server:
        told = judge(judge_at(server.url), pair("a", REVENUE))[0]
    assert told.reason.count("I must not judge this.") == 1


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (fails(401, "Incorrect key"), "Incorrect key"),
        (fails(404, "no such model"), "no such model"),
        (refuses("I will \x1b[31mnot judge."), "not judge."),
    ],
)
def test_what_an_endpoint_said_stands_in_the_reason_once_and_not_as_json(behaviour, words):
    with LlmServer(behaviour) as server:
        told = judge(judge_at(server.url), pair("a", REVENUE))[0]
    assert told.reason.count(words) == 1
    assert "{" not in told.reason and "\x1b" not in told.reason


def test_nobody_listening_is_said_with_what_to_do():
    told = judge(judge_at("http://127.0.0.1:9/v1"), pair("a", REVENUE))[0]
    assert (told.outcome, told.cause) == ("unjudged", "connection")
    assert "base URL" in told.reason


def test_a_reply_that_was_cut_off_keeps_what_is_whole_and_asks_for_the_rest():
    whole = verdicts(verdict(1, 0.9), verdict(2, 0.8), verdict(3, 0.7))
    replies = in_turn(stops_short(whole[: whole.rindex('"item"') + 20]), verdicts(verdict(1, 0.6)))
    with LlmServer(replies) as server:
        told = judge(judge_at(server.url, retries=1), *(pair(claim, REVENUE) for claim in "abc"))
        assert items(server.bodies[1]) == {1: "c"}
    assert [one.score for one in told] == [0.9, 0.8, 0.6]


class Broken:
    """A caller with a fault of its own, whose message nobody has cleaned."""

    identity: ClassVar = {"model": "broken"}
    usage: ClassVar = Usage()

    async def call(self, prompt: Prompt) -> str:
        raise RuntimeError("Authorization: Bearer sk-secret")


def test_an_unforeseen_error_is_unjudged_and_its_message_is_not_repeated():
    told = judge(LlmJudge(Broken()), pair("a", REVENUE))[0]
    assert (told.outcome, told.cause) == ("unjudged", "error")
    assert "RuntimeError" in told.reason and "secret" not in told.reason


class Canned:
    """A caller that knows its replies, or failures, beforehand and counts nothing."""

    identity: ClassVar = {"model": "canned"}

    def __init__(self, *replies: str | CallFailed) -> None:
        self.replies = list(replies)
        self.usage = Usage()

    async def call(self, prompt: Prompt) -> str:
        reply = self.replies.pop(0)
        if isinstance(reply, CallFailed):
            raise reply
        self.usage += Usage(requests=1, input_tokens=10, output_tokens=5, cost=0.25)
        return reply


def test_a_call_that_fails_when_asked_again_keeps_what_was_read_before():
    caller = Canned(verdicts(verdict(1)), CallFailed("over the budget", "budget"))
    told = judge(LlmJudge(caller), pair("a", REVENUE), pair("b", REVENUE))
    assert told[0].outcome == "supported"
    assert (told[1].outcome, told[1].cause, told[1].reason) == ("unjudged", "budget", "over the budget")
    assert caller.replies == []


@given(
    st.text(max_size=60)
    | st.builds(
        lambda told: verdicts(*told),
        st.lists(
            st.builds(
                verdict,
                st.integers(0, 3),
                st.floats(0, 1),
                passage=st.none() | st.integers(-1, 4),
                quote=st.none()
                | st.text(max_size=12)
                | st.sampled_from(["rose", "BY 12%", "$10 million,", "Oth"]),
                reason=st.text(max_size=30),
            ),
            max_size=4,
        ),
    )
)
def test_whatever_a_model_says_a_verdict_is_whole_or_there_is_none(reply):
    pairs = [pair("a", REVENUE), pair("b", "Other.", REVENUE)]
    for one, asked in zip(judge(LlmJudge(Canned(reply), retry_attempts=0), *pairs), pairs, strict=True):
        assert one.reason and one.reason.isprintable()
        if one.outcome == "unjudged":
            assert one.score is None and one.cause in ("reply", "empty")
            continue
        assert one.score is not None and (one.outcome == "supported") == (one.score >= 0.5)
        assert one.passage is None or 0 <= one.passage < len(asked.passages)
        if one.span is not None:
            assert 0 <= one.span.start < one.span.end <= len(asked.passages[one.passage].text)


# --- a fallback score ------------------------------------------------------------------------------


@pytest.mark.parametrize("score", [0.7, 0.5, 0.0])
def test_a_fallback_score_says_so_and_stays_unjudged(score):
    for caller in (Canned("no idea"), Canned(CallFailed("too slow", "timeout"))):
        told = judge(LlmJudge(caller, retry_attempts=0, fallback=score), pair("a", REVENUE))[0]
        assert (told.outcome, told.score, told.cause) == ("unjudged", score, "fallback")
        assert "errors.fallback_scoring" in told.reason


# --- the cache -------------------------------------------------------------------------------------


def test_a_second_run_makes_no_call_and_says_the_same(cache):
    pairs = [
        pair("a", REVENUE),
        pair("bad b", REVENUE),
        pair("c", REVENUE, question="relevance", query="Why?"),
    ]
    with LlmServer(by_claim(scored)) as server:
        first = judge(judge_at(server.url, cache), *pairs)
        again = judge_at(server.url, cache)
        assert judge(again, *pairs) == first
        assert len(server.seen) == 2
    assert (again.usage.requests, again.usage.cache_hits, again.usage.cost) == (0, 2, 0.0)


def test_a_second_run_makes_no_call_even_where_the_first_had_to_ask_again(cache):
    replies = in_turn(
        verdicts(verdict(2, 0.9, "contradicted", quote="nowhere")),
        "What?",
        verdicts(verdict(1, 0.8, passage=1, quote="rose by 12%")),
    )
    pairs = [pair("a", "Filler.", REVENUE), pair("b", "Filler.")]
    with LlmServer(replies) as server:
        first = judge(judge_at(server.url, cache, retries=2), *pairs)
        assert len(server.seen) == 3
        assert judge(judge_at(server.url, cache), *pairs) == first
        assert len(server.seen) == 3
    assert first[0].span is not None and first[0].span.of(REVENUE) == "rose by 12%"
    assert (first[1].outcome, first[1].score) == ("contradicted", 0.0)


def test_what_could_not_be_read_is_not_kept_and_only_that_is_asked_the_next_time(cache):
    with LlmServer(in_turn(verdicts(verdict(1)), verdicts(verdict(1, 0.2)))) as server:
        pairs = [pair("a", REVENUE), pair("b", REVENUE)]
        assert [one.outcome for one in judge(judge_at(server.url, cache), *pairs)] == [
            "supported",
            "unjudged",
        ]
        told = judge(judge_at(server.url, cache, retries=1), *pairs)
        assert [one.outcome for one in told] == ["supported", "not_enough"]
        assert items(server.bodies[1]) == {1: "b"}
        assert judge(judge_at(server.url, cache), *pairs) == told
        assert len(server.seen) == 2


@pytest.mark.parametrize("bad", [says("no idea"), refuses(), fails(401)])
def test_a_failure_is_never_kept(cache, bad):
    with LlmServer(bad) as server:
        judge(judge_at(server.url, cache), pair("a", REVENUE))
    assert cache.info().entries == 0


def test_another_model_or_text_is_another_entry(cache):
    with LlmServer(by_claim(scored)) as server:
        judge(judge_at(server.url, cache), pair("a", REVENUE))
        judge(judge_at(server.url, cache), pair("a", REVENUE + " "))
        assert len(server.seen) == 2


# --- name, usage, prices ---------------------------------------------------------------------------


def test_usage_is_what_the_replies_took_where_the_caller_does_not_count():
    one = LlmJudge(Canned(verdicts(verdict(1)), verdicts(verdict(1))))
    judge(one, pair("a", REVENUE))
    judge(one, pair("b", REVENUE))
    assert one.usage == Usage(requests=2, input_tokens=20, output_tokens=10, cost=0.5)


def test_prompts_are_shown_before_they_are_sent_without_what_is_cached(cache):
    with LlmServer(by_claim(scored)) as server:
        one = judge_at(server.url, cache)
        pairs = [pair("a", REVENUE), pair("b", REVENUE, question="grounding"), pair("", REVENUE)]
        prompts = one.prompts(pairs)
        assert [prompt.name for prompt in prompts] == ["support/1", "grounding/1"]
        judge(one, *pairs)
        # The two are asked at the same time, and either may arrive first.
        assert sorted(map(user_text, server.bodies)) == sorted(prompt.user for prompt in prompts)
        assert one.prompts(pairs) == []


def test_the_judge_of_the_settings_is_made_by_name(tmp_path):
    with LlmServer(by_claim(scored)) as server:
        settings = Settings(
            llm=LlmSettings(base_url=server.url, retry_attempts=0), cache=CacheSettings(folder=str(tmp_path))
        )
        one = pincite.open_judge("llm:some/model", settings)
        assert one.name == "llm:some/model support/1"
        for _ in range(2):
            told = judge(pincite.open_judge("llm:some/model", settings), pair("a", REVENUE))
            assert told[0].judge == one.name
        assert [body["model"] for body in server.bodies] == ["some/model"]


def test_a_table_cell_is_judged_with_its_heading():
    cell = Pair("Revenue in Q1 was 5.", (Passage("5", context="Quarter: Q1; Revenue:"),))
    with LlmServer(by_claim(scored)) as server:
        judge(judge_at(server.url), cell)
        assert "Quarter: Q1; Revenue:" in user_text(server.bodies[0])

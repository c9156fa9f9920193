"""What calls cost, what they may cost, and that a budget holds."""

from __future__ import annotations

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llm_calls import PLAIN, PROMPT, call, caller_for, failure

import pincite
from llm_server import LlmServer, fails, says
from pincite.config import LlmSettings, Settings
from pincite.errors import ConfigError, JudgeError
from pincite.llm import Budget, CallFailed, Prompt, estimate, make_client, read_prices
from pincite.records import Usage

SHIPPED = Path(pincite.__file__).parent / "llm" / "prices.toml"
PRICE = read_prices(SHIPPED)["claude-haiku-4-5"]
LARGEST_REPLY, MARGIN = 16_384, 64
BILL = {"prompt_tokens": 1000, "completion_tokens": 100}


def estimated(prompt: Prompt, model: str = "m", **llm: Any) -> Usage:
    return estimate([prompt], model, Settings(llm=LlmSettings(**llm)))


def price_of(model: str, prices: str | None = None) -> tuple[float, float] | None:
    """Dollars per million tokens in and out, by what a prompt of a million and 256 tokens may cost."""
    costs = []
    for size in (0, 4_000_000):
        cost = estimated(Prompt("p/1", "x" * size, ""), model, prices=prices, max_tokens=1_000_000).cost
        if cost is None:
            return None
        costs.append(cost)
    return round(costs[1] - costs[0], 6), round(costs[0], 6)


@pytest.fixture
def prices(tmp_path: Path) -> str:
    path = tmp_path / "prices.toml"
    path.write_text('[models."small"]\ninput = 1.0\noutput = 10.0\n', encoding="utf-8")
    return str(path)


def test_the_shipped_prices_can_be_read_and_say_when_they_were_noted() -> None:
    assert len(read_prices(SHIPPED)) > 10
    assert str(tomllib.loads(SHIPPED.read_text(encoding="utf-8"))["noted"]) >= "2026-11-15"


def test_the_prices_of_the_configuration_page_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```toml\n(\[models.*?)^```$", page, re.M | re.S)
    path = tmp_path / "prices.toml"
    path.write_text(shown, encoding="utf-8")
    assert price_of("my/model", str(path)) == (0.2, 0.8)


@pytest.mark.parametrize(
    "name", ["gpt-4o-mini", "openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18", "openrouter/openai/gpt-4o-mini"]
)
def test_a_price_is_found_under_the_names_a_model_goes_by(name: str) -> None:
    assert price_of(name) == (0.15, 0.6)
    assert price_of("claude-haiku-4-5-20251001") == (1.0, 5.0)
    assert price_of("somebody/else") is None and price_of("gpt-4o-mini:free") is None


def test_the_users_prices_go_before_ours(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[models]\n"gpt-4o-mini" = {input = 7, output = 8.5}\n', encoding="utf-8")
    assert price_of("openai/gpt-4o-mini", str(path)) == (7.0, 8.5)
    assert price_of("gpt-4o", str(path)) == price_of("gpt-4o")


@pytest.mark.parametrize(
    "text",
    ["", "x", "[models]\na = 1", "[models.a]\ninput = 1", "models = 3"]
    + [f"[models.a]\ninput = {bad}\noutput = 1" for bad in ("-1", "nan", "inf", "true", '"1"')],
)
def test_prices_that_are_none_are_refused_by_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"bad\.toml") if text else pytest.raises(ConfigError):
        read_prices(path)


def test_a_file_of_prices_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read the prices"):
        make_client("gpt-4o", Settings(llm=LlmSettings(prices=str(tmp_path / "no"))), {"OPENAI_API_KEY": "k"})


def test_money_cannot_be_limited_without_a_price() -> None:
    settings = Settings(llm=LlmSettings(max_cost=1.0, base_url="http://localhost/v1"))
    with pytest.raises(JudgeError, match="price of 'mystery' is not known"):
        make_client("mystery", settings, {})


@settings(deadline=None)
@given(st.text())
def test_tokens_are_bytes_over_four(text: str) -> None:
    tokens = estimated(Prompt("p/1", "", text)).input_tokens
    assert tokens * 4 >= len(text.encode("utf-8", "replace")) > tokens * 4 - 4


@settings(deadline=None)
@given(st.integers(1, 100_000), st.integers(0, 10_000))
def test_a_reply_may_be_as_long_as_its_pairs_need_within_reason(max_tokens: int, pairs: int) -> None:
    longest = estimated(Prompt("p/1", "", "", pairs=pairs), max_tokens=max_tokens).output_tokens
    assert max_tokens <= longest <= max(LARGEST_REPLY, max_tokens)
    assert longest == max_tokens * max(1, pairs) + MARGIN or longest == max(LARGEST_REPLY, max_tokens)


def test_a_run_is_estimated_before_it_costs_anything() -> None:
    prompts = [Prompt("support/1", "a" * 400, "b" * 4000, pairs=2)] * 3
    told = estimate(prompts, "gpt-4o-mini")
    assert (told.requests, told.input_tokens, told.output_tokens) == (3, 3 * 1100, 3 * 264)
    assert told.cost == pytest.approx((3300 * 0.15 + 792 * 0.6) / 1e6)
    assert estimate(prompts, "mystery").cost is None
    assert estimate([], "mystery").cost == 0.0


def test_the_cost_of_a_run_is_counted_by_the_bill(prices: str) -> None:
    with LlmServer(says("ok", usage=BILL)) as server:
        caller = caller_for(server, prices=prices)
        call(caller)
        call(caller)
    assert caller.usage.cost == pytest.approx(2 * (1000 * 1.0 + 100 * 10.0) / 1e6)
    assert caller.usage.input_tokens == 2000 and caller.usage.output_tokens == 200


def test_a_cost_that_the_endpoint_tells_goes_before_the_price(prices: str) -> None:
    with LlmServer(says("ok", usage={**BILL, "cost": 0.25})) as server:
        for told in (prices, None):
            caller = caller_for(server, prices=told)
            call(caller)
            assert caller.usage.cost == 0.25


def test_a_failed_request_is_counted_and_costs_what_its_bill_says(prices: str) -> None:
    with LlmServer(lambda request, nth: fails(500) if nth == 0 else says(" ", usage=BILL)) as server:
        caller = caller_for(server, prices=prices, retry_attempts=1)
        failure(caller)
    assert caller.usage.requests == 2 and caller.usage.input_tokens == 1000
    assert caller.usage.cost == pytest.approx(0.002)


def test_a_budget_of_tokens_stops_cleanly() -> None:
    with LlmServer(says("ok", usage=BILL)) as server:
        caller = caller_for(server, max_tokens_total=2400)
        assert call(caller) == call(caller) == "ok"
        failed = failure(caller)
    assert failed.cause == "budget" and "llm.max_tokens_total" in str(failed)
    assert len(server.seen) == caller.usage.requests == 2


def test_a_request_that_is_too_dear_for_the_whole_budget_is_never_sent(prices: str) -> None:
    with LlmServer() as server:
        failed = failure(caller_for(server, prices=prices, max_cost=0.0001))
    assert failed.cause == "budget" and "llm.max_cost" in str(failed) and server.seen == []


def test_many_at_once_keep_within_the_budget_and_what_was_judged_is_kept(prices: str) -> None:
    async def many() -> list[object]:
        return list(await asyncio.gather(*(caller.call(PLAIN) for _ in range(12)), return_exceptions=True))

    with LlmServer(says("ok", usage={"prompt_tokens": 5, "completion_tokens": 100})) as server:
        caller = caller_for(server, prices=prices, max_cost=0.0066)
        outcomes = asyncio.run(many())
    stopped = [outcome for outcome in outcomes if isinstance(outcome, CallFailed)]
    assert all(outcome.cause == "budget" for outcome in stopped)
    assert len(outcomes) - len(stopped) == len(server.seen) == 5, (
        "at 0.0010 each, with 0.0016 left for the last"
    )
    assert caller.usage.cost is not None and caller.usage.cost <= 0.0066


def test_requests_that_might_be_dear_wait_for_each_other_rather_than_fail(prices: str) -> None:
    async def many() -> None:
        await asyncio.gather(*(caller.call(PROMPT) for _ in range(6)))

    bill = {"prompt_tokens": 1, "completion_tokens": 1}
    with LlmServer(says("ok", usage=bill)) as server:
        caller = caller_for(server, prices=prices, max_cost=0.003)
        dearest = estimated(PROMPT, "small", prices=prices).cost
        assert dearest is not None and dearest * 2 > 0.003 - 0.0001 > dearest
        asyncio.run(many())
    assert len(server.seen) == 6 and server.most_at_once == 1


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 5000)), max_size=30),
    st.integers(1, 20_000),
    st.floats(0, 0.1),
)
def test_a_budget_never_lets_a_request_begin_that_its_estimate_forbids(
    sizes: list[tuple[int, int]], most_tokens: int, most_cost: float
) -> None:
    budget = Budget(PRICE, 100, most_tokens, most_cost)
    tokens, cost = 0, 0.0
    for size, used in sizes:
        expected = budget.estimate(Prompt("p/1", "", "x" * size))
        most = expected.input_tokens + expected.output_tokens
        fits = tokens + most <= most_tokens and cost + (expected.cost or 0) <= most_cost
        assert (budget.refusal(expected) is None) is fits
        if not fits:
            continue
        budget.begin(expected)
        assert budget.must_wait(expected) is (
            tokens + 2 * most > most_tokens or cost + 2 * (expected.cost or 0) > most_cost
        )
        really = min(used, expected.input_tokens)
        budget.end(expected, really, 0)
        tokens, cost = tokens + really, budget.usage.cost or 0.0
    assert tokens <= most_tokens and cost <= most_cost

"""What calls take in tokens and money, before they are made and after, and when to stop."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.base import one_line, read_small_file, read_toml
from pincite.config import Settings
from pincite.errors import ConfigError, JudgeError
from pincite.llm.prompt import Prompt
from pincite.records import Usage

_MOST = 1e300
"""NaN, infinity and numbers that are larger than any float are not below it."""
_MOST_BYTES = 16 * 1024 * 1024
"""Of a file of prices."""
SHIPPED = Path(__file__).with_name("prices.toml")
_DATE = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8})\Z")


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


def find_price(model: str, own: str | None = None) -> Price | None:
    """The price of a model: by the user's file, then by ours, or None.

    A name is looked up as it is, then without the company before it (`openai/gpt-4o`) and the date after it.
    """
    for path in (Path(own), SHIPPED) if own else (SHIPPED,):
        prices = read_prices(path)
        for name in _names(model):
            if name in prices:
                return prices[name]
    return None


def read_prices(path: Path) -> dict[str, Price]:
    """The prices in a TOML file: a table `models."NAME"` with `input` and `output` for each model."""
    try:
        parsed = read_toml(read_small_file(path, _MOST_BYTES))
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the prices: {error.strerror or error}") from error
    except ValueError as error:
        said = one_line(error)
        raise ConfigError(f"{path}: the prices are not valid TOML: {said}") from error
    models = parsed.get("models")
    if not isinstance(models, dict):
        raise ConfigError(f'{path}: there is no table of prices: write [models."NAME"] with input and output')
    return {name: _price(path, name, given) for name, given in models.items()}


def _price(path: Path, name: str, given: Any) -> Price:
    figures = [given.get(side) for side in ("input", "output")] if isinstance(given, dict) else []
    good = [
        float(figure)
        for figure in figures
        if isinstance(figure, int | float) and not isinstance(figure, bool)
        if 0 <= figure < _MOST
    ]
    if len(good) != 2:
        raise ConfigError(f"{path}: {name!r} needs input and output, each in US dollars per million tokens")
    return Price(good[0], good[1])


def _names(model: str) -> list[str]:
    short = model.rpartition("/")[2]
    return list(dict.fromkeys((model, short, _DATE.sub("", model), _DATE.sub("", short))))


BYTES_A_TOKEN = 4
"""A rule of thumb for English; in UTF-8 it also holds for scripts with one token per character."""
MARGIN = 64
"""Tokens for what surrounds the verdicts of a reply."""
LARGEST_REPLY = 16_384
"""More tokens than this are only asked for when `max_tokens` alone is more: many models refuse them."""


class CallEstimate(Struct, frozen=True):
    """What one request takes at most, as far as can be told before."""

    input_tokens: int
    output_tokens: int
    cost: float | None


def count_tokens(text: str) -> int:
    """About how many tokens a text has: its bytes in UTF-8 ÷ 4."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN)


def reply_tokens(max_tokens: int, pairs: int) -> int:
    """How long a reply about so many pairs may become, when one pair gets `max_tokens`."""
    return min(max_tokens * max(1, pairs) + MARGIN, max(LARGEST_REPLY, max_tokens))


class UsageTally:
    """What was taken in one context, by whichever callers, while others work beside it."""

    def __init__(self) -> None:
        self.total = Usage()


_TALLY: ContextVar[UsageTally | None] = ContextVar("pincite_usage", default=None)


def tally_usage() -> UsageTally:
    """Count what is taken from here on in this context, and nothing that is taken beside it."""
    tally = UsageTally()
    _TALLY.set(tally)
    return tally


def count_usage(taken: Usage) -> None:
    """Count this for whoever asked for the work that is being done."""
    tally = _TALLY.get()
    if tally is not None:
        tally.total += taken


class Budget:
    """Counts what a caller takes, and says when the next request would go over the budget."""

    def __init__(
        self, price: Price | None, max_tokens: int, tokens_total: int | None, cost: float | None
    ) -> None:
        self.usage = Usage()
        self._price = price
        self._max_tokens = max_tokens
        self._most_tokens = tokens_total
        self._most_cost = cost
        self._under_way: list[CallEstimate] = []

    def estimate(self, prompt: Prompt) -> CallEstimate:
        """What a prompt takes: its own bytes, and the longest reply that it allows."""
        asked = count_tokens(prompt.system) + count_tokens(prompt.user)
        if prompt.schema is not None or prompt.documents:
            import json

            asked += count_tokens(json.dumps(prompt.schema)) if prompt.schema is not None else 0
            asked += sum(count_tokens(json.dumps(block, ensure_ascii=False)) for block in prompt.documents)
        replied = reply_tokens(self._max_tokens, prompt.pairs)
        return CallEstimate(asked, replied, None if self._price is None else self._price.of(asked, replied))

    def total(self, prompts: Iterable[Prompt]) -> Usage:
        """What prompts take at most, one request each."""
        expected = map(self.estimate, prompts)
        return sum((Usage(1, one.input_tokens, one.output_tokens, one.cost) for one in expected), Usage())

    def refusal(self, next_one: CallEstimate) -> str | None:
        """Why the request may not be sent, now or later; None when it may."""
        return self._over(next_one, ())

    def must_wait(self, next_one: CallEstimate) -> bool:
        """Whether it may only be sent when those under way turn out to take less than they may."""
        return bool(self._under_way) and self._over(next_one, self._under_way) is not None

    def begin(self, estimate: CallEstimate) -> None:
        self._under_way.append(estimate)

    def cancel(self, estimate: CallEstimate) -> Usage:
        """Forget a request that was never sent."""
        self._under_way.remove(estimate)
        return Usage()

    def end(
        self, estimate: CallEstimate, input_tokens: int, output_tokens: int, cost: float | None = None
    ) -> Usage:
        """Count one request, by the cost that the endpoint told or else by the price, and give its count."""
        self._under_way.remove(estimate)
        if cost is None and not input_tokens and not output_tokens:
            cost = 0.0
        elif cost is None and self._price is not None:
            cost = self._price.of(input_tokens, output_tokens)
        taken = Usage(1, input_tokens, output_tokens, cost)
        self.usage += taken
        count_usage(taken)
        return taken

    def _over(self, next_one: CallEstimate, others: Sequence[CallEstimate]) -> str | None:
        if self._most_tokens is not None:
            spent = self.usage.input_tokens + self.usage.output_tokens
            more = next_one.input_tokens + next_one.output_tokens
            waiting = sum(other.input_tokens + other.output_tokens for other in others)
            if spent + waiting + more > self._most_tokens:
                return (
                    f"the budget of {self._most_tokens} tokens does not allow another request: {spent} were "
                    f"used, and it may take {more}; raise llm.max_tokens_total"
                )
        if self._most_cost is not None:
            paid, price = self.usage.cost or 0.0, next_one.cost or 0.0
            if paid + sum(other.cost or 0.0 for other in others) + price > self._most_cost:
                return (
                    f"the budget of ${self._most_cost:g} does not allow another request: ${paid:.4f} were "
                    f"spent, and it may cost ${price:.4f}; raise llm.max_cost"
                )
        return None


def require_price(model: str, price: Price | None, max_cost: float | None) -> None:
    """A limit on money needs a price to hold it."""
    if max_cost is not None and price is None:
        raise JudgeError(
            f"llm.max_cost cannot be enforced: the price of {model!r} is not known. Write a TOML file "
            f'with [models."{model}"], input and output in US dollars per million tokens, and set '
            "llm.prices to its path"
        )


def estimate(prompts: Iterable[Prompt], model: str, settings: Settings | None = None) -> Usage:
    """What prompts would take at most, without a key and without a call.

    Tokens are guessed as bytes ÷ 4, and every reply as long as it may become. `cost` is None without a price.
    """
    llm = (settings or Settings()).llm
    price = find_price(model.removeprefix("anthropic:"), llm.prices)
    return Budget(price, llm.max_tokens, None, None).total(prompts)

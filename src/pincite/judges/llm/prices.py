"""What models cost: a shipped list that ages, and the user's own that goes before it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincite.errors import ConfigError
from pincite.toml_limits import read_toml

_MOST = 1e300
"""NaN, infinity and numbers that are larger than any float are not below it."""
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
    for path in (Path(own) if own else None, SHIPPED):
        if path is None:
            continue
        prices = read_prices(path)
        for name in _names(model):
            if name in prices:
                return prices[name]
    return None


def read_prices(path: Path) -> dict[str, Price]:
    """The prices in a TOML file: a table `models."NAME"` with `input` and `output` for each model."""
    try:
        parsed = read_toml(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the prices: {error.strerror or error}") from error
    except ValueError as error:
        raise ConfigError(
            f"{path}: the prices are not valid TOML: {' '.join(str(error).split())[:200]}"
        ) from error
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

"""Units and currencies: what each spelling means, and its factor to the base unit of its kind."""

from __future__ import annotations

from typing import NamedTuple

from pincite.text.wordlists import LISTS, word_set


class NumberUnit(NamedTuple):
    """What a number measures, and how it becomes the base unit of its kind: by an offset, then a factor."""

    kind: str
    name: str = ""
    factor: float = 1.0
    offset: float = 0.0

    def to_base(self, value: float) -> float:
        return (value + self.offset) * self.factor

    def width(self, value: float) -> float:
        """A difference, which no offset shifts."""
        return value * self.factor


def _listed() -> dict[str, NumberUnit]:
    units = {}
    for name, (kind, factor, *spellings) in LISTS.keyed("units").items():
        numerator, _, divisor = factor.partition("/")
        unit = NumberUnit(kind, name, float(numerator) / float(divisor or 1))
        units.update(dict.fromkeys(spellings, unit))
    return units


UNITS = _listed()
CELSIUS = NumberUnit("temperature", "°C", 1.0, 273.15)
FAHRENHEIT = NumberUnit("temperature", "°F", 5 / 9, 459.67)
KELVIN = NumberUnit("temperature", "K", 1.0)
DEGREES = NumberUnit("degrees", "°")
UNITS |= {"celsius": CELSIUS, "fahrenheit": FAHRENHEIT, "kelvin": KELVIN, "kelvins": KELVIN}

PERCENT = UNITS["percent"]
POINTS = UNITS["pp"]
COUNT = NumberUnit("count")

ONE_LETTER = {letter: UNITS[letter] for letter in "mgl"} | {
    **{"s": UNITS["second"], "h": UNITS["hour"], "W": UNITS["watt"], "V": UNITS["volt"]},
    **{"K": KELVIN, "C": CELSIUS, "F": FAHRENHEIT},
}
"""Single letters, by case: units only directly after a number."""

SQUARE = {
    spelling: UNITS["m²"] if unit.name == "m" else NumberUnit("area", "sq " + unit.name, unit.factor**2)
    for spelling, unit in UNITS.items()
    if unit.kind == "length"
}
CUBIC = {
    spelling: NumberUnit("volume", "cu " + unit.name, unit.factor**3 * 1e3)
    for spelling, unit in UNITS.items()
    if unit.kind == "length"
}
"""`square miles`, `sq ft`, `cubic metres`: the lengths, squared and cubed."""

SYMBOLS = LISTS.keys("currency signs")
DOLLARS = LISTS.keys("dollars")
CURRENCY_WORDS = LISTS.keys("currency words")
CODES = word_set(
    "USD EUR GBP JPY INR RUB KRW CNY RMB CHF CAD AUD NZD HKD SGD SEK NOK DKK BRL MXN ZAR TRY BTC"
)

"""Units and currencies: what each spelling means, and its factor to the base unit of its kind."""

from __future__ import annotations

from typing import NamedTuple

from pincite.text.wordlists import LISTS, word_set


class Unit(NamedTuple):
    """A unit of measure; `offset` is added before the factor (for temperatures)."""

    kind: str
    name: str
    factor: float = 1.0
    offset: float = 0.0


def _listed() -> dict[str, Unit]:
    units = {}
    for name, (kind, factor, *spellings) in LISTS.keyed("units").items():
        numerator, _, divisor = factor.partition("/")
        unit = Unit(kind, name, float(numerator) / float(divisor or 1))
        units.update(dict.fromkeys(spellings, unit))
    return units


UNITS = _listed()
CELSIUS = Unit("temperature", "°C", 1.0, 273.15)
FAHRENHEIT = Unit("temperature", "°F", 5 / 9, 459.67)
KELVIN = Unit("temperature", "K", 1.0)
DEGREES = Unit("degrees", "°")
UNITS |= {"celsius": CELSIUS, "fahrenheit": FAHRENHEIT, "kelvin": KELVIN, "kelvins": KELVIN}

PERCENT = UNITS["percent"]
POINTS = UNITS["pp"]

ONE_LETTER = {letter: UNITS[letter] for letter in "mgl"} | {
    **{"s": UNITS["second"], "h": UNITS["hour"], "W": UNITS["watt"], "V": UNITS["volt"]},
    **{"K": KELVIN, "C": CELSIUS, "F": FAHRENHEIT},
}
"""Single letters, by case: units only directly after a number."""

SQUARE = {
    spelling: UNITS["m²"] if unit.name == "m" else Unit("area", "sq " + unit.name, unit.factor**2)
    for spelling, unit in UNITS.items()
    if unit.kind == "length"
}
CUBIC = {
    spelling: Unit("volume", "cu " + unit.name, unit.factor**3 * 1e3)
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

"""Units and currencies: what each spelling means, and which of them stands beside a number.

Each has its factor to the base unit of its kind.
"""

from __future__ import annotations

from typing import NamedTuple

from pincite.text.numbers.words import WORD, Core, NumberTokens
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

_LENGTHS = {spelling: unit for spelling, unit in UNITS.items() if unit.kind == "length"}
SQUARE = {
    spelling: UNITS["m²"] if unit.name == "m" else NumberUnit("area", "sq " + unit.name, unit.factor**2)
    for spelling, unit in _LENGTHS.items()
}
CUBIC = {
    spelling: NumberUnit("volume", "cu " + unit.name, unit.factor**3 * 1e3)
    for spelling, unit in _LENGTHS.items()
}
"""`square miles`, `sq ft`, `cubic metres`: the lengths, squared and cubed."""

SYMBOLS = LISTS.keys("currency signs")
DOLLARS = LISTS.keys("dollars")
CURRENCY_WORDS = LISTS.keys("currency words")
CODES = word_set(
    "USD EUR GBP JPY INR RUB KRW CNY RMB CHF CAD AUD NZD HKD SGD SEK NOK DKK BRL MXN ZAR TRY BTC"
)

_TEMPERATURES = {
    **dict.fromkeys(("c", "celsius", "centigrade"), CELSIUS),
    **dict.fromkeys(("f", "fahrenheit"), FAHRENHEIT),
    **dict.fromkeys(("k", "kelvin"), KELVIN),
}
_CAPITAL_UNITS = word_set("GB MB TB KB PB MW GW Hz KG")
_AREA_SIGNS = {"²": SQUARE, "³": CUBIC, "2": SQUARE, "3": CUBIC}


def read_currency_before(tokens: NumberTokens, index: int, floor: int) -> tuple[int, str]:
    """Where the number with its currency begins, and the currency (`""` when there is none)."""
    before = tokens[index - 1]
    if index - 1 < floor:
        return index, ""
    if before.text in SYMBOLS:
        dollar = DOLLARS.get(tokens[index - 2].lower) if before.text == "$" else None
        if dollar is not None and tokens.joined(index - 1) and index - 2 >= floor:
            return index - 2, dollar
        return index - 1, SYMBOLS[before.text]
    if before.text in CODES:
        return index - 1, before.text.replace("RMB", "CNY")
    if before.lower == "rs":
        return index - 1, "INR"
    if before.text == "." and tokens[index - 2].lower == "rs" and index - 2 >= floor:
        return index - 2, "INR"
    return index, ""


def read_unit(tokens: NumberTokens, index: int, core: Core, currency: str) -> tuple[NumberUnit | None, int]:
    """The unit at this token and the index after it; None where the number turns out to be a name (`3D`)."""
    if currency:
        after = index + 1 if tokens[index].lower in {"dollars", "usd"} else index
        return NumberUnit("money", currency), after
    token = tokens[index]
    text, lower = token.text, token.lower
    per_cent = lower == "per" and tokens[index + 1].lower == "cent"
    if per_cent or text == "%" or lower in {"percent", "pct", "percentage"}:
        after = index + 2 if per_cent else index + 1
        if tokens[after].lower in {"point", "points"}:
            return POINTS, after + 1
        if lower != "percentage":
            return PERCENT, after
    if text in {"°", "º"} or lower in {"degree", "degrees"}:
        temperature = _TEMPERATURES.get(tokens[index + 1].lower)
        return (temperature, index + 2) if temperature else (DEGREES, index + 1)
    if text in SYMBOLS and text != "$":
        return NumberUnit("money", SYMBOLS[text]), index + 1
    if text in CODES:
        return NumberUnit("money", text.replace("RMB", "CNY")), index + 1
    place = index + 1 if text == "-" and tokens.joined(index) and tokens.joined(index + 1) else index
    found = _read_word_unit(tokens, place, core)
    if found is not None:
        return found
    joined = tokens.joined(index)
    if joined and text in {"'", "′"} and core.plain:
        return _feet(tokens, index, core)
    if joined and token.kind == WORD:
        if text in ONE_LETTER and not tokens.joined(index + 1):
            return ONE_LETTER[text], index + 1
        if lower not in {"x", "s"}:
            return None, index
    if core.part:
        return NumberUnit("share", "part"), index
    return COUNT, index


def _feet(tokens: NumberTokens, index: int, core: Core) -> tuple[NumberUnit, int]:
    """`5'10"`: the inches are added by shifting the feet."""
    feet = UNITS["ft"]
    inches = tokens[index + 1]
    if inches.text.isdecimal() and len(inches.text) <= 2 and tokens.joined(index + 1):
        after = index + 3 if tokens[index + 2].text in {'"', "″", "”"} else index + 2
        return NumberUnit("length", "ft", feet.factor, int(inches.text) / 12), after
    return NumberUnit("length", "ft", feet.factor), index + 1


def _read_word_unit(tokens: NumberTokens, index: int, core: Core) -> tuple[NumberUnit, int] | None:
    token = tokens[index]
    lower = token.lower
    if lower in {"square", "sq", "cubic", "cu"}:
        place = index + 2 if tokens[index + 1].text == "." else index + 1
        table = SQUARE if lower in {"square", "sq"} else CUBIC
        unit = table.get(tokens[place].lower)
        return (unit, place + 1) if unit else None
    if lower in {"us", "u"} and tokens[index + 1].lower in {"dollars", "dollar"}:
        return NumberUnit("money", "USD"), index + 2
    if lower in {"light", "nautical"} and tokens[index + 1].text in {"-", "years", "miles"}:
        place = index + 2 if tokens[index + 1].text == "-" else index + 1
        unit = {"years": UNITS["ly"], "year": UNITS["ly"], "miles": UNITS["nmi"]}.get(tokens[place].lower)
        return (unit, place + 1) if unit else None
    if lower in CURRENCY_WORDS:
        return NumberUnit("money", CURRENCY_WORDS[lower]), index + 1
    if lower in {"pound", "pounds"} and (core.value >= 1e6 or tokens[index + 1].lower == "sterling"):
        return NumberUnit("money", "GBP"), index + 2 if tokens[index + 1].lower == "sterling" else index + 1
    unit = UNITS.get(lower)
    if unit is None:
        return None
    if unit.kind == "power":
        hours = index + 2 if tokens[index + 1].text in {"-", "‑"} else index + 1
        if tokens[hours].lower in {"hour", "hours"}:
            return NumberUnit("energy", f"{unit.name}h", unit.factor * 3600), hours + 1
    if len(lower) <= 2 and not _abbreviation_fits(tokens, index):
        return None
    after = index + 1
    if unit.kind == "length" and tokens[after].text in _AREA_SIGNS and tokens.joined(after):
        return _AREA_SIGNS[tokens[after].text][lower], after + 1
    if unit.name in {"km", "mi", "m"}:
        speed = _read_speed(tokens, after, unit)
        if speed is not None:
            return speed
    inches = tokens[after].text if unit.name == "ft" and core.plain else ""
    if inches.isdecimal() and tokens[after + 1].lower in {"in", "inches"}:
        return NumberUnit("length", "ft", unit.factor, int(inches[:3]) / 12), after + 2
    if core.spelled and core.value == 1.5 and tokens[index - 1].lower in {"a", "an"}:
        after += 3  # `a year and a half`
    return unit, after


def _abbreviation_fits(tokens: NumberTokens, index: int) -> bool:
    """`5 m` and `5 mi`, but not `5 I`; a lone `min` or `in` elsewhere is a word."""
    text = tokens[index].text
    return text.islower() or text in _CAPITAL_UNITS or tokens.joined(index)


def _read_speed(tokens: NumberTokens, index: int, unit: NumberUnit) -> tuple[NumberUnit, int] | None:
    sign, word = tokens[index], tokens[index + 1].lower
    if (sign.text == "/" and tokens.joined(index)) or sign.lower in {"per", "an"}:
        if word in {"h", "hr", "hour"}:
            name = "mph" if unit.name == "mi" else f"{unit.name}/h"
            return NumberUnit("speed", name, unit.factor / 3600), index + 2
        if word in {"s", "sec", "second"}:
            return NumberUnit("speed", f"{unit.name}/s", unit.factor), index + 2
    return None

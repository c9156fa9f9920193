"""The unit or currency that stands beside a number."""

from __future__ import annotations

from pincite.text.numbers.tokens import WORD, NumberTokens
from pincite.text.numbers.units import (
    CELSIUS,
    CODES,
    COUNT,
    CUBIC,
    CURRENCY_WORDS,
    DEGREES,
    DOLLARS,
    FAHRENHEIT,
    KELVIN,
    ONE_LETTER,
    PERCENT,
    POINTS,
    SQUARE,
    SYMBOLS,
    UNITS,
    NumberUnit,
)
from pincite.text.numbers.words import Core

_TEMPERATURES = {
    **dict.fromkeys(("c", "celsius", "centigrade"), CELSIUS),
    **dict.fromkeys(("f", "fahrenheit"), FAHRENHEIT),
    **dict.fromkeys(("k", "kelvin"), KELVIN),
}
_AREA_SIGNS = {"²": SQUARE, "³": CUBIC, "2": SQUARE, "3": CUBIC}


def read_currency_before(tokens: NumberTokens, index: int, floor: int) -> tuple[int, str]:
    """Where the number with its currency begins, and the currency (`""` when there is none)."""
    before = tokens[index - 1]
    if index - 1 < floor:
        return index, ""
    if before.text in SYMBOLS:
        letters = tokens[index - 2]
        if (
            before.text == "$"
            and tokens.joined(index - 1)
            and letters.lower in DOLLARS
            and index - 2 >= floor
        ):
            return index - 2, DOLLARS[letters.lower]
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
    if text == "%" or lower in {"percent", "pct"}:
        return _percent(tokens, index + 1)
    if lower == "per" and tokens[index + 1].lower == "cent":
        return _percent(tokens, index + 2)
    if lower == "percentage" and tokens[index + 1].lower in {"point", "points"}:
        return POINTS, index + 2
    if text in {"°", "º"} or lower in {"degree", "degrees"}:
        return _degrees(tokens, index + 1)
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


def _percent(tokens: NumberTokens, index: int) -> tuple[NumberUnit, int]:
    if tokens[index].lower in {"point", "points"}:
        return POINTS, index + 1
    return PERCENT, index


def _degrees(tokens: NumberTokens, index: int) -> tuple[NumberUnit, int]:
    unit = _TEMPERATURES.get(tokens[index].lower)
    return (unit, index + 1) if unit else (DEGREES, index)


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
    if (
        unit.name == "ft"
        and core.plain
        and tokens[after].text.isdecimal()
        and tokens[after + 1].lower in {"in", "inches"}
    ):
        return NumberUnit("length", "ft", unit.factor, int(tokens[after].text[:3]) / 12), after + 2
    if core.spelled and core.value == 1.5 and tokens[index - 1].lower in {"a", "an"}:
        after += 3  # `a year and a half`
    return unit, after


def _abbreviation_fits(tokens: NumberTokens, index: int) -> bool:
    """`5 m` and `5 mi`, but not `5 I`; a lone `min` or `in` elsewhere is a word."""
    text = tokens[index].text
    return (
        text.islower()
        or text in {"GB", "MB", "TB", "KB", "PB", "MW", "GW", "Hz", "KG"}
        or tokens.joined(index)
    )


def _read_speed(tokens: NumberTokens, index: int, unit: NumberUnit) -> tuple[NumberUnit, int] | None:
    sign, word = tokens[index], tokens[index + 1].lower
    if (sign.text == "/" and tokens.joined(index)) or sign.lower in {"per", "an"}:
        if word in {"h", "hr", "hour"}:
            name = "mph" if unit.name == "mi" else f"{unit.name}/h"
            return NumberUnit("speed", name, unit.factor / 3600), index + 2
        if word in {"s", "sec", "second"}:
            return NumberUnit("speed", f"{unit.name}/s", unit.factor), index + 2
    return None

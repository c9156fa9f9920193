"""Units and currencies: what each spelling means, and its factor to the base unit of its kind."""

from __future__ import annotations

from typing import NamedTuple

from pincite.text.wordlists import word_set


class Unit(NamedTuple):
    """A unit of measure; `offset` is added before the factor (for temperatures)."""

    kind: str
    name: str
    factor: float = 1.0
    offset: float = 0.0


_MINUTE = 60.0
_HOUR = 3600.0
_DAY = 86400.0
_YEAR = 365.25 * _DAY

_TABLE: tuple[tuple[str, str, float, str], ...] = (
    # kind, canonical name, factor, spellings; base units: second, metre, kilogram, litre, …
    ("duration", "s", 1, "second seconds sec secs"),
    ("duration", "ms", 1e-3, "millisecond milliseconds ms"),
    ("duration", "min", _MINUTE, "minute minutes min mins"),
    ("duration", "h", _HOUR, "hour hours hr hrs"),
    ("duration", "day", _DAY, "day days"),
    ("duration", "week", 7 * _DAY, "week weeks"),
    ("duration", "fortnight", 14 * _DAY, "fortnight fortnights"),
    ("duration", "month", _YEAR / 12, "month months"),
    ("duration", "year", _YEAR, "year years yr yrs"),
    ("duration", "decade", 10 * _YEAR, "decade decades"),
    ("duration", "century", 100 * _YEAR, "centuries"),
    ("length", "m", 1, "metre metres meter meters m"),
    ("length", "km", 1e3, "kilometre kilometres kilometer kilometers km kms"),
    ("length", "cm", 1e-2, "centimetre centimetres centimeter centimeters cm"),
    ("length", "mm", 1e-3, "millimetre millimetres millimeter millimeters mm"),
    ("length", "µm", 1e-6, "micrometre micrometres micrometer micrometers micron microns µm μm um"),
    ("length", "nm", 1e-9, "nanometre nanometres nanometer nanometers nm"),
    ("length", "mi", 1609.344, "mile miles mi"),
    ("length", "yd", 0.9144, "yard yards yd yds"),
    ("length", "ft", 0.3048, "foot feet ft"),
    ("length", "in", 0.0254, "inch inches"),
    ("length", "nmi", 1852, "nmi"),
    ("length", "ly", 9.4607304725808e15, "ly lightyears"),
    ("mass", "kg", 1, "kilogram kilograms kilogramme kilogrammes kg kgs kilo kilos"),
    ("mass", "g", 1e-3, "gram grams gramme grammes g"),
    ("mass", "mg", 1e-6, "milligram milligrams mg"),
    ("mass", "µg", 1e-9, "microgram micrograms µg μg mcg"),
    ("mass", "t", 1e3, "tonne tonnes"),
    ("mass", "ton", 907.18474, "ton tons"),
    ("mass", "lb", 0.45359237, "pound pounds lb lbs"),
    ("mass", "oz", 0.028349523125, "ounce ounces oz"),
    ("mass", "stone", 6.35029318, "stone"),
    ("volume", "l", 1, "litre litres liter liters l"),
    ("volume", "ml", 1e-3, "millilitre millilitres milliliter milliliters ml"),
    ("volume", "m³", 1e3, "m³ m3"),
    ("volume", "gal", 3.785411784, "gallon gallons gal"),
    ("volume", "pt", 0.473176473, "pint pints"),
    ("volume", "bbl", 158.987294928, "barrel barrels bbl"),
    ("area", "m²", 1, "m² m2 sqm"),
    ("area", "km²", 1e6, "km² km2 sqkm"),
    ("area", "ha", 1e4, "hectare hectares ha"),
    ("area", "acre", 4046.8564224, "acre acres"),
    ("speed", "km/h", 1 / 3.6, "kmh kph"),
    ("speed", "mph", 0.44704, "mph"),
    ("speed", "kn", 1852 / 3600, "knot knots"),
    ("data", "B", 1, "byte bytes"),
    ("data", "kB", 1e3, "kilobyte kilobytes kb"),
    ("data", "MB", 1e6, "megabyte megabytes mb"),
    ("data", "GB", 1e9, "gigabyte gigabytes gb"),
    ("data", "TB", 1e12, "terabyte terabytes tb"),
    ("data", "PB", 1e15, "petabyte petabytes pb"),
    ("power", "W", 1, "watt watts"),
    ("power", "kW", 1e3, "kilowatt kilowatts kw"),
    ("power", "MW", 1e6, "megawatt megawatts mw"),
    ("power", "GW", 1e9, "gigawatt gigawatts gw"),
    ("power", "hp", 745.69987, "horsepower hp bhp"),
    ("energy", "J", 1, "joule joules"),
    ("energy", "kJ", 1e3, "kilojoule kilojoules kj"),
    ("energy", "kcal", 4184, "calorie calories kcal kilocalorie kilocalories"),
    ("energy", "kWh", 3.6e6, "kwh"),
    ("energy", "MWh", 3.6e9, "mwh"),
    ("energy", "GWh", 3.6e12, "gwh"),
    ("frequency", "Hz", 1, "hz hertz"),
    ("frequency", "kHz", 1e3, "khz kilohertz"),
    ("frequency", "MHz", 1e6, "mhz megahertz"),
    ("frequency", "GHz", 1e9, "ghz gigahertz"),
    ("voltage", "V", 1, "volt volts"),
    ("share", "%", 0.01, "percent pct percentage"),
    ("points", "pp", 1, "pp"),
    ("basis", "bp", 1, "bps"),
)

UNITS: dict[str, Unit] = {
    spelling: Unit(kind, name, factor)
    for kind, name, factor, spellings in _TABLE
    for spelling in spellings.split()
}
CELSIUS = Unit("temperature", "°C", 1.0, 273.15)
FAHRENHEIT = Unit("temperature", "°F", 5 / 9, 459.67)
KELVIN = Unit("temperature", "K", 1.0)
DEGREES = Unit("degrees", "°")
UNITS |= {"celsius": CELSIUS, "fahrenheit": FAHRENHEIT, "kelvin": KELVIN, "kelvins": KELVIN}

PERCENT = UNITS["percent"]
POINTS = UNITS["pp"]

ONE_LETTER = {
    "m": UNITS["m"],
    "g": UNITS["g"],
    "l": UNITS["l"],
    "s": UNITS["second"],
    "h": UNITS["hour"],
    "W": UNITS["watt"],
    "V": UNITS["volt"],
    "K": KELVIN,
    "C": CELSIUS,
    "F": FAHRENHEIT,
}
"""Single letters, by case: units only directly after a number."""

SQUARE = {
    "m": UNITS["m²"],
    "metre": UNITS["m²"],
    "metres": UNITS["m²"],
    "meter": UNITS["m²"],
    "meters": UNITS["m²"],
}
SQUARE |= {
    spelling: Unit("area", "sq " + unit.name, unit.factor**2)
    for spelling, unit in UNITS.items()
    if unit.kind == "length" and spelling not in SQUARE
}
CUBIC = {
    spelling: Unit("volume", "cu " + unit.name, unit.factor**3 * 1e3)
    for spelling, unit in UNITS.items()
    if unit.kind == "length"
}
"""`square miles`, `sq ft`, `cubic metres`: the lengths, squared and cubed."""

SYMBOLS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₽": "RUB",
    "₩": "KRW",
    "₿": "BTC",
    "₺": "TRY",
}
"""Currency signs. A bare dollar sign is taken for the US dollar, as most readers do."""

DOLLARS = {
    "us": "USD",
    "a": "AUD",
    "au": "AUD",
    "c": "CAD",
    "ca": "CAD",
    "hk": "HKD",
    "nz": "NZD",
    "s": "SGD",
    "r": "BRL",
}
"""The letters before a dollar sign: `US$`, `HK$`."""

CODES = word_set(
    "USD EUR GBP JPY INR RUB KRW CNY RMB CHF CAD AUD NZD HKD SGD SEK NOK DKK BRL MXN ZAR TRY BTC"
)

CURRENCY_WORDS = {
    "dollar": "USD",
    "dollars": "USD",
    "euro": "EUR",
    "euros": "EUR",
    "yen": "JPY",
    "yuan": "CNY",
    "rupee": "INR",
    "rupees": "INR",
    "rs": "INR",
    "ruble": "RUB",
    "rubles": "RUB",
    "roubles": "RUB",
    "francs": "CHF",
    "pesos": "MXN",
    "rand": "ZAR",
    "quid": "GBP",
    "sterling": "GBP",
    "cents": "USD¢",
    "pence": "GBP¢",
}

"""Amounts in one unit and another, rounded, bounded, doubled and halved, as shares and as rates."""

# ruff: noqa: E501 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED
from pairmaking.word_quantifiers import WORDS
from pairmaking.word_sheets import Sheet

# Units from small to large: how often each holds the first, and its names.
_SCALES: dict[str, tuple[tuple[int, tuple[str, ...]], ...]] = {
    "mass": ((1, ("grams", "g")), (1000, ("kilograms", "kg")), (1_000_000, ("tonnes", "metric tons"))),
    "dose": ((1, ("micrograms", "µg", "mcg")), (1000, ("milligrams", "mg")), (1_000_000, ("grams", "g"))),
    "length": ((1, ("millimetres", "mm")), (10, ("centimetres", "cm")), (1000, ("metres", "m")), (1_000_000, ("kilometres", "km"))),
    "volume": ((1, ("millilitres", "ml")), (10, ("centilitres", "cl")), (1000, ("litres", "l")), (1_000_000, ("cubic metres",))),
    "time": ((1, ("seconds", "s")), (60, ("minutes", "min")), (3600, ("hours",)), (86400, ("days",)), (604800, ("weeks",))),
    "years": ((1, ("months",)), (12, ("years",)), (120, ("decades",))),
    "data": ((1, ("kilobytes", "KB")), (1000, ("megabytes", "MB")), (1_000_000, ("gigabytes", "GB")), (1_000_000_000, ("terabytes", "TB"))),
    "power": ((1, ("watts", "W")), (1000, ("kilowatts", "kW")), (1_000_000, ("megawatts", "MW")), (1_000_000_000, ("gigawatts", "GW"))),
    "money": ((1000, ("thousand euros",)), (1_000_000, ("million euros",)), (1_000_000_000, ("billion euros",))),
    "dollars": ((1000, ("thousand dollars",)), (1_000_000, ("million dollars",)), (1_000_000_000, ("billion dollars",))),
    "pieces": ((1, ("pieces",)), (12, ("dozen",))),
    "frequency": ((1, ("hertz", "Hz")), (1000, ("kilohertz", "kHz")), (1_000_000, ("megahertz", "MHz"))),
    "area": ((1, ("square metres",)), (10_000, ("hectares", "ha")), (1_000_000, ("square kilometres",))),
}  # fmt: skip
_THINGS: dict[str, tuple[str, ...]] = {
    "mass": ("the anchor weighs {q}", "the crate has a mass of {q}", "{q} of flour were delivered", "the load must not exceed {q}", "the lorry carried {q} of gravel", "the harvest came to {q} of olives"),
    "dose": ("the daily dose is {q}", "each tablet contains {q} of the active substance", "patients were given {q} of the drug", "the limit for the vitamin is {q} a day", "the nurse injected {q}"),
    "length": ("the tunnel is {q} long", "the shelf measures {q}", "the cable has a length of {q}", "the trail runs for {q}", "the wall is {q} high", "the ship is {q} in length"),
    "volume": ("the tank holds {q}", "{q} of milk were spilled", "the bottle contains {q}", "the pump moves {q} per cycle", "the kettle has a capacity of {q}"),
    "time": ("the test lasted {q}", "the journey takes {q}", "the outage went on for {q}", "the token expires after {q}", "the dough has to rest for {q}", "the session times out after {q}"),
    "years": ("the guarantee runs for {q}", "the sentence was {q}", "construction took {q}", "the lease is for {q}", "the mission was to last {q}"),
    "data": ("the download is {q} in size", "the free plan includes {q} of storage", "the upload limit is {q}", "the log file grew to {q}"),
    "power": ("the turbine delivers {q}", "the heater draws {q}", "the plant has an output of {q}", "the transmitter was rated at {q}"),
    "money": ("the repair cost {q}", "the fund holds {q}", "the fine was {q}", "the city borrowed {q}", "the loss came to {q}"),
    "dollars": ("the grant amounts to {q}", "the film earned {q}", "the firm owes {q}", "the estate was valued at {q}"),
    "pieces": ("the box holds {q}", "the order was for {q}", "the baker sold {q} before noon"),
    "frequency": ("the signal lies at {q}", "the clock runs at {q}", "the transmitter works at {q}"),
    "area": ("the park covers {q}", "the reservoir has a surface of {q}", "the fire burned {q}", "the estate comprises {q}"),
}  # fmt: skip


def _number(value: float, rng: Random) -> str:
    if value == int(value):
        whole = int(value)
        if whole <= 20 and rng.random() < 0.4:
            return WORDS[whole]
        return f"{whole:,}" if whole >= 10_000 or rng.random() < 0.5 else str(whole)
    return f"{value:g}"


def scales(rng: Random, count: int) -> Iterator[Sheet]:
    """The same amount in another unit, and the same number in the wrong unit."""
    for _ in range(count):
        kind = rng.choice(list(_SCALES))
        units = _SCALES[kind]
        at = rng.randrange(len(units) - 1)
        low, high = units[at], units[at + 1]
        factor = high[0] // low[0]
        large = rng.choice((*range(2, 13), 1.5, 2.5, 0.5, 15, 18, 20, 24, 25, 36, 40, 48, 75))
        if large * factor != int(large * factor):
            continue
        small = large * factor
        pattern = rng.choice(_THINGS[kind])
        big_name, small_name = rng.choice(high[1]), rng.choice(low[1])
        say = [f"{_number(large, rng)} {big_name}", f"{_number(small, rng)} {small_name}"]
        same = [f"{_number(large, rng)} {rng.choice(high[1])}", f"{_number(small, rng)} {rng.choice(low[1])}"]
        off = rng.choice((10, 100)) if factor in (10, 1000, 1_000_000) else rng.choice((2, 10))
        wrong = [f"{_number(large, rng)} {small_name}", f"{_number(small, rng)} {big_name}", f"{_number(small * off, rng)} {small_name}",
                 f"{_number(large * rng.choice((2, 3, 10)), rng)} {big_name}"]  # fmt: skip
        if small / off == int(small / off):
            wrong.append(f"{_number(small / off, rng)} {small_name}")
        text = rng.choice(say)
        claims = [(pattern.format(q=q), SUPPORTED) for q in same if q != text] + [
            (pattern.format(q=q), CONTRADICTED) for q in wrong
        ]
        if large >= 2 and "must not" not in pattern and "limit" not in pattern:
            below, above = f"{_number(large - 1, rng)} {big_name}", f"{_number(large + 1, rng)} {big_name}"
            claims += [(pattern.format(q=f"more than {below}"), SUPPORTED), (pattern.format(q=f"less than {above}"), SUPPORTED),
                       (pattern.format(q=f"more than {above}"), CONTRADICTED), (pattern.format(q=f"less than {below}"), CONTRADICTED),
                       (pattern.format(q=f"at least {_number(small, rng)} {small_name}"), SUPPORTED)]  # fmt: skip
        claims = [
            c for c in claims if " at at " not in c[0] and " at more " not in c[0] and " at less " not in c[0]
        ]
        yield pattern.format(q=text), list(dict.fromkeys(claims))


_COUNTED = ("{q} people attended the hearing", "the village has {q} inhabitants", "the library lent out {q} books", "{q} trees were felled", "the survey reached {q} households",
            "the plant employs {q} people", "{q} complaints were received", "the choir sold {q} tickets", "the parish register lists {q} baptisms", "{q} sheep were counted")  # fmt: skip


def rounding(rng: Random, count: int) -> Iterator[Sheet]:
    """Exact numbers, and what may be said of them roughly."""
    for _ in range(count):
        base = rng.choice((100, 1000)) * rng.randint(2, 9)
        delta = rng.choice((-1, 1)) * rng.randint(1, max(2, base // 100))
        value, pattern = base + delta, rng.choice(_COUNTED)
        side, other = ("more", "fewer") if delta > 0 else ("fewer", "more")
        step = 100 if base < 1000 else 1000

        def say(q: str, pattern: str = pattern) -> str:
            return pattern.format(q=q)

        exact, near = f"{value:,}", f"{base:,}"
        claims = [(say(f"about {near}"), SUPPORTED), (say(f"roughly {near}"), SUPPORTED), (say(f"{side} than {near}"), SUPPORTED),
                  (say(f"{'just over' if delta > 0 else 'just under'} {near}"), SUPPORTED), (say(f"some {near}"), SUPPORTED),
                  (say(f"{other} than {near}"), CONTRADICTED), (say(f"about {base + step:,}"), CONTRADICTED), (say(f"about {base * 10:,}"), CONTRADICTED),
                  (say(f"{'just under' if delta > 0 else 'just over'} {near}"), CONTRADICTED), (say(f"more than {base + step:,}"), CONTRADICTED),
                  (say(f"fewer than {base - step:,}"), CONTRADICTED), (say(f"exactly {near}"), CONTRADICTED)]  # fmt: skip
        if rng.random() < 0.3:
            claims = [
                (say(exact), NOT_ENOUGH),
                (say(f"exactly {near}"), NOT_ENOUGH),
                (say(f"around {near}"), SUPPORTED),
                (say(f"approximately {near}"), SUPPORTED),
                (say(f"about {base * 10:,}"), CONTRADICTED),
            ]
            yield say(f"about {near}"), claims
        else:
            yield say(exact), claims


_LEVELS = ("the rent;{}euros", "output;{}tonnes", "membership;{}", "the staff;{}people", "the price;{}dollars", "the herd;{}cows", "the number of cases;{}", "the queue;{}jobs", "the budget;{}million euros",
           "the fee;{}pounds", "daily traffic;{}cars", "the number of branches;{}", "the circulation;{}copies", "the response time;{}milliseconds", "enrolment;{}pupils")  # fmt: skip
_FACTORS = (
    (2, ("doubled", "rose by 100 percent", "became twice what it had been", "went up by a factor of two")),
    (3, ("tripled", "rose to three times its former level", "increased threefold")),
    (4, ("quadrupled", "increased fourfold", "grew to four times what it had been")),
    (0.5, ("halved", "fell by 50 percent", "was cut in half", "dropped by half")),
    (0.25, ("fell to a quarter of what it had been", "dropped by 75 percent", "fell by three quarters")),
    (1.5, ("rose by half", "went up by 50 percent", "increased by half its former level")),
    (1.25, ("rose by a quarter", "increased by 25 percent")), (0.75, ("fell by a quarter", "shrank by 25 percent")),
    (1.1, ("rose by a tenth", "increased by 10 percent")), (0.9, ("fell by 10 percent", "shrank by a tenth")), (0.8, ("fell by a fifth", "dropped by 20 percent")),
    (1, ("stayed the same", "did not change", "remained at the same level")),
)  # fmt: skip


def changes(rng: Random, count: int) -> Iterator[Sheet]:
    """From one level to another, and what that change is called."""
    for _ in range(count):
        name, unit = rng.choice(_LEVELS).split(";{}")
        start = rng.choice((20, 40, 60, 80, 100, 120, 200, 240, 360, 400, 800, 1200))
        factor, words = rng.choice(_FACTORS)
        end = round(start * factor)
        unit = f" {unit}" if unit else ""
        texts = [
            f"{name} went from {start}{unit} to {end}{unit}",
            f"{name}, which had stood at {start}{unit}, now stands at {end}{unit}",
            f"{name} was {start}{unit} in the first year and {end}{unit} in the second",
        ]
        good = [f"{name} {w}" for w in words]
        bad = [f"{name} {w}" for f, many in _FACTORS if f != factor for w in many]
        if factor > 1:
            good += [f"{name} increased", f"{name} was lower at first than later"]
            bad += [f"{name} decreased", f"{name} was higher at first than later"]
        elif factor < 1:
            good += [f"{name} decreased", f"{name} was higher at first than later"]
            bad += [f"{name} increased", f"{name} was lower at first than later"]
        text = rng.choice(texts) if rng.random() < 0.7 else rng.choice(good[: len(words)])
        picked = rng.sample(bad, min(6, len(bad)))
        yield text, [(c, SUPPORTED) for c in good if c != text] + [(c, CONTRADICTED) for c in picked]


_SHARES = ((50, ("half", "one in two")), (25, ("a quarter", "one in four")), (75, ("three quarters", "three out of four")), (20, ("a fifth", "one in five")),
           (10, ("a tenth", "one in ten")), (40, ("two fifths", "two out of five")), (60, ("three fifths", "three out of five")), (80, ("four fifths", "four out of five")), (5, ("a twentieth", "one in twenty")))  # fmt: skip
_WHOLES = ("of the patients recovered", "of the land is wooded", "of the budget goes to schools", "of the parts were faulty", "of the seats stayed empty", "of the electricity comes from wind", "of the respondents own a car",
           "of the seeds sprouted", "of the flights left late", "of the water is lost in the pipes", "of the members pay by card", "of the users chose the paid plan")  # fmt: skip

_HEAT = (
    ("the oven is set to {}", (150, 180, 200, 220)), ("the vaccine is stored at {}", (-70, -40, -20, 5, 10)), ("the sample was kept at {}", (-20, 0, 5, 20, 35)),
    ("the alarm goes off at {}", (40, 60, 80, 95)), ("the night temperature was {}", (-15, -5, 0, 5, 10, 15)), ("the pool is heated to {}", (20, 25, 30)), ("the wash runs at {}", (30, 40, 60, 90)),
)  # fmt: skip


def shares(rng: Random, count: int) -> Iterator[Sheet]:
    """Percentages, fractions and the like; percent and percentage points; per month and per year."""
    for _ in range(count):
        whole = rng.choice(_WHOLES)
        percent, words = rng.choice(_SHARES)
        forms = [*words, f"{percent}%", f"{percent} percent"]
        if any(word in whole for word in ("land", "budget", "electricity", "water")):
            forms = [form for form in forms if " in " not in form and " out of " not in form]
        other, other_words = rng.choice([s for s in _SHARES if s[0] != percent])
        mine = rng.choice(forms)
        claims = [(f"{f} {whole}", SUPPORTED) for f in forms if f != mine]
        claims += [(f"{f} {whole}", CONTRADICTED) for f in (other_words[0], f"{other} percent", f"{other}%")]
        most = percent > 50
        claims += [
            (f"most {whole}", SUPPORTED if most else CONTRADICTED),
            (f"less than half {whole}", CONTRADICTED if percent >= 50 else SUPPORTED),
        ]
        low = rng.randint(2, 8) * 5
        points = rng.choice((2, 3, 4, 5, 10))
        rate = rng.choice(
            (
                "the turnout",
                "the unemployment rate",
                "the tax rate",
                "the error rate",
                "the share of women",
                "the vacancy rate",
            )
        )
        rise = [(f"{rate} rose by {points} percentage points", SUPPORTED), (f"{rate} went up", SUPPORTED), (f"{rate} was {low + points} percent after the rise", SUPPORTED),
                (f"{rate} rose by {points} percent" , CONTRADICTED), (f"{rate} fell by {points} percentage points", CONTRADICTED), (f"{rate} rose by {points * 10} percentage points", CONTRADICTED), (f"{rate} was {low + points} percent before the rise", CONTRADICTED)]  # fmt: skip
        month = rng.randint(2, 60) * 5
        fee, money = (
            rng.choice(
                (
                    "the licence costs",
                    "the storage room costs",
                    "the insurance costs",
                    "the club charges",
                    "the tenant pays",
                    "the plan costs",
                )
            ),
            rng.choice(("euros", "dollars", "pounds", "francs")),
        )
        paid = [(f"{fee} {month * 12:,} {money} per year", SUPPORTED), (f"{fee} {month * 12} {money} annually", SUPPORTED), (f"{fee} {month * 3} {money} a quarter", SUPPORTED), (f"{fee} {month} {money} every month", SUPPORTED),
                (f"{fee} {month} {money} per year", CONTRADICTED), (f"{fee} {month * 12:,} {money} per month", CONTRADICTED), (f"{fee} {month} {money} a week", CONTRADICTED), (f"{fee} {month * 10} {money} a year", CONTRADICTED)]  # fmt: skip
        thing, degrees = rng.choice(_HEAT)
        celsius = rng.choice(degrees)
        warm = celsius * 9 // 5 + 32
        heat = [(thing.format(f"{warm} °F"), SUPPORTED), (thing.format(f"{warm} degrees Fahrenheit"), SUPPORTED), (thing.format(f"{celsius} degrees Celsius"), SUPPORTED),
                (thing.format(f"{celsius + 10} °C"), CONTRADICTED), (thing.format(f"{warm + 20} °F"), CONTRADICTED), (thing.format(f"{celsius + 1 if celsius == -40 else celsius} degrees Fahrenheit"), CONTRADICTED)]  # fmt: skip
        pick = rng.random()
        if pick < 0.45:
            yield f"{mine} {whole}", claims
        elif pick < 0.65:
            yield f"{rate} rose from {low} percent to {low + points} percent", rise
        elif pick < 0.88:
            yield f"{fee} {month} {money} {rng.choice(('per month', 'a month', 'monthly'))}", paid
        else:
            yield thing.format(f"{celsius} °C"), heat

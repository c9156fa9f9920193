"""Numbers, bounds, units and dates: changed in the claim, changed on both sides, or said another way."""

from __future__ import annotations

import re
from random import Random

from pairmaking.rows import CONTRADICTED, SUPPORTED, Made, Pool, Row, count_words, replace_words

MONTHS = "January February March April May June July August September October November December".split()
_NUMBER = re.compile(
    r"(?<![\w.,$€£/:–-])\d{1,3}(?:,\d{3})+(?![\w,/:–-]|\.\d)|(?<![\w.,/:–-])\d+(?:\.\d+)?(?![\w/:'–-]|[.,]\d)"
)
_LOOSE = re.compile(
    r"\b(?:more|less|fewer|over|under|above|below|least|most|about|around|nearly|almost|approximately|before|after|"
    r"by|since|until|between|exceed\w*|up to|from|within|roughly|prior|later|earlier|beyond|past|top|"
    r"lower|higher|greater|larger|smaller|reach\w*|several|half|some|only|close|early|mid|late)\b",
    re.I,
)


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def _show(value: float, like: str) -> str:
    if "." in like:
        return f"{value:.{len(like.rsplit('.', 1)[1])}f}"
    return f"{round(value):,}" if "," in like or value >= 10_000 else str(round(value))


def _after_name(text: str, start: int) -> bool:
    """Whether the number belongs to a name, as in `Chapter 3`."""
    before = text[:start].split()
    return bool(before) and any(sign.isupper() for sign in before[-1])


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit() and 1000 <= int(text) <= 2030


def _other_number(old: str, rng: Random, evidence: str) -> str | None:
    """A different number of the same look: a digit off, ten times, near it, or one that the evidence has."""
    value = _value(old)
    way = rng.choice(("digit", "ten", "near", "far", "evidence"))
    if way == "digit":
        places = [index for index, sign in enumerate(old) if sign.isdigit()]
        place = rng.choice(places)
        digit = rng.choice([sign for sign in "123456789" if sign != old[place]])
        new = old[:place] + digit + old[place + 1 :]
    elif way == "ten" and value:
        new = _show(value * 10 if rng.random() < 0.5 or value < 10 else value / 10, old)
    elif way == "near":
        new = _show(value + rng.choice((-2, -1, 1, 2, 3)) * max(1, round(value * 0.03)), old)
    elif way == "far":
        new = _show(value * rng.uniform(1.3, 2.6) + 1, old)
    else:
        held = [m[0] for m in _NUMBER.finditer(evidence) if _is_year(m[0]) == _is_year(old)]
        held = [text for text in held if 0.1 <= (_value(text) + 1) / (value + 1) <= 10 and text != old]
        return rng.choice(held) if held else None
    return new if new != old and _value(new) > 0 and count_words(evidence, new) == 0 else None


def number(row: Row, rng: Random, pool: Pool) -> Made:
    """A number that claim and evidence share, changed in one or in both."""
    if row.verdict != SUPPORTED or _LOOSE.search(row.claim):
        return
    shared = [
        m
        for m in _NUMBER.finditer(row.claim)
        if not _is_year(m[0])
        and count_words(row.evidence, m[0]) == 1
        and not _after_name(row.claim, m.start())
        and not re.match(rf" (?:{'|'.join(MONTHS)})", row.claim[m.end() :])
    ]
    if not shared or re.search(r"\d[–-]\d", row.claim):
        return
    match = rng.choice(shared)
    if count_words(row.claim, match[0]) != 1:
        return
    new = _other_number(match[0], rng, row.evidence)
    if new:
        claim = replace_words(row.claim, match[0], new)
        yield Row(claim, row.evidence, CONTRADICTED)
        if count_words(row.evidence, new) == 0:
            evidence = replace_words(row.evidence, match[0], new)
            yield Row(claim, evidence, SUPPORTED)
            yield Row(row.claim, evidence, CONTRADICTED)


_ABOVE = re.compile(r"\b(more than|over|at least|above) ([$€£] )?(\d[\d,]*(?:\.\d+)?)(?![\w.,]*\d)")
_BELOW = re.compile(
    r"\b(less than|fewer than|under|at most|below) ([$€£] )?(\d[\d,]*(?:\.\d+)?)(?![\w.,]*\d)"
)


def bound(row: Row, rng: Random, pool: Pool) -> Made:
    """`More than 90`, moved past the number that the evidence has, or moved and still true."""
    if row.verdict != SUPPORTED:
        return
    for pattern, up in ((_ABOVE, True), (_BELOW, False)):
        found = list(pattern.finditer(row.claim))
        if len(found) != 1:
            continue
        match = found[0]
        limit = _value(match[3].rstrip(","))
        if _is_year(match[3]) or not limit:
            return
        near = [_value(m[0]) for m in _NUMBER.finditer(row.evidence) if not _is_year(m[0])]
        near = [value for value in near if 0.5 * limit <= value <= 2 * limit]
        if len(near) != 1 or (near[0] < limit) == up or near[0] == limit:
            return
        truth = near[0]
        step = (
            max(1.0, truth * rng.uniform(0.02, 0.3))
            if "." not in match[3]
            else truth * rng.uniform(0.02, 0.3)
        )
        wrong = truth + step if up else truth - step
        right = truth - step if up else truth + step
        for value, verdict in ((wrong, CONTRADICTED), (right, SUPPORTED)):
            if value > 0:
                text = _show(value, match[3])
                # Rounding may land on the truth itself, where `over` and `at least` part.
                if (_value(text) > truth) == (value > truth) and _value(text) != truth:
                    yield Row(
                        row.claim[: match.start(3)] + text + row.claim[match.end(3) :], row.evidence, verdict
                    )
        return


_UNITS = [
    "million billion thousand".split(),
    "km miles metres yards".split(),
    "kilometers miles".split(),
    "kilometres miles".split(),
    "meters feet yards".split(),
    "metres feet".split(),
    "seconds minutes hours days weeks months years decades".split(),
    "kg pounds tonnes".split(),
    "goals assists appearances points".split(),
    "points rebounds assists games".split(),
    "episodes seasons".split(),
    "acres hectares".split(),
    "wins losses draws".split(),
    "deaths cases recoveries".split(),
]
_CURRENCIES = ["$", "€", "£"]


_RISING = [
    "thousand million billion".split(),
    "seconds minutes hours days weeks months years decades".split(),
]


def _past_bound(claim: str, old: str, new: str) -> bool:
    """Whether the new unit makes a claimed bound false for certain."""
    for scale in _RISING:
        if old in scale and new in scale:
            bound = (
                r"more than|over|at least|above"
                if scale.index(new) > scale.index(old)
                else r"less than|under|fewer than"
            )
            return len(_LOOSE.findall(claim)) == 1 and bool(
                re.search(rf"\b(?:{bound}) (?:[$€£] ?)?\d[\d,.]* {old}\b", claim)
            )
    return False


def unit(row: Row, rng: Random, pool: Pool) -> Made:
    """The unit behind a number that both sides share, changed in one or in both."""
    if row.verdict != SUPPORTED:
        return
    choices: list[tuple[str, str, str]] = []
    for group in _UNITS:
        for old in group:
            for match in re.finditer(rf"(\d[\d,.]*) {old}(?!\w)", row.claim):
                if re.search(rf"(?<!\d)\d[\d,.]* {old}(?!\w)", row.evidence):
                    choices += [(match[1], old, new) for new in group if new != old]
    if not choices:
        return
    _, old, new = rng.choice(choices)
    spot = re.compile(rf"(\d[\d,.]*) {old}(?!\w)")
    if re.search(rf"\d {new}(?!\w)", row.evidence):
        return
    claim = spot.sub(rf"\1 {new}", row.claim)
    # Under nine million is under nine billion too, but over nine million is not over nine billion.
    if not _LOOSE.search(row.claim) or _past_bound(row.claim, old, new):
        yield Row(claim, row.evidence, CONTRADICTED)
    yield Row(claim, spot.sub(rf"\1 {new}", row.evidence), SUPPORTED)


def currency(row: Row, rng: Random, pool: Pool) -> Made:
    """Dollars for pounds and the like, in one or in both."""
    if row.verdict != SUPPORTED:
        return
    for old in _CURRENCIES:
        if f"{old} " in row.claim and f"{old} " in row.evidence:
            new = rng.choice(
                [sign for sign in _CURRENCIES if sign != old and sign not in row.evidence] or [""]
            )
            if new:
                if not _LOOSE.search(row.claim):
                    yield Row(row.claim.replace(old, new), row.evidence, CONTRADICTED)
                yield Row(row.claim.replace(old, new), row.evidence.replace(old, new), SUPPORTED)


_MONTH = "|".join(MONTHS)
_BY_MONTH = re.compile(rf"\b({_MONTH})\b(?= \d| ,|,)")
_DAY = re.compile(rf"\b(?:({_MONTH}) (\d{{1,2}})|(\d{{1,2}}) ({_MONTH}))\b(?! ?[–-])")
_YEAR = re.compile(r"(?<![\w,.–/-])(1[5-9]\d\d|20[0-2]\d)(?![\w–/-]|[,.]\d)")


def date(row: Row, rng: Random, pool: Pool) -> Made:
    """A month, day or year that both sides share, changed in one or in both."""
    if row.verdict != SUPPORTED or _LOOSE.search(row.claim):
        return
    choices: list[tuple[str, str]] = []
    for match in _BY_MONTH.finditer(row.claim):
        if row.evidence.count(match[1]) == 1:
            new = rng.choice([month for month in MONTHS if month != match[1] and month not in row.evidence])
            choices.append((match[1], new))
    for match in _DAY.finditer(row.claim):
        if count_words(row.evidence, match[0]) == 1:
            month, day = (match[1], match[2]) if match[1] else (match[4], match[3])
            new = str(rng.choice([value for value in range(1, 29) if value != int(day)]))
            choices.append((match[0], f"{month} {new}" if match[1] else f"{new} {month}"))
    for match in _YEAR.finditer(row.claim):
        if count_words(row.evidence, match[1]) == 1 and not re.search(r"\w \( ?" + match[1], row.claim):
            new = str(int(match[1]) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10, -20)))
            if new not in row.evidence and int(new) <= 2026:
                choices.append((match[1], new))
    if not choices:
        return
    old, new = rng.choice(choices)
    claim = replace_words(row.claim, old, new)
    evidence = replace_words(row.evidence, old, new)
    yield Row(claim, row.evidence, CONTRADICTED)
    yield rng.choice((Row(claim, evidence, SUPPORTED), Row(row.claim, evidence, CONTRADICTED)))
    yield Row(claim, evidence, SUPPORTED)


_BEFORE_AFTER = re.compile(rf"\b(before|after) (?:({_MONTH}) )?(1[5-9]\d\d|20[0-2]\d)\b")


def date_bound(row: Row, rng: Random, pool: Pool) -> Made:
    """`Before 1990`, moved past the evidence's only year, or moved and still true."""
    if row.verdict != SUPPORTED:
        return
    match = _BEFORE_AFTER.search(row.claim)
    years = {int(text) for text in re.findall(r"(?<!\d)(?:1[5-9]\d\d|20[0-2]\d)(?!\d)", row.evidence)}
    if not match or match[2] or len(years) != 1:
        return
    truth = years.pop()
    if (truth < int(match[3])) != (match[1] == "before"):
        return
    step = rng.randint(2, 12) * (1 if match[1] == "before" else -1)
    for year, verdict in ((truth + step, SUPPORTED), (truth - step, CONTRADICTED)):
        yield Row(row.claim[: match.start(3)] + str(year) + row.claim[match.end(3) :], row.evidence, verdict)
    flipped = "after" if match[1] == "before" else "before"
    yield Row(row.claim[: match.start(1)] + flipped + row.claim[match.end(1) :], row.evidence, CONTRADICTED)


_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
_BIG = re.compile(r"(?<![\w.,])(?:([$€£]) ?)?(\d+(?:\.\d+)?) (million|billion)\b")
_LONG = re.compile(r"(?<![\w.,])(\d{1,3}),(\d{3})(?:,(\d{3}))?(?![\w,]|\.\d)")
_SMALL = re.compile(r"(?<![\w.,$€£/:–-])([2-9]|1\d|20) (?=[a-z]{3,}s\b)")
_SMALL_WORD = re.compile(rf"\b({'|'.join(_WORDS[2:])}) (?=[a-z]{{3,}}s\b)")
_PERCENT = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) ?%")
_CURRENCY_WORDS = {"$": "dollars", "€": "euros", "£": "pounds"}


def _say_number(text: str, rng: Random) -> str | None:
    ways: list[str] = []
    for match in _BIG.finditer(text):
        sign, figure, scale = match[1] or "", match[2], match[3]
        full = f"{round(float(figure) * (10**6 if scale == 'million' else 10**9)):,}"
        short = {"million": "M", "billion": rng.choice(("B", "bn"))}[scale]
        forms = [f"{sign}{full}"]
        if sign:
            forms += [f"{figure} {scale} {_CURRENCY_WORDS[sign]}", f"{sign}{figure}{short}"]
        ways += [text[: match.start()] + form + text[match.end() :] for form in forms]
    for match in _LONG.finditer(text):
        ways.append(text[: match.start()] + match[0].replace(",", "") + text[match.end() :])
        value = int(match[0].replace(",", ""))
        if value >= 100_000 and value % 10_000 == 0:
            figure = f"{value / 10**6:g} million"
            ways.append(text[: match.start()] + figure + text[match.end() :])
        elif value % 1000 == 0 and value < 100_000:
            ways.append(text[: match.start()] + f"{value // 1000} thousand" + text[match.end() :])
    for match in _SMALL.finditer(text):
        if not _after_name(text, match.start()):
            ways.append(text[: match.start(1)] + _WORDS[int(match[1])] + text[match.end(1) :])
    for match in _SMALL_WORD.finditer(text):
        ways.append(text[: match.start(1)] + str(_WORDS.index(match[1])) + text[match.end(1) :])
    for match in _PERCENT.finditer(text):
        ways.append(
            text[: match.start()] + match[1] + rng.choice((" percent", " per cent")) + text[match.end() :]
        )
        if match[1] in ("50", "25", "75"):
            said = {"50": "half", "25": "a quarter", "75": "three quarters"}[match[1]]
            if text[match.end() :].startswith(" of "):
                ways.append(text[: match.start()] + said + text[match.end() :])
    return rng.choice(ways) if ways else None


def number_said_otherwise(row: Row, rng: Random, pool: Pool) -> Made:
    """`$2.5M` for `2.5 million dollars`, on one side; the verdict stays."""
    side = rng.random()
    claim = _say_number(row.claim, rng) if side < 0.7 else None
    if claim:
        yield Row(claim, row.evidence, row.verdict)
        return
    if re.search(r"\d", row.claim):
        evidence = _say_number(row.evidence, rng)
        if evidence:
            yield Row(row.claim, evidence, row.verdict)


_FULL_DATE = re.compile(
    rf"\b(?:({_MONTH}) (\d{{1,2}}) ?, (\d{{4}})|(\d{{1,2}}) ({_MONTH}) ,? ?(\d{{4}}))(?!\w)"
)
_MONTH_YEAR = re.compile(rf"(?<!\d )\b({_MONTH}) ((?:19|20)\d\d)(?!\w)")


def _say_date(text: str, rng: Random) -> str | None:
    match = _FULL_DATE.search(text)
    if match:
        month = match[1] or match[5]
        day, year = int(match[2] or match[4]), match[3] or match[6]
        forms = [
            f"{day} {month} {year}",
            f"{month} {day}, {year}",
            f"{year}-{MONTHS.index(month) + 1:02d}-{day:02d}",
            f"{month[:3]} {day}, {year}",
            f"{day} {month[:3]}. {year}",
            f"the {day}{_ending(day)} of {month} {year}",
        ]
        forms = [form for form in forms if form.split() != match[0].replace(",", " ,").split()]
        return text[: match.start()] + rng.choice(forms) + text[match.end() :]
    match = _MONTH_YEAR.search(text)
    if match:
        forms = [f"{match[1]} of {match[2]}", f"{match[1][:3]} {match[2]}", f"{match[1]}, {match[2]}"]
        return text[: match.start()] + rng.choice(forms) + text[match.end() :]
    return None


def _ending(day: int) -> str:
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def date_said_otherwise(row: Row, rng: Random, pool: Pool) -> Made:
    """Another way to write a date on one side; the verdict stays."""
    claim = _say_date(row.claim, rng)
    if claim:
        yield Row(claim, row.evidence, row.verdict)
    elif _YEAR.search(row.claim):
        evidence = _say_date(row.evidence, rng)
        if evidence:
            yield Row(row.claim, evidence, row.verdict)


_IN_YEAR = re.compile(r"\b(in|during) (19\d\d|18\d\d)(?= |$)(?! season| film| edition| election)")


def decade(row: Row, rng: Random, pool: Pool) -> Made:
    """A year of a supported claim said as its decade, or as another one."""
    if row.verdict != SUPPORTED or _LOOSE.search(row.claim):
        return
    match = _IN_YEAR.search(row.claim)
    if not match or count_words(row.evidence, match[2]) == 0:
        return
    right = int(match[2]) // 10 * 10
    wrong = right + rng.choice((-20, -10, 10))
    for start, verdict in ((right, SUPPORTED), (wrong, CONTRADICTED)):
        said = f"{match[1]} the {start}s"
        yield Row(row.claim[: match.start()] + said + row.claim[match.end() :], row.evidence, verdict)

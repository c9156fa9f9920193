"""The same in other words, against what shares the words and means something else."""

# ruff: noqa: E501, SIM905 (lists of words and of whole sentences read best uncut)

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pairmaking.rows import CONTRADICTED, NOT_ENOUGH, SUPPORTED
from pairmaking.word_events import FIRST, LAST, PLACES
from pairmaking.word_same_more import LINES as MORE_LINES
from pairmaking.word_same_texts import LINES
from pairmaking.word_sheets import Sheet, when

_PEOPLE = ("the engineer; the witness; the young doctor; the former minister; the violinist; the clerk; the innkeeper; the shepherd; the auditor; "
           "the exchange student; the sculptor; the retired pilot; the landlord; the chemist; the journalist").split("; ")  # fmt: skip
_BODIES = ("the company; the council; the ministry; the hospital; the association; the brewery; the school board; the firm; the agency; the trust; "
           "the city; the university; the co-operative; the shipping line; the publisher; the federation").split("; ")  # fmt: skip
_FIRMS = "Alvarez & Sons;Nordlys Energy;Kestrel Foods;Tamura Optics;Blue Delta;Orrin Textiles;Vasko Motors;Maple Street Bank;Helix Freight;Sabra Foods".split(
    ";"
)


def phrases(rng: Random, times: int) -> Iterator[Sheet]:
    """Each line of the texts so many times, from either side of it."""
    for line in _ALL:
        for turn in range(times):
            mine, other, verdict = _sides(line, turn % 2 == 1)
            who = _subject(rng, line[0])
            gaps = _gaps(rng)
            text = rng.choice(mine)
            claims = [(way, SUPPORTED) for way in mine if way != text] + [(way, verdict) for way in other]
            whole = f"{who}{text}"
            if line[0] != "-" and rng.random() < 0.3 and _is_past(text):
                time = when(rng)
                whole = f"{whole} {time}" if rng.random() < 0.5 else f"{time}, {whole}"
            elif rng.random() < 0.3:
                whole = f"{rng.choice(_LEADS)}{_inner(whole)}"
            yield whole.format(**gaps), [(f"{who}{way}".format(**gaps), kind) for way, kind in claims]


def two_subjects(rng: Random, count: int) -> Iterator[Sheet]:
    """Two matters of two people or bodies, in other words but each of its own; or both of one."""
    for _ in range(count):
        kind = rng.choice("po")
        one, two = rng.sample([line for line in _ALL if line[0] == kind], 2)
        first, near, verdict = _sides(one, rng.random() < 0.5)
        second, near2, verdict2 = _sides(two, rng.random() < 0.5)
        who, other = _subject(rng, kind), _subject(rng, kind)
        if who == other:
            continue
        gaps = _gaps(rng)
        a, b = rng.choice(first), rng.choice(second)
        again, again2 = [way for way in first if way != a], [way for way in second if way != b]
        if rng.random() < 0.7:
            text = rng.choice(
                (
                    "{0}{2}, while {1}{3}",
                    "{0}{2}. {1}{3}",
                    "{0}{2}, and {1}{3}",
                    "{1}{3}; {0}{2}",
                    "whereas {1}{3}, {0}{2}",
                )
            )
            claims = [(who + w, SUPPORTED) for w in again] + [(other + w, SUPPORTED) for w in again2]
            claims += [(other + w, NOT_ENOUGH) for w in again] + [(who + w, NOT_ENOUGH) for w in again2]
        else:
            relative = "who" if kind == "p" else "which"
            text = rng.choice(
                ("{0}{2} and {3}", "{0}, " + relative + " {2}, {3}", "{0}{3}. The same {0}also {2}")
            )
            text = text.replace("{0},", who.strip() + ",").replace("The same {0}", who)
            claims = [(who + w, SUPPORTED) for w in (*again, *again2)]
            claims += [(who + w, verdict) for w in near] + [(who + w, verdict2) for w in near2]
        whole = text.format(who, other, a, b)
        yield whole.format(**gaps), [(claim.format(**gaps), said) for claim, said in claims]


_SURE = (
    "{P} confirmed that",
    "it has been proved that",
    "nobody denies that",
    "it is not true that the reports were wrong:",
    "{P} admits that",
)
_OPEN = (
    ("rumour has it that", "there are rumours that", "it is rumoured that"), ("it is possible that", "it may be that", "perhaps"),
    ("nobody knows whether", "it is unclear whether", "it is an open question whether"), ("{P} claims that", "according to {P},", "{P} says that"),
    ("{P} doubts that", "{P} is not convinced that"), ("{P} wondered whether", "{P} asked whether"), ("{P} hopes that", "it is the hope of {P} that"),
    ("a draft report says that", "it says in a draft report that"), ("{P} suspects that", "{P} has the suspicion that"),
)  # fmt: skip
_FALSE = (
    "it is not true that",
    "it is false that",
    "it has been disproved that",
    "reports are wrong in saying that",
    "it is not the case that",
)


def framed(rng: Random, times: int) -> Iterator[Sheet]:
    """The same in other words within what confirms it, leaves it open or denies it."""
    for line in _ALL:
        for turn in range(times):
            mine, other, verdict = _sides(line, rng.random() < 0.5)
            who, gaps = _subject(rng, line[0]), _gaps(rng)
            text = rng.choice(mine)
            rest = [way for way in mine if way != text]
            lines = [_inner(who + way) for way in rest]
            far = [_inner(who + way) for way in other]
            if turn % 3 == 0:
                lead = rng.choice(_SURE)
                claims = [(way, SUPPORTED) for way in lines] + [
                    (f"{rng.choice(_FALSE)} {way}", CONTRADICTED) for way in lines
                ]
                claims += [(way, verdict) for way in far]
            elif turn % 3 == 1:
                group = rng.choice(_OPEN)
                lead = rng.choice(group)
                claims = [(f"{rng.choice(group)} {way}", SUPPORTED) for way in lines] + [
                    (way, NOT_ENOUGH) for way in lines
                ]
                claims += [(f"{lead} {way}", NOT_ENOUGH) for way in far[:1] if verdict == NOT_ENOUGH]
                claims += [(f"it is a proven fact that {way}", NOT_ENOUGH) for way in lines]
            else:
                lead = rng.choice(_FALSE)
                claims = [(f"{rng.choice(_FALSE)} {way}", SUPPORTED) for way in lines] + [
                    (way, CONTRADICTED) for way in lines
                ]
            yield (
                f"{lead} {_inner(who + text)}".format(**gaps),
                [(claim.format(**gaps), said) for claim, said in claims],
            )


_ALL = (*LINES, *MORE_LINES)
_LEADS = (
    "it is on record that ",
    "it is clear that ",
    "the report says that ",
    "one thing is certain: ",
    "the page puts it like this: ",
)


def _sides(line: str, turned: bool) -> tuple[list[str], list[str], str]:
    rest = line.split(": ", 1)[1]
    hard, stronger = "#!" in rest, "#>" in rest
    sides = [
        [way.strip() for way in side.split(" | ")]
        for side in rest.split("#!" if hard else "#>" if stronger else "#")
    ]
    mine, other = sides[::-1] if turned and not stronger else sides
    return mine, other, CONTRADICTED if hard else NOT_ENOUGH


def _gaps(rng: Random) -> dict[str, str]:
    return {
        "X": rng.choice(PLACES),
        "h": rng.choice(("his", "her")),
        "P": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
    }


def _inner(text: str) -> str:
    """As it stands within a sentence: without a capital, unless it opens with a name."""
    opening = text.split()[0]
    return text if opening in _NAMED or opening.startswith("{") else text[0].lower() + text[1:]


_NAMED = {*FIRST, *(firm.split()[0] for firm in _FIRMS)}


def _is_past(text: str) -> bool:
    """Whether a time can follow: the verb tells of an act, and no time is named yet."""
    first = text.split()[0]
    return (
        (first.endswith("ed") or first in {"won", "lost", "sold", "bought", "took", "gave", "was"})
        and "," not in text
        and " in spring" not in text
    )


def _subject(rng: Random, kind: str) -> str:
    if kind == "-":
        return ""
    if kind == "p":
        if rng.random() < 0.6:
            return f"{rng.choice(FIRST)} {rng.choice(LAST)} "
        return f"{rng.choice(_PEOPLE)} "
    return f"{rng.choice(_FIRMS) if rng.random() < 0.4 else rng.choice(_BODIES)} "

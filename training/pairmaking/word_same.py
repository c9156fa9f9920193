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

_PEOPLE = ("the engineer; the witness; the young doctor; the former minister; the violinist; the clerk; the widow; the shepherd; the auditor; "
           "the exchange student; the sculptor; the retired pilot; the landlord; the chemist; the journalist").split("; ")  # fmt: skip
_BODIES = ("the company; the council; the ministry; the hospital; the association; the brewery; the school board; the firm; the agency; the trust; "
           "the city; the university; the co-operative; the shipping line; the publisher; the federation").split("; ")  # fmt: skip
_FIRMS = "Alvarez & Sons;Nordlys Energy;Kestrel Foods;Tamura Optics;Blue Delta;Orrin Textiles;Vasko Motors;Maple Street Bank;Helix Freight;Sabra Foods".split(
    ";"
)


def phrases(rng: Random, times: int) -> Iterator[Sheet]:
    """Each line of the texts so many times, from either side of it."""
    for line in (*LINES, *MORE_LINES):
        kind, rest = line.split(": ", 1)
        hard = "#!" in rest
        sides = [[way.strip() for way in side.split(" | ")] for side in rest.split("#!" if hard else "#")]
        for turn in range(times if kind != "-" else times + 1):
            mine, other = sides if turn % 2 == 0 else sides[::-1]
            gaps = {"X": rng.choice(PLACES), "h": rng.choice(("his", "her"))}
            who = _subject(rng, kind)
            text = rng.choice(mine)
            tail = f" {when(rng)}" if kind != "-" and rng.random() < 0.25 and _is_past(text) else ""
            claims = [(way, SUPPORTED) for way in mine if way != text]
            claims += [(way, CONTRADICTED if hard else NOT_ENOUGH) for way in other]
            lead = rng.choice(
                ("", "", "", "as far as is known, ", "it is on record that ", "the report says it plainly: ")
            )
            whole = f"{lead}{who}{text.format(**gaps)}{tail}"
            yield whole, [(f"{who}{way.format(**gaps)}", verdict) for way, verdict in claims]


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

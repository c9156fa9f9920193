"""Quotes found in a 1,000-page PDF, and claims found in web pages that people have marked.

A claim's match counts when it is a marked sentence: shared characters ÷ all characters of the two is at least
one half, for any sentence of any of the sets that the annotators found sufficient.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._prose import Prose, edited, reset, write_pdf
from bench.figures import Figure
from pincite.records import Source

PAGES = 1_000
EXACT, RESET, EDITED, ABSENT = 500, 300, 200, 200
SEED = 20


@dataclass(frozen=True)
class Quote:
    kind: str
    text: str
    start: int
    end: int


def run(data: Path | None) -> Iterator[Figure]:
    yield from quotes_in_a_long_pdf()
    yield from marked_sentences(data)


# --- quotes --------------------------------------------------------------------------------------


def quotes_in_a_long_pdf() -> Iterator[Figure]:
    from pincite.sources.library import open_sources
    from pincite.sources.locate import locate_quote

    prose = Prose(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "review.pdf"
        write_pdf(path, prose, PAGES, SEED)
        begun = time.perf_counter()
        (source,) = open_sources(path).sources
        read = time.perf_counter() - begun
    quotes = choose_quotes(source, prose)
    begun = time.perf_counter()
    found = [locate_quote(quote.text, source, limit=3) for quote in quotes]
    located = time.perf_counter() - begun

    hits = {"exact": 0, "reset": 0, "edited": 0, "absent": 0}
    for quote, matches in zip(quotes, found, strict=True):
        if quote.kind == "absent":
            hits["absent"] += bool(matches)
        elif matches:
            first = matches[0]
            same = (first.start, first.end) == (quote.start, quote.end)
            near = _overlap((first.start, first.end), (quote.start, quote.end)) >= 0.9
            hits[quote.kind] += near if quote.kind == "edited" else same
    size = f"{PAGES} pages, {len(source.text) / 1e6:.1f} M characters"
    yield Figure("reading the PDF and locating all quotes", read + located, " s", 10, at_most=True, note=size)
    yield Figure("  of which reading", read, " s")
    yield Figure("  of which locating", located, " s", note=f"{len(quotes)} quotes, {ABSENT} of them absent")
    yield Figure("offsets right for exact quotes", 100 * hits["exact"] / EXACT, " %", 100)
    yield Figure("offsets right for quotes set otherwise", 100 * hits["reset"] / RESET, " %", 100)
    yield Figure(
        "edited quotes within IoU 0.9", 100 * hits["edited"] / EDITED, " %", 95, note="to 10 % edits"
    )
    yield Figure("absent quotes found", hits["absent"], "", 0, at_most=True, note=f"of {ABSENT}")


def choose_quotes(source: Source, prose: Prose) -> list[Quote]:
    """Stretches of whole words from all over the source, changed by kind, and sentences that it lacks."""
    dice = random.Random(SEED + 1)
    # A word that a line break has parted is one word here, and no quote begins or ends inside it.
    words = [match.span() for match in re.finditer(r"(?:\S*-\n)?\S+", source.text)]
    quotes = []
    for kind, count in (("exact", EXACT), ("reset", RESET), ("edited", EDITED)):
        for _ in range(count):
            first = dice.randrange(len(words) - 60)
            start, end = words[first][0], words[first + dice.randint(8, 40)][1]
            text = source.text[start:end]
            if kind == "reset":
                text = reset(text, dice)
            elif kind == "edited":
                text = edited(" ".join(text.split()), dice.uniform(0.02, 0.10), dice)
            quotes.append(Quote(kind, text, start, end))
    quotes += [Quote("absent", prose.sentence(), 0, 0) for _ in range(ABSENT)]
    dice.shuffle(quotes)
    return quotes


# --- claims --------------------------------------------------------------------------------------


def marked_sentences(data: Path | None) -> Iterator[Figure]:
    from pincite.sources.locate import locate_claim

    path = data / "support" / "pinpoint_dev.jsonl" if data is not None else None
    if path is None or not path.is_file():
        yield Figure("marked sentences", 0, note="left out: no pinpoint_dev.jsonl in --data")
        return
    first: dict[str, list[bool]] = {"A": [], "B": []}
    among: dict[str, list[bool]] = {"A": [], "B": []}
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if row["verdict"] == "not_supported" or not row["span_sets"]:
            continue
        source = Source(name="page", text=row["document"])
        hits = [_is_marked((match.start, match.end), row) for match in locate_claim(row["claim"], source)]
        half = "AB"[hashlib.sha256(row["id"].encode()).digest()[-1] % 2]
        first[half].append(hits[:1] == [True])
        among[half].append(any(hits))
    for name, found, bar in (("first", first, 80), ("among the first three", among, 95)):
        every = found["A"] + found["B"]
        halves = ", ".join(f"half {half}: {_percent(found[half]):.1f}" for half in "AB")
        note = f"{len(every)} claims; {halves}"
        yield Figure(f"claims with a marked sentence {name}", _percent(every), " %", bar, note=note)


def _is_marked(span: tuple[int, int], row: dict[str, Any]) -> bool:
    return any(_overlap(span, (start, end)) >= 0.5 for spans in row["span_sets"] for start, end in spans)


def _overlap(left: tuple[int, int], right: tuple[int, int]) -> float:
    shared = min(left[1], right[1]) - max(left[0], right[0])
    joined = max(left[1], right[1]) - min(left[0], right[0])
    return shared / joined if shared > 0 else 0.0


def _percent(outcomes: list[bool]) -> float:
    return 100 * sum(outcomes) / max(1, len(outcomes))

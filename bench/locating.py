"""Quotes found in a 1,000-page PDF, claims found in web pages that people have marked, and in many documents.

A claim's match counts when it is a marked sentence: shared characters ÷ all characters of the two is at least
one half, for any sentence of any of the sets that the annotators found sufficient. A whole set counts when
all of its characters, white space aside, stand in the places that were chosen.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._prose import Prose, edited, reset, write_pdf
from bench.figures import Figure
from pincite.records import Match, Passage, Source

PAGES = 1_000
EXACT, RESET, EDITED, ABSENT = 500, 300, 200, 200
DOCUMENTS, FEWER_DOCUMENTS, CLAIMS = 500, 100, 1_000
DOCUMENT_LENGTH = 6_000
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
    yield from claims_in_many_documents()


# --- quotes --------------------------------------------------------------------------------------


def quotes_in_a_long_pdf() -> Iterator[Figure]:
    from pincite.sources import locate_quote, open_sources

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
    from pincite.sources import Library, best_passages, locate_claim, locate_claims, locate_together

    path = data / "support" / "pinpoint_dev.jsonl" if data is not None else None
    if path is None or not path.is_file():
        yield Figure("marked sentences", 0, note="left out: no pinpoint_dev.jsonl in --data")
        return
    rows = [
        row
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if row["verdict"] != "not_supported" and row["span_sets"]
    ]
    texts = dict.fromkeys(row["document"] for row in rows)
    pages = {text: Source(name=f"page {number}", text=text) for number, text in enumerate(texts)}
    together = Library(pages.values())
    hits: dict[str, list[list[bool]]] = {"A": [], "B": []}
    hits_together = []
    sets: dict[str, list[list[bool]]] = {"A": [], "B": []}
    shown: dict[str, list[list[bool]]] = {"A": [], "B": []}
    for row in rows:
        page = pages[row["document"]]
        half = "AB"[hashlib.sha256(row["id"].encode()).digest()[-1] % 2]
        hits[half].append([_is_marked(match, page, row) for match in locate_claim(row["claim"], page)])
        sets[half].append([_holds_a_set(locate_together(row["claim"], page), page, row)])
        shown[half].append([_holds_a_set(best_passages(row["claim"], page), page, row)])
        hits_together.append(
            [_is_marked(match, page, row) for match in locate_claims(row["claim"], together)]
        )
    for name, count, bar in (("first", 1, 85), ("among the first three", 3, 95)):
        halves = ", ".join(f"half {half}: {_percent(hits[half], count):.1f}" for half in "AB")
        note = f"{len(rows)} claims; {halves}"
        every = _percent(hits["A"] + hits["B"], count)
        yield Figure(f"claims with a marked sentence {name}", every, " %", bar, note=note)
    halves = ", ".join(f"half {half}: {_percent(sets[half], 1):.1f}" for half in "AB")
    whole = _percent(sets["A"] + sets["B"], 1)
    yield Figure(
        "claims with a whole marked set in three places",
        whole,
        " %",
        55,
        note=f"{len(rows)} claims; {halves}",
    )
    halves = ", ".join(f"half {half}: {_percent(shown[half], 1):.1f}" for half in "AB")
    judged = _percent(shown["A"] + shown["B"], 1)
    yield Figure("  in what a judge is shown of a page", judged, " %", note=halves)
    for name, count in (("first", 1), ("among the first three", 3)):
        found = _percent(hits_together, count)
        yield Figure(f"  {name}, of all pages together", found, " %", note=f"{len(pages)} pages")


def claims_in_many_documents() -> Iterator[Figure]:
    """What an uncited claim costs: half of the claims stand somewhere in other words, half do not."""
    from pincite.sources import Library, library_index, locate_claims, open_sources

    prose = Prose(SEED + 2, vocabulary=20_000)
    texts = {f"{number}.txt": prose.text(DOCUMENT_LENGTH) for number in range(DOCUMENTS)}
    claims = [prose.sentence() for _ in range(CLAIMS // 2)]
    dice = random.Random(SEED + 3)
    for text in dice.choices(list(texts.values()), k=CLAIMS // 2):
        words = dice.choice(text.split(". ")).split()
        claims.append(" ".join(dice.sample(words, max(1, len(words) * 3 // 4))))

    def ask(library: Library) -> tuple[float, float]:
        """CPU seconds for the first question, for which everything is indexed, and for each of the others."""
        begun = time.process_time()
        locate_claims(claims[0], library)
        indexed = time.process_time()
        times = []
        for _ in range(3):
            start = time.process_time()
            for claim in claims:
                locate_claims(claim, library)
            times.append(time.process_time() - start)
        return indexed - begun, min(times) / len(claims)

    fewer = open_sources(dict(list(texts.items())[:FEWER_DOCUMENTS]))
    library = open_sources(texts)
    _, each_of_fewer = ask(fewer)
    indexing, each = ask(library)
    size = sum(map(len, texts.values()))
    note = f"{DOCUMENTS} documents, {size / 1e6:.1f} M characters; CPU time, once indexed"
    yield Figure("uncited claims looked up a second", 1 / each, "", 200, note=note)
    yield Figure(
        f"cost of a claim, {DOCUMENTS} documents ÷ {FEWER_DOCUMENTS}",
        each / each_of_fewer,
        "×",
        3,
        at_most=True,
    )
    yield Figure("  indexing them all", indexing, " s", 5, at_most=True)
    packed = library_index(library).nbytes
    yield Figure("  packed index, bytes a character", packed / size, "", 10, at_most=True)


def _is_marked(match: Match, page: Source, row: dict[str, Any]) -> bool:
    span = match.start, match.end
    marked = (tuple(place) for places in row["span_sets"] for place in places)
    return match.document == page.name and any(_overlap(span, place) >= 0.5 for place in marked)


def _holds_a_set(matches: Sequence[Match | Passage], page: Source, row: dict[str, Any]) -> bool:
    """Whether all that one set of marked sentences says stands in the matches."""
    chosen = {offset for match in matches for offset in range(match.start, match.end)}
    return any(
        all(
            offset in chosen or page.text[offset].isspace()
            for start, end in places
            for offset in range(start, end)
        )
        for places in row["span_sets"]
    )


def _overlap(left: tuple[int, int], right: tuple[int, int]) -> float:
    shared = min(left[1], right[1]) - max(left[0], right[0])
    joined = max(left[1], right[1]) - min(left[0], right[0])
    return shared / joined if shared > 0 else 0.0


def _percent(hits: list[list[bool]], count: int) -> float:
    """In how many of a hundred cases one of the first `count` matches is a hit."""
    return 100 * sum(any(each[:count]) for each in hits) / max(1, len(hits))

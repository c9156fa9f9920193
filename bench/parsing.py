"""Parsing: against five expressions for the usual formats, over size, and on hostile input."""

from __future__ import annotations

import gc
import math
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.figures import Figure
from pincite.citations import parse

MEGABYTE = 1_000_000

# The five formats that the published extractor knows, each in one expression as anybody would write it: a
# link, a URL, a `www.` address, a DOI after `doi:`, and (Smith et al., 2020). It reads them in any case.
_FIVE_FORMATS = (
    r"\[([^\[\]]+)\]\((https?://[^\s()]+)\)",
    r"https?://[^\s<>\"\[\]`|]+",
    r"www\.[^\s<>\"\[\]`|]+",
    r"doi:\s*[^\s)\]]+",
    r"\([A-Z][a-z]+(?:\s+et\s+al\.?)?,?\s+[0-9]{4}\)",
)
BASELINE = tuple(re.compile(expression, re.IGNORECASE) for expression in _FIVE_FORMATS)
# The same five in one case only: each begins with a literal, which the search for it skips to.
LEANEST = tuple(re.compile(expression) for expression in _FIVE_FORMATS)

_WORDS = (
    "the of and revenue rose company market growth in by percent according report that patients treated with "
    "showed significant reduction compared analysts expect further increase during first quarter (which was "
    "expected) because costs fell while demand for new products remained strong across most regions, so the "
    "margin improved; the trial enrolled adults aged over sixty and followed them for two years without loss"
)
_MARKERS = (
    "[annual_report.pdf:{a}:{b}-{c}]",
    "[notes.txt:{b}-{c}]",
    "[Market study 2023.pdf:{a}:{b}-{c},{c}-{d}]",
    '[report.pdf:{a}:{b}-{c} | excerpt: "demand remained strong"]',
    "[{a}]",
    "[{a}, {n}]",
    "[{a}–{n}]",
    "[{a}][{n}]",
    "【{a}†source】",
    "[^{a}]",
    "[Market outlook](https://example.com/outlook/{b}_(eu))",
    "https://example.org/papers/{b}?page={a}",
    "www.example.com/data/{b}",
    "doi:10.{b}/abc.{c}",
    "arXiv:2101.0{b}",
    "(Smith & Jones, 20{a})",
    "(Okafor et al., 2019; van der Berg, 20{a}, p. {n})",
    "[quote.premium]",
    "[items[{a}].name]",
)
HOSTILE = (
    *(
        "[",
        "(",
        "【",
        "^",
        '"',
        "[a:",
        "(Smith, ",
        '["',
        '[a.pdf:1:2-3 | excerpt: "',
        "[a.pdf:1:2-3 | excerpt: “",
    ),
    *(
        "`",
        "<!--",
        "![",
        "[a](",
        "[a[0]",
        "[a['",
        "https://",
        "Smith (2020) ",
        "¹",
        "- ",
        "> ",
        "\n",
        "\\[",
        "\x00",
    ),
)


def make_answer(random_: random.Random, size: int = 2_000) -> str:
    """Paragraphs and bullets with a marker every other sentence, and sometimes a list of references."""
    words = _WORDS.split()
    parts: list[str] = []
    length = 0
    while length < size:
        sentence = " ".join(random_.choices(words, k=random_.randint(8, 22))).capitalize()
        if random_.random() < 0.5:
            marker = random_.choice(_MARKERS).format(
                a=random_.randint(10, 19),
                n=random_.randint(20, 40),
                b=random_.randint(1000, 4000),
                c=4321,
                d=5000,
            )
            sentence = f"{sentence} {marker}"
        lead, tail = random_.choice((("", ". "), ("", ". "), ("", ".\n\n"), ("- ", ".\n")))
        parts.append((lead if parts and parts[-1].endswith("\n") else "") + sentence + tail)
        length += len(parts[-1])
    if random_.random() < 0.2:
        parts.append("\n\n## References\n1. Annual report. https://example.com/annual\n2. notes.txt\n")
    return "".join(parts)


def make_answers(characters: int, seed: int = 7) -> list[str]:
    random_ = random.Random(seed)
    answers: list[str] = []
    total = 0
    while total < characters:
        answers.append(make_answer(random_))
        total += len(answers[-1])
    return answers


def run(data: Path | None = None) -> Iterator[Figure]:
    """The ratio to the baseline, the cost over size, and the worst growth on hostile input."""
    answers = make_answers(10 * MEGABYTE)

    def search(expressions: tuple[re.Pattern[str], ...]) -> None:
        for answer in answers:
            for expression in expressions:
                for _ in expression.finditer(answer):
                    pass

    def parse_all() -> int:
        return sum(len(parse(answer).citations) for answer in answers)

    ours, baseline, leanest = _least_seconds(
        parse_all, lambda: search(BASELINE), lambda: search(LEANEST), rounds=5
    )
    found = parse_all()
    note = f"10 MB, {len(answers)} answers, {found} citations: {ours:.2f} s against {baseline:.2f} s"
    yield Figure("parsing every family ÷ five expressions", ours / baseline, "×", 4, at_most=True, note=note)
    note = f"for comparison: in one case only, the five take {leanest:.2f} s and miss `DOI:` and `HTTPS://`"
    yield Figure("parsing every family ÷ the same five, case-sensitive", ours / leanest, "×", note=note)
    yield _flatness(answers)
    yield _hostile()


def _least_seconds(*works: Callable[[], object], rounds: int) -> list[float]:
    """The least processor time of each, run in turns, so that a busy machine slows none more than another."""
    least = [math.inf] * len(works)
    for _ in range(rounds):
        for at, work in enumerate(works):
            gc.collect()
            start = time.process_time()
            work()
            least[at] = min(least[at], time.process_time() - start)
    return least


def _flatness(answers: list[str]) -> Figure:
    """Cost a megabyte in one answer, 32 MB against 1 MB."""
    small = "\n\n".join(answers)[:MEGABYTE]
    large = small * 32
    one, many = _least_seconds(lambda: parse(small), lambda: parse(large), rounds=4)
    many /= 32
    note = f"{one * 1000:.0f} ms a MB at 1 MB, {many * 1000:.0f} ms a MB at 32 MB"
    return Figure("parsing cost a MB, 32 MB ÷ 1 MB", many / one, "×", 1.3, at_most=True, note=note)


def _hostile(characters: int = 400_000) -> Figure:
    """The worst growth when a repeated fragment doubles: 2 is linear, 4 is quadratic."""
    worst, what = 0.0, ""
    for fragment in HOSTILE:
        growth = _growth(fragment * (characters // len(fragment)))
        if growth > worst:
            worst, what = growth, fragment
    return Figure(
        "parsing hostile input, twice the size ÷ once", worst, "×", 3, at_most=True, note=f"worst: {what!r}"
    )


def _growth(text: str) -> float:
    short, long = _least_seconds(lambda: parse(text), lambda: parse(text * 2), rounds=7)
    # Below some milliseconds the clock says more about the machine than about the growth.
    return long / max(short, 0.01)

"""What judging costs: pairs a second, the first check of a process, its memory, and the weights on disk."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench._labelled import Row, read_planted, word_coverage
from bench.figures import Figure, best_seconds
from pincite.judges import Judge
from pincite.records import Pair, Passage

PAIRS = 128
RULE_PAIRS = 300
ROUNDS = 3
CLAIM_TOKENS = 20
SHARED_BY = 16
COLD_ROUNDS = 3
RULE_BAR = 10.0
MEGABYTE = 1_000_000

Encode = Callable[[str], Sequence[tuple[int, int]]]
"""A text's tokens, as their places in it."""


def speed(name: str, judge: Judge, bars: tuple[float | None, float | None]) -> Iterator[Figure]:
    """Pairs a second, each with evidence of its own, and with evidence that sixteen claims share."""
    encode = _tokenizer()
    sentences = _sentences(random.Random(20))
    asyncio.run(judge.judge([_pair(sentences, encode, 64) for _ in range(8)]))
    for tokens, bar in zip((64, 128), bars, strict=True):
        # Texts that were never seen before, so that nothing comes out of the judge's memory.
        fresh = [[_pair(sentences, encode, tokens) for _ in range(PAIRS)] for _ in range(ROUNDS)]
        seconds = min(_seconds(judge, pairs) for pairs in fresh)
        yield Figure(
            f"{name}: pairs a second at {tokens} tokens", PAIRS / seconds, "", bar, note="claim and evidence"
        )
        shared = [_share([_pair(sentences, encode, tokens) for _ in range(PAIRS)]) for _ in range(ROUNDS)]
        seconds = min(_seconds(judge, pairs) for pairs in shared)
        note = f"{SHARED_BY} claims a passage"
        yield Figure(f"{name}:   where evidence is shared", PAIRS / seconds, note=note)


def _seconds(judge: Judge, pairs: Sequence[Pair]) -> float:
    start = time.perf_counter()
    asyncio.run(judge.judge(pairs))
    return time.perf_counter() - start


def _share(pairs: Sequence[Pair]) -> list[Pair]:
    """The same claims, of which sixteen at a time have the first one's evidence."""
    return [Pair(pair.claim, pairs[place - place % SHARED_BY].passages) for place, pair in enumerate(pairs)]


def _tokenizer() -> Encode:
    """The shipped tokenizer."""
    from tokenizers import Tokenizer

    from pincite.judges import WEIGHTS

    tokenizer = Tokenizer.from_file(str(WEIGHTS / "tokenizer.json"))
    tokenizer.no_truncation()
    return lambda text: [place for place in tokenizer.encode(text).offsets if place[1]]


def _sentences(dice: random.Random) -> Iterator[str]:
    """Sentences without end, no two alike."""
    planted = [row.evidence for row in read_planted()]
    number = 0
    while True:
        number += 1
        yield f"As entry {number} says, {dice.choice(planted)}"


def _pair(sentences: Iterator[str], encode: Encode, tokens: int) -> Pair:
    """A claim of some twenty tokens and evidence that fills up the rest."""
    claim = _cut(next(sentences), encode, CLAIM_TOKENS)
    evidence = ""
    while len(encode(evidence)) < tokens - CLAIM_TOKENS:
        evidence = f"{evidence} {next(sentences)}".strip()
    return Pair(claim, (Passage(_cut(evidence, encode, tokens - CLAIM_TOKENS)),))


def _cut(text: str, encode: Encode, tokens: int) -> str:
    places = encode(text)
    return text if len(places) <= tokens else text[: places[tokens - 1][1]]


def rule_speed(judge: Judge) -> Iterator[Figure]:
    """The rule judge beside the plain counting of shared words, on the same pairs."""
    sentences = _sentences(random.Random(21))
    encode = _tokenizer()
    pairs = [_pair(sentences, encode, 96) for _ in range(RULE_PAIRS)]
    seconds = base = float("inf")
    for _ in range(ROUNDS):
        # Taking turns, so that a busy spell of the machine does not fall on one of the two alone.
        seconds = min(seconds, best_seconds(lambda: asyncio.run(judge.judge(pairs)), 1))
        read = best_seconds(lambda: [word_coverage(pair.claim, pair.passages[0].text) for pair in pairs], 1)
        base = min(base, read)
    name = "rules: time of judging ÷ time of plain word coverage"
    yield Figure("rules: pairs a second", len(pairs) / seconds, note="96 tokens a pair, one core")
    yield Figure(name, seconds / base, "×", RULE_BAR, at_most=True)


def cold_check(judge: str, bars: tuple[float | None, float | None]) -> Iterator[Figure | str]:
    """A whole `pincite check` in a process of its own: seconds, and the most memory it held."""
    with tempfile.TemporaryDirectory() as folder:
        answer = _write_answer(Path(folder), read_planted())
        command = ["check", str(answer), "--sources", str(answer.parent / "docs"), "--judge", judge]
        seconds = float("inf")
        for _ in range(COLD_ROUNDS):
            start = time.perf_counter()
            done = _run("pincite", command)
            seconds = min(seconds, time.perf_counter() - start)
            if done.returncode not in (0, 1):
                yield f"  {judge}: pincite check could not run (exit {done.returncode})"
                return
        memory = float(_run("bench._peak", command).stderr.split()[-1])
    yield Figure(f"{judge}: pincite check, cold", seconds, " s", bars[0], at_most=True)
    yield Figure(f"{judge}:   the most memory it held", memory, " MB", bars[1], at_most=True)


def _run(module: str, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", module, *command], capture_output=True, text=True, check=False
    )


def _write_answer(folder: Path, rows: Sequence[Row]) -> Path:
    """A dozen planted claims, each citing the sentence it was made from."""
    (folder / "docs").mkdir()
    source = ""
    lines = []
    for row in rows[:24:2]:
        start = len(source)
        source += row.evidence + "\n\n"
        lines.append(f"{row.claim[:-1]} [notes.txt:{start}-{start + len(row.evidence)}].")
    (folder / "docs" / "notes.txt").write_text(source, encoding="utf-8")
    answer = folder / "answer.md"
    answer.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return answer


def weights_size(bar: float) -> Iterator[Figure]:
    """Everything that the package ships for the built-in model."""
    from pincite.judges import WEIGHTS

    size = sum(path.stat().st_size for path in WEIGHTS.rglob("*") if path.is_file())
    yield Figure("entailment: weights and tokenizer", size / MEGABYTE, " MB", bar, at_most=True)

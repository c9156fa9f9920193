"""One answer evaluated completely with the rule judge, a long answer and a large source: time and memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from bench.figures import Figure, best_seconds, peak_megabytes
from pincite.judges import WrappedJudge, open_judge
from pincite.records import Usage

SENTENCES = 20
DOCUMENTS = 10
_SUBJECTS = ("The plant", "The office", "The board", "The fleet", "The fund", "The school", "The museum")
_VERBS = ("reported", "produced", "sold", "counted", "planned", "measured", "returned")
_THINGS = ("engines", "tickets", "shares", "letters", "visitors", "trees", "bottles", "repairs")


FEW, MANY = 2_000, 8_000
"""Claims of a long answer."""
SOURCE_MEGABYTES = 50


def run(data: Path | None) -> Iterator[Figure]:
    seen = _measured("answer")
    of = (
        f"{SENTENCES} claims, {SENTENCES} citations, {DOCUMENTS} documents of {seen['characters']} characters"
    )
    yield Figure("span matching of one answer", seen["spans"] * 1000, " ms", 5, at_most=True, note=of)
    yield Figure("validation of its citations", seen["validation"] * 1000, " ms", 100, at_most=True)
    yield Figure("complete evaluation, first time", seen["first"], " s", 3, at_most=True)
    yield Figure("complete evaluation, again", seen["again"], " s", 3, at_most=True)
    yield Figure("peak memory of all of it", seen["megabytes"], " MB", 200, at_most=True)
    yield Figure("calls of the judge", seen["batches"], "", 1, at_most=True, note="all pairs in one batch")
    asked = f"{seen['asked']} questions"
    yield Figure("requests to a language model", seen["requests"], "", 4, at_most=True, note=asked)
    yield Figure("answered from the cache when run again", 100 * seen["hits"], "%", 80)
    seen = _measured("long answer")
    of = f"{FEW:,} and {MANY:,} claims"
    yield Figure("check of a long answer, a claim", seen["milliseconds"], " ms", note=f"{MANY:,} claims")
    yield Figure(
        "what a claim costs more in a longer answer", seen["growth"], "x", 1.3, at_most=True, note=of
    )
    yield Figure("memory of its check, a claim", seen["kilobytes"], " KB", 20, at_most=True)
    seen = _measured("large source")
    of = f"{SOURCE_MEGABYTES} MB of ASCII text"
    yield Figure("memory to read a large source", seen["read"], "x", 2.5, at_most=True, note=of)
    yield Figure("and to check a claim that cites it", seen["claim"], "x", 2.5, at_most=True)
    yield Figure("and a quotation", seen["quote"], "x", 6, at_most=True)


def _measured(what: str) -> dict[str, Any]:
    """In a process of its own: what was measured before must not count as memory of what comes now."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.answer", what], capture_output=True, text=True, check=True, timeout=900
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _document(number: int, draw: random.Random) -> str:
    return " ".join(
        f"{draw.choice(_SUBJECTS)} of town {number} {draw.choice(_VERBS)} {draw.randint(10, 9999)} "
        f"{draw.choice(_THINGS)} in {draw.randint(1950, 2025)}."
        for _ in range(300)
    )


def make_case(seed: int = 1) -> tuple[str, dict[str, str], list[dict[str, Any]]]:
    """An answer whose every sentence cites its source, the documents, and the true spans."""
    draw = random.Random(seed)
    documents = {f"doc{number}.txt": _document(number, draw) for number in range(DOCUMENTS)}
    sentences, truth = [], []
    for _ in range(SENTENCES):
        name = draw.choice(sorted(documents))
        text = documents[name]
        start = text.index(". ", draw.randrange(len(text) // 2)) + 2
        end = text.index(".", start) + 1
        sentences.append(f"{text[start : end - 1]} [{name}:1:{start}-{end}].")
        truth.append({"file_name": name, "start_char": start - draw.randint(0, 5), "end_char": end})
    return " ".join(sentences), documents, truth


class _Parrot:
    """In place of a language model: finds everything supported, and counts what it was asked."""

    identity: ClassVar[dict[str, Any]] = {"model": "parrot"}

    def __init__(self) -> None:
        self.asked = 0
        self.usage = Usage()

    async def call(self, prompt: Any) -> str:
        self.asked += prompt.pairs
        said = [
            {"item": number, "outcome": "supported", "score": 1.0, "reason": "said before"}
            for number in range(1, prompt.pairs + 1)
        ]
        self.usage += Usage(requests=1, cost=None)
        return json.dumps({"verdicts": said})


class _Counting(WrappedJudge):
    """The rule judge, with its calls counted."""

    def __init__(self) -> None:
        super().__init__(open_judge("rules"))
        self.calls = 0

    async def judge(self, pairs: Any) -> Any:
        self.calls += 1
        return await self._judge.judge(pairs)


def measure_language_model(answer: str, documents: dict[str, str]) -> dict[str, Any]:
    """The requests of a first evaluation, and the share of a second one that needs none."""
    from tempfile import TemporaryDirectory

    from pincite.compat import CitationEvaluator
    from pincite.config import CacheSettings, Settings
    from pincite.judges import LlmJudge
    from pincite.llm import open_cache

    with TemporaryDirectory() as folder:
        settings = Settings(cache=CacheSettings(folder=folder))
        taken = []
        parrots = (_Parrot(), _Parrot())
        for parrot in parrots:
            judge = LlmJudge(parrot, open_cache(settings))
            CitationEvaluator({}, judge=judge).evaluate_answer_citations(answer, None, documents)
            taken.append(judge.usage)
    first, second = taken
    hits = second.cache_hits / (second.cache_hits + second.requests)
    return {"requests": first.requests, "asked": parrots[0].asked, "hits": hits}


def measure() -> dict[str, Any]:
    """Seconds and megabytes in this process, which must be a fresh one."""
    import time

    from pincite.base import run_sync
    from pincite.compat import CitationEvaluator, evaluate_citation_spans, extract_citations_from_answer
    from pincite.metrics import CitationCorrectness
    from pincite.records import DatasetItem
    from pincite.sources import open_sources

    answer, documents, truth = make_case()
    citations = extract_citations_from_answer(answer)
    judge = _Counting()
    evaluator = CitationEvaluator({}, judge=judge)

    def whole() -> dict[str, Any]:
        given = {"citation_spans": truth}
        return evaluator.evaluate_answer_citations(answer, citations, documents, given)

    library = open_sources(documents)
    item = DatasetItem(actual_output=answer)

    def validation() -> Any:
        return run_sync(CitationCorrectness().execute(item, library, judge=judge), waits=False)

    start = time.perf_counter()
    results = whole()
    first, batches = time.perf_counter() - start, judge.calls
    if results["overall_scores"]["overall_citation_accuracy"] < 0.99:
        raise SystemExit("the bench's clean answer was not found clean")
    return {
        "first": first,
        "batches": batches,
        "again": best_seconds(whole, repeats=5),
        "spans": best_seconds(lambda: evaluate_citation_spans(truth, citations)),
        "validation": best_seconds(validation),
        "megabytes": peak_megabytes(),
        **measure_language_model(answer, documents),
        "characters": sum(map(len, documents.values())) // DOCUMENTS,
    }


def make_long_answer(claims: int, documents: dict[str, str], seed: int = 2) -> str:
    """Sentences of the documents, half of them changed, each with its document as the citation."""
    draw = random.Random(seed)
    sentences = {name: text.split(". ") for name, text in documents.items()}
    written = []
    for number in range(claims):
        name = draw.choice(sorted(documents))
        words = draw.choice(sentences[name]).rstrip(".").split()
        if number % 2:
            words[draw.randrange(len(words))] = str(draw.randint(10, 9999))
        written.append(f"{' '.join(words)} [{name}]." + ("\n\n" if number % 9 == 0 else " "))
    return "".join(written)


def measure_long_answer() -> dict[str, Any]:
    """What a claim costs in processor time and memory, and how much more in an answer four times as long."""
    import time

    import pincite

    _, documents, _ = make_case()
    library = pincite.open_sources(documents)

    def milliseconds(claims: int) -> float:
        answer = make_long_answer(claims, documents)
        start = time.process_time()
        pincite.check(answer, library, judge="rules")
        return (time.process_time() - start) / claims * 1000

    milliseconds(FEW // 4)
    few, before = milliseconds(FEW), peak_megabytes()
    many = milliseconds(MANY)
    kilobytes = (peak_megabytes() - before) * 1024 / (MANY - FEW)
    return {"milliseconds": many, "growth": many / few, "kilobytes": kilobytes}


def measure_large_source() -> dict[str, Any]:
    """The most memory for reading a source and for checking against it, as a multiple of its size."""
    from tempfile import TemporaryDirectory

    import pincite
    from bench._prose import Prose

    with TemporaryDirectory() as folder:
        path = Path(folder) / "large.txt"
        sentences = Prose(3).text(1_000_000).encode("ascii", "ignore").decode().split(". ")
        draw = random.Random(3)
        with path.open("w") as stream:
            for _ in range(SOURCE_MEGABYTES):
                draw.shuffle(sentences)
                stream.write(". ".join(sentences) + ".\n\n")
        words = sentences[-1]
        asked = (f"{words} [1].", f'It says "{words[:60]}" [1].')
        for answer in asked:
            pincite.check(answer, {"small.txt": ". ".join(sentences[-3000:])}, judge="rules")
        before, size = peak_megabytes(), path.stat().st_size / 2**20
        library = pincite.open_sources(path)
        seen = [peak_megabytes()]
        for answer in asked:
            pincite.check(answer, library, judge="rules")
            seen.append(peak_megabytes())
    return dict(zip(("read", "claim", "quote"), ((peak - before) / size for peak in seen), strict=True))


MEASURES = {"answer": measure, "long answer": measure_long_answer, "large source": measure_large_source}

if __name__ == "__main__":
    print(json.dumps(MEASURES[sys.argv[1]]()))

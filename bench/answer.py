"""One answer evaluated completely with the rule judge: spans, validation, the whole, and its memory."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from bench.figures import Figure, best_seconds, peak_megabytes

SENTENCES = 20
DOCUMENTS = 10
_SUBJECTS = ("The plant", "The office", "The board", "The fleet", "The fund", "The school", "The museum")
_VERBS = ("reported", "produced", "sold", "counted", "planned", "measured", "returned")
_THINGS = ("engines", "tickets", "shares", "letters", "visitors", "trees", "bottles", "repairs")


def run(data: Path | None) -> Iterator[Figure]:
    done = subprocess.run(
        [sys.executable, "-m", "bench.answer"], capture_output=True, text=True, check=True, timeout=600
    )
    seen = json.loads(done.stdout)
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

    async def call(self, prompt: Any) -> Any:
        from pincite.judges.calls import Reply
        from pincite.records import Usage

        self.asked += prompt.pairs
        said = [
            {"item": number, "outcome": "supported", "score": 1.0, "reason": "said before"}
            for number in range(1, prompt.pairs + 1)
        ]
        return Reply(json.dumps({"verdicts": said}), Usage(requests=1, cost=None))


class _Counting:
    """The rule judge, with its calls counted."""

    waits = False

    def __init__(self) -> None:
        from pincite.judges.rules import RuleJudge

        self._judge = RuleJudge()
        self.name = self._judge.name
        self.calls = 0

    async def judge(self, pairs: Any) -> Any:
        self.calls += 1
        return await self._judge.judge(pairs)


def measure_language_model(answer: str, documents: dict[str, str]) -> dict[str, Any]:
    """The requests of a first evaluation, and the share of a second one that needs none."""
    from tempfile import TemporaryDirectory

    from pincite.compat.citation_evaluator import CitationEvaluator
    from pincite.config import CacheSettings, Settings
    from pincite.judges.cache import open_cache
    from pincite.judges.llm import LlmJudge

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

    from pincite import doorway
    from pincite.compat.citation_accuracy import evaluate_citation_spans, extract_citations_from_answer
    from pincite.compat.citation_evaluator import CitationEvaluator
    from pincite.measured import DatasetItem
    from pincite.metrics.citation_metrics import CitationCorrectness
    from pincite.sources.library import open_sources

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
        return doorway.run(CitationCorrectness().execute(item, library, judge=judge), waits=False)

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


if __name__ == "__main__":
    print(json.dumps(measure()))

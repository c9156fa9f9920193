"""BM25 over texts: which of them speak most of a query's words. Linear to build, quick to ask."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence

from pincite.text.terms import find_terms

K1 = 1.2
B = 0.75


class Bm25:
    """An index of texts by their word stems."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._lengths = array("l")
        for number, text in enumerate(texts):
            counts = Counter(stems(text))
            self._lengths.append(sum(counts.values()))
            for stem, count in counts.items():
                numbers, times = self._postings.setdefault(stem, (array("l"), array("l")))
                numbers.append(number)
                times.append(count)
        total = len(self._lengths)
        self._mean = sum(self._lengths) / total if total and any(self._lengths) else 1.0

    def rank(self, query: str, most: int) -> list[tuple[int, float]]:
        """The best texts for a query by number, with their scores; none that shares no word with it."""
        scores: dict[int, float] = {}
        total = len(self._lengths)
        for stem in dict.fromkeys(stems(query)):
            numbers, times = self._postings.get(stem, ((), ()))
            weight = math.log(1 + (total - len(numbers) + 0.5) / (len(numbers) + 0.5))
            for number, count in zip(numbers, times, strict=True):
                length = 1 - B + B * self._lengths[number] / self._mean
                scores[number] = scores.get(number, 0.0) + weight * count * (K1 + 1) / (count + K1 * length)
        best = sorted(scores.items(), key=lambda found: (-found[1], found[0]))
        return best[:most]


def stems(text: str) -> list[str]:
    """The stems of the words that carry meaning."""
    return [term.stem for term in find_terms(text) if not term.stop]

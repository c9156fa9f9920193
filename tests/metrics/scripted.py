"""A judge that answers from a table, and answers whose statements cite documents as a test wants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pincite.judges import Judge
from pincite.records import Pair, Verdict

OUTCOMES = ("supported", "not_enough", "contradicted", "unjudged")
DOCUMENTS = tuple(f"d{number}.txt" for number in range(5))
SOURCES = {name: f"The document called {name} says what it says." for name in DOCUMENTS}
BROKEN = "lost.txt"
ELSEWHERE = "https://example.org/page"


class ScriptedJudge(Judge):
    """Says about a claim and a set of documents whatever the table says; asks nobody, counts its batches."""

    waits = False
    name = "scripted/1"

    def __init__(self, table: dict[tuple[str, frozenset[str]], Verdict]) -> None:
        self.table = table
        self.batches: list[list[Pair]] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.batches.append(list(pairs))
        return [
            self.table[claim_key(pair.claim), frozenset(p.document for p in pair.passages)] for pair in pairs
        ]


class RandomTable(dict[tuple[str, frozenset[str]], Verdict]):
    """Draws a verdict for whatever is looked up, and keeps it."""

    def __init__(self, draw: random.Random, outcomes: Sequence[str] = OUTCOMES) -> None:
        super().__init__()
        self._draw = draw
        self._outcomes = outcomes

    def __missing__(self, key: tuple[str, frozenset[str]]) -> Verdict:
        outcome = self._draw.choice(self._outcomes)
        low, high = {"supported": (0.5, 1.0), "not_enough": (0.0, 0.49)}.get(outcome, (0.0, 0.3))
        score = None if outcome == "unjudged" else round(self._draw.uniform(low, high), 3)
        self[key] = Verdict(outcome, score, f"drawn: {outcome}", judge="scripted/1")  # type: ignore[arg-type]
        return self[key]


def claim_key(claim: str) -> str:
    """The claim up to where its markers stood: a space may be left of them."""
    return claim.rstrip(" .")


def claim_text(number: int) -> str:
    return f"The factory number {number} made {number + 20} engines."


def write_answer(cited: Sequence[Sequence[str]]) -> str:
    """One sentence a list of documents, each document cited by a marker of its own."""
    sentences = []
    for number, names in enumerate(cited):
        markers = "".join(f" {_marker(name)}" for name in names)
        sentences.append(f"{claim_text(number)[:-1]}{markers}.")
    return " ".join(sentences)


def _marker(name: str) -> str:
    if name == ELSEWHERE:
        return f"({ELSEWHERE})"
    return f"[{name}:1:0-{len(SOURCES.get(name, 'lost text'))}]"

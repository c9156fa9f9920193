"""No model at all: the sentences of the passages that answer best, each cited by its own characters."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from pincite.answering.backend import Backend
from pincite.answering.records import (
    AnswerDraft,
    DraftCitation,
    DraftRequest,
    DraftSentence,
    Grounding,
    RetrievedPassage,
)
from pincite.config import Settings
from pincite.errors import InputError
from pincite.sources import content_stems
from pincite.text import plain_text, split_sentences

MOST_SENTENCES = 2
"""More than these say the same again, or something else."""
NEAR_BEST = 0.8
"""A further sentence must be worth this much of the best one."""
LEAST_COVERED = 0.34
"""Of the question's weight, so much must be in the passage of the best sentence; else nothing answers it."""
NEARBY = 0.5
"""What a term of the question is worth that stands beside a sentence and not in it."""
WITHOUT_END = 0.7
"""What a line is worth that ends like no sentence: most are headings."""
FEWEST_WORDS = 2
LONGEST = 600
"""Characters of a sentence; what is longer is a table or code that was taken for one."""
WITH_A_FIGURE = 1.3
"""What a sentence with a figure is worth more to a question that asks for one."""
_ASKS_FOR_A_FIGURE = re.compile(
    r"\b(?:when|how (?:many|much|long|often|old|far|high|large|big|wide|deep|fast|tall)"
    r"|what does .{1,80} cost|(?:what|which) (?:year|date|time|day|percentage|share|price))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_ENDS = tuple(".!…。！।\"”’')")
_LIST_MARK = re.compile(r"^[\s>]*(?:[-*+•‣◦▪·]|\d{1,3}[.)]|#{1,6})\s+")


class Candidate(Struct, frozen=True):
    """A sentence of a passage, and how much of the question it holds."""

    passage: RetrievedPassage
    start: int
    end: int
    words: str
    stems: frozenset[str]


class ExtractiveBackend(Backend):
    """Quotes whole sentences. It cannot be wrong about a source, only beside the question."""

    name = "extractive/1"
    groundings: tuple[Grounding, ...] = ("extractive",)
    waits = False

    def __init__(self, rest: str, settings: Settings) -> None:
        if rest:
            raise InputError(
                f"the model `extractive` takes nothing after its name, and was given {rest!r:.40}"
            )

    async def draft(self, request: DraftRequest) -> AnswerDraft:
        if request.failed:
            return AnswerDraft(())  # a sentence of the source cannot be written in another way
        asked = list(dict.fromkeys(content_stems(request.question)))
        candidates = [one for passage in request.passages for one in _sentences(passage)]
        weights = _weights(asked, candidates)
        figure = bool(_ASKS_FOR_A_FIGURE.search(request.question))
        chosen = _choose(candidates, weights, min(request.max_sentences, MOST_SENTENCES), figure)
        return AnswerDraft(tuple(_quoted(one) for one in chosen), answerable=bool(chosen))


def _sentences(passage: RetrievedPassage) -> list[Candidate]:
    found = []
    for span in split_sentences(passage.text):
        words = _LIST_MARK.sub("", plain_text(passage.text, span.start, span.end))
        if "|" in words:
            words = ", ".join(cell.strip() for cell in words.split("|") if cell.strip())
        if (
            len(_WORD.findall(words)) < FEWEST_WORDS
            or len(words) > LONGEST
            or words.rstrip().endswith(("?", ":"))
        ):
            continue
        stems = frozenset(content_stems(words))
        found.append(Candidate(passage, passage.start + span.start, passage.start + span.end, words, stems))
    return found


def _weights(asked: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, float]:
    """What each term of the question is worth: the rarer among the sentences, the more."""
    counts = Counter(stem for one in candidates for stem in one.stems)
    total = len(candidates) + 1
    return {stem: math.log(1 + total / (1 + counts[stem])) for stem in asked}


def _choose(
    candidates: Sequence[Candidate], weights: dict[str, float], most: int, figure: bool
) -> list[Candidate]:
    whole = sum(weights.values())
    if not whole:
        return []
    scored = []
    for place, one in enumerate(candidates):
        around = frozenset(
            content_stems(f"{one.passage.title or ''} {one.passage.context} {one.passage.text}")
        )
        own = sum(weight for stem, weight in weights.items() if stem in one.stems)
        near = sum(weight for stem, weight in weights.items() if stem in around)
        worth = (own + NEARBY * (near - own)) / whole
        if figure and any(char.isdigit() for char in one.words):
            worth *= WITH_A_FIGURE
        if not one.words.endswith(_ENDS):
            worth *= WITHOUT_END
        scored.append((worth, near / whole, -place))
    order = sorted(range(len(candidates)), key=lambda index: scored[index], reverse=True)
    if not order or scored[order[0]][1] < LEAST_COVERED:
        return []
    best = scored[order[0]][0]
    chosen = [index for index in order if scored[index][0] >= NEAR_BEST * best][:most]
    return [candidates[index] for index in chosen]


def _quoted(one: Candidate) -> DraftSentence:
    verbatim = one.passage.text[one.start - one.passage.start : one.end - one.passage.start]
    citation = DraftCitation(one.passage.id, verbatim, one.start, one.end)
    return DraftSentence(one.words, (citation,))

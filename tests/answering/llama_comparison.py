"""One model, ten questions, four ways: free, held by citeformer's grammar, and held by each grammar of ours.

All four get the same passages and the same number of tokens. What is counted is in the replies themselves,
before Pincite checks a sentence: the comparison is of the ways, not of the judge.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from llama_questions import ten_questions

from pincite.answering import (
    Backend,
    BackendFailed,
    DraftCitation,
    DraftRequest,
    DraftSentence,
    RetrievedPassage,
    clean_sentence,
    open_backend,
)
from pincite.base import ChildProcess
from pincite.citations import parse
from pincite.config import Settings
from pincite.records import NumberTarget
from pincite.text import split_sentences

FREE, CITEFORMER = "free", "citeformer's grammar"
GROUNDINGS = (FREE, CITEFORMER, "marker_grammar", "quote_grammar")
_FIGURE = re.compile(r"\d+(?:[.,:/'’]\d+)*")
_CARET = re.compile(r"\^(\d{1,4})")


@dataclass
class Counted:
    """What one way gave for all questions."""

    grounding: str
    replies: int = 0
    cut_off: int = 0
    refused: int = 0
    """Replies that no passage answers, or of which nothing could be used."""
    sentences: int = 0
    forged: int = 0
    """Markers of passages that do not exist."""
    uncited: int = 0
    """Sentences without a marker."""
    altered: int = 0
    """Quotes that are not in their passage."""
    foreign: int = 0
    """Figures in a sentence that what it cites does not have."""
    right: int = 0
    """Replies that hold the answer and cite the passage that gives it."""
    tokens: int = 0
    seconds: float = 0.0

    def row(self) -> str:
        speed = self.tokens / self.seconds if self.seconds else 0.0
        return (
            f"{self.grounding:<22}{self.right:>6}{self.refused:>9}{self.sentences:>11}{self.cut_off:>9}{self.forged:>8}"
            f"{self.uncited:>9}{self.altered:>9}{self.foreign:>9}{speed:>10.1f}"
        )


HEADER = (
    f"{'way':<22}{'right':>6}{'refused':>9}{'sentences':>11}{'cut off':>9}{'forged':>8}"
    f"{'uncited':>9}{'altered':>9}{'figures':>9}{'tokens/s':>10}"
)


def compare(file: Path, citeformer_grammar: Callable[[int], str] | None) -> Iterator[Counted]:
    """Each way on all questions, one after the other, with one model that is loaded once."""
    backend = open_backend(f"llama:{file}", Settings())
    try:
        with pytest.MonkeyPatch.context() as patch:
            wire = Wire(patch)
            for way in GROUNDINGS:
                if way != CITEFORMER or citeformer_grammar is not None:
                    yield _count(way, backend, wire, citeformer_grammar)
    finally:
        asyncio.run(backend.close())


class Wire:
    """What goes to the model's process and what comes back, seen on its way."""

    grammar: str | None = None
    """In the place of ours; "" holds the model to nothing."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.text = ""
        self.end: dict[str, Any] = {}
        send, receive = ChildProcess.send, ChildProcess.receive

        def send_altered(process: ChildProcess, message: bytes) -> None:
            body = json.loads(message)
            if "grammar" in body:
                self.text, self.end = "", {}
                if self.grammar is not None:
                    del body["grammar"]
                if self.grammar:
                    body["grammar"] = self.grammar
            send(process, json.dumps(body).encode("ascii"))

        def receive_noted(process: ChildProcess, most: int) -> bytes:
            message = receive(process, most)
            piece = json.loads(message)
            self.text += piece.get("text", "")
            self.end = piece
            return message

        patch.setattr(ChildProcess, "send", send_altered)
        patch.setattr(ChildProcess, "receive", receive_noted)


def _count(
    way: str, backend: Backend, wire: Wire, citeformer_grammar: Callable[[int], str] | None
) -> Counted:
    counted = Counted(way)
    for question, key, passages in ten_questions():
        ours = "quote_grammar" if way == "quote_grammar" else "marker_grammar"
        request = DraftRequest(question, passages, ours, max_sentences=1, seed=7)  # type: ignore[arg-type]
        wire.grammar = "" if way == FREE else None
        if way == CITEFORMER and citeformer_grammar is not None:
            wire.grammar = citeformer_grammar(len(passages))
        begun = time.perf_counter()
        try:
            sentences = asyncio.run(backend.draft(request)).sentences
        except BackendFailed:  # nothing in the reply can be used; another form than ours never can
            sentences = ()
        counted.seconds += time.perf_counter() - begun
        text, end = wire.text, wire.end
        assert "end" in end, end
        counted.replies += 1
        counted.tokens += int(end["reply"])
        counted.cut_off += end["end"] == "length"
        if way in (FREE, CITEFORMER):
            sentences = _free_sentences(text, passages, counted)
        counted.refused += not sentences or text.strip().lower().rstrip(".") == "none"
        _add(sentences, key, passages, counted)
    return counted


def _add(
    sentences: tuple[DraftSentence, ...],
    key: str,
    passages: tuple[RetrievedPassage, ...],
    counted: Counted,
) -> None:
    by_id = {passage.id: passage for passage in passages}
    right = False
    for sentence in sentences:
        counted.sentences += 1
        counted.uncited += not sentence.citations
        cited = [(one, by_id[one.passage]) for one in sentence.citations if one.passage in by_id]
        counted.forged += len(sentence.citations) - len(cited)
        counted.altered += sum(one.quote is not None and one.quote not in p.text for one, p in cited)
        said = " ".join(one.quote or passage.text for one, passage in cited)
        counted.foreign += sum(not _says(said, figure) for figure in _FIGURE.findall(sentence.text))
        right |= bool(re.search(key, sentence.text)) and any(passage.id == 2 for _, passage in cited)
    counted.right += right


def _says(text: str, figure: str) -> bool:
    return re.search(rf"(?<![\d.,]){re.escape(figure)}(?![.,]?\d)", text) is not None


def _free_sentences(
    text: str, passages: tuple[RetrievedPassage, ...], counted: Counted
) -> tuple[DraftSentence, ...]:
    """The sentences of a reply that followed no form of ours, with every marker that a reader would see."""
    found = []
    for span in split_sentences(text):
        words = span.of(text)
        numbers = [
            target.number
            for citation in parse(words).citations
            for target in citation.targets
            if isinstance(target, NumberTarget) and target.number is not None
        ]
        numbers += [int(one) for one in _CARET.findall(words) if int(one) not in numbers]
        plain = clean_sentence(words, [passage.text for passage in passages]).text
        if any(char.isalnum() for char in plain):
            found.append(DraftSentence(plain, tuple(DraftCitation(n) for n in dict.fromkeys(numbers))))
    return tuple(found)

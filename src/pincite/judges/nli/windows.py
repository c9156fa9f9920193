"""The stretches of evidence that a model is shown one at a time.

A passage that fits is shown whole. A longer one is shown in windows of whole sentences that overlap, and a
sentence that is too long in overlapping pieces. Several passages are also shown together where they fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.nli.folder import ModelFolder
from pincite.records import Passage, Span
from pincite.text import split_sentences

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_AT_ONCE = 256
"""Texts tokenised together."""

Offsets = list[tuple[int, int]]


class TokenRow(Struct, frozen=True, gc=False):
    """One claim and one stretch of evidence, as numbers."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    """Which of the two texts a token belongs to, as far as the tokenizer says."""


class PairTokenizer:
    """A model's tokenizer, and how the model wants its two texts."""

    def __init__(self, model: ModelFolder) -> None:
        from tokenizers import Tokenizer

        self._path = model.tokenizer
        try:
            with self._failures():
                self._tokenizer: Any = Tokenizer.from_file(str(model.tokenizer))
        except Exception as error:  # the library raises bare Exceptions
            raise JudgeError(
                f"{model.tokenizer}: cannot be read ({str(error)[:200]}); get the file again, "
                "or update the library: pip install -U tokenizers"
            ) from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._claim_first = model.order == "claim-first"
        self.max_length = model.max_length
        self._frame: int = self._tokenizer.num_special_tokens_to_add(True)
        if self._frame > self.max_length // 2:
            raise JudgeError(
                f"{model.tokenizer}: adds {self._frame:,} tokens to each pair, and the model reads "
                f"{self.max_length:,}; get the file again"
            )

    def room_for_evidence(self, claim: str) -> int:
        """How many tokens of evidence the model can read beside this claim; 0 when the claim is too long."""
        taken = len(self._plain(claim).ids)
        room = self.max_length - self._frame
        return room - taken if taken <= room // 2 else 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for first in range(0, len(texts), _AT_ONCE):
            batch = [_without_surrogates(text) for text in texts[first : first + _AT_ONCE]]
            with self._failures():
                encoded = self._tokenizer.encode_batch(batch, add_special_tokens=False)
            counts += [len(found.ids) for found in encoded]
        return counts

    def offsets(self, text: str) -> Offsets:
        found: Offsets = self._plain(text).offsets
        return found

    def row(self, claim: str, evidence: str) -> TokenRow:
        """Both texts, framed as the model wants them, never longer than it can read."""
        claim, evidence = _without_surrogates(claim), _without_surrogates(evidence)
        encoded = self._pair(claim, evidence)
        # A text cut out of a longer one may have a token more than it had inside.
        while len(encoded.ids) > self.max_length and evidence:
            over = len(encoded.ids) - self.max_length
            offsets = self.offsets(evidence)
            evidence = evidence[: offsets[-over - 1][1]] if over < len(offsets) else ""
            encoded = self._pair(claim, evidence)
        return TokenRow(tuple(encoded.ids), tuple(encoded.type_ids))

    def _pair(self, claim: str, evidence: str) -> Any:
        first, second = (claim, evidence) if self._claim_first else (evidence, claim)
        with self._failures():
            return self._tokenizer.encode(first, second)

    def _plain(self, text: str) -> Any:
        with self._failures():
            return self._tokenizer.encode(_without_surrogates(text), add_special_tokens=False)

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """The library's worst failures are no `Exception`, and would pass everybody who expects one."""
        try:
            yield
        except BaseException as error:
            if type(error).__name__ != "PanicException":
                raise
            raise JudgeError(f"{self._path}: the tokenizer fails on a text ({str(error)[:200]})") from None


def _without_surrogates(text: str) -> str:
    """Half characters cannot be encoded; each becomes one replacement character, so that offsets stay."""
    return _SURROGATE.sub("\ufffd", text)


SPARE = 4
"""PairTokenizer kept free, because parts of a text may have more tokens than they have in it."""

LEAST_ROOM = 12
"""With less room for evidence than this, nothing sensible can be asked."""


class EvidenceWindow(Struct, frozen=True):
    """Evidence to be shown at once: one stretch of one passage, or all passages together."""

    text: str
    passage: int | None
    """None for all passages together."""
    span: Span
    """Where in that passage."""
    sentences: tuple[Span, ...] = ()
    """The whole sentences in it."""


class _Sentence(Struct, frozen=True, gc=False):
    span: Span
    tokens: int


class Windows:
    """Cuts passages, remembering the sentences of those that several claims share."""

    def __init__(self, tokens: PairTokenizer) -> None:
        self._tokens = tokens
        self._read: dict[str, list[_Sentence]] = {}

    def of(self, passages: Sequence[Passage], room: int) -> Iterator[EvidenceWindow]:
        """Everything to be shown about these passages, `room` tokens at most each."""
        read = [self._sentences(passage.text) for passage in passages]
        heads = [self._head(passage.context, room) for passage in passages]
        for index, (passage, sentences) in enumerate(zip(passages, read, strict=True)):
            text, (head, head_tokens) = passage.text, heads[index]
            for group in _grouped(sentences, room - head_tokens - SPARE):
                if len(group) == 1 and group[0].tokens > room - head_tokens - SPARE:
                    for piece in self._pieces(text, group[0].span, room - head_tokens - SPARE):
                        yield EvidenceWindow(head + piece.of(text), index, piece)
                else:
                    span = Span(group[0].span.start, group[-1].span.end)
                    yield EvidenceWindow(
                        head + span.of(text), index, span, tuple(part.span for part in group)
                    )
        told = [index for index, sentences in enumerate(read) if sentences]
        needed = sum(sentence.tokens for index in told for sentence in read[index])
        if len(told) > 1 and needed + sum(heads[index][1] + SPARE for index in told) <= room:
            together = "\n".join(heads[index][0] + passages[index].text.strip() for index in told)
            yield EvidenceWindow(together, None, Span(0, 0))

    def _sentences(self, text: str) -> list[_Sentence]:
        if text not in self._read:
            spans = split_sentences(text)
            counts = self._tokens.lengths([span.of(text) for span in spans])
            self._read[text] = [_Sentence(span, max(1, n)) for span, n in zip(spans, counts, strict=True)]
        return self._read[text]

    def _head(self, context: str, room: int) -> tuple[str, int]:
        """What the evidence is understood by, to stand before it: left out when it takes too much room."""
        if not context.strip():
            return "", 0
        head = context.strip() + "\n"
        count = self._tokens.lengths([head])[0]
        return (head, count) if count <= room // 3 else ("", 0)

    def _pieces(self, text: str, span: Span, room: int) -> Iterator[Span]:
        offsets = self._tokens.offsets(span.of(text))
        step = max(1, room - room // 4)
        for first in range(0, len(offsets), step):
            last = min(first + room, len(offsets)) - 1
            yield Span(span.start + offsets[first][0], span.start + offsets[last][1])
            if last == len(offsets) - 1:
                return


def _grouped(sentences: Sequence[_Sentence], room: int) -> Iterator[list[_Sentence]]:
    """Runs of sentences that fit, each beginning with up to a quarter of the one before it."""
    group: list[_Sentence] = []
    tokens = 0
    for sentence in sentences:
        if group and tokens + sentence.tokens > room:
            yield group
            group = _last_quarter(group, min(room // 4, room - sentence.tokens))
            tokens = sum(kept.tokens for kept in group)
        group.append(sentence)
        tokens += sentence.tokens
    if group:
        yield group


def _last_quarter(group: list[_Sentence], room: int) -> list[_Sentence]:
    kept: list[_Sentence] = []
    for sentence in reversed(group):
        room -= sentence.tokens
        if room < 0:
            break
        kept.append(sentence)
    return kept[::-1]

"""Claim and evidence as the tokens that a model reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pincite.errors import JudgeError
from pincite.judges.nli.folder import ModelFolder

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_AT_ONCE = 256
"""Texts tokenised together."""

Offsets = list[tuple[int, int]]


class Row(Struct, frozen=True, gc=False):
    """One claim and one stretch of evidence, as numbers."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    """Which of the two texts a token belongs to, as far as the tokenizer says."""


class Tokens:
    """A model's tokenizer, and how the model wants its two texts."""

    def __init__(self, model: ModelFolder) -> None:
        from tokenizers import Tokenizer

        try:
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

    def room_for_evidence(self, claim: str) -> int:
        """How many tokens of evidence the model can read beside this claim; 0 when the claim is too long."""
        taken = len(self._plain(claim).ids)
        room = self.max_length - self._frame
        return room - taken if taken <= room // 2 else 0

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        counts: list[int] = []
        for first in range(0, len(texts), _AT_ONCE):
            batch = [without_surrogates(text) for text in texts[first : first + _AT_ONCE]]
            counts += [
                len(found.ids) for found in self._tokenizer.encode_batch(batch, add_special_tokens=False)
            ]
        return counts

    def offsets(self, text: str) -> Offsets:
        """Where each token of a text stands in it."""
        found: Offsets = self._plain(text).offsets
        return found

    def row(self, claim: str, evidence: str) -> Row:
        """Both texts, framed as the model wants them, never longer than it can read."""
        claim, evidence = without_surrogates(claim), without_surrogates(evidence)
        encoded = self._pair(claim, evidence)
        # A text cut out of a longer one may have a token more than it had inside.
        while len(encoded.ids) > self.max_length and evidence:
            over = len(encoded.ids) - self.max_length
            offsets = self.offsets(evidence)
            evidence = evidence[: offsets[-over - 1][1]] if over < len(offsets) else ""
            encoded = self._pair(claim, evidence)
        return Row(tuple(encoded.ids), tuple(encoded.type_ids))

    def _pair(self, claim: str, evidence: str) -> Any:
        first, second = (claim, evidence) if self._claim_first else (evidence, claim)
        return self._tokenizer.encode(first, second)

    def _plain(self, text: str) -> Any:
        return self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)


def without_surrogates(text: str) -> str:
    """Half characters cannot be encoded; each becomes one replacement character, so that offsets stay."""
    return _SURROGATE.sub("\ufffd", text)

"""Whether a text follows a grammar, by llguidance's own matcher, without a model."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from pincite.errors import MissingExtraError

_END = 256
"""The token after the 256 bytes, which ends a text."""


class GrammarError(ValueError):
    """A grammar that llguidance refuses; the message is its own."""


class GrammarMatcher:
    """A compiled grammar over plain bytes."""

    def __init__(self, grammar: str) -> None:
        if find_spec("llguidance") is None:
            raise MissingExtraError("matching needs the llguidance library: pip install 'pincite[grammars]'")
        from llguidance import LLMatcher

        self._matcher: Any = LLMatcher(_bytes(), LLMatcher.grammar_from_lark(grammar), log_level=0)
        if self._matcher.is_error():
            raise GrammarError(self._matcher.get_error().partition("\n")[0])

    def accepts(self, text: str) -> bool:
        """Whether the whole text follows the grammar."""
        tokens = [*text.encode("utf-8", "surrogatepass"), _END]
        return self._taken(tokens) == len(tokens)

    def prefix(self, text: str) -> int:
        """How many bytes of the text could begin a text that follows the grammar."""
        return self._taken([*text.encode("utf-8", "surrogatepass")])

    def _taken(self, tokens: list[int]) -> int:
        return int(self._matcher.validate_tokens(tokens))


@cache
def _bytes() -> Any:
    from llguidance import LLTokenizer, TokenizerWrapper

    return LLTokenizer(TokenizerWrapper(_ByteVocabulary()), n_vocab=_END + 1, eos_token=_END)


class _ByteVocabulary:
    """One token for each byte, as llguidance asks for a vocabulary."""

    eos_token_id = _END
    bos_token_id = None
    tokens = (*(bytes([byte]) for byte in range(_END)), b"<end>")
    special_token_ids = (_END,)

    def __call__(self, text: str | bytes) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)

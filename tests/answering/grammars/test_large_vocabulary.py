"""A real model chooses among tens of thousands of tokens, for each of which the grammar is followed.

llguidance gives up on a grammar that takes it too long, and llama.cpp then lets the model go on without one.
So the grammars are followed here with a vocabulary of that size, and with half of what llguidance allows.
"""

from __future__ import annotations

import string
from itertools import product
from typing import Any

import pytest

from pincite.answering import RetrievedPassage, marker_grammar, quote_grammar

llguidance = pytest.importorskip("llguidance")
ALLOWED = 200_000
"""The work for one token that llama.cpp lets llguidance do."""
SOURCE = "The crossing takes 35 minutes in calm weather, i.e. 2.5 times as long. It leaks 21.4%."
PASSAGES = (RetrievedPassage(1, "a.txt", SOURCE, 0, len(SOURCE)),)
SENTENCES = (
    "The crossing takes 35 minutes in calm weather, i.e. 2.5 times as long.",
    "It leaks 21.4% (i.e. a fifth).",
    "Yes.",
)


class Vocabulary:
    """Bytes, pairs of printable characters, and words of three and four letters, with and without a space."""

    def __init__(self) -> None:
        pairs = ["".join(two) for two in product(map(chr, range(32, 127)), repeat=2)]
        words = ["".join(three) for three in product(string.ascii_lowercase, repeat=3)]
        long = [f"{word}{last}" for word in words[::7] for last in "aest"]
        texts = [*pairs, *words, *(f" {word}" for word in words), *(f" {word}" for word in long)]
        self.tokens = [*(bytes([byte]) for byte in range(256)), *(text.encode() for text in texts)]
        self.eos_token_id = len(self.tokens)
        self.tokens.append(b"<end>")
        self.bos_token_id = None
        self.special_token_ids = [self.eos_token_id]

    def __call__(self, text: str | bytes) -> list[int]:
        return list(text.encode() if isinstance(text, str) else text)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    own = Vocabulary()
    assert len(own.tokens) > 49_000
    wrapped = llguidance.TokenizerWrapper(own)
    return llguidance.LLTokenizer(wrapped, n_vocab=len(own.tokens), eos_token=own.eos_token_id)


def followed(grammar: str, text: str, tokenizer: Any, most: int) -> str:
    """What goes wrong while all next tokens are looked at, byte after byte; empty if all is well."""
    from llguidance import LLMatcher
    from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

    limits = llguidance.LLParserLimits(step_lexer_fuel=most)
    matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_lark(grammar), log_level=0, limits=limits)
    mask = allocate_token_bitmask(1, tokenizer.vocab_size)
    for place, byte in enumerate(text.encode()):
        fill_next_token_bitmask(matcher, mask, 0)
        if matcher.is_error() or not matcher.consume_token(byte):
            return f"at {text.encode()[:place]!r}: {matcher.get_error()}"
    return ""


@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_grammar_is_given_up_among_the_tokens_of_a_real_model(sentence: str, tokenizer: Any) -> None:
    marked = followed(marker_grammar([1, 2, 3], 2), f"{sentence} [2]\n", tokenizer, ALLOWED // 2)
    assert marked == ""
    reply = f"Quote: {SOURCE}\nSentence: {sentence}\n"
    assert followed(quote_grammar(PASSAGES, 2), reply, tokenizer, ALLOWED // 2) == ""


def test_a_grammar_that_takes_too_long_is_seen_here(tokenizer: Any) -> None:
    grammar = marker_grammar([1, 2, 3], 2)
    assert "too many expressions" in followed(grammar, f"{SENTENCES[0]} [2]\n", tokenizer, 1000)

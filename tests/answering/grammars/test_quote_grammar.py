"""The quote grammar by llguidance's matcher: quotes are verbatim, and figures are those of the sources."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.answering import GrammarMatcher, RetrievedPassage, find_verbatim, quote_grammar, read_quoted

TARIFF = "Tariff.\nA cubic metre of water\ncosts 2.50 euros, or 1,200.75 a year. Leakage is 21.4%."
OTHER = "See [7] and “this”. 水の価格は2.50ユーロです。 Leakage fell in 2024/05."
PASSAGES = (
    RetrievedPassage(1, "a.txt", TARIFF, 100, 100 + len(TARIFF)),
    RetrievedPassage(2, "b.txt", OTHER, 7, 7 + len(OTHER)),
)
TWO = GrammarMatcher(quote_grammar(PASSAGES, 3))


def _reply(quote: str, sentence: str) -> str:
    return f"Quote: {quote}\nSentence: {sentence}\n"


@pytest.mark.parametrize(
    ("quote", "sentence", "passage"),
    [
        ("cubic metre of water costs 2.50 euros,", "Water costs 2.50 euros.", 1),
        ("or 1,200.75 a year.", "It is 1,200.75, no less.", 1),
        ("Leakage is 21.4%.", "It leaks 21.4%", 1),
        ("See [7] and “this”.", "It says “this”.", 2),
        ("の価格は2.50ユーロです。", "価格は2.50ユーロです。", 2),
        ("Leakage fell in 2024/05.", "In 2024 it fell, in 05.", 2),
    ],
)
def test_a_verbatim_quote_passes_and_its_span_follows(quote: str, sentence: str, passage: int) -> None:
    reply = _reply(quote, sentence)
    assert TWO.accepts(reply)
    [read] = read_quoted(reply, PASSAGES).sentences
    [citation] = read.citations
    assert (read.text, citation.passage) == (sentence, passage)
    source = PASSAGES[passage - 1]
    assert citation.start is not None and citation.end is not None
    words = source.text[citation.start - source.start : citation.end - source.start]
    assert words == citation.quote
    assert " ".join(words.split()) == quote


@pytest.mark.parametrize(
    "quote",
    [
        "cubic metre of water costs 2.5 euros,",
        "cubic metre of wine costs",
        "water costs 2",
        "costs 2.50 euros, Leakage is",
        "Leakage is 21.4%. See [7] and",
        "metre",
        "A  cubic metre of",
        "a cubic metre of water",
        "",
    ],
)
def test_an_altered_or_joined_quote_is_refused(quote: str) -> None:
    assert not TWO.accepts(_reply(quote, "Water costs much."))


@pytest.mark.parametrize(
    "sentence",
    ["Water costs 2.", "Water costs 3 euros.", "It is 2.5 euros.", "It is 250.", "It is 2.501.",
     "It is 21.4.05.", "It is ٣.", "It is 21.", "See [1].", "In 2024/06 it fell."],
)  # fmt: skip
def test_a_figure_that_no_passage_has_cannot_be_written(sentence: str) -> None:
    assert not TWO.accepts(_reply("cubic metre of water costs 2.50 euros,", sentence))


def test_a_figure_of_another_place_is_found_when_the_reply_is_read() -> None:
    reply = _reply("cubic metre of water costs 2.50 euros,", "Leakage is 21.4%.")
    assert TWO.accepts(reply)
    drafted = read_quoted(reply, PASSAGES)
    assert drafted.sentences == ()
    assert "says 21.4, which its quote does not say" in drafted.problems[0]


def test_that_there_is_no_answer_can_be_said_and_a_cut_off_reply_is_told() -> None:
    assert TWO.accepts("Quote: none\n")
    assert not read_quoted("Quote: none\n", PASSAGES).answerable
    cut = read_quoted(_reply("Leakage is 21.4%.", "It leaks 21.4%.") + "Quote: cubic metre", PASSAGES)
    assert len(cut.sentences) == 1
    assert "cut off" in cut.problems[0]


SAID = ("Water", "costs", "2.50", "euros.", "水", "価格", "“so”", "[3]", "a/b", "#", "\\", '"', "🎉")
words = st.lists(st.sampled_from(SAID), min_size=4, max_size=12)


@pytest.mark.thorough
@settings(max_examples=150)
@given(words, st.sampled_from([" ", "\n", "  \t"]), st.data())
def test_every_run_of_words_of_a_passage_can_be_quoted_and_is_found(
    said: list[str], space: str, data: st.DataObject
) -> None:
    text = space.join(said)
    passage = RetrievedPassage(1, "a", text, 5, 5 + len(text))
    first = data.draw(st.integers(0, len(said) - 1))
    last = data.draw(st.integers(first + 1, len(said)))
    quote = " ".join(said[first:last])
    assume(len(quote) >= 8)
    reply = _reply(quote, "It is so.")
    assert GrammarMatcher(quote_grammar([passage], 1)).accepts(reply)
    [sentence] = read_quoted(reply, [passage]).sentences
    assert sentence.citations[0].quote in text
    assert " ".join(str(sentence.citations[0].quote).split()) == quote


@settings(max_examples=300)
@given(st.text(st.sampled_from("AWaterl mcos2.50 u,[7]“”水の価格は\n"), max_size=30))
def test_whatever_quote_is_accepted_is_in_a_passage(quote: str) -> None:
    if TWO.accepts(_reply(quote, "It is so.")):
        found = find_verbatim(quote, PASSAGES)
        assert found is not None
        passage, start, end = found
        assert passage.text[start - passage.start : end - passage.start].split() == quote.split()


def _long(size: int, seed: int) -> str:
    chosen = random.Random(seed)
    made, length = [], 0
    while length < size:
        word = (
            str(chosen.randint(1, 9999) / 10)
            if chosen.random() < 0.02
            else chosen.choice(("ab", "cde")) * chosen.randint(1, 4)
        )
        made.append(word)
        length += len(word) + 1
    return " ".join(made)


@pytest.mark.parametrize(("count", "size"), [(200, 1500), (1, 300_000)])
def test_two_hundred_passages_or_a_long_one_make_a_grammar(count: int, size: int) -> None:
    texts = [_long(size, seed) for seed in range(count)]
    passages = [RetrievedPassage(n, "a", text, 0, len(text)) for n, text in enumerate(texts, 1)]
    matcher = GrammarMatcher(quote_grammar(passages, 6))
    middle = texts[-1].split()[100:110]
    assert matcher.accepts(_reply(" ".join(middle), "It is so."))
    assert not matcher.accepts(_reply(" ".join([*middle, "nowhere"]), "It is so."))


def test_passages_without_words_make_no_grammar() -> None:
    with pytest.raises(ValueError, match="with words in it"):
        quote_grammar([RetrievedPassage(1, "a", " \n ", 0, 3)], 2)

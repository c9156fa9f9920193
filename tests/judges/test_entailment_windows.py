"""How evidence is cut for the built-in model: nothing of it is lost, whatever it holds."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pincite.judges.entailment.pairs import (
    CHOSEN_CHARACTERS,
    CHOSEN_SENTENCES,
    CONTEXT_CHARACTERS,
    LONGEST_WINDOW,
    OVERLAP,
    WINDOW_CHARACTERS,
    choose_sentences,
    cut_windows,
)
from pincite.judges.rules.reading import ReadText, Sentence
from pincite.records import Span

SENTENCES = st.lists(
    st.integers(1, 220).map(lambda words: "Word " + "then " * words + "ends."), min_size=0, max_size=12
).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.text(max_size=400), SENTENCES.map(lambda text: text.replace(".", ",")))


@given(TEXTS)
def test_every_character_of_every_sentence_lies_in_a_window(text: str) -> None:
    reading = ReadText(text)
    covered = {place for window in cut_windows(reading) for place in range(window.start, window.end)}
    for span in reading.sentences:
        assert covered.issuperset(range(span.start, span.end))


@given(TEXTS)
def test_windows_stand_in_order_within_the_text_and_begin_with_their_context(text: str) -> None:
    windows = cut_windows(ReadText(text))
    assert windows == sorted(windows)
    for window in windows:
        assert 0 <= window.context <= window.start < window.end <= len(text)
        assert window.start - window.context <= CONTEXT_CHARACTERS + WINDOW_CHARACTERS


@given(TEXTS)
def test_no_window_is_longer_than_the_longest(text: str) -> None:
    assert all(window.end - window.start <= LONGEST_WINDOW for window in cut_windows(ReadText(text)))


@given(st.integers(LONGEST_WINDOW // 5, 2000))
def test_the_windows_of_a_sentence_without_an_end_overlap(words: int) -> None:
    reading = ReadText("word " * words)
    windows = cut_windows(reading)
    assert windows[-1].end == reading.sentences[-1].end
    for one, two in pairwise(windows):
        assert one.end - two.start >= OVERLAP or two.end - one.start <= LONGEST_WINDOW


def test_a_window_begins_with_the_sentence_before_it() -> None:
    first = "The company was founded in Turin by two sisters who had been weavers."
    second = "It sells looms, " + "spindles and thread, " * (WINDOW_CHARACTERS // 21) + "and much else."
    reading = ReadText(f"{first} {second}")
    windows = cut_windows(reading)
    assert [reading.text[window.start : window.end] for window in windows] == [first, second]
    assert windows[1].context == 0


def test_windows_do_not_depend_on_how_often_the_text_is_read() -> None:
    text = "One thing. Another thing. " * 40
    assert cut_windows(ReadText(text)) == cut_windows(ReadText(text))


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=12))
def test_the_best_sentence_is_always_chosen_and_the_rest_as_far_as_there_is_room(lengths: list[int]) -> None:
    reading = ReadText("x" * sum(lengths))
    sentences, start = [], 0
    for length in lengths:
        sentences.append(Sentence(0, Span(start, start + length), reading, 0.5))
        start += length
    chosen = choose_sentences(sentences, [reading])
    assert chosen[0] == sentences[0]
    assert len(chosen) <= CHOSEN_SENTENCES
    rest = sum(sentence.span.end - sentence.span.start for sentence in chosen[1:])
    assert not chosen[1:] or lengths[0] + rest <= CHOSEN_CHARACTERS


def test_evidence_that_shares_no_word_with_the_claim_is_shown_from_its_start() -> None:
    readings = [ReadText("One thing. Another thing."), ReadText("A third.")]
    chosen = choose_sentences([], readings)
    assert [sentence.text for sentence in chosen] == ["One thing.", "Another thing.", "A third."]

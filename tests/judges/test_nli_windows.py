from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import make_model

from pincite.judges.nli.folder import Stated, read_folder
from pincite.judges.nli.windows import LEAST_ROOM, PairTokenizer, Windows
from pincite.records import Passage

TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            ["The cows eat grass.", "It rained!", "The council opened the bridge in 1990.", "\n\n", "  "]
        ),
        st.integers(1, 90).map(lambda count: "grass " * count),
        st.text(max_size=30),
    ),
    max_size=30,
).map(" ".join)


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> PairTokenizer:
    return PairTokenizer(read_folder(make_model(tmp_path_factory.mktemp("models")), Stated()))


@settings(max_examples=80, deadline=None)
@given(
    text=TEXTS,
    room=st.integers(LEAST_ROOM, 60),
    context=st.sampled_from(["", "The cost of tea", "the " * 70]),
)
def test_windows_fit_and_leave_nothing_out(tokens: PairTokenizer, text: str, room: int, context: str) -> None:
    shown = list(Windows(tokens).of([Passage(text, context=context)], room))
    covered = set()
    for window in shown:
        assert window.passage == 0
        assert window.text.endswith(window.span.of(text))
        assert tokens.lengths([window.text])[0] <= room
        assert all(
            window.span.start <= part.start and part.end <= window.span.end for part in window.sentences
        )
        covered.update(range(window.span.start, window.span.end))
    # A piece of a long sentence may end before white space, and white space is no token.
    assert {place for place, sign in enumerate(text) if sign.isalnum()} - covered == set()
    starts = [window.span.start for window in shown]
    assert starts == sorted(starts)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(TEXTS, min_size=2, max_size=4), room=st.integers(LEAST_ROOM, 60))
def test_passages_are_shown_together_only_when_they_fit(
    tokens: PairTokenizer, texts: list[str], room: int
) -> None:
    together = [w for w in Windows(tokens).of([Passage(text) for text in texts], room) if w.passage is None]
    assert len(together) <= 1
    for window in together:
        assert tokens.lengths([window.text])[0] <= room


@settings(max_examples=40, deadline=None)
@given(claim=st.text(max_size=60), evidence=TEXTS)
def test_a_row_is_never_longer_than_the_model_reads(tokens: PairTokenizer, claim: str, evidence: str) -> None:
    if tokens.room_for_evidence(claim) < LEAST_ROOM:
        return
    row = tokens.row(claim, evidence)
    assert len(row.ids) == len(row.types) <= tokens.max_length


def test_windows_of_a_text_do_not_grow_faster_than_the_text(tokens: PairTokenizer, tmp_path: Path) -> None:
    def count(sentences: int) -> int:
        return len(
            list(Windows(tokens).of([Passage("The cows of the old city eat grass. " * sentences)], 50))
        )

    assert count(2000) <= 2 * count(1000) + 2

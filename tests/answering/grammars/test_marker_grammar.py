"""The marker grammar by llguidance's matcher: what it takes, what it refuses, and that it reads back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answering.drafts import stray_markers
from pincite.answering import (
    DraftCitation,
    DraftSentence,
    GrammarError,
    GrammarMatcher,
    marker_gbnf,
    marker_grammar,
    read_marked,
)

NO_LINE = "none"
THREE = GrammarMatcher(marker_grammar([1, 2, 3], 4))

GOOD = (
    "Water costs 2.50 per cubic metre.",
    "It rose by 21.4% to 1,200.75 in 2024-03.",
    "Dr. Smith of the U.S. Army met Prof. Jones, e.g. on Mon. at 10:30.",
    'He said "yes" and “no”, then ‘perhaps’.',
    "Call `items[i]` or `list[int]` and print({'a': x}) if a < b && c.",
    "Use C:\\dir and \\n, a^b, and x & y.",
    "It was [sic] so.",
    "It covers 25 km² of land.",
    "水の価格は1立方メートルあたり2.50ユーロです。",
    "Цена воды составляет 2,50 евро.",
    "سعر الماء ٢٫٥ يورو.",
    "पानी की कीमत ढाई यूरो है।",
    "It is great 🎉👨‍👩‍👧👍🏽!",
    "Really?",
    "no stop at the end",
    "Ratio 3:1 at 5:30 (see page 4).",
    "No. 5 is 2.50 at approx. 3 km.",
)
BAD = (
    "See [7] here.",
    "See [1] here.",
    "Water [1, 2] costs.",
    "water^15 costs.",
    "Water【3】 costs.",
    "Water［3］ costs.",
    "Water² costs.",
    "Water ¹ costs.",
    "Water <sup>1</sup> costs.",
    "Water {1} costs.",
    "Water &#91;1&#93; costs.",
    "Water \\cite{a} costs.",
    "See [x](y) here.",
    "See https://evil.example here.",
    "Water costs.[^1]",
    "Water costs †1.",
    "a [citation needed] b.",
    " leading space.",
    "line\nbreak.",
    "bell\x07.",
    "\u202ereversed.",
    "This ends here. Another begins.",
    "これは文です。次の文です。",
    "",
)


@pytest.mark.parametrize("sentence", GOOD)
def test_sentences_of_all_kinds_pass_and_read_back(sentence: str) -> None:
    reply = f"{sentence} [2]\n{sentence} [1][3]\n"
    assert THREE.accepts(reply)
    drafted = read_marked(reply)
    assert drafted.problems == ()
    assert drafted.sentences == (
        DraftSentence(sentence, (DraftCitation(2),)),
        DraftSentence(sentence, (DraftCitation(1), DraftCitation(3))),
    )
    assert stray_markers(sentence) == ()


@pytest.mark.parametrize("sentence", BAD)
def test_what_looks_like_a_marker_cannot_be_written_into_a_sentence(sentence: str) -> None:
    assert not THREE.accepts(f"{sentence} [1]\n")


@pytest.mark.parametrize(
    "reply",
    [
        "Water. [4]\n",
        "Water. [0]\n",
        "Water. [11]\n",
        "Water. [01]\n",
        "Water. [ 1]\n",
        "Water. [1] [2]\n",
        "Water. [1, 2]\n",
        "Water. ^1\n",
        "Water.\n",
        "Water. [1]",
        "[1]\n",
        "Water. [1][2][3][1]\n",
        "Water. [1]\n" * 5,
        "Water. [1]\n\n",
        NO_LINE,
        f"{NO_LINE}\nWater. [1]\n",
        "",
    ],
)
def test_a_reply_without_markers_or_with_others_is_refused(reply: str) -> None:
    assert not THREE.accepts(reply)


def test_that_there_is_no_answer_can_be_said() -> None:
    assert THREE.accepts(f"{NO_LINE}\n")
    assert not read_marked(f"{NO_LINE}\n").answerable


def test_so_many_sentences_as_are_to_be_mended_are_asked_for() -> None:
    two = GrammarMatcher(marker_grammar([1], 2, exactly=True))
    assert [two.accepts("Water. [1]\n" * count) for count in range(4)] == [False, False, True, False]
    assert not two.accepts(f"{NO_LINE}\n")


signs = st.sampled_from("[]{}()^0123456789 .,:;!?&#<>/\\\"'`s¹²³m†【】［］。aA\n⁷|*_~-")
pieces = st.sampled_from(
    ["[1]", "[2]", "[9]", " [1]", "cite{", "sup>", "&#91;", "://", "www.", "[sic]", " km²"]
)
free = st.lists(signs | pieces, max_size=20).map("".join)


@pytest.mark.thorough
@settings(max_examples=600)
@given(free, st.lists(st.integers(0, 12), max_size=4))
def test_whatever_is_accepted_reads_back_to_passages_that_exist(words: str, numbers: list[int]) -> None:
    reply = f"{words} {''.join(f'[{number}]' for number in numbers)}\n"
    if THREE.accepts(reply):
        drafted = read_marked(reply)
        assert drafted.problems == ()
        rebuilt = ""
        for sentence in drafted.sentences:
            cited = [citation.passage for citation in sentence.citations]
            assert cited and set(cited) <= {1, 2, 3}
            assert not any(sign in sentence.text for sign in ("[1", "[2", "[9", "^1", "【", "［", "¹"))
            found = [one for one in stray_markers(sentence.text) if "(" not in one[:1]]
            assert found == [], sentence.text
            rebuilt += sentence.text
        assert rebuilt


@settings(max_examples=100)
@given(st.sets(st.integers(1, 300), min_size=1, max_size=20), st.integers(1, 400))
def test_only_the_numbers_that_were_given_are_markers(ids: set[int], asked: int) -> None:
    assert GrammarMatcher(marker_grammar(sorted(ids), 1)).accepts(f"Water. [{asked}]\n") == (asked in ids)


def test_two_hundred_passages_make_a_grammar() -> None:
    many = GrammarMatcher(marker_grammar(range(1, 201), 6))
    assert many.accepts("Water costs 2.50. [200][7]\n")
    assert not many.accepts("Water costs 2.50. [201]\n")


def test_a_draft_that_was_cut_off_says_so() -> None:
    drafted = read_marked("Water costs 2.50. [1]\nIt rose by 21.")
    assert len(drafted.sentences) == 1
    assert "cut off" in drafted.problems[0]


def test_nothing_to_cite_makes_no_grammar() -> None:
    with pytest.raises(ValueError, match="at least one passage"):
        marker_grammar([], 3)
    with pytest.raises(GrammarError):
        GrammarMatcher("start: nothing_like_that")


def test_the_form_for_llama_cpp_takes_the_same_replies_and_is_stricter() -> None:
    from llguidance.gbnf_to_lark import any_to_lark

    own = GrammarMatcher(any_to_lark(marker_gbnf([1, 2, 3], 2)))
    assert own.accepts("Water costs 2.50, i.e. 21.4% more. [1][3]\n水は高い。 [2]\n")
    assert own.accepts(f"{NO_LINE}\n")
    for reply in ("Water. [4]\n", "Water [1] costs. [1]\n", "a^1. [1]\n", "Water.\n", "A. [1]\n" * 3):
        assert not own.accepts(reply)
    exactly = GrammarMatcher(any_to_lark(marker_gbnf([1], 2, exactly=True)))
    assert exactly.accepts("A. [1]\nB. [1]\n")
    for reply in ("A. [1]\n", f"{NO_LINE}\n", "A. [1]\n" * 3):
        assert not exactly.accepts(reply)

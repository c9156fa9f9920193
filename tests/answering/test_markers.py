"""Only we place markers: nothing that looks like one survives, and nothing else is taken away."""

from __future__ import annotations

import pytest
from drafts import ASKED, SOURCES, Scripted, drafted, said, stray_markers
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pincite
from pincite.answering import clean_sentence


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("It costs 2.50 euros [7].", "It costs 2.50 euros."),
        ("It costs 2.50 euros^15.", "It costs 2.50 euros."),
        ("It rose by 21.4% [3, 4].", "It rose by 21.4%."),
        ("Nested [[7]7] markers.", "Nested markers."),
        ("Rose¹ in spring.", "Rose in spring."),
        ("So says \\cite{smith} here.", "So says here."),
        ("As 【4†report.pdf】 has it.", "As has it."),
        ("Wide ［7］ brackets.", "Wide brackets."),
        ("Escaped \\[7\\] ones.", "Escaped ones."),
        ("Entities &#91;7&#93; too.", "Entities too."),
        ("In code `[7]` too.", "In code `` too."),
        ("A [link](https://example.org/x) goes.", "A link goes."),
        ("By (Smith, 2020) it is so.", "By it is so."),
        ("In [water.md:3-9] it stands.", "In it stands."),
    ],
)
def test_what_looks_like_a_marker_is_taken_out(written: str, left: str) -> None:
    cleaned = clean_sentence(written)
    assert cleaned.text == left and cleaned.removed and not stray_markers(cleaned.text)


@pytest.mark.parametrize(
    "kept",
    [
        "It rose by 21.4% to 2.50 euros.",
        "The U.S. paid 1,234.56 dollars, approx. 3 p.m.",
        "Article 5(2) applies to areas of 3 m² and 10^15 atoms.",
        "水の値段は2.50ユーロです。",
        "🙂 Fine 👩‍👩‍👧 “quoted” – it's done…",
        "Run `pip install pincite` (see below).",
        "x^2 + y^2 = z^2",
        "Prices: 2 500 €, −3 °C.",
    ],
)
def test_what_is_no_marker_stays_as_it_is(kept: str) -> None:
    cleaned = clean_sentence(kept)
    assert (cleaned.text, cleaned.removed) == (kept, ())


def test_a_work_or_a_file_may_be_named_only_where_what_is_cited_names_it() -> None:
    assert clean_sentence("Smith (2020) found it.").foreign == ("Smith (2020)",)
    assert clean_sentence("Smith (2020) found it.", ["As Smith (2020) says"]).foreign == ()
    assert clean_sentence("According to secret.md, it is so.").foreign == ("secret.md",)
    assert clean_sentence("According to water.md, it is so.", ["water.md"]).foreign == ()


pieces = st.lists(
    st.one_of(
        st.sampled_from("[](){}^0123456789 .,;`<>\\【】［］⁷¹†:-\n"),
        st.sampled_from(
            ["[7]", "^15", "cite", "2.5%", "<sup>", "water.md", "(Smith, 2020)", "https://a.b/c"]
        ),
        st.text(max_size=6),
    ),
    max_size=30,
).map("".join)


@settings(max_examples=300)
@given(pieces)
@example("[[[[[[[[[7]7]7]7]7]7]7]7]7]")
@example("\\[[7]7\\]")
@example("[ \u200b 0")
def test_no_text_keeps_a_marker(text: str) -> None:
    cleaned = clean_sentence(text)
    assert not stray_markers(cleaned.text)
    assert clean_sentence(cleaned.text).text == cleaned.text


@settings(max_examples=100, deadline=None)
@given(st.lists(pieces, min_size=1, max_size=4))
def test_of_a_composed_text_only_our_markers_are_read_as_markers(texts: list[str]) -> None:
    result = pincite.answer(
        ASKED,
        SOURCES,
        model=Scripted(drafted(*(said(text, 1) for text in texts))),
        judge="rules",
        on_unsupported="mark",
        repairs=0,
    )
    found = [one for one in pincite.parse(result.text).citations if one.family == "number"]
    assert {(one.start, one.end) for one in found} == {(one.start, one.end) for one in result.citations}


@given(st.decimals(0, 10_000, places=2), st.decimals(0, 100, places=1))
@settings(max_examples=50)
def test_decimals_survive(price: object, share: object) -> None:
    text = f"It costs {price} euros, {share}% more."
    result = pincite.answer(
        "What does it cost?",
        {"a.txt": text},
        model=Scripted(drafted(said(text, 1))),
        judge="rules",
        retriever=lambda question: [{"document": "a.txt", "text": text}],
    )
    assert f"{price} euros" in result.text and f"{share}% more [1]." in result.text


def test_a_marker_between_two_sentences_cannot_be_made_of_two_halves() -> None:
    backend = Scripted(
        drafted(said("A cubic metre of water costs 2.50 euros [", 1), said("7].", 1)), drafted()
    )
    result = pincite.answer("What does a cubic metre cost?", SOURCES, model=backend, judge="rules")
    assert "[7]" not in result.text.replace(" ", "")

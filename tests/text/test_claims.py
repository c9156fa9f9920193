"""Claims: what an answer asserts, and what a judge is given to read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import kept_words, marker_spans, parse
from pincite.records import Claim, Span
from pincite.text import find_blocks, split_claims


def claims_of(answer: str) -> tuple[Claim, ...]:
    citations = parse(answer).citations
    return split_claims(answer, marker_spans(citations), "en", kept_words(citations, answer))


ROWS: list[tuple[str, list[str]]] = [
    # sentences and where markers stand
    ("Revenue rose 5% [1].", ["Revenue rose 5%."]),
    ("Revenue rose 5%. [1]", ["Revenue rose 5%."]),
    ("Revenue rose 5%.[1][2] Costs fell.", ["Revenue rose 5%.", "Costs fell."]),
    ("Revenue rose【3†source】. Costs fell.【4:0†a.pdf】", ["Revenue rose.", "Costs fell."]),
    ("Revenue rose.¹ Costs fell.²", ["Revenue rose.", "Costs fell."]),
    ("Revenue rose [1], while costs fell [2].", ["Revenue rose, while costs fell."]),
    ("Revenue rose [1], [2], and [3].", ["Revenue rose."]),
    ("Revenue rose ([1], [2]).", ["Revenue rose."]),
    ("Revenue rose (see [1]).", ["Revenue rose."]),
    ("Revenue rose [report.pdf:3:10-20]. Costs fell.", ["Revenue rose.", "Costs fell."]),
    ('Revenue rose [a.pdf:3:1-9 | excerpt: "It rose. A lot."].', ["Revenue rose."]),
    ("The premium is $500 [quote.premium].", ["The premium is $500."]),
    (
        "Dr. Lee of Acme Inc. joined the U.S. board in 2020 [1].",
        ["Dr. Lee of Acme Inc. joined the U.S. board in 2020."],
    ),
    # words that only lead to a marker
    ("According to [1], revenue rose.", ["Revenue rose."]),
    ("Revenue, according to [1], rose.", ["Revenue rose."]),
    ("Revenue rose, according to source [1].", ["Revenue rose."]),
    ("Revenue rose, as shown in [1] and [2].", ["Revenue rose."]),
    ("Costs fell. [1] says that revenue rose.", ["Costs fell.", "Revenue rose."]),
    ("[1] reports revenue of $5M.", ["The source reports revenue of $5M."]),
    ("Revenue rose. Source: [1]", ["Revenue rose."]),
    # author and year, links
    ("Smith (2020) found that sleep helps.", ["Smith found that sleep helps."]),
    ("Smith and Jones (2020, p. 5) found that sleep helps.", ["Smith and Jones found that sleep helps."]),
    ("Sleep helps (Smith, 2020; Lee, 2019).", ["Sleep helps."]),
    (
        "According to the [IPCC report](https://ipcc.org/r), emissions rose.",
        ["According to the IPCC report, emissions rose."],
    ),
    ("[The report](https://a.org/x) says that costs fell.", ["The report says that costs fell."]),
    ("Revenue rose 5% [Reuters](https://r.com/a).", ["Revenue rose 5%."]),
    ("Revenue rose 5%. ([reuters.com](https://reuters.com/a))", ["Revenue rose 5%."]),
    (
        "Revenue rose. ([Reuters](https://r.com/a), [AP](https://ap.org/b)) Costs fell.",
        ["Revenue rose.", "Costs fell."],
    ),
    ("Revenue rose. (see [1] and [2]) Costs fell.", ["Revenue rose.", "Costs fell."]),
    ("Revenue rose.[1]Costs fell.[2]", ["Revenue rose.", "Costs fell."]),
    ("Revenue rose 5% [Source](https://r.com/a) in May.", ["Revenue rose 5% in May."]),
    ("Revenue rose (https://a.org/b.html). Costs fell.", ["Revenue rose.", "Costs fell."]),
    # what asserts nothing
    ("# Revenue [1]\n\nRevenue rose.", ["Revenue rose."]),
    ("**Overview**\n\nRevenue rose.", ["Revenue rose."]),
    ("Did revenue rise? It did in May.", ["It did in May."]),
    ("Did revenue rise [1]?", []),
    ("Hi! Sure, here is a summary of the report.", []),
    ("Revenue rose. I hope this helps! Let me know if you have questions.", ["Revenue rose."]),
    ("I'm sorry, but I can't answer that.", []),
    ("I could not find the figure in the documents [1].", []),
    ("The sources do not say when it opened.", []),
    ("There is no information about this in the provided context.", []),
    (
        "Unfortunately, the company went bankrupt in 2010.",
        ["Unfortunately, the company went bankrupt in 2010."],
    ),
    ("There is no evidence that it works.", ["There is no evidence that it works."]),
    ("See [1].", []),
    ("Contact support. Please see the appendix for details.", []),
    ("Contact lenses were invented in 1887.", ["Contact lenses were invented in 1887."]),
    ("Summary", []),
    ("Please note that revenue rose 5% [1].", ["Please note that revenue rose 5%."]),
    ('He asked "Why did it rise?"', ['He asked "Why did it rise?"']),
    ("```\nrevenue rose 5%\n```\n\nCosts fell.", ["Costs fell."]),
    ("![Revenue rose](chart.png)\n\nCosts fell ![x](y.png) in May.", ["Costs fell in May."]),
    ("Revenue rose. <!-- pincite: ignore PIN201 -->\nCosts fell.", ["Revenue rose.", "Costs fell."]),
    ("Revenue rose [1].\n\nReferences\n\n[1] Acme rose. Annual report.", ["Revenue rose."]),
    ("Revenue rose[^1].\n\n[^1]: Acme rose in 2020.", ["Revenue rose."]),
    ("https://example.org/report", []),
    ("[1] [2]", []),
    # lists
    (
        "Green tea has numerous benefits:\n- It lowers stress [1]\n- It tastes good [2]",
        ["It lowers stress", "It tastes good"],
    ),
    ("- Revenue: $10M [1]\n- Founded in 1999", ["Revenue: $10M", "Founded in 1999"]),
    ("- **Revenue**: rose by *5%* [1]", ["Revenue: rose by 5%"]),
    ("1. Revenue rose. It was $5M. [1]\n2. Costs fell.", ["Revenue rose. It was $5M.", "Costs fell."]),
    ("- Revenue rose [1]. Costs fell [2].", ["Revenue rose.", "Costs fell."]),
    ("- Growth:\n  - Revenue rose 5%\n  - Costs fell 3%", ["Revenue rose 5%", "Costs fell 3%"]),
    ("- Apples\n- Pears [1]", ["Pears"]),
    ("- [ ] Revenue rose\n- [x] Costs fell", ["Revenue rose", "Costs fell"]),
    # tables
    (
        "| Company | Revenue | Source |\n|---|---|---|\n| Acme | $5M | [1] |\n| **Beta** | $6M | [2] |",
        ["Company: Acme; Revenue: $5M", "Company: Beta; Revenue: $6M"],
    ),
    ("| A | B |\n|---|---|\n| x \\| y | 2 |\n| | |", ["A: x | y; B: 2"]),
    ('| A | B |\n|---|---|\n| x | 2 [a.pdf:1:2-3 \\| excerpt: "no"] |', ["A: x; B: 2"]),
    ("| A | B |\n|---|---|\n| Group | |\n| x | 2 |", ["A: x; B: 2"]),
    # Markdown and white space
    ("It **rose** by _5_ points, `a_b` too, see [notes][n].", ["It rose by 5 points, a_b too, see notes."]),
    ("> Revenue rose\n> by 5% [1].", ["Revenue rose by 5%."]),
    ("Revenue\u00a0rose   by <b>5%</b>.<br>", ["Revenue rose by 5%."]),
    ("Profit was 5 * 3 = 15 in AT&amp;T.", ["Profit was 5 * 3 = 15 in AT&T."]),
    ("", []),
]


@pytest.mark.parametrize(("answer", "expected"), ROWS, ids=[row[0][:45] for row in ROWS])
def test_claims_are_read_from_an_answer(answer: str, expected: list[str]) -> None:
    assert [claim.text for claim in claims_of(answer)] == expected


def test_a_claim_knows_its_place_kind_and_paragraph() -> None:
    answer = "Revenue rose [1]. Costs fell.\n\n- One is 1\n- Two is 2\n\n| A | B |\n|---|---|\n| x | 2 |"
    found = claims_of(answer)
    assert [(claim.kind, claim.span.of(answer)) for claim in found] == [
        ("sentence", "Revenue rose [1]."),
        ("sentence", "Costs fell."),
        ("item", "One is 1"),
        ("item", "Two is 2"),
        ("row", "| x | 2 |"),
    ]
    assert found[0].paragraph == found[1].paragraph
    assert found[2].paragraph == found[3].paragraph
    assert len({claim.paragraph for claim in found}) == 3


def test_kept_words_replace_a_marker() -> None:
    answer = "Lee (2020) found so."
    marker = Span(0, 10)
    assert split_claims(answer, [marker])[0].text == "The source found so."
    assert split_claims(answer, [marker], keep={marker: "Lee"})[0].text == "Lee found so."


def test_markers_may_come_in_any_order_and_overlap() -> None:
    answer = "Revenue rose [1] a lot [2]."
    markers = [Span(23, 26), Span(13, 16), Span(14, 15), Span(5, 5)]
    assert [claim.text for claim in split_claims(answer, markers)] == ["Revenue rose a lot."]


_PIECES = st.one_of(
    st.sampled_from(
        ["Revenue rose 5%", "Acme Inc. fell", "It ", "is", ". ", "? ", ": ", "See ", "According to ", ", "]
    ),
    st.sampled_from(
        ["[1]", " [2, 3]", "【3†source】", "(Smith, 2020)", "Smith (2020) ", "[a.b]", "[a.pdf:1:2-3]", "¹"]
    ),
    st.sampled_from(
        [
            "[x](https://a.org/b) ",
            "https://a.org/b ",
            "`[1]`",
            "**",
            "_",
            "![a](b.png)",
            "<!-- x -->",
            "“",
            "”",
        ]
    ),
    st.sampled_from(
        [
            "\n",
            "\n\n",
            "\n- ",
            "\n1. ",
            "\n# ",
            "\n> ",
            "\n```\n",
            "\n| a | b |\n|---|---|\n| ",
            " | ",
            "\n\nSources:\n",
        ]
    ),
    st.sampled_from(["\x00", "\ud800", "😀", "שלום", "(", ")", "[", "]", "\\", "|"]),
)
_ANSWERS = st.one_of(st.text(max_size=150), st.lists(_PIECES, max_size=40).map("".join))


@given(_ANSWERS)
def test_claims_are_in_order_apart_and_never_in_code_or_headings(answer: str) -> None:
    opaque = [
        block for block in find_blocks(answer) if block.kind in ("code", "heading", "references", "comment")
    ]
    position = 0
    for claim in claims_of(answer):
        assert position <= claim.start < claim.end <= len(answer)
        assert claim.text == " ".join(claim.text.split()) != ""
        assert not any(block.start < claim.end and claim.start < block.end for block in opaque)
        position = claim.end


@given(
    st.lists(
        st.sampled_from(
            ["Revenue rose", " by 5%", ". ", ", ", " [7]", "[8, 9]", "【3†s】", " (see [7])", "\n- ", "\n"]
        )
    )
)
def test_no_marker_reaches_the_judge(pieces: list[str]) -> None:
    answer = "".join(pieces)
    for claim in claims_of(answer):
        assert not any(marker in claim.text for marker in ("[7]", "[8, 9]", "【3†s】", "()", "(see"))

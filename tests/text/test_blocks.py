"""text/blocks: the blocks of an answer, and where no citation can stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text import find_blocks, inline_opaque_spans


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, text[block.content_start : block.end]) for block in find_blocks(text)]


ROWS = [
    ("One.\nTwo.\n\nThree.", [("paragraph", "One.\nTwo."), ("paragraph", "Three.")]),
    ("# Title\nText", [("heading", "Title"), ("paragraph", "Text")]),
    ("Title\n=====\nText", [("heading", "Title"), ("paragraph", "Text")]),
    ("A sentence.\n---\nMore", [("paragraph", "A sentence."), ("rule", "---"), ("paragraph", "More")]),
    ("**Key points**\n\nText", [("heading", "Key points**"), ("paragraph", "Text")]),
    ("**All of this sentence is bold.**", [("paragraph", "**All of this sentence is bold.**")]),
    ("- a\n- b\n  more\nlazy", [("item", "a"), ("item", "b\n  more\nlazy")]),
    ("1. a\n\n   more of a\n2. b", [("item", "a\n\n   more of a"), ("item", "b")]),
    ("- a\n\nText", [("item", "a"), ("paragraph", "Text")]),
    ("- [ ] todo\n- [x] done", [("item", "todo"), ("item", "done")]),
    ("It fell in\n1999. It rose later.", [("paragraph", "It fell in\n1999. It rose later.")]),
    ("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nText",
     [("header", "| a | b |"), ("rule", "|---|:-:|"), ("row", "| 1 | 2 |"), ("paragraph", "Text")]),
    ("a | b is no table", [("paragraph", "a | b is no table")]),
    ("> quoted\n> text", [("paragraph", "quoted\n> text")]),
    ("```\ncode [1]\n```\nText", [("code", "```\ncode [1]\n```"), ("paragraph", "Text")]),
    ("~~~py\nnever closed", [("code", "~~~py\nnever closed")]),
    ("Text\n\n    x[1]\n\nText", [("paragraph", "Text"), ("code", "    x[1]"), ("paragraph", "Text")]),
    ("Text\n    lazy, no code", [("paragraph", "Text\n    lazy, no code")]),
    ("---\ntitle: x\n---\nText", [("code", "---\ntitle: x\n---"), ("paragraph", "Text")]),
    ("<!-- note -->\nText", [("comment", "<!-- note -->"), ("paragraph", "Text")]),
    ("<!-- never closed", [("paragraph", "<!-- never closed")]),
    ("![chart](a.png)\n\nText", [("image", "![chart](a.png)"), ("paragraph", "Text")]),
    ("A.\r\n\r\nB.", [("paragraph", "A."), ("paragraph", "B.")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text[:30] for text, _ in ROWS])
def test_blocks_of(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


def test_nested_items_are_their_own_blocks_with_a_level_and_one_group() -> None:
    blocks = find_blocks("- a\n  - b\n    - c\n  - d\n- e")
    assert [block.level for block in blocks] == [0, 1, 2, 1, 0]
    assert len({block.group for block in blocks}) == 1


LISTS = [
    "## References\n1. Title. https://example.com/a\n2. Other",
    "Sources:\n- a.txt\n- b.txt",
    "**Sources:**\n[1] a.txt\n[2] b.txt",
    "Sources: [1] a.txt, [2] b.txt",
    "Bibliography\n\nSmith, J. (2020). Title. Journal.\n\nJones, K. (2019). Other.",
    "### Quellen\n- Jahresbericht.pdf",
    "参考文献\n\n1. 报告.pdf",
    "REFERENCES\n[1] Smith 2020",
    "[^1]: A note\n    that goes on",
    "[1]: https://example.com",
    "Notes\n=====\n[1] See report.pdf",
    "[1] https://a.example\n[2] https://b.example",
]


@pytest.mark.parametrize("listed", LISTS)
def test_a_reference_list_is_one_block_to_its_end(listed: str) -> None:
    text = f"Sales rose [1].\n\n{listed}\n\nI hope this helps!"
    found = [text[block.start : block.end] for block in find_blocks(text) if block.kind == "references"]
    assert found == [listed]
    assert kinds(text)[-1] == ("paragraph", "I hope this helps!")


@pytest.mark.parametrize(
    "text",
    [
        "Sources: [1], [2]",
        "## Sources\n\nThe funds come from two sources.",
        "Source: https://example.com",
        "## Notes\n- Revenue excludes tax.\n- Costs rose.",
        "References to the law were removed.",
        "## Sources of growth\n- Exports",
        "## Sources\n- Exports grew by 5% [1].",
        "[1] says that sales rose.",
    ],
)
def test_what_only_looks_like_a_reference_list_is_none(text: str) -> None:
    assert "references" not in {block.kind for block in find_blocks(text)}


def test_a_source_line_ends_the_paragraph_it_stands_in() -> None:
    assert kinds("Sales rose [1].\nSources: [1] a.txt")[0] == ("paragraph", "Sales rose [1].")


def test_code_images_and_comments_inside_a_line_are_found() -> None:
    text = "`a` ![i](u) <!-- c --> <https://a.example> ``x ` y`` <code>z</code> and `open"
    assert [span.of(text) for span in sorted(inline_opaque_spans(text, []))] == [
        "`a`", "![i](u)", "<!-- c -->", "``x ` y``", "<code>z</code>",
    ]  # fmt: skip


def test_inline_code_does_not_reach_over_a_blank_line() -> None:
    assert inline_opaque_spans("a ` b\n\nc ` d", []) == []


pieces = st.sampled_from(
    ["# ", "- ", "  - ", "1. ", "> ", "```", "~~~", "| ", "|---|", "\n", "\n\n", "    ", "\t", "text", "a. ",
     "<!--", "-->", "![a](b)", "**x**", "`", "[1]", "[^1]: ", "Sources:", "References\n", "---\n",
     "===\n", "\r\n",
     "\ud800", "\x00", "é", "م", "🙂", ".", " "]
)  # fmt: skip
texts = st.lists(pieces, max_size=25).map("".join)


@given(texts)
def test_blocks_are_in_order_apart_and_inside_the_text(text: str) -> None:
    end = 0
    for block in find_blocks(text):
        assert end <= block.start <= block.content_start <= block.end <= len(text)
        assert block.start < block.end
        end = block.end


@given(texts)
def test_every_letter_stands_in_a_block(text: str) -> None:
    covered: set[int] = set()
    for block in find_blocks(text):
        covered.update(range(block.start, block.end))
    assert all(at in covered for at, char in enumerate(text) if char.isalpha())


def test_a_text_indented_as_a_whole_is_read_as_if_it_were_not() -> None:
    text = "\n        Tea is healthy:\n\n        1. Rich in antioxidants [1]\n        2. Calming [2]\n"
    assert [block.kind for block in find_blocks(text)] == ["paragraph", "item", "item"]
    code = "    Run this:\n\n        make test\n\n    Then look."
    assert [block.kind for block in find_blocks(code)] == ["paragraph", "code", "paragraph"]
    assert [block.kind for block in find_blocks("Run this:\n\n    make test\n")] == ["paragraph", "code"]

"""What goes along with a passage, and what in a source is no evidence."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Source
from pincite.sources import ClaimIndex, best_passages, locate_claim, open_sources, passage

POLICY = """---
title: Expense policy
limit: 77 euros
---
<!-- draft: the lunch limit will be 90 euros -->
[Home](/) | [Docs](/docs) | [Prices of lunch](/prices)

# Expense policy

## Meals

The following are paid:

- breakfast up to 10 euros
- lunch up to 20 euros
  with one drink. Wine counts as a drink.
- dinner, as follows:
  - at home, nothing
  - abroad, up to 40 euros

### How long does a refund take?

It takes 14 days. Weekends count.

## Contact

Where is the office?

In the main building, on the third floor.
"""


def context_of(words: str, text: str = POLICY, name: str = "policy.md") -> str:
    (source,) = open_sources({name: text}).sources
    start = source.text.index(words)
    return passage(source, start, start + len(words)).context


@pytest.mark.parametrize(
    ("words", "context"),
    [
        ("The following are paid", "Expense policy > Meals"),
        ("- breakfast up to 10 euros", "Expense policy > Meals\nThe following are paid:"),
        ("lunch up to 20 euros", "Expense policy > Meals\nThe following are paid:"),
        ("Wine counts as a drink", "Expense policy > Meals\nThe following are paid:"),
        ("- abroad, up to 40", "Expense policy > Meals\nThe following are paid: dinner, as follows:"),
        ("It takes 14 days", "Expense policy > Meals > How long does a refund take?"),
        ("Weekends count", "Expense policy > Meals > How long does a refund take?"),
        ("In the main building", "Expense policy > Contact\nWhere is the office?"),
        ("## Meals", ""),
    ],
)
def test_a_passage_is_told_its_headings_and_what_it_hangs_on(words: str, context: str) -> None:
    assert context_of(words) == context


def test_underlined_and_bold_lines_are_headings_and_code_is_none() -> None:
    text = "Fees\n====\n\nAll in euros.\n\n```\n# not a heading\n```\n\n**Students**\n\nThey pay half.\n"
    assert context_of("They pay half", text) == "Fees > Students"
    assert context_of("All in euros", text) == "Fees"


def test_a_row_is_told_its_heading_and_its_columns() -> None:
    text = "# Rates\n\n| City | Rate |\n|---|---|\n| Oslo | 90 |\n| Rome | 70 |\n"
    assert context_of("Oslo | 90", text) == "Rates\nCity | Rate"
    assert context_of("70", text) == "Rates\nCity: Rome; Rate:"


def test_a_row_of_a_csv_is_told_its_columns() -> None:
    rows = "".join(f"Line {number},{number},5\n" for number in range(200))
    (source,) = open_sources({"safety.csv": "airline,seats,incidents\nAer Lingus,320,2\n" + rows}).sources
    shown = best_passages("Aer Lingus had 2 incidents.", source)
    assert any(found.text.startswith("Aer Lingus") and "incidents" in found.context for found in shown)


@pytest.mark.parametrize("words", ["77 euros", "90 euros", "Prices of lunch"])
def test_front_matter_comments_and_menus_are_no_evidence(words: str) -> None:
    (source,) = open_sources({"policy.md": POLICY}).sources
    assert words in source.text
    shown = best_passages(f"The limit for lunch is {words}.", source)
    found = locate_claim(f"The limit for lunch is {words}.", source, limit=20)
    assert not any(words in text for text in (*(p.text for p in shown), *(m.text for m in found)))


def test_a_list_of_links_into_the_same_site_is_a_menu_and_a_list_of_references_is_none() -> None:
    menu = "- [Fees](#fees)\n- [Refunds](#refunds)\n- [Appeals](#appeals)\n"
    references = "- [Fees law](https://example.org/1)\n- [Refund law](https://example.org/2)\n"
    (source,) = open_sources({"page.md": f"{menu}\nFees are due in May.\n\n{references}"}).sources
    units = [span.of(source.text) for span in ClaimIndex(source).units]
    assert not any("#" in unit for unit in units)
    assert any("Refund law" in unit for unit in units)


def test_a_heading_or_a_question_is_shown_with_what_stands_under_it() -> None:
    filler = "Nothing else of note is said in this part of the handbook.\n\n" * 30
    text = f"# Handbook\n\n{filler}## Parental leave for foster parents\n\nTwelve weeks.\n\n{filler}"
    text += f"Do volunteers get insured abroad?\n\nOnly with a permit.\n\n{filler}"
    (source,) = open_sources({"handbook.md": text}).sources
    (leave,) = best_passages("Parental leave for foster parents exists.", source, limit=1)
    assert leave.text == "## Parental leave for foster parents\n\nTwelve weeks."
    (insured,) = best_passages("Volunteers get insured abroad.", source, limit=1)
    assert insured.text == "Do volunteers get insured abroad?\n\nOnly with a permit."


def test_a_question_that_nothing_answers_is_not_shown() -> None:
    text = "The canteen opens at noon.\n\nIs parking free for staff?\n"
    (source,) = open_sources({"faq.md": text}).sources
    shown = best_passages("Parking is free for staff at the canteen.", source)
    assert [found.text for found in shown] == ["The canteen opens at noon."]


def test_headings_and_navigation_of_a_web_page_are_known(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<nav><a href='/'>Home of refunds</a></nav><h1>Shop</h1><h2>Refunds</h2><p>Within 14 days.</p>"
        "<nav><p>A menu that is never closed. It must not hide the page.</p>"
    )
    (source,) = open_sources(page).sources
    start = source.text.index("Within")
    assert passage(source, start, start + 15).context == "Refunds"
    units = [span.of(source.text) for span in ClaimIndex(source).units]
    assert "Home of refunds" not in units
    assert "It must not hide the page." in units


def test_headings_of_a_word_document_are_known(tmp_path: Path) -> None:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = (
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Refunds</w:t></w:r></w:p>'
        "<w:p><w:r><w:t>Within 14 days.</w:t></w:r></w:p>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>'
        )
    path = tmp_path / "shop.docx"
    path.write_bytes(packed.getvalue())
    (source,) = open_sources(path).sources
    assert passage(source, source.text.index("Within"), len(source.text)).context == "Refunds"


PIECES = (
    "# ",
    "## A\n",
    "- ",
    "  - ",
    "\n",
    "a",
    "b c.",
    "?",
    ":",
    "<!--",
    "-->",
    "---\n",
    "[x](#y)",
    "**B**\n",
    "```\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(["markdown", "text", "pdf"]))
def test_whatever_the_text_is_places_stay_true(pieces: Iterable[str], kind: str) -> None:
    text = "".join(pieces)
    source = Source(name="page", text=text, kind=kind)
    shown = best_passages("a b c", source)
    assert all(text[found.start : found.end] == found.text != "" for found in shown)
    assert all(first.end <= second.start for first, second in pairwise(shown))


@pytest.mark.parametrize(
    "piece", ["# x\n", "<!--", "<!-- x -->\n", "- [x](#y)\n", "- x:\n", "x?\n", "**x**\n", "---\n"]
)
def test_a_long_text_of_one_thing_is_read(piece: str) -> None:
    source = Source(name="page", text=piece * 20_000, kind="markdown")
    middle = len(source.text) // 2
    for start in range(middle, middle + 200):
        passage(source, start, start + 5)
    assert len(ClaimIndex(source).units) <= 40_000

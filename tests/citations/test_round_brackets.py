"""citations/formats: round brackets, names in prose, titles that a source bears, lines and headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citations import parse, render, replace_target
from pincite.findings import check
from pincite.records import Citation, SpanTarget
from pincite.sources import open_sources

LIBRARY = open_sources(
    [
        {"document_id": "ar23", "title": "Annual Report 2023", "content": "Revenue rose by 5%."},
        {"document_id": "config.py", "title": "", "content": "PORT = 8080"},
        {"document_id": "terms.md", "title": "Terms", "content": "# Terms\n\nIt costs 5 dollars."},
    ]
)


def found(text: str, known: bool = True) -> list[str]:
    return [citation.text for citation in parse(text, LIBRARY if known else None).citations]


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("Revenue rose [Annual Report 2023].", "[Annual Report 2023]"),
        ("Revenue rose [annual report 2023].", "[annual report 2023]"),
        ("Revenue rose [Source: Annual Report 2023].", "[Source: Annual Report 2023]"),
        ("Revenue rose [Annual Report 2023, p. 5].", "[Annual Report 2023, p. 5]"),
        ("Revenue rose [Annual Report 2023, Costs].", "[Annual Report 2023, Costs]"),
        ("Revenue rose (Annual Report 2023) and fell.", "(Annual Report 2023)"),
        ("Revenue rose [ar23].", "[ar23]"),
        ("It listens there (config.py).", "(config.py)"),
        ("It costs 5 (terms.md) and more.", "(terms.md)"),
    ],
)
def test_a_name_or_title_counts_when_a_source_bears_it(text: str, marker: str) -> None:
    assert found(text) == [marker]
    assert found(text, known=False) == []


@pytest.mark.parametrize(
    "text",
    [
        "Revenue rose [Annual Report 2022].",
        "Revenue rose [sic] and [the report] says so.",
        "Revenue rose (a lot) and [x] stayed.",
        "Those are the [terms] of it and (terms).",
        "[Annual Report 2023](https://example.com) is a link.",
        "`[Annual Report 2023]` is code.",
        "\\[Annual Report 2023]",
        "f(terms.md) and open(config.py)",
    ],
)
def test_what_no_source_bears_is_left_alone(text: str) -> None:
    assert not [citation for citation in parse(text, LIBRARY).citations if citation.family == "span"]


def test_a_source_cited_by_its_title_is_judged() -> None:
    report = check("Revenue rose by 9% [Annual Report 2023].", LIBRARY, judge="rules")
    assert [finding.code for finding in report.findings] == ["PIN203"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It rose (1).", ["(1)"]),
        ("It rose by 5% (1), and fell (2).", ["(1)", "(2)"]),
        ("It rose (1–2).", ["(1–2)"]),
        ("It costs 5 dollars in 2020 (2).", ["(2)"]),
        ("It rose (3).", []),
        ("Two ways: (1) by land, (2) by sea.", []),
        ("(1) It rose.\n(2) It fell.", []),
        ("It says (1) that it rose and (2) that it fell.", []),
        ("Follow step (1), then Article 5 (2).", []),
        ("Pay within two (2) days.", []),
        ("f(1) and log(2)", []),
        ("First. (1) Open it. (2) Close it. Done.", []),
        ("| a | (1) |\n|---|---|\n| b | (2) |", []),
    ],
)
def test_a_number_in_round_brackets_needs_a_list_and_a_place(text: str, numbers: list[str]) -> None:
    listed = f"{text}\n\nReferences\n1. a.md\n2. b.md\n"
    assert found(listed, known=False) == numbers
    assert found(text, known=False) == []


def test_a_table_of_sources_at_the_end_is_a_list() -> None:
    table = (
        "| # | Source | Part |\n|---|---|---|\n| 1 | a.md | Fees |\n| [2] | https://example.com/b | all |\n"
    )
    parsed = parse(f"It rose [1]. It fell (2).\n\n{table}")
    assert [(entry.label, entry.targets[0].key) for entry in parsed.references] == [
        ("1", "a.md"),
        ("2", "https://example.com/b"),
    ]
    assert [citation.text for citation in parsed.citations] == ["[1]", "(2)"]


@pytest.mark.parametrize(
    "text",
    [
        "These are the files.\n\n| # | File |\n|---|---|\n| 1 | a.md |\n",
        "It rose [1].\n\n| # | File |\n|---|---|\n| 1 | a.md |\n\nThat is all there is.\n",
        "It rose [1].\n\n| # | Source of income |\n|---|---|\n| 1 | Rent |\n",
        "It rose [1].\n\n| Year | Source |\n|---|---|\n| 2020 | a.md |\n",
    ],
)
def test_another_table_is_no_list(text: str) -> None:
    assert parse(text).references == ()


# --- whatever the text -----------------------------------------------------------------------------

_PIECES = st.sampled_from(
    [
        *"()[],.;§>\\{}|`1",
        *(
            "a.md",
            "report.pdf",
            "config.py",
            "README.md",
            "(a.md)",
            "(see a.md)",
            "Source: ",
            "Sources: a.md, b.md",
        ),
        *(
            "According to ",
            "as stated in ",
            ", p. 2",
            ", pp. 2-3",
            ", lines 3-4",
            ":L3",
            "#L3-L9",
            ", Late fees",
        ),
        *(
            " Section 3",
            "Annual Report 2023",
            "(1)",
            "(1, 2)",
            "https://example.com/a.md",
            "www.a.md",
            "\n",
            " ",
        ),
        "\n\nSources\n1. a.md\n2. b.md\n",
    ]
)
_TEXTS = st.lists(_PIECES, max_size=25).map(" ".join) | st.lists(_PIECES, max_size=25).map("".join)


@given(_TEXTS)
def test_offsets_are_true_markers_apart_and_render_gives_them_back(text: str) -> None:
    end = 0
    for citation in parse(text, LIBRARY).citations:
        assert citation.start >= end
        end = citation.end
        assert text[citation.start : citation.end] == citation.text == render(citation)


@given(_TEXTS)
def test_a_document_renamed_in_its_marker_is_read_back_with_its_place(text: str) -> None:
    for citation in parse(text).citations:
        target = citation.targets[0]
        if not isinstance(target, SpanTarget) or len(citation.targets) > 1:
            continue
        renamed = SpanTarget("other.md", *[getattr(target, name) for name in ("page", "start", "end")], "")
        renamed = _with(renamed, target)
        marker = replace_target(citation, 0, renamed)
        # The marker of an attribution is the name alone.
        sentence = f"It rose {marker}." if marker[0] in "[(【" else f"According to {marker}, it rose."
        (again,) = parse(sentence).citations
        assert isinstance(again.targets[0], SpanTarget)
        assert _place(again) == _place(citation)
        assert again.targets[0].document == "other.md"


def _with(made: SpanTarget, like: SpanTarget) -> SpanTarget:
    from msgspec.structs import replace

    return replace(made, lines=like.lines, section=like.section, end_page=like.end_page)


def _place(citation: Citation) -> tuple[object, ...]:
    target = citation.targets[0]
    assert isinstance(target, SpanTarget)
    return target.page, target.start, target.end, target.lines, target.section, target.end_page

"""Random mixtures of every kind of citation and Markdown, against random sources, through the whole check."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pincite
from bench.fuzzing.invariants import assert_sound, assert_writable
from pincite.citations import read_response
from pincite.config import Settings
from pincite.errors import PinciteError
from pincite.findings import apply_fixes, fix_answer

FRAGMENTS = st.sampled_from(
    [
        # every family, whole and broken
        "[a.txt:0-10]",
        "[a.txt:1:5-20]",
        "[a.txt:2:0-9,12-20]",
        "[b.md]",
        "[a.txt:99-5]",
        "[a.txt:0-99999999]",
        "[zzz.pdf:3:1-2]",
        '[a.txt:0-20 | excerpt: "the fox"]',
        '[a.txt:0-20 | excerpt: "',
        '["odd [name].txt":1-5]',
        "[1]",
        "[1, 3]",
        "[1–3]",
        "[Source 1]",
        "[doc2, 4]",
        "[^1]",
        "\n[^1]: a.txt\n",
        "【3】",
        "【4:0†source】",
        "^1",
        "x²",
        "¹²",
        "[text](https://example.org/a_(b))",
        "https://example.org/x?y=1).",
        "www.example.org",
        "doi:10.1000/182",
        "arXiv:2101.00001",
        "PMID: 123",
        "(Smith & Jones, 2020a; O'Brien, 2019, p. 4)",
        "Smith et al. (2020)",
        "(since 2020)",
        "[data.items[0].name]",
        "[data.n]",
        "[a['k']]",
        "array[0]",
        "[2023]",
        # Markdown
        "\n\n## References\n\n",
        "\n\nSources:\n1. a.txt\n2. b.md\n",
        "\n```\n",
        "`code [1]`",
        "\n- ",
        "\n  1. ",
        "\n> ",
        "\n| a | b |\n|---|---|\n| ",
        " | ",
        "\n# ",
        "![alt](x.png)",
        "<!-- pincite: ignore PIN201 -->",
        "<!-- pincite: ignore-file -->",
        "<!--",
        "<script>alert(1)</script>",
        "</failure>]]>",
        "::error::",
        # words with something to judge
        "It rose 12% in 2020",
        "It did not rise",
        "“the quick brown fox”",
        '"the lazy dog',
        "Revenue was $5 million.",
        "漢字かな。",
        "مرحبا",
        "👩‍👩‍👧‍👦",
        # characters that hurt
        "\x00",
        "\x1b[31m",
        "\ud800",
        "\udfff",
        "\u202e",
        "\u2028",
        "\r",
        "\f",
        "\ufeff",
        "\ufdd0",
        ".",
        " ",
        "\n",
        "\n\n",
    ]
)
MIXTURES = st.lists(st.one_of(FRAGMENTS, FRAGMENTS, st.text(max_size=8)), max_size=25).map(" ".join)
TIGHT = st.lists(FRAGMENTS, max_size=25).map("".join)
ANSWERS = st.one_of(MIXTURES, TIGHT)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["items", "n", "name", "k", "a.b", ""]), inner, max_size=3)
    ),
    max_leaves=8,
)
SOURCES = st.fixed_dictionaries(
    {"a.txt": ANSWERS, "b.md": ANSWERS},
    optional={"odd [name].txt": ANSWERS, "data": VALUES, "smith2020.txt": ANSWERS},
)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(answer=ANSWERS, sources=SOURCES, attach=st.sampled_from(["sentence", "paragraph"]))
def test_any_answer_and_any_sources_give_a_sound_report(answer: str, sources: Any, attach: str) -> None:
    try:
        report = pincite.check(answer, sources, attach=attach)
    except PinciteError:
        return
    assert_sound(report)
    assert_writable(report)


@QUICK
@given(answer=ANSWERS, sources=SOURCES, offsets=st.sampled_from(["document", "page"]))
def test_fixing_ends_and_a_second_run_changes_nothing(answer: str, sources: Any, offsets: str) -> None:
    chosen = Settings(offsets=offsets)  # type: ignore[arg-type]
    try:
        library = pincite.open_sources(sources)
        report = pincite.check(answer, library, settings=chosen)
    except PinciteError:
        return

    def check_again(text: str) -> pincite.Report:
        return pincite.check(pincite.Answer(text), library, settings=chosen)

    fixed = fix_answer(report, check_again)
    again = fix_answer(check_again(fixed.text), check_again)
    assert again.text == fixed.text
    assert_sound(check_again(apply_fixes(answer, report.findings)))


@QUICK
@given(text=st.text(max_size=60) | ANSWERS, sources=SOURCES)
def test_locating_anything_gives_true_places(text: str, sources: Any) -> None:
    library = pincite.open_sources(sources)
    for match in pincite.locate(text, library):
        source = library.get(match.document)
        assert source is not None
        assert source.text[match.start : match.end] == match.text


@QUICK
@given(payload=VALUES, provider=st.sampled_from([None, "anthropic", "openai", "gemini", "cohere", "mistral"]))
def test_any_value_as_a_response_is_read_or_refused(payload: Any, provider: str | None) -> None:
    try:
        answer = read_response(payload, provider)
    except PinciteError:
        return
    assert_sound(pincite.check(answer, {"a.txt": "x"}))

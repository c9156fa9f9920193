"""The full format shows the judged claim whole, as a terminal of 80 and of 50 columns does."""

# ruff: noqa: E501 (answers are written in long lines)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import make_finding, make_report

from pincite.findings import check
from pincite.reports import width as cell_width
from pincite.reports import write

ANSWER = """\
# Certificates

Everything below is about the free plan. We'll renew each certificate that you have not removed from your account 3 days
before it expires, provided that the domain still points to us and nobody has revoked the key in the meantime [terms.md]. That
was asked for.

- Paper copies are posted to any Antwerp harbour office for seventeen guilders, payable by the bearer at the counter [terms.md, Failures].

| Plan | Price |
|---|---|
| Free | 9 dollars a month for each domain that you have registered with us in all those years [terms.md] |
"""
TERMS = """\
# Renewal

We renew each certificate that you have not removed 30 days before it expires, provided that the domain still points to us and
nobody has revoked the key.

# Failures

If a renewal fails twice in a row, your administrator gets a message. The old certificate is kept for 30 days more.

# Prices

Free: 0 dollars a month for each domain that you have registered with us.
"""


WIDE = """\
<answer>:4:111 PIN203 [warning]
    probably contradicted: 3 days in the claim, 30 days in the source
    |
  3 | … We'll renew each certificate that you have not removed from your
    | account 3 days
    |         ~~~~~~
  4 | before it expires, provided that the domain still points to us and
    | nobody has revoked the key in the meantime [terms.md]. …
    |                                            ^^^^^^^^^^
    = terms.md, characters 11–165
    |   We renew each certificate that you have not removed 30 days before it
    |                                                       ~~~~~~~
    |   expires, provided that the domain still points to us and nobody has
    |   revoked the key.
    = suggestion: use the source's number: 30 days

<answer>:7:118 PIN201 [warning]
    probably not supported: the source does not mention Paper, copies, posted,
    Antwerp and 6 more; nothing in the source answers to seventeen
    |
  7 | - Paper copies are posted to any Antwerp harbour office for seventeen
    | guilders, payable by the bearer at the counter [terms.md, Failures].
    |                                                ^^^^^^^^^^^^^^^^^^^^

<answer>:11:96 PIN203 [warning]
    probably contradicted: 9 dollars in the claim, 0 dollars in the source
    |
 11 | | Free | 9 dollars a month for each domain that you have registered with
    |          ~~~~~~~~~
    | us in all those years [terms.md] |
    |                       ^^^^^^^^^^
    = terms.md, characters 306–379
    |   Free: 0 dollars a month for each domain that you have registered with
    |         ~~~~~~~~~
    |   us.
    = suggestion: use the source's number: 0 dollars
"""

NARROW = """\
<answer>:4:111 PIN203 [warning]
    probably contradicted: 3 days in the claim, 30
    days in the source
    |
  3 | … We'll renew each certificate that you
    | have not removed from your account 3 days
    |                                    ~~~~~~
  4 | before it expires, provided that the
    | domain still points to us and nobody has
    | revoked the key in the meantime
    | [terms.md]. …
    | ^^^^^^^^^^
    = terms.md, characters 11–165
    |   We renew each certificate that you have
    |   not removed 30 days before it expires,
    |               ~~~~~~~
    |   provided that the domain still points to
    |   us and nobody has revoked the key.
    = suggestion: use the source's number: 30 days

<answer>:7:118 PIN201 [warning]
    probably not supported: the source does not
    mention Paper, copies, posted, Antwerp and 6
    more; nothing in the source answers to
    seventeen
    |
  7 | - Paper copies are posted to any Antwerp
    | harbour office for seventeen guilders,
    | payable by the bearer at the counter
    | [terms.md, Failures].
    | ^^^^^^^^^^^^^^^^^^^^

<answer>:11:96 PIN203 [warning]
    probably contradicted: 9 dollars in the claim,
    0 dollars in the source
    |
 11 | | Free | 9 dollars a month for each domain
    |          ~~~~~~~~~
    | that you have registered with us in all
    | those years [terms.md] |
    |             ^^^^^^^^^^
    = terms.md, characters 306–379
    |   Free: 0 dollars a month for each domain
    |         ~~~~~~~~~
    |   that you have registered with us.
    = suggestion: use the source's number: 0
        dollars
"""


def shown(columns: int) -> str:
    report = check(ANSWER, {"terms.md": TERMS}, judge="rules", select=("PIN2",))
    return write([report], "full", width=columns, quiet=True)


@pytest.mark.parametrize(("columns", "expected"), [(80, WIDE), (50, NARROW)])
def test_the_claim_is_shown_whole_and_wrapped_with_its_marker_and_words(columns: int, expected: str) -> None:
    assert shown(columns) == expected


@given(st.integers(40, 130))
def test_no_row_is_wider_than_the_terminal(columns: int) -> None:
    for line in shown(columns).splitlines():
        assert cell_width(line) <= columns


@given(st.integers(40, 130), st.integers(0, 60), st.integers(0, 60))
def test_every_word_of_the_claim_is_shown_and_the_marker_underlined(
    columns: int, before: int, after: int
) -> None:
    claim = f"{'lorem ' * before}ipsum 12% {'dolor ' * after}[a.txt]."
    text = f"Some words. {claim} More words."
    found = make_finding(text, "[a.txt]", "PIN203", "12%, 21%", mark="12%", claim=claim)
    rows = write([make_report(text, (found,))], "full", width=columns, quiet=True).splitlines()[2:]
    words = [row.partition("| ")[2] for row in rows if not set(row.partition("|")[2]) <= set(" ^~")]
    assert claim in " ".join(words)
    assert sum(row.count("^") for row in rows) == len("[a.txt]")
    assert sum(row.count("~") for row in rows) == len("12%")


def test_a_claim_without_end_is_shown_round_its_marker() -> None:
    claim = f"{'word ' * 100_000}[a.txt]."
    found = make_finding(claim, "[a.txt]", "PIN201", "not supported", claim=claim)
    report = write([make_report(claim, (found,))], "full", width=80, quiet=True)
    assert "[a.txt]" in report
    assert report.count("\n") < 60

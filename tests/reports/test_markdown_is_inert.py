"""Whatever a report quotes, the page that it becomes has no link, image, mention or tag but the report's own.

The pages are made by GitHub's own renderer. What GitHub and GitLab do to the text of a page afterwards
(mentions, references, commits) is looked for in the text outside code.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from report_samples import make_finding, make_report

from pincite.records import (
    Fix,
    ItemResult,
    PartScore,
    ResultsDocument,
    Run,
    Score,
    SourceExcerpt,
    UnreadSource,
)
from pincite.reports import comparison_markdown, run_markdown, write
from pincite.reports.findings.markdown import escape
from pincite.runs import ChangedQuery, compare

LIVE = re.compile(
    r"(?<![A-Za-z0-9_])@[A-Za-z0-9]|https?://|www\.\w|(?<!\w)[#!]\d|\bgh-\d|:[a-z_][a-z0-9_+-]*:|\b[0-9a-f]{7,40}\b",
    re.IGNORECASE,
)
TAGS = "h2 h3 ul li table thead tbody tr th td p strong pre code br"
OWN = set(TAGS.split(" "))
TRICKS = r"""
@someone é@someone @org/team a@b.example mailto:a@b.example https://evil.example/a_b?c=d&e=f www.evil.example
ftp://evil.example #123 GH-123 org/repo#7 !42 0123abc deadbeefdeadbeefdeadbeefdeadbeefdeadbeef :octocat:
[a](https://evil.example) ![a](https://evil.example/i.png) <b> </td> <!-- &#64;someone &commat;someone
| || \| \ ` `` ``` ~~~ *a* _a_ ~~a~~ $x$ --- === ::error::x ##[error]x
"""
WORDS = TRICKS.split()
PHRASES = ("<img src=x>", "[^1]: x", "[a]: https://evil.example", "- a", "1. a", "# a", "> a")
WRITTEN = (*WORDS, *PHRASES, "\n", "\n\n", "\r", " ", "\t", "\u200b", "\u2028")
TEXTS = st.lists(st.sampled_from(WRITTEN) | st.text(max_size=4), max_size=8).map("".join)


class Page(HTMLParser):
    """The tags of a page, and its text outside code."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.text: list[str] = []
        self.all_text: list[str] = []
        self._in_code = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        self._in_code += tag in ("code", "pre")
        self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._in_code -= tag in ("code", "pre")

    def handle_data(self, data: str) -> None:
        self.all_text.append(data)
        if not self._in_code:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.tags.append("!--")


def page_of(markdown: str) -> Page:
    return Page(cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))


def assert_inert(markdown: str) -> Page:
    page = page_of(markdown)
    assert set(page.tags) <= OWN, (set(page.tags) - OWN, markdown)
    assert not LIVE.search("".join(page.text)), markdown
    return page


def finding_report(text: str) -> str:
    answer = f"A claim [1].\n{text}"
    finding = make_finding(
        answer,
        "[1]",
        "PIN203",
        text,
        source=SourceExcerpt(text or "a.txt", None, None, None, text, None),
        fix=Fix(8, 11, text, True, text),
    )
    unread = (UnreadSource(text, text),)
    return write([make_report(answer, (finding,), name=text, unread=unread)], "markdown")


def run_report(text: str) -> str:
    value = PartScore(value=0.5, n=3)
    return run_markdown(
        Run(
            run_id="r1",
            name=text,
            status="finished",
            dataset_id=text,
            dataset_version=text,
            target=text,
            judge=text,
            scores=(Score(metric=text, value=0.5, n=3),),
            document=ResultsDocument(
                breakdown={"document": {text: {text: value}}, text: {text: {text: value}}}
            ),
        )
    )


def comparison_report(text: str) -> str:
    query = ChangedQuery(
        query_id=text,
        query_text=text,
        change=-0.5,
        metrics={text: (1.0, 0.5)},
        answer_a=text,
        answer_b=None,
        failure_b=text,
    )
    item = ItemResult(key="k", position=0, query_id="q", query_text="?")
    run = Run(run_id="", status="finished", items=lambda: iter((item,)))
    found = compare(run, run)
    changed = replace(found.changed, worse=(query,))
    return comparison_markdown(replace(found, a=text, b=text, notes=(text,), changed=changed))


@pytest.mark.parametrize("report", [finding_report, run_report, comparison_report])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_no_quoted_text_becomes_part_of_the_page(report, text: str) -> None:
    empty, page = page_of(report("")), assert_inert(report(text))
    assert page.tags.count("td") == empty.tags.count("td")
    assert page.tags.count("h2") == empty.tags.count("h2")


@pytest.mark.parametrize("text", WRITTEN)
@pytest.mark.parametrize("report", [finding_report, run_report, comparison_report])
def test_no_known_trick_becomes_part_of_the_page(report, text: str) -> None:
    assert_inert(report(f"see {text} there"))


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_the_page_shows_the_quoted_text_as_it_is(text: str) -> None:
    from pincite.reports import folded, safe

    shown = safe(folded(text))
    page = page_of(f"x {escape(text)} x\n")
    assert "".join(page.all_text).strip("\n") == f"x {shown} x".replace("\x00", "\ufffd")
    in_table = page_of(f"| a |\n| --- |\n| {escape(text)} |\n")
    assert "".join(in_table.all_text).split("\n")[-4:] and shown in "".join(in_table.all_text)


def test_only_words_that_a_page_would_act_on_stand_in_code() -> None:
    text = "nDCG@5 of C# rose 12% at 10:30:15, says @someone (0123abc) in #7"
    assert escape(text) == "nDCG@5 of C\\# rose 12% at 10:30:15, says `@someone` `(0123abc)` in `#7`"

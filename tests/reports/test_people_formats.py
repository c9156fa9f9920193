"""The formats for people: full, concise, markdown."""

from __future__ import annotations

import re
from time import process_time

import pytest
from markdown_it import MarkdownIt
from report_samples import ANSWER, HOSTILE, hostile_report, make_finding, make_report, sample_report

from pincite.config import ErrorHandling, Reporting, Settings
from pincite.errors import InputError
from pincite.records import Finding, SourceExcerpt
from pincite.reports import FORMATS, write
from pincite.reports.findings.markdown import escape

FULL = """\
answer.md:3:42 PIN203 12% in the claim, 21% in the source
    |
  3 | Revenue rose by 12% in the first quarter [report.txt:0-41]. Staff stayed the same.
    |                 ~~~                      ^^^^^^^^^^^^^^^^^
    = report.txt, characters 0–41
    |   Revenue rose by 21% in the first quarter.
    |                   ~~~

answer.md:3:61 PIN301 [warning] no citation
    |
  3 | Revenue rose by 12% in the first quarter [report.txt:0-41]. Staff stayed the same.
    |                                                             ^^^^^^^^^^^^^^^^^^^^^^

answer.md:4:20 PIN105 [*] report.txt has 120 characters; 900-950 was cited
    |
  4 | The 本社 moved to 東京 [report.txt:900-950].
    |                        ^^^^^^^^^^^^^^^^^^^^
    = fix [safe]: cite the place where it stands: [report.txt:90-95]

2 errors and 1 warning in 1 answer
checked 2 citations, 2 targets and 3 claims; score 0.00 (0 of 2 targets without an error)
could not read scan.pdf: no text: it seems to be scanned
1 fix can be applied with --fix
"""

NARROW = """\
answer.md:3:42 PIN203
    12% in the claim, 21% in the source
    |
  3 | Revenue rose by 12% in the first quarter
    |                 ~~~
    | [report.txt:0-41]. …
    | ^^^^^^^^^^^^^^^^^
    = report.txt, characters 0–41
    |   Revenue rose by 21% in the first quarter.
    |                   ~~~
"""

CONCISE = """\
answer.md:3:42 PIN203 12% in the claim, 21% in the source
answer.md:3:61 PIN301 [warning] no citation
answer.md:4:20 PIN105 [*] report.txt has 120 characters; 900-950 was cited
could not read scan.pdf: no text: it seems to be scanned
2 errors and 1 warning in 1 answer; checked 2 citations, 2 targets and 3 claims; \
score 0.00 (0 of 2 targets without an error)
"""

MARKDOWN = """\
## Pincite: 2 errors and 1 warning in 1 answer

- checked 2 citations, 2 targets and 3 claims; score 0.00 (0 of 2 targets without an error)
- could not read scan.pdf: no text: it seems to be scanned
- 1 fix can be applied with --fix

| Place | Code | Severity | Finding |
| --- | --- | --- | --- |
| answer.md:3:42 | PIN203 | error | 12% in the claim, 21% in the source |
| answer.md:3:61 | PIN301 | warning | no citation |
| answer.md:4:20 | PIN105 | error | report.txt has 120 characters; 900-950 was cited |

### Details

**PIN203 number-differs** at answer.md:3:42

In the answer:

```text
Revenue rose by 12% in the first quarter [report.txt:0-41]. Staff stayed the same.
```

In report.txt, characters 0–41:

```text
Revenue rose by 21% in the first quarter.
```
"""

ESCAPES = re.compile("\x1b\\[[0-9;]*m")


def test_full_shows_line_passage_and_fix() -> None:
    assert write([sample_report()], "full") == FULL


def test_full_fits_a_small_terminal() -> None:
    shown = write([sample_report()], "full", width=52)
    assert shown.startswith(NARROW)


def test_a_summary_is_folded_between_words_on_a_terminal() -> None:
    shown = write([sample_report()], "full", width=52)
    assert (
        "checked 2 citations, 2 targets and 3 claims; score\n  0.00 (0 of 2 targets without an error)\n"
        in shown
    )
    assert max(len(line) for line in shown.splitlines() if "fix [safe]" not in line) <= 52


def test_full_without_findings_says_so() -> None:
    assert write([make_report(citations=2, targets=2, claims=3)], "full") == (
        "nothing wrong in 1 answer\n"
        "checked 2 citations, 2 targets and 3 claims; score 1.00 (2 of 2 targets without an error)\n"
    )


def test_full_without_targets_has_no_score() -> None:
    assert "no score, as there is nothing to score" in write([make_report()], "full")


@pytest.mark.parametrize("style", ["full", "concise", "markdown"])
def test_what_was_skipped_is_counted_over_all_answers(style: str) -> None:
    first = make_report(skipped={"courtesy": 2, "lead_in": 1})
    second = make_report(name="b.md", skipped={"courtesy": 1, "question": 2})
    shown = write([first, second], style)
    assert "skipped 6 sentences: 3 courtesy, 2 questions, 1 lead-in\n" in shown
    assert "skipped" not in write([make_report()], style)


def test_quiet_leaves_only_the_findings() -> None:
    assert "checked" not in write([sample_report()], "full", quiet=True)
    assert write([make_report()], "full", quiet=True) == ""
    assert write([sample_report()], "concise", quiet=True).count("\n") == 3


def test_colours_are_only_added_and_change_nothing_else() -> None:
    for output_format in ("full", "concise"):
        coloured = write([sample_report()], output_format, color=True)
        assert "\x1b[" in coloured
        assert ESCAPES.sub("", coloured) == write([sample_report()], output_format)


def test_several_answers_have_one_total() -> None:
    shown = write([sample_report("a.md"), sample_report("b.md")], "full")
    assert "4 errors and 2 warnings in 2 answers\nchecked 4 citations, 4 targets and 6 claims" in shown
    assert shown.count("could not read scan.pdf") == 1


def test_a_finding_over_many_lines_shows_the_first_ones() -> None:
    text = "".join(f"{number}\n" for number in range(100, 145))
    finding = make_finding(text, text[4:].rstrip(), "PIN301", "no citation", "warning", is_citation=False)
    shown = write([make_report(text, (finding,))], "full", quiet=True).splitlines()
    assert shown[2:4] == ["  2 | 101", "    | ^^^"]
    assert shown[-3:] == [" 41 | 140", "    | ^^^", "... | (4 more lines)"]
    assert len(shown) == 2 + 2 * 40 + 1


def test_the_page_of_a_passage_is_named() -> None:
    source = SourceExcerpt("a.pdf", 4, 10, 14, "text")
    finding = make_finding(ANSWER, "[report.txt:0-41]", "PIN201", "no", source=source)
    assert "= a.pdf, page 4, characters 10–14" in write([make_report(ANSWER, (finding,))], "full")


def test_concise_is_one_line_a_finding() -> None:
    assert write([sample_report()], "concise") == CONCISE


def test_markdown_is_a_table_and_details() -> None:
    assert write([sample_report()], "markdown").startswith(MARKDOWN)


def test_reporting_settings_change_what_is_shown() -> None:
    bare = Settings(reporting=Reporting(detailed_span_analysis=False, hallucination_details=False))
    shown = write([sample_report()], "full", settings=bare)
    assert "characters 0–41" not in shown
    assert "PIN301" not in shown
    assert "1 claim without a citation, not listed" in shown
    measured = Settings(reporting=Reporting(confidence_intervals=True))
    report = make_report(citations=10, targets=10, claims=10)
    assert "95% interval 0.72–1.00" in write([report], "full", settings=measured)
    silent = Settings(errors=ErrorHandling(error_logging=False))
    shown = write([sample_report()], "full", settings=silent)
    assert "scan.pdf" not in shown
    assert "1 source could not be read" in shown


@pytest.mark.parametrize("output_format", ["full", "concise"])
def test_nothing_quoted_can_steer_the_terminal(output_format: str) -> None:
    shown = write([hostile_report()], output_format)
    allowed = {"\n"}
    assert not [c for c in shown if (ord(c) < 32 or 0x7F <= ord(c) < 0xA0) and c not in allowed]
    assert "\u202e" not in shown and "\u2028" not in shown
    assert "⟨U+202E⟩" in shown and "␛[31m" in shown
    shown.encode("utf-8")


def test_nothing_quoted_becomes_markup() -> None:
    shown = write([hostile_report()], "markdown")
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(shown)
    kinds = {inner.type for token in tokens for inner in [token, *(token.children or [])]}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "em_open", "s_open"}
    assert kinds & {"table_open"}
    headings = [
        tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open"
    ]
    assert headings == ["Pincite: 1 error in 1 answer", "Details"]
    assert not [c for c in shown if ord(c) < 32 and c != "\n"]


def test_escaped_markdown_reads_as_the_text_it_was() -> None:
    text = HOSTILE.replace("\x00", "").replace("\ud800", "")
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parseInline(escape(text))
    children = tokens[0].children or []
    assert {child.type for child in children} <= {"text", "text_special", "code_inline"}
    plain = "".join(child.content for child in children)
    assert "</script><b>x</b> | a | `code`" in plain
    assert "[link](https://evil.example)" in plain
    assert "@someone $x$" in plain


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="full, concise, json"):
        write([], "pdf")


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_writes_what_it_gets_and_ends_with_a_line_break(output_format: str) -> None:
    for reports in ([], [make_report()], [sample_report()], [hostile_report()]):
        text = write(reports, output_format)
        text.encode("utf-8")
        assert text == "" or text.endswith("\n")


@pytest.mark.parametrize("output_format", FORMATS)
def test_the_cost_of_a_finding_does_not_grow_with_its_line(output_format: str) -> None:
    marker = "[report.txt:0-41] "
    text = marker * 20_000
    finding = make_finding(text, marker, "PIN203", "12% in the claim", mark="12%")
    fields = {name: getattr(finding, name) for name in finding.__struct_fields__}
    findings = tuple(
        Finding(**{**fields, "start": start, "end": start + 17, "column": start + 1})
        for start in range(0, len(text), len(marker) * 40)
    )
    source = SourceExcerpt("report.txt", None, 0, len(text), text, "absent")
    report = make_report(text, (*findings, Finding(**{**fields, "source": source})))
    started = process_time()
    write([report], output_format)
    assert process_time() - started < 60  # of the processor: 1.2 were seen

"""One answer, checked: planted faults are found, clean answers stay clean."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite import Answer, CitationProblems, InputError, check
from pincite.config import Limits
from pincite.errors import TooLargeError
from pincite.judges import Judge
from pincite.records import Pair, Report, Verdict

FIRST = "Revenue rose by 21% to $10 million in the first quarter."
SECOND = "Costs were flat over the whole year."
THIRD = "The board approved a dividend of 4 cents a share in May."
REPORT = f"{FIRST} {SECOND} {THIRD}"
SOURCES = {"report.txt": REPORT, "minutes.txt": "The council rejected the plan to close the canteen."}


def span(words: str, text: str = REPORT) -> str:
    start = text.index(words)
    return f"{start}-{start + len(words)}"


def codes(answer: str, sources: object = None, **settings: object) -> list[str]:
    report = check(answer, SOURCES if sources is None else sources, **settings)  # type: ignore[arg-type]
    return [finding.code for finding in report.findings]


@pytest.mark.parametrize(
    "answer",
    [
        f"Revenue rose by 21% to $10 million in the first quarter [report.txt:{span(FIRST)}].",
        f"Revenue rose by 21 percent [report.txt:{span(FIRST)}].",
        f"Costs were flat over the year. [report.txt:{span(SECOND)}]",
        f'The report says "Costs were flat over the whole year" [report.txt:{span(SECOND)}].',
        f'Costs were flat [report.txt:{span(SECOND)} | excerpt: "Costs were flat over"].',
        "# A heading\n\nWhat happened in May?\n",
        "```\ncode [report.txt:900-950]\n```\n",
        "The board approved a dividend of 4 cents a share [1].\n\nReferences\n[1] report.txt\n",
        "",
    ],
)
def test_a_clean_answer_stays_clean(answer: str) -> None:
    assert check(answer, SOURCES).findings == ()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (f"Revenue rose by 12% in the first quarter [report.txt:{span(FIRST)}].", "PIN203"),
        (f"The board did not approve a dividend in May [report.txt:{span(THIRD)}].", "PIN202"),
        (f"The company moved its main office to Lisbon [report.txt:{span(SECOND)}].", "PIN201"),
        (f"Costs were flat over the whole year [report.txt:{span(FIRST)}].", "PIN205"),
        (f'The report says "costs went through the roof" [report.txt:{span(SECOND)}].', "PIN204"),
        (f'Costs were flat [report.txt:{span(SECOND)} | excerpt: "Costs were never flat"].', "PIN204"),
        (f'Costs were flat [report.txt:{span(FIRST)} | excerpt: "Costs were flat over"].', "PIN205"),
        ("Costs were flat over the whole year [ledger.txt:0-10].", "PIN101"),
    ],
)
def test_a_planted_fault_is_found_and_nothing_beside_it(answer: str, code: str) -> None:
    assert codes(answer) == [code]


def test_every_place_is_true() -> None:
    answer = (
        f"# Title\n\nCosts were flat [report.txt:{span(SECOND)}].\n"
        f"Revenue rose by 12% [report.txt:{span(FIRST)}]."
    )
    (finding,) = check(answer, SOURCES).findings
    assert answer[finding.start : finding.end] == finding.citation
    assert (finding.line, finding.column) == (4, 21)
    assert finding.source is not None
    assert REPORT[finding.source.start : finding.source.end] == finding.source.text


def test_citations_may_share_the_burden_of_a_claim() -> None:
    sources = {"a.txt": "Revenue rose by 21%.", "b.txt": "Costs were flat."}
    together = "Revenue rose by 21% and costs were flat [a.txt:0-20][b.txt:0-16]."
    assert codes(together, sources) == []
    half = check("Revenue rose by 21% and costs were flat [b.txt:0-16].", sources)
    assert half.summary.doubtful == 1


def test_a_citation_that_adds_nothing_is_found_beside_one_that_suffices() -> None:
    answer = f"Costs were flat over the whole year [report.txt:{span(SECOND)}][minutes.txt:0-51]."
    (finding,) = check(answer, SOURCES).doubtful
    assert (finding.code, finding.citation) == ("PIN201", "[minutes.txt:0-51]")


def test_the_score_is_targets_without_an_error() -> None:
    answer = f"Costs were flat [report.txt:{span(SECOND)}]. Revenue rose by 12% [report.txt:{span(FIRST)}]."
    summary = check(answer, SOURCES).summary
    assert (summary.citations, summary.targets, summary.claims) == (2, 2, 2)
    assert (summary.targets_with_error, summary.score) == (1, 0.5)


def test_nothing_to_score_is_null() -> None:
    assert check("Hello!", SOURCES).summary.score is None


def test_an_uncited_claim_is_a_warning_or_a_suggestion() -> None:
    assert codes("The company moved its office to Lisbon.") == ["PIN301"]
    (finding,) = check("Costs were flat over the whole year.", SOURCES).findings
    assert finding.code == "PIN302"
    assert finding.fix is not None
    assert not finding.fix.safe
    assert finding.fix.replacement == f" [report.txt:{span(SECOND)}]"


def test_a_web_page_that_was_not_given_is_unjudged_and_not_wrong() -> None:
    report = check("Revenue rose by 21% [press](https://example.com/press).", SOURCES)
    assert [finding.code for finding in report.findings] == ["PIN206"]
    assert (report.summary.unjudged, report.summary.judged, report.summary.score) == (1, 0, None)


def test_selecting_and_ignoring_codes() -> None:
    answer = f"Revenue rose by 12% [report.txt:{span(FIRST)}]. The company moved to Lisbon."
    assert codes(answer) == ["PIN203", "PIN301"]
    assert codes(answer, select=("PIN2",)) == ["PIN203"]
    assert codes(answer, ignore=("PIN203",)) == ["PIN301"]


def test_assert_ok_lists_the_errors() -> None:
    report = check(f"Revenue rose by 12% [report.txt:{span(FIRST)}].", SOURCES)
    with pytest.raises(CitationProblems, match=r"<answer>:1:21: PIN203 .*12%.*21%"):
        report.assert_ok()
    with pytest.raises(AssertionError):
        report.assert_ok()
    check("The company moved to Lisbon.", SOURCES).assert_ok()


def test_an_answer_may_be_a_path_or_a_record(tmp_path: Path) -> None:
    path = tmp_path / "an answer.md"
    path.write_text(f"Costs were flat [report.txt:{span(SECOND)}].", encoding="utf-8")
    assert check(path, SOURCES).answer.name == str(path)
    assert check(Answer(text="Costs were flat."), SOURCES).answer.text == "Costs were flat."
    assert check({"id": "q1", "answer": "Costs were flat."}, SOURCES).answer.name == "q1"


def test_a_string_is_never_read_as_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("a secret")
    with pytest.raises(InputError, match=r"pathlib\.Path"):
        check(str(secret), SOURCES)


def test_bad_answers_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        check(tmp_path / "none.md", SOURCES)
    with pytest.raises(InputError, match="is a folder"):
        check(tmp_path, SOURCES)
    latin = tmp_path / "latin.md"
    latin.write_bytes(b"caf\xe9 is nice")
    with pytest.raises(InputError, match=r"latin\.md: not UTF-8 at byte 3"):
        check(latin, SOURCES)
    with pytest.raises(TooLargeError, match="limit of 10"):
        check("x" * 11, SOURCES, limits=Limits(answer_bytes=10))


def test_an_unknown_setting_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'colour'"):
        check("x", SOURCES, colour="red")


def test_it_runs_inside_a_running_event_loop() -> None:
    async def inside() -> Report:
        return check("Costs were flat over the whole year.", SOURCES)

    assert asyncio.run(inside()).findings[0].code == "PIN302"


class BrokenJudge(Judge):
    """A judge that fails as a remote one may."""

    name = "broken/1"

    def __init__(self, verdicts: int | None) -> None:
        self.verdicts = verdicts

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        if self.verdicts is None:
            raise ConnectionError("the line is dead")
        return [Verdict("supported", 1.0, "fine")] * self.verdicts


@pytest.mark.parametrize("verdicts", [None, 0, 7])
def test_a_judge_that_breaks_leaves_pairs_unjudged_and_other_findings_alone(verdicts: int | None) -> None:
    answer = f"Costs were flat [report.txt:{span(SECOND)}]. Revenue rose [report.txt:900-950]."
    report = check(answer, SOURCES, judge=BrokenJudge(verdicts))
    assert [finding.code for finding in report.findings] == ["PIN206", "PIN105"]
    assert report.summary.unjudged == 1
    assert report.summary.judged == 0


def test_an_unjudged_pair_says_why_the_judge_failed() -> None:
    report = check(f"Costs were flat [report.txt:{span(SECOND)}].", SOURCES, judge=BrokenJudge(None))
    assert report.findings[0].message == "the judge failed: ConnectionError: the line is dead"


class CountingJudge:
    name = "counting/1"

    def __init__(self) -> None:
        self.calls: list[int] = []

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.calls.append(len(pairs))
        return [Verdict("not_enough", 0.1, "no") for _ in pairs]


def test_all_pairs_of_an_answer_go_to_the_judge_in_at_most_two_calls() -> None:
    judge = CountingJudge()
    sentences = [f"Costs were flat over year {n} [report.txt:{span(SECOND)}]." for n in range(20)]
    check(" ".join(sentences), SOURCES, judge=judge)
    assert len(judge.calls) <= 2
    assert judge.calls[0] >= 20


def test_markers_never_reach_the_judge() -> None:
    seen: list[Pair] = []

    class Listening(CountingJudge):
        async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
            seen.extend(pairs)
            return await super().judge(pairs)

    check(f"Costs were flat [report.txt:{span(SECOND)}]. Revenue rose. [1]", SOURCES, judge=Listening())
    assert seen
    assert not any("[" in pair.claim for pair in seen)


def test_offsets_may_count_from_the_page() -> None:
    paged = {"report.txt": f"{FIRST}\f{SECOND}"}
    answer = f"Costs were flat over the whole year [report.txt:2:0-{len(SECOND)}]."
    assert codes(answer, paged, offsets="page") == []
    assert codes(answer, paged) == ["PIN104"]


def test_a_marker_that_closes_a_paragraph_may_speak_for_all_of_it() -> None:
    answer = f"{FIRST} {SECOND} [report.txt:0-{len(REPORT)}]"
    assert codes(answer) == ["PIN302"]
    assert codes(answer, attach="paragraph") == []


def test_the_default_run_opens_no_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a socket was opened")

    # asyncio's own wake-up pipe is a pair of connected sockets inside the process, made without connect().
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    (tmp_path / "page.html").write_text("<p>Costs were flat. <img src='https://example.com/x.png'></p>")
    (tmp_path / "report.txt").write_text(REPORT)
    answer = f"Costs were flat [report.txt:{span(SECOND)}], see https://example.com/a and [x](https://example.com/b)."
    assert check(answer, tmp_path).summary.targets == 3


def test_an_idle_span_is_not_moved_to_a_place_that_is_cited_beside_it() -> None:
    claim = "The board approved a dividend of 4 cents a share in May"
    for marker in (
        f"[report.txt:{span(SECOND)},{span(THIRD)}]",
        f"[report.txt:{span(SECOND)}][report.txt:{span(THIRD)}]",
    ):
        report = check(f"{claim} {marker}.", SOURCES)
        (finding,) = report.doubtful
        assert (finding.code, finding.fix, report.findings) == ("PIN201", None, ())


def test_markers_that_close_a_paragraph_share_its_sentences_out() -> None:
    markers = f"[report.txt:{span(FIRST)}][report.txt:{span(SECOND)}]"
    answer = f"Costs were flat over the whole year. Revenue rose by 21% to $10 million. {markers}"
    assert codes(answer, attach="paragraph") == []
    wrong = f"Costs were flat over the whole year. The canteen serves grilled fish on Fridays. {markers}"
    assert set(codes(wrong, attach="paragraph")) == {"PIN201"}


def test_a_row_that_contradicts_is_not_excused_by_the_row_of_another_name() -> None:
    table = "city,population\nOslo,709000\nBergen,291000\n"
    answer = f"Bergen has a population of 709,000 [towns.csv:{span('Bergen,291000', table)}]."
    (finding,) = check(answer, {"towns.csv": table}).findings
    assert (finding.code, finding.message) == ("PIN203", "709,000 in the claim, 291000 in the source")


def test_a_quote_with_a_hyphen_for_a_dash_stands_there() -> None:
    sources = {"a.txt": "The chair said the plan—bold as it was—had failed."}
    assert codes('The chair said "the plan-bold as it was-had failed" [a.txt:0-50].', sources) == []


def test_a_report_prints_a_line_a_finding_and_the_score() -> None:
    report = check(f"Revenue rose by 12% [report.txt:{span(FIRST)}].", SOURCES)
    first, last = str(report).splitlines()
    assert first.startswith("<answer>:1:21: PIN203 ")
    assert last == "<answer>: 1 finding, score 0.00"


def test_a_footnote_is_no_bibliography_that_could_lack_a_work() -> None:
    answer = "Costs were flat (Smith & Jones, 2020). They met in May.[^1]\n\n[^1]: Minutes of the board.\n"
    assert "PIN108" not in codes(answer)


def test_a_source_of_an_unknown_ending_is_cited_by_its_name_and_not_taken_for_a_path() -> None:
    sources: dict[str, object] = {"notes.log1": FIRST, "blob.bin": b"\0\1"}
    assert codes(f"{FIRST.rstrip('.')} [notes.log1].", sources) == []
    assert codes("Sales rose [blob.bin].", sources) == ["PIN109"]


def test_a_value_wins_over_a_source_of_the_same_name() -> None:
    sources: dict[str, object] = {"quote.premium": "Nothing.", "data": {"quote": {"premium": 1200}}}
    assert codes("The premium is $1,200 [quote.premium].", sources) == []

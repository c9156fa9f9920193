from __future__ import annotations

import json

import pytest
from cli_run import REPORT, Runner

from pincite.cli.app import COMMANDS, GROUPS, load_command
from pincite.config import Settings
from pincite.findings import RULES
from pincite.metrics import CitationDensity, list_metrics
from pincite.reports import FORMATS, write

DOCS = ("--sources", "docs")


def test_help_and_version(pincite: Runner) -> None:
    assert pincite("--version").out.startswith("pincite 0.")
    assert "commands:" in pincite("--help").out
    assert pincite("--help").code == 0
    assert pincite().code == 2
    for name in ("check", "explain", "parse", "sources", "locate", "cache"):
        done = pincite(name, "--help")
        assert done.code == 0
        assert done.out.startswith(f"usage: pincite {name}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chek"], "did you mean `pincite check`"),
        (["check"], "required: ANSWER"),
        (["check", "a.md", "--bogus"], "--bogus"),
        (["check", "a.md", "-f", "pdf"], "invalid choice: 'pdf'"),
        (["explain", "PIN999"], "PIN999"),
        (["locate", "x"], "no sources"),
        (["locate", "  ", *DOCS], "nothing to look for"),
        (["locate", "x", *DOCS, "--limit", "0"], "at least 1"),
        (["sources"], "no sources"),
        (["sources", "docs", "--text", "reprot.txt"], "did you mean 'report.txt'"),
        (["check", "a.md", "--set", "fail_under=x"], "--set fail_under: expected a number"),
        (["check", "a.md", "--set", "fail_under"], "write NAME=VALUE"),
        (["check", "a.md", "--set", "llm.max_inflight=4"], "did you mean llm.max_in_flight?"),
        (["check", "a.md", "--config", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_and_exits_2(
    pincite: Runner, arguments: list[str], said: str
) -> None:
    done = pincite(*arguments)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_bug_is_one_line_and_an_interrupt_none(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    raised: BaseException = ZeroDivisionError("\x1b[31moops")

    def threshold(metric: object, settings: Settings) -> float | None:
        raise raised

    monkeypatch.setattr(CitationDensity, "threshold_for", threshold)
    done = pincite("explain")
    assert done.code == 2
    assert done.err == "error: this is a bug in Pincite, please report it: ZeroDivisionError: ␛[31moops\n"
    monkeypatch.setenv("PINCITE_DEBUG", "1")
    assert "Traceback" in pincite("explain").err
    raised = KeyboardInterrupt()
    done = pincite("explain")
    assert (done.code, done.err) == (130, "")


def test_explain_lists_every_code_and_every_metric(pincite: Runner) -> None:
    rules, metrics = (part.splitlines()[1:] for part in pincite("explain").out.split("\n\n"))
    assert [line.split()[0] for line in rules] == list(RULES)
    assert [line.split()[0].split("@")[0] for line in metrics] == [
        one.name.split("@")[0] for one in list_metrics(Settings())
    ]
    shape = json.loads(pincite("explain", "-f", "json").out)
    assert [rule["code"] for rule in shape["rules"]] == list(RULES)
    assert shape["schema_version"] == 1
    listed = {one["name"]: one for one in shape["metrics"]}
    assert all(one["summary"] for one in listed.values())
    assert listed["nDCG"]["needs"] == listed["hit@10"]["needs"] == ["relevant documents"]
    correctness, rate = listed["citation_correctness"], listed["hallucination_rate"]
    assert (correctness["threshold"], correctness["needs"]) == (0.7, ["a judge"])
    assert (rate["threshold"], rate["higher_is_better"]) == (0.1, False)
    assert any("citation_correctness" in line and "≥ 0.7" in line and "a judge" in line for line in metrics)
    assert any("hallucination_rate" in line and "≤ 0.1" in line for line in metrics)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("ndcg@10", "# nDCG\n\n"),
        ("citation_correctness", "Threshold: ≥ 0.7\n\nNeeds a judge.\n"),
        ("hallucination_rate", "Threshold: ≤ 0.1\n"),
    ],
)
def test_a_metric_can_be_explained(pincite: Runner, given: str, said: str) -> None:
    done = pincite("explain", given)
    assert (done.code, done.err) == (0, "")
    assert said in done.out
    shape = json.loads(pincite("explain", given, "-f", "json").out)
    assert shape["summary"] in done.out


@pytest.mark.parametrize("code", list(RULES))
def test_every_code_can_be_explained(pincite: Runner, code: str) -> None:
    done = pincite("explain", code)
    assert done.code == 0
    assert done.out.startswith(f"# {code} {RULES[code].name}")
    shape = json.loads(pincite("explain", RULES[code].name, "-f", "json").out)
    assert shape["code"] == code
    assert shape["explanation"]


def test_parse_prints_every_citation_with_its_offsets(pincite: Runner) -> None:
    text = "It rose [report.txt:0-41]. See [1] and https://example.org/a.\n"
    pincite.write("answer.md", text)
    shape = json.loads(pincite("parse", "answer.md", "--output-format", "json").out)
    assert shape["schema_version"] == 1
    assert [citation["family"] for citation in shape["citations"]] == ["span", "number", "web"]
    for citation in shape["citations"]:
        assert set(citation) == {"family", "text", "start", "end", "targets"}
        assert text[citation["start"] : citation["end"]] == citation["text"]
        assert all(target["key"] for target in citation["targets"])
    assert shape["citations"][0]["targets"] == [
        {"document": "report.txt", "page": None, "start": 0, "end": 41, "key": "report.txt:0-41"}
    ]
    table = pincite("parse", "answer.md").out.splitlines()
    assert table[0].split() == ["place", "offsets", "family", "text", "targets"]
    assert table[1].split()[:3] == ["1:9", "8–25", "span"]


def test_parse_of_several_answers_says_which(pincite: Runner) -> None:
    pincite.write("a.md", "One [1].\n")
    pincite.write("b.md", "Two [2].\n")
    shape = json.loads(pincite("parse", "a.md", "b.md", "-f", "json").out)
    assert [citation["file"] for citation in shape["citations"]] == ["a.md", "b.md"]
    lines = pincite("parse", "a.md", "b.md", "-f", "jsonl").out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == ["a.md", "b.md"]
    assert pincite("parse", "a.md", "b.md").out.splitlines()[0].startswith("file")


def test_parse_reads_standard_input_and_finds_nothing_in_nothing(pincite: Runner) -> None:
    assert pincite("parse", "-", stdin=b"No markers here.").out == "no citations found\n"
    shape = json.loads(pincite("parse", "-", "-f", "json", stdin=b"").out)
    assert shape["citations"] == []


def test_parse_takes_single_json_keys_for_paths_only_when_they_lead_somewhere(pincite: Runner) -> None:
    pincite.write("data.json", '{"premium": 12}')
    pincite.write("answer.md", "The premium is 12 [premium] and not [cheap].\n")
    assert json.loads(pincite("parse", "answer.md", "-f", "json").out)["citations"] == []
    shape = json.loads(pincite("parse", "answer.md", "-s", "data.json", "-f", "json").out)
    assert [citation["text"] for citation in shape["citations"]] == ["[premium]"]


def test_sources_lists_names_lengths_and_hashes(pincite: Runner) -> None:
    pincite.write("docs/broken.pdf", b"no")
    done = pincite("sources", "docs")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == ["name", "minutes.txt", "report.txt"]
    assert "warning: could not read broken.pdf" in done.err
    shape = json.loads(pincite("sources", "docs", "-f", "json").out)
    report = shape["sources"][1]
    assert (report["name"], report["characters"], report["pages"]) == ("report.txt", len(REPORT), None)
    assert len(report["sha256"]) == 64
    assert shape["unread"][0]["name"] == "broken.pdf"


def test_sources_prints_the_text_that_offsets_count_in(pincite: Runner) -> None:
    done = pincite("sources", "docs", "--text", "report.txt")
    assert done.out == REPORT
    assert pincite("sources", "docs", "--text", "report").out == REPORT


def test_sources_that_cannot_be_read_at_all_exit_2(pincite: Runner) -> None:
    pincite.write("only/broken.pdf", b"no")
    done = pincite("sources", "only")
    assert done.code == 2
    assert "could not read broken.pdf" in done.err
    done = pincite("sources", "only", "--text", "broken.pdf")
    assert done.code == 2
    assert "broken.pdf could not be read" in done.err


def test_locate_prints_citations_that_lead_to_the_text(pincite: Runner) -> None:
    done = pincite("locate", "The company opened three offices in Spain.", *DOCS)
    assert done.code == 0
    assert done.out.startswith("[report.txt:42-84]")
    shape = json.loads(pincite("locate", "opened three offices", *DOCS, "-f", "json", "--limit", "1").out)
    (match,) = shape["matches"]
    assert set(match) == {"document", "page", "start", "end", "text", "score", "citation"}
    assert REPORT[match["start"] : match["end"]] == match["text"]
    assert pincite("locate", "-", *DOCS, stdin=b"opened three offices\n").code == 0


def test_locate_exits_1_when_it_stands_nowhere(pincite: Runner) -> None:
    done = pincite("locate", "Penguins waltz beneath crimson umbrellas", *DOCS, "-f", "json")
    assert done.code == 1
    assert json.loads(done.out)["matches"] == []
    assert "not found" in done.err


def test_every_command_of_the_table_exists_and_can_be_helped(pincite: Runner) -> None:
    for name in COMMANDS:
        done = pincite(*name.split(), "--help")
        assert (done.code, done.err) == (0, ""), name
        assert done.out.startswith(f"usage: pincite {name} "), name
        assert name in GROUPS or load_command(name).name == name


def test_check_offers_every_format_that_reports_can_write() -> None:
    (option,) = [
        one for one in load_command("check").parser()._actions if "--output-format" in one.option_strings
    ]
    assert tuple(option.choices or ()) == tuple(FORMATS)
    assert all(write([], name) is not None for name in FORMATS)

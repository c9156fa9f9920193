"""Nothing that is quoted commands a CI system, whatever is printed and in whichever format."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from cli_run import Runner

from pincite.reports import FORMATS

TRICK = "::error::gotcha ##[error]gotcha ##vso[task.setvariable variable=x]y ##teamcity[buildStop]"
LINES = f"{TRICK}\n{TRICK}\n \t::set-output name=a::b\r::warning::c\u3000\n\u00a0::notice::d ::: x"
OBEYED = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
SOURCE = f"Revenue grew by 21% in the first quarter. {TRICK}"
CITED = f"Revenue grew by 12% in the first quarter [tricks.txt:0-{len(SOURCE)}].\n"
ANSWER = f"{LINES}\n\n{CITED}{LINES}\n\nStaff stayed at 400 [::error::gotcha.txt:1-2].\n"


def assert_harmless(text: str, own: str = r"(?!)") -> None:
    lines = [line for line in re.split(r"[\r\n]", text) if not re.match(own, line)]
    assert not [line for line in lines if OBEYED.search(line)]


@pytest.fixture
def hostile(pincite: Runner) -> Runner:
    """Documents, queries, answers and names that are full of commands; a run of them is kept."""
    document = {"document_id": TRICK, "title": TRICK, "content": f"{LINES}\nRevenue grew by 21%.\n{LINES}"}
    queries = [
        {"query_id": f"{TRICK}{number}", "query_text": LINES, "query_type": TRICK, "difficulty": TRICK}
        | {"relevant_documents": [TRICK], "expected_answer": LINES, "metadata": {TRICK: LINES}}
        for number in range(3)
    ]
    dataset = {"dataset_id": "tricks", "name": TRICK, "version": "1.0.0", "documents": [document]}
    pincite.write("t_1.0.0.eval.json", json.dumps({**dataset, "queries": queries}))
    answers = [
        {
            "query_id": query["query_id"],
            "answer": f"{LINES} Revenue grew by 12% [{TRICK}]. {LINES} [nowhere.txt:1-9]",
        }
        for query in queries[:2]
    ]
    pincite.write("answers.jsonl", "".join(json.dumps(answer) + "\n" for answer in answers))
    pincite.write("answer.md", ANSWER)
    pincite.write("docs/tricks.txt", SOURCE)
    return pincite


def evaluate(pincite: Runner, name: str, *more: str) -> tuple[str, str]:
    done = pincite("eval", "t_1.0.0.eval.json", "--answers", "answers.jsonl", "--name", name, *more)
    assert done.code in (0, 1), done.err
    return done.out, done.err


@pytest.mark.parametrize("output_format", [one for one in FORMATS if one != "html"])  # a page is no log
def test_a_check_prints_no_command_but_its_own(hostile: Runner, output_format: str) -> None:
    done = hostile("check", "answer.md", "--sources", "docs", "-f", output_format)
    assert done.code == 1 and "gotcha" in done.out
    own = r"::(error|warning|notice) (file|title)=[^:]*::" if output_format == "github" else r"(?!)"
    assert_harmless(done.out, own)
    assert_harmless(done.err)
    if output_format == "github":
        assert all(re.match(own, line) for line in done.out.splitlines())
        assert not OBEYED.search(re.sub(own, "", done.out))
    if output_format in ("json", "sarif"):
        assert TRICK in json.dumps(json.loads(done.out), ensure_ascii=False)
    if output_format == "junit":
        assert any(TRICK in text for text in ElementTree.fromstring(done.out).itertext())


@pytest.mark.parametrize("output_format", ["text", "json", "junit", "markdown", "github"])
def test_an_evaluation_prints_no_command_but_its_own(hostile: Runner, output_format: str) -> None:
    out, err = evaluate(hostile, TRICK, "-f", output_format)
    assert_harmless(out, r"::error title=[^:]*::" if output_format == "github" else r"(?!)")
    assert_harmless(err)


def test_the_commands_that_show_a_run_print_no_command(hostile: Runner) -> None:
    evaluate(hostile, "first")
    evaluate(hostile, TRICK)
    for command in (
        ("list",),
        ("list", "-f", "json"),
        ("show", "latest"),
        ("show", "latest", "-f", "json"),
        ("show", "latest", "-f", "markdown"),
        ("show", "latest", "--failures"),
        ("report", "latest"),
        ("report", "latest", "-f", "json"),
        ("graph", "latest"),
        ("graph", "latest", "-f", "dot"),
        ("graph", "latest", "-f", "json"),
        ("compare", "latest", "latest~1"),
        ("compare", "latest", "latest~1", "-f", "markdown"),
        ("compare", "latest", "latest~1", "-f", "json"),
        ("show", TRICK + "nowhere"),
    ):
        done = hostile("runs", *command)
        assert done.out or done.err
        assert_harmless(done.out + "\n" + done.err)


@pytest.mark.parametrize("form", ["json", "yaml", "csv"])
def test_an_exported_run_prints_no_command_and_is_read_back_unchanged(hostile: Runner, form: str) -> None:
    evaluate(hostile, TRICK)
    done = hostile("runs", "export", "latest", "--output", "-", "-f", form)
    assert done.code == 0
    assert_harmless(done.out)
    hostile.write(f"printed.results.{form}", done.out)
    assert hostile("data", "convert", f"printed.results.{form}", "back.results.json").code == 0
    assert hostile("runs", "export", "latest", "--output", "run.results.json").code == 0
    back, run = (
        json.loads((hostile.folder / f"{name}.results.json").read_text("utf-8")) for name in ("back", "run")
    )
    # A table says that there is no answer with an empty cell.
    said = [
        [{k: v for k, v in one.items() if v is not None} for one in x["query_results"]] for x in (back, run)
    ]
    assert said[0] == said[1]
    assert back["name"] == TRICK


def test_other_commands_print_no_command(hostile: Runner) -> None:
    hostile.write(f"docs/{TRICK.replace('/', '')}.txt", f"{LINES} Revenue grew.")
    for command in (
        ("parse", "answer.md"),
        ("parse", "answer.md", "-f", "json"),
        ("locate", f"{TRICK} Revenue grew.", "--sources", "docs"),
        ("sources", "docs"),
        ("sources", "docs", "-f", "json"),
        ("check", f"{LINES}.md", "--sources", "docs"),
        ("data", "check", "t_1.0.0.eval.json", "--statistics"),
        ("data", "check", "t_1.0.0.eval.json", "answers.jsonl"),
        ("data", "labels", "--of-run", TRICK),
        ("metrics",),
    ):
        done = hostile(*command)
        assert_harmless(done.out + "\n" + done.err)


def test_a_traceback_that_was_asked_for_holds_no_command(
    hostile: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_DEBUG", "1")
    evaluate(hostile, "first")
    done = hostile("runs", "show", f"x\n{LINES}")
    assert "Traceback" in done.err and "gotcha" in done.err
    assert_harmless(done.err)


def test_a_diff_or_a_source_holds_no_command_in_a_ci_log_and_is_exact_elsewhere(
    hostile: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{TRICK}\n\nThe company opened three offices in Spain [report.txt:0-41].\n\n{TRICK}\n"
    hostile.write("fixable.md", text)
    for name in ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"):
        monkeypatch.delenv(name, raising=False)
    command = ("check", "fixable.md", "--sources", "docs", "--diff", "-f", "concise")
    shown = ("sources", "docs", "--text", "tricks.txt")
    assert f" {TRICK}\n" in hostile(*command).out.splitlines(keepends=True)
    assert hostile(*shown).out == SOURCE
    monkeypatch.setenv("CI", "true")
    done = hostile(*command)
    assert "[report.txt:42-84]" in done.out
    assert_harmless(done.out)
    assert_harmless(hostile(*shown).out)

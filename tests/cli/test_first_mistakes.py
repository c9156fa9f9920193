"""What somebody who is new to the command line gets wrong first."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_run import FIXABLE, REPORT, RIGHT, WRONG, Runner

from pincite.cli.tables import table
from pincite.reports import width

DOCS = ("--sources", "docs")


def test_a_mistyped_option_is_answered_with_the_right_one(pincite: Runner) -> None:
    pincite.write("a.md", WRONG)
    assert "did you mean --sources?" in pincite("check", "a.md", "--source", "docs").err
    assert "did you mean --select?" in pincite("check", "a.md", "--slect=PIN1").err
    assert "did you mean" not in pincite("check", "a.md", "--zzz").err


def test_an_unknown_provider_is_refused_once_and_the_known_ones_are_listed(pincite: Runner) -> None:
    for name in ("a.md", "b.md"):
        pincite.write(name, WRONG)
    done = pincite("check", "a.md", "b.md", *DOCS, "--from", "chatgpt")
    assert done.code == 2
    assert done.err.count("chatgpt") == 1
    assert "'perplexity'" in done.err
    assert "perplexity" in pincite("check", "--help").out


def test_a_saved_response_is_known_by_its_shape(pincite: Runner) -> None:
    place = {"type": "char_location", "cited_text": REPORT[:41], "document_index": 0}
    citation = {**place, "document_title": "report.txt", "start_char_index": 0, "end_char_index": 41}
    block = {"type": "text", "text": "Revenue grew by 12% in the first quarter.", "citations": [citation]}
    pincite.write("reply.json", json.dumps({"type": "message", "role": "assistant", "content": [block]}))
    named = pincite("check", "reply.json", *DOCS, "--from", "anthropic", "-f", "concise")
    assert "PIN203" in named.out
    assert pincite("check", "reply.json", *DOCS, "-f", "concise") == named
    pincite.write("other.json", '{"reply": "Revenue grew by 12% [report.txt]."}')
    assert "name the API with --from" in pincite("check", "other.json", *DOCS).err


def test_a_missing_source_is_named_without_talk_of_python(pincite: Runner) -> None:
    pincite.write("a.md", WRONG)
    assert pincite("check", "a.md", "--sources", "dcos").err == "error: there is no file or folder 'dcos'\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_write_protected_answer_is_not_replaced(pincite: Runner) -> None:
    path = pincite.write("a.md", FIXABLE)
    path.chmod(0o444)
    done = pincite("check", "a.md", *DOCS, "--fix")
    assert done.code == 2
    assert "cannot write a.md: Permission denied" in done.err
    assert path.read_text() == FIXABLE


def test_a_baseline_knows_its_findings_from_any_folder(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite.write("answers/a.md", WRONG)
    assert pincite("check", "answers", *DOCS, "--write-baseline", "known.json").code == 0
    assert pincite("check", str(pincite.folder / "answers"), *DOCS, "--baseline", "known.json").code == 0
    monkeypatch.chdir(pincite.folder / "answers")
    assert pincite("check", "a.md", "--sources", "../docs", "--baseline", "../known.json").code == 0
    pincite.write("answers/b.md", WRONG)
    assert pincite("check", "b.md", "--sources", "../docs", "--baseline", "../known.json").code == 1


def test_one_long_name_does_not_push_every_row_aside(pincite: Runner) -> None:
    name = "long_name_" * 15 + ".txt"
    pincite.write(f"docs/{name}", REPORT)
    lines = pincite("sources", "docs").out.splitlines()
    assert any(line.startswith(name) for line in lines)
    assert all(len(line) < 80 for line in lines if not line.startswith(name))


def test_long_names_alone_still_line_up() -> None:
    rows = [("x" * 70, "1"), ("y" * 65, "2")]
    assert table(("name", "n"), rows).splitlines()[1:] == ["x" * 70 + "  1", "y" * 65 + "       2"]


def test_names_in_the_package_are_the_public_ones() -> None:
    import pincite as package

    assert dir(package) == sorted(package.__all__)
    assert Path(package.__file__).name == "__init__.py"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "number-difers"], "no code or metric 'number-difers'; did you mean number-differs?"),
        (["explain", "PIN999"], "`pincite explain` lists them all"),
        (["explain", "xyzzy"], "`pincite explain` lists them all"),
        (["eval", "sample", "--target", "answer", "-m", "ndgc@5"], "did you mean nDCG?"),
        (["eval", "sample", "--target", "localhost:8765/ask"], "did you mean http://localhost:8765/ask?"),
        (["eval", "sample", "--target", "json:lods"], "'json' has no 'lods'; did you mean loads?"),
        (["eval", "sample"], "recorded answers (--answers FILE), its traces (--traces PATH) or a target"),
    ],
)
def test_a_mistake_is_answered_with_the_next_step(pincite: Runner, arguments: list[str], said: str) -> None:
    done = pincite(*arguments)
    assert done.code == 2
    assert said in done.err


def test_a_file_that_is_no_json_lines_is_refused_in_one_line(pincite: Runner) -> None:
    pincite.write("answer.md", "# Harbour\n\nThe wall is old [1].\nThe pier is not [2].\n")
    done = pincite("eval", "sample", "--answers", "answer.md", "--store", "none")
    assert done.code == 2
    assert done.out == "" and done.err.count("\n") == 1
    assert "answer.md holds no recorded answers: give JSON Lines" in done.err


@pytest.mark.parametrize("columns", [50, 60, 80, 100])
def test_what_the_lists_say_is_wrapped_and_never_cut(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    whole = {word for line in pincite("explain").out.splitlines() for word in line.split()}
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = pincite("explain").out.splitlines()
    assert {word for line in lines for word in line.split()} == whole
    assert all(width(line) <= max(columns, 62) for line in lines)


def test_a_name_that_begins_with_a_dash_follows_two_dashes_or_a_folder(pincite: Runner) -> None:
    pincite.write("-a.md", WRONG)
    pincite.write("b.md", WRONG)
    for words in (
        ("-f", "concise", *DOCS, "--", "-a.md"),
        ("b.md", *DOCS, "-f", "concise", "--", "-a.md"),
        (*DOCS, "./-a.md", "-f", "concise"),
    ):
        assert "-a.md:1:42 PIN203" in pincite("check", *words).out, words
    assert "write ./-a.md" in pincite("check", "-a.md", *DOCS).err
    assert "write ./-a.md" in pincite("check", "b.md", "-a.md", *DOCS).err


def test_a_quote_may_begin_with_a_dash(pincite: Runner) -> None:
    pincite.write("docs/cold.txt", "It was -5 degrees at noon.\n")
    assert "[cold.txt:7-17]" in pincite("locate", *DOCS, "--", "-5 degrees").out


def test_somebody_who_pipes_an_answer_is_told_how_it_is_read(pincite: Runner) -> None:
    assert "give - to read standard input" in pincite("check", *DOCS, stdin=WRONG.encode()).err


def test_a_command_in_capitals_is_known_and_an_option_is_not_called_a_command(pincite: Runner) -> None:
    assert (
        pincite("CHECK", "a.md").err == "error: there is no command 'CHECK'; did you mean `pincite check`?\n"
    )
    assert pincite("--foo").err.startswith("error: there is no option '--foo'; `pincite --help`")


def test_a_folder_without_sources_is_not_called_missing(pincite: Runner) -> None:
    pincite.write("a.md", WRONG)
    (pincite.folder / "none").mkdir()
    assert "there are no files in none: only what" in pincite("check", "a.md", "-s", "none").err
    assert "no sources were given (--sources): only what" in pincite("check", "a.md").err


def test_a_dataset_that_does_not_exist_is_called_that(pincite: Runner) -> None:
    assert pincite("eval", "sampel", "--answers", "sample:a").err == (
        "error: sampel: the dataset does not exist; did you mean sample?\n"
    )
    assert "nothere: cannot read the file: No such file" in pincite("data", "check", "nothere").err


def test_a_broken_line_is_placed_once(pincite: Runner) -> None:
    pincite.write("a.jsonl", "not json\n")
    assert "a.jsonl line 1: not JSON: invalid" in pincite("check", "a.jsonl", *DOCS).err
    assert pincite("sources", "a.jsonl").err == (
        "warning: could not read a.jsonl#1: line 1: not valid JSON: Expecting value at column 1\n"
    )


def test_a_mistyped_choice_is_answered_with_the_right_one(pincite: Runner) -> None:
    pincite.write("a.md", WRONG)
    assert "did you mean json?" in pincite("check", "a.md", *DOCS, "-f", "jsn").err
    assert "did you mean full?" in pincite("check", "a.md", *DOCS, "-f", "FULL").err
    assert "did you mean" not in pincite("check", "a.md", *DOCS, "-f", "zzz").err


def test_a_source_that_is_given_twice_is_one_source(pincite: Runner) -> None:
    pincite.write("a.md", RIGHT)
    done = pincite("check", "a.md", *DOCS, "-s", "./docs/", "-s", "docs/report.txt")
    assert (done.code, done.err) == (0, "")

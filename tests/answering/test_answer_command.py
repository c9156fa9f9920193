"""`pincite answer` and `pincite verify`: what they print and write, and batches that are interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from drafts import ASKED, SOURCES, reply

from llm_server import LlmServer, fails, in_turn
from pincite.cli import main

PRICE = "A cubic metre of water costs 2.50 euros in the town [1]."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_JUDGE", "rules")
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "docs").mkdir()
    for name, text in SOURCES.items():
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "questions.jsonl").write_text(
        f'{{"id": "price", "question": "{ASKED}"}}\n"When does the ferry sail?"\n\n'
        '{"query_id": 3, "query": "Who won at chess in Baku?"}\n'
    )
    return tmp_path


def run(*arguments: str) -> int:
    return main(list(arguments))


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_answer_is_printed_with_its_references(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", ASKED, "--sources", "docs", "--max-sentences", "1") == 0
    assert capsys.readouterr().out == f"{PRICE}\n\n[1] Water, water.md\n"


def test_a_streamed_answer_prints_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for how in ([], ["raw"]):
        assert run("answer", ASKED, "--sources", "docs", "--max-sentences", "1", "--stream", *how) == 0
        assert capsys.readouterr().out == f"{PRICE}\n\n[1] Water, water.md\n"


def test_a_raw_stream_retracts_visibly(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong, nothing = reply(("A cubic metre of water costs 9.99 euros.", 1)), reply(("", 1))
    with LlmServer(in_turn(wrong, nothing)) as server:
        options = ["--model", "openai:small", "--base-url", server.url, "--no-cache", "--stream", "raw"]
        assert run("answer", ASKED, "--sources", "docs", *options) == 0
    out = capsys.readouterr().out
    assert (
        "costs 9.99 euros [1]." in out and "[retracted: A cubic metre of water costs 9.99 euros [1].:" in out
    )
    assert out.endswith("I cannot answer that from these sources.\n")


def test_a_result_can_be_saved_and_verified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", ASKED, "-s", "docs", "-f", "json", "-o", "answer.json") == 0
    assert run("verify", "answer.json", "-s", "docs", "-o", "again.json") == 0
    assert "citations verified" in capsys.readouterr().out
    assert json.loads(Path("again.json").read_text())["citations"]
    Path("docs/water.md").write_text(SOURCES["water.md"].replace("2.50", "3.50"))
    assert run("verify", "answer.json", "-s", "docs") == 1
    assert "not verified" in capsys.readouterr().out


def test_an_answer_can_be_a_page_with_its_sources(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", ASKED, "-s", "docs", "--max-sentences", "1", "-f", "html", "-o", "answer.html") == 0
    page = Path("answer.html").read_text()
    assert "A cubic metre of water costs 2.50 euros" in page and "<mark" in page and "data-code" not in page
    assert run("answer", "Who won at chess in Baku?", "-s", "docs", "-f", "html", "-o", "none.html") == 0
    assert "I cannot answer that from these sources." in Path("none.html").read_text()


def test_that_the_sources_do_not_say_is_no_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", "Who won at chess in Baku?", "-s", "docs") == 0
    assert "I cannot answer that" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([ASKED, "-s", "docs", "--on-unsuported", "drop"], "did you mean --on-unsupported"),
        ([ASKED, "-s", "docs", "--cite", "footnotes"], "invalid choice"),
        ([ASKED, "-s", "docs", "--max-sentences", "0"], "from 1 to 100"),
        ([ASKED, "-s", "nowhere"], "nowhere"),
        ([ASKED], "no sources"),
        (["questions.jsonl", "-s", "docs"], "--output answers.jsonl"),
        (["nothing.jsonl", "-s", "docs", "-o", "a.jsonl"], "cannot read the questions"),
        ([ASKED, "-s", "docs", "--model", "openai:"], "no model is named"),
        ([ASKED, "-s", "docs", "--cite", "provider"], "cannot cite by provider"),
        ([ASKED, "-s", "docs", "--stream", "-o", "x"], "leave out --output"),
    ],
)
def test_what_cannot_be_is_an_error_that_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run("answer", *arguments) == 2
    assert said in capsys.readouterr().err


def test_a_model_that_fails_is_an_error_and_no_answer(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with LlmServer(fails(400, "no")) as server:
        assert run("answer", ASKED, "-s", "docs", "--model", "openai:small", "--base-url", server.url) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and "no answer: " in printed.err


def test_a_dry_run_needs_no_key_and_calls_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", "questions.jsonl", "-s", "docs", "--model", "openai:gpt-4o-mini", "--dry-run") == 0
    assert "requests: 2" in capsys.readouterr().out


def test_many_questions_get_one_line_each_and_are_not_asked_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("answer", "questions.jsonl", "-s", "docs", "-o", "answers.jsonl") == 0
    first = lines(Path("answers.jsonl"))
    assert [one["id"] for one in first] == ["price", "2", "3"]
    assert [one["status"] for one in first] == ["answered", "answered", "cannot_answer"]
    before = Path("answers.jsonl").read_bytes()
    whole = before.splitlines(keepends=True)
    # As a process leaves it that was killed while it wrote the second line.
    Path("answers.jsonl").write_bytes(whole[0] + whole[1][:40])
    assert run("answer", "questions.jsonl", "-s", "docs", "-o", "answers.jsonl") == 0
    assert "1 of 3 answers resumed" in capsys.readouterr().err
    assert Path("answers.jsonl").read_bytes() == before


def test_answers_of_other_options_are_not_added_to(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("answer", "questions.jsonl", "-s", "docs", "-o", "answers.jsonl") == 0
    assert run("answer", "questions.jsonl", "-s", "docs", "-o", "answers.jsonl", "--cite", "spans") == 2
    assert "--no-resume" in capsys.readouterr().err
    again = [
        "answer",
        "questions.jsonl",
        "-s",
        "docs",
        "-o",
        "answers.jsonl",
        "--cite",
        "spans",
        "--no-resume",
    ]
    assert run(*again) == 0


def test_a_question_that_failed_is_asked_again(folder: Path) -> None:
    good = reply(("A cubic metre of water costs 2.50 euros.", 1))
    for replier, status in ((fails(400, "no"), "failed"), (good, "answered")):
        with LlmServer(replier) as server:
            Path("pincite.toml").write_text("")
            Path("one.jsonl").write_text(json.dumps(ASKED))
            options = ["--model", "openai:small", "--base-url", server.url, "--no-cache"]
            run("answer", "one.jsonl", "-s", "docs", "-o", "one.out", *options)
        assert [one["status"] for one in lines(Path("one.out"))] == [status]


@pytest.mark.parametrize(
    "bad", ["not json", "[1]", "{}", '{"id": 1, "question": "a"}\n{"id": 1, "question": "b"}']
)
def test_questions_that_cannot_be_read_are_named_by_line(
    folder: Path, capsys: pytest.CaptureFixture[str], bad: str
) -> None:
    Path("bad.jsonl").write_text(bad)
    assert run("answer", "bad.jsonl", "-s", "docs", "-o", "x.jsonl") == 2
    assert "bad.jsonl:" in capsys.readouterr().err


@pytest.mark.thorough
def test_ctrl_c_leaves_complete_lines_and_the_batch_resumes(folder: Path) -> None:
    questions = [{"id": number, "question": f"{ASKED} {number}"} for number in range(40)]
    Path("many.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))

    def replies(request: dict[str, object], nth: int) -> str:
        time.sleep(0.02)
        return reply(("A cubic metre of water costs 2.50 euros.", 1))

    with LlmServer(replies) as server:
        command = [sys.executable, "-m", "pincite", "answer", "many.jsonl", "-s", "docs", "-o", "many.out"]
        command += ["--model", "openai:small", "--base-url", server.url, "--no-cache"]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ}, text=True)
        while len(server.seen) < 10 and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=60)
        assert process.returncode == 130 and "run the same command again" in told
        raw = Path("many.out").read_bytes()
        assert not raw or raw.endswith(b"\n")
        done = len(lines(Path("many.out")))
        assert done < 40
        assert run(*command[3:]) == 0
        assert [one["id"] for one in lines(Path("many.out"))] == [str(number) for number in range(40)]
        assert Path("many.out").read_bytes().startswith(raw)

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_run import Done, Runner

from pincite.judges import NumberRules
from pincite.records import Pair, Verdict

FACT = "Revenue grew by 21% in the first quarter."


def row(claim: str = "Revenue grew by 21%.", evidence: Any = FACT, **more: Any) -> str:
    return json.dumps({"claim": claim, "evidence": evidence, **more})


def score(pincite: Runner, *lines: str | bytes, options: Sequence[str] = ()) -> tuple[Done, list[Any]]:
    raw = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines) + b"\n"
    pincite.write("rows.jsonl", raw)
    done = pincite("judge", "score", "rows.jsonl", "--judge", "rules", *options)
    return done, [json.loads(line) for line in done.out.splitlines()] if "text" not in options else []


def test_each_row_gets_a_line_with_these_keys(pincite: Runner) -> None:
    done, scored = score(pincite, row("Revenue grew by 12%.", id="a"), row(id=7))
    assert done.code == 0
    assert scored == [
        {
            "id": "a",
            "verdict": "contradicted",
            "score": pytest.approx(scored[0]["score"]),
            "reason": "12% in the claim, 21% in the source",
            "evidence_span": {"index": 0, "start": 0, "end": 41},
        },
        scored[1],
    ]
    assert (scored[1]["id"], scored[1]["verdict"]) == (7, "supported")
    assert scored[0]["score"] < 0.5 < scored[1]["score"] <= 1
    assert done.err == ""


def test_a_list_of_evidence_is_judged_together_and_the_span_says_which(pincite: Runner) -> None:
    _, scored = score(pincite, row(evidence=["The weather was fine.", f"Yes. {FACT}"], id="a"))
    assert scored[0]["verdict"] == "supported"
    span = scored[0]["evidence_span"]
    assert f"Yes. {FACT}"[span["start"] : span["end"]] == FACT
    assert span["index"] == 1


BAD = [
    (b"not json", "not JSON"),
    (b"[1, 2]", "expected an object"),
    (b'[{"claim": "x",', "one object per line"),
    (b'"text"', "expected an object"),
    (b'{"claim": "x"}', "evidence is missing"),
    (b'{"evidence": "x"}', "claim is missing"),
    (b'{"claim": 3, "evidence": "x"}', "claim is a text, not a number"),
    (b'{"claim": "x", "evidence": ["a", 1]}', "evidence is a text or a list of texts"),
    (b'{"claim": "x", "evidence": {"text": "a"}}', "not an object"),
    (b'{"claim": "x", "evidence": "y", "id": 1.5}', "the id is a string or an integer"),
    (b'{"claim": "x", "evidence": "y", "question": "why"}', "the question is one of support"),
    (b'{"claim": "x", "evidence": "y", "query": 1}', "query is a text"),
    (b'{"claim": "x", "evidence": "y", "n": NaN}', "not JSON"),
    (b'{"claim": "\xff", "evidence": "y"}', "not JSON"),
    (b'{"claim": NaN, "evidence": "y"}', "not JSON"),
    (b"[" * 100_000, "not JSON"),
    (b'{"claim": "  ", "evidence": "y"}', "the claim is empty"),
    (b'{"claim": "x", "evidence": []}', "the evidence is empty"),
    (b'{"claim": "x", "evidence": ["", " "]}', "the evidence is empty"),
]


@pytest.mark.parametrize(("bad", "said"), BAD)
def test_a_bad_row_is_unjudged_in_its_place_with_its_line(pincite: Runner, bad: bytes, said: str) -> None:
    done, scored = score(pincite, row(id="before"), bad, row(id="after"))
    assert done.code == 0
    assert [one["id"] for one in scored] == ["before", 2, "after"]
    assert scored[1]["verdict"] == "unjudged"
    assert scored[1]["score"] is None and scored[1]["evidence_span"] is None
    assert scored[1]["reason"].startswith("line 2: ")
    assert said in scored[1]["reason"]


def test_a_bad_row_keeps_its_id_where_that_can_be_read(pincite: Runner) -> None:
    _, scored = score(
        pincite, row(id="a"), b'{"id": "b", "claim": "x", "evidence": "y", "n": NaN}', '{"id": "c"}'
    )
    assert [one["id"] for one in scored] == ["a", "b", "c"]


def test_a_row_with_half_a_character_is_judged(pincite: Runner) -> None:
    _, scored = score(
        pincite, b'{"id": "a\\ud800", "claim": "Half \\ud800 here", "evidence": "\\udfff"}', row()
    )
    assert [one["id"] for one in scored] == ["a\ud800", 2]
    assert scored[0]["reason"] is None or "not JSON" not in scored[0]["reason"]


def test_rows_that_share_an_id_are_each_judged(pincite: Runner) -> None:
    _, scored = score(pincite, row(), row(id=1), row(id="1"), row(id=1), row(id="1"))
    assert [one["id"] for one in scored] == [1, 1, "1", 1, "1"]
    assert [one["verdict"] for one in scored] == ["supported"] * 5


def test_labels_do_not_matter_when_scoring(pincite: Runner) -> None:
    _, scored = score(pincite, row(label="SUPPORTS", verdict="maybe", source=["x"]))
    assert scored[0]["verdict"] == "supported"


def test_questions_and_queries_reach_the_judge(pincite: Runner) -> None:
    _, scored = score(
        pincite,
        row("Sales were flat.", question="consistency"),
        row(evidence=[], question="relevance", query="How did revenue do?"),
        row(question="relevance"),
    )
    assert scored[0]["verdict"] == "supported"
    assert "query" in scored[1]["reason"]
    assert scored[2]["verdict"] == "unjudged"


def test_blank_lines_a_byte_order_mark_and_windows_line_ends_do_no_harm(pincite: Runner) -> None:
    _, scored = score(pincite, b"\xef\xbb\xbf" + row(id="a").encode() + b"\r", b"", b"  ", row(id="b"))
    assert [one["verdict"] for one in scored] == ["supported", "supported"]


def test_nothing_judged_exits_2(pincite: Runner) -> None:
    done, scored = score(pincite, "x", "y")
    assert (done.code, len(scored)) == (2, 2)
    assert "no row could be judged" in done.err
    done, scored = score(pincite, b"")
    assert (done.code, scored) == (2, [])
    assert "there are no rows" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: cannot read the rows"),
        (["docs"], "this is a folder"),
        (["rows.jsonl", "--judge", "nobody"], "unknown judge 'nobody'"),
        (["rows.jsonl", "-o", "rows.jsonl"], "would overwrite the rows"),
        (["rows.jsonl", "-o", "no/such/folder"], "cannot write no/such/folder"),
        (["rows.jsonl", "--set", "calibration=none.json"], "none.json: cannot read the calibration"),
        ([], "required: ROWS"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(pincite: Runner, arguments: list[str], said: str) -> None:
    pincite.write("rows.jsonl", row())
    done = pincite("judge", "score", *arguments)
    assert done.code == 2
    assert done.err.startswith("error: ") and said in done.err
    assert (pincite.folder / "rows.jsonl").read_text() == row()


def test_the_group_of_commands_helps_itself(pincite: Runner) -> None:
    assert pincite("judge").code == 2
    assert "calibrate" in pincite("judge", "--help").out
    assert "calibrate" in pincite("help", "judge").out
    assert "did you mean `pincite judge score`" in pincite("judge", "scores").err
    for command in ("score", "calibrate"):
        done = pincite("judge", command, "--help")
        assert (done.code, done.out.startswith(f"usage: pincite judge {command}")) == (0, True)


def test_rows_come_from_standard_input_and_go_to_a_file(pincite: Runner) -> None:
    done = pincite("judge", "score", "-", "--judge", "rules", "-o", "out.jsonl", stdin=row(id="é").encode())
    assert (done.code, done.out) == (0, "")
    assert json.loads((pincite.folder / "out.jsonl").read_bytes())["id"] == "é"


def test_people_get_a_short_table(pincite: Runner) -> None:
    done, _ = score(pincite, row(id="a\x1b[31m"), "x", options=["-f", "text"])
    assert done.out.splitlines()[0].startswith("supported    0.9")
    assert "\x1b" not in done.out
    assert done.err == "note: 1 supported, 1 unjudged\n"


class Moody(NumberRules):
    """Breaks on some batches, and gives nonsense in others."""

    async def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        if any("break" in pair.claim for pair in pairs):
            raise ValueError("out\nof order")
        if any("few" in pair.claim for pair in pairs):
            return []
        verdicts = await super().judge(pairs)
        odd = Verdict("supported", float("nan"), "?")
        return [odd if "nan" in p.claim else v for p, v in zip(pairs, verdicts, strict=True)]


def test_a_judge_that_breaks_costs_only_its_batch(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.judges.rules.judge.NumberRules", Moody)
    pincite.write("pincite.toml", "batch_size = 2\n")
    claims = ["nan", "It rained.", "break", "It rained.", "few", "It rained.", "It rained.", "It rained."]
    done, scored = score(pincite, *(row(claim, "It rained.") for claim in claims))
    assert done.code == 0
    reasons = [one["reason"] for one in scored]
    assert "not a probability" in reasons[0]
    assert reasons[2:4] == ["the judge failed: ValueError: out of order"] * 2
    assert reasons[4:6] == ["the judge gave 0 verdicts for 2 pairs"] * 2
    assert [one["verdict"] for one in scored[6:]] == ["supported"] * 2


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    (folder / "pincite.toml").write_text("")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    return subprocess.Popen(
        [sys.executable, "-m", "pincite", "judge", "score", *arguments, "--judge", "rules"],
        cwd=folder,
        env=kept,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_an_interrupt_keeps_what_was_printed(tmp_path: Path) -> None:
    process = start(tmp_path, "-")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("".join(f"{row()}\n" for _ in range(300)).encode())
    process.stdin.flush()
    out = [process.stdout.readline() for _ in range(256)]
    # The first batch is out, and the second waits for more rows.
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == b""
    assert process.wait(timeout=20) == 130
    assert all(json.loads(line)["verdict"] == "supported" for line in out)
    _, said = process.communicate()
    assert said == b""


def test_a_reader_that_goes_away_ends_the_judging(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("".join(f"{row(id=n)}\n" for n in range(200_000)))
    process = start(tmp_path, "rows.jsonl")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    _, said = process.communicate(timeout=25)  # all of them would take minutes
    assert (process.returncode, said) == (0, b"")

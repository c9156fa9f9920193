"""Small files that would take much memory, and any file where there is little: read, or refused by name."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from limited import run_limited


def bomb_docx(path: Path, size: int) -> None:
    space = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        with packed.open("word/document.xml", "w") as part:
            part.write(b'<w:document xmlns:w="' + space + b'"><w:t>')
            for _ in range(size // 1_000_000):
                part.write(b"a" * 1_000_000)


# --- little address space --------------------------------------------------------------------------


def test_a_small_source_is_read_and_a_bomb_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The fox jumps over it.\n", encoding="utf-8")
    bomb_docx(tmp_path / "docs" / "bomb.docx", 400_000_000)
    code, said, _ = run_limited("sources", "docs", cwd=tmp_path)
    assert code == 0
    assert "a.txt" in said
    assert "could not read bomb.docx" in said
    assert "zip bomb" in said


def test_a_source_that_takes_more_memory_than_there_is_is_named_and_the_rest_checked(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("The fox jumps over it.\n", encoding="utf-8")
    with (tmp_path / "docs" / "huge.txt").open("wb") as file:
        file.truncate(700_000_000)
    (tmp_path / "answer.md").write_text("The fox jumps over it [a.txt].\n", encoding="utf-8")
    given = ("check", "answer.md", "--sources", "docs", "--judge", "rules")
    code, said, _ = run_limited(*given, cwd=tmp_path)
    assert code == 0
    assert "1 of 1 targets" in said
    assert "huge.txt: reading it takes more memory than there is" in said


def test_a_trace_over_several_lines_is_read(tmp_path: Path) -> None:
    span = {
        "context": {"trace_id": "t1", "span_id": "s1"},
        "attributes": {"input.value": "What jumps?", "output.value": "The fox jumps over it [1]."},
    }
    (tmp_path / "trace.json").write_text(json.dumps([span], indent=1), encoding="utf-8")
    _, said, _ = run_limited("check", "trace.json", "--judge", "rules", cwd=tmp_path)
    assert "checked 1 citation" in said


@pytest.mark.parametrize("name", ["answer.json", "answers.jsonl", "trace.json"])
def test_an_answer_that_takes_more_memory_than_there_is_is_named(name: str, tmp_path: Path) -> None:
    # Some megabytes of empty lists take twenty times as much once they are read.
    lists = "[" + "[]," * 3_000_000 + "[]]"
    held = {"query_id": "q", "answer": "Yes.", "more": "LISTS", "traceId": "t", "spanId": "s"}
    (tmp_path / name).write_text(json.dumps(held).replace('"LISTS"', lists), encoding="utf-8")
    code, said, _ = run_limited("check", name, "--judge", "rules", cwd=tmp_path, space=220_000_000)
    assert code == 2
    assert name in said
    assert "reading it takes more memory than there is" in said


# --- small files -----------------------------------------------------------------------------------


def test_a_table_of_traces_with_thousands_of_empty_columns_takes_what_its_cells_take(tmp_path: Path) -> None:
    count = 9_000
    places = [str(place) for place in range(count)]
    value: dict[str, dict[str, str]] = {
        "context.trace_id": {place: f"t{place}" for place in places},
        "context.span_id": {place: f"s{place}" for place in places},
        "attributes.output.value": dict.fromkeys(places[:5], "It rose by 3%."),
    }
    value |= {f"attributes.c{place}": {} for place in places}
    (tmp_path / "traces.json").write_text(json.dumps(value), encoding="utf-8")
    code, said, peak = run_limited("check", "traces.json", "--judge", "rules", cwd=tmp_path)
    assert code == 0
    assert "5 answers" in said
    assert peak < 300_000


def test_a_long_name_in_a_trace_is_not_repeated_for_everything_below_it(tmp_path: Path) -> None:
    held = {f"c{place}": 1 for place in range(20_000)}
    span = {
        "context": {"trace_id": "t1", "span_id": "s1"},
        "attributes": {"output.value": "It rose by 3%.", "k" * 100_000: held},
    }
    (tmp_path / "trace.json").write_text(json.dumps([span]), encoding="utf-8")
    code, said, peak = run_limited("check", "trace.json", "--judge", "rules", cwd=tmp_path)
    assert code == 0
    assert "1 answer" in said
    assert peak < 300_000

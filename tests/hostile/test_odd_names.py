"""Links that go round, and names that are not UTF-8: in answers, sources, datasets, settings and output."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pincite.cli import main
from pincite.datasets import sample_path
from pincite.reports import FORMATS

ANSWER = "Revenue grew by 12% [r.txt:0-20].\n"
ODD = os.fsdecode(b"o\xff\xfe")
DATASET = f"{ODD}.eval.json"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    (work / "docs").mkdir()
    (work / "docs" / "r.txt").write_text("Revenue grew by 21%.\n")
    (work / "a.md").write_text(ANSWER)
    monkeypatch.chdir(work)
    return work


def ends_well(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(command)
    out, err = capsys.readouterr()
    assert code in (0, 1, 2)
    assert "Traceback" not in err and "bug in Pincite" not in err
    return code, out, err


# --- links that go round ---

LOOPS = [
    ("check", "loop.md", "-s", "docs"),
    ("check", "a.md", "-s", "loop"),
    ("check", "a.md", "-s", "docs", "--config", "loop.toml"),
    ("check", "a.md", "-s", "docs", "--baseline", "loop.json"),
    ("check", "a.md", "-s", "docs", "--set", "calibration=loop.json"),
    ("check", "a.md", "-s", "docs", "-f", "json", "-o", "loop.json"),
    ("check", "a.md", "-s", "docs", "-f", "json", "-o", "loop/x.json"),
    ("check", "a.md", "-s", "docs", "--write-baseline", "loop.json"),
    ("sources", "loop"),
    ("trust", "loop.toml"),
    ("data", "check", "loop.eval.json"),
    ("data", "convert", "loop.jsonl", "out.eval.json", "--from", "jsonl"),
    ("data", "convert", DATASET, "loop.eval.json", "--force"),
    ("eval", "loop.eval.json", "--target", "answer", "--store", "none"),
    ("eval", "sample", "--answers", "loop.jsonl", "--store", "none"),
    ("eval", "sample", "--answers", "sample:a", "-m", "hit@1", "--store", "loop.sqlite"),
    ("eval", "sample", "--answers", "sample:a", "-m", "hit@1", "--store", "none", "-o", "loop.results.json"),
    ("eval", "--traces", "loop.jsonl", "--store", "none"),
    ("agreement", "loop"),
    ("judge", "score", "loop.jsonl"),
    ("verify", "loop.json", "-s", "docs"),
    ("bibliography", "loop.bib"),
]


@pytest.mark.parametrize("command", LOOPS, ids=ascii)
def test_a_link_to_itself_is_an_error_that_names_it_and_stays_what_it_is(
    folder: Path, command: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(sample_path(), DATASET)
    words = [word.removeprefix("calibration=") for word in command]
    name = next(word for word in words if word.startswith("loop")).partition("/")[0]
    (folder / name).symlink_to(name)
    code, _, err = ends_well(command, capsys)
    assert code == 2
    assert name in err
    assert Path(name).is_symlink()


@pytest.mark.parametrize("config", ["pincite.toml", "pyproject.toml"])
def test_folders_with_links_that_go_round_are_read_once(
    folder: Path, config: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, target in (("up", ".."), ("here", "."), ("self", "self"), ("one", "two"), ("two", "one")):
        (folder / "docs" / name).symlink_to(target)
    (folder / config).symlink_to(config)
    (folder / "answers").mkdir()
    (folder / "answers" / "a.md").write_text(ANSWER)
    (folder / "answers" / "again").symlink_to("../answers")
    code, out, _ = ends_well(["check", "answers", "-s", "docs", "-f", "concise"], capsys)
    assert code == 1
    assert out.count("PIN203") == 1
    _, out, _ = ends_well(["sources", "docs", "-f", "json"], capsys)
    assert [source["name"] for source in json.loads(out)["sources"]] == ["r.txt"]


# --- names that are not UTF-8 ---

pytest_linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")


@pytest.fixture
def odd(folder: Path) -> Path:
    (folder / ODD).mkdir()
    (folder / ODD / f"{ODD}.md").write_text(ANSWER)
    (folder / ODD / f"{ODD}.jsonl").write_text(json.dumps({"id": "q", "answer": ANSWER}))
    (folder / f"{ODD}.md").write_text(ANSWER)
    (folder / "docs" / f"{ODD}.txt").write_text("Staff stayed at 400.\n")
    shutil.copy(sample_path(), folder / DATASET)
    return folder


@pytest_linux
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("answers", [f"{ODD}.md", ODD], ids=["file", "folder"])
@pytest.mark.usefixtures("odd")
def test_every_format_is_written_whole_where_names_are_not_text(
    form: str, answers: str, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    output = f"{ODD}.{form}"
    for more in ((), ("-o", output)):
        code = main(["check", answers, "-s", "docs", "-f", form, *more])
        printed, err = capsysbinary.readouterr()
        assert code == 1
        assert b"Traceback" not in err and b"bug in Pincite" not in err
        text = (Path(output).read_bytes() if more else printed).decode("utf-8")
        assert "PIN203" in text
        if form in ("json", "sarif"):
            json.loads(text)
        if form == "junit":
            ElementTree.fromstring(text)


@pytest_linux
@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(
    "command",
    [
        ("hook", "-s", "docs", f"{ODD}.md"),
        ("check", f"{ODD}.md", "-s", f"{ODD}"),
        ("check", f"{ODD}.md", "-s", "docs", "--fix"),
        ("check", f"{ODD}.md", "-s", "docs", "--diff"),
        ("check", f"{ODD}.md", "-s", "docs", "--write-baseline", f"{ODD}.json"),
        ("check", f"{ODD} is not there", "-s", "docs"),
        ("check", "a.md", "-s", f"{ODD} is not there"),
        ("check", "a.md", "-s", "docs", "--config", f"{ODD}.toml"),
        ("check", "a.md", "-s", "docs", "--judge", ODD),
        ("check", "a.md", "-s", "docs", f"--{ODD}"),
        ("parse", f"{ODD}.md", "-f", "json"),
        ("sources", "docs", "-f", "json"),
        ("locate", ODD, "-s", "docs"),
        ("answer", f"What of {ODD}?", "-s", "docs", "-f", "json"),
        ("data", "check", DATASET, "--statistics"),
        ("data", "check", DATASET, "-f", "json"),
        ("data", "convert", DATASET, f"{ODD}.eval.yaml"),
        ("eval", DATASET, "--answers", "sample:b", "-m", "hit@1", "--store", f"{ODD}.sqlite"),
        (
            "eval",
            DATASET,
            "--answers",
            "sample:b",
            "-m",
            "hit@1",
            "--store",
            "none",
            "-o",
            f"{ODD}.results.json",
        ),
        ("eval", "sample", "--answers", ODD, "--store", "none"),
        ("eval", "sample", "--answers", "sample:b", "-m", "hit@1", "--store", "s.sqlite", "--name", ODD),
        ("explain", ODD),
        (ODD,),
    ],
    ids=ascii,
)
def test_no_command_stumbles_over_a_name_that_is_no_text(
    command: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    ends_well(command, capsys)


@pytest_linux
@pytest.mark.usefixtures("odd")
def test_a_configuration_with_such_a_name_can_be_trusted(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{ODD}.toml"
    Path(name).write_text("online = true\n")
    check = ["check", "a.md", "-s", "docs", "--config", name]
    assert ends_well(check, capsys)[0] == 2
    assert ends_well(["trust", name], capsys)[0] == 0
    assert ends_well(check, capsys)[0] == 1
    assert "o\\xff\\xfe.toml: online" in ends_well(["trust", "--list"], capsys)[1]
    assert ends_well(["trust", "--remove", name], capsys)[0] == 0
    assert ends_well(check, capsys)[0] == 2

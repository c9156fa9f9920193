"""The command line as its own process: pipes, locales, signals, and what it loads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_run import MINUTES, REPORT, WRONG

from pincite.cli import main

HEAVY = {"numpy", "scipy", "pypdfium2", "selectolax", "rich", "yaml", "rapidfuzz", "typer", "pydantic"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pincite.toml").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "report.txt").write_text(REPORT)
    (tmp_path / "docs" / "minutes.txt").write_text(MINUTES)
    (tmp_path / "answer.md").write_text(WRONG)
    return tmp_path


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}
    return {**kept, "PINCITE_JUDGE": "rules", **more}


def test_it_runs_as_a_module(folder: Path) -> None:
    command = [sys.executable, "-m", "pincite", "check", "answer.md", "--sources", "docs", "-f", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, env=environment())
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"][0]["code"] == "PIN203"
    assert done.stderr == b""


@pytest.mark.thorough
def test_machine_output_is_utf_8_in_any_locale(folder: Path) -> None:
    (folder / "answer.md").write_text("Die Größe wächst um 12% 本社 [report.txt:0-41].\n", encoding="utf-8")
    command = [sys.executable, "-m", "pincite", "check", "answer.md", "--sources", "docs", "-f", "json"]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        env=environment(PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0"),
    )
    assert "[report.txt:0-41]" in done.stdout.decode("utf-8")
    assert b"Traceback" not in done.stderr
    for output_format in ("full", "markdown"):
        command[-1] = output_format
        done = subprocess.run(
            command, cwd=folder, capture_output=True, env=environment(PYTHONIOENCODING="ascii", LC_ALL="C")
        )
        assert "Größe wächst" in done.stdout.decode("utf-8")


@pytest.mark.thorough
def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    (folder / "answer.md").write_text(WRONG * 3000)
    command = [sys.executable, "-m", "pincite", "check", "answer.md", "--sources", "docs"]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1
    assert said == b""


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_an_interrupt_exits_130_without_a_traceback(folder: Path) -> None:
    command = [sys.executable, "-m", "pincite", "check", "-", "--sources", "docs"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    # It waits for standard input; the time is only for reaching that point.
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")


def test_a_check_of_plain_text_loads_nothing_heavy(folder: Path) -> None:
    script = (
        "import sys\nfrom pincite.cli import main\n"
        "code = main(['check', 'answer.md', '--sources', 'docs', '-q', '-f', 'concise'])\n"
        "print(code, *sorted(name for name in sys.modules if '.' not in name))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    code, *loaded = done.stdout.splitlines()[-1].split()
    assert code == "1"
    # A claim that fails is looked for in the sources, and that is done in arrays.
    assert not set(loaded) & (HEAVY - {"numpy"})


def test_loading_every_command_and_its_options_loads_nothing_heavy(folder: Path) -> None:
    script = (
        "import sys\nfrom pincite.cli.app import COMMANDS, GROUPS, load_command\n"
        "for name in {*COMMANDS} - {*GROUPS}:\n    load_command(name).parser()\n"
        "print(*sorted(name for name in sys.modules if '.' not in name))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
    )
    assert not set(done.stdout.split()) & (HEAVY | {"sqlalchemy", "onnxruntime", "tokenizers"})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line(folder: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pincite", "explain"], cwd=folder, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (2, b"error: No space left on device\n")


@pytest.mark.skipif(os.name == "nt", reason="the shell's redirections are not there")
@pytest.mark.parametrize(
    ("streams", "code"), [(">&-", 1), ("2>&- >/dev/null", 1), (">&- 2>&-", 1), ("<&-", 1)]
)
def test_closed_streams_change_no_exit_code(folder: Path, streams: str, code: int) -> None:
    command = f"'{sys.executable}' -m pincite check answer.md --sources docs {streams}"
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, env=environment())
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@pytest.mark.thorough
def test_a_file_name_that_is_not_utf_8_is_shown_safely(folder: Path) -> None:
    try:
        (folder / "answer.md").rename(os.fsdecode(os.fsencode(folder) + b"/a\xff.md"))
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    for output_format in ("full", "json", "sarif", "junit", "github", "markdown"):
        command = [sys.executable, "-m", "pincite", "check", ".", "--sources", "docs", "-f", output_format]
        done = subprocess.run(command, cwd=folder, capture_output=True, env=environment())
        assert done.returncode == 1, done.stderr
        done.stdout.decode("utf-8")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_output_to_a_device_is_written_to_it(folder: Path) -> None:
    command = [sys.executable, "-m", "pincite", "check", "answer.md", "--sources", "docs"]
    done = subprocess.run(
        [*command, "-f", "json", "-o", "/dev/stdout"], cwd=folder, capture_output=True, env=environment()
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"][0]["code"] == "PIN203"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_output_to_a_pipe_does_not_replace_it(folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "pincite", "check", "answer.md", "--sources", "docs"]
    with subprocess.Popen([*command, "-f", "json", "-o", "pipe"], cwd=folder, env=environment()) as process:
        written = pipe.read_bytes()
        assert process.wait(timeout=30) == 1
    assert json.loads(written)["findings"][0]["code"] == "PIN203"
    assert pipe.is_fifo()


INTERRUPTED_AT_AN_IMPORT = """
import signal, sys
number, started, seen = int(sys.argv.pop(1)), False, 0

def hook(event, given):
    global started, seen
    if event == "import":
        started = started or given[0] == "pincite.cli"
        seen += started  # the first ones are the package itself, which Python imports before any of our code
        if seen == number + 1:
            seen += 1  # once
            signal.raise_signal(signal.SIGINT)

sys.addaudithook(hook)
from pincite.cli import main
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="the signal is another there")
@pytest.mark.parametrize("number", [3, 4, 5, 8, 13, 34, 89])
def test_an_interrupt_while_it_starts_exits_130_without_a_word(folder: Path, number: int) -> None:
    command = [sys.executable, "-c", INTERRUPTED_AT_AN_IMPORT, str(number), "check", "answer.md"]
    done = subprocess.run(command, cwd=folder, capture_output=True, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_a_program_that_calls_the_command_keeps_its_own_way_with_interrupts(folder: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    main(["explain"])
    assert signal.getsignal(signal.SIGINT) is before

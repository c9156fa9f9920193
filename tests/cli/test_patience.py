from __future__ import annotations

import io
import sys
import time

import pytest

from pincite.cli import progress as waiting
from pincite.cli.progress import check_progress, patience


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def watched(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Called inside a test: pytest puts its own stream in place between a fixture and the test."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setattr(waiting, "SECONDS", 0.01)
    return made


def test_long_work_says_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    with patience("checking big.md"):
        deadline = time.monotonic() + 10
        while not terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    assert terminal.getvalue() == "note: still checking big.md; Ctrl-C stops it\n"


def test_short_work_and_quiet_work_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    with patience("checking big.md", quiet=True):
        time.sleep(0.05)
    monkeypatch.setattr(waiting, "SECONDS", 60.0)
    with patience("checking small.md"):
        pass
    assert terminal.getvalue() == ""


def test_nothing_is_said_to_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    monkeypatch.setattr(waiting, "SECONDS", 0.0)
    with patience("checking big.md"):
        time.sleep(0.05)
    assert file.getvalue() == ""


def test_a_long_check_says_how_far_it_has_got_and_takes_the_line_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(waiting, "SECONDS", -1.0)
    monkeypatch.setattr(waiting, "LIVE_SECONDS", -1.0)
    with check_progress(["big.md"]) as (_, tell):
        assert tell is not None
        tell("judging", 0, 4_000)
        tell("judging", 1_000, 4_000)
    assert "judging: 0 of 4,000" in terminal.getvalue()
    assert "judging: 1,000 of 4,000, 0:00 left" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_an_interrupted_check_leaves_a_clean_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = watched(monkeypatch)
    monkeypatch.setattr(waiting, "SECONDS", -1.0)
    with pytest.raises(KeyboardInterrupt), check_progress(["big.md"]) as (_, tell):
        assert tell is not None
        tell("judging", 0, 4_000)
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_nobody_is_told_how_far_it_has_got_when_nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    watched(monkeypatch)
    with check_progress(["big.md"], quiet=True) as (_, tell):
        assert tell is None
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with check_progress(["big.md"]) as (_, tell):
        assert tell is None

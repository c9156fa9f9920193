from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from cli_run import Runner

from pincite.cli.options import read_age
from pincite.config import CacheSettings, Settings
from pincite.errors import InputError
from pincite.llm import ReplyCache, cache_path

DAY = 86_400


@pytest.fixture
def kept(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with one reply of today and two of ten days ago."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(pincite.folder / "kept"))
    path = cache_path(Settings(cache=CacheSettings(folder=str(pincite.folder / "kept"))))
    assert path is not None
    old = ReplyCache(path, now=lambda: time.time() - 10 * DAY)
    old.put("one", "x" * 300_000)
    old.put("two", "text")
    old.close()
    cache = ReplyCache(path)
    cache.put("three", "text")
    cache.close()
    return path


def test_info_says_what_is_kept_where_and_for_how_long(pincite: Runner, kept: Path) -> None:
    done = pincite("cache", "info")
    assert done.code == 0
    assert re.fullmatch(
        rf"file      {re.escape(str(kept))}\n"
        r"replies   3\n"
        r"size      0\.[0-9] MB of at most 200\.0 MB\n"
        r"oldest    [0-9-]{10}T[0-9:]{8}Z\n"
        r"newest    [0-9-]{10}T[0-9:]{8}Z\n"
        r"kept for  30 days\n",
        done.out,
    )


def test_info_for_machines(pincite: Runner, kept: Path) -> None:
    shape = json.loads(pincite("cache", "info", "--output-format", "json").out)
    assert shape["path"] == str(kept)
    assert (shape["entries"], shape["max_bytes"], shape["max_age_days"]) == (3, 200 * 1024 * 1024, 30)
    assert shape["bytes"] == kept.stat().st_size
    assert shape["oldest"] < shape["newest"]
    assert shape["enabled"] is True


def test_clear_says_how_much_it_removed(pincite: Runner, kept: Path) -> None:
    assert pincite("cache", "clear", "--older-than", "7d").out == "removed 2 replies, 0.3 MB\n"
    assert pincite("cache", "clear").out == "removed 1 reply, 0.0 MB\n"
    assert json.loads(pincite("cache", "info", "-f", "json").out)["entries"] == 0


def test_clear_for_machines(pincite: Runner, kept: Path) -> None:
    before = kept.stat().st_size
    shape = json.loads(pincite("cache", "clear", "-f", "json").out)
    assert shape["removed"] == 3
    assert shape["freed_bytes"] == before - kept.stat().st_size


def test_no_file_is_made_only_to_say_that_there_is_none(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", "nowhere")
    assert "(not there yet)" in pincite("cache", "info").out
    assert pincite("cache", "clear").out == "removed 0 replies, 0.0 MB\n"
    assert not (pincite.folder / "nowhere").exists()


def test_the_limits_of_the_configuration_are_shown(pincite: Runner) -> None:
    pincite.write("pincite.toml", '[cache]\nfolder = "k"\nmax_megabytes = 5\nmax_age_days = 2\n')
    shown = pincite("cache", "info").out
    assert "of at most 5.0 MB" in shown and "2 days" in shown and str(pincite.folder / "k") in shown


def test_a_cache_that_is_switched_off_says_so(pincite: Runner) -> None:
    pincite.write("pincite.toml", "[performance]\ncache_results = false\n")
    assert "`performance.cache_results` is false" in pincite("cache", "info").out


def test_a_damaged_file_is_set_aside_and_the_command_goes_on(pincite: Runner, kept: Path) -> None:
    kept.write_bytes(b"no database " * 1000)
    assert "replies   0" in pincite("cache", "info").out
    assert kept.with_name(f"{kept.name}.damaged-1").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required"),
        (["show"], "invalid choice: 'show'"),
        (["info", "--older-than", "7d"], "for `pincite cache clear`"),
        (["clear", "--older-than", "soon"], "a number and a unit"),
        (["clear", "--older-than", "-7d"], "--older-than"),
        (["clear", "--older-than", "7"], "a number and a unit"),
    ],
)
def test_what_cannot_be_done_is_said(pincite: Runner, kept: Path, arguments: list[str], said: str) -> None:
    done = pincite("cache", *arguments)
    assert done.code == 2
    assert said in done.err
    assert json.loads(pincite("cache", "info", "-f", "json").out)["entries"] == 3


def test_what_is_no_file_is_an_error(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    path = cache_path(Settings(cache=CacheSettings(folder=str(pincite.folder / "kept"))))
    assert path is not None
    path.mkdir(parents=True)
    monkeypatch.setenv("PINCITE_CACHE_DIR", "kept")
    for action in ("info", "clear"):
        done = pincite("cache", action)
        assert done.code == 2
        assert "cannot be used as a cache" in done.err


def test_ages_are_read_as_days() -> None:
    assert [read_age(age) for age in ("36h", "1440m", "86400s", "1.5d", "2w", None)] == [
        1.5,
        1.0,
        1.0,
        1.5,
        14.0,
        None,
    ]
    with pytest.raises(InputError):
        read_age("9" * 1000 + "d")


def test_a_check_without_a_cache_can_be_asked_for() -> None:
    from pincite.cli.app import load_command

    chosen = [load_command("check").read(["a.md", *flags]) for flags in ([], ["--no-cache"])]
    assert [options.settings() for options in chosen] == [{}, {"performance.cache_results": False}]

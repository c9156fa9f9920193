"""Files whose names look like options: what a pattern or a hook passes must never become one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_run import RIGHT, WRONG, Runner

from pincite.cli.app import COMMANDS, GROUPS, load_command

HOSTILE = ("--config=x.md", "--judge=llm:gpt.md", "--online", "-vq", "--no-such-option.md", "-f")
DOCS = ("--sources", "docs")
WITH_WORDS = sorted(
    name for name in {*COMMANDS} - {*GROUPS} if load_command(name).parser()._get_positional_actions()
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_word_that_is_an_option_and_a_file_is_refused_by_name(pincite: Runner, name: str) -> None:
    pincite.write(name, RIGHT)
    pincite.write("a.md", RIGHT)
    done = pincite("check", "a.md", *DOCS, name)
    assert (done.code, done.out) == (2, "")
    assert f"'{name}' could be an option or the file of that name" in done.err
    assert f"write ./{name}, or -- before all files" in done.err


@pytest.mark.parametrize("name", [name for name in WITH_WORDS if name not in ("hook", "trust")])
def test_every_command_that_takes_names_refuses_one_that_is_also_an_option(
    pincite: Runner, name: str
) -> None:
    pincite.write("--config=x.md", RIGHT)
    done = pincite(*name.split(), "--config=x.md", "a")
    assert done.code == 2
    assert "could be an option or the file of that name" in done.err


def test_a_dangling_link_is_a_name_too(pincite: Runner) -> None:
    (pincite.folder / "--config=x.md").symlink_to("nowhere")
    assert "could be an option" in pincite("check", "--config=x.md", *DOCS).err


def test_the_file_is_read_where_it_is_named_as_one(pincite: Runner) -> None:
    pincite.write("--config=x.md", WRONG)
    for words in (("./--config=x.md",), ("--", "--config=x.md")):
        assert "--config=x.md:1:42 PIN203" in pincite("check", *DOCS, "-f", "concise", *words).out


def test_an_option_is_an_option_where_there_is_no_such_file(pincite: Runner) -> None:
    pincite.write("x.toml", "ignore = ['PIN203']\n")
    pincite.write("a.md", WRONG)
    assert pincite("check", "a.md", *DOCS, "--config=x.toml").code == 0


# --- the hook ------------------------------------------------------------------------------------


def plant(pincite: Runner, names: Sequence[str] = HOSTILE) -> None:
    for name in names:
        pincite.write(name, WRONG)
    pincite.write("a.md", WRONG)
    pincite.write("x.md", "ignore: [PIN203]\n")


@pytest.mark.parametrize("arguments", [(), ("--",), DOCS, (*DOCS, "--"), ("--sources=docs", "-q")])
def test_a_hook_reads_every_file_as_one_whatever_its_name(
    pincite: Runner, arguments: tuple[str, ...]
) -> None:
    plant(pincite)
    pincite.write("pincite.toml", "sources = ['docs']\n")
    for files in ((*HOSTILE, "a.md"), ("a.md", *HOSTILE), tuple(reversed(HOSTILE))):
        done = pincite("hook", *arguments, *files)
        assert done.code == 1
        for name in files:
            assert f"{name}:1:42 PIN203" in done.out, (arguments, files)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--judge", "rules", *DOCS],
        ["--judge=rules", *DOCS, "-f", "concise"],
        ["-qf", "concise", *DOCS],
        ["-fconcise", "-s", "docs", "--ignore", "PIN1", "--strict"],
        [*DOCS, "--strict", "--"],
        ["--sources", "docs/report.txt"],
    ],
)
def test_a_hook_takes_the_options_of_a_check_before_the_files(pincite: Runner, arguments: list[str]) -> None:
    plant(pincite, HOSTILE[:2])
    done = pincite("hook", *arguments, "--config=x.md", "a.md")
    assert done.code == 1
    assert "--config=x.md:1:42 PIN203" in done.out and "a.md:1:42 PIN203" in done.out
    silent = pincite("hook", *[word for word in arguments if word != "--"], "--ignore=PIN203", "a.md")
    assert (silent.code, "PIN203" in silent.out) == (0, False)


def test_a_planted_file_cannot_take_the_place_of_an_option_before_two_dashes(pincite: Runner) -> None:
    plant(pincite, ["-f", "--ignore=PIN203"])
    done = pincite("hook", "-f", "concise", *DOCS, "--ignore=PIN203", "--", "a.md", "-f")
    assert (done.code, "PIN203" in done.out) == (0, False)
    without = pincite("hook", "-f", "concise", *DOCS, "a.md")
    assert without.code == 2 and "concise: the answer does not exist" in without.err


def test_a_value_that_is_a_file_does_not_begin_the_files(pincite: Runner) -> None:
    pincite.write("x.toml", "ignore = ['PIN203']\n")
    pincite.write("a.md", WRONG)
    assert pincite("hook", "--config", "x.toml", *DOCS, "a.md").code == 0


@pytest.mark.parametrize("name", ["-", "--"])
def test_a_hook_reads_files_named_by_dashes_alone(pincite: Runner, name: str) -> None:
    pincite.write(name, WRONG)
    pincite.write("--config=x.md", WRONG)
    done = pincite("hook", *DOCS, "-fconcise", name, "--config=x.md", stdin=RIGHT.encode())
    assert f"{name}:1:42 PIN203" in done.out and "--config=x.md:1:42 PIN203" in done.out
    after = pincite("hook", *DOCS, "-fconcise", "--config=x.md", name, stdin=RIGHT.encode())
    assert sorted(after.out.splitlines()) == sorted(done.out.splitlines())


def test_what_follows_the_first_file_is_no_option_even_if_no_file_has_its_name(pincite: Runner) -> None:
    pincite.write("a.md", RIGHT)
    done = pincite("hook", *DOCS, "a.md", "--strict")
    assert done.code == 2
    assert "--strict: the answer does not exist" in done.err


def test_a_hook_names_an_option_that_does_not_exist(pincite: Runner) -> None:
    pincite.write("a.md", RIGHT)
    assert "did you mean --strict?" in pincite("hook", "--strikt", *DOCS, "a.md").err


def test_the_names_are_looked_up_where_the_command_runs(
    pincite: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    pincite.write("--strict", "")
    pincite.write("deep/a.md", RIGHT)
    monkeypatch.chdir(pincite.folder / "deep")
    assert pincite("check", "a.md", "--sources", "../docs", "--strict").code == 0
    assert os.path.lexists(Path("..") / "--strict")

"""The pre-commit hook and the GitHub Action that ship with the project."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from action_steps import WRONG, run_action

from pincite.cli import main
from published_schemas import published_schema


def test_the_action_is_valid_against_the_published_schema(action: Any) -> None:
    jsonschema.Draft7Validator(published_schema("github-action.json")).validate(action)


def test_no_input_is_pasted_into_a_script(action: Any) -> None:
    for step in action["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


@pytest.mark.thorough
def test_the_action_annotates_and_fails_when_something_is_wrong(action: Any, workspace: Path) -> None:
    done = run_action(
        action, workspace, answers="answers/*.md", sources="docs", **{"sarif-file": "out.sarif"}
    )
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=answers/my answer.md,line=1,")
    assert (workspace / "output").read_text() == "sarif-file=out.sarif\nexit-code=1\n"
    assert "PIN203" in (workspace / "summary").read_text()
    assert json.loads((workspace / "out.sarif").read_text())["runs"][0]["results"]


def test_the_action_passes_options_on(action: Any, workspace: Path) -> None:
    inputs = {
        "answers": "answers",
        "sources": "docs",
        "arguments": "--ignore=PIN203\n--strict",
        "summary": "false",
    }
    done = run_action(action, workspace, **inputs)
    assert (done.returncode, done.stdout) == (0, "")
    assert not (workspace / "summary").exists()


def test_the_action_reports_that_it_could_not_run(action: Any, workspace: Path) -> None:
    done = run_action(action, workspace, answers="nowhere.md", sources="docs")
    assert done.returncode == 2
    assert "nowhere.md" in done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    "hostile", ["$(touch owned)", "`touch owned`", "a.md; touch owned", '"; touch owned; "']
)
def test_inputs_cannot_become_commands(action: Any, workspace: Path, hostile: str) -> None:
    for name in ("answers", "sources", "arguments", "sarif-file", "output-format"):
        inputs = {"answers": "answers", "sources": "docs"} | {name: hostile}
        run_action(action, workspace, more={"PINCITE_JUDGE": "rules"}, **inputs)
    assert not (workspace / "owned").exists()


def test_hooks_have_what_pre_commit_needs(hooks: Any) -> None:
    assert [hook["id"] for hook in hooks] == ["pincite", "pincite-fix"]
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert hook["language"] == "python"
        known = {"id", "name", "description", "entry", "language", "types_or", "require_serial", "args"}
        assert set(hook) <= known


def test_hook_entries_are_commands_that_exist(
    hooks: Any, workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("PINCITE_JUDGE", "rules")
    for hook in hooks:
        Path("-a.md").write_text(WRONG)
        program, command, *options = shlex.split(hook["entry"])
        assert (program, command) == ("pincite", "hook")
        main(["hook", *options, "--sources", "docs", *hook["args"], "-a.md"])
        assert "-a.md:1:" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--"], ["--sources=docs"], ["--sources", "docs", "--judge", "rules"]])
def test_the_hook_runs_as_pre_commit_would_call_it(hooks: Any, workspace: Path, arguments: list[str]) -> None:
    (workspace / "pincite.toml").write_text("sources = ['docs']\n")
    (workspace / "--config=quiet.md").write_text(WRONG)
    (workspace / "quiet.md").write_text("ignore: [PIN203]\n")
    entry = [sys.executable, "-m", *shlex.split(hooks[0]["entry"])]
    command = [*entry, *arguments, "--config=quiet.md", "answers/b.md", "answers/my answer.md"]
    rules = {**os.environ, "PINCITE_JUDGE": "rules"}
    done = subprocess.run(command, cwd=workspace, env=rules, capture_output=True, text=True)
    assert done.returncode == 1
    assert "my answer.md:1:42 PIN203" in done.stdout
    assert "--config=quiet.md:1:42 PIN203" in done.stdout

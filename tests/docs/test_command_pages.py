"""Every command in these pages prints what the page says, and every file they show is a true example."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from console_examples import read_page, run_examples, write_files

from pincite.config import ALIASES, SWITCHES, Reach, Settings, defaults, load_settings, reach_of
from published_schemas import published_schema
from watched import strace

DOCS = Path(__file__).parents[2] / "docs"


def page_text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page_text(name), re.M | re.S)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["cli.md", "configuration.md", "output-formats.md", "ci.md"])
def test_the_examples_of_a_page_are_true(name: str, tmp_path: Path) -> None:
    page = read_page(page_text(name))
    write_files(page, tmp_path)
    for expected, real in zip(page.examples, run_examples(page, tmp_path), strict=True):
        assert real.printed.strip("\n") == expected.printed.strip("\n"), expected.command


@pytest.mark.thorough
def test_the_commands_that_show_who_opens_a_socket_print_what_the_page_says(tmp_path: Path) -> None:
    strace()
    section = page_text("robustness.md").partition("\n## Network\n")[2].partition("\n## ")[0]
    page = read_page(section)
    write_files(page, tmp_path)
    real = run_examples(page, tmp_path)
    assert [one.printed for one in real] == [one.printed for one in page.examples]
    assert real[-1].printed == "0\n"
    assert "citation_correctness" in (tmp_path / "run.txt").read_text(encoding="utf-8")
    assert (tmp_path / "calls.txt").stat().st_size > 0


def test_the_python_of_the_ci_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(read_page(page_text("ci.md")), tmp_path)
    monkeypatch.chdir(tmp_path)
    for code in blocks("ci.md", "python"):
        names: dict[str, Any] = {}
        exec(code, names)
        names["test_the_answer_is_well_cited"]()


def test_the_python_of_the_output_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(read_page(page_text("output-formats.md")), tmp_path)
    monkeypatch.chdir(tmp_path)
    (code,) = blocks("output-formats.md", "python")
    exec(code, {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)$", code, re.M)


def test_the_yaml_of_the_ci_page_is_valid() -> None:
    hooks, checks, gate, kept = (yaml.safe_load(text) for text in blocks("ci.md", "yaml"))
    jsonschema.Draft7Validator(published_schema("pre-commit-config.json")).validate(hooks)
    nightly = {"jobs": {"nightly": {"runs-on": "ubuntu-latest", "steps": kept}}}
    for workflow in (checks, gate, nightly):
        whole = {"on": "push", **{name: held for name, held in workflow.items() if name is not True}}
        jsonschema.Draft7Validator(published_schema("github-workflow.json")).validate(whole)


def test_the_commands_in_the_workflows_of_the_ci_page_are_understood() -> None:
    from pincite.cli.app import command

    commands = re.findall(
        r"^ *(?:- run: )?pincite eval (.*(?:\n {10}-.*)*)", "\n".join(blocks("ci.md", "yaml")), re.M
    )
    assert len(commands) == 2
    for words in commands:
        options = command("eval").parser().parse_args(words.split())
        assert (options.dataset, options.target) == ("support_1.0.0.eval.json", "mybot.rag:answer")


def test_the_action_takes_the_inputs_that_the_ci_page_tables() -> None:
    action = yaml.safe_load((DOCS.parent / "action.yml").read_text(encoding="utf-8"))
    tabled = re.findall(r"^\| `([a-z-]+)` \|", page_text("ci.md"), re.M)
    assert sorted(tabled) == sorted(action["inputs"])
    used = yaml.safe_load(blocks("ci.md", "yaml")[1])["jobs"]["citations"]["steps"][1]["with"]
    assert set(used) <= set(action["inputs"])


def test_every_setting_is_tabled_with_its_default() -> None:
    text = page_text("configuration.md")
    tabled = set(re.findall(r"`([a-z_.]+)`", "\n".join(re.findall(r"^\|.*\|$", text, re.M))))
    missing = (set(defaults()) | set(ALIASES) | set(SWITCHES)) - tabled - {"enabled"}
    assert not missing
    rows = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("| `")]
    shown = {row[0].strip(" `"): row[1].strip(' `"') for row in rows if len(row) == 4}
    assert len(shown) > 50
    for name, value in defaults().items():
        if name in shown and isinstance(value, bool | int | float | str):
            assert shown[name] == (str(value).lower() if isinstance(value, bool) else str(value)), name


def test_every_setting_is_tabled_with_the_trust_that_it_needs() -> None:
    words = {
        None: "–",
        Reach.NOTHING: "–",
        Reach.ADDRESS: "needed",
        Reach.COMMAND: "needed",
        Reach.JUDGE: "needed for all but `entailment` and `rules`",
        Reach.NETWORK: "needed for true",
        Reach.STORE: "needed for a server, or a file outside the project",
        Reach.FILE: "needed outside the project",
        Reach.BUDGET: "needed against your own file",
    }
    rows = [line.split("|")[1:-1] for line in page_text("configuration.md").splitlines()]
    shown = {
        key: row[3].strip() for row in rows if len(row) == 4 for key in re.findall(r"`([a-z_.]+)`", row[0])
    }
    assert shown == {path: words[reach_of(path)] for path in defaults()}


@pytest.mark.parametrize("name", ["check", "eval"])
def test_every_option_of_check_and_eval_is_tabled(name: str) -> None:
    from pincite.cli.app import command

    parser = command(name).parser()
    text = page_text("cli.md")
    options = [name for action in parser._actions for name in action.option_strings if len(name) > 2]
    assert [name for name in options if name != "--help" and not re.search(rf"{name}\b", text)] == []


def test_every_command_is_tabled() -> None:
    from pincite.cli.app import COMMANDS

    text = page_text("cli.md")
    assert [name for name in COMMANDS if " " not in name and f"`{name}`" not in text] == []
    assert [name for name in COMMANDS if name.startswith("runs ") and f"| `{name}" not in text] == []


def test_the_files_of_the_configuration_page_load(tmp_path: Path) -> None:
    page = read_page(page_text("configuration.md"))
    tomllib.loads(page.files["pincite.toml"])
    write_files(page, tmp_path)
    for name in ("pincite.toml", "specified.yaml"):
        assert load_settings(tmp_path / name, environment={}) != Settings()

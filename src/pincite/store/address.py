"""Where a history is, read from what the user wrote. A password in it is shown to nobody."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from pincite.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import URL

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):/{2,}")
_POSTGRESQL = ("postgresql", "postgres", "postgresql+psycopg")
_SHOWN = "***"


class Address(Struct, frozen=True):
    """A SQLite file or a PostgreSQL database."""

    path: Path | None = None
    url: URL | None = None

    @property
    def kind(self) -> Literal["sqlite", "postgresql"]:
        return "sqlite" if self.url is None else "postgresql"

    @property
    def file(self) -> Path:
        """The file of a SQLite history."""
        assert self.path is not None
        return self.path

    def __str__(self) -> str:
        """For a message: a path, or who and where, without any option, since a password may be one."""
        if self.url is None:
            return str(self.path)
        user = f"{self.url.username}@" if self.url.username else ""
        port = f":{self.url.port}" if self.url.port else ""
        return f"postgresql://{user}{self.url.host or ''}{port}/{self.url.database or ''}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def hide(self, text: str) -> str:
        """The text without the password, should a driver have quoted it."""
        if self.url is None:
            return text
        options = self.url.query
        secrets = [self.url.password, *(options[name] for name in options if "pass" in name.lower())]
        for secret in secrets:
            if isinstance(secret, str) and secret:
                text = text.replace(secret, _SHOWN)
        return text


def read_address(given: str | Path) -> Address:
    """Reads a path, `sqlite:///path` or `postgresql://…`; anything else is an `InputError`."""
    if isinstance(given, Path):
        return _file(str(given))
    scheme = _SCHEME.match(given)
    if scheme is None:
        return _file(given)
    kind = scheme[1].lower()
    if kind in ("sqlite", "sqlite+pysqlite"):
        return _file(given[len(scheme[1]) + len(":///") :])
    if kind in _POSTGRESQL:
        return _server(given[len(scheme[1]) :])
    raise InputError(
        f"a history cannot be kept in {scheme[1]}://…; give the path of a SQLite file, "
        "or postgresql://user@host/name"
    )


def _file(path: str) -> Address:
    if not path.strip() or path == ":memory:":
        raise InputError("the history needs the path of a SQLite file, or postgresql://user@host/name")
    if "\0" in path:
        raise InputError("the path of the history has a NUL character in it")
    return Address(path=Path(path).expanduser())


def _server(rest: str) -> Address:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(f"postgresql+psycopg{rest}")
    except (ArgumentError, ValueError):
        # The driver's own words would quote the address, and with it the password.
        raise InputError(
            "the address of the PostgreSQL database cannot be read; it is "
            "postgresql://user:password@host:port/name, with special characters of the password as %40"
        ) from None
    return Address(url=url)

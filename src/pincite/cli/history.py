"""What the commands about the history of runs share."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from datetime import datetime

    from pincite.store.history import Store

NO_STORE = "none"


def add_history(parser: Parser) -> None:
    parser.add_argument(
        "--store", metavar="URL", help="the history: a SQLite file or a postgresql:// address"
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this TOML or YAML file instead of searching for one",
    )
    parser.add_argument(
        "--no-color", action="store_true", help="disable colour; NO_COLOR and FORCE_COLOR work too"
    )


@contextmanager
def open_history(options: Namespace) -> Iterator[Store | None]:
    """The history, or None where none was begun yet: to look into one must not make a file."""
    from pincite.cli.commands.settings import load_settings

    url = load_settings(options.config, store_url=options.store).store.url
    if not is_begun(url):
        yield None
        return
    from pincite.store import open_store

    with open_store(url) as store:
        yield store


@contextmanager
def open_kept_history(options: Namespace) -> Iterator[Store]:
    """The history of a command that names a run in it."""
    with open_history(options) as store:
        if store is None:
            raise InputError(nothing_yet(options))
        yield store


def is_begun(url: str) -> bool:
    """Whether there is a history to look into; a server is asked only when it is opened."""
    from pincite.store.address import read_address

    if url == NO_STORE:
        raise InputError("there is no history in `none`: give the place of one with --store")
    address = read_address(url)
    return address.kind != "sqlite" or address.file.exists()


def nothing_yet(options: Namespace) -> str:
    """What to do about an empty history."""
    from pincite.cli.commands.settings import load_settings

    return no_runs_in(load_settings(options.config, told=True, store_url=options.store).store.url)


def no_runs_in(url: str) -> str:
    from pincite.store.address import read_address

    return f"there are no runs in {read_address(url)} yet; `pincite eval DATASET --answers FILE` makes one"


def since(age: str | None) -> datetime | None:
    """The moment that long ago."""
    from datetime import UTC, datetime, timedelta

    from pincite.cli.commands.cache import read_age

    days = read_age(age, "--since")
    if days is None:
        return None
    try:
        return datetime.now(UTC) - timedelta(days=days)
    except OverflowError:  # before the calendar begins, so before everything
        return None


def moment(written: str) -> str:
    """`2026-03-05T10:00:00Z` for a person, to the minute; the time is UTC."""
    return written[:16].replace("T", " ")

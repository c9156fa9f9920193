"""Replies of language models, kept in a file that several processes may use at once.

A reply is found again by everything that could change it: the model, its endpoint and parameters, the prompt
and its version, the text and the schema that was asked for. Whatever goes wrong with the file costs a call of
the model and never the run: it is said once, and the run goes on without a cache.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct

from pincite.base import StatementLimit
from pincite.config import Settings
from pincite.errors import JudgeError
from pincite.llm import cache_file
from pincite.llm.budget import count_usage
from pincite.llm.cache_file import seal, trim_cache
from pincite.llm.prompt import Prompt
from pincite.records import Usage

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

DAY = 86_400.0
LEAST_BYTES = 128 * 1024
"""An empty file and its indices take a good part of this; below it nothing could be kept."""
TRIES = 3
KEY_VARIABLES = ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "ANTHROPIC_API_KEY")

_said: set[str] = set()
_left_to_the_parent: list[object] = []
"""Connections that came through a fork: closing them here could disturb the process that they belong to."""


class CacheInfo(Struct, frozen=True):
    """What a cache holds. Times are seconds since 1970."""

    path: str
    entries: int
    bytes: int
    """On the disk, side files included."""
    oldest: float | None
    newest: float | None
    max_bytes: int
    max_age_days: float


class Cleared(Struct, frozen=True):
    """What was removed."""

    entries: int
    bytes: int


def reply_key(identity: Mapping[str, Any], prompt: Prompt) -> str:
    """The name under which a reply is kept: a hash over everything that could change the reply."""
    always = {name: getattr(prompt, name) for name in ("name", "system", "user", "schema", "pairs")}
    added = {name: getattr(prompt, name) for name in ("documents", "seed", "grammar")}
    # Prompts that have none of these keep the names under which their replies were kept before.
    added = {name: value for name, value in added.items() if value not in ((), None)}
    whole = {"identity": dict(identity), **always, **added}
    try:
        # ASCII with escapes, so that any text has a form, half a surrogate pair too.
        canonical = json.dumps(whole, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise JudgeError(f"a model's identity and schema must be plain JSON to be cached: {error}") from None
    return sha256(canonical.encode("ascii")).hexdigest()


def cache_path(settings: Settings) -> Path | None:
    """The file that these settings mean, or None where the user has no home to keep it in."""
    given = settings.cache.folder or os.environ.get("PINCITE_CACHE_DIR")
    folder = Path(os.path.expanduser(given)) if given else cache_file.default_folder()  # noqa: PTH111
    return folder / cache_file.NAME if folder is not None else None


def open_cache(settings: Settings) -> ReplyCache | None:
    """The cache of these settings; None when it is switched off or cannot be used, which is said once."""
    if not settings.performance.cache_results:
        return None
    path = cache_path(settings)
    if path is None:
        _say("there is no home folder to cache replies in: set PINCITE_CACHE_DIR, or use --no-cache")
        return None
    secrets = tuple(os.environ.get(name, "") for name in KEY_VARIABLES)
    cache = ReplyCache(
        path, settings.cache.max_megabytes * 1024 * 1024, settings.cache.max_age_days, secrets=secrets
    )
    return cache if cache.usable() else None


class ReplyCache:
    """Replies by their keys, in one SQLite file. Safe for threads, forks and several processes."""

    def __init__(
        self,
        path: Path | str,
        max_bytes: int = 200 * 1024 * 1024,
        max_age_days: float = 30,
        *,
        secrets: tuple[str, ...] = (),
        now: Callable[[], float] = time.time,
    ) -> None:
        self.path = Path(path)
        self.max_bytes = max(max_bytes, LEAST_BYTES)
        self.max_age_days = max_age_days
        # Shorter ones would be found by chance in what a model writes.
        self._secrets = tuple(secret for secret in secrets if len(secret) >= 8)
        self._now = now
        self._connection: Connection | None = None
        self._inode: int | None = None
        self._limit: StatementLimit | None = None
        self._off = False
        self._process = os.getpid()
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"ReplyCache({str(self.path)!r})"

    def usable(self) -> bool:
        """Whether the file can be opened, which this does."""
        return self._do(lambda connection: True, False)

    def get(self, key: str) -> str | None:
        """The reply under this key, unless there is none, it is too old, or its bytes have changed."""

        def work(connection: Connection) -> str | None:
            row = connection.execute("SELECT reply, seal, made FROM replies WHERE key = ?", (key,)).fetchone()
            if row is None or row[2] < self._expired_before() or row[1] != seal(key, row[0]):
                return None
            text = json.loads(row[0])["text"]
            return text if isinstance(text, str) else None

        return self._do(work, None)

    def put(self, key: str, text: str) -> None:
        """Keep a reply. One that holds a key of an endpoint, or would fill the cache, is not kept."""
        if any(secret in text or secret in key for secret in self._secrets):
            _say("a model's reply held an API key and was not cached")
            return
        reply = json.dumps({"text": text})
        if len(reply) > self.max_bytes // 4:
            return

        def work(connection: Connection) -> None:
            now = self._now()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "INSERT OR REPLACE INTO replies (key, reply, seal, made, used) VALUES (?, ?, ?, ?, ?)",
                (key, reply, seal(key, reply), now, now),
            )
            trim_cache(connection, self.max_bytes, self._expired_before())
            connection.execute("COMMIT")

        self._do(work, None)

    def info(self) -> CacheInfo:
        """What the cache holds. A file that does not exist is not made for this."""
        empty = self._info(0, None, None)
        if not self.path.exists():
            return empty

        def work(connection: Connection) -> CacheInfo:
            question = "SELECT count(*), min(made), max(made) FROM replies"
            return self._info(*connection.execute(question).fetchone())

        return self._do(work, empty)

    def clear(self, older_than_days: float | None = None) -> Cleared:
        """Remove every reply, or those made longer ago than this, and give the space back."""
        if not self.path.exists():
            return Cleared(0, 0)
        before = self._size()
        limit = float("inf") if older_than_days is None else self._now() - older_than_days * DAY

        def work(connection: Connection) -> int:
            removed = connection.execute("DELETE FROM replies WHERE made < ?", (limit,)).rowcount
            # As a script, because a single statement would give back one page only.
            connection.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
            return removed

        removed = self._do(work, 0)
        if older_than_days is None:
            cache_file.remove_damaged(self.path)
        return Cleared(removed, max(0, before - self._size()))

    def close(self) -> None:
        """Close the file. A closed cache opens again when it is asked."""
        with self._guard():
            self._drop()

    # --- the file ----------------------------------------------------------------------------------

    def _do(self, work: Callable[[Connection], T], otherwise: T) -> T:
        """Do something with the file, or give `otherwise` where the file does not let us."""
        import sqlite3

        with self._guard():
            for left in reversed(range(TRIES)):
                if self._off:
                    break
                try:
                    connection = self._open()
                    if self._limit is not None:
                        self._limit.begin()
                    return work(connection)
                except (sqlite3.Error, OSError, ValueError, TypeError, OverflowError) as error:
                    if not self._worth_another_try(error, left):
                        break
        return otherwise

    def _worth_another_try(self, error: Exception, left: int) -> bool:
        """Set right what can be set right. What cannot be is said, and the cache is off from then on."""
        connection = self._connection
        if connection is not None and connection.in_transaction:
            with suppress(Exception):
                connection.rollback()
        if connection is not None and isinstance(error, ValueError | TypeError | OverflowError):
            return False  # this one entry, not the file
        if cache_file.is_interrupted(error) and self._limit is not None and not self._limit.expired:
            raise KeyboardInterrupt  # which SQLite has turned into an error of its own
        if cache_file.is_busy(error):
            if not left:
                _say(f"the cache of replies {self.path} is in use elsewhere; some replies were not cached")
            return True
        condemned = self._inode if cache_file.is_damage(error) else None
        self._drop()
        if connection is not None and left and (condemned is not None or cache_file.is_moved(error)):
            with suppress(Exception):
                self._open(condemned)
                return True
        self._off = True
        why = getattr(error, "strerror", None) or error
        todo = "set PINCITE_CACHE_DIR to a folder that can be written, or use --no-cache"
        _say(f"replies are not cached: {self.path}: {why}; {todo}")
        return False

    def _open(self, condemned: int | None = None) -> Connection:
        if self._connection is None:
            connection, note = cache_file.open_file(self.path, condemned)
            self._connection = connection
            self._limit = StatementLimit(connection, cache_file.STATEMENT_SECONDS)
            self._inode = cache_file.inode(self.path)
            if note:
                _say(note)
            expired = (self._expired_before(),)
            if connection.execute("SELECT 1 FROM replies WHERE made < ? LIMIT 1", expired).fetchone():
                connection.execute("DELETE FROM replies WHERE made < ?", expired)
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
        self._connection = self._inode = None

    def _guard(self) -> Lock:
        """The lock of this process. After a fork there is one thread, and nothing of the parent's is kept."""
        if self._process != os.getpid():
            _left_to_the_parent.append(self._connection)
            self._connection = self._inode = None
            self._lock, self._process = Lock(), os.getpid()
        return self._lock

    def _expired_before(self) -> float:
        return self._now() - self.max_age_days * DAY

    def _size(self) -> int:
        sizes = 0
        for side in ("", "-wal", "-journal"):
            with suppress(OSError):
                sizes += self.path.with_name(self.path.name + side).stat().st_size
        return sizes

    def _info(self, entries: int, oldest: float | None, newest: float | None) -> CacheInfo:
        limits = (self.max_bytes, self.max_age_days)
        return CacheInfo(str(self.path), entries, self._size(), oldest, newest, *limits)


class Caller(Protocol):
    """Sends prompts to one model with one set of parameters."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything about the caller that changes a reply: model, endpoint, parameters. Never the key."""

    @property
    def usage(self) -> Usage:
        """What was taken since the caller was made, failed requests too."""

    async def call(self, prompt: Prompt) -> str:
        """The model's reply, or `CallFailed`."""


class CachedCaller:
    """A caller, and the cache before it: the same prompt gets the same reply, and is paid for once."""

    def __init__(self, caller: Caller, cache: ReplyCache | None) -> None:
        self.caller = caller
        self._cache = cache
        self._hits = 0

    @property
    def usage(self) -> Usage:
        return self.caller.usage + Usage(cache_hits=self._hits)

    def look_up(self, prompt: Prompt) -> str | None:
        """What was kept for this prompt, not counted as a hit."""
        return None if self._cache is None else self._cache.get(reply_key(self.caller.identity, prompt))

    def take(self, prompt: Prompt) -> str | None:
        """What was kept for this prompt, counted as a hit."""
        kept = self.look_up(prompt)
        if kept is not None:
            self._hits += 1
            count_usage(Usage(cache_hits=1))
        return kept

    def keep(self, prompt: Prompt, text: str) -> None:
        if self._cache is not None:
            self._cache.put(reply_key(self.caller.identity, prompt), text)

    def close(self) -> None:
        if self._cache is not None:
            self._cache.close()


def _say(message: str) -> None:
    """Log a message once per process."""
    if message not in _said:
        _said.add(message)
        import logging

        logging.getLogger("pincite").warning(message)

"""`pincite cache info|clear`: what is kept of language models' replies, and how to be rid of it."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.options import Parser
from pincite.errors import InputError

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.judges.cache import CacheInfo, Cleared, ReplyCache

_AGE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smhdw])")
_DAYS = {"s": 1 / 86_400, "m": 1 / 1_440, "h": 1 / 24, "d": 1.0, "w": 7.0}
_MEGABYTE = 1024 * 1024


def parser() -> Parser:
    made = Parser("cache", "Show or clear cached language-model replies.")
    made.add_argument("action", metavar="info|clear", choices=("info", "clear"), help="what to do")
    made.add_argument(
        "--older-than", metavar="AGE", help="clear only replies older than this: 90s, 30m, 12h, 7d, 2w"
    )
    made.choice("-f", "--output-format", of=("text", "json"), default="text", help="how to print it")
    made.add_argument(
        "--config",
        metavar="FILE",
        help="read settings from this TOML or YAML file instead of searching for one",
    )
    return made


def run(options: Namespace) -> int:
    from pincite.cli.commands.settings import load_settings
    from pincite.cli.output import emit

    older_than = read_age(options.older_than)
    if older_than is not None and options.action != "clear":
        raise InputError("--older-than is for `pincite cache clear`")
    settings = load_settings(options.config)
    cache = _cache(settings)
    as_json = options.output_format == "json"
    if options.action == "clear":
        cleared = cache.clear(older_than)
        emit(_cleared_json(cache.path, cleared) if as_json else _cleared_text(cleared))
    else:
        enabled = settings.performance.cache_results
        emit(_info_json(cache.info(), enabled) if as_json else _info_text(cache.info(), enabled))
    cache.close()
    return 0


def read_age(age: str | None, option: str = "--older-than") -> float | None:
    """`7d` in days."""
    if age is None:
        return None
    read = _AGE.fullmatch(age.strip().lower())
    if read is None:
        raise InputError(f"{option} is a number and a unit, such as 90s, 30m, 12h, 7d or 2w, not {age!r:.40}")
    return float(read[1]) * _DAYS[read[2]]


def _cache(settings: Settings) -> ReplyCache:
    from pincite.judges.cache import ReplyCache, cache_path

    path = cache_path(settings)
    if path is None:
        raise InputError("no home folder for the cache: set PINCITE_CACHE_DIR")
    cache = ReplyCache(path, settings.cache.max_megabytes * _MEGABYTE, settings.cache.max_age_days)
    if path.exists() and not cache.usable():
        raise InputError(f"{path} cannot be used as a cache")
    return cache


def _info_text(info: CacheInfo, enabled: bool) -> str:
    rows = [
        ("file", info.path if info.entries or info.bytes else f"{info.path} (not there yet)"),
        ("replies", f"{info.entries:,}"),
        ("size", f"{_megabytes(info.bytes)} of at most {_megabytes(info.max_bytes)}"),
        ("oldest", _moment(info.oldest) or "-"),
        ("newest", _moment(info.newest) or "-"),
        ("kept for", f"{info.max_age_days:g} days"),
        *([] if enabled else [("used", "no: `performance.cache_results` is false")]),
    ]
    from pincite.reports.display import safe

    return "".join(f"{name:<9} {safe(value)}\n" for name, value in rows)


def _info_json(info: CacheInfo, enabled: bool) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "path": info.path,
            "enabled": enabled,
            "entries": info.entries,
            "bytes": info.bytes,
            "oldest": _moment(info.oldest),
            "newest": _moment(info.newest),
            "max_bytes": info.max_bytes,
            "max_age_days": info.max_age_days,
        }
    )


def _cleared_text(cleared: Cleared) -> str:
    from pincite.reports.findings.totals import plural

    return f"removed {plural(cleared.entries, 'reply', 'replies')}, {_megabytes(cleared.bytes)}\n"


def _cleared_json(path: Path, cleared: Cleared) -> str:
    from pincite.records import SCHEMA_VERSION
    from pincite.reports.findings.json_report import dump

    return dump(
        {
            "schema_version": SCHEMA_VERSION,
            "path": str(path),
            "removed": cleared.entries,
            "freed_bytes": cleared.bytes,
        }
    )


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f} MB"


def _moment(seconds: float | None) -> str | None:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds else None
    except (OverflowError, ValueError, OSError):  # somebody has written into the file
        return None

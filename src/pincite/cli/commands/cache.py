"""`pincite cache info|clear`: what is kept of language models' replies, and how to remove it."""

from __future__ import annotations

from datetime import UTC, datetime

from pincite.cli.options import ConfigOptions, arg, command, formats, load_settings, opt, read_age
from pincite.cli.output import emit_either
from pincite.config import Settings
from pincite.errors import InputError
from pincite.llm import CacheInfo, ReplyCache, cache_path
from pincite.reports import pick, plural, safe

_MEGABYTE = 1024 * 1024


class CacheOptions(ConfigOptions):
    action: str = arg("info|clear", "what to do", choices=("info", "clear"))
    older_than: str | None = opt(
        "--older-than AGE", "clear only replies older than this: 90s, 30m, 12h, 7d, 2w"
    )
    output_format: str = formats("text", "json")


@command(CacheOptions)
def run(options: CacheOptions) -> int:
    older_than = read_age(options.older_than)
    if older_than is not None and options.action != "clear":
        raise InputError("--older-than is for `pincite cache clear`")
    settings = load_settings(options)
    cache = _open(settings)
    if options.action == "clear":
        cleared = cache.clear(older_than)
        shape = {"path": str(cache.path), "removed": cleared.entries, "freed_bytes": cleared.bytes}
        told = f"removed {plural(cleared.entries, 'reply', 'replies')}, {_megabytes(cleared.bytes)}"
        emit_either(options.output_format, shape, [told])
    else:
        _print_info(cache.info(), settings.performance.cache_results, options.output_format)
    cache.close()
    return 0


def _open(settings: Settings) -> ReplyCache:
    path = cache_path(settings)
    if path is None:
        raise InputError("no home folder for the cache: set PINCITE_CACHE_DIR")
    cache = ReplyCache(path, settings.cache.max_megabytes * _MEGABYTE, settings.cache.max_age_days)
    if path.exists() and not cache.usable():
        raise InputError(f"{path} cannot be used as a cache")
    return cache


def _print_info(info: CacheInfo, enabled: bool, output_format: str) -> None:
    oldest, newest = _moment(info.oldest), _moment(info.newest)
    kept = {**pick(info, "entries", "bytes"), "oldest": oldest, "newest": newest}
    shape = {"path": info.path, "enabled": enabled, **kept, **pick(info, "max_bytes", "max_age_days")}
    rows = [
        ("file", info.path if info.entries or info.bytes else f"{info.path} (not there yet)"),
        ("replies", f"{info.entries:,}"),
        ("size", f"{_megabytes(info.bytes)} of at most {_megabytes(info.max_bytes)}"),
        ("oldest", oldest or "-"),
        ("newest", newest or "-"),
        ("kept for", f"{info.max_age_days:g} days"),
        *([] if enabled else [("used", "no: `performance.cache_results` is false")]),
    ]
    emit_either(output_format, shape, (f"{name:<9} {safe(value)}" for name, value in rows))


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:.1f} MB"


def _moment(seconds: float | None) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds else None
    except (OverflowError, ValueError, OSError):  # somebody has written into the file
        return None

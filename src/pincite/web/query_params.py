"""What a request asks for, read from its address: bounded, and refused in words where it makes no sense."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request

from pincite.errors import InputError

LONGEST = 200
"""Characters of a search or a name."""
PAGE = 50
DOWNLOADS = ("html", "csv", "json")


def text(request: Request, name: str) -> str:
    """A text without what surrounds it; empty where there is none."""
    given = request.query_params.get(name, "").strip()
    if len(given) > LONGEST:
        raise InputError(f"{name} has at most {LONGEST} characters")
    return given


def texts(request: Request, name: str, most: int) -> tuple[str, ...]:
    """Each text that is given under the name, once, in order."""
    given = dict.fromkeys(one.strip()[:LONGEST] for one in request.query_params.getlist(name) if one.strip())
    if len(given) > most:
        raise InputError(f"at most {most} of {name} can be given")
    return tuple(given)


def choice(request: Request, name: str, of: Collection[str], default: str = "") -> str:
    given = text(request, name)
    if given and given not in of:
        raise InputError(f"{name} is one of {', '.join(of)}, not {given!r:.60}")
    return given or default


def whole(request: Request, name: str, default: int, low: int, high: int) -> int:
    """A whole number between bounds."""
    given = text(request, name)
    if not given:
        return default
    if not (given.isascii() and given.isdecimal()) or len(given) > 9 or not low <= int(given) <= high:
        raise InputError(f"{name} is a whole number from {low} to {high:,}, not {given!r:.60}")
    return int(given)


def day(request: Request, name: str, *, end: bool = False) -> float | None:
    """A date (2026-03-05, UTC) as seconds since 1970: when it begins, or when it ends."""
    given = text(request, name)
    if not given:
        return None
    try:
        begins = datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InputError(f"{name} is a day such as 2026-03-05, not {given!r:.60}") from None
    return begins.timestamp() + (86_400 if end else 0)


def position(request: Request) -> int:
    """The place of a query, which is part of the address."""
    given = str(request.path_params["position"])
    if not (given.isascii() and given.isdecimal()) or len(given) > 12:
        raise HTTPException(404)
    return int(given)


def wanted_format(request: Request) -> str:
    """`html`, `csv` or `json` where a file is wanted, otherwise nothing."""
    return choice(request, "format", DOWNLOADS)


def paging(request: Request) -> dict[str, Any]:
    """Which page of a list is asked for, as the history takes it."""
    return {
        "after": text(request, "after") or None,
        "before": text(request, "before") or None,
        "limit": whole(request, "limit", PAGE, 1, 500),
    }


def neighbours(request: Request, page: Any, **kept: Any) -> tuple[str | None, str | None]:
    """The addresses of the pages before and after a page of a list, where there are any."""
    before, after = page.before, page.after
    return (
        before and address(request, before=before, after=None, **kept),
        after and address(request, after=after, before=None, **kept),
    )


def address(request: Request, path: str = "", **changed: Any) -> str:
    """The address of the request with some of its parameters changed; None takes one out."""
    kept = [
        (name, value) for name, value in request.query_params.multi_items() if name not in changed and value
    ]
    for name, value in changed.items():
        if value is not None:
            kept += [(name, one) for one in value] if isinstance(value, list | tuple) else [(name, value)]
    where = path or request.url.path
    return f"{where}?{urlencode(kept)}" if kept else where


def downloads(request: Request, **changed: Any) -> list[tuple[str, str]]:
    """Where this view can be downloaded, by format."""
    return [(form.upper(), address(request, format=form, **changed)) for form in DOWNLOADS]

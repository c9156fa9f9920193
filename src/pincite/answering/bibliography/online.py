"""Looks up a DOI on the network, only where that was asked for, and takes what comes as untrusted data.

One request per DOI, to the resolver, which hands out CSL-JSON. An arXiv id has a DOI too. Nothing else about
an answer or its sources is sent.
"""

from __future__ import annotations

import re
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pincite.answering.bibliography.item import Item, clean_item, find_arxiv
from pincite.base import read_json
from pincite.errors import InputError

RESOLVER = "https://doi.org"
_LARGEST = 2 * 1024 * 1024
_SECONDS = 20.0
_HERE = ("127.0.0.1", "::1", "localhost")


class LookupFailed(Exception):
    """A DOI could not be looked up; the message says why."""


class DoiResolver:
    """Asks a DOI resolver. Each DOI is asked for once."""

    def __init__(self, address: str = RESOLVER, seconds: float = _SECONDS) -> None:
        parts = urlsplit(address)
        is_here = parts.hostname in _HERE
        if parts.scheme != "https" and not (parts.scheme == "http" and is_here):
            raise InputError(f"a DOI resolver is an https:// address, not {address!r:.100}")
        self._address = address.rstrip("/")
        self._seconds = seconds
        self._opener = build_opener(_OwnRedirects(is_here))
        self._known: dict[str, Item | LookupFailed] = {}

    def look_up(self, item: Item) -> Item | None:
        """What the resolver says of a work; None for one that has no DOI."""
        doi = item.get("DOI")
        if doi is None and (arxiv := find_arxiv(item.get("number", ""))):
            doi = f"10.48550/arXiv.{re.sub(r'v[0-9]+$', '', arxiv)}"
        if doi is None:
            return None
        key = doi.casefold()
        if key not in self._known:
            try:
                self._known[key] = self._ask(doi)
            except LookupFailed as failed:
                self._known[key] = failed
        found = self._known[key]
        if isinstance(found, LookupFailed):
            raise found
        return found

    def _ask(self, doi: str) -> Item:
        request = Request(  # noqa: S310 - the scheme was checked
            f"{self._address}/{quote(doi, safe='/()')}",
            headers={"Accept": "application/vnd.citationstyles.csl+json", "User-Agent": "pincite"},
        )
        try:
            with self._opener.open(request, timeout=self._seconds) as reply:
                raw = reply.read(_LARGEST + 1)
        except HTTPError as error:
            error.close()
            reason = "is not known" if error.code == 404 else f"could not be looked up (HTTP {error.code})"
            raise LookupFailed(f"the DOI {doi} {reason}") from None
        except (URLError, OSError, ValueError) as error:
            reason = str(getattr(error, "reason", error))
            raise LookupFailed(f"the DOI {doi} could not be looked up: {reason:.200}") from None
        if len(raw) > _LARGEST:
            raise LookupFailed(f"the DOI {doi} could not be looked up: the reply is too large")
        try:
            item = read_json(raw)
        except ValueError:
            item = None
        if not isinstance(item, dict) or not item.get("title"):
            raise LookupFailed(f"the DOI {doi} could not be looked up: the reply is not CSL-JSON")
        return clean_item(item)


class _OwnRedirects(HTTPRedirectHandler):
    """Follows a resolver where it sends us, but never from the network to this machine or to plain HTTP."""

    max_redirections = 5

    def __init__(self, is_here: bool) -> None:
        self._is_here = is_here

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        parts = urlsplit(newurl)
        allowed = (
            parts.hostname in _HERE
            if self._is_here
            else parts.scheme == "https" and _is_public(parts.hostname)
        )
        if not allowed:
            fp.close()
            raise URLError(f"it redirects to {parts.scheme}://{parts.hostname}, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_public(host: str | None) -> bool:
    from ipaddress import ip_address

    if not host or host in _HERE or "." not in host:
        return False
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        return True

"""Under which web addresses, DOIs and numbers a source is known."""

from __future__ import annotations

import re

from pincite.records import Source

_WEB_NAME = re.compile(
    r"(?:https?://|www\.|doi:|doi\.org/|10\.\d{4,9}/|arxiv:|pmid:)\s{0,2}\S", re.IGNORECASE
)
_VERSION = re.compile(r"v\d{1,3}\Z", re.IGNORECASE)
_SCHEME = re.compile(r"https?://(?:www\.)?")
_LONGEST = 4096
_METADATA = ("url", "source_url", "uri", "link", "source", "doi", "arxiv", "arxiv_id", "pmid")


def web_keys(source: Source) -> tuple[str, ...]:
    """The canonical keys of every web name that a source bears, as `WebTarget.key` has them."""
    given: list[str | None] = [source.url, source.document_id, source.name, source.file_path]
    for field in _METADATA:
        value = source.metadata.get(field)
        if isinstance(value, str | int) and not isinstance(value, bool):
            given.append(_with_prefix(field, str(value)))
    names = (name.strip() for name in given if name and len(name) <= _LONGEST)
    return tuple(dict.fromkeys(_canonical(name) for name in names if _WEB_NAME.match(name)))


def same_page(key: str) -> str:
    """What two spellings of one address share: `http` or `https`, with or without `www.`."""
    return _SCHEME.sub("", key, count=1)


def _canonical(name: str) -> str:
    from pincite.citations.formats.web import doi_key, web_target

    lowered = name.casefold()
    if lowered.startswith("10."):
        return doi_key(name)
    if lowered.startswith("doi:"):
        return _canonical_doi(name[4:].strip())
    if lowered.startswith("arxiv:"):
        return f"arxiv:{_VERSION.sub('', name[6:].strip())}"
    if lowered.startswith("pmid:"):
        return f"pmid:{name[5:].strip().lstrip('0')}"
    return web_target(name)[0].key


def _canonical_doi(doi: str) -> str:
    from pincite.citations.formats.web import doi_key, web_target

    return web_target(doi)[0].key if "doi.org/" in doi.casefold() else doi_key(doi)


def _with_prefix(field: str, value: str) -> str:
    """A bare number under `pmid` or `arxiv` says what it is only with its field's name before it."""
    prefix = field.removesuffix("_id")
    if prefix in ("pmid", "arxiv") and not value.casefold().startswith((prefix, "http")):
        return f"{prefix}:{value}"
    return value

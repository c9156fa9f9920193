"""How a cited name finds the source that it means.

The levels are tried in turn and the first that fits anything decides; several sources at that level make the
name ambiguous. The listed name comes first, so that a marker which Pincite wrote always finds its source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import eq

from pincite.records import Source

_LONGEST_NAME = 4096
_MOST_COMPARED = 5000
_ALIKE = 60
"""From here on, of 100, a name is near enough to be suggested."""

_WEB_NAME = re.compile(
    r"(?:https?://|www\.|doi:|doi\.org/|10\.\d{4,9}/|arxiv:|pmid:)\s{0,2}\S", re.IGNORECASE
)
_VERSION = re.compile(r"v\d{1,3}\Z", re.IGNORECASE)
_SCHEME = re.compile(r"https?://(?:www\.)?")
_METADATA = ("url", "source_url", "uri", "link", "source", "doi", "arxiv", "arxiv_id", "pmid")
_ENDING = re.compile(r"(?<=.)\.[A-Za-z][A-Za-z0-9]{0,7}\Z", re.DOTALL)


def fold(name: str) -> str:
    """The name without what people and tools change unawares: Unicode form, case and white space."""
    return " ".join(unicodedata.normalize("NFC", name).split()).casefold()


def file_name(path: str) -> str:
    """The last part of a path, with either kind of slash."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def stem(name: str) -> str:
    """A file name without its ending: `report` of `docs/report.pdf`."""
    return _ENDING.sub("", file_name(name))


def path_parts(path: str) -> tuple[str, ...]:
    """The parts of a path that name something: no drive, no `.`, no `..`."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    if parts and len(parts[0]) == 2 and parts[0][1] == ":":
        del parts[0]
    return tuple(part.casefold() for part in parts)


def identities(source: Source) -> tuple[str, ...]:
    """Every name that a citation may use for a source, the listed one first, each once."""
    given = (
        source.name,
        source.document_id,
        source.file_path,
        file_name(source.file_path) if source.file_path else None,
        file_name(source.name),
        source.title,
    )
    return tuple(dict.fromkeys(name for name in given if name))


class NameIndex:
    """Finds sources by name. Built once for a library, so that many citations cost little."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)
        self._by_path: dict[str, list[int]] = {}
        self._paths: list[tuple[str, ...]] = []
        levels: list[dict[str, list[int]]] = [{} for _ in range(6)]
        listed, names, titles, cased, folded, stems = levels
        for i, source in enumerate(self._sources):
            known = identities(source)
            _add(listed, [source.name], i)
            _add(names, (name for name in known if name != source.title), i)
            _add(titles, [source.title] if source.title else [], i)
            _add(cased, (name.casefold() for name in known), i)
            _add(folded, (fold(name) for name in known), i)
            _add(stems, (fold(stem(name)) for name in known if name != source.title), i)
            parts = path_parts(source.file_path or source.name)
            self._paths.append(parts)
            if parts:
                self._by_path.setdefault(parts[-1], []).append(i)
        self._levels: list[tuple[dict[str, list[int]], Callable[[str], str]]] = [
            (listed, str),
            (names, str),
            (titles, str),
            (cased, str.casefold),
            (folded, fold),
            (stems, fold),
            (stems, lambda name: fold(file_name(name)) if _has_no_ending(name) else ""),
        ]

    def find(self, name: str) -> tuple[Source, ...]:
        """The sources that the name fits best: none, one, or several when it is ambiguous."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME:
            return ()
        for level, key in self._levels:
            hits = level.get(key(name), [])
            if hits:
                return tuple(self._sources[i] for i in hits)
        return tuple(self._sources[i] for i in self._find_path(name))

    def _find_path(self, name: str) -> list[int]:
        """Sources whose path ends as the cited path does: `docs/a.pdf` and `/home/me/docs/a.pdf`."""
        cited = path_parts(name)
        known = self._by_path.get(cited[-1], []) if cited else []
        return [i for i in known if all(map(eq, reversed(self._paths[i]), reversed(cited)))]

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Listed names that the name was perhaps meant for, the nearest first."""
        if not name.strip() or not self._sources:
            return ()
        from rapidfuzz import fuzz, process

        wanted = fold(file_name(name[:200]))
        choices = [choice for choice, _ in self._nearby]
        found = process.extract(wanted, choices, scorer=fuzz.ratio, limit=limit * 4, score_cutoff=_ALIKE)
        # The same ending makes short names alike that have nothing else in common.
        bare = stem(wanted)
        alike = [place for name, _, place in found if fuzz.ratio(bare, stem(name)) >= _ALIKE]
        names = [self._sources[self._nearby[position][1]].name for position in alike]
        return tuple(dict.fromkeys(names))[:limit]

    @cached_property
    def _nearby(self) -> list[tuple[str, int]]:
        """Folded file names with whose they are, for near misses."""
        return [
            (fold(file_name(known[:200])), i)
            for i, source in enumerate(self._sources[:_MOST_COMPARED])
            for known in identities(source)
        ]


def _add(index: dict[str, list[int]], keys: Iterable[str], position: int) -> None:
    for key in dict.fromkeys(keys):
        if key:
            index.setdefault(key, []).append(position)


def _has_no_ending(name: str) -> bool:
    """Whether a path was cited without the file's ending: `docs/report` for `docs/report.pdf`."""
    return _ENDING.search(file_name(name)) is None


# --- on the web ----------------------------------------------------------------------------------


def web_keys(source: Source) -> tuple[str, ...]:
    """The canonical keys of every web name of a source, as `WebTarget.key` has them."""
    given: list[str | None] = [source.url, source.document_id, source.name, source.file_path]
    for field in _METADATA:
        value = source.metadata.get(field)
        if isinstance(value, str | int) and not isinstance(value, bool):
            given.append(_with_prefix(field, str(value)))
    names = (name.strip() for name in given if name and len(name) <= _LONGEST_NAME)
    return tuple(dict.fromkeys(_canonical(name) for name in names if _WEB_NAME.match(name)))


def same_page(key: str) -> str:
    """What two spellings of one address share: `http` or `https`, with or without `www.`."""
    return _SCHEME.sub("", key, count=1)


def _canonical(name: str) -> str:
    from pincite.citations import doi_key, read_web_target

    lowered = name.casefold()
    if lowered.startswith("doi:") and "doi.org/" in lowered:
        return read_web_target(name[4:].strip())[0].key
    if lowered.startswith(("10.", "doi:")):
        return doi_key(name[4:].strip() if lowered.startswith("doi:") else name)
    if lowered.startswith("arxiv:"):
        return f"arxiv:{_VERSION.sub('', name[6:].strip())}"
    if lowered.startswith("pmid:"):
        return f"pmid:{name[5:].strip().lstrip('0')}"
    return read_web_target(name)[0].key


def _with_prefix(field: str, value: str) -> str:
    """A bare number under `pmid` or `arxiv` says what it is only with its field's name before it."""
    prefix = field.removesuffix("_id")
    if prefix in ("pmid", "arxiv") and not value.casefold().startswith((prefix, "http")):
        return f"{prefix}:{value}"
    return value

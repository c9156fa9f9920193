"""How a cited name finds the source that it means.

The levels are tried in turn and the first that fits anything decides; several sources at that level make the
name ambiguous. The listed name comes first, so that a marker which Pincite wrote always finds its source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from pincite.records import Source

_LONGEST_NAME = 4096
_MOST_COMPARED = 5000
_ALIKE = 60
"""From here on, of 100, a name is near enough to be suggested."""

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
        self._nearby: list[tuple[str, int]] | None = None
        """Folded file names with whose they are, for near misses."""
        self._paths: list[tuple[str, ...]] = []
        listed: dict[str, list[int]] = {}
        names: dict[str, list[int]] = {}
        titles: dict[str, list[int]] = {}
        cased: dict[str, list[int]] = {}
        folded: dict[str, list[int]] = {}
        stems: dict[str, list[int]] = {}
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
        if not cited:
            return []
        hits = []
        for i in self._by_path.get(cited[-1], []):
            known = self._paths[i]
            shorter = min(len(known), len(cited))
            if known[-shorter:] == cited[-shorter:]:
                hits.append(i)
        return hits

    def near(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Listed names that the name was perhaps meant for, the nearest first."""
        if not name.strip() or not self._sources:
            return ()
        from rapidfuzz import fuzz, process

        wanted = fold(file_name(name[:200]))
        if self._nearby is None:
            self._nearby = [
                (fold(file_name(known[:200])), i)
                for i, source in enumerate(self._sources[:_MOST_COMPARED])
                for known in identities(source)
            ]
        choices = [choice for choice, _ in self._nearby]
        found = process.extract(wanted, choices, scorer=fuzz.ratio, limit=limit * 4, score_cutoff=_ALIKE)
        # The same ending makes short names alike that have nothing else in common.
        bare = stem(wanted)
        alike = [place for name, _, place in found if fuzz.ratio(bare, stem(name)) >= _ALIKE]
        names = [self._sources[self._nearby[position][1]].name for position in alike]
        return tuple(dict.fromkeys(names))[:limit]


def _add(index: dict[str, list[int]], keys: Iterable[str], position: int) -> None:
    for key in dict.fromkeys(keys):
        if key:
            index.setdefault(key, []).append(position)


def _has_no_ending(name: str) -> bool:
    """Whether a path was cited without the file's ending: `docs/report` for `docs/report.pdf`."""
    return _ENDING.search(file_name(name)) is None

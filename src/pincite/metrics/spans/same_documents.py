"""Which of the names that a system used stand for documents that a dataset names otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pincite.metrics.spans.document_names import unite
from pincite.sources.library import Library
from pincite.sources.names import file_name, fold, identities


def listed_names(names: Iterable[str], library: Library) -> dict[str, str]:
    """Each name that fits exactly one source, and how that source is listed."""
    listed = {}
    for name in names:
        found = library.find(name) if len(library) else ()
        if len(found) == 1:
            listed[name] = found[0].name
    return listed


def as_listed(names: Iterable[str], library: Library) -> tuple[str, ...]:
    """The documents that the names stand for, each once, as their sources are listed where there are some."""
    names = tuple(names)
    listed = listed_names(names, library)
    return tuple(dict.fromkeys(listed.get(name, name) for name in names))


def each_once(grades: Mapping[str, float], library: Library) -> dict[str, float]:
    """The grades with every document under one name: the first of those it has, with the highest grade.

    Only a name that is wholly the document's own counts: two paths that end alike may be two documents.
    """
    if len(grades) < 2 or not len(library):
        return dict(grades)
    once: dict[str, float] = {}
    first: dict[str, str] = {}
    for name, grade in grades.items():
        found = library.find(name)
        own = len(found) == 1 and fold(name) in map(fold, identities(found[0]))
        kept = first.setdefault(found[0].name, name) if own else name
        once[kept] = max(grade, once.get(kept, grade))
    return once


def meant_names(used: Sequence[str], known: Sequence[str], library: Library) -> dict[str, str]:
    """The used names that stand for a known one without being it: by id, path, file name or title.

    A name that is known as it stands means itself.
    """
    used_set, known_set = set(used), set(known)
    others = [name for name in used if name not in known_set]
    missing = [name for name in known if name not in used_set]
    if not others or not missing:
        return {}
    aliases: dict[str, set[str]] = {}
    for name in missing:
        sources = library.find(name) if len(library) else ()
        names = identities(sources[0]) if len(sources) == 1 else ()
        for alias in {fold(name), *map(fold, names)}:
            aliases.setdefault(alias, set()).add(name)
    endings = {file_name(alias) for alias in aliases}
    near = {name: folded for name in others if file_name(folded := fold(name)) in endings}
    if not near:
        return {}
    keys, ambiguous = unite([*near.values(), *aliases], ())
    by_key: dict[tuple[str, ...], set[str]] = {}
    for alias, meant in aliases.items():
        by_key.setdefault(keys[alias], set()).update(meant)
    found = {}
    for name, folded in near.items():
        meant = aliases.get(folded) or (set() if folded in ambiguous else by_key.get(keys[folded], set()))
        if len(meant) == 1:
            (found[name],) = meant
    return found

"""Which names stand for the same document: among themselves, and in a library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pincite.sources import Library, file_name, fold, identities, path_parts

MOST_PARTS = 32
"""Only the last parts of a path are compared: documents are not nested deeper."""


def unite(
    names: Iterable[str], apart: Iterable[str] = ()
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Each name with a key that it shares with the other names of its document, and the ambiguous names.

    Case, Unicode form and the kind of slash do not matter, and a path that ends as another does stands for
    the same document: `report.pdf` and `docs/report.pdf`. Where it fits two paths, it matches neither.
    Names in `apart` are known to be documents of their own and are not united by their endings.
    """
    parts = {name: _parts(name) for name in names}
    known = set(parts.values())
    own = {_parts(name) for name in apart}
    longer: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    lengths: dict[str, set[int]] = {}
    for path in known:
        lengths.setdefault(path[-1], set()).add(len(path))
    for path in known:
        for length in lengths[path[-1]]:
            cut = len(path) - length
            if cut > 0 and path[cut:] in known:
                longer.setdefault(path[cut:], []).append(path)
    full: dict[tuple[str, ...], tuple[str, ...]] = {}
    ambiguous = set()
    for path, fitting in longer.items():
        longest = [other for other in fitting if other not in longer]
        if path in own and any(other in own for other in longest):
            continue
        if len(longest) == 1:
            full[path] = longest[0]
        else:
            ambiguous.add(path)
    keys = {name: full.get(path, path) for name, path in parts.items()}
    return keys, tuple(name for name, path in parts.items() if path in ambiguous)


def _parts(name: str) -> tuple[str, ...]:
    return path_parts(fold(name))[-MOST_PARTS:] or (fold(name),)


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

    A known name means itself.
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

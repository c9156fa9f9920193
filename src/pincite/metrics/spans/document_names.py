"""Which of the names that spans use stand for the same document."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.sources.names import fold, path_parts

MOST_PARTS = 32
"""Only the last parts of a path are compared: nobody nests documents deeper."""


def unite(
    names: Iterable[str], apart: Iterable[str] = ()
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Each name with a key that it shares with the other names of its document, and the ambiguous names.

    Case, Unicode form and the kind of slash do not matter, and a path that ends as another does stands for
    the same document: `report.pdf` and `docs/report.pdf`. Where it fits two paths, it stands for neither.
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

"""A unified diff of an answer before and after its fixes."""

from __future__ import annotations

from collections.abc import Iterator

CONTEXT = 3


def unified_diff(before: str, after: str, name: str) -> Iterator[str]:
    """The lines of the diff, each with its line break; none when nothing changed."""
    if before == after:
        return
    old, new = _split(before), _split(after)
    yield f"--- {name}\n"
    yield f"+++ {name}\n"
    if len(old) != len(new):
        from difflib import unified_diff as general_diff

        lines = list(general_diff(old, new, n=CONTEXT))[2:]
    else:
        # A fix replaces a marker inside its line, so lines pair up and no search for them is needed.
        lines = list(_paired(old, new))
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _split(text: str) -> list[str]:
    return [f"{line}\n" for line in text.split("\n")[:-1]] + (
        [last] if (last := text.rpartition("\n")[2]) else []
    )


def _paired(old: list[str], new: list[str]) -> Iterator[str]:
    changed = [index for index, line in enumerate(old) if line != new[index]]
    for first, last in _hunks(changed):
        start, end = max(0, first - CONTEXT), min(len(old), last + CONTEXT + 1)
        yield f"@@ -{start + 1},{end - start} +{start + 1},{end - start} @@\n"
        index = start
        while index < end:
            if old[index] == new[index]:
                yield f" {old[index]}"
                index += 1
                continue
            run = index
            while run < end and old[run] != new[run]:
                run += 1
            yield from (f"-{line}" for line in old[index:run])
            yield from (f"+{line}" for line in new[index:run])
            index = run


def _hunks(changed: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of changed lines, joined where their context would touch."""
    first = last = changed[0]
    for index in changed[1:]:
        if index - last > 2 * CONTEXT:
            yield first, last
            first = index
        last = index
    yield first, last

"""The files of a project that a module of it imports, directly or through others, found without running them.

Imports are read from the text, so that the same files are found whatever happens to be loaded, and also those
that a function imports when it is called. What is installed, or comes with Python, is not of the project.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

MOST_FILES = 2000
MOST_BYTES = 64 * 1024 * 1024
"""Where to stop: a project of more is known by what was found until then."""

_INSTALLED = {"site-packages", "dist-packages"}
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<of>[.\w]+)[ \t]+import[ \t]*"
    r"(?:\((?P<many>(?:[^()#]++|#[^\n]*+)*+)\)|(?P<few>[^\n#;]*))"
    r"|import[ \t]+(?P<plain>[^\n#;]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"[.\w]+")


def project_files(name: str, file: Path) -> Iterator[tuple[str, bytes]]:
    """The module of this name and everything of its project behind it, by name and with what it holds."""
    import sysconfig

    # The folder from which the module is imported by its full name, and the current one.
    above = name.count(".") + (file.stem == "__init__")
    root_of_module = file.parents[above] if above < len(file.parents) else file.parent
    roots = [
        root
        for root in dict.fromkeys((root_of_module, Path.cwd()))
        if not set(root.parts) & _INSTALLED and root != Path(sysconfig.get_path("stdlib"))
    ]
    waiting, seen, size = [(name, file)], {file}, 0
    looked_for: set[str] = set()
    while waiting and len(seen) <= MOST_FILES and size <= MOST_BYTES:
        name, file = waiting.pop(0)
        try:
            content = file.read_bytes()
        except OSError:
            continue
        size += len(content)
        yield name, content
        package = name if file.stem == "__init__" else name.rpartition(".")[0]
        wanted = set(_imports(content.decode("utf-8", "replace"), package)) - looked_for
        looked_for |= wanted
        for found in sorted(found for one in wanted for found in _located(one, roots)):
            if found[1] not in seen:
                seen.add(found[1])
                waiting.append(found)


def _imports(text: str, package: str) -> Iterator[str]:
    """Full names of what may be modules: of `from a import b` both `a` and `a.b`."""
    for found in _IMPORT.finditer(text.replace("\\\n", " ")):
        if found["plain"] is not None:
            for part in found["plain"].split(","):
                if name := _NAME.match(part.strip()):
                    yield name[0]
            continue
        base = found["of"].lstrip(".")
        level = len(found["of"]) - len(base)
        if level:
            steps = package.split(".")[: 1 - level or None] if package else []
            base = ".".join([*steps, *([base] if base else [])])
        yield base
        for part in re.sub(r"#[^\n]*", "", found["many"] or found["few"] or "").split(","):
            if name := _NAME.match(part.strip()):
                yield f"{base}.{name[0]}" if base else name[0]


def _located(name: str, roots: list[Path]) -> Iterator[tuple[str, Path]]:
    """The file of a module and those of the packages that it is in, which are run before it."""
    steps = [step for step in name.split(".") if step]
    for root in roots:
        found = []
        for count in range(1, len(steps) + 1):
            place = root.joinpath(*steps[:count])
            found += [
                (".".join(steps[:count]), file)
                for file in (place / "__init__.py", place.with_name(f"{place.name}.py"))
                if os.path.isfile(file)  # noqa: PTH113 - which never raises, whatever the name
            ]
        if found:
            yield from found
            return


def code_digest(function: Callable[..., Any]) -> str | None:
    """A hash of the file that defines it and of those of the same project that the file imports.

    Where there is no file, as in a notebook, it is one of the function alone; None if there is neither.
    """
    while isinstance(function, partial):
        function = function.func
    defined = function if hasattr(function, "__qualname__") else type(function)
    files = _files_of(defined)
    if files:
        hashed = blake2b(digest_size=8)
        for name, content in files:
            hashed.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogatepass"))
            hashed.update(content)
        return hashed.hexdigest()
    try:
        text = inspect.getsource(defined)  # as a notebook has it, where a cell is no file
    except (OSError, TypeError, SyntaxError):
        return None
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _files_of(defined: Any) -> list[tuple[str, bytes]]:
    name = getattr(defined, "__module__", None) or ""
    file = getattr(sys.modules.get(name), "__file__", None)
    if not isinstance(file, str) or not file.endswith(".py"):
        return []
    try:
        return sorted(project_files(name, Path(file).absolute()))
    except (OSError, ValueError):
        return []

"""Finds every regular expression of Pincite, and how each is used.

`python -m bench.fuzzing.expressions` prints them as JSON. All modules are imported in a fresh process in
which `re` notes what it compiles and where: that finds what is compiled at import, tables and patterns made
of parts included. The source is read too: it shows the calls inside functions, whose patterns are worked out
from the names of their module, and whether an expression is tried at one place of a text or at every place.
"""

from __future__ import annotations

import ast
import importlib
import io
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from msgspec import Struct, convert

from bench.fuzzing.inside import module_at

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "pincite"
EVERYWHERE = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
"""Methods that try an expression at every place of a text."""
ONCE = frozenset({"match", "fullmatch"})
AT_FEW_PLACES = {
    (
        "citations/formats/round_brackets.py",
        "_ENDS_CLAUSE",
    ): "behind a bracket; it goes over nothing but space",
    ("citations/references.py", "_LABEL"): "at the beginning of a line, and within it",
    ("judges/llm/reply_scores.py", "_BREAK"): "behind the first number of a reply",
    ("sources/readers/html.py", "_TAG"): "at each tag; where one never ends, the rest is text",
}
"""Expressions that are told where to begin, and why no text can make them begin at many places in vain."""


class Expression(Struct, frozen=True, order=True):
    """One pattern, where it stands, and the ways in which it is tried: `search`, `match`, `fullmatch`."""

    place: str
    pattern: str
    flags: int
    is_bytes: bool
    uses: tuple[str, ...]

    def compiled(self) -> re.Pattern[Any]:
        return re.compile(self.pattern.encode("latin-1") if self.is_bytes else self.pattern, self.flags)


class Found(Struct, frozen=True):
    """All expressions, and the calls whose pattern could not be worked out."""

    expressions: list[Expression]
    unknown: list[str]


def find_expressions() -> Found:
    """Every expression, found in a process of its own, since modules that are loaded compile nothing."""
    return convert(json.loads(_found_by_a_child()), Found)  # `json` takes the lone surrogates of a pattern


def known_expressions(folder: Path, again: bool = False) -> list[re.Pattern[Any]]:
    """Every expression compiled, from the file in which one process has written them for all others."""
    path = folder / "expressions.json"
    if again or not path.exists():
        path.write_bytes(_found_by_a_child())
    found = convert(json.loads(path.read_bytes()), Found)
    return list(dict.fromkeys(expression.compiled() for expression in found.expressions))


@cache
def _found_by_a_child() -> bytes:
    command = [sys.executable, "-m", "bench.fuzzing.expressions"]
    path = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH", ""))))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE).stdout


class _Call(Struct, frozen=True):
    """A call of a function of `re` in the source."""

    file: str
    line: int
    last_line: int
    function: str
    node: ast.Call
    name: str | None
    """The module's name that the compiled expression gets."""
    asked: str | None
    """What is asked of the compiled expression at once: `re.compile(…).groups`."""


def _calls(file: str, tree: ast.Module) -> Iterator[_Call]:
    named = {
        id(statement.value): statement.targets[0].id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }
    asked = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        called = node.func if isinstance(node, ast.Call) else None
        if (
            isinstance(node, ast.Call)
            and isinstance(called, ast.Attribute)
            and isinstance(called.value, ast.Name)
            and called.value.id == "re"
            and called.attr in {"compile", *EVERYWHERE, *ONCE}
        ):
            last = node.end_lineno or node.lineno
            yield _Call(file, node.lineno, last, called.attr, node, named.get(id(node)), asked.get(id(node)))


def _uses(trees: dict[str, ast.Module]) -> dict[tuple[str, str], set[str]]:
    """(File, name) → the methods that are called on the name, in its module and wherever it is imported."""
    used: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file, tree in trees.items():
        origin: dict[str, tuple[str, str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pincite"):
                source = _file_of(str(node.module), trees)
                origin |= {alias.asname or alias.name: (source, alias.name) for alias in node.names}
        inside: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                held = node.func.value
                if isinstance(held, ast.Name) and node.func.attr in EVERYWHERE | ONCE:
                    inside.add(id(held))
                    name = origin.get(held.id, (file, held.id))
                    # From a given place on, a match is likely to be tried at many.
                    many = node.func.attr in EVERYWHERE or (len(node.args) == 2 and name not in AT_FEW_PLACES)
                    used[name].add("search" if many else node.func.attr)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                inside.add(id(node.value))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inside:
                used[origin.get(node.id, (file, node.id))].add("search")  # handed on: for anything
    return used


def _file_of(module: str, trees: dict[str, ast.Module]) -> str:
    path = module.removeprefix("pincite").lstrip(".").replace(".", "/")
    return f"{path}.py" if f"{path}.py" in trees else f"{path}/__init__.py".lstrip("/")


def _import_all(compiled: list[tuple[str, int, Any, int]]) -> dict[str, ModuleType]:
    """Every module that can be imported here, by file; what `re` compiles for them goes to the list."""
    original = re._compile  # type: ignore[attr-defined]

    def note(pattern: Any, flags: Any) -> Any:
        frame: Any = sys._getframe(2)
        if frame.f_code.co_filename.startswith(str(PACKAGE)) and isinstance(pattern, str | bytes):
            file = str(Path(frame.f_code.co_filename).relative_to(PACKAGE))
            compiled.append((file, frame.f_lineno, pattern, int(flags)))
        return original(pattern, flags)

    re._compile = note  # type: ignore[attr-defined]
    modules: dict[str, ModuleType] = {}
    try:
        import pincite

        for info in pkgutil.walk_packages(pincite.__path__, "pincite.", onerror=lambda name: None):
            if info.name.endswith("__main__"):
                continue
            try:
                module = importlib.import_module(info.name)
            except (ImportError, SystemExit):  # it needs an extra that is not installed here
                continue
            if module.__file__:
                modules[str(Path(module.__file__).relative_to(PACKAGE))] = module
        _call_what_compiles()
    finally:
        re._compile = original  # type: ignore[attr-defined]
    return modules


def _call_what_compiles() -> None:
    """Call the functions whose patterns depend on what they are given."""
    from pincite.answering import find_verbatim
    from pincite.config import Limits
    from pincite.datasets import SEMANTIC_VERSION, Marked
    from pincite.records import Span
    from pincite.sources import read_bytes
    from pincite.text import find_language, find_statements, foreign_script

    part: Any = SimpleNamespace(text="", start=0, words=["1.5"])
    part.reading = part.sentence = part
    find_verbatim("a ab b", [part])
    Marked(io.BytesIO()).unmarked(b"")
    module_at("datasets/schema.py")._check_text("", {"pattern": SEMANTIC_VERSION}, None, [])
    module_at("judges/entailment/decision.py")._names_a_version(part)
    read_bytes(b"<title>a</title>", "a.html", Limits())
    read_bytes(b"a\tb", "a.tsv", Limits())
    module_at("text/normal_form.py")._pattern("½", accented=True)
    find_language("Доходы выросли.")
    foreign_script("Доходы выросли.", [""])
    for sentence in ("It is so.", "See it.", "See page 2."):
        list(find_statements(sentence, []))
        list(find_statements(f"{sentence} [1]", [Span(len(sentence) + 1, len(sentence) + 4)]))


def _discover() -> Found:
    trees = {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_bytes())
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    compiled: list[tuple[str, int, Any, int]] = []
    modules = _import_all(compiled)
    uses = _uses(trees)
    found: set[Expression] = set()
    unknown: list[str] = []
    seen: set[int] = set()
    for file, tree in trees.items():
        for call in _calls(file, tree):
            hits = [
                (number, pattern, flags)
                for number, (where, line, pattern, flags) in enumerate(compiled)
                if where == file and call.line <= line <= call.last_line
            ]
            seen |= {number for number, _, _ in hits}
            known = [(pattern, flags) for _, pattern, flags in hits] or _worked_out(call, modules.get(file))
            if not known:
                unknown.append(f"{file}:{call.line}")
            ways = _ways(call, uses)
            found |= {_expression(f"{file}:{call.line}", pattern, flags, ways) for pattern, flags in known}
    for number, (file, line, pattern, flags) in enumerate(compiled):
        if number not in seen:
            found.add(_expression(f"{file}:{line}", pattern, flags, {"search"}))
    return Found(sorted(found), unknown)


def _ways(call: _Call, uses: dict[tuple[str, str], set[str]]) -> set[str]:
    if call.asked is not None and call.asked not in EVERYWHERE | ONCE:
        return set()  # only its groups are counted
    if call.function in ONCE:
        return {call.function}
    if call.function == "compile" and call.name is not None:
        return uses.get((call.file, call.name)) or {"search"}
    return {"search"}


def _worked_out(call: _Call, module: ModuleType | None) -> list[tuple[Any, int]]:
    """The pattern of a call in a function, from what its module holds."""
    if module is None:
        return []
    given = {word.arg: word.value for word in call.node.keywords}
    positions = {
        "compile": 1,
        "search": 2,
        "match": 2,
        "fullmatch": 2,
        "findall": 2,
        "finditer": 2,
        "split": 3,
    }
    place = positions.get(call.function, 4)
    flags = given.get("flags") or (call.node.args[place] if len(call.node.args) > place else None)
    names = dict(vars(module))
    try:
        return [(_value(call.node.args[0], names), 0 if flags is None else int(_value(flags, names)))]
    except Exception:  # it depends on what only a call knows
        return []


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), names)  # our own source


def _expression(place: str, pattern: Any, flags: int, ways: set[str]) -> Expression:
    is_bytes = isinstance(pattern, bytes)
    text = pattern.decode("latin-1") if is_bytes else str(pattern)
    return Expression(place, text, flags, is_bytes, tuple(sorted(ways)))


if __name__ == "__main__":
    found = _discover()
    told = {
        "expressions": [
            {field: getattr(one, field) for field in one.__struct_fields__} for one in found.expressions
        ],
        "unknown": found.unknown,
    }
    print(json.dumps(told))

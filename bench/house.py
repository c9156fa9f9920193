"""The shape of the code: sizes, doors, what a check and an evaluation enter. Looked at, not enforced."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "pincite"
PARTICIPLES = re.compile(
    r"(?:ing|[^e]ed)$|^(?:made|kept|shown|said|told|found|held|given|gone|sent|met|meant|left|read_back|begun)$"
)
NOUNS = {
    "feed",
    "thing",
    "string",
    "heading",
    "embedding",
    "reading",
    "ranking",
    "setting",
    "findings",
    "answering",
}

TRACE = """
import json, pathlib, sys, tempfile
import pincite

root, seen, rooms = sys.argv[1], set(), []

def watch(frame, event, value):
    code = frame.f_code
    if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(root):
        seen.add(code.co_filename)
        rooms.append(code.co_filename[len(root) + 1 :].split("/")[0])

with tempfile.TemporaryDirectory() as folder:
    place = pathlib.Path(folder)
    (place / "a.txt").write_text("The hall seats 1100 people. It was built in 1957 by the town.")
    answer = "The hall seats 1100 people [a.txt]. It was built in 1967 [a.txt]."

    def work():
        if sys.argv[2] == "check":
            pincite.check(answer, sources=folder)
        else:
            pincite.evaluate("sample", answers="sample:a", judge="rules", limit=2)

    work()  # what is loaded and prepared once is not counted
    sys.setprofile(watch)
    work()
    sys.setprofile(None)
print(json.dumps([len(seen), sum(a != b for a, b in zip(rooms, rooms[1:]))]))
"""


def run(data: Path | None) -> Iterator[Figure]:
    files = sorted(SOURCE.rglob("*.py"))
    yield Figure("files of src", len(files))
    yield Figure("lines of src", _lines(SOURCE))
    yield Figure("lines of tests", _lines(ROOT / "tests"))
    yield Figure("words of docs and README", _words())
    for user in ("src", "tests"):
        yield Figure(f"inner modules that other rooms import, in {user}", len(_inner(user)))
    for name in ("check", "eval"):
        entered, changes = _traced(name)
        yield Figure(f"files entered by a {name} of two", entered)
        yield Figure(f"changes of room in that {name}", changes)
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    functions = [
        (path, node.name)
        for path, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    once = sum(
        name.startswith("_") and len(re.findall(rf"\b{name}\b", path.read_text(encoding="utf-8"))) == 2
        for path, name in functions
    )
    yield Figure("private functions used once, of top-level functions", 100 * once / len(functions), "%")
    names = [path.stem for path in files]
    yield Figure("modules named by a participle", sum(_is_participle(name) for name in names))
    public = Counter(name for _, name in functions if not name.startswith("_"))
    yield Figure("public function names in two modules", sum(count > 1 for count in public.values()))
    classes = Counter(
        node.name for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef)
    )
    yield Figure("class names twice", sum(n > 1 for name, n in classes.items() if not name.startswith("_")))


def _is_participle(name: str) -> bool:
    last = name.rpartition("_")[2]
    return last not in NOUNS and bool(PARTICIPLES.search(last))


def _lines(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))


def _words() -> int:
    return sum(
        len(path.read_text(encoding="utf-8").split())
        for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    )


def _inner(user: str) -> set[str]:
    """Modules below a door that a file outside of their room imports; those of `integrations` are public."""
    found = set()
    for path in (ROOT / user).rglob("*.py"):
        inside = path.relative_to(SOURCE).parts[0] if user == "src" else ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
            elif isinstance(node, ast.Import):
                modules = [name.name for name in node.names]
            else:
                continue
            for module in modules:
                parts = module.split(".")
                place = ROOT.joinpath("src", *parts)
                exists = place.is_dir() or place.with_suffix(".py").is_file()
                if (
                    parts[0] == "pincite"
                    and len(parts) > 2
                    and exists
                    and parts[1] not in (inside, "integrations")
                ):
                    found.add(module)
    return found


def _traced(name: str) -> tuple[int, int]:
    done = subprocess.run(
        [sys.executable, "-c", TRACE, str(SOURCE), name], capture_output=True, text=True, check=True
    )
    entered, changes = json.loads(done.stdout.splitlines()[-1])
    return entered, changes

"""docs/extending.md names files and names that exist, and its example of a citation format works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pincite.citations import render
from pincite.records import Citation

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text("utf-8")
PROSE = re.sub(r"```.*?```", "", PAGE, flags=re.S)
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", PROSE)))
FILES = [path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.*") if path.is_file()]


@pytest.mark.parametrize("name", [one for one in QUOTED if re.fullmatch(r"[\w/]+\.(?:py|md)|[\w/]+/", one)])
def test_a_file_or_folder_that_the_page_names_exists(name: str) -> None:
    known = [path.as_posix() for path in (*FILES, *ROOT.glob("*.*"), *ROOT.glob("docs/*.md"))]
    wanted = f"/{name}" if not name.endswith("/") else f"/{name.strip('/')}/"
    assert any(path.endswith(wanted) or (name.endswith("/") and wanted in path) for path in known)


def test_a_name_in_the_code_that_the_page_gives_exists() -> None:
    words = {
        word for path in FILES if path.suffix == ".py" for word in re.findall(r"\w+", path.read_text("utf-8"))
    }
    names = {one for one in QUOTED if re.fullmatch(r"_?[A-Z][A-Za-z]*(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)+", one)}
    assert len(names) > 15
    assert names - words == set()


@pytest.mark.parametrize(("name", "file"), re.findall(r"`(\w+)`\s+in\s+`([\w/]+\.py)`", PROSE))
def test_a_name_is_defined_in_the_file_where_the_page_says(name: str, file: str) -> None:
    (path,) = [one for one in FILES if one.as_posix().endswith(f"/src/pincite/{file}")] or [
        one for one in FILES if one.as_posix().endswith(f"/{file}")
    ]
    assert re.search(rf"^(?:(?:def|class) {name}\b|{name}\b *[:=])", path.read_text("utf-8"), re.M)


def read_by_the_example(text: str) -> list[Citation]:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    family = (ROOT / "src" / "pincite" / "citations" / "formats" / "span.py").read_text("utf-8")
    names: dict[str, Any] = {"__name__": "pincite.citations.formats.span"}
    exec(family + block.replace("(..., Form", "(*FORMS, Form"), names)
    form = names["FORMS"][-1]
    assert any(cue in text for cue in form.cues)
    found = [form.read(match, names["Context"](text)) for match in re.finditer(form.pattern, text)]
    return [one for one in found if isinstance(one, Citation)]


def test_the_example_of_a_citation_format_reads_and_renders_back() -> None:
    found = read_by_the_example("So ⟦report.pdf#p3⟧ and ⟦a b {1}.pdf⟧ and ⟦a.txt#p03⟧ but ⟦no name⟧.")
    assert [one.targets[0].key for one in found] == ["report.pdf:3", "a b {1}.pdf", "a.txt:3"]
    assert [render(one) for one in found] == [one.text for one in found]

"""Files of references that are made to take for ever, or all memory: the work grows as the file does."""

from __future__ import annotations

import os
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from bibliography_works import item_of, read, read_csl

from pincite.answering import read_reference_file
from pincite.errors import InputError, TooLargeError
from pincite.records import Source

LONGEST, LONGEST_VALUE = 2_000, 40_000
MOST_ITEMS, MOST_FIELDS, MOST_VALUES, MOST_NAMES = 50_000, 1_000_000, 2_000_000, 500

pytestmark = pytest.mark.timeout(300)  # against a hang alone: what grows with the square would take hours

BIBTEX: dict[str, Callable[[int], str]] = {
    "comments that open": lambda n: "@comment{" * n,
    "entries that open": lambda n: "@article{" * n,
    "entries that open on lines": lambda n: "\n@article{a,b={" * n,
    "strings that open": lambda n: "@string{" * n,
    "fields that open": lambda n: "@article{a,title={" * n,
    "a long word after @": lambda n: "@" + "a" * n + " " * n,
    "spaces before @": lambda n: (" " * 50 + "@a{") * (n // 20),
    "quotes": lambda n: '@article{a,title="' + '"' * n,
    "braces that open": lambda n: "@article{a,title=" + "{" * n,
    "braces that close": lambda n: "@article{a,title={x}" + "}" * n,
    "nested braces": lambda n: "@article{a,title=" + "{" * n + "}" * n + "}",
    "backslashes": lambda n: "@article{a,title={" + "\\" * n + " }}",
    "accents": lambda n: "@article{a,title={" + "\\'" * n + "}}",
    "commands": lambda n: "@article{a,title={" + "\\frac" * n + "}}",
    "environments": lambda n: "@article{a,title={" + "\\begin{a}" * n + "}}",
    "formulas": lambda n: "@article{a,title={" + "$" * n + "}}",
    "commas": lambda n: "@article{a" + "," * n + "}",
    "equals signs": lambda n: "@article{a," + "x=" * n + "}",
    "hashes": lambda n: "@article{a,title=" + "a#" * n + "b}",
    "fields": lambda n: "@article{a," + "".join(f"f{at}={{x}}," for at in range(n)) + "}",
    "one key again and again": lambda n: "@a{k,t={x}}\n" * n,
    "one macro again and again": lambda n: "@string{k={x}}\n" * n,
    "authors": lambda n: "@article{a,author={" + "a and " * n + "b}}",
    "spaces between authors": lambda n: "@article{a,author={" + f"a{' ' * n}" * 20 + "and}}",
}
RIS: dict[str, Callable[[int], str]] = {
    "lines of a title": lambda n: "TY  - JOUR\nTI  - x\n" + "y\n" * n + "ER  - \n",
    "lines of an author": lambda n: "TY  - JOUR\nAU  - x\n" + "y\n" * n + "ER  - \n",
    "lines of nothing": lambda n: "TY  - JOUR\n" + "y\n" * n,
    "lines after an end": lambda n: "TY  - JOUR\nTI  - x\nER  - \n" + "y\n" * n,
    "authors": lambda n: "TY  - JOUR\n" + "AU  - x\n" * n,
    "entries without an end": lambda n: "TY  - JOUR\nTI  - x\n" * n,
    "spaces in a name": lambda n: "TY  - JOUR\nAU  - a" + " " * n + "b\n",
}
READERS = [("bib", name, make) for name, make in BIBTEX.items()]
READERS += [("ris", name, make) for name, make in RIS.items()]


def _steps(call: Callable[[], Any]) -> int:
    """Lines of Python that a call runs."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def _peak(call: Callable[[], Any]) -> int:
    """Bytes that a call holds at most."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("form", "name", "make"), READERS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_twice_the_file_takes_at_most_twice_the_steps(
    form: str, name: str, make: Callable[[int], str]
) -> None:
    read(form, make(10))  # what is loaded at the first use is not counted
    once, twice = (_steps(lambda n=n: read(form, make(n))) for n in (300, 600))
    assert twice <= 2.3 * once


@pytest.mark.parametrize(
    ("form", "name", "make"), READERS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_large_hostile_file_comes_to_an_end(form: str, name: str, make: Callable[[int], str]) -> None:
    try:
        read(form, make(100_000))
    except TooLargeError as error:
        assert "over" in str(error)


@pytest.mark.parametrize(
    "macros",
    [
        '@string{m="' + "x" * 20_000 + '"}\n@article{k,title=' + "#".join("m" * 50_000) + "}",
        '@string{m="' + "x" * 20_000 + '"}\n' + "@article{k,title=m#m}\n" * 5_000,
        '@string{m="' + "x" * 20_000 + '"}\n' + "".join(f"@string{{m{n}=m#m}}\n" for n in range(5_000)),
        '@string{m0="xxxxxxxxxx"}\n'
        + "".join(f"@string{{m{n + 1}=m{n}#m{n}}}\n" for n in range(60))
        + "@article{k,title=m60}",
    ],
    ids=["one field", "many entries", "many macros", "doubled sixty times"],
)
def test_macros_do_not_fill_the_memory(macros: str) -> None:
    def read_macros() -> None:
        try:
            assert all(len(item.get("title", "")) <= LONGEST for item in read("bib", macros))
        except TooLargeError as error:
            assert "macros expand to over" in str(error)

    read("bib", "@a{k}")
    assert _peak(read_macros) < 60_000_000


def test_more_latex_than_can_be_read_in_a_moment_is_refused() -> None:
    title = "@a{k,title={" + "\\o" + "x" * 4000 + "}}\n"
    assert len(read("bib", title * 5)) == 5
    with pytest.raises(TooLargeError, match="commands of LaTeX"):
        read("bib", title * 500)


def test_what_is_counted_is_refused_by_its_name_before_anything_is_made_of_it(tmp_path: Path) -> None:
    for name, text, told in (
        ("a.bib", "@a{k}\n" * (MOST_ITEMS + 1), "entries"),
        ("b.bib", "@a{k," + "f=1," * (MOST_FIELDS + 1) + "}", "fields"),
        ("c.ris", "TY  - JOUR\nER  - \n" * (MOST_ITEMS + 1), "entries"),
        ("d.json", "[" + "{}," * MOST_VALUES + "{}]", "values"),
    ):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(TooLargeError, match=rf"{name}: over .* {told}"):
            read_reference_file(path)
        assert _peak(lambda path=path: _refused(path)) < 2 * len(text) + 1_500_000


def _refused(path: Path) -> None:
    with pytest.raises(TooLargeError):
        read_reference_file(path)


def test_a_csl_json_file_of_too_many_items_is_refused() -> None:
    with pytest.raises(TooLargeError, match="over 50,000 entries"):
        read("json", "[" + "{}," * MOST_ITEMS + "{}]")


def test_values_and_lists_are_cut() -> None:
    long = "x" * (2 * LONGEST_VALUE)
    names = " and ".join(f"Family{n}, G." for n in range(2 * MOST_NAMES))
    [entry] = read("bib", f"@article{{k, title={{{long}}}, author={{{names}}}}}")
    assert (len(entry["title"]), len(entry["author"])) == (LONGEST, MOST_NAMES)
    authors = "".join(f"AU  - Family{n}, G.\n" for n in range(2 * MOST_NAMES))
    [entry] = read("ris", f"TY  - JOUR\nTI  - {long}\n{authors}ER  - \n")
    assert (len(entry["title"]), len(entry["author"])) == (LONGEST - len("TI  - "), MOST_NAMES)
    [entry] = read_csl({"title": long, "volume": 10**4000, "author": [{}, {"literal": 7}]})
    assert (len(entry["title"]), entry.get("volume"), entry["author"]) == (LONGEST, None, [{"literal": "7"}])


@pytest.mark.parametrize(
    "metadata",
    [
        {"author": "a" + " " * 3_000_000 + "b"},
        {"author": [("a" + " " * 300_000) * 20]},
        {"author": "and " * 500_000},
        {"title": "<i " * 1_000_000, "doi": "10.1000/" * 300_000, "date": "1 " * 1_000_000},
        {"arxiv": "0706.0001" * 300_000, "url": "http://" * 500_000},
    ],
    ids=["spaces", "spaces in a list", "and", "fields", "identifiers"],
)
def test_a_hostile_description_of_a_source_comes_to_an_end(metadata: dict[str, Any]) -> None:
    for text in ("Text.", "---\n" + "a: b\n" * 500_000, "---" + " " * 3_000_000, "doi: " * 500_000):
        item = item_of(Source("a.md", text, kind="markdown", metadata=metadata))
        assert all(len(value) <= LONGEST for value in item.values() if isinstance(value, str))


def test_entries_that_cannot_be_read_are_told_and_the_others_are_read() -> None:
    told: list[str] = []
    items = read("bib", "@book{a, title={A}}\n@book{b, title={\n@book{c, title={C}}\n", told.append)
    assert [item["id"] for item in items] == ["a", "c"]
    assert [one.rpartition(": ")[2] for one in told] == ["broken BibTeX was skipped, in line 2"]


def test_a_pipe_a_device_and_a_folder_are_told_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bib")
    (tmp_path / "zero.bib").symlink_to("/dev/zero")
    (tmp_path / "folder.bib").mkdir()
    for name in ("pipe", "zero", "folder"):
        with pytest.raises(InputError, match=rf"{name}\.bib: .*(not a file|[Ii]s a directory)"):
            read_reference_file(tmp_path / f"{name}.bib")

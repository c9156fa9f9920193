"""Entries in a plain list and in citation styles, under the answer's own numbers."""

# ruff: noqa: E501 - the entries are easier to compare on one line

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bibliography_works import ARTICLE, BARE, BOOK, PAGE, Item

from pincite.answering import STYLES, check_style, write_bibliography
from pincite.errors import InputError

WORKS = [ARTICLE, BOOK, PAGE, BARE]


def _written(*works: Item, style: str | None, form: str = "text") -> str:
    return write_bibliography(list(enumerate(works, 1)), style, form)


def test_a_plain_list_says_all_that_is_known_and_nothing_else() -> None:
    assert _written(*WORKS, style=None).splitlines() == [
        "[1] John Jumper, Richard Evans, Alexander Pritzel. Highly accurate protein structure prediction with "
        "AlphaFold. Nature, 596(7873), 583-589. 2021-07-15. https://doi.org/10.1038/s41586-021-03819-2",
        "[2] Brian W. Kernighan, Dennis M. Ritchie. The C programming language. Prentice Hall. 1988.",
        "[3] City Works. Water prices 2024. 2024-03-01. https://example.org/water",
        "[4] Tariff of the city.",
    ]


@pytest.mark.parametrize(
    ("style", "printed"),
    [
        ("apa-7", "[2] Kernighan, B. W., & Ritchie, D. M. (1988). The C programming language (2nd ed.). Prentice Hall."),
        ("ieee", "[2] B. W. Kernighan and D. M. Ritchie, The C programming language, 2nd ed. Englewood Cliffs, NJ: "
         "Prentice Hall, 1988."),
        ("nature", "[2] Kernighan, B. W. & Ritchie, D. M. The C Programming Language. (Prentice Hall, Englewood Cliffs, "
         "NJ, 1988)."),
    ],
)  # fmt: skip
def test_a_style_is_printed_by_citeproc(style: str, printed: str) -> None:
    assert _written(*WORKS, style=style).splitlines()[1] == printed


@pytest.mark.parametrize("style", STYLES)
def test_an_entry_does_not_depend_on_the_entries_before_it(style: str) -> None:
    alone = [_written(work, style=style).partition(" ")[2] for work in WORKS]
    together = [line.partition(" ")[2] for line in _written(*WORKS, *WORKS, style=style).splitlines(True)]
    assert together == alone * 2


@pytest.mark.parametrize("style", [None, *STYLES])
def test_numbers_are_those_of_the_text_not_the_position(style: str | None) -> None:
    written = write_bibliography([(3, BOOK), (7, BARE)], style)
    assert [line.split()[0] for line in written.splitlines()] == ["[3]", "[7]"]


def test_html_and_markdown_set_titles_in_italics() -> None:
    assert "<i>The C programming language</i> (2nd ed.)" in _written(BOOK, style="apa-7", form="html")
    assert "*The C programming language* (2nd ed.)" in _written(BOOK, style="apa-7", form="markdown")
    assert "<b>596</b>" in _written(ARTICLE, style="nature", form="html")


OWN = """<style xmlns="http://purl.org/net/xbiblio/csl" class="note" version="1.0">
<info><title>Own</title><id>own</id></info>{macros}
<citation><layout><text variable="title"/></layout></citation>
<bibliography><layout suffix="!"><text macro="a"/></layout></bibliography></style>"""


def test_any_csl_file_is_a_style(tmp_path: Path) -> None:
    path = tmp_path / "own.csl"
    path.write_text(OWN.format(macros='<macro name="a"><text variable="title"/></macro>'))
    assert _written(BOOK, style=str(path)) == "[1] The C programming language!\n"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<a/>",
        "no XML",
        '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        "<!---->" + "x" * 2_000_000,
        OWN.format(macros=""),
        OWN.format(macros='<macro name="a"><text macro="a"/></macro>'),
        OWN.format(
            macros='<macro name="a"><text macro="m0"/></macro>'
            + "".join(
                f'<macro name="m{n}"><text macro="m{n + 1}"/><text macro="m{n + 1}"/></macro>'
                for n in range(60)
            )
        ),
    ],
    ids=["empty", "other XML", "no XML", "entities", "large", "no macro", "endless", "doubled sixty times"],
)
def test_a_file_that_is_no_style_or_never_ends_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "own.csl"
    path.write_text(content)
    with pytest.raises(InputError, match=r"own\.csl"):
        _written(BOOK, style=str(path))


@pytest.mark.parametrize("name", ["vancover", "../apa", "/etc/passwd", "", "apa\x00", "x.csl", "x" * 5000])
def test_a_style_that_does_not_exist_is_told(name: str) -> None:
    with pytest.raises(InputError, match="there is no style"):
        check_style(name)


def test_a_misspelt_style_or_format_is_told_with_the_right_one() -> None:
    with pytest.raises(InputError, match="did you mean vancouver"):
        _written(BOOK, style="vancover")
    with pytest.raises(InputError, match="did you mean markdown"):
        _written(BOOK, style="apa-7", form="markdwon")


def test_without_the_extra_the_plain_list_is_written_and_the_rest_names_it() -> None:
    code = """
import sys
from pathlib import Path
for name in ("bibtexparser", "citeproc", "pylatexenc", "rispy"):
    sys.modules[name] = None
from pincite.answering import check_style, write_bibliography
from pincite.errors import MissingExtraError
works = [(1, {"id": "a", "type": "book", "title": "T"})]
print(write_bibliography(works), write_bibliography(works, form="csl-json"))
for call in (lambda: check_style("ieee"), lambda: write_bibliography(works, "ieee"),
             lambda: write_bibliography(works, form="bibtex"), lambda: write_bibliography(works, form="ris")):
    try:
        call()
    except MissingExtraError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[1] T.\n")
    assert done.stdout.count("pip install 'pincite[bibliography]'") == 4

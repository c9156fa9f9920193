"""`pincite bibliography`: from a saved answer and its sources to a list of references."""

from __future__ import annotations

import json

import pytest
from cli_run import Runner

ANSWER = {
    "text": "Revenue grew [1]. The board met [2].",
    "references": [
        {"number": 1, "document": "report.txt"},
        {"number": 2, "document": "minutes.txt", "title": "Minutes"},
    ],
}
BIB = "@techreport{report, title={Annual report}, author={{Acme}}, year=2024, institution={Acme}}"


@pytest.fixture
def saved(pincite: Runner) -> Runner:
    pincite.write("answer.json", json.dumps(ANSWER))
    pincite.write("refs.bib", BIB)
    return pincite


def test_entries_come_from_the_answer_its_sources_and_files(saved: Runner) -> None:
    done = saved("bibliography", "answer.json", "--sources", "docs", "--metadata", "refs.bib")
    assert (done.code, done.err) == (0, "")
    assert done.out == "[1] Acme. Annual report. Acme. 2024.\n[2] Minutes.\n"


def test_a_bib_file_can_be_formatted_and_converted(saved: Runner) -> None:
    done = saved("bibliography", "refs.bib", "--style", "ieee")
    assert done.out == "[1] Acme, “Annual report”, Acme, 2024.\n"
    items = json.loads(saved("bibliography", "refs.bib", "-f", "csl-json").out)
    assert items[0]["author"] == [{"literal": "Acme"}]
    saved.write("items.json", json.dumps(items))
    assert saved("bibliography", "items.json", "--style", "ieee").out == done.out


def test_an_answer_can_come_from_standard_input_and_the_list_go_to_a_file(saved: Runner) -> None:
    done = saved("bibliography", "-", "-f", "html", "-o", "list.html", stdin=json.dumps(ANSWER).encode())
    assert (done.code, done.out) == (0, "")
    assert '<div class="csl-entry" id="reference-2">' in (saved.folder / "list.html").read_text()


def test_what_is_broken_in_a_file_is_told_and_the_rest_is_listed(saved: Runner) -> None:
    saved.write("refs.bib", f"@book{{open, title={{\n{BIB}")
    done = saved("bibliography", "refs.bib")
    assert (done.code, done.out) == (0, "[1] Acme. Annual report. Acme. 2024.\n")
    assert "refs.bib: broken BibTeX was skipped, in line 1" in done.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing.json",), "cannot read nothing.json"),
        (("docs/report.txt",), "not JSON"),
        (("answer.json", "--style", "appa-7"), "did you mean apa-7"),
        (("answer.json", "--stile", "apa-7"), "did you mean --style"),
        (("answer.json", "--metadata", "docs/report.txt"), "not a file of references"),
        (("answer.json", "--metadata", "nothing.bib"), "cannot read nothing.bib"),
        (("answer.json", "--resolver", "https://example.org"), "goes with --online"),
        (("answer.json", "--online", "--resolver", "http://example.org"), "https://"),
    ],
)
def test_a_mistake_is_told_and_exits_2(saved: Runner, arguments: tuple[str, ...], told: str) -> None:
    done = saved("bibliography", *arguments)
    assert done.code == 2
    assert told in done.err
    assert done.out == ""


def test_an_answer_that_cites_nothing_gives_an_empty_list_and_a_warning(saved: Runner) -> None:
    saved.write("empty.json", '{"references": []}')
    done = saved("bibliography", "empty.json")
    assert (done.code, done.out) == (0, "")
    assert "cites nothing" in done.err

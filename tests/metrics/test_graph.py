"""The citation graph of many answers."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from pincite.metrics import citation_graph
from pincite.records import ItemResult


def item(query_id: str, *cited: str, position: int = 0) -> ItemResult:
    return ItemResult(key=query_id, position=position, query_id=query_id, cited_documents=cited)


GRAPH = citation_graph(
    [item("q1", "a.txt", "b.txt"), item("q2", "a.txt", "a.txt", "b.txt"), item("q3", "z.txt"), item("q4")],
    ["a.txt", "b.txt", "c.txt"],
)


def test_it_tells_which_answers_cite_a_source() -> None:
    assert (GRAPH.answers, GRAPH.citing) == (4, 3)
    assert [(one.document, one.answers, one.known) for one in GRAPH.sources] == [
        ("a.txt", ("q1", "q2"), True),
        ("b.txt", ("q1", "q2"), True),
        ("z.txt", ("q3",), False),
    ]


def test_a_query_without_an_answer_is_none_of_the_answers() -> None:
    failed = ItemResult(key="q2", position=1, query_id="q2", failure="timed out")
    graph = citation_graph([item("q1", "a.txt"), failed])
    assert (graph.answers, graph.citing, graph.unanswered) == (1, 1, 1)
    assert graph.to_text().splitlines()[:2] == ["1 of 1 answers cite 1 document", "1 query got no answer"]
    assert graph.to_json()["unanswered_queries"] == 1


def test_it_counts_the_answers_that_cite_two_together() -> None:
    assert [(one.first, one.second, one.answers) for one in GRAPH.together] == [("a.txt", "b.txt", 2)]


def test_it_names_the_sources_that_are_never_used() -> None:
    assert GRAPH.never_used == ("c.txt",)


def test_it_is_written_as_json() -> None:
    assert json.loads(json.dumps(GRAPH.to_json())) == {
        "answers": 4,
        "citing_answers": 3,
        "sources": [
            {"document": "a.txt", "cited_by": ["q1", "q2"], "in_dataset": True},
            {"document": "b.txt", "cited_by": ["q1", "q2"], "in_dataset": True},
            {"document": "z.txt", "cited_by": ["q3"], "in_dataset": False},
        ],
        "co_citations": [{"documents": ["a.txt", "b.txt"], "answers": 2}],
        "never_used": ["c.txt"],
        "shortened_answers": 0,
        "unanswered_queries": 0,
    }


def test_it_is_written_as_text() -> None:
    assert GRAPH.to_text().splitlines() == [
        "3 of 4 answers cite 3 documents",
        "     2  a.txt",
        "     2  b.txt",
        "     1  z.txt  (not in the dataset)",
        "cited together:",
        "     2  a.txt + b.txt",
        "never used: 1 document",
        "        c.txt",
    ]
    assert "… and 2 more" in GRAPH.to_text(most=1)


def test_it_is_written_for_graphviz() -> None:
    lines = GRAPH.to_dot().splitlines()
    assert lines[0] == "graph citations {"
    assert '  "a.txt" -- "b.txt" [label=2, weight=2];' in lines
    assert '  "c.txt" [style=dashed];' in lines
    assert lines[-1] == "}"


def test_no_name_can_write_its_own_lines_or_steer_a_terminal() -> None:
    hostile = 'a"];\n  evil -- b [label="\x1b[31m'
    graph = citation_graph([item("q", hostile, "b")], [hostile + "\r"])
    for written in (graph.to_dot(), graph.to_text()):
        assert "\x1b" not in written and "\r" not in written
        assert not any(line.strip().startswith("evil") for line in written.splitlines())
    assert graph.to_dot().count("\n") == 7


def test_an_answer_that_cites_very_many_is_paired_in_part_and_said() -> None:
    graph = citation_graph([item("q", *(f"d{number:04}" for number in range(5000)))])
    assert len(graph.sources) == 5000
    assert len(graph.together) == 50 * 49 // 2
    assert graph.shortened == 1
    assert "the first 50 are paired" in graph.to_text()


def test_without_the_datasets_documents_nothing_is_said_about_them() -> None:
    graph = citation_graph([item("q1", "a.txt")])
    assert graph.never_used is None and graph.sources[0].known is None
    assert graph.to_text() == "1 of 1 answers cite 1 document\n     1  a.txt\n"
    assert graph.to_json()["never_used"] is None


def test_nothing_gives_an_empty_graph() -> None:
    graph = citation_graph([], [])
    assert (graph.answers, graph.citing) == (0, 0)
    assert graph.sources == graph.together == graph.never_used == ()
    assert citation_graph([]).to_text() == "0 of 0 answers cite 0 documents\n"


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=8),
    st.sets(st.sampled_from("abcdefgh")),
)
def test_the_counts_are_those_of_brute_force(cited: list[list[str]], documents: set[str]) -> None:
    graph = citation_graph((item(str(n), *names) for n, names in enumerate(cited)), sorted(documents))
    by_document = {d: tuple(str(n) for n, names in enumerate(cited) if d in names) for d in "abcdef"}
    assert {one.document: one.answers for one in graph.sources} == {d: a for d, a in by_document.items() if a}
    pairs: Counter[tuple[str, str]] = Counter()
    for names in cited:
        pairs.update(combinations(sorted(set(names)), 2))
    assert {(one.first, one.second): one.answers for one in graph.together} == pairs
    assert set(graph.never_used) == documents - {d for d, a in by_document.items() if a}

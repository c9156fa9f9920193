"""Inputs that once took minutes, at sizes at which they would take hours if the work were not linear.

Nothing here is timed: what is not linear runs into the guard against hangs.
"""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

import pincite
from pincite import InputError
from pincite.answering import BlockReader, UnreadReply, read_draft
from pincite.cli import main
from pincite.config import Settings, read_setting, shown_value
from pincite.datasets import Marked, import_dataset
from pincite.metrics import CitationFidelity
from pincite.records import DatasetItem
from pincite.text import find_terms, split_sentences

LONG = 500_000
pytestmark = pytest.mark.timeout(600)


def test_a_value_of_a_digit_and_spaces_is_looked_for_in_linear_time() -> None:
    item = DatasetItem(actual_output="It is 1 [a.b].", expected_output={"a": {"b": "1" + " " * 9_000 + "x"}})
    result = asyncio.run(CitationFidelity(check_values=True).execute(item, judge="rules"))
    assert result.denominator == 1


@pytest.mark.parametrize("body", [" \n", "\n", " ", "``` \n", "\n```", "{"])
def test_a_reply_of_an_open_fence_is_refused_in_linear_time(body: str) -> None:
    with pytest.raises(UnreadReply):
        read_draft("```" + body * (LONG // len(body)) + "x", [1])


def test_a_fenced_reply_is_read_however_much_space_is_in_it() -> None:
    blank = " \n" * 10_000
    draft = read_draft(
        f'```json{blank}{{"sentences": [{{"text": "A.", "citations": [1]}}]}}{blank}```{blank}', [1]
    )
    assert [sentence.text for sentence in draft.sentences] == ["A."]


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text("301 0 d1 1\n")
    return tmp_path


@pytest.mark.parametrize("unit", ["<top ", "<top", "<top>", "<num>", "<top <num> "])
def test_topics_that_never_end_are_refused_in_linear_time(trec: Path, unit: str) -> None:
    (trec / "topics.txt").write_text("<top>\n" + unit * (LONG // len(unit)))
    target = trec / "out_1.0.0.eval.json"
    assert main(["data", "convert", "--from", "trec", str(trec), str(target)]) == 2
    assert not target.exists()


def test_a_topic_without_the_end_of_its_tag_is_read(trec: Path) -> None:
    (trec / "topics.txt").write_text("<top\n<num> Number: 301\n<title> The number of topics\n</top>\n")
    (query,) = import_dataset("trec", trec).queries
    assert query.query_text == "The number of topics"


@pytest.mark.parametrize("unit", ["deepeval_source=", ",deepeval_context=", "deepeval_source=,", "|", "| "])
def test_passages_of_deepeval_are_read_in_linear_time(tmp_path: Path, unit: str) -> None:
    path = tmp_path / "cases.json"
    cell = "deepeval_source=a" + unit * (LONG // len(unit))
    path.write_text(json.dumps([{"input": "Why?", "actual_output": "So.", "context": [cell]}]))
    assert len(import_dataset("deepeval", path).queries) == 1


def test_names_are_split_at_commas_outside_brackets_in_linear_time() -> None:
    assert read_setting("evaluation.metrics", "a(b=1, c=2), d,e(f)), g") == ("a(b=1, c=2)", "d", "e(f))", "g")
    assert read_setting("evaluation.metrics", "," * (LONG // 5)) == ()
    assert len(read_setting("evaluation.metrics", "," * (LONG // 5) + ")")) == 1


def test_secrets_are_taken_out_of_addresses_in_linear_time() -> None:
    assert shown_value("see https://me:key@h.org/a?b=c and ftp://h") == "see https://h.org/… and ftp://h"
    assert shown_value("a" * 1_000 + "://me:key@h") == "a" * 1_000 + "://h"
    assert shown_value("a." * LONG) == "a." * LONG


def test_a_word_without_end_is_not_held_back() -> None:
    marked = Marked(io.BytesIO(b'{"a": NaN, "b": ' + b"7" * 5_000_000))
    held, passed = 0, 0
    while piece := marked.read(1 << 16):
        held, passed = max(held, len(marked._held)), passed + len(piece)
    assert held <= (1 << 20) + (1 << 16)
    assert passed >= 5_000_000


@contextmanager
def characters_given_to(function: Callable[..., object]) -> Iterator[list[int]]:
    """The length of the text in each call of a function, whoever calls it."""
    code: CodeType = function.__code__  # type: ignore[attr-defined]
    lengths: list[int] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is code:
            lengths.append(len(frame.f_locals[code.co_varnames[0]]))

    sys.setprofile(note)
    try:
        yield lengths
    finally:
        sys.setprofile(None)


def test_a_reply_in_many_blocks_is_split_a_few_times_only() -> None:
    reader = BlockReader(())
    with characters_given_to(split_sentences) as split:
        told = [one for _ in range(5_000) for one in reader.add({"type": "text", "text": "and on and on "})]
        told += reader.take(last=True)
    assert "".join(one.text for one in told).count("on") == 10_000
    assert 0 < sum(split) <= 2_000**2 + 4 * 5_000 * 14


def test_the_words_of_a_claim_are_found_once_for_all_of_its_findings() -> None:
    sizes = []
    for count in (100, 200):
        with characters_given_to(find_terms) as read:
            report = pincite.check("[doc1]a" * count, {"a.txt": "It rose."}, settings=Settings(judge="rules"))
        assert len(report.findings) == count
        sizes.append(sum(read))
    assert 0 < sizes[1] <= 2.3 * sizes[0]


def test_what_was_wrong_with_topics_is_said(trec: Path) -> None:
    (trec / "topics.txt").write_text("<top> <title> A")
    with pytest.raises(InputError, match="topic 1 has no <num>"):
        import_dataset("trec", trec)

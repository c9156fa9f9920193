"""What a model or a system in production said: drafts, traces, and the values that an answer states."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from bench.fuzzing import answer_seeds as seeds
from bench.fuzzing.target import Target, text_of, written_files


def read_drafts(data: bytes) -> Any:
    """A model's draft in every way in which one is asked for; no sentence keeps a marker of its own."""
    from pincite.answering import (
        DraftSentence,
        SentenceScanner,
        UnreadReply,
        clean_sentence,
        placed_markers,
        read_draft,
        read_marked,
        read_quoted,
    )

    text = text_of(data)
    told: list[Any] = []
    for plain in (False, True):
        try:
            told.append(read_draft(text, (1, 2), plain))
        except UnreadReply as error:
            assert str(error).strip(), "a reply is refused without a word"
            told.append(str(error))
    told += [read_marked(text), read_quoted(text, seeds.passages())]
    heard: list[DraftSentence] = []
    scanner = SentenceScanner(heard.append)
    for at in range(0, len(text), 7):
        scanner.feed(text[at : at + 7])
    cleaned = clean_sentence(text[:2_000], [seeds.PASSAGE])
    assert not placed_markers(cleaned.text), "a marker is left"
    return told, heard, cleaned


def read_blocks(data: bytes) -> Any:
    """Blocks of a reply with the provider's own citations."""
    from pincite.answering import BackendFailed, BlockReader, blocks_of

    try:
        blocks = blocks_of(text_of(data))
    except BackendFailed as error:
        assert str(error).strip(), "a failure without a word"
        return str(error)
    reader = BlockReader(seeds.passages())
    sentences = [sentence for block in blocks for sentence in reader.add(block)]
    sentences += reader.take(last=True)
    return reader.draft(sentences)


def read_traces(data: bytes) -> Any:
    """Files of traces: what was asked and answered, each under an id that can be had again."""
    from pincite.datasets import open_traces
    from pincite.errors import PinciteError

    told: list[Any] = []
    for path in written_files(data).values():
        try:
            traces = open_traces(path)
        except PinciteError as error:
            assert str(error).strip()
            told.append(str(error))
            continue
        queries = traces.dataset().queries
        for asked in (None, queries):  # by their own ids, and by those of a dataset, which may be the same
            with traces.answers(asked) as answers:
                read = [answers.get(query.query_id) for query in queries]
                assert None not in read or answers.problems, "an answer that is listed cannot be had"
                told.append((read, traces.places(asked), [str(problem) for problem in answers.problems]))
    return told


def state_values(data: bytes) -> Any:
    """The values of an object that an answer cites by their paths: a share from 0 to 1."""
    from pincite.metrics import CitationFidelity
    from pincite.records import DatasetItem

    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        given = {"answer": text_of(data)}
    given = given if isinstance(given, dict) else {"answer": "It is so [a].", "data": given}
    said = given.get("answer")
    item = DatasetItem(
        actual_output=said if isinstance(said, str) else None, expected_output=given.get("data")
    )
    result = asyncio.run(CitationFidelity(check_values=True).execute(item, judge="rules"))
    assert result.score is None or 0.0 <= result.score <= 1.0, f"a score of {result.score}"
    return result


TARGETS = [
    Target("drafts", read_drafts, seeds.drafts, "reply", weight=40),
    Target("blocks", read_blocks, seeds.blocks, "json", weight=40),
    Target("traces", read_traces, seeds.traces, "files", weight=40),
    Target("values", state_values, seeds.values, "json", weight=40),
]

"""Answers, sources and the payloads of APIs: parsing, checking and every reader."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from bench.fuzzing import seeds
from bench.fuzzing.mutate import unpack
from bench.fuzzing.target import Target, text_of

SHORT = 8 * 1024
"""Bytes of a text that is read by rules, which cost far more a byte than a parser."""
KINDS = ("txt", "md", "html", "json", "jsonl", "csv", "docx", "pdf")
_READER_WEIGHTS = {"txt": 50, "md": 40, "html": 50, "json": 40, "jsonl": 30, "csv": 30, "docx": 15, "pdf": 10}


def parse_text(data: bytes) -> Any:
    """Every marker stands where it says, renders back, and claims and quotes lie inside the text."""
    import pincite
    from pincite.citations import find_quotes
    from pincite.text import split_claims

    text = text_of(data)
    parsed = pincite.parse(text)
    for citation in parsed.citations:
        assert text[citation.start : citation.end] == citation.text, "a citation's text is not at its place"
        assert pincite.render(citation) == citation.text, f"rendered as {pincite.render(citation)!r}"
    for bad in parsed.malformed:
        assert text[bad.start : bad.end] == bad.text, "a malformed marker's text is not at its place"
    markers = [citation.span for citation in parsed.citations]
    claims = split_claims(text, markers)
    for claim in claims:
        assert 0 <= claim.start <= claim.end <= len(text), "a claim reaches beyond the text"
    for quote in find_quotes(text, markers=markers):
        assert 0 <= quote.start <= quote.end <= len(text), "a quote reaches beyond the text"
    return parsed, claims


def read_small_things(data: bytes) -> Any:
    """Numbers, dates, paths, sentences, metric names and languages."""
    from pincite.errors import PinciteError
    from pincite.metrics import parse_metric
    from pincite.sources import parse_path
    from pincite.text import find_language, find_quantities, find_terms, normalise, split_sentences

    text = text_of(data)
    quantities = find_quantities(text)
    for quantity in quantities:
        assert 0 <= quantity.start <= quantity.end <= len(text), "a number reaches beyond the text"
    cleaned = normalise(text, fold_case=True)
    span = cleaned.to_original(0, len(cleaned.text))
    assert 0 <= span.start <= span.end <= len(text), "the normal form leads beyond the text"
    for sentence in split_sentences(text):
        assert 0 <= sentence.start <= sentence.end <= len(text), "a sentence reaches beyond the text"
    try:
        metric = str(parse_metric(text[:200]))
    except PinciteError:
        metric = ""
    return parse_path(text), quantities, find_terms(text), find_language(text), metric


def check_answer(data: bytes) -> Any:
    """A whole check: the report is sound, every format can be read back, and fixing comes to an end."""
    import pincite
    from bench.fuzzing.invariants import assert_sound, assert_writable
    from pincite.config import Settings
    from pincite.findings import fix_answer

    settings = Settings(judge="rules")
    files = unpack(data)
    answer = pincite.Answer(text_of(files.pop("answer.txt", b"")))
    library = pincite.open_sources({name: _given(name, raw) for name, raw in files.items()})

    def check_again(text: str) -> pincite.Report:
        return pincite.check(pincite.Answer(text), library, settings=settings)

    report = pincite.check(answer, library, settings=settings)
    assert_sound(report)
    assert_writable(report)
    if any(finding.fix is not None for finding in report.findings):
        fixed = fix_answer(report, check_again)
        assert fix_answer(check_again(fixed.text), check_again).text == fixed.text, (
            "a second fix changes more"
        )
    return report.findings, report.summary


def judge_pair(data: bytes) -> Any:
    """The default judge: a verdict with a score from 0 to 1, whatever a claim and its evidence hold."""
    from pincite.base import run_sync
    from pincite.records import Pair, Passage

    claim, _, evidence = text_of(data).partition("\n\n")
    pair = Pair(claim[:2_000], (Passage(evidence[:5_000], "a.txt"),))
    (verdict,) = run_sync(_judge().judge([pair]))
    assert verdict.score is None or 0.0 <= verdict.score <= 1.0, f"a score of {verdict.score}"
    return verdict


@functools.cache
def _judge() -> Any:
    from pincite.judges import open_judge

    return open_judge("entailment")


def _given(name: str, raw: bytes) -> Any:
    if name.endswith(".json"):
        try:
            return json.loads(raw)
        except (ValueError, RecursionError):
            pass
    return text_of(raw)


def locate_text(data: bytes) -> Any:
    """What is found stands where it says."""
    import pincite

    wanted, _, source = text_of(data).partition("\n\n")
    library = pincite.open_sources({"a.txt": source, "b.txt": seeds.SOURCE})
    found = pincite.locate(wanted, library)
    for match in found:
        held = library.get(match.document)
        assert held is not None, "a match in a source that was not given"
        assert held.text[match.start : match.end] == match.text, "a match is not at its place"
    return found


def read_payload(data: bytes) -> Any:
    """A provider's response: spans inside the text, the citations written back, and a check of it."""
    import pincite
    from bench.fuzzing.invariants import assert_sound
    from pincite.citations import PROVIDERS, provided_markers, write_citations
    from pincite.config import Settings

    chosen = PROVIDERS[len(data) % len(PROVIDERS)] if len(data) % 10 == 0 else None
    answer = pincite.read_response(text_of(data), chosen)
    for citation in answer.citations or ():
        assert 0 <= citation.start <= citation.end <= len(answer.text), "a citation reaches beyond the text"
    written = write_citations(answer)
    json.dumps(written)
    if len(data) % 8 == 0:
        assert_sound(pincite.check(answer, {"a.txt": seeds.SOURCE}, settings=Settings(judge="rules")))
    return answer.text, written, provided_markers(answer)


@functools.cache
def _keep_pdf_process(open_until_the_end: ExitStack = ExitStack()) -> None:
    """One process for all PDFs, rather than one for each."""
    from pincite.sources import shared_process

    open_until_the_end.enter_context(shared_process())


def read_source(kind: str) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        """What a reader gives has pages and names that fit its text; what it cannot read says why."""
        from pincite.config import Limits
        from pincite.records import Source
        from pincite.sources import read_bytes

        _keep_pdf_process()
        found = read_bytes(data, f"a.{kind}", Limits(source_bytes=1_000_000))
        for one in found:
            if isinstance(one, Source):
                assert isinstance(one.text, str)
            else:
                assert one.reason.strip(), "an unread source without a reason"
        return [(type(one).__name__, one.name, getattr(one, "text", "")) for one in found]

    return read


TARGETS = [
    Target("parse", parse_text, seeds.answers, longest=SHORT, weight=200),
    Target("numbers", read_small_things, seeds.answers, longest=SHORT, weight=120),
    Target("check", check_answer, seeds.checks, "files", SHORT, weight=25),
    Target("judge", judge_pair, seeds.answers, longest=SHORT, weight=6, guided=False),
    Target("locate", locate_text, seeds.answers, longest=SHORT, weight=30),
    Target("payloads", read_payload, seeds.payloads, "json", weight=100),
    *(
        Target(
            kind,
            read_source(kind),
            lambda kind=kind: seeds.source_of(kind),  # type: ignore[misc]
            {"docx": "zip", "txt": "text", "md": "text"}.get(kind, kind),
            weight=_READER_WEIGHTS[kind],
            guided=kind != "pdf",
        )
        for kind in KINDS
    ),
]

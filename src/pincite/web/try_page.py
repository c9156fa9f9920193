"""Try it: an answer and its sources come in a form; the findings, the fixes and the result are shown.

Where a question comes instead of an answer, it is answered from the sources, without a model.

Nothing in a request names a file here: sources are what was pasted or uploaded, under names that are only
labels. What was checked last is kept in memory, so that a result has an address: packed, so that what it
takes is known to the byte, and without indexes, which are made again when they are needed.
"""

from __future__ import annotations

import pickle
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pincite.answering import answer
from pincite.config import Limits, Settings
from pincite.errors import InputError, TooLargeError
from pincite.findings import apply_fixes, check
from pincite.records import Answer, Finding, Report, Source, UnreadSource
from pincite.reports import Presentation, answer_values
from pincite.reports import write as write_report
from pincite.sources import Library, open_sources, unique_names
from pincite.web import query_params
from pincite.web.pages import csv_file, download, html_file, render
from pincite.web.site import Section, Turns, WebRoute

MOST_BYTES = 10 * 1024 * 1024
MOST_SOURCES = 50
MOST_ANSWER = 1_000_000
"""Characters of an answer."""
MOST_TEXT = 10_000_000
"""Characters of all sources together, once they are unpacked."""
KEPT_BYTES = 100 * 1024 * 1024
"""What all kept results may take together; the oldest go first."""
AT_ONCE = 2
"""Checks at a time: the others wait, and pages are served meanwhile."""
MOST_PLACES = 64
"""Checks that are done or wait."""
MOST_WAITING_BYTES = 100 * 1024 * 1024
"""What their bodies may take together."""
LIMITS = Limits(answer_bytes=MOST_BYTES, source_bytes=MOST_BYTES, reader_mb=256, reader_seconds=10.0)
EXAMPLE = (
    "Water costs 2.40 euros a cubic metre [tariff.md]. The basic charge is 6.15 euros a month [tariff.md]. "
    "The waterworks of the town opened in 1901 [history.md].",
    {
        "tariff.md": "A cubic metre of water costs 2.04 euros. The basic charge is 6.15 euros a month.",
        "history.md": "The waterworks of the town opened in 1911. Before, people drew water from wells.",
    },
)

GivenSources = Iterable[tuple[str, str | bytes]]
"""Texts that were pasted and files that were uploaded, by name."""


class Attempt(Struct, frozen=True):
    """One thing that was tried, and what came of it."""

    report: Report
    library: Library
    pasted: tuple[tuple[str, str], ...]
    """Name and text of the sources that were pasted, for the form."""
    fixes: int | None = None
    """How many fixes were applied, where they were asked for."""
    told: tuple[str, ...] = ()
    """Where the answer was made here: how, and what was left out of it."""


class TryPage:
    """The page, and what was tried last."""

    def __init__(self, settings: Settings) -> None:
        self._settings = replace(settings, limits=LIMITS)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self.turns = Turns(AT_ONCE, MOST_PLACES, MOST_WAITING_BYTES)
        """Reading, checking and fixing."""
        self._showing = Turns(AT_ONCE, MOST_PLACES, MOST_WAITING_BYTES)

    def section(self) -> Section:
        return Section(
            (
                WebRoute("/try", self.begin),
                WebRoute("/try", self.take, ("POST",), MOST_BYTES, self.turns),
                WebRoute("/try/{attempt}", self.show, turns=self._showing),
                WebRoute("/try/{attempt}/fix", self.fix, ("POST",), turns=self.turns),
            ),
            "Try it",
            "/try",
        )

    # --- checking ----------------------------------------------------------------------------------

    def check(self, answer: str, sources: GivenSources, query: str | None = None) -> Attempt:
        """Check an answer against sources by name."""
        if not answer.strip():
            raise InputError("There is no answer to check: paste one, or choose a file.")
        if len(answer) > MOST_ANSWER:
            raise TooLargeError(
                f"An answer has at most {MOST_ANSWER:,} characters here, not {len(answer):,}."
            )
        given = _bounded(sources)
        library = read_sources(given)
        return self._attempt(Answer(answer, "answer", query or None), library, given)

    def answer(self, question: str, sources: GivenSources) -> Attempt:
        """Answer a question from sources by name, and check the answer like any other.

        Places are cited by their characters, so that the text can be changed and checked again.
        """
        if not question.strip():
            raise InputError("There is no question to answer: write one.")
        given = _bounded(sources)
        library = read_sources(given)
        if not library.sources:
            raise InputError("There is no source to answer from: paste one, or choose a file.")
        made = answer(question, library, settings=self._settings, cite="spans")
        told = ["Quoted from the sources, without a model." if made.citations else made.reason]
        told += [f"Left out: {one.text[:200]} ({one.reason})" for one in made.dropped[:20]]
        return self._attempt(Answer(made.text, "answer", question), library, given, tuple(told))

    def _attempt(
        self, answer: Answer, library: Library, given: GivenSources, told: tuple[str, ...] = ()
    ) -> Attempt:
        pasted = tuple((name, text) for name, text in given if isinstance(text, str))
        return Attempt(self._checked(answer, library), library, pasted, told=told)

    def with_fixes(self, attempt: Attempt, chosen: Iterable[int]) -> Attempt:
        """The answer with the fixes of these findings, by their number, checked again."""
        report = attempt.report
        wanted = [
            one for number, one in enumerate(report.findings) if number in set(chosen) and one.fix is not None
        ]
        # Whoever chooses a suggestion takes it for safe.
        taken = [replace(one, fix=replace(one.fix, safe=True)) for one in wanted if one.fix is not None]
        text = apply_fixes(report.answer.text, taken)
        after = self._checked(replace(report.answer, text=text), attempt.library)
        return replace(attempt, report=after, fixes=len(taken), told=())

    def _checked(self, answer: Answer, library: Library) -> Report:
        return check(answer, library, settings=self._settings)

    def keep(self, attempt: Attempt) -> str:
        """The name by which an attempt is found again, until newer ones need its room."""
        packed = pickle.dumps(attempt, pickle.HIGHEST_PROTOCOL)
        if len(packed) > KEPT_BYTES:
            raise TooLargeError("There is too much in this answer and its sources to show them here.")
        name = secrets.token_urlsafe(16)
        with self._lock:
            self._kept[name] = packed
            while sum(map(len, self._kept.values())) > KEPT_BYTES:
                self._kept.popitem(last=False)
        return name

    def find(self, name: str) -> Attempt:
        with self._lock:
            packed = self._kept.get(name)
        if packed is None:
            raise HTTPException(404, "This result is no longer kept. Check the answer again.")
        found: Attempt = pickle.loads(packed)  # noqa: S301 - packed by ourselves, and never elsewhere
        return found

    # --- pages -------------------------------------------------------------------------------------

    def begin(self, request: Request) -> Response:
        answer, sources = EXAMPLE if query_params.text(request, "example") else ("", {})
        return self._render(request, answer, tuple(sources.items()), None)

    async def take(self, request: Request) -> Response:
        form = await request.form(max_files=MOST_SOURCES + 1, max_part_size=MOST_BYTES)
        given, sources, query = await read_form(form)

        def attempt() -> str:
            if _text(form, "do") == "answer":
                return self.keep(self.answer(query, sources))
            return self.keep(self.check(given, sources, query))

        return RedirectResponse(f"/try/{await self.turns.run(request, attempt)}", 303)

    async def fix(self, request: Request) -> Response:
        form = await request.form()
        chosen = [
            int(one[:6])
            for one in form.getlist("fix")
            if isinstance(one, str) and one.isascii() and one[:6].isdecimal()
        ]
        name = str(request.path_params["attempt"])

        def fixed() -> str:
            return self.keep(self.with_fixes(self.find(name), chosen))

        return RedirectResponse(f"/try/{await self.turns.run(request, fixed)}", 303)

    def show(self, request: Request) -> Response:
        attempt, form = self.find(str(request.path_params["attempt"])), query_params.wanted_format(request)
        report = attempt.report
        if form == "html":
            return html_file("answer", write_report([report], "html", library=attempt.library))
        if form == "json":
            return download(write_report([report], "json"), "answer.json", "application/json")
        if form == "csv":
            header = ("code", "severity", "line", "column", "message")
            return csv_file(
                "answer", header, [[getattr(one, name) for name in header] for one in report.findings]
            )
        return self._render(request, report.answer.text, attempt.pasted, attempt)

    def _render(
        self, request: Request, answer: str, pasted: tuple[tuple[str, str], ...], attempt: Attempt | None
    ) -> Response:
        shown: dict[str, Any] = {"title": "Pincite: try it"}
        if attempt is not None:
            how = Presentation(self._settings, library=attempt.library)
            shown = answer_values([attempt.report], how)
        return render(
            request,
            "try.html" if attempt is None else "try_result.html",
            scripts=("try.js",),
            **shown,
            answer_text=answer,
            query=(attempt and attempt.report.answer.query) or "",
            pasted=pasted,
            uploaded=[] if attempt is None else _uploaded(attempt),
            attempt=attempt,
            fix_address=f"{request.url.path}/fix",
            fixes=[] if attempt is None else _fixes(attempt.report),
            judge=self._settings.judge,
            megabytes=MOST_BYTES // 1024 // 1024,
            downloads=[] if attempt is None else query_params.downloads(request),
        )


def _bounded(sources: GivenSources) -> list[tuple[str, str | bytes]]:
    given = list(sources)
    if len(given) > MOST_SOURCES:
        raise TooLargeError(f"At most {MOST_SOURCES} sources can be given here, not {len(given)}.")
    return given


def _fixes(report: Report) -> list[tuple[int, Finding, str]]:
    """The findings that have a fix, with their numbers and the words that it changes."""
    text = report.answer.text
    return [
        (number, one, text[one.fix.start : one.fix.end])
        for number, one in enumerate(report.findings)
        if one.fix is not None
    ]


def _uploaded(attempt: Attempt) -> list[str]:
    pasted = {name for name, _ in attempt.pasted}
    return [source.name for source in attempt.library.sources if source.name not in pasted]


def read_sources(given: GivenSources) -> Library:
    """Texts and files by name. Each is read by itself, and none keeps a path that it might name."""
    entries: list[Source | UnreadSource] = []
    characters = 0
    for number, (name, content) in enumerate(given, start=1):
        # By itself a name is only a name; several together could be taken for the fields of one record.
        found = open_sources({plain_name(name) or f"source {number}": content}, LIMITS)
        entries += [replace(one, file_path=None) if isinstance(one, Source) else one for one in found.entries]
        characters += sum(len(one.text) for one in found.sources)
        if characters > MOST_TEXT:
            raise TooLargeError(f"All sources together have at most {MOST_TEXT:,} characters here.")
    return Library(unique_names(entries))


def plain_name(name: str) -> str:
    """The last part of what a browser says a file is called."""
    return PurePosixPath(name.replace("\\", "/")).name.replace("\0", "")[:120].strip()


async def read_form(form: FormData) -> tuple[str, list[tuple[str, str | bytes]], str]:
    """The answer, the sources and the question of a form; an uploaded answer counts before a pasted one."""
    answer = _text(form, "answer")
    upload = form.get("answer_file")
    if isinstance(upload, UploadFile) and upload.filename:
        answer = (await upload.read()).decode("utf-8", "replace")
    names, contents = form.getlist("source_name"), form.getlist("source_text")
    sources: list[tuple[str, str | bytes]] = [
        (str(name), str(content).replace("\r\n", "\n"))
        for name, content in zip(names, contents, strict=False)
        if str(content).strip()
    ]
    for file in form.getlist("source_file"):
        if isinstance(file, UploadFile) and file.filename:
            sources.append((file.filename, await file.read()))
    return answer.replace("\r\n", "\n"), sources, _text(form, "query").strip()[:2000]


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value if isinstance(value, str) else ""

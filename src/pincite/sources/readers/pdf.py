r"""PDF: the text of every page, pages joined by one form feed, read by a process of its own with limits.

A bad file costs one reason and nothing else. Offsets count in the text that pdfium extracts, with two
changes: its line ends become `\n`, and its mark for a word divided at a line's end the hyphen and line end
that a reader sees.

The process is started for the first PDF and reads the others too. It ends with the call that wanted them, and
by itself when this process ends. What it died of is said of the file that it was reading.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pincite.base import OUT_OF_MEMORY, ChildProcess, MessageTooLong, ProcessEnded
from pincite.records import Source
from pincite.sources.readers import pdf_program as program
from pincite.sources.readers.common import (
    Unreadable,
    make_source,
    most_unpacked,
    out_of_memory,
    out_of_time,
    seconds_for,
)

if TYPE_CHECKING:
    from pincite.config import Limits

T = TypeVar("T")

PROGRAM = program.__name__
_READY_SECONDS = 60.0
_PDFIUM = threading.Lock()
"""pdfium is not safe to be used by two threads at once."""

_shared = threading.local()


@contextmanager
def shared_process() -> Iterator[None]:
    """Within it, this thread's PDFs are read by one process, which ends with it. It may be nested."""
    if getattr(_shared, "open", False):
        yield
        return
    _shared.open, _shared.process = True, None
    try:
        yield
    finally:
        process, _shared.open, _shared.process = _shared.process, False, None
        if process is not None:
            process.end()


def read_pdf(raw: bytes, name: str, limits: Limits) -> list[Source]:
    if b"%PDF-" not in raw[:1024]:
        raise Unreadable("not a PDF: it does not begin with %PDF-")
    texts, broken, title, described = read_pages(raw, limits)
    if not any(text.strip() for text in texts):
        if len(broken) == len(texts):
            raise Unreadable("a broken PDF: none of its pages can be read")
        raise Unreadable(
            f"no text on any of its {len(texts)} page(s): it looks scanned; run text recognition (OCR) first"
        )
    starts = tuple(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))
    said = {"unreadable_pages": broken, "described": described}
    more: dict[str, Any] = {"metadata": {field: value for field, value in said.items() if value}}
    return [make_source(name, "\f".join(texts), kind="pdf", title=title, page_starts=starts, **more)]


class PdfText(NamedTuple):
    """What a PDF holds: each page's text, the numbers of the pages that cannot be read, and the title."""

    pages: list[str]
    unreadable: list[int]
    title: str
    described: dict[str, list[str]]
    """What the file says of itself: its author and its subject."""


def read_pages(raw: bytes, limits: Limits) -> PdfText:
    """The text of a PDF. One that cannot be read within its limits is `Unreadable`, with the reason."""
    return ask(raw, b"", limits, _collect)


def ask(
    raw: bytes, order: bytes, limits: Limits, collect: Callable[[Iterable[tuple[bytes, str]], int], T]
) -> T:
    """What `collect` makes of the frames about a file, which may have so many characters altogether."""
    seconds = seconds_for(len(raw), limits)
    most = min(limits.source_bytes, most_unpacked(len(raw)))
    with shared_process():
        while process := _running_process():
            is_first = process.asked == 0
            try:
                memory = limits.reader_mb * 1024 * 1024
                with closing(process.ask(raw, order, memory, seconds, most)) as frames:
                    return collect(frames, most)
            except program.PdfRefused as problem:
                raise Unreadable(str(problem)) from None
            except _Died as death:
                _shared.process = None
                # A file is blamed only for what it did alone, not for what earlier ones left behind.
                if is_first or death.timed_out:
                    raise Unreadable(_blame(death, limits.reader_mb, seconds)) from None
            except BaseException:
                _shared.process = None
                process.end()
                raise
    try:
        with _PDFIUM, closing(program.draw(raw, order) if order else program.extract(raw)) as frames:
            return collect(frames, most)
    except program.PdfRefused as problem:
        raise Unreadable(str(problem)) from None


def _collect(frames: Iterable[tuple[bytes, str]], most: int) -> PdfText:
    found = PdfText([], [], "", {})
    total = 0
    fields = iter(program.INFO_FIELDS)
    for kind, text in frames:
        if kind == program.REFUSED:
            raise program.PdfRefused(text)
        if kind == program.DONE:
            return found._replace(title=text)
        if kind == program.INFO:
            if (field := next(fields, None)) and text:
                found.described[field.lower()] = [text]
            continue
        if kind == program.COUNT:
            continue
        found.pages.append(text)
        if kind == program.BROKEN_PAGE:
            found.unreadable.append(len(found.pages))
        total += len(text) + 1
        if total > most:
            raise Unreadable(_too_long(most))
    return found


def _too_long(most: int) -> str:
    return (
        f"its text is longer than {most:,} characters: more than limits.source_bytes allows, "
        f"or far more than a file of its size holds"
    )


_said: set[str] = set()


# --- the process ---------------------------------------------------------------------------------


class _Died(Exception):
    """The process ended in the middle of a file."""

    def __init__(self, code: int, timed_out: bool, place: str) -> None:
        self.code = code
        self.timed_out = timed_out
        self.place = place


class _PdfProcess:
    """A running `pdf_program`."""

    def __init__(self, process: ChildProcess) -> None:
        self._process = process
        self.end = process.end
        self.asked = 0

    def is_ready(self) -> bool:
        """Whether it is what it should be: a Python that could load pdfium."""
        with self._process.deadline(_READY_SECONDS):
            try:
                return self._process.receive(1) == program.READY
            except (ProcessEnded, MessageTooLong):
                return False

    def ask(
        self, raw: bytes, order: bytes, memory: int, seconds: float, most: int
    ) -> Generator[tuple[bytes, str]]:
        """The frames about a file, as they come."""
        self.asked += 1
        count, page = "", 0
        with self._process.deadline(seconds):
            try:
                for message in (program.REQUEST.pack(memory + len(raw), seconds), order, raw):
                    self._process.send(message)
                while True:
                    message = self._process.receive(4 * most + 1)
                    kind, text = message[:1], message[1:].decode("utf-8", "surrogatepass")
                    if kind not in program.KINDS:
                        raise ProcessEnded("what it says makes no sense")
                    yield kind, text
                    if kind in (program.DONE, program.REFUSED):
                        return
                    if kind == program.COUNT:
                        count = f"{int(text):,}"
                    else:
                        page += 1
            except MessageTooLong:
                raise Unreadable(_too_long(most)) from None
            except (ProcessEnded, ValueError):
                code = self._process.end(patience=5)
                place = f" at page {page + 1:,} of {count}" if count else ""
                raise _Died(code, self._process.late, place) from None


def _running_process() -> _PdfProcess | None:
    """This thread's process, or None where none can be started."""
    if _shared.process is None:
        _shared.process = _start()
    process: _PdfProcess | None = _shared.process
    return process


def _start() -> _PdfProcess | None:
    try:
        started = ChildProcess(PROGRAM, reads_untrusted_file=True)
    except OSError as error:
        _say_unlimited(f"a process cannot be started: {error}")
        return None
    process = _PdfProcess(started)
    try:
        if process.is_ready():
            return process
    except BaseException:
        process.end()
        raise
    process.end()
    _say_unlimited("the process that should read them could not be started")
    return None


def _say_unlimited(why: str) -> None:
    if why not in _said:
        import logging

        _said.add(why)
        logging.getLogger("pincite").warning(
            f"PDFs are read in this process, without limits of memory and time: {why}"
        )


def _blame(death: _Died, megabytes: int, seconds: float) -> str:
    """What the file did, by how the process that read it ended."""
    xcpu, abort, kill = (getattr(signal, name, None) for name in ("SIGXCPU", "SIGABRT", "SIGKILL"))
    ended_by = None if death.code >= 0 else -death.code
    if death.timed_out or (ended_by is not None and ended_by == xcpu):
        return out_of_time(seconds, death.place)
    if death.code == OUT_OF_MEMORY or (ended_by is not None and ended_by in (abort, kill)):
        return out_of_memory(megabytes, death.place)
    how = f"signal {ended_by}" if ended_by is not None else f"exit code {death.code}"
    return (
        f"the PDF library crashed on it{death.place} ({how}): the file is broken or malicious; "
        f"save it again with another program, or as text"
    )

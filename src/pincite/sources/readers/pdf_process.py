"""PDF: the text of every page, pages joined by one form feed, read by a process of its own with limits.

A bad file costs one reason and nothing else. Offsets count in the text that pdfium extracts, with two
changes: its line ends become `\\n`, and its mark for a word divided at a line's end the hyphen and line end
that a reader sees.

The process is started for the first PDF and reads the others too. It ends with the call that wanted them, and
by itself when this process ends. What it died of is said of the file that it was reading.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pincite.engine.processes import close_pipes, reader_environment
from pincite.records import Source
from pincite.sources.readers import pdf_pages as pages
from pincite.sources.readers.budget import most_unpacked, out_of_memory, out_of_time, seconds_for
from pincite.sources.readers.common import Unreadable, make_source

if TYPE_CHECKING:
    from subprocess import Popen

    from pincite.config import Limits

T = TypeVar("T")

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
            except pages.PdfRefused as problem:
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
        with _PDFIUM, closing(pages.draw(raw, order) if order else pages.extract(raw)) as frames:
            return collect(frames, most)
    except pages.PdfRefused as problem:
        raise Unreadable(str(problem)) from None


def _collect(frames: Iterable[tuple[bytes, str]], most: int) -> PdfText:
    found = PdfText([], [], "", {})
    total = 0
    fields = iter(pages.INFO_FIELDS)
    for kind, text in frames:
        if kind == pages.REFUSED:
            raise pages.PdfRefused(text)
        if kind == pages.DONE:
            return found._replace(title=text)
        if kind == pages.INFO:
            if (field := next(fields, None)) and text:
                found.described[field.lower()] = [text]
            continue
        if kind == pages.COUNT:
            continue
        found.pages.append(text)
        if kind == pages.BROKEN_PAGE:
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


class _Ended(Exception):
    """Nothing more comes from the process, or nothing that makes sense."""


class _Died(Exception):
    """The process ended in the middle of a file."""

    def __init__(self, code: int, timed_out: bool, place: str) -> None:
        self.code = code
        self.timed_out = timed_out
        self.place = place


class _PdfProcess:
    """A running `pdf_pages`."""

    def __init__(self, process: Popen[bytes]) -> None:
        self._process = process
        self._timed_out = False
        self.asked = 0

    def is_ready(self) -> bool:
        """Whether it is what it should be: a Python that could load pdfium."""
        with self._deadline(_READY_SECONDS):
            try:
                return self._receive(0)[0] == pages.READY
            except (_Ended, OSError, ValueError):
                return False

    def ask(
        self, raw: bytes, order: bytes, memory: int, seconds: float, most: int
    ) -> Generator[tuple[bytes, str]]:
        """The frames about a file, as they come."""
        self.asked += 1
        count, page = "", 0
        with self._deadline(seconds):
            try:
                self._send(raw, order, memory + len(raw), seconds)
                while True:
                    kind, text = self._receive(4 * most)
                    yield kind, text
                    if kind in (pages.DONE, pages.REFUSED):
                        return
                    if kind == pages.COUNT:
                        count = f"{int(text):,}"
                    else:
                        page += 1
            except Unreadable:
                raise
            except (_Ended, OSError, ValueError):
                self.end(patience=5)
                place = f" at page {page + 1:,} of {count}" if count else ""
                raise _Died(self._process.returncode, self._timed_out, place) from None

    def end(self, patience: float = 0) -> None:
        """End the process. One that is ending by itself may have the time to say what of."""
        from subprocess import TimeoutExpired

        try:
            self._process.wait(patience)
        except TimeoutExpired:
            self._process.kill()
            self._process.wait()
        close_pipes(self._process)

    def _send(self, raw: bytes, order: bytes, memory: int, seconds: float) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        pipe.write(pages.REQUEST.pack(len(raw), memory, seconds, len(order)))
        pipe.write(raw)
        pipe.write(order)
        pipe.flush()

    def _receive(self, most: int) -> tuple[bytes, str]:
        pipe = self._process.stdout
        assert pipe is not None
        head = pipe.read(pages.FRAME.size)
        if len(head) < pages.FRAME.size:
            raise _Ended
        kind, size = pages.FRAME.unpack(head)
        if kind not in pages.KINDS:
            raise _Ended
        if size > most:
            raise Unreadable(_too_long(most // 4))
        content = pipe.read(size)
        if len(content) < size:
            raise _Ended
        return kind, content.decode("utf-8", "surrogatepass")

    @contextmanager
    def _deadline(self, seconds: float) -> Iterator[None]:
        """Past it the process is killed, which ends every wait for it."""
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._give_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _give_up(self) -> None:
        self._timed_out = True
        self._process.kill()


def _running_process() -> _PdfProcess | None:
    """This thread's process, or None where none can be started."""
    if _shared.process is None:
        _shared.process = _start()
    process: _PdfProcess | None = _shared.process
    return process


def _start() -> _PdfProcess | None:
    # In a program that was frozen, or that embeds Python, the executable is that program and no Python.
    if not sys.executable or getattr(sys, "frozen", False) or not Path(pages.__file__).is_file():
        _say_unlimited("there is no Python program to start")
        return None
    from subprocess import DEVNULL, PIPE, Popen

    options = ["-P", "-S", *(["-B"] if sys.dont_write_bytecode else [])]
    try:
        started = Popen(  # noqa: S603
            [sys.executable, *options, pages.__file__],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=reader_environment(),
            process_group=0,  # Ctrl-C is for us: we end it
            creationflags=_NO_WINDOW,
        )
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
    _say_unlimited(f"{sys.executable} could not be started as a reader")
    return None


_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0


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
    if death.code == pages.OUT_OF_MEMORY or (ended_by is not None and ended_by in (abort, kill)):
        return out_of_memory(megabytes, death.place)
    how = f"signal {ended_by}" if ended_by is not None else f"exit code {death.code}"
    return (
        f"the PDF library crashed on it{death.place} ({how}): the file is broken or malicious; "
        f"save it again with another program, or as text"
    )

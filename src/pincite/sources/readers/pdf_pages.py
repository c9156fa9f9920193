"""The pages of a PDF as pdfium reads them, and the program that reads them apart from everything else.

pdfium is native code, which a file can make crash, hang or take all memory: `pdf_process` runs this module as
a program with limits. It is started by its path and imports nothing of Pincite, to be ready quickly; what it
writes is not trusted by whoever started it.
"""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

REQUEST = struct.Struct("<QQdQ")
"""What is asked: the size of the file that follows, the bytes of memory for it, the seconds, and the size of
the order after the file, in JSON: which pages to draw. Without one, the text is wanted."""
FRAME = struct.Struct("<cQ")
"""What is answered, piece by piece: a kind, and the size of the UTF-8 text that follows."""
READY, COUNT, PAGE, BROKEN_PAGE = b"+", b"n", b"p", b"x"
PICTURE, INFO, REFUSED, DONE = b"i", b"s", b"r", b"."
KINDS = (READY, COUNT, PAGE, BROKEN_PAGE, PICTURE, INFO, REFUSED, DONE)
INFO_FIELDS = ("Author", "Subject")
"""What a PDF may say of itself beside its title, in the order in which it is sent."""
OUT_OF_MEMORY = 127
"""How the program ends when Python runs out of memory, as it does when the dynamic loader runs out of it.
pdfium aborts."""

_OWN_MEMORY = 256 * 1024 * 1024
"""Address space of the program without any file: Python, pdfium, and what their threads reserve."""
_MOST_PAGES = 200_000
_LONGEST_INFORMATION = 4000
_ENCRYPTED = 4
_UNSUPPORTED_SECURITY = 5


class PdfRefused(Exception):
    """The file cannot be read; the message is a reason for a person."""


def extract(raw: bytes) -> Generator[tuple[bytes, str]]:
    """The number of pages, each page's text or that it cannot be read, and what the file says of itself."""
    import pypdfium2

    with _opened(raw) as document:
        count = len(document)
        yield COUNT, str(count)
        for index in range(count):
            try:
                with page_with_text(document, index) as (_, text):
                    found = tidy(text.get_text_range())
            except (pypdfium2.PdfiumError, ValueError, UnicodeError):
                yield BROKEN_PAGE, ""
            else:
                yield PAGE, found
        for field in INFO_FIELDS:
            yield INFO, _information(document, field)
        yield DONE, _information(document, "Title")


def draw(raw: bytes, order: bytes) -> Generator[tuple[bytes, str]]:
    """A picture of each page that was ordered, or that it cannot be drawn."""
    import json

    import pypdfium2

    drawing = _drawing()
    with _opened(raw) as document:
        for page, spans in json.loads(order):
            try:
                with page_with_text(document, page - 1) as (opened, text):
                    found = drawing.draw_page(opened, text, spans, tidy)
            except (pypdfium2.PdfiumError, ValueError, UnicodeError):
                yield BROKEN_PAGE, ""
            else:
                yield PICTURE, json.dumps({"page": page, **found})
    yield DONE, ""


def _drawing() -> Any:
    """The module that draws. As a program, this one is in no package, and takes it from its own folder."""
    if __package__:
        from pincite.sources.readers import pdf_drawing

        return pdf_drawing
    from importlib.util import module_from_spec, spec_from_file_location

    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pdf_drawing.py")  # noqa: PTH100,PTH118,PTH120
    spec = spec_from_file_location("pdf_drawing", place)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def _opened(raw: bytes) -> Iterator[Any]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError as error:
        raise PdfRefused(_why(error)) from None
    try:
        count = len(document)
        if not 1 <= count <= _MOST_PAGES:
            raise PdfRefused(f"a PDF of {count:,} pages is not read" if count > 0 else "a PDF without pages")
        yield document
    finally:
        document.close()


@contextmanager
def page_with_text(document: Any, index: int) -> Iterator[tuple[Any, Any]]:
    """A page of an open document, and its text page."""
    page = document[index]
    try:
        textpage = page.get_textpage()
        try:
            yield page, textpage
        finally:
            textpage.close()
    finally:
        page.close()


def tidy(text: str) -> str:
    """The text of a page as a source has it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    # pdfium writes U+FFFE (or U+0002) for a hyphen at a line's end, and joins the lines.
    return text.replace("\ufffe", "-\n").replace("\x02", "-\n")


def _information(document: Any, field: str) -> str:
    try:
        said = document.get_metadata_value(field)
    except Exception:  # a courtesy: whatever is wrong with it, the text can be read
        return ""
    return said[:_LONGEST_INFORMATION] if isinstance(said, str) else ""


def _why(error: Any) -> str:
    code = getattr(error, "err_code", None)
    if code == _ENCRYPTED:
        return "an encrypted PDF: it needs a password; save it without one and check again"
    if code == _UNSUPPORTED_SECURITY:
        return "an encrypted PDF with an unknown security scheme; save it without one and check again"
    return f"a broken PDF: {error}"


# --- the program ---------------------------------------------------------------------------------


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer one request after another until there are no more."""
    import threading
    from queue import SimpleQueue

    import pypdfium2  # noqa: F401 - loaded before anybody waits for it, and before there are limits

    files: SimpleQueue[tuple[bytes, bytes]] = SimpleQueue()
    # A thread of its own waits for requests, so that the end of whoever asks ends a file that never would.
    threading.Thread(target=_listen, args=(requests, files), daemon=True).start()
    _send(answers, READY, "")
    while True:
        raw, order = files.get()
        try:
            for kind, text in draw(raw, order) if order else extract(raw):
                _send(answers, kind, text)
        except PdfRefused as problem:
            _send(answers, REFUSED, str(problem))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _listen(requests: BinaryIO, files: Any) -> None:
    while len(head := requests.read(REQUEST.size)) == REQUEST.size:
        size, memory, seconds, ordered = REQUEST.unpack(head)
        try:
            _limit(_OWN_MEMORY + memory, seconds)
            files.put((requests.read(size), requests.read(ordered)))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
    os._exit(0)


def _limit(memory: int, seconds: float) -> None:
    """Limit this process where the platform can: Windows cannot, and macOS ignores the limit of memory."""
    try:
        import resource
    except ImportError:
        return
    used = time.process_time()
    for kind, limit in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(used + seconds) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        most = resource.getrlimit(kind)[1]
        try:
            resource.setrlimit(kind, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
        except (ValueError, OSError):
            pass  # the process that started this one still watches the clock


def _send(answers: BinaryIO, kind: bytes, text: str) -> None:
    content = text.encode("utf-8", "surrogatepass")
    answers.write(FRAME.pack(kind, len(content)))
    answers.write(content)
    answers.flush()


if __name__ == "__main__":
    # Only answers go to the pipe, whatever a library prints.
    _answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, _answers)
    except OSError:
        os._exit(0)  # nobody listens any more

"""Small files that would take all memory or time: each is named with its reason, and the others are read."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pdf_stand_in import stand_in
from test_reader_pdf import make_pdf

import pincite
from bench import _hostile_files as hostile
from pincite.config import Limits
from pincite.records import Source, UnreadSource
from pincite.sources import open_sources, read_bytes, shared_process

GOOD = make_pdf([["Revenue grew by 21%."]])


def refuse(raw: bytes, name: str, limits: Limits | None = None) -> str:
    (entry,) = read_bytes(raw, name, limits or Limits())
    assert isinstance(entry, UnreadSource), entry
    return entry.reason


# --- PDF -----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_a_pdf_that_takes_too_much_memory_is_named_and_the_check_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.pdf").write_bytes(hostile.nested_forms())
    (tmp_path / "good.pdf").write_bytes(GOOD)
    library = open_sources(tmp_path, Limits(reader_mb=1))
    assert [source.name for source in library.sources] == ["good.pdf"]
    (unread,) = library.unread
    assert unread.name == "bad.pdf"
    assert "more than 1 MB of memory at page 1 of 1; raise limits.reader_mb" in unread.reason
    report = pincite.check("Revenue grew by 21% [good.pdf:1:0-20]. It says so [bad.pdf].", library)
    assert [finding.code for finding in report.findings] == ["PIN109"]
    assert capfd.readouterr() == ("", "")


def test_a_pdf_that_takes_too_long_is_named_with_the_page_it_came_to(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(hostile.repeated_page())
    (tmp_path / "b.pdf").write_bytes(GOOD)
    library = open_sources([tmp_path / "a.pdf"], Limits(reader_seconds=0.5))
    (unread,) = library.unread
    assert "stopped after 0.5" in unread.reason and "raise limits.reader_seconds" in unread.reason
    assert "of 2,000" in unread.reason
    assert open_sources([tmp_path / "b.pdf"]).sources


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started since."""
    found: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        found.append(real(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return found


@pytest.mark.parametrize(
    ("on_request", "reason"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed on it (signal 11)"),
        ("os._exit(3)", "crashed on it (exit code 3)"),
        ("parent.send(b'garbage' * 9)", "crashed on it"),
        ("parent._outward.write(b'garbage' * 9); parent._outward.flush()", "longer than"),
        ("parent.send(b'p'); os.abort()", "limits.reader_mb"),
        ("parent._outward.write(b'\\x7f' * 8); parent._outward.flush()", "longer than"),
        ("parent._outward.write(b'\\0' * 7 + b'\\7p'); parent._outward.flush()", "crashed on it"),
        ("[parent.send(b'p' + b'x' * 9_000) for _ in range(1_000)]", "far more than a file"),
        ("parent.send(b'nxx')", "crashed on it"),
        ("parent.send(b'p\\xff')", "crashed on it"),
    ],
    ids=[
        *("segmentation fault", "exit", "no such kind", "garbage", "abort", "endless page", "half a message"),
        *("long text", "no number", "no text"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_whatever_the_reading_process_does_is_a_reason(
    on_request: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve = f"def serve(parent):\n    parent.send(b'+')\n    parent.receive()\n    {on_request}\n"
    stand_in(f"import os, signal\n{serve}", tmp_path, monkeypatch)
    assert reason in refuse(GOOD, "a.pdf")


def test_a_file_is_not_blamed_for_what_an_earlier_one_did_to_the_process(
    started: list[subprocess.Popen[bytes]],
) -> None:
    with shared_process():
        assert read_bytes(GOOD, "a.pdf", Limits())
        started[0].kill()
        (entry,) = read_bytes(GOOD, "b.pdf", Limits())
    assert isinstance(entry, Source)


def test_one_process_reads_all_pdfs_of_a_folder_and_ends_with_the_call(
    tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.pdf").write_bytes(GOOD if number % 2 else b"%PDF-1.7 broken")
    library = open_sources(tmp_path)
    assert (len(library.sources), len(library.unread)) == (2, 3)
    assert [process.returncode is not None for process in started] == [True]


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_the_reading_process_gets_no_secrets(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with shared_process():
        read_bytes(GOOD, "a.pdf", Limits())
        assert b"sk-secret" not in Path(f"/proc/{started[0].pid}/environ").read_bytes()


READ_FOR_EVER = """
import subprocess
from bench import _hostile_files
from pincite.config import Limits
from pincite.sources import read_bytes
real = subprocess.Popen
def start(*arguments, **options):
    process = real(*arguments, **options)
    print(process.pid, flush=True)
    return process
subprocess.Popen = start
read_bytes(_hostile_files.repeated_page(words=200_000), "a.pdf", Limits(reader_seconds=1000))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", ["SIGINT", "SIGKILL"])
def test_the_reading_process_ends_with_the_one_that_started_it(how: str) -> None:
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *filter(None, sys.path)])}
    reading = subprocess.Popen(
        [sys.executable, "-c", READ_FOR_EVER],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert reading.stdout is not None
    with reading, reading.stdout:
        helper = int(reading.stdout.readline())
        time.sleep(0.2)
        reading.send_signal(getattr(signal, how))
        reading.wait(60)
    for _ in range(600):
        if not _is_running(helper):
            return
        time.sleep(0.1)
    os.kill(helper, signal.SIGKILL)
    pytest.fail("the process that reads PDFs is still there")


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # where nobody waits for it, it stays listed as a zombie
    try:
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_without_a_python_to_start_pdfs_are_read_here_and_each_reason_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name, value in (
        ("executable", ""),
        ("frozen", True),
        ("executable", "/bin/false"),
        ("executable", "/no/such/python"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, name, value, raising=False)
            (entry,) = read_bytes(GOOD, "a.pdf", Limits())
            assert isinstance(entry, Source) and "21%" in entry.text
            assert "broken" in refuse(b"%PDF-1.7 broken", "c.pdf")
    messages = [record.message for record in caplog.records if "without limits" in record.message]
    assert len(messages) == len(set(messages)) == 3


def test_threads_read_pdfs_side_by_side() -> None:
    found: list[object] = []

    def read() -> None:
        found.extend(read_bytes(GOOD, "a.pdf", Limits()))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [isinstance(entry, Source) for entry in found] == [True] * 3


# --- DOCX ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_BZIP2, "bzip2"), (zipfile.ZIP_LZMA, "lzma")])
def test_a_docx_packed_by_another_method_is_refused_by_name(method: int, name: str) -> None:
    reason = refuse(hostile.docx("<w:p/>", method), "a.docx")
    assert "word/document.xml" in reason and name in reason


@pytest.mark.parametrize(
    ("field", "size", "reason"),
    [
        (24, 20_000_123, "zip bomb"),
        (24, 0x7FFFFFFF, "zip bomb"),
        (24, 100, "broken"),
        (20, 0x7FFFFFFF, "broken"),
    ],
    ids=["true", "unpacked too large", "unpacked too small", "packed too large"],
)
def test_whatever_sizes_a_docx_states_it_is_counted_as_it_is_unpacked(
    field: int, size: int, reason: str
) -> None:
    raw = bytearray(hostile.docx("<w:p/>" + " " * 20_000_000))
    place = raw.rfind(b"PK\x01\x02") + field
    raw[place : place + 4] = size.to_bytes(4, "little")
    assert reason in refuse(bytes(raw), "a.docx")


def test_the_parts_of_a_docx_are_counted_together() -> None:
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as written:
        for part, root in (("document", "document"), ("footnotes", "footnotes"), ("endnotes", "endnotes")):
            content = f'<w:{root} xmlns:w="{hostile.WORD}">{" " * 3_500_000}</w:{root}>'
            written.writestr(f"word/{part}.xml", content)
    assert "word/endnotes.xml unpacks to far more" in refuse(package.getvalue(), "a.docx")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (hostile.docx("<w:t/>" * 10, namespace="u" * 100_000), "namespace"),
        (hostile.docx("<w:p>" * 200_000), "levels deep"),
        (hostile.docx() + b"PK\x01\x02" * 30_000, "parts"),
    ],
    ids=["long namespace", "deep", "many parts"],
)
def test_a_docx_made_to_take_memory_or_time_is_refused(raw: bytes, reason: str) -> None:
    assert reason in refuse(raw, "a.docx")


def test_a_docx_that_takes_too_long_is_refused() -> None:
    assert "limits.reader_seconds" in refuse(
        hostile.docx("<w:p/>" * 1_000_000), "a.docx", Limits(reader_seconds=1e-9)
    )


# --- the readers in Python -----------------------------------------------------------------------


MANY_VALUES = {
    "a.csv": b",\n" * 200_000,
    "quoted.csv": b'"",' * 200_000,
    "wide.csv": b"," * 200_000,
    "a.json": b"[" + b"1," * 200_000 + b"1]",
    "lists.json": b"[" + b"[]," * 200_000 + b"1]",
    "keys.json": b'{"' + b"k" * 900 + b'":[' + b"1," * 50_000 + b"1]}",
    "documents.json": b"[" + b'{"text":""},' * 50_000 + b"1]",
    "a.jsonl": b"[]\n" * 50_000,
    "bad.jsonl": b"x\n" * 50_000,
    "a.md": b"|a|b|\n|-|-|\n" + b"|" * 400_000,
    "tables.md": b"|\n|-\n" * 200_000,
    "a.html": b"<table>" + b"<tr><td colspan=100>" * 100_000,
    "cells.html": b"<table><tr>" + b"<td>" * 400_000,
    "nested.html": b"<table>" * 200_000,
    "a.docx": hostile.docx("<w:tbl><w:tr>" + "<w:tc/>" * 400_000 + "</w:tr></w:tbl>"),
}


@pytest.mark.parametrize("name", MANY_VALUES)
def test_a_file_of_very_many_values_is_refused_within_the_memory_it_may_take(name: str) -> None:
    (entry,) = read_bytes(MANY_VALUES[name], name, Limits(reader_mb=16))
    assert isinstance(entry, UnreadSource)
    assert (
        entry.reason == "reading it takes more than 16 MB of memory; raise limits.reader_mb to give it more"
    )


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.md"])
def test_a_given_text_has_the_same_budget(name: str) -> None:
    library = open_sources({name: MANY_VALUES[name].decode(), "b.txt": "good"}, Limits(reader_mb=16))
    assert [unread.name for unread in library.unread] == [name]
    assert "limits.reader_mb" in library.unread[0].reason
    data = open_sources({"data": {"a": [1] * 200_000}}, Limits(reader_mb=16))
    assert "limits.reader_mb" in data.unread[0].reason


def test_many_honest_values_are_read() -> None:
    (entry,) = read_bytes(b"a,b,c\n" + b"1,2,3\n" * 20_000, "a.csv", Limits(reader_mb=64))
    assert isinstance(entry, Source) and len(entry.tables[0].rows) == 20_000


# --- declared encodings --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "utf-7", "unicode_escape", "raw_unicode_escape", "rot13", "mbcs", "hex"]
)
def test_a_page_that_declares_an_odd_codec_is_read_as_utf_8(charset: str) -> None:
    (entry,) = read_bytes(hostile.odd_charset(charset), "a.html", Limits())
    assert isinstance(entry, Source)
    assert entry.text.startswith("aaa") and entry.text.endswith("bbb") and len(entry.text) == 800_001


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("ISO-8859-1", "Café"),
        ("iso-8859-2", "Łódź"),
        ("iso-8859-15", "10 €"),
        ("windows-1251", "Москва"),
        ("KOI8-R", "Москва"),
        ("koi8-u", "Київ"),
        ("Shift_JIS", "東京"),
        ("x-sjis", "東京"),
        ("EUC-JP", "東京"),
        ("iso-2022-jp", "東京"),
        ("gb2312", "北京"),
        ("GBK", "北京"),
        ("gb18030", "北京"),
        ("big5", "臺北"),
        ("euc-kr", "서울"),
        ("windows-874", "กรุงเทพ"),
        ("utf8", "東京"),
    ],
)
def test_a_page_in_an_encoding_that_people_write_in_is_read(charset: str, text: str) -> None:
    codec = {"x-sjis": "shift_jis", "windows-874": "cp874"}.get(charset, charset)
    (entry,) = read_bytes(f"<meta charset={charset}><p>{text}".encode(codec), "a.html", Limits())
    assert isinstance(entry, Source) and entry.text == text

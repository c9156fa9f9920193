"""What a run may reach: no file that was not given, no socket, nothing over its limit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pincite
from pincite.config import Limits, Settings
from pincite.errors import InputError, TooLargeError
from pincite.reports import FORMATS, write

SECRET = "the-secret-words-of-another-folder"

NO_NETWORK = """
import socket, sys

def refused(*arguments, **options):
    raise AssertionError("a socket was opened")

class Refused:
    def __init__(self, *arguments, **options):
        refused()

socket.socket = Refused
socket.create_connection = refused
socket.getaddrinfo = refused
try:
    import _socket
    _socket.socket = Refused
except ImportError:
    pass
sys.addaudithook(lambda event, _: refused() if event.startswith("socket.") else None)
from pincite.cli import main
sys.exit(main(sys.argv[1:]))
"""


def run_cli(
    *arguments: str, cwd: Path, stdin: bytes = b"", program: str | None = None
) -> tuple[int, str, str]:
    command = [sys.executable, "-c", program] if program else [sys.executable, "-m", "pincite"]
    # UTF-8 whatever the machine's language is: what is tested is our output, not the terminal.
    environment = {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [*command, *arguments], cwd=cwd, input=stdin, capture_output=True, timeout=100, env=environment
    )
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder of sources of several kinds, and a secret beside it."""
    from reportlab.pdfgen.canvas import Canvas

    (tmp_path / "secret.txt").write_text(SECRET, encoding="utf-8")
    folder = tmp_path / "docs"
    folder.mkdir()
    canvas = Canvas(str(folder / "report.pdf"))
    canvas.drawString(72, 700, "Revenue grew by 21% in the first quarter.")
    canvas.showPage()
    canvas.save()
    page = '<html><body><p>See <a href="https://example.org/x">this</a>. <img src="http://example.org/i.png">'
    (folder / "page.html").write_text(page + "Staff stayed at 400.</p></body></html>", encoding="utf-8")
    (folder / "notes.txt").write_text("The board met in March 2024.", encoding="utf-8")
    return folder


def test_a_whole_check_opens_no_socket(docs: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text(
        "Revenue grew by 12% in the first quarter [report.pdf:1:0-41]. Staff stayed at 400 [page.html]. "
        "The board met [notes.txt:0-28], see https://example.org/a and doi:10.1000/182 (Smith, 2020).\n",
        encoding="utf-8",
    )
    code, out, err = run_cli(
        "check",
        str(answer),
        "--sources",
        str(docs),
        "--output-format",
        "json",
        cwd=tmp_path,
        program=NO_NETWORK,
    )
    assert "socket was opened" not in err
    assert code == 1, err
    assert "PIN203" in json.loads(out)["summary"]["findings_by_code"]


def test_the_guard_against_sockets_does_guard(tmp_path: Path) -> None:
    program = NO_NETWORK.replace("sys.exit(main(sys.argv[1:]))", "import socket; socket.socket()")
    code, _, err = run_cli(cwd=tmp_path, program=program)
    assert code != 0
    assert "a socket was opened" in err


@pytest.mark.parametrize("link", ["../secret.txt", "absolute", "../../" * 30 + "etc/hostname", ".."])
def test_a_link_that_leaves_the_folder_is_refused_by_name(link: str, docs: Path) -> None:
    target = str(docs.parent / "secret.txt") if link == "absolute" else link
    try:
        (docs / "leak.txt").symlink_to(target)
    except OSError:
        pytest.skip("no links here")
    library = pincite.open_sources(docs)
    assert any(unread.name == "leak.txt" and "link" in unread.reason for unread in library.unread)
    report = pincite.check("It says so [leak.txt:0-10].", library)
    assert [finding.code for finding in report.findings] == ["PIN109"]
    for output_format in FORMATS:
        assert SECRET not in write([report], output_format)


def test_a_chain_of_links_that_leaves_the_folder_is_refused(docs: Path) -> None:
    try:
        (docs / "b.txt").symlink_to("c.txt")
        (docs / "c.txt").symlink_to("../secret.txt")
        (docs / "loop.txt").symlink_to("loop.txt")
    except OSError:
        pytest.skip("no links here")
    library = pincite.open_sources(docs)
    assert {unread.name for unread in library.unread} == {"b.txt", "c.txt", "loop.txt"}


@pytest.mark.parametrize(
    "marker",
    [
        "[../secret.txt:0-10]",
        "[docs/../../secret.txt]",
        "[/etc/passwd]",
        "[file:///etc/passwd]",
        "[..\\secret.txt]",
    ],
)
def test_a_citation_reads_no_file_that_was_not_given(marker: str, docs: Path) -> None:
    report = pincite.check(f"It says so {marker}.", docs)
    assert all(finding.source is None for finding in report.findings)
    assert SECRET not in repr(report)


def test_a_json_source_that_names_a_file_does_not_make_it_read(docs: Path) -> None:
    given = [
        {
            "document_id": "d",
            "title": "t",
            "content": "Staff stayed.",
            "file_path": str(docs.parent / "secret.txt"),
        }
    ]
    assert SECRET not in repr(pincite.open_sources(given).sources)


@pytest.mark.parametrize("form", ["{}", "  {}\n", "./{}"])
def test_an_answer_that_names_a_file_is_never_read_as_one(form: str, docs: Path) -> None:
    (docs / "answer.md").write_text(SECRET, encoding="utf-8")
    named = form.format(os.path.relpath(docs / "answer.md"))
    try:
        report = pincite.check(named, docs)
    except InputError as error:
        assert "pathlib.Path" in str(error)
        return
    assert report.answer.text == named


def test_an_answer_over_its_limit_is_refused_by_name(tmp_path: Path) -> None:
    small = Settings(limits=Limits(answer_bytes=100))
    with pytest.raises(TooLargeError, match=r"<answer>.*101.*limit of 100"):
        pincite.check("a" * 101, {}, settings=small)
    with pytest.raises(TooLargeError, match="120"):
        pincite.check("é" * 60, {}, settings=small)
    pincite.check("a" * 100, {}, settings=small)
    path = tmp_path / "long.md"
    path.write_text("a" * 101, encoding="utf-8")
    with pytest.raises(TooLargeError, match=r"long\.md.*answer_bytes"):
        pincite.check(path, {}, settings=small)


def test_the_limits_are_fifty_megabytes_and_a_gigabyte() -> None:
    assert Limits().answer_bytes == 50 * 1024**2
    assert Limits().source_bytes == 1024**3


def test_a_source_over_its_limit_is_listed_and_the_rest_read(docs: Path) -> None:
    (docs / "long.txt").write_text("a" * 50_000, encoding="utf-8")
    library = pincite.open_sources(docs, Limits(source_bytes=20_000))
    assert [unread.name for unread in library.unread] == ["long.txt"]
    assert "20,000" in library.unread[0].reason
    assert len(library.sources) == 3


def test_a_packed_source_may_not_unpack_beyond_its_limit(docs: Path) -> None:
    import zipfile

    with zipfile.ZipFile(docs / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("word/document.xml", b"<w>" + b"a" * 5_000_000 + b"</w>")
    library = pincite.open_sources(docs, Limits(source_bytes=100_000))
    assert [unread.name for unread in library.unread] == ["bomb.docx"]


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 1_000,
        b"[" * 20_000,
        b"\xff\xfe\x00\xd8",
        b"\xed\xa0\x80 [a.txt:1-2]",
        b"\xff" * 100,
        b"",
        b"\xef\xbb\xbf",
        "\u202e[notes.txt:0-5]\u202c <script>alert(1)</script> \x1b[31m".encode(),
        b"He said \xe2\x80\x9c" * 500,
    ],
)
@pytest.mark.parametrize("output_format", ["full", "json"])
def test_the_command_line_never_shows_a_traceback(
    content: bytes, output_format: str, docs: Path, tmp_path: Path
) -> None:
    (tmp_path / "answer.md").write_bytes(content)
    arguments = ("check", "answer.md", "--sources", str(docs), "--output-format", output_format)
    code, out, err = run_cli(*arguments, cwd=tmp_path)
    assert code in (0, 1, 2)
    assert "Traceback" not in err + out
    assert "bug in Pincite" not in err
    assert "\x1b" not in out + err
    if output_format == "json":
        json.loads(out)
    if code == 2:
        assert "answer.md" in err


@pytest.mark.parametrize("command", ["parse", "sources", "locate"])
def test_other_commands_never_show_a_traceback(command: str, docs: Path, tmp_path: Path) -> None:
    (docs / "bad.pdf").write_bytes(b"%PDF-1.4 nonsense")
    (docs / "deep.json").write_bytes(b"[" * 100_000)
    (tmp_path / "answer.md").write_bytes(b"[[[ \xe3\x80\x90 \x00 [a.txt:1-2")
    arguments = {
        "parse": ("parse", "answer.md", "--output-format", "json"),
        "sources": ("sources", str(docs), "--output-format", "json"),
        "locate": ("locate", "\u202e[[[ \x01 (", "--sources", str(docs), "--output-format", "json"),
    }[command]
    code, out, err = run_cli(*arguments, cwd=tmp_path)
    assert "Traceback" not in err + out
    assert "bug in Pincite" not in err
    assert code in (0, 1, 2)
    if out:
        json.loads(out)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "deep.json"),
        ("check", "deep.jsonl"),
        ("check", "deep.json", "--from", "anthropic"),
        ("check", "answer.md", "--baseline", "deep.json"),
        ("check", "answer.md", "--config", "deep.yaml"),
        ("check", "answer.md", "--config", "deep.toml"),
        ("parse", "deep.json", "--from", "gemini"),
    ],
)
def test_a_file_nested_without_end_is_named_and_not_called_a_bug(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    for name, opening in (
        ("deep.json", "["),
        ("deep.jsonl", '{"answer":'),
        ("deep.yaml", "["),
        ("deep.toml", "a=["),
    ):
        (tmp_path / name).write_text(opening + opening[-1] * 100_000, encoding="utf-8")
    (tmp_path / "answer.md").write_text("It rose [1].", encoding="utf-8")
    code, out, err = run_cli(*arguments, cwd=tmp_path)
    assert code == 2
    assert "Traceback" not in err + out
    assert "bug in Pincite" not in err
    assert "deep." in err

"""Where output goes: a stream that may break off, files written whole or not at all, and notes."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO

from pincite.base import read_limited
from pincite.cli.tables import table
from pincite.errors import InputError, PinciteError
from pincite.records import SCHEMA_VERSION
from pincite.reports import dump, hanging, safe
from pincite.text import break_commands

CANNOT_RUN = 2


def emit(text: str, stream: TextIO | None = None) -> bool:
    """Print `text` as it is. A reader that has gone away (`| head`) is no error and changes no exit code.

    False says that the reader is gone, so that a caller with much more to print can stop.
    """
    return _write(stream or sys.stdout, text)


def emit_lines(lines: Iterable[str]) -> bool:
    return emit("".join(f"{line}\n" for line in lines))


def emit_json(shape: Mapping[str, Any]) -> bool:
    """Print a document with its schema version."""
    return emit(dump({"schema_version": SCHEMA_VERSION, **shape}))


def emit_either(output_format: str, shape: Mapping[str, Any], lines: Iterable[str]) -> bool:
    """Print the document for a program, or the lines for a person."""
    return emit_json(shape) if output_format == "json" else emit_lines(lines)


def require_page(output: str | None, output_format: str) -> None:
    """Only a page is written to a file; everything else is printed."""
    if output and output_format != "html":
        raise InputError("--output goes with --output-format html")


def emit_table(header: Sequence[str], rows: Sequence[Sequence[str]], *, wrap: bool = False) -> bool:
    """Print a table as wide as the terminal."""
    return emit(table(header, rows, terminal_width(sys.stdout), wrap=wrap))


def quoted(text: str) -> str:
    """A text of somebody else's as it is printed: nothing in it moves a terminal or commands a CI system."""
    if is_terminal(sys.stdout):
        return "\n".join(safe(line) for line in text.split("\n"))
    return break_commands(text) if may_be_ci_log(sys.stdout) else text


def emit_quoted(text: str) -> bool:
    if is_terminal(sys.stdout):
        text = text.replace("\r\n", "\n").removesuffix("\n") + "\n"
    return emit(quoted(text))


def emit_or_write(text: str, output: str | None) -> None:
    if not output:
        emit(text)
    else:
        write_file(Path(output), text.encode("utf-8", "backslashreplace"))


def agreed(question: str) -> bool:
    """Ask a person at a terminal."""
    emit(f"{question} [y/N] ")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def read_stdin(most: int) -> bytes:
    if sys.stdin is None:
        raise InputError("there is no standard input to read from")
    return read_limited(sys.stdin.buffer, most)


def note(text: str, kind: str = "note") -> None:
    """A line on standard error, with nothing in it that a terminal would obey; on one it is folded."""
    line = f"{kind}: {safe(text)}"
    columns = terminal_width(sys.stderr) if is_terminal(sys.stderr) else None
    folded = [line] if columns is None else hanging(line, columns, 2)
    _write(sys.stderr, "".join(f"{part}\n" for part in folded))


class MayBeQuiet(Protocol):
    """Options with `--quiet`."""

    quiet: bool


def tell(options: MayBeQuiet, text: str, kind: str = "note") -> None:
    """A note for people who did not ask for quiet; an error also for those who did."""
    if not options.quiet or kind == "error":
        note(text, kind)


def report_failure(error: Exception) -> int:
    """Say in one line what went wrong and give the exit code. `PINCITE_DEBUG=1` shows where in the code."""
    if os.environ.get("PINCITE_DEBUG"):
        import traceback

        lines = "".join(traceback.format_exception(error)).splitlines()
        _write(sys.stderr, "".join(f"{safe(line)}\n" for line in lines))
    if isinstance(error, PinciteError):
        first, *more = str(error).splitlines() or ["something went wrong"]
        note(first, "error")
        _write(sys.stderr, "".join(f"  {safe(line)}\n" for line in more))
    elif isinstance(error, MemoryError):
        note("out of memory", "error")
    elif isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        note(f"{where}{error.strerror or error}", "error")
    else:
        kind = type(error).__name__
        note(f"this is a bug in Pincite, please report it: {kind}: {str(error)[:300]}", "error")
    return CANNOT_RUN


def write_file(path: Path, content: bytes) -> None:
    """Write the whole file or nothing, into a folder that is there: a mistyped one should not be made."""
    from pincite.datasets import write_whole

    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: {os.strerror(errno.ENOENT)}")
    write_whole(path, content)


def keep_existing(paths: Iterable[Path], force: bool) -> None:
    """Refuse to write over a file that is there, unless that was asked for. A device or a pipe is no file."""
    for path in paths:
        if path.is_file() and not force:
            raise InputError(f"{path} already exists; use --force to overwrite it")


def may_be_ci_log(stream: TextIO | None) -> bool:
    """Whether what is printed may end up in the log of a CI job: it runs in one, and writes to no file."""
    if not any(os.environ.get(name) for name in ("CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")):
        return False
    try:
        return stream is not None and not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # no file at all
        return True


def wants_color(no_color: bool, stream: TextIO | None) -> bool:
    """`--no-color` and NO_COLOR switch colours off, FORCE_COLOR on; otherwise a terminal decides."""
    if no_color or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # a closed stream
        return False


def terminal_width(stream: TextIO | None) -> int | None:
    """The columns of the terminal, or None when the output goes elsewhere and COLUMNS does not say."""
    given = os.environ.get("COLUMNS", "")
    if given.isdigit() and int(given) > 0:
        return int(given)
    if not is_terminal(stream):
        return None
    import shutil

    return shutil.get_terminal_size().columns


def _write(stream: TextIO | None, text: str) -> bool:
    if stream is None or not text:  # without a stream (`>&-`) there is nobody to tell
        return True
    try:
        binary = getattr(stream, "buffer", None)
        if binary is None or (is_terminal(stream) and not _is_utf8(stream)):
            stream.write(
                text.encode(stream.encoding or "utf-8", "backslashreplace").decode(stream.encoding or "utf-8")
            )
        else:
            # Files and pipes always get UTF-8, whatever the locale says: JSON and XML promise it.
            stream.flush()
            binary.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except BrokenPipeError:
        # Python would complain once more when it closes the stream at exit, so give it somewhere to write.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return False
    return True


def _is_utf8(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "") == "utf8"

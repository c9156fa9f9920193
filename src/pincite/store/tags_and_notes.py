"""What people write about a run: tags to find it by, and a note.

They have tables of their own rather than a place among the documents: a list is filtered by them, and what
is said about a run should go when the run goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from pincite.errors import InputError
from pincite.store.lookup import number_of
from pincite.store.schema import RUN_NOTES, RUN_TAGS

MOST_TAGS = 20
LONGEST_TAG = 50
LONGEST_NOTE = 10_000
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_SPACES = re.compile(r"[\s,]+")


def read_tags(given: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: each one word, in lower case, once."""
    tags = sorted(
        {_SPACES.sub("-", _NO_TEXT.sub("\ufffd", tag).strip()).lower() for tag in given} - {"", "-"}
    )
    if len(tags) > MOST_TAGS:
        raise InputError(f"a run has at most {MOST_TAGS} tags, not {len(tags)}")
    if long := next((tag for tag in tags if len(tag) > LONGEST_TAG), None):
        raise InputError(f"a tag has at most {LONGEST_TAG} characters, not {len(long)}: {long:.60}…")
    return tuple(tags)


def read_note(given: str) -> str:
    """A note as it is kept."""
    note = _NO_TEXT.sub("\ufffd", given.replace("\r\n", "\n")).strip()
    if len(note) > LONGEST_NOTE:
        raise InputError(f"a note has at most {LONGEST_NOTE:,} characters, not {len(note):,}")
    return note


def write_remarks(
    connection: Connection, run_id: str, tags: tuple[str, ...] | None, note: str | None
) -> None:
    """Replace the tags, the note, or both; what is None stays."""
    run = number_of(connection, run_id)
    if tags is not None:
        connection.execute(delete(RUN_TAGS).where(RUN_TAGS.c.run == run))
        if tags:
            connection.execute(insert(RUN_TAGS), [{"run": run, "tag": tag} for tag in tags])
    if note is not None:
        connection.execute(delete(RUN_NOTES).where(RUN_NOTES.c.run == run))
        if note:
            connection.execute(insert(RUN_NOTES).values(run=run, note=note))


def remarks(connection: Connection, run_id: str) -> tuple[tuple[str, ...], str]:
    run = number_of(connection, run_id)
    tags = connection.scalars(select(RUN_TAGS.c.tag).where(RUN_TAGS.c.run == run).order_by(RUN_TAGS.c.tag))
    note = connection.scalar(select(RUN_NOTES.c.note).where(RUN_NOTES.c.run == run))
    return tuple(tags), note or ""


def all_tags(connection: Connection) -> list[str]:
    return list(connection.scalars(select(RUN_TAGS.c.tag).distinct().order_by(RUN_TAGS.c.tag)))

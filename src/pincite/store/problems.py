"""What went wrong in a database: whether to try again, and what to tell the user."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pincite.errors import StoreError, StorePlaceError
from pincite.store.address import Address

_BUSY, _LOCKED, _PROTOCOL = 5, 6, 15
_INTERRUPTED, _CANCELLED = 9, "57014"
_FULL_LIMIT, _NO_RUN, _NOT_UNIQUE = 10 | 3 << 8, 19 | 3 << 8, 19 | 8 << 8
"""A file that grew over a limit of the system; a row without its run; a row that is there already."""

_REMOVED = "the run was removed while it ran: run the same command again"
_TAKEN_OVER = "another process resumed this run because this one was silent for too long"
_SQLITE = {
    3: "this user may not write to it: change its permissions, or give another location with --store",
    8: "this user may not write to it: change its permissions, or give another location with --store",
    10: "the disk failed while it was read or written: check the disk, or give another location with --store",
    11: "the file is damaged: restore a copy, or move it away to start a new one",
    13: "the disk is full: make room, or give another location with --store",
    14: "it cannot be opened: check that the folder exists and is writable, or give another --store",
    _FULL_LIMIT: "the disk is full: make room, or give another location with --store",
    _NO_RUN: _REMOVED,
    _NOT_UNIQUE: _TAKEN_OVER,
    26: "the file is not a SQLite database: give another path with --store",
}
_POSTGRESQL = {
    "53100": "the disk of the server is full: make room there",
    "25006": "the database is read-only: give a writable one with --store",
    "23503": _REMOVED,
    "23505": _TAKEN_OVER,
    "42501": "the user may not do this: grant the rights on the schema, or give another --store",
}
_WRONG_PLACE = (3, 8, 14, 26, "25006", "42501")
"""No rights, only to be read, not to be opened, no database."""
_AGAIN = ("08", "40", "53300", "57P", "55P03")
"""Beginnings of the codes for: connection lost, lost a race, too many connections, shut down, locked."""
_REFUSALS = ("authentication failed", "does not exist", "no pg_hba.conf entry", "not permitted to log in")
"""A connection that is refused comes without a code."""


def can_be_tried_again(error: Exception) -> bool:
    """Whether the same work may well succeed in a moment: locked, or the server went away."""
    if isinstance(error, PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    code = _sqlite_code(error)
    if code is not None:
        return code & 0xFF in (_BUSY, _LOCKED, _PROTOCOL)
    if _is_of_sqlite(error):
        return False
    state = _state(error)
    if state is not None:
        return state.startswith(_AGAIN)
    # The line was cut, or nobody answers at the address, unless somebody answers and says no.
    cut = error.connection_invalidated or type(error.orig).__name__ in ("OperationalError", "InterfaceError")
    return cut and not any(refusal in str(error.orig) for refusal in _REFUSALS)


def was_interrupted(error: BaseException) -> bool:
    """Whether a statement was ended before it was done: by our limit, or by a signal."""
    return _sqlite_code(error) == _INTERRUPTED or _state(error) == _CANCELLED


def explained(error: Exception, address: Address, waited: float = 0.0) -> StoreError:
    """The error for the user, without a statement, a value or a password in it."""
    where = f"the history {address}"
    if isinstance(error, OSError):
        return StorePlaceError(
            f"{where} cannot be opened: {error.strerror or type(error).__name__}; "
            "check the folder's permissions, or give another location with --store"
        )
    # SQLite quotes the damaged part, which Python cannot read, or asks for as much memory as that says.
    if isinstance(error, UnicodeDecodeError | MemoryError):
        return StorePlaceError(f"{where} cannot be used: {_SQLITE[11]}")
    code = _sqlite_code(error)
    if code is not None:
        if code & 0xFF in (_BUSY, _LOCKED, _PROTOCOL):
            return StoreError(
                f"{where} has been locked by another program for {waited:.0f} s: wait for it or end it, "
                "then run the same command again"
            )
        hint = _SQLITE.get(code) or _SQLITE.get(code & 0xFF) or f"SQLite says: {_said(error, address)}"
        kind = StorePlaceError if code & 0xFF in _WRONG_PLACE else StoreError
        return kind(f"{where} cannot be used: {hint}")
    if _is_of_sqlite(error):  # Python's own complaint about what SQLite gave it
        hint = f"the file is damaged ({_said(error, address)}): restore a copy, or move it away"
        return StorePlaceError(f"{where} cannot be used: {hint}")
    state = _state(error)
    if state in _POSTGRESQL:
        kind = StorePlaceError if state in _WRONG_PLACE else StoreError
        return kind(f"{where} cannot be used: {_POSTGRESQL[state]}")
    if waited:
        return StoreError(
            f"{where} could not be reached for {waited:.0f} s ({_said(error, address)}): "
            "start the server, then run the same command again"
        )
    refused = any(refusal in str(error) for refusal in _REFUSALS)
    return (StorePlaceError if refused else StoreError)(f"{where} cannot be used: {_said(error, address)}")


def _is_of_sqlite(error: Exception) -> bool:
    return type(getattr(error, "orig", error)).__module__.startswith("sqlite3")


def _sqlite_code(error: BaseException) -> int | None:
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", None)
    return code if isinstance(code, int) else None


def _state(error: BaseException) -> str | None:
    state = getattr(getattr(error, "orig", error), "sqlstate", None)
    return state if isinstance(state, str) else None


def _said(error: Exception, address: Address) -> str:
    """The first line of the driver's own words. SQLAlchemy's would add the statement."""
    lines = str(getattr(error, "orig", error)).strip().splitlines()
    return address.hide(lines[0])[:300] if lines else type(error).__name__

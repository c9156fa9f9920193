"""Parts of the sentences in which a problem is told: errors on one line, near names, what to install."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

from pincite.errors import MissingExtraError


def one_line(text: object, most: int = 200) -> str:
    """A text, or what an error says, on one line of at most so many characters."""
    return " ".join(str(text).split())[:most]


def describe_error(error: BaseException) -> str:
    """The kind of an error and what it says, on one line."""
    words = one_line(error)
    return type(error).__name__ + (f": {words}" if words else "")


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The rest of a sentence about an unknown name: the known one most like it, or else `otherwise`."""
    from difflib import get_close_matches

    lowered = {one.lower(): one for one in known}
    near = get_close_matches(name[:100].lower(), lowered, n=1)
    return f"; did you mean {lowered[near[0]]}?" if near else otherwise


def missing_extra(needs: str, extra: str) -> MissingExtraError:
    """`missing_extra("Parquet needs the pyarrow library", "tables")` also says how to install it."""
    return MissingExtraError(f"{needs}: pip install 'pincite[{extra}]'")


def import_extra(module: str, needs: str, extra: str | None) -> Any:
    """An optional library, or an error that says how to install it: by an extra, or else by its name."""
    try:
        return import_module(module)
    except ImportError as error:
        what = (
            MissingExtraError(f"{needs}: pip install {module}")
            if extra is None
            else missing_extra(needs, extra)
        )
        if isinstance(error, ModuleNotFoundError):
            raise what from None
        # Such as without the memory for it.
        raise MissingExtraError(f"{what}; what is installed cannot be loaded: {error}"[:500]) from None

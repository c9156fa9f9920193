"""How a question is to be answered: the options, checked once, with an error for every name not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import fields

from pincite.answering.records import Cite, OnUnsupported, Way
from pincite.base import did_you_mean
from pincite.config import Settings, with_overrides
from pincite.errors import ConfigError, InputError

Retriever = Callable[[str], Iterable[Any]]
"""A user's function: a question in, passages out (`retrieving.retrieve_with` says in which shapes)."""


class AnswerOptions(Struct, frozen=True):
    """What `pincite.answer` takes beside the question, the sources and the model."""

    cite: Cite = "numbers"
    on_unsupported: OnUnsupported = "drop"
    max_sentences: int = 6
    passages: int = 8
    """How many passages are retrieved, and so can be cited."""
    mend: int = 1
    """How often the sentences that failed are asked for again."""
    seed: int = 0
    retriever: Retriever | None = None
    way: Way | None = None
    """How the draft is held to its sources, where the backend has several ways; its first one without."""

    def checked(self) -> AnswerOptions:
        """The same, or an `InputError` about the first value that cannot be."""
        for name, kind in (("cite", Cite), ("on_unsupported", OnUnsupported), ("way", Way)):
            value, known = getattr(self, name), get_args(kind)
            if value not in known and not (name == "way" and value is None):
                raise InputError(f"{name} is one of {', '.join(known)}, not {value!r:.40}")
        for name, least, most in (("max_sentences", 1, 100), ("passages", 1, 200), ("mend", 0, 10)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise InputError(f"{name} is a whole number from {least} to {most}, not {value!r:.40}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"seed is a whole number from 0, not {self.seed!r:.40}")
        if self.retriever is not None and not callable(self.retriever):
            raise InputError(f"retriever is a function, not a {type(self.retriever).__name__}")
        return self


def read_options(settings: Settings | None, given: dict[str, Any]) -> tuple[AnswerOptions, Settings]:
    """Options of answering and fields of `Settings`, as they were given by name, apart from each other."""
    own = {field.name for field in fields(AnswerOptions)}
    options = AnswerOptions(**{name: value for name, value in given.items() if name in own}).checked()
    rest = {name: value for name, value in given.items() if name not in own}
    try:
        return options, with_overrides(settings or Settings(), rest)
    except ConfigError as error:
        for name in rest:
            near = did_you_mean(name, own)
            if near and name not in {field.name for field in fields(Settings)}:
                raise InputError(f"there is no option {name!r:.60}{near}") from None
        raise InputError(str(error)) from None

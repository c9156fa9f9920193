"""The nouns that travel between the rooms: those of an answer, and those of a run."""

from pincite.records.answer import *  # noqa: F403
from pincite.records.run import *  # noqa: F403

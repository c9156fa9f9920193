"""The sample dataset that is shipped: an invented town's documents, questions, and what two systems answered.

`examples/sample/build.py` writes its files.
"""

from __future__ import annotations

from pathlib import Path

from pincite.errors import InputError

NAME = "sample_1.0.0.eval.json"
SYSTEMS = ("a", "b")
"""Two recorded systems; `b` is plainly better."""


def sample_path(name: str = NAME) -> Path:
    """Where a file of the sample is: the dataset itself, or another by name (`answers_a.jsonl`)."""
    folder = Path(__file__).parent
    path = folder / name
    if not path.is_relative_to(folder) or ".." in Path(name).parts or not path.exists():
        raise InputError(f"the sample has no file {name!r:.80}")
    return path


def answers_path(system: str) -> Path:
    """The recorded answers of system `a` or `b`."""
    if system not in SYSTEMS:
        raise InputError(f"the sample has recorded answers of {' and '.join(SYSTEMS)}, not of {system!r:.80}")
    return sample_path(f"answers_{system}.jsonl")


def answers_file(given: Path | str) -> Path:
    """The file that is meant; `sample:a` comes with Pincite, unless there is a file of that name."""
    if str(given).startswith("sample:") and not Path(given).exists():
        return answers_path(str(given).removeprefix("sample:"))
    return Path(given)


def annotations_path() -> Path:
    """The folder with what two annotators marked, as `pincite agreement` reads it."""
    return sample_path("annotations")

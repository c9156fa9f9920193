"""A small dataset to annotate, and people who do so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pincite.annotation import ItemKey, Workspace
from pincite.config import AgreementSettings, Settings
from pincite.datasets import open_dataset

TOWER = "The tower is 47 metres high. It was built in 1902.\nIt has 212 steps.\n"
EMOJI = "🗼 Höhe: 47 m 👩‍👩‍👧.\r\nالبرج ارتفاعه ٤٧ مترا.\r\nEnd 𝒳."
PAGES = "Page one says red.\fPage two says blue.\fPage three says green."


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def dataset(queries: int = 6, known: int = 0, **more: Any) -> dict[str, Any]:
    """Queries about three documents; the last `known` of them have known citations."""
    listed: list[dict[str, Any]] = [
        {"query_id": f"q{number}", "query_text": f"How high is tower {number}?", "relevant_documents": []}
        for number in range(queries)
    ]
    for query in listed[queries - known :]:
        query["citations"] = [{"document_id": "tower.md", "start_char": 0, "end_char": 28}]
    documents = [
        {"document_id": name, "file_path": f"docs/{name}", "title": name, "content": text}
        for name, text in (("tower.md", TOWER), ("emoji.md", EMOJI), ("pages.pdf", PAGES))
    ]
    return {
        "dataset_id": "small",
        "name": "Small",
        "version": "1.0.0",
        "queries": listed,
        "documents": documents,
        **more,
    }


def workspace(folder: Path, given: dict[str, Any] | None = None, **more: Any) -> Workspace:
    settings = Settings(agreement=AgreementSettings(**more.pop("agreement", {})))
    more.setdefault("clock", Clock())
    return Workspace(open_dataset(given or dataset()), folder / "annotations", settings=settings, **more)


def spans(*places: tuple[int, int], document: str = "tower.md") -> dict[str, Any]:
    return {"sets": [[{"document": document, "start": start, "end": end} for start, end in places]]}


def say(work: Workspace, person: str, key: ItemKey | str, said: dict[str, Any], done: bool = True) -> Any:
    from pincite.annotation import read_key

    key = read_key(key) if isinstance(key, str) else key
    return work.change(person, key, work.begin(person, key).revision, said, done, 10.0)


def do_all(work: Workspace, person: str, said: dict[str, Any]) -> list[ItemKey]:
    """Everything that a person is given, always with the same words; what they were given."""
    given = []
    while (key := work.next(person)) is not None:
        given.append(key)
        say(work, person, key, said)
        assert len(given) < 1000
    return given

"""A dataset, a folder of annotations, and the people who work on them, at once and in several processes.

The folder has a folder for each person: `changes.jsonl` is the log of everything they did, from which
the `.gt.json` file and `verdicts.jsonl` beside it are written anew with each change.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from pincite.annotation.adjudicate import (
    MERGED,
    Adjudication,
    Conflict,
    ResponsesByItem,
    adjudicate_responses,
    find_conflicts,
    read_responses,
    write_adjudicated,
)
from pincite.annotation.agreement import AgreementFigures, measure_agreement
from pincite.annotation.annotations import arrange, each_annotation
from pincite.annotation.change_log import NOTHING, ChangeLog, ItemState, NotSaved, SavedChange
from pincite.annotation.documents import Documents
from pincite.annotation.person_files import (
    KnownAnswer,
    annotation_of,
    compare_with_known,
    response_of_record,
    write_person,
)
from pincite.annotation.responses import KINDS, QUESTIONS, check_response, plain, unfinished
from pincite.annotation.tasks import (
    ItemKey,
    Items,
    PersonProgress,
    has_decided,
    list_items,
    person_progress,
    progress_elsewhere,
    read_key,
    remaining,
    repeats,
    sealed,
)
from pincite.config import Settings
from pincite.datasets import Dataset, EvaluationDataset, GroundTruth, RecordedAnswers, safe_name
from pincite.errors import InputError

LOG = "changes.jsonl"
TRAINING = 3
"""Queries with known citations that everybody practises on first."""
MOST_SECONDS = 8 * 3600.0
_NAME = re.compile(r"[\w](?:[\w. @+-]{0,58}[\w])?")
_TAKEN = frozenset({MERGED, "sample", "con", "prn", "aux", "nul"})


class Conflicted(InputError):
    """What is asked is against the rules of the work, such as deciding about one's own annotation."""


class OpenItem(Struct, frozen=True):
    """An item as a person may see it."""

    key: ItemKey
    state: ItemState
    question: str = ""
    answer: str | None = None
    pair: dict[str, Any] | None = None
    judged: dict[str, Any] | None = None
    """What the judge said; None until the person has."""
    known: KnownAnswer | None = None
    """Of practice, the known answer; None until the person has given theirs."""
    others: dict[str, Any] | None = None
    """To decide on: what each person said."""
    questions: dict[str, str] | None = None
    """What an answer is marked for, each with the question in words."""


class Workspace:
    """The work of all people on one dataset. Several threads may use it."""

    def __init__(
        self,
        dataset: Dataset,
        folder: Path,
        *,
        answers: RecordedAnswers | None = None,
        pairs: Iterable[Mapping[str, Any]] = (),
        settings: Settings | None = None,
        training: int = TRAINING,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        self.dataset = dataset
        self.folder = folder
        self.settings = settings or Settings()
        self.seed = self.settings.evaluation.random_seed
        self.by_page = (dataset.offsets or self.settings.offsets) == "page"
        self.documents = Documents(dataset)
        self.items: Items = list_items(
            dataset, answers.ids() if answers is not None else (), pairs, training, self.seed
        )
        self.file = safe_name(f"{dataset.dataset_id}_{dataset.version}", "the dataset's id and version")
        self.file += ".gt.json"
        self._answers = answers
        self._clock = clock or (lambda: datetime.now(UTC))
        self._logs: dict[str, ChangeLog] = {}
        self._guard = threading.Lock()
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: this is a file; annotations are kept in a folder")
        self._repair()

    # --- people ------------------------------------------------------------------------------------

    def people(self) -> list[str]:
        """Everybody who has begun."""
        found = self.folder.iterdir() if self.folder.is_dir() else ()
        return sorted(path.name for path in found if (path / LOG).is_file())

    def states(self, person: str) -> dict[str, ItemState]:
        """Everything that a person did."""
        return self._log(person).states()

    # --- one item ----------------------------------------------------------------------------------

    def remaining(self, person: str) -> list[ItemKey]:
        """What is left for a person, in the order in which they should do it."""
        check_name(person)
        states = {one: self.states(one) for one in {*self.people(), person}}
        return remaining(
            self.items,
            person,
            states,
            self._done_elsewhere(),
            max(1, self.settings.agreement.min_annotators),
            self.seed,
            self._clock(),
        )

    def next(self, person: str) -> ItemKey | None:
        """The item that a person should do next."""
        return next(iter(self.remaining(person)), None)

    def open(self, person: str, key: ItemKey) -> OpenItem:
        """An item with what the person may see of it. Nothing is noted by looking."""
        states = self.states(person)
        self._allow(person, key, states)
        state = states.get(str(key), NOTHING)
        given: dict[str, Any] = {}
        if key.kind == "verdicts":
            pair = self.items.pairs[key.id]
            given = {"question": str(pair.row.get("query") or ""), "pair": pair.row}
            if state.done_at or key.round == "decide":
                given["judged"] = pair.judged
        else:
            given["question"] = self.items.queries[key.id].query_text
        if key.kind == "answers":
            given["answer"] = self._answer(key.id)
            given["questions"] = self._questions(key)
        if key.round == "train" and state.done_at:
            given["known"] = self._known(key, state)
        if key.round == "decide":
            given["others"] = self._responses_of_others(key)
        return OpenItem(key, state, **given)

    def begin(self, person: str, key: ItemKey, by: str = "") -> ItemState:
        """Note that a person is at an item."""
        self._allow(person, key, self.states(person))
        return self._log(person).begin(str(key), self._now(), by)

    def change(
        self,
        person: str,
        key: ItemKey,
        revision: int,
        said: Any,
        done: bool = False,
        seconds: float = 0.0,
        by: str = "",
    ) -> ItemState:
        """Save what a person says of an item, if `revision` is still the newest (`StaleChange` if not)."""
        questions = self._questions(key)
        checked = check_response(key.kind, said, self.documents.get, questions)
        if done and (missing := unfinished(checked, questions)) is not None:
            raise InputError(missing)
        seconds = min(max(0.0, seconds), MOST_SECONDS) if seconds == seconds else 0.0
        log = self._log(person)
        with log.writing():
            self._allow(person, key, log.states())
            made = SavedChange(str(key), revision, plain(checked), self._now(), done, seconds, by=by)
            state = log.change(made)
            self._write(person)
        return state

    def undo(self, person: str, key: ItemKey, revision: int) -> ItemState:
        """Take back a person's last change of an item."""
        log = self._log(person)
        with log.writing():
            self._allow(person, key, log.states())
            state = log.undo(str(key), revision, self._now())
            self._write(person)
        return state

    # --- all of it ---------------------------------------------------------------------------------

    def progress(self) -> list[PersonProgress]:
        """How far each person is, also those who annotated by other means."""
        known = [self.progress_of(person) for person in self.people()]
        return sorted(
            [*known, *progress_elsewhere(self.items, self._done_elsewhere())], key=lambda one: one.person
        )

    def progress_of(self, person: str) -> PersonProgress:
        states = self.states(person)
        practised = [
            known.agreement
            for key, state in ((read_key(key), state) for key, state in states.items() if state.done)
            if key.round == "train" and self.items.has(key) and (known := self._known(key, state))
        ]
        return person_progress(person, self.items, states, practised, self.seed)

    def conflicts(self) -> list[Conflict]:
        """Where people disagree, decided or not."""
        return find_conflicts(self.responses(), self.settings.agreement, self.by_page)

    def responses(self) -> ResponsesByItem:
        """What everybody has finished, as the files have it."""
        return read_responses([self.folder]) if self.folder.is_dir() else ResponsesByItem()

    def agreement(self) -> AgreementFigures | None:
        """How far people agree up to now; None while nobody has finished anything."""
        if not self.folder.is_dir():
            return None
        found = arrange(each_annotation([self.folder]), self.by_page)
        verdicts = {
            item: {who: str(row.get("said") or row.get("verdict")) for who, row in people.items()}
            for item, people in self.responses().verdicts.items()
        }
        people = {*found.annotators, *(person for given in verdicts.values() for person in given)}
        if not people:
            return None
        if verdicts:
            ratings = {**found.ratings, "verdict": verdicts}
            found = structs.replace(found, annotators=tuple(sorted(people)), ratings=ratings)
        return measure_agreement(found, self.settings.agreement, self.seed)

    def adjudicate(self) -> Adjudication:
        """What can be taken as true by now."""
        if self.dataset.streamed:
            raise InputError("the dataset is too large to be merged at once; annotate it in parts")
        head: EvaluationDataset = self.dataset.head
        return adjudicate_responses(head, self.responses(), self.settings.agreement)

    def merge(self) -> tuple[Adjudication, list[Path]]:
        """Write what can be taken as true to the folder `merged`, beside that of the annotations."""
        found = self.adjudicate()
        return found, write_adjudicated(found, self.folder.resolve().parent / MERGED)

    # --- inside ------------------------------------------------------------------------------------

    def _log(self, person: str) -> ChangeLog:
        check_name(person)
        with self._guard:
            if person not in self._logs:
                self._logs[person] = ChangeLog(self.folder / person / LOG)
            return self._logs[person]

    def _now(self) -> str:
        return self._clock().isoformat(timespec="milliseconds")

    def _answer(self, query_id: str) -> str | None:
        found = self._answers.get(query_id) if self._answers is not None else None
        return found.answer if found is not None else None

    def _questions(self, key: ItemKey) -> dict[str, str]:
        """Ours; or those that others have marked an answer for by other means, where they are decided on."""
        if key.round != "decide" or key.kind != "answers":
            return QUESTIONS
        said = self.responses().answers.get(key.id, {}).values()
        named = dict.fromkeys(name for one in said for name in one.quality_scores)
        return {name: QUESTIONS.get(name, "") for name in named} or QUESTIONS

    def _known(self, key: ItemKey, state: ItemState) -> KnownAnswer:
        return compare_with_known(self.items.queries[key.id], state.said, self.documents, self.by_page)

    def _allow(self, person: str, key: ItemKey, states: Mapping[str, ItemState]) -> None:
        """Raise where a person may not see or change an item."""
        if not self.items.has(key):
            raise InputError(f"there is no item {str(key)!r:.80}")
        if sealed(states, key):
            raise Conflicted("you are asked about this item a second time, so what you said first is closed")
        if (
            key.round == "again"
            and str(key) not in states
            and key not in repeats(self.items, states, self.seed)
        ):
            raise Conflicted("this item is not one that you are asked about a second time")
        if key.round in ("first", "again") and has_decided(states, key):
            raise Conflicted("you have decided on this item, so you cannot annotate it as well")
        if key.round == "decide":
            people = self.responses().of(key.kind).get(key.id, {})
            mine = states.get(str(key.in_round("first")), NOTHING)
            if mine.said or mine.done_at or person in people:  # only to have looked is no annotation
                raise Conflicted("a third person decides: you have annotated this item yourself")
            if len(people) < 2:
                raise Conflicted("there is nothing to decide: fewer than two people have annotated this item")

    def _responses_of_others(self, key: ItemKey) -> dict[str, Any]:
        """What each annotator said of an item, as their logs or files have it, by name."""
        found: dict[str, Any] = {}
        for person, one in sorted(self.responses().of(key.kind).get(key.id, {}).items()):
            state = self.states(person).get(str(key.in_round("first")), NOTHING) if _fits(person) else NOTHING
            of_file = response_of_record(one, self.documents, self.by_page)
            found[person] = state.said if state.done else of_file
        return found

    def _done_elsewhere(self) -> dict[ItemKey, set[str]]:
        """Who did what without a log: annotations that were made by other means."""
        logged = set(self.people())
        if not self.folder.is_dir() or all(path.name in logged for path in self.folder.iterdir()):
            return {}
        given = self.responses()
        return {
            ItemKey("first", kind, item): others
            for kind in KINDS
            for item, people in given.of(kind).items()
            if (others := set(people) - logged)
        }

    def _write(self, person: str) -> None:
        """Write a person's files from their log."""
        try:
            write_person(
                self.folder / person / self.file,
                GroundTruth(dataset_id=self.dataset.dataset_id, version=self.dataset.version),
                person,
                self.states(person),
                self.items,
                lambda key, state: annotation_of(
                    person, key, state, self.documents, self.by_page, self._answer(key.id)
                ),
            )
        except InputError as error:  # what was said is checked by now, so it is the files
            raise NotSaved(str(error)) from error

    def _repair(self) -> None:
        """Write the files of people whose server was killed between saving a change and writing."""
        for person in self.people():
            log, file = self._log(person), self.folder / person / self.file
            with log.writing():
                # Both may have been written at what the file system takes for the same moment.
                if not file.exists() or file.stat().st_mtime_ns <= log.path.stat().st_mtime_ns:
                    self._write(person)


def check_name(person: str) -> str:
    """A person's name, which is also the name of their folder."""
    if not isinstance(person, str) or not _fits(person):
        raise InputError(
            f"{person!r:.80} cannot be a name here: use up to 60 letters, digits, spaces, dots, @, + and -"
        )
    return person


def _fits(person: str) -> bool:
    return _NAME.fullmatch(person) is not None and person.casefold() not in _TAKEN

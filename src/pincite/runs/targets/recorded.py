"""Answers that a system gave earlier, from a file."""

from __future__ import annotations

from pathlib import Path

from pincite.datasets import EvaluationQuery, RecordedAnswers, holds_traces, open_answers
from pincite.errors import InputError
from pincite.records import RecordedAnswer
from pincite.runs.targets.target import Target, TargetFailed

NOT_RECORDED = "no answer was recorded for this query"


class RecordedTarget(Target):
    """Looks the answers up; latency and usage are what the file says, and nothing else."""

    waits = False
    answers: RecordedAnswers

    def __init__(self, path: Path, answers: RecordedAnswers | None = None) -> None:
        self.answers = open_answers(path) if answers is None else answers
        self.path = path
        if not len(self.answers) and self.answers.problem_count:
            first = self.answers.problems[0]
            self.answers.close()
            if answers is None and holds_traces(path):
                raise InputError(f"{path} holds traces, not recorded answers: give it as --traces {path}")
            raise InputError(
                f"{path} holds no recorded answers: give JSON Lines, an object with a query_id and an answer "
                f"each; what is wrong first: {first}"
            )

    @property
    def name(self) -> str:
        return f"recorded:{self.answers.digest[:16]}"

    def look_up(self, query: EvaluationQuery) -> RecordedAnswer:
        """The answer to a query, or a record of why the file has none."""
        found = self.answers.get(query.query_id)
        if found is None:
            return RecordedAnswer(query_id=query.query_id, failure=NOT_RECORDED)
        if found.answer is None and found.failure is None:
            return RecordedAnswer(
                query_id=query.query_id,
                failure="the record has no answer",
                retrieved=found.retrieved,
                latency_ms=found.latency_ms,
                usage=found.usage,
            )
        return found

    async def answer(self, query: EvaluationQuery) -> RecordedAnswer:
        found = self.look_up(query)
        if found.failure is not None:
            raise TargetFailed(found.failure)
        return found

    async def close(self) -> None:
        self.answers.close()


class TracedTarget(RecordedTarget):
    """Answers that a system gave in production, from its traces."""

    @property
    def name(self) -> str:
        return f"traces:{self.answers.digest[:16]}"

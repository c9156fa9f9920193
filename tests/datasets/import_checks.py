"""Files of rows, and what every imported dataset must hold."""

from __future__ import annotations

import json

from pincite.datasets import EvaluationDataset, from_plain, to_plain, validate_value


def lines(path, rows):
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def document_of(dataset, document_id):
    return next(one.content for one in dataset.documents if one.document_id == document_id)


def checked(dataset: EvaluationDataset) -> EvaluationDataset:
    """A dataset that is valid and comes back from its own file as it was."""
    plain = json.loads(json.dumps(to_plain(dataset)))
    assert list(validate_value(plain, "dataset")) == []
    assert from_plain(EvaluationDataset, plain) == dataset
    return dataset

"""What people said: annotations, their agreement, and labels that a judge is measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.annotation.agreement import FEWEST, AgreementFigure, AgreementFigures, measure_agreement
    from pincite.annotation.annotations import read_annotations
    from pincite.annotation.labels import VERDICTS, Labels, Said, label_of, read_labels, said_of, says_yes
    from pincite.annotation.merging import merge_annotations
    from pincite.annotation.verdicts import (
        labels_from_findings,
        labels_from_pairs,
        pairs_of_findings,
        pairs_to_judge,
        with_verdicts,
    )
    from pincite.annotation.work.changes import ItemState, StaleChange
    from pincite.annotation.work.conflicts import read_told
    from pincite.annotation.work.documents import DocumentWindow, ListedDocument
    from pincite.annotation.work.items import ItemKey, read_key
    from pincite.annotation.work.settle import MERGED, Settled, settle, settled_files, write_settled
    from pincite.annotation.work.workspace import Conflicted, OpenItem, Workspace, check_name
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "agreement": "AgreementFigure AgreementFigures FEWEST measure_agreement",
            "annotations": "read_annotations",
            "labels": "Labels Said VERDICTS label_of read_labels said_of says_yes",
            "merging": "merge_annotations",
            "verdicts": (
                "labels_from_findings labels_from_pairs pairs_of_findings pairs_to_judge with_verdicts"
            ),
            "work.changes": "ItemState StaleChange",
            "work.conflicts": "read_told",
            "work.documents": "DocumentWindow ListedDocument",
            "work.items": "ItemKey read_key",
            "work.settle": "MERGED Settled settle settled_files write_settled",
            "work.workspace": "Conflicted OpenItem Workspace check_name",
        },
    )

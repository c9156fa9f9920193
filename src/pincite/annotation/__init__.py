"""What people said: their annotations, how far they agree, and the labels that a judge is measured by.

A `Workspace` gives people items of a dataset and keeps what they say. `read_annotations` reads such a folder,
`measure_agreement` says how far they agree, `adjudicate` makes a ground truth of it, and `read_labels` gives
the labels by which judges are calibrated and runs corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.annotation.adjudicate import (
        MERGED,
        Adjudication,
        adjudicate_responses,
        adjudicated_files,
        read_responses,
        write_adjudicated,
    )
    from pincite.annotation.agreement import FEWEST, AgreementFigure, AgreementFigures, measure_agreement
    from pincite.annotation.annotations import merge_annotations, read_annotations
    from pincite.annotation.change_log import ItemState, StaleChange
    from pincite.annotation.documents import DocumentWindow, ListedDocument
    from pincite.annotation.labels import (
        VERDICTS,
        Labels,
        Said,
        label_of,
        read_labels,
        said_of,
        says_yes,
    )
    from pincite.annotation.tasks import ItemKey, read_key
    from pincite.annotation.verdicts import (
        labels_from_findings,
        labels_from_pairs,
        pairs_of_findings,
        pairs_to_judge,
        with_verdicts,
    )
    from pincite.annotation.workspace import Conflicted, OpenItem, Workspace, check_name
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "adjudicate": (
                "Adjudication MERGED adjudicate_responses adjudicated_files read_responses write_adjudicated"
            ),
            "agreement": "AgreementFigure AgreementFigures FEWEST measure_agreement",
            "annotations": "merge_annotations read_annotations",
            "change_log": "ItemState StaleChange",
            "documents": "DocumentWindow ListedDocument",
            "labels": "Labels Said VERDICTS label_of read_labels said_of says_yes",
            "tasks": "ItemKey read_key",
            "verdicts": (
                "labels_from_findings labels_from_pairs pairs_of_findings pairs_to_judge with_verdicts"
            ),
            "workspace": "Conflicted OpenItem Workspace check_name",
        },
    )

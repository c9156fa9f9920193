"""The pages over a history, as sections of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.web.api import api_section
from pincite.web.compared import RunsCompared, TrendsShown
from pincite.web.overviews import AlertsShown, DatasetsShown, JudgesShown
from pincite.web.run_shown import RunShown
from pincite.web.runs_listed import RunsListed
from pincite.web.trying import Trying

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store import Store
    from pincite.web.given_datasets import GivenDatasets
    from pincite.web.site import Section


def dashboard_sections(store: Store, settings: Settings, datasets: GivenDatasets) -> tuple[Section, ...]:
    """All sections, in the order of the navigation."""
    parts = (
        RunsListed(store),
        RunShown(store, datasets),
        RunsCompared(store, settings),
        TrendsShown(store),
        AlertsShown(store),
        DatasetsShown(store, datasets),
        JudgesShown(store),
        Trying(settings),
    )
    return (*(part.section() for part in parts), api_section(*parts))

"""The pages over a history, as sections of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.web.run_shown import RunShown
from pincite.web.runs_listed import RunsListed

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.store.history import Store
    from pincite.web.given_datasets import GivenDatasets
    from pincite.web.site import Section


def dashboard_sections(store: Store, settings: Settings, datasets: GivenDatasets) -> tuple[Section, ...]:
    """All sections, in the order of the navigation."""
    return (RunsListed(store).section(), RunShown(store, datasets).section())

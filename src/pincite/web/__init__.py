"""Pages over a history, served on this machine. Needs the extra `pincite[web]`; only a command imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.web.annotation.sections import annotation_sections, work_path
    from pincite.web.app import create_app
    from pincite.web.dashboard import dashboard_sections
    from pincite.web.given_datasets import GivenDatasets
    from pincite.web.security import Guard
    from pincite.web.serving import bind, make_server, serve_site
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "annotation.sections": "annotation_sections work_path",
            "app": "create_app",
            "dashboard": "dashboard_sections",
            "given_datasets": "GivenDatasets",
            "security": "Guard",
            "serving": "bind make_server serve_site",
        },
    )

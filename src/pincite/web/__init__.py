"""Pages over a history, and the pages of annotation, served on this machine. Needs the extra `pincite[web]`.

`serve_site(dashboard_sections(store, settings, datasets), host=…, port=…, announce=print)` serves until
Ctrl-C. A site is made of sections, each a table of routes with a place in the navigation; `create_app` puts a
guard in front of all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.web.annotation_pages import annotation_sections, work_path
    from pincite.web.app import create_app
    from pincite.web.dashboard import dashboard_sections
    from pincite.web.datasets import GivenDatasets
    from pincite.web.security import Guard
    from pincite.web.server import bind, make_server, serve_site
    from pincite.web.site import Section, WebRoute
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "annotation_pages": "annotation_sections work_path",
            "app": "create_app",
            "dashboard": "dashboard_sections",
            "datasets": "GivenDatasets",
            "security": "Guard",
            "server": "bind make_server serve_site",
            "site": "Section WebRoute",
        },
    )

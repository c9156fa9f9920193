"""What axe-core finds on a page, in light and dark, wide and narrow.

axe-core is for tests only (MPL-2.0); `make test-web` fetches it into `build/`. It is evaluated from outside
the page, as a debugger does, so that the page keeps its content security policy.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / "build" / "web" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")
WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
RUN = """
async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) => ({
    id: one.id, impact: one.impact, help: one.help,
    nodes: one.nodes.slice(0, 3).map((node) => `${node.target.join(" ")}: ${node.html.slice(0, 160)}`),
    count: one.nodes.length,
  }));
}
"""


def grave_violations(page: Any) -> list[str]:
    """Every serious or critical violation on the page as it stands, in both schemes and at both widths.

    `page` is a Playwright page. Open what is closed before you ask: axe sees only what is shown. The window
    and the colours are left as they were found last.
    """
    if not SCRIPT.is_file():
        pytest.skip("axe-core is not installed: `make test-web` fetches it and runs these tests")
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    told = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            told += [
                f"{one['impact']} at {width} pixels, {scheme}: {one['id']} ({one['help']}), "
                f"{one['count']} places, such as {'; '.join(one['nodes'])}"
                for one in page.evaluate(RUN)
                if one["impact"] in GRAVE
            ]
    return told

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from action_steps import REPORT, ROOT, WRONG


@pytest.fixture(scope="module")
def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def hooks() -> Any:
    return yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "pincite.toml").write_text("")
    for name, text in (
        ("docs/report.txt", REPORT),
        ("answers/my answer.md", WRONG),
        ("answers/b.md", "Hello!\n"),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path

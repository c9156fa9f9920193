"""One configuration: a flag beats the environment, the environment beats the file.

The file is `pincite.toml`, `[tool.pincite]` in `pyproject.toml`, or the specification's YAML;
`docs/configuration.md` tables every key with its effect. An unknown key is refused by name.
"""

from __future__ import annotations

from pincite.config.load import load_settings, settings_from, with_overrides
from pincite.config.settings import (
    AgreementSettings,
    CacheSettings,
    ErrorHandling,
    Limits,
    LlmSettings,
    PanelSettings,
    Performance,
    Reporting,
    Settings,
    Thresholds,
    defaults,
    without_effect,
)

__all__ = [
    "AgreementSettings",
    "CacheSettings",
    "ErrorHandling",
    "Limits",
    "LlmSettings",
    "PanelSettings",
    "Performance",
    "Reporting",
    "Settings",
    "Thresholds",
    "defaults",
    "load_settings",
    "settings_from",
    "with_overrides",
    "without_effect",
]

"""One configuration: a flag beats the environment, the environment beats the file.

The file is `pincite.toml`, `[tool.pincite]` in `pyproject.toml`, or the specification's YAML;
`docs/configuration.md` tables every key with its effect. An unknown key is refused by name.
"""

from __future__ import annotations

from pincite.config.load import (
    find_settings,
    load_settings,
    read_setting,
    review_settings,
    settings_from,
    with_overrides,
)
from pincite.config.places import owner_name, project_root, real_place, upwards, user_folder
from pincite.config.settings import (
    ALIASES,
    SWITCHES,
    AgreementSettings,
    Alerts,
    CacheSettings,
    ErrorHandling,
    Evaluation,
    Limits,
    LlmSettings,
    PanelSettings,
    Performance,
    Reach,
    Reporting,
    Settings,
    StoreSettings,
    Thresholds,
    defaults,
    without_effect,
)
from pincite.config.trusted_files import (
    Review,
    distrust_file,
    reach_of,
    setting_names,
    shown_value,
    trust_records,
    trust_settings,
)
from pincite.config.values import describe_type, type_of

__all__ = [
    "ALIASES",
    "SWITCHES",
    "AgreementSettings",
    "Alerts",
    "CacheSettings",
    "ErrorHandling",
    "Evaluation",
    "Limits",
    "LlmSettings",
    "PanelSettings",
    "Performance",
    "Reach",
    "Reporting",
    "Review",
    "Settings",
    "StoreSettings",
    "Thresholds",
    "defaults",
    "describe_type",
    "distrust_file",
    "find_settings",
    "load_settings",
    "owner_name",
    "project_root",
    "reach_of",
    "read_setting",
    "real_place",
    "review_settings",
    "setting_names",
    "settings_from",
    "shown_value",
    "trust_records",
    "trust_settings",
    "type_of",
    "upwards",
    "user_folder",
    "with_overrides",
    "without_effect",
]

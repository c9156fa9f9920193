"""What tests of several rooms share. That this file is here also puts `tests/` on the path of all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def no_cache_but_the_tests_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests keep never reaches the cache of the person who runs them, nor what it holds a test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("PINCITE_CACHE_DIR", raising=False)
        yield

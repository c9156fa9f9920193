"""What tests of several rooms share. That this file is here also puts `tests/` on the path of all of them."""

from __future__ import annotations

import inspect
import signal
import sys
from collections.abc import Iterator

import pytest
from _pytest.pytester import SysModulesSnapshot
from hypothesis import settings

from pincite.config import Settings
from pincite.findings import chosen_judge
from pincite.judges import Judge, open_judge

# How long one example takes says more about the machine than about the code.
settings.register_profile("pincite", deadline=None)
settings.load_profile("pincite")


def pytest_runtest_setup() -> None:
    """Let Ctrl-C interrupt each test and the processes that it starts.

    A shell starts a background job with SIGINT ignored, which is inherited, and an earlier test may have left
    another handler behind. Tests that interrupt themselves would then hang until a time limit ends them.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def no_folders_but_the_tests_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tests neither write into the folders of the person who runs them nor read what is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.delenv("PINCITE_CACHE_DIR", raising=False)
        yield


@pytest.fixture
def _modules_stay(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    inner_tests = str(tmp_path_factory.getbasetemp())
    take = SysModulesSnapshot.__init__

    def stays(name: str) -> bool:
        return not str(getattr(sys.modules[name], "__file__", None)).startswith(inner_tests)

    monkeypatch.setattr(SysModulesSnapshot, "__init__", lambda snapshot, preserve=None: take(snapshot, stays))


@pytest.fixture
def pytester(_modules_stay: None, pytester: pytest.Pytester) -> pytest.Pytester:
    """Runs other tests, and leaves loaded what they load, but for their own files.

    Pytest would take it all out of `sys.modules`. Extensions such as numpy's cannot be loaded twice, and what
    the annotations of a class name is looked up in its module.
    """
    return pytester


@pytest.fixture(scope="module")
def rules_by_default() -> Iterator[None]:
    """The rule judge in the place of the built-in one, for tests that are about something else than judging.

    It is fast, and what it says does not change with the weights of a model.
    """

    def make_rules(name: str | Judge | None = None, settings: Settings | None = None) -> Judge:
        return open_judge("rules" if name in (None, "entailment") else name, settings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_JUDGE", "rules")
        # In the module that defines it, whichever that is.
        patch.setitem(inspect.unwrap(chosen_judge).__globals__, "open_judge", make_rules)
        yield

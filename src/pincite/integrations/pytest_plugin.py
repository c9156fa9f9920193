"""The pytest plugin: a fixture to check answers with, and a marker that measures a whole dataset.

    def test_answer(pincite):
        pincite.check(answer, sources).assert_ok()

    @pytest.mark.pincite("qa.eval.json", answers="answers.jsonl", thresholds={"citation_correctness": 0.9})
    def test_system(): ...

pytest loads this in every project that has Pincite installed, so it imports nothing before it is used.
"""

from __future__ import annotations

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from pincite.records import Run

MARKER = "pincite"
_JUDGED = ("check", "check_many", "evaluate")
_runs_key: pytest.StashKey[dict[int, tuple[pytest.Mark, Run]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pincite", "citations of AI answers")
    group.addoption(
        "--pincite-judge",
        metavar="JUDGE",
        help="the judge where a test names none: entailment, rules, llm:MODEL, …",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(dataset, answers=FILE or target=SYSTEM, thresholds={{METRIC: VALUE}}, …): measure a "
        "system on a dataset, and fail where a threshold is missed",
    )


class Pincite:
    """Every public name of Pincite, with the judge of the command line where a call names none."""

    def __init__(self, judge: str | None) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> Any:
        from functools import partial

        import pincite

        value = getattr(pincite, name)
        return partial(value, judge=self._judge) if name in _JUDGED and self._judge else value

    def __dir__(self) -> list[str]:
        import pincite

        return dir(pincite)


@pytest.fixture
def pincite(request: pytest.FixtureRequest) -> Pincite:
    """The public functions of Pincite: `pincite.check(answer, sources).assert_ok()`."""
    return Pincite(request.config.getoption("--pincite-judge"))


@pytest.fixture
def pincite_run(request: pytest.FixtureRequest) -> Run:
    """The finished run of a test that is marked with `pincite`, to look at it more closely."""
    return _run_of(request.node)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Measure before a marked test begins, and ask for the thresholds once it has nothing to complain of."""
    marked = pyfuncitem.get_closest_marker(MARKER) is not None
    run = _run_of(pyfuncitem) if marked else None
    result = yield
    if run is None:
        return result
    from pincite.integrations.pytest_dataset import complaint

    said = complaint(run, _options(pyfuncitem))
    if said:
        pytest.fail(said, pytrace=False)
    return result


def _run_of(item: pytest.Item) -> Run:
    """The run of a marked test, measured the first time that somebody asks for it.

    Tests that share a marker, as those of one class or one `parametrize` do, share its run.
    """
    options = _options(item)
    mark = item.get_closest_marker(MARKER)
    runs = item.config.stash.setdefault(_runs_key, {})
    if mark is not None and id(mark) not in runs:
        from pincite.errors import PinciteError
        from pincite.integrations.pytest_dataset import measure

        judge = item.config.getoption("--pincite-judge")
        try:
            runs[id(mark)] = mark, measure(options, item.path.parent, judge)
        except PinciteError as error:
            raise pytest.fail.Exception(f"pincite could not measure: {error}", pytrace=False) from None
    return runs[id(mark)][1]


def _options(item: pytest.Item) -> dict[str, Any]:
    """What the marker says; the dataset may be given by its place."""
    marker = item.get_closest_marker(MARKER)
    if marker is None:
        pytest.fail(f"pincite_run needs a test that is marked with @pytest.mark.{MARKER}", pytrace=False)
    if len(marker.args) > 1 or (marker.args and "dataset" in marker.kwargs):
        pytest.fail(f"@pytest.mark.{MARKER} takes one dataset; give the rest by name", pytrace=False)
    return {**({"dataset": marker.args[0]} if marker.args else {}), **marker.kwargs}

"""Several processes write into one history at the same time, and nothing is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from history_items import new_item, new_run

from pincite.store import open_store

HERE = Path(__file__).parent
PROCESSES, ITEMS = 4, 400

WORKER = """
    import sys
    sys.path.insert(0, {here!r})
    from history_items import finished, new_item, new_run
    from pincite.store import open_store

    with open_store({url!r}) as store:
        run, journal = store.begin(new_run())
        for position in range({items}):
            journal.append(new_item(position))
            if position % 40 == 0:
                journal.flush()
                store.update("count", "all", lambda found: {{"n": (found or {{"n": 0}})["n"] + 1}})
        store.finish(finished(run))
        print(run.run_id)
"""


@pytest.mark.thorough
def test_four_processes_write_at_once(url: str) -> None:
    """The tables too are made by whoever comes first."""
    code = textwrap.dedent(WORKER.format(here=str(HERE), url=url, items=ITEMS))
    workers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    done = [worker.communicate(timeout=100) for worker in workers]
    assert [err for _, err in done] == [""] * PROCESSES
    ids = {out.strip() for out, _ in done}
    assert len(ids) == PROCESSES
    with open_store(url) as store:
        assert {run.run_id for run in store.runs()} == ids
        for run_id in ids:
            assert [item.position for item in store.items(run_id)] == list(range(ITEMS))
            assert store.verdicts(run_id) == {"support": {"supported": ITEMS}}
        assert store.get("count", "all") == {"n": PROCESSES * ITEMS // 40}


def test_several_threads_of_one_process_share_a_journal(url: str) -> None:
    with open_store(url) as store:
        _, journal = store.begin(new_run())

        def add(start: int) -> None:
            for position in range(start, 400, 4):
                journal.append(new_item(position))

        threads = [threading.Thread(target=add, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [item.position for item in journal.results()] == list(range(400))


def test_a_forked_process_leaves_the_connections_of_its_parent_alone(url: str) -> None:
    """Run apart: to fork a process that has threads is warned of, and this one has them."""
    code = f"""
        import gc, os, sys, warnings
        sys.path.insert(0, {str(HERE)!r})
        from history_items import new_item, new_run
        from pincite.store import open_store

        warnings.simplefilter("ignore", DeprecationWarning)
        store = open_store({url!r})
        run, journal = store.begin(new_run())
        journal.append(new_item(0))
        journal.flush()
        if os.fork() == 0:
            store = journal = None
            gc.collect()
            os._exit(0)
        os.wait()
        journal.append(new_item(1))
        assert len(list(journal.results())) == 2
        store.close()
        print("done")
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("done\n", "")

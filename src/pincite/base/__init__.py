"""What every room needs and none owns: files, processes, one HTTP client, and how problems are told.

A user's file is read by `read_limited` and written by `write_atomic`; synchronous code enters the
asynchronous core by `run_sync`; numpy is `np` from here, so that it is loaded when it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base.lazy import lazy_names

if TYPE_CHECKING:
    from pincite.base.child_process import (
        OUT_OF_MEMORY,
        ChildProcess,
        MessageTooLong,
        ParentPipe,
        ProcessEnded,
        import_path,
        kill_group,
        run_child,
    )
    from pincite.base.exit import allow_time, clear_at_end, end_now, gone_at_end, time_left
    from pincite.base.files import (
        NO_MEMORY,
        open_atomic,
        open_named,
        read_limited,
        read_small_file,
        within_memory,
        write_atomic,
    )
    from pincite.base.http_client import (
        MOST_BYTES,
        MOST_HEADERS,
        HttpClient,
        HttpFailed,
        HttpReply,
        retry_after,
        split_address,
    )
    from pincite.base.lazy import np
    from pincite.base.machine import cores, free_megabytes, keep_to_one_core
    from pincite.base.messages import describe_error, did_you_mean, import_extra, missing_extra, one_line
    from pincite.base.named_function import find_function
    from pincite.base.safe_text import HIDDEN, address_secrets, hide_in_addresses, is_formula
    from pincite.base.sqlite_files import (
        SIDE_FILES,
        StatementLimit,
        link_out,
        odd_object,
        why_not_plain,
        words_of,
    )
    from pincite.base.sync import RunHere, event_loop, run_sync
    from pincite.base.tolerant_json import MOST_BITS, hashed_form, read_json, read_lenient_json, write_json
    from pincite.base.yaml_toml import check_yaml, read_toml
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "child_process": (
                "ChildProcess MessageTooLong OUT_OF_MEMORY ParentPipe ProcessEnded import_path kill_group "
                "run_child"
            ),
            "exit": "allow_time clear_at_end end_now gone_at_end time_left",
            "files": (
                "NO_MEMORY open_atomic open_named read_limited read_small_file within_memory write_atomic"
            ),
            "http_client": (
                "HttpClient HttpFailed HttpReply MOST_BYTES MOST_HEADERS retry_after split_address"
            ),
            "lazy": "np",
            "machine": "cores free_megabytes keep_to_one_core",
            "messages": "describe_error did_you_mean import_extra missing_extra one_line",
            "named_function": "find_function",
            "safe_text": "HIDDEN address_secrets hide_in_addresses is_formula",
            "sqlite_files": "SIDE_FILES StatementLimit link_out odd_object why_not_plain words_of",
            "sync": "RunHere event_loop run_sync",
            "tolerant_json": "MOST_BITS hashed_form read_json read_lenient_json write_json",
            "yaml_toml": "check_yaml read_toml",
        },
    )

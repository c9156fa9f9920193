"""Does this evidence support this claim? Rules, a built-in model, other models, language models, panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.judges.cache import CacheInfo, ReplyCache, cache_path, open_cache, reply_key
    from pincite.judges.calibrated import (
        CALIBRATION_VERSION,
        SavedCalibration,
        load_calibration,
        recalibrated,
    )
    from pincite.judges.entailment.join import Features, Join, Weight, decide, features, load_join
    from pincite.judges.entailment.judge import NAME, Read, read_for_model
    from pincite.judges.entailment.model import FILES, WEIGHTS, EntailmentModel, Opinion
    from pincite.judges.entailment.shown import CLAIM_TOKENS, TOKENS, CutIntoTokens, show
    from pincite.judges.judge import Judge, Prompt, WrappedJudge, trace_verdict, unjudged
    from pincite.judges.llm.asking import CallFailed
    from pincite.judges.llm.bodies import (
        Heard,
        RequestFailure,
        events,
        is_stream,
        read_body,
        read_json,
        table,
        whole_text,
    )
    from pincite.judges.llm.budget import TALLY, UsageTally, read_prices, tell_usage
    from pincite.judges.llm.judge import LlmJudge, find_quote
    from pincite.judges.llm.listening import EventListener, text_of
    from pincite.judges.llm.prompting import (
        closed_object,
        fence_code,
        fenced,
        sendable,
        split_pairs,
        write_sheet,
    )
    from pincite.judges.llm.replies import read_reply, shown
    from pincite.judges.llm.transport import SdkCaller, estimate, make_caller
    from pincite.judges.opening import make_judge, open_judge
    from pincite.judges.panel import read_panel
    from pincite.judges.rules.observation import Observed
    from pincite.judges.rules.reading import ReadingRoom, ReadText
    from pincite.judges.rules.words import cover
    from pincite.judges.telemetry import load_onnxruntime
    from pincite.judges.values import LARGEST, Number, find_numbers, fits, judge_value
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "cache": "CacheInfo ReplyCache cache_path open_cache reply_key",
            "calibrated": "CALIBRATION_VERSION SavedCalibration load_calibration recalibrated",
            "entailment.join": "Features Join Weight decide features load_join",
            "entailment.judge": "NAME Read read_for_model",
            "entailment.model": "EntailmentModel FILES Opinion WEIGHTS",
            "entailment.shown": "CLAIM_TOKENS CutIntoTokens TOKENS show",
            "judge": "Judge Prompt WrappedJudge trace_verdict unjudged",
            "llm.asking": "CallFailed",
            "llm.bodies": "Heard RequestFailure events is_stream read_body read_json table whole_text",
            "llm.budget": "TALLY UsageTally read_prices tell_usage",
            "llm.judge": "LlmJudge find_quote",
            "llm.listening": "EventListener text_of",
            "llm.prompting": "closed_object fence_code fenced sendable split_pairs write_sheet",
            "llm.replies": "read_reply shown",
            "llm.transport": "SdkCaller estimate make_caller",
            "opening": "make_judge open_judge",
            "panel": "read_panel",
            "rules.observation": "Observed",
            "rules.reading": "ReadText ReadingRoom",
            "rules.words": "cover",
            "telemetry": "load_onnxruntime",
            "values": "LARGEST Number find_numbers fits judge_value",
        },
    )

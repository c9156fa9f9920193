"""Does this evidence support this claim? Rules, a built-in model, other models, language models, panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
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
    from pincite.judges.judge import Judge, WrappedJudge, trace_verdict, unjudged
    from pincite.judges.llm.judge import LlmJudge
    from pincite.judges.llm.prompt_batch import split_pairs, write_batch
    from pincite.judges.llm.replies import read_reply, shown
    from pincite.judges.opening import make_judge, open_judge
    from pincite.judges.panel import read_panel
    from pincite.judges.quotes import find_quote
    from pincite.judges.rules.observation import Observed
    from pincite.judges.rules.reading import ReadingRoom, ReadText
    from pincite.judges.rules.words import cover
    from pincite.judges.telemetry import load_onnxruntime
    from pincite.judges.values import LARGEST, Number, find_numbers, fits, judge_value
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "calibrated": "CALIBRATION_VERSION SavedCalibration load_calibration recalibrated",
            "entailment.join": "Features Join Weight decide features load_join",
            "entailment.judge": "NAME Read read_for_model",
            "entailment.model": "EntailmentModel FILES Opinion WEIGHTS",
            "entailment.shown": "CLAIM_TOKENS CutIntoTokens TOKENS show",
            "judge": "Judge WrappedJudge trace_verdict unjudged",
            "llm.judge": "LlmJudge",
            "llm.prompt_batch": "split_pairs write_batch",
            "llm.replies": "read_reply shown",
            "opening": "make_judge open_judge",
            "panel": "read_panel",
            "quotes": "find_quote",
            "rules.observation": "Observed",
            "rules.reading": "ReadText ReadingRoom",
            "rules.words": "cover",
            "telemetry": "load_onnxruntime",
            "values": "LARGEST Number find_numbers fits judge_value",
        },
    )

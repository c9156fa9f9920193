"""Does this evidence support this claim? Rules, a built-in model, other models, language models, panels.

`open_judge(NAME)` gives a `Judge`, and `await judge.judge(pairs)` a verdict for each pair. Each kind is
loaded when it is opened: `rules` reads words, numbers and negations; `entailment`, the default, lets a small
model read the pair as well, and decides by both; `nli` runs a model from elsewhere, and `llm` asks a language
model.

The names of the built-in judge's parts (`Join`, `features`, `choose_excerpt` …) are for `training/`, which
makes its weights with the same code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.base import lazy_names

if TYPE_CHECKING:
    from pincite.judges.calibration import (
        CALIBRATION_VERSION,
        SavedCalibration,
        load_calibration,
        recalibrated,
    )
    from pincite.judges.entailment.decision import Features, Join, Weight, decide, features, load_join
    from pincite.judges.entailment.excerpt import CLAIM_TOKENS, TOKENS, CutIntoTokens, choose_excerpt
    from pincite.judges.entailment.judge import NAME, Read, read_for_model
    from pincite.judges.entailment.model import FILES, WEIGHTS, EntailmentModel, Opinion
    from pincite.judges.factory import make_judge, open_judge
    from pincite.judges.judge import Judge, WrappedJudge, trace_verdict, unjudged
    from pincite.judges.llm.judge import LlmJudge
    from pincite.judges.llm.prompt_batch import split_pairs, write_batch
    from pincite.judges.llm.replies import read_verdicts, shown_reply
    from pincite.judges.onnx import load_onnxruntime
    from pincite.judges.panel import Cascade, VotingPanel, read_panel
    from pincite.judges.quotes import find_quote
    from pincite.judges.rules.judge import NumberRules
    from pincite.judges.rules.quantities import around
    from pincite.judges.rules.texts import ReadText, TextCache
    from pincite.judges.rules.view import Observed
    from pincite.judges.rules.words import cover
    from pincite.judges.values import LARGEST, Number, find_numbers, fits, judge_value
else:
    __getattr__, __all__ = lazy_names(
        __name__,
        {
            "calibration": "CALIBRATION_VERSION SavedCalibration load_calibration recalibrated",
            "entailment.decision": "Features Join Weight decide features load_join",
            "entailment.excerpt": "CLAIM_TOKENS CutIntoTokens TOKENS choose_excerpt",
            "entailment.judge": "NAME Read read_for_model",
            "entailment.model": "EntailmentModel FILES Opinion WEIGHTS",
            "factory": "make_judge open_judge",
            "judge": "Judge WrappedJudge trace_verdict unjudged",
            "llm.judge": "LlmJudge",
            "llm.prompt_batch": "split_pairs write_batch",
            "llm.replies": "read_verdicts shown_reply",
            "onnx": "load_onnxruntime",
            "panel": "Cascade VotingPanel read_panel",
            "quotes": "find_quote",
            "rules.judge": "NumberRules",
            "rules.quantities": "around",
            "rules.texts": "ReadText TextCache",
            "rules.view": "Observed",
            "rules.words": "cover",
            "values": "LARGEST Number find_numbers fits judge_value",
        },
    )

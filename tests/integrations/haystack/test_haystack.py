"""The components in real Haystack pipelines."""

from __future__ import annotations

import pytest
from haystack import Document, GeneratedAnswer, Pipeline
from haystack.components.builders import AnswerBuilder
from haystack.evaluation import EvaluationRunResult

from pages import run_page
from pincite.integrations.haystack import HaystackCitationChecker, HaystackCitationEvaluator

FIRST = "Revenue grew by 21% in the first quarter."
SECOND = "The office in Lisbon opened in May."
RIGHT = "Revenue grew by 21% in the first quarter [1]. The Lisbon office opened in May [2]."
WRONG = "Revenue grew by 12% in the first quarter [1]. The Lisbon office opened in May [2]."
DOCUMENTS = [
    Document(content=FIRST, id="a"),
    Document(content=SECOND, id="b", meta={"file_path": "news.txt"}),
]


def test_answers_are_scored_in_a_pipeline_and_shown_by_the_frameworks_own_report() -> None:
    pipeline = Pipeline()
    pipeline.add_component("citations", HaystackCitationEvaluator(judge="rules"))
    inputs = {
        "questions": ["q1", "q2", "q3"],
        "contexts": [[FIRST, SECOND]] * 3,
        "predicted_answers": [RIGHT, WRONG, "Nothing is cited here."],
    }
    results = pipeline.run({"citations": inputs})
    assert results["citations"]["individual_scores"] == [1.0, 0.5, None]
    assert results["citations"]["score"] == 0.75
    reasons = [one["reason"] for one in results["citations"]["results"]]
    assert "12% in the claim, 21% in the source" in reasons[1]
    assert reasons[2] == "nothing to judge: the answer has no citations"
    run = EvaluationRunResult("citations", inputs, {"citations": results["citations"]})
    assert run.aggregated_report(output_format="json") == {"metrics": ["citations"], "score": [0.75]}


def test_where_nothing_was_judged_there_is_no_score() -> None:
    evaluator = HaystackCitationEvaluator(judge="rules")
    result = evaluator.run(predicted_answers=["Nothing is cited."], contexts=[[FIRST]])
    assert (result["score"], result["individual_scores"]) == (None, [None])
    assert evaluator.run(predicted_answers=[], contexts=[])["score"] is None


def test_documents_are_contexts_with_their_ids_and_files() -> None:
    answers = [
        "Revenue grew by 21% in the first quarter [a].",
        "The office in Lisbon opened in May [news.txt].",
    ]
    result = HaystackCitationEvaluator(judge="rules").run(predicted_answers=answers, contexts=[DOCUMENTS] * 2)
    assert result["individual_scores"] == [1.0, 1.0]


def test_lists_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        HaystackCitationEvaluator().run(predicted_answers=[RIGHT], contexts=[])
    with pytest.raises(ValueError, match="same length"):
        HaystackCitationEvaluator().run(predicted_answers=[RIGHT], contexts=[[FIRST]], questions=["a", "b"])


def test_a_pipeline_sends_answers_with_problems_another_way() -> None:
    pipeline = Pipeline()
    pipeline.add_component("answers", AnswerBuilder())
    pipeline.add_component("citations", HaystackCitationChecker(judge="rules"))
    pipeline.connect("answers.answers", "citations.answers")
    replies = [RIGHT, WRONG, "Nothing is cited."]
    done = pipeline.run({"answers": {"query": "What happened?", "replies": replies, "documents": DOCUMENTS}})
    assert [one.data for one in done["citations"]["ok"]] == [RIGHT]
    flagged = done["citations"]["flagged"]
    assert [(one.data, one.meta["pincite"]["label"]) for one in flagged] == [
        (WRONG, "problems"),
        ("Nothing is cited.", "unjudged"),
    ]
    assert [one["verdict"] for one in flagged[0].meta["pincite"]["citations"]] == [
        "contradicted",
        "supported",
    ]
    assert GeneratedAnswer.from_dict(flagged[0].to_dict()) == flagged[0]


def test_a_builder_that_keeps_only_referenced_documents_does_not_shift_the_numbers() -> None:
    builder = AnswerBuilder(reference_pattern=r"\[(\d+)\]")
    reply = "The office in Lisbon opened in May [2]."
    (answer,) = builder.run(query="When?", replies=[reply], documents=DOCUMENTS)["answers"]
    assert [one.content for one in answer.documents] == [SECOND]
    done = HaystackCitationChecker(judge="rules").run(answers=[answer])
    assert len(done["ok"]) == 1


def test_a_saved_pipeline_keeps_its_judge_and_settings() -> None:
    pipeline = Pipeline()
    pipeline.add_component(
        "citations", HaystackCitationEvaluator(judge="rules", overrides={"offsets": "page"})
    )
    pipeline.add_component("checker", HaystackCitationChecker(judge="rules"))
    again = Pipeline.loads(pipeline.dumps(), allowed_modules=["pincite.integrations.haystack"])
    assert again.get_component("citations").judge == "rules"
    assert again.get_component("citations").overrides == {"offsets": "page"}
    assert again.get_component("checker").judge == "rules"


def test_the_page_is_true() -> None:
    run_page("haystack")

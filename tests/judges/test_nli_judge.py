from __future__ import annotations

import math
import os
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.base import cores, run_sync
from pincite.config import Settings, load_settings
from pincite.errors import JudgeError
from pincite.findings import pool_for
from pincite.judges import Judge, open_judge
from pincite.metrics import Case, Metric, Verdicts
from pincite.records import Answer, Pair, Passage, Question, Result, Span, Verdict
from pincite.runs import evaluate
from pincite.sources import open_sources
from tiny_models import THREE, make_model

CLAIM = "The council opened the bridge."
ENTAILS = "The council of the old city opened the bridge in 1990."
DENIES = "The council did not opened the bridge in 1990."
SILENT = "Cows eat grass."


def pair(claim: str, *evidence: str, question: Question = "support", context: str = "") -> Pair:
    return Pair(claim, tuple(Passage(text, context=context) for text in evidence), question)


def judged(judge: Judge, *pairs: Pair) -> list[Verdict]:
    return run_sync(judge.judge(pairs), waits=False)


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return open_judge(f"nli:{make_model(tmp_path_factory.mktemp('models') / 'three')}")


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """A model that fails on a row longer than 48 tokens."""
    return open_judge(f"nli:{make_model(tmp_path_factory.mktemp('models') / 'narrow', length=48)}")


@pytest.mark.parametrize("types", [True, False])
@pytest.mark.parametrize("mask", [True, False])
@pytest.mark.parametrize("labels", [THREE, ("CONTRADICTION", "ENTAILMENT", "NEUTRAL"), THREE[::-1]])
def test_three_labels_in_any_order_with_and_without_their_inputs(
    tmp_path: Path, labels: tuple[str, ...], mask: bool, types: bool
) -> None:
    made = open_judge(f"nli:{make_model(tmp_path, labels, types=types, mask=mask)}")
    found = judged(made, pair(CLAIM, ENTAILS), pair(CLAIM, DENIES), pair(CLAIM, SILENT), pair(CLAIM, CLAIM))
    assert [verdict.outcome for verdict in found] == ["supported", "contradicted", "not_enough", "supported"]
    # All words of the claim are held: the raw outputs are 20 − 18, 0 and 6 − 12.
    total = math.exp(2) + 1 + math.exp(-6)
    assert found[0].score == round(math.exp(2) / total, 4)
    assert all(verdict.judge == made.name for verdict in found)


@pytest.mark.parametrize("labels", [("unsupported", "supported"), ("entailment", "not_entailment")])
def test_a_head_with_two_outputs_supports_or_not_and_never_contradicts(
    tmp_path: Path, labels: tuple[str, ...]
) -> None:
    made = open_judge(f"nli:{make_model(tmp_path, labels)}")
    found = judged(made, pair(CLAIM, ENTAILS), pair(CLAIM, DENIES), pair(CLAIM, SILENT))
    assert [verdict.outcome for verdict in found] == ["supported", "not_enough", "not_enough"]
    assert found[0].score == round(1 / (1 + math.exp(-2)), 4)
    (asked,) = judged(made, pair(CLAIM, DENIES, question="consistency"))
    assert (asked.outcome, asked.score, asked.cause) == ("unjudged", None, "question")


def test_one_output_is_the_log_odds_of_support(tmp_path: Path) -> None:
    found = judged(
        open_judge(f"nli:{make_model(tmp_path, ['supported'])}"), pair(CLAIM, ENTAILS), pair(CLAIM, SILENT)
    )
    assert [verdict.outcome for verdict in found] == ["supported", "not_enough"]
    assert found[0].score == round(1 / (1 + math.exp(-2)), 4)


def test_the_order_of_the_two_texts_is_the_models(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "turned", claim_first=True)
    right = judged(open_judge(f"nli:{folder}?order=claim-first"), pair(CLAIM, ENTAILS))
    wrong = judged(open_judge(f"nli:{folder}"), pair(CLAIM, ENTAILS))
    assert right[0].outcome == "supported"
    assert wrong[0].outcome != "supported"  # the longer text is not entailed by the shorter


def test_labels_can_be_stated_where_the_config_names_none(tmp_path: Path) -> None:
    folder = make_model(tmp_path, ["LABEL_0", "LABEL_1", "LABEL_2"])
    with pytest.raises(JudgeError, match="LABEL_0"):
        open_judge(f"nli:{folder}")
    for labels in ("entailment,neutral,contradiction", "entailment/neutral/contradiction"):
        assert (
            judged(open_judge(f"nli:{folder}?labels={labels}"), pair(CLAIM, DENIES))[0].outcome
            == "contradicted"
        )
    (folder / "pincite.json").write_text('{"labels": ["entailment", "neutral", "contradiction"]}')
    assert judged(open_judge(f"nli:{folder}"), pair(CLAIM, ENTAILS))[0].outcome == "supported"


def test_the_name_tells_models_labels_and_orders_apart_and_shows_no_path(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "here")
    names = [
        open_judge(f"nli:{folder}{more}").name
        for more in ("", "?order=claim-first", "?max_length=32", "?labels=neutral/entailment/contradiction")
    ]
    assert len(set(names)) == 4
    assert all(name.startswith("nli:here/") and str(tmp_path) not in name for name in names)
    assert open_judge(f"nli:{folder}").name == names[0]


def test_the_span_is_the_sentence_that_decides(judge: Judge) -> None:
    for sentence, outcome in ((ENTAILS, "supported"), (DENIES, "contradicted")):
        text = f"{SILENT} {sentence} It rained in 2001."
        (found,) = judged(judge, pair(CLAIM, "The train was old.", text))
        assert (found.outcome, found.passage) == (outcome, 1)
        assert found.span is not None
        assert found.span.of(text) == sentence


def test_several_passages_may_support_a_claim_together(judge: Judge) -> None:
    claim = "The council opened the bridge in 1990."
    parts = "The council opened it.", "The bridge opened in 1990."
    alone = judged(judge, pair(claim, parts[0]), pair(claim, parts[1]))
    (together,) = judged(judge, pair(claim, *parts))
    assert [verdict.outcome for verdict in alone] == ["not_enough", "not_enough"]
    assert together.outcome == "supported"
    assert "together" in together.reason
    assert together.passage in (0, 1)


def test_support_in_one_passage_outweighs_a_contradiction_in_another(judge: Judge) -> None:
    supported, contradicted = judged(judge, pair(CLAIM, DENIES, ENTAILS), pair(CLAIM, DENIES, SILENT))
    assert (supported.outcome, supported.passage) == ("supported", 1)
    assert (contradicted.outcome, contradicted.passage) == ("contradicted", 0)


def test_consistency_asks_only_for_a_contradiction(judge: Judge) -> None:
    against, silent = judged(
        judge,
        pair(CLAIM, ENTAILS, DENIES, question="consistency"),
        pair(CLAIM, SILENT, question="consistency"),
    )
    assert (against.outcome, against.passage) == ("contradicted", 1)
    assert against.score is not None
    assert against.score < 0.05
    assert silent.outcome == "supported"
    assert silent.score is not None
    assert silent.score > 0.95


def test_grounding_is_judged_as_support_and_relevance_not_at_all(judge: Judge) -> None:
    grounded, relevant = judged(
        judge, pair(CLAIM, ENTAILS, question="grounding"), pair(CLAIM, ENTAILS, question="relevance")
    )
    assert grounded.outcome == "supported"
    assert (relevant.outcome, relevant.cause) == ("unjudged", "question")


def test_long_evidence_is_read_to_its_end(judge: Judge) -> None:
    before = f"{SILENT} " * 150
    text = before + ENTAILS + f" {SILENT}" * 70
    (found,) = judged(judge, pair(CLAIM, text))
    assert found.outcome == "supported"
    assert found.span == Span(len(before), len(before) + len(ENTAILS))


FILLERS = st.lists(
    st.sampled_from(
        [SILENT, "It rained!", "\n\n", "  ", "grass " * 70, "- tea, snow", "\ud800 …", "the " * 30]
    ),
    max_size=25,
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(before=FILLERS, after=FILLERS, context=st.sampled_from(["", "The cost of tea", "the " * 70]))
def test_a_sentence_is_found_wherever_it_stands(judge: Judge, before: str, after: str, context: str) -> None:
    text = f"{before}\n\n{ENTAILS}\n\n{after}"
    (found,) = judged(judge, pair(CLAIM, text, context=context))
    assert found.outcome == "supported"
    assert found.span is not None
    assert ENTAILS in found.span.of(text)


@settings(max_examples=60, deadline=None)
@given(claim=st.text(max_size=60), texts=st.lists(st.text(max_size=30) | FILLERS, min_size=1, max_size=4))
def test_a_model_of_one_length_is_never_shown_more(narrow: Judge, claim: str, texts: list[str]) -> None:
    assert judged(narrow, pair(claim, *texts))[0].cause != "error"


def test_what_two_neighbouring_sentences_say_is_seen_across_a_windows_edge(judge: Judge) -> None:
    claim = "The council opened the bridge in 1990."
    for before in range(12, 20):
        text = (
            f"{SILENT} " * before + "The council opened it. The bridge opened in 1990. " + f"{SILENT} " * 12
        )
        assert judged(judge, pair(claim, text))[0].outcome == "supported"


def test_a_sentence_without_an_end_is_read_in_pieces(judge: Judge) -> None:
    text = "grass " * 300 + "the council opened the bridge " + "grass " * 300
    (found,) = judged(judge, pair(CLAIM, text))
    assert found.outcome == "supported"
    assert found.span is not None
    assert "council opened the bridge" in found.span.of(text)


def test_a_hundred_thousand_characters_take_little_memory(judge: Judge) -> None:
    text = "The cows of the old city eat grass by the river in 1990. " * 1_750 + ENTAILS
    assert len(text) > 99_000
    tracemalloc.start()
    try:
        found = judged(judge, *[pair(CLAIM, text)] * 3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [verdict.outcome for verdict in found] == ["supported"] * 3
    assert peak < 100_000_000


def test_a_table_row_is_read_with_its_header(judge: Judge) -> None:
    claim = "The city built two bridge"
    assert judged(judge, pair(claim, "two"))[0].outcome == "not_enough"
    assert judged(judge, pair(claim, "two", context="The city built bridge"))[0].outcome == "supported"


@pytest.mark.parametrize(
    ("claim", "evidence", "cause"),
    [
        ("", (ENTAILS,), "empty"),
        (" …", (ENTAILS,), "empty"),
        (CLAIM, (), "empty"),
        (CLAIM, ("", " \n"), "empty"),
        ("the bridge " * 40, (ENTAILS,), "length"),
        ("word" * 40_000 + " x" * 90, (ENTAILS,), "length"),
    ],
)
def test_what_cannot_be_asked_is_unjudged(
    judge: Judge, claim: str, evidence: tuple[str, ...], cause: str
) -> None:
    refused, other = judged(judge, pair(claim, *evidence), pair(CLAIM, ENTAILS))
    assert (refused.outcome, refused.score, refused.cause) == ("unjudged", None, cause)
    assert other.outcome == "supported"


@pytest.mark.parametrize("spoil", [math.nan, math.inf])
def test_outputs_that_are_no_numbers_leave_a_pair_unjudged(tmp_path: Path, spoil: float) -> None:
    (found,) = judged(open_judge(f"nli:{make_model(tmp_path, spoil=spoil)}"), pair(CLAIM, ENTAILS))
    assert (found.outcome, found.score, found.cause) == ("unjudged", None, "error")


@pytest.mark.parametrize(
    "text", ["\ud800 the bridge \udfff", "\x00", "🐄" * 3_000, "[SEP] [CLS] [PAD]", "ب" * 500]
)
def test_no_text_breaks_it(judge: Judge, text: str) -> None:
    found = judged(judge, pair(text + " x", ENTAILS), pair(CLAIM, text + " x"), pair(CLAIM, ENTAILS))
    assert len(found) == 3
    assert found[2].outcome == "supported"


def test_alone_and_in_a_batch_a_pair_gets_the_same_verdict(judge: Judge) -> None:
    pairs = [
        pair(CLAIM, ENTAILS),
        pair("Cows eat grass.", f"{SILENT} {DENIES} {ENTAILS}"),
        pair(CLAIM, DENIES),
    ] * 9
    assert judged(judge, *pairs) == [judged(judge, one)[0] for one in pairs]


@pytest.mark.parametrize(("batch", "length"), [(1, "tokens"), (4, "tokens"), ("rows", 48), (2, 64)])
def test_an_export_for_one_shape_is_fed_that_shape(
    tmp_path: Path, batch: int | str, length: int | str, judge: Judge
) -> None:
    made = open_judge(f"nli:{make_model(tmp_path, batch=batch, length=length)}")
    pairs = [pair(CLAIM, text) for text in (ENTAILS, DENIES, SILENT, CLAIM, f"{SILENT} " * 60 + ENTAILS)]
    assert [v.outcome for v in judged(made, *pairs)] == [v.outcome for v in judged(judge, *pairs)]


def test_left_padding_changes_nothing(tmp_path: Path) -> None:
    folder = make_model(tmp_path)
    pairs = [pair(CLAIM, ENTAILS), pair("Cows drink tea", f"{SILENT} {DENIES}"), pair(CLAIM, DENIES, SILENT)]
    right = judged(open_judge(f"nli:{folder}"), *pairs)
    (folder / "tokenizer_config.json").write_text(
        '{"padding_side": "left", "pad_token": {"content": "[PAD]"}}'
    )
    assert judged(open_judge(f"nli:{folder}"), *pairs) == right


def test_nothing_is_asked_of_an_empty_batch(judge: Judge) -> None:
    assert judged(judge) == []


class InProcess(Metric, frozen=True, kw_only=True):
    """Which process scores an answer, and on how many cores."""

    title = "in_process"

    def score(self, case: Case, verdicts: Verdicts) -> Result:
        return self.result(os.getpid(), 1, counts={"cores": float(cores())})


@pytest.mark.thorough
def test_an_evaluation_asks_a_model_in_several_processes_and_gets_the_same_results(tmp_path: Path) -> None:
    model = f"nli:{make_model(tmp_path / 'three')}"
    found = []
    for workers in (1, 2):
        loaded = load_settings(
            environment={}, folder=tmp_path, judge=model, evaluation_workers=workers, evaluation_resamples=100
        )
        metrics = ("citation_correctness", InProcess())
        run = evaluate("sample", answers="sample:a", metrics=metrics, settings=loaded)
        assert run.judge.startswith("nli:")
        found.append(list(run.items()))
    here, there = ([item.results[-1] for item in items] for items in found)
    assert {one.numerator for one in here} == {os.getpid()}
    assert os.getpid() not in {one.numerator for one in there}
    assert {one.counts["cores"] for one in there} == {1.0}
    plain = [
        [msgspec.structs.replace(one, key="", results=one.results[:-1]) for one in items] for items in found
    ]
    assert plain[0] == plain[1]
    assert any(verdict.outcome == "supported" for item in found[1] for verdict in item.verdicts)


def test_a_check_keeps_a_model_that_reads_pairs_together_in_this_process(judge: Judge) -> None:
    read = [Answer(text="The council opened the bridge. " * 2_000)]
    with pool_for(read, open_sources({"a.txt": "some text"}), judge, Settings()) as pool:
        assert pool is None
    assert judge.computes_together and judge.megabytes >= 100

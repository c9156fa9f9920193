"""The folder of an entailment model: how it is named, which files are used, and what its labels mean."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

from pincite.base import run_sync
from pincite.config import Settings
from pincite.errors import JudgeError, MissingExtraError
from pincite.judges import open_judge
from pincite.records import Pair, Passage
from tiny_models import THREE, make_model

CLAIM = "The council opened the bridge."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def outcomes(place: object) -> list[str]:
    """What a model says of evidence that entails, denies and does not mention the claim."""
    texts = (
        "The council opened the bridge in 1990.",
        "The council did not opened the bridge.",
        "Cows eat grass.",
    )
    judge = open_judge(f"nli:{place}")
    return [one.outcome for one in run_sync(judge.judge([Pair(CLAIM, (Passage(text),)) for text in texts]))]


def limit(place: object) -> int:
    """How many tokens of claim and evidence the model reads, as is told of a claim that is too long."""
    judge = open_judge(f"nli:{place}")
    (verdict,) = run_sync(judge.judge([Pair("the bridge " * 9000, (Passage("Cows eat grass."),))]))
    found = re.search(r"the model reads (\d+) tokens", verdict.reason)
    assert found
    return int(found[1])


def rewrite(path: Path, **changes: object) -> None:
    table = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in table.items() if value is not None}))


# --- what is said in the name -----------------------------------------------------------------------


def test_a_name_says_what_the_files_leave_open(tmp_path: Path) -> None:
    folder = make_model(tmp_path, ["LABEL_0", "LABEL_1", "LABEL_2"], claim_first=True, file="onnx/m.onnx")
    make_model(folder, THREE, file="other.onnx")
    rewrite(folder / "config.json", id2label=None)
    said = (
        f"{folder}?labels=entailment,neutral,contradiction&order=claim-first&max-length=40&file=onnx%2Fm.onnx"
    )
    assert outcomes(said) == ["supported", "contradicted", "not_enough"]
    assert limit(said) == 40


def test_a_folder_with_a_question_mark_in_its_name_is_a_folder(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "really?")
    assert open_judge(f"nli:{folder}").name.startswith("nli:really?/")


@pytest.mark.parametrize(
    ("rest", "complaint"),
    [
        ("", "names no model"),
        ("x?", "not understood"),
        ("x?colour=red", "'colour=red' is not understood; after the . use labels="),
        ("x?order=backwards", "order"),
        ("x?order=claim-first&order=claim-first", "given twice"),
        ("x?max_length=many", "max_length"),
        ("x?max_length=3", "at least 16"),
    ],
)
def test_what_a_name_cannot_say_is_refused(rest: str, complaint: str) -> None:
    with pytest.raises(JudgeError, match=complaint):
        open_judge(f"nli:{rest}")


def test_the_side_file_is_read_and_the_name_wins_over_it(folder: Path) -> None:
    (folder / "pincite.json").write_text('{"order": "claim-first", "max_length": 40}')
    assert outcomes(folder)[0] != "supported"
    assert outcomes(f"{folder}?order=evidence-first")[0] == "supported"
    assert limit(f"{folder}?order=evidence-first") == 40
    (folder / "pincite.json").write_text('{"ordre": "claim-first"}')
    with pytest.raises(JudgeError, match=r"pincite.json: .*ordre"):
        open_judge(f"nli:{folder}")


# --- which files are used ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "others"),
    [
        ("onnx/model.onnx", ["onnx/model_quantized.onnx", "model.safetensors"]),
        ("onnx/model_quantized.onnx", ["onnx/model_q4.onnx"]),
        ("odd.onnx", ["model.safetensors"]),
        ("model.safetensors", ["pytorch_model.bin"]),
    ],
)
def test_the_weights_are_chosen_by_a_stated_preference(
    tmp_path: Path, chosen: str, others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_model(tmp_path / "model", file=chosen)
    for name in others:
        (folder / name).write_bytes(b"not a model")
    if chosen.endswith(".onnx"):
        assert outcomes(folder)[0] == "supported"
        return
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=f"{chosen} is no ONNX file"):
        open_judge(f"nli:{folder}")


@pytest.mark.parametrize(
    ("files", "name", "complaint"),
    [
        (["model.onnx", "onnx/model_q4.onnx"], "?file=x.onnx", r"no file 'x.onnx'; there are .*model.onnx"),
        (["a.onnx", "b.onnx"], "", r"several models; choose one with \?file=: a.onnx, b.onnx"),
        ([], "", "optimum-cli"),
        (["model.onnx"], "/config.json", "name the folder"),
    ],
)
def test_a_folder_in_which_nothing_can_be_chosen_says_why(
    folder: Path, files: list[str], name: str, complaint: str
) -> None:
    (folder / "model.onnx").rename(folder / "kept")
    for file in files:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_bytes((folder / "kept").read_bytes())
    with pytest.raises(JudgeError, match=complaint):
        open_judge(f"nli:{folder}{name}")


def test_an_onnx_file_may_be_named_itself(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", THREE[::-1])
    make_model(folder, THREE, file="onnx/model_q4.onnx")
    assert open_judge(f"nli:{folder}/onnx/model_q4.onnx").name.startswith("nli:model/")
    assert outcomes(f"{folder}/onnx/model_q4.onnx")[0] == "supported"
    assert outcomes(folder)[0] != "supported"  # its outputs are in another order


# --- which model is meant ---------------------------------------------------------------------------


def test_a_folder_is_meant_before_a_name_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("owner/tiny", "minicheck"):
        make_model(tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert open_judge("nli:owner/tiny").name.startswith("nli:tiny/")
    assert open_judge("nli:owner/../owner/tiny").name.startswith("nli:tiny/")
    assert open_judge("nli:minicheck").name.startswith("nli:minicheck/")


@pytest.mark.parametrize(
    "place", ["owner/../tiny", "../tiny", "owner/tiny@../x", "-x", "owner//tiny", "a b/c"]
)
def test_what_is_no_name_never_reaches_the_hub(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(JudgeError, match="there is no folder") as raised:
        open_judge(f"nli:{place}", Settings(online=True))
    assert not isinstance(raised.value, MissingExtraError)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("owner/tiny", "owner/tiny"),
        ("x@", "x"),
        ("minicheck", "lytang/MiniCheck-DeBERTa-v3-Large"),
        ("deberta-base@main?max_length=256", "cross-encoder/nli-deberta-v3-base"),
    ],
)
def test_without_the_library_the_extra_is_named(
    name: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=rf"'{meant}'.*pip install 'pincite\[nli\]'"):
        open_judge(f"nli:{name}")


# --- what the outputs mean --------------------------------------------------------------------------

INSIDE = ["supported", "contradicted", "not_enough"]


@pytest.mark.parametrize(
    "stated",
    [
        ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
        ("entailed", "neutral", "contradictory"),
        ("SUPPORTS", "NOT ENOUGH INFO", "REFUTES"),
        ("Supported", "unknown", "Refuted"),
    ],
)
def test_labels_are_understood_in_any_case_and_wording(folder: Path, stated: tuple[str, ...]) -> None:
    rewrite(folder / "config.json", id2label=dict(enumerate(stated)))
    assert outcomes(folder) == INSIDE


@pytest.mark.parametrize(
    "table",
    [
        {"id2label": {"2": "contradiction", "0": "entailment", "1": "neutral"}},
        {"id2label": None, "label2id": {"neutral": 1, "contradiction": 2, "entailment": 0}},
    ],
)
def test_labels_come_in_the_order_of_their_numbers_and_not_of_the_file(
    folder: Path, table: dict[str, object]
) -> None:
    rewrite(folder / "config.json", **table)
    assert outcomes(folder) == INSIDE


@pytest.mark.parametrize(
    "labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("LABEL_0",), ("0", "1"), ("yes", "no")]
)
def test_labels_that_say_nothing_are_refused_with_the_way_to_state_them(
    folder: Path, labels: tuple[str, ...]
) -> None:
    rewrite(folder / "config.json", id2label=dict(enumerate(labels)))
    with pytest.raises(
        JudgeError, match=r"config.json: the label .* not understood.*\?labels=.*pincite.json"
    ):
        open_judge(f"nli:{folder}")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"id2label": None}, "does not say what the outputs mean"),
        ({"id2label": ["entailment"]}, "does not say"),
        ({"id2label": {"0": "a", "2": "b"}}, "without gaps"),
        ({"id2label": {"first": "a"}}, "no whole numbers"),
        ({"id2label": {"0": "a", "1": "b"}, "label2id": {"a": 1, "b": 0}}, "disagree"),
        ({"id2label": None, "label2id": {"a": None}}, "no whole numbers"),
        ({"id2label": {"0": "neutral", "1": "contradiction"}}, "exactly one output"),
        ({"id2label": {"0": "entailment", "1": "entailed", "2": "neutral"}}, "exactly one output"),
    ],
)
def test_labels_that_leave_something_open_are_refused(
    folder: Path, config: dict[str, object], complaint: str
) -> None:
    rewrite(folder / "config.json", **config)
    with pytest.raises(JudgeError, match=complaint):
        open_judge(f"nli:{folder}")


# --- how much a model reads -------------------------------------------------------------------------


def test_the_length_is_the_models_own(folder: Path) -> None:
    assert limit(folder) == 64
    rewrite(folder / "tokenizer_config.json", model_max_length=48)
    assert limit(folder) == 48
    assert limit(f"{folder}?max_length=32") == 32
    assert limit(f"{folder}?max_length=64") == 64
    with pytest.raises(JudgeError, match="reads 64 tokens at most"):
        limit(f"{folder}?max_length=65")


def test_roberta_never_uses_the_positions_up_to_its_padding(folder: Path) -> None:
    rewrite(folder / "config.json", model_type="roberta", max_position_embeddings=514, pad_token_id=1)
    rewrite(folder / "tokenizer_config.json", pad_token=None)
    assert limit(folder) == 512


def test_a_model_for_long_texts_reads_512_tokens_unless_told_otherwise(folder: Path) -> None:
    rewrite(folder / "config.json", max_position_embeddings=8192)
    assert limit(folder) == 512
    assert limit(f"{folder}?max_length=4096") == 4096
    rewrite(folder / "config.json", max_position_embeddings=None)
    assert limit(folder) == 512


# --- what is wrong with a folder --------------------------------------------------------------------


def test_a_folder_without_a_tokenizer_says_how_to_get_one(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(JudgeError, match=r"no tokenizer.json.*AutoTokenizer.*save_pretrained"):
        open_judge(f"nli:{folder}")


def test_a_folder_without_labels_says_how_to_state_them(folder: Path) -> None:
    (folder / "config.json").unlink()
    with pytest.raises(JudgeError, match=r"id2label.*\?labels=entailment/neutral/contradiction"):
        open_judge(f"nli:{folder}")
    assert open_judge(f"nli:{folder}?labels=entailment/neutral/contradiction")


@pytest.mark.parametrize(
    ("file", "content", "complaint"),
    [
        ("model.onnx", b"not a model", "onnxruntime cannot load it"),
        ("model.onnx", b"", "onnxruntime cannot load it"),
        ("model.onnx", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git lfs pull"),
        ("tokenizer.json", b"{", "not valid JSON"),
        ("tokenizer.json", b"{}", "tokenizer.json: cannot be read"),
        ("config.json", b"[]", "no JSON object"),
        ("config.json", b"\xff\xfe", "not valid JSON"),
        ("config.json", b"[" * 100_000, "not valid JSON"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, file: str, content: bytes, complaint: str) -> None:
    (folder / file).write_bytes(content)
    with pytest.raises(JudgeError, match=complaint) as raised:
        open_judge(f"nli:{folder}")
    assert file in str(raised.value)


def test_labels_for_another_number_of_outputs_are_refused(folder: Path) -> None:
    with pytest.raises(JudgeError, match=r"gives 3 outputs per pair, but the labels are for 2"):
        open_judge(f"nli:{folder}?labels=unsupported/supported")


def test_a_model_for_something_else_is_refused(tmp_path: Path) -> None:
    from onnx import TensorProto, helper, save

    folder = make_model(tmp_path)
    picture = helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, [1])
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1])
    graph = helper.make_graph(
        [helper.make_node("Identity", ["pixel_values"], ["logits"])], "g", [picture], [out]
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    save(made, str(folder / "model.onnx"))
    with pytest.raises(JudgeError, match="expects the inputs pixel_values"):
        open_judge(f"nli:{folder}")


def test_weights_of_torch_say_which_extra_runs_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "model.onnx").rename(folder / "model.safetensors")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[nli-torch\]'"):
        open_judge(f"nli:{folder}")


@pytest.mark.skipif(not importlib.util.find_spec("transformers"), reason="needs pincite[nli-torch]")
def test_a_folder_of_torch_weights_is_run_by_transformers(tmp_path: Path) -> None:
    import torch
    import transformers

    from tiny_models import VOCABULARY

    folder = make_model(tmp_path / "model")
    (folder / "model.onnx").unlink()
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        id2label=dict(enumerate(THREE)),
    )
    model = transformers.BertForSequenceClassification(config)
    model.save_pretrained(folder)
    pairs = [Pair("Cows eat grass.", (Passage(text),)) for text in ("Cows eat grass.", "It rained. " * 40)]
    together = run_sync(open_judge(f"nli:{folder}").judge(pairs))
    assert together == [run_sync(open_judge(f"nli:{folder}").judge([one]))[0] for one in pairs]
    words = [VOCABULARY[word] for word in ("cows", "eat", "grass", ".")]
    ids, types = [2, *words, 3, *words, 3], [0] * 6 + [1] * 5
    direct = model.eval()(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits
    assert together[0].score == pytest.approx(torch.softmax(direct, 1)[0, 0].item(), abs=1e-4)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    for place in (f"{tmp_path}/none", "../none", "./none", "a/b/c", "~nobody/x", "x\x00y", "a" * 5000):
        for more in ("", "?order=claim-first"):
            with pytest.raises(JudgeError, match="there is no folder"):
                open_judge(f"nli:{place}{more}")

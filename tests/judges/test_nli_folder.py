from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from tiny_models import THREE, make_model

from pincite.errors import JudgeError, MissingExtraError
from pincite.judges.nli.folder import Stated, choose_weights, read_folder, read_name
from pincite.judges.nli.judge import make_model_judge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


def limit(folder: Path, **stated: object) -> int:
    return read_folder(folder, Stated(**stated)).max_length  # type: ignore[arg-type]


def rewrite(path: Path, **changes: object) -> None:
    table = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in table.items() if value is not None}))


# --- what is said in the name -----------------------------------------------------------------------


def test_a_name_says_where_the_model_is_and_what_its_files_leave_open() -> None:
    assert read_name("models/x") == ("models/x", Stated())
    assert read_name("x?labels=entailment,neutral&order=claim-first&max-length=128&file=onnx%2Fm.onnx") == (
        "x",
        Stated(("entailment", "neutral"), "claim-first", "onnx/m.onnx", 128),
    )


def test_a_folder_with_a_question_mark_in_its_name_is_a_folder(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "really?")
    assert read_name(str(folder)) == (str(folder), Stated())
    assert make_model_judge(str(folder)).name.startswith("nli:really?/")


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
        make_model_judge(rest)


def test_the_side_file_is_read_and_the_name_wins_over_it(folder: Path) -> None:
    (folder / "pincite.json").write_text('{"order": "claim-first", "max_length": 40}')
    assert read_folder(folder, Stated()).order == "claim-first"
    assert read_folder(folder, Stated(order="evidence-first")).order == "evidence-first"
    assert limit(folder, order="evidence-first") == 40
    (folder / "pincite.json").write_text('{"ordre": "claim-first"}')
    with pytest.raises(JudgeError, match=r"pincite.json: .*ordre"):
        make_model_judge(str(folder))


# --- which files are used ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["onnx/model_quantized.onnx", "onnx/model.onnx", "model.safetensors"], "onnx/model.onnx"),
        (["onnx/model_quantized.onnx", "onnx/model_q4.onnx"], "onnx/model_quantized.onnx"),
        (["odd.onnx", "model.safetensors"], "odd.onnx"),
        (["pytorch_model.bin", "model.safetensors"], "model.safetensors"),
    ],
)
def test_the_weights_are_chosen_by_a_stated_preference(names: list[str], chosen: str) -> None:
    assert choose_weights(names, None, "here")[0] == chosen


def test_a_stated_file_is_taken_and_a_missing_one_named() -> None:
    names = ["model.onnx", "onnx/model_q4.onnx"]
    assert choose_weights(names, "onnx/model_q4.onnx", "here") == ("onnx/model_q4.onnx", "onnx")
    with pytest.raises(JudgeError, match=r"no file 'x.onnx'; there are model.onnx, onnx/model_q4.onnx"):
        choose_weights(names, "x.onnx", "here")
    with pytest.raises(JudgeError, match=r"several models; choose one with \?file=: a.onnx, b.onnx"):
        choose_weights(["a.onnx", "b.onnx"], None, "here")
    with pytest.raises(JudgeError, match="optimum-cli"):
        choose_weights(["README.md"], None, "here")


def test_an_onnx_file_may_be_named_itself(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", file="onnx/model_q4.onnx")
    make_model(folder, THREE[::-1])
    rewrite(folder / "config.json", id2label=dict(enumerate(THREE)))
    assert make_model_judge(f"{folder}/onnx/model_q4.onnx").name.startswith("nli:model/")
    with pytest.raises(JudgeError, match="name the folder"):
        make_model_judge(f"{folder}/config.json")


# --- how much a model reads -------------------------------------------------------------------------


def test_the_length_is_the_models_own(folder: Path) -> None:
    assert limit(folder) == 64
    rewrite(folder / "tokenizer_config.json", model_max_length=48)
    assert limit(folder) == 48
    assert limit(folder, max_length=32) == 32
    assert limit(folder, max_length=64) == 64
    with pytest.raises(JudgeError, match="reads 64 tokens at most"):
        limit(folder, max_length=65)


def test_roberta_never_uses_the_positions_up_to_its_padding(folder: Path) -> None:
    rewrite(folder / "config.json", model_type="roberta", max_position_embeddings=514, pad_token_id=1)
    rewrite(folder / "tokenizer_config.json", pad_token=None)
    assert limit(folder) == 512


def test_a_model_for_long_texts_reads_512_tokens_unless_told_otherwise(folder: Path) -> None:
    rewrite(folder / "config.json", max_position_embeddings=8192)
    assert limit(folder) == 512
    assert limit(folder, max_length=4096) == 4096
    rewrite(folder / "config.json", max_position_embeddings=None)
    assert limit(folder) == 512


def test_padding_is_as_the_tokenizer_has_it(folder: Path) -> None:
    assert read_folder(folder, Stated()).pad_id == 0
    rewrite(folder / "tokenizer_config.json", pad_token={"content": "[SEP]"}, padding_side="left")
    model = read_folder(folder, Stated())
    assert (model.pad_id, model.padding_side) == (3, "left")


# --- what is wrong with a folder --------------------------------------------------------------------


def test_a_folder_without_a_tokenizer_says_how_to_get_one(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    with pytest.raises(JudgeError, match=r"no tokenizer.json.*AutoTokenizer.*save_pretrained"):
        make_model_judge(str(folder))


def test_a_folder_without_labels_says_how_to_state_them(folder: Path) -> None:
    (folder / "config.json").unlink()
    with pytest.raises(JudgeError, match=r"id2label.*\?labels=entailment/neutral/contradiction"):
        make_model_judge(str(folder))
    assert make_model_judge(f"{folder}?labels=entailment/neutral/contradiction")


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
        make_model_judge(str(folder))
    assert file in str(raised.value)


def test_labels_for_another_number_of_outputs_are_refused(folder: Path) -> None:
    with pytest.raises(JudgeError, match=r"gives 3 outputs per pair, but the labels are for 2"):
        make_model_judge(f"{folder}?labels=unsupported/supported")


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
        make_model_judge(str(folder))


def test_weights_of_torch_say_which_extra_runs_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "model.onnx").rename(folder / "model.safetensors")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pincite\[nli-torch\]'"):
        make_model_judge(str(folder))


@pytest.mark.skipif(not importlib.util.find_spec("transformers"), reason="needs pincite[nli-torch]")
def test_a_folder_of_torch_weights_is_run_by_transformers(tmp_path: Path) -> None:
    import torch
    import transformers
    from tiny_models import VOCABULARY

    from pincite.base import run_sync
    from pincite.records import Pair, Passage

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
    together = run_sync(make_model_judge(str(folder)).judge(pairs))
    assert together == [run_sync(make_model_judge(str(folder)).judge([one]))[0] for one in pairs]
    words = [VOCABULARY[word] for word in ("cows", "eat", "grass", ".")]
    ids, types = [2, *words, 3, *words, 3], [0] * 6 + [1] * 5
    direct = model.eval()(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits
    assert together[0].score == pytest.approx(torch.softmax(direct, 1)[0, 0].item(), abs=1e-4)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    for place in (f"{tmp_path}/none", "../none", "./none", "a/b/c", "~nobody/x", "x\x00y", "a" * 5000):
        for more in ("", "?order=claim-first"):
            with pytest.raises(JudgeError, match="there is no folder"):
                make_model_judge(place + more)

"""The model folder of somebody else: it ends, in bounded memory, and reads nothing outside of itself."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from pincite.base import run_sync
from pincite.errors import JudgeError
from pincite.judges import open_judge
from pincite.records import Pair, Passage
from tiny_models import make_model
from watched import OPENING, Watched

node = helper.make_node


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_model(tmp_path / "model")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.bin"
    path.write_bytes(bytes(100_000))
    return path


def edit(folder: Path, change: Callable[[Any], None]) -> None:
    model = onnx.load(folder / "model.onnx")
    change(model)
    onnx.save(model, str(folder / "model.onnx"))


def weights_in(location: str) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        tensor = model.graph.initializer[0]
        length = len(numpy_helper.to_array(tensor).tobytes())
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("length", str(length))):
            tensor.external_data.add(key=key, value=value)

    return change


def ending_with(*nodes: Any, shape: tuple[int, ...] = (4,)) -> Callable[[Any], None]:
    """The graph goes on: `before` are the outputs as they were, `shape` a constant."""

    def change(model: Any) -> None:
        model.graph.node[-1].output[0] = "before"
        model.graph.initializer.append(numpy_helper.from_array(np.array(shape, np.int64), "shape"))
        model.graph.node.extend(nodes)

    return change


def float_tensor(name: str, shape: list[int] | None = None) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


# --- files outside ----------------------------------------------------------------------------------


def places(secret: Path, folder: Path) -> Iterator[str]:
    yield str(secret)
    yield f"../{secret.name}"
    yield f"./onnx/../../{secret.name}"
    (folder / "weights.bin").symlink_to(secret)
    yield "weights.bin"


def test_weights_outside_of_the_folder_are_refused_and_not_read(folder: Path, secret: Path) -> None:
    whole = (folder / "model.onnx").read_bytes()
    for location in places(secret, folder):
        (folder / "model.onnx").write_bytes(whole)
        edit(folder, weights_in(location))
        with pytest.raises(JudgeError, match=f"leads out of the model's folder, to {secret}"):
            open_judge(f"nli:{folder}")


@pytest.mark.thorough
@pytest.mark.parametrize("how", range(4))
def test_no_system_call_opens_a_file_that_a_model_points_to(folder: Path, secret: Path, how: int) -> None:
    edit(folder, weights_in(list(places(secret, folder))[how]))
    code = f"from pincite.judges import open_judge; open_judge('nli:{folder}')"
    watched = Watched(folder.parent / "watched", ["-c", code])
    assert "leads out of the model's folder" in watched.finish()[1]
    opened = list(watched._calls(OPENING))
    assert any(str(folder) in line for line in opened)
    assert not [line for line in opened if secret.name in line]


def test_weights_in_a_file_of_the_folder_are_used(folder: Path) -> None:
    model = onnx.load(folder / "model.onnx")
    onnx.save(
        model,
        str(folder / "model.onnx"),
        save_as_external_data=True,
        location="model.onnx_data",
        size_threshold=1000,
    )
    assert (folder / "model.onnx_data").stat().st_size > 1000
    assert open_judge(f"nli:{folder}").name.startswith("nli:model/")


def test_weights_that_are_not_there_are_named(folder: Path) -> None:
    edit(folder, weights_in("none.bin"))
    with pytest.raises(JudgeError, match=r"its weights are in 'none.bin', which is not in the folder"):
        open_judge(f"nli:{folder}")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json", "pincite.json", "x.bin"])
def test_a_link_out_of_the_folder_is_refused(folder: Path, name: str) -> None:
    outside = folder.parent / "outside"
    if (folder / name).exists():
        (folder / name).rename(outside)
    else:
        outside.write_text("{}")
    (folder / name).symlink_to(outside)
    with pytest.raises(JudgeError, match=f"{name}: leads out of the model's folder, to {outside}"):
        open_judge(f"nli:{folder}")


def test_the_links_of_the_hubs_cache_are_followed(tmp_path: Path) -> None:
    made = make_model(tmp_path / "made")
    snapshot = tmp_path / "models--a--b" / "snapshots" / "0123"
    (tmp_path / "models--a--b" / "blobs").mkdir(parents=True)
    snapshot.mkdir(parents=True)
    for number, file in enumerate(made.iterdir()):
        file.rename(tmp_path / "models--a--b" / "blobs" / str(number))
        (snapshot / file.name).symlink_to(f"../../blobs/{number}")
    assert open_judge(f"nli:{snapshot}").name.startswith("nli:0123/")


# --- graphs -----------------------------------------------------------------------------------------


def test_a_loop_is_refused_before_it_is_run(folder: Path) -> None:
    condition = [helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("on", "still")]
    number = helper.make_tensor_value_info("number", TensorProto.INT64, [])
    body = helper.make_graph(
        [node("Identity", ["on"], ["still"]), node("Identity", ["value"], ["same"])],
        "for ever",
        [number, condition[0], float_tensor("value")],
        [condition[1], float_tensor("same")],
    )
    edit(folder, ending_with(node("Loop", ["", "", "before"], ["logits"], body=body)))
    with pytest.raises(JudgeError, match=r"has the operator Loop, which may run for ever"):
        open_judge(f"nli:{folder}")


def test_a_loop_inside_a_branch_is_found(folder: Path) -> None:
    number = helper.make_tensor_value_info("number", TensorProto.INT64, [])
    on, still = (helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("on", "still"))
    body = helper.make_graph([node("Identity", ["on"], ["still"])], "body", [number, on], [still])
    branch = helper.make_graph(
        [node("Loop", ["", ""], [], body=body), node("Identity", ["before"], ["same"])],
        "branch",
        [],
        [float_tensor("same")],
    )
    yes = helper.make_tensor("yes", TensorProto.BOOL, [], [True])
    nodes = [
        node("Constant", [], ["yes"], value=yes),
        node("If", ["yes"], ["logits"], then_branch=branch, else_branch=branch),
    ]
    edit(folder, ending_with(*nodes))
    with pytest.raises(JudgeError, match="has the operator Loop"):
        open_judge(f"nli:{folder}")


def test_a_graph_that_computes_for_ever_is_ended_by_its_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.judges.nli.model.TRY_SECONDS", 1)
    nodes = [node("ConstantOfShape", ["shape"], ["m0"])]
    nodes += [node("MatMul", [f"m{number}", f"m{number}"], [f"m{number + 1}"]) for number in range(5000)]
    nodes += [node("ReduceSum", ["m5000"], ["sum"], keepdims=0), node("Add", ["before", "sum"], ["logits"])]
    edit(folder, ending_with(*nodes, shape=(1200, 1200)))
    with pytest.raises(JudgeError, match=r"fails on a plain sentence \(it took more than 1 s\)"):
        open_judge(f"nli:{folder}")


@pytest.mark.skipif(sys.platform != "linux", reason="only there can memory be limited")
@pytest.mark.parametrize("megabytes", [30_000, 200_000])
def test_a_graph_that_asks_for_more_memory_than_a_model_needs_fails_alone(
    folder: Path, megabytes: int
) -> None:
    nodes = [
        node("ConstantOfShape", ["shape"], ["large"]),
        node("ReduceSum", ["large"], ["sum"], keepdims=0),
        node("Add", ["before", "sum"], ["logits"]),
    ]
    edit(folder, ending_with(*nodes, shape=(megabytes, 256, 1024)))
    with pytest.raises(JudgeError, match="fails on a plain sentence"):
        open_judge(f"nli:{folder}")
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 8 * 1024 * 1024


def test_the_limit_of_memory_is_taken_back_also_when_threads_open_models_at_once(folder: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with ThreadPoolExecutor(4) as pool:
        judges = list(pool.map(lambda _: open_judge(f"nli:{folder}"), range(8)))
        pair = Pair("Cows eat grass.", (Passage("Cows eat grass."),))
        list(pool.map(lambda judge: run_sync(judge.judge([pair])), judges))
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def huge_dimensions(model: Any) -> None:
    model.graph.initializer[0].dims[0] = 2**40


def operator_of_another(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("evil.example", 1))
    ending_with(node("Evil", ["before"], ["logits"], domain="evil.example"))(model)


@pytest.mark.parametrize("change", [huge_dimensions, operator_of_another])
def test_what_onnxruntime_does_not_load_is_one_clear_error(
    folder: Path, change: Callable[[Any], None]
) -> None:
    edit(folder, change)
    with pytest.raises(JudgeError, match=r"model.onnx: onnxruntime cannot load it"):
        open_judge(f"nli:{folder}")


def test_a_file_that_was_cut_or_overwritten_is_an_error_or_a_model(folder: Path) -> None:
    whole = (folder / "model.onnx").read_bytes()
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        for spoilt in (whole[:place], whole[:place] + b"\xff\x0a\x80" * 5 + whole[place + 15 :]):
            (folder / "model.onnx").write_bytes(spoilt)
            try:
                open_judge(f"nli:{folder}")
            except JudgeError as error:
                assert "model.onnx" in str(error) or "outputs" in str(error)


# --- tokenizers and configurations ------------------------------------------------------------------


def with_tokenizer(folder: Path, **changes: Any) -> None:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        r"(\w+\s?)*x",
        "(a|b*)+c",
        r"(?:x*){2,}",
        r"(\w)\1",
        r"\s*\s*\s*\s*x",
        "a" * 5000,
        "((a+)b?)*",
    ],
)
def test_an_expression_that_may_take_for_ever_is_refused(folder: Path, pattern: str) -> None:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    with_tokenizer(folder, pre_tokenizer={"type": "Sequence", "pretokenizers": [split]})
    with pytest.raises(JudgeError, match=r"tokenizer.json: the expression .* which may take for ever"):
        open_judge(f"nli:{folder}")


@pytest.mark.parametrize(
    "pattern",
    [
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
        r"\s*[\r\n]+|\s+(?!\S)|\s+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'d)?|\s+",
        r" {2,}",
        r"<\|startoftext\|>|<\|endoftext\|>|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    ],
)
def test_the_expressions_of_tokenizers_in_use_are_taken(folder: Path, pattern: str) -> None:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    with_tokenizer(folder, pre_tokenizer=split)
    assert open_judge(f"nli:{folder}")


def test_replacements_that_grow_without_end_are_refused(folder: Path) -> None:
    tenfold = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
    with_tokenizer(folder, normalizer={"type": "Sequence", "normalizers": [tenfold] * 12})
    with pytest.raises(JudgeError, match="more than 100 characters of one"):
        open_judge(f"nli:{folder}")


def test_a_tokenizer_that_fails_on_a_text_costs_these_pairs_and_no_traceback(folder: Path) -> None:
    """Its library ends with something that is no `Exception`, and says so itself on standard error."""
    split = {"type": "Split", "pattern": {"Regex": "(?:a|a|ab)*c"}, "behavior": "Isolated", "invert": False}
    with_tokenizer(folder, pre_tokenizer=split)
    judge = open_judge(f"nli:{folder}")
    try:
        found = run_sync(judge.judge([Pair("a" * 60, (Passage("Cows eat. " + "a" * 60),))]))
    except JudgeError as error:
        assert "the tokenizer fails on a text" in str(error)
    else:
        assert len(found) == 1


def test_a_tokenizer_that_adds_more_than_the_model_reads_is_refused(folder: Path) -> None:
    special = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}
    texts = [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"]
    template = {
        "type": "TemplateProcessing",
        "single": [*[special] * 100_000, texts[0]],
        "pair": [*[special] * 100_000, *texts],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]}},
    }
    with_tokenizer(folder, post_processor=template)
    with pytest.raises(JudgeError, match=r"adds 100,000 tokens to each pair, and the model reads 64"):
        open_judge(f"nli:{folder}")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("tokenizer.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "not valid JSON"),
        ("tokenizer.json", b" " * (64 * 1024 * 1024 + 1), "67,108,864 at most are read"),
        ("config.json", b" " * (4 * 1024 * 1024 + 1), "4,194,304 at most are read"),
        (
            "config.json",
            b'{"id2label": {%s}}' % b",".join(b'"%d":"x"' % n for n in range(90_000)),
            "90,000 labels",
        ),
        ("config.json", b'{"id2label": [1, 2]}', "id2label"),
        ("config.json", b'{"id2label": {"0": null, "1": {}, "2": []}}', "not understood"),
        ("config.json", b'{"id2label": {"1e999": "entailment"}}', "no whole numbers"),
        ("config.json", b'{"label2id": {"entailment": [], "neutral": {}}}', "label"),
        ("config.json", b'{"label2id": {"entailment": 1e400}}', "not valid JSON"),
        ("config.json", b'{"id2label": {"0": "entailment"}, "label2id": {"a": 0, "b": 0}}', "disagree"),
        ("pincite.json", b'{"max_length": 1e30}', "max_length"),
        ("pincite.json", b'{"file": "../secret.bin"}', "no file"),
        ("pincite.json", b'{"labels": [[]]}', "labels"),
    ],
)
def test_an_odd_file_of_json_is_one_clear_error(folder: Path, name: str, content: bytes, said: str) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(JudgeError, match=said) as raised:
        open_judge(f"nli:{folder}")
    assert name in str(raised.value) or said == "no file"


def test_the_command_says_it_in_one_line(folder: Path, secret: Path) -> None:
    edit(folder, weights_in(str(secret)))
    (folder.parent / "answer.md").write_text("Cows eat grass [a.txt].\n")
    done = subprocess.run(
        [sys.executable, "-m", "pincite", "check", "answer.md", "--judge", f"nli:{folder}"],
        cwd=folder.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "leads out of the model's folder" in done.stderr and "error: " in done.stderr
    assert "Traceback" not in done.stderr

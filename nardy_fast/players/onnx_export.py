"""Networks as ONNX models, for programs that run those: see `nardy_fast.players.Network.to_onnx`."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np

from nardy_fast.core import _encoding
from nardy_fast.players.chances import outputs
from nardy_fast.players.files import Weights, input_count
from nardy_fast.version import __version__

#: Of the operators, and of the file: old enough for most programs that run models.
OPSET = 17
FILE_FORMAT = 8
#: The chance of a logit as low as this is 0.
_NO_CHANCE = -1e30
_DOC = (
    "The chance of each result for the side to move, before it throws. inputs: the encoding of the board after the play of the "
    "other side, column by column as the metadata `columns` has them; contact: whether checkers of both sides can still meet; "
    "possible: which results can still happen, in the order of the metadata `outputs`. chances: of each of these results; "
    "equity: the points that the side to move can expect."
)


def _package() -> Any:
    try:
        return importlib.import_module("onnx")
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install 'nardy_fast[onnx]'") from error


def model_of(weights: Weights) -> bytes:
    """The model, as the bytes of its file. Raises `ImportError` where the package onnx is not installed."""
    onnx = _package()
    helper, kinds = onnx.helper, onnx.TensorProto
    results = outputs(weights.rules)
    width = input_count(weights.rules, weights.encoding)
    constants = {"no_chance": np.array(_NO_CHANCE, np.float32), "points": np.array(results, np.float32)[:, None]}
    nodes = [helper.make_node("Unsqueeze", ["contact", "last"], ["phase"])]
    constants["last"] = np.array([1], np.int64)
    for phase, name in enumerate(("race", "contact")):
        constants |= {
            f"{name}_first": weights.first[phase, :-1],
            f"{name}_first_bias": weights.first[phase, -1],
            # The weights are those of who has moved, and what he scores the side to move loses.
            f"{name}_second": weights.second[phase, ::-1].T,
            f"{name}_second_bias": weights.second_bias[phase, ::-1],
        }
        nodes += [
            helper.make_node("Gemm", ["inputs", f"{name}_first", f"{name}_first_bias"], [f"{name}_sums"]),
            helper.make_node("Relu", [f"{name}_sums"], [f"{name}_hidden"]),
            helper.make_node("Gemm", [f"{name}_hidden", f"{name}_second", f"{name}_second_bias"], [f"{name}_logits"]),
        ]
    nodes += [
        helper.make_node("Where", ["phase", "contact_logits", "race_logits"], ["all_logits"]),
        helper.make_node("Where", ["possible", "all_logits", "no_chance"], ["logits"]),
        helper.make_node("Softmax", ["logits"], ["chances"], axis=1),
        helper.make_node("MatMul", ["chances", "points"], ["equity_column"]),
        helper.make_node("Squeeze", ["equity_column", "last"], ["equity"]),
    ]
    graph = helper.make_graph(
        nodes,
        "nardy_fast network",
        [
            helper.make_tensor_value_info("inputs", kinds.FLOAT, ["n", width]),
            helper.make_tensor_value_info("contact", kinds.BOOL, ["n"]),
            helper.make_tensor_value_info("possible", kinds.BOOL, ["n", len(results)]),
        ],
        [
            helper.make_tensor_value_info("chances", kinds.FLOAT, ["n", len(results)]),
            helper.make_tensor_value_info("equity", kinds.FLOAT, ["n"]),
        ],
        [onnx.numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in constants.items()],
        doc_string=_DOC,
    )
    model = helper.make_model(
        graph,
        producer_name="nardy_fast",
        producer_version=__version__,
        ir_version=FILE_FORMAT,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    helper.set_model_props(
        model,
        {
            "rules": weights.rules.to_json(),
            "outputs": json.dumps(results),
            "encoding": weights.encoding,
            "columns": json.dumps(_encoding.columns(weights.rules)[:width]),
            "training": json.dumps(weights.training),
        },
    )
    onnx.checker.check_model(model, full_check=True)
    content: bytes = model.SerializeToString()
    return content

"""
Table to files: int8 rows, an ONNX graph of one lookup and one sum, and the tokeniser files that fastembed reads
beside it. Knows formats; refuses to know how the numbers came about.
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from vocabulary import LONGEST_WORD

WINDOW = 512  # pieces of one text that fastembed passes on


def quantise(table):
    """(int8 [rows, dimensions], float32 scale [rows]) with table ~ int8 * scale; a row of zeros has scale 0."""
    scale = (np.abs(table).max(1) / 127).astype(np.float32)
    return np.rint(table / np.where(scale > 0, scale, 1)[:, None]).astype(np.int8), scale


def restore(table, scale):
    """The float32 table that the int8 rows and their scales stand for."""
    return table.astype(np.float32) * scale[:, None]


def build_graph(table, scale):
    """
    ONNX model: `input_ids`, `attention_mask` and `token_type_ids` (not looked at), int64 [batch, length], to
    `last_hidden_state`, float32 [batch, 1, dimensions], the masked sum of the rows, not normalised.
    """
    dimensions = table.shape[1]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["looked_up"], axis=0),
        helper.make_node("Cast", ["looked_up"], ["rows"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scale", "input_ids"], ["row_scale"], axis=0),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["row_scale", "mask"], ["weight"]),
        helper.make_node("Unsqueeze", ["weight", "axis"], ["weights"]),
        helper.make_node("MatMul", ["weights", "rows"], ["last_hidden_state"]),
    ]
    shape = ["batch", "length"]
    graph = helper.make_graph(
        nodes,
        "brain-static",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", 1, dimensions])],
        [
            numpy_helper.from_array(np.ascontiguousarray(table), "table"),
            numpy_helper.from_array(np.ascontiguousarray(scale), "scale"),
            numpy_helper.from_array(np.array([1], np.int64), "axis"),
        ],
    )
    model = helper.make_model(
        graph, producer_name="brain", opset_imports=[helper.make_opsetid("", 13)], ir_version=7
    )
    onnx.checker.check_model(model)
    return model


def describe_tokeniser(pieces):
    """
    The content of tokenizer.json. There are no special tokens, so that no text is ever read as one, and no
    template, so that nothing is added to the sum.
    """
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": True,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": {piece: row for row, piece in enumerate(pieces)},
        },
    }


def write_model(out, table, pieces):
    """Writes the five files of the model into the directory `out`; returns the table as it reads back."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    rows, scale = quantise(table)
    onnx.save(build_graph(rows, scale), str(out / "model.onnx"))
    files = {
        "tokenizer.json": describe_tokeniser(pieces),
        "config.json": {
            "model_type": "static-embedding",
            "hidden_size": int(table.shape[1]),
            "vocab_size": len(pieces),
            "pad_token_id": 0,
        },
        "special_tokens_map.json": {},
        "tokenizer_config.json": {
            "do_lower_case": True,
            "model_max_length": WINDOW,
            "pad_token": "[PAD]",
            "tokenizer_class": "BertTokenizer",
            "unk_token": "[UNK]",
        },
    }
    for name, content in files.items():
        compact = {"separators": (",", ":")} if name == "tokenizer.json" else {"indent": 2}
        text = json.dumps(content, ensure_ascii=False, **compact)
        (out / name).write_text(text + "\n", encoding="utf-8")
    return restore(rows, scale)


def read_model(directory):
    """(table float32 [rows, dimensions], pieces) of a model that `write_model` wrote."""
    model = onnx.load(str(Path(directory, "model.onnx")))
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    vocabulary = json.loads(Path(directory, "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return restore(arrays["table"], arrays["scale"]), sorted(vocabulary, key=vocabulary.get)

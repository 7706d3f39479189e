"""
The encoder's files: the ONNX graph and the tokeniser files that fastembed reads beside it. Knows formats;
refuses to know how the weights came about.
"""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import onnx

from bert import HEADS, POSITIONS, WIDTH, find_teacher, quantise_rows, read_published
from onnx_graph import build_encoder

SPECIAL = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
    "mask_token": "[MASK]",
}


def read_words():
    """(int8 rows, float32 scales) of the teacher's word table: the bytes that encoder and pair model share."""
    return quantise_rows(read_published(find_teacher())["embeddings.word_embeddings.weight"].numpy())


def describe_tokeniser():
    """The teacher's tokenizer.json, which is BERT's uncased one, cut at our positions and never padding by itself."""
    content = json.loads(Path(find_teacher(), "tokenizer.json").read_text(encoding="utf-8"))
    content["truncation"] = {
        "direction": "Right",
        "max_length": POSITIONS,
        "strategy": "LongestFirst",
        "stride": 0,
    }
    content["padding"] = None
    return content


def write_json(path, content, compact=False):
    options = {"separators": (",", ":")} if compact else {"indent": 2}
    path.write_text(json.dumps(content, ensure_ascii=False, **options) + "\n", encoding="utf-8")


def write_encoder(out, model):
    """Writes the model and its tokeniser files into the directory `out`, each file by renaming."""
    out = Path(out)
    part = out.with_name(out.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    onnx.save(build_encoder(model, read_words()), str(part / "model.onnx"))
    write_json(part / "tokenizer.json", describe_tokeniser(), compact=True)
    write_json(
        part / "config.json",
        {
            "model_type": "bert",
            "architectures": ["BertModel"],
            "vocab_size": len(model.words),
            "hidden_size": WIDTH,
            "num_hidden_layers": len(model.layers),
            "num_attention_heads": HEADS,
            "intermediate_size": model.layers[0].up.out_features,
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-12,
            "max_position_embeddings": POSITIONS,
            "type_vocab_size": 2,
            "pad_token_id": 0,
        },
    )
    write_json(part / "special_tokens_map.json", SPECIAL)
    write_json(
        part / "tokenizer_config.json",
        {"do_lower_case": True, "model_max_length": POSITIONS, "tokenizer_class": "BertTokenizer", **SPECIAL},
    )
    out.mkdir(parents=True, exist_ok=True)
    for file in part.iterdir():
        os.replace(file, out / file.name)
    part.rmdir()


def open_session(directory):
    """An onnxruntime session of a written model, on one thread, with activations left in float32 as the engine has them."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    # Else it rounds activations to 8 bits where it sees int8 weights, which moves vectors by a cosine of 0.9999.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    return onnxruntime.InferenceSession(str(Path(directory, "model.onnx")), options, ["CPUExecutionProvider"])


def run_session(session, ids, mask):
    """`sentence_embedding` of int64 ids and mask [texts, length]."""
    feed = {"input_ids": ids, "attention_mask": mask.astype(np.int64), "token_type_ids": np.zeros_like(ids)}
    return session.run(["sentence_embedding"], feed)[0]

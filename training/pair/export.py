"""
Writes a trained pair model as ONNX under the names that the engine reads, and compares it with the trained one.

    python export.py MODEL.pt[,MODEL.pt...] AIM.npz DIRECTORY

The word rows are the encoder's: the graph takes them as an input, `word_rows` float32 [batch, length, 384]. In the graph both texts
are one row of pieces, and a mask keeps the first from seeing the second.
"""

import os
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from model import Pieces, PairModel, load
from onnx import TensorProto, helper
from onnx_graph import OPSET, Graph
from torch.nn.utils.rnn import pad_sequence

from bert import WIDTH

SAMPLE = [
    ("Never force-push to main; use a merge request.", "git push -f origin main"),
    ("Use SCAN, not KEYS, on the session cache.", "Count the sessions in the cache with SCAN, a thousand at a time"),
    ("The office closes at six.", "From May on the office is open until eight."),
]


def head(graph: Graph, pooled: str, name: str, part, output: str) -> None:
    def dense(x: str, linear, at: str) -> str:
        weight = graph.keep(f"head.{name}.{at}.weight", linear.weight.detach().numpy())
        bias = graph.keep(f"head.{name}.{at}.bias", linear.bias.detach().numpy())
        return graph.add("Gemm", x, weight, bias, transB=1)

    hidden = graph.add("Tanh", dense(pooled, part.hidden, "hidden"))
    graph.add("Identity", dense(hidden, part.out, "out"), name=output)


def states_of(graph: Graph, pair: PairModel) -> str:
    """The mean of the second texts' last states."""
    bert = pair.bert
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    kind = graph.add("Cast", "token_type_ids", to=TensorProto.FLOAT)
    positions = graph.add("Gather", graph.table("position", bert.position), graph.own_positions(kind), axis=0)
    types = graph.add("Gather", graph.keep("type", bert.type_rows.detach().numpy()), "token_type_ids", axis=0)
    x = graph.add("Add", graph.add("Add", "word_rows", positions), types)
    # For the engine, which has no use for the graph.
    graph.keep("apart", np.array([pair.apart], np.float32))
    hidden = [graph.hidden_apart(mask, kind)] * pair.apart + [graph.hidden_after(mask, kind)] * (len(bert.layers) - pair.apart)
    states = graph.layers(x, hidden, bert)
    return graph.mean(states, graph.add("Mul", mask, kind))


def build(model: PairModel, aim: dict) -> onnx.ModelProto:
    graph = Graph()
    pooled = states_of(graph, model)
    head(graph, pooled, "judge", model.judge, "judge")
    head(graph, pooled, "relation", model.relation, "relation")
    down, up = (graph.keep(f"aim.{name}", aim[name]) for name in ("down", "up"))
    moved = graph.add("Gemm", graph.add("Gemm", "plan", down, transB=1), up, transB=1)
    graph.add("LpNormalization", graph.add("Add", "plan", moved), axis=1, p=2, name="aimed")
    info, shape = helper.make_tensor_value_info, ["batch", "length"]
    made = helper.make_graph(
        graph.nodes,
        "brain-pair",
        [info("word_rows", TensorProto.FLOAT, [*shape, WIDTH])]
        + [info(name, TensorProto.INT64, shape) for name in ("attention_mask", "token_type_ids")]
        + [info("plan", TensorProto.FLOAT, ["plans", WIDTH])],
        [info("aimed", TensorProto.FLOAT, ["plans", WIDTH]), info("judge", TensorProto.FLOAT, ["batch", 1]), info("relation", TensorProto.FLOAT, ["batch", 4])],
        list(graph.initializers.values()),
    )
    out = helper.make_model(made, producer_name="brain", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(out, full_check=True)
    return out


def feed_of(batch, words: torch.Tensor) -> dict:
    """What the graph takes of a batch."""
    rows = [
        (first[first_mask], second[second_mask])
        for first, first_mask, second, second_mask in zip(
            batch.first[batch.group], batch.first_mask[batch.group], batch.second, batch.second_mask
        )
    ]
    ids = pad_sequence([torch.cat(pair) for pair in rows], batch_first=True)
    types = pad_sequence([torch.cat([torch.zeros_like(a), torch.ones_like(b)]) for a, b in rows], batch_first=True)
    return {"word_rows": words[ids].numpy(), "attention_mask": (ids > 0).long().numpy(), "token_type_ids": types.numpy()}


def session_of(path: Path):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Else it rounds activations to 8 bits wherever it sees int8 weights.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def check(model: PairModel, aim: dict, path: Path) -> None:
    """Compares what onnxruntime makes of the file with the model in float32."""
    batch = Pieces().batch(SAMPLE)
    feed = {**feed_of(batch, model.bert.words), "plan": np.eye(2, WIDTH, dtype=np.float32)}
    session = session_of(path)
    judge, relation, aimed = session.run(["judge", "relation", "aimed"], feed)
    with torch.no_grad():
        model.rounded, model.dtype = True, torch.float32
        pooled = model.eval().pooled(batch)
        apart = np.abs(model.judge(pooled).numpy() - judge).max(), np.abs(model.relation(pooled).numpy() - relation).max()
    moved = feed["plan"] + feed["plan"] @ aim["down"].T @ aim["up"].T
    assert np.abs(moved / np.linalg.norm(moved, axis=1, keepdims=True) - aimed).max() < 1e-5
    print(f"{path.stat().st_size / 1e6:.2f} MB, largest difference to torch {max(apart):.6f}; logits {judge.ravel()}")
    assert max(apart) < 1e-3


def main() -> None:
    model = load(*map(Path, sys.argv[1].split(",")))
    aim, directory = dict(np.load(sys.argv[2])), Path(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    draft = directory / "draft.onnx"
    onnx.save(build(model, aim), draft)
    check(model, aim, draft)
    os.replace(draft, directory / "model.onnx")


if __name__ == "__main__":
    main()

"""
Writes a trained reader of the night as ONNX under the names that the engine reads, and compares it with the trained one.

    python export_night.py RUN.pt[,RUN.pt...] DIRECTORY

Of several runs that began as one the mean of the weights is written. As with the pair model, the word rows are the encoder's, and in the graph
both texts are one row of pieces, of which a mask keeps the first from seeing the second.
"""

import os
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from train import KINDS, NightReader

sys.path.append(str(Path(__file__).parent.parent / "pair"))
from export import SAMPLE, feed_of, head, session_of, states_of  # noqa: E402
from model import Pieces  # noqa: E402
from onnx import TensorProto, helper  # noqa: E402
from onnx_graph import OPSET, Graph  # noqa: E402

from bert import WIDTH  # noqa: E402


def build(model: NightReader) -> onnx.ModelProto:
    graph = Graph()
    head(graph, states_of(graph, model.pair), "night", model.night, "night")
    info, shape = helper.make_tensor_value_info, ["batch", "length"]
    made = helper.make_graph(
        graph.nodes,
        "brain-night",
        [info("word_rows", TensorProto.FLOAT, [*shape, WIDTH])]
        + [info(name, TensorProto.INT64, shape) for name in ("attention_mask", "token_type_ids")],
        [info("night", TensorProto.FLOAT, ["batch", len(KINDS)])],
        list(graph.initializers.values()),
    )
    out = helper.make_model(made, producer_name="brain", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(out, full_check=True)
    return out


def check(model: NightReader, path: Path) -> None:
    """Compares what onnxruntime makes of the file with the model in float32."""
    batch = Pieces().batch(SAMPLE)
    (told,) = session_of(path).run(["night"], feed_of(batch, model.pair.bert.words))
    with torch.no_grad():
        model.pair.rounded, model.pair.dtype = True, torch.float32
        apart = np.abs(model.eval().night(model.pair.pooled(batch)).numpy() - told).max()
    print(f"{path.stat().st_size / 1e6:.2f} MB, largest difference to torch {apart:.6f}")
    assert apart < 1e-3


def main() -> None:
    model, directory = NightReader.load(*map(Path, sys.argv[1].split(","))), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    draft = directory / "draft.onnx"
    onnx.save(build(model), draft)
    check(model, draft)
    os.replace(draft, directory / "model.onnx")


if __name__ == "__main__":
    main()

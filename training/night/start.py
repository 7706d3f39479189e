"""
Takes a shipped reader of the night for the start of a further training, narrower inside its layers.

    python start.py DIRECTORY OUT.pt [--layers 1,2,3,4,5,6] [--inner 768]

Knows the names of the written file. Written by an earlier training it may have no lower layers that read each note alone: those come by training.
"""

import argparse
import random
import sys
from pathlib import Path

import torch
from train import APART, NightReader, PairModel, Pieces, item_pairs

sys.path.append(str(Path(__file__).parent.parent / "pair"))
from slim import texts_of  # noqa: E402

from bert import read_written, restore_bert  # noqa: E402
from narrow import narrow  # noqa: E402


def restored(directory: Path, layers: list[int], apart: int) -> NightReader:
    """The reader that a directory's model.onnx holds."""
    written = read_written(str(directory))
    model = NightReader(PairModel(layers, inner=len(written["layer.0.up.bias"]), apart=apart))
    restore_bert(model.pair.bert, written)
    with torch.no_grad():
        for part in ("hidden", "out"):
            linear = getattr(model.night, part)
            linear.weight.copy_(torch.tensor(written[f"head.night.{part}.weight"]))
            linear.bias.copy_(torch.tensor(written[f"head.night.{part}.bias"]))
    return model


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("directory", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--layers", default="1,2,3,4,5,6")
    arguments.add_argument("--inner", type=int, default=768)
    arguments.add_argument("--apart", type=int, default=APART, help="lower layers that read each note alone")
    arguments.add_argument("--batches", type=int, default=25)
    given = arguments.parse_args()
    layers = [int(n) for n in given.layers.split(",")]
    model = restored(given.directory, layers, given.apart)
    inner = len(model.pair.bert.layers[0].up.bias)
    if inner != given.inner:
        pieces = Pieces()
        pairs = [one["pair"] for path in sorted((Path(__file__).parent / "written").glob("*.jsonl")) for one in item_pairs(path)]
        random.Random(1).shuffle(pairs)
        batches = [texts_of(pairs[64 * at : 64 * (at + 1)], pieces) for at in range(given.batches)]
        model.pair.bert = narrow(model.pair.bert.eval(), given.inner, batches)
    model.keep(layers, given.out)


if __name__ == "__main__":
    main()

"""
Takes a written pair model for the start of a further training: what int8 has of its weights, as floats.

    python restore.py DIRECTORY OUT.pt

Knows the names of the written file; the head that tells kinds of plans is not in it, and starts anew.
"""

import sys
from pathlib import Path

import torch
from model import PairModel, save

from bert import read_written, restore_bert


def main() -> None:
    written = read_written(sys.argv[1])
    layers = [1, 3, 6]
    apart = int(written["apart"][0]) if "apart" in written else 0
    model = PairModel(layers, inner=len(written["layer.0.up.bias"]), apart=apart)
    restore_bert(model.bert, written)
    with torch.no_grad():
        for name in ("judge", "relation"):
            for part in ("hidden", "out"):
                linear = getattr(getattr(model, name), part)
                linear.weight.copy_(torch.tensor(written[f"head.{name}.{part}.weight"]))
                linear.bias.copy_(torch.tensor(written[f"head.{name}.{part}.bias"]))
    save(model, layers, Path(sys.argv[2]))


if __name__ == "__main__":
    main()

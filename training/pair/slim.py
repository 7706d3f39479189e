"""
Makes a kept pair model narrower inside its layers, with the lower ones reading each text alone: the start of a training.

    python slim.py MODEL.pt OUT.pt [--inner 768] [--apart 1] [--batches 30]

What it loses comes back with the training. Knows the judge's pairs as the texts to measure states by.
"""

import argparse
import random
import sys
from pathlib import Path

import torch
from model import END, START, PairModel, Pieces, load, save
from train import judge_pairs

sys.path.append(str(Path(__file__).parent.parent))
from narrow import Texts, narrow  # noqa: E402


def texts_of(pairs: list[tuple[str, str]], pieces: Pieces) -> Texts:
    """Both texts of each pair as one row, in which the first does not see the second."""
    rows = [([START, *pieces.of(a), END], [*pieces.of(b), END]) for a, b in pairs]
    ids, there = pieces.pad([a + b for a, b in rows], 0)
    types = torch.zeros_like(ids)
    for row, (a, _) in enumerate(rows):
        types[row, len(a) :] = 1
    seen = there[:, None, None, :] & ((types[:, None, :, None] == 1) | (types[:, None, None, :] == 0))
    return Texts(ids, there, seen, types)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--inner", type=int, default=768)
    arguments.add_argument("--apart", type=int, default=1)
    arguments.add_argument("--batches", type=int, default=30)
    given = arguments.parse_args()
    wide, layers = load(given.model).eval(), torch.load(given.model)["layers"]
    pairs = [one["pair"] for one in judge_pairs(list("abcdeghijklnopq"))]
    random.Random(1).shuffle(pairs)
    pieces = Pieces()
    batches = [texts_of(pairs[64 * at : 64 * (at + 1)], pieces) for at in range(given.batches)]
    slim = PairModel(layers, wide.judge.hidden.out_features, given.inner, given.apart)
    for name in ("judge", "relation", "kind"):
        getattr(slim, name).load_state_dict(getattr(wide, name).state_dict())
    slim.bert = narrow(wide.bert, given.inner, batches)
    save(slim, layers, given.out)


if __name__ == "__main__":
    main()

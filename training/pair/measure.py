"""Tells what a pair model makes of the development set of plans: development figures, never trained on.

    python measure.py MODEL.pt ... [--dump logits.json]

Several models are averaged. Knows the set's form and the cosine by which the nearest flags are found.
"""

import json
import sys
from pathlib import Path

import numpy
import torch
from model import Pieces, load
from paths import SHARED, WORK
from sklearn.metrics import roc_auc_score
from train import logits_of

SET = json.loads((SHARED / "dev" / "assess.json").read_text())


def cosines(a: list[str], b: list[str]) -> numpy.ndarray:
    """Cosines of all-MiniLM-L6-v2."""
    from bert import find_teacher
    from transformers import AutoModel, AutoTokenizer

    tokenizer, model = AutoTokenizer.from_pretrained(find_teacher()), AutoModel.from_pretrained(find_teacher()).eval()

    def embed(texts: list[str]) -> torch.Tensor:
        out = []
        for at in range(0, len(texts), 32):
            batch = tokenizer(texts[at : at + 32], padding=True, truncation=True, max_length=128, return_tensors="pt")
            with torch.no_grad():
                hidden = model(**batch).last_hidden_state
            mask = batch["attention_mask"][:, :, None]
            out.append(torch.nn.functional.normalize((hidden * mask).sum(1) / mask.sum(1), dim=-1))
        return torch.cat(out)

    return (embed(a) @ embed(b).T).numpy()


def main() -> None:
    torch.set_num_threads(1)
    flags, plans = [one["text"] for one in SET["flags"]], [one["text"] for one in SET["plans"]]
    kept = WORK / "cosines" / "assess.npy"
    if not kept.exists():
        numpy.save(kept, cosines(plans, flags))
    cosine = numpy.load(kept)
    near = numpy.argsort(-cosine, axis=1)[:, :8]
    pieces = Pieces()
    names = [name for name in sys.argv[1:] if name.endswith(".pt")]
    pairs = [(flags[f], plan) for row, plan in zip(near, plans) for f in row]
    logit = numpy.mean([logits_of(load(Path(name)), pairs, pieces)[0] for name in names], axis=0).reshape(near.shape)
    probability = 1 / (1 + numpy.exp(-logit))
    best = numpy.take_along_axis(cosine, near, 1)
    weight = numpy.maximum(0, best[:, :6]) ** 2
    applies = numpy.array([one["expect"] != "clear" for one in SET["plans"]])
    mean = (probability[:, :6] * weight).sum(1) / weight.sum(1)
    print(f"AUC max {roc_auc_score(applies, probability.max(1)):.3f}, weighted mean of six {roc_auc_score(applies, mean):.3f}, nearest alone {roc_auc_score(applies, probability[:, 0]):.3f}, cosine {roc_auc_score(applies, best[:, 0]):.3f}")
    kinds = sorted({one["kind"] for one in SET["plans"]})
    for kind in kinds:
        rows = numpy.array([one["kind"] == kind for one in SET["plans"]])
        own = [SET["plans"][i]["flag"] for i in numpy.flatnonzero(rows)]
        print(f"  {kind} n {rows.sum()} applies {applies[rows].mean():.2f}: max {probability[rows].max(1).mean():.2f}, mean {mean[rows].mean():.2f}")


if __name__ == "__main__":
    main()

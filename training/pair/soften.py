"""
What kept models make of pairs, for another one to learn from: written pairs with their labels, and plans beside warnings near to them that nobody has labelled.

    python soften.py OUT.jsonl MODEL.pt[,MODEL.pt...] [--written FILE ...] [--plans FILE ...]

A line is {"a", "b", "label", "soft", "kind", "task"}: `soft` is the mean logit of the models, `label` null where nobody has said. What is written beside a
warning is read beside three of the twelve nearest others as well; further plans, a JSON list of texts, beside four and one that is drawn.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import torch
from model import Pieces, load
from paths import LETTERS, ROOT
from train import judge_pairs, logits_of

sys.path.append(str(Path(__file__).parent.parent))
from bert import find_teacher, use_accelerator  # noqa: E402
from corpus import load_tokenizer  # noqa: E402
from encoder.embedder import Embedder  # noqa: E402

NEAR = 12


def beside(plans: list[str], flags: list[str], own: dict[str, set], near, chance: random.Random, count: int, far: int) -> list[tuple[str, str]]:
    """Each plan beside `count` of the nearest flags that it was not written for, and beside `far` of any."""
    out = []
    for plan, rows in zip(plans, near):
        others = [flags[row] for row in rows if flags[row] not in own.get(plan, ())]
        drawn = chance.sample(others, min(count, len(others))) + chance.choices(flags, k=far)
        out += [(flag, plan) for flag in drawn]
    return out


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out", type=Path)
    arguments.add_argument("models")
    arguments.add_argument("--written", type=Path, nargs="*", default=[])
    arguments.add_argument("--plans", type=Path, nargs="*", default=[])
    arguments.add_argument("--hold", default="")
    given = arguments.parse_args()
    use_accelerator()
    pieces, chance = Pieces(), random.Random(3)
    models = [load(Path(path)) for path in given.models.split(",")]
    lines = judge_pairs([letter for letter in LETTERS if letter not in given.hold.split(",")]) + judge_pairs(given.written)
    own: dict[str, set] = {}
    for line in lines:
        own.setdefault(line["pair"][1], set()).add(line["pair"][0])
    flags, plans = sorted({line["pair"][0] for line in lines}), sorted(own)
    more = [text for path in given.plans for text in json.loads(path.read_text(encoding="utf-8"))]
    embed = Embedder.of_files(load_tokenizer(find_teacher()), ROOT / "models" / "brain-encoder-v1")
    rows = torch.tensor(embed(flags))
    pool = []
    for texts, count, far in ((plans, 3, 0), (more, 4, 1)):
        if texts:
            near = (torch.tensor(embed(texts)) @ rows.T).topk(NEAR, dim=1).indices.tolist()
            pool += beside(texts, flags, own, near, chance, count, far)
    pairs = [line["pair"] for line in lines] + pool
    known = [(line["label"], line["kind"]) for line in lines] + [(None, "")] * len(pool)
    with given.out.open("w", encoding="utf-8") as file:
        for (a, b), (label, kind), soft in zip(pairs, known, sum(logits_of(model, pairs, pieces)[0] for model in models) / len(models)):
            line = {"a": a, "b": b, "label": label, "soft": round(float(soft), 3), "kind": kind, "task": "judge"}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    print(len(lines), len(pool))


if __name__ == "__main__":
    main()

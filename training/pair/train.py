"""Trains a pair model on judge pairs and relations (hard labels, or a teacher's beside them), and tells its AUC.

    nice -n 3 python train.py --out RUN.pt [--layers 1,3,6] [--start OTHER.pt] [--hold a,b] [--passes 3] [--soft FILE]

Knows the data's files and how a batch is made. Every held-out batch of the judge's and of the relations' pairs is never trained on.
A run that was stopped goes on from its last checkpoint, a few minutes back, when it is started again.
"""

import argparse
import math
import random
import time
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from brains import area_under_curve
from model import KINDS, RELATIONS, Descent, PairModel, Pieces, batches_by_length, load, read_lines, save
from paths import JUDGE, LETTERS
from paths import RELATIONS as RELATION_BATCHES

from bert import use_accelerator

# Plans that share no word with their warning are what is missed most.
WEIGHTS = {"paraphrase": 1.3, "specific": 1.3}


def judge_pairs(batches: list[str]) -> list[dict]:
    return [
        {"pair": (line["flag"], line["plan"]), "label": float(line["label"]), "kind": line["kind"], "task": "judge"}
        for batch in batches
        for line in read_lines(batch if isinstance(batch, Path) else JUDGE / f"{batch}.jsonl")
    ]


def relation_pairs(batches: list[str]) -> list[dict]:
    return [
        {
            "pair": (line["older"], line["newer"]),
            "label": RELATIONS.index(line["relation"]),
            "kind": line["kind"],
            "task": "relation",
        }
        for batch in batches
        for line in read_lines(batch if isinstance(batch, Path) else RELATION_BATCHES / f"{batch}.jsonl")
    ]


def soft_pairs(path: Path) -> list[dict]:
    return [
        {"pair": (line["a"], line["b"]), "label": line["label"], "soft": line["soft"], "kind": line.get("kind", ""), "task": line["task"]}
        for line in read_lines(path)
    ]


def strangers(pairs: list[dict], chance: random.Random) -> list[dict]:
    """Notes beside newer ones of another note: they have nothing to do with each other."""
    other = RELATIONS.index("other")
    out = []
    for older in dict.fromkeys(e["pair"][0] for e in pairs):
        for one in chance.sample(pairs, 2):
            if one["pair"][0] != older:
                out.append({"pair": (older, one["pair"][1]), "label": other, "kind": "stranger", "task": "relation"})
    return out


def batches_of(examples: list[dict], size: int, pieces: Pieces, chance: random.Random) -> list[list[dict]]:
    """Batches of one task each; lengths of both texts are alike."""

    def length(part: list[dict]) -> int:
        return len(pieces.of(part[0]["pair"][0])) // 12 * 1000 + max(len(pieces.of(e["pair"][1])) for e in part)

    out = []
    for task in ("judge", "relation"):
        own = [one for one in examples if one["task"] == task]
        out += batches_by_length(own, size, chance, part=10, window=128, length=length)
    chance.shuffle(out)
    return out


def loss_of(model: PairModel, batch: list[dict], pieces: Pieces, given) -> torch.Tensor:
    judge, relation, kinds = model(pieces.batch([e["pair"] for e in batch], given.hide))
    trust = given.trust
    weight = torch.tensor([WEIGHTS.get(e["kind"], 1.0) for e in batch])
    if batch[0]["task"] == "judge":
        aim = torch.tensor([target(e, trust) for e in batch])
        loss = (F.binary_cross_entropy_with_logits(judge.float(), aim, reduction="none") * weight).mean()
        kind = torch.tensor([KINDS.index(e["kind"]) if e["kind"] in KINDS and e.get("told", True) else -100 for e in batch])
        if given.kinds and (kind >= 0).any():
            loss = loss + given.kinds * F.cross_entropy(kinds.float(), kind)
        return loss
    aim = torch.tensor(numpy.array([target4(e, trust) for e in batch], dtype=numpy.float32))
    return (-(aim * F.log_softmax(relation.float(), -1)).sum(-1) * weight).mean()


def target(example: dict, trust: float) -> float:
    hard = None if example["label"] is None else 0.03 + 0.94 * example["label"]
    if "soft" not in example:
        return hard
    soft = 1 / (1 + math.exp(-example["soft"]))
    return soft if hard is None else trust * soft + (1 - trust) * hard


def target4(example: dict, trust: float) -> numpy.ndarray:
    hard = None
    if example["label"] is not None:
        hard = numpy.full(4, 0.02)
        hard[example["label"]] = 0.94
    if "soft" not in example:
        return hard
    logits = numpy.array(example["soft"])
    soft = numpy.exp(logits - logits.max())
    soft /= soft.sum()
    return soft if hard is None else trust * soft + (1 - trust) * hard


@torch.no_grad()
def logits_of(model: PairModel, pairs: list[tuple[str, str]], pieces: Pieces) -> tuple[numpy.ndarray, numpy.ndarray]:
    model.eval()
    judge, relation = numpy.zeros(len(pairs)), numpy.zeros((len(pairs), 4))
    order = sorted(range(len(pairs)), key=lambda i: (len(pieces.of(pairs[i][0])), pairs[i][0]))
    for at in range(0, len(order), 64):
        rows = order[at : at + 64]
        j, r, _ = model(pieces.batch([pairs[i] for i in rows]))
        judge[rows], relation[rows] = j.float().cpu().numpy(), r.float().cpu().numpy()
    return judge, relation


def tell(model: PairModel, examples: list[dict], pieces: Pieces) -> str:
    """AUC of the judge (over all, and each kind against the whole other label), exactness of the relations."""
    out = []
    judged = [e for e in examples if e["task"] == "judge"]
    if judged:
        logit, _ = logits_of(model, [e["pair"] for e in judged], pieces)
        label = numpy.array([e["label"] for e in judged])
        kind = numpy.array([e["kind"] for e in judged])
        probability = 1 / (1 + numpy.exp(-logit))
        out.append(f"judge AUC {area_under_curve(label, logit):.4f}, log loss {-numpy.mean(numpy.log(numpy.where(label == 1, probability, 1 - probability))):.4f}")
        for one in sorted(set(kind)):
            mine = kind == one
            side = label[mine][0]
            rows = mine | (label != side)
            out.append(f"{one} {area_under_curve(label[rows], logit[rows]):.3f} (p {probability[mine].mean():.2f})")
    related = [e for e in examples if e["task"] == "relation"]
    if related:
        _, logit = logits_of(model, [e["pair"] for e in related], pieces)
        label = numpy.array([e["label"] for e in related])
        out.append(f"relation right {numpy.mean(logit.argmax(1) == label):.3f}")
        p = numpy.exp(logit) / numpy.exp(logit).sum(1, keepdims=True)
        out += [f"{name} {area_under_curve(label == i, p[:, i]):.3f}" for i, name in enumerate(RELATIONS)]
    return " | ".join(out)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--layers", default="1,3,6")
    arguments.add_argument("--start", type=lambda text: [Path(part) for part in text.split(",")], help="one kept model, or the mean of several")
    arguments.add_argument("--hold", default="")
    arguments.add_argument("--passes", type=float, default=3)
    arguments.add_argument("--size", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=1e-4)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--trust", type=float, default=0.7)
    arguments.add_argument("--hide", type=float, default=0.03, help="share of the pieces that a mask stands for")
    arguments.add_argument("--kinds", type=float, default=0.2, help="weight of telling the kind of a plan beside its label")
    arguments.add_argument("--relations", type=int, default=2, help="how often a relation is seen in a pass")
    arguments.add_argument("--soft", type=Path, action="append", default=[])
    arguments.add_argument("--written", type=Path, action="append", default=[])
    arguments.add_argument("--known", type=Path, action="append", default=[], help="written before; seen as --share has it")
    arguments.add_argument("--share", type=float, default=1, help="of the judge's batches, of the relations and of what is known, in a pass")
    arguments.add_argument("--no-gold", action="store_true", help="soft files alone")
    arguments.add_argument("--rounded", action="store_true", help="weights as int8 has them, throughout")
    given = arguments.parse_args()
    torch.set_num_threads(1)
    use_accelerator()
    torch.manual_seed(given.seed)
    chance = random.Random(given.seed)
    pieces = Pieces()
    held = [b for b in given.hold.split(",") if b]
    layers = [int(n) for n in given.layers.split(",")]
    model = load(*given.start) if given.start else PairModel(layers)
    if given.start:
        layers = torch.load(given.start[0])["layers"]
    model.rounded = given.rounded
    known = [] if given.no_gold else judge_pairs([b for b in LETTERS if b not in held])
    known += [] if given.no_gold else given.relations * relation_pairs([b for b in "abcdef" if b not in held])
    known += judge_pairs(given.known)
    known += strangers([e for e in known if e["task"] == "relation"], chance)
    examples = []
    for path in given.written:
        more = judge_pairs([path]) if "flag" in read_lines(path)[0] else relation_pairs([path])
        examples += [{**e, "told": not given.no_gold} for e in more]
    for path in given.soft:
        examples += soft_pairs(path)

    def batches_in(turn: int) -> list[list[dict]]:
        drawn = random.Random(given.seed + turn)
        return batches_of(examples + drawn.sample(known, int(given.share * len(known))), given.size, pieces, drawn)

    test = judge_pairs([b for b in LETTERS if b in held]) + relation_pairs([b for b in "abcdef" if b in held])
    print(f"{len(examples)} pairs, {given.share} of {len(known)} known, {len(test)} held out", flush=True)
    bases, heads = [], []
    for name, value in model.named_parameters():
        (heads if name.startswith(("judge", "relation", "kind")) else bases).append(value)
    groups = [{"params": bases, "lr": given.rate}, {"params": heads, "lr": given.rate * (1 if given.start else 5)}]
    descent = Descent(groups, int(given.passes * len(batches_in(0))))
    began, saved, turn, before = time.time(), time.time(), 0, 0
    kept = given.out.with_suffix(".going")
    if kept.exists():
        going = torch.load(kept, map_location="cpu")
        model.load_state_dict(going["state"])
        descent.optimiser.load_state_dict(going["optimiser"])
        descent.step = going["step"]
    while descent.step < descent.steps:
        model.train()
        turns = batches_in(turn)
        turn, first, before = turn + 1, before, before + len(turns)
        if before <= descent.step:
            continue
        for batch in turns[descent.step - first :]:
            if descent.step >= descent.steps:
                break
            descent.down(model, loss_of(model, batch, pieces, given))
            if descent.step % 20 == 0:
                print(f"{descent.step}/{descent.steps} loss {descent.mean:.4f} {time.time() - began:.0f} s", flush=True)
            if time.time() - saved > 240:
                saved = time.time()
                going = {"state": model.state_dict(), "optimiser": descent.optimiser.state_dict(), "step": descent.step}
                torch.save(going, kept.with_suffix(".draft"))
                kept.with_suffix(".draft").replace(kept)
        save(model, layers, given.out)
        if test:
            print(f"== {descent.step}/{descent.steps} {time.time() - began:.0f} s: {tell(model, test, pieces)}", flush=True)
    kept.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

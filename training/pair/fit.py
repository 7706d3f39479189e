"""
Fits the logistic table of the gut-check over batches that a pair model has not seen, and tells what it is worth.

    python fit.py HELD[,HELD...] MODEL.pt [MORE.pt ...] [--write weights.json] [--against OTHER.pt]

Each held-out batch plays a brain of fifty warnings; each of its plans meets the eight that are nearest by cosine. `--against`
measures the development set with another model (the final one, trained on everything) by the same table.
"""

import argparse
import json
import subprocess
from pathlib import Path

import numpy as np
import torch
from measure import SET, cosines
from model import Pieces, load, read_lines
from paths import JUDGE, ROOT, WORK
from scipy.optimize import brentq
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from train import logits_of

KEPT = WORK / "cosines"
NEAREST = 8


def cosine_of(name: str, plans: list[str], flags: list[str]) -> np.ndarray:
    KEPT.mkdir(exist_ok=True)
    path = KEPT / f"{name}.npy"
    if not path.exists():
        np.save(path, cosines(plans, flags))
    return np.load(path)


def kept_logits(name: str, path: Path, pairs: list[tuple[str, str]], pieces: Pieces) -> np.ndarray:
    kept = KEPT / f"{name}-{path.stem}-{int(path.stat().st_mtime)}-{len(pairs)}.npy"
    if not kept.exists():
        np.save(kept, logits_of(load(path), pairs, pieces)[0])
    return np.load(kept)


def read_features(pairs: list[tuple[str, str]]) -> tuple[list[str], np.ndarray]:
    program = str(WORK / "features.mjs")
    build = ["npx", "esbuild", "training/pair/features.ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error"]
    subprocess.run([*build, f"--outfile={program}"], cwd=ROOT, check=True, capture_output=True)
    done = subprocess.run(["node", program], input=json.dumps(pairs), capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    return list(rows[0]), np.array([list(row.values()) for row in rows])


class Brain:
    """Plans beside the warnings nearest to each: numbers of every such pair."""

    def __init__(self, name: str, flags: list[str], plans: list[str], own: list[int], meant: list[int], models, pieces) -> None:
        cosine = cosine_of(name, plans, flags)
        self.near = np.argsort(-cosine, axis=1)[:, :NEAREST]
        # The warning that applies, -1 of none; and the one that the plan was written for.
        self.own, self.meant = np.array(own), np.array(meant)
        self.cosine = np.take_along_axis(cosine, self.near, 1)
        pairs = [(flags[f], plan) for row, plan in zip(self.near, plans) for f in row]
        self.logit = np.mean([kept_logits(name, path, pairs, pieces) for path in models], axis=0).reshape(self.near.shape)
        self.names, features = read_features(pairs)
        self.features = features.reshape(*self.near.shape, -1)

    def table(self, reader: bool) -> np.ndarray:
        parts = [self.features, self.cosine[:, :, None]]
        parts += [np.clip(self.logit, -6, 6)[:, :, None]] if reader else []
        return np.concatenate(parts, axis=2)


def batch_brain(batch: str, models, pieces: Pieces) -> Brain:
    lines = read_lines(JUDGE / f"{batch}.jsonl")
    flags = list(dict.fromkeys(line["flag"] for line in lines))
    meant = [flags.index(line["flag"]) for line in lines]
    own = [flag if line["label"] else -1 for flag, line in zip(meant, lines)]
    return Brain(f"judge-{batch}", flags, [line["plan"] for line in lines], own, meant, models, pieces)


def development_brain(models, pieces: Pieces) -> Brain:
    flags = [one["text"] for one in SET["flags"]]
    ids = [one["id"] for one in SET["flags"]]
    own = [ids.index(one["flag"]) if one["flag"] else -1 for one in SET["plans"]]
    return Brain("assess", flags, [one["text"] for one in SET["plans"]], own, own, models, pieces)


# As in src/core/judgement/judgement.ts: below this cosine a warning is about another matter and loses so much for each unit, and so much for
# each unit that it lies behind the nearest.
NEAR, FAR, BEHIND = 0.3, 10, 6
# Words in common speak for and against by turns: the pair model knows when, a weight of theirs would only know the set.
LEFT_OUT = {"sharedWords", "warned", "sharedNames", "sameText"}


class Table:
    """
    Log odds of a pair: a logistic regression over plans beside the warning that they were written for, and an intercept for which the
    likeliest of eight warnings applies as often as it says, when half of the plans meet a brain without their own.
    """

    def __init__(self, brains: list[Brain], reader: bool) -> None:
        self.reader = reader
        names = [*brains[0].names, "cosine", *(["reader"] if reader else [])]
        left_out = LEFT_OUT | ({"cosine"} if reader else set())
        used = [at for at, name in enumerate(names) if name not in left_out]
        rows, labels = [], []
        for brain in brains:
            there = brain.near == brain.meant[:, None]
            met = there.any(1)
            rows.append(brain.table(reader)[np.arange(len(met)), there.argmax(1)][met])
            labels.append((brain.own >= 0)[met])
        fitted = LogisticRegression(C=1, max_iter=2000).fit(np.concatenate(rows)[:, used], np.concatenate(labels))
        weights = np.zeros(len(names))
        weights[used] = fitted.coef_[0]
        self.names, self.weights, self.intercept = names, weights, 0.0
        odds = [self.odds(brain) for brain in brains]
        best = np.concatenate([one.max(1) for one in odds])
        alone = np.concatenate([np.where(b.near == b.meant[:, None], -9, one).max(1) for b, one in zip(brains, odds)])
        rate = np.concatenate([brain.own >= 0 for brain in brains]).mean() / 2
        self.intercept = float(brentq(lambda i: np.mean(1 / (1 + np.exp(-np.concatenate([best, alone]) - i))) - rate, -20, 20))

    def odds(self, brain: Brain) -> np.ndarray:
        far = np.maximum(0, NEAR - brain.cosine) * FAR + (brain.cosine[:, :1] - brain.cosine) * BEHIND
        return brain.table(self.reader) @ self.weights + self.intercept - far

    def probabilities(self, brain: Brain) -> np.ndarray:
        return 1 / (1 + np.exp(-self.odds(brain)))


def risks(p: np.ndarray, caution: np.ndarray, floor: float, ceiling: float) -> np.ndarray:
    return (caution * np.clip((p - floor) / (ceiling - floor), 0, 1)).max(1)


def worth(p: np.ndarray, caution: np.ndarray, applies: np.ndarray, floor: float, ceiling: float) -> float:
    """How near the shares of alarms come to what they may cost; 0 when all are met, more with room to spare."""
    risk = risks(p, caution, floor, ceiling)
    alarm, danger = risk >= 0.12, risk >= 0.34
    short = 1.5 * min(alarm[applies].mean() - 0.85, 0) + min(danger[applies].mean() - 0.55, 0)
    long = 1.5 * max(alarm[~applies].mean() - 0.25, 0) + 2 * max(danger[~applies].mean() - 0.10, 0)
    spare = alarm[applies].mean() - alarm[~applies].mean() + danger[applies].mean() - danger[~applies].mean()
    return short - long + 0.1 * spare


def choose(sets) -> tuple[float, float]:
    """Floor and ceiling that are worth most over all sets of (probabilities, caution, applies)."""
    pairs = [(f, c) for f in np.arange(0.01, 0.7, 0.01) for c in np.arange(f + 0.05, 1.01, 0.01)]
    return max(pairs, key=lambda pair: sum(worth(*one, *pair) for one in sets))


def tell_development(brain: Brain, p: np.ndarray, floor: float, ceiling: float) -> None:
    plans = SET["plans"]
    caution = np.array([one["caution"] for one in SET["flags"]])[brain.near]
    applies = np.array([one["expect"] != "clear" for one in plans])
    risk = risks(p, caution, floor, ceiling)
    by_best = np.argsort(-(brain.logit + 20 * brain.cosine), axis=1)
    three = np.array([own in near[order[:3]] for own, near, order in zip(brain.own, brain.near, by_best)])
    print(f"development: AUC of p {roc_auc_score(applies, p.max(1)):.3f}, of p*caution {roc_auc_score(applies, (p * caution).max(1)):.3f}, of risk {roc_auc_score(applies, risk):.3f}; among nearest three {three[applies].mean():.3f}")
    print(f"  floor {floor:.2f} ceiling {ceiling:.2f}: applies: alarm {np.mean(risk[applies] >= .12):.3f} danger {np.mean(risk[applies] >= .34):.3f}; clear: alarm {np.mean(risk[~applies] >= .12):.3f} danger {np.mean(risk[~applies] >= .34):.3f}")
    for kind in sorted({one["kind"] for one in plans}):
        rows = np.array([one["kind"] == kind for one in plans])
        print(f"    {kind} {rows.sum()}: alarm {np.mean(risk[rows] >= .12):.2f} danger {np.mean(risk[rows] >= .34):.2f}")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("held")
    arguments.add_argument("models", nargs="+", type=Path)
    arguments.add_argument("--against", nargs="*", type=Path)
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    pieces, models = Pieces(), given.models
    brains = [batch_brain(batch, models, pieces) for batch in given.held.split(",")]
    final = given.against or models
    development = development_brain(final, pieces)
    out = {}
    caution = np.array([one["caution"] for one in SET["flags"]])[development.near]
    expected = np.array([one["expect"] != "clear" for one in SET["plans"]])
    applies = np.concatenate([one.own >= 0 for one in brains])
    for reader in (True, False):
        print("== with the pair model" if reader else "== readable features and cosine alone")
        p = np.concatenate([Table(brains[:at] + brains[at + 1 :], reader).probabilities(one) for at, one in enumerate(brains)])
        logits = np.concatenate([one.logit for one in brains]).max(1)
        print(f"held-out batches: AUC of plans by table {roc_auc_score(applies, p.max(1)):.3f}, by the largest logit {roc_auc_score(applies, logits):.3f}")
        table = Table(brains, reader)
        told = table.probabilities(development)
        floor, ceiling = choose([(p, np.full(p.shape, 0.85), applies), (told, caution, expected)])
        risk = risks(p, np.full(p.shape, 0.85), floor, ceiling)
        print(f"  floor {floor:.2f} ceiling {ceiling:.2f}: applies: alarm {np.mean(risk[applies] >= .12):.3f} danger {np.mean(risk[applies] >= .34):.3f}; clear: alarm {np.mean(risk[~applies] >= .12):.3f} danger {np.mean(risk[~applies] >= .34):.3f}")
        tell_development(development, told, floor, ceiling)
        weights = dict(zip(table.names, table.weights.round(2).tolist()))
        print({"intercept": round(table.intercept, 2), **weights})
        out["withReader" if reader else "withoutReader"] = {"intercept": round(table.intercept, 2), "parts": {"reader": 0, **weights}, "floor": floor, "ceiling": ceiling}
    if given.write:
        given.write.write_text(json.dumps(out, indent=2))


if __name__ == "__main__":
    main()

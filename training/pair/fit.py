"""
Fits the logistic table of the gut-check over batches that a pair model has not seen, and tells what it is worth.

    python fit.py HELD[,HELD...] MODEL_DIRECTORY [--write weights.json]      HELD is a batch's letter, or the path of one

Each held-out batch plays a brain of fifty warnings, its plans once with their own warning there and once without it. A batch's figures are of a
table fitted on the others. The development set is measured, and with the batches chooses the floor and the ceiling; nothing is fitted on it.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from brains import Brain, area_under_curve, ask, batch_of, development
from scipy.optimize import minimize

READ = 8
CAUTION, DANGER = 0.12, 0.34
# What each part means; one that comes out against its meaning is noise, and is held at nothing.
FOR = {"live", "careless", "harmfulCommand"}
# Log odds beyond this are not believed.
SUREST = 6
# Below this cosine of the aimed plan a warning is about another matter, and loses so much for each unit.
LEAST_NEAR, FAR = 0.2, 10


class Table:
    """Log odds of plans beside warnings; `weights` are those of the features, then intercept, reader, and what a unit behind the nearest takes."""

    def __init__(self, brains: list[Brain], reader: bool) -> None:
        self.names, self.by_hand, self.reader = brains[0].names, brains[0].by_hand, reader
        self.fitted = [at for at, name in enumerate(self.names) if name not in self.by_hand]
        # A little on the side of its meaning each: at nothing, what is held to a side does not move.
        start = torch.tensor([0.1 if self.names[at] in FOR else -0.1 for at in self.fitted] + [-1.0 if reader else -3.5, 0.7, 6.0], dtype=torch.double)
        self.weights = start.requires_grad_()
        optimiser = torch.optim.LBFGS([self.weights], max_iter=200, line_search_fn="strong_wolfe")

        def closure():
            optimiser.zero_grad()
            loss = sum(self.loss(brain) for brain in brains) / len(brains) + self.penalty()
            loss.backward()
            return loss

        optimiser.step(closure)
        self.weights = self.weights.detach()

    def parts(self) -> torch.Tensor:
        """Weights of all features, held to their meanings."""
        whole = torch.tensor([self.by_hand.get(name, 0.0) for name in self.names], dtype=torch.double)
        sign = torch.tensor([1.0 if self.names[at] in FOR else -1.0 for at in self.fitted], dtype=torch.double)
        return whole.index_put((torch.tensor(self.fitted),), sign * torch.relu(sign * self.weights[:-3]))

    def odds(self, brain: Brain) -> torch.Tensor:
        features, cosine = torch.tensor(brain.features[:, :READ]), torch.tensor(brain.cosine[:, :READ])
        intercept, reader, behind = self.weights[-3:]
        odds = intercept + features @ self.parts()
        if self.reader:
            odds = odds + reader * torch.tensor(np.clip(brain.logit[:, :READ], -SUREST, SUREST))
            return odds - FAR * torch.relu(LEAST_NEAR - cosine) - torch.relu(behind) * (cosine[:, :1] - cosine)
        return odds + 5 * torch.tensor(brain.likeness[:, :READ])

    def loss(self, brain: Brain) -> torch.Tensor:
        odds, near = self.odds(brain), brain.near[:, :READ]
        meant, own = torch.tensor(near == brain.meant[:, None]), torch.tensor(near == brain.own[:, None])
        applies = torch.tensor(brain.applies, dtype=torch.double)
        there = meant.any(1)
        beside = F.binary_cross_entropy_with_logits((odds * meant).sum(1)[there], applies[there])
        best = torch.logsumexp(2 * odds, 1) / 2
        alone = torch.logsumexp(2 * odds.masked_fill(meant, -15), 1) / 2
        whole = F.binary_cross_entropy_with_logits(best, applies) + 0.25 * F.softplus(alone).mean()
        which = F.cross_entropy(odds[own.any(1)], own[own.any(1)].double().argmax(1))
        return beside + whole + 0.1 * which

    def penalty(self) -> torch.Tensor:
        return 0.003 * (self.weights[:-3] ** 2).sum()

    def probabilities(self, brain: Brain) -> np.ndarray:
        with torch.no_grad():
            return torch.sigmoid(self.odds(brain)).numpy()


def risks(brain: Brain, p: np.ndarray, floor: float, ceiling: float) -> np.ndarray:
    """Of each plan beside each of its warnings."""
    return brain.caution[brain.near[:, :READ]] * np.clip((p - floor) / (ceiling - floor), 0, 1)


def worth(brain: Brain, risk: np.ndarray) -> float:
    """How near the shares of alarms come to what they may cost; 0 when all are met, more with room to spare."""
    best, applies = risk.max(1), brain.applies
    alarm, danger = best >= CAUTION, best >= DANGER
    short = 1.5 * min(alarm[applies].mean() - 0.85, 0) + min(danger[applies].mean() - 0.55, 0)
    long = 1.5 * max(alarm[~applies].mean() - 0.25, 0) + 2 * max(danger[~applies].mean() - 0.10, 0)
    spare = alarm[applies].mean() - alarm[~applies].mean() + danger[applies].mean() - danger[~applies].mean()
    return short - long + 0.1 * spare


def choose(told: list[tuple[Brain, np.ndarray]]) -> tuple[float, float]:
    """Floor and ceiling that are worth most over all (brain, probabilities)."""
    pairs = [(f, c) for f in np.arange(0.01, 0.7, 0.01) for c in np.arange(f + 0.05, 1.01, 0.01)]
    return max(pairs, key=lambda pair: sum(worth(brain, risks(brain, p, *pair)) for brain, p in told))


def tell(name: str, brain: Brain, p: np.ndarray, scale: tuple[float, float]) -> None:
    risk = risks(brain, p, *scale)
    best, applies = risk.max(1), brain.applies
    alarm, danger = best >= CAUTION, best >= DANGER
    deciding = brain.near[np.arange(len(best)), risk.argmax(1)]
    right = (deciding == brain.own)[applies & alarm].mean()
    print(
        f"{name}: AUC {area_under_curve(applies, best):.3f}; applies: alarm {alarm[applies].mean():.3f} danger {danger[applies].mean():.3f}; "
        f"clear: alarm {alarm[~applies].mean():.3f} danger {danger[~applies].mean():.3f}; the deciding flag is right {right:.3f}"
    )
    for kind in sorted(set(brain.kinds)):
        rows = brain.kinds == kind
        print(f"    {kind} {rows.sum()}: alarm {alarm[rows].mean():.2f} danger {danger[rows].mean():.2f}")


class Nearness:
    """Which warning a plan is about: weights beside a cosine of 1, fitted by which one it falls under."""

    names = ("logit", "sharedWords", "sharedNames")

    def __init__(self, brains: list[Brain]) -> None:
        rows = [row for brain in brains for row in self.rows(brain)]

        def loss(weights):
            scores = [x @ weights for x, _ in rows]
            return sum(np.log(np.exp(s - s[at]).sum()) for s, (_, at) in zip(scores, rows)) / len(rows)

        found = minimize(loss, np.array([15.0, 0.5, 1, 1]), method="L-BFGS-B", bounds=[(1, 50), (0, 5), (0, 20), (0, 20)]).x
        self.weights = found / found[0]

    def table(self, brain: Brain) -> np.ndarray:
        shared = [brain.features[:, :, brain.names.index(name)] for name in self.names[1:]]
        return np.stack([brain.cosine, np.clip(brain.logit, -SUREST, SUREST), *shared], 2)[:, :READ]

    def rows(self, brain: Brain):
        for row, near, own in zip(self.table(brain), brain.near[:, :READ], brain.own):
            if own in near:
                yield row, int(np.flatnonzero(near == own)[0])

    def among_three(self, brain: Brain) -> float:
        order = np.argsort(-(self.table(brain) @ self.weights), axis=1)[:, :3]
        found = (np.take_along_axis(brain.near[:, :READ], order, 1) == brain.own[:, None]).any(1)
        return found[brain.applies].mean()


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("held")
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--write", type=Path)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    names = given.held.split(",")
    *brains, dev = ask(given.model, [*map(batch_of, names), development()])
    others = [brains[:at] + brains[at + 1 :] for at in range(len(brains))]
    out = {}
    for reader in (True, False):
        print("== with the pair model" if reader else "== readable features and cosine alone")
        table = Table(brains, reader)
        told = [(brain, Table(rest, reader).probabilities(brain)) for brain, rest in zip(brains, others)]
        scale = choose([*told, (dev, table.probabilities(dev))])
        for name, (brain, p) in zip(names, told):
            tell(name, brain, p, scale)
        tell("development", dev, table.probabilities(dev), scale)
        weights = {name: round(float(weight), 2) for name, weight in zip(table.names, table.parts())}
        last = dict(zip(("intercept", "reader", "behind"), table.weights[-3:].numpy().round(2).tolist()))
        out["withReader" if reader else "withoutReader"] = {**last, "parts": weights, "floor": scale[0], "ceiling": scale[1]}
    nearness = [Nearness(rest).among_three(brain) for brain, rest in zip(brains, others)]
    last = Nearness(brains)
    print(f"among the nearest three: {np.mean(nearness):.3f}, development {last.among_three(dev):.3f}; by the aimed cosine alone {np.mean([b.own[i] in b.near[i][:3] for b in [dev] for i in np.flatnonzero(b.applies)]):.3f}")
    out["nearness"] = dict(zip(("cosine", *Nearness.names), last.weights.round(3).tolist()))
    print(json.dumps(out, indent=2))
    if given.write:
        given.write.write_text(json.dumps(out, indent=2))


if __name__ == "__main__":
    main()

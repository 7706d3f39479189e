"""
Plans beside the warnings nearest to them, as the product itself sees them: cosines of its encoder, log odds of a pair model, and what
can be read in both texts. Knows the forms of the sets; what the numbers weigh is for fit.py.
"""

import base64
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from paths import JUDGE, ROOT, SHARED, WORK
from scipy.stats import rankdata

NEAREST = 8


def area_under_curve(applies: np.ndarray, number: np.ndarray) -> float:
    """Chance that the number of one that applies is above that of one that does not; ties count half."""
    ranks, positive = rankdata(number), np.asarray(applies, bool)
    wins = ranks[positive].sum() - positive.sum() * (positive.sum() + 1) / 2
    return float(wins / (positive.sum() * (~positive).sum()))


@dataclass
class Brain:
    """
    Numbers of each plan's nearest warnings, [plans, NEAREST], nearest first, features [plans, NEAREST, features]. `cosine` is that of the aimed plan
    where a pair model aims it, `likeness` the encoder's own; `by_hand` are weights of features that the product sets. `own` is the warning that applies, -1 of none, `meant` the one that the plan was written for.
    """

    near: np.ndarray
    cosine: np.ndarray
    likeness: np.ndarray
    logit: np.ndarray
    features: np.ndarray
    names: list[str]
    by_hand: dict[str, float]
    own: np.ndarray
    meant: np.ndarray
    caution: np.ndarray
    kinds: np.ndarray

    @property
    def applies(self) -> np.ndarray:
        return self.own >= 0


def batch_of(name: str) -> dict:
    """A batch of the judge's pairs by its letter, or another by its path, as a brain of its warnings with its plans."""
    path = Path(name) if "/" in name else JUDGE / f"{name}.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    flags = list(dict.fromkeys(line["flag"] for line in lines))
    meant = np.array([flags.index(line["flag"]) for line in lines])
    return {
        "flags": flags,
        "plans": [line["plan"] for line in lines],
        "meant": meant,
        "own": np.where([line["label"] == 1 for line in lines], meant, -1),
        "caution": np.full(len(flags), 0.85),
        "kinds": np.array([line["kind"] for line in lines]),
    }


def development() -> dict:
    """Plans that are measured by and never trained on."""
    there = json.loads((SHARED / "dev" / "assess.json").read_text())
    ids = [one["id"] for one in there["flags"]]
    meant = np.array([ids.index(one["flag"]) if one["flag"] else -1 for one in there["plans"]])
    return {
        "flags": [one["text"] for one in there["flags"]],
        "plans": [one["text"] for one in there["plans"]],
        "meant": meant,
        "own": np.where([one["expect"] != "clear" for one in there["plans"]], meant, -1),
        "caution": np.array([one["caution"] for one in there["flags"]]),
        "kinds": np.array([one["kind"] for one in there["plans"]]),
    }


def run_product(model: Path | None, sets: list[dict], near: int, vectors: bool = False) -> list[dict]:
    """What the product makes of the plans, with the pair model of a directory or without one; the encoder's vectors of both as well."""
    program = WORK / "brains.mjs"
    bundle = ["npx", "esbuild", "training/pair/brains.ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error"]
    subprocess.run([*bundle, f"--outfile={program}"], cwd=ROOT, check=True)
    asked = {
        "encoder": str(ROOT / "models" / "brain-encoder-v1"),
        "model": model and str(model.resolve()),
        "near": near,
        "vectors": vectors,
        "sets": [{"flags": one["flags"], "plans": one["plans"]} for one in sets],
    }
    done = subprocess.run(["node", str(program)], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def vectors_of(sets: list[dict]) -> None:
    """Puts the encoder's vectors of its warnings and plans into each set, as `flag_vectors` and `plan_vectors` [count, width]."""
    for one, told in zip(sets, run_product(None, sets, 0, vectors=True)):
        for part in ("flag", "plan"):
            numbers = np.frombuffer(base64.b64decode(told[f"{part}Vectors"]), np.float32)
            one[f"{part}_vectors"] = numbers.reshape(len(one[f"{part}s"]), -1).copy()


def nearest_of(sets: list[dict], near: int) -> list[list[list[int]]]:
    """Of each set the numbers of the warnings nearest to each plan by cosine, nearest first."""
    return [told["near"] for told in run_product(None, sets, near)]


def ask(model: Path, sets: list[dict]) -> list[Brain]:
    """What the product makes of the plans with the pair model of a directory."""
    return [
        Brain(
            near=np.array(told["near"]),
            cosine=np.array(told["cosine"]),
            likeness=np.array(told["likeness"]),
            logit=np.array(told["logit"]),
            features=np.array(told["features"], float),
            names=told["names"],
            by_hand=told["byHand"],
            **{name: one[name] for name in ("own", "meant", "caution", "kinds")},
        )
        for one, told in zip(sets, run_product(model, sets, NEAREST))
    ]

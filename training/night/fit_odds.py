"""
Fits what speaks for a conflict between two notes, and for a collision of two plans, the tables in `src/dreams/reading/odds.ts`, over brains with planted ones.

    python fit_odds.py DIRECTORY[,DIRECTORY...] [--night models/brain-night-v1]

A directory holds NAME.jsonl and answer-key.json. Each brain is told by a table that is fitted on the others: how many of what is told at a
probability are planted. The development brains are never given.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
RIDGE = 1.5


def rows_of(folders: list[str], night: str) -> list[dict]:
    bundle = ["npx", "esbuild", "training/night/features.ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error"]
    script = ROOT / "dist" / f"night-features-{os.getpid()}.mjs"
    subprocess.run([*bundle, f"--outfile={script}"], cwd=ROOT, check=True)
    asked = {"encoder": "models/brain-encoder-v1", "night": night, "brains": [str(Path(folder).resolve()) for folder in folders]}
    try:
        told = subprocess.run(["node", script], cwd=ROOT, input=json.dumps(asked), capture_output=True, text=True, check=True)
    finally:
        script.unlink()
    return [json.loads(line) for line in told.stdout.splitlines()]


def fit(features: np.ndarray, planted: np.ndarray) -> np.ndarray:
    """Weights of standardised features and an intercept, the last, by Newton's method, in steps of at most one."""
    rows = np.c_[features, np.ones(len(features))]
    ridge = np.full(rows.shape[1], RIDGE)
    ridge[-1] = 0
    weights = np.zeros(rows.shape[1])
    for _ in range(100):
        told = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (told - planted) + ridge * weights
        step = np.linalg.solve((rows * (told * (1 - told))[:, None]).T @ rows + np.diag(ridge + 1e-9), slope)
        # Of few planted among many a whole step may overshoot.
        weights -= step / max(1.0, float(np.abs(step).max()))
    return weights


def fit_table(rows: list[dict], without: list[str]) -> None:
    """Prints how a table told each brain that was fitted on the others, and the table of all of them."""
    names = [name for name in rows[0]["features"] if name not in ("constant", *without)]
    features = np.array([[row["features"][name] for name in names] for row in rows])
    planted = np.array([float(row["planted"]) for row in rows])
    brains = np.array([row["brain"] for row in rows])
    mean, spread = features.mean(0), features.std(0) + 1e-9
    standard = (features - mean) / spread
    odds = np.zeros(len(rows))
    for brain in sorted(set(brains)):
        own = brains == brain
        weights = fit(standard[~own], planted[~own])
        odds[own] = np.c_[standard[own], np.ones(own.sum())] @ weights
    told = np.array(sorted(zip(odds, planted), reverse=True))
    share = 1 / (1 + np.exp(-told[:, 0]))
    print(f"{len(set(brains))} brains, {len(told)} pairs, {int(told[:, 1].sum())} planted")
    for least in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        above = share >= least
        print(f"  told at {least}: {int(above.sum())}, of these planted {int(told[above, 1].sum())}")
    weights = fit(standard, planted)
    raw = weights[:-1] / spread
    print({name: round(float(value), 2) for name, value in zip(names, weights)}, "per standard deviation")
    raw = {**{name: round(float(value), 3) for name, value in zip(names, raw)}, "constant": round(float(weights[-1] - (raw * mean).sum()), 3)}
    print({name: value for name, value in raw.items() if " " not in name})
    for role in [name.removeprefix("later ") for name in raw if name.startswith("later ")]:
        print(f"  {role}: [{raw[f'earlier {role}']}, {raw[f'later {role}']}],")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("brains")
    arguments.add_argument("--night", default="models/brain-night-v1")
    arguments.add_argument("--without", default="", help="features that are left out")
    given = arguments.parse_args()
    told = rows_of(given.brains.split(","), given.night)
    for table in sorted({row["table"] for row in told}):
        print(f"== {table}")
        fit_table([row for row in told if row["table"] == table], given.without.split(","))


if __name__ == "__main__":
    main()

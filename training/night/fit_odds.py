"""
Fits what speaks for a conflict between two notes, for a collision of two plans and for a question asked again, the tables in `src/dreams/reading/odds.ts`, over brains
with planted ones.

    python fit_odds.py DIRECTORY[,DIRECTORY...] --apart NAME,... [--night models/brain-night-v1]

A directory holds NAME.jsonl and answer-key.json. What is known before the reader reads is fitted to all brains; how much the reader counts beside it, to those whose names begin as --apart says,
which the reader has not learnt from: of what it has learnt it is surer than of anything else. Of these it is printed how many of what is told at a probability are planted, each
brain by a table fitted without it. The development brains are never given.
"""

import argparse
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
RIDGE = 1.5
# What a reader makes of two notes, by table; the kind that it tells of those that are planted, where it is one.
READINGS = {"conflict": ("read",), "collision": ("collides",), "question": ("asks",), "again": ("read",), "measures": ("read",)}
KINDS_OF_TABLES = {"collision": "collides", "question": "asks"}
FOLDS = 5
# Processes that tell rows of brains.
AT_ONCE = 2


def rows_of(folders: list[str], night: str, **asked: object) -> list[dict]:
    """
    What `features.ts` tells of the brains of directories; `asked` is what else it is asked for. Where `roles.py` has left models beside `night` that have not learnt from some
    brains, each of these is read by its own.
    """
    bundle = ["npx", "esbuild", "training/night/features.ts", "--bundle", "--platform=node", "--format=esm", "--log-level=error"]
    script = ROOT / "dist" / f"night-features-{os.getpid()}.mjs"
    subprocess.run([*bundle, f"--outfile={script}"], cwd=ROOT, check=True)
    asked |= {"encoder": "models/brain-encoder-v1", "brains": [str(Path(folder).resolve()) for folder in folders]}
    left = {path.stem for folder in folders for path in Path(folder).glob("*.jsonl")}
    parts: list[tuple[Path, list[str]]] = []
    for names in Path(night).resolve().parent.glob(f"{Path(night).name}-[0-9]/brains.txt"):
        own = sorted(left.intersection(names.read_text(encoding="utf-8").split()))
        left.difference_update(own)
        parts.append((names.parent, own))
    parts.append((Path(night).resolve(), sorted(left)))

    def tell(part: tuple[Path, list[str]]) -> list[dict]:
        words = json.dumps({**asked, "night": str(part[0]), "only": part[1]})
        told = subprocess.run(["node", script], cwd=ROOT, input=words, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in told.stdout.splitlines()]

    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return [row for rows in pool.map(tell, parts) for row in rows]
    finally:
        script.unlink()


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


@dataclass
class Table:
    """Weights of named features and a constant, by which the log odds of rows are told."""

    names: list[str]
    weights: np.ndarray
    constant: float

    @staticmethod
    def fitted(features: np.ndarray, planted: np.ndarray, names: list[str]) -> "Table":
        mean, spread = features.mean(0), features.std(0) + 1e-9
        weights = fit((features - mean) / spread, planted)
        raw = weights[:-1] / spread
        return Table(names, raw, float(weights[-1] - raw @ mean))

    def odds(self, features: np.ndarray) -> np.ndarray:
        return features @ self.weights + self.constant


def features_of(rows: list[dict], names: list[str]) -> np.ndarray:
    return np.array([[row["features"][name] for name in names] for row in rows])


def planted_of(rows: list[dict]) -> np.ndarray:
    return np.array([float(row["planted"]) for row in rows])


def before_reading(rows: list[dict]) -> list[str]:
    return [name for name in rows[0]["features"] if name not in ("constant", *READINGS[rows[0]["table"]])]


def across(features: np.ndarray, planted: np.ndarray, brains: np.ndarray, folds: int) -> np.ndarray:
    """Log odds of rows, each brain's by a table that was fitted to others."""
    odds, names = np.zeros(len(planted)), sorted(set(brains))
    for first in range(folds):
        own = np.isin(brains, names[first::folds])
        odds[own] = Table.fitted(features[~own], planted[~own], []).odds(features[own])
    return odds


def odds_before(rows: list[dict]) -> np.ndarray:
    """Log odds of rows of one table by everything but the reader, each brain's by a table fitted to others."""
    brains = np.array([row["brain"] for row in rows])
    return across(features_of(rows, before_reading(rows)), planted_of(rows), brains, FOLDS)


def fit_table(rows: list[dict], apart: tuple[str, ...]) -> None:
    """Prints how a table tells the brains that the reader has not learnt from, each by one that was fitted without it, and the table itself."""
    names, readings = before_reading(rows), list(READINGS[rows[0]["table"]])
    before = Table.fitted(features_of(rows, names), planted_of(rows), names)
    unlearnt = [row for row in rows if row["brain"].startswith(apart)]
    beside = np.c_[odds_before(rows)[[row["brain"].startswith(apart) for row in rows]], features_of(unlearnt, readings)]
    planted, brains = planted_of(unlearnt), np.array([row["brain"] for row in unlearnt])
    share = 1 / (1 + np.exp(-across(beside, planted, brains, len(set(brains)))))
    print(f"{len({row['brain'] for row in rows})} brains, {len(rows)} pairs; apart {len(set(brains))} brains, {len(unlearnt)} pairs, {int(planted.sum())} planted")
    for least in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        print(f"  told at {least}: {int((share >= least).sum())}, of these planted {int(planted[share >= least].sum())}")
    both = Table.fitted(beside, planted, ["before", *readings])
    counts, constant = both.weights[0], both.constant + both.weights[0] * before.constant
    raw = {**dict(zip(names, counts * before.weights)), **dict(zip(readings, both.weights[1:])), "constant": constant}
    raw = {name: round(float(value), 3) for name, value in raw.items()}
    print({name: value for name, value in raw.items() if " " not in name})
    for role in [name.removeprefix("later ") for name in raw if name.startswith("later ")]:
        print(f"  {role}: [{raw[f'earlier {role}']}, {raw[f'later {role}']}],")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("brains")
    arguments.add_argument("--apart", required=True)
    arguments.add_argument("--night", default="models/brain-night-v1")
    given = arguments.parse_args()
    told = rows_of(given.brains.split(","), given.night)
    for table in sorted({row["table"] for row in told}):
        print(f"== {table}")
        fit_table([row for row in told if row["table"] == table], tuple(given.apart.split(",")))


if __name__ == "__main__":
    main()

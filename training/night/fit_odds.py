"""
Fits what speaks for a conflict between two notes, for a collision of two plans, for a question asked again and for ties, the tables in `src/dreams/reading/odds.ts` and
`tie-odds.ts`, over brains with planted ones that the reader has not learnt from: of what it has learnt it is surer than of anything else.

    python fit_odds.py DIRECTORY[,DIRECTORY...] --apart NAME,... [--night models/brain-night-v1]

A directory holds NAME.jsonl and answer-key.json; of its brains those are taken whose names begin as --apart says. It is printed how many of what is told at a probability are planted,
each brain by a table fitted without it. The development brains are never given.
"""

import argparse
import json
import os
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
RIDGE = 1.5
# By table what a reader's kinds are called that tell of it, once and, where the two are read the other way round, too, again; and the least share that counts.
READINGS = {
    "conflict": {"read": ("contradicts", "reverses", "breaks", "ignores"), "readBack": ("contradicts", "reverses", "breaks", "ignores")},
    "collision": {"collides": ("collides",)},
    "question": {"asks": ("asks",)},
    **{tie: {"read": (tie,)} for tie in ("again", "measures")},
}
LEAST = {"conflict": 1e-6, "collision": 1e-6, "question": 1e-6, "again": 1e-4, "measures": 1e-4}
# Log odds before reading below which no reading makes a pair likely.
WORTH_READING = -5.5
# Weights that are given, not fitted: who writes such brains has others say and measure the second thing, all but always, and by what is fitted to brains a little longer or shorter
# than these all or nothing would be told. They are of weeks, so that what a young brain lacks in days is given, too: by eight brains of two weeks.
GIVEN = {"conflict": {"otherAuthor": 4.0, "length": -3.5, "youth": 1.5}, "collision": {"otherAuthor": 1.75}, "question": {"oneAuthor": 1.7}, "again": {"otherAuthor": 1.1}, "measures": {"otherAuthor": 1.2, "toldHour": 0.0}}
KINDS_OF_TABLES = {"collision": "collides", "question": "asks"}
FOLDS = 5
# Processes that tell rows of brains.
AT_ONCE = 2


def bundle_of(script: str) -> Path:
    """A script of this folder in one file, to be run and removed by the caller."""
    bundle = ROOT / "dist" / f"night-{Path(script).stem}-{os.getpid()}.mjs"
    named = ["--bundle", "--platform=node", "--format=esm", "--log-level=error", f"--outfile={bundle}"]
    subprocess.run(["npx", "esbuild", f"training/night/{script}", *named], cwd=ROOT, check=True)
    return bundle


def lines_of(script: Path, asked: dict) -> list[dict]:
    told = subprocess.run(["node", script], cwd=ROOT, input=json.dumps({"encoder": "models/brain-encoder-v1", **asked}), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def rows_of(folders: list[str], night: str, apart: tuple[str, ...] = ("",), **asked: object) -> list[dict]:
    """
    What `features.ts` tells of the brains of directories whose names begin so; `asked` is what else it is asked for. Where `roles.py` has left models beside `night` that have not learnt from some
    brains, each of these is told by its own.
    """
    script = bundle_of("features.ts")
    asked |= {"brains": [str(Path(folder).resolve()) for folder in folders]}
    left = {path.stem for folder in folders for path in Path(folder).glob("*.jsonl") if path.stem.startswith(apart)}
    parts: list[tuple[Path, list[str]]] = []
    for names in Path(night).resolve().parent.glob(f"{Path(night).name}-[0-9]/brains.txt"):
        own = sorted(left.intersection(names.read_text(encoding="utf-8").split()))
        left.difference_update(own)
        parts.append((names.parent, own))
    parts.append((Path(night).resolve(), sorted(left)))

    def tell(part: tuple[Path, list[str]]) -> list[dict]:
        return lines_of(script, {**asked, "night": str(part[0]), "only": part[1]})

    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return [row for rows in pool.map(tell, parts) for row in rows]
    finally:
        script.unlink()


def read(rows: list[dict], night: str) -> None:
    """Adds what the reader makes of the two notes to the features of each row."""
    script, asked = bundle_of("read.ts"), []
    for row in rows:
        pair = row["texts"]
        asked += [(row, name, pair[::-1] if name.endswith("Back") else pair) for name in READINGS[row["table"]]]
    # What is made of a text that is read first is kept for those that follow.
    asked.sort(key=lambda one: one[2])
    parts = [asked[at * len(asked) // AT_ONCE : (at + 1) * len(asked) // AT_ONCE] for at in range(AT_ONCE)]
    try:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = [one for part in pool.map(lambda part: lines_of(script, {"night": str(Path(night).resolve()), "pairs": [pair for *_, pair in part]}), parts) for one in part]
    finally:
        script.unlink()
    for (row, name, _), standing in zip(asked, told):
        share = np.clip(sum(standing[kind] for kind in READINGS[row["table"]][name]), LEAST[row["table"]], 1 - LEAST[row["table"]])
        row["features"][name] = float(np.log(share / (1 - share)))


def fit(features: np.ndarray, planted: np.ndarray, given: np.ndarray) -> np.ndarray:
    """Weights of standardised features and an intercept, the last, beside log odds that are given, by Newton's method, in steps of at most one."""
    rows = np.c_[features, np.ones(len(features))]
    ridge = np.full(rows.shape[1], RIDGE)
    ridge[-1] = 0
    weights = np.zeros(rows.shape[1])
    for _ in range(100):
        told = 1 / (1 + np.exp(-(rows @ weights + given)))
        slope = rows.T @ (told - planted) + ridge * weights
        step = np.linalg.solve((rows * (told * (1 - told))[:, None]).T @ rows + np.diag(ridge + 1e-9), slope)
        # Of few planted among many a whole step may overshoot.
        weights -= step / max(1.0, float(np.abs(step).max()))
    return weights


@dataclass
class Table:
    """Weights of named features and a constant, by which the log odds of rows are told."""

    weights: dict[str, float]
    constant: float

    @staticmethod
    def fitted(rows: list[dict]) -> "Table":
        given = GIVEN.get(rows[0]["table"], {})
        names = [name for name in rows[0]["features"] if name != "constant" and name not in given]
        features = features_of(rows, names)
        mean, spread = features.mean(0), features.std(0) + 1e-9
        weights = fit((features - mean) / spread, planted_of(rows), features_of(rows, [*given]) @ np.array([*given.values()]))
        raw = weights[:-1] / spread
        return Table({**dict(zip(names, raw.tolist())), **given}, float(weights[-1] - raw @ mean))

    def odds(self, rows: list[dict]) -> np.ndarray:
        return features_of(rows, [*self.weights]) @ np.array([*self.weights.values()]) + self.constant


def features_of(rows: list[dict], names: list[str]) -> np.ndarray:
    return np.array([[row["features"][name] for name in names] for row in rows]).reshape(len(rows), len(names))


def planted_of(rows: list[dict]) -> np.ndarray:
    return np.array([float(row["planted"]) for row in rows])


def across(rows: list[dict], folds: int) -> np.ndarray:
    """Log odds of rows of one table, each brain's by a table that was fitted to others."""
    brains = np.array([row["brain"] for row in rows])
    odds, names = np.zeros(len(rows)), sorted(set(brains))
    for first in range(folds):
        own = np.isin(brains, names[first::folds])
        table = Table.fitted([row for row, is_own in zip(rows, own) if not is_own])
        odds[own] = table.odds([row for row, is_own in zip(rows, own) if is_own])
    return odds


def odds_before(rows: list[dict]) -> np.ndarray:
    """The same by everything but the reader."""
    readings = READINGS[rows[0]["table"]]
    return across([{**row, "features": {name: value for name, value in row["features"].items() if name not in readings}} for row in rows], FOLDS)


def likeliest(rows: list[dict], scores: Iterable[float]) -> list[dict]:
    """Of the rows of two notes that are planted the one with the highest score: nobody has said in which of their matters."""
    best: dict[tuple, tuple[float, dict]] = {}
    for row, score in zip(rows, scores):
        ends = row["brain"], row["a"], row["b"]
        if row["planted"] and (ends not in best or score > best[ends][0]):
            best[ends] = score, row
    return [row for row in rows if not row["planted"] or best[row["brain"], row["a"], row["b"]][1] is row]


def fit_table(rows: list[dict], night: str) -> None:
    """Prints how a table tells brains, each by one that was fitted without it, and the table itself."""
    unread = [row for row, odds in zip(rows, odds_before(rows)) if odds > WORTH_READING]
    read(unread, night)
    name = next(iter(READINGS[unread[0]["table"]]))
    unread = likeliest(unread, [row["features"][name] for row in unread])
    planted, names = planted_of(unread), {row["brain"] for row in unread}
    share = 1 / (1 + np.exp(-across(unread, len(names))))
    print(f"{len(names)} brains, {len(rows)} pairs, {len(unread)} read, {int(planted.sum())} planted")
    for least in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        print(f"  told at {least}: {int((share >= least).sum())}, of these planted {int(planted[share >= least].sum())}")
    table = Table.fitted(unread)
    print({name: round(value, 3) for name, value in {**table.weights, "constant": table.constant}.items()})


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("brains")
    arguments.add_argument("--apart", required=True)
    arguments.add_argument("--night", default="models/brain-night-v1")
    given = arguments.parse_args()
    folders = given.brains.split(",")
    told = rows_of(folders, given.night, tuple(given.apart.split(",")))
    for table in sorted({row["table"] for row in told}):
        print(f"== {table}")
        fit_table([row for row in told if row["table"] == table], given.night)


if __name__ == "__main__":
    main()

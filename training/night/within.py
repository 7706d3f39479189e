"""
Trains the reader of the night further within whole brains: what is planted in them, beside the pairs that a night would read in them.

    python within.py START.pt[,START.pt...] RUN.pt --brains DIRECTORY,... [--hold NAME,...] [--passes 1.1] [--seed 1]

DIRECTORY holds NAME.jsonl and answer-key.json, as `fit_odds.py` takes them; brains, and files of pairs, whose names begin as --hold says are never learnt from. Of two notes that
may conflict the reader learns what everything else that is known of them does not tell: the log odds of a table without it, fitted to other brains, are added to its own.
Pairs that were written alone are drawn beside them, so that what they taught is not forgotten.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from fit_odds import KINDS_OF_TABLES, likeliest, odds_before, rows_of
from train import CONFLICTS, KINDS, OF_ITEMS, WRITTEN, NightReader, Strangers, batches_of, example, item_pairs, judge_pairs, relation_pairs, sequel_pairs, series_pairs

sys.path.append(str(Path(__file__).parent.parent / "pair"))
from model import Descent, Pieces, read_lines  # noqa: E402

from bert import use_accelerator  # noqa: E402

# Tables whose rows are learnt from; what is planted as a cause or a recurrence is drawn by itself.
TABLES = ("conflict", "collision", "question", "role")
# How answer keys call what two notes that conflict are to each other.
STANDINGS = {**OF_ITEMS, "broken-rule": OF_ITEMS["rule"], "forgotten": OF_ITEMS["preference"]}
# Of what a note does by itself so many of the likeliest notes are read beside each other: later trouble beside changes of so many days before it.
TROUBLES, CHANGES, MEASURES, DAYS = 25, 20, 20, 35
PROMISES = 12
# A pair that is planted is drawn so often a pass, one that only looks like it so often, of what a series is made of so many pairs, and beside them so many that are not planted.
OFTEN, OFTEN_DECOY, OF_SERIES, BESIDE = 3, 2, 5, {"again": 12, "causes": 25, "measures": 8, "unkept": 6}
# How answer keys tell of what is none because it was done or told.
REPLIES = ((re.compile(r"\bpromis.*\bkept\b|\bkept\b.*\bpromis"), "kept"), (re.compile(r"\banswered\b"), "answers"))
# Log odds below which no table lets a pair be read.
UNREAD = -7.0
# Of a promise that nothing came of and a question that nobody answered so many of the later notes nearest to it are read beside it, drawn from among so many.
NOTHING_CAME, NEAREST = 2, 10
# What a pair in the table of conflicts counts for its sort, and what others count.
SORT_WEIGHT, OTHER_WEIGHT = 0.2, 0.7
CONFLICT_ROWS = [KINDS.index(name) for name in CONFLICTS]
OTHER_ROWS = [at for at in range(len(KINDS)) if at not in CONFLICT_ROWS]


@dataclass
class Brain:
    """Notes of a brain by their ids, what each does by itself (probabilities by role), and what two of them were planted to be."""

    text: dict[int, str] = field(default_factory=dict)
    day: dict[int, float] = field(default_factory=dict)
    role: dict[int, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))
    planted: dict[tuple[int, int], str] = field(default_factory=dict)
    series: list[tuple[int, int, str]] = field(default_factory=list)
    decoys: dict[tuple[int, int], str] = field(default_factory=dict)
    unsettled: list[int] = field(default_factory=list)

    def likeliest(self, role: str, count: int) -> list[int]:
        return sorted(self.text, key=lambda note: -self.role[note].get(role, 0))[:count]

    def likely_series(self, kind: str) -> list[tuple[int, int]]:
        """Pairs that a night may take for trouble that comes again, a change and what it caused, values of one measure."""
        troubles = self.likeliest("trouble", TROUBLES)
        firsts, seconds = {
            "again": (troubles, troubles),
            "causes": (self.likeliest("change", CHANGES), troubles),
            "measures": (self.likeliest("measure", MEASURES),) * 2,
            "unkept": (self.likeliest("promise", PROMISES), list(self.text)),
        }[kind]
        reach = DAYS if kind in ("causes", "unkept") else float("inf")
        return [(a, b) for a in firsts for b in seconds if 0 < self.day[b] - self.day[a] < reach and (a, b) not in self.planted and (a, b) not in self.decoys]

    def lay_decoy(self, what: str, ids: list[int]) -> None:
        kind = next((kind for pattern, kind in REPLIES if pattern.search(what.lower())), "none")
        self.decoys |= {(a, b): kind if b == ids[-1] else "none" for a, b in combinations(ids, 2)}

    def came_of_nothing(self, strangers: Strangers, chance: random.Random) -> list[tuple[int, int]]:
        """Promises and questions with later notes that are near to them and neither keep nor answer them."""
        out = []
        for note in self.unsettled:
            later = [other for other in self.text if self.day[other] > self.day[note] and (note, other) not in self.planted and (note, other) not in self.decoys]
            if later:
                likeness = strangers.embed([self.text[note]]) @ strangers.embed([self.text[other] for other in later]).T
                nearest = [later[row] for row in likeness[0].argsort(descending=True).tolist()[:NEAREST]]
                out += [(note, other) for other in chance.sample(nearest, min(NOTHING_CAME, len(nearest)))]
        return out

    def plant(self, kind: str, ids: list[int]) -> None:
        if kind in ("promise", "question"):
            self.unsettled += ids[:1] if kind == "promise" else ids
        for a in ids:
            for b in ids:
                self.planted[a, b] = kind
        if kind == "trend":
            self.series += [(a, b, "measures") for a, b in combinations(ids, 2)]
        elif kind == "cause":
            self.series += [(ids[0], b, "causes") for b in ids[1:]]
        elif kind == "promise" and len(ids) == 2:
            self.series.append((*ids, "unkept"))
        elif kind == "recurrence" and len(ids) < 6:
            self.series += [(a, b, "again") for a, b in combinations(ids, 2)]
        elif kind == "recurrence":
            # One thing each time after another: event, effect, event, effect.
            sides = ids[0::2], ids[1::2]
            self.series += [(a, b, "causes") for a, b in zip(*sides) if self.day[b] - self.day[a] < 4]
            self.series += [(a, b, "again") for side in sides for a, b in combinations(side, 2)]


def read_brains(folders: list[Path], rows: list[dict]) -> dict[str, Brain]:
    brains: dict[str, Brain] = defaultdict(Brain)
    for folder in folders:
        key = json.loads((folder / "answer-key.json").read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.jsonl")):
            brain = brains[path.stem]
            for line in read_lines(path):
                if "text" in line:
                    brain.text[line["id"]] = line["text"]
                    brain.day[line["id"]] = datetime.fromisoformat(line["created_at"].replace("Z", "+00:00")).timestamp() / 86_400

            def in_order(item: dict, brain: Brain = brain) -> list[int]:
                return sorted(set(item["memory_ids"]), key=lambda note: (brain.day[note], note))

            for item in key[path.stem]:
                brain.plant(item["kind"], in_order(item))
            for item in key.get("decoys", {}).get(path.stem, []):
                brain.lay_decoy(f"{item.get('sort', '')} {item['what']}", in_order(item))
    for row in rows:
        if row["table"] == "role":
            # Of several matters of a note that counts which does it most.
            does = brains[row["brain"]].role[row["a"]]
            does.update({role: max(share, does.get(role, 0)) for role, share in row["features"].items()})
    return brains


class Drawn:
    """What is learnt from: rows of brains, what else is planted in them, and pairs that were written alone."""

    def __init__(
        self, brains: dict[str, Brain], rows: list[dict], held: tuple[str, ...], beside: int, alone: int, strangers: Strangers, chance: random.Random
    ) -> None:
        self.brains, self.held, self.beside, self.alone, self.strangers, self.chance = brains, held, beside, alone, strangers, chance
        self.rows = defaultdict(list)
        conflicts = [row for row in rows if row["table"] == "conflict"]
        odds = odds_before(conflicts)
        for row in likeliest([{**row, "odds": float(told)} for row, told in zip(conflicts, odds)], odds):
            self.rows[row["brain"]].append(row)
        self.others = [row for row in rows if row["table"] not in ("conflict", "role")]

    def pair(self, brain: str, a: int, b: int, kind: str, source: str) -> dict:
        text = self.brains[brain].text
        return example(text[a], text[b], kind, source)

    def conflict(self, row: dict) -> dict:
        brain, ends = self.brains[row["brain"]], (row["a"], row["b"])
        kind = STANDINGS[brain.planted[ends]] if row["planted"] else brain.decoys.get(ends, "none")
        return {**example(*row["texts"], kind, "conflict"), "odds": row["odds"], "planted": row["planted"]}

    def conflicts(self) -> Iterator[dict]:
        for name, rows in self.rows.items():
            yield from [self.conflict(row) for row in rows if row["planted"]] * OFTEN
            yield from [self.conflict(row) for row in rows if not row["planted"] and (row["a"], row["b"]) in self.brains[name].decoys] * OFTEN_DECOY
            others = [row for row in rows if not row["planted"] and row["odds"] > UNREAD]
            # The likelier by everything else, the oftener: what is told for certain teaches nothing.
            shares = [1 / (1 + np.exp(-row["odds"] - 2)) for row in others]
            keys = sorted(zip(others, shares), key=lambda one: -(self.chance.random() ** (1 / one[1])))
            yield from (self.conflict(row) for row, _ in keys[: self.beside])

    def series(self) -> Iterator[dict]:
        for name, brain in self.brains.items():
            by_kind = defaultdict(list)
            for a, b, kind in brain.series:
                by_kind[kind].append((a, b))
            for kind, pairs in by_kind.items():
                few = pairs if kind in ("causes", "unkept") else self.chance.sample(pairs, min(OF_SERIES, len(pairs)))
                yield from (self.pair(name, a, b, kind, "series") for a, b in few)
            yield from [self.pair(name, *ends, kind, "series") for ends, kind in brain.decoys.items() if kind != "none"] * OFTEN_DECOY
            yield from (self.pair(name, a, b, "none", "series") for a, b in brain.came_of_nothing(self.strangers, self.chance))
            for kind, count in BESIDE.items():
                pairs = brain.likely_series(kind)
                yield from (self.pair(name, a, b, "none", "series") for a, b in self.chance.sample(pairs, min(count, len(pairs))))

    def files(self, folder: Path, names: str = "*") -> list[Path]:
        return [path for path in sorted(folder.glob(f"{names}.jsonl")) if not path.stem.startswith(self.held)]

    def written(self) -> list[dict]:
        items = [one for path in self.files(WRITTEN) for one in item_pairs(path)] + relation_pairs() + judge_pairs(self.chance, 0.1)
        sequels = [one for path in self.files(WRITTEN / "sequels") for one in sequel_pairs(path)]
        series = [one for path in self.files(WRITTEN / "series", "plain-*") for one in series_pairs(path, self.chance)]
        return self.chance.sample(items, self.alone // 2) + self.chance.sample(sequels, self.alone // 2) + series

    def draw(self) -> list[dict]:
        asked = [
            example(*row["texts"], KINDS_OF_TABLES[row["table"]] if row["planted"] else "none", row["table"])
            for row in self.others
        ]
        return [*self.conflicts(), *self.series(), *asked, *self.written()]


def odds_of(logits: torch.Tensor) -> torch.Tensor:
    """Log odds of a conflict of any sort."""
    return torch.logsumexp(logits[:, CONFLICT_ROWS], 1) - torch.logsumexp(logits[:, OTHER_ROWS], 1)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("start")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--brains", required=True)
    arguments.add_argument("--night", default="models/brain-night-v1", help="whose roles the table without a reader takes")
    arguments.add_argument("--hold", default="")
    arguments.add_argument("--passes", type=float, default=1.1)
    arguments.add_argument("--size", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=5e-5)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--hide", type=float, default=0.05, help="share of the pieces that a mask stands for")
    arguments.add_argument("--beside", type=int, default=60, help="pairs of a brain that are not planted, a pass")
    arguments.add_argument("--alone", type=int, default=4000, help="pairs that were written alone, a pass")
    arguments.add_argument("--threads", type=int, default=2)
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    use_accelerator()
    torch.manual_seed(given.seed)
    chance, pieces = random.Random(given.seed), Pieces()
    held = tuple(name for name in given.hold.split(",") if name)
    folders = [Path(folder) for folder in given.brains.split(",")]
    rows = [row for row in rows_of(list(map(str, folders)), given.night, tables=TABLES) if not row["brain"].startswith(held)]
    names = {row["brain"] for row in rows}
    brains = {name: brain for name, brain in read_brains(folders, rows).items() if name in names}
    starts = [Path(path) for path in given.start.split(",")]
    model, layers = NightReader.load(*starts), torch.load(starts[0])["layers"]
    drawn = Drawn(brains, rows, held, given.beside, given.alone, Strangers(pieces, model.pair.bert.words), chance)
    batches = batches_of(drawn.draw(), given.size, pieces, chance)
    # By how much the reader's log odds count beside the others, and what both together are too much by.
    beside = torch.nn.Parameter(torch.tensor([0.6, 1.0]))
    groups = [
        {"params": [value for name, value in model.named_parameters() if name.startswith("pair.bert")], "lr": given.rate},
        {"params": [*model.night.parameters(), beside], "lr": given.rate * 5},
    ]
    descent, began = Descent(groups, int(given.passes * len(batches))), time.time()
    print(f"{len(brains)} brains, {len(batches)} batches a pass, {descent.steps} steps", flush=True)
    while descent.step < descent.steps:
        model.train()
        for batch in batches[: descent.steps - descent.step]:
            logits = model(pieces.batch([one["pair"] for one in batch], given.hide)).float()
            weighed = torch.tensor(["odds" in one for one in batch])
            sort = F.cross_entropy(logits, torch.tensor([one["label"] for one in batch]), label_smoothing=0.03, reduction="none")
            loss = (sort * torch.where(weighed, SORT_WEIGHT, OTHER_WEIGHT)).mean()
            if weighed.any():
                rows = [one for one in batch if "odds" in one]
                odds = torch.tensor([one["odds"] for one in rows]) + beside[0] * odds_of(logits[weighed]) + beside[1]
                planted = torch.tensor([float(one["planted"]) for one in rows])
                loss = loss + F.binary_cross_entropy_with_logits(odds.float(), planted, reduction="sum") / len(batch)
            descent.down(model, loss)
            if descent.step % 20 == 0:
                print(f"{descent.step}/{descent.steps} loss {descent.mean:.4f} {time.time() - began:.0f} s", flush=True)
        model.keep(layers, given.out)
        if descent.step < descent.steps:
            batches = batches_of(drawn.draw(), given.size, pieces, chance)


if __name__ == "__main__":
    main()

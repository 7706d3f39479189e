"""
Trains the reader of the night: how a newer note stands to an older one, over layers of all-MiniLM-L6-v2.

    nice -n 3 python train.py --start PAIR.pt --out RUN.pt [--hold FILE,...] [--passes 3] [--seed 1]

Knows the data's files and how a batch is made of them. What --hold names is never trained on; how well the model tells it is printed.
"""

import argparse
import random
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F

sys.path.append(str(Path(__file__).parent.parent / "pair"))
from brains import area_under_curve  # noqa: E402
from model import Descent, Head, PairModel, Pieces, batches_by_length, keep, read_lines  # noqa: E402
from paths import JUDGE, LETTERS  # noqa: E402
from paths import RELATIONS as RELATION_BATCHES  # noqa: E402

from bert import use_accelerator  # noqa: E402

KINDS = (
    *("none", "contradicts", "reverses", "breaks", "ignores", "collides", "asks", "answers", "unkept", "kept", "same"),
    *("measures", "again", "causes"),
)
CONFLICTS = ("contradicts", "reverses", "breaks", "ignores")
OF_ITEMS = {
    "contradiction": "contradicts",
    "reversal": "reverses",
    "rule": "breaks",
    "preference": "ignores",
    "collision": "collides",
    "question": "asks",
    "promise": "unkept",
    "measure": "measures",
    "again": "again",
    "cause": "causes",
}
REPLIES = (("answer", "answers"), ("kept", "kept"))
# What notes of one diary may well be to each other, though nobody has said so: not counted as wrong. Of small brains it has been said.
UNTOLD = [KINDS.index(name) for name in ("asks", "answers", "kept", "same", "measures", "again", "causes")]
WRITTEN = Path(__file__).parent / "written"
WORLDS = Path(__file__).parent.parent / "ranking" / "questions"
# Writers of worlds that nothing is fitted to.
UNSEEN = "ag"
# Lower layers that read each note alone.
APART = 2
# Pairs held out that are told after each pass.
MOST_TESTED = 5000


class NightReader(torch.nn.Module):
    """A pair of notes to a logit a kind."""

    def __init__(self, pair: PairModel, hidden: int = 64) -> None:
        super().__init__()
        self.pair, self.night = pair, Head(hidden, len(KINDS))

    def keep(self, layers: list[int], path: Path) -> None:
        keep(self, self.pair, layers, path)

    @staticmethod
    def load(*paths: Path) -> "NightReader":
        """A kept reader; of several that began as one the mean of their weights."""
        kept = [torch.load(path, map_location="cpu") for path in paths]
        states = [one["state"] for one in kept]
        inner = states[0]["pair.bert.layers.0.up.bias"].shape[0]
        model = NightReader(PairModel(kept[0]["layers"], inner=inner, apart=kept[0]["apart"]))
        model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
        return model

    def forward(self, batch) -> torch.Tensor:
        return self.night(F.dropout(self.pair.pooled(batch), self.pair.drop, self.training))


def example(older: str, newer: str, kind: str, source: str, quiet: bool = False) -> dict:
    """A pair and its kind; of a quiet one nobody has said whether it is one of those that go untold."""
    return {"pair": (older, newer), "label": KINDS.index(kind), "source": source, "quiet": quiet}


def item_pairs(path: Path) -> list[dict]:
    out = []
    for item in read_lines(path):
        kind = item["kind"]
        out.append(example(item["older"], item["newer"], OF_ITEMS[kind], kind))
        out += [example(item["older"], near, "none", f"{kind}-near") for near in item.get("near", [])]
        out += [example(item["older"], item[name], kept, name) for name, kept in REPLIES if name in item]
    return out


def series_pairs(path: Path, chance: random.Random) -> list[dict]:
    """Series that belong to no diary: their notes with each other, and with what is near to them."""
    out = []
    for item in read_lines(path):
        kind, notes = item["kind"], item["notes"]
        if kind == "cause":
            pairs = [(notes[0], note) for note in notes[1:]]
        else:
            pairs = [(a, b) for i, a in enumerate(notes) for b in notes[i + 1 :]]
        out += [example(a, b, OF_ITEMS[kind], kind) for a, b in chance.sample(pairs, min(4, len(pairs)))]
        out += [example(notes[0] if kind == "cause" else chance.choice(notes), near, "none", f"{kind}-near") for near in item["near"]]
        # Other changes that explain none of the symptoms.
        out += [example(change, symptom, "none", f"{kind}-near") for change in item.get("changes", []) for symptom in chance.sample(notes[1:], 2)]
    return out


# How the pairs of small brains are called there.
OF_BRAINS = {
    **{"contradiction": "contradicts", "reversal": "reverses", "rule": "breaks", "preference": "ignores", "collision": "collides"},
    **{name: name for name in ("asks", "answers", "unkept", "kept", "causes", "again", "measures")},
}


def read_pairs(path: Path) -> list[dict]:
    """Pairs that a reader of before held likely to be something, as others read them; without those they were in doubt of."""
    return [example(line["older"], line["newer"], line["label"], "read") for line in read_lines(path) if not line.get("unsure")]


# What may have come after an older note, and how that stands to it; `newer` stands as its item's kind says.
SEQUELS = {"kept": "kept", "unkept": "unkept", "again": "asks", "answer": "answers"}


def sequel_pairs(path: Path) -> list[dict]:
    """Promises, questions, rules and the like with what came after them, and with what tells nothing of them."""
    out = []
    for item in read_lines(path):
        after = {**SEQUELS, "newer": OF_ITEMS[item["kind"]], "near": "none"}
        out += [example(item["older"], newer, kind, f"sequel-{name}") for name, kind in after.items() for newer in item.get(name, [])]
    return out


def world_pairs(path: Path, chance: random.Random) -> list[dict]:
    """Questions of a small world with the notes that answer them, and with two that are near and do not."""
    lines = read_lines(path)
    text = {line["note"]: line["text"] for line in lines if "note" in line}
    out = []
    for line in lines:
        if line.get("kind") not in ("paraphrase", "question"):
            continue
        out += [example(line["question"], text[note], "answers", "world") for note in line["gold"]]
        out += [example(line["question"], text[note], "none", "world-near") for note in chance.sample(line["near"], min(2, len(line["near"])))]
    return out


def relation_pairs() -> list[dict]:
    kinds = {"reverses": "reverses", "same": "same", "continues": "none", "other": "none"}
    return [
        example(line["older"], line["newer"], kinds[line["relation"]], "relation")
        for batch in "abcdef"
        for line in read_lines(RELATION_BATCHES / f"{batch}.jsonl")
    ]


def judge_pairs(chance: random.Random, share: float) -> list[dict]:
    lines = [line for batch in LETTERS for line in read_lines(JUDGE / f"{batch}.jsonl")]
    return [example(line["flag"], line["plan"], "breaks" if line["label"] else "none", "judge") for line in lines if chance.random() < share]


@dataclass
class Life:
    """A diary in which nothing conflicts, and what was written into it: conflicts with their twins, series."""

    notes: list[dict]
    conflicts: list[dict]
    series: list[dict]


def lives_of(written: Path, held: set[str]) -> tuple[list[Life], list[Life]]:
    """Those to learn from, and those held out: a file's number is its diary's."""
    out: tuple[list[Life], list[Life]] = ([], [])
    for path in sorted((written / "diaries").glob("*.jsonl")):
        number, notes = path.stem.split("-")[1], read_lines(path)

        def items(folder: str, number=number) -> list[dict]:
            return [item for file in sorted((written / folder).glob(f"*-{number}*.jsonl")) for item in read_lines(file)]

        conflicts = [
            {**item, "older": notes[item["older"] - 1] if isinstance(item["older"], int) else item["older"]}
            for item in items("conflicts")
        ]
        out[path.stem in held].append(Life(notes, conflicts, items("series")))
    return out


class Strangers:
    """Notes that have nothing to do with each other, drawn anew for each pass: near by meaning, and by chance."""

    def __init__(self, pieces: Pieces, words: torch.Tensor) -> None:
        self.pieces, self.known = pieces, {}
        # Of pieces that are in every text the mean tells nothing.
        self.words = F.normalize(words - words.mean(0), dim=1)

    def embed(self, texts: list[str]) -> torch.Tensor:
        """Unit vectors by the rows of their pieces alone: good enough for what is near, and a hundredth of an encoder's time."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for text in new:
            ids = list(dict.fromkeys(self.pieces.of(text)))
            self.known[text] = F.normalize(self.words[ids].sum(0), dim=0) if ids else torch.zeros(self.words.shape[1])
        return torch.stack([self.known[text] for text in texts])

    def others_near(self, items: list[dict], newer: list[tuple[int, str]]) -> list[tuple[dict, list[str]]]:
        """Each item with the newer texts of other items, the nearest to its older one first; `newer` says whose item a text is."""
        likeness = self.embed([item["older"] for item in items]) @ self.embed([text for _, text in newer]).T
        orders = likeness.argsort(dim=1, descending=True).tolist()
        return [(item, [newer[row][1] for row in order if newer[row][0] != at]) for at, (item, order) in enumerate(zip(items, orders))]

    def of_items(self, paths: list[Path], chance: random.Random, near: int, far: int) -> list[dict]:
        """Older notes beside newer ones of the same file's other items."""
        out = []
        for path in paths:
            items = read_lines(path)
            newer = [(at, text) for at, item in enumerate(items) for text in (item["newer"], *item.get("near", []))]
            for item, others in self.others_near(items, newer):
                chosen = chance.sample(others[: 3 * near], near) + chance.sample(others[3 * near :], far)
                out += [example(item["older"], text, "none", "stranger") for text in chosen]
        return out

    def of_sequels(self, paths: list[Path], chance: random.Random, near: int) -> list[dict]:
        """Promises, questions, rules and the like beside what came after others in the same file."""
        out = []
        for path in paths:
            items = read_lines(path)
            newer = [(at, text) for at, item in enumerate(items) for name in (*SEQUELS, "newer") for text in item.get(name, [])]
            for item, others in self.others_near(items, newer):
                out += [example(item["older"], text, "none", "stranger") for text in chance.sample(others[: 4 * near], near)]
        return out

    def of_brains(self, paths: list[Path], chance: random.Random, near: int, far: int, crossed: int) -> list[dict]:
        """
        Small brains in which every pair that stands to each other in some way is named: those; each of their older notes beside the
        newer ones of other pairs, a rule beside what breaks another, and beside the later notes nearest to it, since to a question without an
        answer these look like one; and each note beside earlier ones near to it.
        """
        out = []
        for path in paths:
            lines = read_lines(path)
            notes, told = [line for line in lines if "text" in line], {tuple(line["pair"]): line["kind"] for line in lines if "pair" in line}
            text, day = ({note["id"]: note[name] for note in notes} for name in ("text", "day"))
            out += [example(text[a], text[b], OF_BRAINS[kind], f"brain-{kind}") for (a, b), kind in told.items()]
            newer = list(dict.fromkeys(b for _, b in told))
            for a in dict.fromkeys(a for a, _ in told):
                others = [b for b in newer if day[b] > day[a] and (a, b) not in told]
                out += [example(text[a], text[b], "none", "brain") for b in chance.sample(others, min(crossed, len(others)))]
            rows = self.embed([note["text"] for note in notes])
            row_of = {note["id"]: row for row, note in enumerate(notes)}
            for a in dict.fromkeys(a for a, _ in told):
                later = [row for row, note in enumerate(notes) if note["day"] - day[a] >= 1 and (a, note["id"]) not in told]
                later.sort(key=lambda row: -float(rows[row_of[a]] @ rows[row]))
                out += [example(text[a], notes[row]["text"], "none", "brain") for row in chance.sample(later[:12], min(crossed, len(later[:12])))]
            for at, note in enumerate(notes):
                earlier = [row for row in range(at) if note["day"] - notes[row]["day"] >= 1 and (notes[row]["id"], note["id"]) not in told]
                order = sorted(earlier, key=lambda row: -float(rows[at] @ rows[row]))
                chosen = chance.sample(order[: 2 * near], min(near, len(order))) + chance.sample(order[2 * near :], min(far, len(order[2 * near :])))
                out += [example(notes[row]["text"], note["text"], "none", "brain") for row in chosen]
        return out

    def of_diaries(self, lives: list["Life"], chance: random.Random, near: int, far: int) -> list[dict]:
        """Notes of a diary without any conflict beside later ones of it."""
        out = []
        for life in lives:
            notes, rows = life.notes, self.embed([note["text"] for note in life.notes])
            for at, note in enumerate(notes):
                later = [row for row in range(at + 1, len(notes)) if notes[row]["day"] - note["day"] >= 2]
                if len(later) < 4 * near + far:
                    continue
                order = sorted(later, key=lambda row: -float(rows[at] @ rows[row]))
                chosen = chance.sample(order[: 4 * near], near) + chance.sample(order[4 * near :], far)
                out += [example(note["text"], notes[row]["text"], "none", "diary", True) for row in chosen]
        return out

    def of_conflicts(self, lives: list["Life"], chance: random.Random, near: int) -> list[dict]:
        """What was written into diaries: a conflict with one note of it, its twin with none, and both beside the notes nearest to them."""
        out = []
        for life in lives:
            rows = self.embed([note["text"] for note in life.notes])

            def beside(note: dict, later: bool, but: str, rows=rows, life=life) -> list[str]:
                likeness = rows @ self.embed([note["text"]])[0]
                order = [
                    life.notes[row]["text"]
                    for row in likeness.argsort(descending=True).tolist()
                    if (life.notes[row]["day"] > note["day"] + 1 if later else life.notes[row]["day"] < note["day"] - 1)
                    and life.notes[row]["text"] not in (note["text"], but)
                ][: 4 * near]
                return chance.sample(order, min(near, len(order)))

            for item in life.conflicts:
                older, newer, twin, kind = item["older"], item["newer"], item["twin"], item["kind"]
                told = older["text"]
                out.append(example(told, newer["text"], OF_ITEMS[kind], f"written-{kind}"))
                out.append(example(told, twin["text"], "none", f"written-{kind}-near", OF_ITEMS[kind] in CONFLICTS))
                out += [example(told, item[name]["text"], kept, name) for name, kept in REPLIES if name in item]
                out += [example(text, newer["text"], "none", "beside", True) for text in beside(newer, False, told)]
                out += [example(text, twin["text"], "none", "beside", True) for text in beside(twin, False, told)]
                out += [example(told, text, "none", "beside", True) for text in beside(older, True, newer["text"])[: near // 2]]
        return out

    def of_series(self, lives: list["Life"], chance: random.Random, near: int) -> list[dict]:
        """Series: their notes with each other, with what is near to them, and with those of the diary's other series."""
        out = []
        for life in lives:
            told = [(at, note) for at, item in enumerate(life.series) for note in item["notes"]]
            if not told:
                continue
            rows = self.embed([note["text"] for _, note in told])
            for at, item in enumerate(life.series):
                kind, notes = item["kind"], sorted(item["notes"], key=lambda note: note["day"])
                if kind == "cause":
                    pairs = [(notes[0], note) for note in notes[1:]]
                else:
                    pairs = [(a, b) for i, a in enumerate(notes) for b in notes[i + 1 :]]
                pairs = chance.sample(pairs, min(5, len(pairs)))
                out += [example(a["text"], b["text"], OF_ITEMS[kind], f"written-{kind}") for a, b in pairs]
                for other in item["near"]:
                    a, b = sorted((notes[0] if kind == "cause" else chance.choice(notes), other), key=lambda note: note["day"])
                    out.append(example(a["text"], b["text"], "none", f"written-{kind}-near"))
                for note in notes:
                    row = next(row for row, (_, one) in enumerate(told) if one is note)
                    order = [r for r in (rows @ rows[row]).argsort(descending=True).tolist() if told[r][0] != at][: 4 * near]
                    for r in chance.sample(order, min(near // 2, len(order))):
                        a, b = sorted((note, told[r][1]), key=lambda note: note["day"])
                        out.append(example(a["text"], b["text"], "none", "series"))
        return out

    def between(self, items: list[Path], lives: list["Life"], chance: random.Random, share: float) -> list[dict]:
        """Older notes of items beside notes of diaries, and notes of diaries beside newer ones of items: the nearest."""
        notes = [note["text"] for life in lives for note in life.notes]
        lines = [item for path in items for item in read_lines(path)]
        if not notes:
            return []
        out, rows = [], self.embed(notes)
        for ours, swap in (([item["older"] for item in lines], False), ([item["newer"] for item in lines], True)):
            near = (self.embed(ours) @ rows.T).topk(8, dim=1).indices.tolist()
            for text, places in zip(ours, near):
                if chance.random() < share:
                    other = notes[chance.choice(places)]
                    out.append(example(*((other, text) if swap else (text, other)), "none", "between"))
        return out


SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def talkative(examples: list[dict], chance: random.Random, share: float) -> list[dict]:
    """Of a share of the pairs one note tells of another matter, too, before or after its own, as notes of a day do: a sentence of any other note."""

    def longer(text: str) -> str:
        other = chance.choice(SENTENCE_END.split(chance.choice(chance.choice(examples)["pair"])))
        return f"{other} {text}" if chance.random() < 0.5 else f"{text} {other}"

    out = []
    for one in examples:
        older, newer = one["pair"]
        if chance.random() < share:
            older, newer = (longer(older), newer) if chance.random() < 0.5 else (older, longer(newer))
        out.append({**one, "pair": (older, newer)})
    return out


def batches_of(examples: list[dict], size: int, pieces: Pieces, chance: random.Random) -> list[list[dict]]:
    """Batches of pairs; lengths of the newer notes are alike."""

    def length(part: list[dict]) -> int:
        return max(len(pieces.of(e["pair"][1])) for e in part)

    out = batches_by_length(examples, size, chance, part=8, window=96, length=length)
    chance.shuffle(out)
    return out


@torch.no_grad()
def logits_of(model: NightReader, pairs: list[tuple[str, str]], pieces: Pieces) -> numpy.ndarray:
    model.eval()
    out = numpy.zeros((len(pairs), len(KINDS)))
    order = sorted(range(len(pairs)), key=lambda i: (len(pieces.of(pairs[i][1])) // 8, pairs[i][0]))
    for at in range(0, len(order), 128):
        rows = order[at : at + 128]
        out[rows] = model(pieces.batch([pairs[i] for i in rows])).float().cpu().numpy()
    return out


def tell(model: NightReader, examples: list[dict], pieces: Pieces) -> str:
    """Of each kind the AUC against all others, and against what is near to it alone."""
    logits = logits_of(model, [e["pair"] for e in examples], pieces)
    probability = numpy.exp(logits - logits.max(1, keepdims=True))
    probability /= probability.sum(1, keepdims=True)
    label = numpy.array([e["label"] for e in examples])
    source = numpy.array([e["source"] for e in examples])
    out = []
    for kind, name in OF_ITEMS.items():
        at = KINDS.index(name)
        near = (label == at) | numpy.isin(source, [f"{kind}-near", f"written-{kind}-near", "brain"])
        if (label == at).any():
            found = probability[label == at, at]
            out.append(
                f"{name} {area_under_curve(label == at, probability[:, at]):.3f}, near {area_under_curve(label[near] == at, probability[near, at]):.3f}, mean {found.mean():.2f}, strangers over a half {numpy.mean(probability[numpy.isin(source, ['stranger', 'beside', 'series', 'diary', 'brain']), at] > 0.5):.4f}"
            )
    return "\n   ".join(out)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--start", type=Path, help="a kept reader; else layers of all-MiniLM-L6-v2")
    arguments.add_argument("--layers", default="1,2,3,4,5,6")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("--written", type=Path, default=WRITTEN)
    arguments.add_argument("--hold", default="")
    arguments.add_argument("--passes", type=float, default=3)
    arguments.add_argument("--steps", type=int, help="instead of passes, where files come while it trains")
    arguments.add_argument("--size", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=1e-4)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--hide", type=float, default=0.05, help="share of the pieces that a mask stands for")
    arguments.add_argument("--near", type=int, default=4)
    arguments.add_argument("--far", type=int, default=3)
    arguments.add_argument("--judge", type=float, default=0.25, help="share of the judge's pairs")
    arguments.add_argument("--since", default="", help="the name of the first file of items that is seen whole")
    arguments.add_argument("--share", type=float, default=1, help="of items before that, and of all about diaries, in a pass")
    arguments.add_argument("--beside", type=int, default=4, help="notes near to each of a small brain that it is read beside")
    arguments.add_argument("--crossed", type=int, default=3, help="notes of other pairs that the older note of one is read beside")
    arguments.add_argument("--worlds", type=float, default=0.5, help="share of the questions of small worlds in a pass")
    arguments.add_argument("--talkative", type=float, default=0, help="share of the pairs of which one note tells of another matter, too")
    arguments.add_argument("--read", type=int, default=1, help="times that what others read is drawn a pass")
    arguments.add_argument("--often", type=int, default=1, help="times that what was written into diaries is drawn a pass")
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    torch.set_num_threads(given.threads)
    use_accelerator()
    torch.manual_seed(given.seed)
    chance = random.Random(given.seed)
    pieces = Pieces()
    held = [name for name in given.hold.split(",") if name]
    paths = sorted(given.written.glob("*.jsonl"))
    learnt = [path for path in paths if path.stem not in held]
    tested = [path for path in paths if path.stem in held]
    layers = torch.load(given.start)["layers"] if given.start else [int(n) for n in given.layers.split(",")]
    model = NightReader.load(given.start) if given.start else NightReader(PairModel(layers, apart=APART))
    strangers = Strangers(pieces, model.pair.bert.words)

    def draw() -> tuple[list[dict], list[dict]]:
        """What there is to learn from now, and what is held out: files that came since are read too."""
        lives, apart = lives_of(given.written, set(held))
        brains = [path for path in sorted((given.written / "brains").glob("*.jsonl")) if path.stem not in held]
        late = [path for path in learnt if given.since and path.stem >= given.since]
        early = [path for path in learnt if path not in late]
        drawn = [one for path in early for one in item_pairs(path)] + relation_pairs() + judge_pairs(chance, given.judge)
        drawn += strangers.of_items(early, chance, given.near, given.far) + strangers.of_diaries(lives, chance, 3, 1)
        drawn += strangers.between(early, lives, chance, 0.4)
        for _ in range(given.often):
            drawn += strangers.of_conflicts(lives, chance, given.near) + strangers.of_series(lives, chance, given.near)
        drawn = chance.sample(drawn, int(given.share * len(drawn)))
        drawn += [one for path in late for one in item_pairs(path)] + strangers.of_items(late, chance, 2, 1)
        drawn += [one for path in sorted((given.written / "series").glob("plain-*.jsonl")) for one in series_pairs(path, chance)]
        drawn += strangers.of_brains(brains, chance, given.beside, 1, given.crossed)
        for _ in range(given.read):
            drawn += [one for path in sorted((given.written / "read").glob("*.jsonl")) if path.stem not in held for one in read_pairs(path)]
        sequels = [path for path in sorted((given.written / "sequels").glob("*.jsonl")) if path.stem not in held]
        drawn += [one for path in sequels for one in sequel_pairs(path)] + strangers.of_sequels(sequels, chance, given.beside)
        worlds = [one for path in sorted(WORLDS.glob("*.jsonl")) if path.stem[0] not in UNSEEN for one in world_pairs(path, chance)]
        drawn += chance.sample(worlds, int(given.worlds * len(worlds)))
        drawn = talkative(drawn, chance, given.talkative)
        draw = random.Random(1)
        test = strangers.of_brains([path for path in sorted((given.written / "brains").glob("*.jsonl")) if path.stem in held], draw, 8, 4, 4)
        test += [one for path in tested for one in item_pairs(path)] + strangers.of_items(tested, draw, 6, 6)
        test += strangers.of_conflicts(apart, draw, 12) + strangers.of_series(apart, draw, 12) + strangers.of_diaries(apart, draw, 6, 2)
        test = draw.sample(test, min(MOST_TESTED, len(test)))
        written = sum(len(life.conflicts) + len(life.series) for life in lives)
        print(f"{len(drawn)} pairs, {len(lives)} diaries, {written} written into them; {len(test)} held out", flush=True)
        return drawn, test

    bases = [value for name, value in model.named_parameters() if name.startswith("pair.bert")]
    heads = list(model.night.parameters())
    drawn, test = draw()
    batches = batches_of(drawn, given.size, pieces, chance)
    groups = [{"params": bases, "lr": given.rate}, {"params": heads, "lr": given.rate * 5}]
    descent, began = Descent(groups, given.steps or int(given.passes * len(batches))), time.time()
    print(f"{descent.steps} steps", flush=True)
    while descent.step < descent.steps:
        model.train()
        for batch in batches:
            if descent.step >= descent.steps:
                break
            logits = model(pieces.batch([e["pair"] for e in batch], given.hide)).float()
            quiet = torch.tensor([e["quiet"] for e in batch])
            logits[quiet.nonzero(), torch.tensor(UNTOLD)] = -30.0
            loss = F.cross_entropy(logits, torch.tensor([e["label"] for e in batch]), label_smoothing=0.03)
            descent.down(model, loss)
            if descent.step % 50 == 0:
                print(f"{descent.step}/{descent.steps} loss {descent.mean:.4f} {time.time() - began:.0f} s", flush=True)
        if descent.step < descent.steps:
            drawn, test = draw()
            batches = batches_of(drawn, given.size, pieces, chance)
        model.keep(layers, given.out)
        if test:
            print(f"== {descent.step}/{descent.steps} {time.time() - began:.0f} s\n   {tell(model, test, pieces)}", flush=True)


if __name__ == "__main__":
    main()

"""
Teaches the head of relations of a model that was trained further on plans alone what an earlier model says of two notes.

    python relation_head.py EARLIER.pt MODEL.pt[,MODEL.pt...] OUT.pt

Of several models that began as one the mean of their weights is taken. Nothing but the head moves.
"""

import random
import re
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from model import PairModel, Pieces, load, read_lines, save
from train import judge_pairs, relation_pairs, strangers

NIGHT = Path(__file__).parent.parent / "night" / "written"
EPOCHS, RATE, BATCH = 60, 2e-3, 128


def shared_words(notes: list[str]) -> list[tuple[float, int, int]]:
    """Pairs of a brain's notes, an earlier one and a later one, those with most words in common first."""
    words = [set(re.findall(r"[a-z0-9]{4,}", note.lower())) for note in notes]
    pairs = [(a, b) for b in range(len(notes)) for a in range(b)]
    return sorted(((len(words[a] & words[b]) / (1 + min(len(words[a]), len(words[b]))), a, b) for a, b in pairs), reverse=True)


def pairs_of_notes(chance: random.Random) -> list[tuple[str, str]]:
    told = relation_pairs(list("abcdef"))
    out = [e["pair"] for e in told + strangers(told, chance) + strangers(told, chance)]
    items = [item for path in sorted(NIGHT.glob("items-*.jsonl")) for item in read_lines(path)]
    out += [(item["older"], item["newer"]) for item in chance.sample(items, 1500)]
    out += [(item["older"], chance.choice(items)["newer"]) for item in chance.sample(items, 800)]
    out += [e["pair"] for e in chance.sample(judge_pairs(["a", "b", "c"]), 500)]
    for path in sorted((NIGHT / "brains").glob("*.jsonl")):
        notes = [line["text"] for line in read_lines(path) if "text" in line]
        near = shared_words(notes)
        out += [(notes[a], notes[b]) for _, a, b in near[:45] + chance.sample(near, 10)]
    return out


@torch.no_grad()
def read(model: PairModel, pairs: list[tuple[str, str]], pieces: Pieces) -> tuple[torch.Tensor, torch.Tensor]:
    """What goes into the heads [pairs, width], and the logits of relation [pairs, 4]."""
    model.eval()
    order = sorted(range(len(pairs)), key=lambda i: (len(pieces.of(pairs[i][0])), pairs[i][0]))
    pooled = torch.cat([model.pooled(pieces.batch([pairs[i] for i in order[at : at + 64]])).float() for at in range(0, len(order), 64)])
    back = torch.argsort(torch.tensor(order))
    return pooled[back], model.relation(pooled).float()[back]


def main() -> None:
    torch.manual_seed(1)
    earlier, out = load(Path(sys.argv[1])), Path(sys.argv[3])
    starts = [Path(path) for path in sys.argv[2].split(",")]
    model, pieces = load(*starts), Pieces()
    pairs = pairs_of_notes(random.Random(1))
    told = F.softmax(read(earlier, pairs, pieces)[1], -1)
    pooled, _ = read(model, pairs, pieces)
    held = torch.arange(len(pairs)) % 10 == 0
    optimiser = torch.optim.Adam(model.relation.parameters(), lr=RATE)
    for epoch in range(EPOCHS):
        optimiser.param_groups[0]["lr"] = RATE * (1 - epoch / EPOCHS)
        for rows in torch.randperm(len(pairs)).split(BATCH):
            kept = rows[~held[rows]]
            loss = -(told[kept] * F.log_softmax(model.relation(pooled[kept]), -1)).sum(-1).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    with torch.no_grad():
        likeliest = model.relation(pooled[held]).argmax(-1)
    print(f"{len(pairs)} pairs; of a tenth held out the same relation in {(likeliest == told[held].argmax(-1)).float().mean():.3f}")
    save(model, torch.load(starts[0])["layers"], out)


if __name__ == "__main__":
    main()

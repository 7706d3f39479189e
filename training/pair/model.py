"""
The pair model: two texts in one sequence, a few layers of all-MiniLM-L6-v2 over its frozen word rows, two heads.
Knows the shape and how texts become batches. Refuses to know of data and of training.
"""

import json
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.path.append(str(Path(__file__).parent.parent))
from bert import WIDTH, find_teacher, load_published  # noqa: E402

RELATIONS = ("reverses", "same", "continues", "other")
KINDS = ("same", "paraphrase", "specific", "near", "prevent", "recommended", "entity")
PIECES = 96
UNKNOWN, START, END, MASK = 100, 101, 102, 103


class Head(nn.Module):
    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(WIDTH, hidden), nn.Linear(hidden, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.tanh(self.hidden(x)))


class PairModel(nn.Module):
    """`ids`, `types`, `mask` of [batch, length] to a logit [batch], four of relation [batch, 4], and one a kind of plan."""

    def __init__(self, layers: list[int], hidden: int = 64) -> None:
        super().__init__()
        self.bert = load_published(find_teacher(), layers, rounded_words=True, types=True)
        self.judge, self.relation, self.kind = Head(hidden, 1), Head(hidden, len(RELATIONS)), Head(hidden, len(KINDS))
        self.rounded = False
        self.drop = 0.1
        self.bert.norm.register_forward_hook(lambda _, __, out: F.dropout(out, self.drop, self.training))

    def pooled(self, ids: torch.Tensor, types: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self.bert.pool(ids, mask.bool(), types=types, dtype=torch.bfloat16, rounded=self.rounded)

    def forward(self, ids, types, mask):
        pooled = F.dropout(self.pooled(ids, types, mask), self.drop, self.training)
        return self.judge(pooled).squeeze(-1), self.relation(pooled), self.kind(pooled)


class Pieces:
    """Texts to word pieces, and pairs of them to padded batches."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self.tokenizer = Tokenizer.from_file(str(find_teacher() / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.seen: dict[str, list[int]] = {}

    def of(self, text: str) -> list[int]:
        if text not in self.seen:
            self.seen[text] = self.tokenizer.encode(text, add_special_tokens=False).ids[:PIECES]
        return self.seen[text]

    def length(self, pair: tuple[str, str]) -> int:
        return 3 + len(self.of(pair[0])) + len(self.of(pair[1]))

    def batch(self, pairs: list[tuple[str, str]], hide: float = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """`hide`: the share of pieces that a mask stands for."""
        length = max(self.length(pair) for pair in pairs)
        ids = torch.zeros(len(pairs), length, dtype=torch.long)
        types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
        for row, (a, b) in enumerate(pairs):
            first, second = self.of(a), self.of(b)
            whole = [START, *first, END, *second, END]
            ids[row, : len(whole)] = torch.tensor(whole)
            types[row, len(first) + 2 : len(whole)] = 1
            mask[row, : len(whole)] = 1
        if hide:
            ids[(torch.rand(ids.shape) < hide) & (ids > MASK)] = MASK
        return ids, types, mask


def save(model: PairModel, layers: list[int], path: Path) -> None:
    draft = path.with_suffix(".draft")
    torch.save({"layers": layers, "state": model.state_dict()}, draft)
    draft.replace(path)


def load(path: Path) -> PairModel:
    kept = torch.load(path)
    model = PairModel(kept["layers"], kept["state"]["judge.hidden.weight"].shape[0])
    model.load_state_dict(kept["state"])
    return model


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]

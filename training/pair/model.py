"""
The pair model: a second text read after a first one, a few layers of all-MiniLM-L6-v2 over its frozen word rows, two heads.
The first text's states are its own, whatever follows; the second's see both from layer `apart` on, and their mean is what the heads
take. So a first text is computed once for all that are held against it, and the lower layers of a second one once for all that
it is held against. Refuses to know of data and of training.
"""

import json
import random
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

sys.path.append(str(Path(__file__).parent.parent))
from bert import DTYPE, INNER, WIDTH, Bert, attend, find_teacher, join_heads, load_published, round_weight, split_heads  # noqa: E402

RELATIONS = ("reverses", "same", "continues", "other")
KINDS = ("same", "paraphrase", "specific", "near", "prevent", "recommended", "entity")
PIECES = 96
UNKNOWN, START, END, MASK = 100, 101, 102, 103


class Head(nn.Module):
    def __init__(self, hidden: int, outputs: int, inputs: int = WIDTH) -> None:
        super().__init__()
        self.hidden, self.out = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.tanh(self.hidden(x)))


@dataclass
class Batch:
    """First texts [groups, length], second texts [pairs, length], masks that are true where a piece stands, and each pair's group."""

    first: torch.Tensor
    first_mask: torch.Tensor
    second: torch.Tensor
    second_mask: torch.Tensor
    group: torch.Tensor


class PairModel(nn.Module):
    """A batch to a logit [pairs], four of relation [pairs, 4], and one a kind of plan."""

    def __init__(self, layers: list[int], hidden: int = 64, inner: int = INNER, apart: int = 0) -> None:
        super().__init__()
        self.apart = apart
        published = load_published(find_teacher(), layers, rounded_words=True, types=True)
        # A narrower one has nothing of the published layers: it is filled by whoever makes it.
        self.bert = published if inner == INNER else Bert(published.words, len(layers), True, inner=inner)
        self.judge, self.relation, self.kind = Head(hidden, 1), Head(hidden, len(RELATIONS)), Head(hidden, len(KINDS))
        self.rounded, self.dtype = False, DTYPE
        self.drop = 0.1

    def begin(self, ids: torch.Tensor, positions: torch.Tensor, kind: int) -> torch.Tensor:
        bert = self.bert
        table = round_weight(bert.position) if self.rounded else bert.position
        x = F.embedding(ids, bert.words) + F.embedding(positions, table) + bert.type_rows[kind]
        return F.dropout(bert.norm(x), self.drop, self.training)

    def pooled(self, batch: Batch) -> torch.Tensor:
        """The mean of the second texts' last states, [pairs, WIDTH]."""
        dtype, rounded, group = self.dtype, self.rounded, batch.group
        groups, long = batch.first.shape
        pairs, short = batch.second.shape
        at = torch.arange(long).expand(groups, long)
        own_at = torch.arange(short).expand(pairs, short)
        states = torch.cat(
            [self.begin(batch.first, at, 0).view(-1, WIDTH), self.begin(batch.second, own_at, 1).view(-1, WIDTH)]
        )
        own, alone = batch.first_mask[:, None, None, :], batch.second_mask[:, None, None, :]
        both = torch.cat([batch.first_mask[group], batch.second_mask], 1)[:, None, None, :]

        def apart(x):
            return x[: groups * long].view(groups, long, WIDTH), x[groups * long :].view(pairs, short, WIDTH)

        for number, layer in enumerate(self.bert.layers):
            last = number == len(self.bert.layers) - 1
            inputs = states.to(dtype)
            query, key, value = (
                [split_heads(part) for part in apart(layer.product(name, inputs, dtype, rounded))]
                for name in ("query", "key", "value")
            )
            if number < self.apart:
                seen = attend(query[1], key[1], value[1], alone)
            else:
                seen = attend(query[1], torch.cat([key[0][group], key[1]], 2), torch.cat([value[0][group], value[1]], 2), both)
            seen = join_heads(seen).reshape(-1, WIDTH)
            if last:
                states = layer.after(states[groups * long :], seen, dtype, rounded)
            else:
                first = join_heads(attend(query[0], key[0], value[0], own)).reshape(-1, WIDTH)
                states = layer.after(states, torch.cat([first, seen]), dtype, rounded)
        weight = batch.second_mask.to(states.dtype)[:, :, None]
        return (states.view(pairs, short, WIDTH) * weight).sum(1) / weight.sum(1)

    def forward(self, batch: Batch):
        pooled = F.dropout(self.pooled(batch), self.drop, self.training)
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

    def batch(self, pairs: list[tuple[str, str]], hide: float = 0) -> Batch:
        """Pairs of the same first text share it; `hide` is the share of pieces that a mask stands for."""
        numbers: dict[str, int] = {}
        group = torch.tensor([numbers.setdefault(a, len(numbers)) for a, _ in pairs])
        first, first_mask = self.pad([[START, *self.of(text), END] for text in numbers], hide)
        second, second_mask = self.pad([[*self.of(text), END] for _, text in pairs], hide)
        return Batch(first, first_mask, second, second_mask, group)

    def pad(self, rows: list[list[int]], hide: float) -> tuple[torch.Tensor, torch.Tensor]:
        long = max(map(len, rows))
        ids = torch.tensor([row + [0] * (long - len(row)) for row in rows])
        mask = ids > 0
        if hide:
            ids[(torch.rand(ids.shape) < hide) & (ids > MASK)] = MASK
        return ids, mask


class Descent:
    """Steps of AdamW over groups of parameters: the rates rise for a seventeenth of them, then fall to nothing."""

    def __init__(self, groups: list[dict], steps: int) -> None:
        self.optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
        self.rates = [group["lr"] for group in self.optimiser.param_groups]
        self.steps, self.step, self.mean = steps, 0, None

    def down(self, model: nn.Module, loss: torch.Tensor) -> None:
        """One step; `mean` is of the latest fifty losses or so."""
        fall = min(1, (self.step + 1) / (0.06 * self.steps)) * (1 - self.step / self.steps)
        for group, rate in zip(self.optimiser.param_groups, self.rates):
            group["lr"] = rate * fall
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.mean = loss.detach() if self.step == 0 else 0.98 * self.mean + 0.02 * loss.detach()
        self.step += 1


def keep(model: nn.Module, pair: PairModel, layers: list[int], path: Path) -> None:
    """Keeps a model over a pair model, whole or not at all."""
    draft = path.with_suffix(".draft")
    torch.save({"layers": layers, "apart": pair.apart, "state": {name: part.cpu() for name, part in model.state_dict().items()}}, draft)
    draft.replace(path)


def save(model: PairModel, layers: list[int], path: Path) -> None:
    keep(model, model, layers, path)


def load(*paths: Path) -> PairModel:
    """A kept model; of several that began as one, the mean of their weights."""
    kept = [torch.load(path, map_location="cpu") for path in paths]
    states = [one["state"] for one in kept]
    inner = states[0]["bert.layers.0.up.bias"].shape[0]
    model = PairModel(kept[0]["layers"], states[0]["judge.hidden.weight"].shape[0], inner, kept[0].get("apart", 0))
    model.load_state_dict({name: sum(state[name] for state in states) / len(states) for name in states[0]})
    return model


def batches_by_length(examples: list[dict], size: int, chance: random.Random, *, part: int, window: int, length) -> list[list[dict]]:
    """
    Batches of about `size` pairs. Those of one first text stay together, `part` of them at most, since one that many meet would be a batch of its own;
    parts are drawn `window` at a time and laid in the order of their `length`.
    """
    groups = defaultdict(list)
    for one in examples:
        groups[one["pair"][0]].append(one)
    parts = []
    for own in groups.values():
        chance.shuffle(own)
        parts += [own[at : at + part] for at in range(0, len(own), part)]
    chance.shuffle(parts)
    out = []
    for at in range(0, len(parts), window):
        batch = []
        for drawn in sorted(parts[at : at + window], key=length):
            batch += drawn
            if len(batch) >= size:
                out.append(batch)
                batch = []
        if batch:
            out.append(batch)
    return out


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]

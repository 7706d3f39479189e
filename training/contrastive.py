"""
Training by contrast: a question's sum of rows should lie nearer to its own answer than to the other
answers of the batch (InfoNCE, van den Oord et al. 2018). Knows batches and gradients; refuses to know files.
"""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as functional

# Lengths of the leading part of a vector that must work on their own, and their weight in the loss
# (Matryoshka, Kusupati et al. 2022).
NESTED = ((256, 1.0), (128, 0.3), (64, 0.3))
SCALE = 20.0
DROPPED = 0.10  # share of the pieces left out of a text, anew in every batch
BLINDED = 0.5  # share of the pairs whose question loses the pieces that its answer has too
WARM_UP = 50


@dataclass(frozen=True)
class Run:
    """One training: peak learning rate, steps, pairs per batch and seed."""

    rate: float
    steps: int
    batch: int
    seed: int


# Runs from one start, whose tables are averaged: the longer ones learn more of the mined texts, the shorter ones
# keep more of what the neighbours said.
RUNS = (Run(1e-3, 900, 1536, 24), Run(2.5e-3, 1200, 1536, 21), Run(1e-3, 700, 1024, 22))


def drop_pieces(rows, lengths, kept):
    """(rows, lengths) of what `kept` marks; a text that would lose everything keeps all it has."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    left = np.bincount(owner[kept], minlength=len(lengths))
    kept = kept | (left == 0)[owner]
    return rows[kept], np.bincount(owner[kept], minlength=len(lengths))


def blind(rows, lengths, other, other_lengths, chosen):
    """Mask of `rows`: False where a chosen text holds a piece that its counterpart holds too."""
    owner = np.repeat(np.arange(len(lengths)), lengths)
    other_owner = np.repeat(np.arange(len(other_lengths)), other_lengths)
    width = np.int64(1 << 20)
    shared = np.isin(owner * width + rows, np.unique(other_owner * width + other))
    return ~(shared & chosen[owner])


def draw_batch(pieces, group, size, generator):
    """((rows, lengths) of the questions, of the answers, mask of the pairs that must not count as wrong)."""
    pick = generator.integers(0, len(group.a), size)
    a, b = group.a[pick], group.b[pick]
    rows_a, lengths_a = pieces.gather(a)
    rows_b, lengths_b = pieces.gather(b)
    chosen = generator.random(size) < BLINDED
    kept_a = blind(rows_a, lengths_a, rows_b, lengths_b, chosen) & (generator.random(len(rows_a)) >= DROPPED)
    kept_b = generator.random(len(rows_b)) >= DROPPED
    digest_a, digest_b = pieces.digest[a], pieces.digest[b]
    same = (digest_a[:, None] == digest_a) | (digest_b[:, None] == digest_b) | (digest_a[:, None] == digest_b)
    np.fill_diagonal(same, False)
    return drop_pieces(rows_a, lengths_a, kept_a), drop_pieces(rows_b, lengths_b, kept_b), same


def embed_bags(table, rows, lengths):
    """Sum of the rows of each text: [texts, dimensions]."""
    offsets = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    return functional.embedding_bag(
        torch.from_numpy(rows.astype(np.int64)), table, torch.from_numpy(offsets), mode="sum"
    )


class Pairing(torch.autograd.Function):
    """
    Mean over both directions of the cross-entropy of the right pairing of unit vectors [pairs, dimensions].
    Its gradient is written out, since both directions share one exponential: a third of the time.
    """

    @staticmethod
    def forward(context, question, answer, same):
        # Cosines are at most 1, so this never overflows and needs no maximum.
        likeness = torch.exp_((question @ answer.T).mul_(SCALE).sub_(SCALE)).masked_fill_(same, 0)
        rows, columns = likeness.sum(1), likeness.sum(0)
        right = SCALE * (question * answer).sum(1) - SCALE
        loss = (rows.log() + columns.log()).mean() / 2 - right.mean()
        pull = likeness.mul_(rows.reciprocal()[:, None] + columns.reciprocal())
        pull.diagonal().sub_(2)
        context.save_for_backward(question, answer, pull.mul_(SCALE / (2 * len(question))))
        return loss

    @staticmethod
    def backward(context, slope):
        question, answer, pull = context.saved_tensors
        return slope * (pull @ answer), slope * (pull.T @ question), None


def contrast(question, answer, same):
    """Loss of two sets of sums of rows [pairs, dimensions]; `same` marks pairings that must not count as wrong."""
    return sum(
        weight
        * Pairing.apply(
            functional.normalize(question[:, :length], dim=1),
            functional.normalize(answer[:, :length], dim=1),
            same,
        )
        for length, weight in NESTED
    )


def train_table(table, pieces, groups, run, report=print):
    """A copy of `table` [rows, dimensions] trained on the groups as `run` says."""
    torch.manual_seed(run.seed)
    generator = np.random.default_rng(run.seed)
    share = np.array([group.share for group in groups])
    share /= share.sum()
    weight = torch.nn.Parameter(torch.from_numpy(table.copy()))
    optimiser = torch.optim.Adam([weight], lr=run.rate, betas=(0.9, 0.98), eps=1e-8)
    mean = None
    for step in range(run.steps):
        rise, fall = min(1.0, (step + 1) / WARM_UP), 1 - step / run.steps
        optimiser.param_groups[0]["lr"] = run.rate * rise * fall
        group = groups[generator.choice(len(groups), p=share)]
        (rows_a, lengths_a), (rows_b, lengths_b), same = draw_batch(pieces, group, run.batch, generator)
        optimiser.zero_grad(set_to_none=True)
        loss = contrast(
            embed_bags(weight, rows_a, lengths_a),
            embed_bags(weight, rows_b, lengths_b),
            torch.from_numpy(same),
        )
        loss.backward()
        optimiser.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if (step + 1) % 100 == 0:
            report(f"  step {step + 1} of {run.steps}, loss {mean:.3f}")
    trained = weight.detach().numpy()
    trained[:2] = 0
    return trained


def train_average(table, pieces, groups, runs=RUNS, report=print):
    """The mean of the tables that the runs make of `table`."""
    total = np.zeros(table.shape, np.float64)
    for run in runs:
        report(f"training: {run}")
        total += train_table(table, pieces, groups, run, report)
    return (total / len(runs)).astype(np.float32)

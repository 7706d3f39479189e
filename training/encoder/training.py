"""
The loop of all stages: the student is moved, the teacher looks on. Resumes from its last checkpoint; a second
process may compute the teacher's vectors ahead. Refuses to know files of texts and what the loss is.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from bert import DTYPE, Bert
from encoder.batches import gather

LAYERS = (1, 3, 6)  # of the teacher, 1-based: where the student starts


@dataclass(frozen=True)
class Schedule:
    """Steps in all; the rate rises for `warm`, stays, falls to nothing from step `falling` on; from `rounding` on weights are seen as int8."""

    steps: int
    falling: int
    rate: float
    rounding: int = 0
    warm: int = 100

    def rate_at(self, step):
        rise = min(1.0, (step + 1) / self.warm)
        fall = min(1.0, (self.steps - step) / (self.steps - self.falling))
        return self.rate * min(rise, fall)


def make_optimiser(model):
    """AdamW; only the products' weights decay."""
    weights = [p for p in model.layers.parameters() if p.dim() == 2]
    others = [p for p in model.parameters() if p.dim() < 2] + [model.position]
    groups = [{"params": weights, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), fused=True)


def save_checkpoint(path, model, optimiser, step):
    """Writes beside and renames, so that a reader never sees half a file."""
    part = Path(f"{path}.part")
    torch.save({"step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}, part)
    os.replace(part, path)


def load_checkpoint(path, model, optimiser=None):
    """The step to go on with; 0, and nothing loaded, when there is no checkpoint."""
    if not Path(path).exists():
        return 0
    kept = torch.load(path, weights_only=True, map_location="cpu")
    model.load_state_dict(kept["model"])
    if optimiser is not None:
        optimiser.load_state_dict(kept["optimiser"])
    return kept["step"]


class Teacher:
    """
    The teacher's part of a stage: what it makes of batches, computed here, or read where a second process left it in `directory`.
    `see`, a method of Bert, says what of a text is compared.
    """

    def __init__(self, model, corpus, batches, directory=None, see=Bert.embed):
        self.model = model
        self.corpus = corpus
        self.batches = batches
        self.directory = directory and Path(directory)
        self.see = see

    def compute(self, step):
        with torch.no_grad():
            return [
                self.see(self.model, *gather(self.corpus, side), dtype=DTYPE) for side in self.batches[step]
            ]

    def find(self, step):
        """What is compared of each side of batch `step`."""
        kept = self.directory and self.directory / f"{step}.npz"
        if not kept or not kept.exists():
            return self.compute(step)
        with np.load(kept) as arrays:
            sides = [torch.from_numpy(arrays[name]).float() for name in sorted(arrays.files)]
        kept.unlink()
        return sides

    def run_ahead(self, first, last, ahead=300):
        """A second process's part: leaves batches `first` to `last` in the directory, `ahead` at most at a time."""
        self.directory.mkdir(exist_ok=True)
        for step in range(first, last):
            while sum(1 for _ in self.directory.iterdir()) > ahead:
                time.sleep(1)
            part = self.directory / f"{step}.part.npz"
            np.savez(part, *[side.cpu().numpy().astype(np.float16) for side in self.compute(step)])
            os.replace(part, self.directory / f"{step}.npz")


def train(student, teacher, schedule, loss_of, path, report=print, every=240):
    """Trains `student` in place; a checkpoint at `path` every so many seconds, from which it goes on."""
    optimiser = make_optimiser(student)
    first = load_checkpoint(path, student, optimiser)
    saved = shown = time.monotonic()
    pieces, sums, since = 0, {}, 0
    for step in range(first, schedule.steps):
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate_at(step)
        inputs = [gather(teacher.corpus, side) for side in teacher.batches[step]]
        rounded = step >= schedule.rounding
        seen = [teacher.see(student, *side, dtype=DTYPE, rounded=rounded) for side in inputs]
        loss, parts = loss_of(seen, teacher.find(step))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        sums = {name: sums.get(name, 0.0) + part.item() for name, part in parts.items()}
        pieces += sum(ids.numel() for ids, _ in inputs)
        since += 1
        now = time.monotonic()
        if (step + 1) % 50 == 0:
            means = " ".join(f"{name} {total / since:.4f}" for name, total in sums.items())
            report(f"step {step + 1}/{schedule.steps} {means} {pieces / (now - shown):.0f} pieces/s")
            shown, pieces, sums, since = now, 0, {}, 0
        if now - saved > every:
            save_checkpoint(path, student, optimiser, step + 1)
            saved = now
    save_checkpoint(path, student, optimiser, schedule.steps)

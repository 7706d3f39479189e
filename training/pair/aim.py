"""
A map of a plan's vector towards those of the warnings that such plans fall under: which warning a plan is about is more than likeness.

    python aim.py OUT.npz|DIRECTORY HELD[,HELD...] [written.jsonl ...]

Given the DIRECTORY of a written pair model it puts the map into its file in place of the one it has: after a change of the encoder.

Of rank 128, so that it stays a small correction: x + up(down(x)), of length 1 again; vectors of warnings stay as they are stored. Learnt by telling each
plan's own warning from those of all batches. Tells how often the own warning is among the nearest of its batch in batches held out.
"""

import os
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from brains import batch_of, development, vectors_of
from onnx import numpy_helper
from paths import JUDGE

RANK, STEPS, RATE, SHARP, DROP = 128, 800, 2e-3, 20, 0.3


def learn(sets: list[dict]) -> tuple[torch.Tensor, torch.Tensor]:
    """`down` [RANK, width] and `up` [width, RANK] over the plans that fall under a warning."""
    torch.manual_seed(0)
    flags = torch.tensor(np.concatenate([one["flag_vectors"] for one in sets]))
    plans = torch.tensor(np.concatenate([one["plan_vectors"][one["own"] >= 0] for one in sets]))
    starts = np.cumsum([0, *(len(one["flags"]) for one in sets)])
    own = torch.tensor(np.concatenate([start + one["own"][one["own"] >= 0] for start, one in zip(starts, sets)]))
    width = flags.shape[1]
    down, up = (torch.randn(RANK, width) * 0.05).requires_grad_(), torch.zeros(width, RANK, requires_grad=True)
    optimiser = torch.optim.AdamW([down, up], lr=RATE, weight_decay=0.01)
    for step in range(STEPS):
        optimiser.param_groups[0]["lr"] = RATE * (1 - step / STEPS)
        rows = torch.randperm(len(plans))[:512]
        loss = F.cross_entropy(SHARP * aim(F.dropout(plans[rows], DROP), down, up) @ flags.T, own[rows])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return down.detach(), up.detach()


def aim(plans: torch.Tensor, down: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    return F.normalize(plans + plans @ down.T @ up.T, dim=1)


def put(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Puts arrays in the place of a model's own of the same names and shapes."""
    model = onnx.load(path)
    for initializer in model.graph.initializer:
        if initializer.name in arrays:
            initializer.CopyFrom(numpy_helper.from_array(arrays[initializer.name], initializer.name))
    draft = path.with_name("draft.onnx")
    onnx.save(model, draft)
    os.replace(draft, path)


def tell(name: str, one: dict, down: torch.Tensor, up: torch.Tensor) -> None:
    applies = one["own"] >= 0
    plans, flags = torch.tensor(one["plan_vectors"][applies]), torch.tensor(one["flag_vectors"])
    for how, vectors in (("cosine", plans), ("aimed", aim(plans, down, up))):
        cosines = (vectors @ flags.T).numpy()
        own = cosines[np.arange(len(cosines)), one["own"][applies]]
        before = (cosines > own[:, None]).sum(1)
        print(f"{name} {how}: " + ", ".join(f"among the first {k} {(before < k).mean():.3f}" for k in (1, 3, 8)))


def main() -> None:
    out, held, *written = sys.argv[1:]
    names = held.split(",")
    kept = [batch_of(name) for name in [*(path.stem for path in sorted(JUDGE.glob("*.jsonl")) if path.stem not in names), *written]]
    tests = [*map(batch_of, names), development()]
    vectors_of([*kept, *tests])
    down, up = learn(kept)
    for name, one in zip([*names, "development"], tests):
        tell(Path(name).stem, one, down, up)
    if Path(out).is_dir():
        put(Path(out) / "model.onnx", {"aim.down": down.numpy(), "aim.up": up.numpy()})
    else:
        np.savez(out, down=down.numpy(), up=up.numpy())


if __name__ == "__main__":
    main()
